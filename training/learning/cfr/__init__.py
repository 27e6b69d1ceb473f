"""Counterfactual regret minimisation: over any small game, and over making trump and staying in Buck Euchre."""

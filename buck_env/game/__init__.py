"""The game itself: cards, rules, one table, and the engine that moves it."""

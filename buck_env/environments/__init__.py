"""The environments: N tables at once, and the adapters of PettingZoo and Gymnasium around them."""

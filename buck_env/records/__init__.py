"""Hand records, and what a seat may know of them."""

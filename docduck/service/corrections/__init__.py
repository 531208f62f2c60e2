"""Values that people correct, and what is learned from them."""

"""The page on which teams query their published tables."""

"""The pages on which teams look through their published tables without SQL."""

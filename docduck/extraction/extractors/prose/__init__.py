"""The prose engine: answers fields from running text."""

"""The review stages of a parser."""

"""How many values of a parser were corrected, over time."""

"""Review stages of a parser."""

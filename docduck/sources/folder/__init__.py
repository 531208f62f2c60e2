"""A watched folder: its files are found, opened safely, and moved or deleted once they are stored."""

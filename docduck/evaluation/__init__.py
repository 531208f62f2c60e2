"""Known-good documents read again, and how much of them was right."""

"""What a field asks for: its concept, its labels, its type."""

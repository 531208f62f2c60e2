"""The jobs of worker processes."""

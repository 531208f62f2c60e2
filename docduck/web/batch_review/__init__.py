"""Reviewing many documents at once: as cards with crops of their pages, and a grid of unsure values."""

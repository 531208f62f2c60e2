"""The user's own page."""

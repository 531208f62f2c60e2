"""The clients that users connected: their own, and those of a team."""

"""The page that creates the first user."""

"""The page of what a team uses."""

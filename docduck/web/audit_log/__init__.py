"""The page of the team's audit log."""

"""Links to set a password."""

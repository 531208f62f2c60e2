"""Values that a mail's headers state."""

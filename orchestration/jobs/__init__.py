"""Jobs, a module each."""

"""Commands that read files without an installation."""

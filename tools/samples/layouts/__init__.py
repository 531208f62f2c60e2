"""How documents are laid out, one layout per module."""

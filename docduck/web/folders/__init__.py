"""The folders of a parser."""

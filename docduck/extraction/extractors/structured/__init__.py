"""The structured engine: values that a file states as data, not as words on a page."""

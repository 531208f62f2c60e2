"""The extractors: each finds values for fields in its own way."""

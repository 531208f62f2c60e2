"""Bytes to Document: one reader per format, each giving pages of words with boxes."""

"""Candidates: typed values that a page prints."""

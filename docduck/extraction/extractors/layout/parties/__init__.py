"""Parties and their addresses. Begin at ``party_finder``."""

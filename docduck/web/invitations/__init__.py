"""Accepting an invitation to a team."""

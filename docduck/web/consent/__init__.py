"""Asking a user whether a client may act for one of their teams."""

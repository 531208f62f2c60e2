"""Contracts: the parties, their roles and the signatures."""

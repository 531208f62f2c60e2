"""Webhooks: those of a parser, those of all parsers, and their deliveries."""

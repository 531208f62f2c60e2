"""The webhooks of a parser, and their deliveries."""

"""Rate limits and idempotent requests."""

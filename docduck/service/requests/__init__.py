"""How many requests a key may make (``rate_limits``), and the answers to repeated ones (``idempotency``)."""

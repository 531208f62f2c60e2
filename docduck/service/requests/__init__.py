"""How many requests a key may make (``rate_limits``), the answers to repeated ones (``idempotency``), and
what is classified before an upload is answered (``inline_classification``).
"""

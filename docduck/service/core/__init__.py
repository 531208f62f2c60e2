"""The installation (``installation``) and what all use cases share: audit log, outbox, file references,
counters of requests (``rate_counters``) and of failed attempts (``attempts``).
"""

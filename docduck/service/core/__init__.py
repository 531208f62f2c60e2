"""The installation (``installation``) and what all use cases share: audit log, outbox, file references, rate
counters.
"""

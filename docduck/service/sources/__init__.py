"""How documents arrive from folders, URLs, mailboxes and buckets that are watched (``scan``, ``intake``).

``ledger`` remembers what was registered.
"""

"""How documents arrive: watched folders (``scan``, ``intake``), uploads and URLs.

``ledger`` remembers what was registered.
"""

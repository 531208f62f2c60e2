"""How documents arrive from folders, URLs, mailboxes and buckets that are watched.

``scan`` decides about each file, ``intake`` takes it in, ``ledger`` remembers what was registered;
``received_mails`` takes mails to the addresses of parsers.
"""

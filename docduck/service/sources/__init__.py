"""How documents arrive from folders, URLs, mailboxes and buckets that are watched.

``scan`` decides about each file, ``timed_intake`` about each item of a remote source; ``intake`` takes
them in, ``ledger`` remembers what was registered; ``received_mails`` takes mails to the addresses of parsers.
"""

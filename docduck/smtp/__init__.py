"""The mail receiver: SMTP and LMTP for the addresses of parsers and classifiers.

``docduck.service.sources.received_mails`` decides which mails are taken.
"""

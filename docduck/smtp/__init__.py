"""The mail receiver: SMTP and LMTP for the addresses of parsers and classifiers."""

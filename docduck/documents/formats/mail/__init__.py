"""Mails: RFC 5322 messages and Outlook's .msg files to pages, one for each message of a conversation. Begin
with ``reader``; ``mime`` and ``outlook`` parse the two formats.
"""

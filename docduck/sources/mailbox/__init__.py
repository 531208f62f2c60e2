"""Mails of IMAP servers, Maildir folders and mbox files."""

"""Readers of office files: ``word``, ``sheets``, and OpenDocument texts and slides here."""

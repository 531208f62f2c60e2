"""Stored files, known by the hash of their content."""

from docduck.files.store import FileStore, FileTooLarge, Stored

__all__ = ["FileStore", "FileTooLarge", "Stored"]

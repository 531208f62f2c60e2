"""Stored files, known by the hash of their content."""

from docduck.files.store import FileStore
from docduck.files.writing import Batch, FileTooLarge, Stored

__all__ = ["Batch", "FileStore", "FileTooLarge", "Stored"]

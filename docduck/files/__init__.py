"""The file store (``store``) in a folder or a bucket, file names and access rights.

Files are identified by the hash of their content.
"""

from docduck.files.store import FileStore, StoreAway
from docduck.files.writing import Batch, FileTooLarge, Incoming, Stored

__all__ = ["Batch", "FileStore", "FileTooLarge", "Incoming", "StoreAway", "Stored"]

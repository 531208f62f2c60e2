"""Exports of documents as JSON, XML, CSV, XLSX or Parquet.

Begin with ``write`` in ``plan``; ``rows`` lays documents out, ``file_names`` names the files, and each format
has a module, whose library is imported when the format is first written.
"""

from docduck.exports.model import ChosenColumn, ExportDocument, Format, Scope, Written, key_of
from docduck.exports.plan import ExportPlan, resolve, write

__all__ = [
    "ChosenColumn",
    "ExportDocument",
    "ExportPlan",
    "Format",
    "Scope",
    "Written",
    "key_of",
    "resolve",
    "write",
]

"""Exports of documents as JSON, XML, CSV or XLSX.

Begin with ``write``; ``rows`` lays documents out, and each format has a module.
"""

from docduck.exports.model import ExportDocument, Format, Scope, Written
from docduck.exports.plan import ExportPlan, resolve
from docduck.exports.write import write, write_plan

__all__ = ["ExportDocument", "ExportPlan", "Format", "Scope", "Written", "resolve", "write", "write_plan"]

"""The catalog projected into DuckDB, one schema per parser."""

from docduck.warehouse.publication import Published
from docduck.warehouse.query import Answer
from docduck.warehouse.rows import Applied, DocumentRow, EvidenceRow, FieldSpec, Misfit, ParserSchema
from docduck.warehouse.warehouse import Warehouse

__all__ = [
    "Answer",
    "Applied",
    "DocumentRow",
    "EvidenceRow",
    "FieldSpec",
    "Misfit",
    "ParserSchema",
    "Published",
    "Warehouse",
]

"""What an engine is: it answers fields about a document with findings.

Engines run in order; a later one is asked only for what no earlier one answered.

    class Titles:
        name = "titles"

        def find(self, document, fields, options):
            return Findings({f.name: Finding("Invoice", 0.9) for f in fields if f.name == "Title"})
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from docduck.documents.document import Document
from docduck.extraction.options import ExtractOptions
from docduck.extraction.result import Finding
from docduck.fields import Field

TableRows = list[dict[str, Finding]]


@dataclass(slots=True)
class Findings:
    """What an engine found: scalars (and lists) by field name, tables as rows of cells by column name.

    ``absent`` names fields that this engine knows how the document would state, and that it does not state:
    no later engine is asked for them.
    """

    scalars: dict[str, Finding] = field(default_factory=dict)
    tables: dict[str, TableRows] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    absent: set[str] = field(default_factory=set)


class Extractor(Protocol):
    """One way of finding values."""

    name: str

    def find(self, document: Document, fields: Sequence[Field], options: ExtractOptions) -> Findings:
        """Findings for as many of ``fields`` as this engine can answer."""
        ...

"""The shape of an extractor: it finds the values of fields in a document.

Extractors run in order; each gets only the fields that no earlier one has found.

    class Titles:
        def find(self, document, queries, options):
            return Findings({q.name: Finding("Invoice", 0.9) for q in queries if q.name == "Title"})
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from docduck.documents.document import Document
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.options import ExtractOptions
from docduck.extraction.result import Extras, Finding, Location
from docduck.fields import Field, FieldType

TableRows = list[dict[str, Finding]]


class Choice(Protocol):
    """Chooses among values."""

    def choose(self, findings: Findings) -> Mapping[str, Finding | None]:
        """Return the likeliest value of each field whose place is chosen, None for no value."""
        ...


@dataclass(slots=True)
class Findings:
    """What was found: scalars (and lists) by field name, tables as rows of cells by column name.

    ``absent`` names fields that the document would state in a known way and does not: no later extractor
    looks for them. ``chooser`` chooses among what was found and what else the pages show. ``extras`` are
    those of ``Extraction``. ``claimed`` are the places of tables that the file states as data, and of printed
    values that a code states: what is only printed there answers no field.
    """

    scalars: dict[str, Finding] = field(default_factory=dict)
    tables: dict[str, TableRows] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    absent: set[str] = field(default_factory=set)
    chooser: Choice | None = None
    extras: Extras = field(default_factory=Extras)
    claimed: list[Location] = field(default_factory=list)

    def open(self, queries: Sequence[FieldQuery]) -> list[FieldQuery]:
        """Return those of ``queries`` that are neither found nor absent."""
        known = self.scalars.keys() | self.tables.keys() | self.absent
        return [query for query in queries if query.name not in known]

    def as_json(self, fields: Sequence[Field]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the values of ``fields``, and the metadata of those that have some, as in ``Extraction``."""
        data: dict[str, Any] = {}
        metadata: dict[str, Any] = {}
        for one in fields:
            if one.type is FieldType.TABLE:
                rows = self.tables.get(one.name, [])
                data[one.name] = [{c.name: _value(c, row.get(c.name)) for c in one.columns} for row in rows]
                if rows:
                    metadata[one.name] = [
                        {name: cell.as_json() for name, cell in row.items()} for row in rows
                    ]
                continue
            finding = self.scalars.get(one.name)
            data[one.name] = _value(one, finding)
            if finding is not None:
                metadata[one.name] = finding.as_json()
        return data, metadata

    def add(self, more: Findings) -> None:
        """Add what a later extractor found; what is known already stays."""
        self.scalars = {**self._unclaimed(more.scalars), **self.scalars}
        self.tables = {**more.tables, **self.tables}
        self.warnings += more.warnings
        self.absent |= more.absent
        self.chooser = self.chooser or more.chooser
        self.extras += more.extras
        self.claimed += more.claimed

    def _unclaimed(self, scalars: Mapping[str, Finding]) -> dict[str, Finding]:
        """Return those of some findings that are not only printed in a place of a table."""
        if not self.claimed:
            return dict(scalars)
        return {
            name: found
            for name, found in scalars.items()
            if found.source != "text" or not any(map(self.claims, found.locations))
        }

    def claims(self, place: Location) -> bool:
        """Return whether a place is one of ``claimed``."""
        return any(
            claimed.page == place.page and claimed.box.holds_middle_of(place.box) for claimed in self.claimed
        )


class Extractor(Protocol):
    """One way of finding values.

    Another package adds one by an entry point of the group ``docduck.extractors``; it is asked after those
    that read exact data and before the general ones. Extractors run in isolated workers: without network,
    with limits of memory and time, and with no other files than Python's packages. They keep nothing of one
    document for the next. What another package's extractor raises fails the document, with its name.
    """

    def find(self, document: Document, queries: Sequence[FieldQuery], options: ExtractOptions) -> Findings:
        """Return findings for those of ``queries`` that this extractor can answer."""
        ...


def _value(field: Field, finding: Finding | None) -> Any:
    if finding is not None and finding.value is not None:
        return finding.value
    return [] if field.type is FieldType.LIST else None

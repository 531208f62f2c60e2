"""Index entries of a document, as a pure function of its values, so that they can also be removed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from docduck.extraction.values import typed_values
from docduck.fields import Field
from docduck.service.conditions import Kind
from docduck.service.conditions.targets import KINDS
from docduck.service.search.encoding import (
    MISSING,
    cell_entries,
    field_key,
    has_long,
    hash64,
    long_key,
)

Entries = frozenset[tuple[int, str]]
NAME, EXTERNAL_ID, CUSTOM = "$name", "$externalId", "$custom."
_DEEPEST_PATH = 5
_WITH_LONG = (Kind.TEXT, Kind.LIST)


@dataclass(frozen=True)
class IndexSchema:
    """The indexed fields of a parser: reference and kind of each."""

    parser_id: str
    fields: tuple[tuple[str, Kind], ...]

    @cached_property
    def id(self) -> int:
        """A hash of it, never 0."""
        return hash64(self.parser_id, *(f"{ref}:{kind}" for ref, kind in self.fields)) or 1

    def part(self, field_ids: Collection[str]) -> IndexSchema:
        """Return the schema of these fields alone."""
        chosen = tuple((ref, kind) for ref, kind in self.fields if ref.partition(".")[0] in field_ids)
        return IndexSchema(self.parser_id, chosen)

    def as_json(self) -> list[list[str]]:
        """Return the fields as stored in the catalog."""
        return [[ref, kind.value] for ref, kind in self.fields]


def index_schema(parser_id: str, fields: Sequence[Field]) -> IndexSchema:
    """Return the index schema of a parser's fields; a column's reference is ``table.column``."""
    return IndexSchema(parser_id, tuple(_refs(fields)))


def restore_schema(parser_id: str, stored: Sequence[Sequence[str]]) -> IndexSchema:
    """Restore a schema from ``IndexSchema.as_json``."""
    return IndexSchema(parser_id, tuple((ref, Kind(kind)) for ref, kind in stored))


def _refs(fields: Sequence[Field]) -> Iterator[tuple[str, Kind]]:
    for field in fields:
        yield str(field.id), KINDS[field.type]
        for column in field.columns:
            yield f"{field.id}.{column.id}", KINDS[column.type]


def value_entries(schema: IndexSchema, values: Mapping[str, Any]) -> Entries:
    """Return the entries of a document's values, given by field id."""
    entries: set[tuple[int, str]] = set()
    for ref, kind, cell in _cells(schema, values):
        if "." in ref and typed_values.is_missing(cell):
            entries.add((field_key(schema.parser_id, ref, kind), MISSING))
        _add(entries, schema.parser_id, ref, kind, cell)
    return frozenset(entries)


def property_entries(
    parser_id: str, name: str, external_id: str | None, custom: Mapping[str, Any] | None
) -> Entries:
    """Return the entries of a document's name, external id and custom data."""
    entries: set[tuple[int, str]] = set()
    _add(entries, parser_id, NAME, Kind.TEXT, name)
    _add(entries, parser_id, EXTERNAL_ID, Kind.TEXT, external_id)
    return frozenset(entries | custom_entries(parser_id, custom))


def custom_entries(parser_id: str, custom: Mapping[str, Any] | None) -> Entries:
    """Return the entries of custom data."""
    entries: set[tuple[int, str]] = set()
    for path, value in _paths(custom or {}, 1):
        _add(entries, parser_id, CUSTOM + path, Kind.ANY, value)
    return frozenset(entries)


def values_text(schema: IndexSchema, values: Mapping[str, Any]) -> str:
    """Return all values as case-folded text, each once and on its own line."""
    lines: dict[str, None] = {}
    for _, kind, cell in _cells(schema, values):
        text = None if kind is Kind.TABLE or isinstance(cell, bool) else typed_values.text_of(cell)
        if text:
            lines[text.casefold()] = None
    return "\n".join(lines)


def _cells(schema: IndexSchema, values: Mapping[str, Any]) -> Iterator[tuple[str, Kind, Any]]:
    """Yield the reference and kind of each field with its value; for a column, each row's."""
    for ref, kind in schema.fields:
        table, _, column = ref.partition(".")
        value = values.get(table)
        if not column:
            yield ref, kind, value
            continue
        for row in value if isinstance(value, list) else ():
            yield ref, kind, row.get(column) if isinstance(row, Mapping) else None


def _add(entries: set[tuple[int, str]], parser_id: str, ref: str, kind: Kind, cell: Any) -> None:
    texts = cell_entries(kind, cell)
    if texts:
        key = field_key(parser_id, ref, kind)
        entries.update((key, text) for text in texts)
        if kind in _WITH_LONG and has_long(kind, cell):
            entries.add((long_key(parser_id, ref, kind), ""))


def _paths(custom: Mapping[str, Any], depth: int) -> Iterator[tuple[str, Any]]:
    """Yield the dotted paths of custom data; keys that contain a dot are omitted."""
    for key, value in custom.items():
        if not key or "." in key:
            continue
        yield key, value
        if isinstance(value, Mapping) and depth < _DEEPEST_PATH:
            for path, inner in _paths(value, depth + 1):
                yield f"{key}.{path}", inner

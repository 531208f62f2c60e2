"""Conversion of values between keys by field name (API) and by field id (catalog).

The catalog uses ids because they survive a rename.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple

from docduck.extraction.result import Extraction, ValueKey, no_evidence
from docduck.fields import Field, FieldType
from docduck.service.documents.value_checks import no_value

_NO_FIELDS: Mapping[str, Field] = {}


def identified(
    fields: Sequence[Field], data: Mapping[str, Any], evidence: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Convert values and evidence by name to values and evidence by id."""
    return _by_id(fields, data), _by_id(fields, evidence)


def named(
    fields: Sequence[Field], values: Mapping[str, Any], deleted: Sequence[Field] = ()
) -> dict[str, Any]:
    """Convert values by id to values by name, with an entry for every field and every column of a row.

    Existing values of ``deleted`` fields and columns (``parser_fields.deleted_fields``) come last.
    """
    lost = _by_key(deleted)
    data = {field.name: _value(field, values.get(str(field.id)), lost) for field in fields}
    for field in _left(deleted, values):
        data.setdefault(field.name, _value(field, values[str(field.id)], _NO_FIELDS))
    return data


def named_evidence(
    fields: Sequence[Field],
    values: Mapping[str, Any],
    evidence: Mapping[str, Any],
    deleted: Sequence[Field] = (),
) -> dict[str, Any]:
    """Convert evidence by id to evidence by name, with an entry for every value that ``named`` returns."""
    lost = _by_key(deleted)
    named = {field.name: _evidence(field, values, evidence, lost) for field in fields}
    for field in _left(deleted, values):
        named.setdefault(field.name, _evidence(field, values, evidence, _NO_FIELDS))
    return named


class Cell(NamedTuple):
    """A value with its evidence: a field's, or one in a table, whose ``field`` is the column then."""

    field: Field
    key: ValueKey
    value: Any
    entry: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The name of the field, or ``Table.Column``."""
        return ".".join((self.key[0], *self.key[2:]))

    @property
    def row(self) -> int | None:
        """The row of a table, from 1."""
        return self.key[1] + 1 if len(self.key) == 3 else None


def cells(
    fields: Sequence[Field],
    values: Mapping[str, Any],
    evidence: Mapping[str, Any],
    by: Literal["name", "id"] = "name",
) -> Iterator[Cell]:
    """Yield all values of a document with their evidence, both by field name or both by id.

    A table without rows counts as one value.
    """
    for field in fields:
        ref = str(getattr(field, by))
        value, entry = values.get(ref), evidence.get(ref)
        rows = table_rows(value)
        if field.type is not FieldType.TABLE or not rows:
            # The field had another type when the document was read, if it has rows, or a table has a value.
            visible = None if rows or field.type is FieldType.TABLE else value
            yield Cell(field, (field.name,), visible, entry if isinstance(entry, Mapping) else {})
            continue
        columns = [(column, str(getattr(column, by))) for column in field.columns]
        places = evidence_of_rows(rows, entry)
        for number, row in enumerate(rows):
            entries = places[number] if number < len(places) else {}
            for column, ref in columns:
                yield Cell(column, (field.name, number, column.name), row.get(ref), entries.get(ref) or {})


def without_confidence(extraction: Extraction) -> Extraction:
    """Return the extraction with all confidences set to None."""

    def blank(entry: Any) -> Any:
        if isinstance(entry, list):
            return [{name: blank(cell) for name, cell in row.items()} for row in entry]
        return {**entry, "confidence": None}

    evidence = {name: blank(entry) for name, entry in extraction.field_metadata.items()}
    return replace(extraction, field_metadata=evidence, confidence=None)


def _by_id(fields: Sequence[Field], source: Mapping[str, Any]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for field in fields:
        if field.name not in source:
            continue
        value = source[field.name]
        if field.type is FieldType.TABLE and isinstance(value, list):
            value = [
                {str(column.id): row[column.name] for column in field.columns if column.name in row}
                for row in value
            ]
        result[str(field.id)] = value
    return result


def _value(field: Field, stored: Any, deleted: Mapping[str, Field]) -> Any:
    rows = table_rows(stored)
    if field.type is FieldType.TABLE:
        return [named(field.columns, row, _columns(field, deleted)) for row in rows]
    # The field was a table when the document was processed.
    return no_value(field) if rows or stored in (None, []) else stored


def _evidence(
    field: Field, values: Mapping[str, Any], evidence: Mapping[str, Any], deleted: Mapping[str, Field]
) -> Any:
    entry = evidence.get(str(field.id))
    if field.type is not FieldType.TABLE:
        return entry if isinstance(entry, Mapping) else no_evidence()
    rows = table_rows(values.get(str(field.id)))
    places = evidence_of_rows(rows, entry)
    columns = _columns(field, deleted)
    return [
        named_evidence(field.columns, row, places[number] if number < len(places) else {}, columns)
        for number, row in enumerate(rows)
    ]


def _columns(table: Field, deleted: Mapping[str, Field]) -> Sequence[Field]:
    """Return the deleted columns of a table."""
    deleted_table = deleted.get(str(table.id))
    return deleted_table.columns if deleted_table else ()


def _left(deleted: Sequence[Field], values: Mapping[str, Any]) -> Iterator[Field]:
    return (field for field in deleted if str(field.id) in values)


def _by_key(fields: Sequence[Field]) -> dict[str, Field]:
    return {str(field.id): field for field in fields}


def evidence_of_rows(rows: Sequence[Mapping[str, Any]], entry: Any) -> Sequence[Mapping[str, Any]]:
    """Return the evidence of each row; ``entry`` may be one evidence for all cells."""
    return [dict.fromkeys(row, entry) for row in rows] if isinstance(entry, Mapping) else table_rows(entry)


def table_rows(value: Any) -> list[Mapping[str, Any]]:
    """Return the rows of a table's value; empty if it is not a table."""
    is_table = isinstance(value, list) and all(isinstance(row, Mapping) for row in value)
    return value if is_table else []

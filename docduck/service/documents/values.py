"""Values between the shapes of their keys: by field name for people, by field id in the catalog.

Ids outlive a rename, so the catalog keeps values by id; both shapes are contract A9's and C8's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from docduck.extraction.result import Extraction, no_evidence
from docduck.fields import Field, FieldType
from docduck.service.documents.given_values import no_value

_NO_FIELDS: Mapping[str, Field] = {}


def identified(
    fields: Sequence[Field], data: Mapping[str, Any], evidence: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return values and evidence by id, from those by name."""
    return _by_id(fields, data), _by_id(fields, evidence)


def named(
    fields: Sequence[Field], values: Mapping[str, Any], deleted: Sequence[Field] = ()
) -> dict[str, Any]:
    """Return values by name, from those by id: a value, or none, for each field and each column of a row.

    What is left of ``deleted`` fields and columns (``parser_fields.deleted_fields``) follows.
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
    """Return the evidence by name, from that by id: an entry for each value of ``named`` (contract K6)."""
    lost = _by_key(deleted)
    found = {field.name: _evidence(field, values, evidence, lost) for field in fields}
    for field in _left(deleted, values):
        found.setdefault(field.name, _evidence(field, values, evidence, _NO_FIELDS))
    return found


def without_confidence(extraction: Extraction) -> Extraction:
    """The same extraction, with null for every confidence."""

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
    rows = rows_of(stored)
    if field.type is FieldType.TABLE:
        return [named(field.columns, row, _columns(field, deleted)) for row in rows]
    # Rows are left from when the field was a table.
    return no_value(field) if rows or stored in (None, []) else stored


def _evidence(
    field: Field, values: Mapping[str, Any], evidence: Mapping[str, Any], deleted: Mapping[str, Field]
) -> Any:
    entry = evidence.get(str(field.id))
    if field.type is not FieldType.TABLE:
        return entry if isinstance(entry, Mapping) else no_evidence()
    rows = rows_of(values.get(str(field.id)))
    places = evidence_of_rows(rows, entry)
    columns = _columns(field, deleted)
    return [
        named_evidence(field.columns, row, places[number] if number < len(places) else {}, columns)
        for number, row in enumerate(rows)
    ]


def _columns(table: Field, deleted: Mapping[str, Field]) -> Sequence[Field]:
    """Return the deleted columns of a table."""
    found = deleted.get(str(table.id))
    return found.columns if found else ()


def _left(deleted: Sequence[Field], values: Mapping[str, Any]) -> Iterator[Field]:
    return (field for field in deleted if str(field.id) in values)


def _by_key(fields: Sequence[Field]) -> dict[str, Field]:
    return {str(field.id): field for field in fields}


def evidence_of_rows(rows: Sequence[Mapping[str, Any]], entry: Any) -> Sequence[Mapping[str, Any]]:
    """Return the evidence of each row of a table from its ``entry``, which may be one for all cells."""
    return [dict.fromkeys(row, entry) for row in rows] if isinstance(entry, Mapping) else rows_of(entry)


def rows_of(value: Any) -> list[Mapping[str, Any]]:
    """Return the rows of a table's value; none if it is something else."""
    is_table = isinstance(value, list) and all(isinstance(row, Mapping) for row in value)
    return value if is_table else []

"""A document's values with those that a person set or confirmed marked as edited, and all checked again."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from docduck.catalog.models import DocumentResult
from docduck.errors import InputError
from docduck.extraction.arithmetic import checked, judge
from docduck.extraction.result import Extras, Location, ValueKey
from docduck.fields import Field
from docduck.service.corrections.edited_evidence import confirmed_entry, edited_entry, is_whole
from docduck.service.documents import values
from docduck.service.documents.value_checks import check_values, no_value

NO_PLACES: Mapping[ValueKey, Sequence[Location]] = {}


@dataclass(frozen=True, slots=True)
class Entry:
    """Values that a person entered, by field name or id, and where they found them.

    ``replace`` clears the fields that are missing in ``data``. ``below`` is set if the person saw which
    values are unsure: those cells of a table that are, and that stay as they were, remain unsure. Without it,
    a table is set as a whole.
    """

    data: Mapping[str, Any]
    places: Mapping[ValueKey, Sequence[Location]] = field(default_factory=dict)
    replace: bool = False
    below: float | None = None


@dataclass(frozen=True, slots=True)
class Confirmation:
    """Values that a person confirmed: fields, and cells by table, row (from 0) and column; None for all."""

    only: Collection[ValueKey] | None = None


@dataclass(frozen=True, slots=True)
class MarkedValues:
    """Values and evidence before and after a change, by field name; ``changes`` are the values set."""

    before: Mapping[str, Any]
    after: Mapping[str, Any]
    evidence_before: Mapping[str, Any]
    evidence: Mapping[str, Any]
    changes: Mapping[str, Any]


def marked_values(
    fields: Sequence[Field], result: DocumentResult, change: Entry | Confirmation, mark: Mapping[str, Any]
) -> MarkedValues:
    """Return the values of a document after a change; ``mark`` is what is said of an edited value.

    Raise InputError for unknown fields and cells, and for values that don't fit their types.
    """
    before = values.named(fields, result.values)
    evidence = values.named_evidence(fields, result.values, result.evidence)
    if isinstance(change, Entry):
        changes = check_values(fields, change.data)
        if change.replace:
            changes = {field.name: no_value(field) for field in fields} | changes
        marks = {
            field.name: edited_entry(
                field,
                before[field.name],
                evidence[field.name],
                changes[field.name],
                mark,
                change.places,
                change.below,
            )
            for field in fields
            if field.name in changes
        }
    else:
        _refuse_unknown(fields, before, change.only or ())
        chosen = [field for field in fields if _is_confirmed(field, result, change.only)]
        changes = check_values(fields, {field.name: before[field.name] for field in chosen})
        marks = {
            field.name: confirmed_entry(field, before[field.name], evidence[field.name], mark, change.only)
            for field in chosen
        }
    after, extras = before | changes, Extras.from_json(result.extras)
    judged = judge(fields, before, evidence, extras)
    return MarkedValues(
        before, after, evidence, checked(fields, after, evidence | marks, extras, judged), changes
    )


def _is_confirmed(field: Field, result: DocumentResult, only: Collection[ValueKey] | None) -> bool:
    """Return whether a value of the field is confirmed that nobody set or confirmed before."""
    key = str(field.id)
    if only is not None:
        return any(each[0] == field.name for each in only)
    return key in result.values and not is_whole(field, result.evidence.get(key))


def _refuse_unknown(fields: Sequence[Field], data: Mapping[str, Any], only: Collection[ValueKey]) -> None:
    known = {field.name: field for field in fields}
    for key in only:
        field = known.get(key[0])
        is_known = field is not None and len(key) == 1
        if field is not None and len(key) == 3:
            is_column = any(column.name == key[2] for column in field.columns)
            is_known = is_column and 0 <= key[1] < len(data[field.name])
        if not is_known:
            raise InputError("A value that was confirmed is not there any more. Load the page again")

"""Arithmetic checks of a document's values, and the confidence that follows from them.

``checked`` is called with the values as they are: when a document has been read and post-processed, and again
after every change of its values.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from docduck.extraction.checks import RULES, Checks, Judgement, amount_columns
from docduck.extraction.confidence import mean_confidence, supported
from docduck.extraction.result import CONFIDENCE_DIGITS, Extraction, Extras, ValueKey
from docduck.fields import Field, FieldType

__all__ = ["Judgement", "check_extraction", "checked", "fails_check", "judge"]


def fails_check(entry: Mapping[str, Any] | None) -> bool:
    """Return whether the evidence of a value says that an equation fails."""
    return any(problem["rule"] in RULES for problem in (entry or {}).get("validation", ()))


def check_extraction(
    extraction: Extraction, fields: Sequence[Field], before: Judgement | None = None
) -> Extraction:
    """Return the extraction with its values checked; ``before`` is what the checks said so far."""
    data = extraction.data
    metadata = checked(fields, data, extraction.field_metadata, extraction.extras, before or Judgement())
    return replace(extraction, field_metadata=metadata, confidence=mean_confidence(data, metadata))


def checked(
    fields: Sequence[Field],
    data: Mapping[str, Any],
    metadata: Mapping[str, Any],
    extras: Extras,
    before: Judgement,
) -> dict[str, Any]:
    """Return ``metadata`` with the problems of ``data``, and confidences by what the checks say of it.

    ``extras`` are further numbers on the pages. ``before`` is what the checks said of the values that the
    confidences are from. Entries that don't change stay the same objects.
    """
    now = judge(fields, data, metadata, extras)

    def entry_of(place: ValueKey, entry: Mapping[str, Any]) -> Mapping[str, Any]:
        problems = [problem for problem in entry.get("validation", ()) if problem["rule"] not in RULES]
        problems += now.problems.get(place, ())
        change = now.support[place] - before.support[place]
        confidence = entry.get("confidence")
        if change and confidence is not None and not entry.get("edited"):
            confidence = round(supported(confidence, change), CONFIDENCE_DIGITS)
        if confidence == entry.get("confidence") and problems == entry.get("validation", []):
            return entry
        rest = {name: value for name, value in entry.items() if name != "validation"}
        return {**rest, "confidence": confidence} | ({"validation": problems} if problems else {})

    def row_of(table: str, number: int, row: Mapping[str, Any], names: Iterable[str]) -> Mapping[str, Any]:
        cells = {name: entry_of((table, number, name), row[name]) for name in names if row.get(name)}
        return {**row, **cells} if any(cells[name] is not row[name] for name in cells) else row

    updated = dict(metadata)
    for parser_field in fields:
        entry = metadata.get(parser_field.name)
        if parser_field.type is not FieldType.TABLE:
            if entry:
                updated[parser_field.name] = entry_of((parser_field.name,), entry)
        elif isinstance(entry, list) and (names := amount_columns(parser_field).values()):
            rows = [row_of(parser_field.name, number, row, names) for number, row in enumerate(entry)]
            if any(new is not old for new, old in zip(rows, entry, strict=True)):
                updated[parser_field.name] = rows
    return updated


def judge(
    fields: Sequence[Field], data: Mapping[str, Any], metadata: Mapping[str, Any], extras: Extras
) -> Judgement:
    """Return what the checks say of ``data``. Values that a file states as data are not doubted."""
    return Checks(fields, data, metadata, extras).judgement

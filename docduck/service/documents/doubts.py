"""Which values of a document a person should look at, and why.

Unsure is a value of less confidence than its parser's ``unsureBelow``, one that fails a check, and a required
one that is missing. What a person set or confirmed is sure, but for those who review it after that person.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from docduck.errors import InputError
from docduck.fields import Field
from docduck.service.documents.values import cells
from docduck.service.parsers.parser_settings import read_settings
from docduck.service.parsers.settings_schema import UNSURE_BELOW

LOW = "Low confidence"

_EMPTY: Sequence[Any] = (None, "", [])
_REQUIRED, _SUGGESTION = "required", "suggestion"
"""Rules in ``validation``: of a value that is missing, and of one that a language model suggests."""


def unsure_below(stored: Mapping[str, Any]) -> float:
    """Return the confidence below which values are unsure; the default if the settings are invalid."""
    try:
        return read_settings(stored).unsure_below
    except InputError:
        return UNSURE_BELOW


def reasons_of(
    field: Field, value: Any, entry: Mapping[str, Any] | None, below: float, earlier: Collection[str] = ()
) -> list[str]:
    """Return why a value, or a cell of the column ``field``, is unsure; none if it is sure.

    ``earlier`` are the people whose word doesn't settle it: reviewers of earlier stages. What they confirmed
    is as unsure as it was read.
    """
    evidence = entry or {}
    if evidence.get("edited") and evidence.get("editedBy") not in earlier:
        return []
    problems = problems_of(field, value, evidence)
    confidence = read_confidence(evidence)
    is_low = value not in _EMPTY and confidence is not None and confidence < below
    return [LOW, *problems] if is_low else problems


def read_confidence(entry: Mapping[str, Any]) -> float | None:
    """Return how sure a value was as it was read; None for what was entered."""
    return entry.get("readConfidence") if entry.get("edited") else entry.get("confidence")


def problems_of(
    field: Field, value: Any, entry: Mapping[str, Any] | None, but: Collection[str] = ()
) -> list[str]:
    """Return which checks a value fails, whoever set it: a required one that is missing comes first.

    Those of the rules ``but`` are left out.
    """
    # Whether a value is required, and there is one, may have changed since it was read.
    left_out = {_REQUIRED, *but, *(() if value in _EMPTY else (_SUGGESTION,))}
    checks = (problem for problem in (entry or {}).get("validation") or () if problem["rule"] not in left_out)
    problems = [str(problem["message"]) for problem in checks]
    if field.required and value in _EMPTY:
        return [f"'{field.name}' is required and was not found", *problems]
    return problems


def is_unsure(entry: Mapping[str, Any], below: float) -> bool:
    """Return whether a value is unsure by its evidence alone."""
    confidence = entry.get("confidence")
    is_low = confidence is not None and confidence < below
    return not entry.get("edited") and (is_low or bool(entry.get("validation")))


def failed_checks(fields: Sequence[Field], data: Mapping[str, Any], evidence: Mapping[str, Any]) -> list[str]:
    """Return what the checks say of a document's values by field name, with the rows of cells.

    That a language model suggests a value for an empty field is no check.
    """
    return [
        problem if cell.row is None else f"{cell.key[0]}, row {cell.row}: {problem}"
        for cell in cells(fields, data, evidence)
        for problem in problems_of(cell.field, cell.value, cell.entry, {_SUGGESTION})
    ]

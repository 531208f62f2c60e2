"""Filters of searches and exports: conditions in a short form, all of which must hold."""

from __future__ import annotations

import json
import re
from typing import Any

from docduck.errors import InputError
from docduck.ids import is_uuid
from docduck.service.conditions.condition import Condition
from docduck.service.conditions.parsing import Scope, parse_condition, parse_each, require_object
from docduck.service.conditions.vocabulary import OPERATORS, SYMBOLS, Aspect, Operator

MOST_FILTERS = 20
_KEYS = frozenset({"field", "operator", "value", "condition"})
_IDS = frozenset({"$folderId", "$assigneeId", "$reviewStageId"})
_EXACT = frozenset({Operator.EQUALS, Operator.NOT_EQUALS, Operator.IN, Operator.NOT_IN})
PRESENCE = {
    "exists": Aspect.EXISTS,
    "is_not_empty": Aspect.EXISTS,
    "not_exists": Aspect.NOT_EXISTS,
    "is_empty": Aspect.NOT_EXISTS,
}
_TYPED_OPERATORS = sorted({*OPERATORS[Aspect.EXTRACTED_VALUE], *PRESENCE, *SYMBOLS}, key=len, reverse=True)
_TYPED = re.compile(rf"(\S.*?)\s+({'|'.join(map(re.escape, _TYPED_OPERATORS))})(?:\s+(.*\S))?\s*", re.DOTALL)


def typed_filter(text: str) -> dict[str, Any]:
    """Return a filter that a person typed, such as ``Total >= 100``, in the API's shape.

    A value that is JSON is taken as such. Raise InputError.
    """
    match = _TYPED.fullmatch(text)
    if match is None:
        raise InputError(f"'{text}' must be a field, an operator and a value, like 'Total >= 100'", "filters")
    field, operator, value = match.groups()
    filter_ = {"field": field, "operator": operator}
    return filter_ if value is None else {**filter_, "value": _typed_value(value)}


def _typed_value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def parse_filters(raw: Any, scope: Scope, path: str = "filters") -> tuple[Condition, ...]:
    """Parse the filters of a request; raise InputError listing all errors."""
    return parse_each(raw, lambda item, at: _parse_filter(item, scope, at), path, MOST_FILTERS, "filters")


def _parse_filter(raw: Any, scope: Scope, path: str) -> Condition:
    filter_ = require_object(raw, path, _KEYS)
    aspect = filter_.get("condition", Aspect.EXTRACTED_VALUE.value)
    if aspect not in (Aspect.EXTRACTED_VALUE, Aspect.CONFIDENCE):
        raise InputError(f"Unknown condition: {aspect}. Supported: confidence", f"{path}.condition")
    operator = filter_.get("operator")
    if operator is None:
        raise InputError("operator is required", f"{path}.operator")
    if aspect == Aspect.EXTRACTED_VALUE and isinstance(operator, str) and operator in PRESENCE:
        return parse_condition(
            {"field": filter_.get("field"), "condition": PRESENCE[operator], "value": filter_.get("value")},
            scope,
            path,
        )
    known = [*OPERATORS[Aspect(aspect)], *(PRESENCE if aspect == Aspect.EXTRACTED_VALUE else ())]
    if not isinstance(operator, str) or operator not in {*known, *SYMBOLS}:
        raise InputError(f"Unknown operator: {operator}. Supported: {', '.join(known)}", f"{path}.operator")
    condition = parse_condition({**filter_, "condition": aspect}, scope, path)
    if condition.target.ref in _IDS and condition.operator in _EXACT:
        values = condition.value if isinstance(condition.value, tuple) else (condition.value,)
        if not all(isinstance(value, str) and is_uuid(value.strip()) for value in values):
            raise InputError("Invalid value", f"{path}.value")
    return condition

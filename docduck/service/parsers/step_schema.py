"""The steps of post-processing in the API's shape: the options of each transform, declared once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import WithJsonSchema

from docduck.extraction.post_processing.steps import MODES, ON_MISSING, Transform
from docduck.extraction.post_processing.transforms import (
    DECIMAL_SEPARATORS,
    GROUP_SEPARATORS,
    LONGEST_FORMAT,
    MOST_DECIMALS,
    TEXT_TRANSFORMS,
)
from docduck.regex import LONGEST_PATTERN
from docduck.service.core.schema import Schema

MOST_STEPS = 50
MOST_PAIRS = 20
LOWEST_THRESHOLD = 0.5
DEFAULT_THRESHOLD = 0.85

_FIELD: dict[str, Any] = {
    "type": "string",
    "minLength": 1,
    "description": "A field's name or id, or `Table.Column`",
}
_COLUMN = {"type": "string", "minLength": 1, "description": "A column of the lookup table"}
_FROM = {**_FIELD, "description": "The field that is formatted; by default the field itself"}

OPTIONS: Mapping[str, Mapping[str, dict[str, Any]]] = {
    Transform.REGEX_REPLACE: {
        "pattern": {"type": "string", "minLength": 1, "maxLength": LONGEST_PATTERN},
        "replacement": {
            "type": "string",
            "maxLength": LONGEST_PATTERN,
            "description": r"`\1` to `\9` are groups of the pattern, `\0` is the whole match",
        },
    },
    Transform.DATE_FORMAT: {
        "format": {
            "type": "string",
            "minLength": 1,
            "maxLength": LONGEST_FORMAT,
            "examples": ["DD.MM.YYYY"],
        },
        "from": _FROM,
    },
    Transform.NUMBER_FORMAT: {
        "decimals": {"type": "integer", "minimum": 0, "maximum": MOST_DECIMALS, "default": 2},
        "decimalSeparator": {"type": "string", "enum": list(DECIMAL_SEPARATORS), "default": "."},
        "groupSeparator": {"type": "string", "enum": list(GROUP_SEPARATORS), "default": ""},
        "from": _FROM,
    },
    Transform.DEFAULT: {"value": {"description": "A value of the field's type"}},
}
"""The options of transforms by their names; others have none. Those without a default are required."""


def _object(required: list[str], properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": required,
        "properties": dict(properties),
    }


def _transform(names: list[str], options: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    own = [name for name, option in options.items() if name != "from" and "default" not in option]
    kind = {"const": "transform"}
    properties = {"type": kind, "field": _FIELD, "transform": {"type": "string", "enum": names}, **options}
    return _object(["type", "field", "transform", *own], properties)


def _pairs(description: str) -> dict[str, Any]:
    pair = _object(["field", "column"], {"field": _FIELD, "column": _COLUMN})
    return {
        "type": "array",
        "minItems": 1,
        "maxItems": MOST_PAIRS,
        "items": pair,
        "description": description,
    }


LOOKUP: Mapping[str, dict[str, Any]] = {
    "type": {"const": "lookup"},
    "table": {"type": "string", "minLength": 1, "description": "The name of a lookup table"},
    "match": _pairs("Columns that have the values of fields"),
    "write": _pairs("Columns that are written into fields"),
    "mode": {"type": "string", "enum": list(MODES), "default": "exact"},
    "threshold": {
        "type": "number",
        "minimum": LOWEST_THRESHOLD,
        "maximum": 1,
        "description": f"Lowest similarity of a row, for the mode `fuzzy`; {DEFAULT_THRESHOLD} by default",
    },
    "onMissing": {
        "type": "string",
        "enum": list(ON_MISSING),
        "default": "keep",
        "description": "What happens to the values if no row matches or its cell is empty",
    },
}
"""The properties of a lookup."""

_STEPS: dict[str, Any] = {
    "type": "array",
    "maxItems": MOST_STEPS,
    "description": "The steps, in their order",
    "items": {
        "anyOf": [
            _transform([transform.value for transform in TEXT_TRANSFORMS], {}),
            *(_transform([str(name)], options) for name, options in OPTIONS.items()),
            _object(["type", "table", "match", "write"], LOOKUP),
        ]
    },
}


class PostProcessingUpdate(Schema):
    """All steps of a parser's post-processing."""

    steps: Annotated[Any, WithJsonSchema(_STEPS)]

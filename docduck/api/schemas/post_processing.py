"""Post-processing and lookup tables: bodies and responses."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import WithJsonSchema

from docduck.api.schemas.base import ResponseModel
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
from docduck.service.parsers.post_processing_steps import (
    DEFAULT_THRESHOLD,
    LOWEST_THRESHOLD,
    MOST_PAIRS,
    MOST_STEPS,
)

_FIELD: dict[str, Any] = {
    "type": "string",
    "minLength": 1,
    "description": "A field's name or id, or `Table.Column`",
}
_COLUMN: dict[str, Any] = {"type": "string", "minLength": 1, "description": "A column of the lookup table"}
_PAIRS: dict[str, Any] = {
    "type": "array",
    "minItems": 1,
    "maxItems": MOST_PAIRS,
    "items": {
        "type": "object",
        "additionalProperties": False,
        "required": ["field", "column"],
        "properties": {"field": _FIELD, "column": _COLUMN},
    },
}
_FROM = {**_FIELD, "description": "The field that is formatted; by default the field itself"}


def _transform(names: list[str], required: list[str], **options: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": ["type", "field", "transform", *required],
        "properties": {
            "type": {"const": "transform"},
            "field": _FIELD,
            "transform": {"type": "string", "enum": names},
            **options,
        },
    }


_LOOKUP: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["type", "table", "match", "write"],
    "properties": {
        "type": {"const": "lookup"},
        "table": {"type": "string", "minLength": 1, "description": "The name of a lookup table"},
        "match": {**_PAIRS, "description": "Columns that have the values of fields"},
        "write": {**_PAIRS, "description": "Columns that are written into fields"},
        "mode": {"type": "string", "enum": list(MODES), "default": "exact"},
        "threshold": {
            "type": "number",
            "minimum": LOWEST_THRESHOLD,
            "maximum": 1,
            "default": DEFAULT_THRESHOLD,
            "description": "Lowest similarity of a row, for the mode `fuzzy`",
        },
        "onMissing": {
            "type": "string",
            "enum": list(ON_MISSING),
            "default": "keep",
            "description": "What happens to the values if no row matches or its cell is empty",
        },
    },
}

STEPS: dict[str, Any] = {
    "type": "array",
    "maxItems": MOST_STEPS,
    "description": "The steps, in their order",
    "items": {
        "anyOf": [
            _transform([transform.value for transform in TEXT_TRANSFORMS], []),
            _transform(
                [Transform.REGEX_REPLACE.value],
                ["pattern", "replacement"],
                pattern={"type": "string", "minLength": 1, "maxLength": LONGEST_PATTERN},
                replacement={
                    "type": "string",
                    "maxLength": LONGEST_PATTERN,
                    "description": r"`\1` to `\9` are groups of the pattern, `\0` is the whole match",
                },
            ),
            _transform(
                [Transform.DATE_FORMAT.value],
                ["format"],
                format={
                    "type": "string",
                    "minLength": 1,
                    "maxLength": LONGEST_FORMAT,
                    "examples": ["DD.MM.YYYY"],
                },
                **{"from": _FROM},
            ),
            _transform(
                [Transform.NUMBER_FORMAT.value],
                [],
                decimals={"type": "integer", "minimum": 0, "maximum": MOST_DECIMALS, "default": 2},
                decimalSeparator={"type": "string", "enum": list(DECIMAL_SEPARATORS), "default": "."},
                groupSeparator={"type": "string", "enum": list(GROUP_SEPARATORS), "default": ""},
                **{"from": _FROM},
            ),
            _transform(
                [Transform.DEFAULT.value], ["value"], value={"description": "A value of the field's type"}
            ),
            _LOOKUP,
        ]
    },
}
"""The schema of the steps of post-processing."""


class PostProcessingUpdate(Schema):
    """All steps of a parser's post-processing."""

    steps: Annotated[Any, WithJsonSchema(STEPS)]


class PostProcessingResponse(ResponseModel):
    """A parser's post-processing."""

    steps: list[dict[str, Any]]

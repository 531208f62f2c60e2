"""The JSON schemas of conditions and rules in requests."""

from __future__ import annotations

from typing import Any

from docduck.service.conditions.parsing import LONGEST_NAME
from docduck.service.conditions.vocabulary import SYMBOLS, Aspect, Operator

NOTHING: dict[str, Any] = {"type": "null"}

CONDITION: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["field", "condition"],
    "properties": {
        "type": {"const": "simple"},
        "field": {
            "type": "string",
            "minLength": 1,
            "description": "A field's name or id, `Table.Column`, or a property of the document: `$name`, "
            "`$source`, `$contentType`, `$senderEmail`, `$externalId`, `$custom.<path>`",
        },
        "condition": {"type": "string", "enum": [aspect.value for aspect in Aspect]},
        "operator": {
            "anyOf": [
                {"type": "string", "enum": [*[operator.value for operator in Operator], *SYMBOLS]},
                NOTHING,
            ]
        },
        "value": {
            "description": "What to compare with: an array for `in` and `not_in`, `[lowest, highest]` for "
            "`between`, a field for `matches_field`"
        },
        "name": {"anyOf": [{"type": "string", "minLength": 1, "maxLength": LONGEST_NAME}, NOTHING]},
    },
}
"""The schema of a condition of an automatic assignment."""

RULE: dict[str, Any] = {
    **CONDITION,
    "properties": {
        **CONDITION["properties"],
        "field": {
            "type": "string",
            "minLength": 1,
            "description": "A field's name or id, or `Table.Column`",
        },
        "id": {
            "anyOf": [{"type": "string"}, NOTHING],
            "description": "The id of a rule of this stage, which it keeps; others get a new one",
        },
        "editable": {"type": "boolean", "description": "Ignored: only the server sets it"},
    },
}
"""The schema of a rule of a review stage."""

"""Conditions on documents in request bodies."""

from __future__ import annotations

from typing import Any

from docduck.service.conditions import Aspect, Operator
from docduck.service.conditions.parsing import LONGEST_NAME
from docduck.service.conditions.vocabulary import SYMBOLS
from docduck.service.folders.auto_assignment import LONGEST_INSTRUCTIONS, MOST_RULES

_NOTHING: dict[str, Any] = {"type": "null"}

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
        "condition": {"type": "string", "enum": [one.value for one in Aspect]},
        "operator": {
            "anyOf": [{"type": "string", "enum": [*[one.value for one in Operator], *SYMBOLS]}, _NOTHING]
        },
        "value": {
            "description": "What to compare with: an array for `in` and `not_in`, `[lowest, highest]` for "
            "`between`, a field for `matches_field`"
        },
        "name": {"anyOf": [{"type": "string", "minLength": 1, "maxLength": LONGEST_NAME}, _NOTHING]},
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
            "anyOf": [{"type": "string"}, _NOTHING],
            "description": "The id of a rule of this stage, which it keeps; others get a new one",
        },
        "editable": {"type": "boolean", "description": "Ignored: only the server sets it"},
    },
}
"""The schema of a rule of a review stage."""

AUTO_ASSIGNMENT: dict[str, Any] = {
    "description": "Rules that assign documents to the folder; `true` and `false` turn the rules on "
    "and off, `null` removes them",
    "anyOf": [
        {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "match": {"type": "string", "enum": ["all", "any"], "default": "all"},
                "rules": {"type": "array", "maxItems": MOST_RULES, "items": CONDITION},
                "instructions": {"anyOf": [{"type": "string", "maxLength": LONGEST_INSTRUCTIONS}, _NOTHING]},
            },
        },
        {"type": "boolean"},
        _NOTHING,
    ],
}
"""The schema of ``autoAssignment``."""

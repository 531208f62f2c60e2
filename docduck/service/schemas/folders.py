"""The properties of a folder, each declared once: see ``docduck.service.core.schema``."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, Field, StringConstraints, WithJsonSchema

from docduck.service.conditions.json_schema import CONDITION, NOTHING
from docduck.service.core.property_types import Name, Uuid
from docduck.service.core.schema import UNSENT, Schema, partial

MOST_RULES = 20
LONGEST_INSTRUCTIONS = 4000

_AUTO_ASSIGNMENT: dict[str, Any] = {
    "description": "Rules that assign documents to the folder; `true` and `false` turn the rules on "
    "and off, `null` removes them",
    "anyOf": [
        {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "match": {
                    "type": "string",
                    "enum": ["all", "any"],
                    "description": "Whether all rules must hold, as they must unless it is set, or any",
                },
                "rules": {"type": "array", "maxItems": MOST_RULES, "items": CONDITION},
                "instructions": {"anyOf": [{"type": "string", "maxLength": LONGEST_INSTRUCTIONS}, NOTHING]},
            },
        },
        {"type": "boolean"},
        NOTHING,
    ],
}


class FolderProperties(Schema):
    """What people set of a folder. ``auto_assignment`` is an object, a boolean or None."""

    name: Name = Field(examples=["2026"])
    color: (
        Annotated[
            str,
            StringConstraints(min_length=1, max_length=64, pattern=r"\S"),
            AfterValidator(str.strip),
            Field(examples=["#1f77b4"]),
        ]
        | None
    ) = None
    parent_id: Uuid | None = None
    has_auto_assign: bool = UNSENT
    auto_assignment: Annotated[Any, WithJsonSchema(_AUTO_ASSIGNMENT)] = None


class NewFolder(FolderProperties):
    """A folder to create, at the root unless it has a parent."""


@partial
class FolderUpdate(FolderProperties):
    """The properties to change; a `parentId` of null makes it a root folder."""

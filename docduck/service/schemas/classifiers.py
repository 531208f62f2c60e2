"""The properties of a classifier, each declared once: see ``docduck.service.core.schema``."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field, WithJsonSchema, field_validator
from pydantic.config import JsonDict

from docduck.service.core.property_types import ONE_LINE, Name, Uuid, one_line
from docduck.service.core.schema import UNSENT, Schema, Shown, partial
from docduck.service.parsers.settings_schema import Instructions
from docduck.service.schemas.setting_schemas import (
    SETTINGS_SCHEMAS,
    MimeTypes,
    Text,
    schemas_of,
    setting_schema,
)

_EXAMPLE_ID = "0192f0c1-2b4e-7c3a-9d5e-6f7a8b9c0d1e"
_RULES = [{"label": "Invoice", "targetParserId": _EXAMPLE_ID}]
_NEW_EXAMPLE: JsonDict = {
    "name": "Incoming mail",
    "routing": {"rules": _RULES, "fallback": {"action": "skip"}},  # type: ignore[dict-item]
}
_LONGEST_LABEL = 255
_MOST_RULES = 100
_ROUTE = ("parser", "target_parser")
"""Synonyms of the action ``route``."""


LabelText = Annotated[
    str,
    Field(min_length=1, max_length=_LONGEST_LABEL),
    AfterValidator(one_line),
    WithJsonSchema(
        {
            "type": "string",
            "minLength": 1,
            "maxLength": _LONGEST_LABEL,
            "pattern": f"^{ONE_LINE}",
            "examples": ["Invoice"],
        }
    ),
]


class RuleSettings(Schema):
    """A label, and the parser of documents with that label; `id` is that of an existing rule."""

    id: Uuid | None = None
    label: LabelText
    target_parser_id: Uuid


class FallbackSettings(Schema):
    """What happens to documents that no rule fits: they are skipped, or routed to a parser."""

    action: Literal["skip", "route"] = "skip"
    target_parser_id: Uuid | None = None

    @field_validator("action", mode="before")
    @classmethod
    def _synonyms(cls, value: Any) -> Any:
        return "route" if value in _ROUTE else value


class RoutingSettings(Schema):
    """The rules of a classifier, in order, and its fallback; `instructions` are about all labels."""

    rules: Annotated[list[RuleSettings], Field(min_length=1, max_length=_MOST_RULES)]
    fallback: FallbackSettings = FallbackSettings()
    instructions: Instructions = ""

    @property
    def targets(self) -> dict[str, str]:
        """The ids of all target parsers, with the path of the first setting that names each."""
        named = {
            rule.target_parser_id: f"rules.{index}" for index, rule in reversed([*enumerate(self.rules)])
        }
        if self.fallback.target_parser_id is not None:
            named.setdefault(self.fallback.target_parser_id, "fallback")
        return named


class _Whole(Schema):
    routing: RoutingSettings


def _fallback_schema() -> dict[str, Any]:
    target = {"type": "string", "format": "uuid"}
    routed = {"action": {"enum": ["route", "parser", "target_parser"]}, "targetParserId": target}
    skipped = {"action": {"const": "skip"}, "targetParserId": {"type": "null"}}
    closed: dict[str, Any] = {"type": "object", "additionalProperties": False}
    return {
        "oneOf": [
            {**closed, "properties": routed, "required": ["action", "targetParserId"]},
            {**closed, "properties": skipped},
        ]
    }


def _routing_schema(*required: str) -> dict[str, Any]:
    routing: dict[str, Any] = schemas_of(_Whole)["routing"]
    properties = {**routing["properties"], "fallback": _fallback_schema()}
    return {**routing, "properties": properties, "required": list(required)}


def _split_schema() -> dict[str, Any]:
    """Return the schema of the parsers' setting without what needs fields."""
    split: dict[str, Any] = SETTINGS_SCHEMAS["splitDocuments"]
    by_key = {"properties": {"mode": {"const": "partitionKey"}}, "required": ["mode"]}
    custom = {"properties": {"partitionKeySource": {"const": "custom"}}, "required": ["partitionKeySource"]}
    return {**split, "anyOf": [{"not": by_key}, custom]}


class ClassifierProperties(Schema):
    """What people set of a classifier. ``classifiers`` merges and checks the routing and the settings.

    Without ``accepted_file_types``, all that can be read are accepted. Without ``model``, the default one is
    asked.
    """

    name: Name = Field(examples=["Incoming mail"])
    description: Annotated[
        Text, Shown("Description", "What it sorts, for the members of the team.", is_long=True)
    ] = Field(default_factory=str)
    is_active: Annotated[
        bool,
        Shown(
            "Active",
            "A classifier that is not active takes no new documents: uploads are refused, and sources wait.",
        ),
    ] = Field(default_factory=lambda: True)
    routing: Annotated[dict[str, Any], WithJsonSchema(_routing_schema("rules"))]
    accepted_file_types: MimeTypes = Field(default_factory=list)
    model: Annotated[Any, setting_schema("model")] = UNSENT
    split_documents: Annotated[Any, WithJsonSchema(_split_schema())] = Field(default_factory=dict)
    email_parsing: Annotated[Any, setting_schema("emailParsing")] = Field(default_factory=dict)


class NewClassifier(ClassifierProperties):
    """A classifier to create."""

    model_config = ConfigDict(json_schema_extra={"examples": [_NEW_EXAMPLE]})


@partial
class ClassifierUpdate(ClassifierProperties):
    """The properties and settings to change; objects are merged key by key, arrays are replaced.

    A rule keeps its id by `id` or by `label`.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [{"isActive": False}]})

    name: Name
    routing: Annotated[dict[str, Any], WithJsonSchema(_routing_schema())]

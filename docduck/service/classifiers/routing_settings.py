"""The settings of a classifier's routing: rules, fallback and instructions."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, WithJsonSchema, field_validator

from docduck.errors import InputError
from docduck.ids import is_uuid
from docduck.service.core.schema import Schema
from docduck.service.parsers.parser_settings import merged_objects, read_object
from docduck.service.parsers.settings_schema import Instructions

FALLBACK = "fallback"
"""The category of documents that no rule fits and that the fallback routes."""
_LONGEST_LABEL = 255
_MOST_RULES = 100
_ROUTE = ("parser", "target_parser")
"""Synonyms of the action ``route``."""


def _uuid(text: str) -> str:
    if not is_uuid(text):
        raise ValueError("must be a UUID")
    return text.lower()


def _label(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be blank")
    if any(unicodedata.category(character) == "Cc" for character in text):
        raise ValueError("must not hold control characters")
    return text.strip()


UuidText = Annotated[str, AfterValidator(_uuid), WithJsonSchema({"type": "string", "format": "uuid"})]
LabelText = Annotated[
    str,
    Field(min_length=1, max_length=_LONGEST_LABEL),
    AfterValidator(_label),
    WithJsonSchema(
        {
            "type": "string",
            "minLength": 1,
            "maxLength": _LONGEST_LABEL,
            "pattern": r"^[^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*$",
            "examples": ["Invoice"],
        }
    ),
]


class RuleSettings(Schema):
    """A label, and the parser of documents with that label; `id` is that of an existing rule."""

    id: UuidText | None = None
    label: LabelText
    target_parser_id: UuidText


class FallbackSettings(Schema):
    """What happens to documents that no rule fits: they are skipped, or routed to a parser."""

    action: Literal["skip", "route"] = "skip"
    target_parser_id: UuidText | None = None

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


def merge_routing(stored: Mapping[str, Any], changes: Any, place: str) -> RoutingSettings:
    """Return routing settings with ``changes`` merged by key; rules are replaced.

    A fallback that becomes ``skip`` loses its target. Raise InputError listing all errors below ``place``.
    """
    merged = merged_objects(stored, changes) if isinstance(changes, Mapping) else changes
    routing = read_object(RoutingSettings, merged, place)
    given = changes.get(FALLBACK) or {} if isinstance(changes, Mapping) else {}
    if routing.fallback.action == "skip" and "targetParserId" not in given:
        routing.fallback.target_parser_id = None
    _check_fallback(routing.fallback, f"{place}.fallback")
    _check_labels(routing.rules, f"{place}.rules")
    return routing


def _check_fallback(fallback: FallbackSettings, place: str) -> None:
    path = f"{place}.targetParserId"
    if fallback.action == "skip" and fallback.target_parser_id is not None:
        raise InputError(f"{path}: not allowed with the action 'skip'", path)
    if fallback.action == "route" and fallback.target_parser_id is None:
        raise InputError(f"{path}: the action 'route' needs it", path)


def _check_labels(rules: list[RuleSettings], place: str) -> None:
    for name in ("label", "id"):
        seen: dict[str, int] = {}
        for index, rule in enumerate(rules):
            value = getattr(rule, name)
            first = index if value is None else seen.setdefault(value.casefold(), index)
            if first != index:
                path = f"{place}.{index}.{name}"
                raise InputError(f"{path}: '{value}' is also that of {place}.{first}", path)

"""Merging and checking the routing settings of a classifier."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from docduck.errors import InputError
from docduck.service.parsers.parser_settings import merged_objects, read_object
from docduck.service.schemas.classifiers import FallbackSettings, RoutingSettings, RuleSettings

FALLBACK = "fallback"
"""The category of documents that no rule fits and that the fallback routes."""


def merge_routing(stored: Mapping[str, Any], changes: Any, place: str) -> RoutingSettings:
    """Return routing settings with ``changes`` merged by key; rules are replaced.

    A fallback that becomes ``skip`` loses its target. Raise InputError listing all errors below ``place``.
    """
    merged = merged_objects(stored, changes) if isinstance(changes, Mapping) else changes
    routing = read_object(RoutingSettings, merged, place)
    fallback = changes.get(FALLBACK) or {} if isinstance(changes, Mapping) else {}
    if routing.fallback.action == "skip" and "targetParserId" not in fallback:
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

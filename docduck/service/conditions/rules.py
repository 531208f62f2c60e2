"""Rules of review stages: conditions with ids."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from docduck.errors import InputError
from docduck.fields import Field
from docduck.ids import new_id
from docduck.service.conditions.condition import Condition
from docduck.service.conditions.parsing import (
    Scope,
    parse_condition,
    parse_each,
    refuse_code,
    restore_condition,
)

MOST_RULES = 20
_OWN_KEYS = frozenset({"id", "editable"})


@dataclass(frozen=True, slots=True)
class Rule:
    """A condition with an id that doesn't change with other rules."""

    id: str
    condition: Condition

    def stored(self) -> dict[str, Any]:
        """Return the rule as stored in the catalog."""
        return {"id": self.id, **self.condition.as_json(by_id=True)}

    def shown(self) -> dict[str, Any]:
        """Return the rule as shown by the API."""
        return {"id": self.id, **self.condition.as_json(by_id=False), "editable": True}


def refuse_code_rules(raw: Any, path: str = "rules") -> None:
    """Raise InputError for rules of a request of which one has another type than ``simple``."""
    for index, item in enumerate(raw if isinstance(raw, Sequence) else ()):
        refuse_code(item, f"{path}.{index}")


def parse_rules(
    raw: Any, fields: Sequence[Field], known_ids: Collection[str] = (), path: str = "rules"
) -> tuple[Rule, ...]:
    """Parse the rules of a request; ids in ``known_ids`` are kept.

    Raise InputError listing all errors by path (``rules.0.operator``).
    """
    refuse_code_rules(raw, path)
    scope = Scope(fields)
    left = set(known_ids)

    def parse(item: Any, at: str) -> Rule:
        condition = parse_condition(item, scope, at, _OWN_KEYS)
        rule_id = item.get("id")
        if rule_id is not None and not isinstance(rule_id, str):
            raise InputError("id must be text", f"{at}.id")
        if rule_id in left:
            left.discard(rule_id)
            return Rule(rule_id, condition)
        return Rule(new_id(), condition)

    return parse_each(raw, parse, path, MOST_RULES, "rules")


def restore_rules(stored: Sequence[Mapping[str, Any]], fields: Sequence[Field]) -> tuple[Rule, ...]:
    """Restore rules from ``Rule.stored``; types other than ``simple`` are ignored."""
    return tuple(
        Rule(rule["id"], restore_condition(rule, fields)) for rule in stored if rule.get("type") == "simple"
    )

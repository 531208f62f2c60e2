"""The form of a classifier's routing: its rules, what happens to all other documents, and instructions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from docduck.errors import InputError
from docduck.web.visit import Form, form_value

EMPTY_ROUTING: Mapping[str, Any] = {"rules": [], "fallback": {}, "instructions": ""}
_EMPTY_ROWS = 3


def routing_of(form: Form) -> dict[str, Any]:
    """Return the routing in a form, as in JSON; rules without a label are left out.

    Raise InputError for a rule without a parser.
    """
    rules = _rules(form)
    for index, rule in enumerate(rules):
        if not rule["targetParserId"]:
            raise InputError(f"Choose the parser of the rule '{rule['label']}'", f"routing.rules.{index}")
    fallback = form_value(form, "fallback")
    return {
        "rules": [{key: value for key, value in rule.items() if value} for rule in rules],
        "fallback": {"action": "route", "targetParserId": fallback} if fallback else {"action": "skip"},
        "instructions": form_value(form, "instructions"),
    }


def shown_rules(form: Form | None, routing: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the form shows: what was typed, otherwise the routing; with rows for further rules."""
    rules = list(routing["rules"]) if form is None else _rules(form)
    fallback = routing["fallback"].get("targetParserId") if form is None else form_value(form, "fallback")
    instructions = routing["instructions"] if form is None else form_value(form, "instructions")
    empty = [{"id": "", "label": "", "targetParserId": ""}] * _EMPTY_ROWS
    return {"rules": rules + empty, "fallback": fallback or "", "instructions": instructions}


def place_of(path: str | None) -> str | None:
    """Return the place in the form of an error in routing, such as ``rules.2``."""
    parts = (path or "").split(".")
    if parts[0] != "routing":
        return path
    return ".".join(parts[1:3]) if parts[1:2] == ["rules"] else ".".join(parts[1:2])


def _rules(form: Form) -> list[dict[str, str]]:
    rows = zip(form.get("rule_id", []), form.get("rule_label", []), form.get("rule_parser", []), strict=False)
    return [
        {"id": rule_id, "label": label, "targetParserId": parser}
        for rule_id, label, parser in rows
        if label.strip()
    ]

"""Replacement of a classifier's rules, which keep their ids."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy.orm import Session

from docduck.catalog.models import Classifier, ClassifierRule
from docduck.errors import InputError
from docduck.ids import new_id
from docduck.service.schemas.classifiers import RuleSettings


def replace_rules(session: Session, row: Classifier, wanted: Sequence[RuleSettings]) -> None:
    """Replace the rules of a classifier; a rule keeps its id if ``wanted`` has its id or its label.

    Rules that are left out are deleted with their examples. Raise InputError for an unknown id.
    """
    chosen = _matched(row.rules, wanted)
    kept = [rule for rule in chosen if rule is not None]
    for rule in [rule for rule in row.rules if rule not in kept]:
        row.rules.remove(rule)
    renamed = [
        rule for rule, new in zip(chosen, wanted, strict=True) if rule is not None and rule.label != new.label
    ]
    if row in session:
        session.flush()
        for rule in renamed:
            # Labels may be exchanged, and are unique at any time.
            rule.label = rule.id
        session.flush()
    for position, (known, new) in enumerate(zip(chosen, wanted, strict=True)):
        rule = known or ClassifierRule(id=new_id(), team_id=row.team_id)
        rule.label, rule.target_parser_id, rule.position = new.label, new.target_parser_id, position
        if known is None:
            row.rules.append(rule)


def _matched(rules: Sequence[ClassifierRule], wanted: Sequence[RuleSettings]) -> list[ClassifierRule | None]:
    """Return the existing rule for each of ``wanted``: by id, else by label."""
    by_id = {rule.id: rule for rule in rules}
    named = {new.id for new in wanted if new.id is not None}
    by_label = {rule.label.casefold(): rule for rule in rules if rule.id not in named}
    for index, new in enumerate(wanted):
        if new.id is not None and new.id not in by_id:
            path = f"routing.rules.{index}.id"
            raise InputError(f"{path}: the classifier has no rule '{new.id}'", path)
    return [by_id[new.id] if new.id is not None else by_label.get(new.label.casefold()) for new in wanted]

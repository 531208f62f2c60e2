"""Classifiers: creating, finding, changing and deleting them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import Field
from pydantic.alias_generators import to_camel
from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Classifier, ClassifierRule, Document, Parser
from docduck.errors import InputError, NotFound
from docduck.ids import new_id
from docduck.service.classifiers.routing_settings import merge_routing
from docduck.service.core import audit
from docduck.service.core.installation import Installation
from docduck.service.core.mail_addresses import new_address
from docduck.service.core.named_rows import find_named, live
from docduck.service.core.schema import Values, View, ViewPart
from docduck.service.core.started_request import earlier_effect, record_effect
from docduck.service.documents.deletion import delete_selected
from docduck.service.documents.new_documents import unrouted_by
from docduck.service.parsers.parser_settings import check_model, merge_settings, read_settings
from docduck.service.parsers.slugs import lock_slugs, slug_of
from docduck.service.schemas.classifiers import (
    ClassifierProperties,
    ClassifierUpdate,
    NewClassifier,
    RoutingSettings,
    RuleSettings,
)

_BATCH = 500
"""Unrouted documents deleted per transaction, so that others can write in between."""
_INTAKE = ("accepted_file_types", "model", "split_documents", "email_parsing")
"""The settings that parsers have, too."""


class RuleView(ViewPart):
    """A label, and the parser of documents with that label."""

    id: str
    label: str = Field(examples=["Invoice"])
    target_parser_id: str


class ClassifierView(ClassifierProperties, View):
    """A classifier.

    Its settings are as stored, without defaults. Without ``fallback_parser_id``, documents that no rule fits
    are skipped.
    """

    team_id: str
    slug: str
    rules: Sequence[RuleView]
    fallback_action: str
    fallback_parser_id: str | None
    instructions: str
    created_at: dt.datetime
    updated_at: dt.datetime
    email_address: str | None

    @property
    def target_ids(self) -> frozenset[str]:
        """The ids of all target parsers."""
        ids = {rule.target_parser_id for rule in self.rules}
        return frozenset(ids | {self.fallback_parser_id} if self.fallback_parser_id else ids)

    @property
    def settings(self) -> dict[str, Any]:
        """The settings that parsers have, too, as in JSON."""
        stored = {to_camel(name): getattr(self, name) for name in _INTAKE}
        return {key: value for key, value in stored.items() if value is not None}


def create_classifier(inst: Installation, team_id: str, new: Values, actor: str = "user") -> ClassifierView:
    """Create a classifier. Raise InputError for wrong settings, NotFound for a target parser."""
    if (earlier := earlier_effect()) is not None:
        return get_classifier(inst, team_id, earlier["classifier"])
    properties = NewClassifier.of_values(new)
    routing = merge_routing({}, properties.routing, "routing")
    settings = merge_intake_settings({}, properties.sent_values())
    if settings.get("model"):
        check_model(settings["model"], inst.settings)
    with inst.catalog.transaction() as session:
        _lock_targets(session, team_id, routing)
        row = Classifier(id=new_id(), team_id=team_id, rules=[])
        _write_own(row, dict(properties))
        row.slug = _free_slug(session, team_id, row.name)
        row.email_address = new_address(inst.settings, row.name)
        _write_routing(session, row, routing)
        _write_intake(row, settings)
        session.add(row)
        session.flush()
        made = view(row)
        details = {"name": made.name, "after": ClassifierProperties.facts(made)}
        audit.record(session, team_id, actor, "classifier.created", "classifier", [(row.id, details)])
        record_effect(session, classifier=row.id)
        return made


def get_classifier(inst: Installation, team_id: str, ref: str) -> ClassifierView:
    """Return the team's classifier with this id, slug or name; raise NotFound."""
    with inst.catalog.read_session() as session:
        return view(find(session, team_id, ref))


def update_classifier(
    inst: Installation, team_id: str, ref: str, changes: Values, actor: str = "user"
) -> ClassifierView:
    """Change a classifier; objects are merged by key, and rules keep their id by id or label.

    Raise InputError for wrong settings, NotFound for it or a target parser.
    """
    properties = ClassifierUpdate.of_values(changes).sent_values()
    with inst.catalog.transaction() as session:
        row = find(session, team_id, ref, lock=True)
        before = view(row)
        _write_own(row, properties)
        if properties.keys() & {*_INTAKE}:
            settings = merge_intake_settings(before.settings, properties)
            if properties.get("model"):
                check_model(settings["model"], inst.settings)
            _write_intake(row, settings)
        if "routing" in properties:
            routing = merge_routing(before.routing, properties["routing"], "routing")
            _lock_targets(session, team_id, routing, known=before.target_ids)
            _write_routing(session, row, routing)
        session.flush()
        details = audit.changes(ClassifierProperties.facts(before), ClassifierProperties.facts(view(row)))
        if details["changed"]:
            row.updated_at = clock.now()
            audit.record(session, team_id, actor, "classifier.updated", "classifier", [(row.id, details)])
        session.flush()
        return view(row)


def delete_classifier(inst: Installation, team_id: str, ref: str, actor: str = "user") -> str:
    """Delete a classifier and its unrouted documents; return its id.

    Routed documents stay in their parsers. Many unrouted documents take several transactions: meanwhile the
    classifier is inactive, and the last one deletes it. Raise NotFound.
    """
    with inst.catalog.transaction() as session:
        row = find(session, team_id, ref, lock=True)
        before, row.is_active = view(row), False
        classifier_id = row.id

    def unrouted(session: Session, *, lock: bool) -> Sequence[Document]:
        mine = unrouted_by(classifier_id)
        statement = select(Document).where(mine).order_by(Document.id).limit(_BATCH)
        return session.scalars(statement.with_for_update() if lock else statement).all()

    while True:
        delete_selected(inst, unrouted, actor)
        with inst.catalog.transaction() as session:
            row = find(session, team_id, classifier_id, lock=True)
            if unrouted(session, lock=False):
                continue
            row.deleted_at = clock.now()
            details = {"name": row.name, "before": ClassifierProperties.facts(before)}
            audit.record(session, team_id, actor, "classifier.deleted", "classifier", [(row.id, details)])
            return classifier_id


def find(session: Session, team_id: str, ref: str, *, lock: bool = False) -> Classifier:
    """Return the team's classifier row by id, slug or name (in that order), locked if ``lock``.

    Raise NotFound.
    """
    return find_named(session, Classifier, team_id, ref, lock=lock)


def _free_slug(session: Session, team_id: str, name: str) -> str:
    """Return a slug made from ``name`` that is free in the team until the transaction ends."""
    lock_slugs(session)
    taken = select(Classifier.slug).where(*live(Classifier, team_id))
    return slug_of(name, "classifier", set(session.scalars(taken)))


def view(row: Classifier) -> ClassifierView:
    """Return a classifier row as a view."""
    rules = [RuleView.of(rule) for rule in sorted(row.rules, key=lambda rule: rule.position)]
    routing = {
        "rules": [rule.as_json() for rule in rules],
        "fallback": {"action": row.fallback_action, "targetParserId": row.fallback_parser_id},
        "instructions": row.instructions,
    }
    return ClassifierView.of(row, rules=rules, routing=routing)


def merge_intake_settings(stored: Mapping[str, Any], changes: Values) -> dict[str, Any]:
    """Return the settings ``stored`` with those in ``changes`` merged by key; raise InputError."""
    settings = {to_camel(name): changes[name] for name in _INTAKE if name in changes}
    merged = merge_settings(stored, settings, "")
    split = read_settings(merged).split_documents
    if split.mode == "partitionKey" and split.partition_key_source == "parserField":
        path = "splitDocuments.partitionKeySource"
        raise InputError(f"{path}: a classifier has no fields; use 'custom', with a description", path)
    return merged


def _write_own(row: Classifier, properties: Values) -> None:
    """Store the properties that are stored as they are sent."""
    for name in properties.keys() - {*_INTAKE, "routing"}:
        setattr(row, name, properties[name])


def _write_intake(row: Classifier, settings: Mapping[str, Any]) -> None:
    for name in _INTAKE:
        setattr(row, name, settings.get(to_camel(name)))
    row.accepted_file_types = row.accepted_file_types or []


def _lock_targets(
    session: Session, team_id: str, routing: RoutingSettings, known: frozenset[str] = frozenset()
) -> None:
    """Lock the target parsers, so that none is deleted meanwhile; raise NotFound listing the missing ones.

    ``known`` are targets that the classifier has already: they may have been deleted since.
    """
    targets = routing.targets
    statement = (
        select(Parser.id)
        .where(Parser.team_id == team_id, Parser.id.in_(targets), Parser.deleted_at.is_(None))
        .order_by(Parser.id)
    )
    present = set(session.scalars(statement.with_for_update(read=True)))
    if missing := [("parserId", target) for target in targets if target not in present | known]:
        raise NotFound("Parser not found", *missing[0], more=missing[1:])


def _write_routing(session: Session, row: Classifier, routing: RoutingSettings) -> None:
    _replace_rules(session, row, routing.rules)
    row.fallback_action = routing.fallback.action
    row.fallback_parser_id = routing.fallback.target_parser_id
    row.instructions = routing.instructions


def _replace_rules(session: Session, row: Classifier, specs: Sequence[RuleSettings]) -> None:
    """Replace the rules of a classifier; a rule keeps its id if ``specs`` has its id or its label.

    Rules that are left out are deleted with their examples. Raise InputError for an unknown id.
    """
    chosen = _matched(row.rules, specs)
    unchanged = [rule for rule in chosen if rule is not None]
    for rule in [rule for rule in row.rules if rule not in unchanged]:
        row.rules.remove(rule)
    renamed = [
        rule for rule, new in zip(chosen, specs, strict=True) if rule is not None and rule.label != new.label
    ]
    if row in session:
        session.flush()
        for rule in renamed:
            # Labels may be exchanged, and are unique at any time.
            rule.label = rule.id
        session.flush()
    for position, (known, new) in enumerate(zip(chosen, specs, strict=True)):
        rule = known or ClassifierRule(id=new_id(), team_id=row.team_id)
        rule.label, rule.target_parser_id, rule.position = new.label, new.target_parser_id, position
        if known is None:
            row.rules.append(rule)


def _matched(rules: Sequence[ClassifierRule], specs: Sequence[RuleSettings]) -> list[ClassifierRule | None]:
    """Return the existing rule for each of ``specs``: by id, else by label."""
    by_id = {rule.id: rule for rule in rules}
    named = {new.id for new in specs if new.id is not None}
    by_label = {rule.label.casefold(): rule for rule in rules if rule.id not in named}
    for index, new in enumerate(specs):
        if new.id is not None and new.id not in by_id:
            path = f"routing.rules.{index}.id"
            raise InputError(f"{path}: the classifier has no rule '{new.id}'", path)
    return [by_id[new.id] if new.id is not None else by_label.get(new.label.casefold()) for new in specs]

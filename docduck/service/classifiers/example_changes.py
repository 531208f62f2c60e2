"""The examples of a classifier: listing them, adding documents that its parsers have, and removing them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from docduck.catalog.models import Classifier, ClassifierExample, ClassifierRule, Document
from docduck.errors import InputError, NotFound
from docduck.ids import is_uuid
from docduck.service.classifiers.classifiers import find
from docduck.service.classifiers.examples import EXAMPLES_PER_LABEL, NewExample, add_example, kept_text
from docduck.service.core import audit
from docduck.service.core.installation import Installation


@dataclass(frozen=True, slots=True)
class ExampleView:
    """A document that is an example of a rule's label.

    It is used once its text is known (``is_read``): a document whose text was not kept has to be read again.
    """

    document_id: str
    name: str
    rule_id: str
    is_read: bool
    created_at: dt.datetime


def list_examples(inst: Installation, team_id: str, classifier_ref: str) -> list[ExampleView]:
    """Return the examples of a classifier, the newest first; raise NotFound."""
    with inst.catalog.read_session() as session:
        classifier = find(session, team_id, classifier_ref)
        rows = session.execute(
            select(
                ClassifierExample.document_id,
                Document.name,
                ClassifierExample.rule_id,
                ClassifierExample.text.is_not(None),
                ClassifierExample.created_at,
            )
            .join(Document, Document.id == ClassifierExample.document_id)
            .where(ClassifierExample.classifier_id == classifier.id)
            .order_by(ClassifierExample.created_at.desc(), ClassifierExample.id.desc())
        )
        return [ExampleView(*row) for row in rows]


def add_examples(
    inst: Installation,
    team_id: str,
    classifier_ref: str,
    rule_id: str,
    document_ids: Sequence[str],
    actor: str = "user",
) -> None:
    """Remember documents of a rule's parser as examples of its label.

    Of all, the newest ``EXAMPLES_PER_LABEL`` are kept. Raise NotFound for the classifier,
    its rule or a document, and InputError if there are more documents than are kept.
    """
    ids = sorted({document_id.lower() for document_id in document_ids})
    if not 1 <= len(ids) <= EXAMPLES_PER_LABEL:
        raise InputError(f"Choose 1 to {EXAMPLES_PER_LABEL} documents", "documentIds")
    with inst.catalog.read_session() as session:
        rule = _rule(find(session, team_id, classifier_ref), rule_id)
        texts = {
            document_id: kept_text(inst, session, document_id) for document_id in _checked(session, rule, ids)
        }
    with inst.catalog.transaction() as session:
        classifier = find(session, team_id, classifier_ref, lock=True)
        rule = _rule(classifier, rule_id)
        for document_id in _checked(session, rule, ids):
            add_example(session, NewExample(rule, document_id, texts[document_id]))
        details = {"name": classifier.name, "label": rule.label, "documentIds": ids}
        audit.record(
            session, team_id, actor, "classifier.examples_added", "classifier", [(classifier.id, details)]
        )


def remove_example(
    inst: Installation, team_id: str, classifier_ref: str, document_id: str, actor: str = "user"
) -> None:
    """Forget that a document is an example; raise NotFound for the classifier or the example."""
    with inst.catalog.transaction() as session:
        classifier = find(session, team_id, classifier_ref, lock=True)
        mine = (
            ClassifierExample.classifier_id == classifier.id,
            ClassifierExample.document_id == document_id.lower(),
        )
        if not is_uuid(document_id) or session.scalar(select(ClassifierExample.id).where(*mine)) is None:
            raise NotFound("Example not found", "documentId", document_id)
        session.execute(delete(ClassifierExample).where(*mine))
        details = {"name": classifier.name, "documentId": document_id.lower()}
        audit.record(
            session, team_id, actor, "classifier.example_removed", "classifier", [(classifier.id, details)]
        )


def _rule(classifier: Classifier, rule_id: str) -> ClassifierRule:
    for rule in classifier.rules:
        if rule.id == rule_id.lower():
            return rule
    raise NotFound("Rule not found", "ruleId", rule_id)


def _checked(session: Session, rule: ClassifierRule, ids: Sequence[str]) -> Sequence[str]:
    """Return the ids, all of which are of documents of the rule's parser; raise NotFound."""
    if wrong := [document_id for document_id in ids if not is_uuid(document_id)]:
        raise NotFound("Document not found", "documentId", wrong[0])
    mine = (
        Document.id.in_(ids),
        Document.team_id == rule.team_id,
        Document.parser_id == rule.target_parser_id,
    )
    present = set(session.scalars(select(Document.id).where(*mine)))
    if missing := [document_id for document_id in ids if document_id not in present]:
        raise NotFound("Document not found", "documentId", missing[0])
    return ids

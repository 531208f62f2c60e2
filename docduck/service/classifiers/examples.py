"""Examples that people gave a classifier by routing documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from docduck.catalog.models import ClassifierExample, ClassifierRule, DocumentResult
from docduck.service.core.installation import Installation

EXAMPLES_PER_LABEL = 20

MOST_CHARACTERS = 20_000
"""Of an example's text; the rest of a document doesn't tell more."""

_BYTES_PER_CHARACTER = 4


@dataclass(frozen=True, slots=True)
class NewExample:
    """A document that a person routed by a rule; without ``text`` until it has been read."""

    rule: ClassifierRule
    document_id: str
    text: str | None


def add_example(session: Session, new: NewExample) -> None:
    """Keep an example; of its rule's examples, only the newest ``EXAMPLES_PER_LABEL`` are kept.

    It replaces the classifier's former example of the same document.
    """
    rule = new.rule
    former = (
        ClassifierExample.classifier_id == rule.classifier_id,
        ClassifierExample.document_id == new.document_id,
    )
    known = session.scalar(select(ClassifierExample.text).where(*former))
    session.execute(delete(ClassifierExample).where(*former))
    text = new.text or known
    session.add(
        ClassifierExample(
            team_id=rule.team_id,
            classifier_id=rule.classifier_id,
            rule_id=rule.id,
            document_id=new.document_id,
            text=_bounded(text) if text else None,
        )
    )
    session.flush()
    newest = (
        select(ClassifierExample.id)
        .where(ClassifierExample.rule_id == rule.id)
        .order_by(ClassifierExample.created_at.desc(), ClassifierExample.id.desc())
        .limit(EXAMPLES_PER_LABEL)
    )
    stored = session.scalars(newest).all()
    session.execute(
        delete(ClassifierExample).where(
            ClassifierExample.rule_id == rule.id, ClassifierExample.id.not_in(stored)
        )
    )


def add_texts(session: Session, texts: Sequence[tuple[str, str]]) -> None:
    """Store the texts of documents, as (document id, text), in the examples that have none yet."""
    for document_id, text in texts:
        session.execute(
            update(ClassifierExample)
            .where(ClassifierExample.document_id == document_id, ClassifierExample.text.is_(None))
            .values(text=_bounded(text))
        )


def examples_of(session: Session, classifier_id: str) -> dict[str, list[str]]:
    """Return the texts of a classifier's examples by rule id, the newest first."""
    rows = session.execute(
        select(ClassifierExample.rule_id, ClassifierExample.text)
        .where(ClassifierExample.classifier_id == classifier_id, ClassifierExample.text.is_not(None))
        .order_by(ClassifierExample.created_at.desc(), ClassifierExample.id.desc())
    )
    examples: dict[str, list[str]] = {}
    for rule_id, text in rows:
        examples.setdefault(rule_id, []).append(str(text))
    return examples


def kept_text(inst: Installation, session: Session, document_id: str) -> str | None:
    """Return the beginning of a document's text as far as it is stored, as Markdown."""
    sha256 = session.scalar(
        select(DocumentResult.markdown_sha256).where(DocumentResult.document_id == document_id)
    )
    if sha256 is None:
        return None
    try:
        with inst.files.open(sha256) as stream:
            return stream.read(_BYTES_PER_CHARACTER * MOST_CHARACTERS).decode("utf-8", "ignore")
    except FileNotFoundError:
        return None


def _bounded(text: str) -> str:
    # PostgreSQL doesn't store NUL characters.
    return text[:MOST_CHARACTERS].replace("\0", " ")

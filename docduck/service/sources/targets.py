"""The parsers and classifiers that sources feed, and the senders whose mails they accept."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck.catalog.models import Classifier, Document, Parser
from docduck.service.core.installation import Installation
from docduck.service.parsers.settings_schema import EmailParsing, SenderFilter

SENDER_FILTERED = "sender_filtered"
_PARSER = (Parser.id, Parser.team_id, Parser.slug, Parser.name, Parser.is_active)
_CLASSIFIER = (Classifier.id, Classifier.team_id, Classifier.name, Classifier.name, Classifier.is_active)


@dataclass(frozen=True, slots=True)
class Target:
    """A parser or classifier; ``label`` is the parser's slug or the classifier's name."""

    id: str
    team_id: str
    label: str
    name: str
    is_active: bool
    is_classifier: bool = False

    @property
    def parser_id(self) -> str | None:
        return None if self.is_classifier else self.id

    @property
    def classifier_id(self) -> str | None:
        return self.id if self.is_classifier else None


def parsers_by_slug(inst: Installation) -> dict[str, Target]:
    """Return all parsers of all teams, by slug."""
    with inst.catalog.read_session() as session:
        rows = session.execute(select(*_PARSER).where(Parser.deleted_at.is_(None)).order_by(Parser.slug))
        return {row.slug: Target(*row) for row in rows}


def find_target(inst: Installation, parser: str | None, classifier: str | None) -> tuple[Target | None, str]:
    """Return the target that a source of the own team names, and a message if it can't be fed.

    A parser is named by slug, id or name, a classifier by name or id.
    """
    if parser is not None:
        mine = [target for target in parsers_by_slug(inst).values() if target.team_id == inst.team_id]
        target = next((target for target in mine if parser in (target.label, target.id)), None)
        target = target or next((target for target in mine if target.name == parser), None)
        what, wanted = "parser", parser
    else:
        target, what, wanted = _classifier(inst, classifier or ""), "classifier", classifier or ""
    if target is None:
        return None, f"no {what} is called {wanted}; create it or name another"
    if not target.is_active:
        return None, f"{what} {target.label} is not active; its documents wait"
    return target, ""


def find_recipient(inst: Installation, address: str) -> Target | None:
    """Return the parser or classifier with this address; case is ignored, and so is what follows a ``+``."""
    name, _, domain = address.strip().lower().rpartition("@")
    mailbox = f"{name.partition('+')[0]}@{domain}"
    with inst.catalog.read_session() as session:
        mine = (Parser.email_address == mailbox, Parser.deleted_at.is_(None))
        if parser := session.execute(select(*_PARSER).where(*mine)).first():
            return Target(*parser)
        its = (Classifier.email_address == mailbox, Classifier.deleted_at.is_(None))
        classifier = session.execute(select(*_CLASSIFIER).where(*its)).first()
        return None if classifier is None else Target(*classifier, is_classifier=True)


def lock_targets(session: Session, target_ids: Iterable[str]) -> set[str]:
    """Return the active ones of these parsers and classifiers, locked until the transaction ends."""
    ids = list(target_ids)
    texts: set[str] = set()
    tables: tuple[type[Parser] | type[Classifier], ...] = (Parser, Classifier)
    for table in tables:
        rows = session.scalars(
            select(table.id)
            .where(table.id.in_(ids), table.deleted_at.is_(None), table.is_active)
            .order_by(table.id)
            .with_for_update(key_share=True)
        )
        texts.update(rows)
    return texts


def documents_by_content(
    session: Session, target: Target, hashes: Iterable[str]
) -> dict[str, tuple[str, str]]:
    """Return the target's oldest document of each content: (id, name) by SHA-256."""
    column = Document.classifier_id if target.is_classifier else Document.parser_id
    rows = session.execute(
        select(Document.sha256, Document.id, Document.name)
        .where(column == target.id, Document.sha256.in_(sorted(set(hashes))))
        .order_by(Document.created_at.desc(), Document.id.desc())
    )
    return {sha256: (document_id, name) for sha256, document_id, name in rows}


def sender_filter(inst: Installation, target: Target) -> SenderFilter:
    """Return the filter in the e-mail settings of a parser or classifier."""
    with inst.catalog.read_session() as session:
        if target.is_classifier:
            stored = session.get_one(Classifier, target.id).email_parsing
        else:
            settings = session.get_one(Parser, target.id).settings
            stored = settings.get("emailParsing") if isinstance(settings, dict) else None
    return EmailParsing.model_validate(stored or {}).sender_filter


def accepts(chosen: SenderFilter, address: str | None) -> bool:
    """Return whether a mail of this sender is accepted; one without a sender matches no rule.

    A rule is a whole address, or a domain with its sub-domains; case is ignored.
    """
    if chosen.mode == "disabled":
        return True
    sender = (address or "").lower()
    domain = sender.rpartition("@")[2]
    matches = any(
        sender == rule.value.lower() if rule.type == "email" else _is_of(domain, rule.value)
        for rule in chosen.rules
    )
    return matches == (chosen.mode == "allow")


def _classifier(inst: Installation, name: str) -> Target | None:
    mine = (Classifier.team_id == inst.team_id, Classifier.deleted_at.is_(None))
    with inst.catalog.read_session() as session:
        rows = session.execute(select(*_CLASSIFIER).where(*mine).order_by(Classifier.created_at)).all()
    targets = [Target(*row, is_classifier=True) for row in rows]
    by_name = (target for target in targets if target.label == name)
    return next(by_name, next((target for target in targets if target.id == name), None))


def _is_of(domain: str, expected: str) -> bool:
    name = expected.lower().lstrip("@").strip(".")
    return domain == name or domain.endswith(f".{name}")

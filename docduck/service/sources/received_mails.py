"""Mails that arrive at the addresses of parsers and classifiers."""

from __future__ import annotations

import datetime as dt
import hashlib
from typing import NoReturn

from sqlalchemy import func, select

from docduck.catalog.models import Classifier, Parser
from docduck.service.core.installation import Installation
from docduck.service.sources.item_registration import (
    ADDRESSES_NAME,
    StoredItem,
    line_of,
    record_items,
    register_items,
)
from docduck.service.sources.ledger import ItemOutcome
from docduck.service.sources.remote_source import RemoteSource
from docduck.service.sources.sender_filter import SENDER_FILTERED, accepts, sender_filter
from docduck.service.sources.targets import Target
from docduck.sources.mailbox.mails import described
from docduck.sources.remote import RemoteItem


def _not_looked_at(_inst: Installation) -> NoReturn:
    raise NotImplementedError("mails arrive by themselves")


ADDRESSES = RemoteSource(
    name=ADDRESSES_NAME,
    kind="address",
    place="the mail receiver",
    every=dt.timedelta(),
    open=_not_looked_at,
    document_source="email",
)
"""The source of mails that were sent to an address."""


def find_recipient(inst: Installation, address: str) -> Target | None:
    """Return the parser or classifier with this address; case is ignored, and so is what follows a ``+``."""
    name, _, domain = address.strip().lower().rpartition("@")
    wanted = f"{name.partition('+')[0]}@{domain}"
    with inst.catalog.read_session() as session:
        parser = session.execute(
            select(Parser.id, Parser.team_id, Parser.slug, Parser.name, Parser.is_active).where(
                func.lower(Parser.email_address) == wanted, Parser.deleted_at.is_(None)
            )
        ).first()
        if parser is not None:
            return Target(*parser)
        classifier = session.execute(
            select(
                Classifier.id, Classifier.team_id, Classifier.name, Classifier.name, Classifier.is_active
            ).where(func.lower(Classifier.email_address) == wanted, Classifier.deleted_at.is_(None))
        ).first()
        return None if classifier is None else Target(*classifier, is_classifier=True)


def receive_mail(inst: Installation, target: Target, mail: bytes, address: str) -> str | None:
    """Store and register a mail that was sent to ``address``, of ``target``.

    It is on disk and in the catalog on return. Return why it is refused, or None.
    """
    got = described(mail, address=address)
    item = RemoteItem(f"mails/{hashlib.sha256(mail).hexdigest()}", "", len(mail))
    if not accepts(sender_filter(inst, target), got.detail["senderEmail"]):
        record_items(inst, ADDRESSES, [line_of(target, item, ItemOutcome.REFUSED, SENDER_FILTERED)])
        return SENDER_FILTERED
    with inst.files.batch() as batch:
        incoming = batch.begin(inst.settings.max_mail_bytes)
        incoming.write(mail)
        stored = incoming.finish()
    one = StoredItem(item, stored, got.name, "message/rfc822", got.detail, got.identity)
    (line,) = register_items(inst, ADDRESSES, target, [one])
    return line.message if line.outcome is ItemOutcome.WAITING else None

"""Mails that arrive at the addresses of parsers and classifiers."""

from __future__ import annotations

import hashlib

from docduck.files.names import file_name
from docduck.service.core.installation import Installation
from docduck.service.sources.ledger import ItemOutcome
from docduck.service.sources.registration import StoredItem, line_of, record_items, register_items
from docduck.service.sources.remote_sources import ADDRESSES
from docduck.service.sources.targets import SENDER_FILTERED, Target, accepts, sender_filter
from docduck.sources.mailbox.mails import described
from docduck.sources.remote import RemoteItem

DROPPED = frozenset({"parser is not active", "classifier is not active"})
"""Reasons for which a mail is confirmed and not kept."""


def receive_mail(inst: Installation, target: Target, mail: bytes, address: str) -> str | None:
    """Store and register a mail that was sent to ``address``, of ``target``.

    It is on disk and in the catalog on return. Return why it is refused, or None.
    """
    item = RemoteItem(f"mails/{hashlib.sha256(mail).hexdigest()}", "", len(mail))
    if not target.is_active:
        reason = f"{'classifier' if target.is_classifier else 'parser'} is not active"
        record_items(inst, ADDRESSES, [line_of(target, item, ItemOutcome.REFUSED, reason)])
        return reason
    got = described(mail, address=address)
    if not accepts(sender_filter(inst, target), got.detail["senderEmail"]):
        record_items(inst, ADDRESSES, [line_of(target, item, ItemOutcome.REFUSED, SENDER_FILTERED)])
        return SENDER_FILTERED
    with inst.files.batch() as batch:
        incoming = batch.begin(inst.settings.max_mail_bytes)
        incoming.write(mail)
        stored = incoming.finish()
    line = line_of(target, item, ItemOutcome.REGISTERED)
    name = file_name(got.name)
    stored_item = StoredItem(
        target, line, item.name, stored, name, "message/rfc822", got.detail, got.identity
    )
    registered = register_items(inst, ADDRESSES, [stored_item])
    (line,) = [*registered.lines, *registered.known]
    return line.message if line.outcome is ItemOutcome.WAITING else None

"""Sending a document's last export to the webhooks once more."""

from __future__ import annotations

from docduck.catalog.models.webhooks import ANY_EVENT, EXPORTED
from docduck.errors import Conflict
from docduck.service.core import audit
from docduck.service.core.installation import Installation
from docduck.service.documents.queries.document_lookup import get_parser_document
from docduck.service.documents.webhook_outbox import fire, subscribers
from docduck.statuses import Status

_EXPORTED_STATUSES = (Status.PROCESSED, Status.APPROVED)


def resend_export(
    inst: Installation, team_id: str, parser_id: str, document_id: str, actor: str = "user"
) -> None:
    """Fire ``document.exported`` for a document as it is now.

    Raise NotFound, InputError for a document of another parser, and Conflict unless the document was exported
    and an active webhook subscribes to the event.
    """
    with inst.catalog.transaction() as session:
        document = get_parser_document(session, team_id, parser_id, document_id, lock=True)
        if document.status not in _EXPORTED_STATUSES:
            raise Conflict(f"Document is {document.status}; only processed and approved ones are exported")
        webhooks = subscribers(session, [parser_id]).get(parser_id, ())
        if not any(events & {EXPORTED, ANY_EVENT} for _, events in webhooks):
            raise Conflict(f"No active webhook of the parser subscribes to {EXPORTED}")
        fire(session, EXPORTED, [(parser_id, document.id)])
        audit.record(session, team_id, actor, "document.export_resent", "document", [(document.id, None)])

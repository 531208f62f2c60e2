"""Signed links that take one file for a parser: they expire, and need no API key.

    /uploads/<base64url of the terms in JSON>.<base64url of their HMAC-SHA256>

The document gets the id that the link names. So a link makes one document, and its id is known before.
"""

from __future__ import annotations

import base64
import hmac
import json
import time
from dataclasses import asdict, dataclass

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from docduck.catalog.models import Document
from docduck.errors import Conflict, Forbidden
from docduck.ids import new_id
from docduck.service.core.installation import Installation
from docduck.service.core.secret_key import derived_key
from docduck.service.documents.queries.document_lookup import get_parser_document
from docduck.service.sources.uploads import (
    QueuedDocument,
    UploadedFile,
    UploadTarget,
    check_upload,
    register_upload,
)

_PURPOSE = "docduck upload link 1"
_LONGEST = 4096
USED = "A file was sent to this link already"


@dataclass(frozen=True, slots=True)
class UploadTerms:
    """What a link allows: one file with this name, sent by ``actor`` to the parser of the team."""

    document_id: str
    team_id: str
    parser_id: str
    actor: str
    name: str
    expires: int


def upload_terms(inst: Installation, team_id: str, parser_id: str, actor: str, name: str) -> UploadTerms:
    """Return the terms of a new link; raise NotFound, or InputError if the parser is inactive."""
    check_upload(inst, team_id, UploadTarget(parser_id, 1))
    expires = int(time.time()) + inst.settings.upload_link_seconds
    return UploadTerms(new_id(), team_id, parser_id, actor, name, expires)


def upload_link(inst: Installation, base_url: str, terms: UploadTerms) -> str:
    """Return the link, below ``base_url``."""
    text = _encoded(json.dumps(list(asdict(terms).values())).encode())
    return f"{base_url.rstrip('/')}/uploads/{text}.{_signature(inst, text)}"


def find_terms(inst: Installation, token: str) -> UploadTerms:
    """Return the terms of a link; raise Forbidden if it is forged or expired, Conflict if it was used."""
    text, _, signature = token[:_LONGEST].partition(".")
    right = _signature(inst, text)
    if not hmac.compare_digest(right.encode(), signature.encode("utf-8", "replace")):
        raise Forbidden
    terms = UploadTerms(*json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))))
    if terms.expires < time.time():
        raise Forbidden
    with inst.catalog.read_session() as session:
        if session.scalar(select(Document.id).where(Document.id == terms.document_id)) is not None:
            raise Conflict(USED)
    return terms


def register_file(inst: Installation, terms: UploadTerms, file: UploadedFile) -> QueuedDocument:
    """Register the file of a link as a queued document.

    Raise Conflict, and the errors of ``check_upload``.
    """
    target = UploadTarget(terms.parser_id, 1, source="mcp", document_ids=(terms.document_id,))
    try:
        (queued,) = register_upload(inst, terms.team_id, target, [file], terms.actor)
    except IntegrityError as error:
        raise Conflict(USED) from error
    return queued


def sent_upload(inst: Installation, team_id: str, parser_id: str, document_id: str) -> QueuedDocument:
    """Return the document whose file was sent to a link.

    Raise NotFound until then, and InputError for a document of another parser.
    """
    with inst.catalog.read_session() as session:
        row = get_parser_document(session, team_id, parser_id, document_id)
        return QueuedDocument(
            row.id, row.parser_id, row.name, row.external_id, row.custom, row.operation_id, row.classifier_id
        )


def _signature(inst: Installation, text: str) -> str:
    key = derived_key(inst.settings, _PURPOSE)
    return _encoded(hmac.digest(key, text.encode("utf-8", "replace"), "sha256"))


def _encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")

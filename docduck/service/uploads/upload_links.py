"""Signed links that take one file for a parser or classifier: they expire, and need no API key.

    /uploads/<base64url of the terms in JSON>.<base64url of their HMAC-SHA256>

The document gets the id that the link names. So a link makes one document, and its id is known before.
"""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from docduck.catalog.models import Document
from docduck.errors import Conflict, Forbidden, InputError
from docduck.ids import new_id
from docduck.service.core.installation import Installation
from docduck.service.core.secrets import base64url, is_secret, signature_of
from docduck.service.documents.queries.document_lookup import get_parser_document, get_team_document
from docduck.service.documents.value_checks import check_custom
from docduck.service.uploads.file_uploads import (
    QueuedDocument,
    UploadedFile,
    UploadTarget,
    check_upload,
    register_upload,
)

LINK_SECONDS = 900

_PURPOSE = "docduck upload link 2"
_LONGEST = 6000
"""Of what follows ``/uploads/``: many proxies refuse request lines of more than 8 KiB."""

USED = "A file was sent to this link already"


@dataclass(frozen=True, slots=True)
class UploadTerms:
    """What a link allows: one file with this name, sent by ``actor`` to a parser or classifier."""

    document_id: str
    team_id: str
    actor: str
    name: str
    expires: int
    parser_id: str | None
    classifier_id: str | None
    external_id: str | None
    folder_id: str | None
    custom: Mapping[str, Any] | None

    @property
    def target(self) -> UploadTarget:
        """The target of the upload."""
        return UploadTarget(
            self.parser_id,
            1,
            [self.external_id],
            [self.custom],
            self.folder_id,
            source="mcp",
            classifier_id=self.classifier_id,
            document_ids=(self.document_id,),
        )


def upload_terms(
    inst: Installation,
    team_id: str,
    actor: str,
    name: str,
    *,
    parser_id: str | None,
    classifier_id: str | None = None,
    external_id: str | None = None,
    folder_id: str | None = None,
    custom: Mapping[str, Any] | None = None,
) -> UploadTerms:
    """Return the terms of a new link for a parser or a classifier; raise the errors of ``check_upload``."""
    check_custom(custom)
    expires = int(time.time()) + LINK_SECONDS
    receiver = (parser_id, classifier_id)
    terms = UploadTerms(new_id(), team_id, actor, name, expires, *receiver, external_id, folder_id, custom)
    check_upload(inst, team_id, terms.target)
    return terms


def upload_link(inst: Installation, base_url: str, terms: UploadTerms) -> str:
    """Return the link, below ``base_url``; raise InputError if ``custom`` makes it too long."""
    text = base64url(json.dumps(asdict(terms), ensure_ascii=False, separators=(",", ":")).encode())
    token = f"{text}.{_signature(inst, text)}"
    if len(token) > _LONGEST:
        raise InputError(
            "custom is too long for an upload address; set it once the file was sent, or send the file in "
            "contentBase64",
            "custom",
        )
    return f"{base_url.rstrip('/')}/uploads/{token}"


def find_terms(inst: Installation, token: str) -> UploadTerms:
    """Return the terms of a link.

    Raise Forbidden if it is forged or expired, Conflict if it was used, and the errors of ``check_upload``.
    """
    text, _, signature = token[:_LONGEST].partition(".")
    if not is_secret(signature, _signature(inst, text)):
        raise Forbidden
    terms = UploadTerms(**json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))))
    if terms.expires < time.time():
        raise Forbidden
    check_terms(inst, terms)
    return terms


def check_terms(inst: Installation, terms: UploadTerms, files: Sequence[UploadedFile] = ()) -> None:
    """Raise Conflict if the link was used, and the errors of ``check_upload`` for its terms and file."""
    try:
        check_upload(inst, terms.team_id, terms.target, files)
    finally:
        # Last, as the external id may be taken by the file that was sent to the link at the same time.
        _refuse_used(inst, terms)


def register_file(inst: Installation, terms: UploadTerms, file: UploadedFile) -> QueuedDocument:
    """Register the file of a link as a queued document.

    Raise Conflict, and the errors of ``check_upload``.
    """
    try:
        (queued,) = register_upload(inst, terms.team_id, terms.target, [file], terms.actor)
    except IntegrityError as error:
        raise Conflict(USED) from error
    except InputError:
        _refuse_used(inst, terms)
        raise
    return queued


def sent_upload(
    inst: Installation, team_id: str, parser_id: str | None, classifier_id: str | None, document_id: str
) -> QueuedDocument:
    """Return the document whose file was sent to a link for this parser or classifier.

    Raise NotFound until then, and InputError for a document of another parser or classifier.
    """
    with inst.catalog.read_session() as session:
        if classifier_id is None:
            row = get_parser_document(session, team_id, str(parser_id), document_id)
        else:
            row = get_team_document(session, team_id, document_id)
            if row.classifier_id != classifier_id:
                raise InputError("Classifier ID mismatch", "classifierId")
        return QueuedDocument(
            row.id, row.parser_id, row.name, row.external_id, row.custom, row.operation_id, row.classifier_id
        )


def _refuse_used(inst: Installation, terms: UploadTerms) -> None:
    """Raise Conflict if the link was used."""
    with inst.catalog.read_session() as session:
        if session.scalar(select(Document.id).where(Document.id == terms.document_id)) is not None:
            raise Conflict(USED)


def _signature(inst: Installation, text: str) -> str:
    return base64url(signature_of(inst.settings, _PURPOSE, text))

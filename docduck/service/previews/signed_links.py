"""Signed links to documents' files, thumbnails and markdown, and to exports: they expire and need no API key.

    /files/{kind}/{id}?expires=<epoch seconds>&signature=<base64url of HMAC-SHA256>

A link gives access to this file alone, until it expires or the document is deleted.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from sqlalchemy import select

from docduck.catalog.models import Document, DocumentResult, Parser
from docduck.errors import Forbidden, NotFound
from docduck.ids import is_uuid
from docduck.service.core.installation import Installation
from docduck.service.core.secrets import base64url, is_secret, signature_of
from docduck.service.outputs.file_exports import EXPORT_LINK_SECONDS, LinkedFile

LINK_SECONDS = 3600

LinkKind = Literal["file", "thumbnail", "markdown", "export"]
KINDS: tuple[LinkKind, ...] = get_args(LinkKind)

_PURPOSE = "docduck link 1"
_MOST_DIGITS = 12


@dataclass(frozen=True, slots=True)
class LinkedDocument:
    """A document that a link names, by the hash of its file."""

    sha256: str
    file_name: str
    content_type: str
    team_id: str
    sealed_password: str | None


def link(
    inst: Installation, base_url: str, kind: LinkKind, document_id: str, seconds: int | None = None
) -> str:
    """Return the link, below ``base_url``, to a document's file, thumbnail or markdown.

    It holds for ``seconds``, by default the setting.
    """
    expires = str(int(time.time()) + (seconds or LINK_SECONDS))
    signature = _signature(inst, kind, document_id, expires)
    return f"{base_url.rstrip('/')}/files/{kind}/{document_id}?expires={expires}&signature={signature}"


def file_link(inst: Installation, base_url: str, document_id: str) -> str:
    """Return the link, below ``base_url``, to a document's file."""
    return link(inst, base_url, "file", document_id)


def export_link(inst: Installation, base_url: str, export_id: str) -> str:
    """Return the link, below ``base_url``, to an export in the file store."""
    return link(inst, base_url, "export", export_id, EXPORT_LINK_SECONDS)


def check_link(inst: Installation, kind: str, document_id: str, expires: str, signature: str) -> None:
    """Raise Forbidden ``Access denied`` unless the signature is valid and has not expired."""
    signed = is_secret(signature, _signature(inst, kind, document_id, expires))
    known = kind in KINDS and is_uuid(document_id) and expires.isascii() and expires.isdigit()
    if not (signed and known and len(expires) <= _MOST_DIGITS and int(expires) >= time.time()):
        raise Forbidden


def linked_file(inst: Installation, document_id: str) -> LinkedFile:
    """Return a document's file; raise NotFound if the document or its parser is deleted."""
    document = linked_document(inst, document_id)
    path = stored_path(inst, document.sha256, document_id)
    return LinkedFile(path, document.file_name, document.content_type, document.sha256)


def linked_document(inst: Installation, document_id: str) -> LinkedDocument:
    """Return the document that a link names; raise NotFound if it or its parser is deleted."""
    columns = (Document.sha256, Document.file_name, Document.content_type, Document.team_id)
    statement = select(*columns, Document.sealed_password)
    return LinkedDocument(*_linked(inst, statement, document_id))


def linked_markdown(inst: Installation, document_id: str) -> LinkedFile:
    """Return a document's markdown; raise NotFound if it has none."""
    statement = select(DocumentResult.markdown_sha256, Document.file_name).join(
        DocumentResult, DocumentResult.document_id == Document.id
    )
    sha256, name = _linked(inst, statement, document_id)
    if sha256 is None:
        raise NotFound("Document has no markdown", "documentId", document_id)
    stem = Path(name).stem or "document"
    path = stored_path(inst, sha256, document_id)
    return LinkedFile(path, f"{stem}.md", "text/markdown; charset=utf-8", sha256)


def _linked(inst: Installation, statement: Any, document_id: str) -> Any:
    # Without a team: the signature authorises access to the document.
    with inst.catalog.read_session() as session:
        row = session.execute(
            statement.outerjoin(Parser, Parser.id == Document.parser_id).where(
                Document.id == document_id, Parser.deleted_at.is_(None)
            )
        ).one_or_none()
    if row is None:
        raise NotFound("Document not found", "documentId", document_id)
    return row


def stored_path(inst: Installation, sha256: str, document_id: str) -> Path:
    """Return the path of a document's file; raise NotFound if it is gone, and Transient."""
    path = inst.files.local(sha256)
    if not path.is_file():
        raise NotFound("The document's file is missing from the file store", "documentId", document_id)
    return path


def _signature(inst: Installation, kind: str, document_id: str, expires: str) -> str:
    return base64url(signature_of(inst.settings, _PURPOSE, f"{kind}\n{document_id}\n{expires}"))

"""Deleting documents, with their values, files and rows (contract C9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from docduck.catalog.models import Document, DocumentResult
from docduck.errors import InputError
from docduck.service import audit, file_refs, outbox
from docduck.service.document_lookup import find_document, wanted_all
from docduck.service.installation import Installation
from docduck.service.search import index

_CHUNK = 500


def delete_documents(
    inst: Installation, team_id: str, document_ids: Sequence[str], actor: str = "user"
) -> int:
    """Delete documents of the team, whatever their parser; gives how many.

    A document that is being read goes at once: what comes of the reading changes nothing. Raises NotFound
    for the first unknown id, and then nothing is deleted.
    """
    with inst.catalog.transaction() as session:
        ids = sorted(set(document_ids))
        rows = [find_document(session, team_id, document_id, lock=True) for document_id in ids]
        return len(delete_rows(session, rows, actor))


def delete_from_parser(
    inst: Installation,
    team_id: str,
    parser_id: str,
    document_ids: Sequence[str] = (),
    external_ids: Sequence[str] = (),
    actor: str = "user",
) -> list[str]:
    """Delete documents of one parser, all or none; gives their ids. Their external ids are free again.

    Raises InputError when none or too many are named or one is another parser's, NotFound that lists all
    unknown.
    """
    limit = inst.settings.max_deleted_documents
    if len(document_ids) + len(external_ids) > limit:
        raise InputError(f"At most {limit} documents can be deleted at once", "documentIds")
    with inst.catalog.transaction() as session:
        return delete_rows(
            session, wanted_all(session, team_id, parser_id, document_ids, external_ids), actor
        )


def delete_rows(session: Session, rows: Sequence[Document], actor: str) -> list[str]:
    """Delete documents of one team, locked, within the caller's transaction; gives their ids."""
    outbox.mark(session, [(row.id, row.team_id, row.parser_id) for row in rows if row.parser_id])
    hashes = Counter(row.sha256 for row in rows)
    ids = [row.id for row in rows]
    if rows:
        gone = [(row.id, {"name": row.name, "externalId": row.external_id}) for row in rows]
        audit.note(session, rows[0].team_id, actor, "document.deleted", "document", gone)
    index.remove(session, rows)
    for start in range(0, len(ids), _CHUNK):
        chunk = ids[start : start + _CHUNK]
        markdown = session.scalars(
            select(DocumentResult.markdown_sha256).where(
                DocumentResult.document_id.in_(chunk), DocumentResult.markdown_sha256.is_not(None)
            )
        )
        hashes.update(sha256 for sha256 in markdown if sha256)
        session.execute(delete(Document).where(Document.id.in_(chunk)))
    file_refs.release(session, hashes)
    return ids

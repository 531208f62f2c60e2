"""Look-up of documents by id or external id, always within a team."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import BindParameter, Select, bindparam, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from docduck.catalog.models import Document, Parser
from docduck.errors import InputError, NotFound
from docduck.ids import is_uuid
from docduck.service.core.installation import Installation
from docduck.service.core.pages import chunks
from docduck.service.parsers.parsers import find as find_parser

ONE_OF_TWO = "Provide exactly one of documentId or externalId"
AT_LEAST_ONE = "Provide at least one of documentIds or externalIds"
MISMATCH = "Parser ID mismatch"


def get_team_document(session: Session, team_id: str, document_id: str, *, lock: bool = False) -> Document:
    """Return the team's document, locked until the transaction ends if ``lock``; raise NotFound."""
    row = _by_id(session, team_id, document_id, lock)
    if row is None:
        raise NotFound("Document not found", "documentId", document_id)
    return row


def _by_id(session: Session, team_id: str, document_id: str, lock: bool) -> Document | None:
    parameters = {"team_id": team_id, "document_id": document_id.lower()}
    return session.scalar(_locked(_BY_ID, lock), parameters) if is_uuid(document_id) else None


def get_documents(
    session: Session,
    team_id: str,
    document_ids: Iterable[str],
    parser_id: str | None = None,
    *,
    lock: bool,
) -> list[Document]:
    """Return documents of the team, or of a parser, each once and in the order in which all code locks them.

    Raise the errors of ``find_document`` for the first that is not there.
    """
    ids = sorted({document_id.lower() for document_id in document_ids})
    return [find_document(session, team_id, parser_id, document_id, lock=lock) for document_id in ids]


def by_parser(inst: Installation, team_id: str, document_ids: Collection[str]) -> dict[str | None, list[str]]:
    """Return documents of the team by the id of their parser; raise NotFound listing all unknown ones."""
    columns = select(Document.id, Document.parser_id)
    grouped: dict[str | None, list[str]] = {}
    with inst.catalog.read_session() as session:
        for some in chunks(id_.lower() for id_ in document_ids if is_uuid(id_)):
            mine = columns.where(Document.team_id == team_id, Document.id.in_(some)).order_by(Document.id)
            for document_id, parser_id in session.execute(mine):
                grouped.setdefault(parser_id, []).append(document_id)
    known = {document_id for ids in grouped.values() for document_id in ids}
    missing = [("documentId", id_) for id_ in document_ids if id_.lower() not in known]
    if missing:
        raise NotFound("Document not found", *missing[0], more=missing[1:])
    return grouped


def check_parsers(
    session: Session, team_id: str, document_ids: Sequence[str], parser_ids: Collection[str]
) -> None:
    """Raise NotFound for the first document that is not of one of these parsers."""
    for document_id in document_ids:
        if get_team_document(session, team_id, document_id).parser_id not in parser_ids:
            raise NotFound("Document not found", "documentId", document_id)


def get_parser_document(
    session: Session,
    team_id: str,
    parser_id: str,
    document_id: str | None = None,
    external_id: str | None = None,
    *,
    lock: bool = False,
) -> Document:
    """Return the parser's document with this id or external id.

    Raise InputError unless exactly one is given, or ``Parser ID mismatch`` for a document of another parser;
    NotFound for the parser or the document.
    """
    if (document_id is None) == (external_id is None):
        raise InputError(ONE_OF_TWO, "documentId")
    parser_id = parser_id.lower()
    row = _one(session, team_id, parser_id, document_id, external_id, lock)
    if row is not None and row.parser_id == parser_id:
        return row
    find_parser(session, team_id, parser_id)
    if row is not None:
        raise InputError(MISMATCH, "parserId", code="wrong_parser")
    if document_id is not None:
        raise NotFound("Document not found", "documentId", document_id)
    raise NotFound("Document not found", "externalId", str(external_id))


def find_document(
    session: Session,
    team_id: str,
    parser_id: str | None,
    document_id: str | None,
    external_id: str | None = None,
    *,
    lock: bool = False,
) -> Document:
    """Return a parser's document like ``get_parser_document``, or without a parser any of the team by id."""
    if parser_id is None:
        return get_team_document(session, team_id, str(document_id), lock=lock)
    return get_parser_document(session, team_id, parser_id, document_id, external_id, lock=lock)


def _one(
    session: Session,
    team_id: str,
    parser_id: str,
    document_id: str | None,
    external_id: str | None,
    lock: bool,
) -> Document | None:
    if not is_uuid(parser_id):
        return None
    if document_id is not None:
        return _by_id(session, team_id, document_id, lock)
    parameters = {"team_id": team_id, "parser_id": parser_id, "external_id": str(external_id)}
    return session.scalar(_locked(_BY_EXTERNAL_ID, lock), parameters)


def get_parser_documents(
    session: Session,
    team_id: str,
    parser_id: str,
    document_ids: Sequence[str] = (),
    external_ids: Sequence[str] = (),
    *,
    lock: bool = True,
) -> list[Document]:
    """Return these documents of the parser, each once, locked until the transaction ends if ``lock``.

    Raise InputError if none is given or one belongs to another parser, NotFound listing all unknown ones.
    """
    if not document_ids and not external_ids:
        raise InputError(AT_LEAST_ONE, "documentIds")
    parser_id = find_parser(session, team_id, parser_id).id
    ids = list(dict.fromkeys(document_id.lower() for document_id in document_ids))
    names = list(dict.fromkeys(external_ids))
    by_id = {row.id: row for row in _all(session, _visible(team_id), Document.id, filter(is_uuid, ids))}
    mine = _visible(team_id).where(Document.parser_id == parser_id)
    by_name = {row.external_id: row for row in _all(session, mine, Document.external_id, names)}
    _refuse_missing(ids, by_id, names, by_name)
    if any(row.parser_id != parser_id for row in by_id.values()):
        raise InputError(MISMATCH, "documentIds", code="wrong_parser")
    if not lock:
        rows = {row.id: row for row in (*by_id.values(), *by_name.values())}
        return list(rows.values())
    all_ids = [by_id[document_id].id for document_id in ids] + [by_name[name].id for name in names]
    locked = _lock_all(session, team_id, set(all_ids))
    _refuse_missing(ids, locked, names, {row.external_id: row for row in locked.values()})
    return [locked[document_id] for document_id in dict.fromkeys(all_ids)]


def _refuse_missing(
    ids: Sequence[str], by_id: Container[str], names: Sequence[str], by_name: Container[str | None]
) -> None:
    missing = [("documentId", document_id) for document_id in ids if document_id not in by_id]
    missing += [("externalId", name) for name in names if name not in by_name]
    if missing:
        raise NotFound("Document not found", *missing[0], more=missing[1:])


def _all(
    session: Session,
    statement: Select[Document],
    column: InstrumentedAttribute[Any],
    values: Iterable[str],
) -> list[Document]:
    documents: list[Document] = []
    for some in chunks(values):
        documents += session.scalars(statement.where(column.in_(some)))
    return documents


def _lock_all(session: Session, team_id: str, ids: Collection[str]) -> dict[str, Document]:
    """Lock documents in the order of their ids, which all code does, and read them again."""
    documents: dict[str, Document] = {}
    for some in chunks(sorted(ids)):
        statement = _visible(team_id).where(Document.id.in_(some)).order_by(Document.id)
        rows = session.scalars(_locked(statement, True).execution_options(populate_existing=True))
        documents |= {row.id: row for row in rows}
    return documents


def _visible(team_id: str | BindParameter[str]) -> Select[Document]:
    """Return the query for the team's documents, without those of deleted parsers."""
    return (
        select(Document)
        .outerjoin(Parser, Parser.id == Document.parser_id)
        .where(Document.team_id == team_id, Parser.deleted_at.is_(None))
    )


# Built once: building a statement takes longer than running it.
_ANY = _visible(bindparam("team_id"))
_BY_ID = _ANY.where(Document.id == bindparam("document_id"))
_BY_EXTERNAL_ID = _ANY.where(
    Document.parser_id == bindparam("parser_id"), Document.external_id == bindparam("external_id")
)


def _locked(statement: Select[Document], lock: bool) -> Select[Document]:
    return statement.with_for_update(of=Document) if lock else statement


def teaching_documents(inst: Installation, team_id: str, evidence: Mapping[str, Any]) -> dict[str, str]:
    """Return the names of the documents, by id, from which values of a ``field_metadata`` were learned.

    Those that were deleted since are left out.
    """
    ids = {entry.get("learnedFrom") for entry in evidence.values() if isinstance(entry, Mapping)} - {None}
    return names_of(inst, team_id, ids)


def names_of(inst: Installation, team_id: str, ids: Collection[Any]) -> dict[str, str]:
    """Return the names of documents of the team by id, in no order; those that don't exist are left out."""
    if not ids:
        return {}
    statement = select(Document.id, Document.name).where(Document.team_id == team_id, Document.id.in_(ids))
    with inst.catalog.read_session() as session:
        return {document_id: name for document_id, name in session.execute(statement)}

"""Documents whose values are known, to evaluate their parser by them.

The values are given by the caller, or are those that people corrected, confirmed or approved
(``corrections.known_values``); others of the same documents are not judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import ColumnElement, func, select

from docduck.catalog.models import Document, DocumentResult
from docduck.errors import InputError, NotFound
from docduck.fields import Field, FieldType
from docduck.service.core.installation import Installation
from docduck.service.corrections.known_values import is_reviewed, known_values
from docduck.service.documents import values
from docduck.service.documents.claim import Claim
from docduck.service.documents.value_checks import check_values
from docduck.service.parsers.parsers import ParserView
from docduck.statuses import HAS_VALUES, Status

MAX_DOCUMENTS = 50
"""Of one evaluation."""

Basis = Literal["given", "corrected", "approved", "reviewed"]
"""Whose values are taken as true: the caller's; those that people corrected or confirmed, in documents that
are not approved; all of approved documents; or ``reviewed``, the latter two.
"""

Truth = Mapping[str, Mapping[str, Any]]
"""Values by field name or id, by document id."""

_JUDGED = (Status.PROCESSED, Status.IN_REVIEW, Status.APPROVED)
_IS_APPROVED = Document.status == Status.APPROVED
_DOCUMENTS: Mapping[Basis, tuple[str, ColumnElement[bool]]] = {
    "corrected": ("corrected", DocumentResult.edited & ~_IS_APPROVED),
    "approved": ("approved", _IS_APPROVED),
    "reviewed": ("approved or corrected", is_reviewed()),
}


@dataclass(frozen=True, slots=True)
class KnownDocument:
    """A document with true values of ``fields``, and those that were read before anyone corrected them."""

    claim: Claim
    basis: Basis
    fields: Sequence[Field]
    truth: Mapping[str, Any]
    before: Mapping[str, Any]


def known_documents(
    inst: Installation,
    parser: ParserView,
    document_ids: Sequence[str] | None = None,
    truth: Truth | None = None,
    basis: Basis | None = None,
) -> tuple[Basis, list[KnownDocument]]:
    """Return documents with known values, at least one, and their basis.

    They are those with given ``truth``, of which only the given fields are judged, or those that are named,
    or else the newest. Raise NotFound for documents that are none of the parser with values on this basis;
    InputError for contradictory arguments, for wrong fields or values, and if there are no documents.
    """
    for name, named in (("documentIds", document_ids), ("truth", truth)):
        if named is not None and len(named) > MAX_DOCUMENTS:
            raise InputError(f"{name} must have at most {MAX_DOCUMENTS} items", name)
    if truth is None:
        if basis == "given":
            raise InputError("basis 'given' needs truth: documents with their values", "basis")
        basis = basis or "reviewed"
        return basis, _reviewed(inst, parser, document_ids, basis)
    if document_ids is not None:
        raise InputError("truth names its documents; leave documentIds out", "documentIds")
    if basis not in (None, "given"):
        raise InputError(f"basis '{basis}' takes no truth; leave one of the two out", "basis")
    return "given", _given(inst, parser, truth)


def reviewed_documents(inst: Installation, parser: ParserView, limit: int) -> list[str]:
    """Return the ids of the newest documents that people approved or corrected, at most so many."""
    newest = Document.created_at.desc(), Document.id.desc()
    with inst.catalog.read_session() as session:
        return list(
            session.scalars(
                select(Document.id)
                .join(DocumentResult, DocumentResult.document_id == Document.id)
                .where(Document.parser_id == parser.id, Document.status.in_(_JUDGED), is_reviewed())
                .order_by(*newest)
                .limit(limit)
            )
        )


def count_not_reviewed(inst: Installation, parser: ParserView) -> int:
    """Return how many of the parser's documents with values nobody corrected, confirmed or approved."""
    mine = Document.parser_id == parser.id, Document.status.in_(_JUDGED), ~is_reviewed()
    with inst.catalog.read_session() as session:
        return (
            session.scalar(
                select(func.count())
                .select_from(Document)
                .join(DocumentResult, DocumentResult.document_id == Document.id)
                .where(*mine)
            )
            or 0
        )


def _given(inst: Installation, parser: ParserView, truth: Truth) -> list[KnownDocument]:
    fields = parser.fields
    checked = {
        document_id: check_values(fields, data, f"truth.{number}.data")
        for number, (document_id, data) in enumerate(truth.items())
    }

    def known(document: Document, result: DocumentResult) -> KnownDocument:
        true, truth_of = checked[document.id], truth[document.id]
        judged = [
            _with_known_columns(field, truth_of.get(field.name, truth_of.get(str(field.id))))
            for field in fields
            if field.name in true
        ]
        return _known(document, result, parser, "given", judged, true)

    documents = _documents(inst, parser, Document.status.in_(HAS_VALUES), list(truth), known)
    _refuse_missing(truth, documents, "Not a document of this parser with values")
    return documents


def _reviewed(
    inst: Installation, parser: ParserView, document_ids: Sequence[str] | None, basis: Basis
) -> list[KnownDocument]:
    words, condition = _DOCUMENTS[basis]

    def known(document: Document, result: DocumentResult) -> KnownDocument:
        approved = document.status == Status.APPROVED
        true = known_values(parser.fields, result, approved=approved)
        judged = [
            _with_known_columns(field, result.values.get(str(field.id)))
            for field in parser.fields
            if field.extract and field.name in true
        ]
        return _known(document, result, parser, "approved" if approved else "corrected", judged, true)

    candidates = _documents(inst, parser, Document.status.in_(_JUDGED) & condition, document_ids, known)
    documents = [document for document in candidates if document.fields]
    _refuse_missing(document_ids or (), documents, f"Not a document of this parser that is {words}")
    if not documents:
        raise InputError(f"The parser has no {words} documents yet; confirm some, or give truth", "parserId")
    return documents


def _documents(
    inst: Installation,
    parser: ParserView,
    condition: ColumnElement[bool],
    document_ids: Sequence[str] | None,
    known: Callable[[Document, DocumentResult], KnownDocument],
) -> list[KnownDocument]:
    """Return the newest documents that satisfy a condition, or those of them that are named."""
    statement = (
        select(Document, DocumentResult)
        .join(DocumentResult, DocumentResult.document_id == Document.id)
        .where(Document.parser_id == parser.id, condition)
        .order_by(Document.created_at.desc(), Document.id.desc())
        .limit(MAX_DOCUMENTS)
    )
    if document_ids is not None:
        statement = statement.where(Document.id.in_(document_ids))
    with inst.catalog.read_session() as session:
        return [known(document, result) for document, result in session.execute(statement)]


def _known(
    document: Document,
    result: DocumentResult,
    parser: ParserView,
    basis: Basis,
    judged: Sequence[Field],
    truth: Mapping[str, Any],
) -> KnownDocument:
    before = result.values if result.read_values is None else result.read_values
    claim = Claim.of(document)
    return KnownDocument(claim, basis, judged, truth, values.named(parser.fields, before))


def _with_known_columns(field: Field, rows: Any) -> Field:
    """Return a table with the columns that its true rows have, by name or id; an empty one with all."""
    if field.type is not FieldType.TABLE or not rows:
        return field
    keys = {key for row in rows for key in row}
    known = tuple(column for column in field.columns if keys & {column.name, str(column.id)})
    return field.model_copy(update={"columns": known})


def _refuse_missing(ids: Iterable[str], documents: Sequence[KnownDocument], words: str) -> None:
    missing = sorted(set(ids) - {document.claim.document_id for document in documents})
    if missing:
        more = [("documentId", document_id) for document_id in missing[1:]]
        raise NotFound(words, "documentId", missing[0], more)

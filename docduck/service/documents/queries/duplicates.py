"""Duplicates within a parser, by content or by values (``duplicateOf``, ``is_duplicate``)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

from sqlalchemy import Select, bindparam, exists, func, select
from sqlalchemy.orm import Session, aliased

from docduck.catalog.models import Document, DocumentResult, Parser, SearchEntry, SearchValue
from docduck.service.conditions import ConditionTarget
from docduck.service.core.installation import Installation
from docduck.service.core.pages import chunks
from docduck.service.parsers.parsers import ParserView, view
from docduck.service.search.duplicate_filter import duplicate_keys, is_copy, is_earlier_copy
from docduck.service.search.encoding import INCOMPARABLE, cell_entries, encoded, field_key
from docduck.service.search.entries import Entries
from docduck.statuses import HAS_VALUES

MOST_NAMED = 100
"""Most duplicates by key values that are listed: the oldest ones."""
_FEW = 1000

_COMPARED = ("parser_id", "sha256", "created_at", "id")
_PARAMETERS = SimpleNamespace(**{name: bindparam(name) for name in _COMPARED})
_EARLIER_COPIES = (
    select(Document.id)
    .where(is_earlier_copy(Document, _PARAMETERS))
    .order_by(Document.created_at, Document.id)
)


def earlier_copies(session: Session, document: Document) -> list[str]:
    """Return the ids of the parser's earlier documents with the same content, oldest first.

    Only documents registered before ``document`` count.
    """
    mine = {name: getattr(document, name) for name in _COMPARED}
    return list(session.scalars(_EARLIER_COPIES, mine))


def same_keys(session: Session, parser: ParserView, document_id: str, values: Mapping[str, Any]) -> list[str]:
    """Return the ids of earlier documents with the same values in all of the parser's duplicate keys.

    At most ``MOST_NAMED``, oldest first; ``values`` are by field id. None are returned if a key has no value,
    or one that doesn't parse as the field's type.
    """
    key_values = _key_values(parser, values)
    number = session.scalar(select(SearchEntry.number).where(SearchEntry.document_id == document_id))
    if not key_values or number is None:
        return []
    rarest_first = sorted(key_values, key=lambda entry: _size(session, entry))
    return list(session.scalars(_earlier(rarest_first, number, MOST_NAMED)))


def first_duplicates(
    session: Session, parser: ParserView, documents: Mapping[str, Mapping[str, Any]]
) -> dict[str, str]:
    """Return the id of the first document that each of these repeats, which have values by field id."""
    earlier = aliased(Document)
    first = (
        select(earlier.id)
        .where(is_earlier_copy(earlier, Document))
        .order_by(earlier.created_at, earlier.id)
        .limit(1)
        .correlate(Document)
        .scalar_subquery()
    )
    rows = session.execute(select(Document.id, first).where(Document.id.in_(documents))).all()
    found: dict[str, str] = {document_id: copied for document_id, copied in rows if copied is not None}
    if not duplicate_keys(parser.fields, parser.settings):
        return found
    for document_id, values in documents.items():
        if alike := same_keys(session, parser, document_id, values):
            found[document_id] = min(alike[0], found.get(document_id, alike[0]))
    return found


def later_duplicates(
    session: Session, parser: ParserView, documents: Mapping[str, Mapping[str, Any]]
) -> set[str]:
    """Return the ids of a parser's documents that repeat one of these, which have values by field id."""
    repeated = aliased(Document)
    copies = select(Document.id).where(
        repeated.id.in_(documents), is_earlier_copy(repeated, Document), Document.parser_id == parser.id
    )
    found = set(session.scalars(copies))
    if duplicate_keys(parser.fields, parser.settings):
        numbers = session.execute(
            select(SearchEntry.document_id, SearchEntry.number).where(SearchEntry.document_id.in_(documents))
        )
        for document_id, number in numbers.all():
            if key_values := _key_values(parser, documents[document_id]):
                rarest_first = sorted(key_values, key=lambda entry: _size(session, entry))
                walked = aliased(SearchValue)
                found.update(session.scalars(_alike(rarest_first, walked).where(walked.number > number)))
    return found - documents.keys()


def duplicate_ids(inst: Installation, team_id: str, document_ids: Collection[str]) -> set[str]:
    """Return the ids of those documents of the team of which their parser has an earlier one."""
    statement = select(Document).where(Document.team_id == team_id, Document.id.in_(document_ids))
    with inst.catalog.read_session() as session:
        documents = session.scalars(statement).all()
        ids = {document.parser_id for document in documents}
        rows = session.scalars(select(Parser).where(Parser.id.in_(ids)))
        parsers: dict[str | None, ParserView] = {row.id: view(row) for row in rows}
        return _duplicates_among(session, documents, parsers)


def _duplicates_among(
    session: Session, documents: Sequence[Document], parsers: Mapping[str | None, ParserView]
) -> set[str]:
    ids = [document.id for document in documents]
    copies = set(session.scalars(select(Document.id).where(Document.id.in_(ids), is_copy())))
    keyed = {
        document.id: parsers[document.parser_id]
        for document in documents
        if document.id not in copies
        and document.status in HAS_VALUES
        and document.parser_id in parsers
        and parsers[document.parser_id].settings.get("duplicateKeys")
    }
    rows = session.execute(
        select(DocumentResult.document_id, SearchEntry.number, DocumentResult.values.label("values_"))
        .join(SearchEntry, SearchEntry.document_id == DocumentResult.document_id)
        .where(DocumentResult.document_id.in_(keyed))
    ).all()
    orders: dict[str, list[int]] = {}
    for row in rows:
        parser = keyed[row.document_id]
        key_values = _key_values(parser, row.values_)
        if not key_values:
            continue
        # How rare the values of a key are is looked up once for the list.
        order = orders.setdefault(
            parser.id, sorted(range(len(key_values)), key=lambda at: _size(session, key_values[at]))
        )
        if session.scalar(_earlier([key_values[at] for at in order], row.number, 1)) is not None:
            copies.add(row.document_id)
    return copies


def _earlier(key_values: Sequence[tuple[int, str]], number: int, limit: int) -> Select[str]:
    """Return the ids of documents before ``number`` that have all of these values; few have the first."""
    walked = aliased(SearchValue)
    return _alike(key_values, walked).where(walked.number < number).limit(limit)


def _alike(key_values: Sequence[tuple[int, str]], walked: type[SearchValue]) -> Select[str]:
    """Return the ids of documents that have all of these values, the oldest first; few have the first.

    The search walks the rows ``walked`` of the first one.
    """
    first, *others = key_values
    statement = (
        select(SearchEntry.document_id)
        .join(walked, walked.number == SearchEntry.number)
        .where(walked.key == first[0], walked.value == first[1])
    )
    for key, value in others:
        same = aliased(SearchValue)
        statement = statement.where(
            exists().where(same.key == key, same.value == value, same.number == walked.number)
        )
    return statement.order_by(walked.number)


def _key_values(parser: ParserView, values: Mapping[str, Any]) -> list[tuple[int, str]]:
    """Return the index keys and values of the duplicate keys; empty if one is missing."""
    keys = duplicate_keys(parser.fields, parser.settings)
    texts = [(field_key(parser.id, ref, kind), encoded(kind, values.get(ref))) for ref, kind in keys]
    return [(key, text) for key, text in texts if text] if all(text for _, text in texts) else []


def _size(session: Session, pair: tuple[int, str]) -> int:
    """Return how many documents have a value, at most ``_FEW``."""
    mine = select(SearchValue.number).where(SearchValue.key == pair[0], SearchValue.value == pair[1])
    return session.scalar(select(func.count()).select_from(mine.limit(_FEW).subquery())) or 0


class DuplicateLookup:
    """Check whether other documents of the parser have the same value; remember values that none has.

    Numbers are compared by value, texts ignoring case; of a list, another document must have all items.
    Values that don't parse as the field's type never count as duplicates. ``others`` are the future index
    entries of documents not yet indexed, by document id.
    """

    def __init__(
        self,
        session: Session,
        parser_id: str,
        document_id: str,
        others: Mapping[str, Entries] | None = None,
    ) -> None:
        self._session = session
        self._parser_id = parser_id
        self._document_id = document_id
        self._others = others or {}
        self.missed: set[tuple[int, frozenset[str]]] = set()

    def __call__(self, target: ConditionTarget, value: Any) -> bool:
        values = frozenset(cell_entries(target.kind, value) - {INCOMPARABLE})
        if not values or target.field_id is None:
            return False
        key = field_key(self._parser_id, target.ref, target.kind)
        entries = {(key, entry) for entry in values}
        if any(
            entries <= theirs
            for document_id, theirs in self._others.items()
            if document_id != self._document_id
        ):
            return True
        if is_any_duplicate(self._session, self._document_id, [(key, values)]):
            return True
        self.missed.add((key, values))
        return False


def is_any_duplicate(
    session: Session, document_id: str, keys: Collection[tuple[int, frozenset[str]]]
) -> bool:
    """Return whether another document has, under a key, all values of one of ``keys``."""
    single: dict[int, list[str]] = {}
    for key, texts in keys:
        if len(texts) == 1:
            single.setdefault(key, []).extend(texts)
        elif session.scalar(
            _having(document_id, key, sorted(texts))
            .group_by(SearchValue.number)
            .having(func.count() == len(texts))
            .limit(1)
        ):
            return True
    return any(
        session.scalar(_having(document_id, key, some).limit(1)) is not None
        for key, texts in single.items()
        for some in chunks(texts)
    )


def _having(document_id: str, key: int, texts: Sequence[str]) -> Select[int]:
    return (
        select(SearchValue.number)
        .join(SearchEntry, SearchEntry.number == SearchValue.number)
        .where(SearchValue.key == key, SearchValue.value.in_(texts), SearchEntry.document_id != document_id)
    )

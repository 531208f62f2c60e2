"""Keeping the index of documents current, within the transaction of the change itself.

What the index holds of a document is computed before that transaction, from the document as it was read, and
the transaction checks that it has not changed since: other writers wait for each transaction.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam, delete, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from docduck.catalog.models import (
    Document,
    DocumentResult,
    Parser,
    SearchEntry,
    SearchShape,
    SearchText,
    SearchValue,
)
from docduck.service.parsers import view
from docduck.service.search.entries import (
    Entries,
    Shape,
    body,
    property_entries,
    restored,
    shape_of,
    value_entries,
)

_CHUNK = 500
_TO_BE_DONE = 0
"""The shape of a document that ``upkeep`` has still to index."""
_SQLITE_INSERT = "INSERT OR IGNORE INTO search_values (key, value, number) VALUES (?, ?, ?)"


@dataclass(frozen=True, slots=True)
class Described:
    """What people say of a document, as far as it can be searched."""

    parser_id: str | None
    name: str
    external_id: str | None
    custom: Mapping[str, Any] | None


def described(document: Document) -> Described:
    """What is said of the document now; to be taken before it is changed."""
    return Described(document.parser_id, document.name, document.external_id, document.custom)


def add(session: Session, new: Mapping[str, Described]) -> None:
    """Index the names, external ids and custom data of new documents, by id."""
    _put(session, {document_id: (one, _properties(one)) for document_id, one in new.items()})


def _put(session: Session, new: Mapping[str, tuple[Described, Entries]]) -> None:
    if not new:
        return
    numbers = _numbers(session, new)
    _put_texts(session, [_text(numbers[document_id], one) for document_id, (one, _) in new.items()])
    _insert(session, ((numbers[document_id], entries) for document_id, (_, entries) in new.items()))
    _update(session, SearchEntry, [{"the_number": number, "shape_id": None} for number in numbers.values()])


def redescribe(session: Session, document_id: str, before: Described, after: Described) -> None:
    """Index a document's name, external id and custom data anew."""
    if before == after:
        return
    number, _, shape_id = _entries(session, [document_id])[document_id]
    if shape_id == _TO_BE_DONE:
        return
    old, new = _properties(before), _properties(after)
    _remove(session, [(number, old - new)])
    _insert(session, [(number, new - old)])
    text = _text(number, after)
    session.execute(
        update(SearchText)
        .where(SearchText.number == number)
        .values(name=text["name"], external_id=text["external_id"])
    )


@dataclass(frozen=True, slots=True)
class NewValues:
    """What the index is to hold of a document's values; a pure function of them and their fields."""

    shape: Shape
    body: str
    entries: Entries

    @classmethod
    def of(cls, shape: Shape, values: Mapping[str, Any]) -> NewValues:
        """Compute what the index holds of ``values``, which are by field id."""
        return cls(shape, body(shape, values), value_entries(shape, values))


@dataclass(frozen=True, slots=True)
class KnownValues:
    """What the index holds of a document's values, computed from them when they had this ``version``."""

    version: tuple[Any, ...]
    entries: Entries


def known_values(session: Session, document_ids: Collection[str]) -> dict[str, KnownValues]:
    """Return what the index holds of the values of documents, by id; those without values are left out.

    It takes time in proportion to the values, so it belongs before the transaction that changes them, which
    must then ask ``changed``.
    """
    rows = list(_each(session, _VERSIONS.add_columns(DocumentResult.values.label("values_")), document_ids))
    shapes = _shapes(session, {row.shape_id for row in rows if row.shape_id})
    return {
        row.document_id: KnownValues(
            _version(row),
            value_entries(shapes[row.shape_id], row.values_) if row.shape_id else _NO_ENTRIES,
        )
        for row in rows
    }


def changed(session: Session, document_ids: Collection[str], known: Mapping[str, KnownValues]) -> set[str]:
    """Return the documents whose values, or what the index holds of them, are not those of ``known``."""
    now = {row.document_id: _version(row) for row in _each(session, _VERSIONS, document_ids)}
    before = {one: known[one].version for one in document_ids if one in known}
    return {one for one in document_ids if now.get(one) != before.get(one)}


def replace_values(session: Session, known: Mapping[str, KnownValues], new: Mapping[str, NewValues]) -> None:
    """Index ``new`` values of documents, by id, in place of those that are ``known``."""
    entries = _entries(session, {**known, **new})
    shapes: dict[int, Shape] = {}
    texts, marks = [], []
    out, into = [], []
    for document_id, (number, parser_id, shape_id) in entries.items():
        if shape_id == _TO_BE_DONE:
            continue
        old, then = known.get(document_id), new.get(document_id) if parser_id else None
        gone, come = old.entries if old else _NO_ENTRIES, then.entries if then else _NO_ENTRIES
        out.append((number, gone - come))
        into.append((number, come - gone))
        texts.append({"the_number": number, "body": then.body if then else ""})
        marks.append({"the_number": number, "shape_id": then.shape.id if then else None})
        if then:
            shapes[then.shape.id] = then.shape
    for shape in shapes.values():
        _keep(session, shape)
    _remove(session, out)
    _insert(session, into)
    _update(session, SearchText, texts)
    _update(session, SearchEntry, marks)


@dataclass(frozen=True, slots=True)
class KnownDocuments:
    """What the index holds of documents: of what is said of them, by id, and of their values."""

    described: Mapping[str, tuple[Described, Entries]]
    values: Mapping[str, KnownValues]

    def changed(self, session: Session, documents: Collection[Document]) -> set[str]:
        """Return the ids of documents that are not as they were, or were not there."""
        others = {one.id for one in documents if self.described.get(one.id, _NOBODY)[0] != described(one)}
        return others | changed(session, [one.id for one in documents], self.values)


def known_documents(session: Session, document_ids: Collection[str]) -> KnownDocuments:
    """Return what the index holds of documents, for ``remove`` in a later transaction."""
    columns = (Document.id, Document.parser_id, Document.name, Document.external_id, Document.custom)
    found: dict[str, tuple[Described, Entries]] = {}
    for chunk in _chunks(document_ids):
        for row in session.execute(select(*columns).where(Document.id.in_(chunk))):
            one = Described(row.parser_id, row.name, row.external_id, row.custom)
            found[row.id] = (one, _properties(one))
    return KnownDocuments(found, known_values(session, document_ids))


def remove(session: Session, known: KnownDocuments, document_ids: Collection[str]) -> None:
    """Take documents out of the index that are about to be deleted, and that have not ``changed``."""
    replace_values(session, {one: known.values[one] for one in document_ids if one in known.values}, {})
    numbers = _numbers(session, document_ids)
    _remove(session, [(numbers[one], known.described[one][1]) for one in document_ids])


@dataclass(frozen=True, slots=True)
class Renewal:
    """Documents that are to be indexed from the start: as they are, and what the index is to hold."""

    known: KnownDocuments
    values: Mapping[str, NewValues]


def prepare_renewal(session: Session, document_ids: Collection[str]) -> Renewal:
    """Compute all that ``renew`` writes, from documents as they are now."""
    known = known_documents(session, document_ids)
    results = select(
        SearchEntry.document_id, SearchEntry.parser_id, DocumentResult.values.label("values_")
    ).join(DocumentResult, DocumentResult.document_id == SearchEntry.document_id)
    shapes: dict[str, Shape] = {}
    values: dict[str, NewValues] = {}
    for document_id, parser_id, read in _each(session, results, known.values):
        if parser_id is None:
            continue
        if parser_id not in shapes:
            parser = session.get(Parser, parser_id)
            shapes[parser_id] = shape_of(parser_id, view(parser).fields if parser else ())
        values[document_id] = NewValues.of(shapes[parser_id], read)
    return Renewal(known, values)


def renew(session: Session, renewal: Renewal) -> int:
    """Index documents anew that have not changed since ``renewal`` was prepared; return how many."""
    documents = {one.id: one for one in _documents(session, renewal.known.described)}
    for one in renewal.known.changed(session, list(documents.values())):
        del documents[one]
    known = {one: renewal.known.values[one] for one in documents if one in renewal.known.values}
    replace_values(session, known, {})
    _put(session, {one: renewal.known.described[one] for one in documents})
    replace_values(session, {}, {one: renewal.values[one] for one in documents if one in renewal.values})
    return len(documents)


_NO_ENTRIES: Entries = frozenset()
_NOBODY: tuple[None, Entries] = (None, _NO_ENTRIES)
_VERSIONS = select(
    SearchEntry.document_id,
    SearchEntry.shape_id,
    DocumentResult.attempt,
    DocumentResult.updated_at,
).join(DocumentResult, DocumentResult.document_id == SearchEntry.document_id)


def _documents(session: Session, ids: Collection[str]) -> list[Document]:
    wanted = sorted(ids)
    return [
        document
        for start in range(0, len(wanted), _CHUNK)
        for document in session.scalars(
            select(Document)
            .where(Document.id.in_(wanted[start : start + _CHUNK]))
            .order_by(Document.id)
            .with_for_update()
        )
    ]


def _put_texts(session: Session, texts: Sequence[Mapping[str, Any]]) -> None:
    statement = _dialect(session).insert(SearchText)
    columns = ("name", "external_id", "body")
    session.connection().execute(
        statement.on_conflict_do_update(
            index_elements=["number"], set_={name: statement.excluded[name] for name in columns}
        ),
        texts,
    )


def _dialect(session: Session) -> Any:
    return postgresql if session.get_bind().dialect.name == "postgresql" else sqlite


def _properties(one: Described) -> Entries:
    if one.parser_id is None:
        return _NO_ENTRIES
    return property_entries(one.parser_id, one.name, one.external_id, one.custom)


def _text(number: int, one: Described) -> dict[str, Any]:
    return {
        "number": number,
        "name": one.name.casefold(),
        "external_id": (one.external_id or "").casefold(),
        "body": "",
    }


def _entries(session: Session, ids: Collection[str]) -> dict[str, tuple[int, str | None, int | None]]:
    statement = select(
        SearchEntry.document_id, SearchEntry.number, SearchEntry.parser_id, SearchEntry.shape_id
    )
    return {row[0]: (row[1], row[2], row[3]) for row in _each(session, statement, ids)}


def _numbers(session: Session, ids: Collection[str]) -> dict[str, int]:
    return {document_id: entry[0] for document_id, entry in _entries(session, ids).items()}


def _chunks(ids: Collection[str]) -> Iterable[list[str]]:
    wanted = list(ids)
    for start in range(0, len(wanted), _CHUNK):
        yield wanted[start : start + _CHUNK]


def _version(row: Any) -> tuple[Any, ...]:
    return row.shape_id, row.attempt, row.updated_at


def _each(session: Session, statement: Any, ids: Collection[str]) -> Iterable[Any]:
    for chunk in _chunks(ids):
        yield from session.execute(statement.where(SearchEntry.document_id.in_(chunk))).all()


def _shapes(session: Session, ids: Collection[int]) -> dict[int, Shape]:
    rows = session.execute(
        select(SearchShape.id, SearchShape.parser_id, SearchShape.fields).where(SearchShape.id.in_(ids))
    )
    return {row.id: restored(row.parser_id, row.fields) for row in rows}


def _keep(session: Session, shape: Shape) -> None:
    statement = _dialect(session).insert(SearchShape).on_conflict_do_nothing()
    session.connection().execute(
        statement, [{"id": shape.id, "parser_id": shape.parser_id, "fields": shape.as_json()}]
    )


def _insert(session: Session, found: Iterable[tuple[int, Entries]]) -> None:
    rows = sorted((key, value, number) for number, entries in found for key, value in entries)
    if not rows:
        return
    if session.get_bind().dialect.name == "sqlite":
        # Some fifty rows for each document: the driver alone takes them in half the time.
        session.connection().exec_driver_sql(_SQLITE_INSERT, rows)
        return
    session.connection().execute(
        postgresql.insert(SearchValue).on_conflict_do_nothing(),
        [{"key": key, "value": value, "number": number} for key, value, number in rows],
    )


def _remove(session: Session, found: Iterable[tuple[int, Entries]]) -> None:
    rows = sorted((key, value, number) for number, entries in found for key, value in entries)
    if not rows:
        return
    table = SearchValue.__table__
    session.connection().execute(
        delete(SearchValue).where(
            table.c.key == bindparam("the_key"),
            table.c.value == bindparam("the_value"),
            table.c.number == bindparam("the_number"),
        ),
        [{"the_key": key, "the_value": value, "the_number": number} for key, value, number in rows],
    )


def _update(session: Session, model: Any, rows: Sequence[Mapping[str, Any]]) -> None:
    if not rows:
        return
    columns = [name for name in rows[0] if name != "the_number"]
    table = model.__table__
    session.connection().execute(
        update(table)
        .where(table.c.number == bindparam("the_number"))
        .values({name: bindparam(f"new_{name}") for name in columns}),
        [{"the_number": row["the_number"], **{f"new_{name}": row[name] for name in columns}} for row in rows],
    )

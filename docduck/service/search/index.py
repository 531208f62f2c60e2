"""Keeping the index of documents current, within the transaction of the change itself.

What the index holds of a document is computed before that transaction, from the document as it was read, and
the transaction checks that it has not changed since: other writers wait for each transaction.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from sqlalchemy import TextClause, bindparam, delete, select, text, update
from sqlalchemy.orm import Session

from docduck.catalog.json_text import json_text
from docduck.catalog.models import (
    Document,
    DocumentResult,
    Parser,
    PendingText,
    SearchEntry,
    SearchShape,
    SearchText,
)
from docduck.catalog.upsert import insert_missing, upsert
from docduck.service.parsers.parsers import view
from docduck.service.search.entries import (
    Entries,
    IndexSchema,
    body,
    custom_entries,
    property_entries,
    restored,
    shape_of,
    value_entries,
)

T = TypeVar("T")

_CHUNK = 500
TO_BE_DONE = 0
"""The shape of a document that ``upkeep`` has still to index."""
LONG_TEXT = 250_000
"""Characters of what was read from which on it is indexed in transactions of its own (``long_texts``)."""

# The entries of a document under a key in one statement, from JSON: the driver takes the interpreter's lock
# anew for each row of parameters, and other threads may keep it from the transaction for as long.
_INSERT = {
    "sqlite": text("""
INSERT OR IGNORE INTO search_values (key, value, number)
SELECT :key, value, :number FROM json_each(:entries)"""),
    "postgresql": text("""
INSERT INTO search_values (key, value, number)
SELECT :key, value, :number FROM json_array_elements_text(CAST(:entries AS json)) AS entry(value)
ON CONFLICT DO NOTHING"""),
}
_DELETE = {
    "sqlite": text("""
DELETE FROM search_values
WHERE key = :key AND number = :number AND value IN (SELECT value FROM json_each(:entries))"""),
    "postgresql": text("""
DELETE FROM search_values
WHERE key = :key AND number = :number
AND value IN (SELECT entry.value FROM json_array_elements_text(CAST(:entries AS json)) AS entry(value))"""),
}
Rows = tuple[tuple[int, str], ...]
"""Entries of a document as they are written: the values under each key, as JSON."""


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
    customs = {id(one.custom): one for one in new.values()}
    # Those that come together often have the same custom data.
    rows = {key: _rows(_custom(one)) for key, one in customs.items()}
    _put(
        session,
        {
            document_id: (one, _rows(_properties(replace(one, custom=None))) + rows[id(one.custom)])
            for document_id, one in new.items()
        },
    )


def _put(session: Session, new: Mapping[str, tuple[Described, Rows]]) -> None:
    if not new:
        return
    numbers = _numbers(session, new)
    _put_texts(session, [_text(numbers[document_id], one) for document_id, (one, _) in new.items()])
    _write(session, _INSERT, ((numbers[document_id], rows) for document_id, (_, rows) in new.items()))
    _update(session, SearchEntry, [{"the_number": number, "shape_id": None} for number in numbers.values()])


@dataclass(frozen=True, slots=True)
class Redescription:
    """What is to be written when what people say of a document changes."""

    before: Described
    after: Described
    gone: Rows
    come: Rows

    @classmethod
    def of(cls, before: Described, after: Described) -> Redescription:
        """Compute what changes; custom data that changes takes time, and belongs before the transaction."""
        first, then = before, after
        if before.parser_id == after.parser_id and before.custom == after.custom:
            first, then = replace(before, custom=None), replace(after, custom=None)
        old, new = _properties(first), _properties(then)
        return cls(before, after, _rows(old - new), _rows(new - old))


def redescribe(session: Session, document_id: str, change: Redescription) -> None:
    """Index a document's name, external id and custom data anew."""
    if change.before == change.after:
        return
    number, _, shape_id = _entries(session, [document_id])[document_id]
    if shape_id == TO_BE_DONE:
        return
    _write(session, _DELETE, [(number, change.gone)])
    _write(session, _INSERT, [(number, change.come)])
    texts = _text(number, change.after)
    session.execute(
        update(SearchText)
        .where(SearchText.number == number)
        .values(name=texts["name"], external_id=texts["external_id"])
    )


@dataclass(frozen=True, slots=True)
class NewValues:
    """What the index is to hold of a document's values; a pure function of them and their fields."""

    shape: IndexSchema
    body: str
    entries: Entries

    @classmethod
    def of(cls, shape: IndexSchema, values: Mapping[str, Any]) -> NewValues:
        """Compute what the index holds of ``values``, which are by field id."""
        return cls(shape, body(shape, values), value_entries(shape, values))


@dataclass(frozen=True, slots=True)
class KnownValues:
    """What the index holds of a document's values, computed from them when they had this ``version``."""

    version: tuple[Any, ...]
    entries: Entries
    body: str


@dataclass(frozen=True, slots=True)
class Replacement:
    """What is to be written to replace a document's values in the index.

    ``body`` is None where it stays as it is, and ``is_long`` if replacing it takes time.
    """

    gone: Rows
    come: Rows
    body: str | None
    is_long: bool
    shape: IndexSchema | None


def replacements(known: Mapping[str, KnownValues], new: Mapping[str, NewValues]) -> dict[str, Replacement]:
    """Compute what ``replace_values`` writes to put ``new`` values of documents in place of the ``known``."""
    return {one: _replacement(known.get(one), new.get(one)) for one in {**known, **new}}


def _replacement(known: KnownValues | None, new: NewValues | None) -> Replacement:
    old, then = known.entries if known else _NO_ENTRIES, new.entries if new else _NO_ENTRIES
    was, body_ = known.body if known else "", new.body if new else ""
    return Replacement(
        _rows(old - then),
        _rows(then - old),
        None if was == body_ else body_,
        max(len(was), len(body_)) > LONG_TEXT,
        new.shape if new else None,
    )


def known_values(session: Session, document_ids: Collection[str]) -> dict[str, KnownValues]:
    """Return what the index holds of the values of documents, by id; those without values are left out.

    It takes time in proportion to the values, so it belongs before the transaction that changes them, which
    must then ask ``changed``.
    """
    columns = (DocumentResult.values.label("values_"), SearchText.body)
    statement = _VERSIONS.add_columns(*columns).outerjoin(SearchText, SearchText.number == SearchEntry.number)
    rows = list(_each(session, statement, document_ids))
    shapes = _shapes(session, {row.shape_id for row in rows if row.shape_id})
    return {
        row.document_id: KnownValues(
            _version(row),
            value_entries(shapes[row.shape_id], row.values_) if row.shape_id else _NO_ENTRIES,
            row.body or "",
        )
        for row in rows
    }


def changed(session: Session, document_ids: Collection[str], known: Mapping[str, KnownValues]) -> set[str]:
    """Return the documents whose values, or what the index holds of them, are not those of ``known``."""
    now = {row.document_id: _version(row) for row in _each(session, _VERSIONS, document_ids)}
    before = {one: known[one].version for one in document_ids if one in known}
    return {one for one in document_ids if now.get(one) != before.get(one)}


def replace_values(session: Session, replaced: Mapping[str, Replacement]) -> None:
    """Replace the values of documents, by id, in the index.

    Long texts are only noted to be replaced: ``long_texts.write`` does that, in transactions of its own.
    """
    shapes: dict[int, IndexSchema] = {}
    texts, marks, pending = [], [], []
    written: list[int] = []
    out, into = [], []
    for document_id, (number, parser_id, shape_id) in _entries(session, replaced).items():
        if shape_id == TO_BE_DONE or parser_id is None:
            continue
        one = replaced[document_id]
        out.append((number, one.gone))
        into.append((number, one.come))
        if one.body is not None and one.is_long:
            pending.append({"number": number, "parser_id": parser_id})
        elif one.body is not None:
            texts.append({"the_number": number, "body": one.body})
            written.append(number)
        marks.append({"the_number": number, "shape_id": one.shape.id if one.shape else None})
        if one.shape:
            shapes[one.shape.id] = one.shape
    for shape in shapes.values():
        _keep(session, shape)
    _write(session, _DELETE, out)
    _write(session, _INSERT, into)
    _update(session, SearchText, texts)
    _update(session, SearchEntry, marks)
    _forget_pending(session, written)
    if pending:
        insert_missing(session, PendingText, pending)


@dataclass(frozen=True, slots=True)
class KnownDocuments:
    """What the index holds of documents, by id: of what is said of them, of their values, and all entries."""

    described: Mapping[str, tuple[Described, Rows]]
    values: Mapping[str, KnownValues]
    rows: Mapping[str, Rows]

    def changed(self, session: Session, documents: Collection[Document]) -> set[str]:
        """Return the ids of documents that are not as they were, or were not there."""
        others = {one.id for one in documents if self.described.get(one.id, _NOBODY)[0] != described(one)}
        return others | changed(session, [one.id for one in documents], self.values)


def known_documents(session: Session, document_ids: Collection[str]) -> KnownDocuments:
    """Return what the index holds of documents, for ``remove`` in a later transaction."""
    columns = (Document.id, Document.parser_id, Document.name, Document.external_id, Document.custom)
    values = known_values(session, document_ids)
    found: dict[str, tuple[Described, Rows]] = {}
    rows: dict[str, Rows] = {}
    for chunk in _chunks(document_ids):
        for row in session.execute(select(*columns).where(Document.id.in_(chunk))):
            one = Described(row.parser_id, row.name, row.external_id, row.custom)
            entries = _properties(one)
            found[row.id] = (one, _rows(entries))
            rows[row.id] = _rows(entries | values[row.id].entries if row.id in values else entries)
    return KnownDocuments(found, values, rows)


def remove(session: Session, known: KnownDocuments, document_ids: Collection[str]) -> None:
    """Take documents out of the index that are about to be deleted, and that have not ``changed``.

    Their texts go with them, by triggers of the database.
    """
    numbers = _numbers(session, document_ids)
    _write(session, _DELETE, [(numbers[one], known.rows[one]) for one in document_ids])
    _forget_pending(session, numbers.values())


@dataclass(frozen=True, slots=True)
class Renewal:
    """Documents that are to be indexed from the start: as they are, and what the index is to hold."""

    known: KnownDocuments
    values: Mapping[str, Replacement]


def prepare_renewal(session: Session, document_ids: Collection[str]) -> Renewal:
    """Compute all that ``renew`` writes, from documents as they are now."""
    known = known_documents(session, document_ids)
    results = select(
        SearchEntry.document_id, SearchEntry.parser_id, DocumentResult.values.label("values_")
    ).join(DocumentResult, DocumentResult.document_id == SearchEntry.document_id)
    shapes: dict[str, IndexSchema] = {}
    values: dict[str, NewValues] = {}
    for document_id, parser_id, read in _each(session, results, known.values):
        if parser_id is None:
            continue
        if parser_id not in shapes:
            parser = session.get(Parser, parser_id)
            shapes[parser_id] = shape_of(parser_id, view(parser).fields if parser else ())
        values[document_id] = NewValues.of(shapes[parser_id], read)
    # All entries are taken out before, and the text is written anew.
    none = {one: replace(old, entries=_NO_ENTRIES, body="") for one, old in known.values.items()}
    return Renewal(known, replacements(none, values))


def renew(session: Session, renewal: Renewal) -> int:
    """Index documents anew that have not changed since ``renewal`` was prepared; return how many."""
    documents = {one.id: one for one in _documents(session, renewal.known.described)}
    for one in renewal.known.changed(session, list(documents.values())):
        del documents[one]
    numbers = _numbers(session, documents)
    _write(session, _DELETE, [(numbers[one], renewal.known.rows[one]) for one in documents])
    _put(session, {one: renewal.known.described[one] for one in documents})
    replace_values(session, {one: renewal.values[one] for one in documents if one in renewal.values})
    return len(documents)


_NO_ENTRIES: Entries = frozenset()
_NOBODY: tuple[None, Entries] = (None, _NO_ENTRIES)
_VERSIONS = select(
    SearchEntry.document_id,
    SearchEntry.shape_id,
    DocumentResult.attempt,
    DocumentResult.updated_at,
    PendingText.number.is_not(None).label("is_pending"),
)
_VERSIONS = _VERSIONS.join(DocumentResult, DocumentResult.document_id == SearchEntry.document_id).outerjoin(
    PendingText, PendingText.number == SearchEntry.number
)


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
    upsert(session, SearchText, texts, ["number"], replace=["name", "external_id", "body"])


def _properties(one: Described) -> Entries:
    if one.parser_id is None:
        return _NO_ENTRIES
    return property_entries(one.parser_id, one.name, one.external_id, one.custom)


def _custom(one: Described) -> Entries:
    return custom_entries(one.parser_id, one.custom) if one.parser_id is not None else _NO_ENTRIES


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


def _forget_pending(session: Session, numbers: Collection[int]) -> None:
    for chunk in _chunks(numbers):
        session.execute(delete(PendingText).where(PendingText.number.in_(chunk)))


def _chunks(ids: Collection[T]) -> Iterable[list[T]]:
    wanted = list(ids)
    for start in range(0, len(wanted), _CHUNK):
        yield wanted[start : start + _CHUNK]


def _version(row: Any) -> tuple[Any, ...]:
    return row.shape_id, row.attempt, row.updated_at, row.is_pending


def _each(session: Session, statement: Any, ids: Collection[str]) -> Iterable[Any]:
    for chunk in _chunks(ids):
        yield from session.execute(statement.where(SearchEntry.document_id.in_(chunk))).all()


def _shapes(session: Session, ids: Collection[int]) -> dict[int, IndexSchema]:
    rows = session.execute(
        select(SearchShape.id, SearchShape.parser_id, SearchShape.fields).where(SearchShape.id.in_(ids))
    )
    return {row.id: restored(row.parser_id, row.fields) for row in rows}


def _keep(session: Session, shape: IndexSchema) -> None:
    row = {"id": shape.id, "parser_id": shape.parser_id, "fields": shape.as_json()}
    insert_missing(session, SearchShape, [row])


def _rows(entries: Entries) -> Rows:
    by_key: dict[int, list[str]] = {}
    for key, value in entries:
        by_key.setdefault(key, []).append(value)
    return tuple((key, json_text(sorted(values))) for key, values in sorted(by_key.items()))


def _write(session: Session, statements: Mapping[str, TextClause], found: Iterable[tuple[int, Rows]]) -> None:
    """Run a statement for the entries of each document, by number."""
    rows = [
        {"key": key, "number": number, "entries": entries}
        for number, rows in sorted(found)
        for key, entries in rows
    ]
    if rows:
        session.connection().execute(statements[session.get_bind().dialect.name], rows)


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

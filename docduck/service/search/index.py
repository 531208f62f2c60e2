"""Keeping the index of documents current, within the transaction of the change itself."""

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
from docduck.fields import Field
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
    if not new:
        return
    numbers = _numbers(session, new)
    _put_texts(session, [_text(numbers[document_id], one) for document_id, one in new.items()])
    _insert(session, ((numbers[key], _properties(one)) for key, one in new.items()))
    _update(session, SearchEntry, [{"the_number": number, "shape_id": None} for number in numbers.values()])


def redescribe(session: Session, document_id: str, before: Described, after: Described) -> None:
    """Index a document's name, external id and custom data anew."""
    if before == after:
        return
    number, _, shape_id = _entries(session, [document_id])[document_id]
    if shape_id == 0:
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


def add_values(session: Session, fields: Sequence[Field], new: Mapping[str, Mapping[str, Any]]) -> None:
    """Index the values of documents of one parser, by document id; none of them has indexed values."""
    if not new:
        return
    entries = _entries(session, new)
    shapes: dict[str, Shape] = {}
    texts, found, marks = [], [], []
    for document_id, values in new.items():
        number, parser_id, shape_id = entries[document_id]
        if parser_id is None or shape_id == 0:
            continue
        if parser_id not in shapes:
            shapes[parser_id] = shape_of(parser_id, fields)
        shape = shapes[parser_id]
        texts.append({"the_number": number, "body": body(shape, values)})
        found.append((number, value_entries(shape, values)))
        marks.append({"the_number": number, "shape_id": shape.id})
    for shape in shapes.values():
        _keep(session, shape)
    _insert(session, found)
    _update(session, SearchText, texts)
    _update(session, SearchEntry, marks)


def remove_values(session: Session, document_ids: Collection[str]) -> None:
    """Take the values of documents out of the index; to be called before they are changed or deleted."""
    numbers = {
        number: (parser_id, shape_id, values)
        for number, parser_id, shape_id, values in _each(
            session,
            select(SearchEntry.number, SearchEntry.parser_id, SearchEntry.shape_id, DocumentResult.values)
            .join(DocumentResult, DocumentResult.document_id == SearchEntry.document_id)
            .where(SearchEntry.shape_id.is_not(None), SearchEntry.shape_id != 0),
            document_ids,
        )
    }
    if not numbers:
        return
    shapes = _shapes(session, {shape_id for _, shape_id, _ in numbers.values()})
    _remove(
        session,
        [
            (number, value_entries(shapes[shape_id], values))
            for number, (_, shape_id, values) in numbers.items()
        ],
    )
    _update(session, SearchText, [{"the_number": number, "body": ""} for number in numbers])
    _update(session, SearchEntry, [{"the_number": number, "shape_id": None} for number in numbers])


def renew(session: Session, document_ids: Collection[str]) -> None:
    """Index documents from the start, whatever is in the index of them."""
    documents = {one.id: one for one in _documents(session, document_ids)}
    remove_values(session, documents)
    add(session, {key: described(one) for key, one in documents.items()})
    by_parser: dict[str, dict[str, Any]] = {}
    results = select(DocumentResult.document_id, DocumentResult.values).join(
        SearchEntry, SearchEntry.document_id == DocumentResult.document_id
    )
    for document_id, values in _each(session, results, documents):
        if parser_id := documents[document_id].parser_id:
            by_parser.setdefault(parser_id, {})[document_id] = values
    for parser_id, new in by_parser.items():
        parser = session.get(Parser, parser_id)
        add_values(session, view(parser).fields if parser else (), new)


def remove(session: Session, documents: Collection[Document]) -> None:
    """Take documents out of the index that are about to be deleted."""
    remove_values(session, [document.id for document in documents])
    numbers = _numbers(session, [document.id for document in documents])
    _remove(session, [(numbers[one.id], _properties(described(one))) for one in documents])


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
        return set()
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


def _each(session: Session, statement: Any, ids: Collection[str]) -> Iterable[Any]:
    wanted = list(ids)
    for start in range(0, len(wanted), _CHUNK):
        chunk = wanted[start : start + _CHUNK]
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

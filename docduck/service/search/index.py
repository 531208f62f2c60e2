"""Keeping the index of documents up to date, in the transaction of each change.

What to write is computed before the transaction; the transaction then checks that the document has not
changed since (see ``core/transactions``).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from docduck.catalog.models import (
    Document,
    DocumentResult,
    PendingText,
    SearchEntry,
    SearchText,
)
from docduck.catalog.upsert import insert_missing
from docduck.service.search.entries import (
    Entries,
    IndexSchema,
    custom_entries,
    property_entries,
    value_entries,
    values_text,
)
from docduck.service.search.index_tables import (
    DELETE,
    INSERT,
    NO_ENTRIES,
    Rows,
    delete_pending,
    each_entry,
    entries_of,
    keep_schema,
    numbers_of,
    rows_to_write,
    schemas_by_id,
    write_texts,
    write_values,
)

NOT_INDEXED = 0
"""The schema id of documents that ``upkeep`` has yet to index."""
EXPIRED = -1
"""The schema id of documents whose values have left the index (``expiry``)."""
LONG_TEXT = 250_000
"""Length in characters from which a document's text is indexed in a separate transaction (``long_texts``)."""


@dataclass(frozen=True, slots=True)
class Properties:
    """The searchable properties of a document."""

    parser_id: str | None
    name: str
    external_id: str | None
    custom: Mapping[str, Any] | None


def properties_of(document: Document) -> Properties:
    """Return a document's properties; call it before changing them."""
    return Properties(document.parser_id, document.name, document.external_id, document.custom)


def add(session: Session, new: Mapping[str, Properties]) -> None:
    """Index the properties of new documents, by id."""
    customs = {id(properties.custom): properties for properties in new.values()}
    # Documents that arrive together often share their custom data.
    rows = {key: rows_to_write(_custom(properties)) for key, properties in customs.items()}
    write_properties(
        session,
        {
            document_id: (
                properties,
                rows_to_write(property_entries_of(replace(properties, custom=None)))
                + rows[id(properties.custom)],
            )
            for document_id, properties in new.items()
        },
    )


def write_properties(session: Session, new: Mapping[str, tuple[Properties, Rows]]) -> None:
    """Write the properties of documents and their entries."""
    if not new:
        return
    numbers = numbers_of(session, new)
    write_texts(
        session, [_text(numbers[document_id], properties) for document_id, (properties, _) in new.items()]
    )
    write_values(session, INSERT, ((numbers[document_id], rows) for document_id, (_, rows) in new.items()))
    rows = [{"number": number, "shape_id": None} for number in numbers.values()]
    session.execute(update(SearchEntry), rows)


@dataclass(frozen=True, slots=True)
class PropertyUpdate:
    """What to write when a document's properties change."""

    before: Properties
    after: Properties
    gone: Rows
    come: Rows

    @classmethod
    def of(cls, before: Properties, after: Properties) -> PropertyUpdate:
        """Compute the update; changes of custom data take time, so do this before the transaction."""
        first, then = before, after
        if before.parser_id == after.parser_id and before.custom == after.custom:
            first, then = replace(before, custom=None), replace(after, custom=None)
        old, new = property_entries_of(first), property_entries_of(then)
        return cls(before, after, rows_to_write(old - new), rows_to_write(new - old))


def update_properties(session: Session, document_id: str, change: PropertyUpdate) -> None:
    """Index a document's changed properties."""
    if change.before == change.after:
        return
    number, _, shape_id = entries_of(session, [document_id])[document_id]
    if shape_id == NOT_INDEXED:
        return
    write_values(session, DELETE, [(number, change.gone)])
    write_values(session, INSERT, [(number, change.come)])
    texts = _text(number, change.after)
    session.execute(
        update(SearchText)
        .where(SearchText.number == number)
        .values(name=texts["name"], external_id=texts["external_id"])
    )


@dataclass(frozen=True, slots=True)
class NewValues:
    """New index content of a document's values."""

    schema: IndexSchema
    text: str
    entries: Entries

    @classmethod
    def of(
        cls, schema: IndexSchema, values: Mapping[str, Any], known: KnownValues | None = None
    ) -> NewValues:
        """Compute the index content of ``values``, given by field id, which is to replace ``known``."""
        indexed = known.schema if known and known.schema else schema
        return cls(schema, values_text(schema, values), value_entries(indexed, values))


@dataclass(frozen=True, slots=True)
class KnownValues:
    """Present index content of a document's values, computed at this ``version``.

    ``schema`` are the fields of which there are ``entries``, if not all.
    """

    version: tuple[Any, ...]
    entries: Entries
    text: str
    schema: IndexSchema | None = None


@dataclass(frozen=True, slots=True)
class Replacement:
    """What to write to replace a document's values in the index.

    ``text`` is None if unchanged; ``is_long`` if writing it takes time.
    """

    gone: Rows
    come: Rows
    text: str | None
    is_long: bool
    schema: IndexSchema | None


def replacements(known: Mapping[str, KnownValues], new: Mapping[str, NewValues]) -> dict[str, Replacement]:
    """Compute the replacement of each document's ``known`` values by its ``new`` ones."""
    return {
        document_id: _replacement(known.get(document_id), new.get(document_id))
        for document_id in {**known, **new}
    }


def _replacement(known: KnownValues | None, new: NewValues | None) -> Replacement:
    old, then = known.entries if known else NO_ENTRIES, new.entries if new else NO_ENTRIES
    old_text, new_text = known.text if known else "", new.text if new else ""
    return Replacement(
        rows_to_write(old - then),
        rows_to_write(then - old),
        None if old_text == new_text else new_text,
        max(len(old_text), len(new_text)) > LONG_TEXT,
        new.schema if new else None,
    )


def known_values(
    session: Session,
    document_ids: Collection[str],
    changing: Collection[str] | None = None,
    schema: IndexSchema | None = None,
) -> dict[str, KnownValues]:
    """Return the index content of documents' values, by id; documents without values are omitted.

    Where the index has ``schema`` already, entries of the fields with ids in ``changing`` suffice. It takes
    time, so do this before the transaction, and there call ``changed_values``.
    """
    columns = (DocumentResult.values.label("values_"), SearchText.body)
    statement = _VERSIONS.add_columns(*columns).outerjoin(SearchText, SearchText.number == SearchEntry.number)
    rows = list(each_entry(session, statement, document_ids))
    schemas = schemas_by_id(session, {row.shape_id for row in rows if row.shape_id})
    part = schema.part(changing) if schema and changing is not None else None

    def known(row: Any) -> KnownValues:
        indexed = schemas.get(row.shape_id)
        smaller = part if indexed == schema else None
        entries = value_entries(smaller or indexed, row.values_) if indexed else NO_ENTRIES
        return KnownValues(_version(row), entries, row.body or "", smaller)

    return {row.document_id: known(row) for row in rows}


def changed_values(
    session: Session, document_ids: Collection[str], known: Mapping[str, KnownValues]
) -> set[str]:
    """Return the documents whose values or index content differ from ``known``."""
    now = {row.document_id: _version(row) for row in each_entry(session, _VERSIONS, document_ids)}
    before = {document_id: known[document_id].version for document_id in document_ids if document_id in known}
    return {document_id for document_id in document_ids if now.get(document_id) != before.get(document_id)}


def replace_values(session: Session, replaced: Mapping[str, Replacement]) -> None:
    """Replace the values of documents, by id, in the index.

    Long texts are left to ``long_texts.write_pending``, in transactions of their own.
    """
    schemas: dict[int, IndexSchema] = {}
    texts, marks, pending = [], [], []
    written: list[int] = []
    out, into = [], []
    for document_id, (number, parser_id, shape_id) in entries_of(session, replaced).items():
        if shape_id == NOT_INDEXED or parser_id is None:
            continue
        replacement = replaced[document_id]
        out.append((number, replacement.gone))
        into.append((number, replacement.come))
        if replacement.text is not None and replacement.is_long:
            pending.append({"number": number, "parser_id": parser_id})
        elif replacement.text is not None:
            texts.append({"number": number, "body": replacement.text})
            written.append(number)
        marks.append({"number": number, "shape_id": replacement.schema.id if replacement.schema else None})
        if replacement.schema:
            schemas[replacement.schema.id] = replacement.schema
    for schema in schemas.values():
        keep_schema(session, schema)
    write_values(session, DELETE, out)
    write_values(session, INSERT, into)
    for table, rows in ((SearchText, texts), (SearchEntry, marks)):
        if rows:
            session.execute(update(table), rows)
    delete_pending(session, written)
    if pending:
        insert_missing(session, PendingText, pending)


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


def property_entries_of(properties: Properties) -> Entries:
    """Return the entries of a document's properties."""
    if properties.parser_id is None:
        return NO_ENTRIES
    return property_entries(properties.parser_id, properties.name, properties.external_id, properties.custom)


def _custom(properties: Properties) -> Entries:
    return (
        custom_entries(properties.parser_id, properties.custom)
        if properties.parser_id is not None
        else NO_ENTRIES
    )


def _text(number: int, properties: Properties) -> dict[str, Any]:
    return {
        "number": number,
        "name": properties.name.casefold(),
        "external_id": (properties.external_id or "").casefold(),
        "body": "",
    }


def _version(row: Any) -> tuple[Any, ...]:
    return row.shape_id, row.attempt, row.updated_at, row.is_pending

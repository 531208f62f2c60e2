"""Removing documents from the index, and indexing documents from scratch."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck.catalog.models import (
    Document,
    DocumentResult,
    Parser,
    SearchEntry,
)
from docduck.service.core.pages import chunks
from docduck.service.parsers.parsers import view
from docduck.service.search.entries import (
    Entries,
    IndexSchema,
    index_schema,
)
from docduck.service.search.index import (
    KnownValues,
    NewValues,
    Properties,
    Replacement,
    changed_values,
    known_values,
    properties_of,
    property_entries_of,
    replace_values,
    replacements,
    write_properties,
)
from docduck.service.search.index_tables import (
    DELETE,
    NO_ENTRIES,
    Rows,
    delete_pending,
    each_entry,
    numbers_of,
    rows_to_write,
    write_values,
)


@dataclass(frozen=True, slots=True)
class KnownDocuments:
    """Present index content of documents, by id: their properties, values and all entries."""

    properties: Mapping[str, tuple[Properties, Rows]]
    values: Mapping[str, KnownValues]
    rows: Mapping[str, Rows]

    def changed(self, session: Session, documents: Collection[Document]) -> set[str]:
        """Return the ids of documents that are new or have changed."""
        others = {
            document.id
            for document in documents
            if self.properties.get(document.id, _UNKNOWN)[0] != properties_of(document)
        }
        return others | changed_values(session, [document.id for document in documents], self.values)


def known_documents(session: Session, document_ids: Collection[str]) -> KnownDocuments:
    """Return the index content of documents, for ``remove`` in a later transaction."""
    columns = (Document.id, Document.parser_id, Document.name, Document.external_id, Document.custom)
    values = known_values(session, document_ids)
    known: dict[str, tuple[Properties, Rows]] = {}
    rows: dict[str, Rows] = {}
    for chunk in chunks(document_ids):
        for row in session.execute(select(*columns).where(Document.id.in_(chunk))):
            properties = Properties(row.parser_id, row.name, row.external_id, row.custom)
            entries = property_entries_of(properties)
            known[row.id] = (properties, rows_to_write(entries))
            rows[row.id] = rows_to_write(entries | values[row.id].entries if row.id in values else entries)
    return KnownDocuments(known, values, rows)


def remove(session: Session, known: KnownDocuments, document_ids: Collection[str]) -> None:
    """Remove unchanged documents from the index before they are deleted.

    Database triggers remove their texts.
    """
    numbers = numbers_of(session, document_ids)
    write_values(
        session, DELETE, [(numbers[document_id], known.rows[document_id]) for document_id in document_ids]
    )
    delete_pending(session, numbers.values())


@dataclass(frozen=True, slots=True)
class Relocation:
    """The properties of a document in another parser, and their entries."""

    after: Properties
    rows: Rows

    @classmethod
    def to(cls, after: Properties) -> Relocation:
        """Compute the entries; do this before the transaction."""
        return cls(after, rows_to_write(property_entries_of(after)))


def relocate(session: Session, known: KnownDocuments, moved: Mapping[str, Relocation]) -> None:
    """Index documents that have just moved to other parsers, without values; ``known`` is from before."""
    numbers = numbers_of(session, moved)
    write_values(session, DELETE, [(numbers[document_id], known.rows[document_id]) for document_id in moved])
    delete_pending(session, numbers.values())
    write_properties(session, {document_id: (to.after, to.rows) for document_id, to in moved.items()})


@dataclass(frozen=True, slots=True)
class Renewal:
    """Documents to index from scratch: their present state, and what to write."""

    known: KnownDocuments
    values: Mapping[str, Replacement]


def prepare_renewal(session: Session, document_ids: Collection[str]) -> Renewal:
    """Compute what ``renew`` writes."""
    known = known_documents(session, document_ids)
    results = select(
        SearchEntry.document_id, SearchEntry.parser_id, DocumentResult.values.label("values_")
    ).join(DocumentResult, DocumentResult.document_id == SearchEntry.document_id)
    values = values_to_index(session, each_entry(session, results, known.values))
    # All entries are deleted first, and the text is written again.
    none = {
        document_id: replace(old, entries=NO_ENTRIES, text="") for document_id, old in known.values.items()
    }
    return Renewal(known, replacements(none, values))


def values_to_index(
    session: Session, results: Iterable[tuple[str, str | None, Mapping[str, Any]]]
) -> dict[str, NewValues]:
    """Return the index content of documents by their parsers' present fields.

    ``results`` are the ids of documents and of their parsers, and values by field id.
    """
    schemas: dict[str, IndexSchema] = {}
    values: dict[str, NewValues] = {}
    for document_id, parser_id, read in results:
        if parser_id is None:
            continue
        if parser_id not in schemas:
            parser = session.get(Parser, parser_id)
            schemas[parser_id] = index_schema(parser_id, view(parser).fields if parser else ())
        values[document_id] = NewValues.of(schemas[parser_id], read)
    return values


def renew(session: Session, renewal: Renewal) -> int:
    """Index unchanged documents from scratch; return how many."""
    documents = {document.id: document for document in _documents(session, renewal.known.properties)}
    for document_id in renewal.known.changed(session, list(documents.values())):
        del documents[document_id]
    numbers = numbers_of(session, documents)
    write_values(
        session, DELETE, [(numbers[document], renewal.known.rows[document]) for document in documents]
    )
    write_properties(session, {document: renewal.known.properties[document] for document in documents})
    replace_values(
        session, {document: renewal.values[document] for document in documents if document in renewal.values}
    )
    return len(documents)


_UNKNOWN: tuple[None, Entries] = (None, NO_ENTRIES)


def _documents(session: Session, ids: Collection[str]) -> list[Document]:
    locked = select(Document).order_by(Document.id).with_for_update()
    return [
        document
        for ids in chunks(sorted(ids))
        for document in session.scalars(locked.where(Document.id.in_(ids)))
    ]

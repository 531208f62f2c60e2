"""What keeps lists and searches of documents fast: a narrow entry per document, its texts, its values."""

from __future__ import annotations

import uuid

from sqlalchemy import BigInteger, Index, Integer, Text, Uuid
from sqlalchemy.orm import Mapped, mapped_column

from docduck.catalog.models.base import Base, Bytewise, Created, Json, Ref, Short

NO_FOLDER = str(uuid.UUID(int=0))
"""Stands for no folder in ``document_counts``, whose key can't be null."""

_Number = BigInteger().with_variant(Integer, "sqlite")


class SearchEntry(Base):
    """A document in lists; database triggers keep it up to date with ``documents``.

    ``number`` identifies the document in the other search tables. ``shape_id`` is the schema by which its
    values are indexed: null if it has none, 0 if they are yet to be indexed, -1 if they have left the index.
    """

    __tablename__ = "search_entries"
    __table_args__ = (
        Index("ix_search_entries_parser_id_created_at", "parser_id", "created_at", "number"),
        Index("ix_search_entries_parser_id_status", "parser_id", "status", "created_at", "number"),
        Index("ix_search_entries_parser_id_folder_id", "parser_id", "folder_id", "created_at", "number"),
        Index("ix_search_entries_parser_id_shape_id", "parser_id", "shape_id", "number"),
        {"sqlite_autoincrement": True},
    )

    number: Mapped[int] = mapped_column(_Number, primary_key=True, autoincrement=True)
    document_id: Mapped[Ref] = mapped_column(unique=True)
    parser_id: Mapped[Ref | None]
    folder_id: Mapped[Ref | None]
    status: Mapped[Short]
    created_at: Mapped[Created]
    shape_id: Mapped[int | None] = mapped_column(BigInteger)


class SearchText(Base):
    """A document's case-folded texts; ``body`` has a line per value."""

    __tablename__ = "search_texts"

    number: Mapped[int] = mapped_column(_Number, primary_key=True, autoincrement=False)
    name: Mapped[str] = mapped_column(Text)
    external_id: Mapped[str] = mapped_column(Text)
    body: Mapped[str] = mapped_column(Text)


class PendingText(Base):
    """A document whose long ``body`` in ``search_texts`` is not up to date."""

    __tablename__ = "pending_texts"

    number: Mapped[int] = mapped_column(_Number, primary_key=True, autoincrement=False)
    parser_id: Mapped[Ref] = mapped_column(index=True)


class SearchValue(Base):
    """A value of a document; ``value`` sorts bytewise like the actual value.

    ``key`` is a hash of the parser, the field and the kind of comparison.
    """

    __tablename__ = "search_values"
    __table_args__ = ({"sqlite_with_rowid": False},)

    key: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    value: Mapped[str] = mapped_column(Bytewise, primary_key=True)
    number: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)


class SearchShape(Base):
    """The fields by which values are indexed: ``[[key's field, kind], …]``; ``id`` is their hash."""

    __tablename__ = "search_shapes"

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    parser_id: Mapped[Ref] = mapped_column(index=True)
    fields: Mapped[Json]


class DocumentCount(Base):
    """The number of documents by parser, folder and status: the sum over ``shard``.

    On PostgreSQL each connection has its own shard, so that none waits for another.
    """

    __tablename__ = "document_counts"

    parser_id: Mapped[str] = mapped_column(Uuid(as_uuid=False), primary_key=True)
    folder_id: Mapped[str] = mapped_column(Uuid(as_uuid=False), primary_key=True)
    status: Mapped[Short] = mapped_column(primary_key=True)
    shard: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    documents: Mapped[int] = mapped_column(BigInteger)

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
    """A document as lists find it; triggers of the database keep it, whoever writes ``documents``.

    ``number`` is what the other search tables know the document by. ``shape_id`` tells by which fields
    its values are indexed: null for none, 0 when that is still to be done.
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
    """A document's texts, case-folded; ``body`` is all that was read of it, a value to a line."""

    __tablename__ = "search_texts"

    number: Mapped[int] = mapped_column(_Number, primary_key=True, autoincrement=False)
    name: Mapped[str] = mapped_column(Text)
    external_id: Mapped[str] = mapped_column(Text)
    body: Mapped[str] = mapped_column(Text)


class PendingText(Base):
    """A document whose ``body`` in ``search_texts`` is not yet that of its values, as it is long."""

    __tablename__ = "pending_texts"

    number: Mapped[int] = mapped_column(_Number, primary_key=True, autoincrement=False)
    parser_id: Mapped[Ref] = mapped_column(index=True)


class SearchValue(Base):
    """One value of a document; ``value`` sorts bytewise as what it stands for.

    ``key`` is a hash of the parser, the field and how its values are compared.
    """

    __tablename__ = "search_values"
    __table_args__ = ({"sqlite_with_rowid": False},)

    key: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    value: Mapped[str] = mapped_column(Bytewise, primary_key=True)
    number: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)


class SearchShape(Base):
    """The fields that values were indexed by: ``[[key's field, kind], …]``; ``id`` is their hash."""

    __tablename__ = "search_shapes"

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    parser_id: Mapped[Ref] = mapped_column(index=True)
    fields: Mapped[Json]


class DocumentCount(Base):
    """How many documents a parser's folder has in a status: the sum over ``shard``.

    Each connection to PostgreSQL has a shard of its own, so that none waits for another.
    """

    __tablename__ = "document_counts"

    parser_id: Mapped[str] = mapped_column(Uuid(as_uuid=False), primary_key=True)
    folder_id: Mapped[str] = mapped_column(Uuid(as_uuid=False), primary_key=True)
    status: Mapped[Short] = mapped_column(primary_key=True)
    shard: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    documents: Mapped[int] = mapped_column(BigInteger)

"""Parsers with their fields, lookup tables and folders."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from docduck.catalog.models.base import (
    Base,
    Created,
    Id,
    Json,
    Moment,
    Named,
    Ref,
    Short,
    TeamRef,
    Updated,
    one_of,
)
from docduck.fields import FieldType

FIELD_TYPES = tuple(kind.value for kind in FieldType)


class Parser(Named, Base):
    """A parser for one kind of document.

    ``slug`` names its inbox folder, asset group and warehouse schema; it is unique in the installation and
    never changes. A deleted parser keeps it as ``former_slug``: its team alone may use it again, as files in
    the inbox folder and published rows may outlast the parser. ``revision`` increases with every change that
    affects processing; runs compare it to reload the parser.
    """

    __tablename__ = "parsers"

    id: Mapped[Id]
    team_id: Mapped[TeamRef]
    slug: Mapped[Short] = mapped_column(unique=True)
    former_slug: Mapped[Short | None]
    description: Mapped[str] = mapped_column(default="")
    type: Mapped[Short] = mapped_column(default="document")
    template_key: Mapped[Short | None]
    is_active: Mapped[bool] = mapped_column(default=True)
    settings: Mapped[Json]
    post_processing: Mapped[Json | None]
    email_address: Mapped[str | None] = mapped_column(String(320), unique=True)
    workflow_id: Mapped[Ref]
    revision: Mapped[int] = mapped_column(default=1)
    created_at: Mapped[Created]
    updated_at: Mapped[Updated]
    deleted_at: Mapped[Moment | None]

    fields: Mapped[list[ParserField]] = relationship(
        back_populates="parser",
        order_by="ParserField.position",
        cascade="all, delete-orphan",
        lazy="selectin",
    )


class StoredTable(Base):
    """A lookup table of a parser: a CSV file in the file store, with the names of its columns."""

    __tablename__ = "lookup_tables"
    __table_args__ = (UniqueConstraint("parser_id", "name"),)

    id: Mapped[Id]
    team_id: Mapped[TeamRef]
    parser_id: Mapped[Ref] = mapped_column(ForeignKey("parsers.id", ondelete="CASCADE"))
    name: Mapped[Short]
    sha256: Mapped[str] = mapped_column(String(64), ForeignKey("stored_files.sha256"))
    columns: Mapped[Json]
    rows: Mapped[int]
    updated_at: Mapped[Updated]


class ParserField(Base):
    """A field, or with ``table_id`` a column of a table field.

    ``column`` is its warehouse name, set when it is created or renamed. A deleted field stays with
    ``deleted_at`` set, because documents keep its values until they are processed again.
    """

    __tablename__ = "parser_fields"
    __table_args__ = (
        UniqueConstraint("parser_id", "id"),
        Index("ix_parser_fields_parser_id_table_id", "parser_id", "table_id"),
        CheckConstraint(one_of("type", FIELD_TYPES), name="type"),
    )

    key: Mapped[Id]
    team_id: Mapped[TeamRef]
    parser_id: Mapped[Ref] = mapped_column(ForeignKey("parsers.id", ondelete="CASCADE"))
    table_id: Mapped[Short | None]
    id: Mapped[Short]
    name: Mapped[str]
    column: Mapped[str]
    type: Mapped[Short]
    description: Mapped[str | None]
    instructions: Mapped[str | None]
    required: Mapped[bool] = mapped_column(default=False)
    position: Mapped[int]
    options: Mapped[Json]
    labels: Mapped[Json]
    extract: Mapped[bool] = mapped_column(default=True)
    created_at: Mapped[Created]
    deleted_at: Mapped[Moment | None]

    parser: Mapped[Parser] = relationship(back_populates="fields")


class Folder(Base):
    """A folder; ``parent_key`` is the parent's id, or the parser's id for a root folder.

    It makes names unique below a parent; null would not, as nulls are distinct.
    """

    __tablename__ = "folders"
    __table_args__ = (UniqueConstraint("parent_key", "slug"),)

    id: Mapped[Id]
    team_id: Mapped[TeamRef]
    parser_id: Mapped[Ref] = mapped_column(ForeignKey("parsers.id", ondelete="CASCADE"), index=True)
    parent_id: Mapped[Ref | None] = mapped_column(ForeignKey("folders.id", ondelete="CASCADE"), index=True)
    parent_key: Mapped[Ref]
    name: Mapped[str]
    slug: Mapped[str]
    color: Mapped[Short | None]
    has_auto_assign: Mapped[bool] = mapped_column(default=False)
    auto_assignment: Mapped[Json | None]
    created_at: Mapped[Created]
    updated_at: Mapped[Updated]

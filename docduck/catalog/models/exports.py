"""Exports that were written, saved layouts of exports, and the documents that incremental exports had."""

from __future__ import annotations

from sqlalchemy import ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from docduck.catalog.models.base import Base, Created, Id, Json, Moment, Ref, Short, TeamRef, Updated


class Export(Base):
    """An export file of a parser's data: the request and its result.

    ``location`` is the path of an export to a folder; ``sha256`` identifies the stored file of an export by
    link. ``name`` is that of an incremental export; its complete file is at ``part`` until it has its final
    name.
    """

    __tablename__ = "exports"

    id: Mapped[Id]
    team_id: Mapped[TeamRef]
    parser_id: Mapped[Ref] = mapped_column(ForeignKey("parsers.id", ondelete="CASCADE"), index=True)
    name: Mapped[str | None]
    format: Mapped[Short]
    scope: Mapped[Short | None]
    table_name: Mapped[str | None]
    selection: Mapped[Json | None]
    file_name: Mapped[str]
    content_type: Mapped[str]
    location: Mapped[str | None]
    part: Mapped[str | None]
    sha256: Mapped[str | None] = mapped_column(ForeignKey("stored_files.sha256"))
    document_count: Mapped[int]
    row_count: Mapped[int]
    actor: Mapped[str]
    created_at: Mapped[Created]
    expires_at: Mapped[Moment | None] = mapped_column(index=True)


class ExportLayout(Base):
    """A saved layout of exports; ``table_id`` and ``columns`` refer to fields by id.

    ``columns`` is a list of ``{"ref", "name", "header"}``, or null for the usual columns.
    """

    __tablename__ = "export_layouts"
    __table_args__ = (UniqueConstraint("parser_id", "name"),)

    id: Mapped[Id]
    team_id: Mapped[TeamRef]
    parser_id: Mapped[Ref] = mapped_column(ForeignKey("parsers.id", ondelete="CASCADE"))
    name: Mapped[str]
    format: Mapped[Short]
    scope: Mapped[Short | None]
    table_id: Mapped[Short | None]
    columns: Mapped[Json | None]
    created_at: Mapped[Created]
    updated_at: Mapped[Updated]


class ExportedDocument(Base):
    """A document that the incremental export ``name`` of its parser has written."""

    __tablename__ = "exported_documents"

    parser_id: Mapped[Ref] = mapped_column(ForeignKey("parsers.id", ondelete="CASCADE"), primary_key=True)
    name: Mapped[str] = mapped_column(primary_key=True)
    document_id: Mapped[Ref] = mapped_column(
        ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True, index=True
    )

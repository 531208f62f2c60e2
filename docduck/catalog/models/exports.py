"""Exports that were written."""

from __future__ import annotations

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from docduck.catalog.models.base import Base, Created, Id, Json, Moment, Ref, Short, TeamRef


class Export(Base):
    """An export file of a parser's data: the request and its result.

    ``location`` is the path of an export to a folder; ``sha256`` identifies the stored file of an export by
    link.
    """

    __tablename__ = "exports"

    id: Mapped[Id]
    team_id: Mapped[TeamRef]
    parser_id: Mapped[Ref] = mapped_column(ForeignKey("parsers.id", ondelete="CASCADE"), index=True)
    format: Mapped[Short]
    scope: Mapped[Short | None]
    table_name: Mapped[str | None]
    selection: Mapped[Json | None]
    file_name: Mapped[str]
    content_type: Mapped[str]
    location: Mapped[str | None]
    sha256: Mapped[str | None] = mapped_column(ForeignKey("stored_files.sha256"))
    document_count: Mapped[int]
    row_count: Mapped[int]
    actor: Mapped[str]
    created_at: Mapped[Created]
    expires_at: Mapped[Moment | None]

"""Folders of a parser's documents."""

from __future__ import annotations

from sqlalchemy import ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from docduck.catalog.models.base import Base, Created, Id, Json, Ref, Short, TeamRef, Updated


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

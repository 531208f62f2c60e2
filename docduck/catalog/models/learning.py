"""What people corrected, from which looks are learned (contract J)."""

from __future__ import annotations

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from docduck.catalog.models.base import Base, Created, Id, Json, Ref, Short, TeamRef


class Correction(Base):
    """A value that a person set or approved, with the place where it stands.

    ``look`` is a fingerprint of the page's arrangement that documents of one sender share.
    """

    __tablename__ = "corrections"
    __table_args__ = (Index("ix_corrections_parser_id_look", "parser_id", "look"),)

    id: Mapped[Id]
    team_id: Mapped[TeamRef]
    parser_id: Mapped[Ref] = mapped_column(ForeignKey("parsers.id", ondelete="CASCADE"))
    document_id: Mapped[Ref | None] = mapped_column(ForeignKey("documents.id", ondelete="SET NULL"))
    field_id: Mapped[Short]
    look: Mapped[Short]
    value: Mapped[Json | None]
    places: Mapped[Json]
    user_id: Mapped[Ref | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    created_at: Mapped[Created]

"""What people taught by correcting (contracts J and K18)."""

from __future__ import annotations

from sqlalchemy import ForeignKey, Index, Uuid
from sqlalchemy.orm import Mapped, mapped_column

from docduck.catalog.models.base import Base, Created, Id, Json, Moment, Ref, TeamRef


class StoredLayout(Base):
    """What one corrected document tells about its look. A document has one lesson, its newest.

    ``lesson`` has the shape of ``docduck.extraction.learned_layout``.
    """

    __tablename__ = "lessons"
    __table_args__ = (Index("ix_lessons_parser_id_created_at", "parser_id", "created_at"),)

    id: Mapped[Id]
    team_id: Mapped[TeamRef]
    parser_id: Mapped[Ref] = mapped_column(ForeignKey("parsers.id", ondelete="CASCADE"))
    document_id: Mapped[Ref | None] = mapped_column(
        ForeignKey("documents.id", ondelete="SET NULL"), unique=True
    )
    lesson: Mapped[Json]
    user_id: Mapped[Ref | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    created_at: Mapped[Created]


class PendingCorrection(Base):
    """A corrected document that was not learned from yet; written with the correction itself.

    Learning deletes the row only if ``revision`` is still the one that was read, so that a correction in
    between is not lost.
    """

    __tablename__ = "owed_lessons"
    __table_args__ = (Index("ix_owed_lessons_parser_id_created_at", "parser_id", "created_at"),)

    document_id: Mapped[str] = mapped_column(
        Uuid(as_uuid=False), ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True
    )
    team_id: Mapped[TeamRef]
    parser_id: Mapped[Ref] = mapped_column(ForeignKey("parsers.id", ondelete="CASCADE"))
    revision: Mapped[int] = mapped_column(default=1)
    lease_expires_at: Mapped[Moment | None]
    created_at: Mapped[Created]

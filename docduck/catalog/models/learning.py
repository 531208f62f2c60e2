"""Layouts learned from corrections."""

from __future__ import annotations

from sqlalchemy import ForeignKey, Index, Uuid
from sqlalchemy.orm import Mapped, mapped_column

from docduck.catalog.models.base import Base, Created, Id, Json, Moment, Ref, TeamRef


class StoredLayout(Base):
    """The layout learned from a corrected document, at most one per document.

    ``lesson`` is a serialised ``docduck.extraction.learned_layout.LearnedLayout``; ``created_at`` is when it
    was written. The id stays when the document is learned from again.
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
    """A corrected document that is to be learned from; written with the correction.

    Learning deletes the row only if ``revision`` is unchanged, so that a correction meanwhile is not lost.
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

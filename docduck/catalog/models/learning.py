"""What people taught by correcting and approving (contract J)."""

from __future__ import annotations

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from docduck.catalog.models.base import Base, Created, Id, Json, Ref, TeamRef


class Lesson(Base):
    """What one document, once a person had put it right, says about its look; the newest word counts.

    ``lesson`` has the shape of ``docduck.extraction.learned.lesson``.
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

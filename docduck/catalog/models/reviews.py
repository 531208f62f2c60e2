"""Review stages of a parser, and documents at them."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from docduck.catalog.models.base import (
    Base,
    Created,
    Id,
    Json,
    Moment,
    Ref,
    Short,
    TeamRef,
    Updated,
    one_of,
    partial_index,
)

REVIEW_TYPES = ("mandatory", "conditional")
ON_FAILED_CHECKS = ("ask", "block")
STAGE_STATUSES = ("pending", "in_progress", "approved", "rejected", "skipped")


class ReviewStage(Base):
    """A review stage; ``rules`` are stored with fields by id."""

    __tablename__ = "review_stages"
    __table_args__ = (
        CheckConstraint(one_of("review_type", REVIEW_TYPES), name="review_type"),
        CheckConstraint(one_of("on_failed_checks", ON_FAILED_CHECKS), name="on_failed_checks"),
        CheckConstraint("position >= 1", name="position"),
        Index("ix_review_stages_parser_id_position", "parser_id", "position"),
    )

    id: Mapped[Id]
    team_id: Mapped[TeamRef]
    parser_id: Mapped[Ref] = mapped_column(ForeignKey("parsers.id", ondelete="CASCADE"))
    name: Mapped[str]
    reviewer_instructions: Mapped[str | None] = mapped_column(String(500))
    position: Mapped[int]
    review_type: Mapped[Short]
    on_failed_checks: Mapped[Short] = mapped_column(default="ask", server_default="ask")
    reviewer_id: Mapped[Ref | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    rules: Mapped[Json]
    created_at: Mapped[Created]
    updated_at: Mapped[Updated]
    deleted_at: Mapped[Moment | None]


class DocumentStage(Base):
    """A document at a review stage.

    ``position`` and ``assignee_id`` are those of this document's review: later changes of the stage don't
    change them. ``started_at`` is when the stage became in progress, ``held_at`` when the assignee set the
    document aside, with a note.
    """

    __tablename__ = "document_stages"
    __table_args__ = (
        UniqueConstraint("document_id", "stage_id"),
        CheckConstraint(one_of("status", STAGE_STATUSES), name="status"),
        Index("ix_document_stages_stage_id_status", "stage_id", "status"),
        partial_index("status = 'in_progress'", "ix_document_stages_started_at", "started_at", "id"),
    )

    id: Mapped[Id]
    team_id: Mapped[TeamRef]
    document_id: Mapped[Ref] = mapped_column(ForeignKey("documents.id", ondelete="CASCADE"), index=True)
    stage_id: Mapped[Ref] = mapped_column(ForeignKey("review_stages.id", ondelete="CASCADE"))
    position: Mapped[int]
    status: Mapped[Short]
    assignee_id: Mapped[Ref | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"), index=True)
    comment: Mapped[str | None] = mapped_column(String(1000))
    started_at: Mapped[Moment | None]
    held_at: Mapped[Moment | None]
    hold_note: Mapped[str | None] = mapped_column(String(1000))
    approved_at: Mapped[Moment | None]
    rejected_at: Mapped[Moment | None]

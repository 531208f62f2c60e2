"""Intake: upload pages, and sources with the ledger of their items and how far they were looked through."""

from __future__ import annotations

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, String, UniqueConstraint
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
    UnindexedTeamRef,
    Updated,
    one_of,
)

OUTCOMES = ("registered", "duplicate", "waiting", "refused", "unreadable", "vanished")


class IntakeEntry(Base):
    """An item of a source, as last seen.

    ``item`` is its name in the source: a path below the folder, a URL, a Message-ID and part. ``fingerprint``
    changes with the item (size and modification time, an ETag), so that unchanged items need not be read.
    The target is a parser or a classifier. ``finished_at`` is set once ``after`` was carried out.
    """

    __tablename__ = "intake_entries"
    __table_args__ = (
        UniqueConstraint("team_id", "source", "item_sha256"),
        CheckConstraint(one_of("outcome", OUTCOMES), name="outcome"),
        Index("ix_intake_entries_outcome", "team_id", "source", "outcome", "updated_at", "id"),
        Index("ix_intake_entries_latest", "team_id", "source", "updated_at", "id"),
    )

    id: Mapped[Id]
    team_id: Mapped[UnindexedTeamRef]
    source: Mapped[str]
    item: Mapped[str]
    item_sha256: Mapped[str] = mapped_column(String(64))
    fingerprint: Mapped[str]
    sha256: Mapped[str | None] = mapped_column(String(64))
    size: Mapped[int | None] = mapped_column(BigInteger)
    parser_id: Mapped[Ref | None] = mapped_column(ForeignKey("parsers.id", ondelete="SET NULL"))
    classifier_id: Mapped[Ref | None]
    document_id: Mapped[Ref | None] = mapped_column(ForeignKey("documents.id", ondelete="SET NULL"))
    outcome: Mapped[Short]
    message: Mapped[str]
    finished_at: Mapped[Moment | None]
    created_at: Mapped[Created]
    updated_at: Mapped[Updated]


class SourceState(Base):
    """The state of a source that is looked through from time to time.

    ``cursor`` is where the next look begins, in the source's own terms. ``failures`` counts the looks that
    failed since the last good one, and ``message`` is what the last one found.
    """

    __tablename__ = "source_states"
    __table_args__ = (UniqueConstraint("team_id", "source"),)

    id: Mapped[Id]
    team_id: Mapped[Ref] = mapped_column(ForeignKey("teams.id", ondelete="CASCADE"))
    source: Mapped[str]
    cursor: Mapped[Json]
    looked_at: Mapped[Moment | None]
    next_look_at: Mapped[Moment | None]
    failures: Mapped[int]
    message: Mapped[str]


class UploadPage(Base):
    """The upload page of a parser or a classifier.

    Its link is derived from ``id`` and ``version``: a new version makes the former link invalid. It may be
    embedded in pages of ``embed_origins``. ``files_per_hour`` is the limit of each visitor.
    """

    __tablename__ = "upload_pages"
    __table_args__ = (CheckConstraint("(parser_id IS NULL) <> (classifier_id IS NULL)", name="owner"),)

    id: Mapped[Id]
    team_id: Mapped[TeamRef]
    parser_id: Mapped[Ref | None] = mapped_column(ForeignKey("parsers.id", ondelete="CASCADE"), unique=True)
    classifier_id: Mapped[Ref | None] = mapped_column(
        ForeignKey("classifiers.id", ondelete="CASCADE"), unique=True
    )
    is_active: Mapped[bool]
    title: Mapped[str]
    message: Mapped[str]
    embed_origins: Mapped[Json]
    files_per_hour: Mapped[int]
    version: Mapped[int]
    created_at: Mapped[Created]
    updated_at: Mapped[Updated]

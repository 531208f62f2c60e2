"""The intake ledger: items of sources and their outcomes."""

from __future__ import annotations

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from docduck.catalog.models.base import Base, Created, Id, Moment, Ref, Short, TeamRef, Updated, one_of

OUTCOMES = ("registered", "duplicate", "waiting", "refused", "unreadable", "vanished")


class IntakeEntry(Base):
    """An item of a source, as last seen.

    ``item`` is its name in the source: a path below the folder, a URL, a Message-ID and part. ``fingerprint``
    changes with the item (size and modification time, an ETag), so that unchanged items need not be read.
    ``finished_at`` is set once ``after`` was carried out.
    """

    __tablename__ = "intake_entries"
    __table_args__ = (
        UniqueConstraint("team_id", "source", "item_sha256"),
        CheckConstraint(one_of("outcome", OUTCOMES), name="outcome"),
        Index("ix_intake_entries_source_outcome", "source", "outcome"),
    )

    id: Mapped[Id]
    team_id: Mapped[TeamRef]
    source: Mapped[str]
    item: Mapped[str]
    item_sha256: Mapped[str] = mapped_column(String(64))
    fingerprint: Mapped[str]
    sha256: Mapped[str | None] = mapped_column(String(64))
    size: Mapped[int | None] = mapped_column(BigInteger)
    parser_id: Mapped[Ref | None] = mapped_column(ForeignKey("parsers.id", ondelete="SET NULL"))
    document_id: Mapped[Ref | None] = mapped_column(ForeignKey("documents.id", ondelete="SET NULL"))
    outcome: Mapped[Short]
    message: Mapped[str]
    finished_at: Mapped[Moment | None]
    created_at: Mapped[Created]
    updated_at: Mapped[Updated]

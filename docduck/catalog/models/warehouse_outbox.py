"""The outbox of the warehouse."""

from __future__ import annotations

from sqlalchemy import BigInteger, Index, Uuid
from sqlalchemy.orm import Mapped, mapped_column

from docduck.catalog.models.base import Base, Created, TeamRef


class WarehouseOutbox(Base):
    """A document whose warehouse rows are out of date; written with the change.

    Synchronisation deletes the row only if ``revision`` is unchanged, so that a change meanwhile is not lost.
    Deleted documents have an entry, too, so there is no foreign key. A document that moves to another parser
    has one for each.
    """

    __tablename__ = "projections"
    __table_args__ = (Index("ix_projections_parser_id_at", "parser_id", "at"),)

    document_id: Mapped[str] = mapped_column(Uuid(as_uuid=False), primary_key=True)
    team_id: Mapped[TeamRef]
    parser_id: Mapped[str] = mapped_column(Uuid(as_uuid=False), primary_key=True)
    revision: Mapped[int] = mapped_column(BigInteger, default=1)
    at: Mapped[Created]

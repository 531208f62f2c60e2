"""What the warehouse has not yet taken over from the catalog."""

from __future__ import annotations

from sqlalchemy import BigInteger, Index, Uuid
from sqlalchemy.orm import Mapped, mapped_column

from docduck.catalog.models.base import Base, Created, Ref, TeamRef


class WarehouseOutbox(Base):
    """A document whose rows in the warehouse are behind; written with the change itself.

    Taking a document over deletes its entry only if ``revision`` is still the one that was read, so a
    change in between is not lost, and doing it twice gives the same rows. A deleted document has an
    entry, too: there is no foreign key.
    """

    __tablename__ = "projections"
    __table_args__ = (Index("ix_projections_parser_id_at", "parser_id", "at"),)

    document_id: Mapped[str] = mapped_column(Uuid(as_uuid=False), primary_key=True)
    team_id: Mapped[TeamRef]
    parser_id: Mapped[Ref]
    revision: Mapped[int] = mapped_column(BigInteger, default=1)
    at: Mapped[Created]

"""The bin: documents that were deleted on the pages, until they are restored or deleted for good."""

from __future__ import annotations

from sqlalchemy import ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from docduck.catalog.models.base import Base, CompressedJson, Created, Moment, Ref, UnindexedTeamRef


class BinnedDocument(Base):
    """A deleted document, by its id; ``snapshot`` has its rows, by table.

    ``batch_id`` is that of what was deleted by one action. ``created_at`` is the document's. The row holds
    the references to the document's files.
    """

    __tablename__ = "binned_documents"
    __table_args__ = (
        Index("ix_binned_documents_team_id_deleted_at", "team_id", "deleted_at", "id"),
        Index("ix_binned_documents_parser_id_created_at", "parser_id", "created_at"),
    )

    id: Mapped[Ref] = mapped_column(primary_key=True)
    team_id: Mapped[UnindexedTeamRef]
    parser_id: Mapped[Ref | None] = mapped_column(ForeignKey("parsers.id", ondelete="CASCADE"))
    name: Mapped[str]
    batch_id: Mapped[Ref] = mapped_column(index=True)
    created_at: Mapped[Moment]
    deleted_at: Mapped[Created] = mapped_column(index=True)
    deleted_by: Mapped[str]
    sha256: Mapped[str] = mapped_column(ForeignKey("stored_files.sha256"), index=True)
    split_sha256: Mapped[str | None] = mapped_column(String(64))
    markdown_sha256: Mapped[str | None] = mapped_column(ForeignKey("stored_files.sha256"), index=True)
    snapshot: Mapped[CompressedJson]

"""Public upload pages of parsers and classifiers."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from docduck.catalog.models.base import Base, Created, Id, Json, Ref, TeamRef, Updated


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

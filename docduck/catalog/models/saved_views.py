"""Views of the list of documents that people saved."""

from __future__ import annotations

from sqlalchemy import ForeignKey, Text
from sqlalchemy.orm import Mapped, mapped_column

from docduck.catalog.models.base import Base, Created, Id, Ref, TeamRef


class SavedView(Base):
    """A view of the list: the query of its address. All members see one without a user."""

    __tablename__ = "saved_views"

    id: Mapped[Id]
    team_id: Mapped[TeamRef]
    user_id: Mapped[Ref | None] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    name: Mapped[str]
    query: Mapped[str] = mapped_column(Text)
    created_at: Mapped[Created]

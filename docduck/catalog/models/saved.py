"""What members of a team saved: queries over the published tables, and views of the list of documents."""

from __future__ import annotations

from sqlalchemy import ForeignKey, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from docduck.catalog.models.base import Base, Created, Id, Ref, TeamRef, Updated


class SavedQuery(Base):
    """A query that all members of the team see who may query."""

    __tablename__ = "saved_queries"
    __table_args__ = (UniqueConstraint("team_id", "name"),)

    id: Mapped[Id]
    team_id: Mapped[TeamRef]
    name: Mapped[str]
    sql: Mapped[str] = mapped_column(Text)
    created_at: Mapped[Created]
    updated_at: Mapped[Updated]


class SavedView(Base):
    """A view of the list: the query of its address. All members see one without a user."""

    __tablename__ = "saved_views"

    id: Mapped[Id]
    team_id: Mapped[TeamRef]
    user_id: Mapped[Ref | None] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    name: Mapped[str]
    query: Mapped[str] = mapped_column(Text)
    created_at: Mapped[Created]

"""Queries over the published tables that members of a team saved."""

from __future__ import annotations

from sqlalchemy import Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from docduck.catalog.models.base import Base, Created, Id, TeamRef, Updated


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

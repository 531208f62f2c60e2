"""The audit log."""

from __future__ import annotations

from sqlalchemy import Index
from sqlalchemy.orm import Mapped

from docduck.catalog.models.base import Base, Created, Id, Json, Ref, Short, TeamRef


class AuditEntry(Base):
    """An immutable entry: ``actor`` did ``action`` to the resource; ``details`` hold no secrets."""

    __tablename__ = "audit_entries"
    __table_args__ = (
        Index("ix_audit_entries_team_id_at", "team_id", "at"),
        Index("ix_audit_entries_resource_id_at", "resource_id", "at"),
    )

    id: Mapped[Id]
    team_id: Mapped[TeamRef]
    at: Mapped[Created]
    actor: Mapped[str]
    action: Mapped[Short]
    resource_type: Mapped[Short]
    resource_id: Mapped[Ref]
    details: Mapped[Json | None]

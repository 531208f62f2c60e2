"""Audit entries about a user, which every team of the user sees."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck.catalog.models import Membership
from docduck.service.core import audit


def record_for_user(session: Session, user_id: str, actor: str, action: str, **details: Any) -> None:
    """Record in all teams of a user that ``actor`` did ``action``, such as ``user.signed_in``."""
    for team_id in session.scalars(select(Membership.team_id).where(Membership.user_id == user_id)).all():
        audit.record(session, team_id, actor, action, "user", [(user_id, details or None)])

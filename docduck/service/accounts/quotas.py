"""Quotas: how many documents a team may send in a day (UTC).

Documents that come out of others, such as attachments, don't count; those that are deleted count all the
same. Counting locks the team's row, so teams without a quota are not counted.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Team
from docduck.errors import TooMany
from docduck.service.core.installation import Installation

_IS_LIMITED = Team.documents_per_day.is_not(None)


@dataclass(frozen=True, slots=True)
class Quota:
    """A team's quota of ``documents`` a day, ``used`` of which were taken in today."""

    documents: int
    used: int

    @property
    def left(self) -> int:
        """How many more documents fit today."""
        return max(0, self.documents - self.used)

    def message(self, count: int) -> str:
        """Return why ``count`` more documents are not taken in."""
        return (
            f"The team's quota of {self.documents:,} documents a day has no room for {count:,} more: "
            f"{self.used:,} were taken in today. It starts anew at {_tomorrow():%Y-%m-%d %H:%M} UTC"
        )


class QuotaReached(TooMany):
    """An upload has more documents than the team's quota has room for."""

    def __init__(self, quota: Quota, count: int) -> None:
        left = _tomorrow() - clock.now()
        super().__init__(quota.message(count), left // dt.timedelta(seconds=1) + 1, code="quota_reached")


def quota_of(team: Team) -> Quota | None:
    """Return a team's quota; None without one."""
    if team.documents_per_day is None:
        return None
    return Quota(team.documents_per_day, team.quota_used if team.quota_day == clock.now().date() else 0)


def quotas(inst: Installation) -> dict[str, Quota]:
    """Return the quotas of the teams that have one, by the team's id."""
    with inst.catalog.read_session() as session:
        teams = session.scalars(select(Team).where(_IS_LIMITED))
        return {team.id: quota for team in teams if (quota := quota_of(team)) is not None}


def check_quota(session: Session, team_id: str, count: int) -> None:
    """Raise QuotaReached if ``count`` more documents don't fit."""
    team = session.scalar(select(Team).where(Team.id == team_id, _IS_LIMITED))
    if team is not None and (quota := quota_of(team)) is not None and count > quota.left:
        raise QuotaReached(quota, count)


def use_quota(session: Session, team_id: str, count: int) -> Quota | None:
    """Count ``count`` new documents; return the quota and count none if they don't fit."""
    if not count:
        return None
    mine = select(Team).where(Team.id == team_id, _IS_LIMITED).execution_options(populate_existing=True)
    team = session.scalar(mine.with_for_update(key_share=True))
    if team is None or (quota := quota_of(team)) is None:
        return None
    if count > quota.left:
        return quota
    used = {"quota_day": clock.now().date(), "quota_used": quota.used + count}
    session.execute(update(Team).where(Team.id == team_id).values(**used, updated_at=Team.updated_at))
    return None


def _tomorrow() -> dt.datetime:
    return clock.now().replace(hour=0, minute=0, second=0, microsecond=0) + dt.timedelta(days=1)

"""Callers: who asks for something, for which team, and what they may do."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks, on behalf of a team.

    ``actor`` is the name used in audit log and histories. ``parser_ids`` is None if every parser is allowed.
    """

    team_id: str
    actor: str
    permissions: frozenset[str]
    parser_ids: frozenset[str] | None


@dataclass(frozen=True, slots=True)
class Operator(Caller):
    """Whoever runs commands on the installation's machine; no request over HTTP has this caller."""


@dataclass(frozen=True, slots=True)
class KeyOwner(Caller):
    """The owner of a valid API key."""

    key_id: str
    prefix: str


@dataclass(frozen=True, slots=True)
class TeamUser(Caller):
    """A user who acts for one of their teams; their role limits whatever else was allowed."""

    user_id: str
    role: str

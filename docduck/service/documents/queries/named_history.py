"""A document's history with the names of those who did something."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docduck.service.accounts.audit_log import Actor, actors_named
from docduck.service.core.installation import Installation
from docduck.service.documents.queries.document_views import HistoryEntry


@dataclass(frozen=True, slots=True)
class NamedEntry:
    """An event with who caused it."""

    entry: HistoryEntry
    actor: Actor


def named_history(inst: Installation, team_id: str, entries: Sequence[HistoryEntry]) -> list[NamedEntry]:
    """Return the events with their actors; those of deleted users and keys keep the name in the history."""
    with inst.catalog.read_session() as session:
        actors = actors_named(session, team_id, {entry.actor for entry in entries})
    return [NamedEntry(entry, actors[entry.actor]) for entry in entries]

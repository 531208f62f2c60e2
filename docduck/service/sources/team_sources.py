"""The sources of a team with their state: without secrets, and without asking remote ones.

The sources of pipeline.yaml are those of the installation's own team. Every team has the folders of its
parsers in the inbox, and the addresses of its parsers and classifiers.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from docduck.errors import InputError, NotFound
from docduck.service.core.installation import Installation
from docduck.service.sources.ledger_pages import LedgerItem, item_counts, last_problem
from docduck.service.sources.remote_intake import Progress, read_progress
from docduck.service.sources.remote_sources import ADDRESSES, RemoteSource
from docduck.service.sources.sources import FolderSource, Source, inbox, sources
from docduck.service.sources.targets import Target, find_target


@dataclass(frozen=True, slots=True)
class TeamSource:
    """A source of a team; ``counts`` are those of its items by outcome.

    ``target`` is None if each parser has its own folder or address. ``problem`` tells why nothing is taken
    in now. The last and next looks are those at remote sources. ``is_configured`` is false for a source that
    is no longer in pipeline.yaml: its ledger is kept. ``place``, messages and items are for people by
    ``shown`` only.
    """

    name: str
    kind: str
    place: str
    target: Target | None
    problem: str
    message: str
    looked_at: dt.datetime | None
    next_look_at: dt.datetime | None
    counts: Mapping[str, int]
    last_problem: LedgerItem | None
    is_configured: bool = True
    hidden: Mapping[str, str] = field(default_factory=dict, repr=False)

    def shown(self, text: str) -> str:
        """Return a text about the source without the user and query of its URL, which may be secrets."""
        for secret, instead in self.hidden.items():
            text = text.replace(secret, instead)
        return text

    @property
    def state(self) -> str:
        """The state in a word or two."""
        if not self.is_configured:
            return "removed"
        if self.problem:
            return "failing"
        is_local = self.kind in ("folder", "address")
        return "working" if is_local or self.looked_at is not None else "not looked at yet"


@dataclass(frozen=True, slots=True)
class TeamSources:
    """The sources of a team; ``problem`` is the error in pipeline.yaml, if there is one."""

    rows: Sequence[TeamSource]
    problem: str = ""


def team_sources(inst: Installation, team_id: str) -> TeamSources:
    """Return the sources of a team: the inbox, those of pipeline.yaml, and the mail addresses in use."""
    known: list[Source] = [inbox(inst)]
    problem = ""
    if team_id == inst.team_id:
        try:
            known = sources(inst)
        except InputError as error:
            problem = error.message
    with inst.catalog.read_session() as session:
        counts = item_counts(session, team_id)
        progress = {source.name: read_progress(session, team_id, source.name) for source in known}
        names = [source.name for source in known] + sorted(counts.keys() - {source.name for source in known})
        problems = {name: last_problem(session, team_id, name) for name in names}
    rows = [
        _described(
            inst, team_id, source, progress[source.name], counts.get(source.name, {}), problems[source.name]
        )
        for source in known
    ]
    for name in names[len(known) :]:
        is_address = name == ADDRESSES.name
        kind, place = ("address", inst.settings.mail_domain or "") if is_address else ("", "")
        is_configured = is_address or bool(problem)
        rows.append(
            TeamSource(
                name, kind, place, None, "", "", None, None, counts[name], problems[name], is_configured
            )
        )
    return TeamSources(rows, problem)


def get_team_source(inst: Installation, team_id: str, name: str) -> TeamSource:
    """Return a source of a team by its name; raise NotFound."""
    for row in team_sources(inst, team_id).rows:
        if row.name == name:
            return row
    raise NotFound("Source not found", "source", name)


def _described(
    inst: Installation,
    team_id: str,
    source: Source,
    progress: Progress,
    counts: Mapping[str, int],
    last: LedgerItem | None,
) -> TeamSource:
    target, problem = None, ""
    if source.parser is not None or source.classifier is not None:
        target, problem = find_target(inst, source.parser, source.classifier)
    place, message = source.place, progress.message
    hidden: Mapping[str, str] = {}
    if isinstance(source, FolderSource):
        if source.name != inbox(inst).name and not source.path.is_dir():
            problem = problem or "There is no such folder"
        if team_id != inst.team_id:
            place = inbox(inst).name
    else:
        hidden = _hidden(place)
        problem = problem or (message if progress.failures else "")
    return TeamSource(
        source.name,
        source.kind,
        place,
        target,
        problem,
        "" if problem == message else message,
        progress.looked_at,
        progress.next_look_at if isinstance(source, RemoteSource) else None,
        counts,
        last,
        hidden=hidden,
    )


def _hidden(place: str) -> dict[str, str]:
    """Return what is not shown of a URL, and what is shown instead."""
    try:
        parts = urlsplit(place)
    except ValueError:
        return {place: "…"}
    user = parts.netloc.rpartition("@")[0]
    hidden = {f"?{parts.query}": "?…"} if parts.query else {}
    return {**hidden, f"{user}@": ""} if user else hidden

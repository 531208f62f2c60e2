"""Kills: processes that are killed at random moments during an attack lose and double nothing."""

from __future__ import annotations

import hashlib
import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from itertools import count, cycle
from pathlib import Path
from typing import Any

import httpx
from sqlalchemy import func, select
from sqlalchemy.exc import DBAPIError

from docduck.catalog.models import Document, Parser
from docduck.cli.runtime.addresses import free_port
from docduck.fields import Field
from docduck.service.accounts.keys import create_key
from docduck.service.core.installation import Installation, open_installation
from docduck.service.parsers.parsers import NewParser, create_parser, list_parsers
from tests.benchmarks.attack import ROWS, attack, counted, make_costly_parser, write_scans
from tests.benchmarks.figures import Figure
from tests.benchmarks.losses import changed_by_a_rebuild, rows_off
from tests.benchmarks.repeating import repeating
from tests.postgres import postgres_programs
from tests.system import truth
from tests.system.cluster import PAUSE, Cluster, running_cluster
from tests.system.docduck import Docduck
from tests.system.killing import SLUGS, STAGES, TWICE, Inbox, actual, await_stage, expected, strike
from tests.system.papers import FIELDS, Order, order
from tests.waiting import wait_for

KILLS = (
    *("run", "worker", "service", "everything") * 3,
    *("run", "worker", "service", "daemon") * 2,
    *("run", "service", "worker", "code server"),
    *("run", "inner code server", "supervisor", "webserver", "service", "worker"),
)
"""What is killed; a short measurement ends after some."""
CLUSTER_KILLS = (
    *("run", "worker", "fork server", TWICE, "reading host", "everything") * 4,
    *("worker", "service", "fork server", "database", "run", TWICE) * 3,
    *("daemon", "code server", "bucket", PAUSE, "worker", "inner code server") * 2,
    *("supervisor", "webserver", "fork server", "worker", "run", "reading host"),
)
"""The same over two hosts."""
FULL_DOCUMENTS, FEWEST_KILLS = 5000, 4
SEED = 20241122
_WORKERS = 2
_LONGEST_PAUSE = 8.0
_SCANS, _SCAN_PAGES = 8, 4
_KILLS_A_SCAN = 3
_UPLOAD_SECONDS, _CHANGE_SECONDS = 1.0, 2.0
_FIRST_UPLOAD = 50_000
_REST_SECONDS = 900.0
_UPLOADS = "uploads"


@dataclass
class Uploads:
    """Orders that were uploaded: those that were accepted, and those without a clear answer; by SHA-256."""

    accepted: dict[str, Order] = field(default_factory=dict)
    unclear: dict[str, Order] = field(default_factory=dict)


@dataclass
class Changes:
    """By document, the values that it may have: the last that was answered with success, and later ones."""

    values: dict[str, list[str | None]] = field(default_factory=lambda: defaultdict(lambda: [None]))
    answered: int = 0


def kills(folder: Path, documents: int, minutes: float | None = None) -> Iterator[Figure]:
    """Kill in ``folder`` for so many minutes, or 30 times for 5,000 documents, less often for fewer."""
    return _kills(folder, _kinds(KILLS, documents, minutes), None)


def cluster_kills(folder: Path, documents: int, minutes: float | None = None) -> Iterator[Figure]:
    """Kill 60 times, and let parts fail, on a cluster of two homes, with its tables in a lake, and without an
    attack.
    """
    programs = postgres_programs()
    if programs is None:
        sys.exit("PostgreSQL is not installed (make system-deps)")
    with running_cluster(programs) as cluster:
        yield from _kills(folder, _kinds(CLUSTER_KILLS, documents, minutes), cluster)


def _kinds(kinds: Sequence[str], documents: int, minutes: float | None) -> Iterator[str]:
    if minutes is None:
        yield from kinds[: max(FEWEST_KILLS, len(kinds) * documents // FULL_DOCUMENTS)]
        return
    until = time.monotonic() + 60 * minutes
    for kind in cycle(kinds):
        if time.monotonic() >= until:
            return
        yield kind


def _kills(folder: Path, kinds: Iterable[str], cluster: Cluster | None) -> Iterator[Figure]:
    chance = random.Random(SEED)
    port = free_port("127.0.0.1", 0, "the API", "DOCDUCK_API_PORT")
    reading: dict[str, Any] = {
        "workers": _WORKERS,
        # Time-outs count the time that others take of the machine; they are not what is measured.
        "worker_seconds": 600,
    }
    shared = {} if cluster is None else cluster.settings
    serving = {"api_port": port, "rate_limit_minute": 0, "rate_limit_day": 0}
    docduck = Docduck(folder / "home", **reading, **serving, **shared)
    inst = open_installation(docduck.settings)
    hostile, key = (create_key(inst, inst.team_id, name).text for name in ("hostile", "benchmark"))
    costly, changed_id = make_costly_parser(inst)
    fields = [*FIELDS, Field(name="Note")]
    parsers = {
        slug: create_parser(inst, inst.team_id, NewParser(slug.title(), slug=slug, fields=fields)).id
        for slug in (*SLUGS, _UPLOADS, "scans")
    }
    scans = write_scans(folder / "scans", _SCANS, _SCAN_PAGES)
    inbox = Inbox(docduck.inbox, chance)
    struck: Counter[str] = Counter()
    hit: Counter[str] = Counter()
    url = f"http://127.0.0.1:{port}/api/v1"
    try:
        docduck.start()
        if cluster is not None:
            cluster.add_host(folder / "host", **reading)
        begin = time.monotonic()
        attacking: AbstractContextManager[list[int]] = nullcontext([])
        if cluster is None:
            attacking = attack(f"{url}/parsers/{costly}", hostile, changed_id)
        with (
            attacking as answers,
            _uploading(f"{url}/process/{parsers[_UPLOADS]}/files", key) as uploads,
            _changing(f"{url}/parsers/{parsers[SLUGS[0]]}", key, inst, parsers[SLUGS[0]]) as changes,
        ):
            for number, kind in enumerate(kinds):
                inbox.wave()
                if number % _KILLS_A_SCAN == 0 and scans:
                    scan = scans.pop()
                    inbox.drop("scans", scan.name, scan.read_bytes(), "")
                await_stage(docduck, inst, chance.choice(STAGES))
                time.sleep(chance.uniform(0, _LONGEST_PAUSE))
                struck[kind] += 1
                hit += Counter({kind: strike(docduck, kind, chance, cluster)})
            docduck.wait_until_ready()
        killed = time.monotonic() - begin
        least = len(inbox.papers) + len(uploads.accepted)
        rest = wait_for(
            lambda: _is_at_rest(docduck, inst, least), _REST_SECONDS, lambda: truth.work_left(inst)
        )
        if cluster is not None:
            cluster.stop_hosts()
        docduck.stop()
        note = f"in {killed:.0f} s: {dict(struck)}" + (f"; {counted(answers)}" if answers else "")
        yield Figure("kills", struck.total(), "", note=note)
        yield Figure("kinds never hit", len(struck.keys() - hit.keys()), "", 0, note=str(dict(hit)))
        yield Figure("at rest after", rest, "s")
        yield from _losses(docduck, inst, inbox, uploads, changes)
        rows = docduck.query(f"SELECT count(*) FROM costly.rows WHERE document_id = '{changed_id}'")[0][0]
        yield Figure("large changes in part", int(rows not in (0, ROWS)), "", 0, note=f"{rows} rows")
        truth.assert_ledger_matches(inst, inbox.files)
        truth.assert_history_is_legal(inst)
        truth.assert_nothing_is_held(inst)
        truth.assert_files_match(inst)
        yield changed_by_a_rebuild(docduck)
    finally:
        docduck.kill()
        inst.close()


def _is_at_rest(docduck: Docduck, inst: Installation, least: int) -> bool:
    (known,) = truth.rows(inst, select(func.count(Document.id)))
    return known >= least and not truth.work_left(inst) and not docduck.live_runs()


def _client(key: str) -> httpx.Client:
    return httpx.Client(headers={"Authorization": f"Bearer {key}"}, timeout=120, trust_env=False)


@contextmanager
def _uploading(url: str, key: str) -> Iterator[Uploads]:
    """Upload one order after the other while the block runs."""
    uploads = Uploads()
    numbers = count(_FIRST_UPLOAD)

    def upload() -> None:
        paper = order(next(numbers))
        content = paper.pdf()
        sha256 = hashlib.sha256(content).hexdigest()
        uploads.unclear[sha256] = paper
        try:
            answer = client.post(url, files={"file": (f"{paper.number}.pdf", content, "application/pdf")})
        except httpx.HTTPError:
            return
        if answer.status_code == 200:
            uploads.accepted[sha256] = uploads.unclear.pop(sha256)

    with _client(key) as client, repeating(upload, _UPLOAD_SECONDS):
        yield uploads


@contextmanager
def _changing(url: str, key: str, inst: Installation, parser_id: str) -> Iterator[Changes]:
    """Change a value of a document that is read, one after the other, while the block runs."""
    changes = Changes()
    chance = random.Random(SEED)
    numbers = count()
    read = select(Document.id).where(Document.parser_id == parser_id, Document.status == "processed")

    def change() -> None:
        # The database may be away for a moment.
        with suppress(DBAPIError):
            change_one()

    def change_one() -> None:
        ids = truth.rows(inst, read)
        if not ids:
            return
        document_id, value = chance.choice(sorted(ids)), f"note {next(numbers)}"
        values = changes.values[document_id]
        try:
            answer = client.patch(f"{url}/documents/{document_id}/data", json={"data": {"Note": value}})
        except httpx.HTTPError:
            values.append(value)
            return
        if answer.status_code == 200:
            changes.answered += 1
            values[:] = [value]
        elif answer.status_code >= 500:
            values.append(value)

    with _client(key) as client, repeating(change, _CHANGE_SECONDS):
        yield changes


def _losses(
    docduck: Docduck, inst: Installation, inbox: Inbox, uploads: Uploads, changes: Changes
) -> Iterator[Figure]:
    """Compare what was accepted with the catalog, and both with the published tables."""
    slugs = {parser.id: parser.slug for parser in list_parsers(inst, inst.team_id)}
    ours = (*SLUGS, _UPLOADS, "scans")
    documents = [
        row
        for row in truth.rows(inst, select(Document).join(Parser, Parser.id == Document.parser_id))
        if slugs[str(row.parser_id)] in ours
    ]
    there = Counter((slugs[str(row.parser_id)], str(row.sha256)) for row in documents)
    accepted = {**inbox.papers, **{(_UPLOADS, sha256): paper for sha256, paper in uploads.accepted.items()}}
    known = {**accepted, **{(_UPLOADS, sha256): paper for sha256, paper in uploads.unclear.items()}}
    note = f"{len(inbox.papers)} dropped, {len(uploads.accepted)} uploaded, {len(uploads.unclear)} unclear"
    yield Figure("documents accepted", len(accepted), "", note=note)
    yield Figure("documents lost", len(accepted.keys() - there.keys()), "", 0)
    doubled = sum(times - 1 for times in there.values()) + len(there.keys() - known.keys())
    yield Figure("documents doubled", doubled, "", 0)
    wrong = [
        f"{row.name}: {row.error or row.status}"
        for row in documents
        if (row.error or "") != _error(known.get((slugs[str(row.parser_id)], str(row.sha256)), ""))
        or row.status != ("failed" if row.error else "processed")
    ]
    yield Figure("documents not read", len(wrong), "", 0, note="; ".join(wrong[:3]))
    yield rows_off(docduck, ours, documents)
    wanted = expected(known)
    found = actual(docduck, (*SLUGS, _UPLOADS))
    may_miss = expected({key: paper for key, paper in known.items() if key not in accepted}).keys()
    missing = wanted.keys() - found.keys() - may_miss
    bad = sorted(missing | {name for name, values in found.items() if wanted.get(name) != values})
    yield Figure("tables' rows wrong", len(bad), "", 0, note=", ".join(bad[:3]))
    notes = dict(docduck.query(f"SELECT document_id, note FROM {SLUGS[0]}.documents"))
    lost = [one for one, values in changes.values.items() if notes.get(one) not in values]
    yield Figure("changes lost", len(lost), "", 0, note=f"of {changes.answered} that were answered")


def _error(outcome: Order | str) -> str:
    return outcome if isinstance(outcome, str) else ""

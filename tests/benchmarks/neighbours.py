"""Neighbours: what slow documents, many parsers and costly requests of some mean for the others."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from statistics import quantiles

import duckdb
import httpx

from docduck.catalog.models import Team
from docduck.service.accounts.keys import create_key
from docduck.service.core.installation import Installation, open_installation
from docduck.service.outputs.warehouse_sync import sync_warehouse
from docduck.service.parsers.parsers import NewParser, create_parser
from docduck.settings import Settings
from tests.benchmarks.api import serving
from tests.benchmarks.attack import attack, counted, make_costly_parser, write_scans
from tests.benchmarks.documents import write_documents
from tests.benchmarks.figures import Figure
from tests.benchmarks.processes import memory_of
from tests.benchmarks.repeating import repeating
from tests.benchmarks.running import Running, TookTooLong, running, wait_for
from tests.benchmarks.whole import rest
from tests.service.core.documents import upload

WORKERS = 2
PARSERS = 500
NEW_PARSER_SECONDS = 8.0
BEHIND_SLOW_SECONDS = 20.0
LIST_SECONDS = 0.5
SPARE_MB = 1000.0
LATER_MB = 450.0
_TIMES = 3
_SLOW, _SLOW_PAGES = 50, 60
_GOOD = 26
_PATIENCE_SECONDS = 180.0
_ATTACK_SECONDS = 20.0
_LATER_SECONDS = 30.0
_SAMPLE_SECONDS = 1.0


def neighbours(folder: Path, documents: int) -> Iterator[Figure]:
    """Measure in ``folder``; ``documents`` changes nothing."""
    yield from _new_parsers(_made(folder / "parsers"))
    yield from _behind_slow_documents(_made(folder / "slow"))
    yield from _beside_costly_requests(_made(folder / "costly"))


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def _new_parsers(folder: Path) -> Iterator[Figure]:
    """How soon the first document of a new parser is a row, where there are many parsers."""
    home = _made(folder / "home")
    inst = open_installation(Settings(home=home))
    for number in range(PARSERS):
        create_parser(inst, inst.team_id, NewParser(f"Parser {number}", template_key="invoice"))
    sync_warehouse(inst)
    files = write_documents(folder / "documents", _TIMES)
    seconds: list[float] = []
    try:
        with running(home, WORKERS) as up:
            for number, file in enumerate(files):
                rest(up)
                parser = create_parser(inst, inst.team_id, NewParser(f"New {number}", template_key="invoice"))
                newcomer = replace(up, parser=parser)
                at = newcomer.upload(file)
                seconds.append(newcomer.wait_for_published(1, _PATIENCE_SECONDS) - at)
    finally:
        inst.close()
    note = f"the slowest of {_TIMES}, beside {PARSERS} parsers; the fastest {min(seconds):.1f} s"
    yield Figure("row of a new parser's first document", max(seconds), "s", NEW_PARSER_SECONDS, note=note)


def _behind_slow_documents(folder: Path) -> Iterator[Figure]:
    """How soon good documents are rows that come after slow ones, to their parser and to another."""
    home = _made(folder / "home")
    inst = open_installation(Settings(home=home))
    other = create_parser(inst, inst.team_id, NewParser("Other", template_key="invoice"))
    inst.close()
    slow = write_scans(folder / "scans", _SLOW, _SLOW_PAGES)
    good = write_documents(folder / "documents", 2 * _GOOD)
    with running(home, WORKERS) as up:
        beside = replace(up, parser=other)
        rest(up)
        up.drop(slow)
        wait_for(lambda: up.held() >= WORKERS, _PATIENCE_SECONDS, "slow documents in work")
        time.sleep(2)
        peak = [memory_of(up.pid).pss]
        with repeating(lambda: peak.append(memory_of(up.pid).pss), _SAMPLE_SECONDS):
            at = up.drop(good[:_GOOD])
            beside.drop(good[_GOOD:])
            same, another = (_seconds_until_rows(one, at) for one in (up, beside))
        note = f"{_GOOD} documents behind {_SLOW} scans of {_SLOW_PAGES} pages"
        yield Figure("all rows, in the same parser", same, "s", BEHIND_SLOW_SECONDS, note=note)
        yield Figure("all rows, in another parser", another, "s", BEHIND_SLOW_SECONDS, note=note)
        limit = WORKERS * Settings(home=home).worker_memory_mb * 1.048576 + SPARE_MB
        yield Figure("all processes meanwhile", max(peak) / 1e6, "MB", limit, note="by proportional share")


def _seconds_until_rows(up: Running, since: float) -> float:
    sql = f"SELECT count(*) FROM \"{up.parser.slug}\".documents WHERE name LIKE 'invoice-%'"

    def there() -> bool:
        try:
            with duckdb.connect(str(up.home / "analytics.duckdb"), read_only=True) as connection:
                row = connection.execute(sql).fetchone()
        except (FileNotFoundError, duckdb.Error):
            return False
        return row is not None and row[0] >= _GOOD

    try:
        wait_for(there, _PATIENCE_SECONDS, "rows")
    except TookTooLong:
        return _PATIENCE_SECONDS
    return time.time() - since


def _beside_costly_requests(folder: Path) -> Iterator[Figure]:
    """How soon a team's list of documents is answered while another one asks for what costs most."""
    settings = Settings(home=folder / "home", rate_limit_minute=0, rate_limit_day=0)
    inst = open_installation(settings)
    try:
        costly, document_id = make_costly_parser(inst)
        mine, key = _another_team(inst)
        theirs = create_key(inst, inst.team_id, "costly").text
        with serving(settings.home, folder / "serve.log") as (address, process):
            path = f"{address}/api/v1/parsers/{mine}/documents"
            alone = _times_of_lists(path, key, 3.0)
            with attack(f"{address}/api/v1/parsers/{costly}", theirs, document_id) as answers:
                beside = _times_of_lists(path, key, _ATTACK_SECONDS)
                memory = process.memory_info().rss / 1e6
            time.sleep(_LATER_SECONDS)
            later = process.memory_info().rss / 1e6
        note = f"{len(beside)} lists; alone {1000 * _p95(alone):.0f} ms; {counted(answers)}"
        yield Figure("list beside costly requests, p95", _p95(beside), "s", LIST_SECONDS, note=note)
        yield Figure("the API's memory then", memory, "MB")
        yield Figure(f"{_LATER_SECONDS:g} s later", later, "MB", LATER_MB)
    finally:
        inst.close()


def _another_team(inst: Installation) -> tuple[str, str]:
    with inst.catalog.transaction() as session:
        team = Team(name="Neighbours", slug="neighbours")
        session.add(team)
        session.flush()
        team_id = team.id
    parser = create_parser(inst, team_id, NewParser("Mine", template_key="invoice"))
    for number in range(50):
        upload(inst, team_id, parser.slug, f"Invoice Number: {number}".encode(), f"{number}.txt")
    return parser.id, create_key(inst, team_id, "neighbour").text


def _times_of_lists(path: str, key: str, seconds: float) -> list[float]:
    found: list[float] = []
    end = time.monotonic() + seconds
    with httpx.Client(headers={"Authorization": f"Bearer {key}"}, timeout=120, trust_env=False) as client:
        while time.monotonic() < end:
            begin = time.perf_counter()
            client.get(path).raise_for_status()
            found.append(time.perf_counter() - begin)
            time.sleep(0.02)
    return found


def _p95(seconds: list[float]) -> float:
    return quantiles(seconds, n=20)[-1] if len(seconds) > 1 else seconds[0]

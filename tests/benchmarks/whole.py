"""The whole of docduck: how soon it is ready, what it weighs, how soon rows follow documents, and
what it takes beyond the bare engine."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.benchmarks.documents import write_documents
from tests.benchmarks.engine import BareEngine, bare_engine
from tests.benchmarks.figures import Figure
from tests.benchmarks.processes import Watched, memory_of
from tests.benchmarks.running import Running, running, wait_for

WORKERS = 2
OVERHEAD_LIMIT = 1.25
IDLE_LATENCY_SECONDS = 5.0
LIVE_LATENCY_SECONDS = 2.0
IDLE_SHARE = 3.0
IDLE_SECONDS = 60.0
UPLOAD_LATENCY_SECONDS = 5.0
READY_SECONDS = 20.0
IDLE_MB = 900.0
GROWTH_MB = 25.0
_TIMES = 3
_UPLOADS = 5
_QUIET_SECONDS = 12.0
_PATIENCE_SECONDS = 120.0
_SLOWEST_PER_SECOND = 10.0


def whole(folder: Path, documents: int) -> Iterator[Figure]:
    """Measure a docduck that runs in ``folder``, at last with ``documents`` dropped at once."""
    files = write_documents(folder / "documents", documents)
    singles = write_documents(folder / "singles", 2 * _TIMES + _UPLOADS, first=documents)
    home = folder / "home"
    home.mkdir()
    with running(home, WORKERS) as up:
        yield Figure("ready after docduck up", up.ready_seconds, "s", READY_SECONDS)
        wait_for(lambda: up.published()[1] > 0, _PATIENCE_SECONDS, "table of the new parser")
        rest(up)
        memory = memory_of(up.pid)
        note = f"by proportional share; {memory.rss / 1e6:.0f} MB with shared pages each time"
        yield Figure("idle processes together", memory.pss / 1e6, "MB", IDLE_MB, note=note)
        for role, size in memory.roles.items():
            yield Figure(f"  {role}", size / 1e6, "MB")
        yield from _idle_processors(up)
        yield from _latency(up, singles)
        with bare_engine([field for field in up.parser.fields if field.extract], WORKERS) as engine:
            yield from _overhead(up, engine, files, published=len(singles))


def _idle_processors(up: Running) -> Iterator[Figure]:
    """Measure the share of one processor that all processes take while nothing is to be done."""
    with Watched(up.pid) as watched:
        time.sleep(IDLE_SECONDS)
    used = watched.cpu()
    share = {role: 100 * seconds / IDLE_SECONDS for role, seconds in used.items()}
    yield Figure("idle processor time, of one core", sum(share.values()), "%", IDLE_SHARE)
    for role, percent in share.items():
        yield Figure(f"  {role}", percent, "%")


def rest(up: Running) -> None:
    """Wait until no run has been there for a while, so that none is about to start either."""
    last = time.monotonic()

    def rested() -> bool:
        nonlocal last
        if up.live_runs():
            last = time.monotonic()
        return time.monotonic() - last > _QUIET_SECONDS

    wait_for(rested, _PATIENCE_SECONDS, "rest between runs")


def _latency(up: Running, files: Sequence[Path]) -> Iterator[Figure]:
    published = 0
    idle: list[float] = []
    live: list[float] = []
    uploaded: list[float] = []
    for index in range(_UPLOADS):
        rest(up)
        time.sleep(index * 0.9)
        at = up.upload(files[published])
        published += 1
        uploaded.append(up.wait_for_rows(published, _PATIENCE_SECONDS) - at)
    for index in range(_TIMES):
        rest(up)
        time.sleep(index)
        for seconds in (idle, live):
            at = up.drop([files[published]])
            published += 1
            seconds.append(up.wait_for_rows(published, _PATIENCE_SECONDS) - at)
    note = f"the slowest of {_UPLOADS}, the fastest {min(uploaded):.1f} s"
    yield Figure("row after an upload while idle", max(uploaded), "s", UPLOAD_LATENCY_SECONDS, note=note)
    note = f"the slowest of {_TIMES}"
    yield Figure("row after a drop while idle", max(idle), "s", IDLE_LATENCY_SECONDS, note=note)
    yield Figure("row after a drop during a run", max(live), "s", LIVE_LATENCY_SECONDS, note=note)


def _overhead(up: Running, engine: BareEngine, files: Sequence[Path], published: int) -> Iterator[Figure]:
    """The engine reads half of the files before and half after, so that both meet the same machine."""
    rest(up)
    half = len(files) // 2
    engine.read(files[:half])
    held = [file.with_suffix(".held") for file in files[half:]]
    for file, copy in zip(files[half:], held, strict=True):
        copy.hardlink_to(file)
    with Watched(up.pid, lambda: up.read() - published) as watched:
        dropped = up.drop(files)
        patience = _PATIENCE_SECONDS + len(files) / _SLOWEST_PER_SECOND
        done = up.wait_for_rows(published + len(files), patience)
    engine.read(held)
    whole = done - up.first_tick(dropped)
    yield Figure("bare engine", 1000 * engine.seconds / len(files), "ms/document")
    yield Figure("first tick to last row published", 1000 * whole / len(files), "ms/document")
    yield Figure("overhead", whole / engine.seconds, "×", OVERHEAD_LIMIT, note=f"{len(files)} documents")
    spent = watched.cpu()
    note = "of all processes; holds on a busy machine too"
    ratio = sum(spent.values()) / engine.processor
    yield Figure("overhead in processor time", ratio, "×", note=note)
    for role, seconds in sorted(spent.items(), key=lambda item: -item[1]):
        yield Figure(f"  {role}", 1000 * seconds / len(files), "ms/document")
    yield from _growth(watched, len(files))


def _growth(watched: Watched, documents: int) -> Iterator[Figure]:
    """How much larger each process is at the end than when it had got going."""
    early = watched.typical_rss(documents // 5, 2 * documents // 5)
    middle = watched.typical_rss(2 * documents // 5, 4 * documents // 5)
    late = watched.typical_rss(4 * documents // 5, documents)
    for role in early.keys() & late.keys():
        note = " → ".join(f"{part.get(role, 0) / 1e6:.0f}" for part in (early, middle, late)) + " MB"
        yield Figure(f"growth: {role}", (late[role] - early[role]) / 1e6, "MB", GROWTH_MB, note=note)

"""The pipeline within one process, without Dagster: what each of its stages takes."""

from __future__ import annotations

import resource
import shutil
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

from docduck.service.core.installation import Installation, open_installation
from docduck.service.outputs import warehouse_sync
from docduck.service.parsers.parsers import NewParser, create_parser
from docduck.service.processing import document_queue, processing
from docduck.service.processing.processing import process_queue
from docduck.service.sources.intake import ingest
from docduck.service.sources.sources import ensure_inbox, inbox
from docduck.settings import Settings
from tests.benchmarks.documents import write_documents
from tests.benchmarks.engine import bare_engine
from tests.benchmarks.figures import Figure

WORKERS = 2
OVERHEAD_LIMIT = 1.25
_STAGES: tuple[tuple[str, Any, str], ...] = (
    ("claim", document_queue, "claim"),
    ("catalog write", processing, "store_outcomes"),
    ("warehouse", warehouse_sync, "sync_warehouse"),
    ("publish", warehouse_sync, "publish"),
    ("housekeeping", document_queue, "release_lost"),
)


@dataclass(slots=True)
class Clock:
    """Seconds that calls took, by stage: on the wall, and of the processor in their own thread."""

    wall: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    processor: dict[str, float] = field(default_factory=lambda: defaultdict(float))

    def around(self, stage: str, call: Callable[..., Any]) -> Callable[..., Any]:
        """``call``, with its time added to ``stage``."""

        def timed(*arguments: Any, **named: Any) -> Any:
            wall, processor = time.perf_counter(), time.thread_time()
            try:
                return call(*arguments, **named)
            finally:
                self.wall[stage] += time.perf_counter() - wall
                self.processor[stage] += time.thread_time() - processor

        return timed


def pipeline(folder: Path, documents: int) -> Iterator[Figure]:
    """Take in, read and project ``documents``, with the bare engine's time for them beside it."""
    files = write_documents(folder / "documents", documents)
    settings = Settings(home=folder / "home", workers=WORKERS, settle_seconds=0)
    inst = open_installation(settings)
    parser = create_parser(inst, inst.team_id, NewParser(template_key="invoice"))
    ensure_inbox(inst)
    for file in files:
        shutil.copy(file, settings.inbox / parser.slug)
    half = documents // 2
    clock = Clock()
    with bare_engine([one for one in parser.fields if one.extract], WORKERS) as engine, ExitStack() as stack:
        for stage, module, name in _STAGES:
            stack.enter_context(patch.object(module, name, clock.around(stage, getattr(module, name))))
        engine.read(files[:half])
        begin, spent = time.perf_counter(), _processor()
        ingest(inst, inbox(inst))
        taken, spent_taking = time.perf_counter(), _processor()
        (report,) = process_queue(inst)
        done, spent_draining = time.perf_counter(), _processor()
        engine.read(files[half:])
    if report.processed != documents:
        raise RuntimeError(f"{report.processed} of {documents} documents were processed: {report.errors}")
    yield Figure("bare engine", 1000 * engine.seconds / documents, "ms/document")
    yield Figure("process_queue", 1000 * (done - taken) / documents, "ms/document")
    yield Figure("overhead of draining", (done - taken) / engine.seconds, "×", OVERHEAD_LIMIT)
    yield Figure("  processor: drain", 1000 * (spent_draining - spent_taking) / documents, "ms/document")
    for stage, _, _ in _STAGES:
        note = f"{1000 * clock.wall[stage] / documents:.3g} ms on the wall"
        yield Figure(
            f"  processor: {stage}", 1000 * clock.processor[stage] / documents, "ms/document", note=note
        )
    yield Figure("  processor: intake", 1000 * (spent_taking - spent) / documents, "ms/document")
    yield Figure("intake", documents / (taken - begin), "files/s")
    yield from _warehouse(inst, documents)
    inst.close()


def _warehouse(inst: Installation, documents: int) -> Iterator[Figure]:
    begin = time.perf_counter()
    warehouse_sync.rebuild(inst)
    yield Figure("warehouse rebuild", documents / (time.perf_counter() - begin), "documents/s")
    begin = time.perf_counter()
    warehouse_sync.publish(inst, force=True)
    seconds = time.perf_counter() - begin
    size = inst.warehouse.published.stat().st_size / 1e6
    yield Figure("publish", 1000 * seconds, "ms", note=f"{size:.1f} MB")


def _processor() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime

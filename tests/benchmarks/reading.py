"""Reading and extracting alone: digital pages, scans, long files, memory; and the peers on the same files.

The peers run in an environment of their own, ``.peers``, which ``make bench`` makes; without it they are
left out. Their tasks differ: invoice2data needs a template for each sender and gives fields, markitdown
and kreuzberg give text without fields.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import psutil
from reportlab.pdfgen.canvas import Canvas

from docduck import templates
from docduck.documents.read_options import ReadOptions
from docduck.documents.reader import read
from docduck.extraction import extract
from docduck.extraction.jobs.extraction_job import EXTRACTION, ReadTask, pack_fields
from docduck.extraction.run_extractors import extract_document
from docduck.fields import Field
from docduck.workers.limits import Limits
from docduck.workers.pool import WorkerPool
from tests.benchmarks.documents import write_documents
from tests.benchmarks.figures import Figure
from tools.samples.imaging import scan_jpeg

PEERS = ("invoice2data", "markitdown", "kreuzberg")
TEXT_ONLY = "kreuzberg"
PAGES_PER_SECOND = 20.0
LONG_PAGES, LONG_MB = 500, 700.0
START_SECONDS = 1.5
FLAT_MB = 25.0
_SCAN_LIMITS: tuple[tuple[Literal["fast", "full"], float], ...] = (("fast", 1.8), ("full", 3.5))
_SAMPLE = 100
_SCANS = 4
_ROUNDS = 3
_PEER_PYTHON = Path(".peers/bin/python")
_LOOP = Path(__file__).with_name("peer_loop.py")
_LIMITS = Limits(seconds=300, memory_bytes=1500 << 20)


def reading(folder: Path, documents: int) -> Iterator[Figure]:
    """Measure the engine; ``documents`` say over how many memory is watched."""
    files = write_documents(folder / "documents", max(documents, _SAMPLE))
    fields = list(templates.load("invoice").fields)
    yield from digital(files[:_SAMPLE], fields)
    yield from scans(folder, files[:_SCANS], fields)
    yield from long(folder, fields)
    yield from flat(files, fields)


def digital(files: Sequence[Path], fields: Sequence[Field]) -> Iterator[Figure]:
    """docduck and each peer in turns, so that all meet the same machine; medians of several rounds."""
    extract(files[0], fields)
    ours: list[float] = []
    theirs: dict[str, list[float]] = {peer: [] for peer in PEERS if _PEER_PYTHON.exists()}
    for _ in range(_ROUNDS):
        begin = time.perf_counter()
        for file in files:
            extract(file, fields)
        ours.append(len(files) / (time.perf_counter() - begin))
        for peer, rates in theirs.items():
            rates.append(_peer_rate(peer, files))
    rate = statistics.median(ours)
    note = "one process, all fields and tables"
    yield Figure("digital pages", rate, "pages/s", PAGES_PER_SECOND, better="more", note=note)
    for peer, rates in theirs.items():
        ratio = rate / statistics.median(rates)
        text_only = peer == TEXT_ONLY
        yield Figure(
            f"  against {peer}",
            ratio,
            "×",
            None if text_only else 1.0,
            better="more",
            note=f"{statistics.median(rates):.1f} documents/s" + (", its text alone" if text_only else ""),
        )


def _peer_rate(peer: str, files: Sequence[Path]) -> float:
    """Documents a second of a peer, by its own clock."""
    command = [str(_PEER_PYTHON), str(_LOOP), peer, *map(str, files)]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    told: dict[str, Any] = json.loads(ran.stdout.splitlines()[-1])
    return float(told["files"] / told["seconds"])


def scans(folder: Path, files: Sequence[Path], fields: Sequence[Field]) -> Iterator[Figure]:
    """Scanned pages, as two threads of one process read them."""
    pictures = []
    for file in files:
        pictures.append(folder / f"{file.stem}.jpg")
        pictures[-1].write_bytes(scan_jpeg(file.read_bytes()))
    for ocr, limit in _SCAN_LIMITS:
        options = ReadOptions(ocr=ocr, ocr_threads=2)
        _extract(pictures[0], fields, options)
        begin = time.perf_counter()
        for picture in pictures:
            _extract(picture, fields, options)
        yield Figure(f"a scanned page, {ocr}", (time.perf_counter() - begin) / len(pictures), "s", limit)


def _extract(path: Path, fields: Sequence[Field], options: ReadOptions) -> None:
    extract_document(read(path.read_bytes(), path.name, options), fields)


def long(folder: Path, fields: Sequence[Field]) -> Iterator[Figure]:
    """One file of many pages in a worker that has just been started."""
    path = folder / "long.pdf"
    _write_long(path)
    with WorkerPool(EXTRACTION, 1, _LIMITS) as pool:
        begin = time.perf_counter()
        pool.expect(1)
        pool.submit("short", ReadTask("short.txt", pack_fields(fields)), [_first_page(folder)])
        pool.wait()
        yield Figure("worker ready with its first document", time.perf_counter() - begin, "s", START_SECONDS)
        begin, peak = time.perf_counter(), 0
        pool.submit("long", ReadTask(path.name, pack_fields(fields)), [path])
        while not (done := pool.wait(0.02)):
            peak = max([peak, *(_rss(pid) for pid in pool.pids)])
        if done[0].error is not None:
            raise done[0].error
        seconds = time.perf_counter() - begin
    yield Figure(f"{LONG_PAGES} pages in one file", LONG_PAGES / seconds, "pages/s")
    yield Figure("  peak memory of its worker", peak / 1e6, "MB", LONG_MB)


def flat(files: Sequence[Path], fields: Sequence[Field]) -> Iterator[Figure]:
    """How much larger a worker is after all documents than after a tenth of them."""
    sizes: list[int] = []
    packed = pack_fields(fields)
    with WorkerPool(EXTRACTION, 1, _LIMITS, tasks_per_worker=len(files) + 1) as pool:
        for file in files:
            pool.submit(file.name, ReadTask(file.name, packed), [file])
        while len(sizes) < len(files):
            for outcome in pool.wait():
                if outcome.error is not None:
                    raise outcome.error
                sizes.append(max((_rss(pid) for pid in pool.pids), default=0))
    tenth = max(1, len(sizes) // 10)
    growth = statistics.median(sizes[-tenth:]) - statistics.median(sizes[tenth : 2 * tenth])
    note = f"over {len(sizes)} documents, to {statistics.median(sizes[-tenth:]) / 1e6:.0f} MB"
    yield Figure("growth of a worker", growth / 1e6, "MB", FLAT_MB, note=note)


def _first_page(folder: Path) -> Path:
    path = folder / "short.txt"
    path.write_text("Invoice Number: A-17\nTotal: 12.50 EUR\n")
    return path


def _write_long(path: Path) -> None:
    canvas = Canvas(str(path), pagesize=(595, 842))
    for number in range(LONG_PAGES):
        for row in range(50):
            canvas.drawString(50, 800 - 15 * row, f"Position {number}-{row}  screws and bolts of size {row}")
            canvas.drawRightString(540, 800 - 15 * row, f"{row * 3.5:,.2f}")
        canvas.showPage()
    canvas.save()


def _rss(pid: int) -> int:
    try:
        return int(psutil.Process(pid).memory_info().rss)
    except psutil.NoSuchProcess:
        return 0

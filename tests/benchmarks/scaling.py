"""How the time and the memory of reading grow with what is read, for the largest kinds of content."""

from __future__ import annotations

import multiprocessing
import resource
import time
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from docduck import templates
from docduck.documents.read_options import ReadOptions
from docduck.documents.reader import read
from docduck.errors import DocumentError
from docduck.extraction.run_extractors import extract_document
from tests.benchmarks.figures import Figure
from tests.documents.formats.scaled import LARGEST, SCALED, Scaled

SECONDS = 60.0
TIMES = 4
RATIO = 1.5 * TIMES
_LEAST_SECONDS = 0.2
_MOST_SECONDS = 300.0


@dataclass(frozen=True, slots=True)
class Cost:
    """What reading one file and extracting an invoice's fields took; ``ended`` is "" or the error."""

    seconds: float
    peak_mb: float
    ended: str = ""


def scaling(folder: Path, documents: int) -> Iterator[Figure]:
    """Measure each kind of file at a quarter of its full size and at its full size."""
    for name in LARGEST:
        yield from figures(name, SCALED[name])


def figures(name: str, scaled: Scaled) -> Iterator[Figure]:
    """Yield the time and the memory of the full size, and how much more time that takes than a part of it."""
    part, full = cost(scaled, scaled.full // TIMES), cost(scaled, scaled.full)
    note = f"{full.peak_mb:.0f} MB{', ' * bool(full.ended)}{full.ended}"
    yield Figure(name, full.seconds, "s", SECONDS, note=note)
    ratio = full.seconds / max(part.seconds, _LEAST_SECONDS)
    yield Figure(f"  {TIMES} times as much", ratio, "×", RATIO)


def cost(scaled: Scaled, size: int) -> Cost:
    """Return what the file of ``size`` costs in a process of its own."""
    receiver, sender = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=_measure, args=(scaled, size, sender))
    process.start()
    sender.close()
    try:
        if receiver.poll(_MOST_SECONDS):
            found: Cost = receiver.recv()
            return found
    except EOFError:
        return Cost(_MOST_SECONDS, 0, "died")
    finally:
        process.kill()
        process.join()
    return Cost(_MOST_SECONDS, 0, "not finished")


def _measure(scaled: Scaled, size: int, sender: Connection) -> None:
    data = scaled.make(size)
    fields = list(templates.load("invoice").fields)
    ended, begin = "", time.process_time()
    try:
        extract_document(read(data, scaled.name, ReadOptions(ocr="none")), fields)
    except DocumentError as error:
        ended = error.message[:60]
    seconds = time.process_time() - begin
    sender.send(Cost(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, ended))

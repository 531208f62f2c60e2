"""Reading takes time linear in the size of a file, whatever it holds.

The processor time of a file is compared with that of a file of the same kind that is four times as large: in
linear time it is 4 times as long, in quadratic time 16 times.
"""

from __future__ import annotations

import gc
import inspect
import sys
import time

import pytest

from docduck import templates
from docduck.documents.read_options import ReadOptions
from docduck.documents.reader import read
from docduck.errors import DocumentError
from docduck.extraction.run_extractors import extract_document
from tests.documents.formats.scaled import SCALED, Scaled

_FIELDS = tuple(templates.load("invoice").fields)
_MOST = 8.0
_ROUNDS = 3
_LEAST_SECONDS = 0.05


def seconds(scaled: Scaled, size: int) -> float:
    """Return this thread's processor time for one file; a file that is refused took the time until then."""
    data = scaled.make(size)
    gc.disable()
    limit = sys.getrecursionlimit()
    if scaled.calls is not None:
        sys.setrecursionlimit(len(inspect.stack(0)) + scaled.calls)
    begin = time.thread_time()
    try:
        extract_document(read(data, scaled.name, ReadOptions(ocr="none")), _FIELDS)
    except DocumentError:
        pass
    finally:
        sys.setrecursionlimit(limit)
        gc.enable()
    return time.thread_time() - begin


def ratio(scaled: Scaled) -> float:
    """Return how many times as long a file takes that is four times as large.

    The smaller file is the first of growing ones that takes measurable time. Of three ratios, each of
    a larger file, the least counts: a file may just be too small for a step of reading.
    """
    size = scaled.smallest
    part = seconds(scaled, size)
    while part < _LEAST_SECONDS and 4 * size < scaled.full:
        size = min(scaled.full // 4, round(size * max(2.0, min(10.0, _LEAST_SECONDS / part))))
        part = seconds(scaled, size)
    found = []
    for _ in range(_ROUNDS):
        found.append(seconds(scaled, 4 * size) / part)
        if found[-1] <= _MOST:
            break
        size = min(scaled.full // 4, 3 * size)
        part = max(seconds(scaled, size) for _ in range(2))
    return min(found)


@pytest.fixture(scope="module", autouse=True)
def _warm() -> None:
    seconds(SCALED["text, paragraphs"], 5)


@pytest.mark.extended
@pytest.mark.parametrize("name", SCALED)
def test_reading_is_linear(name: str) -> None:
    assert ratio(SCALED[name]) <= _MOST

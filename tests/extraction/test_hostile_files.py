"""Files that would hold a process for ever, or fill its memory: the pool ends them and goes on."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest

from docduck.documents.read_options import ReadOptions
from docduck.errors import DocumentError, WorkerEnded
from docduck.extraction.jobs.extraction_job import EXTRACTION, ReadTask, pack_fields
from docduck.extraction.result import Extraction
from docduck.fields import Field, FieldType
from docduck.workers.limits import Limits
from docduck.workers.pool import WorkerPool
from docduck.workers.task_queue import TaskOutcome
from tests.documents.formats.files import lines_page, pdf
from tests.documents.formats.rawpdf import CATALOG, FONT, HELLO, raw, stream

FIELDS = pack_fields([Field(name="Invoice date", type=FieldType.DATE)])
MESSAGES = {
    "File is damaged or not readable",
    "Timed out while processing document",
    "Reading the document takes more than 700 MiB of memory",
}
_PAGES = b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"


def _drawing(form: bytes) -> bytes:
    return (
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R"
        b" /Resources << /XObject << /X %s >> >> >>" % form
    )


def a_form_that_draws_itself() -> bytes:
    form = stream(
        b"/X Do /X Do " + HELLO,
        b"/Type /XObject /Subtype /Form /BBox [0 0 595 842]"
        b" /Resources << /XObject << /X 6 0 R >> /Font << /F1 5 0 R >> >>",
    )
    return raw(CATALOG, _PAGES, _drawing(b"6 0 R"), stream(b"/X Do"), FONT, form)


def forms_within_forms() -> bytes:
    """Ten levels that each draw the next one ten times: ten thousand million drawings."""
    levels = [
        stream(
            b"/X Do " * 10,
            b"/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X %d 0 R >> >>"
            % (number + 1),
        )
        for number in range(5, 15)
    ]
    last = stream(b"0 0 9 9 re f", b"/Type /XObject /Subtype /Form /BBox [0 0 9 9]")
    return raw(CATALOG, _PAGES, _drawing(b"5 0 R"), stream(b"/X Do"), *levels, last)


def a_page_that_unpacks_to_gigabytes() -> bytes:
    bomb = zlib.compress(zlib.compress(b"0 0 m 1 1 l S\n" * 8_000_000, 1), 9)
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R >>"
    return raw(CATALOG, _PAGES, page, stream(bomb, b"/Filter [/FlateDecode /FlateDecode]"))


@pytest.mark.slow
def test_the_pool_ends_what_never_ends(tmp_path: Path) -> None:
    hostile = (a_form_that_draws_itself, forms_within_forms, a_page_that_unpacks_to_gigabytes)
    with WorkerPool(EXTRACTION, 1, Limits(seconds=2, memory_bytes=700 << 20)) as pool:
        for make in (*hostile, lambda: pdf(lines_page())):
            path = tmp_path / str(len(list(tmp_path.iterdir())))
            path.write_bytes(make())
            pool.submit(path.name, ReadTask("a.pdf", FIELDS, ReadOptions(ocr="none")), [path])
        ends: dict[str, TaskOutcome[Extraction | None]] = {}
        while len(ends) < len(hostile) + 1:
            ends |= {outcome.key: outcome for outcome in pool.wait(60)}
    last = ends.pop(str(len(hostile)))
    assert last.error is None, repr(last)
    assert last.result is not None
    assert last.result.data == {"Invoice date": "2024-03-14"}
    for outcome in ends.values():
        # C code without memory aborts, which ends the worker.
        if outcome.result is None and not isinstance(outcome.error, WorkerEnded):
            assert isinstance(outcome.error, DocumentError)
            assert outcome.error.message in MESSAGES

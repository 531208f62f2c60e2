from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from reportlab.pdfgen.canvas import Canvas

from docduck.documents.read_options import ReadOptions
from docduck.extraction.jobs.alike_job import READING_ALIKE, AlikeReading, AlikeTask
from docduck.extraction.jobs.extraction_job import TEACHING, ReadTask, TeachTask
from docduck.workers.pool import Job, WorkerPool
from tests.extraction.jobs.test_extraction_job import FIELDS, LIMITS

T = TypeVar("T")
R = TypeVar("R")


def faxed(path: Path, cover: str, *pages: str) -> Path:
    canvas = Canvas(str(path))
    for page in (cover, *pages):
        for number, line in enumerate(page.splitlines()):
            canvas.drawString(72, 760 - 20 * number, line)
        canvas.showPage()
    canvas.save()
    return path


def done(job: Job[T, R], task: T, path: Path) -> R:
    with WorkerPool(job, 1, LIMITS) as pool:
        pool.submit("one", task, [path])
        (outcome,) = pool.wait(LIMITS.seconds)
    assert outcome.error is None and outcome.result is not None
    return outcome.result


def test_the_first_page_that_the_parser_reads_is_compared(tmp_path: Path) -> None:
    invoice = "Invoice No.: {}\nCustomer reference\nDelivery address\nTotal: 119.00 EUR"
    terms = "Payment terms"
    task = ReadTask("fax.pdf", FIELDS, ReadOptions(pages="2-"))
    known = faxed(tmp_path / "a", "Good morning, here comes everything", invoice.format("R-1"), terms)
    like = done(TEACHING, TeachTask(task, {}, {}), known).layout.fingerprint
    other = faxed(tmp_path / "b", "Yours sincerely Mister Miller", invoice.format("R-2"), terms)
    found = done(READING_ALIKE, AlikeTask(task, like), other)
    assert found.extraction is not None and found.extraction.data["Invoice Number"] == "R-2"
    assert found.extraction.page_count == 3 and len(found.extraction.pages) == 2
    # Of all pages, the cover is the first.
    every = AlikeTask(replace(task, reading=ReadOptions()), like)
    assert done(READING_ALIKE, every, other) == AlikeReading(None)

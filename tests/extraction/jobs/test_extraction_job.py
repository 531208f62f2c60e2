from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from docduck.documents.read_options import ReadOptions
from docduck.errors import DamagedFile, EmptyFile, NoPagesMatch, TooManyPages
from docduck.extraction.jobs.extraction_job import EXTRACTION, TEACHING, ReadTask, TeachTask, pack_fields
from docduck.extraction.result import Extraction
from docduck.fields import Field, FieldType
from docduck.settings import Settings
from docduck.workers.limits import Limits
from docduck.workers.pool import WorkerPool
from docduck.workers.process import InputUnavailable
from docduck.workers.task_queue import TaskOutcome

FIELDS = pack_fields(
    [
        Field(name="Invoice Number", labels=("Invoice No.",)),
        Field(name="Total", type=FieldType.CURRENCY),
    ]
)
LIMITS = Limits(seconds=60, memory_bytes=1500 << 20)


def invoice(path: Path, number: str, pages: int = 1) -> Path:
    canvas = Canvas(str(path), pagesize=A4)
    for page in range(1, pages + 1):
        canvas.drawString(72, 760, f"Invoice No.: {number}")
        canvas.drawString(72, 740, f"Page {page}")
        canvas.drawString(72, 700, "Total: 119.00 EUR")
        canvas.showPage()
    canvas.save()
    return path


def outcomes(
    tasks: dict[str, tuple[Path, ReadTask]], limits: Limits = LIMITS
) -> dict[str, TaskOutcome[Extraction | None]]:
    with WorkerPool(EXTRACTION, 1, limits) as pool:
        for key, (path, task) in tasks.items():
            pool.submit(key, task, [path])
        found: dict[str, TaskOutcome[Extraction | None]] = {}
        while len(found) < len(tasks):
            found |= {outcome.key: outcome for outcome in pool.wait(limits.seconds)}
        return found


def test_a_document_is_read_and_extracted(tmp_path: Path) -> None:
    path = invoice(tmp_path / "stored", "R-4711")
    outcome = outcomes({"one": (path, ReadTask("Rechnung März.pdf", FIELDS))})["one"]
    assert outcome.error is None
    assert outcome.result is not None
    assert outcome.result.data == {"Invoice Number": "R-4711", "Total": 119.0}
    assert outcome.result.content_type == "application/pdf"


def faxed(path: Path, cover: str, *pages: str) -> Path:
    canvas = Canvas(str(path))
    for page in (cover, *pages):
        for number, line in enumerate(page.splitlines()):
            canvas.drawString(72, 760 - 20 * number, line)
        canvas.showPage()
    canvas.save()
    return path


def test_the_first_page_that_the_parser_reads_tells_the_layout(tmp_path: Path) -> None:
    lines = "Invoice No.: {}\nCustomer reference\nDelivery address\nTotal: 119.00 EUR"
    terms = "Payment terms"
    task = ReadTask("fax.pdf", FIELDS, ReadOptions(pages="2-"))
    known = faxed(tmp_path / "a", "Good morning, here comes everything", lines.format("R-1"), terms)
    with WorkerPool(TEACHING, 1, LIMITS) as pool:
        pool.submit("one", TeachTask(task, {}, {}), [known])
        (taught,) = pool.wait(LIMITS.seconds)
    assert taught.result is not None
    alike = replace(task, like=taught.result.layout.fingerprint)
    other = faxed(tmp_path / "b", "Yours sincerely Mister Miller", lines.format("R-2"), terms)
    # Of all pages, the cover is the first.
    every = replace(alike, reading=ReadOptions())
    found = outcomes({"alike": (other, alike), "every": (other, every)})
    extraction = found["alike"].result
    assert extraction is not None and extraction.data["Invoice Number"] == "R-2"
    assert extraction.page_count == 3 and len(extraction.pages) == 2
    assert found["every"].result is None and found["every"].error is None


def scan(width: int, height: int) -> Image.Image:
    """A page full of text."""
    page = Image.new("RGB", (width, height), "white")
    pen, font = ImageDraw.Draw(page), ImageFont.load_default(height / 70)
    for row in range(2, 46):
        text = f"Invoice No. R-4711  total of the order in Berlin amount {row * 119}.50  Date"
        pen.text((width / 12, row * height / 50), text, fill="black", font=font)
    return page


@pytest.mark.extended
def test_scanned_pages_of_different_sizes_are_read_in_the_memory_of_a_worker(tmp_path: Path) -> None:
    first, *others = (scan(2480, 3508), scan(3000, 3000), scan(2550, 3300))
    path = tmp_path / "stored"
    first.save(path, "PDF", save_all=True, append_images=others, resolution=300)
    limits = Limits(seconds=120, memory_bytes=Settings(home=tmp_path).worker_memory_mb << 20)
    outcome = outcomes({"one": (path, ReadTask("scan.pdf", FIELDS))}, limits)["one"]
    assert outcome.error is None and outcome.result is not None
    assert outcome.result.data["Invoice Number"] == "R-4711"


def test_unreadable_documents_end_with_their_message_and_harm_no_other(tmp_path: Path) -> None:
    empty, broken = tmp_path / "empty", tmp_path / "broken"
    empty.touch()
    whole = invoice(tmp_path / "whole", "R-1").read_bytes()
    broken.write_bytes(whole[:100] + b"\0" * 50)
    ended = outcomes(
        {
            "empty": (empty, ReadTask("a.pdf", FIELDS)),
            "broken": (broken, ReadTask("b.pdf", FIELDS)),
            "no page": (tmp_path / "whole", ReadTask("c.pdf", FIELDS, ReadOptions(pages="7"))),
            "missing": (tmp_path / "missing", ReadTask("d.pdf", FIELDS)),
            "good": (tmp_path / "whole", ReadTask("e.pdf", FIELDS)),
        }
    )
    assert isinstance(ended["empty"].error, EmptyFile)
    assert isinstance(ended["broken"].error, DamagedFile)
    assert isinstance(ended["no page"].error, NoPagesMatch)
    assert isinstance(ended["missing"].error, InputUnavailable)
    assert "missing" in ended["missing"].error.message
    assert ended["good"].error is None


@pytest.mark.parametrize(("allowed", "most"), [(2, 2), (1, 1), (5, None)])
def test_pages_are_limited(tmp_path: Path, allowed: int, most: int | None) -> None:
    path = invoice(tmp_path / "stored", "R-1", pages=3)
    tasks = {
        "all": (path, ReadTask("a.pdf", FIELDS, ReadOptions(max_pages=allowed))),
        "chosen": (path, ReadTask("a.pdf", FIELDS, ReadOptions(max_pages=allowed, pages="last"))),
    }
    ended = outcomes(tasks)
    error, chosen = ended["all"].error, ended["chosen"].result
    assert (str(error) if error else None) == (str(TooManyPages(3, most)) if most else None)
    assert chosen is not None
    assert ([page.number for page in chosen.pages], chosen.page_count) == ([3], 3)


def test_the_parent_of_a_pool_stays_light() -> None:
    code = (
        "import sys, docduck.extraction.jobs.extraction_job; "
        "print([name for name in ('onnxruntime', 'pypdfium2', 'cv2', 'rapidocr') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

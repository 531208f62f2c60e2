"""The web pages in Chromium: how soon they are painted, with very many documents, pages and rows."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

from reportlab.pdfgen.canvas import Canvas
from sqlalchemy import insert, select, update

from docduck.catalog.models import Document, DocumentStage
from docduck.ids import new_id
from docduck.service.core.installation import Installation, open_installation
from docduck.service.corrections.lesson_reach import lesson_reach
from docduck.service.outputs.warehouse_sync import sync_warehouse
from docduck.service.parsers.parsers import ParserView
from docduck.service.processing.processing import RunOptions, process_queue
from docduck.service.reviews.stage_changes import create_stage
from docduck.settings import Settings
from tests.benchmarks.catalog_world import fill
from tests.benchmarks.figures import Figure
from tests.server.served import Api, serving
from tests.service.core.documents import upload
from tests.web.browsing import make_user, signed_in

PAINT_MS, LONG_MS, WIDE_MS, LETTER_MS, CELL_MS, COUNT_MS = 300, 500, 1000, 50, 150, 200
_TIMES_AS_MANY = 20
_PAGES, _ROWS = 500, 1000
_ROUNDS = 7
_PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null"

_NEXT_FRAME = "() => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))"


def pages(folder: Path, documents: int) -> Iterator[Figure]:
    """First paint of each page with 20 times ``documents`` in the team, and views of large documents."""
    count = documents * _TIMES_AS_MANY
    inst = open_installation(Settings(home=folder / "home", rate_limit_minute=0))
    try:
        parser = fill(inst, count)
        long, wide = _long_document(inst, parser), _wide_document(inst, parser)
        sync_warehouse(inst)
        inst.warehouse.publish(force=True)
        _assign(inst, parser, make_user(inst, "Ann", "owner"))
        with serving(inst) as api:
            _correct(api, parser, wide)
            with signed_in(api, "/", "Ann", viewport={"width": 1280, "height": 900}) as (page, _):
                yield from _paints(page, parser, f"{count:,} documents")
                for document, note in ((long, f"{_PAGES} pages"), (wide, f"{_ROWS} rows")):
                    yield _paint(page, f"/documents/{document}", f"paint a document, {note}", note)
                yield _counting(inst, parser, wide)
                yield from _views(page, long, wide)
    finally:
        inst.close()


def _paints(page: Any, parser: ParserView, note: str) -> Iterator[Figure]:
    own = f"/parsers/{parser.slug}"
    for path in (
        *("/", "/documents", f"/documents?parser={parser.slug}", "/documents?status=processed", "/review"),
        *("/parsers", f"{own}/fields", f"{own}/settings", f"{own}/review-stages", f"{own}/post-processing"),
        *(f"{own}/exports", f"{own}/webhooks", f"{own}/accuracy", "/query", "/usage", "/team/audit"),
        *("/classifiers", "/sources", "/team/members", "/team/keys", "/profile"),
        *("/review/batch", "/review/values", "/bin", "/tables", "/help"),
    ):
        yield _paint(page, path, f"paint {path}", note)


def _paint(page: Any, path: str, name: str, note: str) -> Figure:
    taken = [_painted(page, path) for _ in range(_ROUNDS)]
    return Figure(name, statistics.median(taken), "ms", PAINT_MS, note=f"slowest {max(taken):.0f} ms; {note}")


def _counting(inst: Installation, parser: ParserView, document: str) -> Figure:
    """Counting for which documents a correction counts, which each saving of one does."""
    taken = []
    for _ in range(_ROUNDS):
        begin = time.perf_counter()
        lesson_reach(inst, inst.team_id, parser.id, document)
        taken.append(1000 * (time.perf_counter() - begin))
    return Figure("counting what can use a correction", statistics.median(taken), "ms", COUNT_MS)


def _painted(page: Any, path: str) -> float:
    answer = page.goto(path)
    assert answer.status == 200, (path, answer.status)
    while (found := page.evaluate(_PAINTED)) is None:
        time.sleep(0.01)
    return float(found)


def _views(page: Any, long: str, wide: str) -> Iterator[Figure]:
    """Until the picture of the first page is there; then until a table's cell takes its new text."""
    for name, document, limit, note in (
        ("view of a long document", long, LONG_MS, f"{_PAGES} pages"),
        ("view of a large table", wide, WIDE_MS, f"{_ROWS} rows"),
    ):
        taken = [_shown(page, document) for _ in range(_ROUNDS)]
        yield Figure(name, statistics.median(taken), "ms", limit, note=f"first {taken[0]:.0f} ms; {note}")
    cell = page.locator("table.grid tbody tr").nth(_ROWS // 2).locator("td").first
    cell.click()
    page.keyboard.press("Enter")
    taken = []
    for letter in "abcdefgh":
        begin = time.perf_counter()
        page.keyboard.press(letter)
        taken.append(1000 * (time.perf_counter() - begin))
    yield Figure("a letter in a large table", statistics.median(taken), "ms", LETTER_MS, note=f"{_ROWS} rows")
    taken = []
    for _ in range(_ROUNDS):
        page.keyboard.type("new")
        begin = time.perf_counter()
        page.keyboard.press("Enter")
        page.evaluate(_NEXT_FRAME)
        taken.append(1000 * (time.perf_counter() - begin))
    note = f"until it is painted and the next frame, {_ROWS} rows"
    yield Figure("an edited cell in a large table", statistics.median(taken), "ms", CELL_MS, note=note)


def _shown(page: Any, document: str) -> float:
    page.goto(f"/documents/{document}", wait_until="commit")
    page.wait_for_function("document.querySelector('#picture')?.complete")
    page.locator("#picture").evaluate("(picture) => picture.decode()")
    return float(page.evaluate("performance.now()"))


def _assign(inst: Installation, parser: ParserView, user_id: str) -> None:
    """Assign all documents in review to a user, at a stage."""
    stage = create_stage(inst, inst.team_id, parser.id, {"name": "Check", "reviewer_id": user_id})
    with inst.catalog.transaction() as session:
        mine = Document.status == "in_review"
        session.execute(update(Document).where(mine).values(assignee_id=user_id))
        rows = [
            {
                "id": new_id(),
                "team_id": inst.team_id,
                "document_id": document_id,
                "stage_id": stage.id,
                "position": 1,
                "status": "in_progress",
                "assignee_id": user_id,
                "started_at": created_at,
            }
            for document_id, created_at in session.execute(
                select(Document.id, Document.created_at).where(mine)
            )
        ]
        session.execute(insert(DocumentStage), rows)


def _long_document(inst: Installation, parser: ParserView) -> str:
    buffer = BytesIO()
    canvas = Canvas(buffer, pagesize=(595, 842))
    for number in range(1, _PAGES + 1):
        canvas.drawString(60, 780, f"Page {number}")
        for line in range(40):
            canvas.drawString(60, 750 - 16 * line, f"Line {line} of page {number} with some words to read")
        canvas.showPage()
    canvas.save()
    return _read(inst, parser, buffer.getvalue(), "long.pdf")


def _wide_document(inst: Installation, parser: ParserView) -> str:
    return _read(inst, parser, b"Invoice Number: A-1\nTotal: 1.00\n", "wide.txt")


def _read(inst: Installation, parser: ParserView, content: bytes, name: str) -> str:
    document = upload(inst, inst.team_id, parser.slug, content, name)
    process_queue(inst, RunOptions(idle_seconds=0))
    return document


def _correct(api: Api, parser: ParserView, document: str) -> None:
    """Give the document a table with many rows."""
    rows = [{"Description": f"Part {number}", "Quantity": 1, "Amount": number} for number in range(_ROWS)]
    answer = api.patch(f"/parsers/{parser.id}/documents/{document}/data", json={"data": {"Items": rows}})
    assert answer.status_code == 200, answer.text

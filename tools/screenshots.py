"""Pictures of the main pages with the sample documents, for the README: ``python -m tools.screenshots``."""

from __future__ import annotations

import io
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image

from docduck.cli.runtime.first_start import place_samples
from docduck.service.core.installation import Installation, open_installation
from docduck.service.documents.queries.listing import list_documents
from docduck.service.outputs.warehouse_sync import sync_warehouse
from docduck.service.parsers.parsers import get_parser
from docduck.service.processing.processing import RunOptions, process_queue
from docduck.settings import Settings
from tests.server.served import Api, serving
from tests.service.core.documents import upload
from tests.web.browsing import make_user, signed_in

FOLDER = Path(__file__).parents[1] / "docs"
PAGES = ("start", "documents", "document", "fields", "query", "review")
SIZE = {"width": 1280, "height": 800}
_COLOURS = 128
_TOTALS = """SELECT vendor_name, sum(total) AS total
FROM invoices.documents
GROUP BY vendor_name ORDER BY total DESC"""


def take(folder: Path) -> None:
    """Write a picture of each page into ``folder``, as PNG."""
    with tempfile.TemporaryDirectory(prefix="docduck-screenshots-") as home:
        inst = open_installation(Settings(home=Path(home)))
        try:
            with serving(inst) as api:
                _fill(api)
                _visit(api, folder)
        finally:
            inst.close()


def _fill(api: Api) -> None:
    """Read the samples; receipts wait for a review."""
    inst = api.inst
    place_samples(inst)
    user_id = make_user(inst, "Ann", "owner")
    stage = {"name": "Bookkeeping", "reviewerId": user_id}
    receipts = get_parser(inst, inst.team_id, "receipts").id
    assert api.post(f"/parsers/{receipts}/review-stages", json=stage).status_code == 201
    for path in sorted(inst.settings.inbox.glob("*/*")):
        upload(inst, inst.team_id, path.parent.name, path, source="folder")
    process_queue(inst, RunOptions(idle_seconds=0))
    sync_warehouse(inst)
    inst.warehouse.publish(force=True)


def _visit(api: Api, folder: Path) -> None:
    with signed_in(api, "/", "Ann", viewport=SIZE) as (page, complaints):
        _save(page, folder, "start")
        page.goto("/documents")
        _save(page, folder, "documents")
        page.goto(f"/documents/{_an_invoice(api.inst)}")
        page.locator("#picture").evaluate("(picture) => picture.decode()")
        page.locator("#fields input").nth(2).focus()
        page.wait_for_selector("#boxes > *")
        _save(page, folder, "document")
        page.goto("/parsers/invoices/fields")
        page.locator("details.item summary").first.click()
        _save(page, folder, "fields")
        page.goto("/query")
        page.fill("#sql", _TOTALS)
        page.click("#run")
        page.wait_for_selector("table")
        _save(page, folder, "query")
        page.goto("/review")
        _save(page, folder, "review")
        assert not complaints, complaints


def _an_invoice(inst: Installation) -> str:
    return list_documents(inst, inst.team_id, "invoices", sort="name.asc").rows[0].id


def _save(page: Any, folder: Path, name: str) -> None:
    assert name in PAGES
    with Image.open(io.BytesIO(page.screenshot())) as picture:
        small = picture.convert("RGB").quantize(_COLOURS, dither=Image.Dither.NONE)
        small.save(folder / f"{name}.png", optimize=True)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    take(FOLDER)

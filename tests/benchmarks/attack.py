"""An attack: slow scans, and requests to the API that cost as much as requests can."""

from __future__ import annotations

import io
import json
import multiprocessing
import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path

import httpx
from PIL import Image, ImageDraw
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from docduck.fields import parse_fields
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import NewParser, create_parser
from docduck.service.processing.processing import RunOptions, process_queue
from tests.service.core.documents import upload

_COSTLY_PATTERN = "[ab]*a[ab]{40}c"
"""In a text of random a and b, a matcher meets ever new states."""
_LONG_TEXT = 90_000
_LONG_TEXTS = 60
ROWS = 30_000
"""Rows of the table that each change of values sets."""
_PAUSE_SECONDS = 0.2


def write_scans(folder: Path, count: int, pages: int) -> list[Path]:
    """Write ``count`` files whose ``pages`` are pictures of text."""
    folder.mkdir()
    chance = random.Random(1)
    picture = Image.new("L", (1240, 1754), 255)
    pen = ImageDraw.Draw(picture)
    for line in range(50):
        pen.text((80, 60 + 32 * line), " ".join(f"{chance.getrandbits(30):x}" for _ in range(9)), size=24)
    page = io.BytesIO()
    picture.save(page, "JPEG")
    paths = []
    for number in range(count):
        path = folder / f"scan-{number}.pdf"
        canvas = Canvas(str(path), pagesize=A4)
        canvas.setTitle(path.name)
        for _ in range(pages):
            canvas.drawImage(ImageReader(page), 0, 0, *A4)
            canvas.showPage()
        canvas.save()
        paths.append(path)
    return paths


def make_costly_parser(inst: Installation) -> tuple[str, str]:
    """Make a parser with documents whose texts are long; return its id and that of a document."""
    fields = parse_fields(
        [
            {"name": "Text", "type": "text"},
            {"name": "Rows", "type": "table", "columns": [{"name": "A"}, {"name": "B"}]},
        ]
    )
    parser = create_parser(inst, inst.team_id, NewParser("Costly", fields=fields))
    chance = random.Random(2)
    text = "".join(chance.choices("ab", k=_LONG_TEXT))
    ids = [
        upload(inst, inst.team_id, parser.slug, f"Text: {text}{number}".encode(), f"{number}.txt")
        for number in range(_LONG_TEXTS)
    ]
    process_queue(inst, RunOptions(idle_seconds=0))
    return parser.id, ids[0]


@contextmanager
def attack(path: str, key: str, document_id: str) -> Iterator[list[int]]:
    """Have another process ask the API for what costs most, all at once.

    Yield a list to which the statuses of its answers are added at the end, 0 for none.
    """
    found: list[int] = []
    spawn = multiprocessing.get_context("spawn")
    ours, theirs = spawn.Pipe()
    process = spawn.Process(target=_ask_all, args=(path, key, document_id, theirs))
    process.start()
    ours.recv()
    time.sleep(2)
    try:
        yield found
    finally:
        ours.send("end")
        found.extend(ours.recv())
        process.join()


def _ask_all(path: str, key: str, document_id: str, pipe: Connection) -> None:
    """Search with costly patterns, change many values and send large bodies until the pipe says so."""
    condition = {"field": "Text", "operator": "matches_regex", "value": _COSTLY_PATTERN}
    rows = [{"A": f"{number}", "B": "x" * 100} for number in range(ROWS)]
    search = ("POST", f"{path}/documents/search", {"filters": [condition]})
    change = ("PATCH", f"{path}/documents/{document_id}/data", {"data": {"Rows": rows}})
    refused = ("PATCH", path, {f"{number}": "x" * 500 for number in range(4500)})
    answers: list[int] = []
    ended = threading.Event()

    def repeat(method: str, url: str, body: bytes) -> None:
        headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        with httpx.Client(headers=headers, timeout=120, trust_env=False) as client:
            while not ended.is_set():
                try:
                    answers.append(client.request(method, url, content=body).status_code)
                except httpx.HTTPError:
                    answers.append(0)
                    time.sleep(_PAUSE_SECONDS)

    asked = [
        (method, url, json.dumps(body).encode())
        for (method, url, body), count in ((search, 18), (change, 6), (refused, 40))
        for _ in range(count)
    ]
    threads = [threading.Thread(target=repeat, args=one, daemon=True) for one in asked]
    for thread in threads:
        thread.start()
    pipe.send("begun")
    pipe.recv()
    ended.set()
    pipe.send(list(answers))


def counted(answers: list[int]) -> str:
    """Return how many answers had which status."""
    kinds = sorted(set(answers))
    return "others' answers: " + ", ".join(f"{answers.count(one)} × {one or 'none'}" for one in kinds)

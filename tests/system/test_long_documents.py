"""Long scans, ordinary ones and small files at the same time: nobody stalls anybody."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.documents.test_pieces import scan
from tests.system.docduck import Docduck
from tests.system.papers import order
from tests.waiting import wait_for

PRODUCT = ("docduck.service.processing", "docduck.service.previews")

pytestmark = [pytest.mark.extended, pytest.mark.timeout(900)]

LONG_PAGES, ORDINARY_PAGES = 2000, 10


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Docduck, httpx.Client, str]]:
    """A running docduck with two workers, a client of its API, and the id of a parser."""
    home = tmp_path_factory.mktemp("long") / "home"
    docduck = Docduck(home, rate_limit_minute=0, workers=2, heartbeat_seconds=2)
    try:
        docduck.start("--samples")
        key = docduck.command("keys", "create", "tests", "--quiet").strip()
        headers = {"Authorization": f"Bearer {key}"}
        address = f"{docduck.api_address}/api/v1"
        with httpx.Client(base_url=address, headers=headers, trust_env=False, timeout=90) as client:
            parsers = client.get("/parsers").json()["data"]
            parser_id = next(one["id"] for one in parsers if one["name"].lower() == "purchase orders")
            yield docduck, client, parser_id
        docduck.stop()
    finally:
        docduck.kill()


def upload(client: httpx.Client, parser_id: str, name: str, content: bytes) -> str:
    answer = client.post(f"/process/{parser_id}/files", files={"file": (name, content)})
    assert answer.status_code == 200, answer.text
    return str(answer.json()["result"][0]["documentId"])


def shown(client: httpx.Client, parser_id: str, document_id: str) -> dict[str, Any]:
    return dict(client.get(f"/parsers/{parser_id}/documents/{document_id}").json())


def attempts(client: httpx.Client, parser_id: str, document_id: str) -> int:
    history = client.get(f"/parsers/{parser_id}/documents/{document_id}/history").json()["data"]
    return sum(one["event"] == "claimed" for one in history)


def test_a_long_scan_an_ordinary_one_and_a_trickle_of_small_files(
    served: tuple[Docduck, httpx.Client, str],
) -> None:
    docduck, client, parser_id = served
    long = upload(client, parser_id, "long.tiff", scan(LONG_PAGES))
    wait_for(lambda: (shown(client, parser_id, long)["metadata"]["progress"] or {}).get("pagesRead"), 120)
    ordinary = upload(client, parser_id, "ordinary.tiff", scan(ORDINARY_PAGES))
    small: list[str] = []

    def ordinary_is_done() -> bool:
        small.append(upload(client, parser_id, f"{len(small)}.pdf", order(5000 + len(small)).pdf()))
        time.sleep(1)
        return bool(shown(client, parser_id, ordinary)["isProcessed"])

    wait_for(ordinary_is_done, 120)
    during = shown(client, parser_id, long)
    assert during["status"] == "processing"
    assert 0 < during["metadata"]["progress"]["pagesRead"] < LONG_PAGES
    assert f"{LONG_PAGES}" in docduck.command("status")
    wait_for(lambda: all(shown(client, parser_id, one)["isProcessed"] for one in small), 60)
    assert [attempts(client, parser_id, one) for one in (long, ordinary)] == [1, 1]
    # A kill loses no piece, and a cancelled document leaves the workers.
    read = shown(client, parser_id, long)["metadata"]["progress"]["pagesRead"]
    for process in docduck.processes("run"):
        process.kill()
    wait_for(lambda: attempts(client, parser_id, long) == 2, 120)
    wait_for(lambda: shown(client, parser_id, long)["status"] == "processing", 60)
    assert shown(client, parser_id, long)["metadata"]["progress"]["pagesRead"] >= read
    cancelled = client.post(f"/parsers/{parser_id}/documents/{long}/cancel").json()
    assert (cancelled["status"], cancelled["error"]) == ("failed", "Cancelled")
    wait_for(lambda: not list((docduck.home / "pieces").iterdir()), 30)


def test_samples_keep_no_thumbnail_waiting(served: tuple[Docduck, httpx.Client, str]) -> None:
    _, client, parser_id = served
    document_id = upload(client, parser_id, "small.pdf", order(6000).pdf())
    sample = scan(100)
    answers: list[int] = []

    def suggest() -> None:
        files = {"file": ("sample.tiff", sample)}
        answers.append(client.post(f"/parsers/{parser_id}/fields/suggest", files=files).status_code)

    threads = [threading.Thread(target=suggest) for _ in range(3)]
    for thread in threads:
        thread.start()
    time.sleep(3)
    thumbnail = shown(client, parser_id, document_id)["metadata"]["thumbnail"]
    assert httpx.get(thumbnail, trust_env=False, timeout=15).status_code == 200
    assert len(answers) < 3, "the samples were read too soon for this test"
    for thread in threads:
        thread.join()
    # Who waited for too long is told to come again.
    assert set(answers) <= {200, 400, 503}

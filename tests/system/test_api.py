"""The API of a real docduck: rows soon after uploads, and nothing lost with its process."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from docduck.cli.runtime.service_process import is_ready
from tests.system.docduck import Docduck, kill
from tests.system.papers import Order, order
from tests.waiting import wait_for

PRODUCT = ("docduck.server", "docduck.service.runs", "docduck.service.uploads", "docduck.cli.runtime")

pytestmark = pytest.mark.extended


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Docduck, httpx.Client, str]]:
    """A running docduck, a client of its API with a key, and the path that orders are uploaded to."""
    docduck = Docduck(tmp_path_factory.mktemp("api") / "home", rate_limit_minute=0, run_warm_seconds=6)
    try:
        docduck.start("--samples")
        key = docduck.command("keys", "create", "tests", "--quiet").strip()
        headers = {"Authorization": f"Bearer {key}"}
        address = f"{docduck.api_address}/api/v1"
        with httpx.Client(base_url=address, headers=headers, trust_env=False, timeout=30) as client:
            parsers = client.get("/parsers").json()["data"]
            parser_id = next(one["id"] for one in parsers if one["name"].lower() == "purchase orders")
            yield docduck, client, f"/process/{parser_id}/files"
        docduck.stop()
    finally:
        docduck.kill()


def rest(docduck: Docduck) -> None:
    """Wait until no run has been there for a while."""
    last = time.monotonic()

    def rested() -> bool:
        nonlocal last
        if docduck.processes("run") or docduck.live_runs():
            last = time.monotonic()
        return time.monotonic() - last > 2

    wait_for(lambda: docduck.query("FROM information_schema.tables"), 60)
    wait_for(rested, 90)


def upload(client: httpx.Client, path: str, paper: Order) -> dict[str, str]:
    answer = client.post(path, files={"file": (f"{paper.number}.pdf", paper.pdf())})
    assert answer.status_code == 200, answer.text
    item: dict[str, str] = answer.json()["result"][0]
    return item


def is_row(docduck: Docduck, paper: Order) -> bool:
    question = f"SELECT count(*) FROM purchase_orders.documents WHERE order_number = '{paper.number}'"
    return docduck.query(question) == [(1,)]


def runs_of(docduck: Docduck, operation: str) -> list[dict[str, Any]]:
    """The runs whose tag lists an operation."""
    answer = docduck.graphql(
        "{ runsOrError(filter: {}) { ... on Runs { results { runId tags { key value } } } } }"
    )
    wanted = operation.rpartition("/")[2]
    return [
        run
        for run in answer["runsOrError"]["results"]
        for tag in run["tags"]
        if tag["key"] == "docduck/operations" and wanted in tag["value"].split()
    ]


def run_of(docduck: Docduck, operation: str) -> dict[str, str]:
    """The tags of the only run of an operation, with its id; it has its tag within a second or two."""
    wait_for(lambda: runs_of(docduck, operation), 10)
    (run,) = runs_of(docduck, operation)
    return {tag["key"]: tag["value"] for tag in run["tags"]} | {"runId": run["runId"]}


def test_an_upload_is_soon_a_row_and_its_run_is_found(served: tuple[Docduck, httpx.Client, str]) -> None:
    docduck, client, path = served
    for number in (1, 2, 3):
        rest(docduck)
        time.sleep(number * 1.7)
        paper = order(number)
        item = upload(client, path, paper)
        wait_for(partial(is_row, docduck, paper), 60)
        operation = client.get(f"/{item['operationName']}").json()
        assert (operation["done"], operation["status"]) == (True, "processed")
        run = run_of(docduck, item["operationName"])
        assert run["runId"] == operation["runId"]
        assert operation["runUrl"] == f"{docduck.address}/runs/{run['runId']}"
        assert run["docduck/started_by"] == "service", "no sensor's tick was waited for"


def test_uploads_while_a_run_is_live_share_it(served: tuple[Docduck, httpx.Client, str]) -> None:
    docduck, client, path = served
    rest(docduck)
    papers = [order(number) for number in range(10, 30)]
    items = [upload(client, path, paper) for paper in papers]
    wait_for(lambda: all(is_row(docduck, paper) for paper in papers), 90)
    runs = {run_of(docduck, item["operationName"])["runId"] for item in items}
    assert len(runs) == 1


def test_a_killed_service_comes_back_and_loses_no_upload(
    served: tuple[Docduck, httpx.Client, str],
) -> None:
    docduck, client, path = served
    rest(docduck)
    paper = order(100)
    item = upload(client, path, paper)
    (service,) = docduck.processes("service")
    kill(service)
    wait_for(lambda: service not in docduck.processes("service") and docduck.processes("service"), 30)
    wait_for(lambda: is_ready(docduck.api_address), 30)
    assert client.get(f"/{item['operationName']}").json()["documentId"] == item["documentId"]
    wait_for(lambda: is_row(docduck, paper), 60)
    assert "service ended by SIGKILL" in docduck.output
    upload(client, path, order(101))


def test_it_stays_small(served: tuple[Docduck, httpx.Client, str]) -> None:
    docduck, _, _ = served
    (service,) = docduck.processes("service")
    assert service.memory_info().rss < 170 * 1024 * 1024


def test_where_it_is_told(served: tuple[Docduck, httpx.Client, str]) -> None:
    docduck, _, _ = served
    told = re.search(r"API +(\S+)/api/v1  \(docs: /docs\)", docduck.output)
    assert told is not None and told.group(1) == docduck.api_address
    assert httpx.get(f"{docduck.api_address}/docs", trust_env=False).status_code == 200
    log = (docduck.home / "logs" / "service.log").read_text()
    assert '"route"' in log
    assert "docduck_" not in log, "no key in the log"


def test_the_api_alone_serves_and_ends_on_ctrl_c(tmp_path: Path) -> None:
    docduck = Docduck(tmp_path / "home")
    try:
        docduck.launch(command="serve")
        wait_for(lambda: "The API is at" in docduck.output, 60, lambda: docduck.output)
        told = re.search(r"The API is at (http://\S+)/api/v1", docduck.output)
        assert told is not None
        wait_for(lambda: is_ready(told.group(1)), 30)
        docduck.stop()
        assert not is_ready(told.group(1))
    finally:
        docduck.kill()


def test_ctrl_c_lets_a_request_finish(served: tuple[Docduck, httpx.Client, str]) -> None:
    docduck, client, path = served
    rest(docduck)
    (service,) = docduck.processes("service")
    paper = order(200)
    body = paper.pdf()

    def slowly() -> Iterator[bytes]:
        yield body[:100]
        service.terminate()
        time.sleep(1)
        yield body[100:]

    boundary = "b0undary"
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n'

    def form() -> Iterator[bytes]:
        yield head.encode()
        yield from slowly()
        yield f"\r\n--{boundary}--\r\n".encode()

    answer = client.post(
        path, content=form(), headers={"Content-Type": f"multipart/form-data; boundary={boundary}"}
    )
    assert answer.status_code == 200, answer.text
    wait_for(lambda: not service.is_running(), 30)
    wait_for(lambda: is_ready(docduck.api_address), 30)
    wait_for(lambda: is_row(docduck, paper), 60)

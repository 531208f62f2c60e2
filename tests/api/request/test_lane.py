from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any

import pytest

from docduck.api.request.lane import Lane
from docduck.api.routers.documents import document_lists, documents
from docduck.errors import TooMany, Transient
from docduck.service.core.installation import Installation
from docduck.service.documents.queries.document_views import DocumentView, show_document
from docduck.service.documents.queries.finding import find_documents
from tests.conftest import MakeInstallation
from tests.server.served import serving

_LONG = 30


class Held:
    """A search that begins, and ends when it is told to."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.end = threading.Event()

    def __call__(self, *args: Any) -> Any:
        self.begun.set()
        assert self.end.wait(_LONG)
        return find_documents(*args) if args else "found"


def _lane(threads: int = 2, seconds: float = _LONG) -> Lane:
    return Lane("searches", threads, 1, seconds)


def test_a_team_has_its_share_and_no_more() -> None:
    async def run() -> None:
        lane, held = _lane(seconds=0), [Held(), Held()]
        first = asyncio.create_task(lane.run("a", held[0]))
        await asyncio.to_thread(held[0].begun.wait, _LONG)
        with pytest.raises(TooMany, match="Only 1 of your team's searches can run"):
            await lane.run("a", lambda: "refused")
        assert await lane.run("b", lambda: "found") == "found"
        second = asyncio.create_task(lane.run("b", held[1]))
        await asyncio.to_thread(held[1].begun.wait, _LONG)
        with pytest.raises(Transient, match="Other teams' searches keep"):
            await lane.run("c", lambda: "refused")
        for one in held:
            one.end.set()
        assert [await first, await second] == ["found", "found"]
        assert await lane.run("c", lambda: "found") == "found"
        lane.close()

    asyncio.run(run())


def test_teams_take_turns() -> None:
    async def run() -> None:
        lane, held, order = _lane(1), Held(), list[str]()
        waiting: list[asyncio.Task[Any]] = [asyncio.create_task(lane.run("a", held))]
        await asyncio.to_thread(held.begun.wait, _LONG)
        for team_id in ("a", "a", "a", "b"):
            waiting.append(asyncio.create_task(lane.run(team_id, partial(order.append, team_id))))
            await asyncio.sleep(0)
        held.end.set()
        await asyncio.gather(*waiting)
        assert sorted(order) == ["a", "a", "a", "b"]
        assert order.index("b") <= 1
        lane.close()

    asyncio.run(run())


def test_a_search_that_fails_or_is_cancelled_gives_its_turn_back() -> None:
    def fail() -> None:
        raise ValueError("no")

    async def run() -> None:
        lane, held = _lane(1), Held()
        with pytest.raises(ValueError, match="no"):
            await lane.run("a", fail)
        first = asyncio.create_task(lane.run("a", held))
        await asyncio.to_thread(held.begun.wait, _LONG)
        waiting = [asyncio.create_task(lane.run(team_id, fail)) for team_id in ("a", "b")]
        await asyncio.sleep(0)
        for one in waiting:
            one.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        held.end.set()
        assert await first == "found"
        assert await lane.run("b", lambda: "found") == "found"
        lane.close()

    asyncio.run(run())


@contextmanager
def _patched(held: Held) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(document_lists, "find_documents", held)
        yield


def test_other_requests_go_on_beside_searches(make_installation: MakeInstallation) -> None:
    inst = make_installation(api_threads=1, search_team_threads=1, search_wait_seconds=0)
    with serving(inst) as api, ThreadPoolExecutor(1) as threads:
        listed = f"/parsers/{api.parser()}/documents"
        held = Held()
        with _patched(held):
            search = threads.submit(api.post, f"{listed}/search", json={})
            assert held.begun.wait(_LONG)
        assert api.get(listed).json()["data"] == []
        assert api.get(f"{api.address}/readyz").status_code == 200
        for refused in (api.post(f"{listed}/search", json={}), api.get(listed, params={"q": "a"})):
            assert (refused.status_code, refused.headers["Retry-After"]) == (429, "5")
            assert "of your team's searches" in refused.json()["message"]
            assert refused.json()["retryAfter"] == 5
        with api.other_team() as others:
            theirs = others.post(f"{listed}/search", json={})
        assert (theirs.status_code, theirs.headers["Retry-After"]) == (503, "5")
        assert "Other teams' searches" in theirs.json()["message"]
        held.end.set()
        assert search.result().status_code == 200
        assert api.post(f"{listed}/search", json={}).status_code == 200


def test_other_requests_go_on_beside_changes_of_values(make_installation: MakeInstallation) -> None:
    inst = make_installation(api_threads=1, correction_wait_seconds=0)
    with serving(inst) as api, ThreadPoolExecutor(1) as threads, pytest.MonkeyPatch.context() as patched:
        parser_id = api.parser()
        path = f"/parsers/{parser_id}/documents/{api.upload(parser_id)}"
        held = Held()
        patched.setattr(documents, "enter_values", lambda *_args, **_more: held() and show(inst, path))
        change = threads.submit(api.patch, f"{path}/data", json={"data": {"Number": "B-1"}})
        assert held.begun.wait(_LONG)
        assert api.get(path).status_code == 200
        refused = api.put(f"{path}/data", json={"data": {"Number": "B-2"}})
        assert (refused.status_code, refused.headers["Retry-After"]) == (429, "5")
        assert "Only 1 of your team's changes of values can run at a time" in refused.json()["message"]
        held.end.set()
        assert change.result().status_code == 200


def show(inst: Installation, path: str) -> DocumentView:
    """The document of a path."""
    _, _, parser_id, _, document_id = path.split("/")
    return show_document(inst, inst.team_id, parser_id, document_id)

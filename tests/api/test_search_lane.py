from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any

import pytest

from docduck.api.routers import document_lists
from docduck.api.search_lane import SearchLane
from docduck.errors import TooMany, Transient
from docduck.service.search.finding import find_documents
from docduck.settings import Settings
from tests.api.server import serving
from tests.conftest import MakeInstallation

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


def _lane(**changes: Any) -> SearchLane:
    return SearchLane(Settings(**{"search_threads": 2, "search_team_threads": 1, **changes}))


def test_a_team_has_its_share_and_no_more() -> None:
    async def run() -> None:
        lane, held = _lane(search_wait_seconds=0), [Held(), Held()]
        first = asyncio.create_task(lane.run("a", held[0]))
        await asyncio.to_thread(held[0].begun.wait, _LONG)
        with pytest.raises(TooMany, match="Your team has 1 searches under way"):
            await lane.run("a", lambda: "refused")
        assert await lane.run("b", lambda: "found") == "found"
        second = asyncio.create_task(lane.run("b", held[1]))
        await asyncio.to_thread(held[1].begun.wait, _LONG)
        with pytest.raises(Transient, match="other teams"):
            await lane.run("c", lambda: "refused")
        for one in held:
            one.end.set()
        assert [await first, await second] == ["found", "found"]
        assert await lane.run("c", lambda: "found") == "found"
        lane.close()

    asyncio.run(run())


def test_teams_take_turns() -> None:
    async def run() -> None:
        lane, held, order = _lane(search_threads=1, search_wait_seconds=_LONG), Held(), list[str]()
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
        lane, held = _lane(search_threads=1, search_wait_seconds=_LONG), Held()
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
    inst = make_installation(api_threads=1, search_threads=1, search_team_threads=1, search_wait_seconds=0)
    with serving(inst) as api, ThreadPoolExecutor(1) as threads:
        documents = f"/parsers/{api.parser()}/documents"
        held = Held()
        with _patched(held):
            search = threads.submit(api.post, f"{documents}/search", json={})
            assert held.begun.wait(_LONG)
        assert api.get(documents).json()["data"] == []
        assert api.get(f"{api.address}/readyz").status_code == 200
        for refused in (api.post(f"{documents}/search", json={}), api.get(documents, params={"q": "a"})):
            assert (refused.status_code, refused.headers["Retry-After"]) == (429, "5")
            assert "searches under way" in refused.json()["message"]
            assert refused.json()["retryAfter"] == 5
        with api.other_team() as others:
            theirs = others.post(f"{documents}/search", json={})
        assert (theirs.status_code, theirs.headers["Retry-After"]) == (503, "5")
        assert "searches of other teams" in theirs.json()["message"]
        held.end.set()
        assert search.result().status_code == 200
        assert api.post(f"{documents}/search", json={}).status_code == 200

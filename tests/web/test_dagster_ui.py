"""The Dagster UI behind the sign-in: a real webserver, and who reaches it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
import uvicorn
from dagster import DagsterInstance

from dagster_docduck.orchestration.ui_prefix import PREFIX
from dagster_docduck.orchestration.webserver import guarded
from dagster_docduck.private_dagster import webserver_application
from docduck.ids import new_id
from docduck.service.accounts.accounts import create_team
from docduck.settings import Settings
from tests.conftest import MakeInstallation
from tests.dagster_storage import local_instance
from tests.server.served import Api, serving
from tests.web.browser import Browser, member
from tests.web.pages import entered

MUTATION = 'mutation { setConcurrencyLimit(concurrencyKey: "%s", limit: 1) }'
VERSION = {"query": "{ version }"}


@dataclass
class Dagster:
    """A running webserver."""

    address: str
    instance: DagsterInstance


@contextmanager
def serving_asgi(app: Any, **config: Any) -> Iterator[str]:
    """Serve an application in a thread; gives its address."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning", **config))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.02)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="module")
def dagster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dagster]:
    workspace = tmp_path_factory.mktemp("workspace") / "workspace.yaml"
    workspace.write_text("load_from: []\n")
    with (
        local_instance(tmp_path_factory.mktemp("dagster")) as instance,
        webserver_application(instance, [workspace], PREFIX) as app,
        serving_asgi(guarded(app, Settings())) as address,
    ):
        yield Dagster(address, instance)


@pytest.fixture
def api(dagster: Dagster, make_installation: MakeInstallation) -> Iterator[Api]:
    with serving(make_installation(dagster_url=dagster.address)) as api:
        yield api


def test_an_owner_sees_and_commands_it(owner: Browser, dagster: Dagster) -> None:
    assert 'href="/dagster"' in owner.get("/").text
    page = owner.get("/dagster", follow_redirects=True)
    assert page.status_code == 200
    assert '"pathPrefix": "/dagster"' in page.text
    assert page.headers["x-frame-options"] == "DENY"
    assert "set-cookie" not in page.headers
    scripts = [part.partition('"')[0] for part in page.text.split('src="')[1:]]
    assert scripts and all(one.startswith("/dagster/") for one in scripts)
    for one in scripts[:3]:
        found = owner.get(one)
        assert found.status_code == 200 and "javascript" in found.headers["content-type"]
    assert owner.post("/dagster/graphql", json=VERSION).json()["data"]["version"]
    key = new_id()
    same = {"Origin": str(owner.base_url).rstrip("/"), "Sec-Fetch-Site": "same-origin"}
    assert owner.post("/dagster/graphql", json={"query": MUTATION % key}, headers=same).status_code == 200
    assert key in dagster.instance.event_log_storage.get_concurrency_keys()


def test_nobody_else_does(api: Api, dagster: Dagster) -> None:
    inst = api.inst
    strangers = create_team(inst, "Strangers")
    visitors = {
        "member": member(inst, "member", "member"),
        "reviewer": member(inst, "reviewer", "reviewer"),
        "no_team": member(inst, "no_team", None),
        "other": member(inst, "other", "owner", strangers.id),
    }
    for name, user_id in visitors.items():
        with Browser(api.address) as browser:
            browser.enter(inst, user_id)
            assert "/dagster" not in browser.get("/").text
            for path in ("/dagster", "/dagster/", "/dagster/runs"):
                assert browser.get(path).status_code == 403, name
            assert browser.post("/dagster/graphql", json={"query": MUTATION % name}).status_code == 403
    found = httpx.post(f"{api.address}/dagster/graphql", json={"query": MUTATION % "visitor"})
    assert found.status_code == 303
    for headers in ({"Authorization": f"Bearer {api.key}"}, {"Cookie": "docduck_session=x"}):
        answer = httpx.get(f"{api.address}/dagster/", headers=headers)
        assert answer.status_code == 303 and answer.headers["location"].startswith("/sign-in")
    assert not {*visitors, "visitor"} & dagster.instance.event_log_storage.get_concurrency_keys()


def test_other_sites_may_not_command(owner: Browser, dagster: Dagster) -> None:
    key = new_id()
    for headers in (
        {"Origin": "https://evil.example"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "cross-site"},
    ):
        answer = owner.post("/dagster/graphql", json={"query": MUTATION % key}, headers=headers)
        assert answer.status_code == 403
    assert owner.get("/dagster/graphql", params={"query": MUTATION % key}).status_code == 403
    assert key not in dagster.instance.event_log_storage.get_concurrency_keys()


def test_what_is_passed_on(make_installation: MakeInstallation) -> None:
    seen: list[dict[str, str]] = []

    async def app(scope: dict[str, object], receive: object, send: object) -> None:
        assert isinstance(scope["headers"], list) and callable(send)
        seen.append({name.decode(): value.decode() for name, value in scope["headers"]})
        seen[-1]["path"] = str(scope["raw_path"]) + str(scope["query_string"])
        headers = [(b"set-cookie", b"a=b"), (b"location", f"{address}/dagster/x".encode())]
        await send({"type": "http.response.start", "status": 307, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    with (
        serving_asgi(app, lifespan="off") as address,
        serving(make_installation(dagster_url=address)) as api,
        entered(api, "owner") as owner,
    ):
        sent = {"Authorization": "Basic eDp5", "Referer": f"{api.address}/x", "Accept": "text/html"}
        answer = owner.get("/dagster/a%2Fb?c=%26", headers=sent)
        assert (answer.status_code, answer.headers["location"]) == (307, "/dagster/x")
        assert "set-cookie" not in answer.headers
        for target in ("/dagster/graphql", "/dagster/%67raphql", "/dagster/graphql/"):
            for method in ("GET", "HEAD"):
                refused = owner.request(method, f"{target}?query=mutation{{x}}")
                assert refused.status_code == 403, "whatever guards Dagster itself"
    (given,) = seen
    assert given["path"] == "b'/dagster/a%2Fb'b'c=%26'"
    assert given["accept"] == "text/html"
    assert not {"cookie", "authorization", "referer", "origin"} & given.keys()


def test_without_dagster_a_page_says_so(make_installation: MakeInstallation) -> None:
    for role, settings, status, words in (
        ("owner", {}, 404, "docduck up"),
        ("admin", {"dagster_url": "http://127.0.0.1:9"}, 503, "Dagster can&#39;t be reached"),
    ):
        with serving(make_installation(**settings)) as api, entered(api, role) as manager:
            page = manager.get("/dagster/")
            assert page.status_code == status
            assert words in page.text

"""The guard of the Dagster UI, around Dagster's own application."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from dagster import DagsterInstance
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from dagster_docduck.orchestration.ui_prefix import PREFIX
from dagster_docduck.orchestration.webserver import guarded
from dagster_docduck.private_dagster import webserver_application
from docduck.settings import Settings
from tests.dagster_storage import local_instance

HERE = "127.0.0.1:3000"
MUTATION = "mutation ($key: String!) { setConcurrencyLimit(concurrencyKey: $key, limit: 1) }"
JSON = {"content-type": "application/json"}
FOREIGN = "https://evil.example"


@pytest.fixture(scope="module")
def storage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DagsterInstance]:
    with local_instance(tmp_path_factory.mktemp("dagster")) as made:
        yield made


@pytest.fixture(scope="module")
def client(storage: DagsterInstance, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    workspace = tmp_path_factory.mktemp("workspace") / "workspace.yaml"
    workspace.write_text("load_from: []\n")
    with webserver_application(storage, [workspace], PREFIX) as app:
        settings = Settings(ui_host="ui.example", trusted_hosts=("ducks.example", "10.0.0.5:8000"))
        yield TestClient(guarded(app, settings), f"http://{HERE}", follow_redirects=False)


def keys(storage: DagsterInstance) -> set[str]:
    """What commands have set."""
    return storage.event_log_storage.get_concurrency_keys()


@pytest.mark.parametrize(
    "host",
    [
        *(HERE, "localhost:3000", "[::1]:3000", "ui.example:3000"),
        *("Ducks.example", "ducks.example:443", "10.0.0.5:8000"),
    ],
)
def test_its_own_pages_and_programs_may_command(
    client: TestClient, storage: DagsterInstance, host: str
) -> None:
    command = {"query": MUTATION, "variables": {"key": host}}
    for headers in ({}, {"origin": f"http://{host}", "sec-fetch-site": "same-origin"}):
        answer = client.post("/graphql", json=command, headers={"host": host, **headers})
        assert (answer.status_code, answer.json()) == (200, {"data": {"setConcurrencyLimit": True}})
    assert host in keys(storage)


@pytest.mark.parametrize(
    ("method", "headers"),
    [
        ("GET", {}),
        ("GET", {"accept": "*/*", "sec-fetch-site": "cross-site"}),
        ("HEAD", {}),
        ("POST", {}),
        ("POST", {"content-type": "text/plain"}),
        ("POST", {"content-type": "application/x-www-form-urlencoded"}),
        ("POST", {**JSON, "origin": FOREIGN}),
        ("POST", {**JSON, "origin": "null"}),
        ("POST", {**JSON, "origin": "http://127.0.0.1:3001"}),
        ("POST", {**JSON, "sec-fetch-site": "cross-site"}),
        ("POST", {**JSON, "sec-fetch-site": "same-site"}),
        ("POST", {**JSON, "host": "evil.example:3000"}),
        ("POST", {**JSON, "host": "127.0.0.1.evil.example"}),
        ("POST", {**JSON, "host": "10.0.0.5:3000"}),
        ("POST", {**JSON, "host": "[::1"}),
        ("PUT", {"content-type": "text/plain"}),
    ],
)
def test_other_sites_may_not(
    client: TestClient, storage: DagsterInstance, method: str, headers: dict[str, str]
) -> None:
    command = {"query": MUTATION, "variables": json.dumps({"key": "refused"})}
    answer = client.request(method, "/graphql", params=command, content=json.dumps(command), headers=headers)
    assert answer.status_code == 403
    assert "refused" not in keys(storage)


def test_reports_of_assets_are_taken_from_programs_only(client: TestClient) -> None:
    path = "/report_asset_materialization/a"
    assert (
        client.request("POST", path, content="x=1", headers={"content-type": "text/plain"}).status_code == 403
    )
    assert client.request("POST", path, json={}, headers={"origin": FOREIGN}).status_code == 403
    assert client.request("POST", path, json={}).status_code == 200


def test_pages_are_read_under_known_names_only(client: TestClient) -> None:
    assert client.request("GET", "/dagster/runs?q=query").status_code == 200
    assert client.request("GET", "/dagster/graphql", headers={"accept": "text/html"}).status_code == 200
    refused = client.request("GET", "/runs", headers={"host": "rebound.example:3000"})
    assert refused.status_code == 403
    assert "DOCDUCK_TRUSTED_HOSTS" in refused.text


def test_other_paths_lead_to_the_ui(client: TestClient) -> None:
    for path, place in {
        "/": "/dagster/",
        "/runs?q=a%20b&x=1": "/dagster/runs?q=a%20b&x=1",
        "/assets/a%3Fb": "/dagster/assets/a%3Fb",
        "/dagsters": "/dagster/dagsters",
    }.items():
        found = client.request("GET", path)
        assert (found.status_code, found.headers["location"]) == (307, place)


@pytest.mark.parametrize(
    "headers",
    [{"host": HERE, "origin": FOREIGN}, {"host": "rebound.example"}, {"host": HERE, "origin": "null"}],
)
def test_websockets_of_other_sites_are_refused(client: TestClient, headers: dict[str, str]) -> None:
    with pytest.raises(WebSocketDisconnect) as caught, client.websocket_connect("/graphql", headers=headers):
        pass
    assert caught.value.code == 1008


@pytest.mark.parametrize("headers", [{"host": HERE}, {"host": HERE, "origin": f"http://{HERE}"}])
def test_its_own_websockets_are_taken(client: TestClient, headers: dict[str, str]) -> None:
    with client.websocket_connect("/graphql", ["graphql-ws"], headers=headers) as socket:
        assert socket.accepted_subprotocol == "graphql-ws"

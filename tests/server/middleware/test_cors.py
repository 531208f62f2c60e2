"""Calls from pages of other origins."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from docduck.api.response import responses as answer
from docduck.service.core.installation import open_installation
from docduck.settings import Settings
from tests.conftest import MakeInstallation
from tests.server.served import Api, serving

OURS, OTHER = "https://app.example.org", "https://evil.example"
ASKED = {
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization,idempotency-key",
}
EXPOSED = {"x-request-id", "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "retry-after"}


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    home, ours = tmp_path_factory.mktemp("cors"), (OURS, "http://localhost:5173")
    inst = open_installation(Settings(home=home, rate_limit_minute=0, cors_allowed_origins=ours))
    with serving(inst) as served:
        yield served
    inst.close()


def preflight(api: Api, path: str, origin: str, **headers: str) -> httpx.Response:
    given = {"Authorization": "", "Origin": origin, **ASKED, **headers}
    return api.request("OPTIONS", path, headers=given)


def test_origins_are_separated_by_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCDUCK_CORS_ALLOWED_ORIGINS", f"{OURS}, http://localhost:5173")
    assert Settings().cors_allowed_origins == (OURS, "http://localhost:5173")


@pytest.mark.parametrize("path", ["/parsers", "/process/files", "/nowhere"])
def test_a_preflight_needs_no_key(api: Api, path: str) -> None:
    answer = preflight(api, path, OURS)
    assert answer.status_code == 200
    assert answer.headers["access-control-allow-origin"] == OURS
    assert set(answer.headers["access-control-allow-headers"].split(",")) == {
        "authorization",
        "idempotency-key",
    }
    assert {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"} == set(
        answer.headers["access-control-allow-methods"].split(", ")
    )
    assert "access-control-allow-credentials" not in answer.headers
    assert answer.headers["x-request-id"]


def test_a_page_elsewhere_is_refused(api: Api) -> None:
    refused = preflight(api, "/parsers", OTHER)
    assert refused.status_code == 400
    assert refused.json() == {
        "error": True,
        "code": "origin_not_allowed",
        "message": "Not allowed from this origin",
    }
    assert "access-control-allow-origin" not in refused.headers
    answer = api.get("/parsers", headers={"Origin": OTHER})
    assert answer.status_code == 200 and "access-control-allow-origin" not in answer.headers


def test_a_page_may_read_every_answer(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*arguments: object, **named: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr("docduck.api.routers.parsers.find_parsers", broken)
    monkeypatch.setattr(answer._log, "disabled", True)
    wrong = {"Authorization": "Bearer no"}
    for path, headers, status in (
        ("/parsers", {}, 500),
        ("/parsers", wrong, 401),
        ("/nowhere", {}, 404),
        ("/parsers?limit=0", {}, 400),
        (f"{api.address}/healthz", {}, 200),
        ("/openapi.json", {}, 200),
    ):
        found = api.get(path, headers={"Origin": OURS, **headers})
        assert found.status_code == status
        assert found.headers["access-control-allow-origin"] == OURS, path
        exposed = found.headers["access-control-expose-headers"].lower().split(", ")
        assert set(exposed) >= EXPOSED, path
        assert "origin" in found.headers["vary"].lower(), path


def test_all_origins(make_installation: MakeInstallation) -> None:
    with serving(make_installation(cors_allowed_origins=("*",))) as api:
        assert preflight(api, "/parsers", OTHER).headers["access-control-allow-origin"] == "*"
        assert api.get("/parsers", headers={"Origin": OTHER}).headers["access-control-allow-origin"] == "*"


def test_no_origin_by_default(shared: Api) -> None:
    assert preflight(shared, "/parsers", OURS).status_code == 401
    answer = shared.get("/parsers", headers={"Origin": OURS})
    assert not [name for name in answer.headers if name.startswith("access-control")]

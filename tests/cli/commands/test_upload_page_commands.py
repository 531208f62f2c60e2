"""``docduck parsers upload-page`` and ``docduck classifiers upload-page``, here and with a server."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import httpx
import pytest

from docduck.service.core.installation import Installation, open_installation
from docduck.settings import settings
from tests.cli.conftest import Docduck
from tests.server.served import Api

pytestmark = pytest.mark.slow


@pytest.fixture
def inst(environment: Callable[..., None]) -> Iterator[Installation]:
    environment(rate_limit_minute=0)
    inst = open_installation(settings())
    yield inst
    inst.close()


@pytest.fixture(autouse=True)
def _served_here(environment: Callable[..., None], served: Api) -> None:
    environment(api_port=served.address.rpartition(":")[2])


@pytest.mark.parametrize("kind", ["parsers", "classifiers"])
def test_a_page_from_its_creation_to_its_deletion(run: Docduck, served: Api, kind: str) -> None:
    docduck, api = run, served
    parser_id = api.parser()
    routing = {"rules": [{"label": "Invoice", "targetParserId": parser_id}]}
    api.post("/classifiers", json={"name": "Mail", "routing": routing})
    words = (kind, "upload-page", "invoices" if kind == "parsers" else "Mail")
    none = docduck(*words)
    assert none.code == 2 and f"The {kind[:-1]} has no upload page" in none.err
    made = docduck(*words, "--title", "Bills", "--embed", "https://a.org", "--embed", "https://b.org")
    assert made.code == 0, made.err
    link = made.out.splitlines()[1]
    assert link.startswith(f"{api.address}/upload/")
    assert "Bills" in httpx.get(link, trust_env=False).text
    changed = docduck(*words, "--off", "--files-per-hour", "5", "--message", "PDF only", "--json").json
    assert {name: changed[name] for name in changed.keys() - {"id", "url", "createdAt", "updatedAt"}} == {
        "isActive": False,
        "title": "Bills",
        "message": "PDF only",
        "embedOrigins": ["https://a.org", "https://b.org"],
        "filesPerHour": 5,
    }
    assert f"{link} (switched off)" in docduck(*words).out
    assert httpx.get(link, trust_env=False).status_code == 404
    assert "no other pages" in docduck(*words, "--on", "--embed", "none").out
    renewed = docduck(*words, "--renew", "--json").json["url"]
    assert [httpx.get(one, trust_env=False).status_code for one in (link, renewed)] == [404, 200]
    both = docduck(*words, "--renew", "--off")
    assert (both.code, both.err) == (
        2,
        "Error: Give either --renew, --delete, or options that change the page\n",
    )
    assert "must be an origin" in docduck(*words, "--embed", "*").err
    assert docduck(*words, "--delete").out == f"Deleted the upload page of {words[2]}\n"
    assert docduck(*words).code == docduck(*words, "--delete").code == 2
    assert "not found" in docduck(kind, "upload-page", "Nobody", "--off").err

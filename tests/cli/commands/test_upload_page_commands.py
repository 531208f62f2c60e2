"""``docduck parsers upload-page`` and ``docduck classifiers upload-page``."""

from __future__ import annotations

from collections.abc import Callable

import httpx

from tests.cli.conftest import Docduck
from tests.server.served import Api


def test_a_page_from_its_creation_to_its_deletion(
    docduck: Docduck, api: Api, environment: Callable[..., None]
) -> None:
    environment(api_port=api.address.rpartition(":")[2])
    api.parser()
    words = ("parsers", "upload-page", "invoices")
    none = docduck(*words)
    assert none.code == 2 and "The parser has no upload page" in none.err
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
    assert "not found" in docduck("parsers", "upload-page", "Nobody", "--off").err


def test_a_classifier_has_one_too(docduck: Docduck) -> None:
    docduck("parsers", "add", "--template", "invoice")
    docduck("classifiers", "create", "Mail", "--rule", "Invoice=invoices")
    words = ("classifiers", "upload-page", "Mail")
    assert "The classifier has no upload page" in docduck(*words).err
    assert docduck(*words, "--title", "Bills", "--json").json["title"] == "Bills"
    assert docduck(*words, "--delete").out == "Deleted the upload page of Mail\n"

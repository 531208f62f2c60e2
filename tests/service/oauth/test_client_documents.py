"""Clients that are known by their metadata document, fetched over real TLS."""

from __future__ import annotations

import datetime as dt
import json
import ssl
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from docduck import clock
from docduck.outbound.resolving import Connecting
from docduck.service.core.installation import Installation
from docduck.service.oauth import client_documents
from docduck.service.oauth.client_documents import KNOWN_CLIENTS, is_document_url
from docduck.service.oauth.clients import Client, TooManyClients, find_client
from docduck.service.oauth.protocol import UnverifiedClient
from tests.conftest import MakeInstallation
from tests.constants import SetConstants
from tests.outbound.test_download import certificates
from tests.outbound.web import SITE, Answer, Resolving, Site, ok, redirect, reply, running
from tests.web.oauth.real_clients import DOCUMENTS

__all__ = ["certificates"]

HOST = "files.example.org"
JSON = "Content-Type: application/json"
CALLBACK = "https://app.example.org/callback"
USER = "0199aaaa-0000-7000-8000-000000000001"


@pytest.fixture
def inst(make_installation: MakeInstallation) -> Installation:
    return make_installation(outbound_allowed_networks=[f"{SITE}/32"])


class Host:
    """A host of clients' documents."""

    def __init__(self, site: Site, tls: ssl.SSLContext, inst: Installation) -> None:
        self.site, self.inst = site, inst
        self.names = Resolving({HOST: [SITE], "inside.example.org": ["10.0.0.1"], "localhost": ["127.0.0.1"]})
        self._connecting = Connecting(self.names, tls)

    def url(self, path: str = "/client.json", host: str = HOST) -> str:
        return self.site.url(path, host, "https")

    def serve(self, path: str = "/client.json", *headers: str, **changes: Any) -> str:
        """Have a document at a path; return its URL."""
        given = {
            "client_id": self.url(path),
            "client_name": "Robin",
            "redirect_uris": [CALLBACK],
            "token_endpoint_auth_method": "none",
            **changes,
        }
        kind = () if any(one.startswith("Content-Type") for one in headers) else (JSON,)
        self.site.pages[path] = ok(json.dumps(given).encode(), *kind, *headers)
        return self.url(path)

    def find(self, client_id: str) -> Client:
        return find_client(self.inst, client_id, USER, self._connecting)


@pytest.fixture
def host(certificates: Path, inst: Installation) -> Iterator[Host]:
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(certificates / "cert.pem", certificates / "key.pem")
    with running(server) as (site, _):
        yield Host(site, ssl.create_default_context(cafile=certificates / "ca.pem"), inst)


def test_a_client_is_what_its_document_says(host: Host) -> None:
    found = host.find(host.serve())
    assert (found.name, found.redirect_uris) == ("Robin", (CALLBACK,))
    assert found.host == f"{HOST}:{host.site.port}"
    for number, published in enumerate(DOCUMENTS.values()):
        found = host.find(host.serve(f"/{number}.json", **published))
        assert (found.name, [*found.redirect_uris]) == (published["client_name"], published["redirect_uris"])


def test_well_known_clients_are_known_where_their_documents_are_not_to_be_had(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert KNOWN_CLIENTS.keys() == DOCUMENTS.keys()
    for client_id, published in DOCUMENTS.items():
        found = host.find(client_id)
        assert found.host == urlsplit(client_id).netloc
        assert found.name == published["client_name"]
        assert {*found.redirect_uris} == {*published["redirect_uris"]}
    challenge = host.serve("/challenge", "Content-Type: text/html")
    with pytest.raises(UnverifiedClient):
        host.find(challenge)
    monkeypatch.setattr(client_documents, "KNOWN_CLIENTS", {challenge: KNOWN_CLIENTS[client_id]})
    assert host.find(challenge).name == "goose"
    fetched = host.serve("/right.json")
    monkeypatch.setattr(client_documents, "KNOWN_CLIENTS", {fetched: KNOWN_CLIENTS[client_id]})
    assert host.find(fetched).name == "Robin", "what its maker says now comes first"


def test_a_document_is_kept_for_a_while(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    began = clock.now()

    def later(seconds: int) -> None:
        monkeypatch.setattr(clock, "now", lambda: began + dt.timedelta(seconds=seconds))

    for control, seconds in (
        ("", 3600),
        ("Cache-Control: max-age=600", 600),
        ("Cache-Control: public, max-age=99999999", 86_400),
        ("Cache-Control: no-store, max-age=600", 60),
        ("Cache-Control: max-age=0", 60),
    ):
        later(0)
        path = f"/{seconds}/{len(control)}"
        first = host.find(host.serve(path, *([control] if control else [])))
        changed = host.serve(path, redirect_uris=["https://new.example.org/"])
        later(seconds - 1)
        assert host.find(changed) == first
        later(seconds)
        new = host.find(changed)
        assert (new.ref, new.redirect_uris) == (first.ref, ("https://new.example.org/",))


def test_documents_that_are_refused(host: Host, set_constants: SetConstants) -> None:
    set_constants(oauth_new_clients=100)
    large, jwt = "x" * 17_000, {"token_endpoint_auth_method": "private_key_jwt"}
    wrong: list[dict[str, Any]] = [
        {"client_id": host.url("/other.json")},
        {"client_id": None},
        {"redirect_uris": []},
        {"redirect_uris": ["http://example.org/"]},
        {"client_secret": "x"},
        {"token_endpoint_auth_method": "client_secret_post"},
        jwt,
        {**jwt, "token_endpoint_auth_methods_supported": ["private_key_jwt"]},
        {"client_uri": large},
        {"redirect_uris": [CALLBACK, "file:///etc/passwd"]},
    ]
    for number, changes in enumerate(wrong):
        url = host.serve(f"/{number}.json", **changes)
        with pytest.raises(UnverifiedClient) as refused:
            host.find(url)
    assert "'file:///etc/passwd' can't be a redirect URI" in refused.value.message
    html = host.serve("/html", "Content-Type: text/html")
    host.serve("/right.json")
    padding = b" " * 20_000
    answers: dict[str, Answer] = {
        "/redirect": redirect(host.url("/right.json")),
        "/missing": reply("404 Not Found"),
        "/list": ok(b"[]", JSON),
        "/nested": ok(b"[" * 10_000, JSON),
        "/no-json": ok(b"\xff", JSON),
        "/long": lambda stream: stream.sendall(
            b"HTTP/1.1 200 OK\r\n" + JSON.encode() + b"\r\n\r\n" + padding
        ),
    }
    host.site.pages |= answers
    for url in (html, *(host.url(path) for path in answers)):
        with pytest.raises(UnverifiedClient):
            host.find(url)


def test_private_addresses_are_not_asked(host: Host, set_constants: SetConstants) -> None:
    set_constants(oauth_new_clients=100)
    for url in (
        host.url(host="inside.example.org"),
        host.url(host="127.0.0.1"),
        "https://169.254.169.254/latest/meta-data",
        "https://10.0.0.1/client.json",
        "https://localhost/client.json",
        "https://metadata.google.internal/client.json",
    ):
        with pytest.raises(UnverifiedClient, match="not allowed"):
            host.find(url)
    assert host.site.requests == []


def test_ids_that_are_no_url_of_a_document() -> None:
    for client_id in (
        "http://example.org/client.json",
        "https://example.org",
        "https://example.org/",
        "https://example.org/../client.json",
        "https://example.org/./client.json",
        "https://example.org/client.json#x",
        "https://user@example.org/client.json",
        "https://example.org/a b",
        f"https://example.org/{'a' * 1000}",
        "ftp://example.org/x",
        "x",
    ):
        assert not is_document_url(client_id), client_id


def test_documents_of_a_user_are_limited(host: Host, set_constants: SetConstants) -> None:
    set_constants(oauth_new_clients=2)
    known = host.serve("/1.json")
    host.find(known)
    host.find(host.serve("/2.json"))
    with pytest.raises(TooManyClients):
        host.find(host.serve("/3.json"))
    assert host.find(known).name == "Robin", "known ones aren't fetched"

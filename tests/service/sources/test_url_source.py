"""URL sources: what is looked at, taken in, and told."""

from __future__ import annotations

import datetime as dt
import socket
from typing import Any

import pytest

from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import ParserChanges, update_parser
from docduck.service.sources import registration
from docduck.service.sources.intake import describe_source, ingest, inspect_source
from docduck.service.sources.remote_sources import RemoteSource
from tests.outbound.web import Site, ok, redirect, reply
from tests.service.sources.intake_world import (
    assert_files_match,
    documents,
    invoices,
    outcomes,
    pass_time,
    rows,
    wait_of,
)
from tests.service.sources.intake_world import web as web_source


def source(site: Site, path: str = "/a.txt", **more: Any) -> RemoteSource:
    return web_source(site, path, **more)


def test_a_document_is_taken_in_once(
    any_inst: Installation, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    parser = invoices(any_inst)
    site.pages["/a.txt"] = ok(b"one", 'ETag: "1"')
    web = source(site)
    state = inspect_source(any_inst, web)
    assert state.new == 1
    report = ingest(any_inst, web)
    assert (report.registered, report.by_parser) == (1, {"invoices": 1})
    (row,) = rows(any_inst)
    assert (row.name, row.source, row.parser_id) == ("a.txt", "url", parser.id)
    assert row.source_detail == {"source": "web", "url": site.url("/a.txt")}
    assert outcomes(any_inst) == {site.url("/a.txt"): "registered"}
    assert "Next look at" in inspect_source(any_inst, web).message, "it is not asked again so soon"
    asked = len(site.requests)
    assert ingest(any_inst, web).registered == 0 and len(site.requests) == asked
    pass_time(monkeypatch)
    site.pages["/a.txt"] = reply("304 Not Modified")
    assert inspect_source(any_inst, web).new == 0
    assert 'if-none-match: "1"' in site.requests[-1].lower()
    assert describe_source(any_inst, web).startswith(f"Nothing new in {site.url('/a.txt')}. Next look at ")
    assert_files_match(any_inst)


@pytest.mark.parametrize(("on_change", "names"), [("new", ["a.txt", "a.txt"]), ("replace", ["a.txt"])])
def test_a_new_version_is_a_new_document_or_replaces_the_one_before(
    inst: Installation, site: Site, monkeypatch: pytest.MonkeyPatch, on_change: str, names: list[str]
) -> None:
    invoices(inst)
    site.pages["/a.txt"] = ok(b"one")
    web = source(site, on_change=on_change)
    assert ingest(inst, web).registered == 1
    first = rows(inst)[0].id
    pass_time(monkeypatch)
    assert inspect_source(inst, web).new == 0, "without validators the content decides"
    site.pages["/a.txt"] = ok(b"two")
    pass_time(monkeypatch)
    assert inspect_source(inst, web).new == 1
    assert ingest(inst, web).registered == 1
    assert documents(inst) == names
    assert (first in {row.id for row in rows(inst)}) == (on_change == "new")
    assert_files_match(inst)


def test_links_of_a_page_that_match_are_taken_in(
    inst: Installation, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    invoices(inst)
    links = "".join(
        f'<a href="{name}">x</a>' for name in ("1.txt", "2.TXT", "other.html", "no.txt", "gone.txt")
    )
    site.pages["/"] = ok(f"<html>{links}</html>".encode(), "Content-Type: text/html")
    site.pages |= {f"/{name}": ok(name.encode()) for name in ("1.txt", "2.TXT", "other.html")}
    site.pages["/no.txt"], site.pages["/robots.txt"] = ok(b"no"), ok(b"User-agent: *\nDisallow: /no\n")
    web = source(site, "/", links="*.txt", robots=True)
    report = ingest(inst, web)
    assert (report.registered, report.vanished) == (2, 1)
    assert f"robots.txt forbids {site.url('/no.txt')}" in report.messages
    assert documents(inst) == ["1.txt", "2.TXT"]
    site.pages["/gone.txt"] = ok(b"now it is there")
    pass_time(monkeypatch)
    assert ingest(inst, web).registered == 1
    asked = [one.split(" ")[1] for one in site.requests]
    assert asked.count("/1.txt") == 1, "what is known is not asked for again"


def test_sitemaps_are_read_again_although_their_index_has_not_changed(
    inst: Installation, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    invoices(inst)
    sitemaps = "".join(f"<sitemap><loc>/{name}.xml</loc></sitemap>" for name in ("gone", "a", "b"))
    index = f"<sitemapindex>{sitemaps}</sitemapindex>".encode()
    site.pages["/map.xml"] = ok(index, "Content-Type: text/xml", 'ETag: "1"')
    web = source(site, "/map.xml", links="*.txt")
    for number in ("1", "2"):
        for name in ("a", "b"):
            page = f"<urlset><url><loc>/{name}{number}.txt</loc></url></urlset>"
            site.pages[f"/{name}.xml"] = ok(page.encode(), "Content-Type: text/xml")
            site.pages[f"/{name}{number}.txt"] = ok(f"{name}{number}".encode())
        report = ingest(inst, web)
        assert report.registered == 2
        assert "404" in report.messages[0], "one that is gone doesn't keep the others from being read"
        pass_time(monkeypatch)
        assert "if-none-match" not in "".join(site.requests).lower()
    assert documents(inst) == ["a1.txt", "a2.txt", "b1.txt", "b2.txt"]


def test_credentials_go_to_the_source_alone(inst: Installation, site: Site) -> None:
    invoices(inst)
    site.pages["/"] = ok(b'<a href="/a.txt">a</a>', "Content-Type: text/html")
    site.pages["/a.txt"] = redirect(f"http://127.0.0.3:{site.port}/stolen")
    web = source(site, "/", links="*.txt", token="s3cret", headers={"X-Own": "1"})
    report = ingest(inst, web)
    assert "redirects to a forbidden address" in report.messages[0]
    assert all("Authorization: Bearer s3cret" in one and "X-Own: 1" in one for one in site.requests)
    inspect_source(inst, source(site, name="basic", username="ann", password="pw"))
    assert "Authorization: Basic YW5uOnB3" in site.requests[-1]


def test_a_private_address_needs_to_be_allowed(inst: Installation, site: Site) -> None:
    invoices(inst)
    message = inspect_source(inst, source(site, private=False)).message
    assert "URL is not allowed" in message and "needs private: true" in message
    assert site.requests == []
    site.pages["/a.txt"] = redirect(f"http://127.0.0.1:{site.port}/inside")
    message = inspect_source(inst, source(site, name="private")).message
    assert "redirects to a forbidden address" in message, "one host allows no other one"


def _cut(stream: socket.socket) -> None:
    stream.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf")


def test_a_failing_server_is_tried_again_ever_later(
    inst: Installation, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    invoices(inst)
    site.pages["/a.txt"] = reply("503 Service Unavailable")
    web = source(site)
    waits = []
    for _ in range(3):
        assert "the server answered 503" in inspect_source(inst, web).message
        assert "503" in describe_source(inst, web)
        waits.append(wait_of(inst))
        pass_time(monkeypatch, dt.timedelta(hours=2))
    assert waits[0] < waits[1] < waits[2]
    site.pages["/a.txt"] = _cut
    assert "connection broke off" in inspect_source(inst, web).message
    pass_time(monkeypatch, dt.timedelta(hours=2))
    site.pages["/a.txt"] = ok(b"at last")
    assert ingest(inst, web).registered == 1
    assert documents(inst) == ["a.txt"]


def test_a_connection_that_is_cut_while_fetching_loses_nothing(
    inst: Installation, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    invoices(inst)
    site.pages["/"] = ok(b'<a href="/1.txt">1</a><a href="/2.txt">2</a>', "Content-Type: text/html")
    site.pages |= {"/1.txt": ok(b"one"), "/2.txt": _cut}
    web = source(site, "/", links="*.txt")
    report = ingest(inst, web)
    assert "the connection broke off" in report.messages[-1]
    assert outcomes(inst) == {site.url("/1.txt"): "registered", site.url("/2.txt"): "waiting"}
    site.pages["/2.txt"] = ok(b"two")
    pass_time(monkeypatch)
    ingest(inst, web)
    assert documents(inst) == ["1.txt", "2.txt"]
    assert set(outcomes(inst).values()) == {"registered"}


def test_a_source_of_a_parser_that_is_gone_or_not_active_waits(inst: Installation, site: Site) -> None:
    site.pages["/a.txt"] = ok(b"one")
    assert "no parser is called invoices" in inspect_source(inst, source(site)).message
    parser = invoices(inst)
    update_parser(inst, inst.team_id, parser.id, ParserChanges(is_active=False))
    assert "not active" in ingest(inst, source(site)).messages[0]
    update_parser(inst, inst.team_id, parser.id, ParserChanges(is_active=True))
    assert ingest(inst, source(site)).registered == 1


def test_two_processes_at_one_source_double_nothing(
    any_inst: Installation, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    invoices(any_inst)
    site.pages["/"] = ok(b'<a href="/1.txt">1</a>', "Content-Type: text/html")
    site.pages["/1.txt"] = ok(b"one")
    web = source(site, "/", links="*.txt")
    register = registration.register_items
    inner: list[int] = []

    def another_first(*given: Any) -> Any:
        if not inner:
            inner.append(1)
            ingest(any_inst, web)
        return register(*given)

    monkeypatch.setattr("docduck.service.sources.timed_intake.register_items", another_first)
    ingest(any_inst, web)
    assert documents(any_inst) == ["1.txt"]
    assert_files_match(any_inst)

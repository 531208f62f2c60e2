"""The real downloader against every trick of ``forbidden``: nothing is connected to, not even to look."""

from __future__ import annotations

import asyncio
import io
import socket
from collections.abc import Iterator
from dataclasses import replace
from ipaddress import ip_address

import pytest

from docduck.outbound.addresses import Address
from docduck.outbound.download import Downloaded, download
from docduck.outbound.errors import DownloadFailed, UrlNotAllowed
from docduck.outbound.policy import OutboundPolicy
from docduck.outbound.resolving import Connecting
from docduck.outbound.urls import check_url
from tests.outbound.forbidden import LOCATIONS, PLACES, RESOLVED, URLS
from tests.outbound.web import ONLY_THE_SITE, SITE, Canary, Resolving, Site, ok, redirect, reply, running

TRICKS = [*(f"http://{place}:{{port}}/" for place in PLACES), *URLS]

Web = tuple[Site, Canary]


@pytest.fixture(scope="module")
def web() -> Iterator[Web]:
    with running() as (site, canary):
        yield site, canary


@pytest.fixture(autouse=True)
def _nothing_lands_on_the_canary(web: Web) -> Iterator[None]:
    site, canary = web
    site.pages.clear()
    site.requests.clear()
    before = canary.connections
    yield
    assert canary.connections == before


def resolving() -> Resolving:
    known = {
        "localhost": ["127.0.0.1", "::1"],
        "rebound.example.org": ["127.0.0.1"],
        "mixed.example.org": [SITE, "127.0.0.1"],
        "inner.example.org": ["10.0.0.5"],
        "metadata.google.internal": ["169.254.169.254"],
        "site.example.org": [SITE],
    }
    return Resolving(known)


def fetch(url: str, policy: OutboundPolicy, resolver: Resolving) -> Downloaded:
    return asyncio.run(download(url, io.BytesIO(), policy, connecting=Connecting(resolver)))


def test_there_are_enough_tricks() -> None:
    assert len(set(TRICKS)) == len(TRICKS) > 250
    assert len(set(LOCATIONS)) == len(LOCATIONS) > 50


def test_the_canary_sings(web: Web) -> None:
    """That the count of connections can rise at all."""
    with running() as (_, canary):
        for number, host in enumerate(("127.0.0.1", "::1"), 1):
            with socket.create_connection((host, canary.port), timeout=5) as connection:
                assert connection.recv(1) == b""
            assert canary.connections == number


@pytest.mark.parametrize("trick", TRICKS)
def test_a_forbidden_url_is_refused_by_its_text_alone(web: Web, trick: str) -> None:
    url = trick.replace("{port}", str(web[1].port))
    resolver = Resolving({}, default=["127.0.0.1"])
    with pytest.raises(UrlNotAllowed):
        check_url(url, OutboundPolicy())
    with pytest.raises(UrlNotAllowed) as caught:
        fetch(url, OutboundPolicy(), resolver)
    assert caught.value.message == f"URL is not allowed: {url}"
    assert resolver.asked == []
    assert web[0].requests == []


@pytest.mark.parametrize("trick", [trick for trick in TRICKS if SITE not in trick])
def test_a_forbidden_url_stays_so_where_one_network_is_allowed(web: Web, trick: str) -> None:
    """Then local names are asked for, and what they resolve to is refused."""
    url = trick.replace("{port}", str(web[1].port))
    with pytest.raises(UrlNotAllowed):
        fetch(url, ONLY_THE_SITE, Resolving({}, default=["127.0.0.1"]))
    assert web[0].requests == []


@pytest.mark.parametrize("found", RESOLVED, ids=" ".join)
def test_a_name_is_refused_for_one_address(web: Web, found: list[str]) -> None:
    url = f"http://files.example.org:{web[1].port}/"
    for policy in (OutboundPolicy(), ONLY_THE_SITE):
        with pytest.raises(UrlNotAllowed) as caught:
            fetch(url, policy, Resolving({}, default=found))
        assert caught.value.message == f"URL is not allowed: {url}", "it tells nothing of what is inside"


STATUSES = ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"]


@pytest.mark.parametrize(
    ("location", "status"),
    [*((one, "302 Found") for one in LOCATIONS), *((LOCATIONS[0], one) for one in STATUSES)],
)
def test_a_redirect_is_checked_like_the_url(web: Web, location: str, status: str) -> None:
    site, canary = web
    site.pages["/"] = redirect(location.replace("{port}", str(canary.port)), status=status)
    site.pages["/file"] = ok(b"behind a password")
    with pytest.raises((UrlNotAllowed, DownloadFailed)) as caught:
        fetch(site.url("/"), ONLY_THE_SITE, resolving())
    refused = f"URL is not allowed: {site.url('/')} (it redirects to a forbidden address)"
    assert caught.value.message == refused or caught.value.message.startswith("Could not download")
    assert "127.0.0.1" not in caught.value.message
    assert not any("/file" in request for request in site.requests)


@pytest.mark.parametrize("hops", range(1, 6))
def test_the_last_of_several_redirects_is_checked_too(web: Web, hops: int) -> None:
    site, canary = web
    for hop in range(1, hops):
        site.pages[f"/{hop}"] = redirect(f"/{hop + 1}")
    site.pages[f"/{hops}"] = redirect(f"http://127.0.0.1:{canary.port}/")
    with pytest.raises(UrlNotAllowed, match=r"/1 \(it redirects to a forbidden address\)$"):
        fetch(site.url("/1"), ONLY_THE_SITE, resolving())
    assert len(site.requests) == hops


def test_a_redirect_to_a_name_is_refused_by_its_addresses(web: Web) -> None:
    site, canary = web
    site.pages["/"] = redirect(f"http://inside.example.org:{canary.port}/")
    with pytest.raises(UrlNotAllowed) as caught:
        fetch(site.url("/"), ONLY_THE_SITE, Resolving({}, default=["127.0.0.1"]))
    assert caught.value.message.endswith(f"{site.url('/')} (it redirects to a forbidden address)")


@pytest.mark.parametrize(
    ("pages", "requests"),
    [
        ({"/": redirect("/")}, 6),
        ({"/": redirect("/a"), "/a": redirect("/")}, 6),
        ({"/": redirect("#again")}, 6),
        (
            {
                "/": redirect("/1"),
                **{f"/{hop}": redirect(f"/{hop + 1}") for hop in range(1, 6)},
                "/6": ok(b"x"),
            },
            6,
        ),
    ],
)
def test_five_redirects_are_the_most(web: Web, pages: dict[str, bytes], requests: int) -> None:
    site, _ = web
    site.pages.update(pages)
    with pytest.raises(DownloadFailed, match="more than 5 redirects"):
        fetch(site.url("/"), ONLY_THE_SITE, resolving())
    assert len(site.requests) == requests


@pytest.mark.parametrize(
    "headers",
    [
        (),
        ("Location: ",),
        ("Location: /a", "Location: http://127.0.0.1:{port}/"),
        ("Refresh: 0; url=http://127.0.0.1:{port}/",),
        ("Content-Location: http://127.0.0.1:{port}/",),
        ("Link: <http://127.0.0.1:{port}/>; rel=canonical",),
    ],
)
def test_a_redirect_that_does_not_say_where_to(web: Web, headers: tuple[str, ...]) -> None:
    site, canary = web
    headers = tuple(header.replace("{port}", str(canary.port)) for header in headers)
    site.pages["/"] = reply("302 Found", *headers)
    with pytest.raises(DownloadFailed, match="does not say where to"):
        fetch(site.url("/"), ONLY_THE_SITE, resolving())


@pytest.mark.parametrize("status", ["200 OK", "201 Created"])
def test_other_headers_lead_nowhere(web: Web, status: str) -> None:
    site, canary = web
    there = f"http://127.0.0.1:{canary.port}/"
    site.pages["/"] = reply(
        status,
        f"Location: {there}",
        f"Refresh: 0; url={there}",
        f"Content-Location: {there}",
        f"Link: <{there}>; rel=preload",
        f'Alt-Svc: http/1.1="127.0.0.1:{canary.port}"',
        body=f'<meta http-equiv="refresh" content="0;url={there}">'.encode(),
    )
    assert fetch(site.url("/"), ONLY_THE_SITE, resolving()).size > 50


@pytest.mark.parametrize(
    "status", ["300 Choices", "304 Not Modified", "305 Use Proxy", "306 Unused", "399 Odd"]
)
def test_other_statuses_are_no_redirects(web: Web, status: str) -> None:
    site, canary = web
    site.pages["/"] = reply(status, f"Location: http://127.0.0.1:{canary.port}/")
    with pytest.raises(DownloadFailed, match=f"the server answered {status[:3]}"):
        fetch(site.url("/"), ONLY_THE_SITE, resolving())


def test_a_name_that_changes_its_address_is_asked_once_and_held_to_it(web: Web) -> None:
    """DNS rebinding: the allowed address first, loopback ever after."""
    site, _ = web
    site.pages["/"] = ok(b"the site's")

    class Rebinding(Resolving):
        async def __call__(self, name: str, port: int) -> list[Address]:
            self.asked.append(name)
            return [ip_address(SITE if len(self.asked) == 1 else "127.0.0.1")]

    resolver = Rebinding({})
    assert fetch(site.url("/", "rebinding.example.org"), ONLY_THE_SITE, resolver).size == 10
    assert resolver.asked == ["rebinding.example.org"]
    site.pages["/again"] = redirect(site.url("/", "rebinding.example.org"))
    with pytest.raises(UrlNotAllowed):
        fetch(site.url("/again", "rebinding.example.org"), ONLY_THE_SITE, Rebinding({}))


def test_proxies_and_passwords_of_the_environment_are_not_used(
    web: Web, monkeypatch: pytest.MonkeyPatch, tmp_path: io.StringIO
) -> None:
    site, canary = web
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{canary.port}")
    netrc = f"{tmp_path}/netrc"
    with open(netrc, "w") as file:  # noqa: PTH123
        file.write(f"machine {SITE} login duck password s3cret\n")
    monkeypatch.setenv("NETRC", netrc)
    site.pages["/"] = ok(b"x", "Set-Cookie: a=b")
    site.pages["/start"] = redirect("/")
    fetch(site.url("/start"), ONLY_THE_SITE, resolving())
    for request in site.requests:
        assert not any(f"\n{name}:" in request.lower() for name in ("cookie", "authorization", "referer"))


def test_the_length_of_a_url_is_a_setting(web: Web) -> None:
    site, _ = web
    site.pages["/"] = ok(b"x")
    url = site.url("/")
    assert fetch(url, replace(ONLY_THE_SITE, max_url_length=len(url)), resolving()).size == 1
    with pytest.raises(UrlNotAllowed):
        fetch(url, replace(ONLY_THE_SITE, max_url_length=len(url) - 1), resolving())

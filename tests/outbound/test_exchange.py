"""Requests whose response is wanted, by the policy of downloads."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from docduck.errors import Transient
from docduck.outbound.exchange import exchange
from docduck.outbound.policy import OutboundPolicy
from docduck.outbound.resolving import Connecting
from tests.outbound.test_forbidden import TRICKS
from tests.outbound.web import ONLY_THE_SITE, Canary, Resolving, Site, redirect, reply


def test_the_response_is_returned_whatever_its_status(web: tuple[Site, Canary]) -> None:
    site, canary = web
    site.pages["/a"] = reply("404 Not Found", body=b"{}")
    site.pages["/b"] = redirect(f"http://127.0.0.1:{canary.port}/")
    found = asyncio.run(exchange("POST", site.url("/a"), ONLY_THE_SITE, headers={"X-A": "b"}, content=b"c"))
    assert (found.status, found.body) == (404, b"{}")
    assert site.requests[0].startswith("POST /a HTTP/1.1\r\n")
    assert "X-A: b\r\n" in site.requests[0]
    assert asyncio.run(exchange("GET", site.url("/b"), ONLY_THE_SITE)).status in (301, 302, 307)


def test_a_response_that_is_too_large_is_refused(web: tuple[Site, Canary]) -> None:
    site, _ = web
    site.pages["/a"] = reply("200 OK", body=b"x" * 1000)
    with pytest.raises(Transient, match="longer than 999 bytes"):
        asyncio.run(exchange("GET", site.url("/a"), replace(ONLY_THE_SITE, max_bytes=999)))


def test_forbidden_urls_are_refused_without_a_connection(web: tuple[Site, Canary]) -> None:
    site, canary = web
    for trick in TRICKS:
        url = trick.replace("{port}", str(canary.port))
        with pytest.raises(Transient, match="its address is not allowed"):
            asyncio.run(exchange("GET", url, OutboundPolicy(), connecting=Connecting(Resolving({}))))
    assert site.requests == []

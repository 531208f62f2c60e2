"""Posting to callers' URLs by the policy of downloads: inward addresses are never connected to."""

from __future__ import annotations

import asyncio

import pytest

from docduck.outbound.exchange import NOT_ALLOWED
from docduck.outbound.policy import OutboundPolicy
from docduck.outbound.post import PostResult, post
from docduck.outbound.resolving import Connecting
from docduck.settings import Settings
from tests.outbound.forbidden import LOCATIONS, RESOLVED
from tests.outbound.test_forbidden import STATUSES, TRICKS
from tests.outbound.web import ONLY_THE_SITE, Canary, Resolving, Site, redirect, reply


def send(url: str, policy: OutboundPolicy, resolver: Resolving | None = None) -> PostResult:
    return asyncio.run(post(url, b"{}", {"X-A": "b"}, policy, Connecting(resolver or Resolving({}))))


def test_a_post_arrives_with_its_headers(web: tuple[Site, Canary]) -> None:
    site, _ = web
    site.pages["/a?b=c"] = reply("202 Accepted")
    assert send(site.url("/a?b=c"), ONLY_THE_SITE) == PostResult(202)
    (request,) = site.requests
    assert request.startswith("POST /a?b=c HTTP/1.1\r\n")
    assert "X-A: b\r\n" in request and f"Host: 127.0.0.2:{site.port}\r\n" in request


def test_forbidden_urls_are_refused_without_a_connection(web: tuple[Site, Canary]) -> None:
    site, canary = web
    for trick in TRICKS:
        url = trick.replace("{port}", str(canary.port))
        resolver = Resolving({}, default=["127.0.0.1"])
        assert send(url, OutboundPolicy(), resolver) == PostResult(None, NOT_ALLOWED), url
        assert resolver.asked == []
    assert site.requests == []


@pytest.mark.parametrize("found", RESOLVED, ids=" ".join)
def test_names_that_resolve_inward_are_refused(web: tuple[Site, Canary], found: list[str]) -> None:
    url = f"http://hooks.example.org:{web[1].port}/"
    for policy in (OutboundPolicy(), ONLY_THE_SITE):
        assert send(url, policy, Resolving({}, default=found)) == PostResult(None, NOT_ALLOWED)


def test_redirects_are_not_followed_wherever_they_lead(web: tuple[Site, Canary]) -> None:
    site, canary = web
    for location, status in (
        *((one, "302 Found") for one in LOCATIONS),
        *((LOCATIONS[0], s) for s in STATUSES),
    ):
        site.pages["/"] = redirect(location.replace("{port}", str(canary.port)), status=status)
        site.requests.clear()
        assert send(site.url("/"), ONLY_THE_SITE) == PostResult(int(status[:3]))
        assert len(site.requests) == 1


def test_a_name_that_is_not_found_is_told(web: tuple[Site, Canary]) -> None:
    assert send("https://nowhere.example.org/", ONLY_THE_SITE).error == "its host is not found"


def test_loopback_is_allowed_by_its_switch_alone() -> None:
    plain, switched = Settings(), Settings(allow_insecure_webhooks=True)
    assert OutboundPolicy.for_webhooks(plain).allowed_networks == ()
    networks = [str(one) for one in OutboundPolicy.for_webhooks(switched).allowed_networks]
    assert networks == ["127.0.0.0/8", "::1/128"]
    assert OutboundPolicy.for_downloads(switched).allowed_networks == ()

from __future__ import annotations

import pytest

from docduck.service.oauth.redirects import (
    answer_url,
    form_targets,
    host_of,
    is_loopback,
    is_program,
    is_registered,
)

CURSOR = "cursor://anysphere.cursor-mcp/oauth/callback"


@pytest.mark.parametrize(
    ("given", "registered", "is_same"),
    [
        ("https://a.example/x", "https://a.example/x", True),
        ("https://a.example:8443/x", "https://a.example/x", False),
        ("https://a.example/x?a=1", "https://a.example/x", False),
        ("https://A.example/x", "https://a.example/x", False),
        ("https://a.example/%78", "https://a.example/x", False),
        ("http://127.0.0.1:5/x", "http://127.0.0.1/x", True),
        ("http://127.0.0.1/x", "http://127.0.0.1:5/x", True),
        ("http://[::1]:5/x", "http://[::1]:6/x", True),
        ("http://localhost:5/x", "http://localhost:6/x", True),
        ("http://localhost:5/x", "http://127.0.0.1:5/x", False),
        ("http://localhost:5/", "http://localhost", True),
        ("http://localhost:5", "http://localhost/", True),
        ("http://localhost:5//", "http://localhost/", False),
        ("https://a.example/", "https://a.example", False),
        ("https://localhost:5/x", "https://localhost:6/x", False),
        ("http://127.0.0.2:5/x", "http://127.0.0.2:5/x", False),
        ("http://127.0.0.1:5/x\n", "http://127.0.0.1:5/x", False),
        (CURSOR, CURSOR, True),
        ("com.example.app:/callback", "com.example.app:/callback", True),
        (f"{CURSOR}?a=1", CURSOR, False),
        ("cursor://anysphere:5/x", "cursor://anysphere:6/x", False),
        ("Cursor://anysphere/x", "cursor://anysphere/x", False),
        ("javascript://a/x", "javascript://a/x", False),
        ("data:/x", "data:/x", False),
        ("file:///x", "file:///x", False),
        ("ssh://a/x", "ssh://a/x", False),
        ("http://a.example/x", "http://a.example/x", False),
    ],
)
def test_redirect_uris_are_compared_exactly_but_for_ports_of_this_machine(
    given: str, registered: str, is_same: bool
) -> None:
    assert is_registered(given, [registered]) is is_same


def test_what_pages_say_of_a_redirect_uri() -> None:
    assert (host_of("https://a.example:8443/x"), is_loopback("https://a.example/x")) == ("a.example", False)
    assert (host_of("http://[::1]:5/x"), is_loopback("http://[::1]:5/x")) == ("[::1]", True)
    assert (host_of("cursor://a/x"), is_loopback("cursor://a/x")) == ("cursor:", False)
    assert is_program("cursor://a/x")
    assert (is_program("http://[::1]:5/x"), is_program("https://a.example/x")) == (True, False)
    assert form_targets("cursor://a/x") == "cursor:"
    assert form_targets("https://a.example/x") == "https:"
    assert form_targets("http://localhost:5/x") == "http://localhost:5"
    assert form_targets("http://[::1]:5/x") == "http:"


def test_an_answer_keeps_the_query_of_the_redirect_uri() -> None:
    answer = answer_url("https://a.example/x?a=1", {"code": "c", "state": None})
    assert answer == "https://a.example/x?a=1&code=c"
    assert answer_url("https://a.example/x", {"state": "&="}) == "https://a.example/x?state=%26%3D"

from __future__ import annotations

import pytest

from docduck.hosts import is_own_host, is_own_origin

TRUSTED = ("Docs.example", "10.0.0.5:8000", "[2001:db8::1]")


@pytest.mark.parametrize(
    ("host", "is_own"),
    [
        ("localhost", True),
        ("LOCALHOST:8000", True),
        ("127.0.0.1:1", True),
        ("127.8.8.8", True),
        ("[::1]:8000", True),
        ("docs.example", True),
        ("DOCS.example:443", True),
        ("10.0.0.5:8000", True),
        ("[2001:db8::1]:80", True),
        ("10.0.0.5", False),
        ("10.0.0.5:80", False),
        ("docs.example.org", False),
        ("a.docs.example", False),
        ("localhost.evil.example", False),
        ("127.0.0.1.evil.example", False),
        ("evil@localhost", False),
        ("[::1", False),
        ("", False),
    ],
)
def test_own_hosts(host: str, is_own: bool) -> None:
    assert is_own_host(host, TRUSTED) is is_own


def test_nobody_is_trusted_by_an_empty_name() -> None:
    assert not is_own_host("", ("",))
    assert not is_own_host(":80", ("",))


@pytest.mark.parametrize(
    ("origin", "is_own"),
    [
        ("https://docs.example", True),
        ("http://localhost:5173", True),
        ("http://[::1]:8000", True),
        ("https://docs.example.org", False),
        ("https://evil@localhost", False),
        ("null", False),
        ("", False),
        ("file://", False),
        ("http://", False),
        ("http://[", False),
        ("tauri://localhost", True),
        ("docs.example", False),
    ],
)
def test_own_origins(origin: str, is_own: bool) -> None:
    assert is_own_origin(origin, (*TRUSTED, "")) is is_own

from __future__ import annotations

import pytest

from docduck.hosts import is_own_host

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

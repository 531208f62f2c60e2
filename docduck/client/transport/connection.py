"""The server's address and the API key, from arguments or the environment."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from docduck.errors import InputError

SERVER_VARIABLE, KEY_VARIABLE = "DOCDUCK_SERVER", "DOCDUCK_KEY"
_API = "/api/v1"


@dataclass(frozen=True, slots=True)
class Connection:
    """A server's address and key; the key is not in the repr."""

    base_url: str
    key: str = field(repr=False)

    @property
    def api_url(self) -> str:
        """The URL of the API."""
        return f"{self.base_url}{_API}"

    @property
    def headers(self) -> dict[str, str]:
        """The headers of every request."""
        return {"Authorization": f"Bearer {self.key}", "User-Agent": "docduck-python"}


def connection(base_url: str | None, key: str | None) -> Connection:
    """Return the connection; raise InputError if address or key are missing or not usable."""
    base_url = base_url or os.environ.get(SERVER_VARIABLE)
    if not base_url:
        raise InputError(f"The server's address is missing: pass base_url, or set {SERVER_VARIABLE}")
    key = (key or os.environ.get(KEY_VARIABLE) or "").strip()
    if not key:
        raise InputError(f"The API key is missing: pass key, or set {KEY_VARIABLE}")
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise InputError("The API key has characters that are not allowed in keys")
    return Connection(_address(base_url), key)


def _address(text: str) -> str:
    address = text.strip().rstrip("/").removesuffix(_API).rstrip("/")
    try:
        parts = urlsplit(address)
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise InputError("The server's address must look like https://docs.example.org")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise InputError("The server's address must have no user, password, query or fragment")
    return address

"""Which server, and with which key: given, or from the environment."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from docduck.errors import InputError

SERVER_VARIABLE, KEY_VARIABLE = "DOCDUCK_SERVER", "DOCDUCK_KEY"
_API = "/api/v1"


@dataclass(frozen=True, slots=True)
class Connection:
    """The address of a server, and the key to it, which no text of this shows."""

    base_url: str
    key: str = field(repr=False)

    @property
    def api_url(self) -> str:
        """Where the API's paths begin."""
        return f"{self.base_url}{_API}"

    @property
    def headers(self) -> dict[str, str]:
        """What every request carries."""
        return {"Authorization": f"Bearer {self.key}", "User-Agent": "docduck-python"}


def connection(base_url: str | None, key: str | None) -> Connection:
    """Where to connect to; raises InputError when that is not said, or can't be used."""
    base_url = base_url or os.environ.get(SERVER_VARIABLE)
    if not base_url:
        raise InputError(f"Which server? Give base_url, or set {SERVER_VARIABLE}")
    key = (key or os.environ.get(KEY_VARIABLE) or "").strip()
    if not key:
        raise InputError(f"The server needs a key: give key, or set {KEY_VARIABLE}")
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise InputError("The key has characters that no key has")
    return Connection(_address(base_url), key)


def _address(text: str) -> str:
    address = text.strip().rstrip("/").removesuffix(_API).rstrip("/")
    try:
        parts = urlsplit(address)
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise InputError("The server's address must be one such as https://docs.example.org")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise InputError("The server's address must hold no user, password, query or fragment")
    return address

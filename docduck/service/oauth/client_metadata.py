"""The metadata by which clients describe themselves (RFC 7591, 2), as far as it is used here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from docduck.service.oauth.protocol import OAuthError
from docduck.service.oauth.redirects import is_redirect_uri, shown

GRANT_TYPES = ("authorization_code", "refresh_token")
_LONGEST_NAME = 100
_MOST_REDIRECTS = 20


@dataclass(frozen=True, slots=True)
class ClientMetadata:
    """What a client says of itself; nobody has verified the name."""

    name: str
    redirect_uris: tuple[str, ...]


def client_metadata(body: Mapping[str, Any], otherwise: str) -> ClientMetadata:
    """Return the checked metadata; a client without a name is called ``otherwise``.

    Raise OAuthError ``invalid_redirect_uri`` or ``invalid_client_metadata``.
    """
    uris = body.get("redirect_uris")
    if not isinstance(uris, list) or not 1 <= len(uris) <= _MOST_REDIRECTS:
        raise OAuthError("invalid_redirect_uri", f"redirect_uris must list 1 to {_MOST_REDIRECTS} URIs")
    for uri in uris:
        if not isinstance(uri, str) or not is_redirect_uri(uri):
            raise OAuthError(
                "invalid_redirect_uri",
                f"{shown(uri)} can't be a redirect URI: it is https, or http of localhost, "
                "127.0.0.1 or [::1], or has a scheme of the client's own such as com.example.app:/, and has "
                "no fragment",
            )
    name = body.get("client_name")
    if name is not None and not isinstance(name, str):
        raise _invalid("client_name must be a text")
    if "authorization_code" not in _list(body, "grant_types", ["authorization_code"]):
        raise _invalid("grant_types must hold authorization_code")
    if "code" not in _list(body, "response_types", ["code"]):
        raise _invalid("response_types must hold code")
    return ClientMetadata(_printable(name or "") or otherwise, tuple(dict.fromkeys(uris)))


def _list(body: Mapping[str, Any], name: str, otherwise: list[str]) -> list[Any]:
    value = body.get(name)
    if value is None:
        return otherwise
    if not isinstance(value, list):
        raise _invalid(f"{name} must be a list")
    return value


def _printable(name: str) -> str:
    """Return a name without line breaks and signs that change how the text around it is shown."""
    words = "".join(character if character.isprintable() else " " for character in name).split()
    return " ".join(words)[:_LONGEST_NAME].strip()


def _invalid(message: str) -> OAuthError:
    return OAuthError("invalid_client_metadata", message)

"""The OpenID Connect provider of an installation: its metadata, its keys, and the tokens that it issues.

The metadata and keys are cached, and outlast failures of the provider. ID tokens are validated by joserfc.
"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

import msgspec
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from docduck.errors import InputError, Transient
from docduck.hosts import is_loopback
from docduck.outbound.exchange import exchange
from docduck.outbound.policy import OutboundPolicy
from docduck.service.accounts.openid.kept_value import KeptValue
from docduck.settings import Settings

_KEPT_SECONDS = 3600.0
_RELOAD_SECONDS = 60.0
"""Shortest time between two requests for keys, whatever key ids tokens name."""

_LEEWAY = 60
_ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]
"""Only asymmetric ones: a token must be signed by the provider's published keys."""

_DISCOVERY = "/.well-known/openid-configuration"
_ENDPOINTS = ("authorization_endpoint", "token_endpoint", "jwks_uri")
_USERINFO = "userinfo_endpoint"
"""An endpoint that not every provider has; it is sent the user's access token."""


class ProviderRefused(InputError):
    """The provider did not confirm who signs in; the message is for the user."""


class OpenIdProvider:
    """The provider named by the settings; thread-safe."""

    def __init__(self, settings: Settings) -> None:
        assert settings.oidc_issuer is not None and settings.oidc_client_id is not None
        self.issuer = settings.oidc_issuer
        self.name = settings.oidc_name
        self._client_id = settings.oidc_client_id
        self._secret = settings.oidc_client_secret
        self._policy = OutboundPolicy(
            max_bytes=1024 * 1024,
            max_redirects=0,
            seconds=15,
            connect_seconds=5,
            read_seconds=10,
            allowed_networks=settings.oidc_allowed_networks or (),
        )
        self._metadata = KeptValue(self._load_metadata)
        self._keys = KeptValue(self._load_keys)

    def authorization_url(self, **parameters: str) -> str:
        """Return the URL that the browser is sent to; raise Transient."""
        endpoint = str(self._discovered()["authorization_endpoint"])
        query = urlencode({"response_type": "code", "client_id": self._client_id, **parameters})
        return f"{endpoint}{'&' if urlsplit(endpoint).query else '?'}{query}"

    def claims(self, code: str, verifier: str, redirect_uri: str, nonce: str) -> Mapping[str, Any]:
        """Return the claims of the validated ID token for a code, with those of the userinfo endpoint if
        the token has no address. Raise ProviderRefused, Transient.
        """
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect_uri,
            "code_verifier": verifier,
        }
        status, answer = self._post_form(str(self._discovered()["token_endpoint"]), form)
        if status != 200 or not isinstance(answer.get("id_token"), str):
            raise ProviderRefused(f"{self.name} did not confirm the sign-in")
        claims = self._validated(answer["id_token"], nonce)
        if "email" in claims or _USERINFO not in self._discovered():
            return claims
        more = self._get(str(self._discovered()[_USERINFO]), f"Bearer {answer.get('access_token', '')}")
        if more.get("sub") != claims["sub"]:
            raise ProviderRefused(f"{self.name} answered for somebody else")
        return {**more, **claims}

    def _validated(self, token: str, nonce: str) -> dict[str, Any]:
        checks = jwt.JWTClaimsRegistry(
            leeway=_LEEWAY,
            iss={"essential": True, "value": self.issuer},
            aud={"essential": True, "value": self._client_id},
            sub={"essential": True},
            exp={"essential": True},
            iat={"essential": True},
            nonce={"essential": True, "value": nonce},
        )
        try:
            claims = self._decoded(token)
            checks.validate(claims)
        except (JoseError, ValueError, TypeError) as error:
            raise ProviderRefused(f"{self.name} sent an invalid ID token") from error
        audience = claims["aud"]
        is_shared = isinstance(audience, list) and len(audience) > 1
        if claims.get("azp", None if is_shared else self._client_id) != self._client_id:
            raise ProviderRefused(f"{self.name} sent an ID token for another client")
        return claims

    def _decoded(self, token: str) -> dict[str, Any]:
        try:
            return jwt.decode(token, self._key_set(), algorithms=_ALGORITHMS).claims
        except (JoseError, ValueError):
            # The provider may have changed its keys since they were loaded.
            return jwt.decode(token, self._key_set(reload=True), algorithms=_ALGORITHMS).claims

    def _key_set(self, reload: bool = False) -> KeySet:
        return self._keys.get(_RELOAD_SECONDS if reload else _KEPT_SECONDS)

    def _discovered(self) -> dict[str, Any]:
        return self._metadata.get(_KEPT_SECONDS)

    def _load_keys(self) -> KeySet:
        answer = self._get(str(self._discovered()["jwks_uri"]))
        try:
            return KeySet.import_key_set(answer)  # type: ignore[arg-type]
        except (JoseError, ValueError, KeyError, TypeError) as error:
            raise Transient(f"{self.name} can't be used: its keys can't be read") from error

    def _load_metadata(self) -> dict[str, Any]:
        metadata = self._get(f"{self.issuer.rstrip('/')}{_DISCOVERY}")
        if metadata.get("issuer") != self.issuer:
            raise Transient(f"{self.name} can't be used: its metadata name another issuer")
        endpoints = {*_ENDPOINTS, *{_USERINFO} & metadata.keys()}
        if not all(_is_safe(metadata.get(name), self.issuer) for name in endpoints):
            raise Transient(f"{self.name} can't be used: its metadata are incomplete")
        return metadata

    def _get(self, url: str, authorization: str = "") -> dict[str, Any]:
        headers = {"Accept": "application/json"}
        if authorization:
            headers["Authorization"] = authorization
        status, answer = self._ask("GET", url, headers)
        if status != 200:
            raise Transient(f"{self.name} can't be used: it answered {status}")
        return answer

    def _post_form(self, url: str, form: dict[str, str]) -> tuple[int, dict[str, Any]]:
        headers = {"Accept": "application/json", "Content-Type": "application/x-www-form-urlencoded"}
        methods = self._discovered().get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
        if self._secret is None:
            form["client_id"] = self._client_id
        elif "client_secret_basic" in methods:
            pair = f"{quote(self._client_id, safe='')}:{quote(self._secret.get_secret_value(), safe='')}"
            headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
        else:
            form |= {"client_id": self._client_id, "client_secret": self._secret.get_secret_value()}
        return self._ask("POST", url, headers, urlencode(form).encode())

    def _ask(
        self, method: str, url: str, headers: Mapping[str, str], content: bytes = b""
    ) -> tuple[int, dict[str, Any]]:
        try:
            response = asyncio.run(exchange(method, url, self._policy, headers=headers, content=content))
            answer = msgspec.json.decode(response.body) if response.body else {}
        except Transient as error:
            raise Transient(f"{self.name} can't be reached: {error.message}") from error
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise Transient(f"{self.name} can't be used: it did not answer with JSON") from error
        if not isinstance(answer, dict):
            raise Transient(f"{self.name} can't be used: it did not answer with an object")
        return response.status, answer


def open_provider(settings: Settings) -> OpenIdProvider | None:
    """Return the provider; None if there is none. Raise InputError for a setting that is missing or wrong."""
    if settings.oidc_issuer is None:
        return None
    for name, value in (("OIDC_CLIENT_ID", settings.oidc_client_id), ("BASE_URL", settings.base_url)):
        if value is None:
            raise InputError(f"DOCDUCK_OIDC_ISSUER needs DOCDUCK_{name}", f"DOCDUCK_{name}")
    if not _is_safe(settings.oidc_issuer, settings.oidc_issuer):
        raise InputError("DOCDUCK_OIDC_ISSUER must be an https:// URL", "DOCDUCK_OIDC_ISSUER")
    return OpenIdProvider(settings)


def _is_safe(url: object, issuer: str) -> bool:
    """Return whether a URL is https; or http, if the provider is on this machine."""
    if not isinstance(url, str):
        return False
    parts = urlsplit(url)
    if parts.scheme == "https":
        return bool(parts.hostname)
    return parts.scheme == "http" and all(
        is_loopback(urlsplit(address).hostname or "") for address in (url, issuer)
    )

"""Authorization requests: checked when they come, sealed while the user decides.

What the user is asked about is sealed for their session only, so that what they approve is what they saw.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec

from docduck import clock
from docduck.errors import Forbidden
from docduck.service.accounts.sessions import SignedIn
from docduck.service.core.installation import Installation
from docduck.service.core.sealing import SealBroken, seal, unseal
from docduck.service.oauth.clients import Client, find_client
from docduck.service.oauth.protocol import SCOPES, OAuthError, UnverifiedClient, asked_scopes, is_same
from docduck.service.oauth.redirects import answer_url, is_registered, shown

_DECIDE_SECONDS = 600
_LONGEST_STATE = 2000
_CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")


@dataclass(frozen=True, slots=True)
class AuthorizationRequest:
    """What a client asks a user for; ``team_id`` is what the user has chosen."""

    client_id: str
    redirect_uri: str
    scopes: tuple[str, ...]
    code_challenge: str
    resource: str
    issuer: str
    state: str | None
    team_id: str | None = None

    def answer(self, **members: str) -> str:
        """Return the redirect to the client with an answer, which names the issuer (RFC 9207)."""
        return answer_url(self.redirect_uri, {**members, "state": self.state, "iss": self.issuer})


class Refused(OAuthError):
    """A refusal that the client is told at ``redirect``."""

    def __init__(self, error: OAuthError, redirect: str) -> None:
        super().__init__(error.kind, error.message)
        self.redirect = redirect


def verified_client(inst: Installation, query: Mapping[str, Sequence[str]], user: SignedIn) -> Client:
    """Return the client of a request whose redirect URI is its own; raise UnverifiedClient."""
    client = find_client(inst, _only(query, "client_id"), user.user_id)
    uri = _only(query, "redirect_uri")
    if not is_registered(uri, client.redirect_uris):
        raise UnverifiedClient(
            f"The client asks to send you to {shown(uri)}, which is not one of its addresses"
        )
    return client


def check_request(
    query: Mapping[str, Sequence[str]], client: Client, issuer: str, resource: str
) -> AuthorizationRequest:
    """Return the request of a verified client; raise Refused."""
    uri = _only(query, "redirect_uri")
    state = query["state"][0] if len(query.get("state", ())) == 1 else None
    try:
        return AuthorizationRequest(
            client_id=client.client_id,
            redirect_uri=uri,
            scopes=_checked_scopes(query),
            code_challenge=_challenge(query),
            resource=_resource(query, resource),
            issuer=issuer,
            state=state,
        )
    except OAuthError as error:
        answer = {"error": error.kind, "error_description": error.message, "state": state, "iss": issuer}
        raise Refused(error, answer_url(uri, answer)) from error


def with_team(request: AuthorizationRequest, user: SignedIn, team_id: str) -> AuthorizationRequest:
    """Return the request for a team of the user; raise Forbidden if it is none of theirs."""
    if team_id not in {team.id for team in user.teams}:
        raise Forbidden
    return replace(request, team_id=team_id)


def sealed(inst: Installation, request: AuthorizationRequest, user: SignedIn) -> str:
    """Return the request as a text that holds for ten minutes in the user's session."""
    ends = clock.now().timestamp() + _DECIDE_SECONDS
    return seal(inst.settings, msgspec.json.encode((request, ends)), _context(user))


def unsealed(inst: Installation, text: str, user: SignedIn) -> AuthorizationRequest:
    """Return the request of a sealed text; raise Forbidden if it is changed, expired or another session's."""
    try:
        held = unseal(inst.settings, text, _context(user))
    except SealBroken as error:
        raise Forbidden("This request is not the one that you were shown. Connect the client anew") from error
    request, ends = msgspec.json.decode(held, type=tuple[AuthorizationRequest, float])
    if ends <= clock.now().timestamp():
        raise Forbidden("This request has expired. Connect the client anew")
    return request


def _context(user: SignedIn) -> str:
    return f"oauth request {user.session_id}"


def _only(query: Mapping[str, Sequence[str]], name: str) -> str:
    values = query.get(name, ())
    if len(values) != 1 or not values[0] or not values[0].isprintable():
        raise UnverifiedClient(f"The client's request must have one {name}")
    return values[0]


def _checked_scopes(query: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    for name, values in query.items():
        if len(values) > 1 and name in _KNOWN:
            raise OAuthError("invalid_request", f"{name} is given twice")
    if (kind := _optional(query, "response_type")) != "code":
        code = "unsupported_response_type" if kind else "invalid_request"
        raise OAuthError(code, "response_type must be code")
    if _optional(query, "response_mode") not in ("", "query"):
        raise OAuthError("invalid_request", "response_mode must be query")
    if len(_optional(query, "state")) > _LONGEST_STATE:
        raise OAuthError("invalid_request", f"state has more than {_LONGEST_STATE} characters")
    scopes = asked_scopes(_optional(query, "scope"))
    if scopes - set(SCOPES):
        raise OAuthError("invalid_scope", "scope holds an unknown scope")
    return tuple(scope for scope in SCOPES if scope in scopes or not scopes)


def _challenge(query: Mapping[str, Sequence[str]]) -> str:
    challenge = _optional(query, "code_challenge")
    # Without a method it would be "plain" (RFC 7636, 4.3).
    if _optional(query, "code_challenge_method") != "S256" or not _CHALLENGE.fullmatch(challenge):
        raise OAuthError("invalid_request", "A code_challenge with code_challenge_method S256 is needed")
    return challenge


def _resource(query: Mapping[str, Sequence[str]], resource: str) -> str:
    target = _optional(query, "resource")
    if target and not is_same(target, resource):
        raise OAuthError("invalid_target", "resource must be this server's")
    return resource


def _optional(query: Mapping[str, Sequence[str]], name: str) -> str:
    return next(iter(query.get(name, ())), "")


_KNOWN = frozenset(
    {
        "response_type",
        "response_mode",
        "scope",
        "state",
        "code_challenge",
        "code_challenge_method",
        "resource",
    }
)

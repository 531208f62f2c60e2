"""Authorization: a bearer token for this server, checked by a verifier; refusals say where to get one."""

from __future__ import annotations

import uuid
from typing import Protocol

from starlette.responses import Response

from docduck.api.response.responses import error_response
from docduck.error_codes import Code
from docduck.service.accounts.caller import TeamUser
from docduck.service.accounts.permissions import ROLES
from docduck.service.core.installation import Installation
from docduck.service.oauth.protocol import METADATA_PATH, SCOPES


class Verifier(Protocol):
    """Checks access tokens."""

    def __call__(self, inst: Installation, text: str, resource: str) -> TeamUser | None:
        """Return who a token speaks for; None unless it is valid for ``resource``. It may block."""


def token_of(header: str | None) -> str | None:
    """Return the token of an Authorization header; None unless it is ``Bearer <token>``."""
    scheme, _, rest = (header or "").strip().partition(" ")
    return (rest.strip() or None) if scheme.lower() == "bearer" else None


def unauthorized(base_url: str, text: str | None, request_id: str | None) -> Response:
    """Return the refusal of a request without a valid token."""
    scope = " ".join(SCOPES)
    if text is None:
        return _refusal(
            401, "missing_token", "Missing access token", base_url, f'scope="{scope}"', request_id
        )
    words = f'error="invalid_token", scope="{scope}"'
    return _refusal(401, "invalid_token", "Invalid access token", base_url, words, request_id)


def lacks_scope(caller: TeamUser, permission: str) -> bool:
    """Return whether the user has the permission, but has not allowed the client to use it."""
    return permission not in caller.permissions and permission in ROLES[caller.role]


def insufficient_scope(base_url: str, caller: TeamUser, permission: str, request_id: str | None) -> Response:
    """Return the refusal that lets a client ask the user for one more permission."""
    scope = " ".join(name for name in SCOPES if name in caller.permissions or name == permission)
    words = f'error="insufficient_scope", scope="{scope}"'
    message = f"The token lacks the scope {permission}"
    return _refusal(403, "insufficient_scope", message, base_url, words, request_id)


def counter_of(caller: TeamUser) -> str:
    """Return the id of a connection's rate limit: of a user in a team."""
    return str(uuid.uuid5(uuid.UUID(caller.team_id), f"mcp {caller.user_id}"))


def _refusal(
    status: int, code: Code, message: str, base_url: str, words: str, request_id: str | None
) -> Response:
    challenge = f'Bearer resource_metadata="{base_url}{METADATA_PATH}", {words}'
    return error_response(status, code, message, request_id, {"WWW-Authenticate": challenge})

"""The Dagster UI behind the sign-in, for those who manage the installation's own team.

Dagster knows no teams: who sees it sees the runs of all.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request
from starlette.responses import RedirectResponse, Response, StreamingResponse

from docduck.api.request.body import read_limited
from docduck.api.request.current_caller import Inst
from docduck.errors import Forbidden, NotFound, Transient
from docduck.outbound.forwarding import Forwarder
from docduck.service.accounts.sessions import SignedIn
from docduck.web.page_route import PageRouter
from docduck.web.visit import CurrentUser, check_own_site

router = PageRouter("/dagster")

_MOST_BYTES = 4 * 1024 * 1024
_COMMANDS = "graphql"
_FRAMES = {"X-Frame-Options": "DENY", "X-Content-Type-Options": "nosniff"}


def _operator(user: CurrentUser) -> SignedIn:
    if not user.is_operator:
        raise Forbidden
    return user


Operator = Annotated[SignedIn, Depends(_operator)]


@router.get("")
def start(operator: Operator) -> Response:
    """Lead to the UI's own start page."""
    return RedirectResponse("/dagster/", 307)


@router.api_route("/{path:path}", methods=["GET", "HEAD", "POST"])
async def forward(path: str, operator: Operator, request: Request, inst: Inst) -> Response:
    """Pass a request on to the Dagster UI.

    Raise Forbidden for queries and commands that other sites could send.
    """
    forwarder: Forwarder | None = request.app.state.dagster_ui
    if forwarder is None:
        raise NotFound(
            "Dagster's address is not known: `docduck up` runs it, or set DOCDUCK_DAGSTER_URL", "page", path
        )
    if path.strip("/") == _COMMANDS and request.method != "POST":
        # Dagster also executes mutations that a GET names, which a page of any site can make a browser send.
        raise Forbidden("Queries and commands are sent by POST")
    body = b""
    if request.method == "POST":
        check_own_site(request, inst.settings)
        body = await read_limited(request, _MOST_BYTES)
    # The path as it was sent: what is escaped in it stays escaped.
    target = request.scope["raw_path"].decode("latin-1")
    if request.url.query:
        target += f"?{request.url.query}"
    try:
        answer = await forwarder.forward(request.method, target, request.headers, body)
    except Transient as error:
        raise Transient(f"Dagster can't be reached: {error.message}. Try again later") from error
    return StreamingResponse(answer.chunks, answer.status, {**answer.headers, **_FRAMES})

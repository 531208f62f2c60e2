"""Who visits a page, and what their forms hold.

The session's token is in a cookie that scripts can't read. A form of a signed-in user holds the session's
form token for the team that they chose, and no form is accepted from another site.
"""

from __future__ import annotations

import hmac
from typing import Annotated
from urllib.parse import parse_qsl, urlsplit

from fastapi import Depends, Request
from starlette.responses import Response

from docduck.api.request.body import read_limited
from docduck.api.request.current_caller import Inst
from docduck.errors import Forbidden, InputError, NotSignedIn
from docduck.service.accounts.caller import TeamUser
from docduck.service.accounts.permissions import check_manager
from docduck.service.accounts.sessions import Browser, SignedIn, end_session, find_session
from docduck.service.accounts.sign_in import NewSession
from docduck.service.core.installation import Installation
from docduck.settings import Settings

COOKIE = "docduck_session"
DEVICE_COOKIE = "docduck_device"
FORM_TOKEN = "form_token"
POLL = "x-poll"
"""A header of requests that pages send by themselves: they don't keep a session from expiring."""

_MOST_BYTES, _MOST_FIELDS = 512 * 1024, 10_000
_DEVICE_SECONDS = 365 * 86_400

Form = dict[str, list[str]]
"""The values of a form by the names of its fields."""


class SignInNeeded(NotSignedIn):
    """The page is for signed-in users; ``way_on`` is where to go on afterwards."""

    def __init__(self, way_on: str) -> None:
        super().__init__("Sign in first")
        self.way_on = way_on


def visitor(request: Request, inst: Inst) -> SignedIn | None:
    """Return the signed-in user; None for a visitor."""
    token = request.cookies.get(COOKIE)
    is_use = POLL not in request.headers
    return find_session(inst, token, is_use=is_use) if token else None


def signed_in(request: Request, session: Annotated[SignedIn | None, Depends(visitor)]) -> SignedIn:
    """Return the signed-in user; raise SignInNeeded."""
    if session is None:
        query = f"?{request.url.query}" if request.url.query else ""
        raise SignInNeeded(f"{request.url.path}{query}" if request.method == "GET" else "/")
    return session


def team_member(user: Annotated[SignedIn, Depends(signed_in)]) -> TeamUser:
    """Return the signed-in user as a caller for the team that they chose; raise NotFound without one."""
    return user.caller()


def manager(user: Annotated[TeamUser, Depends(team_member)]) -> TeamUser:
    """Return the signed-in user as a caller for a team that they may manage; raise Forbidden, NotFound."""
    check_manager(user.role)
    return user


async def open_form(request: Request, inst: Inst) -> Form:
    """Return the form that a visitor sent; raise Forbidden if it comes from another site, InputError."""
    check_own_site(request, inst.settings)
    return await read_form(request)


async def read_form(request: Request) -> Form:
    """Return the form in a request, wherever it comes from, with ``\\n`` as the end of lines.

    Raise InputError, TooLarge.
    """
    body = await read_limited(request, _MOST_BYTES)
    try:
        pairs = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=_MOST_FIELDS)
    except ValueError as error:
        raise InputError("The form can't be read") from error
    form: Form = {}
    for name, value in pairs:
        if "\0" in name or "\0" in value:
            raise InputError("The form must not hold a NUL character")
        form.setdefault(name, []).append(value.replace("\r\n", "\n"))
    return form


async def form_of_user(
    form: Annotated[Form, Depends(open_form)], user: Annotated[SignedIn, Depends(signed_in)]
) -> Form:
    """Return the form that the signed-in user sent; raise Forbidden without the form token."""
    check_form_token(user, form_value(form, FORM_TOKEN))
    return form


def check_form_token(signed_in: SignedIn, token: str) -> None:
    """Raise Forbidden unless ``token`` is the form token of the session and its team."""
    if not hmac.compare_digest(token.encode(), signed_in.form_token.encode()):
        raise Forbidden("This form has expired. Load its page again")


Visitor = Annotated[SignedIn | None, Depends(visitor)]
CurrentUser = Annotated[SignedIn, Depends(signed_in)]
CurrentMember = Annotated[TeamUser, Depends(team_member)]
CurrentManager = Annotated[TeamUser, Depends(manager)]
OpenForm = Annotated[Form, Depends(open_form)]
UserForm = Annotated[Form, Depends(form_of_user)]


def form_value(form: Form, name: str) -> str:
    """Return the value of a field; empty if it is missing or given more than once."""
    values = form.get(name, [])
    return values[0] if len(values) == 1 else ""


def set_cookie(response: Response, request: Request, token: str, settings: Settings) -> None:
    """Give the session's token to the browser."""
    response.set_cookie(
        COOKIE,
        token,
        max_age=int(settings.session_days * 86_400),
        path="/",
        secure=is_secure(request, settings),
        httponly=True,
        samesite="lax",
    )


def browser_of(request: Request) -> Browser:
    """Return the visitor's browser."""
    address = request.client.host if request.client else ""
    return Browser(address, request.headers.get("user-agent", ""))


def begin(response: Response, request: Request, new: NewSession, inst: Installation) -> None:
    """Give a new session's tokens to the browser, and end the session that it had."""
    if old := request.cookies.get(COOKIE):
        end_session(inst, old)
    set_cookie(response, request, new.token, inst.settings)
    response.set_cookie(
        DEVICE_COOKIE,
        new.device,
        max_age=_DEVICE_SECONDS,
        path="/",
        secure=is_secure(request, inst.settings),
        httponly=True,
        samesite="lax",
    )


def forget_cookie(response: Response) -> None:
    """Let the browser forget the session's token."""
    response.delete_cookie(COOKIE, path="/", httponly=True, samesite="lax")


def own_path(text: str) -> str:
    """Return ``text`` if it is a path of this server, to redirect to; otherwise ``/``."""
    is_path = text.startswith("/") and not text.startswith("//") and "\\" not in text and text.isprintable()
    return text if is_path else "/"


def is_secure(request: Request, settings: Settings) -> bool:
    """Return whether the browser reaches this server by https."""
    return request.url.scheme == "https" or (settings.base_url or "").startswith("https:")


def check_own_site(request: Request, settings: Settings) -> None:
    """Raise Forbidden if a browser says that the request comes from another site's page."""
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        if site not in ("same-origin", "none"):
            raise Forbidden("This form comes from another site")
        return
    origin = request.headers.get("origin")
    own = {request.headers.get("host", "").lower(), urlsplit(settings.base_url or "").netloc.lower()}
    if origin is not None and urlsplit(origin).netloc.lower() not in own - {""}:
        raise Forbidden("This form comes from another site")

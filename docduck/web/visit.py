"""Who visits a page, and what their forms and scripts send.

The session's token is in a cookie that scripts can't read. A form of a signed-in user holds the session's
form token for the team that they chose, and no form is accepted from another site.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, TypeVar
from urllib.parse import parse_qsl, urlsplit

from fastapi import Depends, Request
from pydantic import BaseModel, ConfigDict, ValidationError
from starlette.responses import RedirectResponse, Response

from docduck.api.request.body import parse_body, read_body, read_limited
from docduck.api.request.current_caller import Inst
from docduck.errors import Forbidden, InputError, NotSignedIn
from docduck.service.accounts.sessions import Browser, SignedIn, end_session, find_session
from docduck.service.accounts.sign_in import NewSession
from docduck.service.core.installation import Installation
from docduck.service.core.secrets import is_secret
from docduck.settings import Settings
from docduck.web.page import see_other

COOKIE = "docduck_session"
DEVICE_COOKIE = "docduck_device"
FORM_TOKEN = "form_token"
POLL = "x-poll"
"""A header of requests that pages send by themselves: they don't keep a session from expiring."""

_MOST_BYTES, _MOST_FIELDS = 512 * 1024, 10_000
_LONGEST_NUMBER = 30
_DAY = 86_400
_DEVICE_SECONDS = 365 * _DAY

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


async def signed_in(request: Request, session: Annotated[SignedIn | None, Depends(visitor)]) -> SignedIn:
    """Return the signed-in user; raise SignInNeeded."""
    if session is None:
        query = f"?{request.url.query}" if request.url.query else ""
        raise SignInNeeded(f"{request.url.path}{query}" if request.method == "GET" else "/")
    return session


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
    if not is_secret(token, signed_in.form_token):
        raise Forbidden("This form has expired. Load its page again")


Visitor = Annotated[SignedIn | None, Depends(visitor)]
CurrentUser = Annotated[SignedIn, Depends(signed_in)]
OpenForm = Annotated[Form, Depends(open_form)]
UserForm = Annotated[Form, Depends(form_of_user)]


def form_value(form: Form, name: str) -> str:
    """Return the value of a field; empty if it is missing or given more than once."""
    values = form.get(name, [])
    return values[0] if len(values) == 1 else ""


def numbered(form: Form, row: str) -> list[int]:
    """Return the numbers of the rows of a form; ``row`` is a field of each, such as ``rules.#.field``."""
    pattern = re.compile(re.escape(row).replace(r"\#", r"(\d{1,4})"))
    return sorted(int(match[1]) for name in form if (match := pattern.fullmatch(name)))


def lines_of(text: str) -> list[str]:
    """Return the lines of a text area that are not empty."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def number_of(text: str) -> int | float | str:
    """Return a number; what is none stays text, which is refused by the check of what is set."""
    for kind in (int, float):
        try:
            return kind(text) if len(text) < _LONGEST_NUMBER else text
        except ValueError:
            continue
    return text


def as_sent(text: str) -> str:
    """Return a text with the ends of lines as forms hold them, to compare it with what was typed."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def set_cookie(
    response: Response,
    request: Request,
    settings: Settings,
    name: str,
    value: str,
    seconds: float,
    path: str = "/",
) -> None:
    """Give a cookie to the browser, which its scripts can't read."""
    is_secure = request.url.scheme == "https" or (settings.base_url or "").startswith("https:")
    response.set_cookie(
        name, value, max_age=int(seconds), path=path, secure=is_secure, httponly=True, samesite="lax"
    )


def browser_of(request: Request) -> Browser:
    """Return the visitor's browser."""
    address = request.client.host if request.client else ""
    return Browser(address, request.headers.get("user-agent", ""))


def entered(path: str, request: Request, new: NewSession, inst: Installation) -> RedirectResponse:
    """Lead to a page with a new session, whose tokens the browser gets; the one that it had ends."""
    response = see_other(path)
    if old := request.cookies.get(COOKIE):
        end_session(inst, old)
    set_cookie(response, request, inst.settings, COOKIE, new.token, inst.settings.session_days * _DAY)
    set_cookie(response, request, inst.settings, DEVICE_COOKIE, new.device, _DEVICE_SECONDS)
    return response


def forget_cookie(response: Response) -> None:
    """Let the browser forget the session's token."""
    response.delete_cookie(COOKIE, path="/", httponly=True, samesite="lax")


def own_path(text: str) -> str:
    """Return ``text`` if it is a path of this server, to redirect to; otherwise ``/``."""
    is_path = text.startswith("/") and not text.startswith("//") and "\\" not in text and text.isprintable()
    return text if is_path else "/"


def check_own_site(request: Request, settings: Settings, but: str | None = None) -> None:
    """Raise Forbidden if a browser says that the request comes from another site's page than ``but``."""
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        if site not in ("same-origin", "none"):
            raise Forbidden("This form comes from another site")
        return
    origin = request.headers.get("origin")
    own = {request.headers.get("host", "").lower(), urlsplit(settings.base_url or "").netloc.lower()}
    if origin not in (None, but) and _host(origin or "") not in own - {""}:
        raise Forbidden("This form comes from another site")


def _host(url: str) -> str:
    """Return the host and port of a URL; empty if it has none."""
    try:
        return urlsplit(url).netloc.lower()
    except ValueError:
        return ""


class Sent(BaseModel):
    """What a script sends; nothing else is accepted."""

    model_config = ConfigDict(extra="forbid")


SentT = TypeVar("SentT", bound=Sent)


def sent(kind: type[SentT], refusal: str = "The changes can't be read. Load the page again") -> Any:
    """Return the dependency that reads what a script sent; it raises Forbidden without the form token."""

    async def read(request: Request, inst: Inst, signed_in: CurrentUser) -> SentT:
        check_own_site(request, inst.settings)
        check_form_token(signed_in, request.headers.get("x-form-token", ""))
        body: Any = await parse_body(await read_body(request))
        try:
            return kind.model_validate(body, strict=False)
        except ValidationError as error:
            raise InputError(refusal) from error

    return Depends(read)

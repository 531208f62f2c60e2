"""Creating the first user, by the link that `docduck up` prints."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from docduck.api.request.current_caller import Inst
from docduck.errors import InputError, NotFound
from docduck.service.accounts.first_user import check_first_user, create_first_user
from docduck.service.accounts.sign_in import begin_session, counted_visitor
from docduck.service.core.installation import Installation
from docduck.web.page import page
from docduck.web.page_route import PageRoute
from docduck.web.visit import OpenForm, begin, browser_of, form_value

router = APIRouter(prefix="/first-user/{token}", include_in_schema=False, route_class=PageRoute)


@router.get("")
def show(token: str, inst: Inst) -> Response:
    """Return the form for the first user's name, address and password."""
    return _page(inst, token)


@router.post("")
def create(token: str, form: OpenForm, request: Request, inst: Inst) -> Response:
    """Create the first user, and sign them in."""
    browser, email, name = browser_of(request), form_value(form, "email"), form_value(form, "name")
    try:
        with counted_visitor(inst, browser.address):
            user_id, address = create_first_user(inst, token, email, name, form_value(form, "password"))
    except NotFound:
        raise
    except InputError as error:
        return _page(inst, token, email, name, error)
    response = RedirectResponse("/", 303)
    begin(response, request, begin_session(inst, user_id, address, browser), inst)
    return response


def _page(
    inst: Installation, token: str, email: str = "", name: str = "", error: InputError | None = None
) -> Response:
    check_first_user(inst, token)
    return page(
        "first_user/form.html.j2",
        error=error,
        token=token,
        email=email,
        name=name,
        shortest=inst.settings.password_min_length,
    )

"""Creating the first user, by the link that `docduck up` prints."""

from __future__ import annotations

from functools import partial

from fastapi import Request
from starlette.responses import Response

from docduck.api.request.current_caller import Inst
from docduck.errors import InputError
from docduck.service.accounts.first_user import check_first_user, create_first_user
from docduck.service.accounts.sign_in import begin_session, counted_visitor
from docduck.service.core.installation import Installation
from docduck.web.page import page
from docduck.web.page_route import PageRouter
from docduck.web.rest_bodies import shown_on
from docduck.web.visit import OpenForm, browser_of, entered, form_value

router = PageRouter("/first-user/{token}")


@router.get("")
def show(token: str, inst: Inst) -> Response:
    """Return the form for the first user's name, address and password."""
    return _page(inst, token)


@router.post("")
def create(token: str, form: OpenForm, request: Request, inst: Inst) -> Response:
    """Create the first user, and sign them in."""
    browser, email, name = browser_of(request), form_value(form, "email"), form_value(form, "name")
    with shown_on(partial(_page, inst, token, email, name)), counted_visitor(inst, browser.address):
        user_id, address = create_first_user(inst, token, email, name, form_value(form, "password"))
    return entered("/", request, begin_session(inst, user_id, address, browser), inst)


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

"""Signing in by an OpenID Connect provider."""

from __future__ import annotations

from fastapi import HTTPException, Request
from starlette.responses import RedirectResponse, Response

from docduck.api.request.current_caller import BaseUrl, Inst
from docduck.service.accounts.openid import flow
from docduck.service.accounts.openid.provider import OpenIdProvider, ProviderRefused
from docduck.service.accounts.sign_in import begin_session, counted_visitor
from docduck.web.page_route import PageRouter
from docduck.web.sign_in.router import sign_in_page
from docduck.web.visit import browser_of, entered, own_path, set_cookie

router = PageRouter()

_COOKIE = "docduck_openid"
_PATH = "/sign-in/provider"


@router.get(_PATH)
def go(request: Request, inst: Inst, base_url: BaseUrl, next: str = "/") -> Response:
    """Send the browser to the provider."""
    provider = _provider(request)
    url, sealed = flow.begin(inst, provider, f"{base_url}{_PATH}/callback", own_path(next))
    response = RedirectResponse(url, 303)
    set_cookie(response, request, inst.settings, _COOKIE, sealed, flow.SECONDS, _PATH)
    return response


@router.get(f"{_PATH}/callback")
def come_back(request: Request, inst: Inst) -> Response:
    """Sign in the user whom the provider names, and go on to the page that was asked for."""
    provider, browser = _provider(request), browser_of(request)
    sealed = request.cookies.get(_COOKIE, "")
    try:
        with counted_visitor(inst, browser.address):
            user_id, email, path = flow.finish(inst, provider, sealed, request.query_params)
    except ProviderRefused as error:
        response: Response = sign_in_page(request, "/", error=error, status=403)
    else:
        response = entered(own_path(path), request, begin_session(inst, user_id, email, browser), inst)
    response.delete_cookie(_COOKIE, path=_PATH, httponly=True, samesite="lax")
    return response


def _provider(request: Request) -> OpenIdProvider:
    provider = request.app.state.openid_provider
    if not isinstance(provider, OpenIdProvider):
        raise HTTPException(404)
    return provider

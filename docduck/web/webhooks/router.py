"""The webhooks of a parser: creating, changing, testing them, and their deliveries."""

from __future__ import annotations

import json
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from docduck.api.request.current_caller import BaseUrl, Inst
from docduck.api.route import require
from docduck.catalog.models.webhooks import DELIVERY_STATUSES
from docduck.errors import Forbidden, InputError, NotFound
from docduck.service.accounts.caller import TeamUser
from docduck.service.accounts.sessions import SignedIn
from docduck.service.core.installation import Installation
from docduck.service.core.schema import Schema
from docduck.service.parsers.parsers import get_parser
from docduck.service.schemas.webhooks import NewWebhook, WebhookProperties, WebhookUpdate
from docduck.service.webhooks.delivery_log import get_delivery_content, list_deliveries, retry_delivery
from docduck.service.webhooks.secrets import get_secret, rotate_secret
from docduck.service.webhooks.trial import TrialResult, send_trial, trial_message
from docduck.service.webhooks.webhook_changes import create_webhook, update_webhook
from docduck.service.webhooks.webhook_health import troubled_webhooks
from docduck.service.webhooks.webhooks import delete_webhook, get_webhook, list_webhooks
from docduck.web.controls import Raw, control_at, controls_of, form_body, raw_values, typed_values
from docduck.web.page import last_page, page, page_link
from docduck.web.page_route import PageRoute
from docduck.web.rest_bodies import checked_body, error_at
from docduck.web.visit import CurrentMember, CurrentUser, Form, UserForm, form_value

router = APIRouter(prefix="/parsers/{parser_ref}/webhooks", include_in_schema=False, route_class=PageRoute)

_LIMIT = 50
_CONTROLS = controls_of(WebhookProperties)


@router.get("")
def list_(parser_ref: str, inst: Inst, signed_in: CurrentUser, user: CurrentMember) -> Response:
    """Return the parser's webhooks with the form for a new one."""
    require(user, "webhooks:read")
    return _list(inst, signed_in, user, parser_ref)


@router.post("")
def create(
    parser_ref: str, form: UserForm, inst: Inst, signed_in: CurrentUser, user: CurrentMember
) -> Response:
    """Create a webhook, and go to its page, which shows the secret."""
    require(user, "webhooks:write")
    parser = get_parser(inst, user.team_id, parser_ref)
    try:
        new = checked_body(NewWebhook, form_body(_CONTROLS, form)).given()
        made, _ = create_webhook(inst, user.team_id, parser.id, new, user.actor)
    except (Forbidden, NotFound):
        raise
    except InputError as error:
        return _list(inst, signed_in, user, parser_ref, typed_values(_CONTROLS, form), error)
    return _to(inst, user, parser_ref, made.id, secret="shown")


@router.get("/{webhook_id}")
def show(
    parser_ref: str,
    webhook_id: str,
    inst: Inst,
    signed_in: CurrentUser,
    user: CurrentMember,
    status: Annotated[str, Query(max_length=20)] = "",
    number: Annotated[int, Query(alias="page", ge=1, le=1_000_000)] = 1,
    secret: Annotated[Literal["", "shown"], Query()] = "",
) -> Response:
    """Return a webhook with its deliveries; ``secret`` shows what signs them, to who may change it."""
    require(user, "webhooks:read")
    shown_secret = ""
    if secret:
        require(user, "webhooks:write")
        shown_secret = get_secret(inst, user.team_id, parser_ref, webhook_id)
    return _one(
        inst, signed_in, user, parser_ref, webhook_id, status=status, number=number, secret=shown_secret
    )


@router.post("/{webhook_id}")
async def change(
    parser_ref: str,
    webhook_id: str,
    form: UserForm,
    inst: Inst,
    signed_in: CurrentUser,
    user: CurrentMember,
    base_url: BaseUrl,
) -> Response:
    """Change, test or delete a webhook, or make a new secret."""
    require(user, "webhooks:write")
    if form_value(form, "action") == "test":
        message = await run_in_threadpool(
            trial_message, inst, user.team_id, parser_ref, webhook_id, base_url=base_url
        )
        trial = await send_trial(message)
        return await run_in_threadpool(_one, inst, signed_in, user, parser_ref, webhook_id, trial=trial)

    def done() -> Response:
        match form_value(form, "action"):
            case "rotate":
                rotate_secret(inst, user.team_id, parser_ref, webhook_id, user.actor)
                return _to(inst, user, parser_ref, webhook_id, secret="shown")
            case "delete":
                delete_webhook(inst, user.team_id, parser_ref, webhook_id, user.actor)
                return _to(inst, user, parser_ref)
            case "save":
                return _save(parser_ref, webhook_id, form, inst, signed_in, user)
            case _:
                get_webhook(inst, user.team_id, parser_ref, webhook_id)
                raise InputError("Choose what to do with the webhook")

    return await run_in_threadpool(done)


@router.get("/{webhook_id}/deliveries/{delivery_id}")
def delivery(
    parser_ref: str,
    webhook_id: str,
    delivery_id: str,
    inst: Inst,
    signed_in: CurrentUser,
    user: CurrentMember,
) -> Response:
    """Return what a delivery sends."""
    require(user, "webhooks:read")
    require(user, "documents:read")
    parser = get_parser(inst, user.team_id, parser_ref)
    content = get_delivery_content(inst, user.team_id, parser.id, webhook_id, delivery_id)
    return page(
        "webhooks/delivery.html.j2",
        signed_in,
        parser=parser,
        tab="webhooks",
        path=f"/parsers/{parser.slug}/webhooks/{webhook_id}",
        content=content,
        shown=json.dumps(json.loads(content.body), ensure_ascii=False, indent=2),
    )


@router.post("/{webhook_id}/deliveries/{delivery_id}/retry")
def retry(
    parser_ref: str, webhook_id: str, delivery_id: str, form: UserForm, inst: Inst, user: CurrentMember
) -> Response:
    """Send a delivery again now."""
    require(user, "webhooks:write")
    retry_delivery(inst, user.team_id, parser_ref, webhook_id, delivery_id, user.actor)
    return _to(inst, user, parser_ref, webhook_id)


def _save(
    parser_ref: str,
    webhook_id: str,
    form: Form,
    inst: Installation,
    signed_in: SignedIn,
    user: TeamUser,
) -> Response:
    before = _raw(get_webhook(inst, user.team_id, parser_ref, webhook_id))
    try:
        changes = checked_body(WebhookUpdate, form_body(_CONTROLS, form, before)).given()
        update_webhook(inst, user.team_id, parser_ref, webhook_id, changes, user.actor)
    except (Forbidden, NotFound):
        raise
    except InputError as error:
        return _one(
            inst, signed_in, user, parser_ref, webhook_id, typed=typed_values(_CONTROLS, form), error=error
        )
    return _to(inst, user, parser_ref, webhook_id)


def _raw(webhook: Schema) -> Raw:
    return raw_values(_CONTROLS, webhook.model_dump(mode="json", by_alias=True))


def _to(
    inst: Installation, user: TeamUser, parser_ref: str, webhook_id: str = "", secret: str = ""
) -> Response:
    slug = get_parser(inst, user.team_id, parser_ref).slug
    path = f"/parsers/{slug}/webhooks/{webhook_id}".rstrip("/")
    return RedirectResponse(page_link(path, secret=secret), 303)


def _list(
    inst: Installation,
    signed_in: SignedIn,
    user: TeamUser,
    parser_ref: str,
    typed: Raw | None = None,
    error: InputError | None = None,
) -> Response:
    parser = get_parser(inst, user.team_id, parser_ref)
    return page(
        "webhooks/list.html.j2",
        signed_in,
        parser=parser,
        tab="webhooks",
        webhooks=list_webhooks(inst, user.team_id, parser.id),
        trouble={webhook.id: webhook for webhook in troubled_webhooks(inst, user.team_id)},
        controls=_CONTROLS,
        raw=typed or _raw(WebhookUpdate.of_values({})),
        is_wrong=error is not None,
        error=error and error_at(error, control_at(_CONTROLS, error.path)),
        may_write="webhooks:write" in user.permissions,
    )


def _one(
    inst: Installation,
    signed_in: SignedIn,
    user: TeamUser,
    parser_ref: str,
    webhook_id: str,
    *,
    status: str = "",
    number: int = 1,
    secret: str = "",
    trial: TrialResult | None = None,
    typed: Raw | None = None,
    error: InputError | None = None,
) -> Response:
    parser = get_parser(inst, user.team_id, parser_ref)
    webhook = get_webhook(inst, user.team_id, parser.id, webhook_id)
    log = list_deliveries(inst, user.team_id, parser.id, webhook.id, status or None, number, _LIMIT)
    path = f"/parsers/{parser.slug}/webhooks/{webhook.id}"
    return page(
        "webhooks/webhook.html.j2",
        signed_in,
        parser=parser,
        tab="webhooks",
        webhook=webhook,
        controls=_CONTROLS,
        raw=typed or _raw(webhook),
        error=error and error_at(error, control_at(_CONTROLS, error.path)),
        secret=secret,
        trial=trial,
        log=log,
        path=path,
        wanted_status=status,
        statuses=DELIVERY_STATUSES,
        last=last_page(log),
        link=lambda page: page_link(path, status=status, page=page),
        may_write="webhooks:write" in user.permissions,
    )

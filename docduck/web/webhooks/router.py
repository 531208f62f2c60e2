"""The webhooks of a parser: creating, changing, testing them, and their deliveries."""

from __future__ import annotations

import json
from functools import partial
from typing import Annotated, Literal

from fastapi import Query
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from docduck.api.request.current_caller import BaseUrl
from docduck.api.route import require
from docduck.catalog.models.webhooks import DELIVERY_STATUSES
from docduck.errors import InputError
from docduck.service.schemas.webhooks import NewWebhook, WebhookProperties, WebhookUpdate
from docduck.service.webhooks.delivery_log import get_delivery_content, list_deliveries, retry_delivery
from docduck.service.webhooks.secrets import get_secret, rotate_secret
from docduck.service.webhooks.trial import TrialView, send_trial, trial_message
from docduck.service.webhooks.webhook_changes import create_webhook, update_webhook
from docduck.service.webhooks.webhook_health import troubled_webhooks
from docduck.service.webhooks.webhooks import delete_webhook, get_webhook, list_webhooks
from docduck.web.controls import ControlForm, controls_of
from docduck.web.member import ParserVisit, of_parser
from docduck.web.page import PageNumber, page_link
from docduck.web.page_route import PageRouter
from docduck.web.rest_bodies import checked_body, shown_on
from docduck.web.visit import Form, UserForm, form_value

router = PageRouter("/parsers/{parser_ref}/webhooks")

_LIMIT = 50
_FORM = ControlForm(controls_of(WebhookProperties))

Reader = Annotated[ParserVisit, of_parser("webhooks:read")]
Writer = Annotated[ParserVisit, of_parser("webhooks:write")]


@router.get("")
def list_(at: Reader) -> Response:
    """Return the parser's webhooks with the form for a new one."""
    return _list(at)


@router.post("")
def create(form: UserForm, at: Writer) -> Response:
    """Create a webhook, and go to its page, which shows the secret."""
    with shown_on(partial(_list, at, form)):
        new = checked_body(NewWebhook, _FORM.body(form)).sent_values()
        made, _ = create_webhook(*at.of_parser, new, at.user.actor)
    return at.back(f"webhooks/{made.id}", secret="shown")


@router.get("/{webhook_id}")
def show(
    webhook_id: str,
    at: Reader,
    status: Annotated[str, Query(max_length=20)] = "",
    number: PageNumber = 1,
    secret: Annotated[Literal["", "shown"], Query()] = "",
) -> Response:
    """Return a webhook with its deliveries; ``secret`` shows what signs them, to who may change it."""
    shown_secret = ""
    if secret:
        require(at.user, "webhooks:write")
        shown_secret = get_secret(*at.of_parser, webhook_id)
    return _one(at, webhook_id, status=status, number=number, secret=shown_secret)


@router.post("/{webhook_id}")
async def change(webhook_id: str, form: UserForm, at: Writer, base_url: BaseUrl) -> Response:
    """Change, test or delete a webhook, or make a new secret."""
    if form_value(form, "action") == "test":
        message = partial(trial_message, *at.of_parser, webhook_id, base_url=base_url)
        trial = await send_trial(await run_in_threadpool(message))
        return await run_in_threadpool(_one, at, webhook_id, trial=trial)
    return await run_in_threadpool(_change, at, webhook_id, form)


def _change(at: ParserVisit, webhook_id: str, form: Form) -> Response:
    page = f"webhooks/{webhook_id}"
    match form_value(form, "action"):
        case "rotate":
            rotate_secret(*at.of_parser, webhook_id, at.user.actor)
            return at.back(page, secret="shown")
        case "delete":
            delete_webhook(*at.of_parser, webhook_id, at.user.actor)
            return at.back("webhooks")
        case "save":
            with shown_on(partial(_one, at, webhook_id, form)):
                changes = checked_body(WebhookUpdate, _FORM.changes(form)).sent_values()
                update_webhook(*at.of_parser, webhook_id, changes, at.user.actor)
            return at.back(page)
        case _:
            get_webhook(*at.of_parser, webhook_id)
            raise InputError("Choose what to do with the webhook")


@router.get("/{webhook_id}/deliveries/{delivery_id}")
def delivery(
    webhook_id: str,
    delivery_id: str,
    at: Annotated[ParserVisit, of_parser("webhooks:read", "documents:read")],
) -> Response:
    """Return what a delivery sends."""
    content = get_delivery_content(*at.of_parser, webhook_id, delivery_id)
    return at.page(
        "webhooks/delivery.html.j2",
        path=f"/parsers/{at.parser.slug}/webhooks/{webhook_id}",
        content=content,
        body=json.dumps(json.loads(content.body), ensure_ascii=False, indent=2),
    )


@router.post("/{webhook_id}/deliveries/{delivery_id}/retry")
def retry(webhook_id: str, delivery_id: str, form: UserForm, at: Writer) -> Response:
    """Send a delivery again now."""
    retry_delivery(*at.of_parser, webhook_id, delivery_id, at.user.actor)
    return at.back(f"webhooks/{webhook_id}")


def _list(at: ParserVisit, form: Form | None = None, error: InputError | None = None) -> Response:
    return at.page(
        "webhooks/list.html.j2",
        webhooks=list_webhooks(*at.of_parser),
        trouble={webhook.id: webhook for webhook in troubled_webhooks(*at.team)},
        is_wrong=error is not None,
        may_write=at.may("webhooks:write"),
        error=_FORM.placed(error),
        **_FORM.shown(NewWebhook.model_construct(url="").model_dump(mode="json", by_alias=True), form),
    )


def _one(
    at: ParserVisit,
    webhook_id: str,
    form: Form | None = None,
    error: InputError | None = None,
    *,
    status: str = "",
    number: int = 1,
    secret: str = "",
    trial: TrialView | None = None,
) -> Response:
    webhook = get_webhook(*at.of_parser, webhook_id)
    path = f"/parsers/{at.parser.slug}/webhooks/{webhook.id}"
    return at.page(
        "webhooks/webhook.html.j2",
        webhook=webhook,
        secret=secret,
        trial=trial,
        log=list_deliveries(*at.of_parser, webhook.id, status or None, number, _LIMIT),
        path=path,
        wanted_status=status,
        statuses=DELIVERY_STATUSES,
        link=partial(page_link, path, status=status),
        may_write=at.may("webhooks:write"),
        error=_FORM.placed(error),
        **_FORM.shown(webhook.as_json(), form),
    )

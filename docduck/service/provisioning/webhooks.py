"""Application of the webhooks in pipeline.yaml; those that are not in the file are left alone."""

from __future__ import annotations

import os

from docduck.errors import InputError
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import get_parser
from docduck.service.pipeline.pipeline_spec import ParserSpec, WebhookSpec
from docduck.service.webhooks.checks import check_events, check_headers, check_webhook_url
from docduck.service.webhooks.secrets import get_own_headers, get_secret, rotate_secret
from docduck.service.webhooks.signing import secret_key
from docduck.service.webhooks.webhook_changes import WebhookChanges, create_webhook, update_webhook
from docduck.service.webhooks.webhooks import WebhookView, list_webhooks


def apply_webhooks(inst: Installation, team_id: str, spec: ParserSpec) -> list[str]:
    """Create and change a parser's webhooks, found by name; return messages about the changes.

    A changed secret is rotated: for a day, the former one signs as well. Raise InputError for wrong webhooks
    and missing environment variables, before anything is changed, and Conflict for two of the same URL and
    events.
    """
    if not spec.webhooks:
        return []
    parser = get_parser(inst, team_id, spec.key)
    wanted = [_wanted(inst, index, one) for index, one in enumerate(spec.webhooks)]
    present = {_key(one.name): one for one in list_webhooks(inst, team_id, parser.id)}
    done: list[str] = []
    for changes, secret in wanted:
        known = present.get(_key(changes["name"]))
        if known is None:
            create_webhook(inst, team_id, parser.id, changes, secret=secret)
            done.append(f"{parser.slug}: webhook {changes['name']} added")
            continue
        if different := _different(inst, team_id, known, changes):
            update_webhook(inst, team_id, parser.id, known.id, different)
            done.append(f"{parser.slug}: webhook {changes['name']} changed ({', '.join(different)})")
        if secret is not None and secret != get_secret(inst, team_id, parser.id, known.id):
            rotate_secret(inst, team_id, parser.id, known.id, secret=secret)
            done.append(f"{parser.slug}: secret of webhook {changes['name']} rotated")
    return done


def _wanted(inst: Installation, index: int, spec: WebhookSpec) -> tuple[WebhookChanges, str | None]:
    """Return the properties of a webhook, and its secret if the file names one."""
    place = f"webhooks[{index}]"
    try:
        secret = None if spec.secret is None else _variable(spec.secret, "secret")
        headers = {name: _variable(value, f"headers.{name}") for name, value in spec.headers.items()}
        if secret is not None:
            _check_secret(secret)
        changes = WebhookChanges(
            name=spec.name.strip(),
            url=check_webhook_url(inst.settings, spec.url),
            events=check_events(spec.events),
            description=spec.description,
            headers=check_headers(headers),
            value_format=spec.value_format,
        )
    except InputError as error:
        raise InputError(error.message, f"{place}.{error.path}" if error.path else place) from error
    if spec.active is not None:
        changes["is_active"] = spec.active
    return changes, secret


def _variable(name: str, key: str) -> str:
    value = os.environ.get(name)
    if not value:
        raise InputError(f"the environment variable {name} is not set", key)
    return value


def _check_secret(secret: str) -> None:
    try:
        secret_key(secret)
    except InputError as error:
        raise InputError(error.message, "secret") from error


def _different(
    inst: Installation, team_id: str, known: WebhookView, wanted: WebhookChanges
) -> WebhookChanges:
    different = WebhookChanges()
    if known.url != wanted["url"]:
        different["url"] = wanted["url"]
    if list(known.events) != list(wanted["events"]):
        different["events"] = wanted["events"]
    if known.description != wanted["description"]:
        different["description"] = wanted["description"]
    if known.value_format != wanted["value_format"]:
        different["value_format"] = wanted["value_format"]
    if "is_active" in wanted and known.is_active != wanted["is_active"]:
        different["is_active"] = wanted["is_active"]
    if get_own_headers(inst, team_id, known.parser_id, known.id) != wanted["headers"]:
        different["headers"] = wanted["headers"]
    return different


def _key(name: str) -> str:
    return name.strip().casefold()

"""Application of the webhooks in pipeline.yaml; those that are not in the file are left alone."""

from __future__ import annotations

import os

from docduck.errors import InputError
from docduck.ids import name_key
from docduck.service.core.installation import Installation
from docduck.service.core.schema import Values, differences
from docduck.service.parsers.parsers import get_parser
from docduck.service.pipeline.pipeline_spec import ParserSpec, WebhookSpec
from docduck.service.schemas.webhooks import WebhookProperties
from docduck.service.webhooks.secrets import get_own_headers, get_secret, rotate_secret
from docduck.service.webhooks.signing import secret_key
from docduck.service.webhooks.webhook_changes import check_webhook_url, create_webhook, update_webhook
from docduck.service.webhooks.webhooks import list_webhooks


def apply_webhooks(inst: Installation, team_id: str, spec: ParserSpec) -> list[str]:
    """Create and change a parser's webhooks, found by name; return messages about the changes.

    A changed secret is rotated: for a day, the former one signs as well. Raise InputError for wrong webhooks
    and missing environment variables, before anything is changed, and Conflict for two of the same URL and
    events.
    """
    if not spec.webhooks:
        return []
    parser = get_parser(inst, team_id, spec.key)
    webhooks = [_wanted(inst, index, webhook) for index, webhook in enumerate(spec.webhooks)]
    present = {name_key(webhook.name): webhook for webhook in list_webhooks(inst, team_id, parser.id)}
    done: list[str] = []
    for changes, secret in webhooks:
        known = present.get(name_key(changes["name"]))
        if known is None:
            create_webhook(inst, team_id, parser.id, changes, secret=secret)
            done.append(f"{parser.slug}: webhook {changes['name']} added")
            continue
        headers = get_own_headers(inst, team_id, parser.id, known.id)
        if different := differences(known.model_copy(update={"headers": headers}), changes):
            update_webhook(inst, team_id, parser.id, known.id, different)
            done.append(f"{parser.slug}: webhook {changes['name']} changed ({', '.join(different)})")
        if secret is not None and secret != get_secret(inst, team_id, parser.id, known.id):
            rotate_secret(inst, team_id, parser.id, known.id, secret=secret)
            done.append(f"{parser.slug}: secret of webhook {changes['name']} rotated")
    return done


def _wanted(inst: Installation, index: int, spec: WebhookSpec) -> tuple[Values, str | None]:
    """Return the properties of a webhook, and its secret if the file names one."""
    try:
        secret = None if spec.secret is None else _variable(spec.secret, "secret")
        if secret is not None:
            _check_secret(secret)
        headers = {name: _variable(value, f"headers.{name}") for name, value in spec.headers.items()}
        values = {name: getattr(spec, name) for name in WebhookProperties.model_fields} | {"headers": headers}
        if spec.is_active is None:
            del values["is_active"]
        check_webhook_url(inst.settings, spec.url)
        properties = WebhookProperties.of_values(values).sent_values()
    except InputError as error:
        path, words = error.details[0] if error.details else ("", error.message)
        raise InputError(words, f"webhooks[{index}].{path}".rstrip(".")) from error
    return properties, secret


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

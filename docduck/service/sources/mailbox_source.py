"""Mailbox sources of pipeline.yaml."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import urlencode

from docduck.errors import Transient
from docduck.outbound.http import TrustedEndpoint
from docduck.outbound.imap import imap_endpoint
from docduck.service.core.installation import Installation
from docduck.service.pipeline.source_specs import MailboxSpec, OAuthSpec
from docduck.service.sources.remote_source import RemoteSource
from docduck.sources.mailbox.imap_reader import ImapReader, ImapSettings
from docduck.sources.mailbox.local_reader import MaildirReader, MboxReader
from docduck.sources.remote import SourceReader, SourceUnavailable

_TOKEN_SECONDS = 30.0


def mailbox_source(spec: MailboxSpec) -> RemoteSource:
    """Return the source that ``spec`` describes."""

    def connect(inst: Installation) -> SourceReader:
        settings = inst.settings
        if not spec.is_remote:
            path = Path(spec.mailbox)
            if path.is_dir():
                return MaildirReader(path, settings.max_mail_bytes)
            return MboxReader(path, settings.max_mail_bytes, settings.settle_seconds)
        oauth = spec.oauth
        return ImapReader(
            ImapSettings(
                endpoint=imap_endpoint(spec.mailbox, spec.username or "", spec.ca),
                folders=spec.folders,
                most_bytes=settings.max_mail_bytes,
                seconds=min(settings.mailbox_seconds, settings.look_seconds),
                password=spec.password,
                token=(lambda: access_token(oauth)) if oauth is not None else None,
                since=spec.since,
                order=spec.order,
                after=spec.after,
                move_to=spec.move_to,
            )
        )

    at = f"{spec.username} at {spec.mailbox}" if spec.is_remote else spec.mailbox
    return RemoteSource(
        name=spec.name,
        kind="mailbox",
        place=at,
        every=spec.every,
        open=connect,
        document_source="email",
        parser=spec.parser,
        classifier=spec.classifier,
        finishes=spec.after != "keep",
    )


def access_token(oauth: OAuthSpec) -> str:
    """Return a new access token (RFC 6749, 6); raise SourceUnavailable."""
    form = {"grant_type": "refresh_token", "refresh_token": oauth.refresh_token, "client_id": oauth.client_id}
    if oauth.client_secret is not None:
        form["client_secret"] = oauth.client_secret
    base, _, path = oauth.token_url.rpartition("/")
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
    try:
        with TrustedEndpoint(base, headers) as endpoint:
            answer = endpoint.post(path, None, _TOKEN_SECONDS, content=urlencode(form).encode())
    except Transient as error:
        raise SourceUnavailable(f"{base} gives no access token: {error.message}") from error
    try:
        token = json.loads(answer.body)["access_token"] if answer.status == 200 else None
    except (ValueError, KeyError, TypeError):
        token = None
    if not isinstance(token, str):
        raise SourceUnavailable(f"{base} gives no access token: it answered {answer.status}", retryable=False)
    return token

"""The sources of pipeline.yaml other than local folders: URLs, mailboxes, buckets and other packages'."""

from __future__ import annotations

import base64
import datetime as dt
import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal
from urllib.parse import urlencode

from docduck.errors import Transient
from docduck.outbound.http import TrustedEndpoint
from docduck.outbound.mail_server import mail_server
from docduck.outbound.policy import DOWNLOAD_SECONDS, OutboundPolicy
from docduck.service.core.installation import Installation
from docduck.service.pipeline import source_kinds
from docduck.service.pipeline.source_kinds import UnavailableSpec
from docduck.service.pipeline.source_specs import BucketSpec, MailboxSpec, OAuthSpec, RemoteSpec, UrlSpec
from docduck.service.sources.ledger import TAKEN, ItemOutcome
from docduck.sources.guarded import GuardedReader, UnavailableReader
from docduck.sources.mailbox.imap_reader import ImapReader, ImapSettings
from docduck.sources.mailbox.local_reader import MaildirReader, MboxReader
from docduck.sources.remote import SourceReader, SourceUnavailable
from docduck.sources.url.reader import UrlReader, UrlSettings

LOOK_SECONDS = 20
"""How long a source's server may take to answer what is new."""

_TOKEN_SECONDS = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemOrigin:
    """Where items come from, as the ledger and their documents know it.

    ``document_source`` is the source of the documents. With ``replaces``, a new version of an item replaces
    the document of the one before. With ``folders``, documents are filed in folders of the parser, named as
    those in the items' names.

    An item with one of the ``known_outcomes`` is known while its content is the same. ``is_finished`` is
    whether an item needs nothing more once it is a document.
    """

    name: str
    document_source: Literal["url", "email", "folder"]
    replaces: bool = False
    folders: bool = False
    known_outcomes: frozenset[ItemOutcome] = TAKEN
    is_finished: bool = True


ADDRESSES = ItemOrigin(name="addresses", document_source="email")
"""The origin of mails that were sent to an address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteSource(ItemOrigin):
    """A source that is looked at ``every`` so often; ``place`` is where, for people.

    ``open`` opens a connection; it does nothing before it is entered. ``finishes`` is whether items that are
    documents are moved, marked or deleted.
    """

    kind: str
    place: str
    every: dt.timedelta
    open: Callable[[Installation], SourceReader] = field(compare=False)
    parser: str | None = None
    classifier: str | None = None
    finishes: bool = False


def url_source(spec: UrlSpec) -> RemoteSource:
    """Return the source that ``spec`` describes."""
    settings = UrlSettings(spec.url, spec.links, _headers(spec), spec.private, spec.robots)

    def connect(inst: Installation) -> UrlReader:
        policy = OutboundPolicy.for_downloads(inst.settings)
        return UrlReader(
            settings,
            replace(policy, seconds=min(policy.seconds, inst.settings.source_seconds)),
            LOOK_SECONDS,
        )

    return _source(spec, "url", spec.url, connect, replaces=spec.on_change == "replace")


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
                server=mail_server("imap", spec.mailbox, spec.username, spec.ca),
                folders=spec.folders,
                most_bytes=settings.max_mail_bytes,
                seconds=LOOK_SECONDS,
                password=spec.password,
                token=(lambda: access_token(oauth)) if oauth is not None else None,
                since=spec.since,
                order=spec.order,
                after=spec.after,
                move_to=spec.move_to,
            )
        )

    at = f"{spec.username} at {spec.mailbox}" if spec.is_remote else spec.mailbox
    finishes = spec.after != "keep"
    return _source(spec, "mailbox", at, connect, document_source="email", finishes=finishes)


def bucket_source(spec: BucketSpec) -> RemoteSource:
    """Return the source that ``spec`` describes."""

    def connect(inst: Installation) -> SourceReader:
        # Imported late: the client of object stores takes 40 MB in each process that looks at any source.
        from docduck.sources.bucket.reader import BucketReader, BucketSettings

        return BucketReader(
            BucketSettings(
                endpoint=spec.bucket_endpoint,
                most_bytes=inst.settings.max_file_bytes,
                look_seconds=LOOK_SECONDS,
                seconds=min(DOWNLOAD_SECONDS, inst.settings.source_seconds),
                pattern=spec.pattern,
                exclude=spec.exclude,
                recursive=spec.recursive,
                after=spec.after,
                move_to=spec.move_to,
            )
        )

    return _source(
        spec,
        "bucket",
        spec.bucket,
        connect,
        document_source="folder",
        folders=spec.folders,
        finishes=spec.after != "keep",
    )


def added_source(spec: RemoteSpec) -> RemoteSource:
    """Return the source of another package's kind that ``spec`` describes."""
    if isinstance(spec, UnavailableSpec):
        problem, place = spec.problem, str((spec.model_extra or {}).get(spec.kind))
        return _source(spec, spec.kind, place, lambda inst: UnavailableReader(problem))
    kind, added = source_kinds.added_source(spec)

    def connect(inst: Installation) -> SourceReader:
        policy = OutboundPolicy.for_downloads(inst.settings)
        limited = replace(policy, seconds=min(policy.seconds, inst.settings.source_seconds))
        return GuardedReader(kind, lambda: added.connect(spec, limited, LOOK_SECONDS))

    return _source(spec, kind, str(getattr(spec, kind)), connect, finishes=added.finishes)


def _source(
    spec: RemoteSpec,
    kind: str,
    place: str,
    connect: Callable[[Installation], SourceReader],
    *,
    document_source: Literal["url", "email", "folder"] = "url",
    replaces: bool = False,
    folders: bool = False,
    finishes: bool = False,
) -> RemoteSource:
    return RemoteSource(
        name=spec.name,
        kind=kind,
        place=place,
        every=spec.every,
        open=connect,
        document_source=document_source,
        parser=spec.parser,
        classifier=spec.classifier,
        replaces=replaces,
        folders=folders,
        finishes=finishes,
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


def _headers(spec: UrlSpec) -> dict[str, str]:
    headers = dict(spec.headers)
    if spec.token is not None:
        headers["Authorization"] = f"Bearer {spec.token}"
    elif spec.username is not None:
        pair = base64.b64encode(f"{spec.username}:{spec.password}".encode()).decode()
        headers["Authorization"] = f"Basic {pair}"
    return headers

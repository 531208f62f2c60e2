"""The sources in pipeline.yaml: the key that names the place tells the kind."""

from __future__ import annotations

import datetime as dt
import difflib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import Field as PydanticField
from pydantic import field_validator, model_validator

from docduck.errors import InputError
from docduck.outbound.imap import imap_endpoint
from docduck.outbound.object_store import BucketEndpoint, check_bucket
from docduck.service.pipeline.bucket_place import BucketPlace
from docduck.service.pipeline.spec import Spec

_DURATION = re.compile(r"([0-9]{1,6})\s*([smhd])", re.ASCII)
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
SHORTEST = dt.timedelta(seconds=5)


class _SourceSpec(Spec):
    """What sources have in common: a name, and a parser or a classifier."""

    name: str
    parser: str | None = None
    classifier: str | None = None

    @model_validator(mode="after")
    def _one_target(self) -> _SourceSpec:
        if (self.parser is None) == (self.classifier is None):
            raise ValueError("needs either parser or classifier, where its documents go")
        return self


class FolderSpec(_SourceSpec):
    """A watched folder; ``folder`` and ``move_to`` are absolute after loading."""

    folder: Path
    pattern: str | None = None
    recursive: bool = True
    after: Literal["keep", "move", "delete"] = "keep"
    move_to: Path | None = None

    @model_validator(mode="after")
    def _consistent(self) -> FolderSpec:
        if self.move_to is not None and self.after != "move":
            raise ValueError("move_to needs after: move")
        return self


class _RemoteSpec(_SourceSpec):
    """A source that is looked at ``every`` so often."""

    every: dt.timedelta = PydanticField(dt.timedelta(minutes=15), validate_default=False)

    @field_validator("every", mode="before")
    @classmethod
    def _duration(cls, value: Any) -> Any:
        found = _DURATION.fullmatch(value.strip()) if isinstance(value, str) else None
        if found is None:
            raise ValueError("must be a duration such as 30s, 15m, 2h or 1d")
        every = dt.timedelta(seconds=int(found[1]) * _SECONDS[found[2]])
        if every < SHORTEST:
            raise ValueError(f"must be {SHORTEST.seconds}s or more")
        return every


class UrlSpec(_RemoteSpec):
    """A document at a URL or, with a pattern ``links``, those that a page, feed or sitemap links to.

    ``on_change`` says whether a new version is a new document or replaces the one before.
    """

    url: str
    links: str | None = None
    on_change: Literal["new", "replace"] = "new"
    headers: dict[str, str] = PydanticField({})
    username: str | None = None
    password: str | None = None
    token: str | None = None
    private: bool = False
    robots: bool = False

    @model_validator(mode="after")
    def _consistent(self) -> UrlSpec:
        if (self.username is None) != (self.password is None):
            raise ValueError("username and password go together")
        if self.token is not None and self.username is not None:
            raise ValueError("needs either a token, or username and password")
        return self


class OAuthSpec(Spec):
    """How access tokens of a mail server are had: with a refresh token (RFC 6749, 6)."""

    token_url: str
    client_id: str
    client_secret: str | None = None
    refresh_token: str


class MailboxSpec(_RemoteSpec):
    """The mails of folders on an IMAP server, or those of a Maildir or an mbox file.

    ``mailbox`` is ``imaps://host``, ``imap://host`` (STARTTLS), or a path, absolute after loading.
    """

    mailbox: str
    username: str | None = None
    password: str | None = None
    oauth: OAuthSpec | None = None
    ca: Path | None = None
    folders: tuple[str, ...] = ("INBOX",)
    since: dt.date | None = None
    order: Literal["oldest", "newest"] = "oldest"
    after: Literal["keep", "seen", "move", "delete"] = "keep"
    move_to: str | None = None

    @property
    def is_remote(self) -> bool:
        """Whether the mails are on a server."""
        return "://" in self.mailbox

    @model_validator(mode="after")
    def _consistent(self) -> MailboxSpec:
        if (self.move_to is not None) != (self.after == "move"):
            raise ValueError("after: move and move_to, the folder, go together")
        if not self.is_remote:
            given = self.model_fields_set & _OF_SERVERS
            if given:
                raise ValueError(f"{sorted(given)[0]} is for mail servers only")
            return self
        if self.username is None or (self.password is None) == (self.oauth is None):
            raise ValueError("needs username, and either password or oauth")
        try:
            imap_endpoint(self.mailbox, self.username)
        except InputError as error:
            raise ValueError(f"mailbox {error.message}") from error
        return self


_OF_SERVERS = frozenset(
    {"username", "password", "oauth", "ca", "folders", "since", "order", "after", "move_to"}
)


class BucketSpec(BucketPlace, _RemoteSpec):
    """The objects of a bucket."""

    bucket: str
    pattern: str | None = None
    exclude: str | None = None
    recursive: bool = True
    after: Literal["keep", "move", "delete"] = "keep"
    move_to: str | None = None

    @property
    def bucket_endpoint(self) -> BucketEndpoint:
        return self.endpoint_of(self.bucket)

    @model_validator(mode="after")
    def _consistent(self) -> BucketSpec:
        if (self.move_to is not None) != (self.after == "move"):
            raise ValueError("after: move and move_to, the prefix, go together")
        try:
            check_bucket(self.bucket_endpoint)
        except InputError as error:
            raise ValueError(f"bucket {error.message}") from error
        return self


SourceSpec = FolderSpec | UrlSpec | MailboxSpec | BucketSpec
SourceKind = type[FolderSpec] | type[UrlSpec] | type[MailboxSpec] | type[BucketSpec]
KINDS: Mapping[str, SourceKind] = {
    "folder": FolderSpec,
    "url": UrlSpec,
    "mailbox": MailboxSpec,
    "bucket": BucketSpec,
}
"""The kinds of sources by the key that names their place."""


def source_kind(item: Any) -> SourceKind:
    """Return the kind of a source in the file; raise ValueError if it has no place, or several."""
    places = [key for key in KINDS if isinstance(item, Mapping) and key in item]
    if len(places) > 1:
        raise ValueError(f"has {' and '.join(places)}; a source has one place")
    if not places:
        known = f"needs a place: one of {', '.join(KINDS)}"
        for key in item if isinstance(item, Mapping) else ():
            if close := difflib.get_close_matches(str(key), KINDS, n=1):
                raise ValueError(f"{known}; {key} is unknown, did you mean {close[0]}?")
        raise ValueError(known)
    return KINDS[places[0]]

"""The sources in pipeline.yaml."""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path
from typing import Any, Literal

from pydantic import Field as PydanticField
from pydantic import ValidationInfo, field_validator, model_validator

from docduck.errors import InputError
from docduck.outbound.addresses import ANYWHERE
from docduck.outbound.bucket_endpoint import BucketEndpoint, check_bucket
from docduck.outbound.mail_server import mail_server
from docduck.outbound.policy import OutboundPolicy
from docduck.outbound.urls import check_url
from docduck.service.core.schema import ProblemAt
from docduck.service.pipeline.spec import BucketPlace, FilePath, Spec, located

_DURATION = re.compile(r"([0-9]{1,6})\s*([smhd])", re.ASCII)
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
SHORTEST = dt.timedelta(seconds=5)
SHORTEST_EXPECTED = dt.timedelta(minutes=1)
_HEADER = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", re.ASCII)
_OWN_HEADERS = frozenset({"host", "content-length", "transfer-encoding", "connection"})


def _duration(value: Any, shortest: dt.timedelta) -> dt.timedelta:
    """Return a duration such as ``15m``; raise ValueError if it is none, or shorter than ``shortest``."""
    match = _DURATION.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None:
        raise ValueError("must be a duration such as 30s, 15m, 2h or 1d")
    duration = dt.timedelta(seconds=int(match[1]) * _SECONDS[match[2]])
    if duration < shortest:
        raise ValueError(f"must be {shortest.seconds}s or more")
    return duration


class _SourceSpec(Spec):
    """What sources have in common: a name, and a parser or a classifier.

    ``expect_every`` is the time within which there should be new documents.
    """

    name: str
    parser: str | None = None
    classifier: str | None = None
    expect_every: dt.timedelta | None = None

    @field_validator("*", mode="before")
    @classmethod
    def _given(cls, value: Any) -> Any:
        if isinstance(value, str) and not value.strip():
            raise ValueError("must not be empty")
        return value

    @field_validator("expect_every", mode="before")
    @classmethod
    def _expected(cls, value: Any) -> Any:
        return _duration(value, SHORTEST_EXPECTED)

    @model_validator(mode="after")
    def _one_target(self) -> _SourceSpec:
        if (self.parser is None) == (self.classifier is None):
            raise ValueError("needs either parser or classifier, where its documents go")
        return self


class FolderSpec(_SourceSpec):
    """A watched folder; ``folder`` and ``move_to`` are absolute after loading.

    With ``folders``, the parser has a folder for each folder below it.
    """

    folder: FilePath
    pattern: str | None = None
    recursive: bool = True
    folders: bool = False
    after: Literal["keep", "move", "delete"] = "keep"
    move_to: FilePath | None = None

    @model_validator(mode="after")
    def _consistent(self) -> FolderSpec:
        if self.move_to is not None and self.after != "move":
            raise ProblemAt("move_to", "needs after: move")
        if self.move_to is not None and self.move_to == self.folder:
            raise ProblemAt("move_to", "must be another folder")
        _check_folders(self)
        return self


class RemoteSpec(_SourceSpec):
    """A source that is looked at ``every`` so often; the kinds of other packages are subclasses, too."""

    every: dt.timedelta = PydanticField(dt.timedelta(minutes=15), validate_default=False)

    @field_validator("every", mode="before")
    @classmethod
    def _every(cls, value: Any) -> Any:
        return _duration(value, SHORTEST)


class UrlSpec(RemoteSpec):
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

    @field_validator("url")
    @classmethod
    def _address(cls, url: str) -> str:
        return checked_url(url)

    @field_validator("headers")
    @classmethod
    def _sendable(cls, headers: dict[str, str]) -> dict[str, str]:
        for name, value in headers.items():
            if not _HEADER.fullmatch(name) or name.lower() in _OWN_HEADERS:
                raise ProblemAt(name, "is no header that can be set")
            if not _is_sendable(value):
                raise ProblemAt(name, "has characters that no header may have")
        return headers

    @model_validator(mode="after")
    def _consistent(self) -> UrlSpec:
        if self.username is not None and self.password is None:
            raise ProblemAt("username", "needs a password, too")
        if self.password is not None and self.username is None:
            raise ProblemAt("password", "needs a username, too")
        if self.token is not None and self.username is not None:
            raise ProblemAt("token", "can't be given with username and password")
        if self.token is not None and not _is_sendable(self.token):
            raise ProblemAt("token", "has characters that no header may have")
        if self.robots and self.links is None:
            raise ProblemAt("robots", "is about links; it needs links")
        return self


class OAuthSpec(Spec):
    """How access tokens of a mail server are had: with a refresh token (RFC 6749, 6)."""

    token_url: str
    client_id: str
    client_secret: str | None = None
    refresh_token: str

    @field_validator("token_url")
    @classmethod
    def _address(cls, url: str) -> str:
        return checked_url(url)


class MailboxSpec(RemoteSpec):
    """The mails of folders on an IMAP server, or those of a Maildir or an mbox file.

    ``mailbox`` is ``imaps://host``, ``imap://host`` (STARTTLS), or a path, absolute after loading.
    """

    mailbox: str
    username: str | None = None
    password: str | None = None
    oauth: OAuthSpec | None = None
    ca: FilePath | None = None
    folders: tuple[str, ...] = ("INBOX",)
    since: dt.date | None = None
    order: Literal["oldest", "newest"] = "oldest"
    after: Literal["keep", "seen", "move", "delete"] = "keep"
    move_to: str | None = None

    @property
    def is_remote(self) -> bool:
        """Whether the mails are on a server."""
        return "://" in self.mailbox

    @field_validator("mailbox")
    @classmethod
    def _place(cls, mailbox: str, info: ValidationInfo) -> str:
        return mailbox if "://" in mailbox else str(located(Path(mailbox), info))

    @model_validator(mode="after")
    def _consistent(self) -> MailboxSpec:
        if not self.is_remote:
            keys = self.model_fields_set & _OF_SERVERS
            if keys:
                raise ProblemAt(min(keys), "is for mail servers only")
            return self
        if self.username is None or (self.password is None) == (self.oauth is None):
            raise ValueError("needs username, and either password or oauth")
        try:
            mail_server("imap", self.mailbox, self.username)
        except InputError as error:
            raise ProblemAt("mailbox", error.message) from error
        _check_move(self.after, self.move_to, "the folder")
        if not self.folders or not all(folder.strip() for folder in self.folders):
            raise ProblemAt("folders", "must be a list of names")
        if self.move_to in self.folders:
            raise ProblemAt("move_to", "must be none of folders")
        return self


_OF_SERVERS = frozenset(
    {"username", "password", "oauth", "ca", "folders", "since", "order", "after", "move_to"}
)


class BucketSpec(BucketPlace, RemoteSpec):
    """The objects of a bucket; with ``folders``, the parser has a folder for each prefix below it."""

    bucket: str
    pattern: str | None = None
    exclude: str | None = None
    recursive: bool = True
    folders: bool = False
    after: Literal["keep", "move", "delete"] = "keep"
    move_to: str | None = None

    @property
    def bucket_endpoint(self) -> BucketEndpoint:
        return self.endpoint_of(self.bucket)

    @model_validator(mode="after")
    def _consistent(self) -> BucketSpec:
        _check_move(self.after, self.move_to, "the prefix")
        if self.move_to is not None and not self.move_to.strip("/ "):
            raise ProblemAt("move_to", "must be a prefix")
        for key in ("pattern", "exclude"):
            if "/" in (getattr(self, key) or ""):
                raise ProblemAt(key, "is for names, which have no '/'; add the prefix to bucket")
        try:
            check_bucket(self.bucket_endpoint)
        except InputError as error:
            raise ProblemAt(error.path or "bucket", error.message) from error
        _check_folders(self)
        return self


def checked_url(url: str) -> str:
    """Return the URL; whether its host may be reached is seen when it is."""
    try:
        check_url(url, OutboundPolicy(allowed_networks=ANYWHERE))
    except InputError as error:
        raise ValueError("must be the address of a web server, http://… or https://…") from error
    return url


def _check_move(after: str, move_to: str | None, what: str) -> None:
    if after == "move" and move_to is None:
        raise ProblemAt("after", f"move needs move_to, {what}")
    if after != "move" and move_to is not None:
        raise ProblemAt("move_to", "needs after: move")


def _check_folders(source: FolderSpec | BucketSpec) -> None:
    if source.folders and source.parser is None:
        raise ProblemAt("folders", "needs a parser: a classifier has no folders")
    if source.folders and not source.recursive:
        raise ProblemAt("folders", "needs recursive: true")


def _is_sendable(value: str) -> bool:
    return value.isprintable() and value.isascii()


SourceSpec = FolderSpec | RemoteSpec

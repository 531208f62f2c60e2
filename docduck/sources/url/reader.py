"""Looking at a URL, or at the links of a page, a feed or a sitemap, with conditional requests."""

from __future__ import annotations

import asyncio
import hashlib
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from ipaddress import ip_network
from types import TracebackType
from typing import Self
from urllib.parse import unquote, urlsplit
from urllib.robotparser import RobotFileParser

from docduck.errors import TooLarge
from docduck.files.names import clean_name
from docduck.outbound.download import Downloaded, NotModified, Sink, download
from docduck.outbound.errors import DownloadFailed, UrlNotAllowed
from docduck.outbound.policy import OutboundPolicy
from docduck.outbound.resolving import Resolver, system_resolver
from docduck.sources.remote import (
    Cursor,
    FetchedItem,
    ItemGone,
    ItemUnavailable,
    Look,
    RemoteItem,
    SourceUnavailable,
    Write,
)
from docduck.sources.url.links import BadIndex, Link, read_links

_ANYWHERE = (ip_network("0.0.0.0/0"), ip_network("::/0"))
_AGENT = "docduck"
_MOST_INDEX_BYTES = 20 * 1024 * 1024
_MOST_INDEXES = 50
_GONE = ("404", "410")


@dataclass(frozen=True, slots=True)
class UrlSettings:
    """Where to look: at ``url`` itself, or with a pattern ``links`` at the links of that page.

    ``headers`` go to the host of ``url`` only. With ``private``, that host may have a private address. With
    ``robots``, links that the host's robots.txt forbids are left out.
    """

    url: str
    links: str | None = None
    headers: Mapping[str, str] | None = None
    private: bool = False
    robots: bool = False


class _Digest:
    def __init__(self) -> None:
        self._digest = hashlib.sha256()

    def write(self, data: bytes, /) -> None:
        self._digest.update(data)

    @property
    def text(self) -> str:
        return f"sha256:{self._digest.hexdigest()}"


@dataclass(frozen=True, slots=True)
class _Into:
    take: Write

    def write(self, data: bytes, /) -> None:
        self.take(data)


class UrlReader:
    """A source of documents at URLs."""

    def __init__(
        self, settings: UrlSettings, policy: OutboundPolicy, resolver: Resolver = system_resolver
    ) -> None:
        self._settings = settings
        self._resolver = resolver
        self._elsewhere = policy
        self._own = replace(policy, allowed_networks=_ANYWHERE) if settings.private else policy
        self._index = replace(self._own, max_bytes=_MOST_INDEX_BYTES)
        self._host = urlsplit(settings.url).netloc.rpartition("@")[2].lower()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

    def look(self, cursor: Cursor) -> Look:
        """Return the document if it changed, or the links that match; the cursor has the validators."""
        if self._settings.links is None:
            return self._look_at_document(cursor)
        return self._look_at_links(cursor)

    def fetch(self, item: RemoteItem, write: Write) -> FetchedItem:
        """Download the item."""
        try:
            got = self._get(item.name, _Into(write))
        except UrlNotAllowed as error:
            raise ItemUnavailable(error.message) from error
        except DownloadFailed as error:
            if error.retryable:
                raise SourceUnavailable(error.message) from error
            gone = any(f"answered {code}" in error.reason for code in _GONE)
            raise (ItemGone if gone else ItemUnavailable)(error.message) from error
        return FetchedItem(clean_name(got.name), {"url": item.name})

    def finish(self, items: Sequence[RemoteItem]) -> None:
        """Nothing is done with documents at URLs."""

    def _look_at_document(self, cursor: Cursor) -> Look:
        digest = _Digest()
        try:
            got = self._visit(self._settings.url, digest, _conditions(cursor), self._own)
        except NotModified:
            return Look((), cursor)
        validator = got.etag or got.last_modified
        found = RemoteItem(self._settings.url, validator or digest.text, got.size)
        return Look([found], {"etag": got.etag, "last_modified": got.last_modified})

    def _look_at_links(self, cursor: Cursor) -> Look:
        page = io.BytesIO()
        left = [str(one) for one in cursor.get("left", ())]
        begun = bool(left)
        if begun:
            url, after = left[0], dict(cursor)
        else:
            url, after = self._settings.url, {}
        try:
            got = self._visit(url, page, {} if begun else _conditions(cursor), self._index)
        except NotModified:
            return Look((), cursor)
        problems: list[str] = []
        try:
            links = read_links(page.getvalue(), got.content_type, url)
        except BadIndex as error:
            raise SourceUnavailable(f"{url}: {error}", again=False) from error
        if not begun:
            after = {"etag": got.etag, "last_modified": got.last_modified}
        further = [one.url for one in links if one.is_index and url == self._settings.url]
        if len(further) > _MOST_INDEXES:
            problems.append(f"{url} lists {len(further)} sitemaps; the first {_MOST_INDEXES} are read")
        left = (left[1:] if begun else further)[:_MOST_INDEXES]
        chosen = [one for one in links if not one.is_index and self._matches(one)]
        if self._settings.robots and chosen:
            allowed = self._allowed([one.url for one in chosen])
            problems += [f"robots.txt forbids {one.url}" for one in chosen if one.url not in allowed][:5]
            chosen = [one for one in chosen if one.url in allowed]
        items = [RemoteItem(one.url, one.changed) for one in chosen]
        return Look(items, {**after, "left": left} if left else _without_left(after), bool(left), problems)

    def _matches(self, link: Link) -> bool:
        pattern = (self._settings.links or "*").casefold()
        parts = urlsplit(link.url)
        path = unquote(parts.path).casefold()
        return fnmatchcase(path.rpartition("/")[2], pattern) or fnmatchcase(link.url.casefold(), pattern)

    def _allowed(self, urls: Sequence[str]) -> set[str]:
        rules: dict[str, RobotFileParser] = {}
        for url in urls:
            parts = urlsplit(url)
            root = f"{parts.scheme}://{parts.netloc}"
            if root not in rules:
                rules[root] = RobotFileParser()
                page = io.BytesIO()
                try:
                    self._get(f"{root}/robots.txt", page)
                    rules[root].parse(page.getvalue().decode("utf-8", "replace").splitlines())
                except (DownloadFailed, UrlNotAllowed, TooLarge):
                    rules[root].parse([])
        return {url for url in urls if rules["://".join(urlsplit(url)[:2])].can_fetch(_AGENT, url)}

    def _visit(
        self, url: str, sink: Sink, conditions: Mapping[str, str], policy: OutboundPolicy
    ) -> Downloaded:
        try:
            return self._get(url, sink, conditions, policy)
        except TooLarge as error:
            raise SourceUnavailable(f"{url} has more than {policy.max_bytes:,} bytes", again=False) from error
        except DownloadFailed as error:
            raise SourceUnavailable(error.message, again=error.retryable) from error
        except UrlNotAllowed as error:
            words = f"{error.message}; a source of a private host needs private: true"
            raise SourceUnavailable(words, again=False) from error

    def _get(
        self,
        url: str,
        sink: Sink,
        conditions: Mapping[str, str] | None = None,
        policy: OutboundPolicy | None = None,
    ) -> Downloaded:
        mine = urlsplit(url).netloc.lower() == self._host
        headers = {**(self._settings.headers or {}), **(conditions or {})} if mine else {}
        chosen = (policy or self._own) if mine else self._elsewhere
        return asyncio.run(
            download(url, sink, chosen, resolver=self._resolver, headers=headers, elsewhere=self._elsewhere)
        )


def _conditions(cursor: Cursor) -> dict[str, str]:
    names = {"etag": "If-None-Match", "last_modified": "If-Modified-Since"}
    return {header: str(cursor[name]) for name, header in names.items() if cursor.get(name)}


def _without_left(cursor: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in cursor.items() if name != "left"}

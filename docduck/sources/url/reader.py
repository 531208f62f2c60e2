"""Looking at a URL, or at the links of a page, a feed or a sitemap, with conditional requests."""

from __future__ import annotations

import asyncio
import hashlib
import io
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from urllib.parse import unquote, urlsplit
from urllib.robotparser import RobotFileParser

from docduck.errors import TooLarge
from docduck.files.names import clean_name
from docduck.outbound.addresses import ANYWHERE
from docduck.outbound.download import Downloaded, NotModified, Sink, download
from docduck.outbound.errors import DownloadFailed, UrlNotAllowed
from docduck.outbound.policy import OutboundPolicy
from docduck.sources.remote import (
    Cursor,
    FetchedItem,
    ItemDelayed,
    ItemGone,
    ItemUnavailable,
    NewItems,
    RemoteItem,
    SourceUnavailable,
    UnconnectedReader,
    Write,
)
from docduck.sources.url.links import BadIndex, Link, read_links

_AGENT = "docduck"
_MOST_INDEX_BYTES = 20 * 1024 * 1024
_MOST_INDEXES = 50
_GONE = ("404", "410")
_MOST_FAILURES = 3


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


class UrlReader(UnconnectedReader):
    """A source of documents at URLs.

    A look takes at most ``look_seconds`` for a page. A host that failed several times in a row, or asks to
    wait, gets no more requests of this reader.
    """

    def __init__(self, settings: UrlSettings, policy: OutboundPolicy, look_seconds: float) -> None:
        self._settings = settings
        self._failures: Counter[str] = Counter()
        self._elsewhere = policy
        self._own = replace(policy, allowed_networks=ANYWHERE) if settings.private else policy
        seconds = min(policy.seconds, look_seconds)
        self._document = replace(self._own, seconds=seconds)
        self._index = replace(self._own, seconds=seconds, max_bytes=_MOST_INDEX_BYTES)
        self._host = urlsplit(settings.url).netloc.rpartition("@")[2].lower()

    def look(self, cursor: Cursor) -> NewItems:
        """Return the document if it changed, or the links that match; the cursor has the validators."""
        if self._settings.links is None:
            return self._look_at_document(cursor)
        return self._look_at_links(cursor)

    def fetch(self, item: RemoteItem, write: Write) -> FetchedItem:
        """Download the item."""
        host = urlsplit(item.name).netloc.lower()
        if self._failures[host] >= _MOST_FAILURES:
            raise ItemDelayed(f"{host} failed several times, so it is asked later")
        try:
            got = self._get(item.name, _Into(write))
        except UrlNotAllowed as error:
            raise ItemUnavailable(error.message) from error
        except DownloadFailed as error:
            if error.retryable:
                raise self._delayed(host, error) from error
            gone = any(f"answered {code}" in error.reason for code in _GONE)
            raise (ItemGone if gone else ItemUnavailable)(error.message) from error
        del self._failures[host]
        return FetchedItem(clean_name(got.name), {"url": item.name})

    def _delayed(self, host: str, error: DownloadFailed) -> ItemDelayed | SourceUnavailable:
        """Note a failure of a host; that of the source's own host may be one of the whole source."""
        self._failures[host] += 1 if error.retry_after is None else _MOST_FAILURES
        if host == self._host and self._failures[host] >= _MOST_FAILURES:
            return SourceUnavailable(error.message, retry_after=error.retry_after)
        return ItemDelayed(error.message, retry_after=error.retry_after)

    def _look_at_document(self, cursor: Cursor) -> NewItems:
        digest = _Digest()
        try:
            got = self._visit(
                self._settings.url, digest, _conditions(cursor), self._document, only_validators=True
            )
        except NotModified:
            return NewItems((), cursor)
        validator = got.etag or got.last_modified
        item = RemoteItem(self._settings.url, validator or digest.text)
        return NewItems([item], _validators(got))

    def _look_at_links(self, cursor: Cursor) -> NewItems:
        """Look at the page or, where the cursor has sitemaps that are left, at the first of them."""
        left = [str(url) for url in cursor.get("left", ())]
        if left:
            return self._look_at_sitemap(left)
        url, problems = self._settings.url, list[str]()
        try:
            got, links = self._links(url, _conditions(cursor))
        except NotModified:
            return NewItems((), cursor)
        sitemaps = [link.url for link in links if link.is_index]
        if len(sitemaps) > _MOST_INDEXES:
            problems.append(f"{url} lists {len(sitemaps)} sitemaps; the first {_MOST_INDEXES} are read")
        items = self._chosen(links, problems)
        if sitemaps:
            # Without validators: its sitemaps may change when it does not.
            return NewItems(items, {"left": sitemaps[:_MOST_INDEXES]}, has_more=True, problems=problems)
        return NewItems(items, _validators(got), problems=problems)

    def _look_at_sitemap(self, left: Sequence[str]) -> NewItems:
        problems: list[str] = []
        items: list[RemoteItem] = []
        try:
            items = self._chosen(self._links(left[0], {})[1], problems)
        except SourceUnavailable as error:
            if error.retryable:
                raise
            problems.append(error.message)
        rest = list(left[1:])
        return NewItems(items, {"left": rest} if rest else {}, has_more=bool(rest), problems=problems)

    def _links(self, url: str, conditions: Mapping[str, str]) -> tuple[Downloaded, list[Link]]:
        page = io.BytesIO()
        got = self._visit(url, page, conditions, self._index)
        try:
            return got, read_links(page.getvalue(), got.content_type, url)
        except BadIndex as error:
            raise SourceUnavailable(f"{url}: {error}", retryable=False) from error

    def _chosen(self, links: Sequence[Link], problems: list[str]) -> list[RemoteItem]:
        """Return the documents among the links; add to ``problems`` what robots.txt forbids."""
        chosen = [link for link in links if not link.is_index and self._matches(link)]
        if self._settings.robots and chosen:
            allowed = self._allowed([link.url for link in chosen])
            problems += [f"robots.txt forbids {link.url}" for link in chosen if link.url not in allowed][:5]
            chosen = [link for link in chosen if link.url in allowed]
        return [RemoteItem(link.url, link.changed) for link in chosen]

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
                    self._get(f"{root}/robots.txt", page, policy=self._index)
                    rules[root].parse(page.getvalue().decode("utf-8", "replace").splitlines())
                except (DownloadFailed, UrlNotAllowed, TooLarge):
                    rules[root].parse([])
        return {url for url in urls if rules["://".join(urlsplit(url)[:2])].can_fetch(_AGENT, url)}

    def _visit(
        self,
        url: str,
        sink: Sink,
        conditions: Mapping[str, str],
        policy: OutboundPolicy,
        *,
        only_validators: bool = False,
    ) -> Downloaded:
        try:
            return self._get(url, sink, conditions, policy, only_validators=only_validators)
        except TooLarge as error:
            raise SourceUnavailable(
                f"{url} has more than {policy.max_bytes:,} bytes", retryable=False
            ) from error
        except DownloadFailed as error:
            raise SourceUnavailable(
                error.message, retryable=error.retryable, retry_after=error.retry_after
            ) from error
        except UrlNotAllowed as error:
            words = f"{error.message}; a source of a private host needs private: true"
            raise SourceUnavailable(words, retryable=False) from error

    def _get(
        self,
        url: str,
        sink: Sink,
        conditions: Mapping[str, str] | None = None,
        policy: OutboundPolicy | None = None,
        *,
        only_validators: bool = False,
    ) -> Downloaded:
        mine = urlsplit(url).netloc.lower() == self._host
        headers = {**(self._settings.headers or {}), **(conditions or {})} if mine else {}
        chosen = policy or self._own
        if not mine:
            chosen = replace(self._elsewhere, seconds=chosen.seconds)
        return asyncio.run(
            download(
                url,
                sink,
                chosen,
                headers=headers,
                elsewhere=self._elsewhere,
                only_validators=only_validators,
            )
        )


def _conditions(cursor: Cursor) -> dict[str, str]:
    names = {"etag": "If-None-Match", "last_modified": "If-Modified-Since"}
    return {header: str(cursor[name]) for name, header in names.items() if cursor.get(name)}


def _validators(got: Downloaded) -> dict[str, str]:
    return {"etag": got.etag, "last_modified": got.last_modified}

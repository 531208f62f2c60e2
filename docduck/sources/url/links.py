"""The links of index pages, directory listings, feeds and sitemaps.

Formats: HTML (``a[href]``), RSS 2.0 (``enclosure``, else ``link``), Atom (RFC 4287, ``link``), sitemaps
(https://www.sitemaps.org/protocol.html), and text with a URL in each line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from urllib.parse import urldefrag, urljoin
from xml.etree import ElementTree

_WEB = ("http://", "https://")


class BadIndex(ValueError):
    """The page is none that links can be read from."""


@dataclass(frozen=True, slots=True)
class Link:
    """A link, and the time of its last change as printed on the page; ``is_index`` if it is another index."""

    url: str
    changed: str = ""
    is_index: bool = False


def read_links(content: bytes, content_type: str, base: str) -> list[Link]:
    """Return the links of a page at ``base``, each once, in the page's order; raise BadIndex."""
    start = content[:1000].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith((b"<?xml", b"<rss", b"<feed", b"<urlset", b"<sitemapindex")):
        entries = _xml(content)
    elif "html" in content_type or b"<html" in start or start.startswith(b"<!doctype html"):
        entries = _html(content)
    elif content_type.startswith("text/"):
        entries = (
            Link(line.strip()) for line in content.decode("utf-8", "replace").splitlines() if line.strip()
        )
    else:
        raise BadIndex(f"{content_type or 'a file without a type'} is no page, feed or sitemap")
    links: dict[str, Link] = {}
    for link in entries:
        try:
            url = urldefrag(urljoin(base, link.url)).url
        except ValueError:
            continue
        if url.startswith(_WEB):
            links.setdefault(url, Link(url, link.changed, link.is_index))
    return list(links.values())


def _html(content: bytes) -> Iterator[Link]:
    page = _Anchors()
    page.feed(content.decode("utf-8", "replace"))
    page.close()
    return iter(page.links)


class _Anchors(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.links: list[Link] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        href = dict(attrs).get("href")
        if tag == "a" and href:
            self.links.append(Link(href.strip()))


def _xml(content: bytes) -> Iterator[Link]:
    # Entities may expand to any size, and name files of this machine.
    if b"<!ENTITY" in content or b"<!DOCTYPE" in content[:2000]:
        raise BadIndex("the XML has a document type, which is not read")
    try:
        root = ElementTree.fromstring(content)
    except ElementTree.ParseError as error:
        raise BadIndex(f"the XML is not well-formed: {error}") from error
    match _local(root):
        case "urlset":
            return _sitemap(root, is_index=False)
        case "sitemapindex":
            return _sitemap(root, is_index=True)
        case "rss" | "RDF":
            return _rss(root)
        case "feed":
            return _atom(root)
        case "html":
            return _html(content)
        case other:
            raise BadIndex(f"<{other}> is neither a feed nor a sitemap")


def _sitemap(root: ElementTree.Element, is_index: bool) -> Iterator[Link]:
    for entry in root:
        texts = _texts(entry)
        if url := texts.get("loc"):
            yield Link(url, texts.get("lastmod", ""), is_index)


def _rss(root: ElementTree.Element) -> Iterator[Link]:
    for item in (element for element in root.iter() if _local(element) == "item"):
        texts = _texts(item)
        files = [url for child in item if _local(child) == "enclosure" and (url := child.get("url"))]
        for url in files or [texts.get("link", "")]:
            yield Link(url, texts.get("pubDate", ""))


def _atom(root: ElementTree.Element) -> Iterator[Link]:
    for entry in (element for element in root if _local(element) == "entry"):
        by_rel: dict[str, list[str]] = {}
        for child in entry:
            if _local(child) == "link" and (href := child.get("href")):
                by_rel.setdefault(child.get("rel", "alternate"), []).append(href)
        for url in by_rel.get("enclosure") or by_rel.get("alternate", []):
            yield Link(url, _texts(entry).get("updated", ""))


def _texts(element: ElementTree.Element) -> dict[str, str]:
    return {_local(child): (child.text or "").strip() for child in element}


def _local(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]

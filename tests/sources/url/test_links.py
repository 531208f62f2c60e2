from __future__ import annotations

import pytest

from docduck.sources.url.links import BadIndex, Link, read_links

BASE = "https://example.org/a/index.html"


def urls(content: str, content_type: str = "text/html", base: str = BASE) -> list[str]:
    return [link.url for link in read_links(content.encode(), content_type, base)]


def test_a_page_gives_its_links_once_and_absolute() -> None:
    page = '<html><a href="b.pdf">B</a> <A HREF="/c.pdf#page=2">C</a><a href="b.pdf">again</a></html>'
    assert urls(page) == ["https://example.org/a/b.pdf", "https://example.org/c.pdf"]


def test_links_that_are_not_of_the_web_are_left_out() -> None:
    page = '<a href="mailto:a@b.c">m</a><a href="javascript:x()">j</a><a href="//[">bad</a><a href="x">x</a>'
    assert urls(page) == ["https://example.org/a/x"]


def test_a_listing_of_a_web_server_is_a_page() -> None:
    page = "<html><h1>Index of /a</h1><pre><a href='../'>../</a><a href='one%20two.pdf'>one</a></pre></html>"
    assert urls(page, base="https://example.org/a/")[1:] == ["https://example.org/a/one%20two.pdf"]


def test_a_sitemap_tells_when_its_pages_changed() -> None:
    sitemap = (
        '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
        "<url><loc>https://example.org/1.pdf</loc><lastmod>2026-01-02</lastmod></url></urlset>"
    )
    assert read_links(sitemap.encode(), "application/xml", BASE) == [
        Link("https://example.org/1.pdf", "2026-01-02")
    ]


def test_an_index_of_sitemaps_leads_to_others() -> None:
    index = "<sitemapindex><sitemap><loc>/s1.xml</loc></sitemap></sitemapindex>"
    assert read_links(index.encode(), "text/xml", BASE) == [Link("https://example.org/s1.xml", "", True)]


def test_feeds_give_their_files_or_else_their_pages() -> None:
    rss = (
        "<rss><channel><item><link>/page</link><enclosure url='/1.pdf'/><pubDate>now</pubDate></item>"
        "<item><link>/2.pdf</link></item></channel></rss>"
    )
    assert urls(rss, "application/rss+xml") == ["https://example.org/1.pdf", "https://example.org/2.pdf"]
    atom = (
        '<feed xmlns="http://www.w3.org/2005/Atom"><link href="/self"/><entry><updated>u</updated>'
        '<link rel="alternate" href="/3"/><link rel="enclosure" href="/3.pdf"/></entry></feed>'
    )
    assert read_links(atom.encode(), "", BASE) == [Link("https://example.org/3.pdf", "u")]


def test_a_text_has_a_link_in_each_line() -> None:
    assert urls("https://example.org/1.pdf\n\nhttps://example.org/2.pdf\n", "text/plain")[-1].endswith(
        "2.pdf"
    )


@pytest.mark.parametrize(
    ("content", "kind", "words"),
    [
        (b"%PDF-1.7", "application/pdf", "application/pdf is no page"),
        (b"<?xml version='1.0'?><urlset>", "text/xml", "not well-formed"),
        (b"<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b 'c'>]><urlset/>", "text/xml", "document type"),
        (b"<?xml version='1.0'?><other/>", "text/xml", "<other> is neither"),
    ],
)
def test_what_is_no_index_is_named(content: bytes, kind: str, words: str) -> None:
    with pytest.raises(BadIndex, match=words):
        read_links(content, kind, BASE)

"""A README as a page: its HTML, and its sections for the index and the search."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from posixpath import normpath
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token

from docduck.web.help.pages import FOLDERS, installed

_COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)
_NOT_IN_ANCHORS = re.compile(r"[^\w\- ]")
_README = "README.md"
_SCROLLED = '<div class="scroll" tabindex="0" role="region" aria-label="Table {}"><table>'


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with the text below it; ``level`` is 1 for the title, which has the text before others."""

    level: int
    title: str
    anchor: str
    text: str


@dataclass(frozen=True, slots=True)
class HelpPage:
    """A page; ``pictures`` are the files that it shows, by name."""

    name: str
    html: str
    sections: tuple[Section, ...]
    pictures: dict[str, Path]

    @property
    def title(self) -> str:
        """The page's title."""
        return self.sections[0].title


@cache
def help_page(name: str) -> HelpPage:
    """Return a page; raise KeyError."""
    folder = installed(name)
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = parser.parse(_COMMENT.sub("", (folder / _README).read_text("utf-8")))
    sections = _sections(tokens)
    pictures: dict[str, Path] = {}
    for token in tokens:
        token.attrs.pop("style", None)  # The policy of pages allows no styles in HTML.
        if token.children:
            token.children = _linked(token.children, name, pictures)
    html = parser.renderer.render(tokens, parser.options, {})
    numbers = count(1)
    html = re.sub("<table>", lambda _: _SCROLLED.format(next(numbers)), html)
    html = html.replace("</table>", "</table></div>").replace("<pre>", '<pre tabindex="0">')
    return HelpPage(name, html, sections, pictures)


def _sections(tokens: Sequence[Token]) -> tuple[Section, ...]:
    """Return the sections, and give their headings anchors, as GitHub has them."""
    headings: list[tuple[int, str, str, list[str]]] = []
    anchors: dict[str, int] = {}
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            title = _text(tokens[at + 1])
            anchor = _NOT_IN_ANCHORS.sub("", title.lower()).replace(" ", "-")
            seen = anchors[anchor] = anchors.get(anchor, -1) + 1
            anchor = f"{anchor}-{seen}" if seen else anchor
            token.attrSet("id", anchor)
            headings.append((int(token.tag[1:]), title, anchor, []))
        elif headings and (token.type in ("fence", "code_block") or _is_text_of_section(tokens, at)):
            headings[-1][3].append(token.content if token.type != "inline" else _text(token))
    return tuple(Section(level, title, anchor, "\n".join(texts)) for level, title, anchor, texts in headings)


def _is_text_of_section(tokens: Sequence[Token], at: int) -> bool:
    return tokens[at].type == "inline" and tokens[at - 1].type != "heading_open"


def _text(token: Token) -> str:
    """Return the text of an inline token without marks."""
    breaks = ("softbreak", "hardbreak")
    return "".join(" " if child.type in breaks else child.content for child in token.children or ())


def _linked(tokens: list[Token], name: str, pictures: dict[str, Path]) -> list[Token]:
    """Return inline tokens whose links lead to pages of help; those to other files are left out."""
    inline: list[Token] = []
    is_open: list[bool] = []
    for token in tokens:
        if token.type == "link_open":
            target = _target(str(token.attrs["href"]), name)
            is_open.append(target is not None)
            if target is None:
                continue
            token.attrs["href"] = target
            if not target.startswith(("/", "#")):
                token.attrs["rel"] = "noreferrer"
        elif token.type == "link_close" and not is_open.pop():
            continue
        elif token.type == "image":
            path = installed(name) / str(token.attrs["src"])
            pictures[path.name] = path
            token.attrs["src"] = f"/help/{name}/{path.name}"
        inline.append(token)
    return inline


def _target(href: str, name: str) -> str | None:
    """Return where a link of a README leads; None for a file that is no page of help."""
    parts = urlsplit(href)
    if parts.scheme or not parts.path:
        return href
    path = normpath(f"{FOLDERS[name]}/{parts.path}")
    for other, folder in FOLDERS.items():
        if path in (folder, f"{folder}/{_README}"):
            return f"/help/{other}#{parts.fragment}" if parts.fragment else f"/help/{other}"
    return None

"""Limits on HTML that keep its parser linear.

A parser of HTML searches all open elements at nearly every tag, all attributes of a tag at each of them, and
a list's options at each option (HTML Standard, 13.2.6). Tags beyond the limits are left out before.
"""

from __future__ import annotations

import re

MAX_NESTING = 1000
"""Nesting of elements; tags of deeper ones are left out, their text is kept."""
MAX_ATTRIBUTES = 300
"""Attributes of an element."""
MAX_OPTIONS = 3000
"""Options of a list to choose from."""

_NEAREST = 100
"""Open elements among which the one is sought that a tag ends."""
_SMALL = 64 * 1024
"""Characters up to which no text takes long, whatever it is."""

_TAG = re.compile(r"<(?:(?P<comment>!--)|(?P<end>/)?(?P<name>[a-zA-Z][^\s/>]*))")
_ATTRIBUTE = re.compile(
    r"""[\s/]*[^\s/>][^\s/>=]*(?:\s*=\s*(?:"[^"]*(?:"|\Z)|'[^']*(?:'|\Z)|[^\s>"'][^\s>]*)?)?"""
)
_CLOSE = re.compile(r"[\s/]*(>|\Z)")
_RAW = frozenset(["script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"])
_VOID = frozenset({
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
})  # fmt: skip
_CHOICES = frozenset(("option", "optgroup"))
_FOREIGN = frozenset(("svg", "math"))
_SIBLINGS: dict[str, frozenset[str]] = {
    name: frozenset(group.split())
    for group in (
        "p",
        "li",
        "dt dd",
        "td th",
        "tr",
        "tbody thead tfoot",
        "option",
        "optgroup",
        "caption",
        "colgroup",
    )
    for name in group.split()
}
"""Elements that end where one of the same group begins."""
_WITHIN = frozenset(["table", "ul", "ol", "menu", "dir", "dl", "select", "body", "html"])
"""Elements inside which such groups begin anew."""
_CELLS = frozenset(["table", "td", "th", "caption", "button", "object"])
"""Elements that an end tag of another one inside them does not end."""


def limit_nesting(html: str) -> tuple[str, bool]:
    """Return ``html`` within the limits, and whether anything was left out."""
    if len(html) <= _SMALL:
        return html, False
    return _NestingLimiter(html).run()


class _NestingLimiter:
    """Follows the open elements from tag to tag; ``dropped`` are those whose tags are left out."""

    def __init__(self, html: str) -> None:
        self.html = html
        self.parts: list[str] = []
        self.done = 0
        self.open: list[str] = []
        self.dropped: list[str] = []
        self.options = self.foreign = 0

    def run(self) -> tuple[str, bool]:
        """Return the text that is left, and whether something was left out."""
        match = _TAG.search(self.html)
        while match is not None:
            match = _TAG.search(self.html, self._tag(match))
        return "".join([*self.parts, self.html[self.done :]]), bool(self.parts)

    def _tag(self, match: re.Match[str]) -> int:
        """Read a tag; return where the text after it begins."""
        if match["comment"]:
            end = self.html.find("-->", match.end())
            return end + 3 if end >= 0 else len(self.html)
        name = match["name"].lower()
        end = self._attributes(match.end())
        if match["end"]:
            keep = self._closes(name)
        else:
            keep = self._opens(name, self.html.endswith("/>", match.end(), end))
        if not keep:
            self._leave_out(match.start(), end)
        elif name in _RAW and not match["end"]:
            return self._after_raw(name, end)
        return end

    def _attributes(self, at: int) -> int:
        """Return the end of the tag whose attributes begin at ``at``, with those beyond the most left out."""
        count, kept = 0, at
        while (close := _CLOSE.match(self.html, at)) is None:
            attribute = _ATTRIBUTE.match(self.html, at)
            at = attribute.end() if attribute else at + 1
            count += 1
            if count == MAX_ATTRIBUTES:
                kept = at
        if count > MAX_ATTRIBUTES:
            self._leave_out(kept, close.start())
        return close.end()

    def _leave_out(self, start: int, end: int) -> None:
        if end > self.done:
            self.parts.append(self.html[self.done : max(start, self.done)])
            self.done = end

    def _after_raw(self, name: str, at: int) -> int:
        """Return where the end tag of an element begins in which tags are text."""
        match = re.compile(rf"</{name}", re.IGNORECASE).search(self.html, at)
        return match.start() if match else len(self.html)

    def _opens(self, name: str, closed: bool) -> bool:
        """Record an element's start tag; return whether to keep it."""
        if name in _VOID or (closed and self.foreign):
            return True
        if name == "select":
            self.options = 0
        elif name in _CHOICES:
            self.options += 1
            if self.options > MAX_OPTIONS:
                return False
        if name in _SIBLINGS:
            self._end_sibling(_SIBLINGS[name])
        if len(self.open) >= MAX_NESTING:
            self.dropped.append(name)
            del self.dropped[:-MAX_NESTING]
            return False
        self.open.append(name)
        self.foreign += name in _FOREIGN
        return True

    def _end_sibling(self, names: frozenset[str]) -> None:
        for at in self._nearest():
            if self.open[at] in names:
                self._cut(at)
                return
            if self.open[at] in _WITHIN:
                return

    def _closes(self, name: str) -> bool:
        """Record an element's end tag; return whether to keep it."""
        if self.dropped and name == self.dropped[-1]:
            self.dropped.pop()
            return False
        if name in _CHOICES and self.options > MAX_OPTIONS:
            return False
        for at in self._nearest():
            if self.open[at] == name:
                self._cut(at)
                break
            if self.open[at] in _CELLS and name not in _CELLS and name not in _SIBLINGS:
                break
        return True

    def _nearest(self) -> range:
        return range(len(self.open) - 1, max(len(self.open) - _NEAREST, 0) - 1, -1)

    def _cut(self, at: int) -> None:
        self.foreign -= sum(name in _FOREIGN for name in self.open[at:])
        del self.open[at:]
        self.dropped.clear()

"""The CSS that decides what is shown: simple selectors and style attributes, without media rules."""

from __future__ import annotations

import re
from collections.abc import Mapping

MAX_CSS = 1024 * 1024
"""Characters of style sheets that are read."""

_COMMENT = re.compile(r"/\*.*?(?:\*/|$)", re.DOTALL)
_RULE = re.compile(r"([^{}]*)\{([^{}]*)\}")
_SIMPLE = re.compile(r"([a-z][a-z0-9]*)?([.#][\w-]+)?$", re.IGNORECASE)
_KNOWN = frozenset({
    "display", "visibility", "text-align", "white-space", "flex-direction", "list-style",
    "list-style-type", "page-break-before", "page-break-after", "break-before", "break-after",
    "font-size", "mso-hide",
})  # fmt: skip

Style = dict[str, str]


class StyleSheet:
    """Style rules whose selector is a tag, a class, an id, or a tag with one of them."""

    def __init__(self, text: str) -> None:
        self._rules: dict[str, Style] = {}
        for selectors, body in _RULE.findall(_without_media(_COMMENT.sub(" ", text[:MAX_CSS]))):
            style = declarations(body)
            if not style:
                continue
            for selector in selectors.split(","):
                name = selector.strip()
                if name and _SIMPLE.match(name):
                    self._rules.setdefault(name.lower(), {}).update(style)

    def style(self, tag: str | None, attributes: Mapping[str, str | None]) -> Style:
        """Return the declarations for an element by its tag, class, id and attribute; later ones override."""
        name = (tag or "").lower()
        own = attributes.get("style")
        if not self._rules:
            return declarations(own) if own else {}
        declared = dict(self._rules.get(name, {}))
        classes = [f".{text}" for text in (attributes.get("class") or "").lower().split()]
        identity = (attributes.get("id") or "").lower()
        for key in [*classes, *([f"#{identity}"] if identity else [])]:
            declared.update(self._rules.get(key, {}))
            declared.update(self._rules.get(name + key, {}))
        if own:
            declared.update(declarations(own))
        return declared

    def hides(self, tag: str, attributes: Mapping[str, str | None]) -> bool:
        """Return whether an element is not shown."""
        if "hidden" in attributes:
            return True
        if not attributes and not self._rules:
            return False
        style = self.style(tag, attributes)
        return (
            style.get("display") == "none"
            or style.get("visibility") in ("hidden", "collapse")
            or style.get("mso-hide") == "all"
            or style.get("font-size", "1").rstrip("ptxem% ") in ("0", "0.0")
        )


def declarations(text: str) -> Style:
    """Return the declarations of a style attribute or a rule's body, of the properties that matter here."""
    style: Style = {}
    for part in text.split(";"):
        name, colon, value = part.partition(":")
        key = name.strip().lower()
        if colon and key in _KNOWN:
            style[key.removesuffix("-type")] = value.replace("!important", "").strip().lower()
    return style


def _without_media(text: str) -> str:
    """Return the text without the blocks of ``@media`` and other conditional rules."""
    rules: list[str] = []
    at = 0
    while (start := text.find("@", at)) >= 0:
        rules.append(text[at:start])
        brace, end = text.find("{", start), text.find(";", start)
        if brace < 0 or 0 <= end < brace:
            at = end + 1 if end >= 0 else len(text)
            continue
        depth, at = 1, brace + 1
        while depth and at < len(text):
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            at += 1
    rules.append(text[at:])
    return "".join(rules)

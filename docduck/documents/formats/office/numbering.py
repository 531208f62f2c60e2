"""Labels of numbered and bulleted paragraphs in WordprocessingML (ECMA-376 part 1, 17.9)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from docduck.documents.formats.xml_tree import Element

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
BULLET = "•"

_PLACE = re.compile(r"%([1-9])")
_ROMAN = (
    (1000, "m"),
    (900, "cm"),
    (500, "d"),
    (400, "cd"),
    (100, "c"),
    (90, "xc"),
    (50, "l"),
    (40, "xl"),
    (10, "x"),
    (9, "ix"),
    (5, "v"),
    (4, "iv"),
    (1, "i"),
)


@dataclass(frozen=True, slots=True)
class _Level:
    start: int
    kind: str
    text: str
    legal: bool


class Numbering:
    """The lists of one document; ``label`` is to be asked for each paragraph in reading order."""

    def __init__(self, root: Element | None) -> None:
        self._lists: dict[str, dict[int, _Level]] = {}
        self._abstract: dict[str, str] = {}
        self._counts: dict[str, dict[int, int]] = {}
        if root is None:
            return
        abstract = {
            node.get(W + "abstractNumId", ""): _levels(node) for node in root.findall(W + "abstractNum")
        }
        for node in root.findall(W + "num"):
            number, reference = node.get(W + "numId", ""), node.find(W + "abstractNumId")
            base = reference.get(W + "val", "") if reference is not None else ""
            levels = dict(abstract.get(base, {}))
            overrides = node.findall(W + "lvlOverride")
            for override in overrides:
                levels.update(_levels(override))
            self._lists[number] = levels
            restarted = any(override.find(W + "startOverride") is not None for override in overrides)
            self._abstract[number] = f"{base}/{number}" if restarted else base

    def label(self, number: str, depth: int) -> str:
        """The label of the next paragraph of list ``number`` at ``depth`` (from 0); empty for none."""
        levels = self._lists.get(number, {})
        level = levels.get(depth)
        if level is None or level.kind == "none":
            return ""
        counts = self._counts.setdefault(self._abstract[number], {})
        counts[depth] = counts.get(depth, level.start - 1) + 1
        for deeper in [other for other in counts if other > depth]:
            del counts[deeper]
        if level.kind == "bullet":
            return BULLET

        def counted(match: re.Match[str]) -> str:
            at = int(match[1]) - 1
            upper = levels.get(at)
            if upper is None:
                return ""
            kind = "decimal" if level.legal else upper.kind
            return ordinal(counts.setdefault(at, upper.start), kind)

        return _PLACE.sub(counted, level.text).strip()


def _levels(node: Element) -> dict[int, _Level]:
    levels: dict[int, _Level] = {}
    for level in node.findall(W + "lvl"):
        depth = _integer(level.get(W + "ilvl"), 0)
        start = _integer(_value(level, "start"), 1)
        kind = _value(level, "numFmt") or "decimal"
        levels[depth] = _Level(
            start, kind, _value(level, "lvlText") or "", level.find(W + "isLgl") is not None
        )
    return levels


def _value(node: Element, name: str) -> str | None:
    child = node.find(W + name)
    value = child.get(W + "val") if child is not None else None
    return str(value) if value is not None else None


def _integer(text: str | None, default: int) -> int:
    return int(text) if text and text.lstrip("-").isdigit() else default


def ordinal(number: int, kind: str) -> str:
    """``number`` as a list counts it: ``decimal``, ``lowerLetter``, ``upperRoman`` and their like."""
    if kind in ("lowerLetter", "upperLetter") and 0 < number < 1000:
        text = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
        return text.upper() if kind == "upperLetter" else text
    if kind in ("lowerRoman", "upperRoman") and 0 < number < 4000:
        text = ""
        for value, letters in _ROMAN:
            text += letters * (number // value)
            number %= value
        return text.upper() if kind == "upperRoman" else text
    if kind == "decimalZero":
        return f"{number:02d}"
    return str(number)

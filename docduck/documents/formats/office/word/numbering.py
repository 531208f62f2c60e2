"""Labels of numbered and bulleted paragraphs in WordprocessingML (ECMA-376 part 1, 17.9)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from docduck.documents.formats.flow.list_labels import BULLET, ordinal
from docduck.documents.formats.office.word.elements import W, value
from docduck.documents.formats.xml_tree import Element

_PLACE = re.compile(r"%([1-9])")


@dataclass(frozen=True, slots=True)
class _Level:
    start: int
    kind: str
    text: str
    legal: bool


class Numbering:
    """The lists of one document. Call ``label`` for each paragraph in reading order."""

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
        """Return the label of the next paragraph of list ``number`` at ``depth`` (from 0); may be empty."""
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
        start = _integer(value(level, "start"), 1)
        kind = value(level, "numFmt") or "decimal"
        levels[depth] = _Level(
            start, kind, value(level, "lvlText") or "", level.find(W + "isLgl") is not None
        )
    return levels


def _integer(text: str | None, default: int) -> int:
    return int(text) if text and text.lstrip("-").isdigit() else default

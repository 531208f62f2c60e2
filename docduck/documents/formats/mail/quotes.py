"""Splitting of a conversation into its messages, the newest first."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

MAX_MESSAGES = 200
"""Messages of one conversation; the last of them keeps the rest."""

_MOST_LINES = 300_000
"""Lines scanned in all; those below each message found are scanned again."""

_RULE = re.compile(r"^[\s>]*[_\-–—=*]{2,}\s*|\s*[_\-–—=*]{2,}\s*$")
_HEADER_ROWS = 12
_ATTRIBUTION_ROWS = 4
_LONGEST_ATTRIBUTION = 400
_MOST_INTRODUCTIONS = 30
"""Lines of one message tested as introductions; each test scans all that follows."""
_QUOTE = re.compile(r"^\s{0,2}(?:>\s?)+")


@dataclass(frozen=True, slots=True)
class _Words:
    separators: frozenset[str]
    senders: frozenset[str]
    headers: dict[str, int]
    attributions: tuple[tuple[str, str], ...]


@cache
def _words() -> _Words:
    data: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("quotes.yaml").read_text("utf-8"))
    return _Words(
        frozenset(data["separators"]),
        frozenset(data["from"]),
        {label: group for group, labels in enumerate(data["headers"]) for label in labels},
        tuple((start, end) for start, end in data["attributions"]),
    )


def split_conversation(text: str) -> list[str]:
    """Return the messages of ``text``, newest first; always at least one.

    An earlier message begins at a separator line, at the headers repeated above it, or at the line that
    introduces a quotation with nothing but that quotation after it. Answers between quoted lines stay
    together with these.
    """
    lines = text.replace("\r\n", "\n").split("\n")
    messages: list[str] = []
    looked_at = 0
    while len(messages) < MAX_MESSAGES - 1 and looked_at < _MOST_LINES:
        looked_at += len(lines)
        cut = _first_cut(lines)
        if cut is None:
            break
        end, start = cut
        messages.append("\n".join(lines[:end]))
        lines = _unquoted(lines[start:])
    messages.append("\n".join(lines))
    parts = [message.strip("\n") for message in messages if message.strip(" \n\t>")]
    return parts or [""]


def _first_cut(lines: list[str]) -> tuple[int, int] | None:
    """Return where the newest message ends, and where the next begins; a separator line is left out.

    A message's own first lines (its headers, its separator) are no cut.
    """
    begin = _body_start(lines)
    introductions = 0
    for index in range(begin, len(lines)):
        line = lines[index]
        bare = _QUOTE.sub("", line).strip()
        if not bare or len(bare) > _LONGEST_ATTRIBUTION:
            continue
        if _is_separator(bare):
            return index, index + 1
        if ":" in bare and _is_header_block(lines, index):
            end = index
            while end > 0 and not _RULE.sub("", lines[end - 1]).strip(" >"):
                end -= 1
            return end, index
        if introductions < _MOST_INTRODUCTIONS and _attribution_rows(lines, index):
            introductions += 1
            if _only_quoted_after(lines, index):
                return index, index
    return None


def _body_start(lines: list[str]) -> int:
    """Return the first line below the headers or the introduction that a message itself begins with."""
    index = 0
    while index < len(lines) and not lines[index].strip():
        index += 1
    if index == len(lines):
        return index
    if _is_header_block(lines, index):
        while index < len(lines) and lines[index].strip():
            index += 1
        return index
    rows = _attribution_rows(lines, index)
    return index + max(rows, 1)


def _is_separator(bare: str) -> bool:
    title = _RULE.sub("", bare).strip(" :").lower().replace("’", "'")
    return title in _words().separators and (title != bare.lower() or len(title) > 12)


def _label(line: str) -> str:
    label, colon, _ = _QUOTE.sub("", line).replace("：", ":").partition(":")
    return label.strip(" *\u00a0").lower().replace("’", "'") if colon else ""


def _is_header_block(lines: list[str], index: int) -> bool:
    """Return whether a sender's line is at ``index`` with two other headers close below it."""
    words = _words()
    if _label(lines[index]) not in words.senders:
        return False
    groups: set[int] = set()
    for line in lines[index + 1 : index + _HEADER_ROWS]:
        if not line.strip(" >"):
            if groups:
                break
            continue
        group = words.headers.get(_label(line))
        if group is not None:
            groups.add(group)
    return len(groups) >= 2


def _attribution_rows(lines: list[str], index: int) -> int:
    """Return how many lines the introduction of a quotation at ``index`` takes; 0 when there is none."""
    text = ""
    for row, line in enumerate(lines[index : index + _ATTRIBUTION_ROWS]):
        bare = _QUOTE.sub("", line).strip()
        if not bare:
            return 0
        text = f"{text} {bare}".strip().lower().replace("\u00a0", " ")
        if len(text) > _LONGEST_ATTRIBUTION:
            return 0
        if not (any(char.isdigit() for char in text) or "@" in text):
            continue
        for start, end in _words().attributions:
            if not text.startswith(f"{start} ") if start else row:
                continue
            if text.endswith(end) or (not end.endswith(":") and f" {end} " in text and text.endswith(":")):
                return row + 1
    return 0


def _only_quoted_after(lines: list[str], index: int) -> bool:
    """Return whether all lines after an introduction are quoted, except for a list's footer, or none is."""
    rest = lines[index + _attribution_rows(lines, index) :]
    depth = len(_quote(lines[index]))
    quoted = [len(_quote(line)) > depth for line in rest if line.strip(" >\t")]
    if not any(quoted):
        return bool(quoted)
    last = max(i for i, is_quoted in enumerate(quoted) if is_quoted)
    inside = quoted[: last + 1]
    after = [line for line in rest if line.strip(" >\t")][last + 1 :]
    return all(inside) and (not after or bool(_RULE.match(after[0])))


def _quote(line: str) -> str:
    """Return the quotation marks at the start of a line."""
    match = _QUOTE.match(line)
    return ">" * match[0].count(">") if match else ""


def _unquoted(lines: list[str]) -> list[str]:
    """Return ``lines`` without the quotation marks that all of them share; the introduction is separate."""
    rows = max(_attribution_rows(lines, 0), 0) if lines else 0
    head, body = lines[:rows], lines[rows:]
    for part in (head, body):
        depths = [len(_quote(line)) for line in part if line.strip()]
        depth = min(depths, default=0)
        if depth:
            part[:] = [_less_quoted(line, depth) for line in part]
    return head + body


def _less_quoted(line: str, depth: int) -> str:
    for _ in range(depth):
        line = re.sub(r"^\s{0,2}>\s?", "", line, count=1)
    return line

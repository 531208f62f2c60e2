"""The kind of a text: HTML, XML, RTF, delimited, Markdown or plain. Its name only breaks ties."""

from __future__ import annotations

import re

from docduck.documents.detection.content_types import CSV, HTML, MARKDOWN, PLAIN, RTF, TSV, XML
from docduck.documents.detection.delimiters import find_delimiter, regular_columns
from docduck.documents.detection.encoding import decode_text
from docduck.documents.detection.file_types import type_by_suffix

_SAMPLE = 64 * 1024
_HTML_TAGS = (
    "html head body title meta link style script div span p h1 h2 h3 h4 h5 h6 table tr td ul ol li a b i em "
    "strong font center br hr img article section header main form pre blockquote"
)
_HTML = re.compile(rf"<(?:!doctype\s+html|(?:{_HTML_TAGS.replace(' ', '|')})(?=[\s/>]))", re.IGNORECASE)
_LEADING = re.compile(r"(?:\s+|<\?.{0,500}?\?>|<!--.{0,5000}?-->)*", re.DOTALL)
_ROOT = re.compile(r"<([A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)(?:\s[^<>]*)?>")
_DOCTYPE = re.compile(r"<!doctype\s+(?!html)[\w:.-]+", re.IGNORECASE)
_MARKS = (
    re.compile(r"^ {0,3}#{1,6} +\S", re.MULTILINE),
    re.compile(r"^ {0,3}(?:[-*+]|\d{1,3}\.) +\S", re.MULTILINE),
    re.compile(r"^ {0,3}\|?(?: *:?-{3,}:? *\|)+ *(?::?-{3,}:?)? *$", re.MULTILINE),
    re.compile(r"\*\*[^\s*][^*\n]{0,200}\*\*"),
    re.compile(r"\[[^\[\]\n]{1,200}\]\((?:https?:|mailto:|[\w./#-]{1,200})"),
    re.compile(r"^(?:```|~~~)", re.MULTILINE),
)


def text_type(data: bytes, end: bytes, name: str = "") -> str:
    """Return the MIME type of a text by its first bytes (over 64 KiB of a longer text) and its last ones."""
    sample = decode_text(data[:_SAMPLE]).lstrip("\ufeff")
    if sample.startswith("{\\rtf"):
        return RTF
    if sample.lstrip().startswith("<") and (tagged := _tagged(sample, end)):
        return tagged
    if type_by_suffix(name, (HTML,)) and _HTML.search(sample):
        return HTML
    if named := type_by_suffix(name, (MARKDOWN, CSV, TSV)):
        return named
    return _delimited(sample, len(data) > _SAMPLE) or (MARKDOWN if _is_markdown(sample) else PLAIN)


def _tagged(sample: str, end: bytes) -> str | None:
    """Return HTML or XML, for a text that begins with a tag."""
    start = _LEADING.match(sample)
    at = start.end() if start else 0
    if _HTML.match(sample, at):
        return HTML
    if sample.lstrip().startswith("<?xml") or _DOCTYPE.match(sample, at):
        return XML
    root = _ROOT.match(sample, at)
    if root is None:
        return None
    closing = f"</{root[1] or ''}{root[2]}>".encode()
    return XML if "xmlns" in root[0] or end.rstrip().endswith(closing) else None


def _delimited(sample: str, cut: bool) -> str | None:
    """Return CSV or TSV for a text with equally many delimiters in all lines, at least two."""
    delimiter = find_delimiter(sample)
    if delimiter is None or not regular_columns(sample, delimiter, cut):
        return None
    return TSV if delimiter == "\t" else CSV


def _is_markdown(sample: str) -> bool:
    """Return whether a text has a heading and another mark, or the rule of a table."""
    heading, *others = (bool(mark.search(sample)) for mark in _MARKS)
    return (heading and any(others)) or (others[1] and sample.count("|") > 5)

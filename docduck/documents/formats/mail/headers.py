"""Header fields to values: encoded words (RFC 2047), addresses and dates (RFC 5322), however broken."""

from __future__ import annotations

import binascii
import codecs
import re
from datetime import datetime, timedelta, timezone
from email.utils import parsedate_tz

from docduck.documents.detection.encoding import decode_text
from docduck.documents.document import MailAddress

_ENCODED = re.compile(r"=\?([^?\s]{1,60})\?([bBqQ])\?([^\r\n]{0,2000}?)\?=")
_BETWEEN = re.compile(r"(\?=)\s+(?==\?[^?\s]{1,60}\?[bBqQ]\?)")
_HEX = re.compile(rb"=([0-9A-Fa-f]{2})")
_ANGLE = re.compile(r"<([^<>]*)>")
_COMMENT = re.compile(r"\(((?:[^()\\]|\\.)*)\)")
_ROUTE = re.compile(r"^@[^:]*:")
_BARE = re.compile(r"[^\s<>,;:\"()]+")
_FIRST_YEAR = 1900

_SUPERSETS = {
    "iso88591": "cp1252", "latin1": "cp1252", "usascii": "cp1252", "ascii": "cp1252", "gb2312": "gb18030",
    "gbk": "gb18030", "ksc56011987": "cp949", "euckr": "cp949", "shiftjis": "cp932", "sjis": "cp932",
    "iso88598i": "iso8859_8", "iso88599": "cp1254", "tis620": "cp874",
}  # fmt: skip
"""Character sets that are commonly stated where their larger relative was used (WHATWG Encoding)."""

_NOT_CHARSETS = frozenset({"idna", "punycode", "unicodeescape", "rawunicodeescape", "undefined"})


def decode_charset(data: bytes, charset: str | None) -> str:
    """Return ``data`` decoded in the stated character set, else as its bytes suggest."""
    form = re.sub(r"[^a-z0-9]", "", (charset or "").lower())
    if form and form not in _NOT_CHARSETS:
        if form in ("usascii", "ascii", "iso88591", "latin1"):
            try:
                return data.decode("utf-8")
            except UnicodeDecodeError:
                return data.decode("cp1252", errors="replace")
        try:
            name = codecs.lookup(_SUPERSETS.get(form, charset or "")).name
            return data.decode(name)
        except UnicodeDecodeError as error:
            if len(data) > 1 and error.start > len(data) * 0.9:
                return data.decode(error.encoding, errors="replace")
        except (LookupError, ValueError):
            pass
    return decode_text(data)


def header_text(raw: str) -> str:
    """Return a raw header's text as one line; it may hold bytes beyond ASCII as surrogates."""
    try:
        raw.encode("utf-8")
    except UnicodeEncodeError:
        raw = decode_text(raw.encode("utf-8", "surrogateescape"))
    return " ".join(raw.replace("\x00", "").split())


def decode_words(text: str) -> str:
    """Return ``text`` with decoded encoded words; neighbours in one charset may share split characters."""
    text = _BETWEEN.sub(r"\1", text)
    parts: list[str] = []
    pending, charset, end = b"", "", 0
    for match in _ENCODED.finditer(text):
        if match.start() > end or match[1].lower() != charset:
            parts.append(_decoded(pending, charset))
            parts.append(text[end : match.start()])
            pending, charset = b"", match[1].lower()
        pending += _word_bytes(match[2], match[3])
        end = match.end()
    parts.append(_decoded(pending, charset))
    parts.append(text[end:])
    return " ".join("".join(parts).split())


def _decoded(data: bytes, charset: str) -> str:
    return decode_charset(data, charset.split("*")[0]) if data else ""


def _word_bytes(encoding: str, text: str) -> bytes:
    data = text.encode("utf-8", "surrogateescape")
    if encoding in "qQ":
        return _HEX.sub(lambda m: bytes([int(m[1], 16)]), data.replace(b"_", b" "))
    data = re.sub(rb"[^A-Za-z0-9+/]", b"", data)
    data = data[: len(data) - 1] if len(data) % 4 == 1 else data
    try:
        return binascii.a2b_base64(data + b"=" * (-len(data) % 4))
    except binascii.Error:
        return b""


def parse_addresses(text: str) -> tuple[MailAddress, ...]:
    """Return the mailboxes of an address list; encoded words are decoded after it was taken apart.

    Groups are flattened. A comma inside a name that should have been quoted does not part it.
    """
    addresses: list[MailAddress] = []
    before = ""
    for part in _parts(text):
        angle = _ANGLE.findall(part)
        bare = "" if angle else _bare(part)
        if angle:
            name = part[: part.index("<")]
            addresses.append(MailAddress(_name(f"{before}, {name}" if before else name), _address(angle[-1])))
        elif bare:
            comment = _COMMENT.search(part)
            if before:
                addresses.append(MailAddress(_name(before), ""))
            addresses.append(MailAddress(_name(comment[1]) if comment else "", _address(bare)))
        else:
            before = f"{before}, {part}" if before else part
            continue
        before = ""
    if before and _name(before):
        addresses.append(MailAddress(_name(before), ""))
    return tuple(addresses)


def _bare(part: str) -> str:
    """Return the first address of a mailbox without angle brackets; empty if there is none."""
    words = _BARE.findall(_COMMENT.sub(" ", part))
    return next((word for word in words if "@" in word[1:-1]), "")


def _parts(text: str) -> list[str]:
    """Return an address list split at its commas and semicolons, with group names left out."""
    parts: list[str] = []
    start, at, quoted, comment, angle = 0, 0, False, 0, False
    while at < len(text):
        char = text[at]
        if char == "\\" and (quoted or comment):
            at += 1
        elif char == '"' and not comment:
            quoted = not quoted
        elif quoted:
            pass
        elif char == "(":
            comment += 1
        elif char == ")":
            comment = max(0, comment - 1)
        elif comment:
            pass
        elif text.startswith("=?", at) and (word := _ENCODED.match(text, at)):
            at = word.end()
            continue
        elif char in "<>":
            angle = char == "<"
        elif char in ",;" and not angle:
            parts.append(text[start:at])
            start = at + 1
        elif char == ":" and not angle:
            start = at + 1
        at += 1
    if quoted or comment:
        return re.split(r"[,;]", text)
    parts.append(text[start:])
    return [part.strip() for part in parts if part.strip()]


def _address(text: str) -> str:
    address = _ROUTE.sub("", text.strip().removeprefix("mailto:"))
    return decode_words("".join(address.split())).strip("'\"")


def _name(text: str) -> str:
    name = decode_words(_COMMENT.sub(" ", text) if _COMMENT.sub(" ", text).strip() else text)
    name = re.sub(r"\\(.)", r"\1", name.strip())
    return name.strip().strip('"').strip().strip("'").strip()


def parse_date(text: str) -> datetime | None:
    """Return a Date header in its own zone, naive without one; None if it is no date."""
    try:
        parts = parsedate_tz(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    if parts is None:
        return _iso_date(text)
    year, month, day, hour, minute, second = parts[:6]
    try:
        moment = datetime(year, month, day, hour, minute, min(second, 59))
    except (ValueError, OverflowError):
        try:
            moment = datetime(year, month, day)
        except (ValueError, OverflowError):
            return None
    if moment.year < _FIRST_YEAR:
        return None
    offset = parts[9]
    if offset is None or abs(offset) >= 86400:
        return moment
    return moment.replace(tzinfo=timezone(timedelta(seconds=offset)))


def _iso_date(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text.strip().rstrip("Z"))
    except ValueError:
        return None

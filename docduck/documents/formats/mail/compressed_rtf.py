"""RTF bodies of .msg files: compressed (MS-OXRTFCP), and often encapsulated HTML (MS-OXRTFEX)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from docduck.documents.formats.mail.headers import decode_charset

MAX_BYTES = 50_000_000
"""A body that unpacks to more is refused."""

_DICTIONARY = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript "
    b"\\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par "
    b"\\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
)
_RING = 4096
_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|[\r\n]+|([^\\{}\r\n]+)"
)
_SKIPPED = frozenset(
    {
        "fonttbl", "colortbl", "stylesheet", "info", "pict", "object", "header", "footer", "generator",
        "listtable", "listoverridetable", "themedata", "datastore", "latentstyles", "xmlnstbl", "rsidtbl",
        "mhtmltag", "pntext",
    }
)  # fmt: skip
_SYMBOLS = {
    "par": "\r\n", "line": "\r\n", "tab": "\t", "cell": "\t", "row": "\r\n", "lquote": "‘", "rquote": "’",
    "ldblquote": "“", "rdblquote": "”", "bullet": "•", "endash": "–", "emdash": "—", "~": "\u00a0", "_": "-",
}  # fmt: skip


def decompress(data: bytes) -> bytes:
    """Return the RTF in a compressed body. Raise ``ValueError`` when it is neither form of MS-OXRTFCP."""
    kind = data[8:12]
    size = int.from_bytes(data[4:8], "little")
    if kind == b"MELA":
        return data[16 : 16 + size]
    if kind != b"LZFu":
        raise ValueError("its compression is not known")
    if size > MAX_BYTES:
        raise ValueError(f"it would unpack to {size} bytes")
    ring = bytearray(_DICTIONARY.ljust(_RING, b" "))
    write = len(_DICTIONARY)
    out = bytearray()
    at = 16
    while at < len(data) and len(out) < size:
        flags = data[at]
        at += 1
        for bit in range(8):
            if at >= len(data) or len(out) >= size:
                break
            if flags >> bit & 1:
                token = int.from_bytes(data[at : at + 2], "big")
                at += 2
                read, length = token >> 4, (token & 15) + 2
                if read == write:
                    return bytes(out[:size])
                for step in range(length):
                    byte = ring[(read + step) % _RING]
                    out.append(byte)
                    ring[write] = byte
                    write = (write + 1) % _RING
            else:
                out.append(data[at])
                ring[write] = data[at]
                write = (write + 1) % _RING
                at += 1
    return bytes(out)


def rtf_body(rtf: bytes) -> tuple[str, str]:
    """Return HTML and plain text of an RTF body; one of them is empty."""
    html = b"\\fromhtml" in rtf[:500]
    text = "".join(_texts(rtf, html))
    return (text, "") if html else ("", text)


def _texts(rtf: bytes, html: bool) -> Iterator[str]:
    """Yield the pieces of text; with ``html`` those of the HTML that the RTF was made from."""
    page = re.search(rb"\\ansicpg(\d{1,5})", rtf[:500])
    charset = f"cp{page[1].decode()}" if page else "cp1252"
    skipping, hidden, tag = False, False, False
    stack: list[tuple[bool, bool, bool]] = []
    pending = bytearray()
    fallback = 0
    for match in _TOKEN.finditer(rtf):
        word, number, byte, symbol, brace, text = match.groups()
        if byte is None and pending:
            yield decode_charset(bytes(pending), charset)
            pending.clear()
        if brace == b"{":
            stack.append((skipping, hidden, tag))
        elif brace == b"}":
            skipping, hidden, tag = stack.pop() if stack else (False, False, False)
        elif symbol == b"*":
            following = _TOKEN.match(rtf, match.end())
            is_tag = bool(following and following[1] == b"htmltag")
            skipping, tag = skipping or not (is_tag and html), is_tag
        elif word is not None:
            name = word.decode().lower()
            if name == "htmlrtf":
                hidden = number != b"0"
            elif name in _SKIPPED:
                skipping = True
            elif skipping or (hidden and html):
                continue
            elif name == "u" and number:
                fallback = 1
                yield chr(int(number) % 65536) if not 0xD800 <= int(number) % 65536 < 0xE000 else "\ufffd"
            elif name in _SYMBOLS:
                yield _SYMBOLS[name]
        elif skipping or (hidden and html):
            continue
        elif byte is not None:
            if fallback:
                fallback = 0
            else:
                pending.append(int(byte, 16))
        elif symbol is not None:
            yield _SYMBOLS.get(
                symbol.decode("latin-1"), symbol.decode("latin-1") if symbol in b"\\{}" else ""
            )
        elif text is not None:
            yield decode_charset(text[fallback:], charset)
            fallback = 0
    if pending:
        yield decode_charset(bytes(pending), charset)

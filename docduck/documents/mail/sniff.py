"""Whether a file is a mail, by its content."""

from __future__ import annotations

import re

_HEAD = 65_536
_FIELD = re.compile(rb"([!-9;-~]{1,76})[ \t]*:(?!//)")
_TRANSPORT = frozenset(
    {
        b"received", b"return-path", b"message-id", b"mime-version", b"delivered-to", b"x-original-to",
        b"dkim-signature", b"content-transfer-encoding", b"x-mailer", b"x-gm-thrid", b"x-received",
        b"authentication-results", b"in-reply-to", b"references", b"envelope-to", b"x-priority",
    }
)  # fmt: skip
_WRITTEN = frozenset(
    {b"from", b"to", b"subject", b"date", b"cc", b"bcc", b"sender", b"reply-to", b"content-type"}
)
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OUTLOOK_STREAM = "__properties_version1.0".encode("utf-16-le")


def is_mail(data: bytes, name: str = "") -> bool:
    """Whether ``data`` begins with the headers of an RFC 5322 mail; one so named needs just one of them."""
    head = data[:_HEAD].removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n\t ")
    if head.startswith(b"From "):
        head = head.partition(b"\n")[2]
    known: set[bytes] = set()
    fields = others = 0
    for line in head.split(b"\n"):
        if not line.strip():
            break
        if line[:1] in b" \t":
            continue
        field = _FIELD.match(line)
        if field is None:
            others += 1
            if others > 1 or not fields:
                return False
        else:
            fields += 1
            known |= {field[1].lower()} & (_TRANSPORT | _WRITTEN)
    if name.lower().endswith(".eml"):
        return bool(known)
    return len(known & _WRITTEN) >= 3 or bool(known & _TRANSPORT and len(known) >= 2)


def is_outlook(data: bytes) -> bool:
    """Whether ``data`` is an OLE file with a message's properties in its top folder."""
    if not data.startswith(_OLE) or _OUTLOOK_STREAM not in data:
        return False
    import io

    import olefile

    try:
        with olefile.OleFileIO(io.BytesIO(data)) as ole:
            return bool(ole.exists("__properties_version1.0"))
    except Exception:
        # olefile raises anything on broken files, and such a one was cut off while it was a message.
        return True

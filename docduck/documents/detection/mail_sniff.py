"""Recognition of mails by their content."""

from __future__ import annotations

import re

from docduck.documents.detection.content_types import RFC822
from docduck.documents.detection.file_types import type_by_suffix

_HEAD = 65_536
_FIELD = re.compile(rb"([!-9;-~]{1,76})[ \t]*:(?!//)")
_ENTITY = re.compile(rb"Content-Type:\s{0,10}multipart/[\w-]{1,40}\s{0,10};", re.IGNORECASE)
"""How the content of a signed mail begins, which has no other headers (RFC 8551, 3.1)."""
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


def is_mail(data: bytes, name: str = "") -> bool:
    """Return whether ``data`` begins with headers of an RFC 5322 mail; one header suffices with the name of a
    mail.
    """
    head = data[:_HEAD].removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n\t ")
    if head.startswith(b"From "):
        head = head.partition(b"\n")[2]
    if _ENTITY.match(head):
        return True
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
    if type_by_suffix(name, (RFC822,)):
        return bool(known)
    return len(known & _WRITTEN) >= 3 or bool(known & _TRANSPORT and len(known) >= 2)

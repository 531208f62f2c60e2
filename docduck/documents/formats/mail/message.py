"""What a mail's reader needs of it, whatever file it came from."""

from __future__ import annotations

from dataclasses import dataclass, field

from docduck.documents.document import Attachment, MailHeaders


@dataclass(slots=True)
class Message:
    """One message: its headers, its body, and the files inside it.

    ``plain`` and ``html`` are the body's two forms, either may be empty. ``parts`` are messages shown as part
    of this one (a digest's).
    """

    headers: MailHeaders
    plain: str = ""
    html: str = ""
    files: list[Attachment] = field(default_factory=list)
    parts: list[Message] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

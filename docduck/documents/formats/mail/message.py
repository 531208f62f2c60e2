"""What a mail's reader needs of it, whatever file it came from, and which of its files are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

from docduck.documents.detection.sniff import content_type
from docduck.documents.document import Attachment, MailHeaders


@dataclass(slots=True)
class Message:
    """One message: its headers, its body, and the files inside it.

    ``plain`` and ``html`` are the body's two forms, either may be empty. ``parts`` are messages shown as part
    of this one (a digest's). With ``encrypted``, parts of it are left out that only its recipient can open.
    """

    headers: MailHeaders
    plain: str = ""
    html: str = ""
    files: list[Attachment] = field(default_factory=list)
    parts: list[Message] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    encrypted: bool = False


def selected_files(files: Sequence[Attachment], types: Sequence[str]) -> Iterator[Attachment]:
    """Yield the files that are not inline and are of ``types`` (of any where empty), with detected types.

    ``types`` are MIME types (``application/pdf``, ``image/*``) or suffixes (``.pdf``).
    """
    for file in files:
        if file.data and not file.inline:
            kind = content_type(file.data, file.name)
            if _is_of(types, kind, file.name):
                yield Attachment(file.name, kind, file.data)


def _is_of(types: Sequence[str], kind: str, name: str) -> bool:
    suffix = PurePath(name).suffix.lower().lstrip(".")
    forms = {kind, f"{kind.partition('/')[0]}/*", "*/*", suffix, f".{suffix}"}
    return not types or any(type_.strip().lower() in forms for type_ in types)

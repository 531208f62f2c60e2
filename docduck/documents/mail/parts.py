"""What a mail's attachments become: documents of their own, or pages of the mail's document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath

from docduck.documents.model import Attachment, Document


@dataclass(frozen=True, slots=True)
class Expansion:
    """``files`` become documents of their own, of the types that their bytes show; ``own`` says whether
    the mail itself stays one."""

    own: bool
    files: tuple[Attachment, ...]


def expand(document: Document, parse_body: bool = True, types: Sequence[str] = ()) -> Expansion:
    """How a mail that was read with ``attachments`` ``apart`` parts into documents.

    The mail itself stays a document where its body is to be parsed, or where it has no files. Documents
    that are no mails have none to give.
    """
    if document.mail is None:
        return Expansion(True, ())
    files = tuple(accepted_files(document.attachments, types))
    return Expansion(parse_body or not files, files)


def accepted_files(files: Sequence[Attachment], types: Sequence[str] = ()) -> list[Attachment]:
    """The files that are attached for their own sake and can be read, of ``types`` as far as these are given.

    ``types`` are MIME types (``application/pdf``, ``image/*``) or suffixes (``.pdf``).
    """
    from docduck.documents.reader import READERS
    from docduck.documents.sniff import content_type

    accepted: list[Attachment] = []
    for file in files:
        kind = content_type(file.data, file.name) if file.data and not file.inline else ""
        if kind in READERS and _fits(kind, file.name, types):
            accepted.append(Attachment(file.name, kind, file.data))
    return accepted


def _fits(kind: str, name: str, types: Sequence[str]) -> bool:
    suffix = PurePath(name).suffix.lower().lstrip(".")
    forms = {kind, f"{kind.partition('/')[0]}/*", "*/*", suffix, f".{suffix}"}
    return not types or any(wanted.strip().lower() in forms for wanted in types)

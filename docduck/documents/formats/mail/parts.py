"""What a mail's attachments become: documents of their own, or pages of the mail's document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from docduck.documents.document import Attachment, Document
from docduck.errors import UnsupportedFile


@dataclass(frozen=True, slots=True)
class Expansion:
    """``files`` become documents of their own, of the types that their bytes show; ``own`` says whether
    the mail itself stays one. ``left_out`` names, in sentences, files that are wanted and can't be taken."""

    own: bool
    files: tuple[Attachment, ...]
    left_out: tuple[str, ...] = ()


def expand(
    document: Document,
    parse_body: bool = True,
    types: Sequence[str] = (),
    accepted: Sequence[str] = (),
    most: int | None = None,
) -> Expansion:
    """How a mail that was read with ``attachments`` ``apart`` parts into documents.

    The mail itself stays a document where its body is to be parsed, or where it has no files. Of the files
    of ``types`` (see ``accepted_files``) the first ``most`` are taken whose MIME type is among ``accepted``,
    as far as these are given. Documents that are no mails have none to give.
    """
    from docduck.documents.reader import READERS

    if document.mail is None:
        return Expansion(True, ())
    files: list[Attachment] = []
    left_out: list[str] = []
    too_many = 0
    for file in _wanted(document.attachments, types):
        if file.content_type not in READERS or (accepted and file.content_type not in accepted):
            left_out.append(f"{file.name} was left out: {UnsupportedFile().message}")
        elif len(files) == most:
            too_many += 1
        else:
            files.append(file)
    if too_many:
        left_out.append(f"{too_many} more attachments were left out: a mail's first {most} are taken")
    return Expansion(parse_body or not files, tuple(files), tuple(left_out))


def accepted_files(files: Sequence[Attachment], types: Sequence[str] = ()) -> list[Attachment]:
    """The files that are attached for their own sake and can be read, of ``types`` as far as these are given.

    ``types`` are MIME types (``application/pdf``, ``image/*``) or suffixes (``.pdf``).
    """
    from docduck.documents.reader import READERS

    return [file for file in _wanted(files, types) if file.content_type in READERS]


def _wanted(files: Sequence[Attachment], types: Sequence[str]) -> Iterator[Attachment]:
    from docduck.documents.detection.sniff import content_type

    for file in files:
        if file.data and not file.inline:
            kind = content_type(file.data, file.name)
            if _fits(kind, file.name, types):
                yield Attachment(file.name, kind, file.data)


def _fits(kind: str, name: str, types: Sequence[str]) -> bool:
    suffix = PurePath(name).suffix.lower().lstrip(".")
    forms = {kind, f"{kind.partition('/')[0]}/*", "*/*", suffix, f".{suffix}"}
    return not types or any(wanted.strip().lower() in forms for wanted in types)

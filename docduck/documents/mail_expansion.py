"""Which documents a mail becomes: itself, and its attachments as documents of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docduck.documents.document import Attachment, Document
from docduck.documents.formats.mail.message import selected_files
from docduck.documents.reader import can_read
from docduck.errors import UnsupportedFile


@dataclass(frozen=True, slots=True)
class Expansion:
    """The documents of a mail: itself if ``own``, and ``files`` with the types that their content shows.

    With ``own`` None it is one if values are found in its body.
    ``left_out`` are warnings, one for each selected file that can't be taken.
    """

    own: bool | None
    files: tuple[Attachment, ...]
    left_out: tuple[str, ...] = ()


def expand(
    document: Document,
    parse_body: bool | None = True,
    types: Sequence[str] = (),
    accepted: Sequence[str] = (),
    most: int | None = None,
) -> Expansion:
    """Return the documents that a mail becomes, which was read with ``attachments`` ``apart``.

    The mail itself stays a document if its body is to be parsed; with ``parse_body`` None it does if no file
    of it is taken, or if values are found in its body. Of the files of
    ``types`` (see ``selected_files``) the first ``most`` with a MIME type in ``accepted`` (any if empty) are
    taken. A document that is not a mail has no files.
    """
    if document.mail is None:
        return Expansion(True, ())
    files: list[Attachment] = []
    left_out: list[str] = []
    too_many = 0
    for file in selected_files(document.attachments, types):
        if not can_read(file.content_type) or (accepted and file.content_type not in accepted):
            left_out.append(f"{file.name} was left out: {UnsupportedFile().message}")
        elif len(files) == most:
            too_many += 1
        else:
            files.append(file)
    if too_many:
        left_out.append(f"{too_many} more attachments were left out: a mail's first {most} are taken")
    own = True if parse_body is None and not files else parse_body
    return Expansion(own, tuple(files), tuple(left_out))

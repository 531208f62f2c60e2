"""Which documents a mail becomes: itself, and its attachments as documents of their own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from docduck.documents.detection.content_types import IMAGES
from docduck.documents.document import Attachment, Document
from docduck.documents.formats.images import size_of
from docduck.documents.formats.mail.message import selected_files
from docduck.documents.read_options import ReadOptions
from docduck.documents.reader import can_read
from docduck.errors import UnsupportedFile

_LEAST_PIXELS, _LEAST_OF_WIDE = 290 * 410, 410 * 580
"""Of a picture that may show a document: A7 at 100 dots an inch, and A6 of one that is wide, as logos are."""


@dataclass(frozen=True, slots=True)
class Expansion:
    """The documents of a mail: itself if ``own``, and ``files`` with the types that their content shows.

    With ``own`` None it is one if values are found in its body. ``pictures`` are those in the body of a mail
    without such files: without values in it, they are the mail's documents.
    ``left_out`` are warnings, one for each selected file that can't be taken.
    """

    own: bool | None
    files: tuple[Attachment, ...]
    left_out: tuple[str, ...] = ()
    pictures: tuple[Attachment, ...] = ()


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
    pictures = () if files else tuple(islice(_pasted(document, types, accepted), most))
    own = True if parse_body is None and not (files or pictures) else parse_body
    return Expansion(own, tuple(files), tuple(left_out), pictures)


def _pasted(document: Document, types: Sequence[str], accepted: Sequence[str]) -> Iterator[Attachment]:
    """Yield the pictures in a mail's body that may show documents."""
    inline = [replace(file, inline=False) for file in document.attachments if file.inline]
    for file in selected_files(inline, types):
        if file.content_type in IMAGES and (not accepted or file.content_type in accepted):
            width, height = size_of(file.data, ReadOptions().max_pixels)
            if width * height >= (_LEAST_OF_WIDE if width > 2 * height else _LEAST_PIXELS):
                yield file

"""Files that visitors send to upload pages: the limit of each visitor, and what happens to each file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docduck.errors import TooMany, UnsupportedType
from docduck.files.names import file_name
from docduck.service.core.attempts import client_network, count_attempt, waiting_time
from docduck.service.core.installation import Installation
from docduck.service.sources.upload_page_links import PublicPage
from docduck.service.sources.uploads import (
    UploadedFile,
    UploadTarget,
    check_type,
    check_upload,
    register_upload,
)

_PURPOSE = "docduck visitor 1"
_HOUR = 3600

EMPTY, NOT_ACCEPTED = "The file is empty", "This type of file is not accepted"


class VisitorLimit(TooMany):
    """A visitor has sent as many files as a page takes in an hour; ``retry_after`` is in seconds."""

    def __init__(self, most: int, retry_after: int) -> None:
        super().__init__(
            f"You can send {most} {'file' if most == 1 else 'files'} an hour. "
            f"Try again in {waiting_time(retry_after)}"
        )
        self.retry_after = retry_after


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file that a visitor sent; ``refusal`` says why it is not accepted."""

    name: str
    refusal: str | None = None


@dataclass(frozen=True, slots=True)
class Sender:
    """Where a visitor's files come from.

    ``address`` is the client's; ``origin`` is that of the page that embeds the upload page, if known.
    """

    address: str
    is_embedded: bool = False
    origin: str | None = None


def count_file(inst: Installation, page: PublicPage, address: str) -> None:
    """Count a file of a visitor, by the client's address; raise VisitorLimit beyond the page's limit.

    Raise Transient if the counters can't be reached, so that nothing passes uncounted.
    """
    waiting = count_attempt(
        inst, _PURPOSE, f"{page.id}\n{client_network(address)}", page.files_per_hour, _HOUR
    )
    if waiting is not None:
        raise VisitorLimit(page.files_per_hour, waiting)


def check_files(
    inst: Installation, page: PublicPage, files: Sequence[UploadedFile], sender: Sender
) -> list[SentFile]:
    """Return which files are accepted, before they are stored. The first one was counted already.

    Raise NotFound or InputError if the parser or classifier is deleted or inactive by now.
    """
    check_upload(inst, page.team_id, _target(page, sender, len(files)))
    checked: list[SentFile] = []
    for index, file in enumerate(files):
        refusal = _refusal(page, file)
        if refusal is None and index > 0:
            try:
                count_file(inst, page, sender.address)
            except VisitorLimit as error:
                refusal = error.message
        checked.append(SentFile(file_name(file.name), refusal))
    return checked


def register_files(
    inst: Installation, page: PublicPage, files: Sequence[UploadedFile], sender: Sender
) -> None:
    """Register stored files as queued documents of the page's parser or classifier.

    Raise the errors of ``check_files``.
    """
    target = _target(page, sender, len(files))
    register_upload(inst, page.team_id, target, files, target.source)


def _target(page: PublicPage, sender: Sender, count: int) -> UploadTarget:
    origin = {"origin": sender.origin} if sender.origin else {}
    return UploadTarget(
        page.parser_id,
        count,
        source="embed" if sender.is_embedded else "upload_page",
        source_detail={"uploadPageId": page.id, **origin},
        classifier_id=page.classifier_id,
    )


def _refusal(page: PublicPage, file: UploadedFile) -> str | None:
    if not file.stored.size:
        return EMPTY
    try:
        check_type(file, page.accepted_file_types)
    except UnsupportedType:
        return NOT_ACCEPTED
    return None

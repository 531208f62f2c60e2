"""Upload pages for their visitors: the links that lead to them, and the files that visitors send.

    /upload/<base64url of the page's id and an HMAC-SHA256 of its id and version>

A link is not stored: it is derived from the installation's secret, and a new version of the page ends it.
"""

from __future__ import annotations

import base64
import hmac
import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select

from docduck.catalog.models import Classifier, Parser, UploadPage
from docduck.errors import NotFound, TooMany, Transient, UnsupportedType
from docduck.files.names import file_name
from docduck.service.core.attempts import client_network, count_attempt, waiting_time
from docduck.service.core.installation import Installation
from docduck.service.core.secrets import signature_of
from docduck.service.uploads.file_uploads import (
    UploadedFile,
    UploadTarget,
    check_type,
    check_upload,
    register_upload,
)
from docduck.settings import Settings

_PURPOSE = "docduck upload page 1"
_VISITOR_PURPOSE = "docduck visitor 1"
_HOUR = 3600
_ID_BYTES, _DIGEST_BYTES = 16, 20
_TOKEN = re.compile(r"[A-Za-z0-9_-]{48}")
_NOTHING = bytes(_ID_BYTES + _DIGEST_BYTES)


EMPTY, NOT_ACCEPTED = "The file is empty", "This type of file is not accepted"


class PageClosed(Transient):
    """The page's parser or classifier is inactive."""

    def __init__(self) -> None:
        super().__init__("The upload page is closed: its parser or classifier is inactive")


@dataclass(frozen=True, slots=True)
class PublicPage:
    """An upload page as its visitors see it.

    Without ``accepted_file_types``, all that can be read are accepted.
    """

    id: str
    team_id: str
    parser_id: str | None
    classifier_id: str | None
    title: str
    message: str
    embed_origins: tuple[str, ...]
    files_per_hour: int
    accepted_file_types: Sequence[str]


def page_path(settings: Settings, page_id: str, version: int) -> str:
    """Return the path of a page's link."""
    token = uuid.UUID(page_id).bytes + _digest(settings, page_id, version)
    return f"/upload/{base64.urlsafe_b64encode(token).decode()}"


def find_public_page(inst: Installation, token: str) -> PublicPage:
    """Return the page that a link leads to.

    Raise NotFound for a wrong or former link, a page that is switched off, and a parser or classifier that is
    deleted; neither the message nor the work tells which it was. Raise PageClosed.
    """
    raw = base64.urlsafe_b64decode(token) if _TOKEN.fullmatch(token) else _NOTHING
    page_id = str(uuid.UUID(bytes=raw[:_ID_BYTES]))
    # Without a team: the link authorises access to the page.
    with inst.catalog.read_session() as session:
        row = session.execute(
            select(UploadPage, Parser, Classifier)
            .outerjoin(Parser, Parser.id == UploadPage.parser_id)
            .outerjoin(Classifier, Classifier.id == UploadPage.classifier_id)
            .where(UploadPage.id == page_id)
        ).one_or_none()
        page, parser, classifier = row or (None, None, None)
        right = _digest(inst.settings, page_id, page.version if page else 0)
        signed = hmac.compare_digest(right, raw[_ID_BYTES:])
        owner = parser or classifier
        if signed and page and page.is_active and owner and owner.deleted_at is None:
            if not owner.is_active:
                raise PageClosed
            return _public(page, owner)
    raise NotFound("Upload page not found", "uploadPage", "")


class VisitorLimit(TooMany):
    """A visitor has sent as many files as a page takes in an hour; ``retry_after`` is in seconds."""

    def __init__(self, most: int, retry_after: int) -> None:
        super().__init__(
            f"You can send {most} {'file' if most == 1 else 'files'} an hour. "
            f"Try again in {waiting_time(retry_after)}",
            retry_after,
        )


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
        inst, _VISITOR_PURPOSE, f"{page.id}\n{client_network(address)}", page.files_per_hour, _HOUR
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


def _public(page: UploadPage, owner: Parser | Classifier) -> PublicPage:
    return PublicPage(
        page.id,
        page.team_id,
        page.parser_id,
        page.classifier_id,
        page.title,
        page.message,
        tuple(page.embed_origins),
        page.files_per_hour,
        _accepted_types(owner),
    )


def _accepted_types(owner: Parser | Classifier) -> Sequence[str]:
    if isinstance(owner, Classifier):
        return owner.accepted_file_types or ()
    return owner.settings.get("acceptedFileTypes") or ()


def _digest(settings: Settings, page_id: str, version: int) -> bytes:
    return signature_of(settings, _PURPOSE, f"{page_id}\n{version}")[:_DIGEST_BYTES]


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

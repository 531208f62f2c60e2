"""The links of upload pages, and the pages that they lead to.

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
from docduck.errors import NotFound, Transient
from docduck.service.core.installation import Installation
from docduck.service.core.secret_key import derived_key
from docduck.settings import Settings

_PURPOSE = "docduck upload page 1"
_ID_BYTES, _DIGEST_BYTES = 16, 20
_TOKEN = re.compile(r"[A-Za-z0-9_-]{48}")
_NOTHING = bytes(_ID_BYTES + _DIGEST_BYTES)


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
    key = derived_key(settings, _PURPOSE)
    return hmac.digest(key, f"{page_id}\n{version}".encode(), "sha256")[:_DIGEST_BYTES]

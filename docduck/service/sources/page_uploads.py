"""Files that visitors send to upload pages: the limit of each visitor, and what happens to each file."""

from __future__ import annotations

import hmac
import math
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network

from docduck import clock
from docduck.errors import TooMany, UnsupportedType
from docduck.files.names import file_name
from docduck.service.core.installation import Installation
from docduck.service.core.rate_counters import Limits
from docduck.service.core.secret_key import derived_key
from docduck.service.sources.upload_page_links import PublicPage
from docduck.service.sources.uploads import (
    UploadedFile,
    UploadTarget,
    check_type,
    check_upload,
    register_upload,
)

_PURPOSE = "docduck visitor 1"
_HOUR, _DAY = 3600, 86_400
_IPV6_PREFIX = 64
"""A provider gives a household or company at least this many bits to choose addresses from."""

EMPTY, NOT_ACCEPTED = "The file is empty", "This type of file is not accepted"


class VisitorLimit(TooMany):
    """A visitor has sent as many files as a page takes in an hour; ``retry_after`` is in seconds."""

    def __init__(self, most: int, retry_after: int) -> None:
        minutes = math.ceil(retry_after / 60)
        super().__init__(
            f"You can send {most} {'file' if most == 1 else 'files'} an hour. "
            f"Try again in {minutes} {'minute' if minutes == 1 else 'minutes'}"
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
    now = clock.now().timestamp()
    # The counters' shorter window is an hour here.
    hour = int(now // _HOUR)
    counts = inst.rate_counts.take(
        _counter(inst, page.id, address), hour, int(now // _DAY), Limits(page.files_per_hour, 0)
    )
    if not counts.taken:
        raise VisitorLimit(page.files_per_hour, max(1, math.ceil((counts.minute + 1) * _HOUR - now)))


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


def _counter(inst: Installation, page_id: str, address: str) -> str:
    """Return the counter's id; the address can't be found out from it."""
    key = derived_key(inst.settings, _PURPOSE)
    digest = hmac.digest(key, f"{page_id}\n{_visitor(address)}".encode("utf-8", "replace"), "sha256")
    return str(uuid.UUID(bytes=digest[:16]))


def _visitor(address: str) -> str:
    """Return what tells visitors apart: an IPv4 address, or the network of an IPv6 address."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is None:
            return str(ip_network((int(found), _IPV6_PREFIX), strict=False))
        return str(found.ipv4_mapped)
    return str(found)

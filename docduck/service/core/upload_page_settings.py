"""The settings of upload pages, and their limits."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from docduck.errors import InputError

LONGEST_TITLE = 200
LONGEST_MESSAGE = 2000
MOST_ORIGINS = 20
MOST_FILES_PER_HOUR = 10_000
_LABEL = "[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?"
ORIGIN = rf"^https?://{_LABEL}(\.{_LABEL})*(:[0-9]{{1,5}})?$"
"""The pattern of origins. It has no character that means something in a Content-Security-Policy."""

_LONGEST_ORIGIN = 255


@dataclass(frozen=True, slots=True)
class UploadPageSettings:
    """The settings of an upload page; ``files_per_hour`` is the limit of each visitor."""

    is_active: bool = True
    title: str = "Upload documents"
    message: str = ""
    embed_origins: Sequence[str] = ()
    files_per_hour: int = 60


def checked_page_settings(settings: UploadPageSettings) -> UploadPageSettings:
    """Return the settings with trimmed texts and origins in lower case.

    Raise InputError with all problems.
    """
    settings = replace(
        settings,
        title=settings.title.strip(),
        message=settings.message.replace("\r\n", "\n").replace("\r", "\n").strip(),
        embed_origins=tuple(dict.fromkeys(origin.lower() for origin in settings.embed_origins)),
    )
    if problems := list(_problems(settings)):
        path, message = problems[0]
        raise InputError(message, path, problems)
    return settings


def _problems(settings: UploadPageSettings) -> Iterator[tuple[str, str]]:
    if not 1 <= len(settings.title) <= LONGEST_TITLE:
        yield "title", f"title must have 1 to {LONGEST_TITLE} characters"
    if _has_controls(settings.title):
        yield "title", "title must not hold control characters"
    if len(settings.message) > LONGEST_MESSAGE:
        yield "message", f"message must have at most {LONGEST_MESSAGE} characters"
    if _has_controls(settings.message.replace("\n", "")):
        yield "message", "message must not hold control characters but line breaks"
    if len(settings.embed_origins) > MOST_ORIGINS:
        yield "embedOrigins", f"embedOrigins must have at most {MOST_ORIGINS} origins"
    for index, origin in enumerate(settings.embed_origins[:MOST_ORIGINS]):
        if len(origin) > _LONGEST_ORIGIN or not re.fullmatch(ORIGIN, origin):
            place = f"embedOrigins.{index}"
            yield place, f"{place} must be an origin such as https://www.example.org, without a path"
    if not 1 <= settings.files_per_hour <= MOST_FILES_PER_HOUR:
        yield "filesPerHour", f"filesPerHour must be from 1 to {MOST_FILES_PER_HOUR}"


def _has_controls(text: str) -> bool:
    return any(unicodedata.category(character) in ("Cc", "Cs") for character in text)

"""The settings of an upload page, each declared once: see ``docduck.service.core.schema``."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, ConfigDict, Field
from pydantic.config import JsonDict

from docduck.service.core.property_types import ONE_LINE, Integer, has_controls
from docduck.service.core.schema import Schema, Shown

_LONGEST_TITLE, _LONGEST_MESSAGE, _LONGEST_ORIGIN = 200, 2000, 255
_MOST_ORIGINS, _MOST_FILES_PER_HOUR = 20, 10_000
_LABEL = "[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?"
_ORIGIN = rf"^https?://{_LABEL}(\.{_LABEL})*(:[0-9]{{1,5}})?$"
"""The pattern of origins. It has no character that means something in a Content-Security-Policy."""

_EXAMPLE: JsonDict = {
    "isActive": True,
    "title": "Send us your invoices",
    "message": "One PDF or photo for each invoice, please.",
    "embedOrigins": ["https://www.example.org"],
    "filesPerHour": 60,
}


def _title(text: str) -> str:
    title = text.strip()
    if not 1 <= len(title) <= _LONGEST_TITLE:
        raise ValueError(f"must have 1 to {_LONGEST_TITLE} characters")
    if has_controls(title):
        raise ValueError("must not hold control characters")
    return title


def _message(text: str) -> str:
    message = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    if len(message) > _LONGEST_MESSAGE:
        raise ValueError(f"must have at most {_LONGEST_MESSAGE} characters")
    if has_controls(message.replace("\n", "")):
        raise ValueError("must not hold control characters but line breaks")
    return message


def _origin(text: str) -> str:
    if len(text) > _LONGEST_ORIGIN or not re.fullmatch(_ORIGIN, text):
        raise ValueError("must be an origin such as https://www.example.org, without a path")
    return text.lower()


def _different(origins: list[str]) -> list[str]:
    return list(dict.fromkeys(origins))


def _files(number: int) -> int:
    if not 1 <= number <= _MOST_FILES_PER_HOUR:
        raise ValueError(f"must be from 1 to {_MOST_FILES_PER_HOUR}")
    return number


_Origin = Annotated[
    str, AfterValidator(_origin), Field(json_schema_extra={"maxLength": _LONGEST_ORIGIN, "pattern": _ORIGIN})
]


UploadPageOrigins = Annotated[
    list[_Origin],
    Field(max_length=_MOST_ORIGINS),
    AfterValidator(_different),
    Shown(
        "Sites that may embed the page, one on each line", "Such as https://www.example.org. None if empty."
    ),
]


class UploadPageSettings(Schema):
    """What people set of an upload page."""

    is_active: Annotated[bool, Shown("Switched on", "While it is off, the link leads nowhere.")] = Field(
        True, description="Whether the link leads to the page"
    )
    title: Annotated[str, AfterValidator(_title)] = Field(
        "Upload documents",
        json_schema_extra={
            "minLength": 1,
            "maxLength": _LONGEST_TITLE,
            "pattern": f"^{ONE_LINE}",
        },
    )
    message: Annotated[str, AfterValidator(_message), Shown("Text below the title", is_long=True)] = Field(
        "",
        description="Text below the title; line breaks are kept",
        json_schema_extra={
            "maxLength": _LONGEST_MESSAGE,
            "pattern": r"^[^\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f]*$",
        },
    )
    embed_origins: UploadPageOrigins = Field(
        [], description="Origins of web pages that may embed the page; none if empty"
    )
    files_per_hour: Annotated[
        Integer, AfterValidator(_files), Shown("Files that a visitor may send in an hour")
    ] = Field(
        60,
        description="The limit of each visitor",
        json_schema_extra={"minimum": 1, "maximum": _MOST_FILES_PER_HOUR},
    )


class UploadPageInput(UploadPageSettings):
    """All settings of an upload page; those that are left out have their defaults."""

    model_config = ConfigDict(json_schema_extra={"examples": [_EXAMPLE]})

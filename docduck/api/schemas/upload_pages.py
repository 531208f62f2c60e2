"""Upload pages: bodies and responses."""

from __future__ import annotations

from typing import Annotated

from pydantic import ConfigDict, Field
from pydantic.config import JsonDict

from docduck.api.schemas.base import Integer, ResponseModel, Timestamp
from docduck.service.core.schema import Schema
from docduck.service.core.upload_page_settings import (
    LONGEST_MESSAGE,
    LONGEST_TITLE,
    MOST_FILES_PER_HOUR,
    MOST_ORIGINS,
    ORIGIN,
    UploadPageSettings,
)
from docduck.service.sources.upload_pages import UploadPageView

_NO_CONTROL = r"[^\x00-\x1f\x7f-\x9f]"
_DEFAULT = UploadPageSettings()
_EXAMPLE: JsonDict = {
    "isActive": True,
    "title": "Send us your invoices",
    "message": "One PDF or photo for each invoice, please.",
    "embedOrigins": ["https://www.example.org"],
    "filesPerHour": 60,
}

Origin = Annotated[str, Field(max_length=255, json_schema_extra={"pattern": ORIGIN})]


class UploadPageInput(Schema):
    """All settings of an upload page; those that are left out have their defaults."""

    model_config = ConfigDict(json_schema_extra={"examples": [_EXAMPLE]})

    is_active: bool = Field(_DEFAULT.is_active, description="Whether the link leads to the page")
    title: str = Field(
        _DEFAULT.title,
        min_length=1,
        max_length=LONGEST_TITLE,
        json_schema_extra={"pattern": rf"^{_NO_CONTROL}*[^\s\x00-\x1f\x7f-\x9f]{_NO_CONTROL}*$"},
    )
    message: str = Field(
        _DEFAULT.message,
        max_length=LONGEST_MESSAGE,
        description="Text below the title; line breaks are kept",
        json_schema_extra={"pattern": r"^[^\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f]*$"},
    )
    embed_origins: list[Origin] = Field(
        list(_DEFAULT.embed_origins),
        max_length=MOST_ORIGINS,
        description="Origins of web pages that may embed the page; none if empty",
    )
    files_per_hour: Integer = Field(
        _DEFAULT.files_per_hour, ge=1, le=MOST_FILES_PER_HOUR, description="The limit of each visitor"
    )

    def settings(self) -> UploadPageSettings:
        """Return the settings."""
        return UploadPageSettings(
            self.is_active, self.title, self.message, tuple(self.embed_origins), self.files_per_hour
        )


class UploadPageResponse(ResponseModel):
    """An upload page."""

    id: str = Field(json_schema_extra={"format": "uuid"})
    url: str = Field(description="The page's link, a secret of those who may send files")
    is_active: bool
    title: str
    message: str
    embed_origins: list[str]
    files_per_hour: int
    created_at: Timestamp
    updated_at: Timestamp

    @classmethod
    def of_view(cls, view: UploadPageView, base_url: str) -> UploadPageResponse:
        """Return the response for ``view``, with a link below ``base_url``."""
        settings = view.settings
        return cls.of(
            settings,
            id=view.id,
            url=f"{base_url}{view.path}",
            created_at=view.created_at,
            updated_at=view.updated_at,
        )

"""Upload pages: responses; the body is ``docduck.service.schemas.upload_pages``."""

from __future__ import annotations

from pydantic import Field

from docduck.service.core.schema import UtcTime, View
from docduck.service.schemas.upload_pages import UploadPageSettings
from docduck.service.uploads.upload_pages import UploadPageView


class UploadPageResponse(UploadPageSettings, View):
    """An upload page."""

    id: str = Field(json_schema_extra={"format": "uuid"})
    url: str = Field(description="The page's link, a secret of those who may send files")
    created_at: UtcTime
    updated_at: UtcTime

    @classmethod
    def of_view(cls, view: UploadPageView, base_url: str) -> UploadPageResponse:
        """Return the response for ``view``, with a link below ``base_url``."""
        url = f"{base_url}{view.path}"
        times = {"created_at": view.created_at, "updated_at": view.updated_at}
        return cls.of(view.settings, id=view.id, url=url, **times)

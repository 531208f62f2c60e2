"""Pictures in results of tools: they are content beside the JSON, which doesn't have them."""

from __future__ import annotations

import base64
from typing import Self

from pydantic import BaseModel, Field

from docduck.api.schemas.base import ResponseModel


class PageImage(BaseModel):
    """A picture of a page, or of a part of one."""

    mime: str
    base64: str

    @classmethod
    def of_jpeg(cls, picture: bytes) -> Self:
        """Return a JPEG as it is sent."""
        return cls(mime="image/jpeg", base64=base64.b64encode(picture).decode())


class ResponseWithImages(ResponseModel):
    """A result with pictures."""

    images: list[PageImage] = Field(default=[], exclude=True)


def images_of(result: BaseModel) -> list[PageImage]:
    """Return the pictures of a tool's result."""
    return result.images if isinstance(result, ResponseWithImages) else []

"""Pictures in results of tools: they are content beside the JSON, which doesn't have them."""

from __future__ import annotations

from pydantic import BaseModel, Field

from docduck.api.schemas.base import ResponseModel


class ResponseWithImages(ResponseModel):
    """A result with pictures, each a JPEG."""

    images: list[bytes] = Field(default=[], exclude=True)


def images_of(result: BaseModel) -> list[bytes]:
    """Return the pictures of a tool's result."""
    return result.images if isinstance(result, ResponseWithImages) else []

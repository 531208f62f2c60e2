"""Upload pages in pipeline.yaml."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field

from docduck.errors import InputError
from docduck.service.core.upload_page_settings import UploadPageSettings, checked_page_settings
from docduck.service.pipeline.spec import Spec

_PAGE = UploadPageSettings()
_PAGE_KEYS = {"title": "title", "message": "message", "embedOrigins": "embed", "filesPerHour": "filesPerHour"}
"""Settings of upload pages that can be wrong, and their keys in the file."""


class UploadPageSpec(Spec):
    """An upload page; ``embed`` are the origins of web pages that may embed it."""

    active: bool = _PAGE.is_active
    title: str = _PAGE.title
    message: str = _PAGE.message
    embed: tuple[str, ...] = tuple(_PAGE.embed_origins)
    files_per_hour: int = Field(_PAGE.files_per_hour, alias="filesPerHour")

    @property
    def settings(self) -> UploadPageSettings:
        """The page's settings."""
        return UploadPageSettings(self.active, self.title, self.message, self.embed, self.files_per_hour)


def check_upload_page(spec: UploadPageSpec | None) -> Iterator[tuple[str, str]]:
    """Yield (place, message) for each problem of an upload page; none without one."""
    try:
        checked_page_settings(_PAGE if spec is None else spec.settings)
    except InputError as error:
        for path, words in error.details:
            key, dot, index = path.partition(".")
            place = f".uploadPage.{_PAGE_KEYS[key]}" + (f"[{index}]" if dot else "")
            yield place, words.removeprefix(f"{path} ")

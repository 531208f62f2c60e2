"""The upload pages of a server."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any
from urllib.parse import urljoin

from pydantic.alias_generators import to_snake

from docduck.client import Client, NotFound
from docduck.client.types import UploadPage
from docduck.errors import NotFound as LocalNotFound
from docduck.service.schemas.upload_pages import UploadPageSettings
from docduck.service.sources.upload_pages import PageOwner, UploadPageView


class RemoteUploadPages:
    """An UploadPageBackend over a client; ``url`` is the server's.

    The path of a page is the link that the server sends.
    """

    def __init__(self, client: Client, url: str, find_id: Callable[[PageOwner], str]) -> None:
        self._pages = client.upload_pages
        self._url = url
        self._find_id = find_id

    def get(self, owner: PageOwner) -> UploadPageView:
        try:
            return _view(self._pages.get(**self._ids(owner)))
        except NotFound as error:
            if "uploadPage" in [one["type"] for one in error.not_found]:
                raise LocalNotFound(error.message, "uploadPage", owner.ref) from error
            raise

    def put(self, owner: PageOwner, settings: UploadPageSettings) -> UploadPageView:
        ids = self._ids(owner)
        return _view(self._pages.put(**ids, **dict(settings)))

    def renew(self, owner: PageOwner) -> UploadPageView:
        return _view(self._pages.renew(**self._ids(owner)))

    def delete(self, owner: PageOwner) -> None:
        self._pages.delete(**self._ids(owner))

    def link(self, page: UploadPageView) -> str:
        return urljoin(self._url, page.path)

    def _ids(self, owner: PageOwner) -> dict[str, Any]:
        return {f"{owner.kind}_id": self._find_id(owner)}


def _view(page: UploadPage) -> UploadPageView:
    known = {to_snake(name): value for name, value in page.items()}
    values = {name: known[name] for name in UploadPageSettings.model_fields}
    created, updated = (dt.datetime.fromisoformat(page[key]) for key in ("createdAt", "updatedAt"))
    return UploadPageView(page["id"], UploadPageSettings.of_values(values), page["url"], created, updated)

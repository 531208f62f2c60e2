"""The upload pages of this machine's installation."""

from __future__ import annotations

from docduck.service.core.installation import Installation
from docduck.service.schemas.upload_pages import UploadPageSettings
from docduck.service.sources.upload_pages import (
    PageOwner,
    UploadPageView,
    delete_upload_page,
    get_upload_page,
    put_upload_page,
    renew_upload_page,
)

_ACTOR = "cli"


class LocalUploadPages:
    """An UploadPageBackend over an open installation."""

    def __init__(self, inst: Installation) -> None:
        self._inst = inst
        self._team = inst.team_id

    def get(self, owner: PageOwner) -> UploadPageView:
        return get_upload_page(self._inst, self._team, owner)

    def put(self, owner: PageOwner, settings: UploadPageSettings) -> UploadPageView:
        return put_upload_page(self._inst, self._team, owner, dict(settings), _ACTOR)

    def renew(self, owner: PageOwner) -> UploadPageView:
        return renew_upload_page(self._inst, self._team, owner, _ACTOR)

    def delete(self, owner: PageOwner) -> None:
        delete_upload_page(self._inst, self._team, owner, _ACTOR)

    def link(self, page: UploadPageView) -> str:
        return f"{(self._inst.settings.base_url or '').rstrip('/')}{page.path}"

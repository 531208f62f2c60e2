"""The upload pages of parsers and classifiers: their settings and links."""

from __future__ import annotations

from typing import Any, Literal

from fastapi import APIRouter, Depends

from docduck.api.request.current_caller import CurrentCall
from docduck.api.request.params import ClassifierId, NoBody, ParserId
from docduck.api.route import GuardedRoute, needs
from docduck.api.schemas.base import Done
from docduck.service.schemas.upload_pages import UploadPageInput
from docduck.service.uploads.upload_pages import (
    PageOwner,
    UploadPageView,
    delete_upload_page,
    get_upload_page,
    put_upload_page,
    renew_upload_page,
)

router = APIRouter(tags=["Upload pages"], route_class=GuardedRoute)


async def _parser(parserId: ParserId) -> PageOwner:
    return PageOwner("parser", parserId)


async def _classifier(classifierId: ClassifierId) -> PageOwner:
    return PageOwner("classifier", classifierId)


def _add_routes(kind: Literal["parser", "classifier"], of_path: Any) -> None:
    """Add the routes of the upload pages of parsers, or of classifiers; ``of_path`` is the page's owner."""
    path = f"/{kind}s/{{{kind}Id}}/upload-page"
    read, write = needs(f"{kind}s:read"), needs(f"{kind}s:write")

    @router.get(path, name=f"get_of_{kind}", summary=f"Get a {kind}'s upload page", openapi_extra=read)
    def get(call: CurrentCall, owner: PageOwner = of_path) -> UploadPageView:
        """Return the settings of the upload page, and its link."""
        return get_upload_page(*call.team, owner).below(call.base_url)

    @router.put(path, name=f"put_of_{kind}", summary=f"Set a {kind}'s upload page", openapi_extra=write)
    def put(body: UploadPageInput, call: CurrentCall, owner: PageOwner = of_path) -> UploadPageView:
        """Create the upload page, or replace its settings; the link stays."""
        page = put_upload_page(*call.team, owner, body.sent_values(), call.actor)
        return page.below(call.base_url)

    @router.delete(
        path, name=f"delete_of_{kind}", summary=f"Delete a {kind}'s upload page", openapi_extra=write
    )
    def delete(call: CurrentCall, owner: PageOwner = of_path) -> Done:
        """Delete the upload page; its link ends."""
        return Done(success=True, id=delete_upload_page(*call.team, owner, call.actor))

    @router.post(
        f"{path}/renew",
        name=f"renew_of_{kind}",
        summary=f"Renew the link of a {kind}'s upload page",
        openapi_extra=write,
    )
    def renew(call: CurrentCall, body: NoBody = None, owner: PageOwner = of_path) -> UploadPageView:
        """Give the upload page a new link; the former one ends."""
        page = renew_upload_page(*call.team, owner, call.actor)
        return page.below(call.base_url)


_add_routes("parser", Depends(_parser))
_add_routes("classifier", Depends(_classifier))

"""The upload pages of parsers and classifiers: their settings and links."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body

from docduck.api.request.current_caller import BaseUrl, CurrentCaller, Inst
from docduck.api.request.params import ClassifierId, ParserId
from docduck.api.route import GuardedRoute, needs
from docduck.api.schemas.base import Done
from docduck.api.schemas.documents import Nothing
from docduck.api.schemas.upload_pages import UploadPageResponse
from docduck.service.schemas.upload_pages import UploadPageInput
from docduck.service.uploads.upload_pages import (
    PageOwner,
    delete_upload_page,
    get_upload_page,
    put_upload_page,
    renew_upload_page,
)

router = APIRouter(tags=["Upload pages"], route_class=GuardedRoute)

_PARSER, _CLASSIFIER = "/parsers/{parserId}/upload-page", "/classifiers/{classifierId}/upload-page"

NoBody = Annotated[Nothing | None, Body()]


@router.get(_PARSER, summary="Get a parser's upload page", openapi_extra=needs("parsers:read"))
def get_of_parser(
    parserId: ParserId, inst: Inst, caller: CurrentCaller, base_url: BaseUrl
) -> UploadPageResponse:
    """Return the settings of the upload page, and its link."""
    view = get_upload_page(inst, caller.team_id, PageOwner("parser", parserId))
    return UploadPageResponse.of_view(view, base_url)


@router.put(_PARSER, summary="Set a parser's upload page", openapi_extra=needs("parsers:write"))
def put_of_parser(
    parserId: ParserId, body: UploadPageInput, inst: Inst, caller: CurrentCaller, base_url: BaseUrl
) -> UploadPageResponse:
    """Create the upload page, or replace its settings; the link stays."""
    owner = PageOwner("parser", parserId)
    made = put_upload_page(inst, caller.team_id, owner, body.given(), caller.actor)
    return UploadPageResponse.of_view(made, base_url)


@router.delete(_PARSER, summary="Delete a parser's upload page", openapi_extra=needs("parsers:write"))
def delete_of_parser(parserId: ParserId, inst: Inst, caller: CurrentCaller) -> Done:
    """Delete the upload page; its link ends."""
    gone = delete_upload_page(inst, caller.team_id, PageOwner("parser", parserId), caller.actor)
    return Done(success=True, id=gone)


@router.post(
    f"{_PARSER}/renew",
    summary="Renew the link of a parser's upload page",
    openapi_extra=needs("parsers:write"),
)
def renew_of_parser(
    parserId: ParserId, inst: Inst, caller: CurrentCaller, base_url: BaseUrl, body: NoBody = None
) -> UploadPageResponse:
    """Give the upload page a new link; the former one ends."""
    made = renew_upload_page(inst, caller.team_id, PageOwner("parser", parserId), caller.actor)
    return UploadPageResponse.of_view(made, base_url)


@router.get(_CLASSIFIER, summary="Get a classifier's upload page", openapi_extra=needs("classifiers:read"))
def get_of_classifier(
    classifierId: ClassifierId, inst: Inst, caller: CurrentCaller, base_url: BaseUrl
) -> UploadPageResponse:
    """Return the settings of the upload page, and its link."""
    view = get_upload_page(inst, caller.team_id, PageOwner("classifier", classifierId))
    return UploadPageResponse.of_view(view, base_url)


@router.put(_CLASSIFIER, summary="Set a classifier's upload page", openapi_extra=needs("classifiers:write"))
def put_of_classifier(
    classifierId: ClassifierId, body: UploadPageInput, inst: Inst, caller: CurrentCaller, base_url: BaseUrl
) -> UploadPageResponse:
    """Create the upload page, or replace its settings; the link stays."""
    owner = PageOwner("classifier", classifierId)
    made = put_upload_page(inst, caller.team_id, owner, body.given(), caller.actor)
    return UploadPageResponse.of_view(made, base_url)


@router.delete(
    _CLASSIFIER, summary="Delete a classifier's upload page", openapi_extra=needs("classifiers:write")
)
def delete_of_classifier(classifierId: ClassifierId, inst: Inst, caller: CurrentCaller) -> Done:
    """Delete the upload page; its link ends."""
    gone = delete_upload_page(inst, caller.team_id, PageOwner("classifier", classifierId), caller.actor)
    return Done(success=True, id=gone)


@router.post(
    f"{_CLASSIFIER}/renew",
    summary="Renew the link of a classifier's upload page",
    openapi_extra=needs("classifiers:write"),
)
def renew_of_classifier(
    classifierId: ClassifierId, inst: Inst, caller: CurrentCaller, base_url: BaseUrl, body: NoBody = None
) -> UploadPageResponse:
    """Give the upload page a new link; the former one ends."""
    made = renew_upload_page(inst, caller.team_id, PageOwner("classifier", classifierId), caller.actor)
    return UploadPageResponse.of_view(made, base_url)

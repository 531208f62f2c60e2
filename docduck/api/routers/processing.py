"""Uploads of files, to a parser in the path or in the body (contract C6, C7)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from fastapi import APIRouter, Request

from docduck.api.request.current_caller import BaseUrl, Inst, Who
from docduck.api.request.file_uploads import receive
from docduck.api.request.long_poll import with_results
from docduck.api.request.multipart import FILE_PARTS, Form
from docduck.api.request.params import ParserId, Wait
from docduck.api.request.strict_json import parse_json
from docduck.api.response.openapi_responses import answers
from docduck.api.response.responses import Json
from docduck.api.route import GuardedRoute, needs
from docduck.api.routers.upload_target import chosen_parser, sender
from docduck.api.schemas.processing import CUSTOM, EXTERNAL_IDS, CombinedUploaded, Uploaded
from docduck.api.serializers.processing import combined, upload_item
from docduck.errors import InputError
from docduck.ids import is_uuid
from docduck.service.accounts.keys import Caller
from docduck.service.core.installation import Installation
from docduck.service.previews.signed_links import file_link
from docduck.service.sources.uploads import QueuedDocument, UploadTarget, check_upload, register_upload

router = APIRouter(tags=["Processing"], route_class=GuardedRoute)

_FIELDS = ("folderId", "externalIds", "custom")
_TARGETS = ("parserId", "classifierId")


def _multipart(targets: Sequence[str] = ()) -> dict[str, Any]:
    """The OpenAPI description of an upload's body, which names exactly one of ``targets``."""
    files = {"type": "array", "items": {"type": "string", "format": "binary"}, "minItems": 1, "maxItems": 20}
    as_json = {"contentType": "application/json"}
    properties = {
        "file": {**files, "description": "One or more files, in parts of this name"},
        "folderId": {"type": "string", "format": "uuid"},
        "externalIds": {**EXTERNAL_IDS, "description": "A JSON array, one item for each file"},
        "custom": {**CUSTOM, "description": "A JSON array, one item for each file"},
        **{name: {"type": "string", "format": "uuid"} for name in targets},
    }
    schema: dict[str, Any] = {
        "type": "object",
        "required": ["file"],
        "properties": properties,
        "additionalProperties": False,
    }
    if targets:
        schema["oneOf"] = [{"required": [name]} for name in targets]
    return {
        "requestBody": {
            "required": True,
            "content": {
                "multipart/form-data": {
                    "schema": schema,
                    "encoding": {"externalIds": as_json, "custom": as_json},
                }
            },
        }
    }


@router.post(
    "/process/{parserId}/files",
    summary="Upload files to a parser",
    openapi_extra=needs("documents:write", **_multipart()),
    response_model=None,
    responses=answers(Uploaded, 408, 409, 413, 415),
)
async def upload_to_parser(
    parserId: ParserId, request: Request, inst: Inst, who: Who, base_url: BaseUrl, wait: Wait = 0
) -> Json:
    """Store one or more files and queue them; either all are taken or none."""

    def target(form: Form) -> UploadTarget:
        return _target(parserId, form, request)

    accepted = await receive(request, inst, _taking(inst, who, target), _FIELDS)
    items = [upload_item(one, file_link(inst, base_url, one.id)) for one in accepted]
    return Json({"success": True, "result": await with_results(inst, who.team_id, items, wait)})


@router.post(
    "/process/files",
    summary="Upload files to a parser or classifier",
    openapi_extra=needs(
        "documents:write",
        **_multipart(_TARGETS),
    ),
    response_model=None,
    responses=answers(CombinedUploaded, 408, 409, 413, 415),
)
async def upload_files(request: Request, inst: Inst, who: Who, base_url: BaseUrl, wait: Wait = 0) -> Json:
    """The same, with the target in the body."""

    def target(form: Form) -> UploadTarget:
        ids = {name: form.fields.get(name) for name in _TARGETS}
        return _target(chosen_parser(inst, who, ids["parserId"], ids["classifierId"]), form, request)

    accepted = await receive(request, inst, _taking(inst, who, target), (*_FIELDS, *_TARGETS))
    items = [combined(upload_item(one, file_link(inst, base_url, one.id)), one.parser_id) for one in accepted]
    return Json({"success": True, "result": await with_results(inst, who.team_id, items, wait)})


def _taking(
    inst: Installation, who: Caller, target: Callable[[Form], UploadTarget]
) -> Callable[[Form], Callable[[], list[QueuedDocument]]]:
    def prepare(form: Form) -> Callable[[], list[QueuedDocument]]:
        if not form.files:
            raise InputError(f"Send at least one file, in a part named {FILE_PARTS[0]}", FILE_PARTS[0])
        where = target(form)
        check_upload(inst, who.team_id, where, form.files)
        return lambda: register_upload(inst, who.team_id, where, form.files, who.actor)

    return prepare


def _target(parser_id: str, form: Form, request: Request) -> UploadTarget:
    source, detail = sender(request)
    folder_id = form.fields.get("folderId")
    if folder_id is not None:
        if not is_uuid(folder_id):
            raise InputError("Invalid folderId", "folderId")
        folder_id = folder_id.lower()
    return UploadTarget(
        parser_id,
        len(form.files),
        _listed(form, "externalIds", str),
        _listed(form, "custom", dict),
        folder_id,
        source,
        detail,
    )


def _listed(form: Form, name: str, kind: type) -> list[Any] | None:
    """A JSON array of a form's field, each item of ``kind`` or null; None without it."""
    text = form.fields.get(name, "")
    if not text.strip():
        return None
    try:
        values = parse_json(text)
    except InputError as error:
        raise InputError(f"{name}: {error.message}", name) from error
    if not isinstance(values, list):
        raise InputError(f"{name} must be a JSON array, with one item for each file", name)
    if len(values) != len(form.files):
        raise InputError(f"{name} length must match the number of files", name)
    for index, value in enumerate(values):
        if value is not None and not isinstance(value, kind):
            what = "a text" if kind is str else "an object"
            raise InputError(f"{name}.{index} must be {what} or null", f"{name}.{index}")
    return values

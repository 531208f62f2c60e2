"""Uploads of files, to a parser in the path or in the body."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from fastapi import Request

from docduck.api.request.current_caller import Call, CurrentCall
from docduck.api.request.file_uploads import receive
from docduck.api.request.lanes import Classifications
from docduck.api.request.long_poll import wait_for_results
from docduck.api.request.multipart import FILE_PARTS, Form
from docduck.api.request.params import ParserId, Wait
from docduck.api.request.strict_json import parse_json
from docduck.api.response.openapi import error_responses
from docduck.api.response.upload_items import upload_item
from docduck.api.route import ResourceRouter
from docduck.api.routers.uploads.combined_items import combined_items
from docduck.api.routers.uploads.upload_target import chosen_target, sender
from docduck.api.schemas.processing import CUSTOM, EXTERNAL_IDS, CombinedUploaded, Uploaded
from docduck.errors import InputError
from docduck.ids import is_uuid
from docduck.service.accounts.caller import Operator
from docduck.service.uploads.file_uploads import (
    QueuedDocument,
    UploadTarget,
    check_upload,
    register_upload,
    registered_before,
)

router = ResourceRouter("", "Processing", write="documents:write")

_FIELDS = ("folderId", "externalIds", "custom")
_TARGETS = ("parserId", "classifierId")


def _multipart(targets: Sequence[str] = ()) -> dict[str, Any]:
    """Return the OpenAPI description of an upload's body, which names exactly one of ``targets``."""
    files = {"type": "array", "items": {"type": "string", "format": "binary"}, "minItems": 1, "maxItems": 20}
    properties = {
        "file": {**files, "description": "One or more files, in parts of this name"},
        "folderId": {
            "type": "string",
            "format": "uuid",
            "description": "The id of the folder that the documents are put in",
        },
        "externalIds": EXTERNAL_IDS,
        "custom": CUSTOM,
        **{
            name: {
                "type": "string",
                "format": "uuid",
                "description": f"The id of the target; exactly one of {' and '.join(targets)}",
            }
            for name in targets
        },
    }
    schema: dict[str, Any] = {
        "type": "object",
        "required": ["file"],
        "properties": properties,
        "additionalProperties": False,
    }
    return {
        "requestBody": {
            "required": True,
            "content": {"multipart/form-data": {"schema": schema}},
        }
    }


@router.post(
    "/process/{parserId}/files",
    summary="Upload files to a parser",
    operation_id="process.files",
    openapi_extra=_multipart(),
    responses=error_responses(415, 503),
)
async def upload_to_parser(
    parserId: ParserId, request: Request, call: CurrentCall, wait: Wait = 0
) -> Uploaded:
    """Store one or more files and queue them; either all are accepted or none."""

    def target(form: Form) -> UploadTarget:
        return _target(parserId, form, request)

    accepted = await receive(request, call.inst, _prepared(call, target), _FIELDS)
    items = [upload_item(call.inst, call.base_url, document) for document in accepted]
    return Uploaded(success=True, result=await wait_for_results(*call.team, items, wait))


@router.post(
    "/process/files",
    summary="Upload files to a parser or classifier",
    operation_id="process.files_to_classifier",
    openapi_extra=_multipart(_TARGETS),
    responses=error_responses(415, 503),
)
async def upload_files(
    request: Request, call: CurrentCall, lane: Classifications, wait: Wait = 0
) -> CombinedUploaded:
    """Store one or more files and queue them; the body names the target.

    A classifier's documents are routed to parsers before the response, if that takes no longer than a time
    limit of the server; otherwise their routing status is `pending`.
    """

    def target(form: Form) -> UploadTarget:
        ids = {name: form.fields.get(name) for name in _TARGETS}
        parser_id, classifier_id = chosen_target(call, ids["parserId"], ids["classifierId"])
        return _target(parser_id, form, request, classifier_id)

    accepted = await receive(request, call.inst, _prepared(call, target), (*_FIELDS, *_TARGETS))
    # A command ends as soon as its files are queued.
    turns = None if isinstance(call.caller, Operator) else lane
    result = await combined_items(*call.team, turns, call.base_url, accepted, wait)
    return CombinedUploaded(success=True, result=result)


def _prepared(
    call: Call, target: Callable[[Form], UploadTarget]
) -> Callable[[Form], Callable[[], list[QueuedDocument]]]:
    def prepare(form: Form) -> Callable[[], list[QueuedDocument]]:
        if (known := registered_before(*call.team)) is not None:
            return lambda: known
        if not form.files:
            raise InputError(f"Send at least one file, in a part named {FILE_PARTS[0]}", FILE_PARTS[0])
        where = target(form)
        check_upload(*call.team, where, form.files)
        return lambda: register_upload(*call.team, where, form.files, call.actor)

    return prepare


def _target(
    parser_id: str | None, form: Form, request: Request, classifier_id: str | None = None
) -> UploadTarget:
    source, detail = sender(request)
    folder_id = form.fields.get("folderId")
    if folder_id is not None:
        if not is_uuid(folder_id):
            raise InputError("Invalid folderId", "folderId", code="invalid_id")
        folder_id = folder_id.lower()
    return UploadTarget(
        parser_id,
        len(form.files),
        _array_field(form, "externalIds", str),
        _array_field(form, "custom", dict),
        folder_id,
        source,
        detail,
        classifier_id=classifier_id,
    )


def _array_field(form: Form, name: str, kind: type) -> list[Any] | None:
    """Return the JSON array in a form's field, each item of ``kind`` or null; None without the field."""
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

"""Fields of a parser."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

from fastapi import Query, Request
from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool

from docduck.api.request.current_caller import CurrentCall
from docduck.api.request.file_uploads import receive
from docduck.api.request.multipart import FILE_PARTS, ONE_FILE, Form
from docduck.api.request.params import FieldId, ParserId
from docduck.api.response.openapi import error_responses
from docduck.api.route import ResourceRouter, json_body, require
from docduck.api.schemas.fields import (
    FieldInput,
    FieldList,
    FieldOrder,
    FieldsInput,
    FieldsResponse,
    SuggestedFields,
    SuggestFrom,
)
from docduck.errors import InputError
from docduck.service.core.installation import Installation
from docduck.service.core.schema import input_error
from docduck.service.parsers.field_editing import (
    add_field,
    delete_field,
    put_fields,
    reorder_fields,
    update_field,
)
from docduck.service.parsers.parsers import get_parser
from docduck.service.previews.field_suggestions import Sample, sample_of, suggest_fields
from docduck.service.uploads.file_uploads import UploadedFile

_ONE_SAMPLE = "Provide exactly one of file or documentId"
UseModel = Annotated[bool, Query(description="Whether the language model proposes further ones")]

router = ResourceRouter("/parsers/{parserId}/fields", "Fields", read="parsers:read", write="fields:write")


@router.get("", summary="List fields")
def list_(parserId: ParserId, call: CurrentCall) -> FieldList:
    """Return the parser's fields, by position."""
    fields = get_parser(*call.team, parserId).fields
    return FieldList.of_all(fields, fields=fields)


@router.post("", summary="Add a field", status_code=201)
def add(parserId: ParserId, body: FieldInput, call: CurrentCall) -> FieldsResponse:
    """Add a field or table; one without a name is given a name."""
    return FieldsResponse.of(add_field(*call.team, parserId, _given(body), call.actor))


@router.put("", summary="Set fields")
def put(parserId: ParserId, body: FieldsInput, call: CurrentCall) -> FieldsResponse:
    """Change the fields that have one of these ids or names, and add the others at the end, all or none.

    What isn't given of a field stays as it is; other fields stay unless `deleteOthers` is true.
    """
    fields = [_given(field) for field in body.fields]
    return FieldsResponse.of(
        put_fields(*call.team, parserId, fields, delete_others=body.delete_others, actor=call.actor)
    )


@router.post("/reorder", summary="Reorder fields")
def reorder(parserId: ParserId, body: FieldOrder, call: CurrentCall) -> FieldsResponse:
    """Put all fields in a new order."""
    return FieldsResponse.of(reorder_fields(*call.team, parserId, body.field_ids, call.actor))


@router.post(
    "/suggest",
    summary="Suggest fields",
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {
                "application/json": {"schema": SuggestFrom.model_json_schema()},
                "multipart/form-data": ONE_FILE,
            },
        }
    },
    responses=error_responses(415, 503),
)
async def suggest(
    parserId: ParserId, request: Request, call: CurrentCall, useModel: UseModel = False
) -> SuggestedFields:
    """Return the fields and tables found on a sample: a file, or a document of the parser.

    For a document the key also needs the permission `documents:read`.
    """
    await run_in_threadpool(get_parser, *call.team, parserId)
    file, document_id = await _sample(request, call.inst)
    if file is not None:
        sample = Sample(file.name or FILE_PARTS[0], file.stored.sha256)
    else:
        require(call.caller, "documents:read")
        sample = await run_in_threadpool(sample_of, *call.team, parserId, str(document_id))
    work = partial(suggest_fields, *call.team, parserId, [sample], use_model=useModel)
    suggested = await run_in_threadpool(work)
    return SuggestedFields.of(suggested)


@router.patch("/{fieldId:path}", summary="Change a field", responses=error_responses(409))
def update(parserId: ParserId, fieldId: FieldId, body: FieldInput, call: CurrentCall) -> FieldsResponse:
    """Change a field, by its name or id; a table's `columns` replace all that it has."""
    return FieldsResponse.of(update_field(*call.team, parserId, fieldId, _given(body), call.actor))


@router.delete("/{fieldId:path}", summary="Delete a field")
def delete(parserId: ParserId, fieldId: FieldId, call: CurrentCall) -> FieldsResponse:
    """Remove a field; documents keep its values until they are read again."""
    return FieldsResponse.of(delete_field(*call.team, parserId, fieldId, call.actor))


def _given(body: FieldInput) -> dict[str, Any]:
    """Return what was sent, with the columns as plain values."""
    return body.model_dump(exclude_unset=True)


async def _sample(request: Request, inst: Installation) -> tuple[UploadedFile | None, str | None]:
    """Return the file or the document's id that is sent; raise InputError unless it is exactly one."""
    if request.headers.get("content-type", "").lower().startswith("multipart/"):
        return await receive(request, inst, _form_sample, ("documentId",))
    body = await json_body(request)
    document_id = _suggest_from({} if body is None else body)
    if document_id is None:
        raise InputError(_ONE_SAMPLE, "documentId")
    return None, document_id


def _form_sample(form: Form) -> Callable[[], tuple[UploadedFile | None, str | None]]:
    document_id = _suggest_from(form.fields)
    if len(form.files) + (document_id is not None) != 1:
        raise InputError(_ONE_SAMPLE, FILE_PARTS[0])
    return lambda: (form.files[0] if form.files else None, document_id)


def _suggest_from(values: Any) -> str | None:
    try:
        return SuggestFrom.model_validate(values).document_id
    except ValidationError as error:
        raise input_error(error.errors()) from error

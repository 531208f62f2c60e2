"""Fields of a parser (contract C10)."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool

from docduck.api.answer import input_error
from docduck.api.context import Inst, Who
from docduck.api.documented import answers
from docduck.api.multipart import FILE_PARTS, Form
from docduck.api.params import FieldId, ParserId
from docduck.api.route import GuardedRoute, json_body, needs, require
from docduck.api.schemas.fields import (
    FieldBody,
    FieldList,
    FieldOrder,
    FieldsMutated,
    Suggested,
    SuggestFrom,
)
from docduck.api.uploads import receive
from docduck.api.views.fields import fields, mutated, suggested
from docduck.errors import InputError
from docduck.service.field_suggestions import FieldSuggestions
from docduck.service.fields_editing import add_field, delete_field, list_fields, reorder_fields, update_field
from docduck.service.parsers import get_parser

router = APIRouter(prefix="/parsers/{parserId}/fields", tags=["Fields"], route_class=GuardedRoute)


@router.get("", summary="List fields", openapi_extra=needs("parsers:read"), responses=answers(FieldList))
def list_(parserId: ParserId, inst: Inst, who: Who) -> Any:
    """The parser's fields, by position."""
    return {"fields": fields(list_fields(inst, who.team_id, parserId))}


@router.post(
    "",
    summary="Add a field",
    status_code=201,
    openapi_extra=needs("fields:write"),
    responses=answers(FieldsMutated, 409, 413, status=201),
)
def add(parserId: ParserId, body: FieldBody, inst: Inst, who: Who) -> Any:
    """Add a field or table; without a name it gets one."""
    return mutated(add_field(inst, who.team_id, parserId, _given(body), who.actor))


@router.post(
    "/reorder",
    summary="Reorder fields",
    openapi_extra=needs("fields:write"),
    responses=answers(FieldsMutated, 413),
)
def reorder(parserId: ParserId, body: FieldOrder, inst: Inst, who: Who) -> Any:
    """Put all fields in a new order."""
    return mutated(reorder_fields(inst, who.team_id, parserId, body.field_ids, who.actor))


@router.post(
    "/suggest",
    summary="Suggest fields",
    openapi_extra=needs(
        "fields:write",
        requestBody={
            "required": True,
            "content": {
                "application/json": {"schema": SuggestFrom.model_json_schema()},
                "multipart/form-data": {
                    "schema": {
                        "type": "object",
                        "required": ["file"],
                        "properties": {"file": {"type": "string", "format": "binary"}},
                        "additionalProperties": False,
                    }
                },
            },
        },
    ),
    responses=answers(Suggested, 408, 413, 415, 503),
)
async def suggest(parserId: ParserId, request: Request, inst: Inst, who: Who) -> Any:
    """The fields and tables found on a sample: a file, or a document of the parser.

    For a document the key needs the permission `documents:read`, too.
    """
    suggestions: FieldSuggestions = request.app.state.suggestions
    await run_in_threadpool(get_parser, inst, who.team_id, parserId)
    if request.headers.get("content-type", "").lower().startswith("multipart/"):
        sample = await receive(request, inst, _sample)
        path = inst.files.path(sample.stored.sha256)
        found = await run_in_threadpool(
            suggestions.from_file, who.team_id, parserId, path, sample.name or FILE_PARTS[0]
        )
    else:
        try:
            body = SuggestFrom.model_validate(await json_body(request, inst))
        except ValidationError as error:
            raise input_error(error.errors()) from error
        require(who, "documents:read")
        found = await run_in_threadpool(suggestions.from_document, who.team_id, parserId, body.document_id)
    return {"fields": [suggested(one) for one in found]}


@router.patch(
    "/{fieldId:path}",
    summary="Change a field",
    openapi_extra=needs("fields:write"),
    responses=answers(FieldsMutated, 409, 413),
)
def update(parserId: ParserId, fieldId: FieldId, body: FieldBody, inst: Inst, who: Who) -> Any:
    """Change a field, named by name or id."""
    return mutated(update_field(inst, who.team_id, parserId, fieldId, _given(body), who.actor))


@router.delete(
    "/{fieldId:path}",
    summary="Delete a field",
    openapi_extra=needs("fields:write"),
    responses=answers(FieldsMutated),
)
def delete(parserId: ParserId, fieldId: FieldId, inst: Inst, who: Who) -> Any:
    """Remove a field; documents keep its values until they are read again."""
    return mutated(delete_field(inst, who.team_id, parserId, fieldId, who.actor))


def _given(body: FieldBody) -> dict[str, Any]:
    """What was sent, with the columns as plain values."""
    return body.model_dump(exclude_unset=True)


def _sample(form: Form) -> Any:
    if len(form.files) != 1:
        raise InputError(f"Send exactly one file, in a part named {FILE_PARTS[0]}", FILE_PARTS[0])
    return lambda: form.files[0]

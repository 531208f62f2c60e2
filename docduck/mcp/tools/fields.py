"""Fields of a parser, and suggestions from a sample."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request
from starlette.concurrency import run_in_threadpool

from docduck.api.request.current_caller import CurrentCaller, Inst
from docduck.api.request.params import ParserId
from docduck.api.route import require
from docduck.api.routers import fields
from docduck.api.schemas.fields import SuggestedField, SuggestedFields
from docduck.errors import InputError
from docduck.mcp.sent_files import Base64, decoded, keep_file
from docduck.mcp.tool import ADD, DELETE, READ, SET, RestTools, Settings, tool
from docduck.mcp.views import FIELDS, SUGGESTED
from docduck.service.core.property_types import Uuid
from docduck.service.previews.field_suggestions import FieldSuggestions

_rest = RestTools(fields.router)
_settings = Settings("field", ("name", "type", "labels", "instructions", "columns"))


@tool("suggest_fields", "Suggest fields", "fields:write", READ, SUGGESTED)
async def suggest_fields(
    parserId: ParserId,
    inst: Inst,
    caller: CurrentCaller,
    request: Request,
    fileName: Annotated[str | None, Query(min_length=1, max_length=255)] = None,
    contentBase64: Base64 | None = None,
    documentId: Uuid | None = None,
) -> SuggestedFields:
    """Return the fields and tables found on a sample: a file (fileName and contentBase64), or a document
    of the parser. Nothing is saved; a suggestion can be given to add_field or create_parser as it is.
    """
    suggestions: FieldSuggestions = request.app.state.suggestions
    if (contentBase64 is None) == (documentId is None):
        raise InputError("Provide exactly one of contentBase64 or documentId", "contentBase64")
    if documentId is not None:
        require(caller, "documents:read")
        suggested = await run_in_threadpool(suggestions.from_document, caller.team_id, parserId, documentId)
    else:
        if fileName is None:
            raise InputError("fileName is required with contentBase64", "fileName")
        content = decoded(contentBase64 or "")
        kept = await run_in_threadpool(keep_file, inst, fileName, content)
        suggested = await run_in_threadpool(
            suggestions.from_file, caller.team_id, parserId, kept.stored.sha256, kept.name
        )
    return SuggestedFields(fields=[SuggestedField.of(field) for field in suggested])


TOOLS = (
    suggest_fields,
    _rest.tool(fields.list_, "list_fields", READ, "Return a parser's fields, by position.", FIELDS),
    _rest.tool(
        fields.add,
        "add_field",
        ADD,
        "Add a field or table. labels are words that documents print beside the value. Example: "
        '{"name": "Total", "type": "currency", "labels": ["Amount due"]}.',
        FIELDS,
        _settings,
    ),
    _rest.tool(
        fields.update,
        "update_field",
        SET,
        "Change a field, by its name; a table's columns replace all that it has.",
        FIELDS,
        _settings,
    ),
    _rest.tool(
        fields.put,
        "set_fields",
        DELETE,
        "Add fields, and change those that exist by their name or id, all or none: what isn't given stays. "
        'labels are words that documents print beside a value. Example: [{"name": "Total", "type": '
        '"currency", "labels": ["Amount due"]}].',
        FIELDS,
    ),
    _rest.tool(
        fields.delete,
        "delete_field",
        DELETE,
        "Remove a field; documents keep its values until they are read again.",
        FIELDS,
    ),
    _rest.tool(
        fields.reorder,
        "reorder_fields",
        SET,
        "Put all fields in a new order, each by its name.",
        FIELDS,
    ),
)

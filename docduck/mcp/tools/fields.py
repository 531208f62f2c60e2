"""Fields of a parser, and suggestions from a sample."""

from __future__ import annotations

from pydantic import Field
from starlette.concurrency import run_in_threadpool

from docduck.api.request.current_caller import Call, CurrentCall
from docduck.api.request.params import ParserId
from docduck.api.route import require
from docduck.api.routers import fields
from docduck.api.schemas.fields import SuggestedFields
from docduck.errors import InputError
from docduck.mcp.sent_files import Base64, decoded, keep_file
from docduck.mcp.tool import ADD, DELETE, READ, SET, Settings, rest_tool, tool
from docduck.mcp.views import FIELDS, SUGGESTED
from docduck.service.core.property_types import Many, Name, Uuid
from docduck.service.core.schema import Schema
from docduck.service.previews import field_suggestions
from docduck.service.previews.field_suggestions import MAX_SAMPLES, Sample

_settings = Settings("field", ("name", "type", "labels", "instructions", "columns"))


class SampleInput(Schema):
    """A file, or a document of the parser."""

    file_name: Name | None = None
    content_base64: Base64 | None = None
    document_id: Uuid | None = None


class SampleInputs(Schema):
    """Samples of one kind of documents."""

    samples: Many[SampleInput] = Field(
        min_length=1,
        max_length=MAX_SAMPLES,
        description="At most 5, each {fileName, contentBase64}, or {documentId} of the parser",
    )
    use_model: bool = Field(False, description="Ask the language model, too")


@tool("suggest_fields", "Suggest fields", "fields:write", READ, SUGGESTED)
async def suggest_fields(parserId: ParserId, body: SampleInputs, call: CurrentCall) -> SuggestedFields:
    """Return the fields and tables found on samples of one kind, with what each sample has; those on most
    samples come first. Nothing is saved; add_field and create_parser take a suggestion as it is.
    """

    def suggest() -> SuggestedFields:
        samples = [_sample(call, parserId, sample) for sample in body.samples]
        suggested = field_suggestions.suggest_fields(*call.team, parserId, samples, use_model=body.use_model)
        return SuggestedFields.of(suggested)

    return await run_in_threadpool(suggest)


def _sample(call: Call, parser_id: str, sent: SampleInput) -> Sample:
    if (sent.content_base64 is None) == (sent.document_id is None):
        raise InputError("Provide exactly one of contentBase64 or documentId", "contentBase64")
    if sent.document_id is not None:
        require(call.caller, "documents:read")
        return field_suggestions.sample_of(*call.team, parser_id, sent.document_id)
    if sent.file_name is None:
        raise InputError("fileName is required with contentBase64", "fileName")
    stored = keep_file(call.inst, sent.file_name, decoded(sent.content_base64 or ""))
    return Sample(stored.name, stored.stored.sha256)


TOOLS = (
    suggest_fields,
    rest_tool(fields.list_, "list_fields", READ, "Return a parser's fields, by position.", FIELDS),
    rest_tool(
        fields.add,
        "add_field",
        ADD,
        "Add a field or table. labels are words that documents print beside the value. Example: "
        '{"name": "Total", "type": "currency", "labels": ["Amount due"]}.',
        FIELDS,
        _settings,
    ),
    rest_tool(
        fields.update,
        "update_field",
        SET,
        "Change a field, by its name; a table's columns replace all that it has.",
        FIELDS,
        _settings,
    ),
    rest_tool(
        fields.put,
        "set_fields",
        DELETE,
        "Add fields, and change those that exist by their name or id, all or none: what isn't given stays. "
        'labels are words that documents print beside a value. Example: [{"name": "Total", "type": '
        '"currency", "labels": ["Amount due"]}].',
        FIELDS,
    ),
    rest_tool(
        fields.delete,
        "delete_field",
        DELETE,
        "Remove a field; documents keep its values until they are read again.",
        FIELDS,
    ),
    rest_tool(
        fields.reorder,
        "reorder_fields",
        SET,
        "Put all fields in a new order, each by its name.",
        FIELDS,
    ),
)

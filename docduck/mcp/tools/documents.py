"""Documents of a parser and their values."""

from __future__ import annotations

from functools import partial
from typing import Any

from fastapi import BackgroundTasks
from pydantic import Field

from docduck.api.request.current_caller import BaseUrl, Inst
from docduck.api.request.lanes import Corrections
from docduck.api.request.params import DocumentId, ParserId
from docduck.api.routers.documents import document_lists, document_processing, documents
from docduck.api.schemas.documents import Confirmation, DocumentDetails, ValuesUpdate
from docduck.mcp.dependencies import SignedInUser
from docduck.mcp.tool import ADD, DELETE, READ, SET, RestTools, tool
from docduck.service.core.schema import Schema

_rest, _lists = RestTools(documents.router), RestTools(document_lists.router)
_team_lists = RestTools(document_lists.team_router)
_processing = RestTools(document_processing.router)


class Values(Schema):
    """Values by field name or id."""

    data: dict[str, Any] = Field(
        examples=[{"Total": 119.0}],
        description="Values by field name or id. A table is replaced as a whole; null clears a value",
    )


@tool("update_document_data", "Correct values", "documents:write", SET)
async def update_document_data(
    parserId: ParserId,
    documentId: DocumentId,
    body: Values,
    inst: Inst,
    caller: SignedInUser,
    lane: Corrections,
    base_url: BaseUrl,
    after: BackgroundTasks,
) -> DocumentDetails:
    """Set some values of a document, as the signed-in user; the parser learns where they are printed on
    documents that look alike. Example: {"data": {"Total": 119.0, "Line Items": [{"Description": "Bolt",
    "Amount": 119.0}]}}.
    """
    corrections = ValuesUpdate.model_validate({"data": body.data, "reviewerId": caller.user_id})
    update = partial(documents.update_values, parserId, documentId, corrections, replace=False)
    return await update(inst, caller, lane, base_url, after)


@tool("confirm_document", "Confirm all values", "documents:write", SET)
async def confirm_document(
    parserId: ParserId,
    documentId: DocumentId,
    inst: Inst,
    caller: SignedInUser,
    lane: Corrections,
    base_url: BaseUrl,
    after: BackgroundTasks,
) -> DocumentDetails:
    """Confirm, as the signed-in user, that all values of a document are right, also empty ones: they were
    compared with the document. They stay when it is read again, the parser learns from them, and
    evaluate_parser measures by them.
    """
    confirmation = Confirmation.model_validate({"reviewerId": caller.user_id})
    return await documents.confirm(parserId, documentId, inst, caller, lane, base_url, after, confirmation)


TOOLS = (
    _rest.tool(
        documents.get,
        "get_document",
        READ,
        "Return a document with its values, its review, and in metadata.field_metadata the confidence "
        "and place of every value.",
    ),
    _processing.tool(
        document_processing.data,
        "get_document_data",
        READ,
        "Return a document's values and metadata, by exactly one of documentId or externalId; data is "
        "empty until it was read.",
    ),
    _team_lists.tool(
        document_lists.list_of_team,
        "list_documents",
        READ,
        "Return a page of the documents of one parser, or of all, without their values, by status, folder, "
        "name or date.",
    ),
    _lists.tool(
        document_lists.search,
        "search_documents",
        READ,
        "Return a page of the documents that match words and filters in properties and values. "
        'Example: {"filters": [{"field": "Total", "operator": "greater_than", "value": 100}], "sort": '
        '"field:Total.desc"}; unsure values: {"filters": [{"field": "Total", "operator": "less_than", '
        '"value": 0.8, "condition": "confidence"}]}.',
    ),
    _rest.tool(
        documents.update,
        "update_document",
        SET,
        "Change a document's name, external id, custom data, folder or assignee; null clears one.",
    ),
    _rest.tool(
        documents.bulk_update,
        "bulk_update_documents",
        SET,
        "Change the folder, assignee or custom data of up to 500 documents in the same way.",
    ),
    update_document_data,
    confirm_document,
    _rest.tool(
        documents.reprocess,
        "reprocess_document",
        ADD,
        "Read a document again with its parser's current fields. Values that people corrected or "
        "confirmed stay, unless discardCorrections is true.",
    ),
    _rest.tool(
        documents.cancel,
        "cancel_document",
        SET,
        "Stop reading a document that is queued or being read; it is failed then.",
    ),
    _rest.tool(
        documents.delete_many,
        "delete_documents",
        DELETE,
        "Delete documents by their ids or external ids, all of them or none. This can't be undone.",
    ),
)

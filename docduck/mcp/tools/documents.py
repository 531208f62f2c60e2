"""Documents of a parser and their values."""

from __future__ import annotations

from typing import Any

from fastapi import BackgroundTasks
from pydantic import Field

from docduck.api.request.current_caller import CurrentCall
from docduck.api.request.lanes import Corrections
from docduck.api.request.params import DocumentId, ParserId
from docduck.api.routers.documents import document_lists, document_processing, documents
from docduck.api.schemas.documents import Confirmation, DocumentDetails, ValuesUpdate
from docduck.mcp.dependencies import SignedInUser
from docduck.mcp.tool import DELETE, DISCARD, READ, SET, Settings, rest_tool, tool
from docduck.mcp.views import CHANGED, DOCUMENT, DOCUMENTS, QUOTED
from docduck.service.core.schema import Schema


class Values(Schema):
    """Values by field name or id."""

    data: dict[str, Any] = Field(
        examples=[{"Total": 119.0}],
        description="By field name. A table is replaced as a whole; null clears a value",
    )


@tool("update_document_data", "Correct values", "documents:write", SET, CHANGED)
async def update_document_data(
    parserId: ParserId,
    documentId: DocumentId,
    body: Values,
    call: CurrentCall,
    user: SignedInUser,
    lane: Corrections,
    after: BackgroundTasks,
) -> DocumentDetails:
    """Set some values of a document, as the signed-in user; the parser learns where they are printed on
    documents that look alike. Example: {"data": {"Total": 119.0, "Items": [{"Name": "Bolt"}]}}.
    """
    corrections = ValuesUpdate.model_validate({"data": body.data, "reviewerId": user.user_id})
    return await documents.update_values(parserId, documentId, corrections, call, lane, after, replace=False)


@tool("confirm_document", "Confirm all values", "documents:write", SET, CHANGED)
async def confirm_document(
    parserId: ParserId,
    documentId: DocumentId,
    call: CurrentCall,
    user: SignedInUser,
    lane: Corrections,
    after: BackgroundTasks,
) -> DocumentDetails:
    """Confirm, as the signed-in user, that all values of a document are right, also empty ones. They stay
    when it is read again, the parser learns from them, and evaluate_parser measures by them.
    """
    confirmation = Confirmation.model_validate({"reviewerId": user.user_id})
    return await documents.confirm(parserId, documentId, call, lane, after, confirmation)


TOOLS = (
    rest_tool(
        documents.get,
        "get_document",
        READ,
        "Return a document's values, what is unsure of them, and its review.",
        DOCUMENT,
    ),
    rest_tool(
        documents.explanation,
        "explain_value",
        READ,
        "Return why a value is what it is.",
        QUOTED,
    ),
    rest_tool(
        document_processing.data,
        "get_document_data",
        READ,
        "Return a document's values by exactly one of documentId or externalId.",
        DOCUMENT,
    ),
    rest_tool(
        document_lists.list_of_team,
        "list_documents",
        READ,
        "Return documents of one parser or of all, without values, newest first.",
        DOCUMENTS,
        Settings("document_list", ("parserId", "q", "status", "page", "limit")),
    ),
    rest_tool(
        document_lists.search,
        "search_documents",
        READ,
        "Return the documents of a parser that match words and filters. Example: "
        '{"filters": [{"field": "Total", "operator": "greater_than", "value": 100}], "sort": '
        "\"field:Total.desc\"}. More: describe_settings('document_search').",
        DOCUMENTS,
        Settings("document_search", ("q", "status", "filters", "sort", "page", "limit")),
    ),
    rest_tool(
        documents.update,
        "update_document",
        SET,
        "Change properties of a document; null clears one.",
        CHANGED,
    ),
    rest_tool(
        documents.bulk_update,
        "bulk_update_documents",
        SET,
        "Change the folder, assignee or custom data of up to 500 documents.",
    ),
    update_document_data,
    confirm_document,
    rest_tool(
        documents.reprocess,
        "reprocess_document",
        DISCARD,
        "Read a document again by its parser's current fields. What people corrected or confirmed stays, "
        "unless discardCorrections is true.",
    ),
    rest_tool(
        documents.cancel,
        "cancel_document",
        SET,
        "Stop reading a document; it is failed then.",
        CHANGED,
    ),
    rest_tool(
        documents.delete_many,
        "delete_documents",
        DELETE,
        "Delete documents, all of them or none. This can't be undone.",
    ),
)

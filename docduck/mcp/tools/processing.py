"""Sending files and waiting for their values."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import Query
from pydantic import Field
from starlette.concurrency import run_in_threadpool

from docduck.api.request.current_caller import Call, CurrentCall
from docduck.api.request.lanes import Classifications
from docduck.api.request.long_poll import until_final
from docduck.api.request.params import DocumentId, ParserId
from docduck.api.response.document_links import document_data
from docduck.api.routers.uploads.combined_items import combined_items
from docduck.api.routers.uploads.upload_target import chosen_target
from docduck.api.routers.uploads.url_processing import fetched_for_target
from docduck.api.schemas.base import ResponseModel, Timestamp, omitted_if_none
from docduck.api.schemas.documents import Custom, DocumentData, ExternalId, Metadata
from docduck.api.schemas.processing import CombinedUploadItem, CombinedUrlUpload
from docduck.errors import InputError
from docduck.mcp.dependencies import Progress
from docduck.mcp.sent_files import Base64, decoded, keep_file
from docduck.mcp.tool import ADD, READ, Effect, tool
from docduck.mcp.views import DOCUMENT, UPLOADED
from docduck.service.core.installation import Installation
from docduck.service.core.property_types import Name, Uuid
from docduck.service.documents.queries.document_views import show_document
from docduck.service.documents.value_checks import check_custom
from docduck.service.uploads.file_uploads import QueuedDocument, UploadTarget, check_upload, register_upload
from docduck.service.uploads.upload_links import sent_upload, upload_link, upload_terms
from docduck.statuses import FINAL

MOST_SECONDS = 50
"""That a call waits: clients give up after 60 seconds."""
_FETCH_SECONDS = 30
"""For URLs: classifying what is fetched takes time, too."""

Seconds = Annotated[float, Query(ge=0, le=MOST_SECONDS, description=f"At most {MOST_SECONDS}")]
Folder = Annotated[Uuid, Query()]
_SOURCE = "mcp"
_MOST_PARTS = 100


class Part(ResponseModel):
    """One of the documents that a file became."""

    document_id: str
    name: str
    status: str
    error: str | None
    data: dict[str, Any]


class WaitedFor(DocumentData):
    """A document's values and metadata, and all documents that its file became."""

    parts: list[Part] = Field(description="Empty unless the file was split")


class ReceivedItem(CombinedUploadItem):
    """A file that was sent, with its values if there was time to wait for them."""

    metadata: Metadata | None = None
    error: str | None = omitted_if_none("Only when processing failed")
    parts: list[Part] = Field([], description="Empty unless the file was split")


class Received(ResponseModel):
    """Files that were sent."""

    result: list[ReceivedItem]


class UploadUrl(ResponseModel):
    """An address that takes one file."""

    upload_id: str
    url: str
    method: str
    expires_at: Timestamp
    max_bytes: int


@tool("process_urls", "Process URLs", "documents:write", Effect(open_world=True), UPLOADED)
async def process_urls(
    body: CombinedUrlUpload,
    call: CurrentCall,
    lane: Classifications,
    progress: Progress,
    waitSeconds: Seconds = 0,
) -> Received:
    """Fetch 1 to 20 files from public addresses for exactly one of parserId or classifierId, and queue them.
    With waitSeconds the results have their values.
    """
    end = time.monotonic() + waitSeconds
    queued = await fetched_for_target(call, body, (_SOURCE, None), _FETCH_SECONDS)
    left = max(0.0, end - time.monotonic())
    items = await combined_items(*call.team, lane, call.base_url, queued, left, progress)
    return await _received(call, items, waitSeconds and end)


@tool("process_file", "Process a file", "documents:write", ADD, UPLOADED)
async def process_file(
    call: CurrentCall,
    lane: Classifications,
    progress: Progress,
    parserId: Uuid | None = None,
    classifierId: Uuid | None = None,
    fileName: Name | None = None,
    contentBase64: Base64 | None = None,
    uploadId: Uuid | None = None,
    externalId: ExternalId | None = None,
    folderId: Folder | None = None,
    custom: Custom | None = None,
    waitSeconds: Seconds = 0,
) -> Received:
    """Queue a file for exactly one of parserId or classifierId: fileName and contentBase64 (at most 10 MB),
    or uploadId, once the file was sent to the address of create_upload_url. With waitSeconds the result has
    its values.
    """
    end = time.monotonic() + waitSeconds
    if (contentBase64 is None) == (uploadId is None):
        raise InputError("Provide exactly one of contentBase64 or uploadId", "contentBase64")
    of_upload = {"fileName": fileName, "externalId": externalId, "folderId": folderId, "custom": custom}
    if uploadId is not None and (refused := [name for name, value in of_upload.items() if value is not None]):
        raise InputError(f"{refused[0]} is not allowed with uploadId: create_upload_url takes it", refused[0])
    receiver = await run_in_threadpool(chosen_target, call, parserId, classifierId)
    if uploadId is not None:
        queued = await run_in_threadpool(sent_upload, *call.team, *receiver, uploadId)
    else:
        if fileName is None:
            raise InputError("fileName is required with contentBase64", "fileName")
        check_custom(custom)
        parser_id, classifier_id = receiver
        target = UploadTarget(
            parser_id, 1, [externalId], [custom], folderId, _SOURCE, classifier_id=classifier_id
        )
        queued = await run_in_threadpool(_queue, call, target, fileName, contentBase64 or "")
    items = await combined_items(*call.team, lane, call.base_url, [queued], waitSeconds, progress)
    return await _received(call, items, waitSeconds and end)


@tool("create_upload_url", "Create an upload address", "documents:write", ADD)
def create_upload_url(
    fileName: Name,
    call: CurrentCall,
    parserId: Uuid | None = None,
    classifierId: Uuid | None = None,
    externalId: ExternalId | None = None,
    folderId: Folder | None = None,
    custom: Custom | None = None,
) -> UploadUrl:
    """Return an address that takes one file, also a large one, for exactly one of parserId or classifierId.
    Send the file itself: curl -T invoice.pdf 'URL'. Its document has the id uploadId.
    """
    parser_id, classifier_id = chosen_target(call, parserId, classifierId)
    terms = upload_terms(
        *call.team,
        call.actor,
        fileName,
        parser_id=parser_id,
        classifier_id=classifier_id,
        external_id=externalId,
        folder_id=folderId,
        custom=custom,
    )
    return UploadUrl.model_validate(
        {
            "upload_id": terms.document_id,
            "url": upload_link(call.inst, call.base_url, terms),
            "method": "PUT",
            "expires_at": dt.datetime.fromtimestamp(terms.expires, dt.UTC),
            "max_bytes": call.inst.settings.max_file_bytes,
        }
    )


@tool("wait_for_document", "Wait for a document", "documents:read", READ, DOCUMENT)
async def wait_for_document(
    parserId: ParserId,
    documentId: DocumentId,
    call: CurrentCall,
    progress: Progress,
    waitSeconds: Seconds = 25,
) -> WaitedFor:
    """Wait until a document was read, and return its values, with all parts if its file holds several
    documents. While its status is processing, call it again.
    """
    end = time.monotonic() + waitSeconds

    def show() -> DocumentData:
        return document_data(call.inst, call.base_url, show_document(*call.team, parserId, documentId))

    await run_in_threadpool(show)
    await until_final(*call.team, [documentId], waitSeconds, progress)
    status = await run_in_threadpool(show)
    parts = await _parts(*call.team, status.metadata.parts, end)
    return WaitedFor.of(status, parts=parts)


async def _received(call: Call, items: Sequence[CombinedUploadItem], end: float) -> Received:
    """Return items of an upload, after a wait that ends at ``end`` with what was read; 0 if nobody waits."""

    def read(item: CombinedUploadItem) -> dict[str, Any]:
        document = show_document(*call.team, None, item.document_id)
        data = document_data(call.inst, call.base_url, document)
        return {"data": data.data, "metadata": data.metadata, "error": data.error}

    result = []
    for item in items:
        more: dict[str, Any] = {}
        if end and item.status in FINAL:
            more = await run_in_threadpool(read, item)
            more["parts"] = await _parts(*call.team, more["metadata"].parts, end)
        result.append(ReceivedItem.of(item, **{"parts": [], "metadata": None, "error": None} | more))
    return Received(result=result)


async def _parts(inst: Installation, team_id: str, document_ids: Sequence[str], end: float) -> list[Part]:
    """Return what a file became, once that was read or at ``end``."""
    ids = document_ids[:_MOST_PARTS]
    if not ids:
        return []
    views = await until_final(inst, team_id, ids, max(0.0, end - time.monotonic()))
    return [Part.of(views[id_], document_id=id_) for id_ in ids if id_ in views]


def _queue(call: Call, target: UploadTarget, name: str, encoded: str) -> QueuedDocument:
    check_upload(*call.team, target)
    file = keep_file(call.inst, name, decoded(encoded))
    (queued,) = register_upload(*call.team, target, [file], call.actor)
    return queued


TOOLS = (process_urls, process_file, create_upload_url, wait_for_document)

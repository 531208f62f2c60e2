"""The state of an upload, by its ``operationName``."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path
from starlette.concurrency import run_in_threadpool

from docduck.api.request.current_caller import CurrentCall
from docduck.api.route import ResourceRouter, may_use, require_classifier
from docduck.api.schemas.processing import OperationResponse
from docduck.errors import Forbidden
from docduck.service.documents.queries.operations import find_operation
from docduck.statuses import Status

router = ResourceRouter("", "Processing", read="documents:read")

OperationId = Annotated[
    str, Path(description="The part of `operationName` after the slash", json_schema_extra={"format": "uuid"})
]


@router.get("/operations/{operationId}", summary="Get an operation", operation_id="process.operation")
async def get_operation(operationId: OperationId, call: CurrentCall) -> OperationResponse:
    """Return whether an upload's document was read, and which Dagster run reads or has read it."""
    operation = await run_in_threadpool(find_operation, *call.team, operationId)
    if operation.parser_id is not None:
        if not may_use(call.caller, operation.parser_id):
            raise Forbidden
    elif operation.classifier_id is not None:
        await run_in_threadpool(require_classifier, call.inst, call.caller, operation.classifier_id)
    dagster_url = call.inst.settings.dagster_url
    return OperationResponse.of(
        operation,
        status=operation.status if operation.done else Status.PROCESSING,
        run_url=f"{dagster_url.rstrip('/')}/runs/{operation.run_id}"
        if operation.run_id and dagster_url
        else None,
    )

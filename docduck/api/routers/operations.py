"""What became of an upload, by its ``operationName`` (contract C7)."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path
from starlette.concurrency import run_in_threadpool

from docduck.api.request.current_caller import Inst, Who
from docduck.api.response.openapi_responses import answers
from docduck.api.route import GuardedRoute, may_use, needs
from docduck.api.schemas.operations import Operation
from docduck.api.serializers.operations import operation_view
from docduck.errors import Forbidden
from docduck.service.documents.operations import find_operation

router = APIRouter(tags=["Processing"], route_class=GuardedRoute)

OperationId = Annotated[
    str, Path(description="The part of `operationName` after the slash", json_schema_extra={"format": "uuid"})
]


@router.get(
    "/operations/{operationId}",
    summary="Get an operation",
    openapi_extra=needs("documents:read"),
    responses=answers(Operation),
)
async def get_operation(operationId: OperationId, inst: Inst, who: Who) -> Any:
    """Tell whether an upload's document was read, and which Dagster run reads or has read it."""
    found = await run_in_threadpool(find_operation, inst, who.team_id, operationId)
    if found.parser_id is not None and not may_use(who, found.parser_id):
        raise Forbidden
    return operation_view(found, inst.settings.dagster_url)

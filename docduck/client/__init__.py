"""A typed client of the REST API, sync and async.

    from docduck.client import Client

    with Client("https://docs.example.org", key="docduck_…") as client:
        item, = client.process.files(parser_id, "invoice.pdf", wait=30)
        print(item["data"])

Results are the dictionaries of the API's JSON, typed in ``docduck.client.types``; errors are in
``docduck.client.errors``. The methods are in
``docduck.client.resources``; ``transport`` sends their requests.
"""

from docduck.client.asynchronous import AsyncClient
from docduck.client.errors import (
    ApiError,
    AuthenticationError,
    BadRequest,
    Conflict,
    ConnectionFailed,
    NotFound,
    PermissionDenied,
    PreconditionFailed,
    RateLimited,
    ServerError,
    StillProcessing,
)
from docduck.client.exports import ExportFile
from docduck.client.sync import Client
from docduck.client.transport.encoding import UNSET

__all__ = [
    "UNSET",
    "ApiError",
    "AsyncClient",
    "AuthenticationError",
    "BadRequest",
    "Client",
    "Conflict",
    "ConnectionFailed",
    "ExportFile",
    "NotFound",
    "PermissionDenied",
    "PreconditionFailed",
    "RateLimited",
    "ServerError",
    "StillProcessing",
]

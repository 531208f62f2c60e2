"""The route of whatever tells errors in a way of its own: pages, upload pages, OAuth."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import HTTPException, Request
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from docduck.api.route import Route
from docduck.errors import DocduckError


class ErrorRoute(Route):
    """A route whose errors are told by ``error_response``; those of HTTP itself are raised."""

    def check(self, request: Request) -> None:
        """Raise what is wrong with a request before its endpoint is called."""

    async def error_response(self, request: Request, error: Exception) -> Response:
        """Return the response that tells an error."""
        raise NotImplementedError

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def handle_and_tell(request: Request) -> Response:
            try:
                self.check(request)
                return await handle(request)
            except (ClientDisconnect, HTTPException):
                raise
            except Exception as error:
                return await self.error_response(request, error)

        return handle_and_tell


def public_message(error: Exception, status: int) -> str:
    """Return the message of an error; what is our own defect is not told."""
    return error.message if isinstance(error, DocduckError) and status != 500 else "Internal server error"

"""Requests as arguments of httpx, and its responses and errors as the client's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from docduck.client.errors import ConnectionFailed
from docduck.client.transport.connection import Connection
from docduck.client.transport.downloads import Download
from docduck.client.transport.steps import HttpResponse, Request


def client_arguments(to: Connection, timeout: float) -> dict[str, Any]:
    """Return the arguments of httpx's clients."""
    return {"headers": to.headers, "timeout": timeout, "follow_redirects": False}


@contextmanager
def request_arguments(to: Connection, request: Request, timeout: float) -> Iterator[dict[str, Any]]:
    """Yield the arguments of httpx's ``request``, with the files open; raise OSError, ConnectionFailed."""
    with request.upload.opened() as files, _connection_errors(to):
        yield {
            "method": request.method,
            "url": to.api_url + request.path,
            "params": request.params,
            "headers": request.headers,
            "content": request.content,
            "data": request.upload.fields or None,
            "files": files or None,
            "timeout": httpx.Timeout(timeout, read=timeout + request.held_seconds),
        }


def response_of(response: httpx.Response, body: bytes = b"") -> HttpResponse:
    """Return the response with its body, unless that was saved."""
    headers = {name.lower(): value for name, value in response.headers.items()}
    return HttpResponse(response.status_code, headers, body)


def download_of(request: Request, response: httpx.Response) -> Download | None:
    """Return where the body of a response is saved; errors are not."""
    return request.download if response.status_code < 300 else None


@contextmanager
def _connection_errors(to: Connection) -> Iterator[None]:
    try:
        yield
    except httpx.TimeoutException as error:
        raise ConnectionFailed(f"{to.base_url} does not answer: {type(error).__name__}") from error
    except httpx.RequestError as error:
        reason = str(error) or type(error).__name__
        raise ConnectionFailed(f"{to.base_url} can't be reached: {reason}") from error

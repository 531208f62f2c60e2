"""What both transports share: a request in httpx's terms, and its errors in ours."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from docduck.client.connecting import Connection
from docduck.client.effects import HttpResponse, Request
from docduck.client.errors import ConnectionFailed


def options(to: Connection, timeout: float) -> dict[str, Any]:
    """The arguments of either httpx client."""
    return {"headers": to.headers, "timeout": timeout, "follow_redirects": False}


@contextmanager
def sending(to: Connection, request: Request, timeout: float) -> Iterator[dict[str, Any]]:
    """The arguments of httpx's ``request``, with the files open; raises OSError, ConnectionFailed."""
    with request.upload.opened() as files, _telling(to):
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


def answer_of(response: httpx.Response) -> HttpResponse:
    """The answer, read to its end."""
    headers = {name.lower(): value for name, value in response.headers.items()}
    return HttpResponse(response.status_code, headers, response.content)


@contextmanager
def _telling(to: Connection) -> Iterator[None]:
    try:
        yield
    except httpx.TimeoutException as error:
        raise ConnectionFailed(f"{to.base_url} does not answer: {type(error).__name__}") from error
    except httpx.RequestError as error:
        reason = str(error) or type(error).__name__
        raise ConnectionFailed(f"{to.base_url} can't be reached: {reason}") from error

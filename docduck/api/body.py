"""Reading a request's body: within limits, and as JSON that can be stored and given back unchanged."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from starlette.requests import Request

from docduck.errors import InputError, TooLarge
from docduck.settings import Settings

_MOST_NESTED = 64
_LARGEST_INTEGER_DIGITS = 64


class BodyTooSlow(InputError):
    """The client stopped sending in the middle of its body."""

    def __init__(self) -> None:
        super().__init__("The request body did not arrive in time")


async def chunks(request: Request, seconds: float) -> AsyncIterator[bytes]:
    """The body as it arrives; raises BodyTooSlow when nothing comes for ``seconds``, ClientDisconnect."""
    stream = aiter(request.stream())
    while True:
        try:
            yield await asyncio.wait_for(anext(stream), seconds)
        except TimeoutError as error:
            raise BodyTooSlow from error
        except StopAsyncIteration:
            return


async def read_body(request: Request, settings: Settings) -> bytes:
    """The whole body, at most ``max_json_bytes``; raises TooLarge, BodyTooSlow."""
    limit = settings.max_json_bytes
    announced = request.headers.get("content-length", "")
    if announced.isdigit() and int(announced) > limit:
        raise TooLarge(f"Request body too large: at most {limit} bytes")
    body = bytearray()
    async for chunk in chunks(request, settings.api_body_seconds):
        body += chunk
        if len(body) > limit:
            raise TooLarge(f"Request body too large: at most {limit} bytes")
    return bytes(body)


def parse_json(text: bytes | str) -> Any:
    """The value of a JSON text (RFC 8259), which can be stored and given back as it is.

    Raises InputError for what is no JSON, no UTF-8, nested deeper than 64, or holds NUL characters,
    lone surrogates, or numbers beyond a double's range.
    """
    try:
        decoded = text.decode("utf-8") if isinstance(text, bytes) else text
    except UnicodeDecodeError as error:
        raise InputError(f"Malformed JSON: it is not UTF-8 at byte {error.start}") from error
    try:
        value = json.loads(decoded, parse_constant=_refuse_constant, parse_int=_integer, parse_float=_float)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise InputError(f"Malformed JSON: {error.msg} at {place}") from error
    except RecursionError as error:
        raise InputError("Malformed JSON: it is nested too deeply") from error
    _check(value, "", 1)
    return value


def _refuse_constant(name: str) -> Any:
    raise InputError(f"Malformed JSON: {name} is no JSON number")


def _integer(digits: str) -> int:
    if len(digits) > _LARGEST_INTEGER_DIGITS:
        raise InputError("Malformed JSON: a number has more digits than can be kept")
    return int(digits)


def _float(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise InputError(f"Malformed JSON: the number {digits[:20]} is too large")
    return number


def _check(value: Any, path: str, depth: int) -> None:
    if isinstance(value, str):
        _check_text(value, path)
    elif isinstance(value, dict | list):
        if depth > _MOST_NESTED:
            raise InputError("Malformed JSON: it is nested too deeply")
        entries = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in entries:
            if isinstance(key, str):
                _check_text(key, path)
            _check(item, f"{path}.{key}" if path else str(key), depth + 1)


def _check_text(text: str, path: str) -> None:
    if "\0" in text:
        raise InputError(f"{path or 'The body'} holds a NUL character, which can't be stored", path or None)
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InputError(
            f"{path or 'The body'} holds half a character (a lone surrogate)", path or None
        ) from error

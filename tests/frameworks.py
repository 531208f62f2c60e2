"""What messages to users must not say: the wording of the libraries that checked their input."""

from __future__ import annotations

import re
from typing import get_args

from pydantic_core import PydanticKnownError, core_schema

_WORDS = (
    *("pydantic", "msgspec", "python", "fastapi", "starlette", "sqlalchemy", "json.decoder", "traceback"),
    *("validation", "dictionary", "nonetype", "utf-8-sig", "decode", "boundary character", "delimiter"),
    *("expecting ", "extra data", "value error", "assertion error", "input should", "unable to parse"),
)
_SHORTEST = 10


def known_error(kind: str) -> PydanticKnownError:
    """One of Pydantic's errors, with some context."""
    context: dict[str, object] = {}
    while True:
        try:
            return PydanticKnownError(kind, context)  # type: ignore[arg-type]
        except TypeError as error:
            name = re.search(r"'(\w+)' ", str(error))
            assert name is not None, error
            context[name[1]] = "x" if name[1] not in context else 1


def error_kinds() -> list[str]:
    """Every kind of error that Pydantic knows."""
    return list(get_args(core_schema.ErrorType))


def wording() -> frozenset[str]:
    """The pieces of Pydantic's messages, and words that only libraries use; in lower case."""
    pieces = (
        piece.strip(" ,.'\"").lower()
        for kind in error_kinds()
        for piece in re.split(r"\{.*?\}", known_error(kind).message_template)
    )
    return frozenset({piece for piece in pieces if len(piece) >= _SHORTEST} | set(_WORDS))


WORDING = wording()


def assert_plain(message: str) -> None:
    """The message is for users."""
    assert message.strip()
    found = [piece for piece in WORDING if piece in message.lower()]
    assert not found, f"{message!r} says {found}"

"""What pools and workers say to each other, as values.

Orders and tasks are pickled: they come from the pool, which the worker trusts. Replies and questions are
MessagePack, decoded into the types named here: a worker may have been taken over by a document.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec
from pydantic import BaseModel

from docduck.workers.channel import BrokenChannel
from docduck.workers.failure import Failure

R = TypeVar("R")


def output_folder(scratch: Path, number: int) -> Path:
    """Return the folder whose files belong to a worker's ``number``th reply, counted from 0."""
    return scratch / f"outputs-{number}"


@dataclass(frozen=True, slots=True)
class Order:
    """What a worker is for: its job, the modules to import before it is ready, and its bounds.

    ``most_seconds`` ends a task that the pool does not end, ``data_bytes`` bounds allocation, and
    ``scratch`` is the folder that it may write to.
    """

    job: Callable[..., Any]
    preload: tuple[str, ...]
    most_seconds: float
    data_bytes: int
    scratch: str


@dataclass(frozen=True, slots=True)
class Task:
    """A task for the worker: the argument of its job, and the seconds that it has at first.

    No other task in the pool has the same ``key``, so no other has the same payload.
    """

    key: str
    argument: Any
    seconds: float
    page_seconds: float

    def packed(self) -> bytes:
        """Return the task as a payload."""
        return pickle.dumps(self, pickle.HIGHEST_PROTOCOL)


@dataclass(frozen=True, slots=True)
class Reply(Generic[R]):
    """The outcome of a task after ``seconds`` in the worker.

    ``exhausted`` says that memory ran out, and that the worker is of no more use.
    """

    result: R | None = None
    failure: Failure | None = None
    exhausted: bool = False
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Question:
    """What a task asks of its pool; the answer bears the same ``number``."""

    number: int
    payload: bytes
    seconds: float


@dataclass(frozen=True, slots=True)
class QuestionAnswer:
    """The answer to a question: ``payload``, or the failure that it ended with."""

    number: int
    payload: bytes = b""
    failure: Failure | None = None


def pack(message: object) -> bytes:
    """Return a message as a payload; raise TypeError for what is no data."""
    return _encoder.encode(message)


def without_surrogates(message: object) -> object:
    """Return a message as dictionaries and lists, with what can't be UTF-8 in its texts replaced."""

    def cleaned(value: Any) -> Any:
        match value:
            case str():
                return value.encode("utf-8", "replace").decode()
            case dict():
                return {cleaned(key): cleaned(item) for key, item in value.items()}
            case list() | tuple():
                return [cleaned(item) for item in value]
        return value

    return cleaned(msgspec.to_builtins(message, builtin_types=(bytes,)))


def reply_decoder(result: Any) -> Callable[[bytes], Reply[Any]]:
    """Return what decodes replies whose result is of the type ``result``.

    It raises BrokenChannel for any other payload.
    """
    return _decoding(msgspec.msgpack.Decoder(Reply[result], dec_hook=_model))


def _decoding(decoder: msgspec.msgpack.Decoder[Any]) -> Callable[[bytes], Any]:
    def decode(payload: bytes) -> Any:
        try:
            return decoder.decode(payload)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise BrokenChannel(str(error)) from error

    return decode


def _fields(value: Any) -> Any:
    """Return what a pydantic model holds."""
    if isinstance(value, BaseModel):
        return value.model_dump()
    raise TypeError(f"{type(value).__name__} is no data")


def _model(kind: Any, value: Any) -> Any:
    """Return a pydantic model with what it holds; raise ValueError for what it can't."""
    return kind.model_validate(value)


_encoder = msgspec.msgpack.Encoder(enc_hook=_fields)
unpack_question: Callable[[bytes], Question] = _decoding(msgspec.msgpack.Decoder(Question))
unpack_answer: Callable[[bytes], QuestionAnswer] = _decoding(msgspec.msgpack.Decoder(QuestionAnswer))
unpack_pages: Callable[[bytes], int] = _decoding(msgspec.msgpack.Decoder(int))

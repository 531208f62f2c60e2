"""Messages between pools and workers.

Orders and tasks are pickled: workers trust the pool. Replies and questions are MessagePack, decoded into the
types in this module: a document may have taken control of a worker.
"""

from __future__ import annotations

import os
import pickle
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Generic, TypeVar

import msgspec
from pydantic import BaseModel

from docduck.errors import WorkerEnded
from docduck.workers.channel import BrokenChannel
from docduck.workers.failure import Failure

R = TypeVar("R")


def output_folder(scratch: Path, number: int) -> Path:
    """Return the output folder of a worker's ``number``th reply, counted from 0."""
    return scratch / f"outputs-{number}"


def open_output(folder: Path | None, name: str) -> BinaryIO:
    """Open a file that a worker has written to its output ``folder``; raise WorkerEnded if there is none.

    A malicious document may control the worker: no link is followed, which may point to any file, and no pipe
    is waited for.
    """
    if folder is None:
        raise WorkerEnded("it has no output")
    try:
        descriptor = os.open(folder / Path(name).name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except (OSError, ValueError) as error:
        raise WorkerEnded("its output can't be opened", str(error)) from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise WorkerEnded("its output is no file")
    return open(descriptor, "rb")  # noqa: PTH123 - there is no path to open


@dataclass(frozen=True, slots=True)
class Order:
    """The first message to a worker: its job, the modules to import, and its limits.

    ``most_seconds`` ends a task that the pool fails to end, ``memory_bytes`` limits allocation, ``scratch``
    is its writable folder.
    """

    job: Callable[..., Any]
    preload: tuple[str, ...]
    most_seconds: float
    memory_bytes: int
    scratch: str


@dataclass(frozen=True, slots=True)
class Task:
    """A task: the argument of the job, and its initial time limit in seconds.

    ``key`` is unique in the pool, and so is the payload.
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

    ``exhausted`` means that memory ran out and the worker must be replaced.
    """

    result: R | None = None
    failure: Failure | None = None
    exhausted: bool = False
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a task to the pool; the answer has the same ``number``."""

    number: int
    payload: bytes
    seconds: float


@dataclass(frozen=True, slots=True)
class QuestionAnswer:
    """The answer to a question: ``payload``, or a failure."""

    number: int
    payload: bytes = b""
    failure: Failure | None = None


def pack(message: object) -> bytes:
    """Return a message as a payload; raise TypeError if it isn't data."""
    return _encoder.encode(message)


def without_surrogates(message: object) -> object:
    """Return a message as dictionaries and lists, replacing what can't be UTF-8."""

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
    """Return a decoder of replies with results of the type ``result``.

    It raises BrokenChannel for other payloads.
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
    """Return the fields of a pydantic model."""
    if isinstance(value, BaseModel):
        return value.model_dump()
    raise TypeError(f"{type(value).__name__} is no data")


def _model(kind: Any, value: Any) -> Any:
    """Return a pydantic model from its fields; raise ValueError if they are invalid."""
    return kind.model_validate(value)


_encoder = msgspec.msgpack.Encoder(enc_hook=_fields)
unpack_question: Callable[[bytes], Question] = _decoding(msgspec.msgpack.Decoder(Question))
unpack_answer: Callable[[bytes], QuestionAnswer] = _decoding(msgspec.msgpack.Decoder(QuestionAnswer))
unpack_pages: Callable[[bytes], int] = _decoding(msgspec.msgpack.Decoder(int))

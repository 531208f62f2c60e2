"""Requests to the endpoint, with time-outs and retries."""

from __future__ import annotations

import json
import random
import re
import threading
import time
from collections.abc import Callable, Collection, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, NoReturn, Self

from docduck.errors import DocduckError, Transient
from docduck.extraction.extractors.model.dialect import Dialect, too_long
from docduck.extraction.extractors.model.endpoint import Post, direct, through
from docduck.extraction.extractors.model.model_context import ModelContext
from docduck.extraction.extractors.model.windows import tokens_of
from docduck.extraction.model_options import ModelOptions
from docduck.extraction.model_usage import ModelUsage
from docduck.outbound.http import HttpResponse

_THOUGHTS = re.compile(r"^.*</think>", re.DOTALL)
_MOST_STARTS = 200

_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 30.0
_PASSING = frozenset({408, 409, 425, 429})
_ANSWER_SHARE, _MOST_ANSWER_TOKENS = 3, 16_384
_MOST_COUNTED = 1 << 40
_known: dict[tuple[str, str], Dialect] = {}

Messages = Callable[[bool], list[dict[str, Any]]]


class NoAnswer(DocduckError):
    """The model returned no usable answer; ``message`` is a clause that says why."""


class Refused(NoAnswer):
    """The model refuses to answer about these pages; it may answer about others."""


class TooMuch(DocduckError):
    """Question or answer are too long for the model; fewer pages may fit."""


@dataclass(frozen=True, slots=True)
class _Reply:
    text: str
    ended: str
    refused: bool


class ModelClient:
    """Sends requests to one model; safe for several threads. ``usage`` is the sum so far."""

    def __init__(self, options: ModelOptions, model_context: ModelContext) -> None:
        self._options = options
        self._deadline = model_context.deadline
        self._ask_pool = model_context.ask
        self._open = ExitStack()
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self.usage = ModelUsage(options.label)

    def __enter__(self) -> Self:
        self._post_body = self._connected()
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    @property
    def answer_tokens(self) -> int:
        """The most tokens that an answer may have."""
        return min(self._options.context_tokens // _ANSWER_SHARE, _MOST_ANSWER_TOKENS)

    def stop(self) -> None:
        """Start no further request."""
        self._stopped.set()

    def ask(self, messages: Messages, schema: Mapping[str, Any], pictures: bool) -> dict[str, Any]:
        """Return the object that the model answers with; it has at least one of the schema's keys.

        ``messages`` makes the messages, with pictures or without. Raise TooMuch if fewer pages
        may fit, NoAnswer if the endpoint fails after all retries, refuses, or time is up.
        """
        place = (f"{self._options.name} {self._options.base_url}", self._options.model)
        dialect = _known.get(place, Dialect())
        failures = 0
        while True:
            pictured = pictures and dialect.pictures
            question = messages(pictured)
            body = dialect.request(self._options.model, question, schema, self.answer_tokens)
            pause = None
            try:
                answer = self._post(body)
            except Transient as error:
                reason = error.message
            else:
                if answer.status == 200:
                    _known[place] = dialect
                    result, reason = self._understood(answer, body, schema)
                    if result is not None:
                        return result
                elif answer.status in _PASSING or answer.status >= 500:
                    reason, pause = f"it answers with status {answer.status}", answer.retry_after
                else:
                    dialect = self._adapted(dialect, answer, pictured)
                    continue
            failures += 1
            if failures > self._options.retries:
                raise NoAnswer(reason)
            self._pause(pause, failures, reason)

    def _connected(self) -> Post:
        if self._ask_pool is not None:
            return through(self._ask_pool, self._options.name)
        post = self._open.enter_context(direct(self._options))
        return lambda body, seconds: post(body, seconds, "")

    def _post(self, body: Mapping[str, Any]) -> HttpResponse:
        left = self._deadline - time.monotonic()
        if left <= 0 or self._stopped.is_set():
            raise NoAnswer("there was no time left for it")
        return self._post_body(body, left)

    def _pause(self, requested: float | None, failures: int, reason: str) -> None:
        pause = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2 ** (failures - 1)) * random.uniform(0.7, 1.3)
        pause = pause if requested is None else requested
        if time.monotonic() + pause >= self._deadline or self._stopped.wait(pause):
            raise NoAnswer(reason)

    def _adapted(self, dialect: Dialect, answer: HttpResponse, pictured: bool) -> Dialect:
        if too_long(answer.status, answer.text):
            raise TooMuch("the pages do not fit its context")
        if answer.status in (401, 403):
            raise NoAnswer(f"it refuses the key with status {answer.status}; set DOCDUCK_MODEL_API_KEY")
        if answer.status == 404 or answer.status < 400:
            raise NoAnswer(
                f"it answers with status {answer.status}; check DOCDUCK_MODEL_BASE_URL and DOCDUCK_MODEL_NAME"
            )
        following = dialect.after(answer.text, pictured)
        if following is None:
            raise NoAnswer(f"it refuses the request with status {answer.status}")
        return following

    def _understood(
        self, answer: HttpResponse, body: Mapping[str, Any], schema: Mapping[str, Any]
    ) -> tuple[dict[str, Any] | None, str]:
        """Return the object, or None and why not."""
        reply = self._reply(answer, body)
        if reply is None:
            return None, "its answer is not one of a chat completion"
        if reply.refused:
            raise Refused("it refused to answer")
        if reply.ended == "length":
            raise TooMuch("its answer was cut off")
        result = find_object(reply.text, schema["properties"].keys())
        return result, "its answer holds no JSON of the form asked for"

    def _reply(self, answer: HttpResponse, body: Mapping[str, Any]) -> _Reply | None:
        try:
            content = json.loads(answer.body)
            choice = content["choices"][0]
            message = choice["message"]
            text = message.get("content") or ""
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            return None
        if isinstance(text, list):
            text = "".join(str(part.get("text", "")) for part in text if isinstance(part, dict))
        ended = str(choice.get("finish_reason"))
        self._count(content.get("usage"), body, str(text))
        return _Reply(str(text), ended, bool(message.get("refusal")) or ended == "content_filter")

    def _count(self, reported: Any, body: Mapping[str, Any], text: str) -> None:
        counts = reported if isinstance(reported, dict) else {}
        requested = sum(tokens_of(str(message["content"])) for message in body["messages"])
        read = _count(counts.get("prompt_tokens"), requested)
        written = _count(counts.get("completion_tokens"), tokens_of(text))
        prices = (self._options.input_price, self._options.output_price)
        with self._lock:
            self.usage = self.usage.plus(read, written, prices)


def _count(reported: Any, estimated: int) -> int:
    return reported if isinstance(reported, int) and 0 <= reported < _MOST_COUNTED else estimated


def find_object(text: str, keys: Collection[str]) -> dict[str, Any] | None:
    """Return the object in ``text`` that has most of ``keys``; None if there is none or it is cut off.

    Numbers that JSON does not know (NaN, Infinity) make an object invalid.
    """
    text = _THOUGHTS.sub("", text, count=1)
    decoder = json.JSONDecoder(parse_constant=_refuse_constant)
    best: dict[str, Any] | None = None
    at = text.find("{")
    for _ in range(_MOST_STARTS):
        if at < 0:
            break
        try:
            parsed, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            if isinstance(parsed, dict) and (best is None or _shared(parsed, keys) > _shared(best, keys)):
                best = parsed
        at = text.find("{", end)
    return best if best is not None and _shared(best, keys) else None


def _shared(parsed: dict[str, Any], keys: Collection[str]) -> int:
    return sum(key in parsed for key in keys)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")

"""Questions to a model, each asked until there is a usable answer or a reason why there is none."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from typing import Any, Self

from docduck.errors import DocduckError
from docduck.extraction.extractors.model.asking.dialect import Dialect
from docduck.extraction.extractors.model.asking.endpoint import Answer, Post, direct, through
from docduck.extraction.extractors.model.asking.refusal import Refusal
from docduck.extraction.extractors.model.asking.reply import Reply, find_object, read_reply
from docduck.extraction.extractors.model.model_context import ModelContext
from docduck.extraction.extractors.model.windows import tokens_of
from docduck.extraction.model_options import ModelOptions
from docduck.extraction.model_usage import ModelUsage
from docduck.outbound.http import HttpResponse

_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 30.0
_ANSWER_SHARE, _MOST_ANSWER_TOKENS = 3, 16_384
_MOST_COUNTED = 1 << 40
_known: dict[tuple[str, str, str], Dialect] = {}

Messages = Callable[[bool], list[dict[str, Any]]]


class NoAnswer(DocduckError):
    """The model returned no usable answer; ``message`` is a clause that says why."""


class Refused(NoAnswer):
    """The model refuses to answer about these pages; it may answer about others."""


class TooMuch(DocduckError):
    """Question or answer are too long for the model; fewer pages may fit."""


class ModelClient:
    """Sends questions to one model; safe for several threads. ``usage`` is the sum so far."""

    def __init__(self, options: ModelOptions, model_context: ModelContext) -> None:
        self._options = options
        self._deadline = model_context.deadline
        self._ask_pool = model_context.ask
        self._open = ExitStack()
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self._place = (f"{options.base_url} {options.name}", options.model, options.preset.title)
        self._start = Dialect.of(options.preset, options.reasoning)
        self._dialect = _known.get(self._place, self._start)
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

        A request is repeated as it was, so that the server has read it before, and only if that may help:
        not after it took too long. A useless answer is asked for once more, in another form.
        """
        dialect, has_adapted, is_second = self._dialect, False, False
        made: dict[bool, list[dict[str, Any]]] = {}
        failures = 0
        while True:
            pictured = pictures and dialect.pictures
            if pictured not in made:
                made[pictured] = messages(pictured)
            asked = dialect.request(self._options.model, made[pictured], schema, self.answer_tokens)
            body = {**asked, **self._options.extra_body}
            answer = self._post(body)
            if answer.response is None:
                reason, may_help, wait = answer.reason, answer.again, None
            elif answer.response.status == 200:
                if has_adapted:
                    _known[self._place] = dialect
                reply = self._reply(answer.response, body)
                if (found := self._object(reply, schema)) is not None:
                    self._dialect = dialect
                    return found
                following = self._following(dialect, reply)
                if following is None or is_second or not self._options.retries:
                    raise NoAnswer(self._useless(reply))
                dialect, is_second = following, True
                continue
            else:
                refusal = Refusal.of(answer.response)
                if refusal.is_lasting or refusal.is_unpaid or refusal.is_too_long:
                    dialect, has_adapted = self._adapted(dialect, refusal, pictured), True
                    continue
                reason, may_help, wait = refusal.reason, True, refusal.wait
            failures += 1
            if failures > self._options.retries or not may_help:
                raise NoAnswer(reason)
            self._pause(wait, failures, reason)

    def _connected(self) -> Post:
        if self._ask_pool is not None:
            return through(self._ask_pool, self._options.name)
        post = self._open.enter_context(direct(self._options))
        return lambda body, seconds: post(body, seconds, "")

    def _post(self, body: Mapping[str, Any]) -> Answer:
        began = time.monotonic()
        left = self._deadline - began
        if left <= 0 or self._stopped.is_set():
            raise NoAnswer("there was no time left for it")
        answer = self._post_body(body, left)
        with self._lock:
            waited = self.usage.seconds + time.monotonic() - began
            self.usage = replace(self.usage, seconds=waited)
        return answer

    def _pause(self, requested: float | None, failures: int, reason: str) -> None:
        pause = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2 ** (failures - 1)) * random.uniform(0.7, 1.3)
        pause = pause if requested is None else requested
        if time.monotonic() + pause >= self._deadline or self._stopped.wait(pause):
            raise NoAnswer(reason)

    def _adapted(self, dialect: Dialect, refusal: Refusal, pictured: bool) -> Dialect:
        """Return the dialect to ask in after a refusal; raise why there is none."""
        if refusal.is_unpaid:
            raise NoAnswer(refusal.reason)
        if refusal.is_of_content:
            raise Refused(refusal.reason)
        if refusal.is_too_long:
            raise TooMuch("the pages do not fit its context")
        if refusal.status in (401, 403):
            raise NoAnswer(f"{refusal.reason}; set {self._options.setting('api_key')}")
        if refusal.status == 404 or refusal.status < 400:
            places = (self._options.setting(key) for key in ("base_url", "model"))
            raise NoAnswer(f"{refusal.reason}; check {' and '.join(places)}")
        following = dialect.after(refusal.text, pictured)
        if following is None and pictured:
            following = replace(self._start, pictures=False)
        if following is None:
            raise NoAnswer(refusal.reason)
        return following

    def _object(self, reply: Reply | None, schema: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the object in a reply; None if there is none, or only thoughts."""
        if reply is None or reply.only_thought:
            return None
        if reply.is_refused:
            raise Refused("it refused to answer")
        if reply.is_cut_off:
            raise TooMuch("its answer was cut off")
        return find_object(reply.answer, schema)

    def _following(self, dialect: Dialect, reply: Reply | None) -> Dialect | None:
        """Return how to ask once more for an answer that was useless."""
        if reply is None:
            return dialect
        return dialect.without_thinking(self._options.preset) if reply.only_thought else dialect.looser()

    def _useless(self, reply: Reply | None) -> str:
        """Return a clause that says why a reply is no answer."""
        if reply is None:
            return "its answer is not one of a chat completion"
        if reply.only_thought:
            setting = self._options.setting("reasoning")
            return f"its thinking used up all that it may write; see {setting}"
        return "its answer holds no JSON of the form asked for"

    def _reply(self, response: HttpResponse, body: Mapping[str, Any]) -> Reply | None:
        """Return the reply in a response, and count its tokens."""
        reply = read_reply(response)
        if reply is None:
            return None
        requested = sum(tokens_of(str(message["content"])) for message in body["messages"])
        read = _count(reply.usage.get("prompt_tokens"), requested)
        written = _count(reply.usage.get("completion_tokens"), tokens_of(reply.written))
        prices = (self._options.input_price, self._options.output_price)
        with self._lock:
            self.usage = self.usage.plus(read, written, prices)
        return reply


def _count(reported: Any, estimated: int) -> int:
    return reported if isinstance(reported, int) and 0 <= reported < _MOST_COUNTED else estimated

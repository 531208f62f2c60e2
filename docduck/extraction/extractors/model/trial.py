"""What a model can do, tried with a few short requests."""

from __future__ import annotations

import base64
import io
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from PIL import Image, ImageDraw

from docduck.errors import DocduckError, InputError, Transient
from docduck.extraction.extractors.model.asking.dialect import Dialect
from docduck.extraction.extractors.model.asking.endpoint import PostFor, direct
from docduck.extraction.extractors.model.asking.refusal import Refusal
from docduck.extraction.extractors.model.asking.reply import find_object, read_reply
from docduck.extraction.model_options import ModelOptions

_ANSWER_TOKENS = 200

_NUMBER, _TOTAL = "RE-2024-0417", "1,284.50"
_ROWS = "\n".join(
    f"{row}  Rope, {row * 5} mm, by the metre  {row * 3}  {row * 12}.00" for row in range(1, 16)
)
_INVOICE = f"""Northwind Trading Ltd
14 Harbour Street, Bristol

Invoice no. {_NUMBER}
Date of invoice 17 April 2024
Customer Lighthouse Supplies

Position  Description            Quantity  Amount
{_ROWS}
Total amount due  {_TOTAL}
"""
_PROPERTIES = {"invoice_number": {"type": "string"}, "total": {"type": "number"}}
_SCHEMA = {
    "type": "object",
    "properties": _PROPERTIES,
    "required": [*_PROPERTIES],
    "additionalProperties": False,
}
_QUESTION = "Return the invoice number and the total amount due of this document as JSON.\n\n" + _INVOICE
_PRINTED = "7254"


@dataclass(frozen=True, slots=True)
class Trial:
    """What a model can do.

    ``form`` is the strictest form of answer that the endpoint takes: ``json_schema``, ``json_object`` or
    ``text``. ``is_right`` is whether two values of a short invoice were read, ``takes_pictures`` whether a
    number was read from a picture. Speeds are in tokens a second, None where the endpoint reports no figures.
    """

    model: str
    first_seconds: float
    form: str
    is_right: bool
    takes_pictures: bool
    read_per_second: float | None
    written_per_second: float | None
    context_tokens: int


@dataclass(frozen=True, slots=True)
class _Answer:
    text: str
    seconds: float
    dialect: Dialect
    reported: Mapping[str, Any]

    def count(self, name: str) -> int | None:
        usage = self.reported.get("usage")
        value = usage.get(name) if isinstance(usage, dict) else None
        return value if isinstance(value, int) else None

    def timing(self, name: str) -> float | None:
        """Return a figure that llama.cpp reports."""
        timings = self.reported.get("timings")
        value = timings.get(name) if isinstance(timings, dict) else None
        return float(value) if isinstance(value, int | float) else None


def try_model(options: ModelOptions) -> Trial:
    """Ask a model a few short questions; raise DocduckError if it doesn't answer."""
    with direct(options) as post:
        asking = _Asking(post, options)
        first = asking.ask("Say OK.", 4)
        short = asking.ask(_QUESTION, 1)
        whole = asking.ask(_QUESTION, _ANSWER_TOKENS)
        try:
            picture = asking.ask([{"type": "text", "text": "Which number is printed here?"}, _picture()], 16)
        except InputError:
            picture = None
    found = find_object(whole.text, _SCHEMA) or {}
    return Trial(
        options.model,
        first.seconds,
        whole.dialect.form,
        found.get("invoice_number") == _NUMBER and _is_total(found.get("total")),
        picture is not None and _PRINTED in picture.text,
        short.timing("prompt_per_second") or _per_second(short.count("prompt_tokens"), short.seconds),
        whole.timing("predicted_per_second")
        or _per_second(whole.count("completion_tokens"), whole.seconds - short.seconds),
        options.context_tokens,
    )


class _Asking:
    def __init__(self, post: PostFor, options: ModelOptions) -> None:
        self._post, self._options = post, options
        self._dialect = Dialect.of(options.preset, options.reasoning)

    def ask(self, content: Any, most_tokens: int) -> _Answer:
        """Return the answer to a question, asked in the strictest form that the endpoint takes.

        Raise InputError if it refuses all forms.
        """
        pictured = not isinstance(content, str)
        dialect = self._dialect
        while True:
            messages = [{"role": "user", "content": content}]
            body = dialect.request(self._options.model, messages, _SCHEMA, most_tokens)
            began = time.monotonic()
            answer = self._post({**body, **self._options.extra_body}, self._options.seconds, "")
            seconds = time.monotonic() - began
            if answer.response is None:
                raise Transient(f"The model does not answer: {answer.reason}")
            if answer.response.status == 200:
                break
            refusal = Refusal.of(answer.response)
            following = dialect.after(refusal.text, pictured) if refusal.is_lasting else None
            if following is None or (pictured and not following.pictures):
                raise InputError(f"The model can't be used: {refusal.reason}")
            dialect = following
        self._dialect = dialect
        reply = read_reply(answer.response)
        if reply is None:
            raise DocduckError("The endpoint answers, but not as the chat completion API does")
        return _Answer(reply.answer, seconds, dialect, json.loads(answer.response.body))


def _picture() -> dict[str, Any]:
    image = Image.new("RGB", (320, 120), "white")
    ImageDraw.Draw(image).text((60, 30), _PRINTED, "black", font_size=60)
    target = io.BytesIO()
    image.save(target, "PNG")
    data = base64.b64encode(target.getvalue()).decode("ascii")
    return {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}}


def _is_total(value: Any) -> bool:
    return isinstance(value, int | float) and abs(value - float(_TOTAL.replace(",", ""))) < 0.005


def _per_second(tokens: int | None, seconds: float) -> float | None:
    return None if not tokens or seconds <= 0 else tokens / seconds

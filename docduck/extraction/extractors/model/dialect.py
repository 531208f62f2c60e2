"""The part of the API that an endpoint supports, learned from the requests that it refuses."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

Form = Literal["json_schema", "json_object", "text"]
_NEXT: dict[Form, Form] = {"json_schema": "json_object", "json_object": "text"}
_TOO_LONG = re.compile(
    r"context.{0,40}(?:length|window|size|limit)|(?:maximum|too many|exceed\w*).{0,40}tokens"
    r"|prompt.{0,20}too long",
    re.IGNORECASE | re.DOTALL,
)
_PICTURES = re.compile(r"image|vision|multimodal|content.{0,40}string", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Dialect:
    """What an endpoint supports: the strictest ``form`` of answer, pictures and a temperature.

    ``limit`` is its parameter for the most tokens to write.
    """

    form: Form = "json_schema"
    pictures: bool = True
    temperature: bool = True
    limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"

    def request(
        self, model: str, messages: list[dict[str, Any]], schema: Mapping[str, Any], most_tokens: int
    ) -> dict[str, Any]:
        """Return the body of a chat completion request."""
        body: dict[str, Any] = {"model": model, "messages": messages, self.limit: most_tokens}
        if self.temperature:
            body["temperature"] = 0
        if self.form == "json_schema":
            named = {"name": "document", "strict": True, "schema": schema}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        elif self.form == "json_object":
            body["response_format"] = {"type": "json_object"}
        return body

    def after(self, refusal: str, pictured: bool) -> Dialect | None:
        """Return the dialect to try after a refusal with this text; None if all were tried."""
        if "max_completion_tokens" in refusal and self.limit == "max_tokens":
            return replace(self, limit="max_completion_tokens")
        if "temperature" in refusal and self.temperature:
            return replace(self, temperature=False)
        if pictured and _PICTURES.search(refusal):
            return replace(self, pictures=False)
        if self.form in _NEXT:
            return replace(self, form=_NEXT[self.form])
        return replace(self, pictures=False, form="json_schema") if pictured else None


def too_long(status: int, refusal: str) -> bool:
    """Whether a request was refused because it does not fit the model's context."""
    return status == 413 or bool(_TOO_LONG.search(refusal))

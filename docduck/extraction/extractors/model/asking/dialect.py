"""The part of the API that an endpoint supports: what is known of its server, less what it refused."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from docduck.extraction.model_presets import FORMS, Form, Limit, Parameters, Preset, Reasoning

_PICTURES = re.compile(r"image|\bvision|multi-?modal|mmproj|content.{0,40}string", re.IGNORECASE | re.DOTALL)
_THINKING = re.compile(r"reasoning|thinking|chat_template", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Dialect:
    """What an endpoint supports: forms of answers, the strictest first, pictures and a temperature.

    ``limit`` is its parameter for the most tokens to write, ``thinking`` are those for the effort of
    reasoning; None if it takes none.
    """

    forms: tuple[Form, ...] = FORMS
    pictures: bool = True
    temperature: bool = True
    limit: Limit = "max_tokens"
    thinking: Parameters | None = None

    @staticmethod
    def of(preset: Preset, reasoning: Reasoning = "default") -> Dialect:
        """Return what the server of ``preset`` is taken to support, asked to think that much."""
        return Dialect(preset.forms, limit=preset.limit, thinking=preset.reasoning.get(reasoning, {}))

    @property
    def form(self) -> Form:
        """The form of the next answer."""
        return self.forms[0]

    def request(
        self, model: str, messages: list[dict[str, Any]], schema: Mapping[str, Any], most_tokens: int
    ) -> dict[str, Any]:
        """Return the body of a chat completion request."""
        body: dict[str, Any] = {"model": model, "messages": messages, self.limit: most_tokens}
        body |= self.thinking or {}
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
        if self.thinking and _THINKING.search(refusal):
            return replace(self, thinking=None)
        if pictured and _PICTURES.search(refusal):
            return replace(self, pictures=False)
        return self.looser()

    def looser(self) -> Dialect | None:
        """Return the dialect with the next form of answers; None after the last."""
        return replace(self, forms=self.forms[1:]) if len(self.forms) > 1 else None

    def without_thinking(self, preset: Preset) -> Dialect | None:
        """Return the dialect that asks for no reasoning; None if it can't, or does already."""
        off = preset.reasoning.get("none")
        return (
            None if self.thinking is None or not off or self.thinking == off else replace(self, thinking=off)
        )

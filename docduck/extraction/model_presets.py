"""The servers of language models that docduck knows: their addresses, and what of OpenAI's API each takes.

A server that is none of them is asked as OpenAI documents its API; what it refuses is left out from then on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import urlsplit

Form = Literal["json_schema", "json_object", "text"]
"""The ``response_format`` of an answer, the strictest first; ``text`` sends none."""
FORMS: tuple[Form, ...] = ("json_schema", "json_object", "text")

Limit = Literal["max_tokens", "max_completion_tokens"]
"""The parameter for the most tokens to write."""

Reasoning = Literal["default", "none", "low", "medium", "high"]
"""How much a model thinks before it answers; ``default`` leaves it to the server."""

Parameters = Mapping[str, Any]

_EFFORTS: Mapping[Reasoning, Parameters] = {
    "none": {"reasoning_effort": "none"},
    "low": {"reasoning_effort": "low"},
    "medium": {"reasoning_effort": "medium"},
    "high": {"reasoning_effort": "high"},
}
_OF_TEMPLATE: Mapping[Reasoning, Parameters] = {
    "none": {"chat_template_kwargs": {"enable_thinking": False}},
    "low": {"chat_template_kwargs": {"enable_thinking": True}, "reasoning_effort": "low"},
    "medium": {"chat_template_kwargs": {"enable_thinking": True}, "reasoning_effort": "medium"},
    "high": {"chat_template_kwargs": {"enable_thinking": True}, "reasoning_effort": "high"},
}
"""The chat templates of open models have a switch."""

_BUDGETS: Mapping[Reasoning, Parameters] = {
    "none": {"thinking": {"type": "disabled"}},
    "low": {"thinking": {"type": "enabled", "budget_tokens": 1024}},
    "medium": {"thinking": {"type": "enabled", "budget_tokens": 4096}},
    "high": {"thinking": {"type": "enabled", "budget_tokens": 8192}},
}


@dataclass(frozen=True, slots=True)
class Preset:
    """How a server is asked.

    ``base_url`` is its usual address, None if everybody has their own; ``places`` are ends of addresses
    (host, or host and port) by which it is recognised. ``forms`` are those that it takes. ``key_header`` is
    the header for the API key. ``reasoning`` are the parameters for each effort.
    ``picture_width`` is that of a page's picture, in pixels, at which it costs least and is still read.
    """

    title: str
    base_url: str | None = None
    places: tuple[str, ...] = ()
    forms: tuple[Form, ...] = FORMS
    limit: Limit = "max_tokens"
    key_header: Literal["Authorization", "api-key"] = "Authorization"
    reasoning: Mapping[Reasoning, Parameters] = field(default_factory=lambda: _EFFORTS)
    picture_width: int = 1200


OTHER = Preset("OpenAI-compatible")

PRESETS: Mapping[str, Preset] = {
    "ollama": Preset("Ollama", "http://127.0.0.1:11434/v1", (":11434",)),
    "lmstudio": Preset("LM Studio", "http://127.0.0.1:1234/v1", (":1234",), forms=("json_schema", "text")),
    "llamacpp": Preset("llama.cpp", "http://127.0.0.1:8080/v1", reasoning=_OF_TEMPLATE),
    "vllm": Preset("vLLM", "http://127.0.0.1:8000/v1", reasoning=_OF_TEMPLATE),
    "openai": Preset(
        "OpenAI",
        "https://api.openai.com/v1",
        ("api.openai.com",),
        limit="max_completion_tokens",
        picture_width=768,
    ),
    # Its compatible address ignores response_format.
    "anthropic": Preset(
        "Anthropic",
        "https://api.anthropic.com/v1",
        ("api.anthropic.com",),
        forms=("text",),
        reasoning=_BUDGETS,
        picture_width=900,
    ),
    "azure": Preset(
        "Azure OpenAI",
        None,
        (".openai.azure.com", ".cognitiveservices.azure.com", ".services.ai.azure.com"),
        limit="max_completion_tokens",
        key_header="api-key",
        picture_width=768,
    ),
    "gemini": Preset(
        "Gemini",
        "https://generativelanguage.googleapis.com/v1beta/openai",
        ("generativelanguage.googleapis.com",),
        picture_width=768,
    ),
    "mistral": Preset("Mistral", "https://api.mistral.ai/v1", ("api.mistral.ai",), picture_width=1000),
}
"""By the name that settings have for them."""


def preset_at(base_url: str) -> Preset:
    """Return the preset of an address, ``OTHER`` if it is that of none."""
    place = urlsplit(base_url).netloc.rpartition("@")[2].casefold()
    return next((preset for preset in PRESETS.values() if place.endswith(preset.places)), OTHER)

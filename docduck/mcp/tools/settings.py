"""What can be set: the properties that other tools take as ``settings``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel, Field

from docduck.api.schemas.base import ResponseModel
from docduck.api.schemas.fields import FieldInput
from docduck.errors import InputError
from docduck.mcp.schemas import properties_of
from docduck.mcp.tool import READ, Tool, tool
from docduck.mcp.views import WHOLE

_DEPTH = 4


class SettingsOf(ResponseModel):
    """The properties of a topic."""

    topic: str
    properties: dict[str, Any] = Field(description="Their JSON schemas, by name")


def describe_settings(tools: Iterable[Tool]) -> Tool:
    """Return the tool that describes the settings of ``tools``, and what fields are made of."""
    topics: dict[str, type[BaseModel]] = {"field": FieldInput}
    for settings in filter(None, (each.settings for each in tools)):
        topics.setdefault(*settings)

    @tool("describe_settings", "Describe settings", "documents:read", READ, WHOLE)
    def describe(topic: str) -> SettingsOf:
        """Return the JSON schemas of what goes into settings, fields and filters of other tools."""
        if topic not in topics:
            raise InputError(f"There is no topic '{topic[:100]}'. Topics: {', '.join(topics)}", "topic")
        return SettingsOf(topic=topic, properties=properties_of(topics[topic], depth=_DEPTH)["properties"])

    return describe

"""Arguments of any shape: a result or an error with a message, never a defect."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from docduck.mcp.tools import TOOLS
from tests.conftest import MakeInstallation
from tests.mcp.served import Agent, serving_mcp
from tests.mcp.world import ARGUMENTS, World, make_world

_TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=40)
_LEAVES = st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.floats(allow_nan=False) | _TEXTS
_VALUES = st.recursive(
    _LEAVES.filter(lambda one: one not in (float("inf"), float("-inf"))),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXTS, inner, max_size=3),
    max_leaves=8,
)


@st.composite
def _calls(draw: st.DrawFn) -> tuple[str, dict[str, Any], bool]:
    """A tool, some wrong arguments, and whether right ones are beside them."""
    tool = draw(st.sampled_from(TOOLS))
    names = sorted(tool.input_schema["properties"])
    wrong = draw(st.dictionaries(st.sampled_from(names or ["x"]) | _TEXTS, _VALUES, min_size=1, max_size=3))
    return tool.name, wrong, draw(st.booleans())


@pytest.fixture
def world(make_installation: MakeInstallation) -> Any:
    """A served world."""
    with serving_mcp(make_installation(rate_limit_minute=0, rate_limit_day=0)) as agent:
        yield agent, make_world(agent)


@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(call=_calls())
def test_wrong_arguments_are_errors_with_a_message(
    world: tuple[Agent, World], call: tuple[str, dict[str, Any], bool]
) -> None:
    agent, made = world
    name, wrong, beside = call
    arguments = {**(ARGUMENTS[name](made) if beside else {}), **wrong}
    arguments.pop("waitSeconds", None)
    answer = agent.ask("tools/call", name=name, arguments=arguments)
    assert answer.status_code == 200, answer.text
    result = answer.json()["result"]
    if result.get("isError"):
        text = result["content"][0]["text"]
        assert text
        assert "Internal server error" not in text, (name, arguments)

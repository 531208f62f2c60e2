"""What ``docduck status`` says of plugins."""

from __future__ import annotations

from tests.cli.conftest import Docduck
from tests.made_plugins import MakePlugin, make_plugin

__all__ = ["make_plugin"]


def test_broken_plugins_are_listed(docduck: Docduck, make_plugin: MakePlugin) -> None:
    assert docduck("status", "--json").json["problems"] == []
    make_plugin("exports", "ledger", "import not_there")
    problem = (
        "The plugin ledger (exports) of the package made-plugin 1.0 can't be loaded: "
        "ModuleNotFoundError: No module named 'not_there'"
    )
    assert docduck("status", "--json").json["problems"] == [problem]
    assert problem in " ".join(docduck("status").out.split())

"""Entry points: found in order, loaded when needed; broken ones are named and disturb nothing."""

from __future__ import annotations

import subprocess
import sys

import pytest

from docduck import plugins
from docduck.plugins import BrokenPlugin
from tests.made_plugins import MakePlugin, make_plugin

__all__ = ["make_plugin"]

_FINDER = "class added:\n    def find(self, document, queries, options): ...\n"


def test_docducks_own_domain_is_found_by_its_entry_point() -> None:
    (own,) = plugins.plugins("extractors")
    assert (own.name, own.package) == ("legal_filings", "docduck")
    assert type(own.load()).__name__ == "LegalFilingsExtractor"


def test_plugins_are_ordered_by_name_and_then_by_package(make_plugin: MakePlugin) -> None:
    for package, name in (("b-package", "two"), ("a-package", "two"), ("b-package", "one")):
        make_plugin("extractors", name, _FINDER, package)
    found = [(plugin.name, plugin.package) for plugin in plugins.plugins("extractors")]
    assert found == [
        ("legal_filings", "docduck"),
        ("one", "b-package"),
        ("two", "a-package"),
        ("two", "b-package"),
    ]


def test_listing_plugins_imports_none_of_them(make_plugin: MakePlugin) -> None:
    make_plugin("extractors", "late", "raise RuntimeError('imported')")
    assert [plugin.name for plugin in plugins.plugins("extractors")] == ["late", "legal_filings"]


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        ("import not_there", "ModuleNotFoundError: No module named 'not_there'"),
        ("other = 1", "AttributeError: module 'made_plugin_bad' has no attribute 'added'"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("class added:\n    def __init__(self, needed): ...", "missing 1 required positional argument"),
        ("class added: ...", "TypeError: it has no find"),
    ],
)
def test_a_broken_plugin_is_named_and_logged_once(
    make_plugin: MakePlugin, caplog: pytest.LogCaptureFixture, code: str, problem: str
) -> None:
    make_plugin("extractors", "bad", code)
    plugin = plugins.plugins("extractors")[0]
    for _ in range(2):
        with pytest.raises(BrokenPlugin) as caught:
            plugin.load()
        assert caught.value.message.startswith(
            "The plugin bad (extractors) of the package made-plugin 1.0 can't be loaded: "
        )
        assert problem in caught.value.message
    assert plugins.broken() == [caught.value.message]
    assert plugins.broken("extractors") == [caught.value.message]
    assert plugins.broken("readers") == []
    assert [record.getMessage() for record in caplog.records] == [caught.value.message]


def test_looking_for_plugins_imports_neither_readers_nor_extractors() -> None:
    code = (
        "import sys; from docduck.plugins import broken; broken(); print('docduck.extraction' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"

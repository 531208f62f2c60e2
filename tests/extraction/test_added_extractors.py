"""Extractors of other packages: asked before the general ones; their errors name them."""

from __future__ import annotations

import pytest

from docduck.documents.document import Document
from docduck.errors import PluginFailed
from docduck.extraction.run_extractors import extract_document
from docduck.fields import Field
from tests.extraction.extractors.prose.prose_documents import FILLER, written
from tests.made_plugins import MakePlugin, make_plugin

__all__ = ["make_plugin"]

FIELDS = (Field(name="Governing Law"), Field(name="Mood"))
_EXTRACTOR = """
from docduck.extraction.extractor import Findings
from docduck.extraction.result import Finding

class added:
    def find(self, document, queries, options):
        return {result}
"""
_GOOD = "Findings({query.name: Finding('good', 0.8) for query in queries if query.name == 'Mood'})"


@pytest.fixture
def contract() -> Document:
    return written(f"This agreement is governed by the laws of Norway.\n\n{FILLER}")


def test_it_answers_fields_that_nothing_exact_has(make_plugin: MakePlugin, contract: Document) -> None:
    assert extract_document(contract, FIELDS).data == {"Governing Law": "Norway", "Mood": None}
    make_plugin("extractors", "mood", _EXTRACTOR.format(result=_GOOD))
    assert extract_document(contract, FIELDS).data == {"Governing Law": "Norway", "Mood": "good"}


def test_it_comes_before_the_general_extractors(make_plugin: MakePlugin, contract: Document) -> None:
    every = "Findings({query.name: Finding('x', 0.8) for query in queries})"
    make_plugin("extractors", "all", _EXTRACTOR.format(result=every))
    assert extract_document(contract, FIELDS).data == {"Governing Law": "x", "Mood": "x"}


@pytest.mark.parametrize(
    ("result", "problem"),
    [("1 / 0", "failed: ZeroDivisionError: division by zero"), ("{}", "returned dict instead of Findings")],
)
def test_its_error_is_the_documents(
    make_plugin: MakePlugin, contract: Document, result: str, problem: str
) -> None:
    make_plugin("extractors", "mood", _EXTRACTOR.format(result=result))
    with pytest.raises(PluginFailed) as caught:
        extract_document(contract, FIELDS)
    assert caught.value.message == f"The plugin mood (extractors) of the package made-plugin 1.0 {problem}"


def test_documents_are_read_without_a_broken_one_and_say_so(
    make_plugin: MakePlugin, contract: Document
) -> None:
    make_plugin("extractors", "mood", "import not_there")
    extraction = extract_document(contract, FIELDS)
    assert extraction.data["Governing Law"] == "Norway"
    assert extraction.warnings == [
        "The plugin mood (extractors) of the package made-plugin 1.0 can't be loaded: "
        "ModuleNotFoundError: No module named 'not_there'"
    ]

"""Learning from corrections, measured on synthetic senders like ``docduck evaluate``."""

from __future__ import annotations

from pathlib import Path

import pytest

from docduck.errors import InputError
from docduck.evaluation.cases import find_cases
from docduck.evaluation.learning import learn, split_cases
from docduck.evaluation.run import run
from docduck.settings import Settings
from tests.evaluation.conftest import MakeCase
from tests.extraction.extractors.learned.sender_documents import SENDERS, write_cases

COUNT = 11


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("papers")
    write_cases(folder, COUNT)
    return folder


@pytest.mark.slow
def test_one_correction_improves_other_documents_of_a_sender(papers: Path) -> None:
    corrected, others = split_cases(find_cases(papers), 1)
    settings = Settings(workers=2)
    untaught = run(others, settings)
    taught = run(others, settings, layouts=learn(corrected, settings))
    for sender in SENDERS:
        before, after = untaught.suites[sender.name], taught.suites[sender.name]
        assert before.documents == after.documents == COUNT - 1
        assert before.total.f1 < 0.96, "nothing is left to learn here"
        assert after.total.f1 >= 0.98, {name: field.f1 for name, field in after.fields.items()}


def test_layouts_are_learned_from_first_documents_of_each_suite(make_case: MakeCase, tmp_path: Path) -> None:
    for name in ("b", "a", "c"):
        make_case(name)
        make_case(name, suite="other")
    first, others = split_cases(find_cases(tmp_path / "cases"), 2)
    assert [(case.suite, case.name) for case in first] == [
        ("other", "a"),
        ("other", "b"),
        ("plain", "a"),
        ("plain", "b"),
    ]
    assert [(case.suite, case.name) for case in others] == [("other", "c"), ("plain", "c")]
    with pytest.raises(InputError, match="Suite other has 3 documents"):
        split_cases(find_cases(tmp_path / "cases"), 3)


def test_nothing_is_learned_from_unreadable_document(make_case: MakeCase, tmp_path: Path) -> None:
    (make_case("a") / "letter.txt").write_text("")
    make_case("b")
    learned_layouts = learn(find_cases(tmp_path / "cases"), Settings(workers=1))
    assert [len(some) for some in learned_layouts.values()] == [1]

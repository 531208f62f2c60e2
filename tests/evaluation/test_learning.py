"""Learning from corrections, measured on synthetic senders like ``docduck evaluate``."""

from __future__ import annotations

from pathlib import Path

import pytest

from docduck.errors import InputError
from docduck.evaluation.cases import find_cases
from docduck.evaluation.comparison import Comparison, Grade
from docduck.evaluation.learning import LessonScore, learn, lesson_scores, split_cases
from docduck.evaluation.run import CaseReport, Evaluation, run
from docduck.evaluation.score import SuiteScore
from docduck.fields import FieldType
from docduck.settings import Settings
from tests.evaluation.conftest import MakeCase
from tests.extraction.extractors.learned.sender_documents import SENDERS, write_cases
from tools.training.sender_cases import write_cases as write_sender_cases

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
        assert before.total.f1 < 0.985, "nothing is left to learn here"
        assert after.total.f1 >= 0.98, {name: field.f1 for name, field in after.fields.items()}
    for score in lesson_scores(untaught, taught).values():
        assert (score.broken, score.share) == (0, 0.0) and score.mended >= 5


@pytest.mark.slow
def test_lessons_break_nothing_of_senders_with_parts_in_common(tmp_path: Path) -> None:
    write_sender_cases(tmp_path, (7002, 7009), 4)
    corrected, others = split_cases(find_cases(tmp_path), 1)
    settings = Settings(workers=2)
    layouts = learn(corrected, settings)
    assert any(layout.teaches for some in layouts.values() for layout in some)
    scores = lesson_scores(run(others, settings), run(others, settings, layouts=layouts))
    broken = sum(score.broken for score in scores.values())
    values = sum(score.values for score in scores.values())
    assert broken <= values / 200
    assert {suite.rpartition("-")[0] for suite, score in scores.items() if score.mended} == {"one-sender"}


def test_lessons_are_counted_by_what_they_mend_and_break() -> None:
    def evaluation(*grades: tuple[Grade, str | None]) -> Evaluation:
        comparisons = [
            Comparison("Number", None, FieldType.TEXT, grade, truth, "?") for grade, truth in grades
        ]
        ran = Evaluation(suites={"plain": SuiteScore()})
        ran.add(CaseReport("plain", "a", Path("a.pdf"), comparisons, [], None, 0.1))
        return ran

    right, wrong, invented = (Grade.RIGHT, "1"), (Grade.WRONG, "2"), (Grade.INVENTED, None)
    scores = lesson_scores(
        evaluation(right, wrong), evaluation((Grade.MISSING, "1"), (Grade.RIGHT, "2"), invented)
    )
    assert scores == {"plain": LessonScore(values=2, broken=2, mended=1)}
    assert LessonScore().share == 0.0


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

"""``docduck evaluate``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from docduck.cli.output import JsonOption, print_json, progress, say
from docduck.cli.tables import print_table
from docduck.evaluation.calibration import calibrate
from docduck.evaluation.cases import find_cases
from docduck.evaluation.learning import LessonScore, learn, lesson_scores, split_cases
from docduck.evaluation.report import write_report
from docduck.evaluation.run import Evaluation, run
from docduck.evaluation.run_history import RunComparison, compare_runs, load_run, run_as_json
from docduck.evaluation.score import FieldScore
from docduck.extraction.options import Mode
from docduck.settings import settings


def evaluate(
    cases: Annotated[
        Path,
        typer.Argument(metavar="CASES", help="Folder of <suite>/<case>/{document, schema.json, truth.json}."),
    ],
    predictions: Annotated[
        Path | None,
        typer.Option("--predictions", metavar="DIR", help="Write <suite>/<case>.json into it."),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(
            "--report", metavar="DIR", help="Write a report with counts, calibration and pictures into it."
        ),
    ] = None,
    against: Annotated[
        Path | None,
        typer.Option("--against", metavar="RUN", help="Compare with an earlier run's report."),
    ] = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", min=1, help="Worker processes.", show_default="DOCDUCK_WORKERS")
    ] = None,
    suite: Annotated[
        list[str] | None,
        typer.Option("--suite", metavar="NAME", help="Only this suite; may be repeated."),
    ] = None,
    mode: Annotated[Mode, typer.Option("--mode", help="How thoroughly to read.")] = "balanced",
    learn_from: Annotated[
        int,
        typer.Option(
            "--learn",
            min=0,
            metavar="N",
            help="Correct the first N documents of each suite, evaluate the others with the result, and tell "
            "which values that mends and breaks.",
        ),
    ] = 0,
    json: JsonOption = False,
) -> None:
    """Read documents with known values, and print the accuracy of each field."""
    all_cases = find_cases(cases, suite)
    earlier = load_run(against) if against is not None else None
    layouts, untaught = None, None
    if learn_from:
        corrected, all_cases = split_cases(all_cases, learn_from)
        layouts = learn(corrected, settings(), mode=mode, jobs=jobs)
        with progress("Evaluating without what was learned", len(all_cases)) as advance:
            untaught = run(all_cases, settings(), mode=mode, jobs=jobs, on_progress=advance)
    with progress("Evaluating", len(all_cases)) as advance:
        evaluation = run(
            all_cases,
            settings(),
            mode=mode,
            jobs=jobs,
            predictions=predictions,
            pictures=report is not None,
            layouts=layouts,
            on_progress=advance,
        )
    lessons = lesson_scores(untaught, evaluation) if untaught is not None else {}
    comparison = compare_runs(earlier, run_as_json(evaluation)) if earlier is not None else None
    page = write_report(report, evaluation, comparison) if report is not None else None
    if json:
        suites = run_as_json(evaluation)["suites"]
        for name, score in lessons.items():
            suites[name]["lessons"] = asdict(score)
        print_json(suites)
        return
    _print(evaluation)
    if lessons:
        _print_lessons(lessons)
    if comparison is not None:
        _print_comparison(comparison)
    if page is not None:
        say(f"The report is {page}")


def _print(evaluation: Evaluation) -> None:
    for name, score in evaluation.suites.items():
        error = calibrate(
            comparison for case in evaluation.cases if case.suite == name for comparison in case.comparisons
        ).error
        print_table(
            ["Field", "Values", "Right", "Missing", "Wrong", "Invented", "F1"],
            [_row(field, counts) for field, counts in [*score.fields.items(), ("all", score.total)]],
            f"{name}: {score.documents} documents, {score.perfect} all right, {score.failed} not readable, "
            f"{score.seconds:.1f} s, calibration error {error:.3f}",
        )
    say(str(evaluation.checks))


def _print_lessons(lessons: Mapping[str, LessonScore]) -> None:
    whole = LessonScore()
    for score in lessons.values():
        whole.values += score.values
        whole.broken += score.broken
        whole.mended += score.mended
    print_table(
        ["Suite", "Values", "Mended", "Broken", "Share broken"],
        [
            (name, score.values, score.mended, score.broken, f"{score.share:.2%}")
            for name, score in [*lessons.items(), ("all", whole)]
        ],
        "What the lessons mend and break",
    )


def _print_comparison(comparison: RunComparison) -> None:
    lost = [change for change in comparison.values if not change.better]
    say(f"Compared to the earlier run: {len(comparison.values) - len(lost)} values better, {len(lost)} worse")
    if lost:
        rows = [(change.case, change.field, change.truth, change.found) for change in lost]
        print_table(["Document", "Field", "Expected", "Found"], rows, "Worse")


def _row(field: str, counts: FieldScore) -> tuple[Any, ...]:
    right = f"{counts.share:.1%}" if counts.values else ""
    return field, counts.values, right, counts.missing, counts.wrong, counts.invented, f"{counts.f1:.3f}"

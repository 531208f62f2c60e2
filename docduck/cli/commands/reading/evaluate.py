"""``docduck evaluate``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from docduck.cli.options.modes import ModelOption, check_model
from docduck.cli.output import JsonOption, print_json, progress, say
from docduck.cli.tables import print_table
from docduck.errors import InputError
from docduck.evaluation.calibration import calibrate
from docduck.evaluation.cases import Case, find_cases
from docduck.evaluation.folds import run_folds
from docduck.evaluation.learning import LessonScore, learn, lesson_scores, split_cases
from docduck.evaluation.report import write_report
from docduck.evaluation.run import Evaluation, run
from docduck.evaluation.run_history import RunComparison, compare_runs, load_run, run_as_json
from docduck.evaluation.score import FieldScore
from docduck.extraction.model_usage import ModelUsage
from docduck.extraction.models import read_models
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
    model: ModelOption = None,
    compare: Annotated[
        Mode | None,
        typer.Option(
            "--compare",
            help="Read the documents in this mode, too, and show accuracy, seconds, tokens and cost of both.",
        ),
    ] = None,
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
    folds: Annotated[
        int,
        typer.Option(
            "--folds",
            min=0,
            metavar="N",
            help="Fit the choice of places to the documents of other senders, N times, and evaluate it on "
            "those left out: documents of one sender have one name but for a number at its end.",
        ),
    ] = 0,
    json: JsonOption = False,
) -> None:
    """Read documents with known values, and print the accuracy of each field."""
    _check_modes(mode, model, compare, against)
    all_cases = find_cases(cases, suite)
    if folds:
        others = {
            "--predictions": predictions, "--report": report, "--against": against, "--model": model,
            "--compare": compare, "--learn": learn_from,
        }  # fmt: skip
        _print_folds(all_cases, folds, mode, jobs, json, [name for name, value in others.items() if value])
        return
    earlier = load_run(against) if against is not None else None
    layouts, untaught, compared = None, None, None
    if learn_from:
        corrected, all_cases = split_cases(all_cases, learn_from)
        layouts = learn(corrected, settings(), mode=mode, model=model, jobs=jobs)
        with progress("Evaluating without what was learned", len(all_cases)) as advance:
            untaught = run(all_cases, settings(), mode=mode, model=model, jobs=jobs, on_progress=advance)
    if compare is not None:
        with progress(f"Evaluating mode {compare}", len(all_cases)) as advance:
            compared = run(
                all_cases,
                settings(),
                mode=compare,
                model=model,
                jobs=jobs,
                layouts=layouts,
                on_progress=advance,
            )
        earlier = run_as_json(compared)
    with progress("Evaluating" if compare is None else f"Evaluating mode {mode}", len(all_cases)) as advance:
        evaluation = run(
            all_cases,
            settings(),
            mode=mode,
            model=model,
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
        if compared is not None and earlier is not None:
            for name, score in earlier["suites"].items():
                suites[name]["compared"] = {"mode": compare, **score}
        print_json(suites)
        return
    _print(evaluation)
    if lessons:
        _print_lessons(lessons)
    if compared is not None:
        _print_modes({str(compare): compared, mode: evaluation})
    if comparison is not None:
        _print_comparison(comparison, "the earlier run" if compare is None else f"mode {compare}")
    if page is not None:
        say(f"The report is {page}")


def _print_folds(
    cases: Sequence[Case], folds: int, mode: Mode, jobs: int | None, json: bool, others: Sequence[str]
) -> None:
    """Print the accuracy on documents that the choice of places was not fitted to."""
    if others:
        raise InputError(f"--folds excludes {', '.join(others)}", "folds")
    if folds == 1:
        raise InputError("--folds needs two or more: one part is left out of each fit", "folds")
    with progress("Reading", len(cases)) as advance:
        evaluation = run_folds(cases, settings(), folds, mode=mode, jobs=jobs, on_progress=advance)
    if json:
        print_json(run_as_json(evaluation)["suites"])
    else:
        _print(evaluation)


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


def _check_modes(mode: Mode, model: str | None, compare: Mode | None, against: Path | None) -> None:
    """Raise InputError for options that contradict each other, and for a model that is not there."""
    modes = {mode, compare}
    if compare == mode:
        raise InputError(f"--compare {compare} is the mode that is evaluated; name another one", "compare")
    if compare is not None and against is not None:
        raise InputError("--against and --compare exclude each other", "against")
    check_model("accurate" if "accurate" in modes else mode, model)
    if compare is not None and "accurate" in modes and read_models(settings()).chosen(model) is None:
        raise InputError(
            "Mode accurate has no language model to compare; set DOCDUCK_MODEL_BASE_URL and "
            "DOCDUCK_MODEL_NAME",
            "mode",
        )


def _print_modes(evaluations: Mapping[str, Evaluation]) -> None:
    """Print the accuracy, time and cost of the same documents in several modes."""
    rows = []
    for suite in next(iter(evaluations.values())).suites:
        for mode, evaluation in evaluations.items():
            score = evaluation.suites[suite]
            usage = score.usage or ModelUsage("")
            rows.append(
                (
                    suite,
                    mode,
                    _f1(score.values),
                    _f1(score.cells),
                    f"{score.perfect} of {score.documents}",
                    f"{score.seconds_each:.1f}",
                    usage.requests,
                    usage.input_tokens,
                    usage.output_tokens,
                    f"{usage.cost:.4f}",
                )
            )
    columns = ["Suite", "Mode", "Fields F1", "Cells F1", "All right", "Seconds each"]
    print_table([*columns, "Requests", "Tokens read", "Tokens written", "Cost"], rows, "The modes compared")


def _f1(score: FieldScore) -> str:
    return f"{score.f1:.3f}" if score.values or score.invented else ""


def _print_comparison(comparison: RunComparison, to: str) -> None:
    lost = [change for change in comparison.values if not change.better]
    say(f"Compared to {to}: {len(comparison.values) - len(lost)} values better, {len(lost)} worse")
    if lost:
        rows = [(change.case, change.field, change.truth, change.found) for change in lost]
        print_table(["Document", "Field", "Expected", "Found"], rows, "Worse")


def _row(field: str, counts: FieldScore) -> tuple[Any, ...]:
    right = f"{counts.share:.1%}" if counts.values else ""
    return field, counts.values, right, counts.missing, counts.wrong, counts.invented, f"{counts.f1:.3f}"

"""The report of an evaluation: a folder with an HTML page and the run as JSON.

index.html            counts, calibration, most frequent confusions, documents with missed values
calibration.svg       the calibration of all suites together
pages/…jpg            pages of these documents
run.json              the run, for ``--against``
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from docduck.evaluation.calibration import Calibration, calibrate, plot
from docduck.evaluation.comparison import Grade, normal
from docduck.evaluation.run import CaseReport, Evaluation
from docduck.evaluation.run_history import RunComparison, run_as_json

_MAX_CONFUSIONS = 40
_TEMPLATE = Path(__file__).with_name("report.html.j2")


@dataclass(frozen=True, slots=True)
class Confusion:
    """A field that got another field's value, and in how many documents of the suite."""

    suite: str
    field: str
    instead: str
    count: int


def confusions(cases: Sequence[CaseReport]) -> list[Confusion]:
    """Return the confusions, most frequent first; ``nothing known`` if no other field has the value."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for case in cases:
        truths: dict[Any, str] = {}
        for comparison in case.comparisons:
            if comparison.column is None and comparison.truth is not None:
                truths.setdefault(normal(comparison.kind, comparison.truth), comparison.name)
        for comparison in case.comparisons:
            if comparison.grade in (Grade.WRONG, Grade.INVENTED):
                other = truths.get(normal(comparison.kind, comparison.found), "nothing known")
                counts[case.suite, comparison.name, other] += 1
    return [Confusion(*key, count) for key, count in counts.most_common(_MAX_CONFUSIONS)]


def write_report(folder: Path, evaluation: Evaluation, comparison: RunComparison | None = None) -> Path:
    """Write the report into ``folder`` and return the page to open."""
    from jinja2 import Environment

    pages = folder / "pages"
    pages.mkdir(parents=True, exist_ok=True)
    pictures = {(case.suite, case.name): _write_pictures(pages, case) for case in evaluation.cases}
    calibrations = _calibrations(evaluation)
    plots = {name: plot(calibration, name) for name, calibration in calibrations.items()}
    (folder / "calibration.svg").write_text(plots["all"], "utf-8")
    (folder / "run.json").write_text(json.dumps(run_as_json(evaluation), ensure_ascii=False), "utf-8")
    template = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(
        _TEMPLATE.read_text("utf-8")
    )
    missed = [case for case in evaluation.cases if case.error or _missed(case)]
    missed.sort(key=lambda case: (case.suite, -_missed(case), case.name))
    index = folder / "index.html"
    html = template.render(
        suites=evaluation.suites,
        checks=evaluation.checks,
        calibrations=calibrations,
        plots=plots,
        confusions=confusions(evaluation.cases),
        comparison=comparison,
        missed=missed,
        pictures=pictures,
    )
    index.write_text(html, "utf-8")
    return index


def _missed(case: CaseReport) -> int:
    """Return how many values of a case are not right."""
    return sum(comparison.missed for comparison in case.comparisons)


def _calibrations(evaluation: Evaluation) -> dict[str, Calibration]:
    every = {"all": calibrate(comparison for case in evaluation.cases for comparison in case.comparisons)}
    for name in evaluation.suites:
        every[name] = calibrate(
            comparison for case in evaluation.cases if case.suite == name for comparison in case.comparisons
        )
    return every


def _write_pictures(folder: Path, case: CaseReport) -> list[str]:
    """Write a case's pictures and return their file names."""
    digest = blake2b(f"{case.suite}/{case.name}".encode("utf-8", "replace"), digest_size=4).hexdigest()
    stem = re.sub(r"[^A-Za-z0-9-]+", "-", case.name)[:60]
    names = []
    for picture in case.pictures:
        name = f"{stem}-{digest}-{picture.page}.jpg"
        (folder / name).write_bytes(picture.jpeg)
        names.append(name)
    return names

"""Reading all cases in the worker pool, and scoring them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from docduck.documents.options import ReadOptions
from docduck.evaluation.cases import Case
from docduck.evaluation.score import SuiteScore
from docduck.extraction.job import ReadTask, pack_fields, reading_pool
from docduck.extraction.options import ExtractOptions, Mode
from docduck.extraction.pool import Limits, Outcome
from docduck.extraction.result import Extraction
from docduck.settings import Settings


def run(
    cases: Sequence[Case],
    settings: Settings,
    *,
    mode: Mode = "balanced",
    jobs: int | None = None,
    predictions: Path | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> dict[str, SuiteScore]:
    """Scores by suite. With ``predictions``, what was read is written to ``<suite>/<case>.json`` there.

    A document that can't be read counts with no values.
    """
    if predictions is not None:
        predictions.mkdir(parents=True, exist_ok=True)
    limits = Limits(settings.worker_seconds, settings.worker_memory_mb << 20, settings.max_pages)
    options = ExtractOptions(mode=mode)
    reading = ReadOptions(
        ocr="fast" if mode == "fast" else "full",
        max_pages=settings.max_pages,
        max_pixels=settings.max_pixels,
    )
    by_key = {f"{case.suite}/{case.name}": case for case in cases}
    scores: dict[str, SuiteScore] = {case.suite: SuiteScore() for case in cases}
    with reading_pool(jobs or settings.workers, limits, tasks_per_worker=settings.worker_tasks) as pool:
        for key, case in by_key.items():
            pool.submit(
                key,
                ReadTask(
                    case.document.absolute(), case.document.name, pack_fields(case.fields), reading, options
                ),
            )
        done = 0
        while done < len(by_key):
            for outcome in pool.wait():
                case = by_key[outcome.key]
                data = _data(outcome)
                score = scores[case.suite]
                score.failed += outcome.result is None
                score.seconds += outcome.seconds
                score.add(case.fields, case.truth, data)
                if predictions is not None:
                    _write(predictions / case.suite / f"{case.name}.json", data)
                done += 1
                if on_progress:
                    on_progress(done, len(by_key))
    return scores


def _data(outcome: Outcome[Extraction]) -> dict[str, Any]:
    return outcome.result.data if outcome.result is not None else {}


def _write(path: Path, data: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data, ensure_ascii=False, indent=1), "utf-8")

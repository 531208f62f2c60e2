"""The worker's job for one case: read it, compare it with its truth, and draw what was missed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO
from typing import Any

from docduck.documents.read_options import ReadOptions
from docduck.errors import DocumentError, InputError
from docduck.evaluation.cases import Case
from docduck.evaluation.comparison import Comparison, compare_values
from docduck.extraction.jobs.extraction_job import ReadTask, extract, load, pack_fields
from docduck.extraction.jobs.heavy_imports import HEAVY
from docduck.extraction.learned_layout import LearnedLayout
from docduck.extraction.model_usage import ModelUsage
from docduck.extraction.options import ExtractOptions
from docduck.fields import Field
from docduck.workers.context import Context
from docduck.workers.pool import Job

_PICTURE_WIDTH = 900
_MAX_PICTURES = 3
_FOUND_COLOUR, _TRUE_COLOUR = "#e45756", "#2ca02c"


@dataclass(frozen=True, slots=True)
class CaseTask:
    """One case to read, with the ``truth`` of its ``fields``.

    With ``pictures``, pages with missed values are drawn.
    """

    read: ReadTask
    fields: tuple[Field, ...]
    truth: Mapping[str, Any]
    pictures: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """A page as JPEG: red boxes mark wrong values, green ones the true values."""

    page: int
    jpeg: bytes


@dataclass(frozen=True, slots=True)
class CaseResult:
    """The values read, their comparison with the truth, and the language model's usage, if one was asked."""

    data: dict[str, Any]
    comparisons: list[Comparison]
    pictures: list[Picture] = field(default_factory=list)
    usage: ModelUsage | None = None


def evaluate_case(task: CaseTask, context: Context) -> CaseResult:
    """Read a case's document and compare its values.

    Raise the DocumentErrors of ``docduck.documents.reader.read``.
    """
    data, document = load(task.read, context)
    extraction = extract(task.read, data, document, context)
    comparisons = compare_all(task.fields, task.truth, extraction.data, extraction.field_metadata)
    pictures = _pictures(data, task.read.name, document, comparisons) if task.pictures else []
    return CaseResult(extraction.data, comparisons, pictures, extraction.usage)


EVALUATION = Job(evaluate_case, CaseResult, HEAVY)
"""Read documents and compare their values with the truth."""


def case_task(
    case: Case, reading: ReadOptions, options: ExtractOptions, *, pictures: bool = False
) -> CaseTask:
    """Return the task of a case."""
    read = ReadTask(case.document.name, pack_fields(case.fields), reading, replace(options, markdown=False))
    return CaseTask(read, case.fields, case.truth, pictures)


def learn_case(task: CaseTask, context: Context) -> LearnedLayout:
    """Read a case's document, correct it by its truth, and return the learned layout.

    Raise the DocumentErrors of ``docduck.documents.reader.read``.
    """
    from docduck.extraction.extractors.learned.layout_learning import learn_layout
    from docduck.extraction.extractors.learned.printed_values import PrintedValues

    data, document = load(task.read, context)
    extraction = extract(task.read, data, document, context)
    layout = learn_layout(PrintedValues(document), task.fields, task.truth, extraction.data)
    return replace(layout, approved=True)


def compare_all(
    fields: Sequence[Field],
    truth: Mapping[str, Any],
    data: Mapping[str, Any],
    metadata: Mapping[str, Any] | None = None,
) -> list[Comparison]:
    """Return the comparisons of all values of a document."""
    entries = metadata or {}
    comparisons: list[Comparison] = []
    for each in fields:
        name = each.name
        comparisons += compare_values(each, truth.get(name), data.get(name), entries.get(name))
    return comparisons


def _pictures(data: bytes, name: str, document: Any, comparisons: Sequence[Comparison]) -> list[Picture]:
    """Return pictures of the first pages with missed values."""
    from PIL import ImageDraw

    from docduck.documents.render import render_page
    from docduck.extraction.page.lookup import Lookup

    lookup = Lookup(document)
    boxes: dict[int, list[tuple[str, tuple[float, float, float, float]]]] = {}
    for comparison in comparisons:
        if not comparison.missed:
            continue
        for entry in (comparison.evidence or {}).get("locations", []):
            b = entry["bbox"]
            box = (b["left"], b["top"], b["left"] + b["width"], b["top"] + b["height"])
            boxes.setdefault(entry["page"], []).append((_FOUND_COLOUR, box))
        for place in lookup.places(comparison.truth, comparison.kind)[:1]:
            for location in place:
                b = location.box
                boxes.setdefault(location.page, []).append((_TRUE_COLOUR, (b.left, b.top, b.right, b.bottom)))
    pictures = []
    turns = {page.number: page.turn for page in document.pages}
    for number in sorted(boxes)[:_MAX_PICTURES]:
        try:
            picture = render_page(data, number, _PICTURE_WIDTH, turns.get(number, 0.0), name)
        except (DocumentError, InputError):
            continue
        draw = ImageDraw.Draw(picture)
        for colour, (left, top, right, bottom) in boxes[number]:
            w, h = picture.size
            draw.rectangle(
                (left * w - 2, top * h - 2, right * w + 2, bottom * h + 2), outline=colour, width=2
            )
        target = BytesIO()
        picture.save(target, "JPEG", quality=70)
        pictures.append(Picture(number, target.getvalue()))
    return pictures

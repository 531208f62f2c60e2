"""Setting up a parser from samples: its fields, its first documents, and how well it reads them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from pydantic import TypeAdapter, ValidationError

from docduck import clock, templates
from docduck.errors import InputError, TimedOut, UnsupportedType
from docduck.evaluation.job import compare_all
from docduck.evaluation.score import SuiteScore
from docduck.extraction.extraction_settings import extract_options, for_worker, worker_limits
from docduck.extraction.jobs.setup_job import SETTING_UP, SetUp, SetupTask
from docduck.extraction.learned_layout import Edit, field_identity
from docduck.extraction.result import Extraction
from docduck.service.accounts.quotas import check_quota
from docduck.service.core.installation import Installation
from docduck.service.core.property_types import Name
from docduck.service.corrections.learning import keep_lesson
from docduck.service.parsers.parser_settings import merge_settings, read_settings, reading_of
from docduck.service.parsers.parsers import NewParser, ParserView, create_parser, delete_parser
from docduck.service.uploads.backlog import check_backlog
from docduck.service.uploads.file_uploads import (
    QueuedDocument,
    UploadedFile,
    UploadTarget,
    check_type,
    register_upload,
)

SETUP_SECONDS, READ_SECONDS = 45, 24
"""For a setup, as clients give up after a minute, and those after which no further sample is begun."""
MOST_PAGES, MOST_PAGES_WITH_TRUTH = 10, 40
"""Pages of a sample that are read at once: the values of the truth may be on any."""
MAX_SAMPLES = 5
MOST_WRONG = 100
MAX_SAMPLE_BYTES, MAX_ALL_SAMPLES_BYTES = 10 << 20, 20 << 20
TOO_LARGE = (
    f"A sample may have {MAX_SAMPLE_BYTES >> 20} MB: leave this one out, and send it to an address of "
    "create_upload_url once the parser is made"
)


_NAME = TypeAdapter[str](Name)


@dataclass(frozen=True, slots=True)
class WrongValue:
    """A value of a sample that is read wrong; ``field`` is ``Table.Column`` for a cell."""

    document_id: str
    field: str
    row: int | None
    expected: Any
    got: Any


@dataclass(frozen=True, slots=True)
class ParserSetUp:
    """A new parser with its first documents, and what each of them has for its fields, in their order.

    The last of them may not have been read in time. Where the truth is known, ``score`` compares the readings
    with it, and ``wrong`` are the first of ``wrong_count`` values that differ.
    """

    parser: ParserView
    documents: Sequence[QueuedDocument]
    readings: Sequence[Extraction]
    warnings: Sequence[str]
    score: SuiteScore | None = None
    wrong: Sequence[WrongValue] = ()
    wrong_count: int = 0


@dataclass(frozen=True, slots=True)
class NewSetup:
    """What to make a parser of: samples, their right values by field name, or a template for its fields."""

    name: str
    samples: Sequence[UploadedFile]
    truths: Sequence[Mapping[str, Any]] | None = None
    template_key: str | None = None
    source: str = "api"


def setup_parser(inst: Installation, team_id: str, new: NewSetup, actor: str) -> ParserSetUp:
    """Make a parser whose first documents are the samples, which are read at once, too.

    Its fields are those of the truths, or of the template, or what was found on the samples. What the truths
    say teaches the parser where its values are printed. Nothing is made if a sample can't be read. Raise
    InputError, Transient if the side workers are busy, and QuotaReached.
    """
    task = _task(inst, new)
    check_backlog(inst, team_id)
    with inst.catalog.read_session() as session:
        check_quota(session, team_id, len(new.samples))
    made = _set_up(inst, team_id, new, task)
    if not made.fields:
        raise InputError("No fields were found on the samples: give their truth, or a templateKey", "samples")
    parser = create_parser(
        inst,
        team_id,
        NewParser(name=new.name, template_key=new.template_key, fields=made.fields),
        actor,
    )
    with _deleted_if_it_fails(inst, team_id, parser, actor):
        target = UploadTarget(parser.id, len(new.samples), source=new.source)
        documents = register_upload(inst, team_id, target, new.samples, actor)
        _teach(inst, parser, documents, made, actor)
    result = ParserSetUp(parser, documents, made.readings, list(_warnings(new, made)))
    return result if new.truths is None else _judged(result, made.truths)


def _task(inst: Installation, new: NewSetup) -> SetupTask:
    """Return what a worker is to do; raise InputError for what can't be done."""
    if not 1 <= len(new.samples) <= MAX_SAMPLES:
        raise InputError(f"Give 1 to {MAX_SAMPLES} samples; further documents can be sent later", "samples")
    _check_sizes(new.samples)
    for sample in new.samples:
        _check_kind(sample)
    template = templates.load(new.template_key) if new.template_key else None
    settings = merge_settings({}, template.settings if template else {})
    if new.truths is not None and len(new.truths) != len(new.samples):
        raise InputError("truth must have one object for each sample, in their order", "truth")
    if new.truths is not None and not any(new.truths):
        raise InputError("truth must name at least one field", "truth")
    for name in _names(new.truths or ()):
        _check_name(name)
    reading = replace(reading_of(read_settings(settings), inst.settings), pages=f"1-{_most_pages(new)}")
    options = replace(for_worker(extract_options(inst.settings, "balanced")), markdown=False)
    return SetupTask(
        [sample.name for sample in new.samples],
        tuple(template.fields) if template else (),
        new.truths,
        reading,
        options,
        READ_SECONDS,
    )


def _check_kind(sample: UploadedFile) -> None:
    try:
        check_type(sample, ())
    except UnsupportedType as error:
        raise InputError(f"{sample.name}: {error.message}", "samples") from error


def _names(truths: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the names of fields and columns."""
    for truth in truths:
        for name, value in truth.items():
            yield name
            for row in value if isinstance(value, list) else ():
                yield from row if isinstance(row, dict) else ()


def _check_name(name: str) -> None:
    try:
        _NAME.validate_python(name)
    except ValidationError as error:
        words = "can't name a field: 1 to 255 characters, without control characters"
        raise InputError(f"truth: {name[:50]!r} {words}", "truth") from error


def _most_pages(new: NewSetup) -> int:
    return MOST_PAGES if new.truths is None else MOST_PAGES_WITH_TRUTH


def _check_sizes(samples: Sequence[UploadedFile]) -> None:
    for sample in samples:
        if sample.stored.size > MAX_SAMPLE_BYTES:
            raise InputError(f"{sample.name}: {TOO_LARGE}", "samples")
    if sum(sample.stored.size for sample in samples) > MAX_ALL_SAMPLES_BYTES:
        most = MAX_ALL_SAMPLES_BYTES >> 20
        raise InputError(f"All samples together may have {most} MB: leave some out", "samples")


def _set_up(inst: Installation, team_id: str, new: NewSetup, task: SetupTask) -> SetUp:
    limits = worker_limits(inst.settings, SETUP_SECONDS)
    files = (inst.files.local(sample.stored.sha256) for sample in new.samples)
    outcome = inst.side_workers.run("setups", team_id, SETTING_UP, limits, task, files)
    if isinstance(outcome.error, TimedOut):
        words = f"Reading the samples takes more than {SETUP_SECONDS} s: send fewer, or such with fewer pages"
        raise InputError(words, "samples")
    if outcome.error is not None:
        raise outcome.error
    assert outcome.result is not None
    return outcome.result


@contextmanager
def _deleted_if_it_fails(inst: Installation, team_id: str, parser: ParserView, actor: str) -> Iterator[None]:
    try:
        yield
    except BaseException:
        delete_parser(inst, team_id, parser.id, actor)
        raise


def _teach(
    inst: Installation,
    parser: ParserView,
    documents: Sequence[QueuedDocument],
    made: SetUp,
    actor: str,
) -> None:
    """Keep what the samples teach, as if a person had set the values that are given."""
    edit = Edit(actor, clock.iso(clock.now()) or "")
    for document, lesson, truth in zip(documents, made.lessons, made.truths, strict=False):
        edits = {field_identity(each): edit for each in parser.fields if truth.get(each.name) is not None}
        keep_lesson(inst, parser, document.id, replace(lesson, edits=edits))


def _warnings(new: NewSetup, made: SetUp) -> Iterator[str]:
    for name in made.unprinted:
        yield f"{name}: its value is printed on no sample, so it may not be found"
    if new.template_key is not None:
        for each in made.fields:
            if all(reading.data[each.name] in (None, []) for reading in made.readings):
                yield f"{each.name}: found on no sample"
    for sample, reading in zip(new.samples, made.readings, strict=False):
        for warning in reading.warnings:
            yield f"{sample.name}: {warning}"
        if reading.page_count > (most := _most_pages(new)):
            yield f"{sample.name}: only its first {most} of {reading.page_count} pages were read at once"
    for late in new.samples[len(made.readings) :]:
        yield f"{late.name}: not read in time; it is queued, and was not used"


def _judged(result: ParserSetUp, truths: Sequence[Mapping[str, Any]]) -> ParserSetUp:
    score = SuiteScore()
    wrong: list[WrongValue] = []
    for document, reading, truth in zip(result.documents, result.readings, truths, strict=False):
        comparisons = compare_all(result.parser.fields, truth, reading.data)
        score.add(comparisons)
        wrong += [
            WrongValue(document.id, comparison.name, comparison.row, comparison.truth, comparison.found)
            for comparison in comparisons
            if comparison.missed
        ]
    return replace(result, score=score, wrong=wrong[:MOST_WRONG], wrong_count=len(wrong))

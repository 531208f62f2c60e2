"""Runs that are alive read by each parser as it is when a document is claimed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, update

from docduck.catalog.models import Parser
from docduck.fields import Field, FieldType
from docduck.service.core.installation import Installation, open_installation
from docduck.service.documents.claim import Claim
from docduck.service.documents.queries.document_views import DocumentView, get_document
from docduck.service.documents.reprocessing import reprocess
from docduck.service.parsers.field_editing import add_field, delete_field, reorder_fields, update_field
from docduck.service.parsers.parsers import (
    ParserChanges,
    ParserView,
    delete_parser,
    get_parser,
    set_fields,
    update_parser,
)
from docduck.service.processing import document_queue
from docduck.service.processing.loaded_parsers import LoadedParsers
from docduck.service.processing.processing import RunOptions, process_queue
from docduck.service.provisioning.pipeline import apply_pipeline, load_pipeline
from docduck.statuses import FINAL
from tests.documents.formats.files import lines_page, pdf
from tests.service.core.documents import FIELDS, add, make_parser, statuses, upload

TWO_PAGES = pdf(
    lines_page(("Number: A-1", "Total: 119.00", "Colour: green")), lines_page(("Number: B-2", "Total: 7.50"))
)


@contextmanager
def run_alive(inst: Installation, parser: ParserView) -> Iterator[None]:
    """A run with connections of its own, as in another process, that has begun to claim."""
    theirs = open_installation(inst.settings)
    begun, over = threading.Event(), threading.Event()

    def stop() -> bool:
        begun.set()
        return over.is_set()

    run = threading.Thread(target=lambda: process_queue(theirs, RunOptions(idle_seconds=600, stop=stop)))
    run.start()
    try:
        assert begun.wait(60)
        yield
    finally:
        over.set()
        run.join(60)
        theirs.close()


def wait_for(inst: Installation, document_id: str) -> DocumentView:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        view = get_document(inst, inst.team_id, document_id)
        if view.status in FINAL:
            return view
        time.sleep(0.01)
    raise AssertionError(f"document {document_id} was not read")


def read(inst: Installation, parser: ParserView, data: bytes = TWO_PAGES) -> DocumentView:
    return wait_for(inst, upload(inst, inst.team_id, parser.slug, data, "a.pdf"))


def test_a_run_that_is_alive_reads_by_the_changed_parser(inst: Installation) -> None:
    parser = make_parser(inst)
    with run_alive(inst, parser):
        first = read(inst, parser)
        assert (first.data["Number"], first.parser_revision) == ("A-1", 1)

        add_field(inst, inst.team_id, parser.id, {"name": "Colour", "type": "text"})
        second = read(inst, parser)
        assert (second.data["Colour"], second.parser_revision) == ("green", 2)
        reprocess(inst, inst.team_id, [first.id])
        assert get_document(inst, inst.team_id, first.id).parser_revision in (None, 2)
        again = wait_for(inst, first.id)
        assert (again.data["Colour"], again.parser_revision) == ("green", 2)

        for revision, pages in enumerate(("2", "1"), start=3):
            changes = ParserChanges(settings={"parsePages": pages})
            update_parser(inst, inst.team_id, parser.id, changes)
            reprocess(inst, inst.team_id, [first.id])
            found = wait_for(inst, first.id)
            assert (found.data["Number"], found.parser_revision) == (
                "B-2" if pages.startswith("2") else "A-1",
                revision,
            )
        update_parser(inst, inst.team_id, parser.id, ParserChanges(settings={"parsePages": "9"}))
        failed = read(inst, parser)
        assert (failed.error, failed.parser_revision) == ("No pages match parsePages", 5)


def test_only_the_parsers_that_changed_are_loaded(inst: Installation, tmp_path: Path) -> None:
    parsers = [make_parser(inst, f"Parser {number}") for number in range(30)]
    watched = LoadedParsers(inst, tmp_path)
    watched.refresh([parser.id for parser in parsers])
    before = [watched.get(parser.id) for parser in parsers]
    changed = parsers[7]
    add_field(inst, inst.team_id, changed.id, {"name": "Colour", "type": "text"})
    read_from: list[str] = []
    event.listen(
        inst.catalog.engine, "before_cursor_execute", lambda *args: read_from.append(str(args[2]).lower())
    )
    watched.refresh([parser.id for parser in parsers])
    assert sum("from parser_fields" in statement for statement in read_from) == 1
    read_from.clear()
    watched.refresh([parser.id for parser in parsers])
    assert not any("from parser_fields" in statement for statement in read_from)
    after = [watched.get(parser.id) for parser in parsers]
    assert [one is other for one, other in zip(before, after, strict=True)] == [
        parser is not changed for parser in parsers
    ]


@pytest.mark.parametrize("end", ["deleted", "broken"])
def test_what_was_claimed_for_a_parser_that_has_ended_is_given_back(
    inst: Installation, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    ending, sound = make_parser(inst, "Ending"), make_parser(inst, "Sound")
    ids = [*add(inst, ending), *add(inst, sound)]
    real = document_queue.claim

    def claim(*args: Any, **named: Any) -> list[Claim]:
        found = real(*args, **named)
        if any(one.parser_id == ending.id for one in found):
            if end == "deleted":
                delete_parser(inst, inst.team_id, ending.id)
            else:
                with inst.catalog.transaction() as session:
                    broken = {"settings": {"dataExtractionMode": "thorough"}, "revision": Parser.revision + 1}
                    session.execute(update(Parser).where(Parser.id == ending.id).values(**broken))
        return found

    monkeypatch.setattr(document_queue, "claim", claim)
    # Documents of a deleted parser are cancelled in time.
    monkeypatch.setattr("docduck.service.processing.processing._HOUSEKEEPING_SECONDS", 1000)
    reports = process_queue(inst)
    assert sum(report.documents for report in reports) == 1
    assert statuses(inst, ids) == ["queued", "processed"]
    assert get_document(inst, inst.team_id, ids[1]).parser_revision == 1
    if end == "broken":
        assert get_document(inst, inst.team_id, ids[0]).parser_revision is None, "it was not read"


Change = Callable[[Installation, ParserView], object]


def _settings(**settings: Any) -> Change:
    return lambda inst, parser: update_parser(inst, inst.team_id, parser.id, ParserChanges(settings=settings))


def _apply(inst: Installation, parser: ParserView) -> object:
    file = inst.settings.home / "pipeline.yaml"
    file.write_text("parsers:\n  - name: Invoices\n    settings:\n      parsePages: '1'\n", "utf-8")
    return apply_pipeline(inst, inst.team_id, load_pipeline(file))


CHANGES: dict[str, Change] = {
    "pages": _settings(parsePages="1"),
    "mode": _settings(dataExtractionMode="fast"),
    "tables": _settings(advancedTableExtraction="disabled"),
    "locale": _settings(readingLocale={"decimalSeparator": ","}),
    "types": _settings(acceptedFileTypes=["application/pdf"]),
    "mail": _settings(emailParsing={"parseEmailBody": False}),
    "confidence": _settings(confidenceScores={"enabled": False}),
    "active": lambda i, p: update_parser(i, i.team_id, p.id, ParserChanges(is_active=False)),
    "field added": lambda i, p: add_field(i, i.team_id, p.id, {"name": "Colour"}),
    "field renamed": lambda i, p: update_field(i, i.team_id, p.id, "Number", {"name": "Invoice No"}),
    "field described": lambda i, p: update_field(i, i.team_id, p.id, "Number", {"description": "Below"}),
    "column added": lambda i, p: update_field(
        i, i.team_id, p.id, "Line Items", {"columns": [{"name": "Unit", "type": "text"}]}
    ),
    "field deleted": lambda i, p: delete_field(i, i.team_id, p.id, "Tags"),
    "fields reordered": lambda i, p: reorder_fields(
        i, i.team_id, p.id, [str(one.id) for one in reversed(p.fields)]
    ),
    "fields set": lambda i, p: set_fields(
        i, i.team_id, p.id, [*p.fields, Field(name="Colour", type=FieldType.TEXT)]
    ),
    "pipeline.yaml": _apply,
}


def test_every_change_raises_the_revision(inst: Installation) -> None:
    for number, (name, change) in enumerate(CHANGES.items()):
        parser = make_parser(inst, "Invoices" if name == "pipeline.yaml" else f"Parser {number}")
        change(inst, parser)
        assert get_parser(inst, inst.team_id, parser.id).revision > parser.revision, name
    parser = make_parser(inst, "Same")
    update_parser(inst, inst.team_id, parser.id, ParserChanges(name=parser.name, settings={}))
    set_fields(inst, inst.team_id, parser.id, get_parser(inst, inst.team_id, parser.id).fields)
    assert len(FIELDS) == len(parser.fields)
    assert get_parser(inst, inst.team_id, parser.id).revision == 1, "nothing was changed"

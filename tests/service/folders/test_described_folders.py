"""Folders that are chosen by their instructions."""

from __future__ import annotations

from typing import Any

import pytest

from docduck.extraction.jobs.expansion_job import NO_FOLDER
from docduck.service.core.installation import Installation
from docduck.service.documents.document_changes import update_document
from docduck.service.documents.queries.document_views import DocumentView, get_document
from docduck.service.folders import delete_folder, update_folder
from docduck.service.parsers.parsers import ParserChanges, ParserView, update_parser
from docduck.service.processing.model_spending import spent_this_month
from docduck.service.processing.processing import process_queue
from tests.conftest import MakeInstallation
from tests.endpoint import Question, Reply, model, says
from tests.service.core.documents import make_parser, upload
from tests.service.folders.test_auto_assignment import folder, rule
from tests.service.processing.test_gate import INVOICE, LEASE


def described(inst: Installation, parser: ParserView, name: str, words: str, **more: Any) -> str:
    return folder(inst, parser, name, auto_assignment={"instructions": words}, **more)


def read(
    inst: Installation, parser: ParserView, *files: bytes, into: str | None = None
) -> list[DocumentView]:
    """Documents that one run reads; with ``into``, the last is in this folder before."""
    ids = [upload(inst, inst.team_id, parser.slug, data, "a.txt") for data in files]
    if into is not None:
        update_document(inst, inst.team_id, parser.id, ids[-1], {"folder_id": into})
    process_queue(inst)
    return [get_document(inst, inst.team_id, one) for one in ids]


def accurate(inst: Installation) -> ParserView:
    parser = make_parser(inst)
    changes = ParserChanges(settings={"dataExtractionMode": "accurate"})
    return update_parser(inst, inst.team_id, parser.id, changes)


def test_without_a_model_documents_are_sorted_like_those_of_classifiers(inst: Installation) -> None:
    parser = make_parser(inst)
    other = folder(inst, parser, "other")
    bills = described(inst, parser, "Bills", "Every invoice of a supplier")
    leases = described(inst, parser, "Rent", "Lease agreements", parent=other)
    described(inst, parser, "Off", "Invoices and lease agreements", has_auto_assign=False)
    found = read(inst, parser, INVOICE, LEASE, b"Number: A-1", INVOICE + b"1", into=other)
    assert [one.folder_id for one in found] == [bills, leases, None, other]
    assert (found[0].status, found[0].warnings) == ("processed", [])
    assert (found[0].history[-1].event, found[0].history[-1].reason) == ("filed", "into Bills")
    # Rules come first, and changes count for documents that are queued later.
    big = folder(inst, parser, "Z big", rule("Total", ">", 100))
    words: Any = {"auto_assignment": {"instructions": "Every invoice of a supplier"}, "name": "New"}
    update_folder(inst, inst.team_id, parser.id, leases, words)
    assert [one.folder_id for one in read(inst, parser, INVOICE + b"2", LEASE + b"2")] == [big, None]
    for one in (big, bills):
        delete_folder(inst, inst.team_id, parser.id, one)
    assert [one.folder_id for one in read(inst, parser, INVOICE + b"3")] == [leases]


def test_the_model_chooses_one_or_none(
    make_installation: MakeInstallation, monkeypatch: pytest.MonkeyPatch
) -> None:
    # No document is set aside on a busy machine, and asks again.
    monkeypatch.setattr("docduck.service.processing.processing.SLOW_SECONDS", 600)
    labels = {"Number: A": "Year / 2026", "Number: B": "Bills", "Number: C": None}

    def script(question: Question) -> Reply:
        """Sort documents by their numbers, and answer no other questions."""
        text = str(question.body)
        if "You sort documents" not in text:
            return says({})
        (label,) = (label for number, label in labels.items() if number in text)
        return says({"label": label, "reason": "It says so."})

    with model(script) as endpoint:
        inst = make_installation(model_base_url=endpoint.url, model_input_price=1.0, workers=1)
        parser = accurate(inst)
        folder(inst, parser, "2026")
        year = folder(inst, parser, "Year")
        in_year = described(inst, parser, "2026", "All of that year", parent=year)
        bills = described(inst, parser, "Bills", "What is to be paid")
        found = read(inst, parser, *(number.encode() for number in labels))
        asked = [str(one.body) for one in endpoint.questions if "You sort documents" in str(one.body)]
    assert [one.folder_id for one in found] == [in_year, bills, None]
    assert len(asked) == 3
    assert "- Year / 2026: All of that year" in asked[0] and "- Bills: What is to be paid" in asked[0]
    assert spent_this_month(inst, inst.team_id) == pytest.approx(100e-6 * len(endpoint.questions))


def test_a_model_that_fails_leaves_the_document_in_no_folder(make_installation: MakeInstallation) -> None:
    with model([Reply({}, status=400)]) as endpoint:
        inst = make_installation(model_base_url=endpoint.url, workers=1)
        parser = accurate(inst)
        described(inst, parser, "Bills", "Every invoice of a supplier")
        described(inst, parser, "Rent", "Lease agreements")
        found, sure = read(inst, parser, b"Number: A-1", INVOICE)
    assert sure.folder_id is not None and NO_FOLDER not in sure.warnings, "it is not asked about that"
    assert (found.status, found.folder_id, found.data["Number"]) == ("processed", None, "A-1")
    assert NO_FOLDER in found.warnings

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


def read(inst: Installation, parser: ParserView, data: bytes, into: str | None = None) -> DocumentView:
    document_id = upload(inst, inst.team_id, parser.slug, data, "a.txt")
    if into is not None:
        update_document(inst, inst.team_id, parser.id, document_id, {"folder_id": into})
    process_queue(inst)
    return get_document(inst, inst.team_id, document_id)


def accurate(inst: Installation) -> ParserView:
    parser = make_parser(inst)
    changes = ParserChanges(settings={"dataExtractionMode": "accurate"})
    return update_parser(inst, inst.team_id, parser.id, changes)


def chooses(label: str | None) -> Any:
    """A script that answers questions for a label, and no others."""

    def script(question: Question) -> Reply:
        if "You sort documents" in str(question.body):
            return says({"label": label, "reason": "It says so."})
        return says({})

    return script


def test_without_a_model_documents_are_sorted_like_those_of_classifiers(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    other = folder(any_inst, parser, "other")
    bills = described(any_inst, parser, "Bills", "Every invoice of a supplier")
    leases = described(any_inst, parser, "Rent", "Lease agreements", parent=other)
    described(any_inst, parser, "Off", "Invoices and lease agreements", has_auto_assign=False)
    found = read(any_inst, parser, INVOICE)
    assert (found.status, found.folder_id, found.warnings) == ("processed", bills, [])
    assert (found.history[-1].event, found.history[-1].reason) == ("filed", "into Bills")
    assert read(any_inst, parser, LEASE).folder_id == leases
    assert read(any_inst, parser, b"Number: A-1").folder_id is None
    assert read(any_inst, parser, INVOICE + b"1", into=other).folder_id == other


def test_rules_come_first(inst: Installation) -> None:
    parser = make_parser(inst)
    described(inst, parser, "A bills", "Every invoice of a supplier")
    big = folder(inst, parser, "B big", rule("Total", ">", 100))
    assert read(inst, parser, INVOICE).folder_id == big


def test_changes_of_folders_count_for_documents_that_are_queued_later(inst: Installation) -> None:
    parser = make_parser(inst)
    bills = described(inst, parser, "Bills", "Every invoice of a supplier")
    assert read(inst, parser, INVOICE).folder_id == bills
    words: Any = {"auto_assignment": {"instructions": "Lease agreements"}, "name": "Rent"}
    update_folder(inst, inst.team_id, parser.id, bills, words)
    assert read(inst, parser, INVOICE + b"1").folder_id is None
    assert read(inst, parser, LEASE).folder_id == bills
    delete_folder(inst, inst.team_id, parser.id, bills)
    assert read(inst, parser, LEASE + b"1").folder_id is None


@pytest.mark.parametrize("chosen", ["Year / 2026", "Bills", None])
def test_the_model_chooses_one_or_none(make_installation: MakeInstallation, chosen: str | None) -> None:
    with model(chooses(chosen)) as endpoint:
        inst = make_installation(model_base_url=endpoint.url, model_input_price=1.0, workers=1)
        parser = accurate(inst)
        folder(inst, parser, "2026")
        year = folder(inst, parser, "Year")
        ids = {
            "Year / 2026": described(inst, parser, "2026", "All of that year", parent=year),
            "Bills": described(inst, parser, "Bills", "What is to be paid"),
            None: None,
        }
        found = read(inst, parser, LEASE)
        asked = [str(one.body) for one in endpoint.questions if "You sort documents" in str(one.body)]
    assert found.folder_id == ids[chosen]
    assert len(asked) == 1
    assert "- Year / 2026: All of that year" in asked[0] and "- Bills: What is to be paid" in asked[0]
    assert spent_this_month(inst, inst.team_id) == pytest.approx(100e-6 * len(endpoint.questions))


def test_a_model_that_fails_leaves_the_document_in_no_folder(make_installation: MakeInstallation) -> None:
    with model([Reply({}, status=400)]) as endpoint:
        inst = make_installation(model_base_url=endpoint.url, workers=1)
        parser = accurate(inst)
        described(inst, parser, "Bills", "Every invoice of a supplier")
        found = read(inst, parser, INVOICE)
    assert (found.status, found.folder_id, found.data["Number"]) == ("processed", None, "A-1")
    assert NO_FOLDER in found.warnings

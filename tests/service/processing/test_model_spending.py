from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import select

from docduck.catalog.models import Document
from docduck.catalog.models import ModelUsage as Ledger
from docduck.extraction.jobs.expansion_job import NO_FOLDER
from docduck.extraction.model_usage import ModelUsage
from docduck.service.core.installation import Installation
from docduck.service.documents.queries.document_views import DocumentUsage, get_document
from docduck.service.documents.reprocessing import reprocess
from docduck.service.parsers.parsers import (
    NewParser,
    ParserChanges,
    ParserView,
    create_parser,
    get_parser,
    update_parser,
)
from docduck.service.processing import model_spending
from docduck.service.processing.document_queue import ClaimRequest, claim
from docduck.service.processing.extraction_outcome import ExtractionOutcome
from docduck.service.processing.model_spending import ModelBudget, spent_this_month
from docduck.service.processing.processing import process_queue
from docduck.service.processing.results import store_outcomes
from tests.conftest import MakeInstallation
from tests.endpoint import model, says
from tests.service.core.documents import FIELDS, add, extraction, make_parser, upload
from tests.service.folders.test_auto_assignment import folder
from tests.service.processing.test_gate import INVOICE
from tests.service.processing.test_routing import add as add_to_classifier
from tests.service.processing.test_routing import make_classifier


def finish_all(inst: Installation, parser: ParserView, usage: ModelUsage, owner: str = "me") -> int:
    """Claim what is queued and finish it as ``owner``; how many results still counted."""
    now = get_parser(inst, parser.team_id, parser.id)
    read = replace(extraction(), usage=usage)
    readings = [
        ExtractionOutcome(one, now, read) for one in claim(inst, [ClaimRequest(parser.id, 100)], "me")
    ]
    return len(store_outcomes(inst, readings, owner).stored)


def test_the_ledger_adds_up_by_team_month_and_model(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    for model_name, documents in (("small", 2), ("small", 1), ("large", 1)):
        add(any_inst, parser, documents, prefix=f"{model_name}{documents}")
        assert finish_all(any_inst, parser, ModelUsage(model_name, 2, 1000, 50, 0.25)) == documents
    with any_inst.catalog.read_session() as session:
        rows = {row.model: row for row in session.scalars(select(Ledger))}
        small = rows["small"]
        assert (small.documents, small.requests, small.input_tokens, small.output_tokens) == (3, 6, 3000, 150)
        assert (small.cost_micros, rows["large"].cost_micros) == (750_000, 250_000)
    assert spent_this_month(any_inst, any_inst.team_id) == 1.0


def test_what_came_too_late_was_spent_and_last_month_s_spending_counts_no_more(
    make_installation: MakeInstallation,
) -> None:
    inst = make_installation(model_monthly_budget=1.0)
    parser = make_parser(inst)
    add(inst, parser)
    assert finish_all(inst, parser, ModelUsage("small", 1, 10, 1, 1.0), owner="somebody else") == 0
    assert spent_this_month(inst, inst.team_id) == 1.0
    assert ModelBudget(inst).is_spent(inst.team_id)
    with inst.catalog.transaction() as session:
        session.scalars(select(Ledger)).one().month = "2020-01"
    assert not ModelBudget(inst).is_spent(inst.team_id)


def accurate(inst: Installation) -> ParserView:
    new = NewParser(name="Invoices", fields=FIELDS, settings={"dataExtractionMode": "accurate"})
    return create_parser(inst, inst.team_id, new)


def test_without_a_model_accurate_documents_say_so(inst: Installation) -> None:
    parser = accurate(inst)
    document = upload(inst, inst.team_id, parser.slug, b"Number: A-1", "a.txt")
    process_queue(inst)
    found = get_document(inst, inst.team_id, document)
    assert found.warnings == ["No language model is configured; the document was read without one"]


UNSURE = b"About our berths\n\nNumber: A-1\nand the ships in them\n"


def test_gates_folders_and_classifiers_say_that_the_budget_is_spent(
    make_installation: MakeInstallation,
) -> None:
    inst = make_installation(model_base_url="http://127.0.0.1:9/v1", model_monthly_budget=0.0, workers=1)
    parser = accurate(inst)
    folder(inst, parser, "Dues", auto_assignment={"instructions": "Harbour dues"})
    gate = {"enabled": True, "mode": "allow", "labels": ["Harbour dues", "Crew lists"]}
    update_parser(inst, inst.team_id, parser.id, ParserChanges(settings={"classificationGate": gate}))
    document = upload(inst, inst.team_id, parser.slug, UNSURE, "a.txt")
    classifier = make_classifier(inst, {"Harbour dues": parser, "Crew lists": parser}, fallback=parser)
    (routed,) = add_to_classifier(inst, classifier, {"b.txt": UNSURE})
    process_queue(inst)
    found = get_document(inst, inst.team_id, document)
    spent = model_spending.BUDGET_SPENT
    assert found.warnings == [
        f"{spent}; the document was read without one",
        f"{spent}; the document was sorted without it",
        NO_FOLDER,
    ]
    assert found.classification is not None and found.classification["decision"] == "process"
    assert found.classification["reasoning"].startswith(f"{spent}; the document was sorted without it")
    assert (found.status, found.folder_id, found.data["Number"]) == ("processed", None, "A-1")
    with inst.catalog.read_session() as session:
        routing = session.scalars(select(Document.routing).where(Document.id == routed)).one()
    assert routing is not None
    assert routing["reasoning"].startswith(f"{spent}; the document was sorted without it")


def test_what_is_sure_is_sorted_without_a_word_of_the_budget(make_installation: MakeInstallation) -> None:
    inst = make_installation(model_base_url="http://127.0.0.1:9/v1", model_monthly_budget=0.0, workers=1)
    parser = accurate(inst)
    gate = {"enabled": True, "mode": "allow", "labels": ["Invoice"]}
    update_parser(inst, inst.team_id, parser.id, ParserChanges(settings={"classificationGate": gate}))
    document = upload(inst, inst.team_id, parser.slug, INVOICE, "a.txt")
    process_queue(inst)
    found = get_document(inst, inst.team_id, document)
    assert found.warnings == [f"{model_spending.BUDGET_SPENT}; the document was read without one"]
    assert found.classification is not None and found.classification["label"] == "Invoice"


def test_documents_are_read_with_the_model_until_the_budget_is_spent(
    make_installation: MakeInstallation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_spending, "_KNOWN_SECONDS", 0.0)
    with model([says({"number": "A-1", "tags": []}, usage=(1_000_000, 0))]) as endpoint:
        inst = make_installation(
            model_base_url=endpoint.url, model_input_price=0.6, model_monthly_budget=1.0, workers=1
        )
        parser = accurate(inst)
        found = []
        for number in range(3):
            document = upload(inst, inst.team_id, parser.slug, f"Number: A-1\n{number}".encode(), "a.txt")
            (report,) = process_queue(inst)
            assert report.failed == 0
            found.append(get_document(inst, inst.team_id, document))
        assert len(endpoint.questions) == 2
    assert [one.data["Number"] for one in found] == ["A-1"] * 3
    assert [one.warnings for one in found] == [
        [],
        [],
        [f"{model_spending.BUDGET_SPENT}; the document was read without one"],
    ]
    assert spent_this_month(inst, inst.team_id) == 1.2


def test_a_document_has_what_all_its_readings_used_by_model(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    (document,) = add(any_inst, parser)
    for model_name in ("small", "small", "large"):
        assert finish_all(any_inst, parser, ModelUsage(model_name, 2, 1000, 50, 0.25)) == 1
        reprocess(any_inst, any_inst.team_id, [document], "me")
    assert finish_all(any_inst, parser, ModelUsage("small", 9, 1, 1, 1.0), owner="somebody else") == 0
    assert get_document(any_inst, any_inst.team_id, document).model_usage == [
        DocumentUsage(model="small", requests=4, input_tokens=2000, output_tokens=100, cost=0.5),
        DocumentUsage(model="large", requests=2, input_tokens=1000, output_tokens=50, cost=0.25),
    ]

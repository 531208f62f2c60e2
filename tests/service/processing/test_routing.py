"""Documents of classifiers: they are classified in a run, and go on to their target parsers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from docduck import clock
from docduck.catalog.models import Classifier, ClassifierRule, Document, Parser
from docduck.ids import new_id
from docduck.service.classifiers.examples import examples_of
from docduck.service.classifiers.manual_routing import route_document
from docduck.service.core.installation import Installation
from docduck.service.documents.new_documents import NewDocument, register
from docduck.service.documents.queries.document_views import get_document
from docduck.service.documents.queries.listing import list_documents
from docduck.service.documents.reprocessing import reprocess
from docduck.service.parsers.parsers import ParserView
from docduck.service.processing import inline_classification
from docduck.service.processing.document_queue import backlogs, claim_documents, targets_with_work
from docduck.service.processing.inline_classification import classify_uploads
from docduck.service.processing.processing import process_queue
from docduck.service.processing.results import StoredOutcomes, store_outcomes
from tests.documents.formats.files import lines_page, pdf
from tests.documents.formats.office.files import zipped
from tests.service.core.documents import make_parser
from tests.service.processing.test_gate import INVOICE, LEASE
from tests.service.sources.intake_world import assert_files_match
from tests.service.sources.mails import mail, reasons

OTHER = b"Minutes of the meeting of the garden club. We talked about roses and tulips.\n"


def make_classifier(
    inst: Installation, rules: Mapping[str, ParserView], fallback: ParserView | None = None, **more: object
) -> str:
    with inst.catalog.transaction() as session:
        classifier = Classifier(
            slug=new_id(),
            team_id=inst.team_id,
            name="Post",
            accepted_file_types=[],
            fallback_action="route" if fallback else "skip",
            fallback_parser_id=fallback.id if fallback else None,
            **more,
        )
        classifier.rules = [
            ClassifierRule(team_id=inst.team_id, label=label, target_parser_id=parser.id, position=at)
            for at, (label, parser) in enumerate(rules.items(), start=1)
        ]
        session.add(classifier)
        session.flush()
        return classifier.id


def add(
    inst: Installation, classifier_id: str, files: Mapping[str, bytes], external_ids: Mapping[str, str] = {}
) -> list[str]:
    new = []
    for name, data in files.items():
        stored = inst.files.put_bytes(data)
        kinds = {"pdf": "application/pdf", "zip": "application/zip", "eml": "message/rfc822"}
        kind = kinds.get(name.rpartition(".")[2], "text/plain")
        new.append(
            NewDocument(name, stored.sha256, stored.size, kind, "api", external_id=external_ids.get(name))
        )
    with inst.catalog.transaction() as session:
        return register(session, inst.team_id, None, new, "test", classifier_id=classifier_id)


def found(inst: Installation) -> dict[str, tuple[str | None, str, str | None]]:
    """The parser, the status and the routing status of each document by name."""
    with inst.catalog.read_session() as session:
        rows = session.execute(
            select(Document.name, Parser.slug, Document.status, Document.routing_status).outerjoin(
                Parser, Parser.id == Document.parser_id
            )
        )
        return {name: (slug, status, routing) for name, slug, status, routing in rows}


def routing_of(inst: Installation, document_id: str) -> dict[str, object]:
    with inst.catalog.read_session() as session:
        return dict(session.get_one(Document, document_id).routing or {})


def test_documents_move_to_the_parser_of_their_label(any_inst: Installation) -> None:
    invoices, leases = make_parser(any_inst), make_parser(any_inst, "Leases")
    classifier_id = make_classifier(any_inst, {"Invoice": invoices, "Lease agreement": leases})
    ids = add(any_inst, classifier_id, {"i.txt": INVOICE, "l.txt": LEASE, "o.txt": OTHER})
    assert backlogs(any_inst)[classifier_id].queued == 3
    assert targets_with_work(any_inst) == {classifier_id: any_inst.team_id}
    reports = {report.slug: report for report in process_queue(any_inst)}
    assert {slug: report.processed for slug, report in reports.items()} == {"invoices": 1, "leases": 1}
    assert found(any_inst) == {
        "i.txt": ("invoices", "processed", "routed"),
        "l.txt": ("leases", "processed", "routed"),
        "o.txt": (None, "skipped", "skipped"),
    }
    invoice = get_document(any_inst, any_inst.team_id, ids[0])
    assert (invoice.data["Number"], invoice.source) == ("A-1", "api")
    routing = routing_of(any_inst, ids[0])
    assert (routing["category"], routing["targetParserId"], routing["targetParserName"]) == (
        "Invoice",
        invoices.id,
        "Invoices",
    )
    assert float(str(routing["confidence"])) > 0.5
    assert routing["reasoning"]
    assert routing_of(any_inst, ids[2])["category"] is None
    assert reasons(any_inst, ids[0], "routed") == ["to Invoices"]
    rows = list_documents(any_inst, any_inst.team_id, invoices.slug, q="i.txt").rows
    assert [row.id for row in rows] == [ids[0]], "lists and searches of the parser find it"
    assert backlogs(any_inst) == {}
    assert_files_match(any_inst)


def test_what_no_label_fits_goes_to_the_fallback(inst: Installation) -> None:
    invoices, rest = make_parser(inst), make_parser(inst, "Rest")
    classifier_id = make_classifier(inst, {"Invoice": invoices}, fallback=rest)
    (document_id,) = add(inst, classifier_id, {"o.txt": OTHER})
    process_queue(inst)
    assert found(inst) == {"o.txt": ("rest", "processed", "routed")}
    assert routing_of(inst, document_id)["category"] == "fallback"


def test_a_deleted_or_inactive_target_fails_its_documents_alone(any_inst: Installation) -> None:
    gone, idle, rest = (make_parser(any_inst, name) for name in ("Gone", "Idle", "Rest"))
    classifier_id = make_classifier(any_inst, {"Invoice": gone, "Lease agreement": idle}, fallback=rest)
    with any_inst.catalog.transaction() as session:
        session.get_one(Parser, gone.id).deleted_at = clock.now()
        session.get_one(Parser, idle.id).is_active = False
    ids = add(any_inst, classifier_id, {"i.txt": INVOICE, "l.txt": LEASE, "o.txt": OTHER})
    process_queue(any_inst)
    assert found(any_inst) == {
        "i.txt": (None, "failed", "failed"),
        "l.txt": (None, "failed", "failed"),
        "o.txt": ("rest", "processed", "routed"),
    }
    assert routing_of(any_inst, ids[0])["error"] == "Target parser not found"
    assert routing_of(any_inst, ids[1])["error"] == "Parser is inactive"


def test_an_external_id_that_the_target_has_already_gets_a_number(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    one = make_classifier(any_inst, {"Invoice": parser})
    two = make_classifier(any_inst, {"Invoice": parser})
    ids = [
        add(any_inst, target, {f"{n}.txt": INVOICE}, {f"{n}.txt": "X"})[0]
        for n, target in enumerate((one, two))
    ]
    process_queue(any_inst)
    views = [get_document(any_inst, any_inst.team_id, one) for one in ids]
    assert sorted(str(view.external_id) for view in views) == ["X", "X-2"]


def test_members_attachments_and_parts_are_routed_each(any_inst: Installation) -> None:
    invoices, leases = make_parser(any_inst), make_parser(any_inst, "Leases")
    classifier_id = make_classifier(
        any_inst,
        {"Invoice": invoices, "Lease agreement": leases},
        split_documents={"enabled": True, "mode": "everyXPages", "everyXPages": 1},
        email_parsing={"parseEmailBody": False},
    )
    pages = [lines_page(tuple(data.decode().splitlines())) for data in (INVOICE, LEASE)]
    add(
        any_inst,
        classifier_id,
        {
            "b.pdf": pdf(*pages),
            "z.zip": zipped({"zi.txt": INVOICE, "zl.txt": LEASE}),
            "m.eml": mail([("mi.txt", INVOICE), ("ml.txt", LEASE)]),
        },
    )
    process_queue(any_inst)
    assert found(any_inst) == {
        "b (p. 1).pdf": ("invoices", "processed", "routed"),
        "b (p. 2).pdf": ("leases", "processed", "routed"),
        "zi.txt": ("invoices", "processed", "routed"),
        "zl.txt": ("leases", "processed", "routed"),
        "mi.txt": ("invoices", "processed", "routed"),
        "ml.txt": ("leases", "processed", "routed"),
        "m.eml": (None, "skipped", "skipped"),
    }
    assert_files_match(any_inst)


def test_a_damaged_file_fails_its_routing(inst: Installation) -> None:
    classifier_id = make_classifier(inst, {"Invoice": make_parser(inst)})
    (document_id,) = add(inst, classifier_id, {"a.pdf": b"%PDF-1.7 broken"})
    process_queue(inst)
    assert found(inst) == {"a.pdf": (None, "failed", "failed")}
    assert routing_of(inst, document_id)["error"] == "File is damaged or not readable"


def test_a_routed_document_stays_with_its_parser_when_it_is_processed_again(inst: Installation) -> None:
    invoices, leases = make_parser(inst), make_parser(inst, "Leases")
    classifier_id = make_classifier(inst, {"Invoice": invoices})
    (document_id,) = add(inst, classifier_id, {"i.txt": INVOICE})
    process_queue(inst)
    with inst.catalog.transaction() as session:
        (rule,) = session.get_one(Classifier, classifier_id).rules
        rule.target_parser_id = leases.id
    reprocess(inst, inst.team_id, [document_id])
    process_queue(inst)
    assert found(inst) == {"i.txt": ("invoices", "processed", "routed")}


def test_uploads_are_classified_at_once(any_inst: Installation) -> None:
    invoices, leases = make_parser(any_inst), make_parser(any_inst, "Leases")
    classifier_id = make_classifier(any_inst, {"Invoice": invoices, "Lease agreement": leases})
    ids = add(any_inst, classifier_id, {"i.txt": INVOICE, "l.txt": LEASE, "o.txt": OTHER})
    classify_uploads(any_inst, any_inst.team_id, ids, 60)
    assert found(any_inst) == {
        "i.txt": ("invoices", "queued", "routed"),
        "l.txt": ("leases", "queued", "routed"),
        "o.txt": (None, "skipped", "skipped"),
    }
    assert set(backlogs(any_inst)) == {invoices.id, leases.id}


def test_an_upload_whose_routing_meets_another_is_routed(
    inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    classifier_id = make_classifier(inst, {"Invoice": make_parser(inst)})
    ids = add(inst, classifier_id, {"i.txt": INVOICE})
    met: list[int] = []

    def meets(*args: Any) -> StoredOutcomes:
        if not met:
            met.append(1)
            raise IntegrityError("UPDATE", {}, Exception("documents.parser_id, documents.external_id"))
        return store_outcomes(*args)

    monkeypatch.setattr(inline_classification, "store_outcomes", meets)
    classify_uploads(inst, inst.team_id, ids, 60)
    assert met
    assert found(inst) == {"i.txt": ("invoices", "queued", "routed")}


def test_an_upload_whose_file_is_away_for_a_moment_is_classified_later(inst: Installation) -> None:
    invoices = make_parser(inst, "Invoices")
    classifier_id = make_classifier(inst, {"Invoice": invoices})
    ids = add(inst, classifier_id, {"i.txt": INVOICE})
    with inst.catalog.read_session() as session:
        path = inst.files.path(session.get_one(Document, ids[0]).sha256)
    hidden = path.rename(path.with_suffix(".hidden"))
    classify_uploads(inst, inst.team_id, ids, 60)
    assert found(inst) == {"i.txt": (None, "queued", "pending")}
    hidden.rename(path)
    classify_uploads(inst, inst.team_id, ids, 60)
    assert found(inst) == {"i.txt": ("invoices", "queued", "routed")}


def test_a_classifier_learns_from_documents_that_people_route(any_inst: Installation) -> None:
    orders, tickets = make_parser(any_inst, "Orders"), make_parser(any_inst, "Tickets")
    classifier_id = make_classifier(any_inst, {"Alpha": orders, "Beta": tickets})
    text = "Gate {n} opens at nine. Your seat is {n} in the blue coach, platform {n}. Keep this slip."
    first, *others = (text.format(n=n).encode() for n in range(3))
    (document_id,) = add(any_inst, classifier_id, {"first.txt": first})
    process_queue(any_inst)
    assert found(any_inst)["first.txt"] == (None, "skipped", "skipped")
    route_document(any_inst, any_inst.team_id, classifier_id, document_id, tickets.id)
    process_queue(any_inst)
    assert found(any_inst)["first.txt"] == ("tickets", "processed", "routed")
    with any_inst.catalog.read_session() as session:
        ((example,),) = examples_of(session, classifier_id).values()
    assert example == first.decode()
    add(any_inst, classifier_id, {f"{n}.txt": data for n, data in enumerate(others)})
    process_queue(any_inst)
    routed = found(any_inst)
    assert [routed[f"{n}.txt"] for n in range(2)] == [("tickets", "processed", "routed")] * 2


def test_a_line_of_instructions_is_about_its_label(inst: Installation) -> None:
    slips, rest = make_parser(inst, "Slips"), make_parser(inst, "Rest")
    instructions = "Alpha: train seat reservation slips with gate, coach, platform and seat"
    classifier_id = make_classifier(inst, {"Alpha": slips}, fallback=rest, instructions=instructions)
    add(
        inst,
        classifier_id,
        {"s.txt": b"Seat reservation slip: gate 4, coach 7, platform 2, seat 9", "o.txt": OTHER},
    )
    process_queue(inst)
    assert {name: slug for name, (slug, _, _) in found(inst).items()} == {"s.txt": "slips", "o.txt": "rest"}


def test_what_is_not_classified_in_time_is_left_to_a_run(inst: Installation) -> None:
    parser = make_parser(inst)
    classifier_id = make_classifier(inst, {"Invoice": parser})
    ids = add(inst, classifier_id, {"i.txt": INVOICE})
    classify_uploads(inst, inst.team_id, ids, 0.001)
    assert found(inst) == {"i.txt": (None, "queued", "pending")}
    process_queue(inst)
    assert found(inst) == {"i.txt": ("invoices", "processed", "routed")}


def test_documents_that_a_run_holds_are_waited_for(inst: Installation) -> None:
    classifier_id = make_classifier(inst, {"Invoice": make_parser(inst)})
    ids = add(inst, classifier_id, {"i.txt": INVOICE})
    (held,) = claim_documents(inst, inst.team_id, ids, "a run")
    assert held.target_id == classifier_id
    classify_uploads(inst, inst.team_id, ids, 0.2)
    assert found(inst) == {"i.txt": (None, "processing", "pending")}

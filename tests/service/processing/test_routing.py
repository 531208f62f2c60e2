"""Documents of classifiers: they are classified in a run, and go on to their target parsers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from sqlalchemy import select, update
from sqlalchemy.exc import IntegrityError

from docduck import clock
from docduck.catalog.models import Classifier, ClassifierRule, Document, Parser
from docduck.errors import GivenUp
from docduck.ids import new_id
from docduck.service.classifiers.examples import examples_of
from docduck.service.classifiers.manual_routing import route_document
from docduck.service.core.installation import Installation
from docduck.service.documents.new_documents import NewDocument, register
from docduck.service.documents.queries.document_views import get_document
from docduck.service.documents.queries.listing import list_documents
from docduck.service.documents.reprocessing import reprocess
from docduck.service.parsers.parsers import ParserView
from docduck.service.processing.document_queue import (
    backlogs,
    claim_documents,
    release_lost,
    targets_with_work,
)
from docduck.service.processing.processing import process_queue
from docduck.service.processing.results import StoredOutcomes, store_outcomes
from docduck.service.requests import inline_classification
from docduck.service.requests.inline_classification import classify_uploads
from tests.conftest import MakeInstallation
from tests.documents.formats.files import lines_page, pdf
from tests.documents.formats.office.files import zipped
from tests.endpoint import model, says
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


def test_a_document_that_was_lost_too_often_is_not_routed(make_installation: MakeInstallation) -> None:
    inst = make_installation(max_lost_leases=0)
    classifier_id = make_classifier(inst, {"Invoice": make_parser(inst)})
    (document_id,) = add(inst, classifier_id, {"i.txt": INVOICE})
    assert claim_documents(inst, inst.team_id, [document_id], "a")
    with inst.catalog.transaction() as session:
        session.execute(update(Document).values(lease_expires_at=clock.now()))
    assert release_lost(inst, "b") == 1
    assert routing_of(inst, document_id)["error"] == GivenUp().message
    with inst.catalog.read_session() as session:
        row = session.get_one(Document, document_id)
        assert (row.status, row.error, row.routing_status) == ("failed", GivenUp().message, "failed")


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


def test_what_no_label_fits_goes_to_the_fallback_and_a_bad_file_or_target_fails(inst: Installation) -> None:
    invoices, rest, gone, idle = (make_parser(inst, name) for name in ("Invoices", "Rest", "Gone", "Idle"))
    first = make_classifier(inst, {"Invoice": invoices}, fallback=rest)
    second = make_classifier(inst, {"Invoice": gone, "Lease agreement": idle}, fallback=rest)
    with inst.catalog.transaction() as session:
        session.get_one(Parser, gone.id).deleted_at = clock.now()
        session.get_one(Parser, idle.id).is_active = False
    instructions = "Alpha: train seat reservation slips with gate, coach, platform and seat"
    third = make_classifier(inst, {"Alpha": invoices}, fallback=rest, instructions=instructions)
    fallback, damaged = add(inst, first, {"o.txt": OTHER, "a.pdf": b"%PDF-1.7 broken"})
    unfound, inactive, _ = add(inst, second, {"i.txt": INVOICE, "l.txt": LEASE, "o2.txt": OTHER})
    slip = b"Seat reservation slip: gate 4, coach 7, platform 2, seat 9"
    add(inst, third, {"s.txt": slip, "o3.txt": OTHER})
    process_queue(inst)
    assert found(inst) == {
        **dict.fromkeys(("o.txt", "o2.txt", "o3.txt"), ("rest", "processed", "routed")),
        **dict.fromkeys(("a.pdf", "i.txt", "l.txt"), (None, "failed", "failed")),
        "s.txt": ("invoices", "processed", "routed"),
    }
    assert routing_of(inst, fallback)["category"] == "fallback"
    errors = [routing_of(inst, one)["error"] for one in (damaged, unfound, inactive)]
    assert errors == ["File is damaged or not readable", "Target parser not found", "Parser is inactive"]


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


def test_members_attachments_and_parts_are_routed_each(inst: Installation) -> None:
    invoices, leases = make_parser(inst), make_parser(inst, "Leases")
    classifier_id = make_classifier(
        inst,
        {"Invoice": invoices, "Lease agreement": leases},
        split_documents={"enabled": True, "mode": "everyXPages", "everyXPages": 1},
        email_parsing={"parseEmailBody": False},
    )
    pages = [lines_page(tuple(data.decode().splitlines())) for data in (INVOICE, LEASE)]
    add(
        inst,
        classifier_id,
        {
            "b.pdf": pdf(*pages),
            "z.zip": zipped({"zi.txt": INVOICE, "zl.txt": LEASE}),
            "m.eml": mail([("mi.txt", INVOICE), ("ml.txt", LEASE)]),
        },
    )
    process_queue(inst)
    assert found(inst) == {
        "b (p. 1).pdf": ("invoices", "processed", "routed"),
        "b (p. 2).pdf": ("leases", "processed", "routed"),
        "zi.txt": ("invoices", "processed", "routed"),
        "zl.txt": ("leases", "processed", "routed"),
        "mi.txt": ("invoices", "processed", "routed"),
        "ml.txt": ("leases", "processed", "routed"),
        "m.eml": (None, "skipped", "skipped"),
    }
    assert_files_match(inst)


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


def test_uploads_are_classified_at_once(inst: Installation) -> None:
    invoices, leases = make_parser(inst), make_parser(inst, "Leases")
    classifier_id = make_classifier(inst, {"Invoice": invoices, "Lease agreement": leases})
    ids = add(inst, classifier_id, {"i.txt": INVOICE, "l.txt": LEASE, "o.txt": OTHER})
    classify_uploads(inst, inst.team_id, ids, 60)
    assert found(inst) == {
        "i.txt": ("invoices", "queued", "routed"),
        "l.txt": ("leases", "queued", "routed"),
        "o.txt": (None, "skipped", "skipped"),
    }
    assert set(backlogs(inst)) == {invoices.id, leases.id}


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


def test_uploads_that_can_not_be_classified_at_once_are_classified_later(inst: Installation) -> None:
    classifier_id = make_classifier(inst, {"Invoice": make_parser(inst)})
    away, held, slow = add(
        inst, classifier_id, {"a.txt": INVOICE, "h.txt": INVOICE + b".", "s.txt": INVOICE + b"!"}
    )
    with inst.catalog.read_session() as session:
        path = inst.files.path(session.get_one(Document, away).sha256)
    hidden = path.rename(path.with_suffix(".hidden"))
    classify_uploads(inst, inst.team_id, [away], 60)
    (claimed,) = claim_documents(inst, inst.team_id, [held], "a run")
    assert claimed.target_id == classifier_id
    classify_uploads(inst, inst.team_id, [held], 0.2)
    classify_uploads(inst, inst.team_id, [slow], 0.001)
    assert found(inst) == {
        "a.txt": (None, "queued", "pending"),
        "h.txt": (None, "processing", "pending"),
        "s.txt": (None, "queued", "pending"),
    }
    hidden.rename(path)
    classify_uploads(inst, inst.team_id, [away], 60)
    assert found(inst)["a.txt"] == ("invoices", "queued", "routed")
    process_queue(inst)
    assert found(inst)["s.txt"] == ("invoices", "processed", "routed"), "by a run"


def test_the_model_that_a_classifier_names_helps_to_route_in_a_run(
    make_installation: MakeInstallation,
) -> None:
    answer = [says({"reason": "Roses cost money", "label": "Garden dues"})]
    with model(answer) as named:
        inst = make_installation(workers=1)
        inst.settings.models_file.write_text(f"large: {{base_url: '{named.url}', model: l}}")
        dues = make_parser(inst, "Dues")
        classifier_id = make_classifier(inst, {"Garden dues": dues}, model="large")
        (document_id,) = ids = add(inst, classifier_id, {"o.txt": OTHER})
        classify_uploads(inst, inst.team_id, ids, 60)
        assert found(inst) == {"o.txt": (None, "queued", "pending")}, "it is left to the run"
        process_queue(inst)
        assert found(inst) == {"o.txt": ("dues", "processed", "routed")}
        assert "Roses cost money" in str(routing_of(inst, document_id)["reasoning"])
        assert [question.body["model"] for question in named.questions] == ["l"]


def test_a_classifier_learns_from_documents_that_people_route(inst: Installation) -> None:
    orders, tickets = make_parser(inst, "Orders"), make_parser(inst, "Tickets")
    classifier_id = make_classifier(inst, {"Alpha": orders, "Beta": tickets})
    text = "Gate {n} opens at nine. Your seat is {n} in the blue coach, platform {n}. Keep this slip."
    first, *others = (text.format(n=n).encode() for n in range(3))
    (document_id,) = add(inst, classifier_id, {"first.txt": first})
    process_queue(inst)
    assert found(inst)["first.txt"] == (None, "skipped", "skipped")
    route_document(inst, inst.team_id, classifier_id, document_id, tickets.id)
    process_queue(inst)
    assert found(inst)["first.txt"] == ("tickets", "processed", "routed")
    with inst.catalog.read_session() as session:
        ((example,),) = examples_of(session, classifier_id).values()
    assert example == first.decode()
    add(inst, classifier_id, {f"{n}.txt": data for n, data in enumerate(others)})
    process_queue(inst)
    routed = found(inst)
    assert [routed[f"{n}.txt"] for n in range(2)] == [("tickets", "processed", "routed")] * 2

"""Classification gates: which kinds of documents a parser processes."""

from __future__ import annotations

from typing import Any

import pytest

from docduck.service.core.installation import Installation
from docduck.service.documents.queries.document_views import get_document
from docduck.service.documents.queries.listing import list_documents
from docduck.service.documents.reprocessing import reprocess
from docduck.service.outputs.warehouse_sync import sync_warehouse
from docduck.service.parsers.parsers import ParserChanges, ParserView, update_parser
from docduck.service.processing.processing import process_queue
from tests.service.core.documents import make_parser, upload
from tests.service.sources.mails import mail, reasons

INVOICE = b"INVOICE\n\nNumber: A-1\nInvoice date: 2026-01-02\nDue date: 2026-02-02\nTotal: 119.00\n"
LEASE = (
    b"LEASE AGREEMENT\n\nThis lease agreement is made between the landlord and the tenant.\n"
    b"The tenant shall pay rent of 900 monthly. The landlord shall maintain the premises.\n"
)


def gated_parser(inst: Installation, **gate: Any) -> ParserView:
    parser = make_parser(inst)
    return set_gate(inst, parser, enabled=True, **gate)


def set_gate(inst: Installation, parser: ParserView, **gate: Any) -> ParserView:
    return update_parser(inst, inst.team_id, parser.id, ParserChanges(settings={"classificationGate": gate}))


@pytest.mark.parametrize(
    ("mode", "expected"), [("allow", ["processed", "skipped"]), ("block", ["skipped", "processed"])]
)
def test_the_gate_decides_which_documents_are_processed(
    any_inst: Installation, mode: str, expected: list[str]
) -> None:
    parser = gated_parser(any_inst, mode=mode, labels=["Invoice"])
    ids = [upload(any_inst, any_inst.team_id, parser.slug, data, "a.txt") for data in (INVOICE, LEASE)]
    (report,) = process_queue(any_inst)
    assert (report.processed, report.skipped) == (1, 1)
    views = [get_document(any_inst, any_inst.team_id, one) for one in ids]
    assert [view.status for view in views] == expected
    assert [view.classification["label"] for view in views if view.classification] == ["Invoice", None]
    decisions = ["process" if status == "processed" else "skip" for status in expected]
    assert [view.classification["decision"] for view in views if view.classification] == decisions
    assert all(0.5 < view.classification["confidence"] <= 1 for view in views if view.classification)
    assert all(view.classification["reasoning"] for view in views if view.classification)
    skipped = views[expected.index("skipped")]
    assert skipped.data == {}
    assert skipped.error is None
    sync_warehouse(any_inst)
    any_inst.warehouse.publish(force=True)
    rows = any_inst.warehouse.query(f'SELECT document_id FROM "{parser.slug}".documents').rows
    assert [tuple(row) for row in rows] == [(views[expected.index("processed")].id,)]


def test_the_gate_decides_again_when_a_document_is_processed_again(inst: Installation) -> None:
    parser = gated_parser(inst, mode="allow", labels=["Lease agreement"])
    document_id = upload(inst, inst.team_id, parser.slug, INVOICE, "a.txt")
    process_queue(inst)
    assert get_document(inst, inst.team_id, document_id).status == "skipped"
    assert reasons(inst, document_id, "gate_refused") == ["The document is none of the listed types"]
    set_gate(inst, parser, labels=["Invoice"])
    reprocess(inst, inst.team_id, [document_id])
    process_queue(inst)
    document = get_document(inst, inst.team_id, document_id)
    assert (document.status, document.data["Number"]) == ("processed", "A-1")
    set_gate(inst, parser, mode="block")
    reprocess(inst, inst.team_id, [document_id])
    process_queue(inst)
    document = get_document(inst, inst.team_id, document_id)
    assert (document.status, document.data) == ("skipped", {}), "its values are gone"
    set_gate(inst, parser, enabled=False)
    reprocess(inst, inst.team_id, [document_id])
    process_queue(inst)
    assert get_document(inst, inst.team_id, document_id).classification is None


def test_each_attachment_meets_the_gate(inst: Installation) -> None:
    parser = gated_parser(inst, mode="allow", labels=["Invoice"])
    data = mail([("invoice.txt", INVOICE), ("lease.txt", LEASE)], body="See the attachments.")
    upload(inst, inst.team_id, parser.slug, data, "m.eml")
    process_queue(inst)
    found = {row.name: row.status for row in list_documents(inst, inst.team_id, limit=10).rows}
    assert (found["invoice.txt"], found["lease.txt"]) == ("processed", "skipped")


def test_a_damaged_document_fails_whatever_the_gate(inst: Installation) -> None:
    parser = gated_parser(inst, mode="allow", labels=["Invoice"])
    document_id = upload(inst, inst.team_id, parser.slug, b"%PDF-1.7 broken", "a.pdf")
    process_queue(inst)
    assert get_document(inst, inst.team_id, document_id).status == "failed"

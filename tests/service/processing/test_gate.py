"""Classification gates: which kinds of documents a parser processes."""

from __future__ import annotations

from typing import Any

from docduck.service.core.installation import Installation
from docduck.service.documents.queries.document_views import get_document
from docduck.service.documents.queries.listing import list_documents
from docduck.service.documents.reprocessing import reprocess
from docduck.service.parsers.parsers import ParserChanges, ParserView, update_parser
from docduck.service.processing.processing import process_queue
from tests.service.core.documents import make_parser, upload
from tests.service.sources.mails import mail, reasons

INVOICE = b"INVOICE\n\nNumber: A-1\nInvoice date: 2026-01-02\nDue date: 2026-02-02\nTotal: 119.00\n"
LEASE = (
    b"LEASE AGREEMENT\n\nThis lease agreement is made between the landlord and the tenant.\n"
    b"The tenant shall pay rent of 900 monthly. The landlord shall maintain the premises.\n"
)


def gated_parser(inst: Installation, name: str = "Invoices", **gate: Any) -> ParserView:
    return set_gate(inst, make_parser(inst, name), enabled=True, **gate)


def set_gate(inst: Installation, parser: ParserView, **gate: Any) -> ParserView:
    return update_parser(inst, inst.team_id, parser.id, ParserChanges(settings={"classificationGate": gate}))


def test_the_gate_decides_which_documents_are_processed(inst: Installation) -> None:
    for mode, expected in (("allow", ["processed", "skipped"]), ("block", ["skipped", "processed"])):
        parser = gated_parser(inst, mode, mode=mode, labels=["Invoice"])
        ids = [upload(inst, inst.team_id, parser.slug, data, "a.txt") for data in (INVOICE, LEASE)]
        damaged = upload(inst, inst.team_id, parser.slug, b"%PDF-1.7 broken", "a.pdf")
        data = mail([("invoice.txt", INVOICE), ("lease.txt", LEASE)], body="See the attachments.")
        upload(inst, inst.team_id, parser.slug, data, "m.eml")
        (report,) = process_queue(inst)
        assert (report.processed, report.skipped, report.failed) == (2, 3, 1)
        views = [get_document(inst, inst.team_id, one) for one in ids]
        assert [view.status for view in views] == expected
        found = [view.classification for view in views if view.classification]
        assert [one["label"] for one in found] == ["Invoice", None]
        decisions = ["process" if status == "processed" else "skip" for status in expected]
        assert [one["decision"] for one in found] == decisions
        assert all(0.5 < one["confidence"] <= 1 and one["reasoning"] for one in found)
        skipped = views[expected.index("skipped")]
        assert (skipped.data, skipped.error) == ({}, None)
        rows = {row.name: row for row in list_documents(inst, inst.team_id, parser.slug, limit=10).rows}
        assert [rows[name].status for name in ("invoice.txt", "lease.txt")] == expected, "each by itself"
        assert get_document(inst, inst.team_id, damaged).status == "failed", "whatever the gate"
        table = inst.warehouse.query(f'SELECT document_id::varchar FROM "{parser.slug}".documents').rows
        done = {views[expected.index("processed")].id, damaged}
        done |= {row.id for row in rows.values() if row.status == "processed"}
        assert {row[0] for row in table} == done


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

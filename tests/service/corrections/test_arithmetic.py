from __future__ import annotations

from typing import Any

from docduck.fields import parse_fields
from docduck.service.core.installation import Installation
from docduck.service.corrections.corrections import set_values
from docduck.service.documents.queries.document_views import DocumentView, get_document
from docduck.service.documents.reprocessing import reprocess
from docduck.service.parsers.parsers import NewParser, create_parser
from docduck.service.processing.processing import process_queue
from tests.service.core.documents import upload

COLUMNS = [{"name": "Description"}, {"name": "Amount", "type": "currency"}]
FIELDS = parse_fields(
    [
        *({"name": name, "type": "currency"} for name in ("Net Total", "Tax Total", "Total")),
        {"name": "Items", "type": "table", "columns": COLUMNS},
    ]
)
BILL = """Heron Tools

Description                     Amount
Bolts                             5.00
Nuts                              4.00

Net Total                         9.00
Shipping                          5.00
VAT                               1.80
Total                            15.80
"""


def rules(document: DocumentView) -> dict[str, list[str]]:
    return {
        name: [one["rule"] for one in entry["validation"]]
        for name, entry in document.field_metadata.items()
        if isinstance(entry, dict) and entry.get("validation")
    }


def test_corrections_and_reading_again_check_the_sums(inst: Installation) -> None:
    team = inst.team_id
    parser = create_parser(inst, team, NewParser(name="Bills", fields=FIELDS))
    one = upload(inst, team, parser.slug, BILL.encode(), "bill.txt")
    process_queue(inst)
    read = get_document(inst, team, one)
    assert (read.data["Total"], len(read.data["Items"]), rules(read)) == (15.8, 2, {})

    def change(**data: Any) -> DocumentView:
        return set_values(inst, team, parser.id, one, {name.replace("_", " "): v for name, v in data.items()})

    wrong = change(Total=99)
    assert list(rules(wrong).values()) == [["net_plus_tax"]] and "Total" not in rules(wrong)
    net, confidence = (found.field_metadata["Net Total"]["confidence"] for found in (wrong, read))
    assert net < confidence
    assert wrong.field_metadata["Total"]["confidence"] == 1.0
    assert rules(change(Total=15.8)) == {}
    assert rules(change(Items=read.data["Items"][:1])) == {"Net Total": ["sum_of_rows"]}
    reprocess(inst, team, [one])
    process_queue(inst)
    assert rules(get_document(inst, team, one)) == {"Net Total": ["sum_of_rows"]}
    assert rules(change(Items=read.data["Items"])) == {}
    again = get_document(inst, team, one)
    assert abs(again.field_metadata["Net Total"]["confidence"] - confidence) < 0.002

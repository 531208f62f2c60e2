"""A value that was typed and is printed on the page gets its place there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from docduck.fields import Field, FieldType
from docduck.service.core.installation import Installation
from docduck.service.corrections.corrections import set_values
from docduck.service.corrections.learning import learn
from docduck.service.corrections.pending_corrections import process_pending
from docduck.service.documents.queries.document_views import get_document
from docduck.service.documents.reprocessing import reprocess
from docduck.service.parsers.parsers import NewParser, ParserView, create_parser
from docduck.service.processing.processing import process_queue
from tests.extraction.extractors.learned.sender_documents import FIELDS
from tests.service.core.documents import correct
from tests.service.corrections.test_corrections import papers, read

pytestmark = pytest.mark.slow


def entry(inst: Installation, document: str, field: str) -> Any:
    return get_document(inst, inst.team_id, document).field_metadata[field]


def middle(place: Mapping[str, Any]) -> float:
    box = place["bbox"]
    return float(box["top"] + box["height"] / 2)


def test_typed_values_and_cells_are_shown_where_they_are_printed(any_inst: Installation) -> None:
    inst = any_inst
    parser = papers(inst)
    document, truth = read(inst, parser, 0)
    typed = {name: truth[name] for name in ("Reference", "Recipient Address", "Deposit")}
    correct(inst, inst.team_id, document, dict.fromkeys(typed))
    seen = correct(inst, inst.team_id, document, {**typed, "Recipient": "Nobody Printed"}).field_metadata
    assert (seen["Reference"]["page"], seen["Reference"]["rawText"]) == (1, truth["Reference"])
    assert [place["text"] for place in seen["Reference"]["locations"]] == [truth["Reference"]]
    lines = seen["Recipient Address"]["locations"]
    assert ", ".join(place["text"] for place in lines) == truth["Recipient Address"]
    assert middle(lines[0]) < middle(lines[1])
    assert len(seen["Deposit"]["locations"]) == 1
    assert all(seen[name]["edited"] and seen[name]["confidence"] == 1 for name in typed)
    nobody = seen["Recipient"]
    assert (nobody["page"], nobody["locations"], nobody["rawText"]) == (None, [], None)
    process_queue(inst)
    sql = "SELECT page, text FROM papers._evidence WHERE field = 'Reference'"
    assert inst.warehouse.query(sql).rows == [(1, truth["Reference"])]
    reprocess(inst, inst.team_id, [document])
    process_queue(inst)
    assert entry(inst, document, "Reference") == seen["Reference"]
    # Typed cells are shown in their row.
    rows = truth["Items"]
    correct(inst, inst.team_id, document, {"Items": [{**row, "Quantity": None} for row in rows]})
    correct(inst, inst.team_id, document, {"Items": rows})
    found = entry(inst, document, "Items")
    places = [(row["Quantity"]["locations"], row["Article"]["locations"]) for row in found]
    assert len(places) == len(rows) > 1
    for quantity, article in places:
        assert abs(middle(quantity[0]) - middle(article[0])) < 0.008
    correct(inst, inst.team_id, document, {"Items": [{**rows[0], "Quantity": 999}, *rows[1:]]})
    assert entry(inst, document, "Items")[0]["Quantity"]["locations"] == []


def test_items_of_a_list_are_shown_in_their_order_and_what_has_changed_gets_no_place(
    inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    fields = [*FIELDS[:1], Field(name="Words", type=FieldType.LIST)]
    parser: ParserView = create_parser(inst, inst.team_id, NewParser(name="Papers", fields=fields))
    document, truth = read(inst, parser, 0)
    words = [truth["Depot"], "never printed", truth["Recipient"]]
    correct(inst, inst.team_id, document, {"Words": words})
    texts = [place["text"] for place in entry(inst, document, "Words")["locations"]]
    assert texts == [truth["Depot"], truth["Recipient"]]
    # A place is not given to a value that was changed meanwhile.
    set_values(inst, inst.team_id, parser.id, document, {"Reference": truth["Recipient"]})
    seen: list[Any] = []

    def interrupted(inst: Installation, *given: Any, **more: Any) -> Any:
        places = learn(inst, *given, **more)
        if not seen:
            set_values(inst, inst.team_id, parser.id, document, {"Reference": "never printed"})
        seen.append(places)
        return places

    monkeypatch.setattr("docduck.service.corrections.pending_corrections.learn", interrupted)
    assert process_pending(inst) == 2
    assert [bool(places) for places in seen] == [True, False]
    assert entry(inst, document, "Reference")["locations"] == []

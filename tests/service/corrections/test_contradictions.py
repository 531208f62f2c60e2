"""Corrections that contradict each other, or what a field is."""

from __future__ import annotations

from typing import Any

import pytest

from docduck.fields import parse_fields
from docduck.service.core.installation import Installation
from docduck.service.documents.queries.document_views import DocumentView, get_document
from docduck.service.parsers.parsers import NewParser, ParserView, create_parser
from docduck.service.processing.processing import process_queue
from tests.service.core.documents import correct, upload

pytestmark = pytest.mark.slow

FIELDS = parse_fields(
    [
        {"name": "Token", "type": "text"},
        {"name": "Advertiser", "type": "text"},
        {"name": "Contract Number", "type": "text"},
    ]
)
PAGE = """Broadcast order of the station

Advertiser: Harbour {name} Tours
Contract Number: 77{number}
Alpha mark: A-{number}1
Beta mark: B-{number}2

Spots run on weekdays only, and are paid within thirty days
"""
NAMES = ("North", "South", "East", "West", "Upper", "Lower", "Old", "New")


def parser_of(inst: Installation) -> ParserView:
    return create_parser(inst, inst.team_id, NewParser(name="Orders", fields=FIELDS))


def read(inst: Installation, parser: ParserView, number: int) -> DocumentView:
    text = PAGE.format(number=number, name=NAMES[number])
    document = upload(inst, inst.team_id, parser.slug, text.encode(), f"{number}.txt")
    process_queue(inst)
    return get_document(inst, inst.team_id, document)


def corrected(inst: Installation, parser: ParserView, number: int, values: dict[str, Any]) -> None:
    correct(inst, inst.team_id, read(inst, parser, number).id, values)


def test_the_newest_correction_wins_on_documents_that_look_alike(any_inst: Installation) -> None:
    inst, parser = any_inst, parser_of(any_inst)
    corrected(inst, parser, 1, {"Token": "A-11"})
    assert read(inst, parser, 2).data["Token"] == "A-21"
    corrected(inst, parser, 3, {"Token": "B-32"})
    assert [read(inst, parser, number).data["Token"] for number in (4, 5)] == ["B-42", "B-52"]
    corrected(inst, parser, 6, {"Token": "A-61"})
    assert read(inst, parser, 7).data["Token"] == "A-71"


def test_a_further_correction_of_another_field_makes_no_lesson_newer(inst: Installation) -> None:
    parser = parser_of(inst)
    first = read(inst, parser, 1).id
    correct(inst, inst.team_id, first, {"Token": "A-11"})
    corrected(inst, parser, 2, {"Token": "B-22"})
    correct(inst, inst.team_id, first, {"Contract Number": "77"})
    assert read(inst, parser, 3).data["Token"] == "B-32"


def test_confidence_grows_with_agreeing_corrections(inst: Installation) -> None:
    parser = parser_of(inst)
    seen = []
    for number in range(1, 5):
        found = read(inst, parser, number)
        seen.append(found.field_metadata["Token"]["confidence"])
        correct(inst, inst.team_id, found.id, {"Token": f"A-{number}1"})
    assert 0.9 < seen[1] < seen[2] < seen[3] < 0.99


def test_an_odd_correction_is_not_read_with_high_confidence(inst: Installation) -> None:
    parser = parser_of(inst)
    assert read(inst, parser, 0).data["Advertiser"] == "Harbour North Tours"
    corrected(inst, parser, 1, {"Advertiser": "771"})
    found = read(inst, parser, 2)
    assert found.data["Contract Number"] == "772"
    assert found.data["Advertiser"] == "Harbour East Tours"

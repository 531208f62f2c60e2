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

FIELDS = parse_fields([{"name": "Token"}, {"name": "Advertiser"}, {"name": "Contract Number"}])
PAGE = """Broadcast order of the station

Advertiser: Harbour {name} Tours
Contract Number: 77{number}
Alpha mark: A-{number}1
Beta mark: B-{number}2

Spots run on weekdays only, and are paid within thirty days
"""
NAMES = ("North", "South", "East", "West", "Upper", "Lower", "Old", "New", "Far")


def parser_of(inst: Installation) -> ParserView:
    return create_parser(inst, inst.team_id, NewParser(name="Orders", fields=FIELDS))


def read(inst: Installation, parser: ParserView, *numbers: int) -> list[DocumentView]:
    """Documents with these numbers, which one run reads."""
    ids = [
        upload(
            inst,
            inst.team_id,
            parser.slug,
            PAGE.format(number=number, name=NAMES[number]).encode(),
            f"{number}.txt",
        )
        for number in numbers
    ]
    process_queue(inst)
    return [get_document(inst, inst.team_id, one) for one in ids]


def tokens(inst: Installation, parser: ParserView, *numbers: int) -> list[Any]:
    return [one.data["Token"] for one in read(inst, parser, *numbers)]


def test_the_newest_correction_wins_on_documents_that_look_alike(any_inst: Installation) -> None:
    inst, parser = any_inst, parser_of(any_inst)
    first, third, sixth = (one.id for one in read(inst, parser, 1, 3, 6))
    correct(inst, inst.team_id, first, {"Token": "A-11"})
    assert tokens(inst, parser, 2) == ["A-21"]
    correct(inst, inst.team_id, third, {"Token": "B-32"})
    assert tokens(inst, parser, 4, 5) == ["B-42", "B-52"]
    correct(inst, inst.team_id, first, {"Contract Number": "77"})
    assert tokens(inst, parser, 7) == ["B-72"], "a correction of another field makes no lesson newer"
    correct(inst, inst.team_id, sixth, {"Token": "A-61"})
    assert tokens(inst, parser, 8) == ["A-81"]


def test_confidence_grows_with_agreeing_corrections(inst: Installation) -> None:
    parser = parser_of(inst)
    seen = []
    for number in range(1, 5):
        (found,) = read(inst, parser, number)
        seen.append(found.field_metadata["Token"]["confidence"])
        correct(inst, inst.team_id, found.id, {"Token": f"A-{number}1"})
    assert 0.9 < seen[1] < seen[2] < seen[3] < 0.99


def test_an_odd_correction_is_not_read_with_high_confidence(inst: Installation) -> None:
    parser = parser_of(inst)
    first, second = read(inst, parser, 0, 1)
    assert first.data["Advertiser"] == "Harbour North Tours"
    correct(inst, inst.team_id, second.id, {"Advertiser": "771"})
    (found,) = read(inst, parser, 2)
    assert (found.data["Contract Number"], found.data["Advertiser"]) == ("772", "Harbour East Tours")

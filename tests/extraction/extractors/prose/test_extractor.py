"""The extractor as a whole: skipped documents, evidence, time."""

from __future__ import annotations

import time

from docduck.documents.document import Document, Page
from docduck.extraction.run_extractors import extract_document
from docduck.fields import Field, FieldType
from tests.extraction.extractors.prose.prose_documents import FILLER, read, written
from tests.extraction.pages import text_document

_DATE = Field(name="effective_date", type=FieldType.DATE)
_LAW = Field(name="governing_law")
_PARTIES = Field(name="parties", type=FieldType.LIST)


def _contract() -> Document:
    return written(f"""
    This Agreement is made as of May 4, 2020 between Alder Works, Inc. and Birch Mills LLC.

    {FILLER}

    It is governed by the laws of the State of Ohio.
    """)


def test_invoices_are_left_to_layout_extraction() -> None:
    invoice = text_document(
        "Seller GmbH    INVOICE", "Invoice No. 4711    Date 01.02.2024", "Term 30 days    Net 100.00",
        "Bolt    4    25.00    100.00", "Total    100.00", "Parties  none", "Jurisdiction  -",
    )  # fmt: skip
    fields = [
        _DATE,
        _LAW,
        _PARTIES,
        Field(name="term"),
        Field(name="seller"),
        Field(name="total", type=FieldType.CURRENCY),
    ]
    found = read(invoice, *fields)
    assert not found.scalars
    assert not found.absent


def test_values_have_locations_and_confidence() -> None:
    found = read(_contract(), _DATE, _LAW, _PARTIES).scalars
    assert [place.text for place in found["effective_date"].locations] == ["May 4, 2020"]
    assert [place.text for place in found["parties"].locations] == ["Alder Works, Inc.", "Birch Mills LLC."]
    assert "Ohio" in found["governing_law"].locations[0].text
    assert all(0.5 <= one.confidence < 1 for one in found.values())


def test_unstated_fields_stay_empty() -> None:
    fields = [
        Field(name="court"),
        Field(name="judge"),
        Field(name="term", description="How long the agreement lasts"),
    ]
    extraction = extract_document(_contract(), fields)
    assert extraction.data == {"court": None, "judge": None, "term": None}


def test_extractor_runs_in_extraction() -> None:
    extraction = extract_document(_contract(), [_DATE, _LAW, _PARTIES])
    assert extraction.data == {
        "effective_date": "2020-05-04",
        "governing_law": "Ohio",
        "parties": ["Alder Works, Inc.", "Birch Mills LLC"],
    }


def test_time_is_linear_in_pages() -> None:
    def seconds(pages: int) -> float:
        first = _contract().pages[0]
        made = [Page(n + 1, first.width, first.height, first.lines) for n in range(pages)]
        start = time.process_time()
        read(Document("application/pdf", made, pages), _DATE, _LAW, _PARTIES)
        return time.process_time() - start

    seconds(5)
    small, large = min(seconds(100) for _ in range(3)), min(seconds(500) for _ in range(3))
    assert large < 12 * small + 0.05

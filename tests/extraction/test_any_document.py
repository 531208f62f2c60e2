"""Whatever a page holds, extraction ends in a value or in nothing, never in an error."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from docduck.documents.document import Box, Document, Line, Page, Word
from docduck.extraction.options import TableMode
from docduck.extraction.run_extractors import ExtractOptions, extract_document
from docduck.templates import keys, load
from tests.extraction.pages import text_document

PIECES = (
    "Invoice", "No:", "Rechnung", "Nr.", "vom", "Datum", "Fecha", "Total", "HT", "TTC", "MwSt", "19",
    "%", "€", "EUR", "1.234,56", "1,234.56", "1 234", "-5.00", "(7.10)", "12/05/2024", "31.02.2024",
    "3. März 2024", "DE267940183", "IBAN", "DE68", "6009", "0700", "GmbH", "Bill", "to", "Ship",
    "Name:", "Qty", "Menge", "Beschreibung", "Price", "Amount", "Saldo", "2", "x", "3,50", "70565",
    "Stuttgart", "·", "|", ":", "#", "•", "☒", "ja", "", "  ", "ß", "№", "a@b.example", "+49 711 5540",
    "٣", "中文", "\u200b", "\x00",
)  # fmt: skip
LINES = st.lists(st.lists(st.sampled_from(PIECES), max_size=9).map(" ".join), max_size=14)


@pytest.mark.extended
@pytest.mark.parametrize("template", keys())
@given(lines=LINES, tables=st.sampled_from(["disabled", "auto", "enabled"]))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_words_give_a_result(template: str, lines: list[str], tables: TableMode) -> None:
    fields = load(template).fields
    found = extract_document(text_document(*lines), fields, ExtractOptions(tables=tables))
    assert list(found.data) == [field.name for field in fields]
    json.dumps([found.data, found.field_metadata], allow_nan=False)


@pytest.mark.parametrize(
    "pages",
    [
        [],
        [Page(1, 595, 842)],
        [Page(1, 0, 0, [Line((Word("x", Box(0, 0, 0, 0)),), Box(0, 0, 0, 0))])],
    ],
    ids=["no page", "no word", "no size"],
)
def test_a_document_with_nothing_in_it(pages: list[Page]) -> None:
    for template in keys():
        fields = load(template).fields
        found = extract_document(Document("application/pdf", pages, len(pages)), fields)
        assert all(value in (None, []) for value in found.data.values())
        assert found.confidence is None

"""Reading a document with the tests' model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from docduck.documents.document import Document
from docduck.extraction.extractors.model.asking import client
from docduck.extraction.extractors.model.model_context import ModelContext
from docduck.extraction.learned_layout import LearnedLayout
from docduck.extraction.model_options import ModelOptions
from docduck.extraction.options import Ask, TableMode
from docduck.extraction.result import Extraction
from docduck.extraction.run_extractors import ExtractOptions, extract_document
from docduck.fields import parse_fields
from tests.extraction.pages import text_document

INVOICE = text_document(
    "Nordwind Handel GmbH",
    "Hafenstr. 4",
    "20457 Hamburg",
    "",
    "Invoice number: RE-2024-17",
    "Date: 03.04.2024",
    "Prepared for the Lighthouse project",
    "",
    "Description  Quantity  Amount",
    "Rope 12 mm  2  40,00",
    "Anchor  1  60,00",
    "",
    "Total  119,00",
)

FIELDS = [
    {"name": "Invoice Number"},
    {"name": "Invoice Date", "type": "date"},
    {"name": "Total", "type": "currency"},
    {"name": "Undertaking", "description": "What the goods are for"},
]


class Reader:
    """Reads with one endpoint; keyword arguments are those of ModelOptions."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(
        self,
        url: str,
        document: Document = INVOICE,
        fields: list[dict[str, Any]] | None = None,
        model_context: ModelContext | None = None,
        tables: TableMode = "auto",
        ask: Ask = "always",
        layouts: tuple[LearnedLayout, ...] = (),
        **options: Any,
    ) -> Extraction:
        given = {"seconds": 30.0, "retries": 0, "slots": self.folder / "slots", **options}
        model = ModelOptions(url, "small", **given)
        return extract_document(
            document,
            parse_fields(fields or FIELDS),
            ExtractOptions("accurate", tables, model=model, ask=ask, learned_layouts=layouts),
            model_context,
        )


@pytest.fixture
def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Reader:
    monkeypatch.setattr(client, "_FIRST_PAUSE", 0.01)
    monkeypatch.setattr(client, "_known", {})
    return Reader(tmp_path)

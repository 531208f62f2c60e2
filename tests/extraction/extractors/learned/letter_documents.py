"""Letters of one layout with the facts that a test states, line by line."""

from __future__ import annotations

from typing import Any

from docduck.documents.document import Document
from docduck.extraction.extractors.learned.layout_learning import learn_layout
from docduck.extraction.extractors.learned.printed_values import PrintedValues
from docduck.extraction.learned_layout import LearnedLayout
from docduck.extraction.options import ExtractOptions
from docduck.extraction.result import Extraction
from docduck.extraction.run_extractors import extract_document
from docduck.fields import Field
from tests.extraction.pages import text_document

HEAD = "Grain and flour since the old days"


def letter(*facts: str, head: str = HEAD) -> Document:
    """Return a letter with these lines; its letterhead names no company."""
    return text_document(
        head,
        "Harbour Row office beside the quay",
        "",
        *facts,
        "",
        "We thank for all that was ordered and ask to keep this paper well",
        "Goods stay ours until they are paid in full",
    )


def read_with(document: Document, fields: list[Field], *layouts: LearnedLayout) -> Extraction:
    return extract_document(document, fields, ExtractOptions(learned_layouts=layouts))


def corrected(document: Document, fields: list[Field], **changes: Any) -> LearnedLayout:
    """Return the layout learned from a document, read and corrected by field name (``_`` for blanks)."""
    before = extract_document(document, fields).data
    after = {**before, **{name.replace("_", " "): value for name, value in changes.items()}}
    return LearnedLayout.from_json(learn_layout(PrintedValues(document), fields, after, before).as_json())

"""Looks with fields and their true values, for what is fitted after the page's reading."""

from __future__ import annotations

from typing import Any

from docduck.documents.document import Document
from docduck.extraction.extractors.layout.candidates.conversion import from_text
from docduck.extraction.options import ExtractOptions
from docduck.extraction.page.locale import Locale, decide
from docduck.extraction.page.page_view import views_of
from docduck.fields import Field, FieldType
from tools.looks.questions import questions

HELD_OUT = 5
"""Looks and senders whose number is a multiple of this are never fitted to."""
FIRST = 100_000
"""Number of the first look and sender: the page's reading was trained on those before."""


def asked_look(seed: int) -> tuple[Document, list[Field], dict[str, Any]]:
    """Return a page of a look, fields that are asked of it, and their true values."""
    document, chosen = questions(FIRST + seed, 0)
    locale = decide(views_of(document), ExtractOptions().locale)
    truths = {question.field.name: _value(question.field, question.printed, locale) for question in chosen}
    return document, [question.field for question in chosen], truths


def _value(field: Field, printed: Any, locale: Locale) -> Any:
    """Return what is printed as a value of a field's type, None for None."""
    if field.type is not FieldType.TABLE:
        return None if printed is None else from_text(field, printed, locale)
    columns = {column.name: column for column in field.columns}
    return [{name: from_text(columns[name], text, locale) for name, text in row.items()} for row in printed]

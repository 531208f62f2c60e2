"""The partition key of a page: the value of a field, or of a column, read from that page alone."""

from __future__ import annotations

from docduck.documents.document import Document, Page
from docduck.errors import InputError
from docduck.extraction.options import ExtractOptions, ReadingLocale
from docduck.extraction.run_extractors import extract_document
from docduck.extraction.triage.split.parts import SplitOptions
from docduck.fields import Field, FieldType

_PLACE = "splitDocuments.partitionKey"


def key_field(options: SplitOptions) -> tuple[Field, str | None]:
    """Return the field to read, and the column of it that holds the key.

    Raises InputError when there is no key, or no such field.
    """
    path = options.partition_key.strip()
    if not path:
        raise InputError(f"{_PLACE} must not be empty", _PLACE)
    if options.partition_key_source == "custom":
        return Field(name=path, description=path), None
    for field in options.fields:
        if field.name == path and field.type is not FieldType.TABLE:
            return field, None
        for column in field.columns:
            if f"{field.name}.{column.name}" == path:
                return field, column.name
    raise InputError(f"{_PLACE}: the parser has no field '{path}'", _PLACE)


def key_of_page(
    document: Document, page: Page, field: Field, column: str | None, locale: ReadingLocale
) -> tuple[str | None, float]:
    """Return the key that a page shows, None if it shows none, and how sure that is."""
    alone = Document(document.content_type, [page], 1)
    extraction = extract_document(
        alone, [field], ExtractOptions(tables="enabled", locale=locale, markdown=False)
    )
    value, entry = extraction.data.get(field.name), extraction.field_metadata.get(field.name)
    if column is not None:
        for row, cells in zip(value or [], entry or [], strict=False):
            if row.get(column) not in (None, "", []):
                return _text(row[column]), float(cells[column]["confidence"])
        return None, 1.0
    if value in (None, "", []):
        return None, 1.0
    return _text(value), float((entry or {}).get("confidence", 1.0))


def _text(value: object) -> str:
    return "; ".join(map(str, value)) if isinstance(value, list) else str(value)

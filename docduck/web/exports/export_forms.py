"""What the forms of exports and layouts hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docduck.api.schemas.exports import ExportBody
from docduck.errors import InputError
from docduck.exports.columns import NUMBER_COLUMN, PROPERTY_COLUMNS
from docduck.fields import Field, FieldType
from docduck.service.conditions.filters import typed_filter
from docduck.service.core.schema import Values
from docduck.service.outputs.exporting import ExportRequest
from docduck.service.schemas.export_layouts import ExportLayoutView, NewExportLayout
from docduck.web.rest_bodies import checked_body
from docduck.web.visit import Form, form_value, lines_of

_LABELS = {
    column.key: column.name.replace("_", " ").capitalize() for column in (*PROPERTY_COLUMNS, NUMBER_COLUMN)
}


@dataclass(frozen=True, slots=True)
class Choice:
    """A column that a layout may have; ``place`` is empty if it doesn't."""

    field: str
    place: str = ""
    header: str = ""

    @property
    def label(self) -> str:
        """What people call it: the name of a field, or of a property of the document."""
        return _LABELS.get(self.field, self.field)


def request_of(form: Form) -> ExportRequest:
    """Return the export that a form asks for; raise InputError."""
    layout = form_value(form, "layout")
    filters = [typed_filter(line) for line in lines_of(form_value(form, "filters"))]
    shape = {"layoutId": layout} if layout else _shape(form)
    return checked_body(ExportBody, {**shape, "filters": filters or None}).request()


def layout_of(form: Form) -> Values:
    """Return the whole layout in a form; raise InputError."""
    columns = [{"field": choice.field, "header": choice.header or None} for choice in _chosen(form)]
    return checked_body(
        NewExportLayout,
        {
            **_shape(form),
            "name": form_value(form, "name").strip(),
            "columns": columns or None,
        },
    ).sent_values()


def _shape(form: Form) -> dict[str, str | None]:
    names = {"format": "format", "scope": "scope", "tableName": "table"}
    return {key: form_value(form, name) or None for key, name in names.items()}


def choices(fields: Sequence[Field], layout: ExportLayoutView | None = None) -> list[Choice]:
    """Return the columns that a layout may have, those that it has first."""
    names = list(_LABELS)
    names += [field.name for field in fields if field.type is not FieldType.TABLE]
    names += [f"{field.name}.{column.name}" for field in fields for column in field.columns]
    has = [] if layout is None or layout.columns is None else list(layout.columns)
    chosen = [
        Choice(column.field, str(number), column.header or "") for number, column in enumerate(has, start=1)
    ]
    taken = {choice.field for choice in chosen}
    return [*chosen, *(Choice(name) for name in names if name not in taken)]


def typed(form: Form) -> list[Choice]:
    """Return the columns of a form as they were typed."""
    rows = zip(form.get("field", []), form.get("place", []), form.get("header", []), strict=False)
    return [Choice(field, place.strip(), header.strip()) for field, place, header in rows]


def _chosen(form: Form) -> list[Choice]:
    """Return the columns that have a place, in their order."""
    choices = [column for column in typed(form) if column.place]
    if wrong := [column.place for column in choices if not column.place.isdecimal() or len(column.place) > 9]:
        raise InputError(f"A place is a whole number, not {wrong[0]}", "columns")
    return sorted(choices, key=lambda column: int(column.place))

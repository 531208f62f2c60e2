"""What the address of the list of documents says: which documents, in which order, with which columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from starlette.datastructures import QueryParams

from docduck.errors import InputError
from docduck.fields import Field, FieldType
from docduck.service.conditions.filters import PRESENCE
from docduck.service.search.query import DocumentQuery
from docduck.web.page import day_of, with_query

PATH = "/documents"
LIMIT = 50
_LONGEST = 1000
_MOST_FILTERS = 20
_ONE = (
    "parser",
    "status",
    "folder",
    "assignee",
    "q",
    "from",
    "to",
    "confidence",
    "duplicates",
    "sort",
    "thumbnails",
)
"""Parts of the query that are there at most once."""

OPERATORS = {
    "equals": "is",
    "not_equals": "is not",
    "contains": "contains",
    "not_contains": "doesn't contain",
    "starts_with": "begins with",
    "greater_than_or_equal": "≥",
    "less_than_or_equal": "≤",
    "exists": "has a value",
    "not_exists": "has no value",
}
"""How filters of fields compare."""


@dataclass(frozen=True, slots=True)
class FieldFilter:
    """A filter of a field, by id; ``operator`` is one of ``OPERATORS``."""

    field: str
    operator: str
    value: str

    def as_json(self) -> dict[str, Any]:
        """Return the filter as searches take it."""
        value = {} if self.operator in PRESENCE else {"value": self.value}
        return {"field": self.field, "operator": self.operator, **value}


@dataclass(frozen=True, slots=True)
class ListQuery:
    """The query of the list's address.

    ``parts`` are those of ``_ONE`` that are given. ``columns`` are ids of fields, None if the address says
    nothing of them; ``columns_of`` is the parser of a form with columns.
    """

    parts: dict[str, str]
    filters: tuple[FieldFilter, ...] = ()
    columns: tuple[str, ...] | None = None
    number: int = 1
    columns_of: str = ""

    @classmethod
    def of(cls, query: QueryParams) -> ListQuery:
        """Read the query of an address; raise InputError."""
        if any(len(value) > _LONGEST for value in query.values()):
            raise InputError("The address of this page is not valid")
        parts = {name: query[name].strip() for name in _ONE if query.get(name, "").strip()}
        triples = zip(query.getlist("field"), query.getlist("operator"), query.getlist("value"), strict=False)
        filters = tuple(FieldFilter(*each) for each in triples if each[0])[:_MOST_FILTERS]
        columns = tuple(filter(None, query.getlist("column"))) if "column" in query else None
        page = query.get("page", "1")
        number = int(page) if page.isdecimal() and len(page) < 8 else 0
        if number < 1 or any(each.operator not in OPERATORS for each in filters):
            raise InputError("The address of this page is not valid")
        return cls(parts, filters, columns, number, query.get("of", ""))

    def __getitem__(self, name: str) -> str:
        return self.parts.get(name, "")

    @property
    def is_narrowed(self) -> bool:
        """Whether it selects some documents only."""
        display = ("parser", "sort", "thumbnails")
        return bool(self.filters) or any(name not in display for name in self.parts)

    @property
    def text(self) -> str:
        """The query as in an address."""
        return urlencode(self.pairs())

    def pairs(self, **changed: object) -> list[tuple[str, str]]:
        """Return the query with changes; an empty value takes a part away. Pages are not part of it."""
        parts = {**self.parts, **{name: str(value) for name, value in changed.items() if value}}
        pairs = [(name, value) for name, value in parts.items() if name not in changed or changed[name]]
        for each in self.filters:
            pairs += [("field", each.field), ("operator", each.operator), ("value", each.value)]
        if self.columns is not None:
            pairs += [("column", column) for column in self.columns] or [("column", "")]
        return pairs

    def link(self, **changed: object) -> str:
        """Return the address of the list with changes of the query."""
        return with_query(PATH, urlencode(self.pairs(**changed)))

    def sort_link(self, key: str) -> str:
        """Return the address that sorts by a column, or the other way round if it is sorted by it."""
        other = f"{key}.desc" if self["sort"] == f"{key}.asc" else f"{key}.asc"
        return self.link(sort=other)

    def direction(self, key: str) -> str:
        """Return ``ascending`` or ``descending`` if the list is sorted by a column."""
        return {f"{key}.asc": "ascending", f"{key}.desc": "descending"}.get(self["sort"], "")

    def document_query(self, fields: Sequence[Field] | None) -> DocumentQuery:
        """Return what is searched in all parsers, or in one with these fields; raise InputError."""
        is_of_parser = fields is not None
        return DocumentQuery(
            q=self["q"] or None,
            status=self["status"] or None,
            folder_id=(self["folder"] or None) if is_of_parser else None,
            assignee_id=self["assignee"] or None,
            created_from=day_of(self["from"]),
            created_to=day_of(self["to"]),
            confidence_below=_confidence(self["confidence"]),
            duplicates=self["duplicates"] == "yes",
            sort=self._sort(is_of_parser),
            page=self.number,
            limit=LIMIT,
            filters=[each.as_json() for each in self.filters] if is_of_parser else (),
            in_values=True,
        )

    def _sort(self, is_of_parser: bool) -> str | None:
        sort = self["sort"]
        return None if sort.startswith("field:") and not is_of_parser else sort or None


def listed_fields(fields: Sequence[Field]) -> list[Field]:
    """Return the fields whose values fit in a column of the list."""
    return [field for field in fields if field.type is not FieldType.TABLE]


def _confidence(percent: str) -> float | None:
    if not percent:
        return None
    try:
        share = float(percent.removesuffix("%")) / 100
    except ValueError as error:
        raise InputError("Confidence is a number of percent, such as 90") from error
    return share

"""Queries of lists and searches of documents, their words folded as the index has them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from docduck.errors import InputError
from docduck.extraction.values import typed_values
from docduck.extraction.values.dates import DateOrder
from docduck.fields import Field
from docduck.ids import is_uuid
from docduck.service.conditions import (
    FILTER_PROPERTIES,
    Condition,
    ConditionTarget,
    Kind,
    Scope,
    parse_filters,
    with_iso_dates,
)
from docduck.service.conditions.targets import find_target
from docduck.service.core.pages import SORTS
from docduck.statuses import Status

ROOT: Final = "root"
"""Stands for documents in no folder."""
FURTHER_SORTS = tuple(
    f"{name}.{direction}" for name in ("status", "confidence", "pageCount") for direction in ("asc", "desc")
)
"""Sorts without an index."""
RELEVANCE = "relevance"
LONGEST_TEXT = 1000
MOST_WORDS = 20
_FIELD = "field:"


@dataclass(frozen=True, slots=True)
class DocumentQuery:
    """A query: which documents, in which order, and which page.

    ``folder_id`` may be ROOT; ``include_subfolders`` adds the folders below. ``filters`` are as in the
    request. With ``in_values``, each word of ``q`` must be part of the name, the external id or the values;
    otherwise all of ``q`` must be part of the name or external id. ``sort`` defaults to ``relevance`` for
    words in values, otherwise newest first. With ``duplicates``, the parser must have
    an earlier document of the same content or key values. The moments are inclusive bounds (``clock.span``).
    ``cursor`` stands in place of ``page``: the page after the row at which another one ended. ``with_data``
    adds the values to the rows.
    """

    q: str | None = None
    status: str | None = None
    folder_id: str | None = None
    include_subfolders: bool = False
    assignee_id: str | None = None
    review_stage_id: str | None = None
    external_id: str | None = None
    created_from: dt.date | None = None
    created_to: dt.date | None = None
    updated_from: dt.date | None = None
    updated_to: dt.date | None = None
    sort: str | None = None
    page: int = 1
    limit: int = 50
    cursor: str | None = None
    filters: Sequence[Any] = ()
    in_values: bool = False
    duplicates: bool = False
    confidence_below: float | None = None
    with_data: bool = False


class SortBy(StrEnum):
    """The sort keys of lists."""

    CREATED = "createdAt"
    UPDATED = "updatedAt"
    NAME = "name"
    STATUS = "status"
    CONFIDENCE = "confidence"
    PAGES = "pageCount"
    FIELD = "field"
    RELEVANCE = RELEVANCE


@dataclass(frozen=True, slots=True)
class Order:
    """The order of a list; documents without a value of ``target`` always come last."""

    by: SortBy
    descending: bool = True
    target: ConditionTarget | None = None


NEWEST_FIRST = Order(SortBy.CREATED)

WITHOUT_CURSORS = (SortBy.FIELD, SortBy.RELEVANCE)
"""Sorts by what documents have many of, or none: their lists have pages alone."""


@dataclass(frozen=True, slots=True)
class CheckedQuery:
    """A valid query: words folded, filters parsed, dates in ISO."""

    request: DocumentQuery
    words: tuple[str, ...]
    whole: str
    conditions: tuple[Condition, ...]
    order: Order
    date_order: DateOrder


def check_query(query: DocumentQuery, fields: Sequence[Field], date_order: DateOrder) -> CheckedQuery:
    """Return the query with its filters parsed; printed dates are read in ``date_order``.

    Raise InputError.
    """
    if query.status is not None and query.status not in set(Status):
        raise InputError(f"Unknown status: {query.status}. Known: {', '.join(Status)}", "status")
    if query.page < 1:
        raise InputError("page must be at least 1", "page")
    if not 1 <= query.limit <= 100:
        raise InputError("limit must be between 1 and 100", "limit")
    for name, value in (
        ("folderId", None if query.folder_id == ROOT else query.folder_id),
        ("assigneeId", query.assignee_id),
        ("reviewStageId", query.review_stage_id),
    ):
        if value is not None and not is_uuid(value):
            raise InputError(f"Invalid {name}", name)
    if query.include_subfolders and query.folder_id is None:
        raise InputError(
            "includeSubfolders goes with folderId: name the folder whose subfolders are meant",
            "includeSubfolders",
        )
    whole = typed_values.folded(query.q or "")
    if len(whole) > LONGEST_TEXT:
        raise InputError(f"q may have {LONGEST_TEXT} characters", "q")
    words = tuple(dict.fromkeys(whole.split())) if query.in_values else ()
    if len(words) > MOST_WORDS:
        raise InputError(f"q may have {MOST_WORDS} words", "q")
    conditions = parse_filters(list(query.filters), Scope(fields, FILTER_PROPERTIES)) if query.filters else ()
    conditions = tuple(with_iso_dates(condition, date_order) for condition in conditions)
    order = _order(query, bool(words), fields)
    if query.cursor is not None and order.by in WITHOUT_CURSORS:
        raise InputError(
            f"A list sorted by {order.by} has no cursors; set sort to {', '.join(SORTS)}, or use page",
            "cursor",
        )
    return CheckedQuery(query, words, whole, conditions, order, date_order)


def _order(query: DocumentQuery, searching: bool, fields: Sequence[Field]) -> Order:
    sort = query.sort or (RELEVANCE if searching else "createdAt.desc")
    if sort in SORTS or sort in FURTHER_SORTS:
        by, _, direction = sort.partition(".")
        return Order(SortBy(by), direction == "desc")
    if query.in_values:
        if sort == RELEVANCE:
            return Order(SortBy.RELEVANCE) if searching else NEWEST_FIRST
        name, dot, direction = sort.removeprefix(_FIELD).rpartition(".")
        if sort.startswith(_FIELD) and dot and direction in ("asc", "desc"):
            target = find_target(name, fields, (), "sort")
            if target.kind is Kind.TABLE:
                raise InputError(f"'{target.name}' is a table; name one of its columns", "sort")
            return Order(SortBy.FIELD, direction == "desc", target)
    of_values = (f"{_FIELD}<name>.asc", f"{_FIELD}<name>.desc", RELEVANCE) if query.in_values else ()
    known = (*SORTS, *FURTHER_SORTS, *of_values)
    raise InputError(f"Unknown sort: {sort}. Known: {', '.join(known)}", "sort")

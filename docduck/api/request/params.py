"""Parameters that several endpoints share."""

from __future__ import annotations

import re
from typing import Annotated, Any

from fastapi import Body, Path, Query
from pydantic import BeforeValidator, ConfigDict

from docduck.api.schemas.documents import Nothing
from docduck.service.core.pages import SORTS
from docduck.service.core.schema import Schema

_UUID = {"format": "uuid"}
_INTEGER = re.compile(r"-?[0-9]+")

ParserId = Annotated[str, Path(description="The parser's id or slug")]
ClassifierId = Annotated[str, Path(description="The classifier's id or slug")]
DocumentId = Annotated[str, Path(description="The document's id", json_schema_extra=_UUID)]
FolderId = Annotated[str, Path(description="The folder's id", json_schema_extra=_UUID)]
StageId = Annotated[str, Path(description="The review stage's id", json_schema_extra=_UUID)]
LessonId = Annotated[str, Path(description="The lesson's id", json_schema_extra=_UUID)]
WebhookId = Annotated[str, Path(description="The webhook's id", json_schema_extra=_UUID)]
DeliveryId = Annotated[str, Path(description="The delivery's id", json_schema_extra=_UUID)]
LayoutId = Annotated[str, Path(description="The layout's id", json_schema_extra=_UUID)]
FieldId = Annotated[str, Path(description="The field's name or id", min_length=1)]
PartOfName = Annotated[str, Query(max_length=255, description="Part of the name, in any case")]
Active = Annotated[bool | None, Query(description="Only active, or only inactive ones")]


def _digits(value: Any) -> Any:
    if isinstance(value, str) and not _INTEGER.fullmatch(value):
        raise ValueError("must be an integer")
    return value


# Limits stand before the validator, as JSON Schema has none of those after it.
PageNumber = Annotated[
    int, Query(ge=1, le=1_000_000_000, description="The page, from 1"), BeforeValidator(_digits)
]
Limit = Annotated[int, Query(ge=1, le=100, description="Rows of a page"), BeforeValidator(_digits)]

Wait = Annotated[
    float,
    Query(ge=0, le=60, description="Seconds to wait for the results; processed items then have `data`"),
]

NoBody = Annotated[Nothing | None, Body()]
"""The body of a request that has nothing to say."""


class QueryParameters(Schema):
    """Parameters that a query has, for ``Annotated[…, Query()]``: values are read from text."""

    model_config = ConfigDict(strict=False)


class NamedList(QueryParameters):
    """The parameters of a list of parsers or classifiers."""

    q: PartOfName = ""
    is_active: Active = None
    page: PageNumber = 1
    limit: Limit = 50
    sort: Annotated[str, Query(json_schema_extra={"enum": list(SORTS)})] = "createdAt.desc"

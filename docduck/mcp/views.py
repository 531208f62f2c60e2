"""What tools show of the REST API's JSON: an agent pays for every word that it reads.

What is null or empty is left out, but for the values of documents. Documents have arguments that say how much
of them is shown; ``full`` is the REST API's JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Literal

from pydantic import Field, ValidationError

from docduck.errors import InputError
from docduck.service.core.schema import Schema, input_error
from docduck.service.documents.doubts import is_unsure
from docduck.service.parsers.settings_schema import ParserSettings

MOST_ROWS, MOST_ROWS_ASKED_FOR = 25, 500
"""Of a table, and of one that is asked for by its name or in full."""
_MOST_UNSURE = 50
"""Fields, and rows of a table, of which it is told why they are unsure."""

_MISTAKES = ("wrong", "missing", "invented")
_NOTHING: Sequence[Any] = (None, "", [], {})
_AS_THEY_ARE = ("data", "custom")
"""Keys of objects whose members are not ours."""
_DEFAULTS = ParserSettings().model_dump(mode="json", by_alias=True)


class NoOptions(Schema):
    """A view without arguments."""


class Details(Schema):
    """How much of a document is shown."""

    detail: Literal["values", "unsure", "full"] = Field(
        "unsure", description="full has all metadata and every place"
    )
    fields: list[str] | None = Field(None, description="Only these fields, tables with 500 rows")


@dataclass(frozen=True, slots=True)
class View:
    """What is shown of a result; ``options`` are arguments of the tool.

    ``show`` returns it, given the result and the options that were chosen; it may raise InputError.
    """

    options: type[Schema]
    show: Callable[[dict[str, Any], Any], dict[str, Any]]
    from_documents: bool = False
    """Whether it shows what documents say, which may be anything."""

    def chosen(self, arguments: Mapping[str, Any]) -> tuple[Schema, dict[str, Any]]:
        """Return the options among arguments, and the other arguments; raise InputError."""
        own = {key: value for key, value in arguments.items() if key in self.options.model_fields}
        try:
            options = self.options.model_validate(own)
        except ValidationError as error:
            raise input_error(error.errors()) from error
        return options, {key: value for key, value in arguments.items() if key not in own}


def filled(value: Any) -> Any:
    """Return JSON without members that are null or empty; values and custom data of documents stay."""
    if isinstance(value, list):
        return [filled(item) for item in value]
    if not isinstance(value, Mapping):
        return value
    members = {
        key: member if key in _AS_THEY_ARE and isinstance(member, Mapping) else filled(member)
        for key, member in value.items()
    }
    return {key: member for key, member in members.items() if key == "data" or member not in _NOTHING}


def _document(body: dict[str, Any], options: Details) -> dict[str, Any]:
    data, metadata = body["data"], body["metadata"]
    if data and (unknown := [name for name in options.fields or () if name not in data]):
        raise InputError(f"There is no field '{unknown[0]}'", "fields", known=[*data])
    parts = [_part(part, metadata["id"], options) for part in body.get("parts", ())]
    more = {"parts": parts} if parts else {}
    if options.detail == "full":
        places = _chosen(metadata["field_metadata"], options)
        of_all = {**body, "metadata": {**metadata, "field_metadata": places}}
        return {**of_all, **_values(data, options), **more}
    of_all = {key: body[key] for key in ("id", "parserId") if key in body}
    result = {
        **(of_all if options.detail == "unsure" else {}),
        "name": metadata["name"],
        "status": metadata["status"],
        **_values(data, options),
        **filled({"error": body.get("error")}),
        **more,
    }
    if options.detail == "values":
        return result
    kept = ("externalId", "custom", "warnings", "duplicateOf", "split", "waiting", "progress")
    about = filled({key: metadata[key] for key in kept})
    places = metadata["field_metadata"]
    unsure = {
        name: entry
        for name in result["data"]
        if (entry := _unsure(places.get(name), metadata["unsureBelow"]))
    }
    if unsure:
        about["field_metadata"] = dict(islice(unsure.items(), _MOST_UNSURE))
    if (left_out := len(unsure) - _MOST_UNSURE) > 0:
        about["unsureLeftOut"] = left_out
    about |= _review(metadata["review"])
    return {**result, **({"metadata": about} if about else {})}


def _changed(body: dict[str, Any], _: NoOptions) -> dict[str, Any]:
    """Return a document without its values, which whoever changed it knows."""
    left_out = ("data", "rowsLeftOut", "parserId")
    return {key: value for key, value in _document(body, Details()).items() if key not in left_out}


def _part(part: Mapping[str, Any], shown_id: str, options: Details) -> dict[str, Any]:
    """Return one of the documents that a file became, without values if they are shown already."""
    about = filled({key: part[key] for key in ("documentId", "name", "status", "error")})
    return about if part["documentId"] == shown_id else {**about, **_values(part["data"], options)}


def _chosen(values: Mapping[str, Any], options: Details) -> Mapping[str, Any]:
    """Return what is asked for, of tables the first rows."""
    is_asked_for = options.fields is not None or options.detail == "full"
    most = MOST_ROWS_ASKED_FOR if is_asked_for else MOST_ROWS
    names = values if options.fields is None else [name for name in options.fields if name in values]
    return {name: values[name][:most] if _is_table(values[name]) else values[name] for name in names}


def _values(data: Mapping[str, Any], options: Details) -> dict[str, Any]:
    """Return the values that are asked for, and how many rows of a table are left out."""
    chosen = _chosen(data, options)
    left_out = {
        name: count
        for name, value in chosen.items()
        if _is_table(value) and (count := len(data[name]) - len(value))
    }
    return {"data": chosen, **({"rowsLeftOut": left_out} if left_out else {})}


def _is_table(value: Any) -> bool:
    return isinstance(value, list) and value != [] and isinstance(value[0], Mapping)


def _unsure(entry: Any, below: float) -> Any:
    """Return what is said of an unsure value, of the unsure cells of a table by row (from 1), or None."""
    if isinstance(entry, Sequence):
        rows = (
            {"row": number, "cells": cells}
            for number, row in enumerate(entry, start=1)
            if (cells := {name: doubt for name, cell in row.items() if (doubt := _unsure(cell, below))})
        )
        return list(islice(rows, _MOST_UNSURE)) or None
    if not entry or not is_unsure(entry, below):
        return None
    return filled({key: entry.get(key) for key in ("confidence", "page", "rawText", "validation")})


def _review(review: Mapping[str, Any]) -> dict[str, Any]:
    """Return where a review is, and whose turn it is, or why it ended."""
    if not review["isRequired"]:
        return {}
    assignee, stage = review["assignee"], review["currentStage"]
    rejected = next((stage for stage in review["stages"] if stage["status"] == "rejected"), None)
    return {
        "review": filled(
            {
                "status": review["status"],
                "assignee": assignee and {key: assignee[key] for key in ("id", "name")},
                "currentStage": stage and {key: stage[key] for key in ("name", "reviewerInstructions")},
                "rejected": rejected and {key: rejected[key] for key in ("name", "comment")},
            }
        )
    }


_OF_ROWS = (
    *("id", "parserId", "name", "externalId", "status", "folderId", "createdAt", "pageCount", "confidence"),
    *("error", "routing"),
)


def _row(row: Mapping[str, Any]) -> dict[str, Any]:
    review = _review(row["review"]) if "review" in row else {}
    data = {"data": row["data"]} if "data" in row else {}
    return {**filled({key: row.get(key) for key in _OF_ROWS}), **review, **data}


def _received(item: Mapping[str, Any]) -> dict[str, Any]:
    about = filled({key: item[key] for key in ("documentId", "name", "status", "externalId", "routing")})
    read = {key: item[key] for key in ("data", "metadata", "error", "parts") if key in item}
    return {**about, **_document(read, Details())} if item["metadata"] else about


def field_shown(field: Mapping[str, Any]) -> dict[str, Any]:
    """Return a field without what it has by default; its columns the same."""
    kept = filled({key: value for key, value in field.items() if key not in ("id", "position", "columns")})
    kept = {
        key: value
        for key, value in kept.items()
        if (key, value) not in (("extract", True), ("required", False))
    }
    columns = [field_shown(column) for column in field.get("columns") or ()]
    return {**kept, **({"columns": columns} if columns else {})}


def _fields(body: dict[str, Any], _: NoOptions) -> dict[str, Any]:
    return {**body, "fields": [field_shown(field) for field in body["fields"]]}


def _suggested(body: dict[str, Any], options: NoOptions) -> dict[str, Any]:
    samples = [{name: filled(value) for name, value in sample.items()} for sample in body["found"]]
    return {**_fields(body, options), "found": samples}


_OF_PARSERS = (
    *("id", "slug", "name", "description", "templateKey", "fieldCount", "reviewStages", "counts", "problem"),
    "emailAddress",
)


def _parser(body: Mapping[str, Any]) -> dict[str, Any]:
    result = filled({key: body.get(key) for key in _OF_PARSERS})
    settings = {
        key: value
        for key, value in body["settings"].items()
        if value != _DEFAULTS.get(key) and key != "acceptedFileTypes"
    }
    fields = [field_shown(field) for field in body.get("fields") or ()]
    return {
        **result,
        **({} if body["isActive"] else {"isActive": False}),
        **({"settings": settings} if settings else {}),
        **({"fields": fields} if fields else {}),
    }


def _classifier(body: Mapping[str, Any]) -> dict[str, Any]:
    return filled({key: value for key, value in body.items() if key != "acceptedFileTypes"})  # type: ignore[no-any-return]


def _each(of: Callable[[Any], dict[str, Any]], key: str = "data") -> View:
    """Return the view of a list whose items are shown by ``of``."""
    return View(NoOptions, lambda body, _: {**body, key: [*map(of, body[key])]})


def _lean(body: dict[str, Any], _: NoOptions) -> dict[str, Any]:
    """Return a result with its lists, empty ones too, and what else is in it."""
    return {key: [] for key, value in body.items() if value == []} | dict(filled(body))


def _evaluated(body: dict[str, Any], options: NoOptions) -> dict[str, Any]:
    rest = {key: value for key, value in body.items() if key != "evaluatedDocuments"}
    return _lean(
        {**rest, "fields": [*map(_counted, body["fields"])], "total": _counted(body["total"])}, options
    )


def _counted(pair: Mapping[str, Any]) -> dict[str, Any]:
    """Return a field's accuracy without mistakes that there are none of."""
    times = {
        time: {name: count for name, count in pair[time].items() if count or name not in _MISTAKES}
        for time in ("before", "now")
    }
    return {**pair, **times}


def _usage(body: dict[str, Any], _: NoOptions) -> dict[str, Any]:
    """Return the use by month: by day, it is thousands of rows."""
    months: dict[tuple[str, str], dict[str, Any]] = {}
    for day in body["days"]:
        named = {"month": day["day"][:7], "parserId": day["parserId"], "parserName": day["parserName"]}
        row = months.setdefault((named["month"], day["parserId"]), {**named, "documents": 0, "pages": 0})
        row["documents"] += day["documents"]
        row["pages"] += day["pages"]
    return {"months": [*months.values()], "models": body["models"]}


LEAN = View(NoOptions, _lean)
EVALUATED = View(NoOptions, _evaluated, from_documents=True)
WHOLE = View(NoOptions, lambda body, _: body)
QUOTED = View(NoOptions, _lean, from_documents=True)
DOCUMENT = View(Details, _document, from_documents=True)
CHANGED = View(NoOptions, _changed, from_documents=True)
DOCUMENTS = replace(_each(_row), from_documents=True)
UPLOADED = replace(_each(_received, "result"), from_documents=True)
FIELDS = View(NoOptions, _fields)
PARSER = View(NoOptions, lambda body, _: _parser(body))
PARSERS = _each(_parser)
CLASSIFIER = View(NoOptions, lambda body, _: _classifier(body))
CLASSIFIERS = _each(_classifier)
USAGE = View(NoOptions, _usage)
SUGGESTED = View(NoOptions, _suggested, from_documents=True)

"""Settings that refer to the parser's fields: partition key, name template and duplicate keys."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from docduck.errors import InputError
from docduck.fields import Field, FieldType
from docduck.ids import name_key
from docduck.service.parsers.name_templates import placeholders, with_placeholders
from docduck.service.parsers.settings_schema import ParserSettings

FIELD_SETTINGS = frozenset({"splitDocuments", "documentNameTemplate", "duplicateKeys"})
_ROWS = (FieldType.TABLE, FieldType.LIST)


def check_field_settings(settings: ParserSettings, fields: Sequence[Field], prefix: str = "") -> None:
    """Raise InputError, listing all paths below ``prefix``, if a setting names no suitable field."""
    problems = [
        (".".join(filter(None, (prefix, place))), words)
        for place, words in (
            *_wrong_partition_key(settings, fields),
            *_wrong_template(settings, fields),
            *_wrong_keys(settings, fields),
        )
    ]
    if problems:
        place, words = problems[0]
        raise InputError(f"{place}: {words}", place, problems)


def with_field_ids(stored: Mapping[str, Any], fields: Sequence[Field]) -> dict[str, Any]:
    """Return the settings with duplicate keys replaced by field ids, without repetitions."""
    if "duplicateKeys" not in stored:
        return dict(stored)
    fields_by_ref = [(_find(fields, ref), ref) for ref in stored["duplicateKeys"]]
    ids = [str(field.id) if field else ref for field, ref in fields_by_ref]
    return {**stored, "duplicateKeys": list(dict.fromkeys(ids))}


def follow_renames(
    stored: Mapping[str, Any], before: Sequence[Field], after: Sequence[Field]
) -> Mapping[str, Any]:
    """Return the settings with the new names of renamed fields."""
    paths = {field_id: path for path, field_id in _paths(after).items()}
    renamed = {path: paths[field_id] for path, field_id in _paths(before).items() if field_id in paths}
    followed = dict(stored)
    split = stored.get("splitDocuments", {})
    if (
        split.get("partitionKeySource", "parserField") == "parserField"
        and split.get("partitionKey") in renamed
    ):
        followed["splitDocuments"] = {**split, "partitionKey": renamed[split["partitionKey"]]}
    if template := stored.get("documentNameTemplate"):
        new_names = {name_key(old): new for old, new in renamed.items()}
        followed["documentNameTemplate"] = with_placeholders(
            template, lambda name: new_names.get(name_key(name), name)
        )
    return followed


def _wrong_partition_key(settings: ParserSettings, fields: Sequence[Field]) -> Iterator[tuple[str, str]]:
    split = settings.split_documents
    if not split.partition_key or split.partition_key_source != "parserField":
        return
    if split.partition_key not in _paths(fields):
        yield "splitDocuments.partitionKey", _unknown(split.partition_key)


def _wrong_template(settings: ParserSettings, fields: Sequence[Field]) -> Iterator[tuple[str, str]]:
    for name in placeholders(settings.document_name_template or ""):
        field = next((field for field in fields if name_key(field.name) == name_key(name)), None)
        if field is None:
            yield "documentNameTemplate", _unknown(name)
        elif field.type is FieldType.TABLE:
            yield "documentNameTemplate", f"'{field.name}' is a table; name a field with one value"


def _wrong_keys(settings: ParserSettings, fields: Sequence[Field]) -> Iterator[tuple[str, str]]:
    for index, ref in enumerate(settings.duplicate_keys):
        field = _find(fields, ref)
        if field is None:
            yield f"duplicateKeys.{index}", _unknown(ref)
        elif field.type in _ROWS:
            yield (
                f"duplicateKeys.{index}",
                f"'{field.name}' is a {field.type.value}; name a field with one value",
            )


def _unknown(ref: str) -> str:
    return f"the parser has no field '{ref}'"


def _find(fields: Sequence[Field], ref: str) -> Field | None:
    by_id = (field for field in fields if field.id == ref)
    by_name = (field for field in fields if name_key(field.name) == name_key(ref))
    return next(by_id, next(by_name, None))


def _paths(fields: Sequence[Field]) -> Mapping[str, str | None]:
    """Return the ids of fields and columns by their dotted paths."""
    columns = {f"{table.name}.{column.name}": column.id for table in fields for column in table.columns}
    return columns | {field.name: field.id for field in fields}

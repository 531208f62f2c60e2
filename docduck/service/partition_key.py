"""The field that documents are parted by (contract A2, ``splitDocuments.partitionKey``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from docduck.errors import InputError
from docduck.fields import Field
from docduck.service.setting_objects import ParserSettings


def check_split(settings: ParserSettings, fields: Sequence[Field], path: str = "splitDocuments") -> None:
    """Raises InputError when documents are to be parted by a field that the parser does not have."""
    split = settings.split_documents
    if not split.partition_key or split.partition_key_source != "parserField":
        return
    if split.partition_key not in _paths(fields):
        where = f"{path}.partitionKey"
        raise InputError(f"{where}: the parser has no field '{split.partition_key}'", where)


def follow_renames(
    stored: Mapping[str, Any], before: Sequence[Field], after: Sequence[Field]
) -> Mapping[str, Any]:
    """``stored``, with the field that documents are parted by as it is called now, if it is still there."""
    split = stored.get("splitDocuments", {})
    field_id = _paths(before).get(split.get("partitionKey", ""))
    now = next((path for path, one in _paths(after).items() if one == field_id), None)
    if field_id is None or now is None or split.get("partitionKeySource", "parserField") != "parserField":
        return stored
    return {**stored, "splitDocuments": {**split, "partitionKey": now}}


def _paths(fields: Sequence[Field]) -> Mapping[str, str | None]:
    """The ids of fields and columns by their dotted paths."""
    columns = {f"{table.name}.{column.name}": column.id for table in fields for column in table.columns}
    return columns | {field.name: field.id for field in fields}

"""JSON values as polars frames, with the column types of the warehouse."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import polars as pl
import pyarrow as pa

from docduck.column_types import OF_FIELD, SCALE_BY_SQL, ColumnType, decimal_type, scale_of
from docduck.fields import Field, FieldType


def frame_of(fields: Iterable[Field], rows: Sequence[Mapping[str, Any]]) -> pl.DataFrame:
    """Return ``rows``, which are JSON values by field name, with a column per field that is not a table.

    Values that don't fit their field's type are null.
    """
    scalars = [field for field in fields if field.type is not FieldType.TABLE]
    arrays = [_array(OF_FIELD[field.type], [row.get(field.name) for row in rows]) for field in scalars]
    return pl.DataFrame(pa.Table.from_arrays(arrays, names=[field.name for field in scalars]))


def _array(kind: ColumnType, raw: Sequence[Any]) -> Any:
    values = [_read(kind, value) for value in raw]
    if kind.sql in SCALE_BY_SQL:
        kind = decimal_type(scale_of(values))
    return pa.array(values, kind.arrow)


def _read(kind: ColumnType, value: Any) -> Any:
    try:
        return kind.read(value)
    except ValueError:
        return None

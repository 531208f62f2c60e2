"""Page ranges such as ``LAST``, which were taken in any case, are in lower case."""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0046"
down_revision = "0045"
branch_labels = None
depends_on = None

_JSON = sa.JSON(none_as_null=True).with_variant(postgresql.JSONB(none_as_null=True), "postgresql")

_ID = sa.Uuid(as_uuid=False)
_PARSERS = sa.table("parsers", sa.column("id", _ID), sa.column("settings", _JSON))
_CLASSIFIERS = sa.table("classifiers", sa.column("id", _ID), sa.column("split_documents", _JSON))


def upgrade() -> None:
    _change(_PARSERS, "settings", _lower_settings)
    _change(_CLASSIFIERS, "split_documents", _lower_split)


def _change(table: sa.TableClause, name: str, lower: Any) -> None:
    connection = op.get_bind()
    for row_id, value in connection.execute(sa.select(table.c.id, table.c[name])).all():
        if isinstance(value, dict) and (changed := lower(value)) != value:
            connection.execute(table.update().where(table.c.id == row_id).values({name: changed}))


def _lower_settings(settings: dict[str, Any]) -> dict[str, Any]:
    lowered = _lower(settings, "parsePages")
    split = settings.get("splitDocuments")
    return lowered | {"splitDocuments": _lower_split(split)} if isinstance(split, dict) else lowered


def _lower_split(split: dict[str, Any]) -> dict[str, Any]:
    return _lower(split, "pageRanges")


def _lower(values: dict[str, Any], key: str) -> dict[str, Any]:
    value = values.get(key)
    return values | {key: value.lower()} if isinstance(value, str) else values

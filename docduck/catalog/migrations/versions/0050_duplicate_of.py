"""Tables have a column ``duplicate_of``: fields with columns of that name get others, and all are written."""

import datetime as dt

import sqlalchemy as sa
from alembic import op

revision = "0050"
down_revision = "0049"
branch_labels = None
depends_on = None

_NAME = "duplicate_of"
_ID = sa.Uuid(as_uuid=False)
_FIELDS = sa.table(
    "parser_fields",
    sa.column("key", _ID),
    sa.column("parser_id", _ID),
    sa.column("table_id", sa.String()),
    sa.column("column", sa.String()),
)
_PARSERS = sa.table(
    "parsers",
    sa.column("id", _ID),
    sa.column("team_id", _ID),
    sa.column("deleted_at", sa.DateTime(timezone=True)),
)
_PROJECTIONS = sa.table(
    "projections",
    sa.column("document_id", _ID),
    sa.column("team_id", _ID),
    sa.column("parser_id", _ID),
    sa.column("revision", sa.BigInteger()),
    sa.column("at", sa.DateTime(timezone=True)),
)


def upgrade() -> None:
    connection = op.get_bind()
    _rename_fields(connection)
    waiting = sa.select(_PROJECTIONS.c.parser_id).where(
        _PROJECTIONS.c.document_id == _PROJECTIONS.c.parser_id
    )
    rows = sa.select(
        _PARSERS.c.id,
        _PARSERS.c.team_id,
        _PARSERS.c.id,
        sa.literal(1),
        sa.literal(dt.datetime.now(dt.UTC), sa.DateTime(timezone=True)),
    ).where(_PARSERS.c.deleted_at.is_(None), _PARSERS.c.id.not_in(waiting))
    connection.execute(
        sa.insert(_PROJECTIONS).from_select(["document_id", "team_id", "parser_id", "revision", "at"], rows)
    )


def _rename_fields(connection: sa.Connection) -> None:
    outside = _FIELDS.c.table_id.is_(None)
    for row in connection.execute(sa.select(_FIELDS).where(outside, _FIELDS.c.column == _NAME)).all():
        mine = sa.select(_FIELDS.c.column).where(outside, _FIELDS.c.parser_id == row.parser_id)
        taken = set(connection.scalars(mine))
        free = next(name for number in range(2, len(taken) + 3) if (name := f"{_NAME}_{number}") not in taken)
        connection.execute(sa.update(_FIELDS).where(_FIELDS.c.key == row.key).values({"column": free}))

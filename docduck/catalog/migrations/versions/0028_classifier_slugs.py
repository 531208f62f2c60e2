"""Slugs of classifiers."""

from collections import defaultdict

import sqlalchemy as sa
from alembic import op

from docduck.ids import snake_case

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None

_LIVE = sa.text("deleted_at IS NULL")
_CLASSIFIERS = sa.table(
    "classifiers",
    sa.column("id", sa.Uuid(as_uuid=False)),
    sa.column("team_id", sa.Uuid(as_uuid=False)),
    sa.column("name", sa.String()),
    sa.column("slug", sa.String()),
    sa.column("created_at", sa.DateTime(timezone=True)),
)


def upgrade() -> None:
    op.add_column("classifiers", sa.Column("slug", sa.String(length=64), nullable=False, server_default=""))
    connection, columns = op.get_bind(), _CLASSIFIERS.c
    taken: dict[str, set[str]] = defaultdict(set)
    for row in connection.execute(sa.select(_CLASSIFIERS).order_by(columns.created_at, columns.id)).all():
        base = snake_case(row.name, "classifier").lstrip("_")[:50].rstrip("_")
        slug, count = base, 1
        while slug in taken[row.team_id]:
            count += 1
            slug = f"{base}_{count}"
        taken[row.team_id].add(slug)
        connection.execute(_CLASSIFIERS.update().where(columns.id == row.id).values(slug=slug))
    op.create_index(
        "ix_classifiers_team_id_slug",
        "classifiers",
        ["team_id", "slug"],
        unique=True,
        postgresql_where=_LIVE,
        sqlite_where=_LIVE,
    )

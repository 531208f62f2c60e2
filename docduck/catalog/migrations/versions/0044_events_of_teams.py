"""Webhooks of all parsers of a team."""

import sqlalchemy as sa
from alembic import op

revision = "0044"
down_revision = "0043"
branch_labels = None
depends_on = None

_ID = sa.Uuid(as_uuid=False)


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        _make_nullable("webhooks", "parser_id")
    else:
        op.alter_column("webhooks", "parser_id", existing_type=_ID, nullable=True)


def _make_nullable(table: str, column: str) -> None:
    """Change the schema alone (SQLite, "ALTER TABLE", 8): with the old table its deliveries would go."""
    connection = op.get_bind()
    version = connection.exec_driver_sql("PRAGMA schema_version").scalar_one()
    connection.exec_driver_sql("PRAGMA writable_schema=ON")
    connection.execute(
        sa.text("UPDATE sqlite_master SET sql = replace(sql, :before, :after) WHERE name = :table"),
        {"before": f"{column} CHAR(32) NOT NULL", "after": f"{column} CHAR(32)", "table": table},
    )
    connection.exec_driver_sql(f"PRAGMA schema_version={version + 1}")
    connection.exec_driver_sql("PRAGMA writable_schema=OFF")

"""Webhooks of all parsers of a team, and the events of its documents."""

import sqlalchemy as sa
from alembic import op

revision = "0048"
down_revision = "0047"
branch_labels = None
depends_on = None

_ID = sa.Uuid(as_uuid=False)
_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        _make_nullable("webhooks", "parser_id")
    else:
        op.alter_column("webhooks", "parser_id", existing_type=_ID, nullable=True)
    op.create_table(
        "fired_events",
        sa.Column("number", _NUMBER, primary_key=True, autoincrement=True),
        sa.Column("id", _ID, nullable=False, unique=True),
        sa.Column("team_id", _ID, sa.ForeignKey("teams.id", ondelete="CASCADE"), nullable=False),
        sa.Column("parser_id", _ID, nullable=False),
        sa.Column("document_id", _ID, nullable=False),
        sa.Column("event", sa.String(64), nullable=False),
        sa.Column("snapshot_id", _ID),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False, index=True),
        sa.Index("ix_fired_events_team_id_number", "team_id", "number"),
        sqlite_autoincrement=True,
    )
    op.add_column("webhook_deliveries", sa.Column("event_id", _ID))
    op.create_index(
        "uq_webhook_deliveries_webhook_id_event_id",
        "webhook_deliveries",
        ["webhook_id", "event_id"],
        unique=True,
    )


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

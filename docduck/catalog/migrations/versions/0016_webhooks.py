"""Webhooks: sealed headers, snapshots of documents, claims of deliveries. The tables were not used before.

Stored responses of requests with an Idempotency-Key, which are kept for a day, are sealed from now on; those
that are not are dropped.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

_JSON = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")
_ID = sa.Uuid(as_uuid=False)
_MOMENT = sa.DateTime(timezone=True)
_DUE = sa.text("status = 'pending' AND claimed_by IS NULL")
_CLAIMED = sa.text("claimed_by IS NOT NULL")


def upgrade() -> None:
    op.execute("DELETE FROM idempotent_requests")
    op.drop_table("webhook_deliveries")
    with op.batch_alter_table("webhooks") as table:
        table.drop_column("sealed_headers")
        table.drop_column("is_active")
        table.add_column(sa.Column("headers", _JSON, nullable=False))
        table.create_check_constraint(op.f("ck_webhooks_value_format"), "value_format IN ('typed', 'string')")
    op.create_table(
        "webhook_snapshots",
        sa.Column("id", _ID, nullable=False),
        sa.Column("team_id", _ID, nullable=False),
        sa.Column("document_id", _ID, nullable=False),
        sa.Column("facts", _JSON, nullable=False),
        sa.Column("fields", _JSON, nullable=False),
        sa.Column("values", _JSON, nullable=True),
        sa.Column("created_at", _MOMENT, nullable=False),
        _foreign_key("webhook_snapshots", "team_id", "teams"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhook_snapshots")),
    )
    for column in ("team_id", "document_id", "created_at"):
        op.create_index(op.f(f"ix_webhook_snapshots_{column}"), "webhook_snapshots", [column])
    _create_deliveries(
        sa.Column("snapshot_id", _ID, nullable=False),
        sa.Column("document_id", _ID, nullable=False),
        sa.Column("claimed_by", sa.String(), nullable=True),
        _foreign_key("webhook_deliveries", "snapshot_id", "webhook_snapshots"),
    )
    op.create_index(
        "ix_webhook_deliveries_due",
        "webhook_deliveries",
        ["webhook_id", "next_attempt_at"],
        postgresql_where=_DUE,
        sqlite_where=_DUE,
    )
    op.create_index(
        "ix_webhook_deliveries_claimed",
        "webhook_deliveries",
        ["claimed_by"],
        postgresql_where=_CLAIMED,
        sqlite_where=_CLAIMED,
    )
    op.create_index(op.f("ix_webhook_deliveries_snapshot_id"), "webhook_deliveries", ["snapshot_id"])
    op.create_index(
        "ix_webhook_deliveries_webhook_id_created_at",
        "webhook_deliveries",
        ["webhook_id", "created_at", "id"],
    )


def downgrade() -> None:
    op.execute("DELETE FROM idempotent_requests")
    op.drop_table("webhook_deliveries")
    op.drop_table("webhook_snapshots")
    with op.batch_alter_table("webhooks") as table:
        table.drop_constraint(op.f("ck_webhooks_value_format"), type_="check")
        table.drop_column("headers")
        table.add_column(sa.Column("sealed_headers", sa.String(), nullable=True))
        table.add_column(sa.Column("is_active", sa.Boolean(), nullable=False, server_default=sa.true()))
    _create_deliveries(
        sa.Column("document_id", _ID, nullable=True),
        sa.Column("payload", _JSON, nullable=False),
    )
    for columns in (["status", "next_attempt_at"], ["webhook_id", "created_at"]):
        op.create_index(f"ix_webhook_deliveries_{'_'.join(columns)}", "webhook_deliveries", columns)


def _create_deliveries(*more: sa.schema.SchemaItem) -> None:
    op.create_table(
        "webhook_deliveries",
        sa.Column("id", _ID, nullable=False),
        sa.Column("team_id", _ID, nullable=False),
        sa.Column("webhook_id", _ID, nullable=False),
        sa.Column("event", sa.String(length=64), nullable=False),
        sa.Column("status", sa.String(length=64), nullable=False),
        sa.Column("attempts", _JSON, nullable=False),
        sa.Column("next_attempt_at", _MOMENT, nullable=True),
        sa.Column("lease_expires_at", _MOMENT, nullable=True),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.CheckConstraint(
            "status IN ('pending', 'succeeded', 'failed')", name=op.f("ck_webhook_deliveries_status")
        ),
        _foreign_key("webhook_deliveries", "team_id", "teams"),
        _foreign_key("webhook_deliveries", "webhook_id", "webhooks"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhook_deliveries")),
        *more,
    )
    op.create_index(op.f("ix_webhook_deliveries_team_id"), "webhook_deliveries", ["team_id"])


def _foreign_key(table: str, column: str, target: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_{column}")
    return sa.ForeignKeyConstraint([column], [f"{target}.id"], name=name, ondelete="CASCADE")

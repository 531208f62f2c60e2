"""All previous secrets of webhooks that still sign, and deliveries that were cancelled."""

import datetime as dt

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None

_JSON = sa.JSON(none_as_null=True).with_variant(postgresql.JSONB(none_as_null=True), "postgresql")
_WEBHOOKS = sa.table(
    "webhooks",
    sa.column("id", sa.Uuid(as_uuid=False)),
    sa.column("sealed_previous_secret", sa.String()),
    sa.column("previous_secret_expires_at", sa.DateTime(timezone=True)),
    sa.column("previous_secrets", _JSON),
)


def upgrade() -> None:
    op.add_column("webhooks", sa.Column("previous_secrets", _JSON, nullable=True))
    connection, columns = op.get_bind(), _WEBHOOKS.c
    rows = connection.execute(
        sa.select(_WEBHOOKS).where(
            columns.sealed_previous_secret.is_not(None), columns.previous_secret_expires_at.is_not(None)
        )
    ).all()
    for row in rows:
        at = row.previous_secret_expires_at
        at = at.replace(tzinfo=dt.UTC) if at.tzinfo is None else at.astimezone(dt.UTC)
        kept = [{"sealed": row.sealed_previous_secret, "expiresAt": at.isoformat()}]
        connection.execute(_WEBHOOKS.update().where(columns.id == row.id).values(previous_secrets=kept))
    op.drop_column("webhooks", "sealed_previous_secret")
    op.drop_column("webhooks", "previous_secret_expires_at")
    _set_statuses("'pending', 'succeeded', 'failed', 'cancelled'")


def _set_statuses(values: str) -> None:
    with op.batch_alter_table("webhook_deliveries") as table:
        table.drop_constraint(op.f("ck_webhook_deliveries_status"), type_="check")
        table.create_check_constraint(op.f("ck_webhook_deliveries_status"), f"status IN ({values})")

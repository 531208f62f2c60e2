"""An index of the deliveries to webhooks that have not succeeded."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

_OPEN = sa.text("status <> 'succeeded'")


def upgrade() -> None:
    op.create_index(
        "ix_webhook_deliveries_open",
        "webhook_deliveries",
        ["webhook_id", "status", "created_at"],
        postgresql_where=_OPEN,
        sqlite_where=_OPEN,
    )


def downgrade() -> None:
    op.drop_index("ix_webhook_deliveries_open", "webhook_deliveries")

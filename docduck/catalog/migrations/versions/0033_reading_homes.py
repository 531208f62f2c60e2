"""The homes that read queued documents."""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "reading_homes",
        sa.Column("place", sa.String(), primary_key=True),
        sa.Column("version", sa.String(64), nullable=False),
        sa.Column("workers", sa.Integer(), nullable=False),
        sa.Column("owner", sa.String()),
        sa.Column("run_id", sa.String()),
        sa.Column("renewed_at", sa.DateTime(timezone=True), nullable=False),
    )

"""How long documents take to read."""

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "reading_durations",
        sa.Column("target_id", sa.Uuid(as_uuid=False), primary_key=True),
        sa.Column("slow", sa.Boolean(), primary_key=True),
        sa.Column("seconds", sa.Double(), nullable=False),
    )

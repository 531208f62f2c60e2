"""Weights and daily quotas of teams."""

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("teams", sa.Column("weight", sa.Integer(), nullable=False, server_default="1"))
    op.add_column("teams", sa.Column("documents_per_day", sa.Integer()))
    op.add_column("teams", sa.Column("quota_day", sa.Date()))
    op.add_column("teams", sa.Column("quota_used", sa.Integer(), nullable=False, server_default="0"))

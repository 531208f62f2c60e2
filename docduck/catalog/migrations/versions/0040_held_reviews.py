"""Documents that reviewers set aside, and what failed checks mean to a review stage."""

import sqlalchemy as sa
from alembic import op

revision = "0040"
down_revision = "0039"
branch_labels = None
depends_on = None


def upgrade() -> None:
    ask = sa.Column("on_failed_checks", sa.String(64), nullable=False, server_default="ask")
    op.add_column("review_stages", ask)
    op.add_column("document_stages", sa.Column("held_at", sa.DateTime(timezone=True)))
    op.add_column("document_stages", sa.Column("hold_note", sa.String(1000)))

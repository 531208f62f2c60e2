"""Histories of documents say which values were corrected, and from what to what."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "document_events",
        sa.Column("changes", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=True),
    )

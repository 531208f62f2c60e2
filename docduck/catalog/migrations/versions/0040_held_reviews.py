"""Documents that reviewers set aside, and what failed checks mean to a review stage."""

import sqlalchemy as sa
from alembic import op

revision = "0040"
down_revision = "0039"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # As SQL, as Alembic can't add a column with a check to SQLite's tables.
    op.execute(
        "ALTER TABLE review_stages ADD COLUMN on_failed_checks VARCHAR(64) DEFAULT 'ask' NOT NULL "
        "CONSTRAINT ck_review_stages_on_failed_checks CHECK (on_failed_checks IN ('ask', 'block'))"
    )
    op.add_column("document_stages", sa.Column("held_at", sa.DateTime(timezone=True)))
    op.add_column("document_stages", sa.Column("hold_note", sa.String(1000)))

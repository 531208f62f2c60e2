"""Copies are looked up when a document is shown; results keep what was read before a correction."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_JSON = sa.JSON(none_as_null=True).with_variant(postgresql.JSONB(none_as_null=True), "postgresql")


def upgrade() -> None:
    op.drop_column("documents", "duplicate_of")
    op.add_column("document_results", sa.Column("read_values", _JSON, nullable=True))
    op.execute(
        "UPDATE document_results SET read_values = (SELECT owed_lessons.before FROM owed_lessons"
        " WHERE owed_lessons.document_id = document_results.document_id)"
        " WHERE document_id IN (SELECT document_id FROM owed_lessons)"
    )
    op.drop_column("owed_lessons", "before")


def downgrade() -> None:
    op.add_column("owed_lessons", sa.Column("before", _JSON, nullable=True))
    op.execute(
        "UPDATE owed_lessons SET before = (SELECT document_results.read_values FROM document_results"
        " WHERE document_results.document_id = owed_lessons.document_id)"
    )
    op.execute("DELETE FROM owed_lessons WHERE before IS NULL")
    with op.batch_alter_table("owed_lessons") as batch:
        batch.alter_column("before", existing_type=_JSON, nullable=False)
    op.drop_column("document_results", "read_values")
    op.add_column("documents", sa.Column("duplicate_of", _JSON, nullable=True))

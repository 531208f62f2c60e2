"""What changes of values are undone with, and which values reviewers looked at."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0051"
down_revision = "0050"
branch_labels = None
depends_on = None

_ID = sa.Uuid(as_uuid=False)
_JSON = sa.JSON(none_as_null=True).with_variant(postgresql.JSONB(none_as_null=True), "postgresql")
_COMPRESSED = sa.LargeBinary().with_variant(sa.JSON(), "sqlite")


def upgrade() -> None:
    op.add_column("document_results", sa.Column("looked", _JSON, nullable=True))
    op.create_table(
        "former_results",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("team_id", _ID, sa.ForeignKey("teams.id", ondelete="CASCADE"), nullable=False),
        sa.Column(
            *("document_id", _ID, sa.ForeignKey("documents.id", ondelete="CASCADE")),
            nullable=False,
            index=True,
        ),
        sa.Column("values", _COMPRESSED, nullable=False),
        sa.Column("read_values", _COMPRESSED),
        sa.Column("evidence", _COMPRESSED, nullable=False),
        sa.Column("edited", sa.Boolean(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("written_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("replaced_at", sa.DateTime(timezone=True), nullable=False, index=True),
    )

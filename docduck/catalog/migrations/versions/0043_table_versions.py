"""When the tables of each parser were last written."""

import sqlalchemy as sa
from alembic import op

revision = "0043"
down_revision = "0042"
branch_labels = None
depends_on = None

_ID = sa.Uuid(as_uuid=False)


def upgrade() -> None:
    op.create_table(
        "table_versions",
        sa.Column("parser_id", _ID, sa.ForeignKey("parsers.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("team_id", _ID, sa.ForeignKey("teams.id", ondelete="CASCADE"), nullable=False, index=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
    )

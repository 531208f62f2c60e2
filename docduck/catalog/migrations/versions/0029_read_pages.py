"""How many pages of a long document have been read so far."""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("documents", sa.Column("pages_read", sa.Integer(), nullable=True))
    op.add_column("documents", sa.Column("pages_to_read", sa.Integer(), nullable=True))

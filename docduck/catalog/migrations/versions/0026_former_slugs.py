"""The slug that a deleted parser had."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("parsers", sa.Column("former_slug", sa.String(length=64), nullable=True))


def downgrade() -> None:
    op.drop_column("parsers", "former_slug")

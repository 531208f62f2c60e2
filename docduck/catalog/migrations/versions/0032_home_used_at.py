"""When a catalog's home was last in use."""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("home", sa.Column("used_at", sa.DateTime(timezone=True), nullable=True))

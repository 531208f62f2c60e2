"""Language models of classifiers."""

import sqlalchemy as sa
from alembic import op

revision = "0054"
down_revision = "0053"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("classifiers", sa.Column("model", sa.String(), nullable=True))

"""Passwords of documents' files, sealed."""

import sqlalchemy as sa
from alembic import op

revision = "0049"
down_revision = "0048"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("documents", sa.Column("sealed_password", sa.String()))

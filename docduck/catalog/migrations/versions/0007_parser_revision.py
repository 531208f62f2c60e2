"""The revision of the parser that each document was read by; null for documents that were read before."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("documents", sa.Column("parser_revision", sa.Integer(), nullable=True))


def downgrade() -> None:
    op.drop_column("documents", "parser_revision")

"""The home that a catalog belongs to."""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "home",
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("installation_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("place", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_home")),
    )

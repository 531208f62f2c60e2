"""Documents of the same content are looked up when they are shown, not noted when they are registered."""

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


def downgrade() -> None:
    op.add_column("documents", sa.Column("duplicate_of", _JSON, nullable=True))

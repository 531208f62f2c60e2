"""What a request with an Idempotency-Key did, and until when it is taken to be in progress."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0042"
down_revision = "0041"
branch_labels = None
depends_on = None

_JSON = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")


def upgrade() -> None:
    op.add_column("idempotent_requests", sa.Column("leased_until", sa.DateTime(timezone=True)))
    op.add_column("idempotent_requests", sa.Column("effect", _JSON))

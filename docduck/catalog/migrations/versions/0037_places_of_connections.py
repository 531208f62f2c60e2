"""Where clients of connections got their newest tokens."""

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("oauth_grants", sa.Column("address", sa.String(64)))
    op.add_column("oauth_grants", sa.Column("user_agent", sa.String(300)))

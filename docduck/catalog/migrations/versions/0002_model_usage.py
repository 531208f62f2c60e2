"""What teams spent on language models."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "model_usage",
        sa.Column("team_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("month", sa.String(length=7), nullable=False),
        sa.Column("model", sa.String(length=200), nullable=False),
        sa.Column("documents", sa.Integer(), nullable=False),
        sa.Column("requests", sa.Integer(), nullable=False),
        sa.Column("input_tokens", sa.BigInteger(), nullable=False),
        sa.Column("output_tokens", sa.BigInteger(), nullable=False),
        sa.Column("cost_micros", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["team_id"], ["teams.id"], name=op.f("fk_model_usage_team_id_teams"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("team_id", "month", "model", name=op.f("pk_model_usage")),
    )


def downgrade() -> None:
    op.drop_table("model_usage")

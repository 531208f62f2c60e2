"""Sources besides folders: their state, and items that go to classifiers."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("intake_entries", sa.Column("classifier_id", sa.Uuid(as_uuid=False), nullable=True))
    op.create_table(
        "source_states",
        sa.Column("id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("team_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("cursor", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=False),
        sa.Column("looked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("next_look_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("message", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["team_id"], ["teams.id"], name=op.f("fk_source_states_team_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_source_states")),
        sa.UniqueConstraint("team_id", "source", name=op.f("uq_source_states_team_id_source")),
    )


def downgrade() -> None:
    op.drop_table("source_states")
    op.drop_column("intake_entries", "classifier_id")

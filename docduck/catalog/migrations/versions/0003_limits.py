"""Hits counted per API key, and answers kept for requests that come again."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Counts may be lost with a crash, and so cost no write to PostgreSQL's log.
    unlogged = ["UNLOGGED"] if op.get_bind().dialect.name == "postgresql" else []
    op.create_table(
        "rate_counts",
        sa.Column("key_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("minute", sa.BigInteger(), nullable=False),
        sa.Column("minute_count", sa.Integer(), nullable=False),
        sa.Column("day", sa.BigInteger(), nullable=False),
        sa.Column("day_count", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("key_id", name=op.f("pk_rate_counts")),
        prefixes=unlogged,
    )
    op.create_table(
        "idempotent_requests",
        sa.Column("id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("team_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("key_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("name_sha256", sa.String(length=64), nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("begun_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column(
            "headers",
            sa.JSON(none_as_null=True).with_variant(postgresql.JSONB(none_as_null=True), "postgresql"),
            nullable=True,
        ),
        sa.Column("body", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(
            ["key_id"],
            ["api_keys.id"],
            name=op.f("fk_idempotent_requests_key_id_api_keys"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["team_id"], ["teams.id"], name=op.f("fk_idempotent_requests_team_id_teams"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_idempotent_requests")),
        sa.UniqueConstraint("key_id", "name_sha256", name=op.f("uq_idempotent_requests_key_id_name_sha256")),
    )
    op.create_index(op.f("ix_idempotent_requests_begun_at"), "idempotent_requests", ["begun_at"])
    op.create_index(op.f("ix_idempotent_requests_team_id"), "idempotent_requests", ["team_id"])


def downgrade() -> None:
    op.drop_table("idempotent_requests")
    op.drop_table("rate_counts")

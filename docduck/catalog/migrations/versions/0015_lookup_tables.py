"""Lookup tables of parsers."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "lookup_tables",
        sa.Column("id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("team_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("parser_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("columns", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=False),
        sa.Column("rows", sa.Integer(), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["parser_id"], ["parsers.id"], name=op.f("fk_lookup_tables_parser_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["team_id"], ["teams.id"], name=op.f("fk_lookup_tables_team_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["sha256"], ["stored_files.sha256"], name=op.f("fk_lookup_tables_sha256")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_lookup_tables")),
        sa.UniqueConstraint("parser_id", "name", name=op.f("uq_lookup_tables_parser_id_name")),
    )
    op.create_index(op.f("ix_lookup_tables_team_id"), "lookup_tables", ["team_id"])


def downgrade() -> None:
    op.drop_table("lookup_tables")

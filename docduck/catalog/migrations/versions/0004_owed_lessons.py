"""Corrections that are still to be learned from."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "owed_lessons",
        sa.Column("document_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("team_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("parser_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column(
            "before",
            sa.JSON(none_as_null=True).with_variant(postgresql.JSONB(none_as_null=True), "postgresql"),
            nullable=False,
        ),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("lease_expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["document_id"],
            ["documents.id"],
            name=op.f("fk_owed_lessons_document_id_documents"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["parser_id"], ["parsers.id"], name=op.f("fk_owed_lessons_parser_id_parsers"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["team_id"], ["teams.id"], name=op.f("fk_owed_lessons_team_id_teams"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("document_id", name=op.f("pk_owed_lessons")),
    )
    op.create_index("ix_owed_lessons_parser_id_created_at", "owed_lessons", ["parser_id", "created_at"])
    op.create_index(op.f("ix_owed_lessons_team_id"), "owed_lessons", ["team_id"])


def downgrade() -> None:
    op.drop_table("owed_lessons")

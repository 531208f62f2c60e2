"""Public upload pages of parsers and classifiers."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "upload_pages",
        sa.Column("id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("team_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("parser_id", sa.Uuid(as_uuid=False), nullable=True),
        sa.Column("classifier_id", sa.Uuid(as_uuid=False), nullable=True),
        sa.Column("is_active", sa.Boolean(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("message", sa.String(), nullable=False),
        sa.Column("embed_origins", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=False),
        sa.Column("files_per_hour", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "(parser_id IS NULL) <> (classifier_id IS NULL)", name=op.f("ck_upload_pages_owner")
        ),
        sa.ForeignKeyConstraint(
            ["team_id"], ["teams.id"], name=op.f("fk_upload_pages_team_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["parser_id"], ["parsers.id"], name=op.f("fk_upload_pages_parser_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["classifier_id"],
            ["classifiers.id"],
            name=op.f("fk_upload_pages_classifier_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_upload_pages")),
        sa.UniqueConstraint("parser_id", name=op.f("uq_upload_pages_parser_id")),
        sa.UniqueConstraint("classifier_id", name=op.f("uq_upload_pages_classifier_id")),
    )
    op.create_index(op.f("ix_upload_pages_team_id"), "upload_pages", ["team_id"])


def downgrade() -> None:
    op.drop_table("upload_pages")

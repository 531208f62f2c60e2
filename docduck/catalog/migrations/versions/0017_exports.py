"""Layouts of exports, and the documents of incremental exports."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "export_layouts",
        sa.Column("id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("team_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("parser_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("format", sa.String(length=64), nullable=False),
        sa.Column("scope", sa.String(length=64), nullable=True),
        sa.Column("table_id", sa.String(length=64), nullable=True),
        sa.Column("columns", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["parser_id"], ["parsers.id"], name=op.f("fk_export_layouts_parser_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["team_id"], ["teams.id"], name=op.f("fk_export_layouts_team_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_export_layouts")),
        sa.UniqueConstraint("parser_id", "name", name=op.f("uq_export_layouts_parser_id_name")),
    )
    op.create_index(op.f("ix_export_layouts_team_id"), "export_layouts", ["team_id"])
    op.create_table(
        "exported_documents",
        sa.Column("parser_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("document_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.ForeignKeyConstraint(
            ["parser_id"], ["parsers.id"], name=op.f("fk_exported_documents_parser_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["document_id"],
            ["documents.id"],
            name=op.f("fk_exported_documents_document_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("parser_id", "name", "document_id", name=op.f("pk_exported_documents")),
    )
    op.create_index(op.f("ix_exported_documents_document_id"), "exported_documents", ["document_id"])
    op.add_column("exports", sa.Column("name", sa.String(), nullable=True))
    op.add_column("exports", sa.Column("part", sa.String(), nullable=True))
    op.create_index(op.f("ix_exports_expires_at"), "exports", ["expires_at"])


def downgrade() -> None:
    op.drop_index(op.f("ix_exports_expires_at"), "exports")
    op.drop_column("exports", "part")
    op.drop_column("exports", "name")
    op.drop_table("exported_documents")
    op.drop_table("export_layouts")

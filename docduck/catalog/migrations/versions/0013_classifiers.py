"""Classifiers: names that sort, examples, unrouted documents; documents that move between parsers."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

_BYTEWISE = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_CLASSIFIED = sa.text("classifier_id IS NOT NULL")
_UNROUTED = sa.text("parser_id IS NULL")
_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.add_column("classifiers", sa.Column("name_key", _BYTEWISE, nullable=False, server_default=""))
    connection = op.get_bind()
    for row in connection.exec_driver_sql("SELECT id, name FROM classifiers").all():
        connection.execute(
            sa.text("UPDATE classifiers SET name_key = :key WHERE id = :id"),
            {"id": row.id, "key": row.name.casefold()},
        )
    op.create_table(
        "classifier_examples",
        sa.Column("id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("team_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("classifier_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("rule_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("document_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("text", sa.Text(), nullable=True),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_classifier_examples")),
        sa.UniqueConstraint(
            "classifier_id", "document_id", name=op.f("uq_classifier_examples_classifier_id_document_id")
        ),
        *(
            sa.ForeignKeyConstraint(
                [column],
                [f"{table}.id"],
                name=op.f(f"fk_classifier_examples_{column}"),
                ondelete="CASCADE",
            )
            for column, table in (
                ("team_id", "teams"),
                ("classifier_id", "classifiers"),
                ("rule_id", "classifier_rules"),
                ("document_id", "documents"),
            )
        ),
    )
    for columns in (["team_id"], ["document_id"], ["rule_id", "created_at"]):
        op.create_index(f"ix_classifier_examples_{'_'.join(columns)}", "classifier_examples", columns)
    op.drop_index("ix_documents_classifier_id", "documents")
    for further in (["created_at", "id"], ["routing_status", "parser_id"]):
        op.create_index(
            f"ix_documents_classifier_id_{further[0]}",
            "documents",
            ["classifier_id", *further],
            postgresql_where=_CLASSIFIED,
            sqlite_where=_CLASSIFIED,
        )
    op.create_index(
        "uq_documents_classifier_id_external_id",
        "documents",
        ["classifier_id", "external_id"],
        unique=True,
        postgresql_where=_UNROUTED,
        sqlite_where=_UNROUTED,
    )
    _key_projections("document_id", "parser_id")


def _key_projections(*columns: str) -> None:
    """Replace the primary key of the table, which is a queue and so is small."""
    with op.batch_alter_table("projections") as table:
        table.drop_constraint(op.f("pk_projections"), type_="primary")
        table.create_primary_key(op.f("pk_projections"), list(columns))


def downgrade() -> None:
    op.execute(
        "DELETE FROM projections WHERE EXISTS (SELECT 1 FROM projections AS other"
        " WHERE other.document_id = projections.document_id AND other.parser_id < projections.parser_id)"
    )
    _key_projections("document_id")
    for columns in ("created_at", "routing_status"):
        op.drop_index(f"ix_documents_classifier_id_{columns}", "documents")
    op.drop_index("uq_documents_classifier_id_external_id", "documents")
    op.create_index("ix_documents_classifier_id", "documents", ["classifier_id"])
    op.drop_table("classifier_examples")
    op.drop_column("classifiers", "name_key")

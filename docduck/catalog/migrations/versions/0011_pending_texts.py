"""Long texts are indexed after the transaction that changes them."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "pending_texts",
        sa.Column(
            "number",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=False,
            nullable=False,
        ),
        sa.Column("parser_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_pending_texts")),
    )
    op.create_index(op.f("ix_pending_texts_parser_id"), "pending_texts", ["parser_id"])


def downgrade() -> None:
    # Those texts are indexed anew from the values.
    op.execute("UPDATE search_entries SET shape_id = 0 WHERE number IN (SELECT number FROM pending_texts)")
    op.drop_table("pending_texts")

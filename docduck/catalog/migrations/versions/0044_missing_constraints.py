"""Indexes and a check that catalogs of some days lack."""

import sqlalchemy as sa
from alembic import op

revision = "0044"
down_revision = "0043"
branch_labels = None
depends_on = None

_CHECK = "ck_review_stages_on_failed_checks"


def upgrade() -> None:
    for column in ("sha256", "markdown_sha256"):
        op.create_index(f"ix_binned_documents_{column}", "binned_documents", [column], if_not_exists=True)
    checks = sa.inspect(op.get_bind()).get_check_constraints("review_stages")
    if _CHECK not in {check["name"] for check in checks}:
        with op.batch_alter_table("review_stages") as table:
            table.create_check_constraint(op.f(_CHECK), "on_failed_checks IN ('ask', 'block')")

"""Have the tables of all parsers written again: numbers get the decimal places that their values need."""

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    is_postgres = op.get_bind().dialect.name == "postgresql"
    rounded = "round(confidence::numeric, 4)" if is_postgres else "round(confidence, 4)"
    op.execute(f"UPDATE documents SET confidence = {rounded} WHERE confidence IS NOT NULL")
    op.execute(
        "INSERT INTO projections (document_id, team_id, parser_id, revision, at)"
        " SELECT id, team_id, id, 1, CURRENT_TIMESTAMP FROM parsers"
        " WHERE deleted_at IS NULL AND id NOT IN (SELECT document_id FROM projections)"
    )


def downgrade() -> None:
    pass

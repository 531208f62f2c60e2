"""OAuth: clients by their public id, grants that end with the membership, tokens. The tables were not used
before.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

_JSON = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")
_ID = sa.Uuid(as_uuid=False)
_MOMENT = sa.DateTime(timezone=True)
_DIGEST = sa.String(length=64)


def upgrade() -> None:
    op.drop_table("oauth_grants")
    op.drop_table("oauth_clients")
    op.create_table(
        "oauth_clients",
        sa.Column("id", _ID, nullable=False),
        sa.Column("client_id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("redirect_uris", _JSON, nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("fresh_until", _MOMENT, nullable=True),
        sa.Column("keep_until", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_oauth_clients")),
        sa.UniqueConstraint("client_id", name=op.f("uq_oauth_clients_client_id")),
    )
    op.create_index(op.f("ix_oauth_clients_keep_until"), "oauth_clients", ["keep_until"])
    op.create_table(
        "oauth_grants",
        sa.Column("id", _ID, nullable=False),
        sa.Column("client_ref", _ID, nullable=False),
        sa.Column("user_id", _ID, nullable=False),
        sa.Column("team_id", _ID, nullable=False),
        sa.Column("scopes", _JSON, nullable=False),
        sa.Column("resource", sa.String(), nullable=False),
        sa.Column("code_sha256", _DIGEST, nullable=False),
        sa.Column("code_challenge", sa.String(), nullable=False),
        sa.Column("redirect_uri", sa.String(), nullable=False),
        sa.Column("code_used_at", _MOMENT, nullable=True),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("expires_at", _MOMENT, nullable=False),
        sa.Column("last_used_at", _MOMENT, nullable=True),
        sa.ForeignKeyConstraint(
            ["client_ref"], ["oauth_clients.id"], name=op.f("fk_oauth_grants_client_ref"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["team_id"], ["teams.id"], name=op.f("fk_oauth_grants_team_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_oauth_grants_user_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["team_id", "user_id"],
            ["memberships.team_id", "memberships.user_id"],
            name=op.f("fk_oauth_grants_team_id_user_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_oauth_grants")),
        sa.UniqueConstraint("code_sha256", name=op.f("uq_oauth_grants_code_sha256")),
    )
    for column in ("client_ref", "user_id", "team_id", "expires_at"):
        op.create_index(op.f(f"ix_oauth_grants_{column}"), "oauth_grants", [column])
    op.create_table(
        "oauth_tokens",
        sa.Column("id", _ID, nullable=False),
        sa.Column("grant_id", _ID, nullable=False),
        sa.Column("kind", _DIGEST, nullable=False),
        sa.Column("sha256", _DIGEST, nullable=False),
        sa.Column("scopes", _JSON, nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("expires_at", _MOMENT, nullable=False),
        sa.Column("used_at", _MOMENT, nullable=True),
        sa.CheckConstraint("kind IN ('access', 'refresh')", name=op.f("ck_oauth_tokens_kind")),
        sa.ForeignKeyConstraint(
            ["grant_id"], ["oauth_grants.id"], name=op.f("fk_oauth_tokens_grant_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_oauth_tokens")),
        sa.UniqueConstraint("sha256", name=op.f("uq_oauth_tokens_sha256")),
    )
    for column in ("grant_id", "expires_at"):
        op.create_index(op.f(f"ix_oauth_tokens_{column}"), "oauth_tokens", [column])


def downgrade() -> None:
    op.drop_table("oauth_tokens")
    op.drop_table("oauth_grants")
    op.drop_table("oauth_clients")
    op.create_table(
        "oauth_clients",
        sa.Column("id", _ID, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("redirect_uris", _JSON, nullable=False),
        sa.Column("secret_sha256", _DIGEST, nullable=True),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_oauth_clients")),
    )
    op.create_table(
        "oauth_grants",
        sa.Column("id", _ID, nullable=False),
        sa.Column("client_id", _ID, nullable=False),
        sa.Column("user_id", _ID, nullable=False),
        sa.Column("team_id", _ID, nullable=False),
        sa.Column("scopes", _JSON, nullable=False),
        sa.Column("code_sha256", _DIGEST, nullable=True),
        sa.Column("code_challenge", sa.String(), nullable=True),
        sa.Column("redirect_uri", sa.String(), nullable=True),
        sa.Column("code_expires_at", _MOMENT, nullable=True),
        sa.Column("access_sha256", _DIGEST, nullable=True),
        sa.Column("access_expires_at", _MOMENT, nullable=True),
        sa.Column("refresh_sha256", _DIGEST, nullable=True),
        sa.Column("refresh_expires_at", _MOMENT, nullable=True),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("last_used_at", _MOMENT, nullable=True),
        sa.Column("revoked_at", _MOMENT, nullable=True),
        sa.ForeignKeyConstraint(
            ["client_id"], ["oauth_clients.id"], name=op.f("fk_oauth_grants_client_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["team_id"], ["teams.id"], name=op.f("fk_oauth_grants_team_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_oauth_grants_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_oauth_grants")),
        sa.UniqueConstraint("access_sha256", name=op.f("uq_oauth_grants_access_sha256")),
        sa.UniqueConstraint("code_sha256", name=op.f("uq_oauth_grants_code_sha256")),
        sa.UniqueConstraint("refresh_sha256", name=op.f("uq_oauth_grants_refresh_sha256")),
    )
    for column in ("client_id", "user_id", "team_id"):
        op.create_index(op.f(f"ix_oauth_grants_{column}"), "oauth_grants", [column])

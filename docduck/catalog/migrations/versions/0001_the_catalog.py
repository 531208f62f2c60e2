"""The catalog."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

JSON = sa.JSON(none_as_null=True).with_variant(postgresql.JSONB(none_as_null=True), "postgresql")


def upgrade() -> None:
    op.create_table(
        "oauth_clients",
        sa.Column("id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("redirect_uris", JSON, nullable=False),
        sa.Column("secret_sha256", sa.String(length=64), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_oauth_clients")),
    )
    op.create_table(
        "stored_files",
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("refs", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("released_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("sha256", name=op.f("pk_stored_files")),
    )
    with op.batch_alter_table("stored_files", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_stored_files_released_at"), ["released_at"], unique=False)

    op.create_table(
        "teams",
        sa.Column("id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("slug", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_teams")),
        sa.UniqueConstraint("slug", name=op.f("uq_teams_slug")),
    )
    op.create_table(
        "users",
        sa.Column("id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("email", sa.String(length=320), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("password_hash", sa.String(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
        sa.UniqueConstraint("email", name=op.f("uq_users_email")),
    )
    op.create_table(
        "api_keys",
        sa.Column("id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("team_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("prefix", sa.String(length=64), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("permissions", JSON, nullable=True),
        sa.Column("parser_ids", JSON, nullable=True),
        sa.Column("created_by", sa.Uuid(as_uuid=False), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["created_by"], ["users.id"], name=op.f("fk_api_keys_created_by"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["team_id"], ["teams.id"], name=op.f("fk_api_keys_team_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_keys")),
        sa.UniqueConstraint("sha256", name=op.f("uq_api_keys_sha256")),
    )
    with op.batch_alter_table("api_keys", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_api_keys_team_id"), ["team_id"], unique=False)

    op.create_table(
        "audit_entries",
        sa.Column("id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("team_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("action", sa.String(length=64), nullable=False),
        sa.Column("resource_type", sa.String(length=64), nullable=False),
        sa.Column("resource_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("details", JSON, nullable=True),
        sa.ForeignKeyConstraint(
            ["team_id"], ["teams.id"], name=op.f("fk_audit_entries_team_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_entries")),
    )
    with op.batch_alter_table("audit_entries", schema=None) as batch_op:
        batch_op.create_index("ix_audit_entries_resource_id_at", ["resource_id", "at"], unique=False)
        batch_op.create_index(batch_op.f("ix_audit_entries_team_id"), ["team_id"], unique=False)
        batch_op.create_index("ix_audit_entries_team_id_at", ["team_id", "at"], unique=False)

    op.create_table(
        "memberships",
        sa.Column("id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("team_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("user_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("role", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "role IN ('owner', 'admin', 'member', 'reviewer')", name=op.f("ck_memberships_role")
        ),
        sa.ForeignKeyConstraint(
            ["team_id"], ["teams.id"], name=op.f("fk_memberships_team_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_memberships_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_memberships")),
        sa.UniqueConstraint("team_id", "user_id", name=op.f("uq_memberships_team_id_user_id")),
    )
    with op.batch_alter_table("memberships", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_memberships_team_id"), ["team_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_memberships_user_id"), ["user_id"], unique=False)

    op.create_table(
        "oauth_grants",
        sa.Column("id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("client_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("user_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("team_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("scopes", JSON, nullable=False),
        sa.Column("code_sha256", sa.String(length=64), nullable=True),
        sa.Column("code_challenge", sa.String(), nullable=True),
        sa.Column("redirect_uri", sa.String(), nullable=True),
        sa.Column("code_expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("access_sha256", sa.String(length=64), nullable=True),
        sa.Column("access_expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("refresh_sha256", sa.String(length=64), nullable=True),
        sa.Column("refresh_expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
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
    with op.batch_alter_table("oauth_grants", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_oauth_grants_client_id"), ["client_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_oauth_grants_team_id"), ["team_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_oauth_grants_user_id"), ["user_id"], unique=False)

    op.create_table(
        "parsers",
        sa.Column("id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("team_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("slug", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("description", sa.String(), nullable=False),
        sa.Column("type", sa.String(length=64), nullable=False),
        sa.Column("template_key", sa.String(length=64), nullable=True),
        sa.Column("is_active", sa.Boolean(), nullable=False),
        sa.Column("settings", JSON, nullable=False),
        sa.Column("post_processing", JSON, nullable=True),
        sa.Column("email_address", sa.String(length=320), nullable=True),
        sa.Column("workflow_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["team_id"], ["teams.id"], name=op.f("fk_parsers_team_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_parsers")),
        sa.UniqueConstraint("email_address", name=op.f("uq_parsers_email_address")),
        sa.UniqueConstraint("slug", name=op.f("uq_parsers_slug")),
    )
    with op.batch_alter_table("parsers", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_parsers_team_id"), ["team_id"], unique=False)

    op.create_table(
        "projections",
        sa.Column("document_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("team_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("parser_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["team_id"], ["teams.id"], name=op.f("fk_projections_team_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("document_id", name=op.f("pk_projections")),
    )
    with op.batch_alter_table("projections", schema=None) as batch_op:
        batch_op.create_index("ix_projections_parser_id_at", ["parser_id", "at"], unique=False)
        batch_op.create_index(batch_op.f("ix_projections_team_id"), ["team_id"], unique=False)

    op.create_table(
        "classifiers",
        sa.Column("id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("team_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("description", sa.String(), nullable=False),
        sa.Column("is_active", sa.Boolean(), nullable=False),
        sa.Column("email_address", sa.String(length=320), nullable=True),
        sa.Column("accepted_file_types", JSON, nullable=False),
        sa.Column("instructions", sa.String(), nullable=False),
        sa.Column("fallback_action", sa.String(length=64), nullable=False),
        sa.Column("fallback_parser_id", sa.Uuid(as_uuid=False), nullable=True),
        sa.Column("split_documents", JSON, nullable=True),
        sa.Column("email_parsing", JSON, nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "fallback_action IN ('skip', 'route')", name=op.f("ck_classifiers_fallback_action")
        ),
        sa.ForeignKeyConstraint(
            ["fallback_parser_id"],
            ["parsers.id"],
            name=op.f("fk_classifiers_fallback_parser_id"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["team_id"], ["teams.id"], name=op.f("fk_classifiers_team_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_classifiers")),
        sa.UniqueConstraint("email_address", name=op.f("uq_classifiers_email_address")),
    )
    with op.batch_alter_table("classifiers", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_classifiers_team_id"), ["team_id"], unique=False)

    op.create_table(
        "exports",
        sa.Column("id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("team_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("parser_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("format", sa.String(length=64), nullable=False),
        sa.Column("scope", sa.String(length=64), nullable=True),
        sa.Column("table_name", sa.String(), nullable=True),
        sa.Column("selection", JSON, nullable=True),
        sa.Column("file_name", sa.String(), nullable=False),
        sa.Column("content_type", sa.String(), nullable=False),
        sa.Column("location", sa.String(), nullable=True),
        sa.Column("sha256", sa.String(length=64), nullable=True),
        sa.Column("document_count", sa.Integer(), nullable=False),
        sa.Column("row_count", sa.Integer(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["parser_id"], ["parsers.id"], name=op.f("fk_exports_parser_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["sha256"], ["stored_files.sha256"], name=op.f("fk_exports_sha256")),
        sa.ForeignKeyConstraint(
            ["team_id"], ["teams.id"], name=op.f("fk_exports_team_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_exports")),
    )
    with op.batch_alter_table("exports", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_exports_parser_id"), ["parser_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_exports_team_id"), ["team_id"], unique=False)

    op.create_table(
        "folders",
        sa.Column("id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("team_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("parser_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("parent_id", sa.Uuid(as_uuid=False), nullable=True),
        sa.Column("parent_key", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("color", sa.String(length=64), nullable=True),
        sa.Column("has_auto_assign", sa.Boolean(), nullable=False),
        sa.Column("auto_assignment", JSON, nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["parent_id"], ["folders.id"], name=op.f("fk_folders_parent_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["parser_id"], ["parsers.id"], name=op.f("fk_folders_parser_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["team_id"], ["teams.id"], name=op.f("fk_folders_team_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_folders")),
        sa.UniqueConstraint("parent_key", "slug", name=op.f("uq_folders_parent_key_slug")),
    )
    with op.batch_alter_table("folders", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_folders_parent_id"), ["parent_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_folders_parser_id"), ["parser_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_folders_team_id"), ["team_id"], unique=False)

    op.create_table(
        "parser_fields",
        sa.Column("key", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("team_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("parser_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("table_id", sa.String(length=64), nullable=True),
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("column", sa.String(), nullable=False),
        sa.Column("type", sa.String(length=64), nullable=False),
        sa.Column("description", sa.String(), nullable=True),
        sa.Column("instructions", sa.String(), nullable=True),
        sa.Column("required", sa.Boolean(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("options", JSON, nullable=False),
        sa.Column("labels", JSON, nullable=False),
        sa.Column("extract", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "type IN ('text', 'number', 'date', 'boolean', 'currency', 'choice', 'list', 'table')",
            name=op.f("ck_parser_fields_type"),
        ),
        sa.ForeignKeyConstraint(
            ["parser_id"], ["parsers.id"], name=op.f("fk_parser_fields_parser_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["team_id"], ["teams.id"], name=op.f("fk_parser_fields_team_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_parser_fields")),
        sa.UniqueConstraint("parser_id", "id", name=op.f("uq_parser_fields_parser_id_id")),
    )
    with op.batch_alter_table("parser_fields", schema=None) as batch_op:
        batch_op.create_index("ix_parser_fields_parser_id_table_id", ["parser_id", "table_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_parser_fields_team_id"), ["team_id"], unique=False)

    op.create_table(
        "review_stages",
        sa.Column("id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("team_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("parser_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("reviewer_instructions", sa.String(length=500), nullable=True),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("review_type", sa.String(length=64), nullable=False),
        sa.Column("reviewer_id", sa.Uuid(as_uuid=False), nullable=True),
        sa.Column("rules", JSON, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "review_type IN ('mandatory', 'conditional')", name=op.f("ck_review_stages_review_type")
        ),
        sa.CheckConstraint("position >= 1", name=op.f("ck_review_stages_position")),
        sa.ForeignKeyConstraint(
            ["parser_id"], ["parsers.id"], name=op.f("fk_review_stages_parser_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["reviewer_id"], ["users.id"], name=op.f("fk_review_stages_reviewer_id"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["team_id"], ["teams.id"], name=op.f("fk_review_stages_team_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_review_stages")),
    )
    with op.batch_alter_table("review_stages", schema=None) as batch_op:
        batch_op.create_index("ix_review_stages_parser_id_position", ["parser_id", "position"], unique=False)
        batch_op.create_index(batch_op.f("ix_review_stages_team_id"), ["team_id"], unique=False)

    op.create_table(
        "webhooks",
        sa.Column("id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("team_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("parser_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("url", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("description", sa.String(), nullable=False),
        sa.Column("events", JSON, nullable=False),
        sa.Column("sealed_headers", sa.String(), nullable=True),
        sa.Column("sealed_secret", sa.String(), nullable=False),
        sa.Column("sealed_previous_secret", sa.String(), nullable=True),
        sa.Column("previous_secret_expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("is_active", sa.Boolean(), nullable=False),
        sa.Column("value_format", sa.String(length=64), nullable=False),
        sa.Column("status", sa.String(length=64), nullable=False),
        sa.Column("failing_since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_delivery_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_status_code", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("status IN ('active', 'paused', 'disabled')", name=op.f("ck_webhooks_status")),
        sa.ForeignKeyConstraint(
            ["parser_id"], ["parsers.id"], name=op.f("fk_webhooks_parser_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["team_id"], ["teams.id"], name=op.f("fk_webhooks_team_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhooks")),
    )
    with op.batch_alter_table("webhooks", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_webhooks_parser_id"), ["parser_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_webhooks_team_id"), ["team_id"], unique=False)

    op.create_table(
        "classifier_rules",
        sa.Column("id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("team_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("classifier_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("label", sa.String(), nullable=False),
        sa.Column("target_parser_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["classifier_id"],
            ["classifiers.id"],
            name=op.f("fk_classifier_rules_classifier_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["target_parser_id"],
            ["parsers.id"],
            name=op.f("fk_classifier_rules_target_parser_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["team_id"], ["teams.id"], name=op.f("fk_classifier_rules_team_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_classifier_rules")),
        sa.UniqueConstraint("classifier_id", "label", name=op.f("uq_classifier_rules_classifier_id_label")),
    )
    with op.batch_alter_table("classifier_rules", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_classifier_rules_target_parser_id"), ["target_parser_id"], unique=False
        )
        batch_op.create_index(batch_op.f("ix_classifier_rules_team_id"), ["team_id"], unique=False)

    op.create_table(
        "documents",
        sa.Column("id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("team_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("parser_id", sa.Uuid(as_uuid=False), nullable=True),
        sa.Column("classifier_id", sa.Uuid(as_uuid=False), nullable=True),
        sa.Column("folder_id", sa.Uuid(as_uuid=False), nullable=True),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("external_id", sa.String(), nullable=True),
        sa.Column("custom", JSON, nullable=True),
        sa.Column("source", sa.String(length=64), nullable=False),
        sa.Column("source_detail", JSON, nullable=True),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("content_type", sa.String(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("page_count", sa.Integer(), nullable=True),
        sa.Column("status", sa.String(length=64), nullable=False),
        sa.Column("error", sa.String(), nullable=True),
        sa.Column("operation_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("lost_leases", sa.Integer(), nullable=False),
        sa.Column("claimed_by", sa.String(), nullable=True),
        sa.Column("lease_expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("queued_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("processed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("approved_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("confidence", sa.Double(), nullable=True),
        sa.Column("assignee_id", sa.Uuid(as_uuid=False), nullable=True),
        sa.Column("duplicate_of", JSON, nullable=True),
        sa.Column("split", JSON, nullable=True),
        sa.Column("classification", JSON, nullable=True),
        sa.Column("routing_status", sa.String(length=64), nullable=True),
        sa.Column("routing", JSON, nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "routing_status IN ('pending', 'routed', 'skipped', 'failed')",
            name=op.f("ck_documents_routing_status"),
        ),
        sa.CheckConstraint(
            "source IN ('api', 'upload', 'url', 'email', 'upload_page', 'embed', 'integration', 'mcp', 'folder')",
            name=op.f("ck_documents_source"),
        ),
        sa.CheckConstraint(
            "status IN ('uploading', 'queued', 'processing', 'processed', 'failed', 'in_review', 'approved', 'rejected', 'skipped')",
            name=op.f("ck_documents_status"),
        ),
        sa.CheckConstraint(
            "(parser_id IS NOT NULL) OR (classifier_id IS NOT NULL)", name=op.f("ck_documents_target")
        ),
        sa.ForeignKeyConstraint(
            ["assignee_id"], ["users.id"], name=op.f("fk_documents_assignee_id"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["classifier_id"],
            ["classifiers.id"],
            name=op.f("fk_documents_classifier_id"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["folder_id"], ["folders.id"], name=op.f("fk_documents_folder_id"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["parser_id"], ["parsers.id"], name=op.f("fk_documents_parser_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["sha256"], ["stored_files.sha256"], name=op.f("fk_documents_sha256")),
        sa.ForeignKeyConstraint(
            ["team_id"], ["teams.id"], name=op.f("fk_documents_team_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_documents")),
        sa.UniqueConstraint("parser_id", "external_id", name=op.f("uq_documents_parser_id_external_id")),
    )
    with op.batch_alter_table("documents", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_documents_assignee_id"), ["assignee_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_documents_classifier_id"), ["classifier_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_documents_folder_id"), ["folder_id"], unique=False)
        batch_op.create_index(
            "ix_documents_lease_expires_at",
            ["lease_expires_at"],
            unique=False,
            postgresql_where=sa.text("lease_expires_at IS NOT NULL"),
            sqlite_where=sa.text("lease_expires_at IS NOT NULL"),
        )
        batch_op.create_index(batch_op.f("ix_documents_operation_id"), ["operation_id"], unique=False)
        batch_op.create_index(
            "ix_documents_parser_id_created_at", ["parser_id", "created_at", "id"], unique=False
        )
        batch_op.create_index("ix_documents_parser_id_name", ["parser_id", "name", "id"], unique=False)
        batch_op.create_index("ix_documents_parser_id_sha256", ["parser_id", "sha256"], unique=False)
        batch_op.create_index(
            "ix_documents_parser_id_status_queued_at",
            ["parser_id", "status", "queued_at", "id"],
            unique=False,
        )
        batch_op.create_index(
            "ix_documents_parser_id_updated_at", ["parser_id", "updated_at", "id"], unique=False
        )
        batch_op.create_index(batch_op.f("ix_documents_sha256"), ["sha256"], unique=False)
        batch_op.create_index(batch_op.f("ix_documents_team_id"), ["team_id"], unique=False)

    op.create_table(
        "webhook_deliveries",
        sa.Column("id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("team_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("webhook_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("document_id", sa.Uuid(as_uuid=False), nullable=True),
        sa.Column("event", sa.String(length=64), nullable=False),
        sa.Column("payload", JSON, nullable=False),
        sa.Column("status", sa.String(length=64), nullable=False),
        sa.Column("attempts", JSON, nullable=False),
        sa.Column("next_attempt_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("lease_expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "status IN ('pending', 'succeeded', 'failed')", name=op.f("ck_webhook_deliveries_status")
        ),
        sa.ForeignKeyConstraint(
            ["team_id"], ["teams.id"], name=op.f("fk_webhook_deliveries_team_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["webhook_id"], ["webhooks.id"], name=op.f("fk_webhook_deliveries_webhook_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhook_deliveries")),
    )
    with op.batch_alter_table("webhook_deliveries", schema=None) as batch_op:
        batch_op.create_index(
            "ix_webhook_deliveries_status_next_attempt_at", ["status", "next_attempt_at"], unique=False
        )
        batch_op.create_index(batch_op.f("ix_webhook_deliveries_team_id"), ["team_id"], unique=False)
        batch_op.create_index(
            "ix_webhook_deliveries_webhook_id_created_at", ["webhook_id", "created_at"], unique=False
        )

    op.create_table(
        "lessons",
        sa.Column("id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("team_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("parser_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("document_id", sa.Uuid(as_uuid=False), nullable=True),
        sa.Column("lesson", JSON, nullable=False),
        sa.Column("user_id", sa.Uuid(as_uuid=False), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["document_id"], ["documents.id"], name=op.f("fk_lessons_document_id"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["parser_id"], ["parsers.id"], name=op.f("fk_lessons_parser_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["team_id"], ["teams.id"], name=op.f("fk_lessons_team_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_lessons_user_id"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_lessons")),
        sa.UniqueConstraint("document_id", name=op.f("uq_lessons_document_id")),
    )
    with op.batch_alter_table("lessons", schema=None) as batch_op:
        batch_op.create_index("ix_lessons_parser_id_created_at", ["parser_id", "created_at"], unique=False)
        batch_op.create_index(batch_op.f("ix_lessons_team_id"), ["team_id"], unique=False)

    op.create_table(
        "document_events",
        sa.Column("id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("team_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("document_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("event", sa.String(length=64), nullable=False),
        sa.Column("from_status", sa.String(length=64), nullable=True),
        sa.Column("to_status", sa.String(length=64), nullable=False),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["document_id"], ["documents.id"], name=op.f("fk_document_events_document_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["team_id"], ["teams.id"], name=op.f("fk_document_events_team_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_document_events")),
    )
    with op.batch_alter_table("document_events", schema=None) as batch_op:
        batch_op.create_index("ix_document_events_document_id_at", ["document_id", "at"], unique=False)
        batch_op.create_index(batch_op.f("ix_document_events_team_id"), ["team_id"], unique=False)

    op.create_table(
        "document_results",
        sa.Column("document_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("team_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("mode", sa.String(length=64), nullable=False),
        sa.Column("values", JSON, nullable=False),
        sa.Column("evidence", JSON, nullable=False),
        sa.Column("warnings", JSON, nullable=False),
        sa.Column("pages", JSON, nullable=False),
        sa.Column("markdown_sha256", sa.String(length=64), nullable=True),
        sa.Column("edited", sa.Boolean(), nullable=False),
        sa.Column("seconds", sa.Double(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["document_id"],
            ["documents.id"],
            name=op.f("fk_document_results_document_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["markdown_sha256"], ["stored_files.sha256"], name=op.f("fk_document_results_markdown_sha256")
        ),
        sa.ForeignKeyConstraint(
            ["team_id"], ["teams.id"], name=op.f("fk_document_results_team_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("document_id", name=op.f("pk_document_results")),
    )
    with op.batch_alter_table("document_results", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_document_results_team_id"), ["team_id"], unique=False)

    op.create_table(
        "document_stages",
        sa.Column("id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("team_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("document_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("stage_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=64), nullable=False),
        sa.Column("assignee_id", sa.Uuid(as_uuid=False), nullable=True),
        sa.Column("comment", sa.String(length=1000), nullable=True),
        sa.Column("approved_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("rejected_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "status IN ('pending', 'in_progress', 'approved', 'rejected', 'skipped')",
            name=op.f("ck_document_stages_status"),
        ),
        sa.ForeignKeyConstraint(
            ["assignee_id"], ["users.id"], name=op.f("fk_document_stages_assignee_id"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["document_id"], ["documents.id"], name=op.f("fk_document_stages_document_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["stage_id"], ["review_stages.id"], name=op.f("fk_document_stages_stage_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["team_id"], ["teams.id"], name=op.f("fk_document_stages_team_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_document_stages")),
        sa.UniqueConstraint("document_id", "stage_id", name=op.f("uq_document_stages_document_id_stage_id")),
    )
    with op.batch_alter_table("document_stages", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_document_stages_assignee_id"), ["assignee_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_document_stages_document_id"), ["document_id"], unique=False)
        batch_op.create_index("ix_document_stages_stage_id_status", ["stage_id", "status"], unique=False)
        batch_op.create_index(batch_op.f("ix_document_stages_team_id"), ["team_id"], unique=False)

    op.create_table(
        "intake_entries",
        sa.Column("id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("team_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("item", sa.String(), nullable=False),
        sa.Column("item_sha256", sa.String(length=64), nullable=False),
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=True),
        sa.Column("size", sa.BigInteger(), nullable=True),
        sa.Column("parser_id", sa.Uuid(as_uuid=False), nullable=True),
        sa.Column("document_id", sa.Uuid(as_uuid=False), nullable=True),
        sa.Column("outcome", sa.String(length=64), nullable=False),
        sa.Column("message", sa.String(), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "outcome IN ('registered', 'duplicate', 'waiting', 'refused', 'unreadable', 'vanished')",
            name=op.f("ck_intake_entries_outcome"),
        ),
        sa.ForeignKeyConstraint(
            ["document_id"], ["documents.id"], name=op.f("fk_intake_entries_document_id"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["parser_id"], ["parsers.id"], name=op.f("fk_intake_entries_parser_id"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["team_id"], ["teams.id"], name=op.f("fk_intake_entries_team_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_intake_entries")),
        sa.UniqueConstraint(
            "team_id", "source", "item_sha256", name=op.f("uq_intake_entries_team_id_source_item_sha256")
        ),
    )
    with op.batch_alter_table("intake_entries", schema=None) as batch_op:
        batch_op.create_index("ix_intake_entries_source_outcome", ["source", "outcome"], unique=False)
        batch_op.create_index(batch_op.f("ix_intake_entries_team_id"), ["team_id"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("intake_entries", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_intake_entries_team_id"))
        batch_op.drop_index("ix_intake_entries_source_outcome")

    op.drop_table("intake_entries")
    with op.batch_alter_table("document_stages", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_document_stages_team_id"))
        batch_op.drop_index("ix_document_stages_stage_id_status")
        batch_op.drop_index(batch_op.f("ix_document_stages_document_id"))
        batch_op.drop_index(batch_op.f("ix_document_stages_assignee_id"))

    op.drop_table("document_stages")
    with op.batch_alter_table("document_results", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_document_results_team_id"))

    op.drop_table("document_results")
    with op.batch_alter_table("document_events", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_document_events_team_id"))
        batch_op.drop_index("ix_document_events_document_id_at")

    op.drop_table("document_events")
    with op.batch_alter_table("lessons", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_lessons_team_id"))
        batch_op.drop_index("ix_lessons_parser_id_created_at")

    op.drop_table("lessons")
    with op.batch_alter_table("webhook_deliveries", schema=None) as batch_op:
        batch_op.drop_index("ix_webhook_deliveries_webhook_id_created_at")
        batch_op.drop_index(batch_op.f("ix_webhook_deliveries_team_id"))
        batch_op.drop_index("ix_webhook_deliveries_status_next_attempt_at")

    op.drop_table("webhook_deliveries")
    with op.batch_alter_table("documents", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_documents_team_id"))
        batch_op.drop_index(batch_op.f("ix_documents_sha256"))
        batch_op.drop_index("ix_documents_parser_id_updated_at")
        batch_op.drop_index("ix_documents_parser_id_status_queued_at")
        batch_op.drop_index("ix_documents_parser_id_sha256")
        batch_op.drop_index("ix_documents_parser_id_name")
        batch_op.drop_index("ix_documents_parser_id_created_at")
        batch_op.drop_index(batch_op.f("ix_documents_operation_id"))
        batch_op.drop_index(
            "ix_documents_lease_expires_at",
            postgresql_where=sa.text("lease_expires_at IS NOT NULL"),
            sqlite_where=sa.text("lease_expires_at IS NOT NULL"),
        )
        batch_op.drop_index(batch_op.f("ix_documents_folder_id"))
        batch_op.drop_index(batch_op.f("ix_documents_classifier_id"))
        batch_op.drop_index(batch_op.f("ix_documents_assignee_id"))

    op.drop_table("documents")
    with op.batch_alter_table("classifier_rules", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_classifier_rules_team_id"))
        batch_op.drop_index(batch_op.f("ix_classifier_rules_target_parser_id"))

    op.drop_table("classifier_rules")
    with op.batch_alter_table("webhooks", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_webhooks_team_id"))
        batch_op.drop_index(batch_op.f("ix_webhooks_parser_id"))

    op.drop_table("webhooks")
    with op.batch_alter_table("review_stages", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_review_stages_team_id"))
        batch_op.drop_index("ix_review_stages_parser_id_position")

    op.drop_table("review_stages")
    with op.batch_alter_table("parser_fields", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_parser_fields_team_id"))
        batch_op.drop_index("ix_parser_fields_parser_id_table_id")

    op.drop_table("parser_fields")
    with op.batch_alter_table("folders", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_folders_team_id"))
        batch_op.drop_index(batch_op.f("ix_folders_parser_id"))
        batch_op.drop_index(batch_op.f("ix_folders_parent_id"))

    op.drop_table("folders")
    with op.batch_alter_table("exports", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_exports_team_id"))
        batch_op.drop_index(batch_op.f("ix_exports_parser_id"))

    op.drop_table("exports")
    with op.batch_alter_table("classifiers", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_classifiers_team_id"))

    op.drop_table("classifiers")
    with op.batch_alter_table("projections", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_projections_team_id"))
        batch_op.drop_index("ix_projections_parser_id_at")

    op.drop_table("projections")
    with op.batch_alter_table("parsers", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_parsers_team_id"))

    op.drop_table("parsers")
    with op.batch_alter_table("oauth_grants", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_oauth_grants_user_id"))
        batch_op.drop_index(batch_op.f("ix_oauth_grants_team_id"))
        batch_op.drop_index(batch_op.f("ix_oauth_grants_client_id"))

    op.drop_table("oauth_grants")
    with op.batch_alter_table("memberships", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_memberships_user_id"))
        batch_op.drop_index(batch_op.f("ix_memberships_team_id"))

    op.drop_table("memberships")
    with op.batch_alter_table("audit_entries", schema=None) as batch_op:
        batch_op.drop_index("ix_audit_entries_team_id_at")
        batch_op.drop_index(batch_op.f("ix_audit_entries_team_id"))
        batch_op.drop_index("ix_audit_entries_resource_id_at")

    op.drop_table("audit_entries")
    with op.batch_alter_table("api_keys", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_api_keys_team_id"))

    op.drop_table("api_keys")
    op.drop_table("users")
    op.drop_table("teams")
    with op.batch_alter_table("stored_files", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_stored_files_released_at"))

    op.drop_table("stored_files")
    op.drop_table("oauth_clients")

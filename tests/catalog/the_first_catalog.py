"""The catalog: all tables, and the triggers and indexes that keep lists and searches of documents fast."""

import logging
from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0032"
down_revision = None
branch_labels = None
depends_on = None

_log = logging.getLogger(__name__)

_ID = sa.Uuid(as_uuid=False)
_MOMENT = sa.DateTime(timezone=True)
_SHORT = sa.String(64)
_JSON = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")
_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_BYTEWISE = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def _reference(
    name: str,
    table: str,
    *,
    constraint: str | None = None,
    ondelete: str = "CASCADE",
    nullable: bool = False,
    **options: Any,
) -> sa.Column[str]:
    key = sa.ForeignKey(f"{table}.id", name=constraint, ondelete=ondelete)
    return sa.Column(name, _ID, key, nullable=nullable, **options)


def _where(condition: str) -> dict[str, Any]:
    return {"postgresql_where": sa.text(condition), "sqlite_where": sa.text(condition)}


def upgrade() -> None:
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    # Counts may be lost with a crash, and so cost no write to PostgreSQL's log.
    unlogged = [] if is_sqlite else ["UNLOGGED"]
    op.create_table(
        "document_counts",
        sa.Column("parser_id", _ID, primary_key=True),
        sa.Column("folder_id", _ID, primary_key=True),
        sa.Column("status", _SHORT, primary_key=True),
        sa.Column("shard", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("documents", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "home",
        sa.Column("number", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("installation_id", _ID, nullable=False),
        sa.Column("place", sa.String(), nullable=False),
        sa.Column("used_at", _MOMENT),
    )
    op.create_table(
        "oauth_clients",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("client_id", sa.String(), nullable=False, unique=True),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("redirect_uris", _JSON, nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("fresh_until", _MOMENT),
        sa.Column("keep_until", _MOMENT, nullable=False, index=True),
    )
    op.create_table(
        "pending_texts",
        sa.Column("number", _NUMBER, primary_key=True, autoincrement=False),
        sa.Column("parser_id", _ID, nullable=False, index=True),
    )
    op.create_table(
        "rate_counts",
        sa.Column("key_id", _ID, primary_key=True),
        sa.Column("minute", sa.BigInteger(), nullable=False),
        sa.Column("minute_count", sa.Integer(), nullable=False),
        sa.Column("day", sa.BigInteger(), nullable=False),
        sa.Column("day_count", sa.Integer(), nullable=False),
        prefixes=unlogged,
    )
    op.create_table(
        "search_entries",
        sa.Column("number", _NUMBER, primary_key=True, autoincrement=True),
        sa.Column("document_id", _ID, nullable=False, unique=True),
        sa.Column("parser_id", _ID),
        sa.Column("folder_id", _ID),
        sa.Column("status", _SHORT, nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("shape_id", sa.BigInteger()),
        sa.Index("ix_search_entries_parser_id_created_at", "parser_id", "created_at", "number"),
        sa.Index("ix_search_entries_parser_id_folder_id", "parser_id", "folder_id", "created_at", "number"),
        sa.Index("ix_search_entries_parser_id_shape_id", "parser_id", "shape_id", "number"),
        sa.Index("ix_search_entries_parser_id_status", "parser_id", "status", "created_at", "number"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "search_shapes",
        sa.Column("id", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("parser_id", _ID, nullable=False, index=True),
        sa.Column("fields", _JSON, nullable=False),
    )
    op.create_table(
        "search_texts",
        sa.Column("number", _NUMBER, primary_key=True, autoincrement=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("external_id", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
    )
    op.create_table(
        "search_values",
        sa.Column("key", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("value", _BYTEWISE, primary_key=True),
        sa.Column("number", sa.BigInteger(), primary_key=True, autoincrement=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "stored_files",
        sa.Column("sha256", _SHORT, primary_key=True),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("refs", sa.Integer(), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("released_at", _MOMENT, index=True),
    )
    op.create_table(
        "teams",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("slug", _SHORT, nullable=False, unique=True),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("updated_at", _MOMENT, nullable=False),
    )
    op.create_table(
        "users",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("email", sa.String(320), nullable=False, unique=True),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("password_hash", sa.String()),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("updated_at", _MOMENT, nullable=False),
    )
    op.create_table(
        "api_keys",
        sa.Column("id", _ID, primary_key=True),
        _reference("team_id", "teams", index=True),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("prefix", _SHORT, nullable=False),
        sa.Column("sha256", _SHORT, nullable=False, unique=True),
        sa.Column("permissions", _JSON),
        sa.Column("parser_ids", _JSON),
        _reference("created_by", "users", ondelete="SET NULL", nullable=True),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("expires_at", _MOMENT),
        sa.Column("revoked_at", _MOMENT),
        sa.Column("last_used_at", _MOMENT),
    )
    op.create_table(
        "audit_entries",
        sa.Column("id", _ID, primary_key=True),
        _reference("team_id", "teams", index=True),
        sa.Column("at", _MOMENT, nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("action", _SHORT, nullable=False),
        sa.Column("resource_type", _SHORT, nullable=False),
        sa.Column("resource_id", _ID, nullable=False),
        sa.Column("details", _JSON),
        sa.Index("ix_audit_entries_resource_id_at", "resource_id", "at"),
        sa.Index("ix_audit_entries_team_id_at", "team_id", "at"),
    )
    op.create_table(
        "invitations",
        sa.Column("id", _ID, primary_key=True),
        _reference("team_id", "teams", index=True),
        sa.Column("email", sa.String(320), nullable=False),
        sa.Column("role", _SHORT, nullable=False),
        sa.Column("token_sha256", _SHORT, nullable=False, unique=True),
        _reference("invited_by", "users"),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("expires_at", _MOMENT, nullable=False),
        sa.CheckConstraint("role IN ('owner', 'admin', 'member', 'reviewer')", name="role"),
        sa.UniqueConstraint("team_id", "email"),
    )
    op.create_table(
        "memberships",
        sa.Column("id", _ID, primary_key=True),
        _reference("team_id", "teams", index=True),
        _reference("user_id", "users", index=True),
        sa.Column("role", _SHORT, nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.CheckConstraint("role IN ('owner', 'admin', 'member', 'reviewer')", name="role"),
        sa.UniqueConstraint("team_id", "user_id"),
    )
    op.create_table(
        "model_usage",
        _reference("team_id", "teams", constraint="fk_model_usage_team_id_teams", primary_key=True),
        sa.Column("month", sa.String(7), primary_key=True),
        sa.Column("model", sa.String(200), primary_key=True),
        sa.Column("documents", sa.Integer(), nullable=False),
        sa.Column("requests", sa.Integer(), nullable=False),
        sa.Column("input_tokens", sa.BigInteger(), nullable=False),
        sa.Column("output_tokens", sa.BigInteger(), nullable=False),
        sa.Column("cost_micros", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", _MOMENT, nullable=False),
    )
    op.create_table(
        "parsers",
        sa.Column("id", _ID, primary_key=True),
        _reference("team_id", "teams", index=True),
        sa.Column("slug", _SHORT, nullable=False, unique=True),
        sa.Column("former_slug", _SHORT),
        sa.Column("description", sa.String(), nullable=False),
        sa.Column("type", _SHORT, nullable=False),
        sa.Column("template_key", _SHORT),
        sa.Column("is_active", sa.Boolean(), nullable=False),
        sa.Column("settings", _JSON, nullable=False),
        sa.Column("post_processing", _JSON),
        sa.Column("email_address", sa.String(320), unique=True),
        sa.Column("workflow_id", _ID, nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("updated_at", _MOMENT, nullable=False),
        sa.Column("deleted_at", _MOMENT),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("name_key", _BYTEWISE, nullable=False, server_default=""),
    )
    op.create_table(
        "password_resets",
        sa.Column("id", _ID, primary_key=True),
        _reference("user_id", "users", index=True),
        sa.Column("token_sha256", _SHORT, nullable=False, unique=True),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("expires_at", _MOMENT, nullable=False),
    )
    op.create_table(
        "projections",
        sa.Column("document_id", _ID, primary_key=True),
        _reference("team_id", "teams", index=True),
        sa.Column("parser_id", _ID, primary_key=True),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("at", _MOMENT, nullable=False),
        sa.Index("ix_projections_parser_id_at", "parser_id", "at"),
    )
    op.create_table(
        "saved_queries",
        sa.Column("id", _ID, primary_key=True),
        _reference("team_id", "teams", index=True),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("sql", sa.Text(), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("updated_at", _MOMENT, nullable=False),
        sa.UniqueConstraint("team_id", "name"),
    )
    op.create_table(
        "source_states",
        sa.Column("id", _ID, primary_key=True),
        _reference("team_id", "teams"),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("cursor", _JSON, nullable=False),
        sa.Column("looked_at", _MOMENT),
        sa.Column("next_look_at", _MOMENT),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("message", sa.String(), nullable=False),
        sa.UniqueConstraint("team_id", "source"),
    )
    op.create_table(
        "user_identities",
        sa.Column("id", _ID, primary_key=True),
        _reference("user_id", "users"),
        sa.Column("issuer", sa.String(500), nullable=False),
        sa.Column("subject", sa.String(255), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.UniqueConstraint("issuer", "subject"),
        sa.UniqueConstraint("user_id", "issuer"),
    )
    op.create_table(
        "user_sessions",
        sa.Column("id", _ID, primary_key=True),
        _reference("user_id", "users", index=True),
        _reference("team_id", "teams", ondelete="SET NULL", nullable=True),
        sa.Column("token_sha256", _SHORT, nullable=False, unique=True),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("last_used_at", _MOMENT, nullable=False),
        sa.Column("expires_at", _MOMENT, nullable=False),
        sa.Column("address", _SHORT),
        sa.Column("user_agent", sa.String(300)),
    )
    op.create_table(
        "webhook_snapshots",
        sa.Column("id", _ID, primary_key=True),
        _reference("team_id", "teams", index=True),
        sa.Column("document_id", _ID, nullable=False, index=True),
        sa.Column("facts", _JSON, nullable=False),
        sa.Column("fields", _JSON, nullable=False),
        sa.Column("values", _JSON),
        sa.Column("created_at", _MOMENT, nullable=False, index=True),
    )
    op.create_table(
        "classifiers",
        sa.Column("id", _ID, primary_key=True),
        _reference("team_id", "teams", index=True),
        sa.Column("slug", _SHORT, nullable=False, server_default=""),
        sa.Column("description", sa.String(), nullable=False),
        sa.Column("is_active", sa.Boolean(), nullable=False),
        sa.Column("email_address", sa.String(320), unique=True),
        sa.Column("accepted_file_types", _JSON, nullable=False),
        sa.Column("instructions", sa.String(), nullable=False),
        sa.Column("fallback_action", _SHORT, nullable=False),
        _reference("fallback_parser_id", "parsers", ondelete="SET NULL", nullable=True),
        sa.Column("split_documents", _JSON),
        sa.Column("email_parsing", _JSON),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("updated_at", _MOMENT, nullable=False),
        sa.Column("deleted_at", _MOMENT),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("name_key", _BYTEWISE, nullable=False, server_default=""),
        sa.CheckConstraint("fallback_action IN ('skip', 'route')", name="fallback_action"),
        sa.Index(
            "ix_classifiers_team_id_slug", "team_id", "slug", unique=True, **_where("deleted_at IS NULL")
        ),
    )
    op.create_table(
        "export_layouts",
        sa.Column("id", _ID, primary_key=True),
        _reference("team_id", "teams", index=True),
        _reference("parser_id", "parsers"),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("format", _SHORT, nullable=False),
        sa.Column("scope", _SHORT),
        sa.Column("table_id", _SHORT),
        sa.Column("columns", _JSON),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("updated_at", _MOMENT, nullable=False),
        sa.UniqueConstraint("parser_id", "name"),
    )
    op.create_table(
        "exports",
        sa.Column("id", _ID, primary_key=True),
        _reference("team_id", "teams", index=True),
        _reference("parser_id", "parsers", index=True),
        sa.Column("name", sa.String()),
        sa.Column("format", _SHORT, nullable=False),
        sa.Column("scope", _SHORT),
        sa.Column("table_name", sa.String()),
        sa.Column("selection", _JSON),
        sa.Column("file_name", sa.String(), nullable=False),
        sa.Column("content_type", sa.String(), nullable=False),
        sa.Column("location", sa.String()),
        sa.Column("part", sa.String()),
        sa.Column("sha256", _SHORT, sa.ForeignKey("stored_files.sha256")),
        sa.Column("document_count", sa.Integer(), nullable=False),
        sa.Column("row_count", sa.Integer(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("expires_at", _MOMENT, index=True),
    )
    op.create_table(
        "folders",
        sa.Column("id", _ID, primary_key=True),
        _reference("team_id", "teams", index=True),
        _reference("parser_id", "parsers", index=True),
        _reference("parent_id", "folders", nullable=True, index=True),
        sa.Column("parent_key", _ID, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("color", _SHORT),
        sa.Column("has_auto_assign", sa.Boolean(), nullable=False),
        sa.Column("auto_assignment", _JSON),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("updated_at", _MOMENT, nullable=False),
        sa.UniqueConstraint("parent_key", "slug"),
    )
    op.create_table(
        "idempotent_requests",
        sa.Column("id", _ID, primary_key=True),
        _reference("team_id", "teams", constraint="fk_idempotent_requests_team_id_teams", index=True),
        _reference("key_id", "api_keys", constraint="fk_idempotent_requests_key_id_api_keys"),
        sa.Column("name_sha256", _SHORT, nullable=False),
        sa.Column("fingerprint", _SHORT, nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("begun_at", _MOMENT, nullable=False, index=True),
        sa.Column("status", sa.Integer()),
        sa.Column("headers", _JSON),
        sa.Column("body", sa.LargeBinary()),
        sa.UniqueConstraint("key_id", "name_sha256"),
    )
    op.create_table(
        "lookup_tables",
        sa.Column("id", _ID, primary_key=True),
        _reference("team_id", "teams", index=True),
        _reference("parser_id", "parsers"),
        sa.Column("name", _SHORT, nullable=False),
        sa.Column("sha256", _SHORT, sa.ForeignKey("stored_files.sha256"), nullable=False),
        sa.Column("columns", _JSON, nullable=False),
        sa.Column("rows", sa.Integer(), nullable=False),
        sa.Column("updated_at", _MOMENT, nullable=False),
        sa.UniqueConstraint("parser_id", "name"),
    )
    op.create_table(
        "oauth_grants",
        sa.Column("id", _ID, primary_key=True),
        _reference("client_ref", "oauth_clients", index=True),
        _reference("user_id", "users", index=True),
        _reference("team_id", "teams", index=True),
        sa.Column("scopes", _JSON, nullable=False),
        sa.Column("resource", sa.String(), nullable=False),
        sa.Column("code_sha256", _SHORT, nullable=False, unique=True),
        sa.Column("code_challenge", sa.String(), nullable=False),
        sa.Column("redirect_uri", sa.String(), nullable=False),
        sa.Column("code_used_at", _MOMENT),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("expires_at", _MOMENT, nullable=False, index=True),
        sa.Column("last_used_at", _MOMENT),
        sa.ForeignKeyConstraint(
            ["team_id", "user_id"], ["memberships.team_id", "memberships.user_id"], ondelete="CASCADE"
        ),
    )
    op.create_table(
        "parser_fields",
        sa.Column("key", _ID, primary_key=True),
        _reference("team_id", "teams", index=True),
        _reference("parser_id", "parsers"),
        sa.Column("table_id", _SHORT),
        sa.Column("id", _SHORT, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("column", sa.String(), nullable=False),
        sa.Column("type", _SHORT, nullable=False),
        sa.Column("description", sa.String()),
        sa.Column("instructions", sa.String()),
        sa.Column("required", sa.Boolean(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("options", _JSON, nullable=False),
        sa.Column("labels", _JSON, nullable=False),
        sa.Column("extract", sa.Boolean(), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("deleted_at", _MOMENT),
        sa.CheckConstraint(
            "type IN ('text', 'number', 'date', 'boolean', 'currency', 'choice', 'list', 'table')",
            name="type",
        ),
        sa.UniqueConstraint("parser_id", "id"),
        sa.Index("ix_parser_fields_parser_id_table_id", "parser_id", "table_id"),
    )
    op.create_table(
        "review_stages",
        sa.Column("id", _ID, primary_key=True),
        _reference("team_id", "teams", index=True),
        _reference("parser_id", "parsers"),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("reviewer_instructions", sa.String(500)),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("review_type", _SHORT, nullable=False),
        _reference("reviewer_id", "users", ondelete="SET NULL", nullable=True),
        sa.Column("rules", _JSON, nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("updated_at", _MOMENT, nullable=False),
        sa.Column("deleted_at", _MOMENT),
        sa.CheckConstraint("position >= 1", name="position"),
        sa.CheckConstraint("review_type IN ('mandatory', 'conditional')", name="review_type"),
        sa.Index("ix_review_stages_parser_id_position", "parser_id", "position"),
    )
    op.create_table(
        "webhooks",
        sa.Column("id", _ID, primary_key=True),
        _reference("team_id", "teams", index=True),
        _reference("parser_id", "parsers", index=True),
        sa.Column("url", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("description", sa.String(), nullable=False),
        sa.Column("events", _JSON, nullable=False),
        sa.Column("headers", _JSON, nullable=False),
        sa.Column("sealed_secret", sa.String(), nullable=False),
        sa.Column("previous_secrets", _JSON),
        sa.Column("value_format", _SHORT, nullable=False),
        sa.Column("status", _SHORT, nullable=False),
        sa.Column("failing_since", _MOMENT),
        sa.Column("last_delivery_at", _MOMENT),
        sa.Column("last_status_code", sa.Integer()),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("updated_at", _MOMENT, nullable=False),
        sa.CheckConstraint("status IN ('active', 'paused', 'disabled')", name="status"),
        sa.CheckConstraint("value_format IN ('typed', 'string')", name="value_format"),
    )
    op.create_table(
        "classifier_rules",
        sa.Column("id", _ID, primary_key=True),
        _reference("team_id", "teams", index=True),
        _reference("classifier_id", "classifiers"),
        sa.Column("label", sa.String(), nullable=False),
        _reference("target_parser_id", "parsers", index=True),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.UniqueConstraint("classifier_id", "label"),
    )
    op.create_table(
        "documents",
        sa.Column("id", _ID, primary_key=True),
        _reference("team_id", "teams"),
        _reference("parser_id", "parsers", nullable=True),
        _reference("classifier_id", "classifiers", ondelete="SET NULL", nullable=True),
        _reference("folder_id", "folders", ondelete="SET NULL", nullable=True, index=True),
        sa.Column("file_name", sa.String(), nullable=False, server_default=""),
        sa.Column("is_renamed", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("external_id", sa.String()),
        sa.Column("custom", _JSON),
        sa.Column("source", _SHORT, nullable=False),
        sa.Column("source_detail", _JSON),
        sa.Column("sha256", _SHORT, sa.ForeignKey("stored_files.sha256"), nullable=False, index=True),
        sa.Column("content_type", sa.String(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("page_count", sa.Integer()),
        sa.Column("pages_read", sa.Integer()),
        sa.Column("pages_to_read", sa.Integer()),
        sa.Column("status", _SHORT, nullable=False),
        sa.Column("error", sa.String()),
        sa.Column("operation_id", _ID, nullable=False, index=True),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("lost_leases", sa.Integer(), nullable=False),
        sa.Column("claimed_by", sa.String()),
        sa.Column("lease_expires_at", _MOMENT),
        sa.Column("queued_at", _MOMENT),
        sa.Column("slow", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("processed_at", _MOMENT),
        sa.Column("approved_at", _MOMENT),
        sa.Column("confidence", sa.Double()),
        sa.Column("parser_revision", sa.Integer()),
        _reference("assignee_id", "users", ondelete="SET NULL", nullable=True, index=True),
        sa.Column("split", _JSON),
        sa.Column("split_sha256", _SHORT, index=True),
        sa.Column("keep_whole", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("classification", _JSON),
        sa.Column("routing_status", _SHORT),
        sa.Column("routing", _JSON),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("updated_at", _MOMENT, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("name_key", _BYTEWISE, nullable=False, server_default=""),
        sa.CheckConstraint("(parser_id IS NOT NULL) OR (classifier_id IS NOT NULL)", name="target"),
        sa.CheckConstraint(
            "routing_status IN ('pending', 'routed', 'skipped', 'failed')", name="routing_status"
        ),
        sa.CheckConstraint(
            "source IN ('api', 'upload', 'url', 'email', 'upload_page', 'embed', 'integration', 'mcp', 'folder')",
            name="source",
        ),
        sa.CheckConstraint(
            "status IN ('uploading', 'queued', 'processing', 'processed', 'failed', 'in_review', 'approved', 'rejected', 'skipped')",
            name="status",
        ),
        sa.UniqueConstraint("parser_id", "external_id"),
        sa.Index(
            "ix_documents_classifier_id_created_at",
            "classifier_id",
            "created_at",
            "id",
            **_where("classifier_id IS NOT NULL"),
        ),
        sa.Index(
            "ix_documents_classifier_id_routing_status",
            "classifier_id",
            "routing_status",
            "parser_id",
            **_where("classifier_id IS NOT NULL"),
        ),
        sa.Index(
            "ix_documents_lease_expires_at", "lease_expires_at", **_where("lease_expires_at IS NOT NULL")
        ),
        sa.Index("ix_documents_parser_id_created_at", "parser_id", "created_at", "id"),
        sa.Index("ix_documents_parser_id_name_key", "parser_id", "name_key", "id"),
        sa.Index("ix_documents_parser_id_sha256", "parser_id", "sha256"),
        sa.Index("ix_documents_parser_id_updated_at", "parser_id", "updated_at", "id"),
        sa.Index(
            "ix_documents_queue",
            "slow",
            sa.text("coalesce(parser_id, classifier_id)"),
            "queued_at",
            "id",
            **_where("status = 'queued'"),
        ),
        sa.Index(
            "ix_documents_team_id_created_at",
            "team_id",
            "created_at",
            "id",
            "status",
            "parser_id",
            "page_count",
        ),
        sa.Index(
            "uq_documents_classifier_id_external_id",
            "classifier_id",
            "external_id",
            unique=True,
            **_where("parser_id IS NULL"),
        ),
    )
    op.create_table(
        "oauth_tokens",
        sa.Column("id", _ID, primary_key=True),
        _reference("grant_id", "oauth_grants", index=True),
        sa.Column("kind", _SHORT, nullable=False),
        sa.Column("sha256", _SHORT, nullable=False, unique=True),
        sa.Column("scopes", _JSON, nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("expires_at", _MOMENT, nullable=False, index=True),
        sa.Column("used_at", _MOMENT),
        sa.CheckConstraint("kind IN ('access', 'refresh')", name="kind"),
    )
    op.create_table(
        "upload_pages",
        sa.Column("id", _ID, primary_key=True),
        _reference("team_id", "teams", index=True),
        _reference("parser_id", "parsers", nullable=True, unique=True),
        _reference("classifier_id", "classifiers", nullable=True, unique=True),
        sa.Column("is_active", sa.Boolean(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("message", sa.String(), nullable=False),
        sa.Column("embed_origins", _JSON, nullable=False),
        sa.Column("files_per_hour", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("updated_at", _MOMENT, nullable=False),
        sa.CheckConstraint("(parser_id IS NULL) <> (classifier_id IS NULL)", name="owner"),
    )
    op.create_table(
        "webhook_deliveries",
        sa.Column("id", _ID, primary_key=True),
        _reference("team_id", "teams", index=True),
        _reference("webhook_id", "webhooks"),
        _reference("snapshot_id", "webhook_snapshots", index=True),
        sa.Column("document_id", _ID, nullable=False),
        sa.Column("event", _SHORT, nullable=False),
        sa.Column("status", _SHORT, nullable=False),
        sa.Column("attempts", _JSON, nullable=False),
        sa.Column("next_attempt_at", _MOMENT),
        sa.Column("claimed_by", sa.String()),
        sa.Column("lease_expires_at", _MOMENT),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.CheckConstraint("status IN ('pending', 'succeeded', 'failed', 'cancelled')", name="status"),
        sa.Index("ix_webhook_deliveries_claimed", "claimed_by", **_where("claimed_by IS NOT NULL")),
        sa.Index(
            "ix_webhook_deliveries_due",
            "webhook_id",
            "next_attempt_at",
            **_where("status = 'pending' AND claimed_by IS NULL"),
        ),
        sa.Index(
            "ix_webhook_deliveries_open",
            "webhook_id",
            "status",
            "created_at",
            **_where("status <> 'succeeded'"),
        ),
        sa.Index("ix_webhook_deliveries_webhook_id_created_at", "webhook_id", "created_at", "id"),
    )
    op.create_table(
        "classifier_examples",
        sa.Column("id", _ID, primary_key=True),
        _reference("team_id", "teams", index=True),
        _reference("classifier_id", "classifiers"),
        _reference("rule_id", "classifier_rules"),
        _reference("document_id", "documents", index=True),
        sa.Column("text", sa.Text()),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.UniqueConstraint("classifier_id", "document_id"),
        sa.Index("ix_classifier_examples_rule_id_created_at", "rule_id", "created_at"),
    )
    op.create_table(
        "document_events",
        sa.Column("id", _ID, primary_key=True),
        _reference("team_id", "teams", index=True),
        _reference("document_id", "documents"),
        sa.Column("at", _MOMENT, nullable=False),
        sa.Column("event", _SHORT, nullable=False),
        sa.Column("from_status", _SHORT),
        sa.Column("to_status", _SHORT, nullable=False),
        sa.Column("reason", sa.String()),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Index("ix_document_events_document_id_at", "document_id", "at"),
    )
    op.create_table(
        "document_results",
        _reference("document_id", "documents", primary_key=True),
        _reference("team_id", "teams", index=True),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("mode", _SHORT, nullable=False),
        sa.Column("values", _JSON, nullable=False),
        sa.Column("read_values", _JSON),
        sa.Column("evidence", _JSON, nullable=False),
        sa.Column("extras", _JSON),
        sa.Column("warnings", _JSON, nullable=False),
        sa.Column("pages", _JSON, nullable=False),
        sa.Column("markdown_sha256", _SHORT, sa.ForeignKey("stored_files.sha256")),
        sa.Column("edited", sa.Boolean(), nullable=False),
        sa.Column("seconds", sa.Double(), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("updated_at", _MOMENT, nullable=False),
    )
    op.create_table(
        "document_stages",
        sa.Column("id", _ID, primary_key=True),
        _reference("team_id", "teams", index=True),
        _reference("document_id", "documents", index=True),
        _reference("stage_id", "review_stages"),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("status", _SHORT, nullable=False),
        _reference("assignee_id", "users", ondelete="SET NULL", nullable=True, index=True),
        sa.Column("comment", sa.String(1000)),
        sa.Column("started_at", _MOMENT),
        sa.Column("approved_at", _MOMENT),
        sa.Column("rejected_at", _MOMENT),
        sa.CheckConstraint(
            "status IN ('pending', 'in_progress', 'approved', 'rejected', 'skipped')", name="status"
        ),
        sa.UniqueConstraint("document_id", "stage_id"),
        sa.Index("ix_document_stages_stage_id_status", "stage_id", "status"),
        sa.Index("ix_document_stages_started_at", "started_at", "id", **_where("status = 'in_progress'")),
    )
    op.create_table(
        "exported_documents",
        _reference("parser_id", "parsers", primary_key=True),
        sa.Column("name", sa.String(), primary_key=True),
        _reference("document_id", "documents", primary_key=True, index=True),
    )
    op.create_table(
        "intake_entries",
        sa.Column("id", _ID, primary_key=True),
        _reference("team_id", "teams", index=True),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("item", sa.String(), nullable=False),
        sa.Column("item_sha256", _SHORT, nullable=False),
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.Column("sha256", _SHORT),
        sa.Column("size", sa.BigInteger()),
        _reference("parser_id", "parsers", ondelete="SET NULL", nullable=True),
        sa.Column("classifier_id", _ID),
        _reference("document_id", "documents", ondelete="SET NULL", nullable=True),
        sa.Column("outcome", _SHORT, nullable=False),
        sa.Column("message", sa.String(), nullable=False),
        sa.Column("finished_at", _MOMENT),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("updated_at", _MOMENT, nullable=False),
        sa.CheckConstraint(
            "outcome IN ('registered', 'duplicate', 'waiting', 'refused', 'unreadable', 'vanished')",
            name="outcome",
        ),
        sa.UniqueConstraint("team_id", "source", "item_sha256"),
        sa.Index("ix_intake_entries_latest", "team_id", "source", "updated_at", "id"),
        sa.Index("ix_intake_entries_outcome", "team_id", "source", "outcome", "updated_at", "id"),
    )
    op.create_table(
        "lessons",
        sa.Column("id", _ID, primary_key=True),
        _reference("team_id", "teams", index=True),
        _reference("parser_id", "parsers"),
        _reference("document_id", "documents", ondelete="SET NULL", nullable=True, unique=True),
        sa.Column("lesson", _JSON, nullable=False),
        _reference("user_id", "users", ondelete="SET NULL", nullable=True),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Index("ix_lessons_parser_id_created_at", "parser_id", "created_at"),
    )
    op.create_table(
        "owed_lessons",
        _reference(
            "document_id", "documents", constraint="fk_owed_lessons_document_id_documents", primary_key=True
        ),
        _reference("team_id", "teams", constraint="fk_owed_lessons_team_id_teams", index=True),
        _reference("parser_id", "parsers", constraint="fk_owed_lessons_parser_id_parsers"),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("lease_expires_at", _MOMENT),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Index("ix_owed_lessons_parser_id_created_at", "parser_id", "created_at"),
    )
    for statement in _SQLITE if is_sqlite else _POSTGRESQL:
        op.get_bind().exec_driver_sql(statement)
    if not is_sqlite:
        _index_trigrams()


_SQLITE_NONE = f"'{'0' * 32}'"
_SQLITE_COUNT = (
    """
INSERT INTO document_counts (parser_id, folder_id, status, shard, documents)
SELECT {row}.parser_id, coalesce({row}.folder_id, """
    + _SQLITE_NONE
    + """), {row}.status, 0, {by}
WHERE {row}.parser_id IS NOT NULL
ON CONFLICT (parser_id, folder_id, status, shard) DO UPDATE SET documents = documents + excluded.documents;
"""
)
_SQLITE = [
    """CREATE VIRTUAL TABLE search_index USING fts5(
        name, external_id, body, content='search_texts', content_rowid='number',
        tokenize='trigram case_sensitive 1', columnsize=0)""",
    """CREATE TRIGGER search_texts_inserted AFTER INSERT ON search_texts BEGIN
        INSERT INTO search_index (rowid, name, external_id, body)
        VALUES (new.number, new.name, new.external_id, new.body);
    END""",
    """CREATE TRIGGER search_texts_deleted AFTER DELETE ON search_texts BEGIN
        INSERT INTO search_index (search_index, rowid, name, external_id, body)
        VALUES ('delete', old.number, old.name, old.external_id, old.body);
    END""",
    """CREATE TRIGGER search_texts_updated AFTER UPDATE ON search_texts BEGIN
        INSERT INTO search_index (search_index, rowid, name, external_id, body)
        VALUES ('delete', old.number, old.name, old.external_id, old.body);
        INSERT INTO search_index (rowid, name, external_id, body)
        VALUES (new.number, new.name, new.external_id, new.body);
    END""",
    """CREATE TRIGGER documents_inserted AFTER INSERT ON documents BEGIN
        INSERT INTO search_entries (document_id, parser_id, folder_id, status, created_at, shape_id)
        VALUES (new.id, new.parser_id, new.folder_id, new.status, new.created_at, 0);"""
    + _SQLITE_COUNT.format(row="new", by=1)
    + "END",
    """CREATE TRIGGER documents_updated AFTER UPDATE OF parser_id, folder_id, status, created_at ON documents
    WHEN old.status <> new.status OR old.folder_id IS NOT new.folder_id
        OR old.parser_id IS NOT new.parser_id OR old.created_at <> new.created_at
    BEGIN
        UPDATE search_entries SET parser_id = new.parser_id, folder_id = new.folder_id, status = new.status,
            created_at = new.created_at,
            shape_id = CASE WHEN old.parser_id IS new.parser_id THEN shape_id ELSE 0 END
        WHERE document_id = new.id;"""
    + _SQLITE_COUNT.format(row="old", by=-1)
    + _SQLITE_COUNT.format(row="new", by=1)
    + "END",
    """CREATE TRIGGER documents_deleted AFTER DELETE ON documents BEGIN
        DELETE FROM search_texts
        WHERE number = (SELECT number FROM search_entries WHERE document_id = old.id);
        DELETE FROM search_entries WHERE document_id = old.id;"""
    + _SQLITE_COUNT.format(row="old", by=-1)
    + "END",
]

_PG_NONE = "'00000000-0000-0000-0000-000000000000'::uuid"
_PG_COUNT = f"""
    INSERT INTO document_counts (parser_id, folder_id, status, shard, documents)
    SELECT parser_id, coalesce(folder_id, {_PG_NONE}), status, pg_backend_pid(), {{by}}
    FROM {{rows}} GROUP BY 1, 2, 3
    ON CONFLICT (parser_id, folder_id, status, shard)
    DO UPDATE SET documents = document_counts.documents + excluded.documents;
"""
_PG_CHANGED = """
    SELECT {row}.* FROM old_rows o JOIN new_rows n USING (id)
    WHERE (o.status, o.folder_id, o.parser_id) IS DISTINCT FROM (n.status, n.folder_id, n.parser_id)
"""
_POSTGRESQL = [
    """CREATE FUNCTION documents_inserted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO search_entries (document_id, parser_id, folder_id, status, created_at, shape_id)
    SELECT id, parser_id, folder_id, status, created_at, 0 FROM new_rows ORDER BY created_at, id;"""
    + _PG_COUNT.format(by="count(*)", rows="new_rows WHERE parser_id IS NOT NULL")
    + "RETURN NULL; END $$",
    """CREATE FUNCTION documents_updated() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    UPDATE search_entries e SET parser_id = n.parser_id, folder_id = n.folder_id, status = n.status,
        created_at = n.created_at, shape_id = CASE WHEN e.parser_id = n.parser_id THEN e.shape_id ELSE 0 END
    FROM old_rows o JOIN new_rows n USING (id)
    WHERE e.document_id = n.id AND (o.status, o.folder_id, o.parser_id, o.created_at)
        IS DISTINCT FROM (n.status, n.folder_id, n.parser_id, n.created_at);
    IF FOUND THEN"""
    + _PG_COUNT.format(
        by="sum(by)",
        rows=f"""(
        SELECT parser_id, folder_id, status, -1 AS by FROM ({_PG_CHANGED.format(row="o")}) AS before
        UNION ALL
        SELECT parser_id, folder_id, status, 1 FROM ({_PG_CHANGED.format(row="n")}) AS after
        ) AS steps WHERE parser_id IS NOT NULL""",
    )
    + "END IF; RETURN NULL; END $$",
    """CREATE FUNCTION documents_deleted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    DELETE FROM search_texts t USING search_entries e, old_rows o
    WHERE e.document_id = o.id AND t.number = e.number;
    DELETE FROM search_entries e USING old_rows o WHERE e.document_id = o.id;"""
    + _PG_COUNT.format(by="-count(*)", rows="old_rows WHERE parser_id IS NOT NULL")
    + "RETURN NULL; END $$",
    """CREATE TRIGGER documents_inserted AFTER INSERT ON documents
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION documents_inserted()""",
    """CREATE TRIGGER documents_updated AFTER UPDATE ON documents
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION documents_updated()""",
    """CREATE TRIGGER documents_deleted AFTER DELETE ON documents
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION documents_deleted()""",
]


def _index_trigrams() -> None:
    connection = op.get_bind()
    try:
        with connection.begin_nested():
            connection.exec_driver_sql("CREATE EXTENSION IF NOT EXISTS pg_trgm")
            connection.exec_driver_sql(
                "CREATE INDEX ix_search_texts_trigrams ON search_texts USING gin "
                "(name gin_trgm_ops, external_id gin_trgm_ops, body gin_trgm_ops)"
            )
    except sa.exc.DBAPIError as error:
        _log.warning(
            "searches of texts will be slow, as the extension pg_trgm can't be made: %s",
            str(error.orig).strip(),
        )

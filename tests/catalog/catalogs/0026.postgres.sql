CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;
CREATE FUNCTION public.documents_deleted() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN
    DELETE FROM search_texts t USING search_entries e, old_rows o
    WHERE e.document_id = o.id AND t.number = e.number;
    DELETE FROM search_entries e USING old_rows o WHERE e.document_id = o.id;
    INSERT INTO document_counts (parser_id, folder_id, status, shard, documents)
    SELECT parser_id, coalesce(folder_id, '00000000-0000-0000-0000-000000000000'::uuid), status, pg_backend_pid(), -count(*)
    FROM old_rows WHERE parser_id IS NOT NULL GROUP BY 1, 2, 3
    ON CONFLICT (parser_id, folder_id, status, shard)
    DO UPDATE SET documents = document_counts.documents + excluded.documents;
RETURN NULL; END $$;
CREATE FUNCTION public.documents_inserted() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN
    INSERT INTO search_entries (document_id, parser_id, folder_id, status, created_at, shape_id)
    SELECT id, parser_id, folder_id, status, created_at, 0 FROM new_rows ORDER BY created_at, id;
    INSERT INTO document_counts (parser_id, folder_id, status, shard, documents)
    SELECT parser_id, coalesce(folder_id, '00000000-0000-0000-0000-000000000000'::uuid), status, pg_backend_pid(), count(*)
    FROM new_rows WHERE parser_id IS NOT NULL GROUP BY 1, 2, 3
    ON CONFLICT (parser_id, folder_id, status, shard)
    DO UPDATE SET documents = document_counts.documents + excluded.documents;
RETURN NULL; END $$;
CREATE FUNCTION public.documents_updated() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN
    UPDATE search_entries e SET parser_id = n.parser_id, folder_id = n.folder_id, status = n.status,
        created_at = n.created_at, shape_id = CASE WHEN e.parser_id = n.parser_id THEN e.shape_id ELSE 0 END
    FROM old_rows o JOIN new_rows n USING (id)
    WHERE e.document_id = n.id AND (o.status, o.folder_id, o.parser_id, o.created_at)
        IS DISTINCT FROM (n.status, n.folder_id, n.parser_id, n.created_at);
    IF FOUND THEN
    INSERT INTO document_counts (parser_id, folder_id, status, shard, documents)
    SELECT parser_id, coalesce(folder_id, '00000000-0000-0000-0000-000000000000'::uuid), status, pg_backend_pid(), sum(by)
    FROM (
        SELECT parser_id, folder_id, status, -1 AS by FROM (
    SELECT o.* FROM old_rows o JOIN new_rows n USING (id)
    WHERE (o.status, o.folder_id, o.parser_id) IS DISTINCT FROM (n.status, n.folder_id, n.parser_id)
) AS before
        UNION ALL
        SELECT parser_id, folder_id, status, 1 FROM (
    SELECT n.* FROM old_rows o JOIN new_rows n USING (id)
    WHERE (o.status, o.folder_id, o.parser_id) IS DISTINCT FROM (n.status, n.folder_id, n.parser_id)
) AS after
        ) AS steps WHERE parser_id IS NOT NULL GROUP BY 1, 2, 3
    ON CONFLICT (parser_id, folder_id, status, shard)
    DO UPDATE SET documents = document_counts.documents + excluded.documents;
END IF; RETURN NULL; END $$;
CREATE TABLE public.alembic_version (
    version_num character varying(32) NOT NULL
);
CREATE TABLE public.api_keys (
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    name character varying NOT NULL,
    prefix character varying(64) NOT NULL,
    sha256 character varying(64) NOT NULL,
    permissions jsonb,
    parser_ids jsonb,
    created_by uuid,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    last_used_at timestamp with time zone
);
CREATE TABLE public.audit_entries (
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    actor character varying NOT NULL,
    action character varying(64) NOT NULL,
    resource_type character varying(64) NOT NULL,
    resource_id uuid NOT NULL,
    details jsonb
);
CREATE TABLE public.classifier_examples (
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    classifier_id uuid NOT NULL,
    rule_id uuid NOT NULL,
    document_id uuid NOT NULL,
    text text,
    created_at timestamp with time zone NOT NULL
);
CREATE TABLE public.classifier_rules (
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    classifier_id uuid NOT NULL,
    label character varying NOT NULL,
    target_parser_id uuid NOT NULL,
    "position" integer NOT NULL
);
CREATE TABLE public.classifiers (
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    name character varying NOT NULL,
    description character varying NOT NULL,
    is_active boolean NOT NULL,
    email_address character varying(320),
    accepted_file_types jsonb NOT NULL,
    instructions character varying NOT NULL,
    fallback_action character varying(64) NOT NULL,
    fallback_parser_id uuid,
    split_documents jsonb,
    email_parsing jsonb,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    deleted_at timestamp with time zone,
    name_key text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT ck_classifiers_fallback_action CHECK ((fallback_action IN ('skip', 'route')))
);
CREATE TABLE public.document_counts (
    parser_id uuid NOT NULL,
    folder_id uuid NOT NULL,
    status character varying(64) NOT NULL,
    shard integer NOT NULL,
    documents bigint NOT NULL
);
CREATE TABLE public.document_events (
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    document_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    event character varying(64) NOT NULL,
    from_status character varying(64),
    to_status character varying(64) NOT NULL,
    reason character varying,
    actor character varying NOT NULL,
    attempt integer NOT NULL
);
CREATE TABLE public.document_results (
    document_id uuid NOT NULL,
    team_id uuid NOT NULL,
    attempt integer NOT NULL,
    mode character varying(64) NOT NULL,
    "values" jsonb NOT NULL,
    evidence jsonb NOT NULL,
    warnings jsonb NOT NULL,
    pages jsonb NOT NULL,
    markdown_sha256 character varying(64),
    edited boolean NOT NULL,
    seconds double precision NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    read_values jsonb
);
CREATE TABLE public.document_stages (
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    document_id uuid NOT NULL,
    stage_id uuid NOT NULL,
    "position" integer NOT NULL,
    status character varying(64) NOT NULL,
    assignee_id uuid,
    comment character varying(1000),
    approved_at timestamp with time zone,
    rejected_at timestamp with time zone,
    started_at timestamp with time zone,
    CONSTRAINT ck_document_stages_status CHECK ((status IN ('pending', 'in_progress', 'approved', 'rejected', 'skipped')))
);
CREATE TABLE public.documents (
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    parser_id uuid,
    classifier_id uuid,
    folder_id uuid,
    name character varying NOT NULL,
    external_id character varying,
    custom jsonb,
    source character varying(64) NOT NULL,
    source_detail jsonb,
    sha256 character varying(64) NOT NULL,
    content_type character varying NOT NULL,
    size bigint NOT NULL,
    page_count integer,
    status character varying(64) NOT NULL,
    error character varying,
    operation_id uuid NOT NULL,
    attempt integer NOT NULL,
    lost_leases integer NOT NULL,
    claimed_by character varying,
    lease_expires_at timestamp with time zone,
    queued_at timestamp with time zone,
    processed_at timestamp with time zone,
    approved_at timestamp with time zone,
    confidence double precision,
    assignee_id uuid,
    split jsonb,
    classification jsonb,
    routing_status character varying(64),
    routing jsonb,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    parser_revision integer,
    name_key text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    file_name character varying DEFAULT ''::character varying NOT NULL,
    is_renamed boolean DEFAULT false NOT NULL,
    slow boolean DEFAULT false NOT NULL,
    split_sha256 character varying(64),
    keep_whole boolean DEFAULT false NOT NULL,
    CONSTRAINT ck_documents_routing_status CHECK ((routing_status IN ('pending', 'routed', 'skipped', 'failed'))),
    CONSTRAINT ck_documents_source CHECK ((source IN ('api', 'upload', 'url', 'email', 'upload_page', 'embed', 'integration', 'mcp', 'folder'))),
    CONSTRAINT ck_documents_status CHECK ((status IN ('uploading', 'queued', 'processing', 'processed', 'failed', 'in_review', 'approved', 'rejected', 'skipped'))),
    CONSTRAINT ck_documents_target CHECK (((parser_id IS NOT NULL) OR (classifier_id IS NOT NULL)))
);
CREATE TABLE public.export_layouts (
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    parser_id uuid NOT NULL,
    name character varying NOT NULL,
    format character varying(64) NOT NULL,
    scope character varying(64),
    table_id character varying(64),
    columns jsonb,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL
);
CREATE TABLE public.exported_documents (
    parser_id uuid NOT NULL,
    name character varying NOT NULL,
    document_id uuid NOT NULL
);
CREATE TABLE public.exports (
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    parser_id uuid NOT NULL,
    format character varying(64) NOT NULL,
    scope character varying(64),
    table_name character varying,
    selection jsonb,
    file_name character varying NOT NULL,
    content_type character varying NOT NULL,
    location character varying,
    sha256 character varying(64),
    document_count integer NOT NULL,
    row_count integer NOT NULL,
    actor character varying NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone,
    name character varying,
    part character varying
);
CREATE TABLE public.folders (
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    parser_id uuid NOT NULL,
    parent_id uuid,
    parent_key uuid NOT NULL,
    name character varying NOT NULL,
    slug character varying NOT NULL,
    color character varying(64),
    has_auto_assign boolean NOT NULL,
    auto_assignment jsonb,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL
);
CREATE TABLE public.idempotent_requests (
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    key_id uuid NOT NULL,
    name_sha256 character varying(64) NOT NULL,
    fingerprint character varying(64) NOT NULL,
    owner character varying NOT NULL,
    begun_at timestamp with time zone NOT NULL,
    status integer,
    headers jsonb,
    body bytea
);
CREATE TABLE public.intake_entries (
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    source character varying NOT NULL,
    item character varying NOT NULL,
    item_sha256 character varying(64) NOT NULL,
    fingerprint character varying NOT NULL,
    sha256 character varying(64),
    size bigint,
    parser_id uuid,
    document_id uuid,
    outcome character varying(64) NOT NULL,
    message character varying NOT NULL,
    finished_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    classifier_id uuid,
    CONSTRAINT ck_intake_entries_outcome CHECK ((outcome IN ('registered', 'duplicate', 'waiting', 'refused', 'unreadable', 'vanished')))
);
CREATE TABLE public.invitations (
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    email character varying(320) NOT NULL,
    role character varying(64) NOT NULL,
    token_sha256 character varying(64) NOT NULL,
    invited_by uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT ck_invitations_role CHECK ((role IN ('owner', 'admin', 'member', 'reviewer')))
);
CREATE TABLE public.lessons (
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    parser_id uuid NOT NULL,
    document_id uuid,
    lesson jsonb NOT NULL,
    user_id uuid,
    created_at timestamp with time zone NOT NULL
);
CREATE TABLE public.lookup_tables (
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    parser_id uuid NOT NULL,
    name character varying(64) NOT NULL,
    sha256 character varying(64) NOT NULL,
    columns jsonb NOT NULL,
    rows integer NOT NULL,
    updated_at timestamp with time zone NOT NULL
);
CREATE TABLE public.memberships (
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    user_id uuid NOT NULL,
    role character varying(64) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT ck_memberships_role CHECK ((role IN ('owner', 'admin', 'member', 'reviewer')))
);
CREATE TABLE public.model_usage (
    team_id uuid NOT NULL,
    month character varying(7) NOT NULL,
    model character varying(200) NOT NULL,
    documents integer NOT NULL,
    requests integer NOT NULL,
    input_tokens bigint NOT NULL,
    output_tokens bigint NOT NULL,
    cost_micros bigint NOT NULL,
    updated_at timestamp with time zone NOT NULL
);
CREATE TABLE public.oauth_clients (
    id uuid NOT NULL,
    client_id character varying NOT NULL,
    name character varying NOT NULL,
    redirect_uris jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    fresh_until timestamp with time zone,
    keep_until timestamp with time zone NOT NULL
);
CREATE TABLE public.oauth_grants (
    id uuid NOT NULL,
    client_ref uuid NOT NULL,
    user_id uuid NOT NULL,
    team_id uuid NOT NULL,
    scopes jsonb NOT NULL,
    resource character varying NOT NULL,
    code_sha256 character varying(64) NOT NULL,
    code_challenge character varying NOT NULL,
    redirect_uri character varying NOT NULL,
    code_used_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone
);
CREATE TABLE public.oauth_tokens (
    id uuid NOT NULL,
    grant_id uuid NOT NULL,
    kind character varying(64) NOT NULL,
    sha256 character varying(64) NOT NULL,
    scopes jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    CONSTRAINT ck_oauth_tokens_kind CHECK ((kind IN ('access', 'refresh')))
);
CREATE TABLE public.owed_lessons (
    document_id uuid NOT NULL,
    team_id uuid NOT NULL,
    parser_id uuid NOT NULL,
    revision integer NOT NULL,
    lease_expires_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL
);
CREATE TABLE public.parser_fields (
    key uuid NOT NULL,
    team_id uuid NOT NULL,
    parser_id uuid NOT NULL,
    table_id character varying(64),
    id character varying(64) NOT NULL,
    name character varying NOT NULL,
    "column" character varying NOT NULL,
    type character varying(64) NOT NULL,
    description character varying,
    instructions character varying,
    required boolean NOT NULL,
    "position" integer NOT NULL,
    options jsonb NOT NULL,
    labels jsonb NOT NULL,
    "extract" boolean NOT NULL,
    created_at timestamp with time zone NOT NULL,
    deleted_at timestamp with time zone,
    CONSTRAINT ck_parser_fields_type CHECK ((type IN ('text', 'number', 'date', 'boolean', 'currency', 'choice', 'list', 'table')))
);
CREATE TABLE public.parsers (
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    slug character varying(64) NOT NULL,
    name character varying NOT NULL,
    description character varying NOT NULL,
    type character varying(64) NOT NULL,
    template_key character varying(64),
    is_active boolean NOT NULL,
    settings jsonb NOT NULL,
    post_processing jsonb,
    email_address character varying(320),
    workflow_id uuid NOT NULL,
    revision integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    deleted_at timestamp with time zone,
    name_key text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    former_slug character varying(64)
);
CREATE TABLE public.password_resets (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    token_sha256 character varying(64) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE public.pending_texts (
    number bigint NOT NULL,
    parser_id uuid NOT NULL
);
CREATE TABLE public.projections (
    document_id uuid NOT NULL,
    team_id uuid NOT NULL,
    parser_id uuid NOT NULL,
    revision bigint NOT NULL,
    at timestamp with time zone NOT NULL
);
CREATE UNLOGGED TABLE public.rate_counts (
    key_id uuid NOT NULL,
    minute bigint NOT NULL,
    minute_count integer NOT NULL,
    day bigint NOT NULL,
    day_count integer NOT NULL
);
CREATE TABLE public.review_stages (
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    parser_id uuid NOT NULL,
    name character varying NOT NULL,
    reviewer_instructions character varying(500),
    "position" integer NOT NULL,
    review_type character varying(64) NOT NULL,
    reviewer_id uuid,
    rules jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    deleted_at timestamp with time zone,
    CONSTRAINT ck_review_stages_position CHECK (("position" >= 1)),
    CONSTRAINT ck_review_stages_review_type CHECK ((review_type IN ('mandatory', 'conditional')))
);
CREATE TABLE public.saved_queries (
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    name character varying NOT NULL,
    sql text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL
);
CREATE TABLE public.search_entries (
    number bigint NOT NULL,
    document_id uuid NOT NULL,
    parser_id uuid,
    folder_id uuid,
    status character varying(64) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    shape_id bigint
);
CREATE SEQUENCE public.search_entries_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.search_entries_number_seq OWNED BY public.search_entries.number;
CREATE TABLE public.search_shapes (
    id bigint NOT NULL,
    parser_id uuid NOT NULL,
    fields jsonb NOT NULL
);
CREATE TABLE public.search_texts (
    number bigint NOT NULL,
    name text NOT NULL,
    external_id text NOT NULL,
    body text NOT NULL
);
CREATE TABLE public.search_values (
    key bigint NOT NULL,
    value text NOT NULL COLLATE pg_catalog."C",
    number bigint NOT NULL
);
CREATE TABLE public.source_states (
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    source character varying NOT NULL,
    cursor jsonb NOT NULL,
    looked_at timestamp with time zone,
    next_look_at timestamp with time zone,
    failures integer NOT NULL,
    message character varying NOT NULL
);
CREATE TABLE public.stored_files (
    sha256 character varying(64) NOT NULL,
    size bigint NOT NULL,
    refs integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    released_at timestamp with time zone
);
CREATE TABLE public.teams (
    id uuid NOT NULL,
    name character varying NOT NULL,
    slug character varying(64) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL
);
CREATE TABLE public.upload_pages (
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    parser_id uuid,
    classifier_id uuid,
    is_active boolean NOT NULL,
    title character varying NOT NULL,
    message character varying NOT NULL,
    embed_origins jsonb NOT NULL,
    files_per_hour integer NOT NULL,
    version integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT ck_upload_pages_owner CHECK (((parser_id IS NULL) <> (classifier_id IS NULL)))
);
CREATE TABLE public.user_identities (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    issuer character varying(500) NOT NULL,
    subject character varying(255) NOT NULL,
    created_at timestamp with time zone NOT NULL
);
CREATE TABLE public.user_sessions (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    team_id uuid,
    token_sha256 character varying(64) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    address character varying(64),
    user_agent character varying(300)
);
CREATE TABLE public.users (
    id uuid NOT NULL,
    email character varying(320) NOT NULL,
    name character varying NOT NULL,
    password_hash character varying,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL
);
CREATE TABLE public.webhook_deliveries (
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    event character varying(64) NOT NULL,
    status character varying(64) NOT NULL,
    attempts jsonb NOT NULL,
    next_attempt_at timestamp with time zone,
    lease_expires_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    snapshot_id uuid NOT NULL,
    document_id uuid NOT NULL,
    claimed_by character varying,
    CONSTRAINT ck_webhook_deliveries_status CHECK ((status IN ('pending', 'succeeded', 'failed')))
);
CREATE TABLE public.webhook_snapshots (
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    document_id uuid NOT NULL,
    facts jsonb NOT NULL,
    fields jsonb NOT NULL,
    "values" jsonb,
    created_at timestamp with time zone NOT NULL
);
CREATE TABLE public.webhooks (
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    parser_id uuid NOT NULL,
    url character varying NOT NULL,
    name character varying NOT NULL,
    description character varying NOT NULL,
    events jsonb NOT NULL,
    sealed_secret character varying NOT NULL,
    sealed_previous_secret character varying,
    previous_secret_expires_at timestamp with time zone,
    value_format character varying(64) NOT NULL,
    status character varying(64) NOT NULL,
    failing_since timestamp with time zone,
    last_delivery_at timestamp with time zone,
    last_status_code integer,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    headers jsonb NOT NULL,
    CONSTRAINT ck_webhooks_status CHECK ((status IN ('active', 'paused', 'disabled'))),
    CONSTRAINT ck_webhooks_value_format CHECK ((value_format IN ('typed', 'string')))
);
ALTER TABLE ONLY public.search_entries ALTER COLUMN number SET DEFAULT nextval('public.search_entries_number_seq'::regclass);
INSERT INTO public.alembic_version (version_num) VALUES ('0026');
INSERT INTO public.api_keys (id, team_id, name, prefix, sha256, permissions, parser_ids, created_by, created_at, expires_at, revoked_at, last_used_at) VALUES ('01a22c2d-8738-7048-bf4c-1f1062f169d4', '01a22c2d-7fb4-7c9d-abbc-749ed1130318', 'ci', 'eZrDmtqA', '8598fbda08f72f666efabd50427696f8c16f7998a5333827488cc2bc4716fc47', NULL, NULL, NULL, '2026-11-30 11:18:30.968+00', NULL, NULL, NULL);
INSERT INTO public.audit_entries (id, team_id, at, actor, action, resource_type, resource_id, details) VALUES ('01a22c2d-8119-7c52-9ae1-ae83239f067f', '01a22c2d-7fb4-7c9d-abbc-749ed1130318', '2026-11-30 11:18:29.401+00', 'user', 'parser.created', 'parser', '01a22c2d-801e-722c-98b8-acd6ed9fb72b', '{"name": "Invoices"}');
INSERT INTO public.audit_entries (id, team_id, at, actor, action, resource_type, resource_id, details) VALUES ('01a22c2d-8410-70f3-96e2-80fe5f378dfe', '01a22c2d-7fb4-7c9d-abbc-749ed1130318', '2026-11-30 11:18:30.16+00', 'cli', 'webhook.created', 'webhook', '01a22c2d-8397-7cd4-8cee-8bcf7e97f522', '{"after": {"url": "https://93.184.215.14/hook", "name": "", "events": ["document.processed"], "status": "active", "headers": [], "description": "", "valueFormat": "typed"}, "before": null, "parser": "01a22c2d-801e-722c-98b8-acd6ed9fb72b"}');
INSERT INTO public.audit_entries (id, team_id, at, actor, action, resource_type, resource_id, details) VALUES ('01a22c2d-864f-7926-b548-db3bc21c10a7', '01a22c2d-7fb4-7c9d-abbc-749ed1130318', '2026-11-30 11:18:30.735+00', 'cli', 'webhook.secret_rotated', 'webhook', '01a22c2d-8397-7cd4-8cee-8bcf7e97f522', '{"previousSecretExpiresAt": "2026-12-01T11:18:30.699Z"}');
INSERT INTO public.audit_entries (id, team_id, at, actor, action, resource_type, resource_id, details) VALUES ('01a22c2d-8740-7dc3-b1c1-8a703ecec045', '01a22c2d-7fb4-7c9d-abbc-749ed1130318', '2026-11-30 11:18:30.976+00', 'system', 'key.created', 'key', '01a22c2d-8738-7048-bf4c-1f1062f169d4', '{"name": "ci", "prefix": "eZrDmtqA", "expiresAt": null, "parserIds": null, "revokedAt": null, "permissions": null}');
INSERT INTO public.audit_entries (id, team_id, at, actor, action, resource_type, resource_id, details) VALUES ('01a22c2d-8815-7d56-9e9a-dd71140696e5', '01a22c2d-7fb4-7c9d-abbc-749ed1130318', '2026-11-30 11:18:31.189+00', 'system', 'member.added', 'user', '01a22c2d-8801-7c28-8eb4-a5fefade390e', '{"role": "reviewer", "email": "ann@example.org"}');
INSERT INTO public.audit_entries (id, team_id, at, actor, action, resource_type, resource_id, details) VALUES ('01a22c2d-88f2-7359-ba25-e6b9f184ed4b', '01a22c2d-7fb4-7c9d-abbc-749ed1130318', '2026-11-30 11:18:31.41+00', 'cli', 'classifier.created', 'classifier', '01a22c2d-88de-7822-8939-26fd86c01c57', '{"name": "Incoming mail", "after": {"name": "Incoming mail", "routing": {"rules": [{"id": "01a22c2d-88de-7ce1-b1d5-89dda6b9e0b5", "label": "Invoice", "targetParserId": "01a22c2d-801e-722c-98b8-acd6ed9fb72b"}], "fallback": {"action": "skip", "targetParserId": null}, "instructions": ""}, "isActive": true, "description": "", "emailParsing": null, "splitDocuments": null, "acceptedFileTypes": []}}');
INSERT INTO public.audit_entries (id, team_id, at, actor, action, resource_type, resource_id, details) VALUES ('01a22c2d-8a3c-7a90-8bdb-8e1727aa5594', '01a22c2d-7fb4-7c9d-abbc-749ed1130318', '2026-11-30 11:18:31.74+00', 'cli', 'folder.created', 'folder', '01a22c2d-8a37-707e-8525-0e7a1b5d2d8e', '{"name": "2026"}');
INSERT INTO public.audit_entries (id, team_id, at, actor, action, resource_type, resource_id, details) VALUES ('01a22c2d-ca8d-7d14-a3c0-7f660c436f85', '01a22c2d-7fb4-7c9d-abbc-749ed1130318', '2026-11-30 11:18:48.205+00', 'cli', 'document.corrected', 'document', '01a22c2d-81f2-7762-8115-8e6476790d62', '{"after": {"Number": "A-9"}, "before": {"Number": "A-1"}, "fields": ["Number"], "changed": ["Number"], "replaced": false}');
INSERT INTO public.classifier_rules (id, team_id, classifier_id, label, target_parser_id, "position") VALUES ('01a22c2d-88de-7ce1-b1d5-89dda6b9e0b5', '01a22c2d-7fb4-7c9d-abbc-749ed1130318', '01a22c2d-88de-7822-8939-26fd86c01c57', 'Invoice', '01a22c2d-801e-722c-98b8-acd6ed9fb72b', 0);
INSERT INTO public.classifiers (id, team_id, name, description, is_active, email_address, accepted_file_types, instructions, fallback_action, fallback_parser_id, split_documents, email_parsing, created_at, updated_at, deleted_at, name_key) VALUES ('01a22c2d-88de-7822-8939-26fd86c01c57', '01a22c2d-7fb4-7c9d-abbc-749ed1130318', 'Incoming mail', '', true, NULL, '[]', '', 'skip', NULL, NULL, NULL, '2026-11-30 11:18:31.392+00', '2026-11-30 11:18:31.392+00', NULL, 'incoming mail');
INSERT INTO public.document_counts (parser_id, folder_id, status, shard, documents) VALUES ('01a22c2d-801e-722c-98b8-acd6ed9fb72b', '00000000-0000-0000-0000-000000000000', 'queued', 1457, 2);
INSERT INTO public.document_counts (parser_id, folder_id, status, shard, documents) VALUES ('01a22c2d-801e-722c-98b8-acd6ed9fb72b', '00000000-0000-0000-0000-000000000000', 'queued', 1554, -2);
INSERT INTO public.document_counts (parser_id, folder_id, status, shard, documents) VALUES ('01a22c2d-801e-722c-98b8-acd6ed9fb72b', '00000000-0000-0000-0000-000000000000', 'processed', 1554, 3);
INSERT INTO public.document_counts (parser_id, folder_id, status, shard, documents) VALUES ('01a22c2d-801e-722c-98b8-acd6ed9fb72b', '00000000-0000-0000-0000-000000000000', 'processing', 1554, 0);
INSERT INTO public.document_counts (parser_id, folder_id, status, shard, documents) VALUES ('01a22c2d-801e-722c-98b8-acd6ed9fb72b', '00000000-0000-0000-0000-000000000000', 'queued', 1848, 1);
INSERT INTO public.document_events (id, team_id, document_id, at, event, from_status, to_status, reason, actor, attempt) VALUES ('01a22c2d-820d-7a15-b6ee-f7d23e713053', '01a22c2d-7fb4-7c9d-abbc-749ed1130318', '01a22c2d-81f2-7762-8115-8e6476790d62', '2026-11-30 11:18:29.645+00', 'stored', NULL, 'queued', NULL, 'cli', 0);
INSERT INTO public.document_events (id, team_id, document_id, at, event, from_status, to_status, reason, actor, attempt) VALUES ('01a22c2d-826e-7aa6-99ae-d1a5bac0120f', '01a22c2d-7fb4-7c9d-abbc-749ed1130318', '01a22c2d-8262-79d3-8119-b1026a5311e8', '2026-11-30 11:18:29.742+00', 'stored', NULL, 'queued', NULL, 'cli', 0);
INSERT INTO public.document_events (id, team_id, document_id, at, event, from_status, to_status, reason, actor, attempt) VALUES ('01a22c2d-96a9-7e5c-86bc-66cd0315d6b8', '01a22c2d-7fb4-7c9d-abbc-749ed1130318', '01a22c2d-81f2-7762-8115-8e6476790d62', '2026-11-30 11:18:34.921+00', 'claimed', 'queued', 'processing', NULL, 'host/pid:[4026531836]/1144/1796037494.11/175fa873', 1);
INSERT INTO public.document_events (id, team_id, document_id, at, event, from_status, to_status, reason, actor, attempt) VALUES ('01a22c2d-96a9-7ef6-9f96-c76a68b5ce20', '01a22c2d-7fb4-7c9d-abbc-749ed1130318', '01a22c2d-8262-79d3-8119-b1026a5311e8', '2026-11-30 11:18:34.921+00', 'claimed', 'queued', 'processing', NULL, 'host/pid:[4026531836]/1144/1796037494.11/175fa873', 1);
INSERT INTO public.document_events (id, team_id, document_id, at, event, from_status, to_status, reason, actor, attempt) VALUES ('01a22c2d-a9db-7c14-bc31-86e978bd873b', '01a22c2d-7fb4-7c9d-abbc-749ed1130318', '01a22c2d-81f2-7762-8115-8e6476790d62', '2026-11-30 11:18:39.835+00', 'extracted', 'processing', 'processed', NULL, 'host/pid:[4026531836]/1144/1796037494.11/175fa873', 1);
INSERT INTO public.document_events (id, team_id, document_id, at, event, from_status, to_status, reason, actor, attempt) VALUES ('01a22c2d-adf1-7653-8102-a45da64a7d3b', '01a22c2d-7fb4-7c9d-abbc-749ed1130318', '01a22c2d-aded-7ff2-99cf-ce55aead45cf', '2026-11-30 11:18:40.881+00', 'stored', NULL, 'queued', NULL, 'host/pid:[4026531836]/1144/1796037494.11/175fa873', 0);
INSERT INTO public.document_events (id, team_id, document_id, at, event, from_status, to_status, reason, actor, attempt) VALUES ('01a22c2d-ae35-7ab2-9eb6-3b59d4a94552', '01a22c2d-7fb4-7c9d-abbc-749ed1130318', '01a22c2d-8262-79d3-8119-b1026a5311e8', '2026-11-30 11:18:40.949+00', 'extracted', 'processing', 'processed', NULL, 'host/pid:[4026531836]/1144/1796037494.11/175fa873', 1);
INSERT INTO public.document_events (id, team_id, document_id, at, event, from_status, to_status, reason, actor, attempt) VALUES ('01a22c2d-aed7-7de8-a2d3-810202c8463f', '01a22c2d-7fb4-7c9d-abbc-749ed1130318', '01a22c2d-aded-7ff2-99cf-ce55aead45cf', '2026-11-30 11:18:41.111+00', 'claimed', 'queued', 'processing', NULL, 'host/pid:[4026531836]/1144/1796037494.11/175fa873', 1);
INSERT INTO public.document_events (id, team_id, document_id, at, event, from_status, to_status, reason, actor, attempt) VALUES ('01a22c2d-aff5-7d52-bf36-a3e3990c6a63', '01a22c2d-7fb4-7c9d-abbc-749ed1130318', '01a22c2d-aded-7ff2-99cf-ce55aead45cf', '2026-11-30 11:18:41.397+00', 'extracted', 'processing', 'processed', NULL, 'host/pid:[4026531836]/1144/1796037494.11/175fa873', 1);
INSERT INTO public.document_events (id, team_id, document_id, at, event, from_status, to_status, reason, actor, attempt) VALUES ('01a22c2d-c645-7b29-b9b2-b1de789fe2a1', '01a22c2d-7fb4-7c9d-abbc-749ed1130318', '01a22c2d-c632-71a8-9ad4-ee8824873470', '2026-11-30 11:18:47.109+00', 'stored', NULL, 'queued', NULL, 'cli', 0);
INSERT INTO public.document_events (id, team_id, document_id, at, event, from_status, to_status, reason, actor, attempt) VALUES ('01a22c2d-ca92-7f0e-ba68-ffabe9635d7d', '01a22c2d-7fb4-7c9d-abbc-749ed1130318', '01a22c2d-81f2-7762-8115-8e6476790d62', '2026-11-30 11:18:48.21+00', 'corrected', 'processed', 'processed', NULL, 'cli', 1);
INSERT INTO public.document_results (document_id, team_id, attempt, mode, "values", evidence, warnings, pages, markdown_sha256, edited, seconds, created_at, updated_at, read_values) VALUES ('01a22c2d-8262-79d3-8119-b1026a5311e8', '01a22c2d-7fb4-7c9d-abbc-749ed1130318', 1, 'balanced', '{"f_5dv4v8sm": null, "f_cartje8g": [], "f_nsafwq3b": null}', '{}', '[]', '[{"turn": 0.0, "width": 595.0, "height": 842.0, "number": 1, "source": "text"}]', NULL, false, 1.1288891629992577, '2026-11-30 11:18:40.676+00', '2026-11-30 11:18:40.676+00', NULL);
INSERT INTO public.document_results (document_id, team_id, attempt, mode, "values", evidence, warnings, pages, markdown_sha256, edited, seconds, created_at, updated_at, read_values) VALUES ('01a22c2d-aded-7ff2-99cf-ce55aead45cf', '01a22c2d-7fb4-7c9d-abbc-749ed1130318', 1, 'balanced', '{"f_5dv4v8sm": "A-3", "f_cartje8g": [], "f_nsafwq3b": 12.5}', '{"f_5dv4v8sm": {"page": 1, "edited": false, "source": "text", "rawText": "A-3", "editedAt": null, "editedBy": null, "locations": [{"bbox": {"top": 0.01515, "left": 0.2, "width": 0.0375, "height": 0.01364}, "page": 1, "text": "A-3"}], "confidence": 0.99}, "f_nsafwq3b": {"page": 1, "edited": false, "source": "text", "rawText": "12.50 EUR", "editedAt": null, "editedBy": null, "locations": [{"bbox": {"top": 0.06061, "left": 0.0875, "width": 0.1125, "height": 0.01364}, "page": 1, "text": "12.50 EUR"}], "confidence": 0.9856}}', '[]', '[{"turn": 0.0, "width": 595.0, "height": 842.0, "number": 1, "source": "text"}]', NULL, false, 0.0034743699980026577, '2026-11-30 11:18:41.285+00', '2026-11-30 11:18:41.285+00', NULL);
INSERT INTO public.document_results (document_id, team_id, attempt, mode, "values", evidence, warnings, pages, markdown_sha256, edited, seconds, created_at, updated_at, read_values) VALUES ('01a22c2d-81f2-7762-8115-8e6476790d62', '01a22c2d-7fb4-7c9d-abbc-749ed1130318', 1, 'balanced', '{"f_5dv4v8sm": "A-9", "f_cartje8g": [], "f_nsafwq3b": 119}', '{"f_5dv4v8sm": {"page": null, "edited": true, "source": "user", "rawText": null, "editedAt": "2026-11-30T11:18:47.774Z", "editedBy": "cli", "locations": [], "confidence": 1.0}, "f_nsafwq3b": {"page": 1, "edited": false, "source": "text", "rawText": "119.00 EUR", "editedAt": null, "editedBy": null, "locations": [{"bbox": {"top": 0.06061, "left": 0.0875, "width": 0.125, "height": 0.01364}, "page": 1, "text": "119.00 EUR"}], "confidence": 0.9856}}', '[]', '[{"turn": 0.0, "width": 595.0, "height": 842.0, "number": 1, "source": "text"}]', NULL, true, 0.8020571470005962, '2026-11-30 11:18:39.434+00', '2026-11-30 11:18:47.774+00', '{"f_5dv4v8sm": "A-1", "f_cartje8g": [], "f_nsafwq3b": 119}');
INSERT INTO public.documents (id, team_id, parser_id, classifier_id, folder_id, name, external_id, custom, source, source_detail, sha256, content_type, size, page_count, status, error, operation_id, attempt, lost_leases, claimed_by, lease_expires_at, queued_at, processed_at, approved_at, confidence, assignee_id, split, classification, routing_status, routing, created_at, updated_at, parser_revision, name_key, file_name, is_renamed, slow, split_sha256, keep_whole) VALUES ('01a22c2d-8262-79d3-8119-b1026a5311e8', '01a22c2d-7fb4-7c9d-abbc-749ed1130318', '01a22c2d-801e-722c-98b8-acd6ed9fb72b', NULL, NULL, 'mail.eml', NULL, NULL, 'upload', NULL, '9b19980d6ea091869c2277861b311d556b082a7e101355847374f3d8a553df96', 'message/rfc822', 662, 1, 'processed', NULL, '01a22c2d-8262-7a1f-99bd-fb933ae67be6', 1, 0, NULL, NULL, '2026-11-30 11:18:29.73+00', '2026-11-30 11:18:40.945+00', NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-30 11:18:29.73+00', '2026-11-30 11:18:40.945+00', 1, 'mail.eml', 'mail.eml', false, false, NULL, false);
INSERT INTO public.documents (id, team_id, parser_id, classifier_id, folder_id, name, external_id, custom, source, source_detail, sha256, content_type, size, page_count, status, error, operation_id, attempt, lost_leases, claimed_by, lease_expires_at, queued_at, processed_at, approved_at, confidence, assignee_id, split, classification, routing_status, routing, created_at, updated_at, parser_revision, name_key, file_name, is_renamed, slow, split_sha256, keep_whole) VALUES ('01a22c2d-aded-7ff2-99cf-ce55aead45cf', '01a22c2d-7fb4-7c9d-abbc-749ed1130318', '01a22c2d-801e-722c-98b8-acd6ed9fb72b', NULL, NULL, 'c.txt', NULL, NULL, 'upload', '{"mail": "01a22c2d-8262-79d3-8119-b1026a5311e8", "part": 1, "depth": 1}', 'bafed842116e94bc6aa3f925d853204025f52bc344640c5ad387056a5ac2d849', 'text/plain', 80, 1, 'processed', NULL, '01a22c2d-adee-707d-a5bf-43376319e652', 1, 0, NULL, NULL, '2026-11-30 11:18:40.877+00', '2026-11-30 11:18:41.39+00', NULL, 0.9878, NULL, NULL, NULL, NULL, NULL, '2026-11-30 11:18:40.877+00', '2026-11-30 11:18:41.39+00', 1, 'c.txt', 'c.txt', false, false, NULL, false);
INSERT INTO public.documents (id, team_id, parser_id, classifier_id, folder_id, name, external_id, custom, source, source_detail, sha256, content_type, size, page_count, status, error, operation_id, attempt, lost_leases, claimed_by, lease_expires_at, queued_at, processed_at, approved_at, confidence, assignee_id, split, classification, routing_status, routing, created_at, updated_at, parser_revision, name_key, file_name, is_renamed, slow, split_sha256, keep_whole) VALUES ('01a22c2d-c632-71a8-9ad4-ee8824873470', '01a22c2d-7fb4-7c9d-abbc-749ed1130318', '01a22c2d-801e-722c-98b8-acd6ed9fb72b', NULL, NULL, 'b.txt', NULL, NULL, 'upload', NULL, 'cb2703e47ccac3da974bceeed96bcfcad4d6ed5ac48a98464ac96e08d925e47f', 'text/plain', 80, NULL, 'queued', NULL, '01a22c2d-c632-71ef-9c0b-11ddeb35ad54', 0, 0, NULL, NULL, '2026-11-30 11:18:47.09+00', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-30 11:18:47.09+00', '2026-11-30 11:18:47.09+00', NULL, 'b.txt', 'b.txt', false, false, NULL, false);
INSERT INTO public.documents (id, team_id, parser_id, classifier_id, folder_id, name, external_id, custom, source, source_detail, sha256, content_type, size, page_count, status, error, operation_id, attempt, lost_leases, claimed_by, lease_expires_at, queued_at, processed_at, approved_at, confidence, assignee_id, split, classification, routing_status, routing, created_at, updated_at, parser_revision, name_key, file_name, is_renamed, slow, split_sha256, keep_whole) VALUES ('01a22c2d-81f2-7762-8115-8e6476790d62', '01a22c2d-7fb4-7c9d-abbc-749ed1130318', '01a22c2d-801e-722c-98b8-acd6ed9fb72b', NULL, NULL, 'a.txt', NULL, NULL, 'upload', NULL, '11588d9cc9532180b3b0a90e289c7b8add725dc2af60e737f04a3a1c5bd9413a', 'text/plain', 81, 1, 'processed', NULL, '01a22c2d-81f2-77b2-afb0-1e8b93553ebf', 1, 0, NULL, NULL, '2026-11-30 11:18:29.618+00', '2026-11-30 11:18:39.814+00', NULL, 0.9878, NULL, NULL, NULL, NULL, NULL, '2026-11-30 11:18:29.618+00', '2026-11-30 11:18:48.205+00', 1, 'a.txt', 'a.txt', false, false, NULL, false);
INSERT INTO public.folders (id, team_id, parser_id, parent_id, parent_key, name, slug, color, has_auto_assign, auto_assignment, created_at, updated_at) VALUES ('01a22c2d-8a37-707e-8525-0e7a1b5d2d8e', '01a22c2d-7fb4-7c9d-abbc-749ed1130318', '01a22c2d-801e-722c-98b8-acd6ed9fb72b', NULL, '01a22c2d-801e-722c-98b8-acd6ed9fb72b', '2026', '2026', NULL, false, NULL, '2026-11-30 11:18:31.736+00', '2026-11-30 11:18:31.736+00');
INSERT INTO public.intake_entries (id, team_id, source, item, item_sha256, fingerprint, sha256, size, parser_id, document_id, outcome, message, finished_at, created_at, updated_at, classifier_id) VALUES ('01a22c2d-ae2d-7b87-9776-377cbacc5ce0', '01a22c2d-7fb4-7c9d-abbc-749ed1130318', 'mail attachments', '01a22c2d-8262-79d3-8119-b1026a5311e8/bafed842116e94bc6aa3f925d853204025f52bc344640c5ad387056a5ac2d849/1', '451cbeaddaf97e0923211f86d6a11150972a8dc21daf4ce174dabd0873daadd0', 'bafed842116e94bc6aa3f925d853204025f52bc344640c5ad387056a5ac2d849', 'bafed842116e94bc6aa3f925d853204025f52bc344640c5ad387056a5ac2d849', 80, '01a22c2d-801e-722c-98b8-acd6ed9fb72b', '01a22c2d-aded-7ff2-99cf-ce55aead45cf', 'registered', '', '2026-11-30 11:18:40.941+00', '2026-11-30 11:18:40.941+00', '2026-11-30 11:18:40.941+00', NULL);
INSERT INTO public.lessons (id, team_id, parser_id, document_id, lesson, user_id, created_at) VALUES ('01a22c2d-ccb4-7a4c-a762-da70d9400cb3', '01a22c2d-7fb4-7c9d-abbc-749ed1130318', '01a22c2d-801e-722c-98b8-acd6ed9fb72b', '01a22c2d-81f2-7762-8115-8e6476790d62', '{"marks": ["acme@0", "date@2", "eur@4", "invoice@0", "ltd@2", "number@2", "total@0"], "words": ["acme", "date", "eur", "invoice", "ltd", "number", "total"], "places": {}, "values": {}, "headers": {}, "mistakes": {"f_5dv4v8sm": {"text": "a1", "place": {"top": 0.015151515151515152, "left": 0.2, "page": 1, "above": "", "after": "", "joint": " ", "lines": 1, "right": 0.2375, "shape": "A-9", "whole": false, "before": "invoicenumber", "beside": "", "corrected": true}, "cleared": false}}, "unprinted": {}, "document_id": null}', NULL, '2026-11-30 11:18:48.756+00');
INSERT INTO public.memberships (id, team_id, user_id, role, created_at) VALUES ('01a22c2d-881a-745d-9a80-1c9845a1cd50', '01a22c2d-7fb4-7c9d-abbc-749ed1130318', '01a22c2d-8801-7c28-8eb4-a5fefade390e', 'reviewer', '2026-11-30 11:18:31.194+00');
INSERT INTO public.parser_fields (key, team_id, parser_id, table_id, id, name, "column", type, description, instructions, required, "position", options, labels, "extract", created_at, deleted_at) VALUES ('01a22c2d-80ae-77a2-8f21-7205e583d9bc', '01a22c2d-7fb4-7c9d-abbc-749ed1130318', '01a22c2d-801e-722c-98b8-acd6ed9fb72b', NULL, 'f_5dv4v8sm', 'Number', 'number', 'text', NULL, NULL, false, 0, '[]', '["Invoice Number"]', true, '2026-11-30 11:18:29.294+00', NULL);
INSERT INTO public.parser_fields (key, team_id, parser_id, table_id, id, name, "column", type, description, instructions, required, "position", options, labels, "extract", created_at, deleted_at) VALUES ('01a22c2d-80ae-788a-9c26-2984a96afe4b', '01a22c2d-7fb4-7c9d-abbc-749ed1130318', '01a22c2d-801e-722c-98b8-acd6ed9fb72b', NULL, 'f_nsafwq3b', 'Total', 'total', 'currency', NULL, NULL, false, 1, '[]', '[]', true, '2026-11-30 11:18:29.294+00', NULL);
INSERT INTO public.parser_fields (key, team_id, parser_id, table_id, id, name, "column", type, description, instructions, required, "position", options, labels, "extract", created_at, deleted_at) VALUES ('01a22c2d-80ae-78d2-9388-1c3db1eb8f81', '01a22c2d-7fb4-7c9d-abbc-749ed1130318', '01a22c2d-801e-722c-98b8-acd6ed9fb72b', NULL, 'f_cartje8g', 'Lines', 'lines', 'table', NULL, NULL, false, 2, '[]', '[]', true, '2026-11-30 11:18:29.294+00', NULL);
INSERT INTO public.parser_fields (key, team_id, parser_id, table_id, id, name, "column", type, description, instructions, required, "position", options, labels, "extract", created_at, deleted_at) VALUES ('01a22c2d-80e3-7795-97ee-120537af7d17', '01a22c2d-7fb4-7c9d-abbc-749ed1130318', '01a22c2d-801e-722c-98b8-acd6ed9fb72b', 'f_cartje8g', 'f_ptf7ynd2', 'Item', 'item', 'text', NULL, NULL, false, 0, '[]', '[]', true, '2026-11-30 11:18:29.347+00', NULL);
INSERT INTO public.parsers (id, team_id, slug, name, description, type, template_key, is_active, settings, post_processing, email_address, workflow_id, revision, created_at, updated_at, deleted_at, name_key, former_slug) VALUES ('01a22c2d-801e-722c-98b8-acd6ed9fb72b', '01a22c2d-7fb4-7c9d-abbc-749ed1130318', 'invoices', 'Invoices', '', 'document', NULL, true, '{}', NULL, NULL, '01a22c2d-801e-72c5-86b9-a35cb1a9eb33', 1, '2026-11-30 11:18:29.152+00', '2026-11-30 11:18:29.152+00', NULL, 'invoices', NULL);
INSERT INTO public.projections (document_id, team_id, parser_id, revision, at) VALUES ('01a22c2d-81f2-7762-8115-8e6476790d62', '01a22c2d-7fb4-7c9d-abbc-749ed1130318', '01a22c2d-801e-722c-98b8-acd6ed9fb72b', 1, '2026-11-30 11:18:48.214+00');
INSERT INTO public.search_entries (number, document_id, parser_id, folder_id, status, created_at, shape_id) VALUES (2, '01a22c2d-8262-79d3-8119-b1026a5311e8', '01a22c2d-801e-722c-98b8-acd6ed9fb72b', NULL, 'processed', '2026-11-30 11:18:29.73+00', 4775167332611987610);
INSERT INTO public.search_entries (number, document_id, parser_id, folder_id, status, created_at, shape_id) VALUES (3, '01a22c2d-aded-7ff2-99cf-ce55aead45cf', '01a22c2d-801e-722c-98b8-acd6ed9fb72b', NULL, 'processed', '2026-11-30 11:18:40.877+00', 4775167332611987610);
INSERT INTO public.search_entries (number, document_id, parser_id, folder_id, status, created_at, shape_id) VALUES (4, '01a22c2d-c632-71a8-9ad4-ee8824873470', '01a22c2d-801e-722c-98b8-acd6ed9fb72b', NULL, 'queued', '2026-11-30 11:18:47.09+00', NULL);
INSERT INTO public.search_entries (number, document_id, parser_id, folder_id, status, created_at, shape_id) VALUES (1, '01a22c2d-81f2-7762-8115-8e6476790d62', '01a22c2d-801e-722c-98b8-acd6ed9fb72b', NULL, 'processed', '2026-11-30 11:18:29.618+00', 4775167332611987610);
INSERT INTO public.search_shapes (id, parser_id, fields) VALUES (4775167332611987610, '01a22c2d-801e-722c-98b8-acd6ed9fb72b', '[["f_5dv4v8sm", "text"], ["f_nsafwq3b", "number"], ["f_cartje8g", "table"], ["f_cartje8g.f_ptf7ynd2", "text"]]');
INSERT INTO public.search_texts (number, name, external_id, body) VALUES (2, 'mail.eml', '', '');
INSERT INTO public.search_texts (number, name, external_id, body) VALUES (3, 'c.txt', '', 'a-3
12.5');
INSERT INTO public.search_texts (number, name, external_id, body) VALUES (4, 'b.txt', '', '');
INSERT INTO public.search_texts (number, name, external_id, body) VALUES (1, 'a.txt', '', 'a-9
119');
INSERT INTO public.search_values (key, value, number) VALUES (-375485760402865241, 'a.txt', 1);
INSERT INTO public.search_values (key, value, number) VALUES (-375485760402865241, 'mail.eml', 2);
INSERT INTO public.search_values (key, value, number) VALUES (7293012790223168062, '25002119', 1);
INSERT INTO public.search_values (key, value, number) VALUES (-375485760402865241, 'c.txt', 3);
INSERT INTO public.search_values (key, value, number) VALUES (3010431823320267292, 'a-3', 3);
INSERT INTO public.search_values (key, value, number) VALUES (7293012790223168062, '25001125', 3);
INSERT INTO public.search_values (key, value, number) VALUES (-375485760402865241, 'b.txt', 4);
INSERT INTO public.search_values (key, value, number) VALUES (3010431823320267292, 'a-9', 1);
INSERT INTO public.stored_files (sha256, size, refs, created_at, released_at) VALUES ('11588d9cc9532180b3b0a90e289c7b8add725dc2af60e737f04a3a1c5bd9413a', 81, 1, '2026-11-30 11:18:29.618+00', NULL);
INSERT INTO public.stored_files (sha256, size, refs, created_at, released_at) VALUES ('9b19980d6ea091869c2277861b311d556b082a7e101355847374f3d8a553df96', 662, 1, '2026-11-30 11:18:29.73+00', NULL);
INSERT INTO public.stored_files (sha256, size, refs, created_at, released_at) VALUES ('bafed842116e94bc6aa3f925d853204025f52bc344640c5ad387056a5ac2d849', 80, 1, '2026-11-30 11:18:40.878+00', NULL);
INSERT INTO public.stored_files (sha256, size, refs, created_at, released_at) VALUES ('cb2703e47ccac3da974bceeed96bcfcad4d6ed5ac48a98464ac96e08d925e47f', 80, 1, '2026-11-30 11:18:47.09+00', NULL);
INSERT INTO public.teams (id, name, slug, created_at, updated_at) VALUES ('01a22c2d-7fb4-7c9d-abbc-749ed1130318', 'Default', 'default', '2026-11-30 11:18:29.044+00', '2026-11-30 11:18:29.044+00');
INSERT INTO public.users (id, email, name, password_hash, created_at, updated_at) VALUES ('01a22c2d-8801-7c28-8eb4-a5fefade390e', 'ann@example.org', 'Ann', NULL, '2026-11-30 11:18:31.17+00', '2026-11-30 11:18:31.17+00');
INSERT INTO public.webhook_deliveries (id, team_id, webhook_id, event, status, attempts, next_attempt_at, lease_expires_at, created_at, snapshot_id, document_id, claimed_by) VALUES ('01a22c2d-aa19-7c2f-9b90-dc5a86d05525', '01a22c2d-7fb4-7c9d-abbc-749ed1130318', '01a22c2d-8397-7cd4-8cee-8bcf7e97f522', 'document.processed', 'pending', '[]', '2026-11-30 11:18:39.853+00', NULL, '2026-11-30 11:18:39.853+00', '01a22c2d-aa06-79bc-aaf2-1f57e184d5a9', '01a22c2d-81f2-7762-8115-8e6476790d62', NULL);
INSERT INTO public.webhook_deliveries (id, team_id, webhook_id, event, status, attempts, next_attempt_at, lease_expires_at, created_at, snapshot_id, document_id, claimed_by) VALUES ('01a22c2d-ae79-7a93-9fa8-f5a88a509bc5', '01a22c2d-7fb4-7c9d-abbc-749ed1130318', '01a22c2d-8397-7cd4-8cee-8bcf7e97f522', 'document.processed', 'pending', '[]', '2026-11-30 11:18:40.965+00', NULL, '2026-11-30 11:18:40.965+00', '01a22c2d-ae6d-7763-801b-7ae56ebc7e21', '01a22c2d-8262-79d3-8119-b1026a5311e8', NULL);
INSERT INTO public.webhook_deliveries (id, team_id, webhook_id, event, status, attempts, next_attempt_at, lease_expires_at, created_at, snapshot_id, document_id, claimed_by) VALUES ('01a22c2d-b043-7e60-947d-e8c2f14beb2b', '01a22c2d-7fb4-7c9d-abbc-749ed1130318', '01a22c2d-8397-7cd4-8cee-8bcf7e97f522', 'document.processed', 'pending', '[]', '2026-11-30 11:18:41.417+00', NULL, '2026-11-30 11:18:41.417+00', '01a22c2d-b036-716e-a17f-8e23ccbfdc73', '01a22c2d-aded-7ff2-99cf-ce55aead45cf', NULL);
INSERT INTO public.webhook_snapshots (id, team_id, document_id, facts, fields, "values", created_at) VALUES ('01a22c2d-aa06-79bc-aaf2-1f57e184d5a9', '01a22c2d-7fb4-7c9d-abbc-749ed1130318', '01a22c2d-81f2-7762-8115-8e6476790d62', '{"id": "01a22c2d-81f2-7762-8115-8e6476790d62", "name": "a.txt", "error": null, "custom": null, "review": {"stages": [], "status": "not_required", "assignee": null, "isRequired": false, "currentStage": null}, "source": "upload", "status": "processed", "teamId": "01a22c2d-7fb4-7c9d-abbc-749ed1130318", "assignee": null, "folderId": null, "parserId": "01a22c2d-801e-722c-98b8-acd6ed9fb72b", "teamSlug": "default", "createdAt": "2026-11-30T11:18:29.618Z", "pageCount": 1, "updatedAt": "2026-11-30T11:18:39.815Z", "externalId": null, "workflowId": "01a22c2d-801e-72c5-86b9-a35cb1a9eb33", "isProcessed": true}', '{"live": [{"id": "f_5dv4v8sm", "name": "Number", "type": "text"}, {"id": "f_nsafwq3b", "name": "Total", "type": "currency"}, {"id": "f_cartje8g", "name": "Lines", "type": "table", "columns": [{"id": "f_ptf7ynd2", "name": "Item", "type": "text"}]}], "deleted": []}', '{"f_5dv4v8sm": "A-1", "f_cartje8g": [], "f_nsafwq3b": 119}', '2026-11-30 11:18:39.853+00');
INSERT INTO public.webhook_snapshots (id, team_id, document_id, facts, fields, "values", created_at) VALUES ('01a22c2d-ae6d-7763-801b-7ae56ebc7e21', '01a22c2d-7fb4-7c9d-abbc-749ed1130318', '01a22c2d-8262-79d3-8119-b1026a5311e8', '{"id": "01a22c2d-8262-79d3-8119-b1026a5311e8", "name": "mail.eml", "error": null, "custom": null, "review": {"stages": [], "status": "not_required", "assignee": null, "isRequired": false, "currentStage": null}, "source": "upload", "status": "processed", "teamId": "01a22c2d-7fb4-7c9d-abbc-749ed1130318", "assignee": null, "folderId": null, "parserId": "01a22c2d-801e-722c-98b8-acd6ed9fb72b", "teamSlug": "default", "createdAt": "2026-11-30T11:18:29.730Z", "pageCount": 1, "updatedAt": "2026-11-30T11:18:40.945Z", "externalId": null, "workflowId": "01a22c2d-801e-72c5-86b9-a35cb1a9eb33", "isProcessed": true}', '{"live": [{"id": "f_5dv4v8sm", "name": "Number", "type": "text"}, {"id": "f_nsafwq3b", "name": "Total", "type": "currency"}, {"id": "f_cartje8g", "name": "Lines", "type": "table", "columns": [{"id": "f_ptf7ynd2", "name": "Item", "type": "text"}]}], "deleted": []}', '{"f_5dv4v8sm": null, "f_cartje8g": [], "f_nsafwq3b": null}', '2026-11-30 11:18:40.965+00');
INSERT INTO public.webhook_snapshots (id, team_id, document_id, facts, fields, "values", created_at) VALUES ('01a22c2d-b036-716e-a17f-8e23ccbfdc73', '01a22c2d-7fb4-7c9d-abbc-749ed1130318', '01a22c2d-aded-7ff2-99cf-ce55aead45cf', '{"id": "01a22c2d-aded-7ff2-99cf-ce55aead45cf", "name": "c.txt", "error": null, "custom": null, "review": {"stages": [], "status": "not_required", "assignee": null, "isRequired": false, "currentStage": null}, "source": "upload", "status": "processed", "teamId": "01a22c2d-7fb4-7c9d-abbc-749ed1130318", "assignee": null, "folderId": null, "parserId": "01a22c2d-801e-722c-98b8-acd6ed9fb72b", "teamSlug": "default", "createdAt": "2026-11-30T11:18:40.877Z", "pageCount": 1, "updatedAt": "2026-11-30T11:18:41.390Z", "externalId": null, "workflowId": "01a22c2d-801e-72c5-86b9-a35cb1a9eb33", "isProcessed": true}', '{"live": [{"id": "f_5dv4v8sm", "name": "Number", "type": "text"}, {"id": "f_nsafwq3b", "name": "Total", "type": "currency"}, {"id": "f_cartje8g", "name": "Lines", "type": "table", "columns": [{"id": "f_ptf7ynd2", "name": "Item", "type": "text"}]}], "deleted": []}', '{"f_5dv4v8sm": "A-3", "f_cartje8g": [], "f_nsafwq3b": 12.5}', '2026-11-30 11:18:41.417+00');
INSERT INTO public.webhooks (id, team_id, parser_id, url, name, description, events, sealed_secret, sealed_previous_secret, previous_secret_expires_at, value_format, status, failing_since, last_delivery_at, last_status_code, created_at, updated_at, headers) VALUES ('01a22c2d-8397-7cd4-8cee-8bcf7e97f522', '01a22c2d-7fb4-7c9d-abbc-749ed1130318', '01a22c2d-801e-722c-98b8-acd6ed9fb72b', 'https://93.184.215.14/hook', '', '', '["document.processed"]', 'v1:8ovcMiRWVZrp3axgzh4hx4qKLTbf4gPIx80sZ05GOjdlCCVc8+FiAvkMMnQXfGml3YvyzK3i58jif+3FGK8bdsMCJmTv1Qh/B5md7SLU', 'v1:+w/mq98tLN3nzHLtK/RRQErLty9I8rrJu3NaRoUhJTjlAaRMxG/pAyM408ll7Tvcjnd+AxUco73cams8ReNzwNdYNvkq+eyuI7u0bS1R', '2026-12-01 11:18:30.699+00', 'typed', 'active', NULL, NULL, NULL, '2026-11-30 11:18:30.147+00', '2026-11-30 11:18:30.758+00', '{}');
SELECT pg_catalog.setval('public.search_entries_number_seq', 4, true);
ALTER TABLE ONLY public.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT pk_api_keys PRIMARY KEY (id);
ALTER TABLE ONLY public.audit_entries
    ADD CONSTRAINT pk_audit_entries PRIMARY KEY (id);
ALTER TABLE ONLY public.classifier_examples
    ADD CONSTRAINT pk_classifier_examples PRIMARY KEY (id);
ALTER TABLE ONLY public.classifier_rules
    ADD CONSTRAINT pk_classifier_rules PRIMARY KEY (id);
ALTER TABLE ONLY public.classifiers
    ADD CONSTRAINT pk_classifiers PRIMARY KEY (id);
ALTER TABLE ONLY public.document_counts
    ADD CONSTRAINT pk_document_counts PRIMARY KEY (parser_id, folder_id, status, shard);
ALTER TABLE ONLY public.document_events
    ADD CONSTRAINT pk_document_events PRIMARY KEY (id);
ALTER TABLE ONLY public.document_results
    ADD CONSTRAINT pk_document_results PRIMARY KEY (document_id);
ALTER TABLE ONLY public.document_stages
    ADD CONSTRAINT pk_document_stages PRIMARY KEY (id);
ALTER TABLE ONLY public.documents
    ADD CONSTRAINT pk_documents PRIMARY KEY (id);
ALTER TABLE ONLY public.export_layouts
    ADD CONSTRAINT pk_export_layouts PRIMARY KEY (id);
ALTER TABLE ONLY public.exported_documents
    ADD CONSTRAINT pk_exported_documents PRIMARY KEY (parser_id, name, document_id);
ALTER TABLE ONLY public.exports
    ADD CONSTRAINT pk_exports PRIMARY KEY (id);
ALTER TABLE ONLY public.folders
    ADD CONSTRAINT pk_folders PRIMARY KEY (id);
ALTER TABLE ONLY public.idempotent_requests
    ADD CONSTRAINT pk_idempotent_requests PRIMARY KEY (id);
ALTER TABLE ONLY public.intake_entries
    ADD CONSTRAINT pk_intake_entries PRIMARY KEY (id);
ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT pk_invitations PRIMARY KEY (id);
ALTER TABLE ONLY public.lessons
    ADD CONSTRAINT pk_lessons PRIMARY KEY (id);
ALTER TABLE ONLY public.lookup_tables
    ADD CONSTRAINT pk_lookup_tables PRIMARY KEY (id);
ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT pk_memberships PRIMARY KEY (id);
ALTER TABLE ONLY public.model_usage
    ADD CONSTRAINT pk_model_usage PRIMARY KEY (team_id, month, model);
ALTER TABLE ONLY public.oauth_clients
    ADD CONSTRAINT pk_oauth_clients PRIMARY KEY (id);
ALTER TABLE ONLY public.oauth_grants
    ADD CONSTRAINT pk_oauth_grants PRIMARY KEY (id);
ALTER TABLE ONLY public.oauth_tokens
    ADD CONSTRAINT pk_oauth_tokens PRIMARY KEY (id);
ALTER TABLE ONLY public.owed_lessons
    ADD CONSTRAINT pk_owed_lessons PRIMARY KEY (document_id);
ALTER TABLE ONLY public.parser_fields
    ADD CONSTRAINT pk_parser_fields PRIMARY KEY (key);
ALTER TABLE ONLY public.parsers
    ADD CONSTRAINT pk_parsers PRIMARY KEY (id);
ALTER TABLE ONLY public.password_resets
    ADD CONSTRAINT pk_password_resets PRIMARY KEY (id);
ALTER TABLE ONLY public.pending_texts
    ADD CONSTRAINT pk_pending_texts PRIMARY KEY (number);
ALTER TABLE ONLY public.projections
    ADD CONSTRAINT pk_projections PRIMARY KEY (document_id, parser_id);
ALTER TABLE ONLY public.rate_counts
    ADD CONSTRAINT pk_rate_counts PRIMARY KEY (key_id);
ALTER TABLE ONLY public.review_stages
    ADD CONSTRAINT pk_review_stages PRIMARY KEY (id);
ALTER TABLE ONLY public.saved_queries
    ADD CONSTRAINT pk_saved_queries PRIMARY KEY (id);
ALTER TABLE ONLY public.search_entries
    ADD CONSTRAINT pk_search_entries PRIMARY KEY (number);
ALTER TABLE ONLY public.search_shapes
    ADD CONSTRAINT pk_search_shapes PRIMARY KEY (id);
ALTER TABLE ONLY public.search_texts
    ADD CONSTRAINT pk_search_texts PRIMARY KEY (number);
ALTER TABLE ONLY public.search_values
    ADD CONSTRAINT pk_search_values PRIMARY KEY (key, value, number);
ALTER TABLE ONLY public.source_states
    ADD CONSTRAINT pk_source_states PRIMARY KEY (id);
ALTER TABLE ONLY public.stored_files
    ADD CONSTRAINT pk_stored_files PRIMARY KEY (sha256);
ALTER TABLE ONLY public.teams
    ADD CONSTRAINT pk_teams PRIMARY KEY (id);
ALTER TABLE ONLY public.upload_pages
    ADD CONSTRAINT pk_upload_pages PRIMARY KEY (id);
ALTER TABLE ONLY public.user_identities
    ADD CONSTRAINT pk_user_identities PRIMARY KEY (id);
ALTER TABLE ONLY public.user_sessions
    ADD CONSTRAINT pk_user_sessions PRIMARY KEY (id);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT pk_users PRIMARY KEY (id);
ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT pk_webhook_deliveries PRIMARY KEY (id);
ALTER TABLE ONLY public.webhook_snapshots
    ADD CONSTRAINT pk_webhook_snapshots PRIMARY KEY (id);
ALTER TABLE ONLY public.webhooks
    ADD CONSTRAINT pk_webhooks PRIMARY KEY (id);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT uq_api_keys_sha256 UNIQUE (sha256);
ALTER TABLE ONLY public.classifier_examples
    ADD CONSTRAINT uq_classifier_examples_classifier_id_document_id UNIQUE (classifier_id, document_id);
ALTER TABLE ONLY public.classifier_rules
    ADD CONSTRAINT uq_classifier_rules_classifier_id_label UNIQUE (classifier_id, label);
ALTER TABLE ONLY public.classifiers
    ADD CONSTRAINT uq_classifiers_email_address UNIQUE (email_address);
ALTER TABLE ONLY public.document_stages
    ADD CONSTRAINT uq_document_stages_document_id_stage_id UNIQUE (document_id, stage_id);
ALTER TABLE ONLY public.documents
    ADD CONSTRAINT uq_documents_parser_id_external_id UNIQUE (parser_id, external_id);
ALTER TABLE ONLY public.export_layouts
    ADD CONSTRAINT uq_export_layouts_parser_id_name UNIQUE (parser_id, name);
ALTER TABLE ONLY public.folders
    ADD CONSTRAINT uq_folders_parent_key_slug UNIQUE (parent_key, slug);
ALTER TABLE ONLY public.idempotent_requests
    ADD CONSTRAINT uq_idempotent_requests_key_id_name_sha256 UNIQUE (key_id, name_sha256);
ALTER TABLE ONLY public.intake_entries
    ADD CONSTRAINT uq_intake_entries_team_id_source_item_sha256 UNIQUE (team_id, source, item_sha256);
ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT uq_invitations_team_id_email UNIQUE (team_id, email);
ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT uq_invitations_token_sha256 UNIQUE (token_sha256);
ALTER TABLE ONLY public.lessons
    ADD CONSTRAINT uq_lessons_document_id UNIQUE (document_id);
ALTER TABLE ONLY public.lookup_tables
    ADD CONSTRAINT uq_lookup_tables_parser_id_name UNIQUE (parser_id, name);
ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT uq_memberships_team_id_user_id UNIQUE (team_id, user_id);
ALTER TABLE ONLY public.oauth_clients
    ADD CONSTRAINT uq_oauth_clients_client_id UNIQUE (client_id);
ALTER TABLE ONLY public.oauth_grants
    ADD CONSTRAINT uq_oauth_grants_code_sha256 UNIQUE (code_sha256);
ALTER TABLE ONLY public.oauth_tokens
    ADD CONSTRAINT uq_oauth_tokens_sha256 UNIQUE (sha256);
ALTER TABLE ONLY public.parser_fields
    ADD CONSTRAINT uq_parser_fields_parser_id_id UNIQUE (parser_id, id);
ALTER TABLE ONLY public.parsers
    ADD CONSTRAINT uq_parsers_email_address UNIQUE (email_address);
ALTER TABLE ONLY public.parsers
    ADD CONSTRAINT uq_parsers_slug UNIQUE (slug);
ALTER TABLE ONLY public.password_resets
    ADD CONSTRAINT uq_password_resets_token_sha256 UNIQUE (token_sha256);
ALTER TABLE ONLY public.saved_queries
    ADD CONSTRAINT uq_saved_queries_team_id_name UNIQUE (team_id, name);
ALTER TABLE ONLY public.search_entries
    ADD CONSTRAINT uq_search_entries_document_id UNIQUE (document_id);
ALTER TABLE ONLY public.source_states
    ADD CONSTRAINT uq_source_states_team_id_source UNIQUE (team_id, source);
ALTER TABLE ONLY public.teams
    ADD CONSTRAINT uq_teams_slug UNIQUE (slug);
ALTER TABLE ONLY public.upload_pages
    ADD CONSTRAINT uq_upload_pages_classifier_id UNIQUE (classifier_id);
ALTER TABLE ONLY public.upload_pages
    ADD CONSTRAINT uq_upload_pages_parser_id UNIQUE (parser_id);
ALTER TABLE ONLY public.user_identities
    ADD CONSTRAINT uq_user_identities_issuer_subject UNIQUE (issuer, subject);
ALTER TABLE ONLY public.user_identities
    ADD CONSTRAINT uq_user_identities_user_id_issuer UNIQUE (user_id, issuer);
ALTER TABLE ONLY public.user_sessions
    ADD CONSTRAINT uq_user_sessions_token_sha256 UNIQUE (token_sha256);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT uq_users_email UNIQUE (email);
CREATE INDEX ix_api_keys_team_id ON public.api_keys USING btree (team_id);
CREATE INDEX ix_audit_entries_resource_id_at ON public.audit_entries USING btree (resource_id, at);
CREATE INDEX ix_audit_entries_team_id ON public.audit_entries USING btree (team_id);
CREATE INDEX ix_audit_entries_team_id_at ON public.audit_entries USING btree (team_id, at);
CREATE INDEX ix_classifier_examples_document_id ON public.classifier_examples USING btree (document_id);
CREATE INDEX ix_classifier_examples_rule_id_created_at ON public.classifier_examples USING btree (rule_id, created_at);
CREATE INDEX ix_classifier_examples_team_id ON public.classifier_examples USING btree (team_id);
CREATE INDEX ix_classifier_rules_target_parser_id ON public.classifier_rules USING btree (target_parser_id);
CREATE INDEX ix_classifier_rules_team_id ON public.classifier_rules USING btree (team_id);
CREATE INDEX ix_classifiers_team_id ON public.classifiers USING btree (team_id);
CREATE INDEX ix_document_events_document_id_at ON public.document_events USING btree (document_id, at);
CREATE INDEX ix_document_events_team_id ON public.document_events USING btree (team_id);
CREATE INDEX ix_document_results_team_id ON public.document_results USING btree (team_id);
CREATE INDEX ix_document_stages_assignee_id ON public.document_stages USING btree (assignee_id);
CREATE INDEX ix_document_stages_document_id ON public.document_stages USING btree (document_id);
CREATE INDEX ix_document_stages_stage_id_status ON public.document_stages USING btree (stage_id, status);
CREATE INDEX ix_document_stages_started_at ON public.document_stages USING btree (started_at, id) WHERE ((status)::text = 'in_progress'::text);
CREATE INDEX ix_document_stages_team_id ON public.document_stages USING btree (team_id);
CREATE INDEX ix_documents_assignee_id ON public.documents USING btree (assignee_id);
CREATE INDEX ix_documents_classifier_id_created_at ON public.documents USING btree (classifier_id, created_at, id) WHERE (classifier_id IS NOT NULL);
CREATE INDEX ix_documents_classifier_id_routing_status ON public.documents USING btree (classifier_id, routing_status, parser_id) WHERE (classifier_id IS NOT NULL);
CREATE INDEX ix_documents_folder_id ON public.documents USING btree (folder_id);
CREATE INDEX ix_documents_lease_expires_at ON public.documents USING btree (lease_expires_at) WHERE (lease_expires_at IS NOT NULL);
CREATE INDEX ix_documents_operation_id ON public.documents USING btree (operation_id);
CREATE INDEX ix_documents_parser_id_created_at ON public.documents USING btree (parser_id, created_at, id);
CREATE INDEX ix_documents_parser_id_name_key ON public.documents USING btree (parser_id, name_key, id);
CREATE INDEX ix_documents_parser_id_sha256 ON public.documents USING btree (parser_id, sha256);
CREATE INDEX ix_documents_parser_id_updated_at ON public.documents USING btree (parser_id, updated_at, id);
CREATE INDEX ix_documents_queue ON public.documents USING btree (slow, COALESCE(parser_id, classifier_id), queued_at, id) WHERE ((status)::text = 'queued'::text);
CREATE INDEX ix_documents_sha256 ON public.documents USING btree (sha256);
CREATE INDEX ix_documents_split_sha256 ON public.documents USING btree (split_sha256);
CREATE INDEX ix_documents_team_id_created_at ON public.documents USING btree (team_id, created_at, id, status, parser_id, page_count);
CREATE INDEX ix_export_layouts_team_id ON public.export_layouts USING btree (team_id);
CREATE INDEX ix_exported_documents_document_id ON public.exported_documents USING btree (document_id);
CREATE INDEX ix_exports_expires_at ON public.exports USING btree (expires_at);
CREATE INDEX ix_exports_parser_id ON public.exports USING btree (parser_id);
CREATE INDEX ix_exports_team_id ON public.exports USING btree (team_id);
CREATE INDEX ix_folders_parent_id ON public.folders USING btree (parent_id);
CREATE INDEX ix_folders_parser_id ON public.folders USING btree (parser_id);
CREATE INDEX ix_folders_team_id ON public.folders USING btree (team_id);
CREATE INDEX ix_idempotent_requests_begun_at ON public.idempotent_requests USING btree (begun_at);
CREATE INDEX ix_idempotent_requests_team_id ON public.idempotent_requests USING btree (team_id);
CREATE INDEX ix_intake_entries_latest ON public.intake_entries USING btree (team_id, source, updated_at, id);
CREATE INDEX ix_intake_entries_outcome ON public.intake_entries USING btree (team_id, source, outcome, updated_at, id);
CREATE INDEX ix_intake_entries_team_id ON public.intake_entries USING btree (team_id);
CREATE INDEX ix_invitations_team_id ON public.invitations USING btree (team_id);
CREATE INDEX ix_lessons_parser_id_created_at ON public.lessons USING btree (parser_id, created_at);
CREATE INDEX ix_lessons_team_id ON public.lessons USING btree (team_id);
CREATE INDEX ix_lookup_tables_team_id ON public.lookup_tables USING btree (team_id);
CREATE INDEX ix_memberships_team_id ON public.memberships USING btree (team_id);
CREATE INDEX ix_memberships_user_id ON public.memberships USING btree (user_id);
CREATE INDEX ix_oauth_clients_keep_until ON public.oauth_clients USING btree (keep_until);
CREATE INDEX ix_oauth_grants_client_ref ON public.oauth_grants USING btree (client_ref);
CREATE INDEX ix_oauth_grants_expires_at ON public.oauth_grants USING btree (expires_at);
CREATE INDEX ix_oauth_grants_team_id ON public.oauth_grants USING btree (team_id);
CREATE INDEX ix_oauth_grants_user_id ON public.oauth_grants USING btree (user_id);
CREATE INDEX ix_oauth_tokens_expires_at ON public.oauth_tokens USING btree (expires_at);
CREATE INDEX ix_oauth_tokens_grant_id ON public.oauth_tokens USING btree (grant_id);
CREATE INDEX ix_owed_lessons_parser_id_created_at ON public.owed_lessons USING btree (parser_id, created_at);
CREATE INDEX ix_owed_lessons_team_id ON public.owed_lessons USING btree (team_id);
CREATE INDEX ix_parser_fields_parser_id_table_id ON public.parser_fields USING btree (parser_id, table_id);
CREATE INDEX ix_parser_fields_team_id ON public.parser_fields USING btree (team_id);
CREATE INDEX ix_parsers_team_id ON public.parsers USING btree (team_id);
CREATE INDEX ix_password_resets_user_id ON public.password_resets USING btree (user_id);
CREATE INDEX ix_pending_texts_parser_id ON public.pending_texts USING btree (parser_id);
CREATE INDEX ix_projections_parser_id_at ON public.projections USING btree (parser_id, at);
CREATE INDEX ix_projections_team_id ON public.projections USING btree (team_id);
CREATE INDEX ix_review_stages_parser_id_position ON public.review_stages USING btree (parser_id, "position");
CREATE INDEX ix_review_stages_team_id ON public.review_stages USING btree (team_id);
CREATE INDEX ix_saved_queries_team_id ON public.saved_queries USING btree (team_id);
CREATE INDEX ix_search_entries_parser_id_created_at ON public.search_entries USING btree (parser_id, created_at, number);
CREATE INDEX ix_search_entries_parser_id_folder_id ON public.search_entries USING btree (parser_id, folder_id, created_at, number);
CREATE INDEX ix_search_entries_parser_id_shape_id ON public.search_entries USING btree (parser_id, shape_id, number);
CREATE INDEX ix_search_entries_parser_id_status ON public.search_entries USING btree (parser_id, status, created_at, number);
CREATE INDEX ix_search_shapes_parser_id ON public.search_shapes USING btree (parser_id);
CREATE INDEX ix_search_texts_trigrams ON public.search_texts USING gin (name public.gin_trgm_ops, external_id public.gin_trgm_ops, body public.gin_trgm_ops);
CREATE INDEX ix_stored_files_released_at ON public.stored_files USING btree (released_at);
CREATE INDEX ix_upload_pages_team_id ON public.upload_pages USING btree (team_id);
CREATE INDEX ix_user_sessions_user_id ON public.user_sessions USING btree (user_id);
CREATE INDEX ix_webhook_deliveries_claimed ON public.webhook_deliveries USING btree (claimed_by) WHERE (claimed_by IS NOT NULL);
CREATE INDEX ix_webhook_deliveries_due ON public.webhook_deliveries USING btree (webhook_id, next_attempt_at) WHERE (((status)::text = 'pending'::text) AND (claimed_by IS NULL));
CREATE INDEX ix_webhook_deliveries_open ON public.webhook_deliveries USING btree (webhook_id, status, created_at) WHERE ((status)::text <> 'succeeded'::text);
CREATE INDEX ix_webhook_deliveries_snapshot_id ON public.webhook_deliveries USING btree (snapshot_id);
CREATE INDEX ix_webhook_deliveries_team_id ON public.webhook_deliveries USING btree (team_id);
CREATE INDEX ix_webhook_deliveries_webhook_id_created_at ON public.webhook_deliveries USING btree (webhook_id, created_at, id);
CREATE INDEX ix_webhook_snapshots_created_at ON public.webhook_snapshots USING btree (created_at);
CREATE INDEX ix_webhook_snapshots_document_id ON public.webhook_snapshots USING btree (document_id);
CREATE INDEX ix_webhook_snapshots_team_id ON public.webhook_snapshots USING btree (team_id);
CREATE INDEX ix_webhooks_parser_id ON public.webhooks USING btree (parser_id);
CREATE INDEX ix_webhooks_team_id ON public.webhooks USING btree (team_id);
CREATE UNIQUE INDEX uq_documents_classifier_id_external_id ON public.documents USING btree (classifier_id, external_id) WHERE (parser_id IS NULL);
CREATE TRIGGER documents_deleted AFTER DELETE ON public.documents REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.documents_deleted();
CREATE TRIGGER documents_inserted AFTER INSERT ON public.documents REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.documents_inserted();
CREATE TRIGGER documents_updated AFTER UPDATE ON public.documents REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.documents_updated();
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT fk_api_keys_created_by FOREIGN KEY (created_by) REFERENCES public.users(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT fk_api_keys_team_id FOREIGN KEY (team_id) REFERENCES public.teams(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.audit_entries
    ADD CONSTRAINT fk_audit_entries_team_id FOREIGN KEY (team_id) REFERENCES public.teams(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.classifier_examples
    ADD CONSTRAINT fk_classifier_examples_classifier_id FOREIGN KEY (classifier_id) REFERENCES public.classifiers(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.classifier_examples
    ADD CONSTRAINT fk_classifier_examples_document_id FOREIGN KEY (document_id) REFERENCES public.documents(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.classifier_examples
    ADD CONSTRAINT fk_classifier_examples_rule_id FOREIGN KEY (rule_id) REFERENCES public.classifier_rules(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.classifier_examples
    ADD CONSTRAINT fk_classifier_examples_team_id FOREIGN KEY (team_id) REFERENCES public.teams(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.classifier_rules
    ADD CONSTRAINT fk_classifier_rules_classifier_id FOREIGN KEY (classifier_id) REFERENCES public.classifiers(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.classifier_rules
    ADD CONSTRAINT fk_classifier_rules_target_parser_id FOREIGN KEY (target_parser_id) REFERENCES public.parsers(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.classifier_rules
    ADD CONSTRAINT fk_classifier_rules_team_id FOREIGN KEY (team_id) REFERENCES public.teams(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.classifiers
    ADD CONSTRAINT fk_classifiers_fallback_parser_id FOREIGN KEY (fallback_parser_id) REFERENCES public.parsers(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.classifiers
    ADD CONSTRAINT fk_classifiers_team_id FOREIGN KEY (team_id) REFERENCES public.teams(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.document_events
    ADD CONSTRAINT fk_document_events_document_id FOREIGN KEY (document_id) REFERENCES public.documents(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.document_events
    ADD CONSTRAINT fk_document_events_team_id FOREIGN KEY (team_id) REFERENCES public.teams(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.document_results
    ADD CONSTRAINT fk_document_results_document_id FOREIGN KEY (document_id) REFERENCES public.documents(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.document_results
    ADD CONSTRAINT fk_document_results_markdown_sha256 FOREIGN KEY (markdown_sha256) REFERENCES public.stored_files(sha256);
ALTER TABLE ONLY public.document_results
    ADD CONSTRAINT fk_document_results_team_id FOREIGN KEY (team_id) REFERENCES public.teams(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.document_stages
    ADD CONSTRAINT fk_document_stages_assignee_id FOREIGN KEY (assignee_id) REFERENCES public.users(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.document_stages
    ADD CONSTRAINT fk_document_stages_document_id FOREIGN KEY (document_id) REFERENCES public.documents(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.document_stages
    ADD CONSTRAINT fk_document_stages_stage_id FOREIGN KEY (stage_id) REFERENCES public.review_stages(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.document_stages
    ADD CONSTRAINT fk_document_stages_team_id FOREIGN KEY (team_id) REFERENCES public.teams(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.documents
    ADD CONSTRAINT fk_documents_assignee_id FOREIGN KEY (assignee_id) REFERENCES public.users(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.documents
    ADD CONSTRAINT fk_documents_classifier_id FOREIGN KEY (classifier_id) REFERENCES public.classifiers(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.documents
    ADD CONSTRAINT fk_documents_folder_id FOREIGN KEY (folder_id) REFERENCES public.folders(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.documents
    ADD CONSTRAINT fk_documents_parser_id FOREIGN KEY (parser_id) REFERENCES public.parsers(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.documents
    ADD CONSTRAINT fk_documents_sha256 FOREIGN KEY (sha256) REFERENCES public.stored_files(sha256);
ALTER TABLE ONLY public.documents
    ADD CONSTRAINT fk_documents_team_id FOREIGN KEY (team_id) REFERENCES public.teams(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.export_layouts
    ADD CONSTRAINT fk_export_layouts_parser_id FOREIGN KEY (parser_id) REFERENCES public.parsers(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.export_layouts
    ADD CONSTRAINT fk_export_layouts_team_id FOREIGN KEY (team_id) REFERENCES public.teams(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.exported_documents
    ADD CONSTRAINT fk_exported_documents_document_id FOREIGN KEY (document_id) REFERENCES public.documents(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.exported_documents
    ADD CONSTRAINT fk_exported_documents_parser_id FOREIGN KEY (parser_id) REFERENCES public.parsers(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.exports
    ADD CONSTRAINT fk_exports_parser_id FOREIGN KEY (parser_id) REFERENCES public.parsers(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.exports
    ADD CONSTRAINT fk_exports_sha256 FOREIGN KEY (sha256) REFERENCES public.stored_files(sha256);
ALTER TABLE ONLY public.exports
    ADD CONSTRAINT fk_exports_team_id FOREIGN KEY (team_id) REFERENCES public.teams(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.folders
    ADD CONSTRAINT fk_folders_parent_id FOREIGN KEY (parent_id) REFERENCES public.folders(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.folders
    ADD CONSTRAINT fk_folders_parser_id FOREIGN KEY (parser_id) REFERENCES public.parsers(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.folders
    ADD CONSTRAINT fk_folders_team_id FOREIGN KEY (team_id) REFERENCES public.teams(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.idempotent_requests
    ADD CONSTRAINT fk_idempotent_requests_key_id_api_keys FOREIGN KEY (key_id) REFERENCES public.api_keys(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.idempotent_requests
    ADD CONSTRAINT fk_idempotent_requests_team_id_teams FOREIGN KEY (team_id) REFERENCES public.teams(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.intake_entries
    ADD CONSTRAINT fk_intake_entries_document_id FOREIGN KEY (document_id) REFERENCES public.documents(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.intake_entries
    ADD CONSTRAINT fk_intake_entries_parser_id FOREIGN KEY (parser_id) REFERENCES public.parsers(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.intake_entries
    ADD CONSTRAINT fk_intake_entries_team_id FOREIGN KEY (team_id) REFERENCES public.teams(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT fk_invitations_invited_by FOREIGN KEY (invited_by) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT fk_invitations_team_id FOREIGN KEY (team_id) REFERENCES public.teams(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.lessons
    ADD CONSTRAINT fk_lessons_document_id FOREIGN KEY (document_id) REFERENCES public.documents(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.lessons
    ADD CONSTRAINT fk_lessons_parser_id FOREIGN KEY (parser_id) REFERENCES public.parsers(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.lessons
    ADD CONSTRAINT fk_lessons_team_id FOREIGN KEY (team_id) REFERENCES public.teams(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.lessons
    ADD CONSTRAINT fk_lessons_user_id FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.lookup_tables
    ADD CONSTRAINT fk_lookup_tables_parser_id FOREIGN KEY (parser_id) REFERENCES public.parsers(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.lookup_tables
    ADD CONSTRAINT fk_lookup_tables_sha256 FOREIGN KEY (sha256) REFERENCES public.stored_files(sha256);
ALTER TABLE ONLY public.lookup_tables
    ADD CONSTRAINT fk_lookup_tables_team_id FOREIGN KEY (team_id) REFERENCES public.teams(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT fk_memberships_team_id FOREIGN KEY (team_id) REFERENCES public.teams(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT fk_memberships_user_id FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.model_usage
    ADD CONSTRAINT fk_model_usage_team_id_teams FOREIGN KEY (team_id) REFERENCES public.teams(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.oauth_grants
    ADD CONSTRAINT fk_oauth_grants_client_ref FOREIGN KEY (client_ref) REFERENCES public.oauth_clients(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.oauth_grants
    ADD CONSTRAINT fk_oauth_grants_team_id FOREIGN KEY (team_id) REFERENCES public.teams(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.oauth_grants
    ADD CONSTRAINT fk_oauth_grants_team_id_user_id FOREIGN KEY (team_id, user_id) REFERENCES public.memberships(team_id, user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.oauth_grants
    ADD CONSTRAINT fk_oauth_grants_user_id FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.oauth_tokens
    ADD CONSTRAINT fk_oauth_tokens_grant_id FOREIGN KEY (grant_id) REFERENCES public.oauth_grants(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.owed_lessons
    ADD CONSTRAINT fk_owed_lessons_document_id_documents FOREIGN KEY (document_id) REFERENCES public.documents(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.owed_lessons
    ADD CONSTRAINT fk_owed_lessons_parser_id_parsers FOREIGN KEY (parser_id) REFERENCES public.parsers(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.owed_lessons
    ADD CONSTRAINT fk_owed_lessons_team_id_teams FOREIGN KEY (team_id) REFERENCES public.teams(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.parser_fields
    ADD CONSTRAINT fk_parser_fields_parser_id FOREIGN KEY (parser_id) REFERENCES public.parsers(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.parser_fields
    ADD CONSTRAINT fk_parser_fields_team_id FOREIGN KEY (team_id) REFERENCES public.teams(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.parsers
    ADD CONSTRAINT fk_parsers_team_id FOREIGN KEY (team_id) REFERENCES public.teams(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.password_resets
    ADD CONSTRAINT fk_password_resets_user_id FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.projections
    ADD CONSTRAINT fk_projections_team_id FOREIGN KEY (team_id) REFERENCES public.teams(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.review_stages
    ADD CONSTRAINT fk_review_stages_parser_id FOREIGN KEY (parser_id) REFERENCES public.parsers(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.review_stages
    ADD CONSTRAINT fk_review_stages_reviewer_id FOREIGN KEY (reviewer_id) REFERENCES public.users(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.review_stages
    ADD CONSTRAINT fk_review_stages_team_id FOREIGN KEY (team_id) REFERENCES public.teams(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.saved_queries
    ADD CONSTRAINT fk_saved_queries_team_id FOREIGN KEY (team_id) REFERENCES public.teams(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.source_states
    ADD CONSTRAINT fk_source_states_team_id FOREIGN KEY (team_id) REFERENCES public.teams(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.upload_pages
    ADD CONSTRAINT fk_upload_pages_classifier_id FOREIGN KEY (classifier_id) REFERENCES public.classifiers(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.upload_pages
    ADD CONSTRAINT fk_upload_pages_parser_id FOREIGN KEY (parser_id) REFERENCES public.parsers(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.upload_pages
    ADD CONSTRAINT fk_upload_pages_team_id FOREIGN KEY (team_id) REFERENCES public.teams(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.user_identities
    ADD CONSTRAINT fk_user_identities_user_id FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.user_sessions
    ADD CONSTRAINT fk_user_sessions_team_id FOREIGN KEY (team_id) REFERENCES public.teams(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.user_sessions
    ADD CONSTRAINT fk_user_sessions_user_id FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT fk_webhook_deliveries_snapshot_id FOREIGN KEY (snapshot_id) REFERENCES public.webhook_snapshots(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT fk_webhook_deliveries_team_id FOREIGN KEY (team_id) REFERENCES public.teams(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT fk_webhook_deliveries_webhook_id FOREIGN KEY (webhook_id) REFERENCES public.webhooks(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.webhook_snapshots
    ADD CONSTRAINT fk_webhook_snapshots_team_id FOREIGN KEY (team_id) REFERENCES public.teams(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.webhooks
    ADD CONSTRAINT fk_webhooks_parser_id FOREIGN KEY (parser_id) REFERENCES public.parsers(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.webhooks
    ADD CONSTRAINT fk_webhooks_team_id FOREIGN KEY (team_id) REFERENCES public.teams(id) ON DELETE CASCADE;

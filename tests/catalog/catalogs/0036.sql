CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" ("version_num") VALUES ('0036');
CREATE TABLE document_counts (
	parser_id CHAR(32) NOT NULL, 
	folder_id CHAR(32) NOT NULL, 
	status VARCHAR(64) NOT NULL, 
	shard INTEGER NOT NULL, 
	documents BIGINT NOT NULL, 
	CONSTRAINT pk_document_counts PRIMARY KEY (parser_id, folder_id, status, shard)
);
INSERT INTO "document_counts" ("parser_id", "folder_id", "status", "shard", "documents") VALUES ('01a22c2f60627399856961cb7ddb328b', '00000000000000000000000000000000', 'queued', 0, 1);
INSERT INTO "document_counts" ("parser_id", "folder_id", "status", "shard", "documents") VALUES ('01a22c2f60627399856961cb7ddb328b', '00000000000000000000000000000000', 'processing', 0, 0);
INSERT INTO "document_counts" ("parser_id", "folder_id", "status", "shard", "documents") VALUES ('01a22c2f60627399856961cb7ddb328b', '00000000000000000000000000000000', 'skipped', 0, 1);
INSERT INTO "document_counts" ("parser_id", "folder_id", "status", "shard", "documents") VALUES ('01a22c2f60627399856961cb7ddb328b', '00000000000000000000000000000000', 'processed', 0, 2);
CREATE TABLE home (
	number INTEGER NOT NULL, 
	installation_id CHAR(32) NOT NULL, 
	place VARCHAR NOT NULL, 
	used_at DATETIME, 
	CONSTRAINT pk_home PRIMARY KEY (number)
);
CREATE TABLE oauth_clients (
	id CHAR(32) NOT NULL, 
	client_id VARCHAR NOT NULL, 
	name VARCHAR NOT NULL, 
	redirect_uris JSON NOT NULL, 
	created_at DATETIME NOT NULL, 
	fresh_until DATETIME, 
	keep_until DATETIME NOT NULL, 
	CONSTRAINT pk_oauth_clients PRIMARY KEY (id), 
	CONSTRAINT uq_oauth_clients_client_id UNIQUE (client_id)
);
CREATE TABLE pending_texts (
	number INTEGER NOT NULL, 
	parser_id CHAR(32) NOT NULL, 
	CONSTRAINT pk_pending_texts PRIMARY KEY (number)
);
CREATE TABLE rate_counts (
	key_id CHAR(32) NOT NULL, 
	minute BIGINT NOT NULL, 
	minute_count INTEGER NOT NULL, 
	day BIGINT NOT NULL, 
	day_count INTEGER NOT NULL, 
	CONSTRAINT pk_rate_counts PRIMARY KEY (key_id)
);
CREATE TABLE search_entries (
	number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	document_id CHAR(32) NOT NULL, 
	parser_id CHAR(32), 
	folder_id CHAR(32), 
	status VARCHAR(64) NOT NULL, 
	created_at DATETIME NOT NULL, 
	shape_id BIGINT, 
	CONSTRAINT uq_search_entries_document_id UNIQUE (document_id)
);
INSERT INTO "search_entries" ("number", "document_id", "parser_id", "folder_id", "status", "created_at", "shape_id") VALUES (1, '01a22c2f6bdc7ac7837e731cfe4e6f3f', '01a22c2f60627399856961cb7ddb328b', NULL, 'processed', '2026-11-30 11:20:35.036000', -5338227550904748985);
INSERT INTO "search_entries" ("number", "document_id", "parser_id", "folder_id", "status", "created_at", "shape_id") VALUES (2, '01a22c2f6bdc7aecb3dce0f02754d775', '01a22c2f60627399856961cb7ddb328b', NULL, 'skipped', '2026-11-30 11:20:35.036000', NULL);
INSERT INTO "search_entries" ("number", "document_id", "parser_id", "folder_id", "status", "created_at", "shape_id") VALUES (3, '01a22c2f98ae70a2a20a4a41cadaad59', '01a22c2f60627399856961cb7ddb328b', NULL, 'processed', '2026-11-30 11:20:46.510000', -5338227550904748985);
INSERT INTO "search_entries" ("number", "document_id", "parser_id", "folder_id", "status", "created_at", "shape_id") VALUES (4, '01a22c2fb03d7351983aac898fede4e6', '01a22c2f60627399856961cb7ddb328b', NULL, 'queued', '2026-11-30 11:20:52.541000', NULL);
CREATE TABLE search_shapes (
	id BIGINT NOT NULL, 
	parser_id CHAR(32) NOT NULL, 
	fields JSON NOT NULL, 
	CONSTRAINT pk_search_shapes PRIMARY KEY (id)
);
INSERT INTO "search_shapes" ("id", "parser_id", "fields") VALUES (-5338227550904748985, '01a22c2f60627399856961cb7ddb328b', '[["f_59ie5ain","text"],["f_5dwjsxcf","number"],["f_mdd8ujx4","table"],["f_mdd8ujx4.f_97ntw4f5","text"]]');
CREATE TABLE search_texts (
	number INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	external_id TEXT NOT NULL, 
	body TEXT NOT NULL, 
	CONSTRAINT pk_search_texts PRIMARY KEY (number)
);
INSERT INTO "search_texts" ("number", "name", "external_id", "body") VALUES (1, 'a.txt', '', 'a-9
119');
INSERT INTO "search_texts" ("number", "name", "external_id", "body") VALUES (2, 'mail.eml', '', '');
INSERT INTO "search_texts" ("number", "name", "external_id", "body") VALUES (3, 'c.txt', '', 'a-3
12.5');
INSERT INTO "search_texts" ("number", "name", "external_id", "body") VALUES (4, 'b.txt', '', '');
CREATE TABLE search_values (
	"key" BIGINT NOT NULL, 
	value TEXT NOT NULL, 
	number BIGINT NOT NULL, 
	CONSTRAINT pk_search_values PRIMARY KEY ("key", value, number)
)
 WITHOUT ROWID

;
INSERT INTO "search_values" ("key", "value", "number") VALUES (-3475950345174328286, 'a-3', 3);
INSERT INTO "search_values" ("key", "value", "number") VALUES (-3475950345174328286, 'a-9', 1);
INSERT INTO "search_values" ("key", "value", "number") VALUES (-2765414368001190300, '25001125', 3);
INSERT INTO "search_values" ("key", "value", "number") VALUES (-2765414368001190300, '25002119', 1);
INSERT INTO "search_values" ("key", "value", "number") VALUES (8033597648704931085, 'a.txt', 1);
INSERT INTO "search_values" ("key", "value", "number") VALUES (8033597648704931085, 'b.txt', 4);
INSERT INTO "search_values" ("key", "value", "number") VALUES (8033597648704931085, 'c.txt', 3);
INSERT INTO "search_values" ("key", "value", "number") VALUES (8033597648704931085, 'mail.eml', 2);
CREATE TABLE stored_files (
	sha256 VARCHAR(64) NOT NULL, 
	size BIGINT NOT NULL, 
	refs INTEGER NOT NULL, 
	created_at DATETIME NOT NULL, 
	released_at DATETIME, 
	CONSTRAINT pk_stored_files PRIMARY KEY (sha256)
);
INSERT INTO "stored_files" ("sha256", "size", "refs", "created_at", "released_at") VALUES ('11588d9cc9532180b3b0a90e289c7b8add725dc2af60e737f04a3a1c5bd9413a', 81, 1, '2026-11-30 11:20:35.036000', NULL);
INSERT INTO "stored_files" ("sha256", "size", "refs", "created_at", "released_at") VALUES ('a78189b1d9a5136751cdb1a5f8630d59206732fa7ff8ebabfe56dcc1b7081c78', 662, 1, '2026-11-30 11:20:35.036000', NULL);
INSERT INTO "stored_files" ("sha256", "size", "refs", "created_at", "released_at") VALUES ('bafed842116e94bc6aa3f925d853204025f52bc344640c5ad387056a5ac2d849', 80, 1, '2026-11-30 11:20:46.510000', NULL);
INSERT INTO "stored_files" ("sha256", "size", "refs", "created_at", "released_at") VALUES ('cb2703e47ccac3da974bceeed96bcfcad4d6ed5ac48a98464ac96e08d925e47f', 80, 1, '2026-11-30 11:20:52.541000', NULL);
CREATE TABLE teams (
	id CHAR(32) NOT NULL, 
	name VARCHAR NOT NULL, 
	slug VARCHAR(64) NOT NULL, 
	created_at DATETIME NOT NULL, 
	updated_at DATETIME NOT NULL, weight INTEGER DEFAULT '1' NOT NULL, documents_per_day INTEGER, quota_day DATE, quota_used INTEGER DEFAULT '0' NOT NULL, 
	CONSTRAINT pk_teams PRIMARY KEY (id), 
	CONSTRAINT uq_teams_slug UNIQUE (slug)
);
INSERT INTO "teams" ("id", "name", "slug", "created_at", "updated_at", "weight", "documents_per_day", "quota_day", "quota_used") VALUES ('01a22c2f559e7fbfb1ccaa75eb510a81', 'Default', 'default', '2026-11-30 11:20:29.343000', '2026-11-30 11:20:29.343000', 1, NULL, NULL, 0);
CREATE TABLE users (
	id CHAR(32) NOT NULL, 
	email VARCHAR(320) NOT NULL, 
	name VARCHAR NOT NULL, 
	password_hash VARCHAR, 
	created_at DATETIME NOT NULL, 
	updated_at DATETIME NOT NULL, 
	CONSTRAINT pk_users PRIMARY KEY (id), 
	CONSTRAINT uq_users_email UNIQUE (email)
);
INSERT INTO "users" ("id", "email", "name", "password_hash", "created_at", "updated_at") VALUES ('01a22c2f768171beb347e117c22ab4bd', 'ann@example.org', 'Ann', NULL, '2026-11-30 11:20:37.774000', '2026-11-30 11:20:37.774000');
CREATE TABLE api_keys (
	id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	name VARCHAR NOT NULL, 
	prefix VARCHAR(64) NOT NULL, 
	sha256 VARCHAR(64) NOT NULL, 
	permissions JSON, 
	parser_ids JSON, 
	created_by CHAR(32), 
	created_at DATETIME NOT NULL, 
	expires_at DATETIME, 
	revoked_at DATETIME, 
	last_used_at DATETIME, 
	CONSTRAINT pk_api_keys PRIMARY KEY (id), 
	CONSTRAINT fk_api_keys_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT uq_api_keys_sha256 UNIQUE (sha256), 
	CONSTRAINT fk_api_keys_created_by FOREIGN KEY(created_by) REFERENCES users (id) ON DELETE SET NULL
);
INSERT INTO "api_keys" ("id", "team_id", "name", "prefix", "sha256", "permissions", "parser_ids", "created_by", "created_at", "expires_at", "revoked_at", "last_used_at") VALUES ('01a22c2f7600742ba7319b0b64d45508', '01a22c2f559e7fbfb1ccaa75eb510a81', 'ci', 'qhJQgrD7', '815ddce298cdd1e03fff1307e6e68bde18b5fe359bfe2a568ca6d4013887a11e', NULL, NULL, NULL, '2026-11-30 11:20:37.632000', NULL, NULL, NULL);
CREATE TABLE audit_entries (
	id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	at DATETIME NOT NULL, 
	actor VARCHAR NOT NULL, 
	action VARCHAR(64) NOT NULL, 
	resource_type VARCHAR(64) NOT NULL, 
	resource_id CHAR(32) NOT NULL, 
	details JSON, 
	CONSTRAINT pk_audit_entries PRIMARY KEY (id), 
	CONSTRAINT fk_audit_entries_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE
);
INSERT INTO "audit_entries" ("id", "team_id", "at", "actor", "action", "resource_type", "resource_id", "details") VALUES ('01a22c2f60e077e49fe0c6e207d25a2e', '01a22c2f559e7fbfb1ccaa75eb510a81', '2026-11-30 11:20:32.224000', 'cli', 'parser.created', 'parser', '01a22c2f60627399856961cb7ddb328b', '{"name":"Invoices"}');
INSERT INTO "audit_entries" ("id", "team_id", "at", "actor", "action", "resource_type", "resource_id", "details") VALUES ('01a22c2f71d57f85b84a259b8e9cc697', '01a22c2f559e7fbfb1ccaa75eb510a81', '2026-11-30 11:20:36.565000', 'cli', 'webhook.created', 'webhook', '01a22c2f71be729b9d75fa1da2476b87', '{"parser":"01a22c2f-6062-7399-8569-61cb7ddb328b","before":null,"after":{"url":"https://93.184.215.14/hook","events":["document.processed"],"valueFormat":"typed","name":"","description":"","headers":[],"status":"active"}}');
INSERT INTO "audit_entries" ("id", "team_id", "at", "actor", "action", "resource_type", "resource_id", "details") VALUES ('01a22c2f759e7dbba5bafafd98661caa', '01a22c2f559e7fbfb1ccaa75eb510a81', '2026-11-30 11:20:37.534000', 'cli', 'webhook.secret_rotated', 'webhook', '01a22c2f71be729b9d75fa1da2476b87', '{"previousSecretExpiresAt":"2026-12-01T11:20:37.530Z"}');
INSERT INTO "audit_entries" ("id", "team_id", "at", "actor", "action", "resource_type", "resource_id", "details") VALUES ('01a22c2f760e7105ab71dfb0fce9e443', '01a22c2f559e7fbfb1ccaa75eb510a81', '2026-11-30 11:20:37.646000', 'system', 'key.created', 'key', '01a22c2f7600742ba7319b0b64d45508', '{"name":"ci","prefix":"qhJQgrD7","permissions":null,"parserIds":null,"expiresAt":null,"revokedAt":null}');
INSERT INTO "audit_entries" ("id", "team_id", "at", "actor", "action", "resource_type", "resource_id", "details") VALUES ('01a22c2f769573b091f6005a6359a4d3', '01a22c2f559e7fbfb1ccaa75eb510a81', '2026-11-30 11:20:37.781000', 'system', 'member.added', 'user', '01a22c2f768171beb347e117c22ab4bd', '{"email":"ann@example.org","role":"reviewer"}');
INSERT INTO "audit_entries" ("id", "team_id", "at", "actor", "action", "resource_type", "resource_id", "details") VALUES ('01a22c2f77537f7bb0502d090b7c1f8c', '01a22c2f559e7fbfb1ccaa75eb510a81', '2026-11-30 11:20:37.971000', 'cli', 'classifier.created', 'classifier', '01a22c2f775079918f9cf7acbdff052a', '{"name":"Incoming mail","after":{"name":"Incoming mail","description":"","isActive":true,"routing":{"rules":[{"id":"01a22c2f-7751-798c-a539-1b3aab7809aa","label":"Invoice","targetParserId":"01a22c2f-6062-7399-8569-61cb7ddb328b"}],"fallback":{"action":"skip","targetParserId":null},"instructions":""},"acceptedFileTypes":[],"splitDocuments":null,"emailParsing":null}}');
INSERT INTO "audit_entries" ("id", "team_id", "at", "actor", "action", "resource_type", "resource_id", "details") VALUES ('01a22c2f786b7d3ebd082fc89b2855f6', '01a22c2f559e7fbfb1ccaa75eb510a81', '2026-11-30 11:20:38.251000', 'cli', 'folder.created', 'folder', '01a22c2f786a79e39f52c7be74f8d8fa', '{"name":"2026"}');
INSERT INTO "audit_entries" ("id", "team_id", "at", "actor", "action", "resource_type", "resource_id", "details") VALUES ('01a22c2fc3f77de99f6a671c86098da0', '01a22c2f559e7fbfb1ccaa75eb510a81', '2026-11-30 11:20:57.591000', 'cli', 'document.corrected', 'document', '01a22c2f6bdc7ac7837e731cfe4e6f3f', '{"fields":["Number"],"replaced":false,"changed":["Number"],"before":{"Number":"A-1"},"after":{"Number":"A-9"}}');
CREATE TABLE invitations (
	id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	email VARCHAR(320) NOT NULL, 
	role VARCHAR(64) NOT NULL, 
	token_sha256 VARCHAR(64) NOT NULL, 
	invited_by CHAR(32) NOT NULL, 
	created_at DATETIME NOT NULL, 
	expires_at DATETIME NOT NULL, 
	CONSTRAINT pk_invitations PRIMARY KEY (id), 
	CONSTRAINT ck_invitations_role CHECK (role IN ('owner', 'admin', 'member', 'reviewer')), 
	CONSTRAINT uq_invitations_team_id_email UNIQUE (team_id, email), 
	CONSTRAINT fk_invitations_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT uq_invitations_token_sha256 UNIQUE (token_sha256), 
	CONSTRAINT fk_invitations_invited_by FOREIGN KEY(invited_by) REFERENCES users (id) ON DELETE CASCADE
);
CREATE TABLE memberships (
	id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	user_id CHAR(32) NOT NULL, 
	role VARCHAR(64) NOT NULL, 
	created_at DATETIME NOT NULL, 
	CONSTRAINT pk_memberships PRIMARY KEY (id), 
	CONSTRAINT ck_memberships_role CHECK (role IN ('owner', 'admin', 'member', 'reviewer')), 
	CONSTRAINT uq_memberships_team_id_user_id UNIQUE (team_id, user_id), 
	CONSTRAINT fk_memberships_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT fk_memberships_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);
INSERT INTO "memberships" ("id", "team_id", "user_id", "role", "created_at") VALUES ('01a22c2f76a77496b43c9db94d69071e', '01a22c2f559e7fbfb1ccaa75eb510a81', '01a22c2f768171beb347e117c22ab4bd', 'reviewer', '2026-11-30 11:20:37.799000');
CREATE TABLE model_usage (
	team_id CHAR(32) NOT NULL, 
	month VARCHAR(7) NOT NULL, 
	model VARCHAR(200) NOT NULL, 
	documents INTEGER NOT NULL, 
	requests INTEGER NOT NULL, 
	input_tokens BIGINT NOT NULL, 
	output_tokens BIGINT NOT NULL, 
	cost_micros BIGINT NOT NULL, 
	updated_at DATETIME NOT NULL, 
	CONSTRAINT pk_model_usage PRIMARY KEY (team_id, month, model), 
	CONSTRAINT fk_model_usage_team_id_teams FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE
);
CREATE TABLE parsers (
	id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	slug VARCHAR(64) NOT NULL, 
	former_slug VARCHAR(64), 
	description VARCHAR NOT NULL, 
	type VARCHAR(64) NOT NULL, 
	template_key VARCHAR(64), 
	is_active BOOLEAN NOT NULL, 
	settings JSON NOT NULL, 
	post_processing JSON, 
	email_address VARCHAR(320), 
	workflow_id CHAR(32) NOT NULL, 
	revision INTEGER NOT NULL, 
	created_at DATETIME NOT NULL, 
	updated_at DATETIME NOT NULL, 
	deleted_at DATETIME, 
	name VARCHAR NOT NULL, 
	name_key TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_parsers PRIMARY KEY (id), 
	CONSTRAINT fk_parsers_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT uq_parsers_slug UNIQUE (slug), 
	CONSTRAINT uq_parsers_email_address UNIQUE (email_address)
);
INSERT INTO "parsers" ("id", "team_id", "slug", "former_slug", "description", "type", "template_key", "is_active", "settings", "post_processing", "email_address", "workflow_id", "revision", "created_at", "updated_at", "deleted_at", "name", "name_key") VALUES ('01a22c2f60627399856961cb7ddb328b', '01a22c2f559e7fbfb1ccaa75eb510a81', 'invoices', NULL, '', 'document', NULL, 1, '{}', NULL, NULL, '01a22c2f60627424a7deaea55d00df77', 1, '2026-11-30 11:20:32.100000', '2026-11-30 11:20:32.100000', NULL, 'Invoices', 'invoices');
CREATE TABLE password_resets (
	id CHAR(32) NOT NULL, 
	user_id CHAR(32) NOT NULL, 
	token_sha256 VARCHAR(64) NOT NULL, 
	created_at DATETIME NOT NULL, 
	expires_at DATETIME NOT NULL, 
	CONSTRAINT pk_password_resets PRIMARY KEY (id), 
	CONSTRAINT fk_password_resets_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE, 
	CONSTRAINT uq_password_resets_token_sha256 UNIQUE (token_sha256)
);
CREATE TABLE projections (
	document_id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	parser_id CHAR(32) NOT NULL, 
	revision BIGINT NOT NULL, 
	at DATETIME NOT NULL, 
	CONSTRAINT pk_projections PRIMARY KEY (document_id, parser_id), 
	CONSTRAINT fk_projections_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE
);
INSERT INTO "projections" ("document_id", "team_id", "parser_id", "revision", "at") VALUES ('01a22c2f6bdc7ac7837e731cfe4e6f3f', '01a22c2f559e7fbfb1ccaa75eb510a81', '01a22c2f60627399856961cb7ddb328b', 1, '2026-11-30 11:20:57.593000');
CREATE TABLE saved_queries (
	id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	name VARCHAR NOT NULL, 
	sql TEXT NOT NULL, 
	created_at DATETIME NOT NULL, 
	updated_at DATETIME NOT NULL, 
	CONSTRAINT pk_saved_queries PRIMARY KEY (id), 
	CONSTRAINT uq_saved_queries_team_id_name UNIQUE (team_id, name), 
	CONSTRAINT fk_saved_queries_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE
);
CREATE TABLE source_states (
	id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	source VARCHAR NOT NULL, 
	cursor JSON NOT NULL, 
	looked_at DATETIME, 
	next_look_at DATETIME, 
	failures INTEGER NOT NULL, 
	message VARCHAR NOT NULL, 
	CONSTRAINT pk_source_states PRIMARY KEY (id), 
	CONSTRAINT uq_source_states_team_id_source UNIQUE (team_id, source), 
	CONSTRAINT fk_source_states_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE
);
CREATE TABLE user_identities (
	id CHAR(32) NOT NULL, 
	user_id CHAR(32) NOT NULL, 
	issuer VARCHAR(500) NOT NULL, 
	subject VARCHAR(255) NOT NULL, 
	created_at DATETIME NOT NULL, 
	CONSTRAINT pk_user_identities PRIMARY KEY (id), 
	CONSTRAINT uq_user_identities_issuer_subject UNIQUE (issuer, subject), 
	CONSTRAINT uq_user_identities_user_id_issuer UNIQUE (user_id, issuer), 
	CONSTRAINT fk_user_identities_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE TABLE user_sessions (
	id CHAR(32) NOT NULL, 
	user_id CHAR(32) NOT NULL, 
	team_id CHAR(32), 
	token_sha256 VARCHAR(64) NOT NULL, 
	created_at DATETIME NOT NULL, 
	last_used_at DATETIME NOT NULL, 
	expires_at DATETIME NOT NULL, 
	address VARCHAR(64), 
	user_agent VARCHAR(300), 
	CONSTRAINT pk_user_sessions PRIMARY KEY (id), 
	CONSTRAINT fk_user_sessions_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE, 
	CONSTRAINT fk_user_sessions_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE SET NULL, 
	CONSTRAINT uq_user_sessions_token_sha256 UNIQUE (token_sha256)
);
CREATE TABLE webhook_snapshots (
	id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	document_id CHAR(32) NOT NULL, 
	facts JSON NOT NULL, 
	fields JSON NOT NULL, 
	"values" JSON, 
	created_at DATETIME NOT NULL, 
	CONSTRAINT pk_webhook_snapshots PRIMARY KEY (id), 
	CONSTRAINT fk_webhook_snapshots_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE
);
INSERT INTO "webhook_snapshots" ("id", "team_id", "document_id", "facts", "fields", "values", "created_at") VALUES ('01a22c2f9a83782c9c23b7c113de3ee0', '01a22c2f559e7fbfb1ccaa75eb510a81', '01a22c2f6bdc7ac7837e731cfe4e6f3f', '{"id":"01a22c2f-6bdc-7ac7-837e-731cfe4e6f3f","name":"a.txt","isProcessed":true,"assignee":null,"teamId":"01a22c2f-559e-7fbf-b1cc-aa75eb510a81","teamSlug":"default","parserId":"01a22c2f-6062-7399-8569-61cb7ddb328b","workflowId":"01a22c2f-6062-7424-a7de-aea55d00df77","externalId":null,"custom":null,"status":"processed","source":"upload","folderId":null,"pageCount":1,"createdAt":"2026-11-30T11:20:35.036Z","updatedAt":"2026-11-30T11:20:46.925Z","error":null,"review":{"isRequired":false,"status":"not_required","assignee":null,"currentStage":null,"stages":[]}}', '{"live":[{"id":"f_59ie5ain","name":"Number","type":"text"},{"id":"f_5dwjsxcf","name":"Total","type":"currency"},{"id":"f_mdd8ujx4","name":"Lines","type":"table","columns":[{"id":"f_97ntw4f5","name":"Item","type":"text"}]}],"deleted":[]}', X'789CAB564A8B37B5CC4C354DCCCC53B25272D43554D20109A59467155724A72959191A5A82047253522C4AB32A4C94ACA2636B01A8BC101F', '2026-11-30 11:20:46.947000');
INSERT INTO "webhook_snapshots" ("id", "team_id", "document_id", "facts", "fields", "values", "created_at") VALUES ('01a22c2f9a8378c4ac45cca7a94cbb97', '01a22c2f559e7fbfb1ccaa75eb510a81', '01a22c2f98ae70a2a20a4a41cadaad59', '{"id":"01a22c2f-98ae-70a2-a20a-4a41cadaad59","name":"c.txt","isProcessed":true,"assignee":null,"teamId":"01a22c2f-559e-7fbf-b1cc-aa75eb510a81","teamSlug":"default","parserId":"01a22c2f-6062-7399-8569-61cb7ddb328b","workflowId":"01a22c2f-6062-7424-a7de-aea55d00df77","externalId":null,"custom":null,"status":"processed","source":"upload","folderId":null,"pageCount":1,"createdAt":"2026-11-30T11:20:46.510Z","updatedAt":"2026-11-30T11:20:46.925Z","error":null,"review":{"isRequired":false,"status":"not_required","assignee":null,"currentStage":null,"stages":[]}}', '{"live":[{"id":"f_59ie5ain","name":"Number","type":"text"},{"id":"f_5dwjsxcf","name":"Total","type":"currency"},{"id":"f_mdd8ujx4","name":"Lines","type":"table","columns":[{"id":"f_97ntw4f5","name":"Item","type":"text"}]}],"deleted":[]}', X'789CAB564A8B37B5CC4C354DCCCC53B25272D43556D20109A59467155724A72959191AE99982447253522C4AB32A4C94ACA2636B01B686104C', '2026-11-30 11:20:46.947000');
CREATE TABLE classifiers (
	id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	slug VARCHAR(64) DEFAULT '' NOT NULL, 
	description VARCHAR NOT NULL, 
	is_active BOOLEAN NOT NULL, 
	email_address VARCHAR(320), 
	accepted_file_types JSON NOT NULL, 
	instructions VARCHAR NOT NULL, 
	fallback_action VARCHAR(64) NOT NULL, 
	fallback_parser_id CHAR(32), 
	split_documents JSON, 
	email_parsing JSON, 
	created_at DATETIME NOT NULL, 
	updated_at DATETIME NOT NULL, 
	deleted_at DATETIME, 
	name VARCHAR NOT NULL, 
	name_key TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_classifiers PRIMARY KEY (id), 
	CONSTRAINT ck_classifiers_fallback_action CHECK (fallback_action IN ('skip', 'route')), 
	CONSTRAINT fk_classifiers_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT uq_classifiers_email_address UNIQUE (email_address), 
	CONSTRAINT fk_classifiers_fallback_parser_id FOREIGN KEY(fallback_parser_id) REFERENCES parsers (id) ON DELETE SET NULL
);
INSERT INTO "classifiers" ("id", "team_id", "slug", "description", "is_active", "email_address", "accepted_file_types", "instructions", "fallback_action", "fallback_parser_id", "split_documents", "email_parsing", "created_at", "updated_at", "deleted_at", "name", "name_key") VALUES ('01a22c2f775079918f9cf7acbdff052a', '01a22c2f559e7fbfb1ccaa75eb510a81', 'incoming_mail', '', 1, NULL, '[]', '', 'skip', NULL, NULL, NULL, '2026-11-30 11:20:37.970000', '2026-11-30 11:20:37.970000', NULL, 'Incoming mail', 'incoming mail');
CREATE TABLE export_layouts (
	id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	parser_id CHAR(32) NOT NULL, 
	name VARCHAR NOT NULL, 
	format VARCHAR(64) NOT NULL, 
	scope VARCHAR(64), 
	table_id VARCHAR(64), 
	columns JSON, 
	created_at DATETIME NOT NULL, 
	updated_at DATETIME NOT NULL, 
	CONSTRAINT pk_export_layouts PRIMARY KEY (id), 
	CONSTRAINT uq_export_layouts_parser_id_name UNIQUE (parser_id, name), 
	CONSTRAINT fk_export_layouts_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT fk_export_layouts_parser_id FOREIGN KEY(parser_id) REFERENCES parsers (id) ON DELETE CASCADE
);
CREATE TABLE exports (
	id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	parser_id CHAR(32) NOT NULL, 
	name VARCHAR, 
	format VARCHAR(64) NOT NULL, 
	scope VARCHAR(64), 
	table_name VARCHAR, 
	selection JSON, 
	file_name VARCHAR NOT NULL, 
	content_type VARCHAR NOT NULL, 
	location VARCHAR, 
	part VARCHAR, 
	sha256 VARCHAR(64), 
	document_count INTEGER NOT NULL, 
	row_count INTEGER NOT NULL, 
	actor VARCHAR NOT NULL, 
	created_at DATETIME NOT NULL, 
	expires_at DATETIME, 
	CONSTRAINT pk_exports PRIMARY KEY (id), 
	CONSTRAINT fk_exports_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT fk_exports_parser_id FOREIGN KEY(parser_id) REFERENCES parsers (id) ON DELETE CASCADE, 
	CONSTRAINT fk_exports_sha256 FOREIGN KEY(sha256) REFERENCES stored_files (sha256)
);
CREATE TABLE folders (
	id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	parser_id CHAR(32) NOT NULL, 
	parent_id CHAR(32), 
	parent_key CHAR(32) NOT NULL, 
	name VARCHAR NOT NULL, 
	slug VARCHAR NOT NULL, 
	color VARCHAR(64), 
	has_auto_assign BOOLEAN NOT NULL, 
	auto_assignment JSON, 
	created_at DATETIME NOT NULL, 
	updated_at DATETIME NOT NULL, 
	CONSTRAINT pk_folders PRIMARY KEY (id), 
	CONSTRAINT uq_folders_parent_key_slug UNIQUE (parent_key, slug), 
	CONSTRAINT fk_folders_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT fk_folders_parser_id FOREIGN KEY(parser_id) REFERENCES parsers (id) ON DELETE CASCADE, 
	CONSTRAINT fk_folders_parent_id FOREIGN KEY(parent_id) REFERENCES folders (id) ON DELETE CASCADE
);
INSERT INTO "folders" ("id", "team_id", "parser_id", "parent_id", "parent_key", "name", "slug", "color", "has_auto_assign", "auto_assignment", "created_at", "updated_at") VALUES ('01a22c2f786a79e39f52c7be74f8d8fa', '01a22c2f559e7fbfb1ccaa75eb510a81', '01a22c2f60627399856961cb7ddb328b', NULL, '01a22c2f60627399856961cb7ddb328b', '2026', '2026', NULL, 0, NULL, '2026-11-30 11:20:38.251000', '2026-11-30 11:20:38.251000');
CREATE TABLE idempotent_requests (
	id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	key_id CHAR(32) NOT NULL, 
	name_sha256 VARCHAR(64) NOT NULL, 
	fingerprint VARCHAR(64) NOT NULL, 
	owner VARCHAR NOT NULL, 
	begun_at DATETIME NOT NULL, 
	status INTEGER, 
	headers JSON, 
	body BLOB, 
	CONSTRAINT pk_idempotent_requests PRIMARY KEY (id), 
	CONSTRAINT uq_idempotent_requests_key_id_name_sha256 UNIQUE (key_id, name_sha256), 
	CONSTRAINT fk_idempotent_requests_team_id_teams FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT fk_idempotent_requests_key_id_api_keys FOREIGN KEY(key_id) REFERENCES api_keys (id) ON DELETE CASCADE
);
CREATE TABLE lookup_tables (
	id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	parser_id CHAR(32) NOT NULL, 
	name VARCHAR(64) NOT NULL, 
	sha256 VARCHAR(64) NOT NULL, 
	columns JSON NOT NULL, 
	rows INTEGER NOT NULL, 
	updated_at DATETIME NOT NULL, 
	CONSTRAINT pk_lookup_tables PRIMARY KEY (id), 
	CONSTRAINT uq_lookup_tables_parser_id_name UNIQUE (parser_id, name), 
	CONSTRAINT fk_lookup_tables_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT fk_lookup_tables_parser_id FOREIGN KEY(parser_id) REFERENCES parsers (id) ON DELETE CASCADE, 
	CONSTRAINT fk_lookup_tables_sha256 FOREIGN KEY(sha256) REFERENCES stored_files (sha256)
);
CREATE TABLE oauth_grants (
	id CHAR(32) NOT NULL, 
	client_ref CHAR(32) NOT NULL, 
	user_id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	scopes JSON NOT NULL, 
	resource VARCHAR NOT NULL, 
	code_sha256 VARCHAR(64) NOT NULL, 
	code_challenge VARCHAR NOT NULL, 
	redirect_uri VARCHAR NOT NULL, 
	code_used_at DATETIME, 
	created_at DATETIME NOT NULL, 
	expires_at DATETIME NOT NULL, 
	last_used_at DATETIME, 
	CONSTRAINT pk_oauth_grants PRIMARY KEY (id), 
	CONSTRAINT fk_oauth_grants_team_id_user_id FOREIGN KEY(team_id, user_id) REFERENCES memberships (team_id, user_id) ON DELETE CASCADE, 
	CONSTRAINT fk_oauth_grants_client_ref FOREIGN KEY(client_ref) REFERENCES oauth_clients (id) ON DELETE CASCADE, 
	CONSTRAINT fk_oauth_grants_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE, 
	CONSTRAINT fk_oauth_grants_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT uq_oauth_grants_code_sha256 UNIQUE (code_sha256)
);
CREATE TABLE parser_fields (
	"key" CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	parser_id CHAR(32) NOT NULL, 
	table_id VARCHAR(64), 
	id VARCHAR(64) NOT NULL, 
	name VARCHAR NOT NULL, 
	"column" VARCHAR NOT NULL, 
	type VARCHAR(64) NOT NULL, 
	description VARCHAR, 
	instructions VARCHAR, 
	required BOOLEAN NOT NULL, 
	position INTEGER NOT NULL, 
	options JSON NOT NULL, 
	labels JSON NOT NULL, 
	extract BOOLEAN NOT NULL, 
	created_at DATETIME NOT NULL, 
	deleted_at DATETIME, 
	CONSTRAINT pk_parser_fields PRIMARY KEY ("key"), 
	CONSTRAINT ck_parser_fields_type CHECK (type IN ('text', 'number', 'date', 'boolean', 'currency', 'choice', 'list', 'table')), 
	CONSTRAINT uq_parser_fields_parser_id_id UNIQUE (parser_id, id), 
	CONSTRAINT fk_parser_fields_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT fk_parser_fields_parser_id FOREIGN KEY(parser_id) REFERENCES parsers (id) ON DELETE CASCADE
);
INSERT INTO "parser_fields" ("key", "team_id", "parser_id", "table_id", "id", "name", "column", "type", "description", "instructions", "required", "position", "options", "labels", "extract", "created_at", "deleted_at") VALUES ('01a22c2f60c3730db64adfa58600d0e9', '01a22c2f559e7fbfb1ccaa75eb510a81', '01a22c2f60627399856961cb7ddb328b', NULL, 'f_59ie5ain', 'Number', 'number', 'text', NULL, NULL, 0, 0, '[]', '["Invoice Number"]', 1, '2026-11-30 11:20:32.195000', NULL);
INSERT INTO "parser_fields" ("key", "team_id", "parser_id", "table_id", "id", "name", "column", "type", "description", "instructions", "required", "position", "options", "labels", "extract", "created_at", "deleted_at") VALUES ('01a22c2f60c3740c8bbd94e49246fc1d', '01a22c2f559e7fbfb1ccaa75eb510a81', '01a22c2f60627399856961cb7ddb328b', NULL, 'f_5dwjsxcf', 'Total', 'total', 'currency', NULL, NULL, 0, 1, '[]', '[]', 1, '2026-11-30 11:20:32.195000', NULL);
INSERT INTO "parser_fields" ("key", "team_id", "parser_id", "table_id", "id", "name", "column", "type", "description", "instructions", "required", "position", "options", "labels", "extract", "created_at", "deleted_at") VALUES ('01a22c2f60c3744a886681da8ce13746', '01a22c2f559e7fbfb1ccaa75eb510a81', '01a22c2f60627399856961cb7ddb328b', NULL, 'f_mdd8ujx4', 'Lines', 'lines', 'table', NULL, NULL, 0, 2, '[]', '[]', 1, '2026-11-30 11:20:32.195000', NULL);
INSERT INTO "parser_fields" ("key", "team_id", "parser_id", "table_id", "id", "name", "column", "type", "description", "instructions", "required", "position", "options", "labels", "extract", "created_at", "deleted_at") VALUES ('01a22c2f60de789cb6b18a7d7460a7c5', '01a22c2f559e7fbfb1ccaa75eb510a81', '01a22c2f60627399856961cb7ddb328b', 'f_mdd8ujx4', 'f_97ntw4f5', 'Item', 'item', 'text', NULL, NULL, 0, 0, '[]', '[]', 1, '2026-11-30 11:20:32.222000', NULL);
CREATE TABLE review_stages (
	id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	parser_id CHAR(32) NOT NULL, 
	name VARCHAR NOT NULL, 
	reviewer_instructions VARCHAR(500), 
	position INTEGER NOT NULL, 
	review_type VARCHAR(64) NOT NULL, 
	reviewer_id CHAR(32), 
	rules JSON NOT NULL, 
	created_at DATETIME NOT NULL, 
	updated_at DATETIME NOT NULL, 
	deleted_at DATETIME, 
	CONSTRAINT pk_review_stages PRIMARY KEY (id), 
	CONSTRAINT ck_review_stages_position CHECK (position >= 1), 
	CONSTRAINT ck_review_stages_review_type CHECK (review_type IN ('mandatory', 'conditional')), 
	CONSTRAINT fk_review_stages_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT fk_review_stages_parser_id FOREIGN KEY(parser_id) REFERENCES parsers (id) ON DELETE CASCADE, 
	CONSTRAINT fk_review_stages_reviewer_id FOREIGN KEY(reviewer_id) REFERENCES users (id) ON DELETE SET NULL
);
CREATE TABLE webhooks (
	id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	parser_id CHAR(32) NOT NULL, 
	url VARCHAR NOT NULL, 
	name VARCHAR NOT NULL, 
	description VARCHAR NOT NULL, 
	events JSON NOT NULL, 
	headers JSON NOT NULL, 
	sealed_secret VARCHAR NOT NULL, 
	previous_secrets JSON, 
	value_format VARCHAR(64) NOT NULL, 
	status VARCHAR(64) NOT NULL, 
	failing_since DATETIME, 
	last_delivery_at DATETIME, 
	last_status_code INTEGER, 
	created_at DATETIME NOT NULL, 
	updated_at DATETIME NOT NULL, 
	CONSTRAINT pk_webhooks PRIMARY KEY (id), 
	CONSTRAINT ck_webhooks_status CHECK (status IN ('active', 'paused', 'disabled')), 
	CONSTRAINT ck_webhooks_value_format CHECK (value_format IN ('typed', 'string')), 
	CONSTRAINT fk_webhooks_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT fk_webhooks_parser_id FOREIGN KEY(parser_id) REFERENCES parsers (id) ON DELETE CASCADE
);
INSERT INTO "webhooks" ("id", "team_id", "parser_id", "url", "name", "description", "events", "headers", "sealed_secret", "previous_secrets", "value_format", "status", "failing_since", "last_delivery_at", "last_status_code", "created_at", "updated_at") VALUES ('01a22c2f71be729b9d75fa1da2476b87', '01a22c2f559e7fbfb1ccaa75eb510a81', '01a22c2f60627399856961cb7ddb328b', 'https://93.184.215.14/hook', '', '', '["document.processed"]', '{}', 'v1:usoUqkK+sEvfjJ32BPD5sQyVAyv3uG5ASEaC3T5rtumu/wG3pdkkqHqU4QS3gVedJlE1cOb/8ssyf7ezbR75faKiXFc24bDg2deFGjVf', '[{"sealed":"v1:sbRt391WParJAxs38acHK60Var3TvyMEKO2TL9ZgxNsem1HeOskfbfWlbAbw99yhVJKfYzddyFZOrHQPdPlv0KRYzvaHXjXnLHLe6eB3","expiresAt":"2026-12-01T11:20:37.530Z"}]', 'typed', 'active', NULL, NULL, NULL, '2026-11-30 11:20:36.545000', '2026-11-30 11:20:37.535000');
CREATE TABLE classifier_rules (
	id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	classifier_id CHAR(32) NOT NULL, 
	label VARCHAR NOT NULL, 
	target_parser_id CHAR(32) NOT NULL, 
	position INTEGER NOT NULL, 
	CONSTRAINT pk_classifier_rules PRIMARY KEY (id), 
	CONSTRAINT uq_classifier_rules_classifier_id_label UNIQUE (classifier_id, label), 
	CONSTRAINT fk_classifier_rules_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT fk_classifier_rules_classifier_id FOREIGN KEY(classifier_id) REFERENCES classifiers (id) ON DELETE CASCADE, 
	CONSTRAINT fk_classifier_rules_target_parser_id FOREIGN KEY(target_parser_id) REFERENCES parsers (id) ON DELETE CASCADE
);
INSERT INTO "classifier_rules" ("id", "team_id", "classifier_id", "label", "target_parser_id", "position") VALUES ('01a22c2f7751798ca5391b3aab7809aa', '01a22c2f559e7fbfb1ccaa75eb510a81', '01a22c2f775079918f9cf7acbdff052a', 'Invoice', '01a22c2f60627399856961cb7ddb328b', 0);
CREATE TABLE documents (
	id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	parser_id CHAR(32), 
	classifier_id CHAR(32), 
	folder_id CHAR(32), 
	file_name VARCHAR DEFAULT '' NOT NULL, 
	is_renamed BOOLEAN DEFAULT 0 NOT NULL, 
	external_id VARCHAR, 
	custom JSON, 
	source VARCHAR(64) NOT NULL, 
	source_detail JSON, 
	sha256 VARCHAR(64) NOT NULL, 
	content_type VARCHAR NOT NULL, 
	size BIGINT NOT NULL, 
	page_count INTEGER, 
	pages_read INTEGER, 
	pages_to_read INTEGER, 
	status VARCHAR(64) NOT NULL, 
	error VARCHAR, 
	operation_id CHAR(32) NOT NULL, 
	attempt INTEGER NOT NULL, 
	lost_leases INTEGER NOT NULL, 
	claimed_by VARCHAR, 
	lease_expires_at DATETIME, 
	queued_at DATETIME, 
	slow BOOLEAN DEFAULT 0 NOT NULL, 
	processed_at DATETIME, 
	approved_at DATETIME, 
	confidence DOUBLE, 
	parser_revision INTEGER, 
	assignee_id CHAR(32), 
	split JSON, 
	split_sha256 VARCHAR(64), 
	keep_whole BOOLEAN DEFAULT 0 NOT NULL, 
	classification JSON, 
	routing_status VARCHAR(64), 
	routing JSON, 
	created_at DATETIME NOT NULL, 
	updated_at DATETIME NOT NULL, 
	name VARCHAR NOT NULL, 
	name_key TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_documents PRIMARY KEY (id), 
	CONSTRAINT ck_documents_target CHECK ((parser_id IS NOT NULL) OR (classifier_id IS NOT NULL)), 
	CONSTRAINT ck_documents_routing_status CHECK (routing_status IN ('pending', 'routed', 'skipped', 'failed')), 
	CONSTRAINT ck_documents_source CHECK (source IN ('api', 'upload', 'url', 'email', 'upload_page', 'embed', 'integration', 'mcp', 'folder')), 
	CONSTRAINT ck_documents_status CHECK (status IN ('uploading', 'queued', 'processing', 'processed', 'failed', 'in_review', 'approved', 'rejected', 'skipped')), 
	CONSTRAINT uq_documents_parser_id_external_id UNIQUE (parser_id, external_id), 
	CONSTRAINT fk_documents_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT fk_documents_parser_id FOREIGN KEY(parser_id) REFERENCES parsers (id) ON DELETE CASCADE, 
	CONSTRAINT fk_documents_classifier_id FOREIGN KEY(classifier_id) REFERENCES classifiers (id) ON DELETE SET NULL, 
	CONSTRAINT fk_documents_folder_id FOREIGN KEY(folder_id) REFERENCES folders (id) ON DELETE SET NULL, 
	CONSTRAINT fk_documents_sha256 FOREIGN KEY(sha256) REFERENCES stored_files (sha256), 
	CONSTRAINT fk_documents_assignee_id FOREIGN KEY(assignee_id) REFERENCES users (id) ON DELETE SET NULL
);
INSERT INTO "documents" ("id", "team_id", "parser_id", "classifier_id", "folder_id", "file_name", "is_renamed", "external_id", "custom", "source", "source_detail", "sha256", "content_type", "size", "page_count", "pages_read", "pages_to_read", "status", "error", "operation_id", "attempt", "lost_leases", "claimed_by", "lease_expires_at", "queued_at", "slow", "processed_at", "approved_at", "confidence", "parser_revision", "assignee_id", "split", "split_sha256", "keep_whole", "classification", "routing_status", "routing", "created_at", "updated_at", "name", "name_key") VALUES ('01a22c2f6bdc7ac7837e731cfe4e6f3f', '01a22c2f559e7fbfb1ccaa75eb510a81', '01a22c2f60627399856961cb7ddb328b', NULL, NULL, 'a.txt', 0, NULL, NULL, 'upload', NULL, '11588d9cc9532180b3b0a90e289c7b8add725dc2af60e737f04a3a1c5bd9413a', 'text/plain', 81, 1, NULL, NULL, 'processed', NULL, '01a22c2f6bdc79ca990e7195f4845714', 1, 0, NULL, NULL, '2026-11-30 11:20:35.036000', 0, '2026-11-30 11:20:46.925000', NULL, 0.9864, 1, NULL, NULL, NULL, 0, NULL, NULL, NULL, '2026-11-30 11:20:35.036000', '2026-11-30 11:20:57.591000', 'a.txt', 'a.txt');
INSERT INTO "documents" ("id", "team_id", "parser_id", "classifier_id", "folder_id", "file_name", "is_renamed", "external_id", "custom", "source", "source_detail", "sha256", "content_type", "size", "page_count", "pages_read", "pages_to_read", "status", "error", "operation_id", "attempt", "lost_leases", "claimed_by", "lease_expires_at", "queued_at", "slow", "processed_at", "approved_at", "confidence", "parser_revision", "assignee_id", "split", "split_sha256", "keep_whole", "classification", "routing_status", "routing", "created_at", "updated_at", "name", "name_key") VALUES ('01a22c2f6bdc7aecb3dce0f02754d775', '01a22c2f559e7fbfb1ccaa75eb510a81', '01a22c2f60627399856961cb7ddb328b', NULL, NULL, 'mail.eml', 0, NULL, NULL, 'upload', NULL, 'a78189b1d9a5136751cdb1a5f8630d59206732fa7ff8ebabfe56dcc1b7081c78', 'message/rfc822', 662, NULL, NULL, NULL, 'skipped', NULL, '01a22c2f6bdc7a468251426a266d7ad6', 1, 0, NULL, NULL, '2026-11-30 11:20:35.036000', 0, NULL, NULL, NULL, 1, NULL, NULL, NULL, 0, NULL, NULL, NULL, '2026-11-30 11:20:35.036000', '2026-11-30 11:20:46.630000', 'mail.eml', 'mail.eml');
INSERT INTO "documents" ("id", "team_id", "parser_id", "classifier_id", "folder_id", "file_name", "is_renamed", "external_id", "custom", "source", "source_detail", "sha256", "content_type", "size", "page_count", "pages_read", "pages_to_read", "status", "error", "operation_id", "attempt", "lost_leases", "claimed_by", "lease_expires_at", "queued_at", "slow", "processed_at", "approved_at", "confidence", "parser_revision", "assignee_id", "split", "split_sha256", "keep_whole", "classification", "routing_status", "routing", "created_at", "updated_at", "name", "name_key") VALUES ('01a22c2f98ae70a2a20a4a41cadaad59', '01a22c2f559e7fbfb1ccaa75eb510a81', '01a22c2f60627399856961cb7ddb328b', NULL, NULL, 'c.txt', 0, NULL, NULL, 'upload', '{"mail":"01a22c2f-6bdc-7aec-b3dc-e0f02754d775","part":1,"depth":1}', 'bafed842116e94bc6aa3f925d853204025f52bc344640c5ad387056a5ac2d849', 'text/plain', 80, 1, NULL, NULL, 'processed', NULL, '01a22c2f98ae7140b84fd08e9a38447c', 1, 0, NULL, NULL, '2026-11-30 11:20:46.510000', 0, '2026-11-30 11:20:46.925000', NULL, 0.9581, 1, NULL, NULL, NULL, 0, NULL, NULL, NULL, '2026-11-30 11:20:46.510000', '2026-11-30 11:20:46.925000', 'c.txt', 'c.txt');
INSERT INTO "documents" ("id", "team_id", "parser_id", "classifier_id", "folder_id", "file_name", "is_renamed", "external_id", "custom", "source", "source_detail", "sha256", "content_type", "size", "page_count", "pages_read", "pages_to_read", "status", "error", "operation_id", "attempt", "lost_leases", "claimed_by", "lease_expires_at", "queued_at", "slow", "processed_at", "approved_at", "confidence", "parser_revision", "assignee_id", "split", "split_sha256", "keep_whole", "classification", "routing_status", "routing", "created_at", "updated_at", "name", "name_key") VALUES ('01a22c2fb03d7351983aac898fede4e6', '01a22c2f559e7fbfb1ccaa75eb510a81', '01a22c2f60627399856961cb7ddb328b', NULL, NULL, 'b.txt', 0, NULL, NULL, 'upload', NULL, 'cb2703e47ccac3da974bceeed96bcfcad4d6ed5ac48a98464ac96e08d925e47f', 'text/plain', 80, NULL, NULL, NULL, 'queued', NULL, '01a22c2fb03d725aa688b099e65a0e35', 0, 0, NULL, NULL, '2026-11-30 11:20:52.541000', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, '2026-11-30 11:20:52.541000', '2026-11-30 11:20:52.541000', 'b.txt', 'b.txt');
CREATE TABLE oauth_tokens (
	id CHAR(32) NOT NULL, 
	grant_id CHAR(32) NOT NULL, 
	kind VARCHAR(64) NOT NULL, 
	sha256 VARCHAR(64) NOT NULL, 
	scopes JSON NOT NULL, 
	created_at DATETIME NOT NULL, 
	expires_at DATETIME NOT NULL, 
	used_at DATETIME, 
	CONSTRAINT pk_oauth_tokens PRIMARY KEY (id), 
	CONSTRAINT ck_oauth_tokens_kind CHECK (kind IN ('access', 'refresh')), 
	CONSTRAINT fk_oauth_tokens_grant_id FOREIGN KEY(grant_id) REFERENCES oauth_grants (id) ON DELETE CASCADE, 
	CONSTRAINT uq_oauth_tokens_sha256 UNIQUE (sha256)
);
CREATE TABLE upload_pages (
	id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	parser_id CHAR(32), 
	classifier_id CHAR(32), 
	is_active BOOLEAN NOT NULL, 
	title VARCHAR NOT NULL, 
	message VARCHAR NOT NULL, 
	embed_origins JSON NOT NULL, 
	files_per_hour INTEGER NOT NULL, 
	version INTEGER NOT NULL, 
	created_at DATETIME NOT NULL, 
	updated_at DATETIME NOT NULL, 
	CONSTRAINT pk_upload_pages PRIMARY KEY (id), 
	CONSTRAINT ck_upload_pages_owner CHECK ((parser_id IS NULL) <> (classifier_id IS NULL)), 
	CONSTRAINT fk_upload_pages_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT uq_upload_pages_parser_id UNIQUE (parser_id), 
	CONSTRAINT fk_upload_pages_parser_id FOREIGN KEY(parser_id) REFERENCES parsers (id) ON DELETE CASCADE, 
	CONSTRAINT uq_upload_pages_classifier_id UNIQUE (classifier_id), 
	CONSTRAINT fk_upload_pages_classifier_id FOREIGN KEY(classifier_id) REFERENCES classifiers (id) ON DELETE CASCADE
);
CREATE TABLE webhook_deliveries (
	id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	webhook_id CHAR(32) NOT NULL, 
	snapshot_id CHAR(32) NOT NULL, 
	document_id CHAR(32) NOT NULL, 
	event VARCHAR(64) NOT NULL, 
	status VARCHAR(64) NOT NULL, 
	attempts JSON NOT NULL, 
	next_attempt_at DATETIME, 
	claimed_by VARCHAR, 
	lease_expires_at DATETIME, 
	created_at DATETIME NOT NULL, 
	CONSTRAINT pk_webhook_deliveries PRIMARY KEY (id), 
	CONSTRAINT ck_webhook_deliveries_status CHECK (status IN ('pending', 'succeeded', 'failed', 'cancelled')), 
	CONSTRAINT fk_webhook_deliveries_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT fk_webhook_deliveries_webhook_id FOREIGN KEY(webhook_id) REFERENCES webhooks (id) ON DELETE CASCADE, 
	CONSTRAINT fk_webhook_deliveries_snapshot_id FOREIGN KEY(snapshot_id) REFERENCES webhook_snapshots (id) ON DELETE CASCADE
);
INSERT INTO "webhook_deliveries" ("id", "team_id", "webhook_id", "snapshot_id", "document_id", "event", "status", "attempts", "next_attempt_at", "claimed_by", "lease_expires_at", "created_at") VALUES ('01a22c2f9a9a715ea96d85b7d7ff998e', '01a22c2f559e7fbfb1ccaa75eb510a81', '01a22c2f71be729b9d75fa1da2476b87', '01a22c2f9a83782c9c23b7c113de3ee0', '01a22c2f6bdc7ac7837e731cfe4e6f3f', 'document.processed', 'pending', '[]', '2026-11-30 11:20:46.947000', NULL, NULL, '2026-11-30 11:20:46.947000');
INSERT INTO "webhook_deliveries" ("id", "team_id", "webhook_id", "snapshot_id", "document_id", "event", "status", "attempts", "next_attempt_at", "claimed_by", "lease_expires_at", "created_at") VALUES ('01a22c2f9a9a7b208d62626a9d8b1075', '01a22c2f559e7fbfb1ccaa75eb510a81', '01a22c2f71be729b9d75fa1da2476b87', '01a22c2f9a8378c4ac45cca7a94cbb97', '01a22c2f98ae70a2a20a4a41cadaad59', 'document.processed', 'pending', '[]', '2026-11-30 11:20:46.947000', NULL, NULL, '2026-11-30 11:20:46.947000');
CREATE TABLE classifier_examples (
	id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	classifier_id CHAR(32) NOT NULL, 
	rule_id CHAR(32) NOT NULL, 
	document_id CHAR(32) NOT NULL, 
	text TEXT, 
	created_at DATETIME NOT NULL, 
	CONSTRAINT pk_classifier_examples PRIMARY KEY (id), 
	CONSTRAINT uq_classifier_examples_classifier_id_document_id UNIQUE (classifier_id, document_id), 
	CONSTRAINT fk_classifier_examples_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT fk_classifier_examples_classifier_id FOREIGN KEY(classifier_id) REFERENCES classifiers (id) ON DELETE CASCADE, 
	CONSTRAINT fk_classifier_examples_rule_id FOREIGN KEY(rule_id) REFERENCES classifier_rules (id) ON DELETE CASCADE, 
	CONSTRAINT fk_classifier_examples_document_id FOREIGN KEY(document_id) REFERENCES documents (id) ON DELETE CASCADE
);
CREATE TABLE document_events (
	id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	document_id CHAR(32) NOT NULL, 
	at DATETIME NOT NULL, 
	event VARCHAR(64) NOT NULL, 
	from_status VARCHAR(64), 
	to_status VARCHAR(64) NOT NULL, 
	reason VARCHAR, 
	actor VARCHAR NOT NULL, 
	attempt INTEGER NOT NULL, 
	CONSTRAINT pk_document_events PRIMARY KEY (id), 
	CONSTRAINT fk_document_events_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT fk_document_events_document_id FOREIGN KEY(document_id) REFERENCES documents (id) ON DELETE CASCADE
);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt") VALUES ('01a22c2f6be87357a87437a4b298f389', '01a22c2f559e7fbfb1ccaa75eb510a81', '01a22c2f6bdc7ac7837e731cfe4e6f3f', '2026-11-30 11:20:35.048000', 'stored', NULL, 'queued', NULL, 'cli', 0);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt") VALUES ('01a22c2f6be873c0b9e98e6922a7c4b8', '01a22c2f559e7fbfb1ccaa75eb510a81', '01a22c2f6bdc7aecb3dce0f02754d775', '2026-11-30 11:20:35.048000', 'stored', NULL, 'queued', NULL, 'cli', 0);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt") VALUES ('01a22c2f828575d2931536c0dabe0348', '01a22c2f559e7fbfb1ccaa75eb510a81', '01a22c2f6bdc7ac7837e731cfe4e6f3f', '2026-11-30 11:20:40.837000', 'claimed', 'queued', 'processing', NULL, 'host/pid:[4026531836]/4131/1796037621.07/41f371ad', 1);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt") VALUES ('01a22c2f8285761686561ac4b20f1cc9', '01a22c2f559e7fbfb1ccaa75eb510a81', '01a22c2f6bdc7aecb3dce0f02754d775', '2026-11-30 11:20:40.837000', 'claimed', 'queued', 'processing', NULL, 'host/pid:[4026531836]/4131/1796037621.07/41f371ad', 1);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt") VALUES ('01a22c2f98b07bd496f6d3814771af0c', '01a22c2f559e7fbfb1ccaa75eb510a81', '01a22c2f98ae70a2a20a4a41cadaad59', '2026-11-30 11:20:46.512000', 'stored', NULL, 'queued', NULL, 'host/pid:[4026531836]/4131/1796037621.07/41f371ad', 0);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt") VALUES ('01a22c2f99277d4f85455bd3385aabd2', '01a22c2f559e7fbfb1ccaa75eb510a81', '01a22c2f6bdc7aecb3dce0f02754d775', '2026-11-30 11:20:46.631000', 'parted', 'processing', 'skipped', 'Its body holds no values of the parser''s fields; its attachment is a document of its own', 'host/pid:[4026531836]/4131/1796037621.07/41f371ad', 1);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt") VALUES ('01a22c2f997877e98d6e2bf0803b2784', '01a22c2f559e7fbfb1ccaa75eb510a81', '01a22c2f98ae70a2a20a4a41cadaad59', '2026-11-30 11:20:46.712000', 'claimed', 'queued', 'processing', NULL, 'host/pid:[4026531836]/4131/1796037621.07/41f371ad', 1);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt") VALUES ('01a22c2f9a5571f2995f1bf7b5074a2f', '01a22c2f559e7fbfb1ccaa75eb510a81', '01a22c2f98ae70a2a20a4a41cadaad59', '2026-11-30 11:20:46.933000', 'extracted', 'processing', 'processed', NULL, 'host/pid:[4026531836]/4131/1796037621.07/41f371ad', 1);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt") VALUES ('01a22c2f9a55726689537c202bb346be', '01a22c2f559e7fbfb1ccaa75eb510a81', '01a22c2f6bdc7ac7837e731cfe4e6f3f', '2026-11-30 11:20:46.933000', 'extracted', 'processing', 'processed', NULL, 'host/pid:[4026531836]/4131/1796037621.07/41f371ad', 1);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt") VALUES ('01a22c2fb04c7e8abd21a7ee205a2a61', '01a22c2f559e7fbfb1ccaa75eb510a81', '01a22c2fb03d7351983aac898fede4e6', '2026-11-30 11:20:52.556000', 'stored', NULL, 'queued', NULL, 'cli', 0);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt") VALUES ('01a22c2fc3f878da88eee832f6ce5ba3', '01a22c2f559e7fbfb1ccaa75eb510a81', '01a22c2f6bdc7ac7837e731cfe4e6f3f', '2026-11-30 11:20:57.592000', 'corrected', 'processed', 'processed', NULL, 'cli', 1);
CREATE TABLE document_results (
	document_id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	attempt INTEGER NOT NULL, 
	mode VARCHAR(64) NOT NULL, 
	"values" JSON NOT NULL, 
	read_values JSON, 
	evidence JSON NOT NULL, 
	extras JSON, 
	warnings JSON NOT NULL, 
	pages JSON NOT NULL, 
	markdown_sha256 VARCHAR(64), 
	edited BOOLEAN NOT NULL, 
	seconds DOUBLE NOT NULL, 
	created_at DATETIME NOT NULL, 
	updated_at DATETIME NOT NULL, 
	CONSTRAINT pk_document_results PRIMARY KEY (document_id), 
	CONSTRAINT fk_document_results_document_id FOREIGN KEY(document_id) REFERENCES documents (id) ON DELETE CASCADE, 
	CONSTRAINT fk_document_results_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT fk_document_results_markdown_sha256 FOREIGN KEY(markdown_sha256) REFERENCES stored_files (sha256)
);
INSERT INTO "document_results" ("document_id", "team_id", "attempt", "mode", "values", "read_values", "evidence", "extras", "warnings", "pages", "markdown_sha256", "edited", "seconds", "created_at", "updated_at") VALUES ('01a22c2f98ae70a2a20a4a41cadaad59', '01a22c2f559e7fbfb1ccaa75eb510a81', 1, 'balanced', X'789CAB564A8B37B5CC4C354DCCCC53B25272D43556D20109A59467155724A72959191AE99982447253522C4AB32A4C94ACA2636B01B686104C', NULL, X'789CA58F4D6AC3301046AF5266AD04C9B6EC46BB147A81D0AE42288A358A15841462053B18DF3D528D7129A550BA9BF7CD0FF306D01F7C63904BE3400C507BA78D42572308BADE147941E0224F911801EB6B198C772D88FDB0C4C7A3EFD3AE451DD2564620F84BAA28E38C13E88C0ACD27E755C406CDA909533F2F8B318E631F19B6AB1CC60381ABECDE968440EB6FD7F4D03447009509A84068695B9CF1E50EC2DDAC9D791B268EE7A3A2EACE6D5FEB1F14ABACFABB227D4E22B365494BF6C592B1EC374B96AD397D7A7DDF7D735DF2FF1A8F0F287B8E70', '[]', '[]', '[{"number":1,"width":595.0,"height":842.0,"source":"text","turn":0.0}]', NULL, 0, 6.1837049979658331722e-03, '2026-11-30 11:20:46.858000', '2026-11-30 11:20:46.858000');
INSERT INTO "document_results" ("document_id", "team_id", "attempt", "mode", "values", "read_values", "evidence", "extras", "warnings", "pages", "markdown_sha256", "edited", "seconds", "created_at", "updated_at") VALUES ('01a22c2f6bdc7ac7837e731cfe4e6f3f', '01a22c2f559e7fbfb1ccaa75eb510a81', 1, 'balanced', X'789CAB564A8B37B5CC4C354DCCCC53B25272D4B554D20109A59467155724A72959191A5A82047253522C4AB32A4C94ACA2636B01A9DC1027', X'789CAB564A8B37B5CC4C354DCCCC53B25272D43554D20109A59467155724A72959191A5A82047253522C4AB32A4C94ACA2636B01A8BC101F', X'789C5590D16E832018855F65F9AFA901AA38B95B93BEC0D2DD6C5916AA5059083482D1C5F8EE03BB4E7B7938E7C0E19B407D15959685D016F804577191C06D6F0C02E36A11B4B31EF8C727824E0C273986BB5B3BAB74236D1DF324C308BCEBBB24A0F7B20304B2D14136C043D7CBBB3AFC44BF36FADF7E89F701C594ED08D9EDF189104E312FF28CE6EC1D6694E635C3B71F6B95E66D1FC55955D212FD4D268F7BA7F5F87C7663EA1AA9426AE1E7B24010DC75110CB398197413DAA4098D5E2BF5A5BD65C99EE57145583E0E845419C64FC7B75798B744B6C606C4D25A412861FC03891BC81544D2F3FC0B1B857AF2', '[]', '[]', '[{"number":1,"width":595.0,"height":842.0,"source":"text","turn":0.0}]', NULL, 1, 1.31445729400002164766e+00, '2026-11-30 11:20:46.859000', '2026-11-30 11:20:57.475000');
CREATE TABLE document_stages (
	id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	document_id CHAR(32) NOT NULL, 
	stage_id CHAR(32) NOT NULL, 
	position INTEGER NOT NULL, 
	status VARCHAR(64) NOT NULL, 
	assignee_id CHAR(32), 
	comment VARCHAR(1000), 
	started_at DATETIME, 
	approved_at DATETIME, 
	rejected_at DATETIME, 
	CONSTRAINT pk_document_stages PRIMARY KEY (id), 
	CONSTRAINT ck_document_stages_status CHECK (status IN ('pending', 'in_progress', 'approved', 'rejected', 'skipped')), 
	CONSTRAINT uq_document_stages_document_id_stage_id UNIQUE (document_id, stage_id), 
	CONSTRAINT fk_document_stages_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT fk_document_stages_document_id FOREIGN KEY(document_id) REFERENCES documents (id) ON DELETE CASCADE, 
	CONSTRAINT fk_document_stages_stage_id FOREIGN KEY(stage_id) REFERENCES review_stages (id) ON DELETE CASCADE, 
	CONSTRAINT fk_document_stages_assignee_id FOREIGN KEY(assignee_id) REFERENCES users (id) ON DELETE SET NULL
);
CREATE TABLE exported_documents (
	parser_id CHAR(32) NOT NULL, 
	name VARCHAR NOT NULL, 
	document_id CHAR(32) NOT NULL, 
	CONSTRAINT pk_exported_documents PRIMARY KEY (parser_id, name, document_id), 
	CONSTRAINT fk_exported_documents_parser_id FOREIGN KEY(parser_id) REFERENCES parsers (id) ON DELETE CASCADE, 
	CONSTRAINT fk_exported_documents_document_id FOREIGN KEY(document_id) REFERENCES documents (id) ON DELETE CASCADE
);
CREATE TABLE intake_entries (
	id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	source VARCHAR NOT NULL, 
	item VARCHAR NOT NULL, 
	item_sha256 VARCHAR(64) NOT NULL, 
	fingerprint VARCHAR NOT NULL, 
	sha256 VARCHAR(64), 
	size BIGINT, 
	parser_id CHAR(32), 
	classifier_id CHAR(32), 
	document_id CHAR(32), 
	outcome VARCHAR(64) NOT NULL, 
	message VARCHAR NOT NULL, 
	finished_at DATETIME, 
	created_at DATETIME NOT NULL, 
	updated_at DATETIME NOT NULL, 
	CONSTRAINT pk_intake_entries PRIMARY KEY (id), 
	CONSTRAINT ck_intake_entries_outcome CHECK (outcome IN ('registered', 'duplicate', 'waiting', 'refused', 'unreadable', 'vanished')), 
	CONSTRAINT uq_intake_entries_team_id_source_item_sha256 UNIQUE (team_id, source, item_sha256), 
	CONSTRAINT fk_intake_entries_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT fk_intake_entries_parser_id FOREIGN KEY(parser_id) REFERENCES parsers (id) ON DELETE SET NULL, 
	CONSTRAINT fk_intake_entries_document_id FOREIGN KEY(document_id) REFERENCES documents (id) ON DELETE SET NULL
);
INSERT INTO "intake_entries" ("id", "team_id", "source", "item", "item_sha256", "fingerprint", "sha256", "size", "parser_id", "classifier_id", "document_id", "outcome", "message", "finished_at", "created_at", "updated_at") VALUES ('01a22c2f98fc7652af26286fd90ebbba', '01a22c2f559e7fbfb1ccaa75eb510a81', 'mail attachments', '01a22c2f-6bdc-7aec-b3dc-e0f02754d775/bafed842116e94bc6aa3f925d853204025f52bc344640c5ad387056a5ac2d849/1', '32a23e037d59415aa319bcf57f216276581364ddec2b750a6f62e21691bfe2e2', 'bafed842116e94bc6aa3f925d853204025f52bc344640c5ad387056a5ac2d849', 'bafed842116e94bc6aa3f925d853204025f52bc344640c5ad387056a5ac2d849', 80, '01a22c2f60627399856961cb7ddb328b', NULL, '01a22c2f98ae70a2a20a4a41cadaad59', 'registered', '', '2026-11-30 11:20:46.588000', '2026-11-30 11:20:46.588000', '2026-11-30 11:20:46.588000');
CREATE TABLE lessons (
	id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	parser_id CHAR(32) NOT NULL, 
	document_id CHAR(32), 
	lesson JSON NOT NULL, 
	user_id CHAR(32), 
	created_at DATETIME NOT NULL, 
	CONSTRAINT pk_lessons PRIMARY KEY (id), 
	CONSTRAINT fk_lessons_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT fk_lessons_parser_id FOREIGN KEY(parser_id) REFERENCES parsers (id) ON DELETE CASCADE, 
	CONSTRAINT uq_lessons_document_id UNIQUE (document_id), 
	CONSTRAINT fk_lessons_document_id FOREIGN KEY(document_id) REFERENCES documents (id) ON DELETE SET NULL, 
	CONSTRAINT fk_lessons_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE SET NULL
);
INSERT INTO "lessons" ("id", "team_id", "parser_id", "document_id", "lesson", "user_id", "created_at") VALUES ('01a22c2fc8887ccbb279ac8ad1526062', '01a22c2f559e7fbfb1ccaa75eb510a81', '01a22c2f60627399856961cb7ddb328b', '01a22c2f6bdc7ac7837e731cfe4e6f3f', '{"words":["acme","date","eur","invoice","ltd","number","total"],"marks":["acme@0","date@2","eur@4","invoice@0","ltd@2","number@2","total@0"],"places":{"f_5dwjsxcf":{"page":1,"left":0.0875,"top":0.06060606060606061,"right":0.1625,"before":"total","after":"eur","beside":"","above":"acmeltd","lines":1,"whole":false,"joint":" ","shape":"9.9","corrected":false,"label":"Total:","foreign":false}},"values":{},"unprinted":{},"mistakes":{"f_59ie5ain":{"text":"a1","cleared":false,"place":{"page":1,"left":0.2,"top":0.015151515151515152,"right":0.2375,"before":"invoicenumber","after":"","beside":"","above":"","lines":1,"whole":false,"joint":" ","shape":"A-9","corrected":true,"label":"Invoice Number:","foreign":false}}},"headers":{},"document_id":null,"edits":{"f_59ie5ain":{"by":"cli","at":"2026-11-30T11:20:54.246Z"}},"removed":{},"learned_at":"2026-11-30T11:20:58.760Z"}', NULL, '2026-11-30 11:20:58.760000');
CREATE TABLE owed_lessons (
	document_id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	parser_id CHAR(32) NOT NULL, 
	revision INTEGER NOT NULL, 
	lease_expires_at DATETIME, 
	created_at DATETIME NOT NULL, 
	CONSTRAINT pk_owed_lessons PRIMARY KEY (document_id), 
	CONSTRAINT fk_owed_lessons_document_id_documents FOREIGN KEY(document_id) REFERENCES documents (id) ON DELETE CASCADE, 
	CONSTRAINT fk_owed_lessons_team_id_teams FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT fk_owed_lessons_parser_id_parsers FOREIGN KEY(parser_id) REFERENCES parsers (id) ON DELETE CASCADE
);
CREATE TABLE reading_homes (
	place VARCHAR NOT NULL, 
	version VARCHAR(64) NOT NULL, 
	workers INTEGER NOT NULL, 
	owner VARCHAR, 
	run_id VARCHAR, 
	renewed_at DATETIME NOT NULL, 
	CONSTRAINT pk_reading_homes PRIMARY KEY (place)
);
CREATE VIRTUAL TABLE search_index USING fts5(
    body, name, external_id, content='search_texts', content_rowid='number',
    tokenize='trigram case_sensitive 1', columnsize=0);
CREATE TABLE reading_durations (
	target_id CHAR(32) NOT NULL, 
	slow BOOLEAN NOT NULL, 
	seconds DOUBLE NOT NULL, 
	CONSTRAINT pk_reading_durations PRIMARY KEY (target_id, slow)
);
INSERT INTO "reading_durations" ("target_id", "slow", "seconds") VALUES ('01a22c2f60627399856961cb7ddb328b', 0, 6.79415407999234277625e-01);
INSERT INTO search_index (search_index) VALUES ('rebuild');
CREATE INDEX ix_oauth_clients_keep_until ON oauth_clients (keep_until);
CREATE INDEX ix_pending_texts_parser_id ON pending_texts (parser_id);
CREATE INDEX ix_search_entries_parser_id_status ON search_entries (parser_id, status, created_at, number);
CREATE INDEX ix_search_entries_parser_id_created_at ON search_entries (parser_id, created_at, number);
CREATE INDEX ix_search_entries_parser_id_shape_id ON search_entries (parser_id, shape_id, number);
CREATE INDEX ix_search_entries_parser_id_folder_id ON search_entries (parser_id, folder_id, created_at, number);
CREATE INDEX ix_search_shapes_parser_id ON search_shapes (parser_id);
CREATE INDEX ix_api_keys_team_id ON api_keys (team_id);
CREATE INDEX ix_audit_entries_team_id ON audit_entries (team_id);
CREATE INDEX ix_audit_entries_team_id_at ON audit_entries (team_id, at);
CREATE INDEX ix_audit_entries_resource_id_at ON audit_entries (resource_id, at);
CREATE INDEX ix_invitations_team_id ON invitations (team_id);
CREATE INDEX ix_memberships_team_id ON memberships (team_id);
CREATE INDEX ix_memberships_user_id ON memberships (user_id);
CREATE INDEX ix_parsers_team_id ON parsers (team_id);
CREATE INDEX ix_password_resets_user_id ON password_resets (user_id);
CREATE INDEX ix_projections_team_id ON projections (team_id);
CREATE INDEX ix_projections_parser_id_at ON projections (parser_id, at);
CREATE INDEX ix_saved_queries_team_id ON saved_queries (team_id);
CREATE INDEX ix_user_sessions_user_id ON user_sessions (user_id);
CREATE INDEX ix_webhook_snapshots_created_at ON webhook_snapshots (created_at);
CREATE INDEX ix_webhook_snapshots_team_id ON webhook_snapshots (team_id);
CREATE INDEX ix_webhook_snapshots_document_id ON webhook_snapshots (document_id);
CREATE UNIQUE INDEX ix_classifiers_team_id_slug ON classifiers (team_id, slug) WHERE deleted_at IS NULL;
CREATE INDEX ix_classifiers_team_id ON classifiers (team_id);
CREATE INDEX ix_export_layouts_team_id ON export_layouts (team_id);
CREATE INDEX ix_exports_expires_at ON exports (expires_at);
CREATE INDEX ix_exports_team_id ON exports (team_id);
CREATE INDEX ix_exports_parser_id ON exports (parser_id);
CREATE INDEX ix_folders_team_id ON folders (team_id);
CREATE INDEX ix_folders_parent_id ON folders (parent_id);
CREATE INDEX ix_folders_parser_id ON folders (parser_id);
CREATE INDEX ix_idempotent_requests_team_id ON idempotent_requests (team_id);
CREATE INDEX ix_idempotent_requests_begun_at ON idempotent_requests (begun_at);
CREATE INDEX ix_lookup_tables_team_id ON lookup_tables (team_id);
CREATE INDEX ix_oauth_grants_client_ref ON oauth_grants (client_ref);
CREATE INDEX ix_oauth_grants_team_id ON oauth_grants (team_id);
CREATE INDEX ix_oauth_grants_user_id ON oauth_grants (user_id);
CREATE INDEX ix_oauth_grants_expires_at ON oauth_grants (expires_at);
CREATE INDEX ix_parser_fields_team_id ON parser_fields (team_id);
CREATE INDEX ix_parser_fields_parser_id_table_id ON parser_fields (parser_id, table_id);
CREATE INDEX ix_review_stages_parser_id_position ON review_stages (parser_id, position);
CREATE INDEX ix_review_stages_team_id ON review_stages (team_id);
CREATE INDEX ix_webhooks_team_id ON webhooks (team_id);
CREATE INDEX ix_webhooks_parser_id ON webhooks (parser_id);
CREATE INDEX ix_classifier_rules_team_id ON classifier_rules (team_id);
CREATE INDEX ix_classifier_rules_target_parser_id ON classifier_rules (target_parser_id);
CREATE INDEX ix_documents_classifier_id_created_at ON documents (classifier_id, created_at, id) WHERE classifier_id IS NOT NULL;
CREATE INDEX ix_documents_lease_expires_at ON documents (lease_expires_at) WHERE lease_expires_at IS NOT NULL;
CREATE INDEX ix_documents_team_id_created_at ON documents (team_id, created_at, id, status, parser_id, page_count);
CREATE UNIQUE INDEX uq_documents_classifier_id_external_id ON documents (classifier_id, external_id) WHERE parser_id IS NULL;
CREATE INDEX ix_documents_classifier_id_routing_status ON documents (classifier_id, routing_status, parser_id) WHERE classifier_id IS NOT NULL;
CREATE INDEX ix_documents_parser_id_name_key ON documents (parser_id, name_key, id);
CREATE INDEX ix_documents_parser_id_created_at ON documents (parser_id, created_at, id);
CREATE INDEX ix_documents_parser_id_updated_at ON documents (parser_id, updated_at, id);
CREATE INDEX ix_documents_queue ON documents (slow, coalesce(parser_id, classifier_id), queued_at, id) WHERE status = 'queued';
CREATE INDEX ix_documents_operation_id ON documents (operation_id);
CREATE INDEX ix_oauth_tokens_expires_at ON oauth_tokens (expires_at);
CREATE INDEX ix_oauth_tokens_grant_id ON oauth_tokens (grant_id);
CREATE INDEX ix_upload_pages_team_id ON upload_pages (team_id);
CREATE INDEX ix_webhook_deliveries_team_id ON webhook_deliveries (team_id);
CREATE INDEX ix_webhook_deliveries_open ON webhook_deliveries (webhook_id, status, created_at) WHERE status <> 'succeeded';
CREATE INDEX ix_webhook_deliveries_claimed ON webhook_deliveries (claimed_by) WHERE claimed_by IS NOT NULL;
CREATE INDEX ix_webhook_deliveries_snapshot_id ON webhook_deliveries (snapshot_id);
CREATE INDEX ix_webhook_deliveries_due ON webhook_deliveries (webhook_id, next_attempt_at) WHERE status = 'pending' AND claimed_by IS NULL;
CREATE INDEX ix_webhook_deliveries_webhook_id_created_at ON webhook_deliveries (webhook_id, created_at, id);
CREATE INDEX ix_classifier_examples_team_id ON classifier_examples (team_id);
CREATE INDEX ix_classifier_examples_rule_id_created_at ON classifier_examples (rule_id, created_at);
CREATE INDEX ix_classifier_examples_document_id ON classifier_examples (document_id);
CREATE INDEX ix_document_stages_assignee_id ON document_stages (assignee_id);
CREATE INDEX ix_document_stages_document_id ON document_stages (document_id);
CREATE INDEX ix_document_stages_stage_id_status ON document_stages (stage_id, status);
CREATE INDEX ix_document_stages_team_id ON document_stages (team_id);
CREATE INDEX ix_document_stages_started_at ON document_stages (started_at, id) WHERE status = 'in_progress';
CREATE INDEX ix_exported_documents_document_id ON exported_documents (document_id);
CREATE INDEX ix_intake_entries_outcome ON intake_entries (team_id, source, outcome, updated_at, id);
CREATE INDEX ix_intake_entries_latest ON intake_entries (team_id, source, updated_at, id);
CREATE INDEX ix_lessons_parser_id_created_at ON lessons (parser_id, created_at);
CREATE INDEX ix_lessons_team_id ON lessons (team_id);
CREATE INDEX ix_owed_lessons_team_id ON owed_lessons (team_id);
CREATE INDEX ix_owed_lessons_parser_id_created_at ON owed_lessons (parser_id, created_at);
CREATE TRIGGER search_texts_inserted AFTER INSERT ON search_texts BEGIN
        INSERT INTO search_index (rowid, name, external_id, body)
        VALUES (new.number, new.name, new.external_id, new.body);
    END;
CREATE TRIGGER search_texts_deleted AFTER DELETE ON search_texts BEGIN
        INSERT INTO search_index (search_index, rowid, name, external_id, body)
        VALUES ('delete', old.number, old.name, old.external_id, old.body);
    END;
CREATE TRIGGER search_texts_updated AFTER UPDATE ON search_texts BEGIN
        INSERT INTO search_index (search_index, rowid, name, external_id, body)
        VALUES ('delete', old.number, old.name, old.external_id, old.body);
        INSERT INTO search_index (rowid, name, external_id, body)
        VALUES (new.number, new.name, new.external_id, new.body);
    END;
CREATE TRIGGER documents_inserted AFTER INSERT ON documents BEGIN
        INSERT INTO search_entries (document_id, parser_id, folder_id, status, created_at, shape_id)
        VALUES (new.id, new.parser_id, new.folder_id, new.status, new.created_at, 0);
INSERT INTO document_counts (parser_id, folder_id, status, shard, documents)
SELECT new.parser_id, coalesce(new.folder_id, '00000000000000000000000000000000'), new.status, 0, 1
WHERE new.parser_id IS NOT NULL
ON CONFLICT (parser_id, folder_id, status, shard) DO UPDATE SET documents = documents + excluded.documents;
END;
CREATE TRIGGER documents_updated AFTER UPDATE OF parser_id, folder_id, status, created_at ON documents
    WHEN old.status <> new.status OR old.folder_id IS NOT new.folder_id
        OR old.parser_id IS NOT new.parser_id OR old.created_at <> new.created_at
    BEGIN
        UPDATE search_entries SET parser_id = new.parser_id, folder_id = new.folder_id, status = new.status,
            created_at = new.created_at,
            shape_id = CASE WHEN old.parser_id IS new.parser_id THEN shape_id ELSE 0 END
        WHERE document_id = new.id;
INSERT INTO document_counts (parser_id, folder_id, status, shard, documents)
SELECT old.parser_id, coalesce(old.folder_id, '00000000000000000000000000000000'), old.status, 0, -1
WHERE old.parser_id IS NOT NULL
ON CONFLICT (parser_id, folder_id, status, shard) DO UPDATE SET documents = documents + excluded.documents;

INSERT INTO document_counts (parser_id, folder_id, status, shard, documents)
SELECT new.parser_id, coalesce(new.folder_id, '00000000000000000000000000000000'), new.status, 0, 1
WHERE new.parser_id IS NOT NULL
ON CONFLICT (parser_id, folder_id, status, shard) DO UPDATE SET documents = documents + excluded.documents;
END;
CREATE TRIGGER documents_deleted AFTER DELETE ON documents BEGIN
        DELETE FROM search_texts
        WHERE number = (SELECT number FROM search_entries WHERE document_id = old.id);
        DELETE FROM search_entries WHERE document_id = old.id;
INSERT INTO document_counts (parser_id, folder_id, status, shard, documents)
SELECT old.parser_id, coalesce(old.folder_id, '00000000000000000000000000000000'), old.status, 0, -1
WHERE old.parser_id IS NOT NULL
ON CONFLICT (parser_id, folder_id, status, shard) DO UPDATE SET documents = documents + excluded.documents;
END;
CREATE INDEX ix_documents_folder_id ON documents (folder_id) WHERE folder_id IS NOT NULL;
CREATE INDEX ix_documents_assignee_id ON documents (assignee_id) WHERE assignee_id IS NOT NULL;
CREATE INDEX ix_documents_split_sha256 ON documents (split_sha256) WHERE split_sha256 IS NOT NULL;
CREATE INDEX ix_stored_files_released_at ON stored_files (released_at) WHERE released_at IS NOT NULL;
CREATE INDEX ix_documents_sha256_parser_id ON documents (sha256, parser_id);
CREATE INDEX ix_document_events_document_id ON document_events (document_id);

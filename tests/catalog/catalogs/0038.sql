CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" ("version_num") VALUES ('0038');
CREATE TABLE document_counts (
	parser_id CHAR(32) NOT NULL, 
	folder_id CHAR(32) NOT NULL, 
	status VARCHAR(64) NOT NULL, 
	shard INTEGER NOT NULL, 
	documents BIGINT NOT NULL, 
	CONSTRAINT pk_document_counts PRIMARY KEY (parser_id, folder_id, status, shard)
);
INSERT INTO "document_counts" ("parser_id", "folder_id", "status", "shard", "documents") VALUES ('01a22c307ac37316a6edc6817e4d653b', '00000000000000000000000000000000', 'queued', 0, 1);
INSERT INTO "document_counts" ("parser_id", "folder_id", "status", "shard", "documents") VALUES ('01a22c307ac37316a6edc6817e4d653b', '00000000000000000000000000000000', 'processing', 0, 0);
INSERT INTO "document_counts" ("parser_id", "folder_id", "status", "shard", "documents") VALUES ('01a22c307ac37316a6edc6817e4d653b', '00000000000000000000000000000000', 'processed', 0, 2);
INSERT INTO "document_counts" ("parser_id", "folder_id", "status", "shard", "documents") VALUES ('01a22c307ac37316a6edc6817e4d653b', '00000000000000000000000000000000', 'skipped', 0, 1);
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
INSERT INTO "search_entries" ("number", "document_id", "parser_id", "folder_id", "status", "created_at", "shape_id") VALUES (1, '01a22c3081f077f68ee48f50523ae8f7', '01a22c307ac37316a6edc6817e4d653b', NULL, 'processed', '2026-11-30 11:21:46.224000', 8536762574743243091);
INSERT INTO "search_entries" ("number", "document_id", "parser_id", "folder_id", "status", "created_at", "shape_id") VALUES (2, '01a22c3081f0781ab9a001c2822b8c94', '01a22c307ac37316a6edc6817e4d653b', NULL, 'skipped', '2026-11-30 11:21:46.224000', NULL);
INSERT INTO "search_entries" ("number", "document_id", "parser_id", "folder_id", "status", "created_at", "shape_id") VALUES (3, '01a22c30a038707d887436da39f5d0b9', '01a22c307ac37316a6edc6817e4d653b', NULL, 'processed', '2026-11-30 11:21:53.976000', 8536762574743243091);
INSERT INTO "search_entries" ("number", "document_id", "parser_id", "folder_id", "status", "created_at", "shape_id") VALUES (4, '01a22c30b512739db749e4bbff4f8e9a', '01a22c307ac37316a6edc6817e4d653b', NULL, 'queued', '2026-11-30 11:21:59.314000', NULL);
CREATE TABLE search_shapes (
	id BIGINT NOT NULL, 
	parser_id CHAR(32) NOT NULL, 
	fields JSON NOT NULL, 
	CONSTRAINT pk_search_shapes PRIMARY KEY (id)
);
INSERT INTO "search_shapes" ("id", "parser_id", "fields") VALUES (8536762574743243091, '01a22c307ac37316a6edc6817e4d653b', '[["f_u5imhms6","text"],["f_4aihru4k","number"],["f_tbs9gsds","table"],["f_tbs9gsds.f_466sa2np","text"]]');
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
INSERT INTO "search_values" ("key", "value", "number") VALUES (-7108741818670061112, 'a.txt', 1);
INSERT INTO "search_values" ("key", "value", "number") VALUES (-7108741818670061112, 'b.txt', 4);
INSERT INTO "search_values" ("key", "value", "number") VALUES (-7108741818670061112, 'c.txt', 3);
INSERT INTO "search_values" ("key", "value", "number") VALUES (-7108741818670061112, 'mail.eml', 2);
INSERT INTO "search_values" ("key", "value", "number") VALUES (-2694179597762266291, '25001125', 3);
INSERT INTO "search_values" ("key", "value", "number") VALUES (-2694179597762266291, '25002119', 1);
INSERT INTO "search_values" ("key", "value", "number") VALUES (3432406603433279268, 'a-3', 3);
INSERT INTO "search_values" ("key", "value", "number") VALUES (3432406603433279268, 'a-9', 1);
CREATE TABLE stored_files (
	sha256 VARCHAR(64) NOT NULL, 
	size BIGINT NOT NULL, 
	refs INTEGER NOT NULL, 
	created_at DATETIME NOT NULL, 
	released_at DATETIME, 
	CONSTRAINT pk_stored_files PRIMARY KEY (sha256)
);
INSERT INTO "stored_files" ("sha256", "size", "refs", "created_at", "released_at") VALUES ('005e4f72a80d7c73a25089465ccad5ca52f58e1815569da170fa0a3b6cb60fb5', 662, 1, '2026-11-30 11:21:46.224000', NULL);
INSERT INTO "stored_files" ("sha256", "size", "refs", "created_at", "released_at") VALUES ('11588d9cc9532180b3b0a90e289c7b8add725dc2af60e737f04a3a1c5bd9413a', 81, 1, '2026-11-30 11:21:46.224000', NULL);
INSERT INTO "stored_files" ("sha256", "size", "refs", "created_at", "released_at") VALUES ('bafed842116e94bc6aa3f925d853204025f52bc344640c5ad387056a5ac2d849', 80, 1, '2026-11-30 11:21:53.976000', NULL);
INSERT INTO "stored_files" ("sha256", "size", "refs", "created_at", "released_at") VALUES ('cb2703e47ccac3da974bceeed96bcfcad4d6ed5ac48a98464ac96e08d925e47f', 80, 1, '2026-11-30 11:21:59.314000', NULL);
CREATE TABLE teams (
	id CHAR(32) NOT NULL, 
	name VARCHAR NOT NULL, 
	slug VARCHAR(64) NOT NULL, 
	created_at DATETIME NOT NULL, 
	updated_at DATETIME NOT NULL, weight INTEGER DEFAULT '1' NOT NULL, documents_per_day INTEGER, quota_day DATE, quota_used INTEGER DEFAULT '0' NOT NULL, 
	CONSTRAINT pk_teams PRIMARY KEY (id), 
	CONSTRAINT uq_teams_slug UNIQUE (slug)
);
INSERT INTO "teams" ("id", "name", "slug", "created_at", "updated_at", "weight", "documents_per_day", "quota_day", "quota_used") VALUES ('01a22c306e27756ca8ed62179f7f2b17', 'Default', 'default', '2026-11-30 11:21:41.159000', '2026-11-30 11:21:41.159000', 1, NULL, NULL, 0);
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
INSERT INTO "users" ("id", "email", "name", "password_hash", "created_at", "updated_at") VALUES ('01a22c308a8b798db45b962588e25015', 'ann@example.org', 'Ann', NULL, '2026-11-30 11:21:48.431000', '2026-11-30 11:21:48.431000');
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
INSERT INTO "api_keys" ("id", "team_id", "name", "prefix", "sha256", "permissions", "parser_ids", "created_by", "created_at", "expires_at", "revoked_at", "last_used_at") VALUES ('01a22c308a0c7dc38165a364397c1753', '01a22c306e27756ca8ed62179f7f2b17', 'ci', '5x0i8nlc', '88bdc8ca6564f04d871de09060a94fbde0fcc05e8f656c07c3155642c46f2c47', NULL, NULL, NULL, '2026-11-30 11:21:48.300000', NULL, NULL, NULL);
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
INSERT INTO "audit_entries" ("id", "team_id", "at", "actor", "action", "resource_type", "resource_id", "details") VALUES ('01a22c307aeb78b086911f4072d34899', '01a22c306e27756ca8ed62179f7f2b17', '2026-11-30 11:21:44.427000', 'cli', 'parser.created', 'parser', '01a22c307ac37316a6edc6817e4d653b', '{"name":"Invoices"}');
INSERT INTO "audit_entries" ("id", "team_id", "at", "actor", "action", "resource_type", "resource_id", "details") VALUES ('01a22c3087477ef6ad239d6cc7d5cb0a', '01a22c306e27756ca8ed62179f7f2b17', '2026-11-30 11:21:47.591000', 'cli', 'webhook.created', 'webhook', '01a22c3087387d3594d0163e4f7ec9d9', '{"parser":"01a22c30-7ac3-7316-a6ed-c6817e4d653b","before":null,"after":{"url":"https://93.184.215.14/hook","events":["document.processed"],"valueFormat":"typed","name":"","description":"","headers":[],"status":"active"}}');
INSERT INTO "audit_entries" ("id", "team_id", "at", "actor", "action", "resource_type", "resource_id", "details") VALUES ('01a22c3089a3797bba894b25c0c2b263', '01a22c306e27756ca8ed62179f7f2b17', '2026-11-30 11:21:48.195000', 'cli', 'webhook.secret_rotated', 'webhook', '01a22c3087387d3594d0163e4f7ec9d9', '{"previousSecretExpiresAt":"2026-12-01T11:21:48.182Z"}');
INSERT INTO "audit_entries" ("id", "team_id", "at", "actor", "action", "resource_type", "resource_id", "details") VALUES ('01a22c308a1a7dfba0ceb6cd0589b00d', '01a22c306e27756ca8ed62179f7f2b17', '2026-11-30 11:21:48.314000', 'system', 'key.created', 'key', '01a22c308a0c7dc38165a364397c1753', '{"name":"ci","prefix":"5x0i8nlc","permissions":null,"parserIds":null,"expiresAt":null,"revokedAt":null}');
INSERT INTO "audit_entries" ("id", "team_id", "at", "actor", "action", "resource_type", "resource_id", "details") VALUES ('01a22c308ab07a6d880d8d3811d72e24', '01a22c306e27756ca8ed62179f7f2b17', '2026-11-30 11:21:48.464000', 'system', 'member.added', 'user', '01a22c308a8b798db45b962588e25015', '{"email":"ann@example.org","role":"reviewer"}');
INSERT INTO "audit_entries" ("id", "team_id", "at", "actor", "action", "resource_type", "resource_id", "details") VALUES ('01a22c308c2b7d0c8630823146079e35', '01a22c306e27756ca8ed62179f7f2b17', '2026-11-30 11:21:48.843000', 'cli', 'classifier.created', 'classifier', '01a22c308c1b7f228fdca1f93f22f48f', '{"name":"Incoming mail","after":{"name":"Incoming mail","description":"","isActive":true,"routing":{"rules":[{"id":"01a22c30-8c1c-7f28-8cb0-d8d02ba8a535","label":"Invoice","targetParserId":"01a22c30-7ac3-7316-a6ed-c6817e4d653b"}],"fallback":{"action":"skip","targetParserId":null},"instructions":""},"acceptedFileTypes":[],"splitDocuments":null,"emailParsing":null}}');
INSERT INTO "audit_entries" ("id", "team_id", "at", "actor", "action", "resource_type", "resource_id", "details") VALUES ('01a22c308dbd7b8583cbac1b90a95b3e', '01a22c306e27756ca8ed62179f7f2b17', '2026-11-30 11:21:49.245000', 'cli', 'folder.created', 'folder', '01a22c308db4714f9a3357ad7c14bdf5', '{"name":"2026"}');
INSERT INTO "audit_entries" ("id", "team_id", "at", "actor", "action", "resource_type", "resource_id", "details") VALUES ('01a22c30b7e07d2387f197db817eb25e', '01a22c306e27756ca8ed62179f7f2b17', '2026-11-30 11:22:00.032000', 'cli', 'document.corrected', 'document', '01a22c3081f077f68ee48f50523ae8f7', '{"fields":["Number"],"replaced":false,"changed":["Number"],"before":{"Number":"A-1"},"after":{"Number":"A-9"}}');
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
INSERT INTO "memberships" ("id", "team_id", "user_id", "role", "created_at") VALUES ('01a22c308ace74b295705775710c077c', '01a22c306e27756ca8ed62179f7f2b17', '01a22c308a8b798db45b962588e25015', 'reviewer', '2026-11-30 11:21:48.494000');
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
INSERT INTO "parsers" ("id", "team_id", "slug", "former_slug", "description", "type", "template_key", "is_active", "settings", "post_processing", "email_address", "workflow_id", "revision", "created_at", "updated_at", "deleted_at", "name", "name_key") VALUES ('01a22c307ac37316a6edc6817e4d653b', '01a22c306e27756ca8ed62179f7f2b17', 'invoices', NULL, '', 'document', NULL, 1, '{}', NULL, NULL, '01a22c307ac3737c958e16730569c20f', 1, '2026-11-30 11:21:44.388000', '2026-11-30 11:21:44.388000', NULL, 'Invoices', 'invoices');
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
INSERT INTO "projections" ("document_id", "team_id", "parser_id", "revision", "at") VALUES ('01a22c3081f077f68ee48f50523ae8f7', '01a22c306e27756ca8ed62179f7f2b17', '01a22c307ac37316a6edc6817e4d653b', 1, '2026-11-30 11:22:00.038000');
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
INSERT INTO "webhook_snapshots" ("id", "team_id", "document_id", "facts", "fields", "values", "created_at") VALUES ('01a22c30a0157045ac7feb84e48b0e0b', '01a22c306e27756ca8ed62179f7f2b17', '01a22c3081f077f68ee48f50523ae8f7', '{"id":"01a22c30-81f0-77f6-8ee4-8f50523ae8f7","name":"a.txt","isProcessed":true,"assignee":null,"teamId":"01a22c30-6e27-756c-a8ed-62179f7f2b17","teamSlug":"default","parserId":"01a22c30-7ac3-7316-a6ed-c6817e4d653b","workflowId":"01a22c30-7ac3-737c-958e-16730569c20f","externalId":null,"custom":null,"status":"processed","source":"upload","folderId":null,"pageCount":1,"createdAt":"2026-11-30T11:21:46.224Z","updatedAt":"2026-11-30T11:21:53.924Z","error":null,"review":{"isRequired":false,"status":"not_required","assignee":null,"currentStage":null,"stages":[]}}', '{"live":[{"id":"f_u5imhms6","name":"Number","type":"text"},{"id":"f_4aihru4k","name":"Total","type":"currency"},{"id":"f_tbs9gsds","name":"Lines","type":"table","columns":[{"id":"f_466sa2np","name":"Item","type":"text"}]}],"deleted":[]}', X'789CAB564A8B2F35CDCCCDC82D3653B25272D43554D2010A9924666614959A642B59191A5A82044A928A2DD38B538A95ACA2636B01B44E106D', '2026-11-30 11:21:53.931000');
INSERT INTO "webhook_snapshots" ("id", "team_id", "document_id", "facts", "fields", "values", "created_at") VALUES ('01a22c30a0817441a27891e984d89830', '01a22c306e27756ca8ed62179f7f2b17', '01a22c30a038707d887436da39f5d0b9', '{"id":"01a22c30-a038-707d-8874-36da39f5d0b9","name":"c.txt","isProcessed":true,"assignee":null,"teamId":"01a22c30-6e27-756c-a8ed-62179f7f2b17","teamSlug":"default","parserId":"01a22c30-7ac3-7316-a6ed-c6817e4d653b","workflowId":"01a22c30-7ac3-737c-958e-16730569c20f","externalId":null,"custom":null,"status":"processed","source":"upload","folderId":null,"pageCount":1,"createdAt":"2026-11-30T11:21:53.976Z","updatedAt":"2026-11-30T11:21:54.038Z","error":null,"review":{"isRequired":false,"status":"not_required","assignee":null,"currentStage":null,"stages":[]}}', '{"live":[{"id":"f_u5imhms6","name":"Number","type":"text"},{"id":"f_4aihru4k","name":"Total","type":"currency"},{"id":"f_tbs9gsds","name":"Lines","type":"table","columns":[{"id":"f_466sa2np","name":"Item","type":"text"}]}],"deleted":[]}', X'789CAB564A8B2F35CDCCCDC82D3653B25272D43556D2010A9924666614959A642B59191AE99982444A928A2DD38B538A95ACA2636B01C22B109A', '2026-11-30 11:21:54.040000');
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
INSERT INTO "classifiers" ("id", "team_id", "slug", "description", "is_active", "email_address", "accepted_file_types", "instructions", "fallback_action", "fallback_parser_id", "split_documents", "email_parsing", "created_at", "updated_at", "deleted_at", "name", "name_key") VALUES ('01a22c308c1b7f228fdca1f93f22f48f', '01a22c306e27756ca8ed62179f7f2b17', 'incoming_mail', '', 1, NULL, '[]', '', 'skip', NULL, NULL, NULL, '2026-11-30 11:21:48.842000', '2026-11-30 11:21:48.842000', NULL, 'Incoming mail', 'incoming mail');
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
INSERT INTO "folders" ("id", "team_id", "parser_id", "parent_id", "parent_key", "name", "slug", "color", "has_auto_assign", "auto_assignment", "created_at", "updated_at") VALUES ('01a22c308db4714f9a3357ad7c14bdf5', '01a22c306e27756ca8ed62179f7f2b17', '01a22c307ac37316a6edc6817e4d653b', NULL, '01a22c307ac37316a6edc6817e4d653b', '2026', '2026', NULL, 0, NULL, '2026-11-30 11:21:49.237000', '2026-11-30 11:21:49.237000');
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
	last_used_at DATETIME, address VARCHAR(64), user_agent VARCHAR(300), 
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
INSERT INTO "parser_fields" ("key", "team_id", "parser_id", "table_id", "id", "name", "column", "type", "description", "instructions", "required", "position", "options", "labels", "extract", "created_at", "deleted_at") VALUES ('01a22c307ad279afb576b71a83683ae0', '01a22c306e27756ca8ed62179f7f2b17', '01a22c307ac37316a6edc6817e4d653b', NULL, 'f_u5imhms6', 'Number', 'number', 'text', NULL, NULL, 0, 0, '[]', '["Invoice Number"]', 1, '2026-11-30 11:21:44.402000', NULL);
INSERT INTO "parser_fields" ("key", "team_id", "parser_id", "table_id", "id", "name", "column", "type", "description", "instructions", "required", "position", "options", "labels", "extract", "created_at", "deleted_at") VALUES ('01a22c307ad27a8196df56a5f4479433', '01a22c306e27756ca8ed62179f7f2b17', '01a22c307ac37316a6edc6817e4d653b', NULL, 'f_4aihru4k', 'Total', 'total', 'currency', NULL, NULL, 0, 1, '[]', '[]', 1, '2026-11-30 11:21:44.402000', NULL);
INSERT INTO "parser_fields" ("key", "team_id", "parser_id", "table_id", "id", "name", "column", "type", "description", "instructions", "required", "position", "options", "labels", "extract", "created_at", "deleted_at") VALUES ('01a22c307ad27aab893400b01fdcf49a', '01a22c306e27756ca8ed62179f7f2b17', '01a22c307ac37316a6edc6817e4d653b', NULL, 'f_tbs9gsds', 'Lines', 'lines', 'table', NULL, NULL, 0, 2, '[]', '[]', 1, '2026-11-30 11:21:44.402000', NULL);
INSERT INTO "parser_fields" ("key", "team_id", "parser_id", "table_id", "id", "name", "column", "type", "description", "instructions", "required", "position", "options", "labels", "extract", "created_at", "deleted_at") VALUES ('01a22c307ad47f149c84d4290533a556', '01a22c306e27756ca8ed62179f7f2b17', '01a22c307ac37316a6edc6817e4d653b', 'f_tbs9gsds', 'f_466sa2np', 'Item', 'item', 'text', NULL, NULL, 0, 0, '[]', '[]', 1, '2026-11-30 11:21:44.404000', NULL);
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
INSERT INTO "webhooks" ("id", "team_id", "parser_id", "url", "name", "description", "events", "headers", "sealed_secret", "previous_secrets", "value_format", "status", "failing_since", "last_delivery_at", "last_status_code", "created_at", "updated_at") VALUES ('01a22c3087387d3594d0163e4f7ec9d9', '01a22c306e27756ca8ed62179f7f2b17', '01a22c307ac37316a6edc6817e4d653b', 'https://93.184.215.14/hook', '', '', '["document.processed"]', '{}', 'v1:h2eSDmnVTTzk6aDozQC9Vo5ty+crrkYvY4Hky0Xtam+Aopdy5bN3K1xgTTJjssX0afqRWT/6DFDbcPVtpdX2HPg3KaelGaMDLbb1SkGZ', '[{"sealed":"v1:BiC2dwb8HVHVsaSDAKV3sD0hNrLgzy3P/8wi6AhihzINlXPCOJu3Mk9j14W+qCcZi15AX/C6dwgjcKO6ML6pdRNWDh1o0YSsKS993/ij","expiresAt":"2026-12-01T11:21:48.182Z"}]', 'typed', 'active', NULL, NULL, NULL, '2026-11-30 11:21:47.591000', '2026-11-30 11:21:48.196000');
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
INSERT INTO "classifier_rules" ("id", "team_id", "classifier_id", "label", "target_parser_id", "position") VALUES ('01a22c308c1c7f288cb0d8d02ba8a535', '01a22c306e27756ca8ed62179f7f2b17', '01a22c308c1b7f228fdca1f93f22f48f', 'Invoice', '01a22c307ac37316a6edc6817e4d653b', 0);
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
INSERT INTO "documents" ("id", "team_id", "parser_id", "classifier_id", "folder_id", "file_name", "is_renamed", "external_id", "custom", "source", "source_detail", "sha256", "content_type", "size", "page_count", "pages_read", "pages_to_read", "status", "error", "operation_id", "attempt", "lost_leases", "claimed_by", "lease_expires_at", "queued_at", "slow", "processed_at", "approved_at", "confidence", "parser_revision", "assignee_id", "split", "split_sha256", "keep_whole", "classification", "routing_status", "routing", "created_at", "updated_at", "name", "name_key") VALUES ('01a22c3081f077f68ee48f50523ae8f7', '01a22c306e27756ca8ed62179f7f2b17', '01a22c307ac37316a6edc6817e4d653b', NULL, NULL, 'a.txt', 0, NULL, NULL, 'upload', NULL, '11588d9cc9532180b3b0a90e289c7b8add725dc2af60e737f04a3a1c5bd9413a', 'text/plain', 81, 1, NULL, NULL, 'processed', NULL, '01a22c3081f076e69051a705eb3cfecf', 1, 0, NULL, NULL, '2026-11-30 11:21:46.224000', 0, '2026-11-30 11:21:53.924000', NULL, 0.9864, 1, NULL, NULL, NULL, 0, NULL, NULL, NULL, '2026-11-30 11:21:46.224000', '2026-11-30 11:22:00.032000', 'a.txt', 'a.txt');
INSERT INTO "documents" ("id", "team_id", "parser_id", "classifier_id", "folder_id", "file_name", "is_renamed", "external_id", "custom", "source", "source_detail", "sha256", "content_type", "size", "page_count", "pages_read", "pages_to_read", "status", "error", "operation_id", "attempt", "lost_leases", "claimed_by", "lease_expires_at", "queued_at", "slow", "processed_at", "approved_at", "confidence", "parser_revision", "assignee_id", "split", "split_sha256", "keep_whole", "classification", "routing_status", "routing", "created_at", "updated_at", "name", "name_key") VALUES ('01a22c3081f0781ab9a001c2822b8c94', '01a22c306e27756ca8ed62179f7f2b17', '01a22c307ac37316a6edc6817e4d653b', NULL, NULL, 'mail.eml', 0, NULL, NULL, 'upload', NULL, '005e4f72a80d7c73a25089465ccad5ca52f58e1815569da170fa0a3b6cb60fb5', 'message/rfc822', 662, NULL, NULL, NULL, 'skipped', NULL, '01a22c3081f07778bca2f9dfa7812500', 1, 0, NULL, NULL, '2026-11-30 11:21:46.224000', 0, NULL, NULL, NULL, 1, NULL, NULL, NULL, 0, NULL, NULL, NULL, '2026-11-30 11:21:46.224000', '2026-11-30 11:21:53.984000', 'mail.eml', 'mail.eml');
INSERT INTO "documents" ("id", "team_id", "parser_id", "classifier_id", "folder_id", "file_name", "is_renamed", "external_id", "custom", "source", "source_detail", "sha256", "content_type", "size", "page_count", "pages_read", "pages_to_read", "status", "error", "operation_id", "attempt", "lost_leases", "claimed_by", "lease_expires_at", "queued_at", "slow", "processed_at", "approved_at", "confidence", "parser_revision", "assignee_id", "split", "split_sha256", "keep_whole", "classification", "routing_status", "routing", "created_at", "updated_at", "name", "name_key") VALUES ('01a22c30a038707d887436da39f5d0b9', '01a22c306e27756ca8ed62179f7f2b17', '01a22c307ac37316a6edc6817e4d653b', NULL, NULL, 'c.txt', 0, NULL, NULL, 'upload', '{"mail":"01a22c30-81f0-781a-b9a0-01c2822b8c94","part":1,"depth":1}', 'bafed842116e94bc6aa3f925d853204025f52bc344640c5ad387056a5ac2d849', 'text/plain', 80, 1, NULL, NULL, 'processed', NULL, '01a22c30a03870f5ad52127a2f37bb5d', 1, 0, NULL, NULL, '2026-11-30 11:21:53.976000', 0, '2026-11-30 11:21:54.038000', NULL, 0.9581, 1, NULL, NULL, NULL, 0, NULL, NULL, NULL, '2026-11-30 11:21:53.976000', '2026-11-30 11:21:54.038000', 'c.txt', 'c.txt');
INSERT INTO "documents" ("id", "team_id", "parser_id", "classifier_id", "folder_id", "file_name", "is_renamed", "external_id", "custom", "source", "source_detail", "sha256", "content_type", "size", "page_count", "pages_read", "pages_to_read", "status", "error", "operation_id", "attempt", "lost_leases", "claimed_by", "lease_expires_at", "queued_at", "slow", "processed_at", "approved_at", "confidence", "parser_revision", "assignee_id", "split", "split_sha256", "keep_whole", "classification", "routing_status", "routing", "created_at", "updated_at", "name", "name_key") VALUES ('01a22c30b512739db749e4bbff4f8e9a', '01a22c306e27756ca8ed62179f7f2b17', '01a22c307ac37316a6edc6817e4d653b', NULL, NULL, 'b.txt', 0, NULL, NULL, 'upload', NULL, 'cb2703e47ccac3da974bceeed96bcfcad4d6ed5ac48a98464ac96e08d925e47f', 'text/plain', 80, NULL, NULL, NULL, 'queued', NULL, '01a22c30b51272ab83e8e35e47c76351', 0, 0, NULL, NULL, '2026-11-30 11:21:59.314000', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, '2026-11-30 11:21:59.314000', '2026-11-30 11:21:59.314000', 'b.txt', 'b.txt');
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
INSERT INTO "webhook_deliveries" ("id", "team_id", "webhook_id", "snapshot_id", "document_id", "event", "status", "attempts", "next_attempt_at", "claimed_by", "lease_expires_at", "created_at") VALUES ('01a22c30a017799397e19bd61cd99872', '01a22c306e27756ca8ed62179f7f2b17', '01a22c3087387d3594d0163e4f7ec9d9', '01a22c30a0157045ac7feb84e48b0e0b', '01a22c3081f077f68ee48f50523ae8f7', 'document.processed', 'pending', '[]', '2026-11-30 11:21:53.931000', NULL, NULL, '2026-11-30 11:21:53.931000');
INSERT INTO "webhook_deliveries" ("id", "team_id", "webhook_id", "snapshot_id", "document_id", "event", "status", "attempts", "next_attempt_at", "claimed_by", "lease_expires_at", "created_at") VALUES ('01a22c30a08277baaf64c907c7fa2018', '01a22c306e27756ca8ed62179f7f2b17', '01a22c3087387d3594d0163e4f7ec9d9', '01a22c30a0817441a27891e984d89830', '01a22c30a038707d887436da39f5d0b9', 'document.processed', 'pending', '[]', '2026-11-30 11:21:54.040000', NULL, NULL, '2026-11-30 11:21:54.040000');
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
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt") VALUES ('01a22c3081fc7baaabeda4d6707cbb20', '01a22c306e27756ca8ed62179f7f2b17', '01a22c3081f077f68ee48f50523ae8f7', '2026-11-30 11:21:46.236000', 'stored', NULL, 'queued', NULL, 'cli', 0);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt") VALUES ('01a22c3081fc7c11bac4ef5f8ac6d17a', '01a22c306e27756ca8ed62179f7f2b17', '01a22c3081f0781ab9a001c2822b8c94', '2026-11-30 11:21:46.236000', 'stored', NULL, 'queued', NULL, 'cli', 0);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt") VALUES ('01a22c3094327e1da2a871a5b821b57a', '01a22c306e27756ca8ed62179f7f2b17', '01a22c3081f077f68ee48f50523ae8f7', '2026-11-30 11:21:50.898000', 'claimed', 'queued', 'processing', NULL, 'host/pid:[4026531836]/6085/1796037694.05/b2cb8564', 1);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt") VALUES ('01a22c3094327e9b848bc654101668a8', '01a22c306e27756ca8ed62179f7f2b17', '01a22c3081f0781ab9a001c2822b8c94', '2026-11-30 11:21:50.898000', 'claimed', 'queued', 'processing', NULL, 'host/pid:[4026531836]/6085/1796037694.05/b2cb8564', 1);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt") VALUES ('01a22c30a0067cffa30c6b8b6f176692', '01a22c306e27756ca8ed62179f7f2b17', '01a22c3081f077f68ee48f50523ae8f7', '2026-11-30 11:21:53.926000', 'extracted', 'processing', 'processed', NULL, 'host/pid:[4026531836]/6085/1796037694.05/b2cb8564', 1);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt") VALUES ('01a22c30a03b721aa1db0e52c9a3a58d', '01a22c306e27756ca8ed62179f7f2b17', '01a22c30a038707d887436da39f5d0b9', '2026-11-30 11:21:53.979000', 'stored', NULL, 'queued', NULL, 'host/pid:[4026531836]/6085/1796037694.05/b2cb8564', 0);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt") VALUES ('01a22c30a04673fc923b679d5c0f176f', '01a22c306e27756ca8ed62179f7f2b17', '01a22c3081f0781ab9a001c2822b8c94', '2026-11-30 11:21:53.990000', 'parted', 'processing', 'skipped', 'Its body holds no values of the parser''s fields; its attachment is a document of its own', 'host/pid:[4026531836]/6085/1796037694.05/b2cb8564', 1);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt") VALUES ('01a22c30a05374fa87a4173b405b7d79', '01a22c306e27756ca8ed62179f7f2b17', '01a22c30a038707d887436da39f5d0b9', '2026-11-30 11:21:54.003000', 'claimed', 'queued', 'processing', NULL, 'host/pid:[4026531836]/6085/1796037694.05/b2cb8564', 1);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt") VALUES ('01a22c30a0767d609ea14ea363c1d458', '01a22c306e27756ca8ed62179f7f2b17', '01a22c30a038707d887436da39f5d0b9', '2026-11-30 11:21:54.038000', 'extracted', 'processing', 'processed', NULL, 'host/pid:[4026531836]/6085/1796037694.05/b2cb8564', 1);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt") VALUES ('01a22c30b51b79dd962ca24619a45684', '01a22c306e27756ca8ed62179f7f2b17', '01a22c30b512739db749e4bbff4f8e9a', '2026-11-30 11:21:59.323000', 'stored', NULL, 'queued', NULL, 'cli', 0);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt") VALUES ('01a22c30b7e174d28a2da0aaa260723a', '01a22c306e27756ca8ed62179f7f2b17', '01a22c3081f077f68ee48f50523ae8f7', '2026-11-30 11:22:00.033000', 'corrected', 'processed', 'processed', NULL, 'cli', 1);
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
INSERT INTO "document_results" ("document_id", "team_id", "attempt", "mode", "values", "read_values", "evidence", "extras", "warnings", "pages", "markdown_sha256", "edited", "seconds", "created_at", "updated_at") VALUES ('01a22c3081f077f68ee48f50523ae8f7', '01a22c306e27756ca8ed62179f7f2b17', 1, 'balanced', X'789CAB564A8B2F35CDCCCDC82D3653B25272D4B554D2010A9924666614959A642B59191A5A82044A928A2DD38B538A95ACA2636B01B56E1075', X'789CAB564A8B2F35CDCCCDC82D3653B25272D43554D2010A9924666614959A642B59191A5A82044A928A2DD38B538A95ACA2636B01B44E106D', X'789C5590D16E832018855F65F9AFA9E1A78A95BB2EE90B34DDCD9665B18A858C4AA3907631BEFBC0AED35E1ECE3970F80668BE7CA6CFEADC7310035CCA9304D17A6308185B954EDBB607F1F149A02BAF0779730FB7B26DA36BD956218F0925D05BDF4501BE971D1090B576B206E13A2F1FEAF527F895D1FFF636DC078C32BE425CADE901513014599170B6798791847969A955E7D3EF386FF9284D8A9CE5E46F323EEF1DE6E3E3D1DE62D7C8C6C516DDE41901672F93E09487CC55D74E458D2C784AEA93BA6771CDD3B0C24D1F07C422A1F465F7B687714964692C404CAD1944539AFE89C41DE40C22EA71FC056D507B0F', '[]', '[]', '[{"number":1,"width":595.0,"height":842.0,"source":"text","turn":0.0}]', NULL, 1, 1.15925585700097144581e+00, '2026-11-30 11:21:53.835000', '2026-11-30 11:22:00.012000');
INSERT INTO "document_results" ("document_id", "team_id", "attempt", "mode", "values", "read_values", "evidence", "extras", "warnings", "pages", "markdown_sha256", "edited", "seconds", "created_at", "updated_at") VALUES ('01a22c30a038707d887436da39f5d0b9', '01a22c306e27756ca8ed62179f7f2b17', 1, 'balanced', X'789CAB564A8B2F35CDCCCDC82D3653B25272D43556D2010A9924666614959A642B59191AE99982444A928A2DD38B538A95ACA2636B01C22B109A', NULL, X'789CA58FDF6A833014875FA59CEB54128DDAE6AE83BD4069AFC690549326341AD1483BC4775F3211C71885B1BBF3FDCE1FCE37822C8654D7AAEE33602394B691BA124D2980E1684F138AA0E5574F0481B12577DA363DB0B7718D2F17FB08BB464817B66204CEB6A1C224252982BBAE9CFAE224F7A884BE2A37F7938C4E7E5C3C3CC3619BC0F48EA0E3F7D39A20E8EDD08587E63904A2D24E54C02437BD58F0E503583318B3F0C1CDECCFCB8272ADBA81DE7E51CCE3FCEF8A78174416CB0C67E49B2521F1334B124729DEBC9E8F3F5CD7FCBFC6D32786F68E83', '[]', '[]', '[{"number":1,"width":595.0,"height":842.0,"source":"text","turn":0.0}]', NULL, 0, 1.43017129994404967874e-02, '2026-11-30 11:21:54.027000', '2026-11-30 11:21:54.027000');
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
INSERT INTO "intake_entries" ("id", "team_id", "source", "item", "item_sha256", "fingerprint", "sha256", "size", "parser_id", "classifier_id", "document_id", "outcome", "message", "finished_at", "created_at", "updated_at") VALUES ('01a22c30a03f7212a4dca347a8893a3e', '01a22c306e27756ca8ed62179f7f2b17', 'mail attachments', '01a22c30-81f0-781a-b9a0-01c2822b8c94/bafed842116e94bc6aa3f925d853204025f52bc344640c5ad387056a5ac2d849/1', '05489f77249824239b9322474fb84ce8b8f7e31e091b88a76551d7701666208e', 'bafed842116e94bc6aa3f925d853204025f52bc344640c5ad387056a5ac2d849', 'bafed842116e94bc6aa3f925d853204025f52bc344640c5ad387056a5ac2d849', 80, '01a22c307ac37316a6edc6817e4d653b', NULL, '01a22c30a038707d887436da39f5d0b9', 'registered', '', '2026-11-30 11:21:53.983000', '2026-11-30 11:21:53.983000', '2026-11-30 11:21:53.983000');
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
INSERT INTO "lessons" ("id", "team_id", "parser_id", "document_id", "lesson", "user_id", "created_at") VALUES ('01a22c30b91a7fe18d3f73d244300702', '01a22c306e27756ca8ed62179f7f2b17', '01a22c307ac37316a6edc6817e4d653b', '01a22c3081f077f68ee48f50523ae8f7', '{"words":["acme","date","eur","invoice","ltd","number","total"],"marks":["acme@0","date@2","eur@4","invoice@0","ltd@2","number@2","total@0"],"places":{"f_4aihru4k":{"page":1,"left":0.0875,"top":0.06060606060606061,"right":0.1625,"before":"total","after":"eur","beside":"","above":"acmeltd","lines":1,"whole":false,"joint":" ","shape":"9.9","corrected":false,"label":"Total:","foreign":false}},"values":{},"unprinted":{},"mistakes":{"f_u5imhms6":{"text":"a1","cleared":false,"place":{"page":1,"left":0.2,"top":0.015151515151515152,"right":0.2375,"before":"invoicenumber","after":"","beside":"","above":"","lines":1,"whole":false,"joint":" ","shape":"A-9","corrected":true,"label":"Invoice Number:","foreign":false}}},"headers":{},"document_id":null,"edits":{"f_u5imhms6":{"by":"cli","at":"2026-11-30T11:21:59.628Z"}},"removed":{},"learned_at":"2026-11-30T11:22:00.346Z"}', NULL, '2026-11-30 11:22:00.346000');
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
INSERT INTO "reading_durations" ("target_id", "slow", "seconds") VALUES ('01a22c307ac37316a6edc6817e4d653b', 0, 8.132452300002721568e-01);
CREATE TABLE binned_documents (
	id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	parser_id CHAR(32), 
	name VARCHAR NOT NULL, 
	batch_id CHAR(32) NOT NULL, 
	created_at DATETIME NOT NULL, 
	deleted_at DATETIME NOT NULL, 
	deleted_by VARCHAR NOT NULL, 
	sha256 VARCHAR(64) NOT NULL, 
	split_sha256 VARCHAR(64), 
	markdown_sha256 VARCHAR(64), 
	snapshot JSON NOT NULL, 
	CONSTRAINT pk_binned_documents PRIMARY KEY (id), 
	CONSTRAINT fk_binned_documents_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT fk_binned_documents_parser_id FOREIGN KEY(parser_id) REFERENCES parsers (id) ON DELETE CASCADE, 
	CONSTRAINT fk_binned_documents_sha256 FOREIGN KEY(sha256) REFERENCES stored_files (sha256), 
	CONSTRAINT fk_binned_documents_markdown_sha256 FOREIGN KEY(markdown_sha256) REFERENCES stored_files (sha256)
);
INSERT INTO search_index (search_index) VALUES ('rebuild');
CREATE INDEX ix_oauth_clients_keep_until ON oauth_clients (keep_until);
CREATE INDEX ix_pending_texts_parser_id ON pending_texts (parser_id);
CREATE INDEX ix_search_entries_parser_id_created_at ON search_entries (parser_id, created_at, number);
CREATE INDEX ix_search_entries_parser_id_folder_id ON search_entries (parser_id, folder_id, created_at, number);
CREATE INDEX ix_search_entries_parser_id_shape_id ON search_entries (parser_id, shape_id, number);
CREATE INDEX ix_search_entries_parser_id_status ON search_entries (parser_id, status, created_at, number);
CREATE INDEX ix_search_shapes_parser_id ON search_shapes (parser_id);
CREATE INDEX ix_api_keys_team_id ON api_keys (team_id);
CREATE INDEX ix_audit_entries_resource_id_at ON audit_entries (resource_id, at);
CREATE INDEX ix_audit_entries_team_id ON audit_entries (team_id);
CREATE INDEX ix_audit_entries_team_id_at ON audit_entries (team_id, at);
CREATE INDEX ix_invitations_team_id ON invitations (team_id);
CREATE INDEX ix_memberships_user_id ON memberships (user_id);
CREATE INDEX ix_memberships_team_id ON memberships (team_id);
CREATE INDEX ix_parsers_team_id ON parsers (team_id);
CREATE INDEX ix_password_resets_user_id ON password_resets (user_id);
CREATE INDEX ix_projections_parser_id_at ON projections (parser_id, at);
CREATE INDEX ix_projections_team_id ON projections (team_id);
CREATE INDEX ix_saved_queries_team_id ON saved_queries (team_id);
CREATE INDEX ix_user_sessions_user_id ON user_sessions (user_id);
CREATE INDEX ix_webhook_snapshots_team_id ON webhook_snapshots (team_id);
CREATE INDEX ix_webhook_snapshots_created_at ON webhook_snapshots (created_at);
CREATE INDEX ix_webhook_snapshots_document_id ON webhook_snapshots (document_id);
CREATE INDEX ix_classifiers_team_id ON classifiers (team_id);
CREATE UNIQUE INDEX ix_classifiers_team_id_slug ON classifiers (team_id, slug) WHERE deleted_at IS NULL;
CREATE INDEX ix_export_layouts_team_id ON export_layouts (team_id);
CREATE INDEX ix_exports_expires_at ON exports (expires_at);
CREATE INDEX ix_exports_team_id ON exports (team_id);
CREATE INDEX ix_exports_parser_id ON exports (parser_id);
CREATE INDEX ix_folders_team_id ON folders (team_id);
CREATE INDEX ix_folders_parent_id ON folders (parent_id);
CREATE INDEX ix_folders_parser_id ON folders (parser_id);
CREATE INDEX ix_idempotent_requests_begun_at ON idempotent_requests (begun_at);
CREATE INDEX ix_idempotent_requests_team_id ON idempotent_requests (team_id);
CREATE INDEX ix_lookup_tables_team_id ON lookup_tables (team_id);
CREATE INDEX ix_oauth_grants_client_ref ON oauth_grants (client_ref);
CREATE INDEX ix_oauth_grants_expires_at ON oauth_grants (expires_at);
CREATE INDEX ix_oauth_grants_team_id ON oauth_grants (team_id);
CREATE INDEX ix_oauth_grants_user_id ON oauth_grants (user_id);
CREATE INDEX ix_parser_fields_team_id ON parser_fields (team_id);
CREATE INDEX ix_parser_fields_parser_id_table_id ON parser_fields (parser_id, table_id);
CREATE INDEX ix_review_stages_team_id ON review_stages (team_id);
CREATE INDEX ix_review_stages_parser_id_position ON review_stages (parser_id, position);
CREATE INDEX ix_webhooks_parser_id ON webhooks (parser_id);
CREATE INDEX ix_webhooks_team_id ON webhooks (team_id);
CREATE INDEX ix_classifier_rules_target_parser_id ON classifier_rules (target_parser_id);
CREATE INDEX ix_classifier_rules_team_id ON classifier_rules (team_id);
CREATE INDEX ix_documents_operation_id ON documents (operation_id);
CREATE INDEX ix_documents_parser_id_updated_at ON documents (parser_id, updated_at, id);
CREATE INDEX ix_documents_classifier_id_routing_status ON documents (classifier_id, routing_status, parser_id) WHERE classifier_id IS NOT NULL;
CREATE INDEX ix_documents_queue ON documents (slow, coalesce(parser_id, classifier_id), queued_at, id) WHERE status = 'queued';
CREATE INDEX ix_documents_parser_id_name_key ON documents (parser_id, name_key, id);
CREATE INDEX ix_documents_lease_expires_at ON documents (lease_expires_at) WHERE lease_expires_at IS NOT NULL;
CREATE INDEX ix_documents_parser_id_created_at ON documents (parser_id, created_at, id);
CREATE INDEX ix_documents_team_id_created_at ON documents (team_id, created_at, id, status, parser_id, page_count);
CREATE UNIQUE INDEX uq_documents_classifier_id_external_id ON documents (classifier_id, external_id) WHERE parser_id IS NULL;
CREATE INDEX ix_documents_classifier_id_created_at ON documents (classifier_id, created_at, id) WHERE classifier_id IS NOT NULL;
CREATE INDEX ix_oauth_tokens_expires_at ON oauth_tokens (expires_at);
CREATE INDEX ix_oauth_tokens_grant_id ON oauth_tokens (grant_id);
CREATE INDEX ix_upload_pages_team_id ON upload_pages (team_id);
CREATE INDEX ix_webhook_deliveries_claimed ON webhook_deliveries (claimed_by) WHERE claimed_by IS NOT NULL;
CREATE INDEX ix_webhook_deliveries_snapshot_id ON webhook_deliveries (snapshot_id);
CREATE INDEX ix_webhook_deliveries_team_id ON webhook_deliveries (team_id);
CREATE INDEX ix_webhook_deliveries_open ON webhook_deliveries (webhook_id, status, created_at) WHERE status <> 'succeeded';
CREATE INDEX ix_webhook_deliveries_due ON webhook_deliveries (webhook_id, next_attempt_at) WHERE status = 'pending' AND claimed_by IS NULL;
CREATE INDEX ix_webhook_deliveries_webhook_id_created_at ON webhook_deliveries (webhook_id, created_at, id);
CREATE INDEX ix_classifier_examples_team_id ON classifier_examples (team_id);
CREATE INDEX ix_classifier_examples_document_id ON classifier_examples (document_id);
CREATE INDEX ix_classifier_examples_rule_id_created_at ON classifier_examples (rule_id, created_at);
CREATE INDEX ix_document_stages_stage_id_status ON document_stages (stage_id, status);
CREATE INDEX ix_document_stages_team_id ON document_stages (team_id);
CREATE INDEX ix_document_stages_started_at ON document_stages (started_at, id) WHERE status = 'in_progress';
CREATE INDEX ix_document_stages_assignee_id ON document_stages (assignee_id);
CREATE INDEX ix_document_stages_document_id ON document_stages (document_id);
CREATE INDEX ix_exported_documents_document_id ON exported_documents (document_id);
CREATE INDEX ix_intake_entries_latest ON intake_entries (team_id, source, updated_at, id);
CREATE INDEX ix_intake_entries_outcome ON intake_entries (team_id, source, outcome, updated_at, id);
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
CREATE INDEX ix_binned_documents_team_id_deleted_at ON binned_documents (team_id, deleted_at, id);
CREATE INDEX ix_binned_documents_deleted_at ON binned_documents (deleted_at);
CREATE INDEX ix_binned_documents_parser_id_created_at ON binned_documents (parser_id, created_at);
CREATE INDEX ix_binned_documents_batch_id ON binned_documents (batch_id);

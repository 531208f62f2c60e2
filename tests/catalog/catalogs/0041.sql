CREATE TABLE teams (
	id CHAR(32) NOT NULL, 
	name VARCHAR NOT NULL, 
	slug VARCHAR(64) NOT NULL, 
	weight INTEGER DEFAULT '1' NOT NULL, 
	documents_per_day INTEGER, 
	quota_day DATE, 
	quota_used INTEGER DEFAULT '0' NOT NULL, 
	created_at DATETIME NOT NULL, 
	updated_at DATETIME NOT NULL, 
	CONSTRAINT pk_teams PRIMARY KEY (id), 
	CONSTRAINT uq_teams_slug UNIQUE (slug)
);
INSERT INTO "teams" ("id", "name", "slug", "weight", "documents_per_day", "quota_day", "quota_used", "created_at", "updated_at") VALUES ('01a22c347cf074f68992f0f88eeb36de', 'Default', 'default', 1, NULL, NULL, 0, '2026-11-30 11:26:07.088000', '2026-11-30 11:26:07.088000');
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
INSERT INTO "users" ("id", "email", "name", "password_hash", "created_at", "updated_at") VALUES ('01a22c348ff67f18b403a8d99fd32f53', 'ann@example.org', 'Ann', NULL, '2026-11-30 11:26:11.960000', '2026-11-30 11:26:11.960000');
CREATE TABLE stored_files (
	sha256 VARCHAR(64) NOT NULL, 
	size BIGINT NOT NULL, 
	refs INTEGER NOT NULL, 
	created_at DATETIME NOT NULL, 
	released_at DATETIME, 
	CONSTRAINT pk_stored_files PRIMARY KEY (sha256)
);
INSERT INTO "stored_files" ("sha256", "size", "refs", "created_at", "released_at") VALUES ('11588d9cc9532180b3b0a90e289c7b8add725dc2af60e737f04a3a1c5bd9413a', 81, 1, '2026-11-30 11:26:10.260000', NULL);
INSERT INTO "stored_files" ("sha256", "size", "refs", "created_at", "released_at") VALUES ('bdfe51d828f6d0c74daf5c7a6115a8281ee5826828f5be3f9b9488682aefef33', 662, 1, '2026-11-30 11:26:10.260000', NULL);
INSERT INTO "stored_files" ("sha256", "size", "refs", "created_at", "released_at") VALUES ('bafed842116e94bc6aa3f925d853204025f52bc344640c5ad387056a5ac2d849', 80, 1, '2026-11-30 11:26:20.889000', NULL);
INSERT INTO "stored_files" ("sha256", "size", "refs", "created_at", "released_at") VALUES ('cb2703e47ccac3da974bceeed96bcfcad4d6ed5ac48a98464ac96e08d925e47f', 80, 1, '2026-11-30 11:26:26.458000', NULL);
CREATE TABLE home (
	number INTEGER NOT NULL, 
	installation_id CHAR(32) NOT NULL, 
	place VARCHAR NOT NULL, 
	used_at DATETIME, 
	CONSTRAINT pk_home PRIMARY KEY (number)
);
CREATE TABLE reading_durations (
	target_id CHAR(32) NOT NULL, 
	slow BOOLEAN NOT NULL, 
	seconds DOUBLE NOT NULL, 
	CONSTRAINT pk_reading_durations PRIMARY KEY (target_id, slow)
);
INSERT INTO "reading_durations" ("target_id", "slow", "seconds") VALUES ('01a22c3482e47bd08279fc7a4c415b41', 0, 1.50686247133247297469e+00);
CREATE TABLE reading_homes (
	place VARCHAR NOT NULL, 
	version VARCHAR(64) NOT NULL, 
	workers INTEGER NOT NULL, 
	owner VARCHAR, 
	run_id VARCHAR, 
	renewed_at DATETIME NOT NULL, 
	CONSTRAINT pk_reading_homes PRIMARY KEY (place)
);
CREATE TABLE rate_counts (
	key_id CHAR(32) NOT NULL, 
	minute BIGINT NOT NULL, 
	minute_count INTEGER NOT NULL, 
	day BIGINT NOT NULL, 
	day_count INTEGER NOT NULL, 
	CONSTRAINT pk_rate_counts PRIMARY KEY (key_id)
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
INSERT INTO "search_entries" ("number", "document_id", "parser_id", "folder_id", "status", "created_at", "shape_id") VALUES (1, '01a22c3489537f9da693487a736fb60d', '01a22c3482e47bd08279fc7a4c415b41', NULL, 'processed', '2026-11-30 11:26:10.259000', 6964326134508945559);
INSERT INTO "search_entries" ("number", "document_id", "parser_id", "folder_id", "status", "created_at", "shape_id") VALUES (2, '01a22c3489537fd183b9c9ea1a6819ad', '01a22c3482e47bd08279fc7a4c415b41', NULL, 'skipped', '2026-11-30 11:26:10.259000', NULL);
INSERT INTO "search_entries" ("number", "document_id", "parser_id", "folder_id", "status", "created_at", "shape_id") VALUES (3, '01a22c34b2d97505b150dc6a660c5e86', '01a22c3482e47bd08279fc7a4c415b41', NULL, 'processed', '2026-11-30 11:26:20.889000', 6964326134508945559);
INSERT INTO "search_entries" ("number", "document_id", "parser_id", "folder_id", "status", "created_at", "shape_id") VALUES (4, '01a22c34c89a7d6db9394194c3be80cc', '01a22c3482e47bd08279fc7a4c415b41', NULL, 'queued', '2026-11-30 11:26:26.458000', NULL);
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
CREATE TABLE pending_texts (
	number INTEGER NOT NULL, 
	parser_id CHAR(32) NOT NULL, 
	CONSTRAINT pk_pending_texts PRIMARY KEY (number)
);
CREATE TABLE search_values (
	"key" BIGINT NOT NULL, 
	value TEXT NOT NULL, 
	number BIGINT NOT NULL, 
	CONSTRAINT pk_search_values PRIMARY KEY ("key", value, number)
)
 WITHOUT ROWID

;
INSERT INTO "search_values" ("key", "value", "number") VALUES (-7272804980111434630, 'a.txt', 1);
INSERT INTO "search_values" ("key", "value", "number") VALUES (-7272804980111434630, 'b.txt', 4);
INSERT INTO "search_values" ("key", "value", "number") VALUES (-7272804980111434630, 'c.txt', 3);
INSERT INTO "search_values" ("key", "value", "number") VALUES (-7272804980111434630, 'mail.eml', 2);
INSERT INTO "search_values" ("key", "value", "number") VALUES (1050797031419143228, 'a-3', 3);
INSERT INTO "search_values" ("key", "value", "number") VALUES (1050797031419143228, 'a-9', 1);
INSERT INTO "search_values" ("key", "value", "number") VALUES (7872160807086980712, '25001125', 3);
INSERT INTO "search_values" ("key", "value", "number") VALUES (7872160807086980712, '25002119', 1);
CREATE TABLE search_shapes (
	id BIGINT NOT NULL, 
	parser_id CHAR(32) NOT NULL, 
	fields JSON NOT NULL, 
	CONSTRAINT pk_search_shapes PRIMARY KEY (id)
);
INSERT INTO "search_shapes" ("id", "parser_id", "fields") VALUES (6964326134508945559, '01a22c3482e47bd08279fc7a4c415b41', '[["f_7mbn3uyx","text"],["f_czigr3q3","number"],["f_yydvcsy2","table"],["f_yydvcsy2.f_8atcshzj","text"]]');
CREATE TABLE document_counts (
	parser_id CHAR(32) NOT NULL, 
	folder_id CHAR(32) NOT NULL, 
	status VARCHAR(64) NOT NULL, 
	shard INTEGER NOT NULL, 
	documents BIGINT NOT NULL, 
	CONSTRAINT pk_document_counts PRIMARY KEY (parser_id, folder_id, status, shard)
);
INSERT INTO "document_counts" ("parser_id", "folder_id", "status", "shard", "documents") VALUES ('01a22c3482e47bd08279fc7a4c415b41', '00000000000000000000000000000000', 'queued', 0, 1);
INSERT INTO "document_counts" ("parser_id", "folder_id", "status", "shard", "documents") VALUES ('01a22c3482e47bd08279fc7a4c415b41', '00000000000000000000000000000000', 'processing', 0, 0);
INSERT INTO "document_counts" ("parser_id", "folder_id", "status", "shard", "documents") VALUES ('01a22c3482e47bd08279fc7a4c415b41', '00000000000000000000000000000000', 'processed', 0, 2);
INSERT INTO "document_counts" ("parser_id", "folder_id", "status", "shard", "documents") VALUES ('01a22c3482e47bd08279fc7a4c415b41', '00000000000000000000000000000000', 'skipped', 0, 1);
CREATE TABLE memberships (
	id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	user_id CHAR(32) NOT NULL, 
	role VARCHAR(64) NOT NULL, 
	created_at DATETIME NOT NULL, 
	CONSTRAINT pk_memberships PRIMARY KEY (id), 
	CONSTRAINT uq_memberships_team_id_user_id UNIQUE (team_id, user_id), 
	CONSTRAINT ck_memberships_role CHECK (role IN ('owner', 'admin', 'member', 'reviewer')), 
	CONSTRAINT fk_memberships_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT fk_memberships_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);
INSERT INTO "memberships" ("id", "team_id", "user_id", "role", "created_at") VALUES ('01a22c3490257c45a0879ce8e2ce3323', '01a22c347cf074f68992f0f88eeb36de', '01a22c348ff67f18b403a8d99fd32f53', 'reviewer', '2026-11-30 11:26:12.005000');
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
INSERT INTO "api_keys" ("id", "team_id", "name", "prefix", "sha256", "permissions", "parser_ids", "created_by", "created_at", "expires_at", "revoked_at", "last_used_at") VALUES ('01a22c348f637e75abfa93c83ddad680', '01a22c347cf074f68992f0f88eeb36de', 'ci', '6S6Jw4X1', 'fe9e590c6365a81aa0831e5bff02959989cfb2da43f0ca5d4ac417d68b02cb6c', NULL, NULL, NULL, '2026-11-30 11:26:11.811000', NULL, NULL, NULL);
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
	CONSTRAINT uq_invitations_team_id_email UNIQUE (team_id, email), 
	CONSTRAINT ck_invitations_role CHECK (role IN ('owner', 'admin', 'member', 'reviewer')), 
	CONSTRAINT fk_invitations_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT uq_invitations_token_sha256 UNIQUE (token_sha256), 
	CONSTRAINT fk_invitations_invited_by FOREIGN KEY(invited_by) REFERENCES users (id) ON DELETE CASCADE
);
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
INSERT INTO "audit_entries" ("id", "team_id", "at", "actor", "action", "resource_type", "resource_id", "details") VALUES ('01a22c3483117c6eaa11bffe2664672c', '01a22c347cf074f68992f0f88eeb36de', '2026-11-30 11:26:08.657000', 'cli', 'parser.created', 'parser', '01a22c3482e47bd08279fc7a4c415b41', '{"name":"Invoices"}');
INSERT INTO "audit_entries" ("id", "team_id", "at", "actor", "action", "resource_type", "resource_id", "details") VALUES ('01a22c348b02747993eeffc3649d5242', '01a22c347cf074f68992f0f88eeb36de', '2026-11-30 11:26:10.690000', 'cli', 'webhook.created', 'webhook', '01a22c348af37cc4923cb0e3fb7776c1', '{"parser":"01a22c34-82e4-7bd0-8279-fc7a4c415b41","before":null,"after":{"url":"https://93.184.215.14/hook","events":["document.processed"],"valueFormat":"typed","name":"","description":"","headers":[],"status":"active"}}');
INSERT INTO "audit_entries" ("id", "team_id", "at", "actor", "action", "resource_type", "resource_id", "details") VALUES ('01a22c348eee7c8390113440a7ecc375', '01a22c347cf074f68992f0f88eeb36de', '2026-11-30 11:26:11.694000', 'cli', 'webhook.secret_rotated', 'webhook', '01a22c348af37cc4923cb0e3fb7776c1', '{"previousSecretExpiresAt":"2026-12-01T11:26:11.681Z"}');
INSERT INTO "audit_entries" ("id", "team_id", "at", "actor", "action", "resource_type", "resource_id", "details") VALUES ('01a22c348f65765895ef70b2405a4c6b', '01a22c347cf074f68992f0f88eeb36de', '2026-11-30 11:26:11.813000', 'system', 'key.created', 'key', '01a22c348f637e75abfa93c83ddad680', '{"name":"ci","prefix":"6S6Jw4X1","permissions":null,"parserIds":null,"expiresAt":null,"revokedAt":null}');
INSERT INTO "audit_entries" ("id", "team_id", "at", "actor", "action", "resource_type", "resource_id", "details") VALUES ('01a22c34901c732082b7c227fa5267c0', '01a22c347cf074f68992f0f88eeb36de', '2026-11-30 11:26:11.996000', 'system', 'member.added', 'user', '01a22c348ff67f18b403a8d99fd32f53', '{"email":"ann@example.org","role":"reviewer"}');
INSERT INTO "audit_entries" ("id", "team_id", "at", "actor", "action", "resource_type", "resource_id", "details") VALUES ('01a22c349191767ea58aa9f6a99d2d36', '01a22c347cf074f68992f0f88eeb36de', '2026-11-30 11:26:12.369000', 'cli', 'classifier.created', 'classifier', '01a22c34917f7bce93986589cf9a0cb0', '{"name":"Incoming mail","after":{"name":"Incoming mail","description":"","isActive":true,"routing":{"rules":[{"id":"01a22c34-9180-7ec5-ac33-c802caf54878","label":"Invoice","targetParserId":"01a22c34-82e4-7bd0-8279-fc7a4c415b41"}],"fallback":{"action":"skip","targetParserId":null},"instructions":""},"acceptedFileTypes":[],"splitDocuments":null,"emailParsing":null}}');
INSERT INTO "audit_entries" ("id", "team_id", "at", "actor", "action", "resource_type", "resource_id", "details") VALUES ('01a22c3492a67c61b506eeeae5ecdc04', '01a22c347cf074f68992f0f88eeb36de', '2026-11-30 11:26:12.646000', 'cli', 'folder.created', 'folder', '01a22c3492997a6dadb3347be8023c03', '{"name":"2026"}');
INSERT INTO "audit_entries" ("id", "team_id", "at", "actor", "action", "resource_type", "resource_id", "details") VALUES ('01a22c34d024731384b541ef27199b1f', '01a22c347cf074f68992f0f88eeb36de', '2026-11-30 11:26:28.388000', 'cli', 'document.corrected', 'document', '01a22c3489537f9da693487a736fb60d', '{"fields":["Number"],"replaced":false,"changed":["Number"],"before":{"Number":"A-1"},"after":{"Number":"A-9"}}');
CREATE TABLE projections (
	document_id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	parser_id CHAR(32) NOT NULL, 
	revision BIGINT NOT NULL, 
	at DATETIME NOT NULL, 
	CONSTRAINT pk_projections PRIMARY KEY (document_id, parser_id), 
	CONSTRAINT fk_projections_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE
);
INSERT INTO "projections" ("document_id", "team_id", "parser_id", "revision", "at") VALUES ('01a22c3489537f9da693487a736fb60d', '01a22c347cf074f68992f0f88eeb36de', '01a22c3482e47bd08279fc7a4c415b41', 1, '2026-11-30 11:26:28.389000');
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
	CONSTRAINT fk_model_usage_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE
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
INSERT INTO "parsers" ("id", "team_id", "slug", "former_slug", "description", "type", "template_key", "is_active", "settings", "post_processing", "email_address", "workflow_id", "revision", "created_at", "updated_at", "deleted_at", "name", "name_key") VALUES ('01a22c3482e47bd08279fc7a4c415b41', '01a22c347cf074f68992f0f88eeb36de', 'invoices', NULL, '', 'document', NULL, 1, '{}', NULL, NULL, '01a22c3482e47c32913b898c2a0f32bd', 1, '2026-11-30 11:26:08.630000', '2026-11-30 11:26:08.630000', NULL, 'Invoices', 'invoices');
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
CREATE TABLE saved_views (
	id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	user_id CHAR(32), 
	name VARCHAR NOT NULL, 
	"query" TEXT NOT NULL, 
	created_at DATETIME NOT NULL, 
	CONSTRAINT pk_saved_views PRIMARY KEY (id), 
	CONSTRAINT fk_saved_views_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT fk_saved_views_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
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
INSERT INTO "webhook_snapshots" ("id", "team_id", "document_id", "facts", "fields", "values", "created_at") VALUES ('01a22c34b11d763e8f9e96648e74f2cf', '01a22c347cf074f68992f0f88eeb36de', '01a22c3489537f9da693487a736fb60d', '{"id":"01a22c34-8953-7f9d-a693-487a736fb60d","name":"a.txt","isProcessed":true,"assignee":null,"teamId":"01a22c34-7cf0-74f6-8992-f0f88eeb36de","teamSlug":"default","parserId":"01a22c34-82e4-7bd0-8279-fc7a4c415b41","workflowId":"01a22c34-82e4-7c32-913b-898c2a0f32bd","externalId":null,"custom":null,"status":"processed","source":"upload","folderId":null,"pageCount":1,"createdAt":"2026-11-30T11:26:10.259Z","updatedAt":"2026-11-30T11:26:20.378Z","error":null,"review":{"isRequired":false,"status":"not_required","assignee":null,"currentStage":null,"stages":[]}}', '{"live":[{"id":"f_7mbn3uyx","name":"Number","type":"text"},{"id":"f_czigr3q3","name":"Total","type":"currency"},{"id":"f_yydvcsy2","name":"Lines","type":"table","columns":[{"id":"f_8atcshzj","name":"Item","type":"text"}]}],"deleted":[]}', X'789CAB564A8B37CF4DCA332EADAC50B25272D43554D2010A255765A61719171A2B59191A5A82042A2B53CA928B2B8D94ACA2636B01BA2F10A0', '2026-11-30 11:26:20.406000');
INSERT INTO "webhook_snapshots" ("id", "team_id", "document_id", "facts", "fields", "values", "created_at") VALUES ('01a22c34b359719f918c914c4dd3cff3', '01a22c347cf074f68992f0f88eeb36de', '01a22c34b2d97505b150dc6a660c5e86', '{"id":"01a22c34-b2d9-7505-b150-dc6a660c5e86","name":"c.txt","isProcessed":true,"assignee":null,"teamId":"01a22c34-7cf0-74f6-8992-f0f88eeb36de","teamSlug":"default","parserId":"01a22c34-82e4-7bd0-8279-fc7a4c415b41","workflowId":"01a22c34-82e4-7c32-913b-898c2a0f32bd","externalId":null,"custom":null,"status":"processed","source":"upload","folderId":null,"pageCount":1,"createdAt":"2026-11-30T11:26:20.889Z","updatedAt":"2026-11-30T11:26:21.005Z","error":null,"review":{"isRequired":false,"status":"not_required","assignee":null,"currentStage":null,"stages":[]}}', '{"live":[{"id":"f_7mbn3uyx","name":"Number","type":"text"},{"id":"f_czigr3q3","name":"Total","type":"currency"},{"id":"f_yydvcsy2","name":"Lines","type":"table","columns":[{"id":"f_8atcshzj","name":"Item","type":"text"}]}],"deleted":[]}', X'789CAB564A8B37CF4DCA332EADAC50B25272D43556D2010A255765A61719171A2B59191AE99982442A2B53CA928B2B8D94ACA2636B01C82510CD', '2026-11-30 11:26:21.015000');
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
INSERT INTO "classifiers" ("id", "team_id", "slug", "description", "is_active", "email_address", "accepted_file_types", "instructions", "fallback_action", "fallback_parser_id", "split_documents", "email_parsing", "created_at", "updated_at", "deleted_at", "name", "name_key") VALUES ('01a22c34917f7bce93986589cf9a0cb0', '01a22c347cf074f68992f0f88eeb36de', 'incoming_mail', '', 1, NULL, '[]', '', 'skip', NULL, NULL, NULL, '2026-11-30 11:26:12.368000', '2026-11-30 11:26:12.368000', NULL, 'Incoming mail', 'incoming mail');
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
	CONSTRAINT fk_idempotent_requests_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT fk_idempotent_requests_key_id FOREIGN KEY(key_id) REFERENCES api_keys (id) ON DELETE CASCADE
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
	address VARCHAR(64), 
	user_agent VARCHAR(300), 
	CONSTRAINT pk_oauth_grants PRIMARY KEY (id), 
	CONSTRAINT fk_oauth_grants_team_id_user_id FOREIGN KEY(team_id, user_id) REFERENCES memberships (team_id, user_id) ON DELETE CASCADE, 
	CONSTRAINT fk_oauth_grants_client_ref FOREIGN KEY(client_ref) REFERENCES oauth_clients (id) ON DELETE CASCADE, 
	CONSTRAINT fk_oauth_grants_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE, 
	CONSTRAINT fk_oauth_grants_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT uq_oauth_grants_code_sha256 UNIQUE (code_sha256)
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
	CONSTRAINT uq_parser_fields_parser_id_id UNIQUE (parser_id, id), 
	CONSTRAINT ck_parser_fields_type CHECK (type IN ('text', 'number', 'date', 'boolean', 'currency', 'choice', 'list', 'table')), 
	CONSTRAINT fk_parser_fields_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT fk_parser_fields_parser_id FOREIGN KEY(parser_id) REFERENCES parsers (id) ON DELETE CASCADE
);
INSERT INTO "parser_fields" ("key", "team_id", "parser_id", "table_id", "id", "name", "column", "type", "description", "instructions", "required", "position", "options", "labels", "extract", "created_at", "deleted_at") VALUES ('01a22c34830271a19d4647e08f484721', '01a22c347cf074f68992f0f88eeb36de', '01a22c3482e47bd08279fc7a4c415b41', NULL, 'f_7mbn3uyx', 'Number', 'number', 'text', NULL, NULL, 0, 0, '[]', '["Invoice Number"]', 1, '2026-11-30 11:26:08.642000', NULL);
INSERT INTO "parser_fields" ("key", "team_id", "parser_id", "table_id", "id", "name", "column", "type", "description", "instructions", "required", "position", "options", "labels", "extract", "created_at", "deleted_at") VALUES ('01a22c3483027253920a5c9f5df8960c', '01a22c347cf074f68992f0f88eeb36de', '01a22c3482e47bd08279fc7a4c415b41', NULL, 'f_czigr3q3', 'Total', 'total', 'currency', NULL, NULL, 0, 1, '[]', '[]', 1, '2026-11-30 11:26:08.642000', NULL);
INSERT INTO "parser_fields" ("key", "team_id", "parser_id", "table_id", "id", "name", "column", "type", "description", "instructions", "required", "position", "options", "labels", "extract", "created_at", "deleted_at") VALUES ('01a22c348302727993c2f67d182f8ea2', '01a22c347cf074f68992f0f88eeb36de', '01a22c3482e47bd08279fc7a4c415b41', NULL, 'f_yydvcsy2', 'Lines', 'lines', 'table', NULL, NULL, 0, 2, '[]', '[]', 1, '2026-11-30 11:26:08.642000', NULL);
INSERT INTO "parser_fields" ("key", "team_id", "parser_id", "table_id", "id", "name", "column", "type", "description", "instructions", "required", "position", "options", "labels", "extract", "created_at", "deleted_at") VALUES ('01a22c3483037fe9a34bac007d1e655f', '01a22c347cf074f68992f0f88eeb36de', '01a22c3482e47bd08279fc7a4c415b41', 'f_yydvcsy2', 'f_8atcshzj', 'Item', 'item', 'text', NULL, NULL, 0, 0, '[]', '[]', 1, '2026-11-30 11:26:08.644000', NULL);
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
INSERT INTO "folders" ("id", "team_id", "parser_id", "parent_id", "parent_key", "name", "slug", "color", "has_auto_assign", "auto_assignment", "created_at", "updated_at") VALUES ('01a22c3492997a6dadb3347be8023c03', '01a22c347cf074f68992f0f88eeb36de', '01a22c3482e47bd08279fc7a4c415b41', NULL, '01a22c3482e47bd08279fc7a4c415b41', '2026', '2026', NULL, 0, NULL, '2026-11-30 11:26:12.646000', '2026-11-30 11:26:12.646000');
CREATE TABLE review_stages (
	id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	parser_id CHAR(32) NOT NULL, 
	name VARCHAR NOT NULL, 
	reviewer_instructions VARCHAR(500), 
	position INTEGER NOT NULL, 
	review_type VARCHAR(64) NOT NULL, 
	on_failed_checks VARCHAR(64) DEFAULT 'ask' NOT NULL, 
	reviewer_id CHAR(32), 
	rules JSON NOT NULL, 
	created_at DATETIME NOT NULL, 
	updated_at DATETIME NOT NULL, 
	deleted_at DATETIME, 
	CONSTRAINT pk_review_stages PRIMARY KEY (id), 
	CONSTRAINT ck_review_stages_review_type CHECK (review_type IN ('mandatory', 'conditional')), 
	CONSTRAINT ck_review_stages_on_failed_checks CHECK (on_failed_checks IN ('ask', 'block')), 
	CONSTRAINT ck_review_stages_position CHECK (position >= 1), 
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
INSERT INTO "webhooks" ("id", "team_id", "parser_id", "url", "name", "description", "events", "headers", "sealed_secret", "previous_secrets", "value_format", "status", "failing_since", "last_delivery_at", "last_status_code", "created_at", "updated_at") VALUES ('01a22c348af37cc4923cb0e3fb7776c1', '01a22c347cf074f68992f0f88eeb36de', '01a22c3482e47bd08279fc7a4c415b41', 'https://93.184.215.14/hook', '', '', '["document.processed"]', '{}', 'v1:bVU0VK79o20TcGdh7+ooUpDU2YacvZ4a2GWZRFmOqo728r+rslvMPko81QehGsMUuZpe3qKANexDtYstHB+fy9TyHs/29BfVrB6PrClz', '[{"sealed":"v1:tKzhjJ6WLEIXCoNKcZRxUmkT0iJyjktP2XJ0yM0wjEjzBKWx2PPNmdv9Iph9igGAE0+L9ErmkPl2Ult2JkidT0sESZR5mYr8QDyUGo6C","expiresAt":"2026-12-01T11:26:11.681Z"}]', 'typed', 'active', NULL, NULL, NULL, '2026-11-30 11:26:10.689000', '2026-11-30 11:26:11.696000');
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
INSERT INTO "classifier_rules" ("id", "team_id", "classifier_id", "label", "target_parser_id", "position") VALUES ('01a22c3491807ec5ac33c802caf54878', '01a22c347cf074f68992f0f88eeb36de', '01a22c34917f7bce93986589cf9a0cb0', 'Invoice', '01a22c3482e47bd08279fc7a4c415b41', 0);
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
	CONSTRAINT uq_documents_parser_id_external_id UNIQUE (parser_id, external_id), 
	CONSTRAINT ck_documents_status CHECK (status IN ('uploading', 'queued', 'processing', 'processed', 'failed', 'in_review', 'approved', 'rejected', 'skipped')), 
	CONSTRAINT ck_documents_source CHECK (source IN ('api', 'upload', 'url', 'email', 'upload_page', 'embed', 'integration', 'mcp', 'folder')), 
	CONSTRAINT ck_documents_routing_status CHECK (routing_status IN ('pending', 'routed', 'skipped', 'failed')), 
	CONSTRAINT ck_documents_target CHECK ((parser_id IS NOT NULL) OR (classifier_id IS NOT NULL)), 
	CONSTRAINT fk_documents_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT fk_documents_parser_id FOREIGN KEY(parser_id) REFERENCES parsers (id) ON DELETE CASCADE, 
	CONSTRAINT fk_documents_classifier_id FOREIGN KEY(classifier_id) REFERENCES classifiers (id) ON DELETE SET NULL, 
	CONSTRAINT fk_documents_folder_id FOREIGN KEY(folder_id) REFERENCES folders (id) ON DELETE SET NULL, 
	CONSTRAINT fk_documents_sha256 FOREIGN KEY(sha256) REFERENCES stored_files (sha256), 
	CONSTRAINT fk_documents_assignee_id FOREIGN KEY(assignee_id) REFERENCES users (id) ON DELETE SET NULL
);
INSERT INTO "documents" ("id", "team_id", "parser_id", "classifier_id", "folder_id", "file_name", "is_renamed", "external_id", "custom", "source", "source_detail", "sha256", "content_type", "size", "page_count", "pages_read", "pages_to_read", "status", "error", "operation_id", "attempt", "lost_leases", "claimed_by", "lease_expires_at", "queued_at", "slow", "processed_at", "approved_at", "confidence", "parser_revision", "assignee_id", "split", "split_sha256", "keep_whole", "classification", "routing_status", "routing", "created_at", "updated_at", "name", "name_key") VALUES ('01a22c3489537f9da693487a736fb60d', '01a22c347cf074f68992f0f88eeb36de', '01a22c3482e47bd08279fc7a4c415b41', NULL, NULL, 'a.txt', 0, NULL, NULL, 'upload', NULL, '11588d9cc9532180b3b0a90e289c7b8add725dc2af60e737f04a3a1c5bd9413a', 'text/plain', 81, 1, NULL, NULL, 'processed', NULL, '01a22c3489537df4b1d8d083630d25dd', 1, 0, NULL, NULL, '2026-11-30 11:26:10.259000', 0, '2026-11-30 11:26:20.378000', NULL, 0.9864, 1, NULL, NULL, NULL, 0, NULL, NULL, NULL, '2026-11-30 11:26:10.259000', '2026-11-30 11:26:28.394000', 'a.txt', 'a.txt');
INSERT INTO "documents" ("id", "team_id", "parser_id", "classifier_id", "folder_id", "file_name", "is_renamed", "external_id", "custom", "source", "source_detail", "sha256", "content_type", "size", "page_count", "pages_read", "pages_to_read", "status", "error", "operation_id", "attempt", "lost_leases", "claimed_by", "lease_expires_at", "queued_at", "slow", "processed_at", "approved_at", "confidence", "parser_revision", "assignee_id", "split", "split_sha256", "keep_whole", "classification", "routing_status", "routing", "created_at", "updated_at", "name", "name_key") VALUES ('01a22c3489537fd183b9c9ea1a6819ad', '01a22c347cf074f68992f0f88eeb36de', '01a22c3482e47bd08279fc7a4c415b41', NULL, NULL, 'mail.eml', 0, NULL, NULL, 'upload', NULL, 'bdfe51d828f6d0c74daf5c7a6115a8281ee5826828f5be3f9b9488682aefef33', 'message/rfc822', 662, NULL, NULL, NULL, 'skipped', NULL, '01a22c3489537e8e889e84f7d0a6c0ef', 1, 0, NULL, NULL, '2026-11-30 11:26:10.259000', 0, NULL, NULL, NULL, 1, NULL, NULL, NULL, 0, NULL, NULL, NULL, '2026-11-30 11:26:10.259000', '2026-11-30 11:26:20.915000', 'mail.eml', 'mail.eml');
INSERT INTO "documents" ("id", "team_id", "parser_id", "classifier_id", "folder_id", "file_name", "is_renamed", "external_id", "custom", "source", "source_detail", "sha256", "content_type", "size", "page_count", "pages_read", "pages_to_read", "status", "error", "operation_id", "attempt", "lost_leases", "claimed_by", "lease_expires_at", "queued_at", "slow", "processed_at", "approved_at", "confidence", "parser_revision", "assignee_id", "split", "split_sha256", "keep_whole", "classification", "routing_status", "routing", "created_at", "updated_at", "name", "name_key") VALUES ('01a22c34b2d97505b150dc6a660c5e86', '01a22c347cf074f68992f0f88eeb36de', '01a22c3482e47bd08279fc7a4c415b41', NULL, NULL, 'c.txt', 0, NULL, NULL, 'upload', '{"mail":"01a22c34-8953-7fd1-83b9-c9ea1a6819ad","part":1,"depth":1}', 'bafed842116e94bc6aa3f925d853204025f52bc344640c5ad387056a5ac2d849', 'text/plain', 80, 1, NULL, NULL, 'processed', NULL, '01a22c34b2d9755390a5051e2d52b6b8', 1, 0, NULL, NULL, '2026-11-30 11:26:20.889000', 0, '2026-11-30 11:26:21.005000', NULL, 0.9581, 1, NULL, NULL, NULL, 0, NULL, NULL, NULL, '2026-11-30 11:26:20.889000', '2026-11-30 11:26:21.005000', 'c.txt', 'c.txt');
INSERT INTO "documents" ("id", "team_id", "parser_id", "classifier_id", "folder_id", "file_name", "is_renamed", "external_id", "custom", "source", "source_detail", "sha256", "content_type", "size", "page_count", "pages_read", "pages_to_read", "status", "error", "operation_id", "attempt", "lost_leases", "claimed_by", "lease_expires_at", "queued_at", "slow", "processed_at", "approved_at", "confidence", "parser_revision", "assignee_id", "split", "split_sha256", "keep_whole", "classification", "routing_status", "routing", "created_at", "updated_at", "name", "name_key") VALUES ('01a22c34c89a7d6db9394194c3be80cc', '01a22c347cf074f68992f0f88eeb36de', '01a22c3482e47bd08279fc7a4c415b41', NULL, NULL, 'b.txt', 0, NULL, NULL, 'upload', NULL, 'cb2703e47ccac3da974bceeed96bcfcad4d6ed5ac48a98464ac96e08d925e47f', 'text/plain', 80, NULL, NULL, NULL, 'queued', NULL, '01a22c34c89a7c19be3ec41a30722dba', 0, 0, NULL, NULL, '2026-11-30 11:26:26.458000', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, '2026-11-30 11:26:26.458000', '2026-11-30 11:26:26.458000', 'b.txt', 'b.txt');
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
INSERT INTO "webhook_deliveries" ("id", "team_id", "webhook_id", "snapshot_id", "document_id", "event", "status", "attempts", "next_attempt_at", "claimed_by", "lease_expires_at", "created_at") VALUES ('01a22c34b1557cb79f034bb1ba333349', '01a22c347cf074f68992f0f88eeb36de', '01a22c348af37cc4923cb0e3fb7776c1', '01a22c34b11d763e8f9e96648e74f2cf', '01a22c3489537f9da693487a736fb60d', 'document.processed', 'pending', '[]', '2026-11-30 11:26:20.406000', NULL, NULL, '2026-11-30 11:26:20.406000');
INSERT INTO "webhook_deliveries" ("id", "team_id", "webhook_id", "snapshot_id", "document_id", "event", "status", "attempts", "next_attempt_at", "claimed_by", "lease_expires_at", "created_at") VALUES ('01a22c34b35f74c0b772ede2d2dc143d', '01a22c347cf074f68992f0f88eeb36de', '01a22c348af37cc4923cb0e3fb7776c1', '01a22c34b359719f918c914c4dd3cff3', '01a22c34b2d97505b150dc6a660c5e86', 'document.processed', 'pending', '[]', '2026-11-30 11:26:21.015000', NULL, NULL, '2026-11-30 11:26:21.015000');
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
INSERT INTO "document_results" ("document_id", "team_id", "attempt", "mode", "values", "read_values", "evidence", "extras", "warnings", "pages", "markdown_sha256", "edited", "seconds", "created_at", "updated_at") VALUES ('01a22c3489537f9da693487a736fb60d', '01a22c347cf074f68992f0f88eeb36de', 1, 'balanced', X'789CAB564A8B37CF4DCA332EADAC50B25272D4B554D2010A255765A61719171A2B59191A5A82042A2B53CA928B2B8D94ACA2636B01BB4F10A8', X'789CAB564A8B37CF4DCA332EADAC50B25272D43554D2010A255765A61719171A2B59191A5A82042A2B53CA928B2B8D94ACA2636B01BA2F10A0', X'789C5590CD4EC33010845F05EDD98DFC5362EA1B48BC002A17104289E324968C5D1C5B6D89F2EED82925E9717666EDD96F84F6937FD596C5F309C40887AA53206C34068171B20ADAD901C4FB07025F1DF7EA14AEAE74B6D58DB232E54981110C2EFA2C200ECA0302D5E8A01A10C14775554FE7E44BA3FFEDC7F41E504CCB0D211B86F784085A0ACA0BBAC56F30A1544FFEE8CEB36F96EBAD3FC5C58E538EFE2A93DBBEE332AE6B379F66541BF2167EE0F708823BCCA2C465CA1C7513FAAC094D5EAF74D75FB28495DBD422CC870321BB02E3BBE7D71798D644D6C60AC4BCB580682B33DC90B8805C40643D4DBF84427B1E', '[]', '[]', '[{"number":1,"width":595.0,"height":842.0,"source":"text","turn":0.0}]', NULL, 1, 2.03140223799709929153e+00, '2026-11-30 11:26:20.251000', '2026-11-30 11:26:28.366000');
INSERT INTO "document_results" ("document_id", "team_id", "attempt", "mode", "values", "read_values", "evidence", "extras", "warnings", "pages", "markdown_sha256", "edited", "seconds", "created_at", "updated_at") VALUES ('01a22c34b2d97505b150dc6a660c5e86', '01a22c347cf074f68992f0f88eeb36de', 1, 'balanced', X'789CAB564A8B37CF4DCA332EADAC50B25272D43556D2010A255765A61719171A2B59191AE99982442A2B53CA928B2B8D94ACA2636B01C82510CD', NULL, X'789CA58FDB8A833010865F6599EB6C498C876EEE5AE80B94F6AA2CE221D1409AB81AB1AEF8EE8D15B1946561D9BBF9FE3930DF00228EAEA9A66D7F03364066B49039D7190786371F3EF5115449E1882050264BAC34BA017619D6384DCD63577161A72D0F8135D554611290004127735B3E98460E4B2E8BD2CE7D1AFAA31BE737C7B07BA7307E22A893EEB426081AD3D6D343F31C029E4BCB736022510D5F70DF03D3AD520BEFECCCEEBC88B36F59D4F48BFEA01879D1DF15F17612592C431C92274B42BCDF2C89B709F0DBE17C7C715DF3FF1A8F77AB758E9C', '[]', '[]', '[{"number":1,"width":595.0,"height":842.0,"source":"text","turn":0.0}]', NULL, 0, 2.66414299985626712441e-02, '2026-11-30 11:26:20.983000', '2026-11-30 11:26:20.983000');
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
	changes JSON, 
	CONSTRAINT pk_document_events PRIMARY KEY (id), 
	CONSTRAINT fk_document_events_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT fk_document_events_document_id FOREIGN KEY(document_id) REFERENCES documents (id) ON DELETE CASCADE
);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt", "changes") VALUES ('01a22c34895f7a17bfeac1bf348a700a', '01a22c347cf074f68992f0f88eeb36de', '01a22c3489537f9da693487a736fb60d', '2026-11-30 11:26:10.271000', 'stored', NULL, 'queued', NULL, 'cli', 0, NULL);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt", "changes") VALUES ('01a22c34895f7a89a727c351ac997e09', '01a22c347cf074f68992f0f88eeb36de', '01a22c3489537fd183b9c9ea1a6819ad', '2026-11-30 11:26:10.271000', 'stored', NULL, 'queued', NULL, 'cli', 0, NULL);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt", "changes") VALUES ('01a22c349de47d969f936840ccf25a68', '01a22c347cf074f68992f0f88eeb36de', '01a22c3489537f9da693487a736fb60d', '2026-11-30 11:26:15.524000', 'claimed', 'queued', 'processing', NULL, 'host/pid:[4026531836]/15448/1796037962.98/624caca7', 1, NULL);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt", "changes") VALUES ('01a22c349de47de39e021d28d8eab170', '01a22c347cf074f68992f0f88eeb36de', '01a22c3489537fd183b9c9ea1a6819ad', '2026-11-30 11:26:15.524000', 'claimed', 'queued', 'processing', NULL, 'host/pid:[4026531836]/15448/1796037962.98/624caca7', 1, NULL);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt", "changes") VALUES ('01a22c34b0dc777e82aae274b89dbd6a', '01a22c347cf074f68992f0f88eeb36de', '01a22c3489537f9da693487a736fb60d', '2026-11-30 11:26:20.380000', 'extracted', 'processing', 'processed', NULL, 'host/pid:[4026531836]/15448/1796037962.98/624caca7', 1, NULL);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt", "changes") VALUES ('01a22c34b2e77f3d90f0b99fd9f87258', '01a22c347cf074f68992f0f88eeb36de', '01a22c34b2d97505b150dc6a660c5e86', '2026-11-30 11:26:20.903000', 'stored', NULL, 'queued', NULL, 'host/pid:[4026531836]/15448/1796037962.98/624caca7', 0, NULL);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt", "changes") VALUES ('01a22c34b2f47d23aa8d28e2955e878f', '01a22c347cf074f68992f0f88eeb36de', '01a22c3489537fd183b9c9ea1a6819ad', '2026-11-30 11:26:20.916000', 'parted', 'processing', 'skipped', 'Its body holds no values of the parser''s fields; its attachment is a document of its own', 'host/pid:[4026531836]/15448/1796037962.98/624caca7', 1, NULL);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt", "changes") VALUES ('01a22c34b31275beb58caa35b9c643a7', '01a22c347cf074f68992f0f88eeb36de', '01a22c34b2d97505b150dc6a660c5e86', '2026-11-30 11:26:20.946000', 'claimed', 'queued', 'processing', NULL, 'host/pid:[4026531836]/15448/1796037962.98/624caca7', 1, NULL);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt", "changes") VALUES ('01a22c34b35673a69cac93d1861af4d4', '01a22c347cf074f68992f0f88eeb36de', '01a22c34b2d97505b150dc6a660c5e86', '2026-11-30 11:26:21.014000', 'extracted', 'processing', 'processed', NULL, 'host/pid:[4026531836]/15448/1796037962.98/624caca7', 1, NULL);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt", "changes") VALUES ('01a22c34c8ad7dfa926561871ee92fbf', '01a22c347cf074f68992f0f88eeb36de', '01a22c34c89a7d6db9394194c3be80cc', '2026-11-30 11:26:26.477000', 'stored', NULL, 'queued', NULL, 'cli', 0, NULL);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt", "changes") VALUES ('01a22c34d02479f88c5b94c3d4a01d30', '01a22c347cf074f68992f0f88eeb36de', '01a22c3489537f9da693487a736fb60d', '2026-11-30 11:26:28.388000', 'corrected', 'processed', 'processed', NULL, 'cli', 1, '{"changes":[{"field":"Number","row":null,"column":null,"before":"A-1","after":"A-9"}],"left_out":0}');
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
	CONSTRAINT uq_intake_entries_team_id_source_item_sha256 UNIQUE (team_id, source, item_sha256), 
	CONSTRAINT ck_intake_entries_outcome CHECK (outcome IN ('registered', 'duplicate', 'waiting', 'refused', 'unreadable', 'vanished')), 
	CONSTRAINT fk_intake_entries_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT fk_intake_entries_parser_id FOREIGN KEY(parser_id) REFERENCES parsers (id) ON DELETE SET NULL, 
	CONSTRAINT fk_intake_entries_document_id FOREIGN KEY(document_id) REFERENCES documents (id) ON DELETE SET NULL
);
INSERT INTO "intake_entries" ("id", "team_id", "source", "item", "item_sha256", "fingerprint", "sha256", "size", "parser_id", "classifier_id", "document_id", "outcome", "message", "finished_at", "created_at", "updated_at") VALUES ('01a22c34b2f2710aa3f501ea40abf84a', '01a22c347cf074f68992f0f88eeb36de', 'mail attachments', '01a22c34-8953-7fd1-83b9-c9ea1a6819ad/bafed842116e94bc6aa3f925d853204025f52bc344640c5ad387056a5ac2d849/1', '6695c19c78c95fd89435880d22aff03ae4b11dfcf9b67aa39e351ecdf21fdac2', 'bafed842116e94bc6aa3f925d853204025f52bc344640c5ad387056a5ac2d849', 'bafed842116e94bc6aa3f925d853204025f52bc344640c5ad387056a5ac2d849', 80, '01a22c3482e47bd08279fc7a4c415b41', NULL, '01a22c34b2d97505b150dc6a660c5e86', 'registered', '', '2026-11-30 11:26:20.914000', '2026-11-30 11:26:20.914000', '2026-11-30 11:26:20.914000');
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
INSERT INTO "lessons" ("id", "team_id", "parser_id", "document_id", "lesson", "user_id", "created_at") VALUES ('01a22c34d1c07b23aa3517085b30dc78', '01a22c347cf074f68992f0f88eeb36de', '01a22c3482e47bd08279fc7a4c415b41', '01a22c3489537f9da693487a736fb60d', '{"words":["acme","date","eur","invoice","ltd","number","total"],"marks":["acme@0","date@2","eur@4","invoice@0","ltd@2","number@2","total@0"],"places":{"f_czigr3q3":{"page":1,"left":0.0875,"top":0.06060606060606061,"right":0.1625,"before":"total","after":"eur","beside":"","above":"acmeltd","lines":1,"whole":false,"joint":" ","shape":"9.9","corrected":false,"label":"Total:","foreign":false}},"values":{},"unprinted":{},"mistakes":{"f_7mbn3uyx":{"text":"a1","cleared":false,"place":{"page":1,"left":0.2,"top":0.015151515151515152,"right":0.2375,"before":"invoicenumber","after":"","beside":"","above":"","lines":1,"whole":false,"joint":" ","shape":"A-9","corrected":true,"label":"Invoice Number:","foreign":false}}},"headers":{},"document_id":null,"edits":{"f_7mbn3uyx":{"by":"cli","at":"2026-11-30T11:26:27.240Z"}},"removed":{},"learned_at":"2026-11-30T11:26:28.800Z"}', NULL, '2026-11-30 11:26:28.800000');
CREATE TABLE owed_lessons (
	document_id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	parser_id CHAR(32) NOT NULL, 
	revision INTEGER NOT NULL, 
	lease_expires_at DATETIME, 
	created_at DATETIME NOT NULL, 
	CONSTRAINT pk_owed_lessons PRIMARY KEY (document_id), 
	CONSTRAINT fk_owed_lessons_document_id FOREIGN KEY(document_id) REFERENCES documents (id) ON DELETE CASCADE, 
	CONSTRAINT fk_owed_lessons_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT fk_owed_lessons_parser_id FOREIGN KEY(parser_id) REFERENCES parsers (id) ON DELETE CASCADE
);
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
	held_at DATETIME, 
	hold_note VARCHAR(1000), 
	approved_at DATETIME, 
	rejected_at DATETIME, 
	CONSTRAINT pk_document_stages PRIMARY KEY (id), 
	CONSTRAINT uq_document_stages_document_id_stage_id UNIQUE (document_id, stage_id), 
	CONSTRAINT ck_document_stages_status CHECK (status IN ('pending', 'in_progress', 'approved', 'rejected', 'skipped')), 
	CONSTRAINT fk_document_stages_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT fk_document_stages_document_id FOREIGN KEY(document_id) REFERENCES documents (id) ON DELETE CASCADE, 
	CONSTRAINT fk_document_stages_stage_id FOREIGN KEY(stage_id) REFERENCES review_stages (id) ON DELETE CASCADE, 
	CONSTRAINT fk_document_stages_assignee_id FOREIGN KEY(assignee_id) REFERENCES users (id) ON DELETE SET NULL
);
CREATE VIRTUAL TABLE search_index USING fts5(
        body, name, external_id, content='search_texts', content_rowid='number',
        tokenize='trigram case_sensitive 1', columnsize=0);
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" ("version_num") VALUES ('0041');
INSERT INTO search_index (search_index) VALUES ('rebuild');
CREATE INDEX ix_stored_files_released_at ON stored_files (released_at) WHERE released_at IS NOT NULL;
CREATE INDEX ix_oauth_clients_keep_until ON oauth_clients (keep_until);
CREATE INDEX ix_search_entries_parser_id_folder_id ON search_entries (parser_id, folder_id, created_at, number);
CREATE INDEX ix_search_entries_parser_id_status ON search_entries (parser_id, status, created_at, number);
CREATE INDEX ix_search_entries_parser_id_created_at ON search_entries (parser_id, created_at, number);
CREATE INDEX ix_search_entries_parser_id_shape_id ON search_entries (parser_id, shape_id, number);
CREATE INDEX ix_pending_texts_parser_id ON pending_texts (parser_id);
CREATE INDEX ix_search_shapes_parser_id ON search_shapes (parser_id);
CREATE INDEX ix_memberships_team_id ON memberships (team_id);
CREATE INDEX ix_memberships_user_id ON memberships (user_id);
CREATE INDEX ix_api_keys_team_id ON api_keys (team_id);
CREATE INDEX ix_user_sessions_user_id ON user_sessions (user_id);
CREATE INDEX ix_invitations_team_id ON invitations (team_id);
CREATE INDEX ix_password_resets_user_id ON password_resets (user_id);
CREATE INDEX ix_audit_entries_team_id_at ON audit_entries (team_id, at);
CREATE INDEX ix_audit_entries_team_id ON audit_entries (team_id);
CREATE INDEX ix_audit_entries_resource_id_at ON audit_entries (resource_id, at);
CREATE INDEX ix_projections_parser_id_at ON projections (parser_id, at);
CREATE INDEX ix_projections_team_id ON projections (team_id);
CREATE INDEX ix_parsers_team_id ON parsers (team_id);
CREATE INDEX ix_saved_queries_team_id ON saved_queries (team_id);
CREATE INDEX ix_saved_views_team_id ON saved_views (team_id);
CREATE INDEX ix_webhook_snapshots_team_id ON webhook_snapshots (team_id);
CREATE INDEX ix_webhook_snapshots_created_at ON webhook_snapshots (created_at);
CREATE INDEX ix_webhook_snapshots_document_id ON webhook_snapshots (document_id);
CREATE INDEX ix_classifiers_team_id ON classifiers (team_id);
CREATE UNIQUE INDEX ix_classifiers_team_id_slug ON classifiers (team_id, slug) WHERE deleted_at IS NULL;
CREATE INDEX ix_binned_documents_team_id_deleted_at ON binned_documents (team_id, deleted_at, id);
CREATE INDEX ix_binned_documents_batch_id ON binned_documents (batch_id);
CREATE INDEX ix_binned_documents_deleted_at ON binned_documents (deleted_at);
CREATE INDEX ix_binned_documents_markdown_sha256 ON binned_documents (markdown_sha256);
CREATE INDEX ix_binned_documents_parser_id_created_at ON binned_documents (parser_id, created_at);
CREATE INDEX ix_binned_documents_sha256 ON binned_documents (sha256);
CREATE INDEX ix_exports_team_id ON exports (team_id);
CREATE INDEX ix_exports_parser_id ON exports (parser_id);
CREATE INDEX ix_exports_expires_at ON exports (expires_at);
CREATE INDEX ix_export_layouts_team_id ON export_layouts (team_id);
CREATE INDEX ix_idempotent_requests_team_id ON idempotent_requests (team_id);
CREATE INDEX ix_idempotent_requests_begun_at ON idempotent_requests (begun_at);
CREATE INDEX ix_oauth_grants_expires_at ON oauth_grants (expires_at);
CREATE INDEX ix_oauth_grants_user_id ON oauth_grants (user_id);
CREATE INDEX ix_oauth_grants_team_id ON oauth_grants (team_id);
CREATE INDEX ix_oauth_grants_client_ref ON oauth_grants (client_ref);
CREATE INDEX ix_lookup_tables_team_id ON lookup_tables (team_id);
CREATE INDEX ix_parser_fields_parser_id_table_id ON parser_fields (parser_id, table_id);
CREATE INDEX ix_parser_fields_team_id ON parser_fields (team_id);
CREATE INDEX ix_folders_parent_id ON folders (parent_id);
CREATE INDEX ix_folders_team_id ON folders (team_id);
CREATE INDEX ix_folders_parser_id ON folders (parser_id);
CREATE INDEX ix_review_stages_parser_id_position ON review_stages (parser_id, position);
CREATE INDEX ix_review_stages_team_id ON review_stages (team_id);
CREATE INDEX ix_webhooks_parser_id ON webhooks (parser_id);
CREATE INDEX ix_webhooks_team_id ON webhooks (team_id);
CREATE INDEX ix_classifier_rules_team_id ON classifier_rules (team_id);
CREATE INDEX ix_classifier_rules_target_parser_id ON classifier_rules (target_parser_id);
CREATE INDEX ix_documents_parser_id_name_key ON documents (parser_id, name_key, id);
CREATE INDEX ix_documents_queue ON documents (slow, coalesce(parser_id, classifier_id), queued_at, id) WHERE status = 'queued';
CREATE INDEX ix_documents_parser_id_updated_at ON documents (parser_id, updated_at, id);
CREATE INDEX ix_documents_sha256_parser_id ON documents (sha256, parser_id);
CREATE INDEX ix_documents_operation_id ON documents (operation_id);
CREATE UNIQUE INDEX uq_documents_classifier_id_external_id ON documents (classifier_id, external_id) WHERE parser_id IS NULL;
CREATE INDEX ix_documents_parser_id_created_at ON documents (parser_id, created_at, id);
CREATE INDEX ix_documents_lease_expires_at ON documents (lease_expires_at) WHERE lease_expires_at IS NOT NULL;
CREATE INDEX ix_documents_split_sha256 ON documents (split_sha256) WHERE split_sha256 IS NOT NULL;
CREATE INDEX ix_documents_team_id_created_at ON documents (team_id, created_at, id, status, parser_id, page_count);
CREATE INDEX ix_documents_assignee_id ON documents (assignee_id) WHERE assignee_id IS NOT NULL;
CREATE INDEX ix_documents_classifier_id_routing_status ON documents (classifier_id, routing_status, parser_id) WHERE classifier_id IS NOT NULL;
CREATE INDEX ix_documents_folder_id ON documents (folder_id) WHERE folder_id IS NOT NULL;
CREATE INDEX ix_documents_classifier_id_created_at ON documents (classifier_id, created_at, id) WHERE classifier_id IS NOT NULL;
CREATE INDEX ix_upload_pages_team_id ON upload_pages (team_id);
CREATE INDEX ix_oauth_tokens_expires_at ON oauth_tokens (expires_at);
CREATE INDEX ix_oauth_tokens_grant_id ON oauth_tokens (grant_id);
CREATE INDEX ix_webhook_deliveries_team_id ON webhook_deliveries (team_id);
CREATE INDEX ix_webhook_deliveries_snapshot_id ON webhook_deliveries (snapshot_id);
CREATE INDEX ix_webhook_deliveries_due ON webhook_deliveries (webhook_id, next_attempt_at) WHERE status = 'pending' AND claimed_by IS NULL;
CREATE INDEX ix_webhook_deliveries_claimed ON webhook_deliveries (claimed_by) WHERE claimed_by IS NOT NULL;
CREATE INDEX ix_webhook_deliveries_webhook_id_created_at ON webhook_deliveries (webhook_id, created_at, id);
CREATE INDEX ix_webhook_deliveries_open ON webhook_deliveries (webhook_id, status, created_at) WHERE status <> 'succeeded';
CREATE INDEX ix_classifier_examples_team_id ON classifier_examples (team_id);
CREATE INDEX ix_classifier_examples_rule_id_created_at ON classifier_examples (rule_id, created_at);
CREATE INDEX ix_classifier_examples_document_id ON classifier_examples (document_id);
CREATE INDEX ix_document_events_document_id ON document_events (document_id);
CREATE INDEX ix_exported_documents_document_id ON exported_documents (document_id);
CREATE INDEX ix_intake_entries_outcome ON intake_entries (team_id, source, outcome, updated_at, id);
CREATE INDEX ix_intake_entries_latest ON intake_entries (team_id, source, updated_at, id);
CREATE INDEX ix_lessons_team_id ON lessons (team_id);
CREATE INDEX ix_lessons_parser_id_created_at ON lessons (parser_id, created_at);
CREATE INDEX ix_owed_lessons_parser_id_created_at ON owed_lessons (parser_id, created_at);
CREATE INDEX ix_owed_lessons_team_id ON owed_lessons (team_id);
CREATE INDEX ix_document_stages_document_id ON document_stages (document_id);
CREATE INDEX ix_document_stages_stage_id_status ON document_stages (stage_id, status);
CREATE INDEX ix_document_stages_assignee_id ON document_stages (assignee_id);
CREATE INDEX ix_document_stages_started_at ON document_stages (started_at, id) WHERE status = 'in_progress';
CREATE INDEX ix_document_stages_team_id ON document_stages (team_id);
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

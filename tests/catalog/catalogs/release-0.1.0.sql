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
INSERT INTO "teams" ("id", "name", "slug", "weight", "documents_per_day", "quota_day", "quota_used", "created_at", "updated_at") VALUES ('01a22c366deb77f0a944a75f9e160405', 'Default', 'default', 1, NULL, NULL, 0, '2026-11-30 11:28:14.315000', '2026-11-30 11:28:14.315000');
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
CREATE TABLE stored_files (
	sha256 VARCHAR(64) NOT NULL, 
	size BIGINT NOT NULL, 
	refs INTEGER NOT NULL, 
	created_at DATETIME NOT NULL, 
	released_at DATETIME, 
	CONSTRAINT pk_stored_files PRIMARY KEY (sha256)
);
INSERT INTO "stored_files" ("sha256", "size", "refs", "created_at", "released_at") VALUES ('1a6cb2791c430f851a8df816f199c7212c41a977eb5e62db52b937ec63f0d899', 26, 1, '2026-11-30 11:28:14.380000', NULL);
INSERT INTO "stored_files" ("sha256", "size", "refs", "created_at", "released_at") VALUES ('12c51dfadc3b0edb7a681c1039412edc59faa29c67a44d691dcc7cb489825b9c', 614, 1, '2026-11-30 11:28:14.435000', NULL);
INSERT INTO "stored_files" ("sha256", "size", "refs", "created_at", "released_at") VALUES ('1eb95bd77cddeb5ea0186592172f8fd2e2aad0c412f46709b01f2174350b96c3', 26, 1, '2026-11-30 11:28:23.888000', NULL);
INSERT INTO "stored_files" ("sha256", "size", "refs", "created_at", "released_at") VALUES ('4237f9319e20b16d7d1d446fa47e63b74b108f1baa3c3aab0469c564d66aa643', 26, 1, '2026-11-30 11:28:29.331000', NULL);
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
INSERT INTO "reading_durations" ("target_id", "slow", "seconds") VALUES ('01a22c366df978fba0b3530040d6feb7', 0, 1.72491658233290467983e+00);
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
INSERT INTO "search_entries" ("number", "document_id", "parser_id", "folder_id", "status", "created_at", "shape_id") VALUES (1, '01a22c366e2c761a84b711510634a5c7', '01a22c366df978fba0b3530040d6feb7', NULL, 'processed', '2026-11-30 11:28:14.380000', -6820350037976667321);
INSERT INTO "search_entries" ("number", "document_id", "parser_id", "folder_id", "status", "created_at", "shape_id") VALUES (2, '01a22c366e63765caeee4390bf79af67', '01a22c366df978fba0b3530040d6feb7', NULL, 'processed', '2026-11-30 11:28:14.435000', -6820350037976667321);
INSERT INTO "search_entries" ("number", "document_id", "parser_id", "folder_id", "status", "created_at", "shape_id") VALUES (3, '01a22c3693337e75adc6faa1d022a87d', '01a22c366df978fba0b3530040d6feb7', NULL, 'skipped', '2026-11-30 11:28:23.859000', NULL);
INSERT INTO "search_entries" ("number", "document_id", "parser_id", "folder_id", "status", "created_at", "shape_id") VALUES (4, '01a22c36a8937524a181dde381204f80', '01a22c366df978fba0b3530040d6feb7', NULL, 'queued', '2026-11-30 11:28:29.331000', NULL);
CREATE TABLE search_texts (
	number INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	external_id TEXT NOT NULL, 
	body TEXT NOT NULL, 
	CONSTRAINT pk_search_texts PRIMARY KEY (number)
);
INSERT INTO "search_texts" ("number", "name", "external_id", "body") VALUES (1, 'a.txt', '', 'a-9
119');
INSERT INTO "search_texts" ("number", "name", "external_id", "body") VALUES (2, 'c.txt', '', 'a-3
119');
INSERT INTO "search_texts" ("number", "name", "external_id", "body") VALUES (3, 'mail.eml', '', '');
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
INSERT INTO "search_values" ("key", "value", "number") VALUES (-3550171073109804634, 'a-3', 2);
INSERT INTO "search_values" ("key", "value", "number") VALUES (-3550171073109804634, 'a-9', 1);
INSERT INTO "search_values" ("key", "value", "number") VALUES (8773871634208332052, 'a.txt', 1);
INSERT INTO "search_values" ("key", "value", "number") VALUES (8773871634208332052, 'b.txt', 4);
INSERT INTO "search_values" ("key", "value", "number") VALUES (8773871634208332052, 'c.txt', 2);
INSERT INTO "search_values" ("key", "value", "number") VALUES (8773871634208332052, 'mail.eml', 3);
INSERT INTO "search_values" ("key", "value", "number") VALUES (9012677205031613529, '25002119', 1);
INSERT INTO "search_values" ("key", "value", "number") VALUES (9012677205031613529, '25002119', 2);
CREATE TABLE search_shapes (
	id BIGINT NOT NULL, 
	parser_id CHAR(32) NOT NULL, 
	fields JSON NOT NULL, 
	CONSTRAINT pk_search_shapes PRIMARY KEY (id)
);
INSERT INTO "search_shapes" ("id", "parser_id", "fields") VALUES (-6820350037976667321, '01a22c366df978fba0b3530040d6feb7', '[["f_kifrkv5t","text"],["f_du7i4y88","number"],["f_5ngyj57d","list"],["f_8rwxmyqj","table"],["f_8rwxmyqj.f_xrai6vn7","text"],["f_8rwxmyqj.f_8ju6qfhg","number"]]');
CREATE TABLE document_counts (
	parser_id CHAR(32) NOT NULL, 
	folder_id CHAR(32) NOT NULL, 
	status VARCHAR(64) NOT NULL, 
	shard INTEGER NOT NULL, 
	documents BIGINT NOT NULL, 
	CONSTRAINT pk_document_counts PRIMARY KEY (parser_id, folder_id, status, shard)
);
INSERT INTO "document_counts" ("parser_id", "folder_id", "status", "shard", "documents") VALUES ('01a22c366df978fba0b3530040d6feb7', '00000000000000000000000000000000', 'queued', 0, 1);
INSERT INTO "document_counts" ("parser_id", "folder_id", "status", "shard", "documents") VALUES ('01a22c366df978fba0b3530040d6feb7', '00000000000000000000000000000000', 'processing', 0, 0);
INSERT INTO "document_counts" ("parser_id", "folder_id", "status", "shard", "documents") VALUES ('01a22c366df978fba0b3530040d6feb7', '00000000000000000000000000000000', 'processed', 0, 2);
INSERT INTO "document_counts" ("parser_id", "folder_id", "status", "shard", "documents") VALUES ('01a22c366df978fba0b3530040d6feb7', '00000000000000000000000000000000', 'skipped', 0, 1);
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
INSERT INTO "audit_entries" ("id", "team_id", "at", "actor", "action", "resource_type", "resource_id", "details") VALUES ('01a22c366e08710e9ea4f51348c784d6', '01a22c366deb77f0a944a75f9e160405', '2026-11-30 11:28:14.344000', 'user', 'parser.created', 'parser', '01a22c366df978fba0b3530040d6feb7', '{"name":"Invoices"}');
INSERT INTO "audit_entries" ("id", "team_id", "at", "actor", "action", "resource_type", "resource_id", "details") VALUES ('01a22c366e1f75b2b09b222a26554100', '01a22c366deb77f0a944a75f9e160405', '2026-11-30 11:28:14.367000', 'user', 'classifier.created', 'classifier', '01a22c366e1b7b44a3b68417efb65ae5', '{"name":"Incoming mail","after":{"name":"Incoming mail","description":"","isActive":true,"routing":{"rules":[{"id":"01a22c36-6e1d-707e-8c9c-346b7d679421","label":"Invoices","targetParserId":"01a22c36-6df9-78fb-a0b3-530040d6feb7"}],"fallback":{"action":"skip","targetParserId":null},"instructions":""},"acceptedFileTypes":[],"splitDocuments":null,"emailParsing":null}}');
INSERT INTO "audit_entries" ("id", "team_id", "at", "actor", "action", "resource_type", "resource_id", "details") VALUES ('01a22c366ead7dc784e31b830f7c4466', '01a22c366deb77f0a944a75f9e160405', '2026-11-30 11:28:14.509000', 'user', 'webhook.created', 'webhook', '01a22c366e8a7545b70cd0ee95188010', '{"parser":"01a22c36-6df9-78fb-a0b3-530040d6feb7","before":null,"after":{"url":"https://example.org/hook","events":["document.processed"],"valueFormat":"typed","name":"","description":"","headers":[],"status":"active"}}');
INSERT INTO "audit_entries" ("id", "team_id", "at", "actor", "action", "resource_type", "resource_id", "details") VALUES ('01a22c366eb77ba59d9f93abb371efe6', '01a22c366deb77f0a944a75f9e160405', '2026-11-30 11:28:14.519000', 'test', 'webhook.secret_rotated', 'webhook', '01a22c366e8a7545b70cd0ee95188010', '{"previousSecretExpiresAt":"2026-12-01T11:28:14.510Z"}');
INSERT INTO "audit_entries" ("id", "team_id", "at", "actor", "action", "resource_type", "resource_id", "details") VALUES ('01a22c36ad427e4bbeeede5663e90ed8', '01a22c366deb77f0a944a75f9e160405', '2026-11-30 11:28:30.530000', 'user', 'document.corrected', 'document', '01a22c366e2c761a84b711510634a5c7', '{"fields":["Number"],"replaced":false,"changed":["Number"],"before":{"Number":"A-1"},"after":{"Number":"A-9"}}');
CREATE TABLE projections (
	document_id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	parser_id CHAR(32) NOT NULL, 
	revision BIGINT NOT NULL, 
	at DATETIME NOT NULL, 
	CONSTRAINT pk_projections PRIMARY KEY (document_id, parser_id), 
	CONSTRAINT fk_projections_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE
);
INSERT INTO "projections" ("document_id", "team_id", "parser_id", "revision", "at") VALUES ('01a22c366e2c761a84b711510634a5c7', '01a22c366deb77f0a944a75f9e160405', '01a22c366df978fba0b3530040d6feb7', 1, '2026-11-30 11:28:30.531000');
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
INSERT INTO "parsers" ("id", "team_id", "slug", "former_slug", "description", "type", "template_key", "is_active", "settings", "post_processing", "email_address", "workflow_id", "revision", "created_at", "updated_at", "deleted_at", "name", "name_key") VALUES ('01a22c366df978fba0b3530040d6feb7', '01a22c366deb77f0a944a75f9e160405', 'invoices', NULL, '', 'document', NULL, 1, '{}', NULL, NULL, '01a22c366df9799ca6775a6cc00586fa', 1, '2026-11-30 11:28:14.331000', '2026-11-30 11:28:14.331000', NULL, 'Invoices', 'invoices');
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
INSERT INTO "webhook_snapshots" ("id", "team_id", "document_id", "facts", "fields", "values", "created_at") VALUES ('01a22c3691e474f5bd5ad3b0ddfa2b62', '01a22c366deb77f0a944a75f9e160405', '01a22c366e2c761a84b711510634a5c7', '{"id":"01a22c36-6e2c-761a-84b7-11510634a5c7","name":"a.txt","isProcessed":true,"assignee":null,"teamId":"01a22c36-6deb-77f0-a944-a75f9e160405","teamSlug":"default","parserId":"01a22c36-6df9-78fb-a0b3-530040d6feb7","workflowId":"01a22c36-6df9-799c-a677-5a6cc00586fa","externalId":null,"custom":null,"status":"processed","source":"api","folderId":null,"pageCount":1,"createdAt":"2026-11-30T11:28:14.380Z","updatedAt":"2026-11-30T11:28:23.437Z","error":null,"review":{"isRequired":false,"status":"not_required","assignee":null,"currentStage":null,"stages":[]}}', '{"live":[{"id":"f_kifrkv5t","name":"Number","type":"text"},{"id":"f_du7i4y88","name":"Total","type":"currency"},{"id":"f_5ngyj57d","name":"Tags","type":"list"},{"id":"f_8rwxmyqj","name":"Line Items","type":"table","columns":[{"id":"f_xrai6vn7","name":"Description","type":"text"},{"id":"f_8ju6qfhg","name":"Amount","type":"currency"}]}],"deleted":[]}', X'789CAB564A8BCFCE4C2BCA2E332D51B25272D43554D2010AA5949A679A545A582859191A5A82044CF3D22BB34CCD5394ACA263417C8BA2F28ADCCAC22C10BF1600DB3C155A', '2026-11-30 11:28:23.479000');
INSERT INTO "webhook_snapshots" ("id", "team_id", "document_id", "facts", "fields", "values", "created_at") VALUES ('01a22c3693d17d5692e5e573f9517c74', '01a22c366deb77f0a944a75f9e160405', '01a22c366e63765caeee4390bf79af67', '{"id":"01a22c36-6e63-765c-aeee-4390bf79af67","name":"c.txt","isProcessed":true,"assignee":null,"teamId":"01a22c36-6deb-77f0-a944-a75f9e160405","teamSlug":"default","parserId":"01a22c36-6df9-78fb-a0b3-530040d6feb7","workflowId":"01a22c36-6df9-799c-a677-5a6cc00586fa","externalId":null,"custom":null,"status":"processed","source":"api","folderId":null,"pageCount":1,"createdAt":"2026-11-30T11:28:14.435Z","updatedAt":"2026-11-30T11:28:24.001Z","error":null,"review":{"isRequired":false,"status":"not_required","assignee":null,"currentStage":null,"stages":[]}}', '{"live":[{"id":"f_kifrkv5t","name":"Number","type":"text"},{"id":"f_du7i4y88","name":"Total","type":"currency"},{"id":"f_5ngyj57d","name":"Tags","type":"list"},{"id":"f_8rwxmyqj","name":"Line Items","type":"table","columns":[{"id":"f_xrai6vn7","name":"Description","type":"text"},{"id":"f_8ju6qfhg","name":"Amount","type":"currency"}]}],"deleted":[]}', X'789CAB564A8BCFCE4C2BCA2E332D51B25272D43556D2010AA5949A679A545A582859191A5A82044CF3D22BB34CCD5394ACA263417C8BA2F28ADCCAC22C10BF1600DBA4155C', '2026-11-30 11:28:24.003000');
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
INSERT INTO "classifiers" ("id", "team_id", "slug", "description", "is_active", "email_address", "accepted_file_types", "instructions", "fallback_action", "fallback_parser_id", "split_documents", "email_parsing", "created_at", "updated_at", "deleted_at", "name", "name_key") VALUES ('01a22c366e1b7b44a3b68417efb65ae5', '01a22c366deb77f0a944a75f9e160405', 'incoming_mail', '', 1, NULL, '[]', '', 'skip', NULL, NULL, NULL, '2026-11-30 11:28:14.366000', '2026-11-30 11:28:14.366000', NULL, 'Incoming mail', 'incoming mail');
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
INSERT INTO "parser_fields" ("key", "team_id", "parser_id", "table_id", "id", "name", "column", "type", "description", "instructions", "required", "position", "options", "labels", "extract", "created_at", "deleted_at") VALUES ('01a22c366e007ca480b8bfefd25bca86', '01a22c366deb77f0a944a75f9e160405', '01a22c366df978fba0b3530040d6feb7', NULL, 'f_kifrkv5t', 'Number', 'number', 'text', NULL, NULL, 1, 0, '[]', '[]', 1, '2026-11-30 11:28:14.336000', NULL);
INSERT INTO "parser_fields" ("key", "team_id", "parser_id", "table_id", "id", "name", "column", "type", "description", "instructions", "required", "position", "options", "labels", "extract", "created_at", "deleted_at") VALUES ('01a22c366e007d2a97b12bf86a486cbd', '01a22c366deb77f0a944a75f9e160405', '01a22c366df978fba0b3530040d6feb7', NULL, 'f_du7i4y88', 'Total', 'total', 'currency', NULL, NULL, 0, 1, '[]', '[]', 1, '2026-11-30 11:28:14.336000', NULL);
INSERT INTO "parser_fields" ("key", "team_id", "parser_id", "table_id", "id", "name", "column", "type", "description", "instructions", "required", "position", "options", "labels", "extract", "created_at", "deleted_at") VALUES ('01a22c366e007d4e837306e68191b94f', '01a22c366deb77f0a944a75f9e160405', '01a22c366df978fba0b3530040d6feb7', NULL, 'f_5ngyj57d', 'Tags', 'tags', 'list', NULL, NULL, 0, 2, '[]', '[]', 1, '2026-11-30 11:28:14.336000', NULL);
INSERT INTO "parser_fields" ("key", "team_id", "parser_id", "table_id", "id", "name", "column", "type", "description", "instructions", "required", "position", "options", "labels", "extract", "created_at", "deleted_at") VALUES ('01a22c366e007d67a0dbb248ac30301f', '01a22c366deb77f0a944a75f9e160405', '01a22c366df978fba0b3530040d6feb7', NULL, 'f_8rwxmyqj', 'Line Items', 'line_items', 'table', NULL, NULL, 0, 3, '[]', '[]', 1, '2026-11-30 11:28:14.336000', NULL);
INSERT INTO "parser_fields" ("key", "team_id", "parser_id", "table_id", "id", "name", "column", "type", "description", "instructions", "required", "position", "options", "labels", "extract", "created_at", "deleted_at") VALUES ('01a22c366e067c88ac5b01301980ac44', '01a22c366deb77f0a944a75f9e160405', '01a22c366df978fba0b3530040d6feb7', 'f_8rwxmyqj', 'f_xrai6vn7', 'Description', 'description', 'text', NULL, NULL, 0, 0, '[]', '[]', 1, '2026-11-30 11:28:14.342000', NULL);
INSERT INTO "parser_fields" ("key", "team_id", "parser_id", "table_id", "id", "name", "column", "type", "description", "instructions", "required", "position", "options", "labels", "extract", "created_at", "deleted_at") VALUES ('01a22c366e067ced882c9665a76d2096', '01a22c366deb77f0a944a75f9e160405', '01a22c366df978fba0b3530040d6feb7', 'f_8rwxmyqj', 'f_8ju6qfhg', 'Amount', 'amount', 'currency', NULL, NULL, 0, 1, '[]', '[]', 1, '2026-11-30 11:28:14.342000', NULL);
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
INSERT INTO "webhooks" ("id", "team_id", "parser_id", "url", "name", "description", "events", "headers", "sealed_secret", "previous_secrets", "value_format", "status", "failing_since", "last_delivery_at", "last_status_code", "created_at", "updated_at") VALUES ('01a22c366e8a7545b70cd0ee95188010', '01a22c366deb77f0a944a75f9e160405', '01a22c366df978fba0b3530040d6feb7', 'https://example.org/hook', '', '', '["document.processed"]', '{}', 'v1:P0lmJ3Wmoa14qP86fqnZnW1qZLsSidLVTTbk6yEn5F+kZsBiGe85I45OYAqzs/6/1PNuMbXdc5skCVfmE3jvGl9Ua/1oYMSqz66k+tLa', '[{"sealed":"v1:1PikCBpRBKMef3vymmd3NoAf553r1++4mW18jHQuzHBrFjeNVLohrVmLNY68QIf4wTrBakyPo2y2DKpkGYcAox8kczlsUC2sROkfOqEp","expiresAt":"2026-12-01T11:28:14.510Z"}]', 'typed', 'active', NULL, NULL, NULL, '2026-11-30 11:28:14.504000', '2026-11-30 11:28:14.520000');
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
INSERT INTO "classifier_rules" ("id", "team_id", "classifier_id", "label", "target_parser_id", "position") VALUES ('01a22c366e1d707e8c9c346b7d679421', '01a22c366deb77f0a944a75f9e160405', '01a22c366e1b7b44a3b68417efb65ae5', 'Invoices', '01a22c366df978fba0b3530040d6feb7', 0);
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
	container_id CHAR(32), 
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
INSERT INTO "documents" ("id", "team_id", "parser_id", "classifier_id", "folder_id", "file_name", "is_renamed", "external_id", "custom", "source", "source_detail", "sha256", "content_type", "size", "page_count", "pages_read", "pages_to_read", "status", "error", "operation_id", "attempt", "lost_leases", "claimed_by", "lease_expires_at", "queued_at", "slow", "processed_at", "approved_at", "confidence", "parser_revision", "assignee_id", "split", "split_sha256", "container_id", "keep_whole", "classification", "routing_status", "routing", "created_at", "updated_at", "name", "name_key") VALUES ('01a22c366e2c761a84b711510634a5c7', '01a22c366deb77f0a944a75f9e160405', '01a22c366df978fba0b3530040d6feb7', NULL, NULL, 'a.txt', 0, NULL, NULL, 'api', NULL, '1a6cb2791c430f851a8df816f199c7212c41a977eb5e62db52b937ec63f0d899', 'text/plain', 26, 1, NULL, NULL, 'processed', NULL, '01a22c366e2c764189389425699631f5', 1, 0, NULL, NULL, '2026-11-30 11:28:14.380000', 0, '2026-11-30 11:28:23.436000', NULL, 0.9864, 1, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, '2026-11-30 11:28:14.380000', '2026-11-30 11:28:30.531000', 'a.txt', 'a.txt');
INSERT INTO "documents" ("id", "team_id", "parser_id", "classifier_id", "folder_id", "file_name", "is_renamed", "external_id", "custom", "source", "source_detail", "sha256", "content_type", "size", "page_count", "pages_read", "pages_to_read", "status", "error", "operation_id", "attempt", "lost_leases", "claimed_by", "lease_expires_at", "queued_at", "slow", "processed_at", "approved_at", "confidence", "parser_revision", "assignee_id", "split", "split_sha256", "container_id", "keep_whole", "classification", "routing_status", "routing", "created_at", "updated_at", "name", "name_key") VALUES ('01a22c366e63765caeee4390bf79af67', '01a22c366deb77f0a944a75f9e160405', '01a22c366df978fba0b3530040d6feb7', NULL, NULL, 'c.txt', 0, NULL, NULL, 'api', '{"mail":"01a22c36-9333-7e75-adc6-faa1d022a87d","part":1,"depth":1}', '1eb95bd77cddeb5ea0186592172f8fd2e2aad0c412f46709b01f2174350b96c3', 'text/plain', 26, 1, NULL, NULL, 'processed', NULL, '01a22c366e637689bceabe70160b9993', 2, 0, NULL, NULL, '2026-11-30 11:28:23.905000', 0, '2026-11-30 11:28:24.001000', NULL, 0.9581, 1, NULL, NULL, NULL, '01a22c366e63765caeee4390bf79af67', 0, NULL, NULL, NULL, '2026-11-30 11:28:14.435000', '2026-11-30 11:28:24.001000', 'c.txt', 'c.txt');
INSERT INTO "documents" ("id", "team_id", "parser_id", "classifier_id", "folder_id", "file_name", "is_renamed", "external_id", "custom", "source", "source_detail", "sha256", "content_type", "size", "page_count", "pages_read", "pages_to_read", "status", "error", "operation_id", "attempt", "lost_leases", "claimed_by", "lease_expires_at", "queued_at", "slow", "processed_at", "approved_at", "confidence", "parser_revision", "assignee_id", "split", "split_sha256", "container_id", "keep_whole", "classification", "routing_status", "routing", "created_at", "updated_at", "name", "name_key") VALUES ('01a22c3693337e75adc6faa1d022a87d', '01a22c366deb77f0a944a75f9e160405', '01a22c366df978fba0b3530040d6feb7', NULL, NULL, 'mail.eml', 0, NULL, NULL, 'api', NULL, '12c51dfadc3b0edb7a681c1039412edc59faa29c67a44d691dcc7cb489825b9c', 'message/rfc822', 614, NULL, NULL, NULL, 'skipped', NULL, '01a22c3693337ecfb8e9f141a1fb1b1f', 0, 0, NULL, NULL, '2026-11-30 11:28:23.859000', 0, NULL, NULL, NULL, 1, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, '2026-11-30 11:28:23.859000', '2026-11-30 11:28:23.909000', 'mail.eml', 'mail.eml');
INSERT INTO "documents" ("id", "team_id", "parser_id", "classifier_id", "folder_id", "file_name", "is_renamed", "external_id", "custom", "source", "source_detail", "sha256", "content_type", "size", "page_count", "pages_read", "pages_to_read", "status", "error", "operation_id", "attempt", "lost_leases", "claimed_by", "lease_expires_at", "queued_at", "slow", "processed_at", "approved_at", "confidence", "parser_revision", "assignee_id", "split", "split_sha256", "container_id", "keep_whole", "classification", "routing_status", "routing", "created_at", "updated_at", "name", "name_key") VALUES ('01a22c36a8937524a181dde381204f80', '01a22c366deb77f0a944a75f9e160405', '01a22c366df978fba0b3530040d6feb7', NULL, NULL, 'b.txt', 0, NULL, NULL, 'api', NULL, '4237f9319e20b16d7d1d446fa47e63b74b108f1baa3c3aab0469c564d66aa643', 'text/plain', 26, NULL, NULL, NULL, 'queued', NULL, '01a22c36a8937554ac5198c19f5a78ce', 0, 0, NULL, NULL, '2026-11-30 11:28:29.331000', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, '2026-11-30 11:28:29.331000', '2026-11-30 11:28:29.331000', 'b.txt', 'b.txt');
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
INSERT INTO "webhook_deliveries" ("id", "team_id", "webhook_id", "snapshot_id", "document_id", "event", "status", "attempts", "next_attempt_at", "claimed_by", "lease_expires_at", "created_at") VALUES ('01a22c3691fb76f6b78b3fb566b75615', '01a22c366deb77f0a944a75f9e160405', '01a22c366e8a7545b70cd0ee95188010', '01a22c3691e474f5bd5ad3b0ddfa2b62', '01a22c366e2c761a84b711510634a5c7', 'document.processed', 'pending', '[]', '2026-11-30 11:28:23.479000', NULL, NULL, '2026-11-30 11:28:23.479000');
INSERT INTO "webhook_deliveries" ("id", "team_id", "webhook_id", "snapshot_id", "document_id", "event", "status", "attempts", "next_attempt_at", "claimed_by", "lease_expires_at", "created_at") VALUES ('01a22c3693d27efd9c326fcb5493e202', '01a22c366deb77f0a944a75f9e160405', '01a22c366e8a7545b70cd0ee95188010', '01a22c3693d17d5692e5e573f9517c74', '01a22c366e63765caeee4390bf79af67', 'document.processed', 'pending', '[]', '2026-11-30 11:28:24.003000', NULL, NULL, '2026-11-30 11:28:24.003000');
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
INSERT INTO "document_results" ("document_id", "team_id", "attempt", "mode", "values", "read_values", "evidence", "extras", "warnings", "pages", "markdown_sha256", "edited", "seconds", "created_at", "updated_at") VALUES ('01a22c366e2c761a84b711510634a5c7', '01a22c366deb77f0a944a75f9e160405', 1, 'balanced', X'789CAB564A8BCFCE4C2BCA2E332D51B25272D4B554D2010AA5949A679A545A582859191A5A82044CF3D22BB34CCD5394ACA263417C8BA2F28ADCCAC22C10BF1600DCDC1562', X'789CAB564A8BCFCE4C2BCA2E332D51B25272D43554D2010AA5949A679A545A582859191A5A82044CF3D22BB34CCD5394ACA263417C8BA2F28ADCCAC22C10BF1600DB3C155A', X'789C5D90C16E83301044FF65CF0EF24288C1B7F61B726A555504DBC18A852363378910FF5E9B14417A9C9D597BF68DA0BE2F5AB9CB4FE9818F706DCE12781F8C21606CDB786DFB01F8E71701D7DC8EF2EE17B7B5BDD242F66DCC6346090C36B824200CD2010129B49702B877412EEAFDF1DF7F8B0F424EF3C30E7157D02322CF2B9ED759C1CA0F9848EC2702D3FB4755A57EDB5F6956B39C91BFCEF85A785CC7A793BDA75D23954F5BB46225016FAFB3C012A3BA69E1BB5927AF93FADC3DB3581CF6B1859F2F07C43AA314A62D8E65B82130A75702AA31C30B8227C11540D2D3F40B91297966', '[]', '[]', '[{"number":1,"width":595.0,"height":842.0,"source":"text","turn":0.0}]', NULL, 1, 2.34271447299761348403e+00, '2026-11-30 11:28:23.312000', '2026-11-30 11:28:30.474000');
INSERT INTO "document_results" ("document_id", "team_id", "attempt", "mode", "values", "read_values", "evidence", "extras", "warnings", "pages", "markdown_sha256", "edited", "seconds", "created_at", "updated_at") VALUES ('01a22c366e63765caeee4390bf79af67', '01a22c366deb77f0a944a75f9e160405', 2, 'balanced', X'789CAB564A8BCFCE4C2BCA2E332D51B25272D43556D2010AA5949A679A545A582859191A5A82044CF3D22BB34CCD5394ACA263417C8BA2F28ADCCAC22C10BF1600DBA4155C', NULL, X'789CA58FD10A82301486DFE55C2FD952537757CFD05D4498DB74385CE84C457CF7B64A8C8820BA3BDFCF7F0EE71B419C4A29EAF21A1AA02364BA1292F12AE340B197047E80E092E6960802A5B3D4485D35400FE3129FCFBA77BB8A0BE3B66C64F4C54D1841279929EEB31F85080A2EF3E2DEC2C4DF0493ADF2DE326C573E4C470475DAED970441A3DBDA3DF3E821E04C1ACE808A54357CC6DD00B46A959A796B1E6CCF8B136B23190C71FC412F5A47BFEBE1D889CC862424E1ABE5574942120FE337CF67F8AFEA74034C2E8BB8', '[]', '[]', '[{"number":1,"width":595.0,"height":842.0,"source":"text","turn":0.0}]', NULL, 0, 9.422055001778062433e-03, '2026-11-30 11:28:23.979000', '2026-11-30 11:28:23.979000');
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
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt", "changes") VALUES ('01a22c366e3f7676bf2b8fe54f74d2f7', '01a22c366deb77f0a944a75f9e160405', '01a22c366e2c761a84b711510634a5c7', '2026-11-30 11:28:14.399000', 'stored', NULL, 'queued', NULL, 'upload', 0, NULL);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt", "changes") VALUES ('01a22c366e727161965ef8ec8fad5992', '01a22c366deb77f0a944a75f9e160405', '01a22c366e63765caeee4390bf79af67', '2026-11-30 11:28:14.450000', 'stored', NULL, 'queued', NULL, 'upload', 0, NULL);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt", "changes") VALUES ('01a22c36794a710282c7304f3b9fdf2f', '01a22c366deb77f0a944a75f9e160405', '01a22c366e2c761a84b711510634a5c7', '2026-11-30 11:28:17.225000', 'claimed', 'queued', 'processing', NULL, 'host/pid:[4026531836]/15743/1796037997.95/bc0ae095', 1, NULL);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt", "changes") VALUES ('01a22c36794a7189b4c17b186d4a45f9', '01a22c366deb77f0a944a75f9e160405', '01a22c366e63765caeee4390bf79af67', '2026-11-30 11:28:17.225000', 'claimed', 'queued', 'processing', NULL, 'host/pid:[4026531836]/15743/1796037997.95/bc0ae095', 1, NULL);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt", "changes") VALUES ('01a22c3691a7720fa66f3cbc30ff2032', '01a22c366deb77f0a944a75f9e160405', '01a22c366e2c761a84b711510634a5c7', '2026-11-30 11:28:23.463000', 'extracted', 'processing', 'processed', NULL, 'host/pid:[4026531836]/15743/1796037997.95/bc0ae095', 1, NULL);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt", "changes") VALUES ('01a22c3693347eb8a3aeee0cf9f8b7e0', '01a22c366deb77f0a944a75f9e160405', '01a22c3693337e75adc6faa1d022a87d', '2026-11-30 11:28:23.860000', 'stored', NULL, 'queued', NULL, 'host/pid:[4026531836]/15743/1796037997.95/bc0ae095', 0, NULL);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt", "changes") VALUES ('01a22c36936377d2860f1167631008ed', '01a22c366deb77f0a944a75f9e160405', '01a22c366e63765caeee4390bf79af67', '2026-11-30 11:28:23.907000', 'split', 'processing', 'queued', 'Its body holds no values of the parser''s fields; its attachment is a document of its own', 'host/pid:[4026531836]/15743/1796037997.95/bc0ae095', 1, NULL);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt", "changes") VALUES ('01a22c369378728a9201c2605dd1a077', '01a22c366deb77f0a944a75f9e160405', '01a22c3693337e75adc6faa1d022a87d', '2026-11-30 11:28:23.928000', 'parted', 'queued', 'skipped', 'Its body holds no values of the parser''s fields; its attachment is a document of its own', 'host/pid:[4026531836]/15743/1796037997.95/bc0ae095', 0, NULL);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt", "changes") VALUES ('01a22c36938e716081b39f5a1dce7b17', '01a22c366deb77f0a944a75f9e160405', '01a22c366e63765caeee4390bf79af67', '2026-11-30 11:28:23.950000', 'claimed', 'queued', 'processing', NULL, 'host/pid:[4026531836]/15743/1796037997.95/bc0ae095', 2, NULL);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt", "changes") VALUES ('01a22c3693c27a7789437d466facff36', '01a22c366deb77f0a944a75f9e160405', '01a22c366e63765caeee4390bf79af67', '2026-11-30 11:28:24.002000', 'extracted', 'processing', 'processed', NULL, 'host/pid:[4026531836]/15743/1796037997.95/bc0ae095', 2, NULL);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt", "changes") VALUES ('01a22c36a89473749926c53c98a950e5', '01a22c366deb77f0a944a75f9e160405', '01a22c36a8937524a181dde381204f80', '2026-11-30 11:28:29.332000', 'stored', NULL, 'queued', NULL, 'upload', 0, NULL);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt", "changes") VALUES ('01a22c36ad4373089bbe413fd4317536', '01a22c366deb77f0a944a75f9e160405', '01a22c366e2c761a84b711510634a5c7', '2026-11-30 11:28:30.531000', 'corrected', 'processed', 'processed', NULL, 'user', 1, '{"changes":[{"field":"Number","row":null,"column":null,"before":"A-1","after":"A-9"}],"left_out":0}');
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
INSERT INTO "intake_entries" ("id", "team_id", "source", "item", "item_sha256", "fingerprint", "sha256", "size", "parser_id", "classifier_id", "document_id", "outcome", "message", "finished_at", "created_at", "updated_at") VALUES ('01a22c36934e78378165ea2f1092063a', '01a22c366deb77f0a944a75f9e160405', 'mail attachments', '01a22c36-9333-7e75-adc6-faa1d022a87d/1eb95bd77cddeb5ea0186592172f8fd2e2aad0c412f46709b01f2174350b96c3/1', 'e232a888b3eee5684190e7f401ae6a33c40402ced7379bbc6230fb3284dce620', '1eb95bd77cddeb5ea0186592172f8fd2e2aad0c412f46709b01f2174350b96c3', '1eb95bd77cddeb5ea0186592172f8fd2e2aad0c412f46709b01f2174350b96c3', 26, '01a22c366df978fba0b3530040d6feb7', NULL, '01a22c366e63765caeee4390bf79af67', 'registered', '', '2026-11-30 11:28:23.886000', '2026-11-30 11:28:23.886000', '2026-11-30 11:28:23.886000');
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
INSERT INTO "owed_lessons" ("document_id", "team_id", "parser_id", "revision", "lease_expires_at", "created_at") VALUES ('01a22c366e2c761a84b711510634a5c7', '01a22c366deb77f0a944a75f9e160405', '01a22c366df978fba0b3530040d6feb7', 1, NULL, '2026-11-30 11:28:30.503000');
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
INSERT INTO "alembic_version" ("version_num") VALUES ('0045');
INSERT INTO search_index (search_index) VALUES ('rebuild');
CREATE INDEX ix_stored_files_released_at ON stored_files (released_at) WHERE released_at IS NOT NULL;
CREATE INDEX ix_oauth_clients_keep_until ON oauth_clients (keep_until);
CREATE INDEX ix_search_entries_parser_id_shape_id ON search_entries (parser_id, shape_id, number);
CREATE INDEX ix_search_entries_parser_id_created_at ON search_entries (parser_id, created_at, number);
CREATE INDEX ix_search_entries_parser_id_status ON search_entries (parser_id, status, created_at, number);
CREATE INDEX ix_search_entries_parser_id_folder_id ON search_entries (parser_id, folder_id, created_at, number);
CREATE INDEX ix_pending_texts_parser_id ON pending_texts (parser_id);
CREATE INDEX ix_search_shapes_parser_id ON search_shapes (parser_id);
CREATE INDEX ix_memberships_user_id ON memberships (user_id);
CREATE INDEX ix_memberships_team_id ON memberships (team_id);
CREATE INDEX ix_api_keys_team_id ON api_keys (team_id);
CREATE INDEX ix_user_sessions_user_id ON user_sessions (user_id);
CREATE INDEX ix_invitations_team_id ON invitations (team_id);
CREATE INDEX ix_password_resets_user_id ON password_resets (user_id);
CREATE INDEX ix_audit_entries_team_id_at ON audit_entries (team_id, at);
CREATE INDEX ix_audit_entries_team_id ON audit_entries (team_id);
CREATE INDEX ix_audit_entries_resource_id_at ON audit_entries (resource_id, at);
CREATE INDEX ix_projections_team_id ON projections (team_id);
CREATE INDEX ix_projections_parser_id_at ON projections (parser_id, at);
CREATE INDEX ix_parsers_team_id ON parsers (team_id);
CREATE INDEX ix_saved_queries_team_id ON saved_queries (team_id);
CREATE INDEX ix_saved_views_team_id ON saved_views (team_id);
CREATE INDEX ix_webhook_snapshots_created_at ON webhook_snapshots (created_at);
CREATE INDEX ix_webhook_snapshots_team_id ON webhook_snapshots (team_id);
CREATE INDEX ix_webhook_snapshots_document_id ON webhook_snapshots (document_id);
CREATE UNIQUE INDEX ix_classifiers_team_id_slug ON classifiers (team_id, slug) WHERE deleted_at IS NULL;
CREATE INDEX ix_classifiers_team_id ON classifiers (team_id);
CREATE INDEX ix_binned_documents_markdown_sha256 ON binned_documents (markdown_sha256);
CREATE INDEX ix_binned_documents_sha256 ON binned_documents (sha256);
CREATE INDEX ix_binned_documents_parser_id_created_at ON binned_documents (parser_id, created_at);
CREATE INDEX ix_binned_documents_batch_id ON binned_documents (batch_id);
CREATE INDEX ix_binned_documents_team_id_deleted_at ON binned_documents (team_id, deleted_at, id);
CREATE INDEX ix_binned_documents_deleted_at ON binned_documents (deleted_at);
CREATE INDEX ix_exports_parser_id ON exports (parser_id);
CREATE INDEX ix_exports_team_id ON exports (team_id);
CREATE INDEX ix_exports_expires_at ON exports (expires_at);
CREATE INDEX ix_export_layouts_team_id ON export_layouts (team_id);
CREATE INDEX ix_idempotent_requests_team_id ON idempotent_requests (team_id);
CREATE INDEX ix_idempotent_requests_begun_at ON idempotent_requests (begun_at);
CREATE INDEX ix_oauth_grants_team_id ON oauth_grants (team_id);
CREATE INDEX ix_oauth_grants_user_id ON oauth_grants (user_id);
CREATE INDEX ix_oauth_grants_client_ref ON oauth_grants (client_ref);
CREATE INDEX ix_oauth_grants_expires_at ON oauth_grants (expires_at);
CREATE INDEX ix_lookup_tables_team_id ON lookup_tables (team_id);
CREATE INDEX ix_parser_fields_team_id ON parser_fields (team_id);
CREATE INDEX ix_parser_fields_parser_id_table_id ON parser_fields (parser_id, table_id);
CREATE INDEX ix_folders_team_id ON folders (team_id);
CREATE INDEX ix_folders_parser_id ON folders (parser_id);
CREATE INDEX ix_folders_parent_id ON folders (parent_id);
CREATE INDEX ix_review_stages_parser_id_position ON review_stages (parser_id, position);
CREATE INDEX ix_review_stages_team_id ON review_stages (team_id);
CREATE INDEX ix_webhooks_team_id ON webhooks (team_id);
CREATE INDEX ix_webhooks_parser_id ON webhooks (parser_id);
CREATE INDEX ix_classifier_rules_target_parser_id ON classifier_rules (target_parser_id);
CREATE INDEX ix_classifier_rules_team_id ON classifier_rules (team_id);
CREATE UNIQUE INDEX uq_documents_classifier_id_external_id ON documents (classifier_id, external_id) WHERE parser_id IS NULL;
CREATE INDEX ix_documents_parser_id_name_key ON documents (parser_id, name_key, id);
CREATE INDEX ix_documents_folder_id ON documents (folder_id) WHERE folder_id IS NOT NULL;
CREATE INDEX ix_documents_sha256_parser_id ON documents (sha256, parser_id);
CREATE INDEX ix_documents_parser_id_updated_at ON documents (parser_id, updated_at, id);
CREATE INDEX ix_documents_container_id ON documents (container_id) WHERE container_id IS NOT NULL;
CREATE INDEX ix_documents_lease_expires_at ON documents (lease_expires_at) WHERE lease_expires_at IS NOT NULL;
CREATE INDEX ix_documents_queue ON documents (slow, coalesce(parser_id, classifier_id), queued_at, id) WHERE status = 'queued';
CREATE INDEX ix_documents_parser_id_created_at ON documents (parser_id, created_at, id);
CREATE INDEX ix_documents_split_sha256 ON documents (split_sha256) WHERE split_sha256 IS NOT NULL;
CREATE INDEX ix_documents_classifier_id_routing_status ON documents (classifier_id, routing_status, parser_id) WHERE classifier_id IS NOT NULL;
CREATE INDEX ix_documents_team_id_created_at ON documents (team_id, created_at, id, status, parser_id, page_count);
CREATE INDEX ix_documents_assignee_id ON documents (assignee_id) WHERE assignee_id IS NOT NULL;
CREATE INDEX ix_documents_classifier_id_created_at ON documents (classifier_id, created_at, id) WHERE classifier_id IS NOT NULL;
CREATE INDEX ix_documents_operation_id ON documents (operation_id);
CREATE INDEX ix_upload_pages_team_id ON upload_pages (team_id);
CREATE INDEX ix_oauth_tokens_expires_at ON oauth_tokens (expires_at);
CREATE INDEX ix_oauth_tokens_grant_id ON oauth_tokens (grant_id);
CREATE INDEX ix_webhook_deliveries_snapshot_id ON webhook_deliveries (snapshot_id);
CREATE INDEX ix_webhook_deliveries_due ON webhook_deliveries (webhook_id, next_attempt_at) WHERE status = 'pending' AND claimed_by IS NULL;
CREATE INDEX ix_webhook_deliveries_open ON webhook_deliveries (webhook_id, status, created_at) WHERE status <> 'succeeded';
CREATE INDEX ix_webhook_deliveries_claimed ON webhook_deliveries (claimed_by) WHERE claimed_by IS NOT NULL;
CREATE INDEX ix_webhook_deliveries_team_id ON webhook_deliveries (team_id);
CREATE INDEX ix_webhook_deliveries_webhook_id_created_at ON webhook_deliveries (webhook_id, created_at, id);
CREATE INDEX ix_classifier_examples_team_id ON classifier_examples (team_id);
CREATE INDEX ix_classifier_examples_rule_id_created_at ON classifier_examples (rule_id, created_at);
CREATE INDEX ix_classifier_examples_document_id ON classifier_examples (document_id);
CREATE INDEX ix_document_events_document_id ON document_events (document_id);
CREATE INDEX ix_exported_documents_document_id ON exported_documents (document_id);
CREATE INDEX ix_intake_entries_outcome ON intake_entries (team_id, source, outcome, updated_at, id);
CREATE INDEX ix_intake_entries_latest ON intake_entries (team_id, source, updated_at, id);
CREATE INDEX ix_lessons_team_id ON lessons (team_id);
CREATE INDEX ix_lessons_parser_id_created_at ON lessons (parser_id, created_at);
CREATE INDEX ix_owed_lessons_team_id ON owed_lessons (team_id);
CREATE INDEX ix_owed_lessons_parser_id_created_at ON owed_lessons (parser_id, created_at);
CREATE INDEX ix_document_stages_assignee_id ON document_stages (assignee_id);
CREATE INDEX ix_document_stages_document_id ON document_stages (document_id);
CREATE INDEX ix_document_stages_started_at ON document_stages (started_at, id) WHERE status = 'in_progress';
CREATE INDEX ix_document_stages_stage_id_status ON document_stages (stage_id, status);
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

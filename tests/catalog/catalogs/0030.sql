CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" ("version_num") VALUES ('0030');
CREATE TABLE stored_files (
	sha256 VARCHAR(64) NOT NULL, 
	size BIGINT NOT NULL, 
	refs INTEGER NOT NULL, 
	created_at DATETIME NOT NULL, 
	released_at DATETIME, 
	CONSTRAINT pk_stored_files PRIMARY KEY (sha256)
);
INSERT INTO "stored_files" ("sha256", "size", "refs", "created_at", "released_at") VALUES ('11588d9cc9532180b3b0a90e289c7b8add725dc2af60e737f04a3a1c5bd9413a', 81, 1, '2026-11-30 11:17:21.347000', NULL);
INSERT INTO "stored_files" ("sha256", "size", "refs", "created_at", "released_at") VALUES ('19ae1b736970e0c5674a57d61f16a469ac9d9364e77d3d009ea3a066ea186a00', 662, 1, '2026-11-30 11:17:21.441000', NULL);
INSERT INTO "stored_files" ("sha256", "size", "refs", "created_at", "released_at") VALUES ('bafed842116e94bc6aa3f925d853204025f52bc344640c5ad387056a5ac2d849', 80, 1, '2026-11-30 11:17:29.037000', NULL);
INSERT INTO "stored_files" ("sha256", "size", "refs", "created_at", "released_at") VALUES ('cb2703e47ccac3da974bceeed96bcfcad4d6ed5ac48a98464ac96e08d925e47f', 80, 1, '2026-11-30 11:17:34.725000', NULL);
CREATE TABLE teams (
	id CHAR(32) NOT NULL, 
	name VARCHAR NOT NULL, 
	slug VARCHAR(64) NOT NULL, 
	created_at DATETIME NOT NULL, 
	updated_at DATETIME NOT NULL, 
	CONSTRAINT pk_teams PRIMARY KEY (id), 
	CONSTRAINT uq_teams_slug UNIQUE (slug)
);
INSERT INTO "teams" ("id", "name", "slug", "created_at", "updated_at") VALUES ('01a22c2c76747b09a36b867c52e54a47', 'Default', 'default', '2026-11-30 11:17:21.140000', '2026-11-30 11:17:21.140000');
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
INSERT INTO "users" ("id", "email", "name", "password_hash", "created_at", "updated_at") VALUES ('01a22c2c79d67c85a3c70264072d790c', 'ann@example.org', 'Ann', NULL, '2026-11-30 11:17:22.007000', '2026-11-30 11:17:22.007000');
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
	CONSTRAINT fk_api_keys_created_by FOREIGN KEY(created_by) REFERENCES users (id) ON DELETE SET NULL, 
	CONSTRAINT fk_api_keys_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT uq_api_keys_sha256 UNIQUE (sha256)
);
INSERT INTO "api_keys" ("id", "team_id", "name", "prefix", "sha256", "permissions", "parser_ids", "created_by", "created_at", "expires_at", "revoked_at", "last_used_at") VALUES ('01a22c2c79677e5e8134a463a336f622', '01a22c2c76747b09a36b867c52e54a47', 'ci', 'WNSlgumZ', 'dbc219a1f7fc7390dd643bb90c3769098505ffac656cefea4376ac7e16415bd7', NULL, NULL, NULL, '2026-11-30 11:17:21.895000', NULL, NULL, NULL);
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
INSERT INTO "audit_entries" ("id", "team_id", "at", "actor", "action", "resource_type", "resource_id", "details") VALUES ('01a22c2c76967f74856a71134ab10800', '01a22c2c76747b09a36b867c52e54a47', '2026-11-30 11:17:21.174000', 'user', 'parser.created', 'parser', '01a22c2c767f7178b985e27a3e6e85e1', '{"name":"Invoices"}');
INSERT INTO "audit_entries" ("id", "team_id", "at", "actor", "action", "resource_type", "resource_id", "details") VALUES ('01a22c2c784d74cea130530c93d764ac', '01a22c2c76747b09a36b867c52e54a47', '2026-11-30 11:17:21.613000', 'cli', 'webhook.created', 'webhook', '01a22c2c78317197a0872ccadcf1c0ba', '{"parser":"01a22c2c-767f-7178-b985-e27a3e6e85e1","before":null,"after":{"url":"https://93.184.215.14/hook","name":"","description":"","events":["document.processed"],"valueFormat":"typed","status":"active","headers":[]}}');
INSERT INTO "audit_entries" ("id", "team_id", "at", "actor", "action", "resource_type", "resource_id", "details") VALUES ('01a22c2c791273d4984632b4a52fd301', '01a22c2c76747b09a36b867c52e54a47', '2026-11-30 11:17:21.810000', 'cli', 'webhook.secret_rotated', 'webhook', '01a22c2c78317197a0872ccadcf1c0ba', '{"previousSecretExpiresAt":"2026-12-01T11:17:21.789Z"}');
INSERT INTO "audit_entries" ("id", "team_id", "at", "actor", "action", "resource_type", "resource_id", "details") VALUES ('01a22c2c796976a3babeb4c45a41eab7', '01a22c2c76747b09a36b867c52e54a47', '2026-11-30 11:17:21.897000', 'system', 'key.created', 'key', '01a22c2c79677e5e8134a463a336f622', '{"name":"ci","prefix":"WNSlgumZ","permissions":null,"parserIds":null,"expiresAt":null,"revokedAt":null}');
INSERT INTO "audit_entries" ("id", "team_id", "at", "actor", "action", "resource_type", "resource_id", "details") VALUES ('01a22c2c79e37c059d8c81a4d5066246', '01a22c2c76747b09a36b867c52e54a47', '2026-11-30 11:17:22.019000', 'system', 'member.added', 'user', '01a22c2c79d67c85a3c70264072d790c', '{"email":"ann@example.org","role":"reviewer"}');
INSERT INTO "audit_entries" ("id", "team_id", "at", "actor", "action", "resource_type", "resource_id", "details") VALUES ('01a22c2c7a38770f9a3e76f2b57d8fd0', '01a22c2c76747b09a36b867c52e54a47', '2026-11-30 11:17:22.104000', 'cli', 'classifier.created', 'classifier', '01a22c2c7a297b989e304872cf250a21', '{"name":"Incoming mail","after":{"name":"Incoming mail","description":"","isActive":true,"routing":{"rules":[{"id":"01a22c2c-7a2b-7412-964d-9742464b485d","label":"Invoice","targetParserId":"01a22c2c-767f-7178-b985-e27a3e6e85e1"}],"fallback":{"action":"skip","targetParserId":null},"instructions":""},"acceptedFileTypes":[],"splitDocuments":null,"emailParsing":null}}');
INSERT INTO "audit_entries" ("id", "team_id", "at", "actor", "action", "resource_type", "resource_id", "details") VALUES ('01a22c2c7a807f4d8213a4a581132078', '01a22c2c76747b09a36b867c52e54a47', '2026-11-30 11:17:22.176000', 'cli', 'folder.created', 'folder', '01a22c2c7a7d750e8573e6f12dc34100', '{"name":"2026"}');
INSERT INTO "audit_entries" ("id", "team_id", "at", "actor", "action", "resource_type", "resource_id", "details") VALUES ('01a22c2cad9b721eb1a36584128270ae', '01a22c2c76747b09a36b867c52e54a47', '2026-11-30 11:17:35.259000', 'cli', 'document.corrected', 'document', '01a22c2c77437c279227a08879a3d36b', '{"fields":["Number"],"replaced":false,"changed":["Number"],"before":{"Number":"A-1"},"after":{"Number":"A-9"}}');
CREATE TABLE memberships (
	id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	user_id CHAR(32) NOT NULL, 
	role VARCHAR(64) NOT NULL, 
	created_at DATETIME NOT NULL, 
	CONSTRAINT pk_memberships PRIMARY KEY (id), 
	CONSTRAINT ck_memberships_role CHECK (role IN ('owner', 'admin', 'member', 'reviewer')), 
	CONSTRAINT fk_memberships_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT fk_memberships_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE, 
	CONSTRAINT uq_memberships_team_id_user_id UNIQUE (team_id, user_id)
);
INSERT INTO "memberships" ("id", "team_id", "user_id", "role", "created_at") VALUES ('01a22c2c79e47c0392f14cf147bfa997', '01a22c2c76747b09a36b867c52e54a47', '01a22c2c79d67c85a3c70264072d790c', 'reviewer', '2026-11-30 11:17:22.020000');
CREATE TABLE parsers (
	id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	slug VARCHAR(64) NOT NULL, 
	name VARCHAR NOT NULL, 
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
	deleted_at DATETIME, name_key TEXT DEFAULT '' NOT NULL, former_slug VARCHAR(64), 
	CONSTRAINT pk_parsers PRIMARY KEY (id), 
	CONSTRAINT fk_parsers_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT uq_parsers_email_address UNIQUE (email_address), 
	CONSTRAINT uq_parsers_slug UNIQUE (slug)
);
INSERT INTO "parsers" ("id", "team_id", "slug", "name", "description", "type", "template_key", "is_active", "settings", "post_processing", "email_address", "workflow_id", "revision", "created_at", "updated_at", "deleted_at", "name_key", "former_slug") VALUES ('01a22c2c767f7178b985e27a3e6e85e1', '01a22c2c76747b09a36b867c52e54a47', 'invoices', 'Invoices', '', 'document', NULL, 1, '{}', NULL, NULL, '01a22c2c767f71dfa209276344d451fd', 1, '2026-11-30 11:17:21.152000', '2026-11-30 11:17:21.152000', NULL, 'invoices', NULL);
CREATE TABLE classifiers (
	id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	name VARCHAR NOT NULL, 
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
	deleted_at DATETIME, name_key TEXT DEFAULT '' NOT NULL, slug VARCHAR(64) DEFAULT '' NOT NULL, 
	CONSTRAINT pk_classifiers PRIMARY KEY (id), 
	CONSTRAINT ck_classifiers_fallback_action CHECK (fallback_action IN ('skip', 'route')), 
	CONSTRAINT fk_classifiers_fallback_parser_id FOREIGN KEY(fallback_parser_id) REFERENCES parsers (id) ON DELETE SET NULL, 
	CONSTRAINT fk_classifiers_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT uq_classifiers_email_address UNIQUE (email_address)
);
INSERT INTO "classifiers" ("id", "team_id", "name", "description", "is_active", "email_address", "accepted_file_types", "instructions", "fallback_action", "fallback_parser_id", "split_documents", "email_parsing", "created_at", "updated_at", "deleted_at", "name_key", "slug") VALUES ('01a22c2c7a297b989e304872cf250a21', '01a22c2c76747b09a36b867c52e54a47', 'Incoming mail', '', 1, NULL, '[]', '', 'skip', NULL, NULL, NULL, '2026-11-30 11:17:22.092000', '2026-11-30 11:17:22.092000', NULL, 'incoming mail', 'incoming_mail');
CREATE TABLE exports (
	id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	parser_id CHAR(32) NOT NULL, 
	format VARCHAR(64) NOT NULL, 
	scope VARCHAR(64), 
	table_name VARCHAR, 
	selection JSON, 
	file_name VARCHAR NOT NULL, 
	content_type VARCHAR NOT NULL, 
	location VARCHAR, 
	sha256 VARCHAR(64), 
	document_count INTEGER NOT NULL, 
	row_count INTEGER NOT NULL, 
	actor VARCHAR NOT NULL, 
	created_at DATETIME NOT NULL, 
	expires_at DATETIME, name VARCHAR, part VARCHAR, 
	CONSTRAINT pk_exports PRIMARY KEY (id), 
	CONSTRAINT fk_exports_parser_id FOREIGN KEY(parser_id) REFERENCES parsers (id) ON DELETE CASCADE, 
	CONSTRAINT fk_exports_sha256 FOREIGN KEY(sha256) REFERENCES stored_files (sha256), 
	CONSTRAINT fk_exports_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE
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
	CONSTRAINT fk_folders_parent_id FOREIGN KEY(parent_id) REFERENCES folders (id) ON DELETE CASCADE, 
	CONSTRAINT fk_folders_parser_id FOREIGN KEY(parser_id) REFERENCES parsers (id) ON DELETE CASCADE, 
	CONSTRAINT fk_folders_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT uq_folders_parent_key_slug UNIQUE (parent_key, slug)
);
INSERT INTO "folders" ("id", "team_id", "parser_id", "parent_id", "parent_key", "name", "slug", "color", "has_auto_assign", "auto_assignment", "created_at", "updated_at") VALUES ('01a22c2c7a7d750e8573e6f12dc34100', '01a22c2c76747b09a36b867c52e54a47', '01a22c2c767f7178b985e27a3e6e85e1', NULL, '01a22c2c767f7178b985e27a3e6e85e1', '2026', '2026', NULL, 0, NULL, '2026-11-30 11:17:22.176000', '2026-11-30 11:17:22.176000');
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
	CONSTRAINT fk_parser_fields_parser_id FOREIGN KEY(parser_id) REFERENCES parsers (id) ON DELETE CASCADE, 
	CONSTRAINT fk_parser_fields_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT uq_parser_fields_parser_id_id UNIQUE (parser_id, id)
);
INSERT INTO "parser_fields" ("key", "team_id", "parser_id", "table_id", "id", "name", "column", "type", "description", "instructions", "required", "position", "options", "labels", "extract", "created_at", "deleted_at") VALUES ('01a22c2c76917f49b34be6ec3c1f1020', '01a22c2c76747b09a36b867c52e54a47', '01a22c2c767f7178b985e27a3e6e85e1', NULL, 'f_d86bu9q2', 'Number', 'number', 'text', NULL, NULL, 0, 0, '[]', '["Invoice Number"]', 1, '2026-11-30 11:17:21.169000', NULL);
INSERT INTO "parser_fields" ("key", "team_id", "parser_id", "table_id", "id", "name", "column", "type", "description", "instructions", "required", "position", "options", "labels", "extract", "created_at", "deleted_at") VALUES ('01a22c2c76927045b53ce82eb85027c2', '01a22c2c76747b09a36b867c52e54a47', '01a22c2c767f7178b985e27a3e6e85e1', NULL, 'f_ideh7qxb', 'Total', 'total', 'currency', NULL, NULL, 0, 1, '[]', '[]', 1, '2026-11-30 11:17:21.170000', NULL);
INSERT INTO "parser_fields" ("key", "team_id", "parser_id", "table_id", "id", "name", "column", "type", "description", "instructions", "required", "position", "options", "labels", "extract", "created_at", "deleted_at") VALUES ('01a22c2c7692706cbff5cda1a4034af8', '01a22c2c76747b09a36b867c52e54a47', '01a22c2c767f7178b985e27a3e6e85e1', NULL, 'f_797nagrm', 'Lines', 'lines', 'table', NULL, NULL, 0, 2, '[]', '[]', 1, '2026-11-30 11:17:21.170000', NULL);
INSERT INTO "parser_fields" ("key", "team_id", "parser_id", "table_id", "id", "name", "column", "type", "description", "instructions", "required", "position", "options", "labels", "extract", "created_at", "deleted_at") VALUES ('01a22c2c769575c3b3949e65a7765e8b', '01a22c2c76747b09a36b867c52e54a47', '01a22c2c767f7178b985e27a3e6e85e1', 'f_797nagrm', 'f_i8kzndcz', 'Item', 'item', 'text', NULL, NULL, 0, 0, '[]', '[]', 1, '2026-11-30 11:17:21.173000', NULL);
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
	CONSTRAINT ck_review_stages_review_type CHECK (review_type IN ('mandatory', 'conditional')), 
	CONSTRAINT ck_review_stages_position CHECK (position >= 1), 
	CONSTRAINT fk_review_stages_parser_id FOREIGN KEY(parser_id) REFERENCES parsers (id) ON DELETE CASCADE, 
	CONSTRAINT fk_review_stages_reviewer_id FOREIGN KEY(reviewer_id) REFERENCES users (id) ON DELETE SET NULL, 
	CONSTRAINT fk_review_stages_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE
);
CREATE TABLE classifier_rules (
	id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	classifier_id CHAR(32) NOT NULL, 
	label VARCHAR NOT NULL, 
	target_parser_id CHAR(32) NOT NULL, 
	position INTEGER NOT NULL, 
	CONSTRAINT pk_classifier_rules PRIMARY KEY (id), 
	CONSTRAINT fk_classifier_rules_classifier_id FOREIGN KEY(classifier_id) REFERENCES classifiers (id) ON DELETE CASCADE, 
	CONSTRAINT fk_classifier_rules_target_parser_id FOREIGN KEY(target_parser_id) REFERENCES parsers (id) ON DELETE CASCADE, 
	CONSTRAINT fk_classifier_rules_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT uq_classifier_rules_classifier_id_label UNIQUE (classifier_id, label)
);
INSERT INTO "classifier_rules" ("id", "team_id", "classifier_id", "label", "target_parser_id", "position") VALUES ('01a22c2c7a2b7412964d9742464b485d', '01a22c2c76747b09a36b867c52e54a47', '01a22c2c7a297b989e304872cf250a21', 'Invoice', '01a22c2c767f7178b985e27a3e6e85e1', 0);
CREATE TABLE documents (
	id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	parser_id CHAR(32), 
	classifier_id CHAR(32), 
	folder_id CHAR(32), 
	name VARCHAR NOT NULL, 
	external_id VARCHAR, 
	custom JSON, 
	source VARCHAR(64) NOT NULL, 
	source_detail JSON, 
	sha256 VARCHAR(64) NOT NULL, 
	content_type VARCHAR NOT NULL, 
	size BIGINT NOT NULL, 
	page_count INTEGER, 
	status VARCHAR(64) NOT NULL, 
	error VARCHAR, 
	operation_id CHAR(32) NOT NULL, 
	attempt INTEGER NOT NULL, 
	lost_leases INTEGER NOT NULL, 
	claimed_by VARCHAR, 
	lease_expires_at DATETIME, 
	queued_at DATETIME, 
	processed_at DATETIME, 
	approved_at DATETIME, 
	confidence DOUBLE, 
	assignee_id CHAR(32), 
	split JSON, 
	classification JSON, 
	routing_status VARCHAR(64), 
	routing JSON, 
	created_at DATETIME NOT NULL, 
	updated_at DATETIME NOT NULL, parser_revision INTEGER, name_key TEXT DEFAULT '' NOT NULL, file_name VARCHAR DEFAULT '' NOT NULL, is_renamed BOOLEAN DEFAULT 0 NOT NULL, slow BOOLEAN DEFAULT 0 NOT NULL, split_sha256 VARCHAR(64), keep_whole BOOLEAN DEFAULT 0 NOT NULL, pages_read INTEGER, pages_to_read INTEGER, 
	CONSTRAINT pk_documents PRIMARY KEY (id), 
	CONSTRAINT ck_documents_routing_status CHECK (routing_status IN ('pending', 'routed', 'skipped', 'failed')), 
	CONSTRAINT ck_documents_source CHECK (source IN ('api', 'upload', 'url', 'email', 'upload_page', 'embed', 'integration', 'mcp', 'folder')), 
	CONSTRAINT ck_documents_status CHECK (status IN ('uploading', 'queued', 'processing', 'processed', 'failed', 'in_review', 'approved', 'rejected', 'skipped')), 
	CONSTRAINT ck_documents_target CHECK ((parser_id IS NOT NULL) OR (classifier_id IS NOT NULL)), 
	CONSTRAINT fk_documents_assignee_id FOREIGN KEY(assignee_id) REFERENCES users (id) ON DELETE SET NULL, 
	CONSTRAINT fk_documents_classifier_id FOREIGN KEY(classifier_id) REFERENCES classifiers (id) ON DELETE SET NULL, 
	CONSTRAINT fk_documents_folder_id FOREIGN KEY(folder_id) REFERENCES folders (id) ON DELETE SET NULL, 
	CONSTRAINT fk_documents_parser_id FOREIGN KEY(parser_id) REFERENCES parsers (id) ON DELETE CASCADE, 
	CONSTRAINT fk_documents_sha256 FOREIGN KEY(sha256) REFERENCES stored_files (sha256), 
	CONSTRAINT fk_documents_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT uq_documents_parser_id_external_id UNIQUE (parser_id, external_id)
);
INSERT INTO "documents" ("id", "team_id", "parser_id", "classifier_id", "folder_id", "name", "external_id", "custom", "source", "source_detail", "sha256", "content_type", "size", "page_count", "status", "error", "operation_id", "attempt", "lost_leases", "claimed_by", "lease_expires_at", "queued_at", "processed_at", "approved_at", "confidence", "assignee_id", "split", "classification", "routing_status", "routing", "created_at", "updated_at", "parser_revision", "name_key", "file_name", "is_renamed", "slow", "split_sha256", "keep_whole", "pages_read", "pages_to_read") VALUES ('01a22c2c77437c279227a08879a3d36b', '01a22c2c76747b09a36b867c52e54a47', '01a22c2c767f7178b985e27a3e6e85e1', NULL, NULL, 'a.txt', NULL, NULL, 'upload', NULL, '11588d9cc9532180b3b0a90e289c7b8add725dc2af60e737f04a3a1c5bd9413a', 'text/plain', 81, 1, 'processed', NULL, '01a22c2c77437c65a264324c8b607ede', 1, 0, NULL, NULL, '2026-11-30 11:17:21.347000', '2026-11-30 11:17:28.776000', NULL, 0.9928, NULL, NULL, NULL, NULL, NULL, '2026-11-30 11:17:21.347000', '2026-11-30 11:17:35.259000', 1, 'a.txt', 'a.txt', 0, 0, NULL, 0, NULL, NULL);
INSERT INTO "documents" ("id", "team_id", "parser_id", "classifier_id", "folder_id", "name", "external_id", "custom", "source", "source_detail", "sha256", "content_type", "size", "page_count", "status", "error", "operation_id", "attempt", "lost_leases", "claimed_by", "lease_expires_at", "queued_at", "processed_at", "approved_at", "confidence", "assignee_id", "split", "classification", "routing_status", "routing", "created_at", "updated_at", "parser_revision", "name_key", "file_name", "is_renamed", "slow", "split_sha256", "keep_whole", "pages_read", "pages_to_read") VALUES ('01a22c2c77a1727983a19963018e7ce3', '01a22c2c76747b09a36b867c52e54a47', '01a22c2c767f7178b985e27a3e6e85e1', NULL, NULL, 'mail.eml', NULL, NULL, 'upload', NULL, '19ae1b736970e0c5674a57d61f16a469ac9d9364e77d3d009ea3a066ea186a00', 'message/rfc822', 662, NULL, 'skipped', NULL, '01a22c2c77a172b7b8a36c5c80af6c58', 1, 0, NULL, NULL, '2026-11-30 11:17:21.441000', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-30 11:17:21.441000', '2026-11-30 11:17:29.072000', 1, 'mail.eml', 'mail.eml', 0, 0, NULL, 0, NULL, NULL);
INSERT INTO "documents" ("id", "team_id", "parser_id", "classifier_id", "folder_id", "name", "external_id", "custom", "source", "source_detail", "sha256", "content_type", "size", "page_count", "status", "error", "operation_id", "attempt", "lost_leases", "claimed_by", "lease_expires_at", "queued_at", "processed_at", "approved_at", "confidence", "assignee_id", "split", "classification", "routing_status", "routing", "created_at", "updated_at", "parser_revision", "name_key", "file_name", "is_renamed", "slow", "split_sha256", "keep_whole", "pages_read", "pages_to_read") VALUES ('01a22c2c954d71588fded6c9d925ee00', '01a22c2c76747b09a36b867c52e54a47', '01a22c2c767f7178b985e27a3e6e85e1', NULL, NULL, 'c.txt', NULL, NULL, 'upload', '{"mail":"01a22c2c-77a1-7279-83a1-9963018e7ce3","part":1,"depth":1}', 'bafed842116e94bc6aa3f925d853204025f52bc344640c5ad387056a5ac2d849', 'text/plain', 80, 1, 'processed', NULL, '01a22c2c954d71bba1e52a04b80cafa0', 1, 0, NULL, NULL, '2026-11-30 11:17:29.037000', '2026-11-30 11:17:29.210000', NULL, 0.9878, NULL, NULL, NULL, NULL, NULL, '2026-11-30 11:17:29.037000', '2026-11-30 11:17:29.210000', 1, 'c.txt', 'c.txt', 0, 0, NULL, 0, NULL, NULL);
INSERT INTO "documents" ("id", "team_id", "parser_id", "classifier_id", "folder_id", "name", "external_id", "custom", "source", "source_detail", "sha256", "content_type", "size", "page_count", "status", "error", "operation_id", "attempt", "lost_leases", "claimed_by", "lease_expires_at", "queued_at", "processed_at", "approved_at", "confidence", "assignee_id", "split", "classification", "routing_status", "routing", "created_at", "updated_at", "parser_revision", "name_key", "file_name", "is_renamed", "slow", "split_sha256", "keep_whole", "pages_read", "pages_to_read") VALUES ('01a22c2cab857d8bbc5da85c0d379702', '01a22c2c76747b09a36b867c52e54a47', '01a22c2c767f7178b985e27a3e6e85e1', NULL, NULL, 'b.txt', NULL, NULL, 'upload', NULL, 'cb2703e47ccac3da974bceeed96bcfcad4d6ed5ac48a98464ac96e08d925e47f', 'text/plain', 80, NULL, 'queued', NULL, '01a22c2cab857dcfb2fbc6341e082dbb', 0, 0, NULL, NULL, '2026-11-30 11:17:34.725000', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-30 11:17:34.725000', '2026-11-30 11:17:34.725000', NULL, 'b.txt', 'b.txt', 0, 0, NULL, 0, NULL, NULL);
CREATE TABLE lessons (
	id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	parser_id CHAR(32) NOT NULL, 
	document_id CHAR(32), 
	lesson JSON NOT NULL, 
	user_id CHAR(32), 
	created_at DATETIME NOT NULL, 
	CONSTRAINT pk_lessons PRIMARY KEY (id), 
	CONSTRAINT fk_lessons_document_id FOREIGN KEY(document_id) REFERENCES documents (id) ON DELETE SET NULL, 
	CONSTRAINT fk_lessons_parser_id FOREIGN KEY(parser_id) REFERENCES parsers (id) ON DELETE CASCADE, 
	CONSTRAINT fk_lessons_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT fk_lessons_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE SET NULL, 
	CONSTRAINT uq_lessons_document_id UNIQUE (document_id)
);
INSERT INTO "lessons" ("id", "team_id", "parser_id", "document_id", "lesson", "user_id", "created_at") VALUES ('01a22c2caebb7f11b0db981c4590026a', '01a22c2c76747b09a36b867c52e54a47', '01a22c2c767f7178b985e27a3e6e85e1', '01a22c2c77437c279227a08879a3d36b', '{"words":["acme","date","eur","invoice","ltd","number","total"],"marks":["acme@0","date@2","eur@4","invoice@0","ltd@2","number@2","total@0"],"places":{"f_ideh7qxb":{"page":1,"left":0.0875,"top":0.06060606060606061,"right":0.1625,"before":"total","after":"eur","beside":"","above":"acmeltd","lines":1,"whole":false,"joint":" ","shape":"9.9","corrected":false,"label":"Total:","foreign":false}},"values":{},"unprinted":{},"mistakes":{"f_d86bu9q2":{"text":"a1","cleared":false,"place":{"page":1,"left":0.2,"top":0.015151515151515152,"right":0.2375,"before":"invoicenumber","after":"","beside":"","above":"","lines":1,"whole":false,"joint":" ","shape":"A-9","corrected":true,"label":"Invoice Number:","foreign":false}}},"headers":{},"document_id":null,"edits":{"f_d86bu9q2":{"by":"cli","at":"2026-11-30T11:17:35.019Z"}},"removed":{},"learned_at":"2026-11-30T11:17:35.547Z"}', NULL, '2026-11-30 11:17:35.547000');
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
	CONSTRAINT fk_document_events_document_id FOREIGN KEY(document_id) REFERENCES documents (id) ON DELETE CASCADE, 
	CONSTRAINT fk_document_events_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE
);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt") VALUES ('01a22c2c77577d89ae6f73b83899e414', '01a22c2c76747b09a36b867c52e54a47', '01a22c2c77437c279227a08879a3d36b', '2026-11-30 11:17:21.367000', 'stored', NULL, 'queued', NULL, 'cli', 0);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt") VALUES ('01a22c2c77aa7d20bbd154064a2a1c89', '01a22c2c76747b09a36b867c52e54a47', '01a22c2c77a1727983a19963018e7ce3', '2026-11-30 11:17:21.450000', 'stored', NULL, 'queued', NULL, 'cli', 0);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt") VALUES ('01a22c2c836b771fb98696271b3046bc', '01a22c2c76747b09a36b867c52e54a47', '01a22c2c77437c279227a08879a3d36b', '2026-11-30 11:17:24.459000', 'claimed', 'queued', 'processing', NULL, 'host/pid:[4026531836]/32168/1796037431.46/783ec30e', 1);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt") VALUES ('01a22c2c836b779880430933865a8adb', '01a22c2c76747b09a36b867c52e54a47', '01a22c2c77a1727983a19963018e7ce3', '2026-11-30 11:17:24.459000', 'claimed', 'queued', 'processing', NULL, 'host/pid:[4026531836]/32168/1796037431.46/783ec30e', 1);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt") VALUES ('01a22c2c9449773bb00a707cce31490c', '01a22c2c76747b09a36b867c52e54a47', '01a22c2c77437c279227a08879a3d36b', '2026-11-30 11:17:28.777000', 'extracted', 'processing', 'processed', NULL, 'host/pid:[4026531836]/32168/1796037431.46/783ec30e', 1);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt") VALUES ('01a22c2c956c793594af38da2394bb59', '01a22c2c76747b09a36b867c52e54a47', '01a22c2c954d71588fded6c9d925ee00', '2026-11-30 11:17:29.068000', 'stored', NULL, 'queued', NULL, 'host/pid:[4026531836]/32168/1796037431.46/783ec30e', 0);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt") VALUES ('01a22c2c958373b291bcf1d19c7c25d7', '01a22c2c76747b09a36b867c52e54a47', '01a22c2c77a1727983a19963018e7ce3', '2026-11-30 11:17:29.091000', 'parted', 'processing', 'skipped', 'Its body holds no values of the parser''s fields; its attachment is a document of its own', 'host/pid:[4026531836]/32168/1796037431.46/783ec30e', 1);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt") VALUES ('01a22c2c95b3770788657031e3fa8161', '01a22c2c76747b09a36b867c52e54a47', '01a22c2c954d71588fded6c9d925ee00', '2026-11-30 11:17:29.139000', 'claimed', 'queued', 'processing', NULL, 'host/pid:[4026531836]/32168/1796037431.46/783ec30e', 1);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt") VALUES ('01a22c2c95fa7fbbb9df9655ca726460', '01a22c2c76747b09a36b867c52e54a47', '01a22c2c954d71588fded6c9d925ee00', '2026-11-30 11:17:29.210000', 'extracted', 'processing', 'processed', NULL, 'host/pid:[4026531836]/32168/1796037431.46/783ec30e', 1);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt") VALUES ('01a22c2cab887c32ad5f36579b0f5d52', '01a22c2c76747b09a36b867c52e54a47', '01a22c2cab857d8bbc5da85c0d379702', '2026-11-30 11:17:34.728000', 'stored', NULL, 'queued', NULL, 'cli', 0);
INSERT INTO "document_events" ("id", "team_id", "document_id", "at", "event", "from_status", "to_status", "reason", "actor", "attempt") VALUES ('01a22c2cad9e70b1a612572f930b0254', '01a22c2c76747b09a36b867c52e54a47', '01a22c2c77437c279227a08879a3d36b', '2026-11-30 11:17:35.261000', 'corrected', 'processed', 'processed', NULL, 'cli', 1);
CREATE TABLE document_results (
	document_id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	attempt INTEGER NOT NULL, 
	mode VARCHAR(64) NOT NULL, 
	"values" JSON NOT NULL, 
	evidence JSON NOT NULL, 
	warnings JSON NOT NULL, 
	pages JSON NOT NULL, 
	markdown_sha256 VARCHAR(64), 
	edited BOOLEAN NOT NULL, 
	seconds DOUBLE NOT NULL, 
	created_at DATETIME NOT NULL, 
	updated_at DATETIME NOT NULL, read_values JSON, extras JSON, 
	CONSTRAINT pk_document_results PRIMARY KEY (document_id), 
	CONSTRAINT fk_document_results_document_id FOREIGN KEY(document_id) REFERENCES documents (id) ON DELETE CASCADE, 
	CONSTRAINT fk_document_results_markdown_sha256 FOREIGN KEY(markdown_sha256) REFERENCES stored_files (sha256), 
	CONSTRAINT fk_document_results_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE
);
INSERT INTO "document_results" ("document_id", "team_id", "attempt", "mode", "values", "evidence", "warnings", "pages", "markdown_sha256", "edited", "seconds", "created_at", "updated_at", "read_values", "extras") VALUES ('01a22c2c77437c279227a08879a3d36b', '01a22c2c76747b09a36b867c52e54a47', 1, 'balanced', '{"f_d86bu9q2":"A-9","f_ideh7qxb":119,"f_797nagrm":[]}', '{"f_d86bu9q2":{"page":null,"locations":[],"rawText":null,"confidence":1.0,"source":"user","edited":true,"editedBy":"cli","editedAt":"2026-11-30T11:17:35.019Z"},"f_ideh7qxb":{"confidence":0.9856,"page":1,"locations":[{"page":1,"bbox":{"left":0.0875,"top":0.06061,"width":0.125,"height":0.01364},"text":"119.00 EUR"}],"rawText":"119.00 EUR","source":"text","edited":false,"editedBy":null,"editedAt":null}}', '[]', '[{"number":1,"width":595.0,"height":842.0,"source":"text","turn":0.0}]', NULL, 1, 3.96354093001718865707e-01, '2026-11-30 11:17:28.659000', '2026-11-30 11:17:35.231000', '{"f_d86bu9q2":"A-1","f_ideh7qxb":119,"f_797nagrm":[]}', '[]');
INSERT INTO "document_results" ("document_id", "team_id", "attempt", "mode", "values", "evidence", "warnings", "pages", "markdown_sha256", "edited", "seconds", "created_at", "updated_at", "read_values", "extras") VALUES ('01a22c2c954d71588fded6c9d925ee00', '01a22c2c76747b09a36b867c52e54a47', 1, 'balanced', '{"f_d86bu9q2":"A-3","f_ideh7qxb":12.5,"f_797nagrm":[]}', '{"f_d86bu9q2":{"confidence":0.99,"page":1,"locations":[{"page":1,"bbox":{"left":0.2,"top":0.01515,"width":0.0375,"height":0.01364},"text":"A-3"}],"rawText":"A-3","source":"text","edited":false,"editedBy":null,"editedAt":null},"f_ideh7qxb":{"confidence":0.9856,"page":1,"locations":[{"page":1,"bbox":{"left":0.0875,"top":0.06061,"width":0.1125,"height":0.01364},"text":"12.50 EUR"}],"rawText":"12.50 EUR","source":"text","edited":false,"editedBy":null,"editedAt":null}}', '[]', '[{"number":1,"width":595.0,"height":842.0,"source":"text","turn":0.0}]', NULL, 0, 3.38637999811908230185e-03, '2026-11-30 11:17:29.166000', '2026-11-30 11:17:29.166000', NULL, '[]');
CREATE TABLE document_stages (
	id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	document_id CHAR(32) NOT NULL, 
	stage_id CHAR(32) NOT NULL, 
	position INTEGER NOT NULL, 
	status VARCHAR(64) NOT NULL, 
	assignee_id CHAR(32), 
	comment VARCHAR(1000), 
	approved_at DATETIME, 
	rejected_at DATETIME, started_at DATETIME, 
	CONSTRAINT pk_document_stages PRIMARY KEY (id), 
	CONSTRAINT ck_document_stages_status CHECK (status IN ('pending', 'in_progress', 'approved', 'rejected', 'skipped')), 
	CONSTRAINT fk_document_stages_assignee_id FOREIGN KEY(assignee_id) REFERENCES users (id) ON DELETE SET NULL, 
	CONSTRAINT fk_document_stages_document_id FOREIGN KEY(document_id) REFERENCES documents (id) ON DELETE CASCADE, 
	CONSTRAINT fk_document_stages_stage_id FOREIGN KEY(stage_id) REFERENCES review_stages (id) ON DELETE CASCADE, 
	CONSTRAINT fk_document_stages_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT uq_document_stages_document_id_stage_id UNIQUE (document_id, stage_id)
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
	document_id CHAR(32), 
	outcome VARCHAR(64) NOT NULL, 
	message VARCHAR NOT NULL, 
	finished_at DATETIME, 
	created_at DATETIME NOT NULL, 
	updated_at DATETIME NOT NULL, classifier_id CHAR(32), 
	CONSTRAINT pk_intake_entries PRIMARY KEY (id), 
	CONSTRAINT ck_intake_entries_outcome CHECK (outcome IN ('registered', 'duplicate', 'waiting', 'refused', 'unreadable', 'vanished')), 
	CONSTRAINT fk_intake_entries_document_id FOREIGN KEY(document_id) REFERENCES documents (id) ON DELETE SET NULL, 
	CONSTRAINT fk_intake_entries_parser_id FOREIGN KEY(parser_id) REFERENCES parsers (id) ON DELETE SET NULL, 
	CONSTRAINT fk_intake_entries_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT uq_intake_entries_team_id_source_item_sha256 UNIQUE (team_id, source, item_sha256)
);
INSERT INTO "intake_entries" ("id", "team_id", "source", "item", "item_sha256", "fingerprint", "sha256", "size", "parser_id", "document_id", "outcome", "message", "finished_at", "created_at", "updated_at", "classifier_id") VALUES ('01a22c2c956f721a88d7d60a2502bd3d', '01a22c2c76747b09a36b867c52e54a47', 'mail attachments', '01a22c2c-77a1-7279-83a1-9963018e7ce3/bafed842116e94bc6aa3f925d853204025f52bc344640c5ad387056a5ac2d849/1', '0cc86cbf8bdb8d0751250284671dbb31c1c5fee1d6c7c8549c60347d5abce24f', 'bafed842116e94bc6aa3f925d853204025f52bc344640c5ad387056a5ac2d849', 'bafed842116e94bc6aa3f925d853204025f52bc344640c5ad387056a5ac2d849', 80, '01a22c2c767f7178b985e27a3e6e85e1', '01a22c2c954d71588fded6c9d925ee00', 'registered', '', '2026-11-30 11:17:29.071000', '2026-11-30 11:17:29.071000', '2026-11-30 11:17:29.071000', NULL);
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
CREATE TABLE rate_counts (
	key_id CHAR(32) NOT NULL, 
	minute BIGINT NOT NULL, 
	minute_count INTEGER NOT NULL, 
	day BIGINT NOT NULL, 
	day_count INTEGER NOT NULL, 
	CONSTRAINT pk_rate_counts PRIMARY KEY (key_id)
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
	CONSTRAINT fk_idempotent_requests_key_id_api_keys FOREIGN KEY(key_id) REFERENCES api_keys (id) ON DELETE CASCADE, 
	CONSTRAINT fk_idempotent_requests_team_id_teams FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT uq_idempotent_requests_key_id_name_sha256 UNIQUE (key_id, name_sha256)
);
CREATE TABLE owed_lessons (
	document_id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	parser_id CHAR(32) NOT NULL, 
	revision INTEGER NOT NULL, 
	lease_expires_at DATETIME, 
	created_at DATETIME NOT NULL, 
	CONSTRAINT pk_owed_lessons PRIMARY KEY (document_id), 
	CONSTRAINT fk_owed_lessons_document_id_documents FOREIGN KEY(document_id) REFERENCES documents (id) ON DELETE CASCADE, 
	CONSTRAINT fk_owed_lessons_parser_id_parsers FOREIGN KEY(parser_id) REFERENCES parsers (id) ON DELETE CASCADE, 
	CONSTRAINT fk_owed_lessons_team_id_teams FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE
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
INSERT INTO "search_entries" ("number", "document_id", "parser_id", "folder_id", "status", "created_at", "shape_id") VALUES (1, '01a22c2c77437c279227a08879a3d36b', '01a22c2c767f7178b985e27a3e6e85e1', NULL, 'processed', '2026-11-30 11:17:21.347000', 6473712736173293668);
INSERT INTO "search_entries" ("number", "document_id", "parser_id", "folder_id", "status", "created_at", "shape_id") VALUES (2, '01a22c2c77a1727983a19963018e7ce3', '01a22c2c767f7178b985e27a3e6e85e1', NULL, 'skipped', '2026-11-30 11:17:21.441000', NULL);
INSERT INTO "search_entries" ("number", "document_id", "parser_id", "folder_id", "status", "created_at", "shape_id") VALUES (3, '01a22c2c954d71588fded6c9d925ee00', '01a22c2c767f7178b985e27a3e6e85e1', NULL, 'processed', '2026-11-30 11:17:29.037000', 6473712736173293668);
INSERT INTO "search_entries" ("number", "document_id", "parser_id", "folder_id", "status", "created_at", "shape_id") VALUES (4, '01a22c2cab857d8bbc5da85c0d379702', '01a22c2c767f7178b985e27a3e6e85e1', NULL, 'queued', '2026-11-30 11:17:34.725000', NULL);
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
INSERT INTO "search_values" ("key", "value", "number") VALUES (-6855951037793275683, '25001125', 3);
INSERT INTO "search_values" ("key", "value", "number") VALUES (-6855951037793275683, '25002119', 1);
INSERT INTO "search_values" ("key", "value", "number") VALUES (-4223919296516153592, 'a-3', 3);
INSERT INTO "search_values" ("key", "value", "number") VALUES (-4223919296516153592, 'a-9', 1);
INSERT INTO "search_values" ("key", "value", "number") VALUES (6213548359170231229, 'a.txt', 1);
INSERT INTO "search_values" ("key", "value", "number") VALUES (6213548359170231229, 'b.txt', 4);
INSERT INTO "search_values" ("key", "value", "number") VALUES (6213548359170231229, 'c.txt', 3);
INSERT INTO "search_values" ("key", "value", "number") VALUES (6213548359170231229, 'mail.eml', 2);
CREATE TABLE search_shapes (
	id BIGINT NOT NULL, 
	parser_id CHAR(32) NOT NULL, 
	fields JSON NOT NULL, 
	CONSTRAINT pk_search_shapes PRIMARY KEY (id)
);
INSERT INTO "search_shapes" ("id", "parser_id", "fields") VALUES (6473712736173293668, '01a22c2c767f7178b985e27a3e6e85e1', '[["f_d86bu9q2","text"],["f_ideh7qxb","number"],["f_797nagrm","table"],["f_797nagrm.f_i8kzndcz","text"]]');
CREATE TABLE document_counts (
	parser_id CHAR(32) NOT NULL, 
	folder_id CHAR(32) NOT NULL, 
	status VARCHAR(64) NOT NULL, 
	shard INTEGER NOT NULL, 
	documents BIGINT NOT NULL, 
	CONSTRAINT pk_document_counts PRIMARY KEY (parser_id, folder_id, status, shard)
);
INSERT INTO "document_counts" ("parser_id", "folder_id", "status", "shard", "documents") VALUES ('01a22c2c767f7178b985e27a3e6e85e1', '00000000000000000000000000000000', 'queued', 0, 1);
INSERT INTO "document_counts" ("parser_id", "folder_id", "status", "shard", "documents") VALUES ('01a22c2c767f7178b985e27a3e6e85e1', '00000000000000000000000000000000', 'processing', 0, 0);
INSERT INTO "document_counts" ("parser_id", "folder_id", "status", "shard", "documents") VALUES ('01a22c2c767f7178b985e27a3e6e85e1', '00000000000000000000000000000000', 'processed', 0, 2);
INSERT INTO "document_counts" ("parser_id", "folder_id", "status", "shard", "documents") VALUES ('01a22c2c767f7178b985e27a3e6e85e1', '00000000000000000000000000000000', 'skipped', 0, 1);
CREATE VIRTUAL TABLE search_index USING fts5(
        name, external_id, body, content='search_texts', content_rowid='number',
        tokenize='trigram case_sensitive 1', columnsize=0);
CREATE TABLE pending_texts (
	number INTEGER NOT NULL, 
	parser_id CHAR(32) NOT NULL, 
	CONSTRAINT pk_pending_texts PRIMARY KEY (number)
);
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
CREATE TABLE "projections" (
	document_id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	parser_id CHAR(32) NOT NULL, 
	revision BIGINT NOT NULL, 
	at DATETIME NOT NULL, 
	CONSTRAINT pk_projections PRIMARY KEY (document_id, parser_id), 
	CONSTRAINT fk_projections_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE
);
INSERT INTO "projections" ("document_id", "team_id", "parser_id", "revision", "at") VALUES ('01a22c2c77437c279227a08879a3d36b', '01a22c2c76747b09a36b867c52e54a47', '01a22c2c767f7178b985e27a3e6e85e1', 1, '2026-11-30 11:17:35.262000');
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
	CONSTRAINT fk_lookup_tables_parser_id FOREIGN KEY(parser_id) REFERENCES parsers (id) ON DELETE CASCADE, 
	CONSTRAINT fk_lookup_tables_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT fk_lookup_tables_sha256 FOREIGN KEY(sha256) REFERENCES stored_files (sha256), 
	CONSTRAINT uq_lookup_tables_parser_id_name UNIQUE (parser_id, name)
);
CREATE TABLE "webhooks" (
	id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	parser_id CHAR(32) NOT NULL, 
	url VARCHAR NOT NULL, 
	name VARCHAR NOT NULL, 
	description VARCHAR NOT NULL, 
	events JSON NOT NULL, 
	sealed_secret VARCHAR NOT NULL, 
	value_format VARCHAR(64) NOT NULL, 
	status VARCHAR(64) NOT NULL, 
	failing_since DATETIME, 
	last_delivery_at DATETIME, 
	last_status_code INTEGER, 
	created_at DATETIME NOT NULL, 
	updated_at DATETIME NOT NULL, 
	headers JSON NOT NULL, previous_secrets JSON, 
	CONSTRAINT pk_webhooks PRIMARY KEY (id), 
	CONSTRAINT ck_webhooks_status CHECK (status IN ('active', 'paused', 'disabled')), 
	CONSTRAINT fk_webhooks_parser_id FOREIGN KEY(parser_id) REFERENCES parsers (id) ON DELETE CASCADE, 
	CONSTRAINT fk_webhooks_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT ck_webhooks_value_format CHECK (value_format IN ('typed', 'string'))
);
INSERT INTO "webhooks" ("id", "team_id", "parser_id", "url", "name", "description", "events", "sealed_secret", "value_format", "status", "failing_since", "last_delivery_at", "last_status_code", "created_at", "updated_at", "headers", "previous_secrets") VALUES ('01a22c2c78317197a0872ccadcf1c0ba', '01a22c2c76747b09a36b867c52e54a47', '01a22c2c767f7178b985e27a3e6e85e1', 'https://93.184.215.14/hook', '', '', '["document.processed"]', 'v1:rAV+YootvhWpNFZ4Z2bhhFjepfc3eFgRowKVuYanqKMahcMd8s1UoHl8eAujsxkpxUi0Gcli7CXAsrivuIkn6szHL86BUHRqa5Ujxf33', 'typed', 'active', NULL, NULL, NULL, '2026-11-30 11:17:21.612000', '2026-11-30 11:17:21.811000', '{}', '[{"sealed":"v1:fEyT1ua9qZGi1lqPeBKbg5zoJiP60yJUewxw++mX0NPM18VmJ8M0QRl3uJEc8D5gmxTap7bmJS0vAT+VW6ZH9wSvtH8jwzmgF8WyHq31","expiresAt":"2026-12-01T11:17:21.789Z"}]');
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
INSERT INTO "webhook_snapshots" ("id", "team_id", "document_id", "facts", "fields", "values", "created_at") VALUES ('01a22c2c94967a1385351be0914e87d2', '01a22c2c76747b09a36b867c52e54a47', '01a22c2c77437c279227a08879a3d36b', '{"id":"01a22c2c-7743-7c27-9227-a08879a3d36b","name":"a.txt","isProcessed":true,"assignee":null,"teamId":"01a22c2c-7674-7b09-a36b-867c52e54a47","teamSlug":"default","parserId":"01a22c2c-767f-7178-b985-e27a3e6e85e1","workflowId":"01a22c2c-767f-71df-a209-276344d451fd","externalId":null,"custom":null,"status":"processed","source":"upload","folderId":null,"pageCount":1,"createdAt":"2026-11-30T11:17:21.347Z","updatedAt":"2026-11-30T11:17:28.776Z","error":null,"review":{"isRequired":false,"status":"not_required","assignee":null,"currentStage":null,"stages":[]}}', '{"live":[{"id":"f_d86bu9q2","name":"Number","type":"text"},{"id":"f_ideh7qxb","name":"Total","type":"currency"},{"id":"f_797nagrm","name":"Lines","type":"table","columns":[{"id":"f_i8kzndcz","name":"Item","type":"text"}]}],"deleted":[]}', '{"f_d86bu9q2":"A-1","f_ideh7qxb":119,"f_797nagrm":[]}', '2026-11-30 11:17:28.800000');
INSERT INTO "webhook_snapshots" ("id", "team_id", "document_id", "facts", "fields", "values", "created_at") VALUES ('01a22c2c96077e62becce50de78f59d5', '01a22c2c76747b09a36b867c52e54a47', '01a22c2c954d71588fded6c9d925ee00', '{"id":"01a22c2c-954d-7158-8fde-d6c9d925ee00","name":"c.txt","isProcessed":true,"assignee":null,"teamId":"01a22c2c-7674-7b09-a36b-867c52e54a47","teamSlug":"default","parserId":"01a22c2c-767f-7178-b985-e27a3e6e85e1","workflowId":"01a22c2c-767f-71df-a209-276344d451fd","externalId":null,"custom":null,"status":"processed","source":"upload","folderId":null,"pageCount":1,"createdAt":"2026-11-30T11:17:29.037Z","updatedAt":"2026-11-30T11:17:29.210Z","error":null,"review":{"isRequired":false,"status":"not_required","assignee":null,"currentStage":null,"stages":[]}}', '{"live":[{"id":"f_d86bu9q2","name":"Number","type":"text"},{"id":"f_ideh7qxb","name":"Total","type":"currency"},{"id":"f_797nagrm","name":"Lines","type":"table","columns":[{"id":"f_i8kzndcz","name":"Item","type":"text"}]}],"deleted":[]}', '{"f_d86bu9q2":"A-3","f_ideh7qxb":12.5,"f_797nagrm":[]}', '2026-11-30 11:17:29.212000');
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
	CONSTRAINT fk_export_layouts_parser_id FOREIGN KEY(parser_id) REFERENCES parsers (id) ON DELETE CASCADE, 
	CONSTRAINT fk_export_layouts_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT uq_export_layouts_parser_id_name UNIQUE (parser_id, name)
);
CREATE TABLE exported_documents (
	parser_id CHAR(32) NOT NULL, 
	name VARCHAR NOT NULL, 
	document_id CHAR(32) NOT NULL, 
	CONSTRAINT pk_exported_documents PRIMARY KEY (parser_id, name, document_id), 
	CONSTRAINT fk_exported_documents_parser_id FOREIGN KEY(parser_id) REFERENCES parsers (id) ON DELETE CASCADE, 
	CONSTRAINT fk_exported_documents_document_id FOREIGN KEY(document_id) REFERENCES documents (id) ON DELETE CASCADE
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
	CONSTRAINT fk_source_states_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT uq_source_states_team_id_source UNIQUE (team_id, source)
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
	CONSTRAINT fk_upload_pages_parser_id FOREIGN KEY(parser_id) REFERENCES parsers (id) ON DELETE CASCADE, 
	CONSTRAINT fk_upload_pages_classifier_id FOREIGN KEY(classifier_id) REFERENCES classifiers (id) ON DELETE CASCADE, 
	CONSTRAINT uq_upload_pages_parser_id UNIQUE (parser_id), 
	CONSTRAINT uq_upload_pages_classifier_id UNIQUE (classifier_id)
);
CREATE TABLE user_sessions (
	id CHAR(32) NOT NULL, 
	user_id CHAR(32) NOT NULL, 
	team_id CHAR(32), 
	token_sha256 VARCHAR(64) NOT NULL, 
	created_at DATETIME NOT NULL, 
	last_used_at DATETIME NOT NULL, 
	expires_at DATETIME NOT NULL, address VARCHAR(64), user_agent VARCHAR(300), 
	CONSTRAINT pk_user_sessions PRIMARY KEY (id), 
	CONSTRAINT fk_user_sessions_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE, 
	CONSTRAINT fk_user_sessions_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE SET NULL, 
	CONSTRAINT uq_user_sessions_token_sha256 UNIQUE (token_sha256)
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
	CONSTRAINT fk_oauth_grants_client_ref FOREIGN KEY(client_ref) REFERENCES oauth_clients (id) ON DELETE CASCADE, 
	CONSTRAINT fk_oauth_grants_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT fk_oauth_grants_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE, 
	CONSTRAINT fk_oauth_grants_team_id_user_id FOREIGN KEY(team_id, user_id) REFERENCES memberships (team_id, user_id) ON DELETE CASCADE, 
	CONSTRAINT uq_oauth_grants_code_sha256 UNIQUE (code_sha256)
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
	CONSTRAINT fk_invitations_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT fk_invitations_invited_by FOREIGN KEY(invited_by) REFERENCES users (id) ON DELETE CASCADE, 
	CONSTRAINT uq_invitations_team_id_email UNIQUE (team_id, email), 
	CONSTRAINT uq_invitations_token_sha256 UNIQUE (token_sha256)
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
	CONSTRAINT fk_user_identities_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE, 
	CONSTRAINT uq_user_identities_issuer_subject UNIQUE (issuer, subject), 
	CONSTRAINT uq_user_identities_user_id_issuer UNIQUE (user_id, issuer)
);
CREATE TABLE saved_queries (
	id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	name VARCHAR NOT NULL, 
	sql TEXT NOT NULL, 
	created_at DATETIME NOT NULL, 
	updated_at DATETIME NOT NULL, 
	CONSTRAINT pk_saved_queries PRIMARY KEY (id), 
	CONSTRAINT fk_saved_queries_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT uq_saved_queries_team_id_name UNIQUE (team_id, name)
);
CREATE TABLE "webhook_deliveries" (
	id CHAR(32) NOT NULL, 
	team_id CHAR(32) NOT NULL, 
	webhook_id CHAR(32) NOT NULL, 
	event VARCHAR(64) NOT NULL, 
	status VARCHAR(64) NOT NULL, 
	attempts JSON NOT NULL, 
	next_attempt_at DATETIME, 
	lease_expires_at DATETIME, 
	created_at DATETIME NOT NULL, 
	snapshot_id CHAR(32) NOT NULL, 
	document_id CHAR(32) NOT NULL, 
	claimed_by VARCHAR, 
	CONSTRAINT pk_webhook_deliveries PRIMARY KEY (id), 
	CONSTRAINT fk_webhook_deliveries_snapshot_id FOREIGN KEY(snapshot_id) REFERENCES webhook_snapshots (id) ON DELETE CASCADE, 
	CONSTRAINT fk_webhook_deliveries_webhook_id FOREIGN KEY(webhook_id) REFERENCES webhooks (id) ON DELETE CASCADE, 
	CONSTRAINT fk_webhook_deliveries_team_id FOREIGN KEY(team_id) REFERENCES teams (id) ON DELETE CASCADE, 
	CONSTRAINT ck_webhook_deliveries_status CHECK (status IN ('pending', 'succeeded', 'failed', 'cancelled'))
);
INSERT INTO "webhook_deliveries" ("id", "team_id", "webhook_id", "event", "status", "attempts", "next_attempt_at", "lease_expires_at", "created_at", "snapshot_id", "document_id", "claimed_by") VALUES ('01a22c2c94ab7c62a9de8ebdd35a96b5', '01a22c2c76747b09a36b867c52e54a47', '01a22c2c78317197a0872ccadcf1c0ba', 'document.processed', 'pending', '[]', '2026-11-30 11:17:28.800000', NULL, '2026-11-30 11:17:28.800000', '01a22c2c94967a1385351be0914e87d2', '01a22c2c77437c279227a08879a3d36b', NULL);
INSERT INTO "webhook_deliveries" ("id", "team_id", "webhook_id", "event", "status", "attempts", "next_attempt_at", "lease_expires_at", "created_at", "snapshot_id", "document_id", "claimed_by") VALUES ('01a22c2c96087d2cbe07bd78ddae6d53', '01a22c2c76747b09a36b867c52e54a47', '01a22c2c78317197a0872ccadcf1c0ba', 'document.processed', 'pending', '[]', '2026-11-30 11:17:29.212000', NULL, '2026-11-30 11:17:29.212000', '01a22c2c96077e62becce50de78f59d5', '01a22c2c954d71588fded6c9d925ee00', NULL);
INSERT INTO search_index (search_index) VALUES ('rebuild');
CREATE INDEX ix_stored_files_released_at ON stored_files (released_at);
CREATE INDEX ix_api_keys_team_id ON api_keys (team_id);
CREATE INDEX ix_audit_entries_resource_id_at ON audit_entries (resource_id, at);
CREATE INDEX ix_audit_entries_team_id ON audit_entries (team_id);
CREATE INDEX ix_audit_entries_team_id_at ON audit_entries (team_id, at);
CREATE INDEX ix_memberships_team_id ON memberships (team_id);
CREATE INDEX ix_memberships_user_id ON memberships (user_id);
CREATE INDEX ix_parsers_team_id ON parsers (team_id);
CREATE INDEX ix_classifiers_team_id ON classifiers (team_id);
CREATE INDEX ix_exports_parser_id ON exports (parser_id);
CREATE INDEX ix_exports_team_id ON exports (team_id);
CREATE INDEX ix_folders_parent_id ON folders (parent_id);
CREATE INDEX ix_folders_parser_id ON folders (parser_id);
CREATE INDEX ix_folders_team_id ON folders (team_id);
CREATE INDEX ix_parser_fields_parser_id_table_id ON parser_fields (parser_id, table_id);
CREATE INDEX ix_parser_fields_team_id ON parser_fields (team_id);
CREATE INDEX ix_review_stages_parser_id_position ON review_stages (parser_id, position);
CREATE INDEX ix_review_stages_team_id ON review_stages (team_id);
CREATE INDEX ix_classifier_rules_target_parser_id ON classifier_rules (target_parser_id);
CREATE INDEX ix_classifier_rules_team_id ON classifier_rules (team_id);
CREATE INDEX ix_documents_assignee_id ON documents (assignee_id);
CREATE INDEX ix_documents_folder_id ON documents (folder_id);
CREATE INDEX ix_documents_lease_expires_at ON documents (lease_expires_at) WHERE lease_expires_at IS NOT NULL;
CREATE INDEX ix_documents_operation_id ON documents (operation_id);
CREATE INDEX ix_documents_parser_id_created_at ON documents (parser_id, created_at, id);
CREATE INDEX ix_documents_parser_id_sha256 ON documents (parser_id, sha256);
CREATE INDEX ix_documents_parser_id_updated_at ON documents (parser_id, updated_at, id);
CREATE INDEX ix_documents_sha256 ON documents (sha256);
CREATE INDEX ix_lessons_parser_id_created_at ON lessons (parser_id, created_at);
CREATE INDEX ix_lessons_team_id ON lessons (team_id);
CREATE INDEX ix_document_events_document_id_at ON document_events (document_id, at);
CREATE INDEX ix_document_events_team_id ON document_events (team_id);
CREATE INDEX ix_document_results_team_id ON document_results (team_id);
CREATE INDEX ix_document_stages_assignee_id ON document_stages (assignee_id);
CREATE INDEX ix_document_stages_document_id ON document_stages (document_id);
CREATE INDEX ix_document_stages_stage_id_status ON document_stages (stage_id, status);
CREATE INDEX ix_document_stages_team_id ON document_stages (team_id);
CREATE INDEX ix_intake_entries_team_id ON intake_entries (team_id);
CREATE INDEX ix_idempotent_requests_begun_at ON idempotent_requests (begun_at);
CREATE INDEX ix_idempotent_requests_team_id ON idempotent_requests (team_id);
CREATE INDEX ix_owed_lessons_parser_id_created_at ON owed_lessons (parser_id, created_at);
CREATE INDEX ix_owed_lessons_team_id ON owed_lessons (team_id);
CREATE INDEX ix_search_shapes_parser_id ON search_shapes (parser_id);
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
CREATE INDEX ix_search_entries_parser_id_created_at ON search_entries (parser_id, created_at, number);
CREATE INDEX ix_search_entries_parser_id_status ON search_entries (parser_id, status, created_at, number);
CREATE INDEX ix_search_entries_parser_id_folder_id ON search_entries (parser_id, folder_id, created_at, number);
CREATE INDEX ix_search_entries_parser_id_shape_id ON search_entries (parser_id, shape_id, number);
CREATE INDEX ix_documents_parser_id_name_key ON documents (parser_id, name_key, id);
CREATE INDEX ix_pending_texts_parser_id ON pending_texts (parser_id);
CREATE INDEX ix_document_stages_started_at ON document_stages (started_at, id) WHERE status = 'in_progress';
CREATE INDEX ix_classifier_examples_team_id ON classifier_examples (team_id);
CREATE INDEX ix_classifier_examples_document_id ON classifier_examples (document_id);
CREATE INDEX ix_classifier_examples_rule_id_created_at ON classifier_examples (rule_id, created_at);
CREATE INDEX ix_documents_classifier_id_created_at ON documents (classifier_id, created_at, id) WHERE classifier_id IS NOT NULL;
CREATE INDEX ix_documents_classifier_id_routing_status ON documents (classifier_id, routing_status, parser_id) WHERE classifier_id IS NOT NULL;
CREATE UNIQUE INDEX uq_documents_classifier_id_external_id ON documents (classifier_id, external_id) WHERE parser_id IS NULL;
CREATE INDEX ix_projections_parser_id_at ON projections (parser_id, at);
CREATE INDEX ix_projections_team_id ON projections (team_id);
CREATE INDEX ix_documents_split_sha256 ON documents (split_sha256);
CREATE INDEX ix_documents_queue ON documents (slow, coalesce(parser_id, classifier_id), queued_at, id) WHERE status = 'queued';
CREATE INDEX ix_lookup_tables_team_id ON lookup_tables (team_id);
CREATE INDEX ix_webhooks_team_id ON webhooks (team_id);
CREATE INDEX ix_webhooks_parser_id ON webhooks (parser_id);
CREATE INDEX ix_webhook_snapshots_team_id ON webhook_snapshots (team_id);
CREATE INDEX ix_webhook_snapshots_document_id ON webhook_snapshots (document_id);
CREATE INDEX ix_webhook_snapshots_created_at ON webhook_snapshots (created_at);
CREATE INDEX ix_export_layouts_team_id ON export_layouts (team_id);
CREATE INDEX ix_exported_documents_document_id ON exported_documents (document_id);
CREATE INDEX ix_exports_expires_at ON exports (expires_at);
CREATE INDEX ix_upload_pages_team_id ON upload_pages (team_id);
CREATE INDEX ix_user_sessions_user_id ON user_sessions (user_id);
CREATE INDEX ix_oauth_clients_keep_until ON oauth_clients (keep_until);
CREATE INDEX ix_oauth_grants_client_ref ON oauth_grants (client_ref);
CREATE INDEX ix_oauth_grants_user_id ON oauth_grants (user_id);
CREATE INDEX ix_oauth_grants_team_id ON oauth_grants (team_id);
CREATE INDEX ix_oauth_grants_expires_at ON oauth_grants (expires_at);
CREATE INDEX ix_oauth_tokens_grant_id ON oauth_tokens (grant_id);
CREATE INDEX ix_oauth_tokens_expires_at ON oauth_tokens (expires_at);
CREATE INDEX ix_invitations_team_id ON invitations (team_id);
CREATE INDEX ix_password_resets_user_id ON password_resets (user_id);
CREATE INDEX ix_saved_queries_team_id ON saved_queries (team_id);
CREATE INDEX ix_documents_team_id_created_at ON documents (team_id, created_at, id, status, parser_id, page_count);
CREATE INDEX ix_intake_entries_outcome ON intake_entries (team_id, source, outcome, updated_at, id);
CREATE INDEX ix_intake_entries_latest ON intake_entries (team_id, source, updated_at, id);
CREATE INDEX ix_webhook_deliveries_claimed ON webhook_deliveries (claimed_by) WHERE claimed_by IS NOT NULL;
CREATE INDEX ix_webhook_deliveries_due ON webhook_deliveries (webhook_id, next_attempt_at) WHERE status = 'pending' AND claimed_by IS NULL;
CREATE INDEX ix_webhook_deliveries_webhook_id_created_at ON webhook_deliveries (webhook_id, created_at, id);
CREATE INDEX ix_webhook_deliveries_snapshot_id ON webhook_deliveries (snapshot_id);
CREATE INDEX ix_webhook_deliveries_open ON webhook_deliveries (webhook_id, status, created_at) WHERE status <> 'succeeded';
CREATE INDEX ix_webhook_deliveries_team_id ON webhook_deliveries (team_id);
CREATE UNIQUE INDEX ix_classifiers_team_id_slug ON classifiers (team_id, slug) WHERE deleted_at IS NULL;

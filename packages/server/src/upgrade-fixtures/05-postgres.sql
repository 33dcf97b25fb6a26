CREATE TABLE public.agents (
    "position" bigint NOT NULL,
    id text NOT NULL,
    key text NOT NULL,
    version integer NOT NULL,
    environment_id text,
    owner text,
    state text,
    doc text NOT NULL,
    sealed text
);
CREATE TABLE public.aliases (
    alias text NOT NULL,
    agent_id text NOT NULL
);
CREATE TABLE public.apps (
    "position" bigint NOT NULL,
    id text NOT NULL,
    key text NOT NULL,
    version integer NOT NULL,
    environment_id text,
    owner text,
    state text,
    doc text NOT NULL,
    sealed text
);
CREATE TABLE public.attempts (
    "position" bigint NOT NULL,
    id text NOT NULL,
    key text NOT NULL,
    version integer NOT NULL,
    environment_id text,
    owner text,
    state text,
    doc text NOT NULL,
    sealed text
);
CREATE TABLE public.automations (
    "position" bigint NOT NULL,
    id text NOT NULL,
    key text NOT NULL,
    version integer NOT NULL,
    environment_id text,
    owner text,
    state text,
    doc text NOT NULL,
    sealed text
);
CREATE TABLE public.bindings (
    "position" bigint NOT NULL,
    id text NOT NULL,
    key text NOT NULL,
    version integer NOT NULL,
    environment_id text,
    owner text,
    state text,
    doc text NOT NULL,
    sealed text
);
CREATE TABLE public.connectors (
    "position" bigint NOT NULL,
    id text NOT NULL,
    key text NOT NULL,
    version integer NOT NULL,
    environment_id text,
    owner text,
    state text,
    doc text NOT NULL,
    sealed text
);
CREATE TABLE public.cursors (
    name text NOT NULL,
    "position" bigint NOT NULL
);
CREATE TABLE public.deliveries (
    sequence bigint NOT NULL,
    id text NOT NULL,
    channel text NOT NULL,
    environment_id text NOT NULL,
    state text NOT NULL,
    attempts integer NOT NULL,
    next_at text COLLATE pg_catalog."C",
    ended_at text COLLATE pg_catalog."C",
    doc text NOT NULL,
    answer text
);
CREATE SEQUENCE public.deliveries_sequence_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.deliveries_sequence_seq OWNED BY public.deliveries.sequence;
CREATE TABLE public.deployment_counts (
    environment_id text NOT NULL,
    status text NOT NULL,
    n bigint NOT NULL
);
CREATE TABLE public.deployment_log (
    deployment_id text NOT NULL,
    n integer NOT NULL,
    chunk text NOT NULL
);
CREATE TABLE public.deployments (
    "position" bigint NOT NULL,
    id text NOT NULL,
    key text NOT NULL,
    version integer NOT NULL,
    environment_id text,
    owner text,
    state text,
    doc text NOT NULL,
    sealed text
);
CREATE TABLE public.embedded_records (
    id text NOT NULL,
    environment_id text NOT NULL,
    kind text NOT NULL,
    subject text NOT NULL,
    data text NOT NULL
);
CREATE TABLE public.environments (
    "position" bigint NOT NULL,
    id text NOT NULL,
    key text NOT NULL,
    version integer NOT NULL,
    environment_id text,
    owner text,
    state text,
    doc text NOT NULL,
    sealed text
);
CREATE TABLE public.event_head (
    id integer NOT NULL,
    sequence bigint NOT NULL,
    hash text NOT NULL,
    mac text NOT NULL
);
CREATE TABLE public.events (
    sequence bigint NOT NULL,
    id text NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    subject text NOT NULL,
    body text NOT NULL,
    hash text NOT NULL
);
CREATE TABLE public.flows (
    "position" bigint NOT NULL,
    id text NOT NULL,
    key text NOT NULL,
    version integer NOT NULL,
    environment_id text,
    owner text,
    state text,
    doc text NOT NULL,
    sealed text
);
CREATE TABLE public.idempotency (
    caller text NOT NULL,
    endpoint text NOT NULL,
    key text NOT NULL,
    request text NOT NULL,
    answer text NOT NULL,
    version integer,
    expires_at text NOT NULL
);
CREATE TABLE public.intents (
    id text NOT NULL,
    environment_id text,
    kind text NOT NULL,
    subject text NOT NULL,
    data text NOT NULL
);
CREATE TABLE public.jobs (
    id text NOT NULL,
    environment_id text NOT NULL,
    kind text NOT NULL,
    subject text NOT NULL,
    name text NOT NULL,
    definition text NOT NULL,
    trigger text NOT NULL,
    paused text,
    paused_until text COLLATE pg_catalog."C",
    memory text NOT NULL,
    failures integer NOT NULL,
    problem text,
    next_at text COLLATE pg_catalog."C",
    created_at text NOT NULL COLLATE pg_catalog."C",
    installed_at text NOT NULL COLLATE pg_catalog."C",
    version integer NOT NULL
);
CREATE TABLE public.keyring (
    name text NOT NULL,
    value text NOT NULL
);
CREATE TABLE public.leases (
    name text NOT NULL,
    owner text NOT NULL,
    until text NOT NULL COLLATE pg_catalog."C",
    address text
);
CREATE TABLE public.overrides (
    environment_id text NOT NULL,
    automation_id text NOT NULL,
    doc text NOT NULL
);
CREATE TABLE public.pending_events (
    arrival bigint NOT NULL,
    id text NOT NULL,
    kind text NOT NULL,
    subject text NOT NULL,
    body text NOT NULL
);
CREATE SEQUENCE public.pending_events_arrival_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.pending_events_arrival_seq OWNED BY public.pending_events.arrival;
CREATE TABLE public.pipelines (
    "position" bigint NOT NULL,
    id text NOT NULL,
    key text NOT NULL,
    version integer NOT NULL,
    environment_id text,
    owner text,
    state text,
    doc text NOT NULL,
    sealed text
);
CREATE TABLE public.positions (
    list text NOT NULL,
    next bigint NOT NULL
);
CREATE TABLE public.processes (
    id text NOT NULL,
    environment_id text NOT NULL,
    desired text NOT NULL,
    doc text NOT NULL,
    version integer NOT NULL
);
CREATE TABLE public.release_designs (
    release_id text NOT NULL,
    automation_id text NOT NULL,
    environment_id text NOT NULL,
    definition text NOT NULL,
    sealed text
);
CREATE TABLE public.releases (
    "position" bigint NOT NULL,
    id text NOT NULL,
    key text NOT NULL,
    version integer NOT NULL,
    environment_id text,
    owner text,
    state text,
    doc text NOT NULL,
    sealed text
);
CREATE TABLE public.run_log (
    run_id text NOT NULL COLLATE pg_catalog."C",
    n integer NOT NULL,
    "time" text NOT NULL,
    level text NOT NULL,
    line text NOT NULL
);
CREATE TABLE public.runs (
    id text NOT NULL COLLATE pg_catalog."C",
    job_id text NOT NULL,
    environment_id text NOT NULL,
    slot text NOT NULL,
    status text NOT NULL,
    cause text NOT NULL,
    attempt integer NOT NULL,
    queued_at text NOT NULL,
    not_before text COLLATE pg_catalog."C",
    started_at text,
    ended_at text COLLATE pg_catalog."C",
    error text,
    metrics text NOT NULL,
    owner text,
    heartbeat_until text COLLATE pg_catalog."C",
    cancel text,
    open_job text,
    holds text
);
CREATE TABLE public.schema_version (
    version integer NOT NULL
);
CREATE TABLE public.secrets (
    environment_id text NOT NULL,
    scope text NOT NULL,
    key text NOT NULL,
    value text NOT NULL,
    updated_at text NOT NULL
);
CREATE TABLE public.summaries (
    environment_id text NOT NULL,
    doc text NOT NULL
);
CREATE TABLE public.tallies (
    list text NOT NULL,
    width integer NOT NULL,
    bucket bigint NOT NULL,
    n bigint NOT NULL
);
CREATE TABLE public.tokens (
    "position" bigint NOT NULL,
    id text NOT NULL,
    key text NOT NULL,
    version integer NOT NULL,
    environment_id text,
    owner text,
    state text,
    doc text NOT NULL,
    sealed text
);
CREATE TABLE public.users (
    "position" bigint NOT NULL,
    id text NOT NULL,
    key text NOT NULL,
    version integer NOT NULL,
    environment_id text,
    owner text,
    state text,
    doc text NOT NULL,
    sealed text
);
CREATE TABLE public.versions (
    "position" bigint NOT NULL,
    id text NOT NULL,
    key text NOT NULL,
    version integer NOT NULL,
    environment_id text,
    owner text,
    state text,
    doc text NOT NULL,
    sealed text
);
ALTER TABLE ONLY public.deliveries ALTER COLUMN sequence SET DEFAULT nextval('public.deliveries_sequence_seq'::regclass);
ALTER TABLE ONLY public.pending_events ALTER COLUMN arrival SET DEFAULT nextval('public.pending_events_arrival_seq'::regclass);
INSERT INTO public.agents VALUES (1, '01a1e2e0-e719-7001-ba1d-111121258bed', '["desk"]', 6, NULL, NULL, NULL, '{"id":"01a1e2e0-e719-7001-ba1d-111121258bed","name":"desk","aliases":["orders-bot"],"description":"","source_path":"tiny","components":[{"environment_id":"01a1e2e0-dbdf-7000-8d73-e9a6e719c805","component":"chat","desired_state":"running","observed_state":"running","message":null,"updated_at":"2026-11-16T05:42:32.678Z","version":"1.0.0"},{"environment_id":"01a1e2e0-dbdf-7000-8d73-e9a6e719c805","component":"agent_endpoint","desired_state":"running","observed_state":"running","message":null,"updated_at":"2026-11-16T05:42:34.181Z","version":"1.0.0"},{"environment_id":"01a1e2e0-dbdf-7000-8d73-e9a6e719c805","component":"ui_app","desired_state":"running","observed_state":"running","version":"1.0.0","message":null,"updated_at":"2026-11-16T05:42:35.351Z"}],"releases":[{"environment_id":"01a1e2e0-dbdf-7000-8d73-e9a6e719c805","environment":"prod","version":"1.0.0","workflow_run_id":null,"workflow_name":null,"workflow_run_url":null,"activated_at":"2026-11-16T05:42:32.678Z","activated_by":"internal-service"}],"created_at":"2026-11-16T05:42:32.473Z","updated_at":"2026-11-16T05:42:33.150Z","created_by":"internal-service","updated_by":"internal-service"}', NULL);
INSERT INTO public.aliases VALUES ('["desk"]', '01a1e2e0-e719-7001-ba1d-111121258bed');
INSERT INTO public.aliases VALUES ('["orders-bot"]', '01a1e2e0-e719-7001-ba1d-111121258bed');
INSERT INTO public.apps VALUES (1, '01a1e2e0-e96d-7000-a7b5-3f292d154d9e', '["01a1e2e0-dbdf-7000-8d73-e9a6e719c805","desk-ui"]', 3, '01a1e2e0-dbdf-7000-8d73-e9a6e719c805', '01a1e2e0-e719-7001-ba1d-111121258bed', NULL, '{"id":"01a1e2e0-e96d-7000-a7b5-3f292d154d9e","name":"desk-ui","environment_id":"01a1e2e0-dbdf-7000-8d73-e9a6e719c805","description":"","agent_id":"01a1e2e0-e719-7001-ba1d-111121258bed","source_path":"tiny","desired_state":"running","observed_state":"running","message":null,"created_at":"2026-11-16T05:42:33.069Z","updated_at":"2026-11-16T05:42:35.351Z","created_by":"internal-service","updated_by":"internal-service"}', NULL);
INSERT INTO public.automations VALUES (1, '01a1e2e0-e233-7000-9e88-0fd1417fde67', '["released"]', 1, NULL, NULL, NULL, '{"id":"01a1e2e0-e233-7000-9e88-0fd1417fde67","alias":"released","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false},"design_content_hash":"sha256:73116b352d66f416c74e2492233b983f8479436005d1a604d78239541c80557c","created_at":"2026-11-16T05:42:31.148Z","updated_at":"2026-11-16T05:42:31.148Z","created_by":"internal-service","updated_by":null}', NULL);
INSERT INTO public.automations VALUES (2, '01a1e2e0-e313-7000-9588-24f69de56c52', '["released-paused"]', 1, NULL, NULL, NULL, '{"id":"01a1e2e0-e313-7000-9588-24f69de56c52","alias":"released-paused","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false},"design_content_hash":"sha256:0d499ab73335380396713cba4a3b6ebfd4d585ec3455a1a60a2cd031214d2b6e","created_at":"2026-11-16T05:42:31.417Z","updated_at":"2026-11-16T05:42:31.417Z","created_by":"internal-service","updated_by":null}', NULL);
INSERT INTO public.automations VALUES (3, '01a1e2e0-e519-7000-aec3-603e9d367c49', '["released-changed"]', 2, NULL, NULL, NULL, '{"id":"01a1e2e0-e519-7000-aec3-603e9d367c49","alias":"released-changed","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 2","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false},"design_content_hash":"sha256:a264cadffe9362b98c452263b6a66f3c016a687eebf2c4ef1ab726b644ed37ba","created_at":"2026-11-16T05:42:31.942Z","updated_at":"2026-11-16T05:42:32.156Z","created_by":"internal-service","updated_by":"internal-service"}', NULL);
INSERT INTO public.connectors VALUES (2, '01a1e2e0-e159-7000-901f-f93f2c543ecc', '["referring"]', 1, '01a1e2e0-dbdf-7000-8d73-e9a6e719c805', NULL, NULL, '{"id":"01a1e2e0-e159-7000-901f-f93f2c543ecc","name":"referring","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"Bearer {{secrets/shop/api-key}}"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"active","git_commit_id":null,"git_branch":null,"workflow_id":"connector-01a1e2e0-e159-7000-901f-f93f2c543ecc","artifacts_path":null,"error_message":null,"created_at":"2026-11-16T05:42:31.001Z","updated_at":"2026-11-16T05:42:31.001Z","created_by":"ada@example.test","updated_by":null,"datasets":[{"id":"01a1e2e0-e159-7001-9ddd-ff0d44252617","connector_id":"01a1e2e0-e159-7000-901f-f93f2c543ecc","source_dataset":"referring","target_name":"referring","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-16T05:42:31.001Z","created_by":"internal-service"}]}', NULL);
INSERT INTO public.connectors VALUES (3, '01a1e2e0-e179-7000-b67a-61e2d72eeb09', '["paused"]', 2, '01a1e2e0-dbdf-7000-8d73-e9a6e719c805', NULL, NULL, '{"id":"01a1e2e0-e179-7000-b67a-61e2d72eeb09","name":"paused","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"********"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"paused","git_commit_id":null,"git_branch":null,"workflow_id":"connector-01a1e2e0-e179-7000-b67a-61e2d72eeb09","artifacts_path":null,"error_message":null,"created_at":"2026-11-16T05:42:31.033Z","updated_at":"2026-11-16T05:42:31.066Z","created_by":"ada@example.test","updated_by":"internal-service","datasets":[{"id":"01a1e2e0-e179-7001-9764-030c89c1120a","connector_id":"01a1e2e0-e179-7000-b67a-61e2d72eeb09","source_dataset":"paused","target_name":"paused","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-16T05:42:31.033Z","created_by":"internal-service"}]}', 'P+dhki9dASPfBZEYbr2PMkuQCo3HTbGX33t+uXkiQLRaYRSpDVQCGOwTp9tDzT/tlteMuAGW0J9ZF09laaPv4XXjANqoVkyWA3c8G6wqcDupwtx2r4pAKQlQqq+qY6bgItMAROROb+fuoX1GTMy3z0tn');
INSERT INTO public.connectors VALUES (1, '01a1e2e0-e11a-7000-b6e2-1f09cb938218', '["inline"]', 2, '01a1e2e0-dbdf-7000-8d73-e9a6e719c805', NULL, NULL, '{"id":"01a1e2e0-e11a-7000-b6e2-1f09cb938218","name":"inline","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"********"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"active","git_commit_id":null,"git_branch":"main","workflow_id":"connector-01a1e2e0-e11a-7000-b6e2-1f09cb938218","artifacts_path":null,"error_message":null,"created_at":"2026-11-16T05:42:30.938Z","updated_at":"2026-11-16T05:42:31.117Z","created_by":"ada@example.test","updated_by":"internal-service","datasets":[{"id":"01a1e2e0-e11a-7001-bb09-dbec539c72d8","connector_id":"01a1e2e0-e11a-7000-b6e2-1f09cb938218","source_dataset":"inline","target_name":"inline","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-16T05:42:30.938Z","created_by":"internal-service"}]}', '1dzAoM6iPG6qfTFWj1CX5+NzRrBUO91ibnUlxFORzFwNEnDkunWJzDORnXFecR0VpCTF7i9EgnUuVETKdKAT3aeql6d83DjtTgi7MLJnldmKEbQpCQTnBYYWpAIOy9AmtFdP9jx1aeomGpH6dUntaOcAMZ4/kHneIEuZhiraxgg=');
INSERT INTO public.cursors VALUES ('chat', 0);
INSERT INTO public.deployment_counts VALUES ('01a1e2e0-dbdf-7000-8d73-e9a6e719c805', 'pending', 0);
INSERT INTO public.deployment_counts VALUES ('01a1e2e0-dbdf-7000-8d73-e9a6e719c805', 'succeeded', 4);
INSERT INTO public.deployment_log VALUES ('01a1e2e0-f2e7-7000-b73b-cb1dff8ef559', 1, '"uploading\n"');
INSERT INTO public.deployments VALUES (1, '01a1e2e0-e26e-7000-92e0-9516866a4f3c', '["2026-11-16T05:42:31.238Z","01a1e2e0-e26e-7000-92e0-9516866a4f3c"]', 1, '01a1e2e0-dbdf-7000-8d73-e9a6e719c805', NULL, 'succeeded', '{"id":"01a1e2e0-e26e-7000-92e0-9516866a4f3c","deployment_name":"released 1.0.0","environment_id":"01a1e2e0-dbdf-7000-8d73-e9a6e719c805","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T05:42:31.238Z","started_at":"2026-11-16T05:42:31.238Z","completed_at":"2026-11-16T05:42:31.238Z","initiated_by":"internal-service","error_message":null}', NULL);
INSERT INTO public.deployments VALUES (2, '01a1e2e0-e404-7000-8006-073fdded0e2a', '["2026-11-16T05:42:31.530Z","01a1e2e0-e404-7000-8006-073fdded0e2a"]', 1, '01a1e2e0-dbdf-7000-8d73-e9a6e719c805', NULL, 'succeeded', '{"id":"01a1e2e0-e404-7000-8006-073fdded0e2a","deployment_name":"released-paused 1.0.0","environment_id":"01a1e2e0-dbdf-7000-8d73-e9a6e719c805","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T05:42:31.530Z","started_at":"2026-11-16T05:42:31.530Z","completed_at":"2026-11-16T05:42:31.530Z","initiated_by":"internal-service","error_message":null}', NULL);
INSERT INTO public.deployments VALUES (3, '01a1e2e0-e551-7000-9f1e-86c3d3c48c28', '["2026-11-16T05:42:32.010Z","01a1e2e0-e551-7000-9f1e-86c3d3c48c28"]', 1, '01a1e2e0-dbdf-7000-8d73-e9a6e719c805', NULL, 'succeeded', '{"id":"01a1e2e0-e551-7000-9f1e-86c3d3c48c28","deployment_name":"released-changed 1.0.0","environment_id":"01a1e2e0-dbdf-7000-8d73-e9a6e719c805","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T05:42:32.010Z","started_at":"2026-11-16T05:42:32.010Z","completed_at":"2026-11-16T05:42:32.010Z","initiated_by":"internal-service","error_message":null}', NULL);
INSERT INTO public.deployments VALUES (4, '01a1e2e0-f2e7-7000-b73b-cb1dff8ef559', '["2026-11-16T05:42:35.679Z","01a1e2e0-f2e7-7000-b73b-cb1dff8ef559"]', 2, '01a1e2e0-dbdf-7000-8d73-e9a6e719c805', NULL, 'succeeded', '{"id":"01a1e2e0-f2e7-7000-b73b-cb1dff8ef559","deployment_name":"orders 1.0.0","environment_id":"01a1e2e0-dbdf-7000-8d73-e9a6e719c805","git_branch":"main","git_commit_sha":"","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T05:42:35.495Z","started_at":null,"completed_at":"2026-11-16T05:42:35.679Z","initiated_by":"internal-service","error_message":null}', NULL);
INSERT INTO public.embedded_records VALUES ('01a1e2e0-e7ee-7000-9289-a0ab76121240', '01a1e2e0-dbdf-7000-8d73-e9a6e719c805', 'component.start', 'agent/01a1e2e0-e719-7001-ba1d-111121258bed', '{"component":"chat","name":"desk","version":"1.0.0","source_path":null,"asked_at":"2026-11-16T05:42:32.678Z"}');
INSERT INTO public.environments VALUES (1, '01a1e2e0-d9d4-7000-949a-29046d61e2d0', '["local"]', 1, NULL, NULL, NULL, '{"id":"01a1e2e0-d9d4-7000-949a-29046d61e2d0","name":"local","description":"Made at the first start","protected":false,"platform":"embedded","gitProvider":null,"gitRepository":null,"targetGitBranch":null,"secretScope":null,"dataPlatformClientIdKey":null,"dataPlatformClientSecretKey":null,"configuration":{},"isActive":true,"createdAt":"2026-11-16T05:42:29.038Z","updatedAt":"2026-11-16T05:42:29.038Z","createdBy":"lakehelm","updatedBy":null}', NULL);
INSERT INTO public.environments VALUES (2, '01a1e2e0-dbdf-7000-8d73-e9a6e719c805', '["prod"]', 1, NULL, NULL, NULL, '{"id":"01a1e2e0-dbdf-7000-8d73-e9a6e719c805","name":"prod","description":null,"protected":false,"platform":"embedded","gitProvider":null,"gitRepository":null,"targetGitBranch":null,"secretScope":null,"dataPlatformClientIdKey":null,"dataPlatformClientSecretKey":null,"configuration":{"timezone":"Europe/Berlin"},"isActive":true,"createdAt":"2026-11-16T05:42:29.590Z","updatedAt":"2026-11-16T05:42:29.590Z","createdBy":"internal-service","updatedBy":null}', NULL);
INSERT INTO public.event_head VALUES (1, 43, 'jsyHeKWGUtwE9iCh4erz1xuzwMivcLdV6S0iXakzH8c', 'ucoUia-uW8-FcsqoPmTpky7VE6RnzCA7zVpZ6jc_bx8');
INSERT INTO public.events VALUES (1, '01a1e2e0-d9d5-7000-9151-ad2f433a3262', 'environment.created', 'environment/01a1e2e0-d9d4-7000-949a-29046d61e2d0', '{"id":"01a1e2e0-d9d5-7000-9151-ad2f433a3262","time":"2026-11-16T05:42:29.038Z","actor":"lakehelm","request_id":null,"kind":"environment.created","subject":"environment/01a1e2e0-d9d4-7000-949a-29046d61e2d0","data":{"name":"local","platform":"embedded"}}', '4VpWF8bFFa6qPabkMFynvEJ-GTleA4xwgeX2MttUsMU');
INSERT INTO public.events VALUES (2, '01a1e2e0-dbdf-7001-8407-d5bc2d1a0de2', 'environment.created', 'environment/01a1e2e0-dbdf-7000-8d73-e9a6e719c805', '{"id":"01a1e2e0-dbdf-7001-8407-d5bc2d1a0de2","time":"2026-11-16T05:42:29.590Z","actor":"internal-service","request_id":"01a1e2e0-dbd4-7000-af14-15ee64689649","kind":"environment.created","subject":"environment/01a1e2e0-dbdf-7000-8d73-e9a6e719c805","data":{"name":"prod","platform":"embedded"}}', 'KBMSh2KNaM4yHu-IVnQquji-lY-gTvXqs7GDWZxRxB4');
INSERT INTO public.events VALUES (3, '01a1e2e0-e0ad-7000-9ece-9f769088622b', 'user.created', 'user/01a1e2e0-dbf9-7000-aa3d-cd7130106ca8', '{"id":"01a1e2e0-e0ad-7000-9ece-9f769088622b","time":"2026-11-16T05:42:29.625Z","actor":"internal-service","request_id":"01a1e2e0-dbf8-7000-ba63-a04dbd330352","kind":"user.created","subject":"user/01a1e2e0-dbf9-7000-aa3d-cd7130106ca8","data":{"id":"01a1e2e0-dbf9-7000-aa3d-cd7130106ca8","username":"ada@example.test","role":"operator","active":true,"created_at":"2026-11-16T05:42:29.625Z","updated_at":"2026-11-16T05:42:29.625Z","created_by":"internal-service"}}', 'tZlIoHPc6LS8yty77lfxB1UqLUCEqjWGHbEbwhjSuA0');
INSERT INTO public.events VALUES (4, '01a1e2e0-e0e2-7000-b3b6-44afdfefa1bc', 'token.created', 'token/01a1e2e0-e0e1-7000-82f9-bd058a2935ec', '{"id":"01a1e2e0-e0e2-7000-b3b6-44afdfefa1bc","time":"2026-11-16T05:42:30.877Z","actor":"internal-service","request_id":"01a1e2e0-e0dd-7000-88fc-d90f51190c16","kind":"token.created","subject":"token/01a1e2e0-e0e1-7000-82f9-bd058a2935ec","data":{"id":"01a1e2e0-e0e1-7000-82f9-bd058a2935ec","username":"ada@example.test","comment":"fixture","created_at":"2026-11-16T05:42:30.877Z","expires_at":null,"created_by":"internal-service"}}', 'jA37uWrF8YfKKpKo3tnnNiJtJd9-yfaG6d-3yjSflkw');
INSERT INTO public.events VALUES (5, '01a1e2e0-e10d-7000-b283-81fff91cf3cc', 'secret.stored', 'secret/01a1e2e0-dbdf-7000-8d73-e9a6e719c805/shop/api-key', '{"id":"01a1e2e0-e10d-7000-b283-81fff91cf3cc","time":"2026-11-16T05:42:30.920Z","actor":"internal-service","request_id":"01a1e2e0-e0fe-7000-9ee4-ef8f032206cd","kind":"secret.stored","subject":"secret/01a1e2e0-dbdf-7000-8d73-e9a6e719c805/shop/api-key","data":{"environment_id":"01a1e2e0-dbdf-7000-8d73-e9a6e719c805","scope":"shop","key":"api-key"}}', 'yT7zBcW_jdNmN-OlmHwlgl6qhmVBggI76XpoLfGtYKQ');
INSERT INTO public.events VALUES (6, '01a1e2e0-e124-7000-a1ca-a5820b304318', 'connector.created', 'connector/01a1e2e0-e11a-7000-b6e2-1f09cb938218', '{"id":"01a1e2e0-e124-7000-a1ca-a5820b304318","time":"2026-11-16T05:42:30.938Z","actor":"internal-service","request_id":"01a1e2e0-e117-7000-a215-f3e54cf94a49","kind":"connector.created","subject":"connector/01a1e2e0-e11a-7000-b6e2-1f09cb938218","data":{"name":"inline","environment_id":"01a1e2e0-dbdf-7000-8d73-e9a6e719c805","target_type":"warehouse","status":"active"}}', '6fUHXUHGfE-tk2T6EbF_HdeXP9jLG4wz5R8JN8Vu1PQ');
INSERT INTO public.events VALUES (7, '01a1e2e0-e15a-7000-a078-c0b8f730bee0', 'connector.created', 'connector/01a1e2e0-e159-7000-901f-f93f2c543ecc', '{"id":"01a1e2e0-e15a-7000-a078-c0b8f730bee0","time":"2026-11-16T05:42:31.001Z","actor":"internal-service","request_id":"01a1e2e0-e155-7000-a509-18c8c26b8176","kind":"connector.created","subject":"connector/01a1e2e0-e159-7000-901f-f93f2c543ecc","data":{"name":"referring","environment_id":"01a1e2e0-dbdf-7000-8d73-e9a6e719c805","target_type":"warehouse","status":"active"}}', 'oFiviYwDSajpaRLijzzpBhUFCPKBJuxRti4ajX6tZHA');
INSERT INTO public.events VALUES (8, '01a1e2e0-e17a-7000-9782-f34c430503b3', 'connector.created', 'connector/01a1e2e0-e179-7000-b67a-61e2d72eeb09', '{"id":"01a1e2e0-e17a-7000-9782-f34c430503b3","time":"2026-11-16T05:42:31.033Z","actor":"internal-service","request_id":"01a1e2e0-e177-7000-92cb-f40764df9505","kind":"connector.created","subject":"connector/01a1e2e0-e179-7000-b67a-61e2d72eeb09","data":{"name":"paused","environment_id":"01a1e2e0-dbdf-7000-8d73-e9a6e719c805","target_type":"warehouse","status":"active"}}', 'LuAxEMLYXzgBr1Fj7U0GjSVWIOG7y7ROmynPfbBfxAo');
INSERT INTO public.events VALUES (9, '01a1e2e0-e1b1-7001-bdf3-d742dc519fcb', 'connector.paused', 'connector/01a1e2e0-e179-7000-b67a-61e2d72eeb09', '{"id":"01a1e2e0-e1b1-7001-bdf3-d742dc519fcb","time":"2026-11-16T05:42:31.066Z","actor":"internal-service","request_id":"01a1e2e0-e199-7000-8a5b-c85c6289351c","kind":"connector.paused","subject":"connector/01a1e2e0-e179-7000-b67a-61e2d72eeb09","data":{"name":"paused","reason":"holiday","until":null}}', 'egmwo2UmKN0TK4S_MNuKd9wPbcJ28XmyC5LwseL6rak');
INSERT INTO public.events VALUES (10, '01a1e2e0-e1d6-7001-9945-853cf5c06246', 'connector.updated', 'connector/01a1e2e0-e11a-7000-b6e2-1f09cb938218', '{"id":"01a1e2e0-e1d6-7001-9945-853cf5c06246","time":"2026-11-16T05:42:31.117Z","actor":"internal-service","request_id":"01a1e2e0-e1cc-7000-85a1-46d3553c644b","kind":"connector.updated","subject":"connector/01a1e2e0-e11a-7000-b6e2-1f09cb938218","data":{"name":"inline","fields":["git_branch"]}}', 'wAl0swne8ibjoYByIn3rGoKLXYd51DgQClLoenE7TQY');
INSERT INTO public.events VALUES (11, '01a1e2e0-e234-7000-a8e7-70026ed40719', 'automation.created', 'automation/01a1e2e0-e233-7000-9e88-0fd1417fde67', '{"id":"01a1e2e0-e234-7000-a8e7-70026ed40719","time":"2026-11-16T05:42:31.148Z","actor":"internal-service","request_id":"01a1e2e0-e1ea-7000-968b-b2f4a8584a1c","kind":"automation.created","subject":"automation/01a1e2e0-e233-7000-9e88-0fd1417fde67","data":{"alias":"released","design_content_hash":"sha256:73116b352d66f416c74e2492233b983f8479436005d1a604d78239541c80557c"}}', 'F7-IYuLxW6Dt3tlvX2sP5_ecXQ-h9F8c8w80Wr8QQaI');
INSERT INTO public.events VALUES (12, '01a1e2e0-e270-7000-b9b2-d2869dd22553', 'deployment.recorded', 'deployment/01a1e2e0-e26e-7000-92e0-9516866a4f3c', '{"id":"01a1e2e0-e270-7000-b9b2-d2869dd22553","time":"2026-11-16T05:42:31.238Z","actor":"internal-service","request_id":"01a1e2e0-e245-7000-8cca-a17a7f4b9f28","kind":"deployment.recorded","subject":"deployment/01a1e2e0-e26e-7000-92e0-9516866a4f3c","data":{"deployment_name":"released 1.0.0","environment_id":"01a1e2e0-dbdf-7000-8d73-e9a6e719c805","status":"succeeded"}}', 'hGm3YVaMFD1dW2Tqi5uMPc8tcHjZ0jgpA5Gb1UaytX0');
INSERT INTO public.events VALUES (13, '01a1e2e0-e270-7001-836e-bccc9118f995', 'automation.release_activated', 'automation/01a1e2e0-e233-7000-9e88-0fd1417fde67', '{"id":"01a1e2e0-e270-7001-836e-bccc9118f995","time":"2026-11-16T05:42:31.238Z","actor":"internal-service","request_id":"01a1e2e0-e245-7000-8cca-a17a7f4b9f28","kind":"automation.release_activated","subject":"automation/01a1e2e0-e233-7000-9e88-0fd1417fde67","data":{"release_id":"01a1e2e0-e26c-7000-9f6d-6446bf05dc8f","environment_id":"01a1e2e0-dbdf-7000-8d73-e9a6e719c805","version":"1.0.0","replaced":null}}', 'AlL7fHzoRlRZqwDrPQu5j8WdUHIpRcnThomHQjHqzWM');
INSERT INTO public.events VALUES (14, '01a1e2e0-e2c2-7000-ad69-45f4fc8ca7c8', 'environment.reconciled', 'environment/01a1e2e0-dbdf-7000-8d73-e9a6e719c805', '{"id":"01a1e2e0-e2c2-7000-ad69-45f4fc8ca7c8","time":"2026-11-16T05:42:31.238Z","actor":"internal-service","request_id":"01a1e2e0-e245-7000-8cca-a17a7f4b9f28","kind":"environment.reconciled","subject":"environment/01a1e2e0-dbdf-7000-8d73-e9a6e719c805","data":{}}', 'wCEpNEal-TCMUi7YCbXW9sQdlnEq_s6RKmwQ4jrGe-g');
INSERT INTO public.events VALUES (18, '01a1e2e0-e4bf-7000-a9be-8d62c36def92', 'environment.reconciled', 'environment/01a1e2e0-dbdf-7000-8d73-e9a6e719c805', '{"id":"01a1e2e0-e4bf-7000-a9be-8d62c36def92","time":"2026-11-16T05:42:31.530Z","actor":"internal-service","request_id":"01a1e2e0-e36a-7000-b0b6-c186d5b0079b","kind":"environment.reconciled","subject":"environment/01a1e2e0-dbdf-7000-8d73-e9a6e719c805","data":{}}', 'bBu80x10XhmS6NA5TUKI60CFeFBnRXeuFPVVeCYsCCM');
INSERT INTO public.events VALUES (15, '01a1e2e0-e313-7001-be0d-571cabb7ba28', 'automation.created', 'automation/01a1e2e0-e313-7000-9588-24f69de56c52', '{"id":"01a1e2e0-e313-7001-be0d-571cabb7ba28","time":"2026-11-16T05:42:31.417Z","actor":"internal-service","request_id":"01a1e2e0-e2f9-7000-8017-3aa492459daf","kind":"automation.created","subject":"automation/01a1e2e0-e313-7000-9588-24f69de56c52","data":{"alias":"released-paused","design_content_hash":"sha256:0d499ab73335380396713cba4a3b6ebfd4d585ec3455a1a60a2cd031214d2b6e"}}', 'TGUey1oAtrF7rLeLU82e9uBW0hPIDQ2ifq0BXg4YI-4');
INSERT INTO public.events VALUES (16, '01a1e2e0-e404-7002-9804-3a4c5afd25cf', 'deployment.recorded', 'deployment/01a1e2e0-e404-7000-8006-073fdded0e2a', '{"id":"01a1e2e0-e404-7002-9804-3a4c5afd25cf","time":"2026-11-16T05:42:31.530Z","actor":"internal-service","request_id":"01a1e2e0-e36a-7000-b0b6-c186d5b0079b","kind":"deployment.recorded","subject":"deployment/01a1e2e0-e404-7000-8006-073fdded0e2a","data":{"deployment_name":"released-paused 1.0.0","environment_id":"01a1e2e0-dbdf-7000-8d73-e9a6e719c805","status":"succeeded"}}', 'y_ByloUYg3Q_OLWJp11ePp8e-XtRLp33D3z_3WZNvdI');
INSERT INTO public.events VALUES (17, '01a1e2e0-e404-7003-843f-91e64a7ad197', 'automation.release_activated', 'automation/01a1e2e0-e313-7000-9588-24f69de56c52', '{"id":"01a1e2e0-e404-7003-843f-91e64a7ad197","time":"2026-11-16T05:42:31.530Z","actor":"internal-service","request_id":"01a1e2e0-e36a-7000-b0b6-c186d5b0079b","kind":"automation.release_activated","subject":"automation/01a1e2e0-e313-7000-9588-24f69de56c52","data":{"release_id":"01a1e2e0-e3ff-7000-851c-0f56f8499491","environment_id":"01a1e2e0-dbdf-7000-8d73-e9a6e719c805","version":"1.0.0","replaced":null}}', '0DZLc2k_qOoF5x_U20WINo8eQkk4fmUR6IbXbpRf0vI');
INSERT INTO public.events VALUES (27, '01a1e2e0-e763-7000-8085-f44226ddc893', 'agent.created', 'agent/01a1e2e0-e719-7001-ba1d-111121258bed', '{"id":"01a1e2e0-e763-7000-8085-f44226ddc893","time":"2026-11-16T05:42:32.473Z","actor":"internal-service","request_id":"01a1e2e0-e719-7000-9f2b-ab7f50b9e4a4","kind":"agent.created","subject":"agent/01a1e2e0-e719-7001-ba1d-111121258bed","data":{"name":"desk","aliases":["orders-bot"]}}', 'G24OGYMZkP_jZDaDNIlXX9q1DF9u1SvDrwKT1QF6700');
INSERT INTO public.events VALUES (29, '01a1e2e0-e7d4-7000-8264-2f50836a3ae2', 'file.written', 'file/01a1e2e0-dbdf-7000-8d73-e9a6e719c805/tiny/app.mjs', '{"id":"01a1e2e0-e7d4-7000-8264-2f50836a3ae2","time":"2026-11-16T05:42:32.627Z","actor":"internal-service","request_id":"01a1e2e0-e7b1-7000-a05c-3942e60d45ae","kind":"file.written","subject":"file/01a1e2e0-dbdf-7000-8d73-e9a6e719c805/tiny/app.mjs","data":{"environment_id":"01a1e2e0-dbdf-7000-8d73-e9a6e719c805","path":"tiny/app.mjs","size":154,"sha256":"42a29daadf6a0e247952089c44decb92d0f16169dfeeb9aa0956ff02f5cd7d93"}}', 'r-xOMdeRcL81Kqjd4jN93FO8PVcbOzvbO8UFAlyxXKs');
INSERT INTO public.events VALUES (30, '01a1e2e0-e7fa-7001-aad7-25abc4780fbe', 'agent.version_created', 'agent/01a1e2e0-e719-7001-ba1d-111121258bed', '{"id":"01a1e2e0-e7fa-7001-aad7-25abc4780fbe","time":"2026-11-16T05:42:32.678Z","actor":"internal-service","request_id":"01a1e2e0-e7e6-7000-9db9-f70f8f65dfd6","kind":"agent.version_created","subject":"agent/01a1e2e0-e719-7001-ba1d-111121258bed","data":{"name":"desk","version":"1.0.0"}}', 'WJNesq7Hz4FYuDML1vbu5iYum4VZNS5z5oQb9jy-h3U');
INSERT INTO public.events VALUES (31, '01a1e2e0-e7fa-7002-9341-ca2c80dd3232', 'agent.release_activated', 'agent/01a1e2e0-e719-7001-ba1d-111121258bed', '{"id":"01a1e2e0-e7fa-7002-9341-ca2c80dd3232","time":"2026-11-16T05:42:32.678Z","actor":"internal-service","request_id":"01a1e2e0-e7e6-7000-9db9-f70f8f65dfd6","kind":"agent.release_activated","subject":"agent/01a1e2e0-e719-7001-ba1d-111121258bed","data":{"name":"desk","environment_id":"01a1e2e0-dbdf-7000-8d73-e9a6e719c805","version":"1.0.0"}}', 'b-BhhF7fBKem6xjiYZGX9AsDldSwIzuUbBqCbt9cwRc');
INSERT INTO public.events VALUES (36, '01a1e2e0-ee41-7000-9a49-05e9509a4820', 'app.started', 'app/01a1e2e0-e96d-7000-a7b5-3f292d154d9e', '{"id":"01a1e2e0-ee41-7000-9a49-05e9509a4820","time":"2026-11-16T05:42:33.150Z","actor":"internal-service","request_id":"01a1e2e0-e9bd-7000-a39d-a281ff7ac802","kind":"app.started","subject":"app/01a1e2e0-e96d-7000-a7b5-3f292d154d9e","data":{"name":"desk-ui","environment_id":"01a1e2e0-dbdf-7000-8d73-e9a6e719c805","observed_state":"pending"}}', 'N2FVQ2mcyL61e7QXNuylqhVsBJJyXX7TSMQPd3-P2u4');
INSERT INTO public.events VALUES (37, '01a1e2e0-ee41-7001-9843-7da565d2b642', 'agent.ui_app_followed', 'agent/01a1e2e0-e719-7001-ba1d-111121258bed', '{"id":"01a1e2e0-ee41-7001-9843-7da565d2b642","time":"2026-11-16T05:42:33.150Z","actor":"internal-service","request_id":"01a1e2e0-e9bd-7000-a39d-a281ff7ac802","kind":"agent.ui_app_followed","subject":"agent/01a1e2e0-e719-7001-ba1d-111121258bed","data":{"name":"desk","environment_id":"01a1e2e0-dbdf-7000-8d73-e9a6e719c805","desired_state":"running","observed_state":"pending"}}', 'KzcWXrE3NjXSY5opj_Vh8D4XRKVNBL8IXP8gQbv8_AE');
INSERT INTO public.events VALUES (40, '01a1e2e0-f2e7-7001-ab4c-8c5ee27acfe5', 'deployment.created', 'deployment/01a1e2e0-f2e7-7000-b73b-cb1dff8ef559', '{"id":"01a1e2e0-f2e7-7001-ab4c-8c5ee27acfe5","time":"2026-11-16T05:42:35.495Z","actor":"internal-service","request_id":"01a1e2e0-f2e3-7000-9b5c-930bed82688a","kind":"deployment.created","subject":"deployment/01a1e2e0-f2e7-7000-b73b-cb1dff8ef559","data":{"deployment_name":"orders 1.0.0","environment_id":"01a1e2e0-dbdf-7000-8d73-e9a6e719c805","status":"pending"}}', 'kfvcw8ExvSFuH2_EDqUHqlcVcbDRQzPS1a87cErqdRA');
INSERT INTO public.events VALUES (42, '01a1e2e0-f3a4-7001-a6a1-1ea3c26d6167', 'deployment.finished', 'deployment/01a1e2e0-f2e7-7000-b73b-cb1dff8ef559', '{"id":"01a1e2e0-f3a4-7001-a6a1-1ea3c26d6167","time":"2026-11-16T05:42:35.679Z","actor":"internal-service","request_id":"01a1e2e0-f396-7000-8893-e8cf47538f9d","kind":"deployment.finished","subject":"deployment/01a1e2e0-f2e7-7000-b73b-cb1dff8ef559","data":{"deployment_name":"orders 1.0.0","environment_id":"01a1e2e0-dbdf-7000-8d73-e9a6e719c805","status":"succeeded"}}', 'I6CAQqWrSbz3UohB3kxcB67PoYnJsm_lzpeAWjrwZpw');
INSERT INTO public.events VALUES (19, '01a1e2e0-e519-7001-be48-d8f281e7a8cc', 'automation.created', 'automation/01a1e2e0-e519-7000-aec3-603e9d367c49', '{"id":"01a1e2e0-e519-7001-be48-d8f281e7a8cc","time":"2026-11-16T05:42:31.942Z","actor":"internal-service","request_id":"01a1e2e0-e505-7000-a555-9d3093800643","kind":"automation.created","subject":"automation/01a1e2e0-e519-7000-aec3-603e9d367c49","data":{"alias":"released-changed","design_content_hash":"sha256:8171767a3368f1946ff9c20784cbe0b8b03d0b8b1ffa52c5e0c766c25f62910a"}}', 'Bt16REzMQhQJ6IrQXsvVexv0YxzEswkuNMPpBLcmrsk');
INSERT INTO public.events VALUES (20, '01a1e2e0-e551-7002-9572-2016f5bc161f', 'deployment.recorded', 'deployment/01a1e2e0-e551-7000-9f1e-86c3d3c48c28', '{"id":"01a1e2e0-e551-7002-9572-2016f5bc161f","time":"2026-11-16T05:42:32.010Z","actor":"internal-service","request_id":"01a1e2e0-e549-7000-93bb-ec7bd6b772d7","kind":"deployment.recorded","subject":"deployment/01a1e2e0-e551-7000-9f1e-86c3d3c48c28","data":{"deployment_name":"released-changed 1.0.0","environment_id":"01a1e2e0-dbdf-7000-8d73-e9a6e719c805","status":"succeeded"}}', 'tOLya3amPpn6R0HJ0cQ-fKUrz69lwZug27OWVhVkfQc');
INSERT INTO public.events VALUES (21, '01a1e2e0-e551-7003-bbc7-4f80d161691e', 'automation.release_activated', 'automation/01a1e2e0-e519-7000-aec3-603e9d367c49', '{"id":"01a1e2e0-e551-7003-bbc7-4f80d161691e","time":"2026-11-16T05:42:32.010Z","actor":"internal-service","request_id":"01a1e2e0-e549-7000-93bb-ec7bd6b772d7","kind":"automation.release_activated","subject":"automation/01a1e2e0-e519-7000-aec3-603e9d367c49","data":{"release_id":"01a1e2e0-e550-7000-b17a-5b08bd954f3e","environment_id":"01a1e2e0-dbdf-7000-8d73-e9a6e719c805","version":"1.0.0","replaced":null}}', 'LmNWqCgtKwLZBb9f8T1Bex3sXsAxoKYzIJUDg_AAUk4');
INSERT INTO public.events VALUES (22, '01a1e2e0-e582-7000-bc2e-b97ad119bf8d', 'environment.reconciled', 'environment/01a1e2e0-dbdf-7000-8d73-e9a6e719c805', '{"id":"01a1e2e0-e582-7000-bc2e-b97ad119bf8d","time":"2026-11-16T05:42:32.010Z","actor":"internal-service","request_id":"01a1e2e0-e549-7000-93bb-ec7bd6b772d7","kind":"environment.reconciled","subject":"environment/01a1e2e0-dbdf-7000-8d73-e9a6e719c805","data":{}}', '0TbnVGxM8MbZ7or3ytsuex6QSqdya8Wfs98Gx4AUtiA');
INSERT INTO public.events VALUES (23, '01a1e2e0-e5a9-7000-9bcf-82488853ef7e', 'automation.schedule_paused', 'automation/01a1e2e0-e313-7000-9588-24f69de56c52', '{"id":"01a1e2e0-e5a9-7000-9bcf-82488853ef7e","time":"2026-11-16T05:42:32.077Z","actor":"internal-service","request_id":"01a1e2e0-e58d-7000-8962-95e6c6a776ab","kind":"automation.schedule_paused","subject":"automation/01a1e2e0-e313-7000-9588-24f69de56c52","data":{"release_id":"01a1e2e0-e3ff-7000-851c-0f56f8499491","environment_id":"01a1e2e0-dbdf-7000-8d73-e9a6e719c805","version":"1.0.0","reason":"holiday","until":null}}', 'v8Ue5hRNEsZF4o7s2CCF5Y7V_QdtSoNOeQS2quHUZMg');
INSERT INTO public.events VALUES (24, '01a1e2e0-e608-7000-a5a5-6444228569c4', 'automation.definition_set', 'automation/01a1e2e0-e519-7000-aec3-603e9d367c49', '{"id":"01a1e2e0-e608-7000-a5a5-6444228569c4","time":"2026-11-16T05:42:32.156Z","actor":"internal-service","request_id":"01a1e2e0-e5dc-7000-926b-15a3d4f763a5","kind":"automation.definition_set","subject":"automation/01a1e2e0-e519-7000-aec3-603e9d367c49","data":{"alias":"released-changed","design_content_hash":"sha256:a264cadffe9362b98c452263b6a66f3c016a687eebf2c4ef1ab726b644ed37ba"}}', 'N8Pl2Z6_IYU92G1RvaTqdCOpPuYZ9eCLZqg-SyIhHNc');
INSERT INTO public.events VALUES (25, '01a1e2e0-e6b2-7000-844a-03cbcf6eeb5d', 'file.written', 'file/01a1e2e0-dbdf-7000-8d73-e9a6e719c805/pipelines/numbers.sql', '{"id":"01a1e2e0-e6b2-7000-844a-03cbcf6eeb5d","time":"2026-11-16T05:42:32.268Z","actor":"internal-service","request_id":"01a1e2e0-e639-7000-9e44-b0af744234f9","kind":"file.written","subject":"file/01a1e2e0-dbdf-7000-8d73-e9a6e719c805/pipelines/numbers.sql","data":{"environment_id":"01a1e2e0-dbdf-7000-8d73-e9a6e719c805","path":"pipelines/numbers.sql","size":51,"sha256":"b0bf44b639804f1839a1927e097d46337d4fc58b70b6448f3bb019cef234fa17"}}', 'bXIzAP9QZPuhy4xsRcPu4uNlyKWLFPUQBefe-mYI4n8');
INSERT INTO public.events VALUES (26, '01a1e2e0-e6d1-7000-8fa4-8402c54aaf7e', 'pipeline.created', 'pipeline/01a1e2e0-e6cf-7000-8ebf-7f89d26b103f', '{"id":"01a1e2e0-e6d1-7000-8fa4-8402c54aaf7e","time":"2026-11-16T05:42:32.399Z","actor":"internal-service","request_id":"01a1e2e0-e6cb-7000-873c-b3d559efcae6","kind":"pipeline.created","subject":"pipeline/01a1e2e0-e6cf-7000-8ebf-7f89d26b103f","data":{"name":"numbers","environment_id":"01a1e2e0-dbdf-7000-8d73-e9a6e719c805"}}', 'v59oTVZ_-WnP-D_T-LEVtnW9ulDzsabsmCyJBKNVONg');
INSERT INTO public.events VALUES (28, '01a1e2e0-e799-7000-ac8a-3d3cfff6e0cf', 'file.written', 'file/01a1e2e0-dbdf-7000-8d73-e9a6e719c805/tiny/app.yaml', '{"id":"01a1e2e0-e799-7000-ac8a-3d3cfff6e0cf","time":"2026-11-16T05:42:32.568Z","actor":"internal-service","request_id":"01a1e2e0-e775-7000-93cf-197718351312","kind":"file.written","subject":"file/01a1e2e0-dbdf-7000-8d73-e9a6e719c805/tiny/app.yaml","data":{"environment_id":"01a1e2e0-dbdf-7000-8d73-e9a6e719c805","path":"tiny/app.yaml","size":25,"sha256":"161d49cab793e4e16c959370ac0ef0283a37471131f8f1ce0f6cbd77067c181a"}}', 'jDxxdNcJzUQx1O00eyHfjxZhgpWBQe-XW5zqp1Itr_g');
INSERT INTO public.events VALUES (32, '01a1e2e0-e8d1-7000-92f3-fdf9b583ee16', 'environment.reconciled', 'environment/01a1e2e0-dbdf-7000-8d73-e9a6e719c805', '{"id":"01a1e2e0-e8d1-7000-92f3-fdf9b583ee16","time":"2026-11-16T05:42:32.678Z","actor":"internal-service","request_id":"01a1e2e0-e7e6-7000-9db9-f70f8f65dfd6","kind":"environment.reconciled","subject":"environment/01a1e2e0-dbdf-7000-8d73-e9a6e719c805","data":{}}', 'y7KFl2PeIByaSnJYHzeckvvFfQ_VLcHgAtMDuTKPR-4');
INSERT INTO public.events VALUES (33, '01a1e2e0-e987-7000-a707-46d45cdd1a43', 'app.created', 'app/01a1e2e0-e96d-7000-a7b5-3f292d154d9e', '{"id":"01a1e2e0-e987-7000-a707-46d45cdd1a43","time":"2026-11-16T05:42:33.069Z","actor":"internal-service","request_id":"01a1e2e0-e94b-7000-881b-c904597b7d7b","kind":"app.created","subject":"app/01a1e2e0-e96d-7000-a7b5-3f292d154d9e","data":{"name":"desk-ui","environment_id":"01a1e2e0-dbdf-7000-8d73-e9a6e719c805","agent_id":"01a1e2e0-e719-7001-ba1d-111121258bed"}}', 'pwtCS_wP39ZOZLxNwFIf4s4ojENuRA3BzqKoZo-xIuc');
INSERT INTO public.events VALUES (34, '01a1e2e0-e9e2-7000-a66d-7fecf5f15c07', 'agent.component_started', 'agent/01a1e2e0-e719-7001-ba1d-111121258bed', '{"id":"01a1e2e0-e9e2-7000-a66d-7fecf5f15c07","time":"2026-11-16T05:42:33.150Z","actor":"internal-service","request_id":"01a1e2e0-e9bd-7000-a39d-a281ff7ac802","kind":"agent.component_started","subject":"agent/01a1e2e0-e719-7001-ba1d-111121258bed","data":{"name":"desk","environment_id":"01a1e2e0-dbdf-7000-8d73-e9a6e719c805","component":"agent_endpoint","version":"1.0.0"}}', 'nnHt3pDdTRAygVkzuUzfXrRhCPEa94g8B-v_zJq-nnU');
INSERT INTO public.events VALUES (35, '01a1e2e0-eded-7000-843f-db4019bc07f6', 'agent.component_settled', 'agent/01a1e2e0-e719-7001-ba1d-111121258bed', '{"id":"01a1e2e0-eded-7000-843f-db4019bc07f6","time":"2026-11-16T05:42:34.181Z","actor":"platform","request_id":null,"kind":"agent.component_settled","subject":"agent/01a1e2e0-e719-7001-ba1d-111121258bed","data":{"environment_id":"01a1e2e0-dbdf-7000-8d73-e9a6e719c805","component":"agent_endpoint","observed_state":"running","message":null}}', '8ZkreTnZt-ZalMSJge4AZ-IWN6fL4S-WpKLWI69Af28');
INSERT INTO public.events VALUES (38, '01a1e2e0-f29a-7000-964e-6a62e1e31efc', 'app.settled', 'app/01a1e2e0-e96d-7000-a7b5-3f292d154d9e', '{"id":"01a1e2e0-f29a-7000-964e-6a62e1e31efc","time":"2026-11-16T05:42:35.351Z","actor":"platform","request_id":null,"kind":"app.settled","subject":"app/01a1e2e0-e96d-7000-a7b5-3f292d154d9e","data":{"name":"desk-ui","observed_state":"running","message":null}}', '9SOyV7G1IwAqpiVpx2bFH_8R8R0m4DXqPMiFc3-93Fs');
INSERT INTO public.events VALUES (39, '01a1e2e0-f29a-7001-acb1-e9fe9fc2897b', 'agent.ui_app_followed', 'agent/01a1e2e0-e719-7001-ba1d-111121258bed', '{"id":"01a1e2e0-f29a-7001-acb1-e9fe9fc2897b","time":"2026-11-16T05:42:35.351Z","actor":"platform","request_id":null,"kind":"agent.ui_app_followed","subject":"agent/01a1e2e0-e719-7001-ba1d-111121258bed","data":{"name":"desk","environment_id":"01a1e2e0-dbdf-7000-8d73-e9a6e719c805","desired_state":"running","observed_state":"running"}}', 'RpIcG6e7ekKfsx7Z87392I8NCmWL7bwGcv6jwqNw6d8');
INSERT INTO public.events VALUES (41, '01a1e2e0-f34a-7000-986a-ee6fe87c57fb', 'deployment.logged', 'deployment/01a1e2e0-f2e7-7000-b73b-cb1dff8ef559', '{"id":"01a1e2e0-f34a-7000-986a-ee6fe87c57fb","time":"2026-11-16T05:42:35.575Z","actor":"internal-service","request_id":"01a1e2e0-f337-7000-8d8e-eda53d4640aa","kind":"deployment.logged","subject":"deployment/01a1e2e0-f2e7-7000-b73b-cb1dff8ef559","data":{"characters":10}}', 'bzuF5Pvm81x2UzU011GfG50ZZbMa0ll5HoZMzzRaStg');
INSERT INTO public.events VALUES (43, '01a1e2e0-f456-7000-a80b-e5e8dcdcfb65', 'environment.reconciled', 'environment/01a1e2e0-dbdf-7000-8d73-e9a6e719c805', '{"id":"01a1e2e0-f456-7000-a80b-e5e8dcdcfb65","time":"2026-11-16T05:42:35.679Z","actor":"internal-service","request_id":"01a1e2e0-f396-7000-8893-e8cf47538f9d","kind":"environment.reconciled","subject":"environment/01a1e2e0-dbdf-7000-8d73-e9a6e719c805","data":{}}', 'jsyHeKWGUtwE9iCh4erz1xuzwMivcLdV6S0iXakzH8c');
INSERT INTO public.jobs VALUES ('connector-01a1e2e0-e159-7000-901f-f93f2c543ecc', '01a1e2e0-dbdf-7000-8d73-e9a6e719c805', 'connector', 'connector/01a1e2e0-e159-7000-901f-f93f2c543ecc', '"referring"', '{"trigger":{"kind":"cron","cron":"0 6 1 1 *","timezone":"Europe/Berlin"},"attempts":3,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T05:00:00.000Z', '2026-11-16T05:42:31.001Z', '2026-11-16T05:42:31.001Z', 1);
INSERT INTO public.jobs VALUES ('connector-01a1e2e0-e179-7000-b67a-61e2d72eeb09', '01a1e2e0-dbdf-7000-8d73-e9a6e719c805', 'connector', 'connector/01a1e2e0-e179-7000-b67a-61e2d72eeb09', '"paused"', '{"trigger":{"kind":"cron","cron":"0 6 1 1 *","timezone":"Europe/Berlin"},"attempts":3,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', '{"by":"internal-service","at":"2026-11-16T05:42:31.066Z","reason":"holiday","until":null,"missed":0,"last_missed":null}', NULL, '{}', 0, NULL, '2027-01-01T05:00:00.000Z', '2026-11-16T05:42:31.033Z', '2026-11-16T05:42:31.033Z', 2);
INSERT INTO public.jobs VALUES ('connector-01a1e2e0-e11a-7000-b6e2-1f09cb938218', '01a1e2e0-dbdf-7000-8d73-e9a6e719c805', 'connector', 'connector/01a1e2e0-e11a-7000-b6e2-1f09cb938218', '"inline"', '{"trigger":{"kind":"cron","cron":"0 6 1 1 *","timezone":"Europe/Berlin"},"attempts":3,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T05:00:00.000Z', '2026-11-16T05:42:30.939Z', '2026-11-16T05:42:31.126Z', 2);
INSERT INTO public.jobs VALUES ('automation-01a1e2e0-e233-7000-9e88-0fd1417fde67-01a1e2e0-dbdf-7000-8d73-e9a6e719c805', '01a1e2e0-dbdf-7000-8d73-e9a6e719c805', 'automation', 'automation/01a1e2e0-e233-7000-9e88-0fd1417fde67', '"released"', '{"trigger":{"kind":"cron","cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"attempts":20,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T06:00:00.000Z', '2026-11-16T05:42:31.277Z', '2026-11-16T05:42:31.277Z', 1);
INSERT INTO public.jobs VALUES ('automation-01a1e2e0-e519-7000-aec3-603e9d367c49-01a1e2e0-dbdf-7000-8d73-e9a6e719c805', '01a1e2e0-dbdf-7000-8d73-e9a6e719c805', 'automation', 'automation/01a1e2e0-e519-7000-aec3-603e9d367c49', '"released-changed"', '{"trigger":{"kind":"cron","cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"attempts":20,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T06:00:00.000Z', '2026-11-16T05:42:32.016Z', '2026-11-16T05:42:32.016Z', 1);
INSERT INTO public.jobs VALUES ('automation-01a1e2e0-e313-7000-9588-24f69de56c52-01a1e2e0-dbdf-7000-8d73-e9a6e719c805', '01a1e2e0-dbdf-7000-8d73-e9a6e719c805', 'automation', 'automation/01a1e2e0-e313-7000-9588-24f69de56c52', '"released-paused"', '{"trigger":{"kind":"cron","cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"attempts":20,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', '{"by":"internal-service","at":"2026-11-16T05:42:32.077Z","reason":"holiday","until":null,"missed":0,"last_missed":null}', NULL, '{}', 0, NULL, '2027-01-01T06:00:00.000Z', '2026-11-16T05:42:31.683Z', '2026-11-16T05:42:31.683Z', 2);
INSERT INTO public.jobs VALUES ('pipeline-01a1e2e0-e6cf-7000-8ebf-7f89d26b103f', '01a1e2e0-dbdf-7000-8d73-e9a6e719c805', 'pipeline', 'pipeline/01a1e2e0-e6cf-7000-8ebf-7f89d26b103f', '"numbers"', '{"trigger":{"kind":"manual"},"attempts":3,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'manual', NULL, NULL, '{}', 0, NULL, NULL, '2026-11-16T05:42:32.400Z', '2026-11-16T05:42:32.400Z', 1);
INSERT INTO public.keyring VALUES ('fingerprint', 'keOT3fxHz_I6EV7EkRe8KYS2yBFU5Xa5yqF8SRI7QW0');
INSERT INTO public.keyring VALUES ('jwt', 'btZx8YTCXX9b+eTPzO75+l+4RabW8XXeDWLc+4OZs+yECnBJGMt6HxecAld+EnoxVWaZ9BCuu9ak8TwhwlU6xMPttZbk66G3');
INSERT INTO public.keyring VALUES ('data folder', '01a1e2e0-d8f4-7000-9775-cc4cfc0cbddd');
INSERT INTO public.overrides VALUES ('01a1e2e0-dbdf-7000-8d73-e9a6e719c805', '01a1e2e0-e313-7000-9588-24f69de56c52', '{"paused":true,"by":"internal-service","at":"2026-11-16T05:42:32.077Z","reason":"holiday","until":null}');
INSERT INTO public.pipelines VALUES (1, '01a1e2e0-e6cf-7000-8ebf-7f89d26b103f', '["01a1e2e0-dbdf-7000-8d73-e9a6e719c805","numbers"]', 1, '01a1e2e0-dbdf-7000-8d73-e9a6e719c805', NULL, NULL, '{"pipeline_id":"01a1e2e0-e6cf-7000-8ebf-7f89d26b103f","name":"numbers","libraries":[{"file":{"path":"pipelines/numbers.sql"}}],"configuration":{},"continuous":false,"development":false,"photon":false,"serverless":false,"channel":"CURRENT","edition":"ADVANCED","platform_managed":true,"environment_id":"01a1e2e0-dbdf-7000-8d73-e9a6e719c805","tags":{"platform.managed_by":"lakehelm","platform.environment":"prod","platform.pipeline":"numbers"},"platform_reference":"pipeline-01a1e2e0-e6cf-7000-8ebf-7f89d26b103f","error_message":null,"created_at":"2026-11-16T05:42:32.399Z","updated_at":"2026-11-16T05:42:32.399Z","created_by":"internal-service","updated_by":null}', NULL);
INSERT INTO public.positions VALUES ('attempts', 0);
INSERT INTO public.positions VALUES ('bindings', 0);
INSERT INTO public.positions VALUES ('flows', 0);
INSERT INTO public.positions VALUES ('environments', 2);
INSERT INTO public.positions VALUES ('users', 1);
INSERT INTO public.positions VALUES ('tokens', 1);
INSERT INTO public.positions VALUES ('connectors', 3);
INSERT INTO public.positions VALUES ('automations', 3);
INSERT INTO public.positions VALUES ('pipelines', 1);
INSERT INTO public.positions VALUES ('agents', 1);
INSERT INTO public.positions VALUES ('versions', 1);
INSERT INTO public.positions VALUES ('releases', 4);
INSERT INTO public.positions VALUES ('apps', 1);
INSERT INTO public.positions VALUES ('deployments', 4);
INSERT INTO public.processes VALUES ('agent/01a1e2e0-e719-7001-ba1d-111121258bed/01a1e2e0-dbdf-7000-8d73-e9a6e719c805', '01a1e2e0-dbdf-7000-8d73-e9a6e719c805', 'running', '{"askedAt":"2026-11-16T05:42:33.150Z","deploy":"01a1e2e0-e9e1-7000-a143-55b09acad919","name":"desk","sourcePath":"tiny","start":{"mark":"41999c369b51a33d.e9793fa2a46fb45dff465994ee5de146","port":44169,"url":"http://127.0.0.1:40453","boot":"355cdeda-b6a0-47a4-908c-2e0ca1078aca","pid":26516,"began":"197856"},"ends":[],"sight":{"observed_state":"running","message":null}}', 4);
INSERT INTO public.processes VALUES ('app/01a1e2e0-e96d-7000-a7b5-3f292d154d9e', '01a1e2e0-dbdf-7000-8d73-e9a6e719c805', 'running', '{"askedAt":"2026-11-16T05:42:33.150Z","deploy":"01a1e2e0-ee23-7000-90dc-5bc831bb04c8","name":"desk-ui","sourcePath":"tiny","start":{"mark":"41999c369b51a33d.b276a0e45822c5ef41bb54d216766c8a","port":44279,"url":"http://127.0.0.1:40453","boot":"355cdeda-b6a0-47a4-908c-2e0ca1078aca","pid":26537,"began":"197973"},"ends":[],"sight":{"observed_state":"running","message":null}}', 4);
INSERT INTO public.release_designs VALUES ('01a1e2e0-e26c-7000-9f6d-6446bf05dc8f', '01a1e2e0-e233-7000-9e88-0fd1417fde67', '01a1e2e0-dbdf-7000-8d73-e9a6e719c805', '{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false}', NULL);
INSERT INTO public.release_designs VALUES ('01a1e2e0-e3ff-7000-851c-0f56f8499491', '01a1e2e0-e313-7000-9588-24f69de56c52', '01a1e2e0-dbdf-7000-8d73-e9a6e719c805', '{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false}', NULL);
INSERT INTO public.release_designs VALUES ('01a1e2e0-e550-7000-b17a-5b08bd954f3e', '01a1e2e0-e519-7000-aec3-603e9d367c49', '01a1e2e0-dbdf-7000-8d73-e9a6e719c805', '{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false}', NULL);
INSERT INTO public.releases VALUES (1, '01a1e2e0-e26c-7000-9f6d-6446bf05dc8f', '["automation","01a1e2e0-e233-7000-9e88-0fd1417fde67","01a1e2e0-dbdf-7000-8d73-e9a6e719c805"]', 1, '01a1e2e0-dbdf-7000-8d73-e9a6e719c805', '01a1e2e0-e233-7000-9e88-0fd1417fde67', 'installed', '{"id":"01a1e2e0-e26c-7000-9f6d-6446bf05dc8f","artifact":"automation/released","environment_id":"01a1e2e0-dbdf-7000-8d73-e9a6e719c805","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:73116b352d66f416c74e2492233b983f8479436005d1a604d78239541c80557c","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1e2e0-e233-7000-9e88-0fd1417fde67-01a1e2e0-dbdf-7000-8d73-e9a6e719c805","activated_at":"2026-11-16T05:42:31.238Z","activated_by":"internal-service","deployment_id":"01a1e2e0-e26e-7000-92e0-9516866a4f3c"}', NULL);
INSERT INTO public.releases VALUES (3, '01a1e2e0-e550-7000-b17a-5b08bd954f3e', '["automation","01a1e2e0-e519-7000-aec3-603e9d367c49","01a1e2e0-dbdf-7000-8d73-e9a6e719c805"]', 1, '01a1e2e0-dbdf-7000-8d73-e9a6e719c805', '01a1e2e0-e519-7000-aec3-603e9d367c49', 'installed', '{"id":"01a1e2e0-e550-7000-b17a-5b08bd954f3e","artifact":"automation/released-changed","environment_id":"01a1e2e0-dbdf-7000-8d73-e9a6e719c805","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:8171767a3368f1946ff9c20784cbe0b8b03d0b8b1ffa52c5e0c766c25f62910a","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1e2e0-e519-7000-aec3-603e9d367c49-01a1e2e0-dbdf-7000-8d73-e9a6e719c805","activated_at":"2026-11-16T05:42:32.010Z","activated_by":"internal-service","deployment_id":"01a1e2e0-e551-7000-9f1e-86c3d3c48c28"}', NULL);
INSERT INTO public.releases VALUES (2, '01a1e2e0-e3ff-7000-851c-0f56f8499491', '["automation","01a1e2e0-e313-7000-9588-24f69de56c52","01a1e2e0-dbdf-7000-8d73-e9a6e719c805"]', 2, '01a1e2e0-dbdf-7000-8d73-e9a6e719c805', '01a1e2e0-e313-7000-9588-24f69de56c52', 'installed', '{"id":"01a1e2e0-e3ff-7000-851c-0f56f8499491","artifact":"automation/released-paused","environment_id":"01a1e2e0-dbdf-7000-8d73-e9a6e719c805","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:0d499ab73335380396713cba4a3b6ebfd4d585ec3455a1a60a2cd031214d2b6e","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1e2e0-e313-7000-9588-24f69de56c52-01a1e2e0-dbdf-7000-8d73-e9a6e719c805","activated_at":"2026-11-16T05:42:31.530Z","activated_by":"internal-service","deployment_id":"01a1e2e0-e404-7000-8006-073fdded0e2a"}', NULL);
INSERT INTO public.releases VALUES (4, '01a1e2e0-e7fa-7000-9ff7-b853f1e3d194', '["agent","01a1e2e0-e719-7001-ba1d-111121258bed","01a1e2e0-dbdf-7000-8d73-e9a6e719c805"]', 5, '01a1e2e0-dbdf-7000-8d73-e9a6e719c805', '01a1e2e0-e719-7001-ba1d-111121258bed', 'agent_release', '{"artifact":"agent/desk","release":{"environment_id":"01a1e2e0-dbdf-7000-8d73-e9a6e719c805","environment":"prod","version":"1.0.0","workflow_run_id":null,"workflow_name":null,"workflow_run_url":null,"activated_at":"2026-11-16T05:42:32.678Z","activated_by":"internal-service"}}', NULL);
INSERT INTO public.schema_version VALUES (5);
INSERT INTO public.secrets VALUES ('01a1e2e0-dbdf-7000-8d73-e9a6e719c805', 'shop', 'api-key', 'YeLq3CX3TNUzakz+t7BrI2ETlA9kF7iqSnEJGHYFjQPHrKC0zL4x', '2026-11-16T05:42:30.920Z');
INSERT INTO public.summaries VALUES ('01a1e2e0-dbdf-7000-8d73-e9a6e719c805', '{"environment_id":"01a1e2e0-dbdf-7000-8d73-e9a6e719c805","latest_success":{"id":"01a1e2e0-f2e7-7000-b73b-cb1dff8ef559","deployment_name":"orders 1.0.0","git_branch":"main","git_commit_sha":"","completed_at":"2026-11-16T05:42:35.679Z"},"current_releases":[{"artifact":"automation/released","version":"1.0.0","activated_at":"2026-11-16T05:42:31.238Z"},{"artifact":"automation/released-paused","version":"1.0.0","activated_at":"2026-11-16T05:42:31.530Z"},{"artifact":"automation/released-changed","version":"1.0.0","activated_at":"2026-11-16T05:42:32.010Z"},{"artifact":"agent/desk","version":"1.0.0","activated_at":"2026-11-16T05:42:32.678Z"}],"deployment_counts":{"succeeded":4},"failure_streak":0,"reconciled_at":"2026-11-16T05:42:35.679Z"}');
INSERT INTO public.tallies VALUES ('environments/all', 1000000, 0, 2);
INSERT INTO public.tallies VALUES ('environments/all', 10000, 0, 2);
INSERT INTO public.tallies VALUES ('environments/all', 100, 0, 2);
INSERT INTO public.tallies VALUES ('users/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('users/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('users/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1e2e0-dbf9-7000-aa3d-cd7130106ca8', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1e2e0-dbf9-7000-aa3d-cd7130106ca8', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1e2e0-dbf9-7000-aa3d-cd7130106ca8', 100, 0, 1);
INSERT INTO public.tallies VALUES ('releases/all', 1000000, 0, 4);
INSERT INTO public.tallies VALUES ('releases/all', 10000, 0, 4);
INSERT INTO public.tallies VALUES ('releases/all', 100, 0, 4);
INSERT INTO public.tallies VALUES ('releases/01a1e2e0-dbdf-7000-8d73-e9a6e719c805', 1000000, 0, 4);
INSERT INTO public.tallies VALUES ('releases/01a1e2e0-dbdf-7000-8d73-e9a6e719c805', 10000, 0, 4);
INSERT INTO public.tallies VALUES ('releases/01a1e2e0-dbdf-7000-8d73-e9a6e719c805', 100, 0, 4);
INSERT INTO public.tallies VALUES ('connectors/all', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/all', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/all', 100, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/01a1e2e0-dbdf-7000-8d73-e9a6e719c805', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/01a1e2e0-dbdf-7000-8d73-e9a6e719c805', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/01a1e2e0-dbdf-7000-8d73-e9a6e719c805', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e2e0-e233-7000-9e88-0fd1417fde67', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2e0-e233-7000-9e88-0fd1417fde67', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2e0-e233-7000-9e88-0fd1417fde67', 100, 0, 1);
INSERT INTO public.tallies VALUES ('apps/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2e0-dbdf-7000-8d73-e9a6e719c805', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2e0-dbdf-7000-8d73-e9a6e719c805', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2e0-dbdf-7000-8d73-e9a6e719c805', 100, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2e0-e719-7001-ba1d-111121258bed', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2e0-e719-7001-ba1d-111121258bed', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2e0-e719-7001-ba1d-111121258bed', 100, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2e0-e313-7000-9588-24f69de56c52', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2e0-e313-7000-9588-24f69de56c52', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2e0-e313-7000-9588-24f69de56c52', 100, 0, 1);
INSERT INTO public.tallies VALUES ('deployments/all', 1000000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/all', 10000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/all', 100, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1e2e0-dbdf-7000-8d73-e9a6e719c805', 1000000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1e2e0-dbdf-7000-8d73-e9a6e719c805', 10000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1e2e0-dbdf-7000-8d73-e9a6e719c805', 100, 0, 4);
INSERT INTO public.tallies VALUES ('automations/all', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('automations/all', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('automations/all', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e2e0-e519-7000-aec3-603e9d367c49', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2e0-e519-7000-aec3-603e9d367c49', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2e0-e519-7000-aec3-603e9d367c49', 100, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1e2e0-dbdf-7000-8d73-e9a6e719c805', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1e2e0-dbdf-7000-8d73-e9a6e719c805', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1e2e0-dbdf-7000-8d73-e9a6e719c805', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agents/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('agents/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('agents/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1e2e0-e719-7001-ba1d-111121258bed', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1e2e0-e719-7001-ba1d-111121258bed', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1e2e0-e719-7001-ba1d-111121258bed', 100, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2e0-e719-7001-ba1d-111121258bed', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2e0-e719-7001-ba1d-111121258bed', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2e0-e719-7001-ba1d-111121258bed', 100, 0, 1);
INSERT INTO public.tokens VALUES (1, '01a1e2e0-e0e1-7000-82f9-bd058a2935ec', '["6lFMcdn9_SSHIhbAJ97au4BmEt6hl0sdOLXF4UQK4aU"]', 1, NULL, '01a1e2e0-dbf9-7000-aa3d-cd7130106ca8', NULL, '{"id":"01a1e2e0-e0e1-7000-82f9-bd058a2935ec","username":"ada@example.test","comment":"fixture","created_at":"2026-11-16T05:42:30.877Z","expires_at":null,"created_by":"internal-service"}', NULL);
INSERT INTO public.users VALUES (1, '01a1e2e0-dbf9-7000-aa3d-cd7130106ca8', '["ada@example.test"]', 1, NULL, NULL, NULL, '{"id":"01a1e2e0-dbf9-7000-aa3d-cd7130106ca8","username":"ada@example.test","role":"operator","active":true,"created_at":"2026-11-16T05:42:29.625Z","updated_at":"2026-11-16T05:42:29.625Z","created_by":"internal-service"}', 'iXOcnpiHHIGKJ9i2TCbyyyabi73CmIOuRGlJt7jhPGd+5+PXl5PTZXvDsqa3am2tIm9F2uq31r3Q6BmNBxScH+KECUnLFiQRD8TMttq4vfEafzoBrwVgiw62UxCDzR/huL8qgFbEGaJ7eU+38nl930Aq');
INSERT INTO public.versions VALUES (1, '01a1e2e0-e7f0-7000-8283-948ed8effbc5', '["01a1e2e0-e719-7001-ba1d-111121258bed","1.0.0"]', 1, NULL, '01a1e2e0-e719-7001-ba1d-111121258bed', NULL, '{"id":"01a1e2e0-e7f0-7000-8283-948ed8effbc5","agent_id":"01a1e2e0-e719-7001-ba1d-111121258bed","version":"1.0.0","source_path":null,"metadata":{},"created_at":"2026-11-16T05:42:32.678Z","created_by":"internal-service"}', NULL);
SELECT pg_catalog.setval('public.deliveries_sequence_seq', 1, false);
SELECT pg_catalog.setval('public.pending_events_arrival_seq', 43, true);
ALTER TABLE ONLY public.agents
    ADD CONSTRAINT agents_id_key UNIQUE (id);
ALTER TABLE ONLY public.agents
    ADD CONSTRAINT agents_key_key UNIQUE (key);
ALTER TABLE ONLY public.agents
    ADD CONSTRAINT agents_pkey PRIMARY KEY ("position");
ALTER TABLE ONLY public.aliases
    ADD CONSTRAINT aliases_pkey PRIMARY KEY (alias);
ALTER TABLE ONLY public.apps
    ADD CONSTRAINT apps_id_key UNIQUE (id);
ALTER TABLE ONLY public.apps
    ADD CONSTRAINT apps_key_key UNIQUE (key);
ALTER TABLE ONLY public.apps
    ADD CONSTRAINT apps_pkey PRIMARY KEY ("position");
ALTER TABLE ONLY public.attempts
    ADD CONSTRAINT attempts_id_key UNIQUE (id);
ALTER TABLE ONLY public.attempts
    ADD CONSTRAINT attempts_key_key UNIQUE (key);
ALTER TABLE ONLY public.attempts
    ADD CONSTRAINT attempts_pkey PRIMARY KEY ("position");
ALTER TABLE ONLY public.automations
    ADD CONSTRAINT automations_id_key UNIQUE (id);
ALTER TABLE ONLY public.automations
    ADD CONSTRAINT automations_key_key UNIQUE (key);
ALTER TABLE ONLY public.automations
    ADD CONSTRAINT automations_pkey PRIMARY KEY ("position");
ALTER TABLE ONLY public.bindings
    ADD CONSTRAINT bindings_id_key UNIQUE (id);
ALTER TABLE ONLY public.bindings
    ADD CONSTRAINT bindings_key_key UNIQUE (key);
ALTER TABLE ONLY public.bindings
    ADD CONSTRAINT bindings_pkey PRIMARY KEY ("position");
ALTER TABLE ONLY public.connectors
    ADD CONSTRAINT connectors_id_key UNIQUE (id);
ALTER TABLE ONLY public.connectors
    ADD CONSTRAINT connectors_key_key UNIQUE (key);
ALTER TABLE ONLY public.connectors
    ADD CONSTRAINT connectors_pkey PRIMARY KEY ("position");
ALTER TABLE ONLY public.cursors
    ADD CONSTRAINT cursors_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_id_key UNIQUE (id);
ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_pkey PRIMARY KEY (sequence);
ALTER TABLE ONLY public.deployment_counts
    ADD CONSTRAINT deployment_counts_key PRIMARY KEY (environment_id, status);
ALTER TABLE ONLY public.deployment_log
    ADD CONSTRAINT deployment_log_key PRIMARY KEY (deployment_id, n);
ALTER TABLE ONLY public.deployments
    ADD CONSTRAINT deployments_id_key UNIQUE (id);
ALTER TABLE ONLY public.deployments
    ADD CONSTRAINT deployments_key_key UNIQUE (key);
ALTER TABLE ONLY public.deployments
    ADD CONSTRAINT deployments_pkey PRIMARY KEY ("position");
ALTER TABLE ONLY public.embedded_records
    ADD CONSTRAINT embedded_records_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.environments
    ADD CONSTRAINT environments_id_key UNIQUE (id);
ALTER TABLE ONLY public.environments
    ADD CONSTRAINT environments_key_key UNIQUE (key);
ALTER TABLE ONLY public.environments
    ADD CONSTRAINT environments_pkey PRIMARY KEY ("position");
ALTER TABLE ONLY public.event_head
    ADD CONSTRAINT event_head_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (sequence);
ALTER TABLE ONLY public.flows
    ADD CONSTRAINT flows_id_key UNIQUE (id);
ALTER TABLE ONLY public.flows
    ADD CONSTRAINT flows_key_key UNIQUE (key);
ALTER TABLE ONLY public.flows
    ADD CONSTRAINT flows_pkey PRIMARY KEY ("position");
ALTER TABLE ONLY public.idempotency
    ADD CONSTRAINT idempotency_key PRIMARY KEY (caller, endpoint, key);
ALTER TABLE ONLY public.intents
    ADD CONSTRAINT intents_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.keyring
    ADD CONSTRAINT keyring_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.leases
    ADD CONSTRAINT leases_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.overrides
    ADD CONSTRAINT overrides_key PRIMARY KEY (environment_id, automation_id);
ALTER TABLE ONLY public.pending_events
    ADD CONSTRAINT pending_events_pkey PRIMARY KEY (arrival);
ALTER TABLE ONLY public.pipelines
    ADD CONSTRAINT pipelines_id_key UNIQUE (id);
ALTER TABLE ONLY public.pipelines
    ADD CONSTRAINT pipelines_key_key UNIQUE (key);
ALTER TABLE ONLY public.pipelines
    ADD CONSTRAINT pipelines_pkey PRIMARY KEY ("position");
ALTER TABLE ONLY public.positions
    ADD CONSTRAINT positions_pkey PRIMARY KEY (list);
ALTER TABLE ONLY public.processes
    ADD CONSTRAINT processes_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.release_designs
    ADD CONSTRAINT release_designs_pkey PRIMARY KEY (release_id);
ALTER TABLE ONLY public.releases
    ADD CONSTRAINT releases_id_key UNIQUE (id);
ALTER TABLE ONLY public.releases
    ADD CONSTRAINT releases_key_key UNIQUE (key);
ALTER TABLE ONLY public.releases
    ADD CONSTRAINT releases_pkey PRIMARY KEY ("position");
ALTER TABLE ONLY public.run_log
    ADD CONSTRAINT run_log_key PRIMARY KEY (run_id, n);
ALTER TABLE ONLY public.runs
    ADD CONSTRAINT runs_holds_key UNIQUE (holds);
ALTER TABLE ONLY public.runs
    ADD CONSTRAINT runs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.runs
    ADD CONSTRAINT runs_slot UNIQUE (job_id, slot);
ALTER TABLE ONLY public.secrets
    ADD CONSTRAINT secrets_key PRIMARY KEY (environment_id, scope, key);
ALTER TABLE ONLY public.summaries
    ADD CONSTRAINT summaries_pkey PRIMARY KEY (environment_id);
ALTER TABLE ONLY public.tallies
    ADD CONSTRAINT tallies_key PRIMARY KEY (list, width, bucket);
ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_id_key UNIQUE (id);
ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_key_key UNIQUE (key);
ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_pkey PRIMARY KEY ("position");
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_id_key UNIQUE (id);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_key_key UNIQUE (key);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY ("position");
ALTER TABLE ONLY public.versions
    ADD CONSTRAINT versions_id_key UNIQUE (id);
ALTER TABLE ONLY public.versions
    ADD CONSTRAINT versions_key_key UNIQUE (key);
ALTER TABLE ONLY public.versions
    ADD CONSTRAINT versions_pkey PRIMARY KEY ("position");
CREATE INDEX agents_by_environment_id ON public.agents USING btree (environment_id, "position") WHERE (environment_id IS NOT NULL);
CREATE INDEX agents_by_owner ON public.agents USING btree (owner, "position") WHERE (owner IS NOT NULL);
CREATE INDEX apps_by_environment_id ON public.apps USING btree (environment_id, "position") WHERE (environment_id IS NOT NULL);
CREATE INDEX apps_by_owner ON public.apps USING btree (owner, "position") WHERE (owner IS NOT NULL);
CREATE INDEX attempts_by_environment_id ON public.attempts USING btree (environment_id, "position") WHERE (environment_id IS NOT NULL);
CREATE INDEX attempts_by_owner ON public.attempts USING btree (owner, "position") WHERE (owner IS NOT NULL);
CREATE INDEX automations_by_environment_id ON public.automations USING btree (environment_id, "position") WHERE (environment_id IS NOT NULL);
CREATE INDEX automations_by_owner ON public.automations USING btree (owner, "position") WHERE (owner IS NOT NULL);
CREATE INDEX bindings_by_environment_id ON public.bindings USING btree (environment_id, "position") WHERE (environment_id IS NOT NULL);
CREATE INDEX bindings_by_owner ON public.bindings USING btree (owner, "position") WHERE (owner IS NOT NULL);
CREATE INDEX connectors_by_environment_id ON public.connectors USING btree (environment_id, "position") WHERE (environment_id IS NOT NULL);
CREATE INDEX connectors_by_owner ON public.connectors USING btree (owner, "position") WHERE (owner IS NOT NULL);
CREATE INDEX connectors_by_state ON public.connectors USING btree (state) WHERE (state IS NOT NULL);
CREATE INDEX deliveries_by_ended_at ON public.deliveries USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX deliveries_by_next_at ON public.deliveries USING btree (next_at) WHERE (next_at IS NOT NULL);
CREATE INDEX deliveries_of_channel ON public.deliveries USING btree (channel, state, sequence);
CREATE INDEX deployments_by_environment_id ON public.deployments USING btree (environment_id, "position") WHERE (environment_id IS NOT NULL);
CREATE INDEX deployments_by_outcome ON public.deployments USING btree (environment_id, state, key);
CREATE INDEX deployments_by_owner ON public.deployments USING btree (owner, "position") WHERE (owner IS NOT NULL);
CREATE INDEX environments_by_environment_id ON public.environments USING btree (environment_id, "position") WHERE (environment_id IS NOT NULL);
CREATE INDEX environments_by_owner ON public.environments USING btree (owner, "position") WHERE (owner IS NOT NULL);
CREATE INDEX events_by_kind ON public.events USING btree (kind, sequence);
CREATE INDEX events_by_subject ON public.events USING btree (subject, sequence);
CREATE INDEX flows_by_environment_id ON public.flows USING btree (environment_id, "position") WHERE (environment_id IS NOT NULL);
CREATE INDEX flows_by_owner ON public.flows USING btree (owner, "position") WHERE (owner IS NOT NULL);
CREATE INDEX flows_by_state ON public.flows USING btree (state) WHERE (state IS NOT NULL);
CREATE INDEX idempotency_by_expiry ON public.idempotency USING btree (expires_at);
CREATE INDEX jobs_by_age ON public.jobs USING btree (created_at, id);
CREATE INDEX jobs_by_next_at ON public.jobs USING btree (next_at) WHERE (next_at IS NOT NULL);
CREATE INDEX jobs_by_paused_until ON public.jobs USING btree (paused_until) WHERE (paused_until IS NOT NULL);
CREATE INDEX jobs_by_trigger ON public.jobs USING btree (trigger, installed_at);
CREATE INDEX pipelines_by_environment_id ON public.pipelines USING btree (environment_id, "position") WHERE (environment_id IS NOT NULL);
CREATE INDEX pipelines_by_owner ON public.pipelines USING btree (owner, "position") WHERE (owner IS NOT NULL);
CREATE INDEX release_designs_of_automation ON public.release_designs USING btree (automation_id, environment_id);
CREATE INDEX releases_by_environment_id ON public.releases USING btree (environment_id, "position") WHERE (environment_id IS NOT NULL);
CREATE INDEX releases_by_owner ON public.releases USING btree (owner, "position") WHERE (owner IS NOT NULL);
CREATE INDEX runs_by_ended_at ON public.runs USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX runs_by_heartbeat_until ON public.runs USING btree (heartbeat_until) WHERE (heartbeat_until IS NOT NULL);
CREATE INDEX runs_by_not_before ON public.runs USING btree (not_before) WHERE (not_before IS NOT NULL);
CREATE INDEX runs_by_open_job ON public.runs USING btree (open_job) WHERE (open_job IS NOT NULL);
CREATE INDEX runs_by_status ON public.runs USING btree (status, id);
CREATE INDEX runs_of_environment ON public.runs USING btree (environment_id, id);
CREATE INDEX runs_of_job ON public.runs USING btree (job_id, id);
CREATE INDEX runs_of_job_by_status ON public.runs USING btree (job_id, status, id);
CREATE INDEX tokens_by_environment_id ON public.tokens USING btree (environment_id, "position") WHERE (environment_id IS NOT NULL);
CREATE INDEX tokens_by_owner ON public.tokens USING btree (owner, "position") WHERE (owner IS NOT NULL);
CREATE INDEX users_by_environment_id ON public.users USING btree (environment_id, "position") WHERE (environment_id IS NOT NULL);
CREATE INDEX users_by_owner ON public.users USING btree (owner, "position") WHERE (owner IS NOT NULL);
CREATE INDEX versions_by_environment_id ON public.versions USING btree (environment_id, "position") WHERE (environment_id IS NOT NULL);
CREATE INDEX versions_by_owner ON public.versions USING btree (owner, "position") WHERE (owner IS NOT NULL);
ALTER TABLE ONLY public.agents
    ADD CONSTRAINT agents_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES public.environments(id);
ALTER TABLE ONLY public.aliases
    ADD CONSTRAINT aliases_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES public.agents(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.apps
    ADD CONSTRAINT apps_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES public.environments(id);
ALTER TABLE ONLY public.attempts
    ADD CONSTRAINT attempts_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES public.environments(id);
ALTER TABLE ONLY public.automations
    ADD CONSTRAINT automations_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES public.environments(id);
ALTER TABLE ONLY public.bindings
    ADD CONSTRAINT bindings_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES public.environments(id);
ALTER TABLE ONLY public.connectors
    ADD CONSTRAINT connectors_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES public.environments(id);
ALTER TABLE ONLY public.deployment_counts
    ADD CONSTRAINT deployment_counts_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES public.environments(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.deployments
    ADD CONSTRAINT deployments_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES public.environments(id);
ALTER TABLE ONLY public.environments
    ADD CONSTRAINT environments_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES public.environments(id);
ALTER TABLE ONLY public.flows
    ADD CONSTRAINT flows_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES public.environments(id);
ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES public.environments(id);
ALTER TABLE ONLY public.overrides
    ADD CONSTRAINT overrides_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES public.environments(id);
ALTER TABLE ONLY public.pipelines
    ADD CONSTRAINT pipelines_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES public.environments(id);
ALTER TABLE ONLY public.releases
    ADD CONSTRAINT releases_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES public.environments(id);
ALTER TABLE ONLY public.run_log
    ADD CONSTRAINT run_log_run_id_fkey FOREIGN KEY (run_id) REFERENCES public.runs(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.secrets
    ADD CONSTRAINT secrets_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES public.environments(id);
ALTER TABLE ONLY public.summaries
    ADD CONSTRAINT summaries_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES public.environments(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES public.environments(id);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES public.environments(id);
ALTER TABLE ONLY public.versions
    ADD CONSTRAINT versions_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES public.environments(id);
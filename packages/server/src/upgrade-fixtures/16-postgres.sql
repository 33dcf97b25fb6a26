CREATE TABLE public.agent_environments (
    "position" bigint NOT NULL,
    id text NOT NULL,
    key text NOT NULL,
    version integer NOT NULL,
    environment_id text,
    owner text,
    state text,
    doc text NOT NULL,
    sealed text,
    name text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    status text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    updated_at text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    created_by text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    search_text text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    created_at text COLLATE pg_catalog."C"
);
CREATE TABLE public.agents (
    "position" bigint NOT NULL,
    id text NOT NULL,
    key text NOT NULL,
    version integer NOT NULL,
    environment_id text,
    owner text,
    state text,
    doc text NOT NULL,
    sealed text,
    name text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    status text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    updated_at text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    created_by text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    search_text text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    created_at text COLLATE pg_catalog."C"
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
    sealed text,
    name text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    status text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    updated_at text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    created_by text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    search_text text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    created_at text COLLATE pg_catalog."C"
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
    sealed text,
    name text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    status text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    updated_at text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    created_by text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    search_text text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    created_at text COLLATE pg_catalog."C"
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
    sealed text,
    name text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    status text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    updated_at text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    created_by text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    search_text text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    created_at text COLLATE pg_catalog."C"
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
    sealed text,
    name text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    status text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    updated_at text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    created_by text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    search_text text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    created_at text COLLATE pg_catalog."C"
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
    sealed text,
    name text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    status text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    updated_at text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    created_by text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    search_text text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    created_at text COLLATE pg_catalog."C"
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
    sealed text,
    name text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    status text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    updated_at text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    created_by text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    search_text text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    created_at text COLLATE pg_catalog."C"
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
    sealed text,
    name text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    status text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    updated_at text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    created_by text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    search_text text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    created_at text COLLATE pg_catalog."C"
);
CREATE TABLE public.event_head (
    id integer NOT NULL,
    sequence bigint NOT NULL,
    hash text NOT NULL,
    mac text NOT NULL
);
CREATE TABLE public.event_start (
    id integer NOT NULL,
    sequence bigint NOT NULL,
    hash text NOT NULL,
    "time" text NOT NULL,
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
    sealed text,
    name text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    status text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    updated_at text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    created_by text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    search_text text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    created_at text COLLATE pg_catalog."C"
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
    version integer NOT NULL,
    installed_by text
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
CREATE TABLE public.outbox (
    sequence bigint NOT NULL,
    id text NOT NULL,
    topic text NOT NULL,
    key text NOT NULL,
    environment_id text,
    payload text NOT NULL,
    state text NOT NULL,
    attempts integer NOT NULL,
    next_at text COLLATE pg_catalog."C",
    created_at text NOT NULL COLLATE pg_catalog."C",
    ended_at text COLLATE pg_catalog."C",
    owner text,
    claimed_until text COLLATE pg_catalog."C"
);
CREATE SEQUENCE public.outbox_sequence_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.outbox_sequence_seq OWNED BY public.outbox.sequence;
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
    body text NOT NULL,
    mac text
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
    sealed text,
    name text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    status text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    updated_at text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    created_by text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    search_text text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    created_at text COLLATE pg_catalog."C"
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
CREATE TABLE public.rejected_events (
    arrival bigint NOT NULL,
    id text NOT NULL,
    kind text NOT NULL,
    subject text NOT NULL,
    body text NOT NULL,
    mac text,
    reason text NOT NULL,
    rejected_at text NOT NULL
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
    sealed text,
    name text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    status text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    updated_at text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    created_by text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    search_text text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    created_at text COLLATE pg_catalog."C"
);
CREATE TABLE public.role_grants (
    user_key text NOT NULL,
    environment_id text NOT NULL,
    username text NOT NULL,
    role text NOT NULL,
    granted_by text NOT NULL,
    granted_at text NOT NULL COLLATE pg_catalog."C"
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
    holds text,
    caller text,
    kind text,
    name text,
    quiet text
);
CREATE TABLE public.schema_version (
    version integer NOT NULL
);
CREATE TABLE public.secret_scopes (
    scope text NOT NULL,
    environments text,
    roles text,
    updated_at text NOT NULL
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
    sealed text,
    name text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    status text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    updated_at text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    created_by text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    search_text text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    created_at text COLLATE pg_catalog."C"
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
    sealed text,
    name text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    status text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    updated_at text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    created_by text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    search_text text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    created_at text COLLATE pg_catalog."C"
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
    sealed text,
    name text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    status text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    updated_at text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    created_by text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    search_text text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    created_at text COLLATE pg_catalog."C"
);
ALTER TABLE ONLY public.deliveries ALTER COLUMN sequence SET DEFAULT nextval('public.deliveries_sequence_seq'::regclass);
ALTER TABLE ONLY public.outbox ALTER COLUMN sequence SET DEFAULT nextval('public.outbox_sequence_seq'::regclass);
ALTER TABLE ONLY public.pending_events ALTER COLUMN arrival SET DEFAULT nextval('public.pending_events_arrival_seq'::regclass);
INSERT INTO public.agent_environments VALUES (1, '01a1e50a-60e5-7000-8ce7-cf89d83e18b7', '["agent","01a1e50a-6057-7001-97f3-5f2b5d545960","01a1e50a-5abc-7000-85ca-ea2e65a15fe1"]', 5, '01a1e50a-5abc-7000-85ca-ea2e65a15fe1', '01a1e50a-6057-7001-97f3-5f2b5d545960', 'agent_release', '{"artifact":"agent/desk","release":{"environment_id":"01a1e50a-5abc-7000-85ca-ea2e65a15fe1","environment":"prod","version":"1.0.0","workflow_run_id":null,"workflow_name":null,"workflow_run_url":null,"activated_at":"2026-11-16T15:47:05.052Z","activated_by":"internal-service"}}', NULL, '', '', '', '', '', '');
INSERT INTO public.agents VALUES (1, '01a1e50a-6057-7001-97f3-5f2b5d545960', '["desk"]', 6, NULL, NULL, NULL, '{"id":"01a1e50a-6057-7001-97f3-5f2b5d545960","name":"desk","aliases":["orders-bot"],"description":"","source_path":"tiny","components":[{"environment_id":"01a1e50a-5abc-7000-85ca-ea2e65a15fe1","component":"chat","desired_state":"running","observed_state":"running","message":null,"updated_at":"2026-11-16T15:47:05.052Z","version":"1.0.0"},{"environment_id":"01a1e50a-5abc-7000-85ca-ea2e65a15fe1","component":"agent_endpoint","desired_state":"running","observed_state":"running","message":null,"updated_at":"2026-11-16T15:47:05.695Z","version":"1.0.0"},{"environment_id":"01a1e50a-5abc-7000-85ca-ea2e65a15fe1","component":"ui_app","desired_state":"running","observed_state":"running","version":"1.0.0","message":null,"updated_at":"2026-11-16T15:47:05.995Z"}],"releases":[{"environment_id":"01a1e50a-5abc-7000-85ca-ea2e65a15fe1","environment":"prod","version":"1.0.0","workflow_run_id":null,"workflow_name":null,"workflow_run_url":null,"activated_at":"2026-11-16T15:47:05.052Z","activated_by":"internal-service"}],"created_at":"2026-11-16T15:47:04.919Z","updated_at":"2026-11-16T15:47:05.122Z","created_by":"internal-service","updated_by":"internal-service"}', NULL, 'desk', '', '2026-11-16T15:47:05.122Z', 'internal-service', 'desk', '2026-11-16T15:47:04.919Z');
INSERT INTO public.aliases VALUES ('["desk"]', '01a1e50a-6057-7001-97f3-5f2b5d545960');
INSERT INTO public.aliases VALUES ('["orders-bot"]', '01a1e50a-6057-7001-97f3-5f2b5d545960');
INSERT INTO public.apps VALUES (1, '01a1e50a-6112-7000-8916-076f0ab55c58', '["01a1e50a-5abc-7000-85ca-ea2e65a15fe1","desk-ui"]', 3, '01a1e50a-5abc-7000-85ca-ea2e65a15fe1', '01a1e50a-6057-7001-97f3-5f2b5d545960', NULL, '{"id":"01a1e50a-6112-7000-8916-076f0ab55c58","name":"desk-ui","environment_id":"01a1e50a-5abc-7000-85ca-ea2e65a15fe1","description":"","agent_id":"01a1e50a-6057-7001-97f3-5f2b5d545960","source_path":"tiny","desired_state":"running","observed_state":"running","message":null,"created_at":"2026-11-16T15:47:05.106Z","updated_at":"2026-11-16T15:47:05.995Z","created_by":"internal-service","updated_by":"internal-service"}', NULL, 'desk-ui', 'running', '2026-11-16T15:47:05.995Z', 'internal-service', 'desk-ui', '2026-11-16T15:47:05.106Z');
INSERT INTO public.automations VALUES (1, '01a1e50a-5eb3-7000-9508-079531eb1f6e', '["released"]', 1, NULL, NULL, NULL, '{"id":"01a1e50a-5eb3-7000-9508-079531eb1f6e","alias":"released","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false},"design_content_hash":"sha256:1f98e22a7885dda7711aef411a191b60ac82b26c5936ebb675680d3bdd01e0e1","created_at":"2026-11-16T15:47:04.421Z","updated_at":"2026-11-16T15:47:04.421Z","created_by":"internal-service","updated_by":null}', NULL, 'released', '', '2026-11-16T15:47:04.421Z', 'internal-service', 'released', '2026-11-16T15:47:04.421Z');
INSERT INTO public.automations VALUES (2, '01a1e50a-5f1a-7000-adae-5fe1c4a4df08', '["released-paused"]', 1, NULL, NULL, NULL, '{"id":"01a1e50a-5f1a-7000-adae-5fe1c4a4df08","alias":"released-paused","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false},"design_content_hash":"sha256:d9c14f3a640cbdcb936e8527a6603c696ca7f796dcfceae2b7519e0a67b6ba81","created_at":"2026-11-16T15:47:04.597Z","updated_at":"2026-11-16T15:47:04.597Z","created_by":"internal-service","updated_by":null}', NULL, 'released-paused', '', '2026-11-16T15:47:04.597Z', 'internal-service', 'released-paused', '2026-11-16T15:47:04.597Z');
INSERT INTO public.automations VALUES (3, '01a1e50a-5fb1-7000-8f17-9dca1ba0f5b3', '["released-changed"]', 2, NULL, NULL, NULL, '{"id":"01a1e50a-5fb1-7000-8f17-9dca1ba0f5b3","alias":"released-changed","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 2","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false},"design_content_hash":"sha256:df6736fe78bea29fb130fa43e307f53cf0fd15400042767a5c7d57ede0b55314","created_at":"2026-11-16T15:47:04.742Z","updated_at":"2026-11-16T15:47:04.808Z","created_by":"internal-service","updated_by":"internal-service"}', NULL, 'released-changed', '', '2026-11-16T15:47:04.808Z', 'internal-service', 'released-changed', '2026-11-16T15:47:04.742Z');
INSERT INTO public.connectors VALUES (2, '01a1e50a-5e05-7000-b6a7-c03d47897f95', '01a1e50a-5abc-7000-85ca-ea2e65a15fe1/["referring"]', 1, '01a1e50a-5abc-7000-85ca-ea2e65a15fe1', NULL, NULL, '{"id":"01a1e50a-5e05-7000-b6a7-c03d47897f95","name":"referring","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"Bearer {{secrets/shop/api-key}}"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"active","git_commit_id":null,"git_branch":null,"workflow_id":"connector-01a1e50a-5e05-7000-b6a7-c03d47897f95","artifacts_path":null,"error_message":null,"created_at":"2026-11-16T15:47:04.325Z","updated_at":"2026-11-16T15:47:04.325Z","created_by":"ada@example.test","updated_by":null,"datasets":[{"id":"01a1e50a-5e05-7001-a3e5-38018defc933","connector_id":"01a1e50a-5e05-7000-b6a7-c03d47897f95","source_dataset":"referring","target_name":"referring","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-16T15:47:04.325Z","created_by":"internal-service"}]}', NULL, 'referring', 'active', '2026-11-16T15:47:04.325Z', 'ada@example.test', 'referring
warehouse', '2026-11-16T15:47:04.325Z');
INSERT INTO public.connectors VALUES (3, '01a1e50a-5e22-7000-8397-9ea34c38d288', '01a1e50a-5abc-7000-85ca-ea2e65a15fe1/["paused"]', 2, '01a1e50a-5abc-7000-85ca-ea2e65a15fe1', NULL, NULL, '{"id":"01a1e50a-5e22-7000-8397-9ea34c38d288","name":"paused","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"********"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"paused","git_commit_id":null,"git_branch":null,"workflow_id":"connector-01a1e50a-5e22-7000-8397-9ea34c38d288","artifacts_path":null,"error_message":null,"created_at":"2026-11-16T15:47:04.354Z","updated_at":"2026-11-16T15:47:04.374Z","created_by":"ada@example.test","updated_by":"internal-service","datasets":[{"id":"01a1e50a-5e23-7000-98af-13ef57381c96","connector_id":"01a1e50a-5e22-7000-8397-9ea34c38d288","source_dataset":"paused","target_name":"paused","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-16T15:47:04.354Z","created_by":"internal-service"}]}', 'Qfly1UhlJ1m1JRwEAntYdt2CnG75A4KAIcqcOMJMKQ+osSyQDOn5Aq9O8NvxSRDGwm3gxqNNRAFy9cv0srhuaUEGYg++bumX+3QKnSlYhSWH6UbuLhE7rTs9kKvnHECy6jGKgKs0o3oPZpchVYJK7Qad', 'paused', 'paused', '2026-11-16T15:47:04.374Z', 'ada@example.test', 'paused
warehouse', '2026-11-16T15:47:04.354Z');
INSERT INTO public.connectors VALUES (1, '01a1e50a-5dc3-7000-a182-baeea4e89f15', '01a1e50a-5abc-7000-85ca-ea2e65a15fe1/["inline"]', 2, '01a1e50a-5abc-7000-85ca-ea2e65a15fe1', NULL, NULL, '{"id":"01a1e50a-5dc3-7000-a182-baeea4e89f15","name":"inline","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"********"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"active","git_commit_id":null,"git_branch":"main","workflow_id":"connector-01a1e50a-5dc3-7000-a182-baeea4e89f15","artifacts_path":null,"error_message":null,"created_at":"2026-11-16T15:47:04.259Z","updated_at":"2026-11-16T15:47:04.401Z","created_by":"ada@example.test","updated_by":"internal-service","datasets":[{"id":"01a1e50a-5dc4-7000-85f7-286735a1dfcd","connector_id":"01a1e50a-5dc3-7000-a182-baeea4e89f15","source_dataset":"inline","target_name":"inline","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-16T15:47:04.259Z","created_by":"internal-service"}]}', 'xz+ILdTE/5zb4L1eBmH23Q5J0kOJOewn951g3JgElppjYaqiyGOLiSd2oGTPqk62Dbf5I4o7Fkm0SvWZ+V0QC0GtcMf706QUB6FzidtOj8S5L+0pSuNqNcrSMTGKN2zgPQv1EknVNREB4BrG/Bf6MrtMRJkBRu1U0Ow3UmOBsMs=', 'inline', 'active', '2026-11-16T15:47:04.401Z', 'ada@example.test', 'inline
warehouse', '2026-11-16T15:47:04.259Z');
INSERT INTO public.cursors VALUES ('chat', 0);
INSERT INTO public.deployment_counts VALUES ('01a1e50a-5abc-7000-85ca-ea2e65a15fe1', 'pending', 0);
INSERT INTO public.deployment_counts VALUES ('01a1e50a-5abc-7000-85ca-ea2e65a15fe1', 'succeeded', 4);
INSERT INTO public.deployment_log VALUES ('01a1e50a-64bf-7000-8cdb-1c690c257ede', 1, '"uploading\n"');
INSERT INTO public.deployments VALUES (1, '01a1e50a-5ed0-7001-9ab0-df4f0c6e3920', '["2026-11-16T15:47:04.516Z","01a1e50a-5ed0-7001-9ab0-df4f0c6e3920"]', 1, '01a1e50a-5abc-7000-85ca-ea2e65a15fe1', NULL, 'succeeded', '{"id":"01a1e50a-5ed0-7001-9ab0-df4f0c6e3920","deployment_name":"released 1.0.0","environment_id":"01a1e50a-5abc-7000-85ca-ea2e65a15fe1","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T15:47:04.516Z","started_at":"2026-11-16T15:47:04.516Z","completed_at":"2026-11-16T15:47:04.516Z","initiated_by":"internal-service","error_message":null}', NULL, 'released 1.0.0', 'succeeded', '', 'internal-service', 'released 1.0.0
main
3f9c1d2', '2026-11-16T15:47:04.516Z');
INSERT INTO public.deployments VALUES (2, '01a1e50a-5f61-7001-973c-c44e1e657b2e', '["2026-11-16T15:47:04.664Z","01a1e50a-5f61-7001-973c-c44e1e657b2e"]', 1, '01a1e50a-5abc-7000-85ca-ea2e65a15fe1', NULL, 'succeeded', '{"id":"01a1e50a-5f61-7001-973c-c44e1e657b2e","deployment_name":"released-paused 1.0.0","environment_id":"01a1e50a-5abc-7000-85ca-ea2e65a15fe1","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T15:47:04.664Z","started_at":"2026-11-16T15:47:04.664Z","completed_at":"2026-11-16T15:47:04.664Z","initiated_by":"internal-service","error_message":null}', NULL, 'released-paused 1.0.0', 'succeeded', '', 'internal-service', 'released-paused 1.0.0
main
3f9c1d2', '2026-11-16T15:47:04.664Z');
INSERT INTO public.deployments VALUES (3, '01a1e50a-5fbb-7000-af35-eae25ed57aa0', '["2026-11-16T15:47:04.761Z","01a1e50a-5fbb-7000-af35-eae25ed57aa0"]', 1, '01a1e50a-5abc-7000-85ca-ea2e65a15fe1', NULL, 'succeeded', '{"id":"01a1e50a-5fbb-7000-af35-eae25ed57aa0","deployment_name":"released-changed 1.0.0","environment_id":"01a1e50a-5abc-7000-85ca-ea2e65a15fe1","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T15:47:04.761Z","started_at":"2026-11-16T15:47:04.761Z","completed_at":"2026-11-16T15:47:04.761Z","initiated_by":"internal-service","error_message":null}', NULL, 'released-changed 1.0.0', 'succeeded', '', 'internal-service', 'released-changed 1.0.0
main
3f9c1d2', '2026-11-16T15:47:04.761Z');
INSERT INTO public.deployments VALUES (4, '01a1e50a-64bf-7000-8cdb-1c690c257ede', '["2026-11-16T15:47:06.093Z","01a1e50a-64bf-7000-8cdb-1c690c257ede"]', 2, '01a1e50a-5abc-7000-85ca-ea2e65a15fe1', NULL, 'succeeded', '{"id":"01a1e50a-64bf-7000-8cdb-1c690c257ede","deployment_name":"orders 1.0.0","environment_id":"01a1e50a-5abc-7000-85ca-ea2e65a15fe1","git_branch":"main","git_commit_sha":"","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T15:47:06.047Z","started_at":null,"completed_at":"2026-11-16T15:47:06.093Z","initiated_by":"internal-service","error_message":null}', NULL, 'orders 1.0.0', 'succeeded', '', 'internal-service', 'orders 1.0.0
main', '2026-11-16T15:47:06.047Z');
INSERT INTO public.environments VALUES (1, '01a1e50a-59ca-7000-9664-abf6df50e00b', '["local"]', 1, NULL, NULL, NULL, '{"id":"01a1e50a-59ca-7000-9664-abf6df50e00b","name":"local","description":"Created at the first start","protected":false,"platform":"embedded","gitProvider":null,"gitRepository":null,"targetGitBranch":null,"secretScope":null,"dataPlatformClientIdKey":null,"dataPlatformClientSecretKey":null,"configuration":{},"isActive":true,"createdAt":"2026-11-16T15:47:03.235Z","updatedAt":"2026-11-16T15:47:03.235Z","createdBy":"lakehelm","updatedBy":null}', NULL, 'local', 'active', '2026-11-16T15:47:03.235Z', 'lakehelm', 'local
created at the first start', '2026-11-16T15:47:03.235Z');
INSERT INTO public.environments VALUES (2, '01a1e50a-5abc-7000-85ca-ea2e65a15fe1', '["prod"]', 1, NULL, NULL, NULL, '{"id":"01a1e50a-5abc-7000-85ca-ea2e65a15fe1","name":"prod","description":null,"protected":false,"platform":"embedded","gitProvider":null,"gitRepository":null,"targetGitBranch":null,"secretScope":null,"dataPlatformClientIdKey":null,"dataPlatformClientSecretKey":null,"configuration":{"timezone":"Europe/Berlin"},"isActive":true,"createdAt":"2026-11-16T15:47:03.482Z","updatedAt":"2026-11-16T15:47:03.482Z","createdBy":"internal-service","updatedBy":null}', NULL, 'prod', 'active', '2026-11-16T15:47:03.482Z', 'internal-service', 'prod', '2026-11-16T15:47:03.482Z');
INSERT INTO public.event_head VALUES (1, 43, 'pwHqsPuYr8jbJZqhmtdyHduKwrp2uyrpqa31Ltq34IY', 'cjMw-MES3xrwkR2EabT_1WQAvJYe_O4nqGl8RSsGiZA');
INSERT INTO public.event_start VALUES (1, 0, '', '', '');
INSERT INTO public.events VALUES (1, '01a1e50a-59cb-7000-9405-06cc93faad4b', 'environment.created', 'environment/01a1e50a-59ca-7000-9664-abf6df50e00b', '{"id":"01a1e50a-59cb-7000-9405-06cc93faad4b","time":"2026-11-16T15:47:03.235Z","actor":"lakehelm","request_id":null,"kind":"environment.created","subject":"environment/01a1e50a-59ca-7000-9664-abf6df50e00b","data":{"name":"local","platform":"embedded"}}', 'YzP1JI6AaBSVVI6w53QSffxNw71CoZX08fJqfMNE_rE');
INSERT INTO public.events VALUES (2, '01a1e50a-5abc-7001-a117-91b551de30f2', 'environment.created', 'environment/01a1e50a-5abc-7000-85ca-ea2e65a15fe1', '{"id":"01a1e50a-5abc-7001-a117-91b551de30f2","time":"2026-11-16T15:47:03.482Z","actor":"internal-service","request_id":"01a1e50a-5ab5-7000-b3ed-b230013ac6e4","kind":"environment.created","subject":"environment/01a1e50a-5abc-7000-85ca-ea2e65a15fe1","data":{"name":"prod","platform":"embedded"}}', 'HcacazIIdy44X8u2HzSRhzECW4Y6jxAwsGuUjfqG7C4');
INSERT INTO public.events VALUES (3, '01a1e50a-5d5c-7000-813b-6c377ff003ab', 'user.created', 'user/01a1e50a-5ad1-7000-9f28-d713ae2877c6', '{"id":"01a1e50a-5d5c-7000-813b-6c377ff003ab","time":"2026-11-16T15:47:03.504Z","actor":"internal-service","request_id":"01a1e50a-5acf-7000-9250-8afd722dcb87","kind":"user.created","subject":"user/01a1e50a-5ad1-7000-9f28-d713ae2877c6","data":{"id":"01a1e50a-5ad1-7000-9f28-d713ae2877c6","username":"ada@example.test","role":"operator","active":true,"created_at":"2026-11-16T15:47:03.504Z","updated_at":"2026-11-16T15:47:03.504Z","created_by":"internal-service"}}', 'IqPimetbXTmFbpo2sWneduEP8-WOFwKosVQCI9u7HR4');
INSERT INTO public.events VALUES (4, '01a1e50a-5d7c-7000-afae-1fd32e34382e', 'token.created', 'token/01a1e50a-5d7b-7000-abb2-f4f49b16ae5d', '{"id":"01a1e50a-5d7c-7000-afae-1fd32e34382e","time":"2026-11-16T15:47:04.183Z","actor":"internal-service","request_id":"01a1e50a-5d77-7000-a7df-6ead4d8b37a7","kind":"token.created","subject":"token/01a1e50a-5d7b-7000-abb2-f4f49b16ae5d","data":{"id":"01a1e50a-5d7b-7000-abb2-f4f49b16ae5d","username":"ada@example.test","comment":"fixture","created_at":"2026-11-16T15:47:04.183Z","expires_at":null,"created_by":"internal-service"}}', 'GaekvjpG_6LlIA5JtB2SIHn8Hp6_jyasB9RfGQnh1_4');
INSERT INTO public.events VALUES (5, '01a1e50a-5d97-7000-8e64-bad2ef94c7ba', 'secret.stored', 'secret/01a1e50a-5abc-7000-85ca-ea2e65a15fe1/shop/api-key', '{"id":"01a1e50a-5d97-7000-8e64-bad2ef94c7ba","time":"2026-11-16T15:47:04.207Z","actor":"internal-service","request_id":"01a1e50a-5d8d-7000-a60b-7571ab879f77","kind":"secret.stored","subject":"secret/01a1e50a-5abc-7000-85ca-ea2e65a15fe1/shop/api-key","data":{"environment_id":"01a1e50a-5abc-7000-85ca-ea2e65a15fe1","scope":"shop","key":"api-key"}}', 'tYpBdObQLc2iVQKTAIEmV4oqE57s91CgDFpR-8Ub9Fo');
INSERT INTO public.events VALUES (6, '01a1e50a-5dd8-7000-8300-2831cc04499a', 'connector.created', 'connector/01a1e50a-5dc3-7000-a182-baeea4e89f15', '{"id":"01a1e50a-5dd8-7000-8300-2831cc04499a","time":"2026-11-16T15:47:04.259Z","actor":"internal-service","request_id":"01a1e50a-5dad-7000-b934-df3236653000","kind":"connector.created","subject":"connector/01a1e50a-5dc3-7000-a182-baeea4e89f15","data":{"name":"inline","environment_id":"01a1e50a-5abc-7000-85ca-ea2e65a15fe1","target_type":"warehouse","status":"active"}}', 'YgaJMsmUooMivgUIrTykb12IgrwCictYvlJVHzCp3d0');
INSERT INTO public.events VALUES (7, '01a1e50a-5e09-7000-83a0-7dbe14a37e3e', 'connector.created', 'connector/01a1e50a-5e05-7000-b6a7-c03d47897f95', '{"id":"01a1e50a-5e09-7000-83a0-7dbe14a37e3e","time":"2026-11-16T15:47:04.325Z","actor":"internal-service","request_id":"01a1e50a-5df7-7000-84ea-b876005786bf","kind":"connector.created","subject":"connector/01a1e50a-5e05-7000-b6a7-c03d47897f95","data":{"name":"referring","environment_id":"01a1e50a-5abc-7000-85ca-ea2e65a15fe1","target_type":"warehouse","status":"active"}}', 'qSOm2o4Qv5wg5bxj0PmnoiO6XPHkNdcYKkXlZj9c8-I');
INSERT INTO public.events VALUES (8, '01a1e50a-5e24-7000-80ca-ad0d84e96c27', 'connector.created', 'connector/01a1e50a-5e22-7000-8397-9ea34c38d288', '{"id":"01a1e50a-5e24-7000-80ca-ad0d84e96c27","time":"2026-11-16T15:47:04.354Z","actor":"internal-service","request_id":"01a1e50a-5e21-7000-83f6-c59d756ce755","kind":"connector.created","subject":"connector/01a1e50a-5e22-7000-8397-9ea34c38d288","data":{"name":"paused","environment_id":"01a1e50a-5abc-7000-85ca-ea2e65a15fe1","target_type":"warehouse","status":"active"}}', 'oTqQEVcEDkAPcOHV0SvWWrm9MJIiIDy1OcrDs_VHumY');
INSERT INTO public.events VALUES (9, '01a1e50a-5e40-7001-a49c-4aec58060c82', 'connector.paused', 'connector/01a1e50a-5e22-7000-8397-9ea34c38d288', '{"id":"01a1e50a-5e40-7001-a49c-4aec58060c82","time":"2026-11-16T15:47:04.374Z","actor":"internal-service","request_id":"01a1e50a-5e35-7000-89f3-e20ac7aa7905","kind":"connector.paused","subject":"connector/01a1e50a-5e22-7000-8397-9ea34c38d288","data":{"name":"paused","environment_id":"01a1e50a-5abc-7000-85ca-ea2e65a15fe1","reason":"holiday","until":null}}', 'jJbhnkzhgIwV9PFSzPcS-733_ITPmolounxI0wRO3pQ');
INSERT INTO public.events VALUES (10, '01a1e50a-5e58-7001-8871-6b3ccba809e0', 'connector.updated', 'connector/01a1e50a-5dc3-7000-a182-baeea4e89f15', '{"id":"01a1e50a-5e58-7001-8871-6b3ccba809e0","time":"2026-11-16T15:47:04.401Z","actor":"internal-service","request_id":"01a1e50a-5e50-7000-86d8-2f6cac89fa2f","kind":"connector.updated","subject":"connector/01a1e50a-5dc3-7000-a182-baeea4e89f15","data":{"name":"inline","environment_id":"01a1e50a-5abc-7000-85ca-ea2e65a15fe1","fields":["git_branch"]}}', 'GZPLuUVGWgm0T1270wHgNMdklqJFRWGACyvUOnRdskM');
INSERT INTO public.events VALUES (11, '01a1e50a-5eb3-7001-882b-ae9ffda434d0', 'automation.created', 'automation/01a1e50a-5eb3-7000-9508-079531eb1f6e', '{"id":"01a1e50a-5eb3-7001-882b-ae9ffda434d0","time":"2026-11-16T15:47:04.421Z","actor":"internal-service","request_id":"01a1e50a-5e64-7000-ac62-ba69aa14a5e6","kind":"automation.created","subject":"automation/01a1e50a-5eb3-7000-9508-079531eb1f6e","data":{"alias":"released","design_content_hash":"sha256:1f98e22a7885dda7711aef411a191b60ac82b26c5936ebb675680d3bdd01e0e1"}}', 'ZKyptZZoe38ZVcn3xyi4b1ijgYDw4wSyPySSGDDEDTw');
INSERT INTO public.events VALUES (12, '01a1e50a-5ed2-7000-9873-3744d6ea1296', 'deployment.recorded', 'deployment/01a1e50a-5ed0-7001-9ab0-df4f0c6e3920', '{"id":"01a1e50a-5ed2-7000-9873-3744d6ea1296","time":"2026-11-16T15:47:04.516Z","actor":"internal-service","request_id":"01a1e50a-5ec4-7000-9c3d-547e4f328af2","kind":"deployment.recorded","subject":"deployment/01a1e50a-5ed0-7001-9ab0-df4f0c6e3920","data":{"deployment_name":"released 1.0.0","environment_id":"01a1e50a-5abc-7000-85ca-ea2e65a15fe1","status":"succeeded"}}', 'DP98s4RgU18vOirg2SKHEjW7qymcwdbibNZpL2IGqF8');
INSERT INTO public.events VALUES (13, '01a1e50a-5ed2-7001-8ca5-dda4cfd5e2ce', 'automation.release_activated', 'automation/01a1e50a-5eb3-7000-9508-079531eb1f6e', '{"id":"01a1e50a-5ed2-7001-8ca5-dda4cfd5e2ce","time":"2026-11-16T15:47:04.516Z","actor":"internal-service","request_id":"01a1e50a-5ec4-7000-9c3d-547e4f328af2","kind":"automation.release_activated","subject":"automation/01a1e50a-5eb3-7000-9508-079531eb1f6e","data":{"alias":"released","release_id":"01a1e50a-5ece-7000-968a-d0962a256859","environment_id":"01a1e50a-5abc-7000-85ca-ea2e65a15fe1","version":"1.0.0","replaced":null}}', 'IndP7ZhwKw4ridJ2JHNW8wNPHFY61MP4i0pkanwRD4o');
INSERT INTO public.events VALUES (14, '01a1e50a-5eef-7000-b5e4-fcf7e681b311', 'environment.reconciled', 'environment/01a1e50a-5abc-7000-85ca-ea2e65a15fe1', '{"id":"01a1e50a-5eef-7000-b5e4-fcf7e681b311","time":"2026-11-16T15:47:04.516Z","actor":"internal-service","request_id":"01a1e50a-5ec4-7000-9c3d-547e4f328af2","kind":"environment.reconciled","subject":"environment/01a1e50a-5abc-7000-85ca-ea2e65a15fe1","data":{}}', 'MQVatspF2NvHH26hELdOOkHp6bB0rR-qwR6orp4cSIM');
INSERT INTO public.events VALUES (15, '01a1e50a-5f1a-7001-87e4-8ec2846f8a9f', 'automation.created', 'automation/01a1e50a-5f1a-7000-adae-5fe1c4a4df08', '{"id":"01a1e50a-5f1a-7001-87e4-8ec2846f8a9f","time":"2026-11-16T15:47:04.597Z","actor":"internal-service","request_id":"01a1e50a-5f15-7000-81e8-2e2d69640802","kind":"automation.created","subject":"automation/01a1e50a-5f1a-7000-adae-5fe1c4a4df08","data":{"alias":"released-paused","design_content_hash":"sha256:d9c14f3a640cbdcb936e8527a6603c696ca7f796dcfceae2b7519e0a67b6ba81"}}', 'emUTvf5oF3e7RwWmUIgx2A9DEhb_KuHITOHQ1-3b7WE');
INSERT INTO public.events VALUES (16, '01a1e50a-5f62-7000-9a6e-863e0ba9c917', 'deployment.recorded', 'deployment/01a1e50a-5f61-7001-973c-c44e1e657b2e', '{"id":"01a1e50a-5f62-7000-9a6e-863e0ba9c917","time":"2026-11-16T15:47:04.664Z","actor":"internal-service","request_id":"01a1e50a-5f58-7000-9e78-7f76c9934ddd","kind":"deployment.recorded","subject":"deployment/01a1e50a-5f61-7001-973c-c44e1e657b2e","data":{"deployment_name":"released-paused 1.0.0","environment_id":"01a1e50a-5abc-7000-85ca-ea2e65a15fe1","status":"succeeded"}}', 'yg2zzN0n82zoucUapsXgnAhRYNsJWUkkULWiQTL_QUI');
INSERT INTO public.events VALUES (17, '01a1e50a-5f62-7001-9605-faba7ea1918b', 'automation.release_activated', 'automation/01a1e50a-5f1a-7000-adae-5fe1c4a4df08', '{"id":"01a1e50a-5f62-7001-9605-faba7ea1918b","time":"2026-11-16T15:47:04.664Z","actor":"internal-service","request_id":"01a1e50a-5f58-7000-9e78-7f76c9934ddd","kind":"automation.release_activated","subject":"automation/01a1e50a-5f1a-7000-adae-5fe1c4a4df08","data":{"alias":"released-paused","release_id":"01a1e50a-5f5c-7000-a020-e964fbd93bdb","environment_id":"01a1e50a-5abc-7000-85ca-ea2e65a15fe1","version":"1.0.0","replaced":null}}', 'pwAU0iH8phQ49pix8IxAyZUv2JLK8Um_lLLHFjBqXPA');
INSERT INTO public.events VALUES (18, '01a1e50a-5f99-7000-bb2f-b5d982a19190', 'environment.reconciled', 'environment/01a1e50a-5abc-7000-85ca-ea2e65a15fe1', '{"id":"01a1e50a-5f99-7000-bb2f-b5d982a19190","time":"2026-11-16T15:47:04.664Z","actor":"internal-service","request_id":"01a1e50a-5f58-7000-9e78-7f76c9934ddd","kind":"environment.reconciled","subject":"environment/01a1e50a-5abc-7000-85ca-ea2e65a15fe1","data":{}}', 'ceGQni3WcbpcB5B4-25k99D-s-3i-bWkt08F2GqVjAU');
INSERT INTO public.events VALUES (19, '01a1e50a-5fb1-7001-b43d-0ba585c315ea', 'automation.created', 'automation/01a1e50a-5fb1-7000-8f17-9dca1ba0f5b3', '{"id":"01a1e50a-5fb1-7001-b43d-0ba585c315ea","time":"2026-11-16T15:47:04.742Z","actor":"internal-service","request_id":"01a1e50a-5fa6-7000-abd2-fc3cbba3b4e9","kind":"automation.created","subject":"automation/01a1e50a-5fb1-7000-8f17-9dca1ba0f5b3","data":{"alias":"released-changed","design_content_hash":"sha256:c8d4f96dba20e4dcb49d5dc09162e7ee6f32422fbc109f8025cfb309fad7e44c"}}', 'VWZSiz-jBR1wTsXFhuaApOGjO_ftaXlWX3pTSgSoGdA');
INSERT INTO public.events VALUES (20, '01a1e50a-5fbb-7002-8d17-2640a29a26b3', 'deployment.recorded', 'deployment/01a1e50a-5fbb-7000-af35-eae25ed57aa0', '{"id":"01a1e50a-5fbb-7002-8d17-2640a29a26b3","time":"2026-11-16T15:47:04.761Z","actor":"internal-service","request_id":"01a1e50a-5fb8-7000-85bb-62d7b1b9c7df","kind":"deployment.recorded","subject":"deployment/01a1e50a-5fbb-7000-af35-eae25ed57aa0","data":{"deployment_name":"released-changed 1.0.0","environment_id":"01a1e50a-5abc-7000-85ca-ea2e65a15fe1","status":"succeeded"}}', 'KJrAFOZZ5PyGOTNrz_imhDHtuO0X5hO6a3bUvDltzUA');
INSERT INTO public.events VALUES (21, '01a1e50a-5fbb-7003-904d-9ba8c0abaf7e', 'automation.release_activated', 'automation/01a1e50a-5fb1-7000-8f17-9dca1ba0f5b3', '{"id":"01a1e50a-5fbb-7003-904d-9ba8c0abaf7e","time":"2026-11-16T15:47:04.761Z","actor":"internal-service","request_id":"01a1e50a-5fb8-7000-85bb-62d7b1b9c7df","kind":"automation.release_activated","subject":"automation/01a1e50a-5fb1-7000-8f17-9dca1ba0f5b3","data":{"alias":"released-changed","release_id":"01a1e50a-5fba-7000-b13f-416cefaa7f46","environment_id":"01a1e50a-5abc-7000-85ca-ea2e65a15fe1","version":"1.0.0","replaced":null}}', 'JUkKIO1YISFO4LgasX5Q76Dll5yk9icBE0vXW6Cz3HY');
INSERT INTO public.events VALUES (22, '01a1e50a-5fd4-7000-b2fc-8e0ca074bd4f', 'environment.reconciled', 'environment/01a1e50a-5abc-7000-85ca-ea2e65a15fe1', '{"id":"01a1e50a-5fd4-7000-b2fc-8e0ca074bd4f","time":"2026-11-16T15:47:04.761Z","actor":"internal-service","request_id":"01a1e50a-5fb8-7000-85bb-62d7b1b9c7df","kind":"environment.reconciled","subject":"environment/01a1e50a-5abc-7000-85ca-ea2e65a15fe1","data":{}}', 'DeGIEc8Y7wbFazDLQ4aus3KrXuiARNv5nPWMauvKlVA');
INSERT INTO public.events VALUES (23, '01a1e50a-5fdd-7001-832e-9cc950019022', 'automation.schedule_paused', 'automation/01a1e50a-5f1a-7000-adae-5fe1c4a4df08', '{"id":"01a1e50a-5fdd-7001-832e-9cc950019022","time":"2026-11-16T15:47:04.794Z","actor":"internal-service","request_id":"01a1e50a-5fda-7000-863e-5222c014f6f2","kind":"automation.schedule_paused","subject":"automation/01a1e50a-5f1a-7000-adae-5fe1c4a4df08","data":{"alias":"released-paused","release_id":"01a1e50a-5f5c-7000-a020-e964fbd93bdb","environment_id":"01a1e50a-5abc-7000-85ca-ea2e65a15fe1","version":"1.0.0","reason":"holiday","until":null}}', 'XcV2VOZUy3xl1Uejs5fUwXoLy0IA5qWSrnZjQcO5Q7c');
INSERT INTO public.events VALUES (24, '01a1e50a-5fed-7000-9878-199276033e80', 'automation.definition_set', 'automation/01a1e50a-5fb1-7000-8f17-9dca1ba0f5b3', '{"id":"01a1e50a-5fed-7000-9878-199276033e80","time":"2026-11-16T15:47:04.808Z","actor":"internal-service","request_id":"01a1e50a-5fe7-7000-b029-60b9e3ec616b","kind":"automation.definition_set","subject":"automation/01a1e50a-5fb1-7000-8f17-9dca1ba0f5b3","data":{"alias":"released-changed","design_content_hash":"sha256:df6736fe78bea29fb130fa43e307f53cf0fd15400042767a5c7d57ede0b55314"}}', 'vq17r3bvTHtUGo5alDxS12dZWayj1C7I98ClMV3r1iQ');
INSERT INTO public.events VALUES (25, '01a1e50a-6015-7000-a2f1-08717c4c93c2', 'file.written', 'file/01a1e50a-5abc-7000-85ca-ea2e65a15fe1/pipelines/numbers.sql', '{"id":"01a1e50a-6015-7000-a2f1-08717c4c93c2","time":"2026-11-16T15:47:04.837Z","actor":"internal-service","request_id":"01a1e50a-6001-7000-82b1-86f7e7c5ae6e","kind":"file.written","subject":"file/01a1e50a-5abc-7000-85ca-ea2e65a15fe1/pipelines/numbers.sql","data":{"environment_id":"01a1e50a-5abc-7000-85ca-ea2e65a15fe1","path":"pipelines/numbers.sql","size":51,"sha256":"b0bf44b639804f1839a1927e097d46337d4fc58b70b6448f3bb019cef234fa17"}}', 'EZmrG5aCO3UNgu6NkQAb5xYygJ5Uu5MWJYrNerd3a3k');
INSERT INTO public.events VALUES (26, '01a1e50a-6038-7000-b933-2c51c5402229', 'pipeline.created', 'pipeline/01a1e50a-6033-7000-82e1-33d2a9fbf808', '{"id":"01a1e50a-6038-7000-b933-2c51c5402229","time":"2026-11-16T15:47:04.882Z","actor":"internal-service","request_id":"01a1e50a-6031-7000-914b-5ba388304f1f","kind":"pipeline.created","subject":"pipeline/01a1e50a-6033-7000-82e1-33d2a9fbf808","data":{"name":"numbers","environment_id":"01a1e50a-5abc-7000-85ca-ea2e65a15fe1"}}', '9c5mz5GVZGApbTWNzaGa1x2RrR8cXtq7CevbYWuwECw');
INSERT INTO public.events VALUES (27, '01a1e50a-605f-7000-834b-d70c6ba17de3', 'agent.created', 'agent/01a1e50a-6057-7001-97f3-5f2b5d545960', '{"id":"01a1e50a-605f-7000-834b-d70c6ba17de3","time":"2026-11-16T15:47:04.919Z","actor":"internal-service","request_id":"01a1e50a-6057-7000-bfd3-2b038710600d","kind":"agent.created","subject":"agent/01a1e50a-6057-7001-97f3-5f2b5d545960","data":{"name":"desk","aliases":["orders-bot"]}}', 'fsC0jLiJNtVKFEajoDqfrP_mqI7Kb1EeW4ukzgSNa2U');
INSERT INTO public.events VALUES (28, '01a1e50a-609c-7000-b2c2-2eb9bc5b9eee', 'file.written', 'file/01a1e50a-5abc-7000-85ca-ea2e65a15fe1/tiny/app.yaml', '{"id":"01a1e50a-609c-7000-b2c2-2eb9bc5b9eee","time":"2026-11-16T15:47:04.954Z","actor":"internal-service","request_id":"01a1e50a-6075-7000-8d40-73a7b7d90289","kind":"file.written","subject":"file/01a1e50a-5abc-7000-85ca-ea2e65a15fe1/tiny/app.yaml","data":{"environment_id":"01a1e50a-5abc-7000-85ca-ea2e65a15fe1","path":"tiny/app.yaml","size":25,"sha256":"161d49cab793e4e16c959370ac0ef0283a37471131f8f1ce0f6cbd77067c181a"}}', 'qZXXB6yxF8DFFrBuroOi-4iSGIP0C3QDgWAtc3YHJNM');
INSERT INTO public.events VALUES (29, '01a1e50a-60cf-7000-8619-7f75df2c84fe', 'file.written', 'file/01a1e50a-5abc-7000-85ca-ea2e65a15fe1/tiny/app.mjs', '{"id":"01a1e50a-60cf-7000-8619-7f75df2c84fe","time":"2026-11-16T15:47:05.018Z","actor":"internal-service","request_id":"01a1e50a-60b8-7000-a777-1a963484b7c0","kind":"file.written","subject":"file/01a1e50a-5abc-7000-85ca-ea2e65a15fe1/tiny/app.mjs","data":{"environment_id":"01a1e50a-5abc-7000-85ca-ea2e65a15fe1","path":"tiny/app.mjs","size":154,"sha256":"42a29daadf6a0e247952089c44decb92d0f16169dfeeb9aa0956ff02f5cd7d93"}}', 'eux1DNTsEjX9COVrzvmMe9CBMU11S9dJxtQNuvzIej0');
INSERT INTO public.events VALUES (30, '01a1e50a-60e7-7000-8e0e-a0297e9d9bd0', 'agent.version_created', 'agent/01a1e50a-6057-7001-97f3-5f2b5d545960', '{"id":"01a1e50a-60e7-7000-8e0e-a0297e9d9bd0","time":"2026-11-16T15:47:05.052Z","actor":"internal-service","request_id":"01a1e50a-60dc-7000-a264-8e37d9d09320","kind":"agent.version_created","subject":"agent/01a1e50a-6057-7001-97f3-5f2b5d545960","data":{"name":"desk","version":"1.0.0"}}', 'ArK2oSUVLu0IJmJxAkZ6-LPHK9kJ2a7hKq4huABzm6M');
INSERT INTO public.events VALUES (31, '01a1e50a-60e7-7001-a660-0afe2b2f5f70', 'agent.release_activated', 'agent/01a1e50a-6057-7001-97f3-5f2b5d545960', '{"id":"01a1e50a-60e7-7001-a660-0afe2b2f5f70","time":"2026-11-16T15:47:05.052Z","actor":"internal-service","request_id":"01a1e50a-60dc-7000-a264-8e37d9d09320","kind":"agent.release_activated","subject":"agent/01a1e50a-6057-7001-97f3-5f2b5d545960","data":{"name":"desk","environment_id":"01a1e50a-5abc-7000-85ca-ea2e65a15fe1","version":"1.0.0"}}', 'LQh1wwMthp9-p3n_f7psN4h5UPgvOg8S5zYA1KXnOfI');
INSERT INTO public.events VALUES (34, '01a1e50a-6135-7000-836e-fd24f546f42b', 'agent.component_started', 'agent/01a1e50a-6057-7001-97f3-5f2b5d545960', '{"id":"01a1e50a-6135-7000-836e-fd24f546f42b","time":"2026-11-16T15:47:05.122Z","actor":"internal-service","request_id":"01a1e50a-6121-7000-8717-eddee784ce5c","kind":"agent.component_started","subject":"agent/01a1e50a-6057-7001-97f3-5f2b5d545960","data":{"name":"desk","environment_id":"01a1e50a-5abc-7000-85ca-ea2e65a15fe1","component":"agent_endpoint","version":"1.0.0"}}', '4O4WD8ZOhbyZNZQ1Ci5gml4DOkgY_ANNqa4g_in7Nv0');
INSERT INTO public.events VALUES (43, '01a1e50a-6508-7000-8c33-91626971b7af', 'environment.reconciled', 'environment/01a1e50a-5abc-7000-85ca-ea2e65a15fe1', '{"id":"01a1e50a-6508-7000-8c33-91626971b7af","time":"2026-11-16T15:47:06.093Z","actor":"internal-service","request_id":"01a1e50a-64ec-7000-983b-edf5699accc6","kind":"environment.reconciled","subject":"environment/01a1e50a-5abc-7000-85ca-ea2e65a15fe1","data":{}}', 'pwHqsPuYr8jbJZqhmtdyHduKwrp2uyrpqa31Ltq34IY');
INSERT INTO public.events VALUES (32, '01a1e50a-60fa-7000-8085-62ce4304add5', 'environment.reconciled', 'environment/01a1e50a-5abc-7000-85ca-ea2e65a15fe1', '{"id":"01a1e50a-60fa-7000-8085-62ce4304add5","time":"2026-11-16T15:47:05.052Z","actor":"internal-service","request_id":"01a1e50a-60dc-7000-a264-8e37d9d09320","kind":"environment.reconciled","subject":"environment/01a1e50a-5abc-7000-85ca-ea2e65a15fe1","data":{}}', '5d1hv0fPRaiVrLTia6pwMAjg1YU3d9nTy4CnkHnHbLo');
INSERT INTO public.events VALUES (33, '01a1e50a-6115-7000-811e-a9eaaf836e3a', 'app.created', 'app/01a1e50a-6112-7000-8916-076f0ab55c58', '{"id":"01a1e50a-6115-7000-811e-a9eaaf836e3a","time":"2026-11-16T15:47:05.106Z","actor":"internal-service","request_id":"01a1e50a-6111-7000-805f-4c57796fe630","kind":"app.created","subject":"app/01a1e50a-6112-7000-8916-076f0ab55c58","data":{"name":"desk-ui","environment_id":"01a1e50a-5abc-7000-85ca-ea2e65a15fe1","agent_id":"01a1e50a-6057-7001-97f3-5f2b5d545960"}}', 'xaTNjulgS_sEhuakNMSodgaPZRZFTxmhxHc4V8f9YuE');
INSERT INTO public.events VALUES (35, '01a1e50a-6361-7000-8dfc-9e1bccac4eb4', 'agent.component_settled', 'agent/01a1e50a-6057-7001-97f3-5f2b5d545960', '{"id":"01a1e50a-6361-7000-8dfc-9e1bccac4eb4","time":"2026-11-16T15:47:05.695Z","actor":"platform","request_id":null,"kind":"agent.component_settled","subject":"agent/01a1e50a-6057-7001-97f3-5f2b5d545960","data":{"environment_id":"01a1e50a-5abc-7000-85ca-ea2e65a15fe1","component":"agent_endpoint","observed_state":"running","message":null}}', 'V2MhIyKhmrtVcYRnkdhXuS94mcDgThM7giZu7bhhYqk');
INSERT INTO public.events VALUES (36, '01a1e50a-6380-7000-82c9-3457e58a3bc0', 'app.started', 'app/01a1e50a-6112-7000-8916-076f0ab55c58', '{"id":"01a1e50a-6380-7000-82c9-3457e58a3bc0","time":"2026-11-16T15:47:05.122Z","actor":"internal-service","request_id":"01a1e50a-6121-7000-8717-eddee784ce5c","kind":"app.started","subject":"app/01a1e50a-6112-7000-8916-076f0ab55c58","data":{"name":"desk-ui","environment_id":"01a1e50a-5abc-7000-85ca-ea2e65a15fe1","observed_state":"pending"}}', 'zWI9vWgyYhPItHF0cdEor7Lj1eP0KykYBo1QKK85OxM');
INSERT INTO public.events VALUES (37, '01a1e50a-6380-7001-aa5f-2cc5a7e3ba57', 'agent.ui_app_followed', 'agent/01a1e50a-6057-7001-97f3-5f2b5d545960', '{"id":"01a1e50a-6380-7001-aa5f-2cc5a7e3ba57","time":"2026-11-16T15:47:05.122Z","actor":"internal-service","request_id":"01a1e50a-6121-7000-8717-eddee784ce5c","kind":"agent.ui_app_followed","subject":"agent/01a1e50a-6057-7001-97f3-5f2b5d545960","data":{"name":"desk","environment_id":"01a1e50a-5abc-7000-85ca-ea2e65a15fe1","desired_state":"running","observed_state":"pending"}}', '6FeEusd9CrVzLr4vs-vsKKQgSgoUhpmdHw856VRzBl0');
INSERT INTO public.events VALUES (38, '01a1e50a-649b-7000-b8d9-f5d795fe816c', 'app.settled', 'app/01a1e50a-6112-7000-8916-076f0ab55c58', '{"id":"01a1e50a-649b-7000-b8d9-f5d795fe816c","time":"2026-11-16T15:47:05.995Z","actor":"platform","request_id":null,"kind":"app.settled","subject":"app/01a1e50a-6112-7000-8916-076f0ab55c58","data":{"name":"desk-ui","observed_state":"running","message":null}}', 'TDVR-_g2x8oDUIHnr9HqZIQzVge-x0-czXc1JmFo7EM');
INSERT INTO public.events VALUES (39, '01a1e50a-649b-7001-948c-b63b6b10f81e', 'agent.ui_app_followed', 'agent/01a1e50a-6057-7001-97f3-5f2b5d545960', '{"id":"01a1e50a-649b-7001-948c-b63b6b10f81e","time":"2026-11-16T15:47:05.995Z","actor":"platform","request_id":null,"kind":"agent.ui_app_followed","subject":"agent/01a1e50a-6057-7001-97f3-5f2b5d545960","data":{"name":"desk","environment_id":"01a1e50a-5abc-7000-85ca-ea2e65a15fe1","desired_state":"running","observed_state":"running"}}', '8eS8ZTTUoevlL2NWxV0zvCdtI2r3owLz4pwNNDA67WM');
INSERT INTO public.events VALUES (40, '01a1e50a-64bf-7001-a856-4e2cfa3d7f29', 'deployment.created', 'deployment/01a1e50a-64bf-7000-8cdb-1c690c257ede', '{"id":"01a1e50a-64bf-7001-a856-4e2cfa3d7f29","time":"2026-11-16T15:47:06.047Z","actor":"internal-service","request_id":"01a1e50a-64b3-7000-9bba-c1c6af030778","kind":"deployment.created","subject":"deployment/01a1e50a-64bf-7000-8cdb-1c690c257ede","data":{"deployment_name":"orders 1.0.0","environment_id":"01a1e50a-5abc-7000-85ca-ea2e65a15fe1","status":"pending"}}', 'J7vBySp0wWbhTVGse8g4sTzI4O2mL-_1pIuVhmEk5n0');
INSERT INTO public.events VALUES (41, '01a1e50a-64d4-7000-9755-5c9bed5051d0', 'deployment.logged', 'deployment/01a1e50a-64bf-7000-8cdb-1c690c257ede', '{"id":"01a1e50a-64d4-7000-9755-5c9bed5051d0","time":"2026-11-16T15:47:06.062Z","actor":"internal-service","request_id":"01a1e50a-64cd-7000-89ad-67c92abe613d","kind":"deployment.logged","subject":"deployment/01a1e50a-64bf-7000-8cdb-1c690c257ede","data":{"environment_id":"01a1e50a-5abc-7000-85ca-ea2e65a15fe1","characters":10}}', 'amESKiXwmeeY5EFzyPyQduzd_P1CubNx1dxyhcoqYDY');
INSERT INTO public.events VALUES (42, '01a1e50a-64f1-7000-97ff-9f654f89d853', 'deployment.finished', 'deployment/01a1e50a-64bf-7000-8cdb-1c690c257ede', '{"id":"01a1e50a-64f1-7000-97ff-9f654f89d853","time":"2026-11-16T15:47:06.093Z","actor":"internal-service","request_id":"01a1e50a-64ec-7000-983b-edf5699accc6","kind":"deployment.finished","subject":"deployment/01a1e50a-64bf-7000-8cdb-1c690c257ede","data":{"deployment_name":"orders 1.0.0","environment_id":"01a1e50a-5abc-7000-85ca-ea2e65a15fe1","status":"succeeded"}}', 'GiZDRCZtxNn74IA-RQmbstgl_OUn_0os3-JHTSfLS58');
INSERT INTO public.jobs VALUES ('connector-01a1e50a-5e05-7000-b6a7-c03d47897f95', '01a1e50a-5abc-7000-85ca-ea2e65a15fe1', 'connector', 'connector/01a1e50a-5e05-7000-b6a7-c03d47897f95', '"referring"', '{"trigger":{"kind":"cron","cron":"0 6 1 1 *","timezone":"Europe/Berlin"},"attempts":5,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T05:00:00.000Z', '2026-11-16T15:47:04.328Z', '2026-11-16T15:47:04.328Z', 1, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('connector-01a1e50a-5e22-7000-8397-9ea34c38d288', '01a1e50a-5abc-7000-85ca-ea2e65a15fe1', 'connector', 'connector/01a1e50a-5e22-7000-8397-9ea34c38d288', '"paused"', '{"trigger":{"kind":"cron","cron":"0 6 1 1 *","timezone":"Europe/Berlin"},"attempts":5,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', '{"by":"internal-service","at":"2026-11-16T15:47:04.374Z","reason":"holiday","until":null,"missed":0,"last_missed":null}', NULL, '{}', 0, NULL, '2027-01-01T05:00:00.000Z', '2026-11-16T15:47:04.355Z', '2026-11-16T15:47:04.355Z', 2, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('connector-01a1e50a-5dc3-7000-a182-baeea4e89f15', '01a1e50a-5abc-7000-85ca-ea2e65a15fe1', 'connector', 'connector/01a1e50a-5dc3-7000-a182-baeea4e89f15', '"inline"', '{"trigger":{"kind":"cron","cron":"0 6 1 1 *","timezone":"Europe/Berlin"},"attempts":5,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T05:00:00.000Z', '2026-11-16T15:47:04.262Z', '2026-11-16T15:47:04.408Z', 2, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('automation-01a1e50a-5eb3-7000-9508-079531eb1f6e-01a1e50a-5abc-7000-85ca-ea2e65a15fe1', '01a1e50a-5abc-7000-85ca-ea2e65a15fe1', 'automation', 'automation/01a1e50a-5eb3-7000-9508-079531eb1f6e', '"released"', '{"trigger":{"kind":"cron","cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"attempts":20,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T06:00:00.000Z', '2026-11-16T15:47:04.528Z', '2026-11-16T15:47:04.528Z', 1, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('automation-01a1e50a-5fb1-7000-8f17-9dca1ba0f5b3-01a1e50a-5abc-7000-85ca-ea2e65a15fe1', '01a1e50a-5abc-7000-85ca-ea2e65a15fe1', 'automation', 'automation/01a1e50a-5fb1-7000-8f17-9dca1ba0f5b3', '"released-changed"', '{"trigger":{"kind":"cron","cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"attempts":20,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T06:00:00.000Z', '2026-11-16T15:47:04.763Z', '2026-11-16T15:47:04.763Z', 1, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('automation-01a1e50a-5f1a-7000-adae-5fe1c4a4df08-01a1e50a-5abc-7000-85ca-ea2e65a15fe1', '01a1e50a-5abc-7000-85ca-ea2e65a15fe1', 'automation', 'automation/01a1e50a-5f1a-7000-adae-5fe1c4a4df08', '"released-paused"', '{"trigger":{"kind":"cron","cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"attempts":20,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', '{"by":"internal-service","at":"2026-11-16T15:47:04.794Z","reason":"holiday","until":null,"missed":0,"last_missed":null}', NULL, '{}', 0, NULL, '2027-01-01T06:00:00.000Z', '2026-11-16T15:47:04.673Z', '2026-11-16T15:47:04.673Z', 2, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('pipeline-01a1e50a-6033-7000-82e1-33d2a9fbf808', '01a1e50a-5abc-7000-85ca-ea2e65a15fe1', 'pipeline', 'pipeline/01a1e50a-6033-7000-82e1-33d2a9fbf808', '"numbers"', '{"trigger":{"kind":"manual"},"attempts":3,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'manual', NULL, NULL, '{}', 0, NULL, NULL, '2026-11-16T15:47:04.883Z', '2026-11-16T15:47:04.883Z', 1, '["lakehelm"]');
INSERT INTO public.keyring VALUES ('fingerprint', 'keOT3fxHz_I6EV7EkRe8KYS2yBFU5Xa5yqF8SRI7QW0');
INSERT INTO public.keyring VALUES ('jwt', 'nrf/J2Mp4Zez6FCfSYtUKplQvXOudomMmHFqMnzZrIvHCSsEKRlFnMReB12mdU14w7BlnsguSMnnl2E6mxgwGbqgYGpNxZdh');
INSERT INTO public.keyring VALUES ('event anchor/01a1e50a-593b-7000-aac3-2f82a2d4784e', 'written');
INSERT INTO public.keyring VALUES ('masking rules 2', '2026-11-16T15:47:03.174Z');
INSERT INTO public.keyring VALUES ('missing installations 1', '2026-11-16T15:47:03.310Z');
INSERT INTO public.keyring VALUES ('data folder', '01a1e50a-593b-7000-aac3-2f82a2d4784e');
INSERT INTO public.overrides VALUES ('01a1e50a-5abc-7000-85ca-ea2e65a15fe1', '01a1e50a-5f1a-7000-adae-5fe1c4a4df08', '{"paused":true,"by":"internal-service","at":"2026-11-16T15:47:04.794Z","reason":"holiday","until":null}');
INSERT INTO public.pipelines VALUES (1, '01a1e50a-6033-7000-82e1-33d2a9fbf808', '["01a1e50a-5abc-7000-85ca-ea2e65a15fe1","numbers"]', 1, '01a1e50a-5abc-7000-85ca-ea2e65a15fe1', NULL, NULL, '{"pipeline_id":"01a1e50a-6033-7000-82e1-33d2a9fbf808","name":"numbers","libraries":[{"file":{"path":"pipelines/numbers.sql"}}],"configuration":{},"continuous":false,"development":false,"photon":false,"serverless":false,"channel":"CURRENT","edition":"ADVANCED","platform_managed":true,"environment_id":"01a1e50a-5abc-7000-85ca-ea2e65a15fe1","tags":{"platform.managed_by":"lakehelm","platform.environment":"prod","platform.pipeline":"numbers"},"platform_reference":"pipeline-01a1e50a-6033-7000-82e1-33d2a9fbf808","error_message":null,"created_at":"2026-11-16T15:47:04.882Z","updated_at":"2026-11-16T15:47:04.882Z","created_by":"internal-service","updated_by":null}', NULL, 'numbers', '', '2026-11-16T15:47:04.882Z', 'internal-service', 'numbers', '2026-11-16T15:47:04.882Z');
INSERT INTO public.positions VALUES ('attempts', 0);
INSERT INTO public.positions VALUES ('bindings', 0);
INSERT INTO public.positions VALUES ('flows', 0);
INSERT INTO public.positions VALUES ('environments', 2);
INSERT INTO public.positions VALUES ('users', 1);
INSERT INTO public.positions VALUES ('tokens', 1);
INSERT INTO public.positions VALUES ('connectors', 3);
INSERT INTO public.positions VALUES ('automations', 3);
INSERT INTO public.positions VALUES ('releases', 3);
INSERT INTO public.positions VALUES ('pipelines', 1);
INSERT INTO public.positions VALUES ('agents', 1);
INSERT INTO public.positions VALUES ('versions', 1);
INSERT INTO public.positions VALUES ('agent_environments', 1);
INSERT INTO public.positions VALUES ('apps', 1);
INSERT INTO public.positions VALUES ('deployments', 4);
INSERT INTO public.processes VALUES ('agent/01a1e50a-6057-7001-97f3-5f2b5d545960/01a1e50a-5abc-7000-85ca-ea2e65a15fe1', '01a1e50a-5abc-7000-85ca-ea2e65a15fe1', 'running', '{"deploy":"01a1e50a-6133-7000-8600-83a51afaab0b","name":"desk","sourcePath":"tiny","start":{"mark":"31e3db8bee5444da.98808aa81adaa3e54f5938b927b89750","port":37553,"url":"http://127.0.0.1:32985","boot":"9f3d9f44-6b6b-4927-9dfa-0d5966020935","pid":26921,"began":"284066"},"ends":[],"askedAt":"2026-11-16T15:47:05.122Z","sight":{"observed_state":"running","message":null}}', 4);
INSERT INTO public.processes VALUES ('app/01a1e50a-6112-7000-8916-076f0ab55c58', '01a1e50a-5abc-7000-85ca-ea2e65a15fe1', 'running', '{"deploy":"01a1e50a-637b-7000-91ae-dc068f2d0bb6","name":"desk-ui","sourcePath":"tiny","start":{"mark":"31e3db8bee5444da.f89c76c7621a8d1d55c20d5585283a66","port":33597,"url":"http://127.0.0.1:32985","boot":"9f3d9f44-6b6b-4927-9dfa-0d5966020935","pid":26934,"began":"284117"},"ends":[],"askedAt":"2026-11-16T15:47:05.122Z","sight":{"observed_state":"running","message":null}}', 4);
INSERT INTO public.release_designs VALUES ('01a1e50a-5ece-7000-968a-d0962a256859', '01a1e50a-5eb3-7000-9508-079531eb1f6e', '01a1e50a-5abc-7000-85ca-ea2e65a15fe1', '{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false}', NULL);
INSERT INTO public.release_designs VALUES ('01a1e50a-5f5c-7000-a020-e964fbd93bdb', '01a1e50a-5f1a-7000-adae-5fe1c4a4df08', '01a1e50a-5abc-7000-85ca-ea2e65a15fe1', '{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false}', NULL);
INSERT INTO public.release_designs VALUES ('01a1e50a-5fba-7000-b13f-416cefaa7f46', '01a1e50a-5fb1-7000-8f17-9dca1ba0f5b3', '01a1e50a-5abc-7000-85ca-ea2e65a15fe1', '{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false}', NULL);
INSERT INTO public.releases VALUES (1, '01a1e50a-5ece-7000-968a-d0962a256859', '["automation","01a1e50a-5eb3-7000-9508-079531eb1f6e","01a1e50a-5abc-7000-85ca-ea2e65a15fe1"]', 1, '01a1e50a-5abc-7000-85ca-ea2e65a15fe1', '01a1e50a-5eb3-7000-9508-079531eb1f6e', 'installed', '{"id":"01a1e50a-5ece-7000-968a-d0962a256859","artifact":"automation/released","environment_id":"01a1e50a-5abc-7000-85ca-ea2e65a15fe1","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:1f98e22a7885dda7711aef411a191b60ac82b26c5936ebb675680d3bdd01e0e1","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1e50a-5eb3-7000-9508-079531eb1f6e-01a1e50a-5abc-7000-85ca-ea2e65a15fe1","activated_at":"2026-11-16T15:47:04.516Z","activated_by":"internal-service","deployment_id":"01a1e50a-5ed0-7001-9ab0-df4f0c6e3920"}', NULL, '1.0.0', '', '', 'internal-service', '1.0.0
main
3f9c1d2', '2026-11-16T15:47:04.516Z');
INSERT INTO public.releases VALUES (3, '01a1e50a-5fba-7000-b13f-416cefaa7f46', '["automation","01a1e50a-5fb1-7000-8f17-9dca1ba0f5b3","01a1e50a-5abc-7000-85ca-ea2e65a15fe1"]', 1, '01a1e50a-5abc-7000-85ca-ea2e65a15fe1', '01a1e50a-5fb1-7000-8f17-9dca1ba0f5b3', 'installed', '{"id":"01a1e50a-5fba-7000-b13f-416cefaa7f46","artifact":"automation/released-changed","environment_id":"01a1e50a-5abc-7000-85ca-ea2e65a15fe1","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:c8d4f96dba20e4dcb49d5dc09162e7ee6f32422fbc109f8025cfb309fad7e44c","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1e50a-5fb1-7000-8f17-9dca1ba0f5b3-01a1e50a-5abc-7000-85ca-ea2e65a15fe1","activated_at":"2026-11-16T15:47:04.761Z","activated_by":"internal-service","deployment_id":"01a1e50a-5fbb-7000-af35-eae25ed57aa0"}', NULL, '1.0.0', '', '', 'internal-service', '1.0.0
main
3f9c1d2', '2026-11-16T15:47:04.761Z');
INSERT INTO public.releases VALUES (2, '01a1e50a-5f5c-7000-a020-e964fbd93bdb', '["automation","01a1e50a-5f1a-7000-adae-5fe1c4a4df08","01a1e50a-5abc-7000-85ca-ea2e65a15fe1"]', 2, '01a1e50a-5abc-7000-85ca-ea2e65a15fe1', '01a1e50a-5f1a-7000-adae-5fe1c4a4df08', 'installed', '{"id":"01a1e50a-5f5c-7000-a020-e964fbd93bdb","artifact":"automation/released-paused","environment_id":"01a1e50a-5abc-7000-85ca-ea2e65a15fe1","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:d9c14f3a640cbdcb936e8527a6603c696ca7f796dcfceae2b7519e0a67b6ba81","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1e50a-5f1a-7000-adae-5fe1c4a4df08-01a1e50a-5abc-7000-85ca-ea2e65a15fe1","activated_at":"2026-11-16T15:47:04.664Z","activated_by":"internal-service","deployment_id":"01a1e50a-5f61-7001-973c-c44e1e657b2e"}', NULL, '1.0.0', '', '', 'internal-service', '1.0.0
main
3f9c1d2', '2026-11-16T15:47:04.664Z');
INSERT INTO public.schema_version VALUES (16);
INSERT INTO public.secrets VALUES ('01a1e50a-5abc-7000-85ca-ea2e65a15fe1', 'shop', 'api-key', 'doBEqPTiN33Md3SZbVOhIhpUAMqIzSLnxDPlgqPH9mzRXkAY+h0Y', '2026-11-16T15:47:04.207Z');
INSERT INTO public.summaries VALUES ('01a1e50a-5abc-7000-85ca-ea2e65a15fe1', '{"environment_id":"01a1e50a-5abc-7000-85ca-ea2e65a15fe1","latest_success":{"id":"01a1e50a-64bf-7000-8cdb-1c690c257ede","deployment_name":"orders 1.0.0","git_branch":"main","git_commit_sha":"","completed_at":"2026-11-16T15:47:06.093Z"},"current_releases":[{"artifact":"automation/released","version":"1.0.0","activated_at":"2026-11-16T15:47:04.516Z"},{"artifact":"automation/released-paused","version":"1.0.0","activated_at":"2026-11-16T15:47:04.664Z"},{"artifact":"automation/released-changed","version":"1.0.0","activated_at":"2026-11-16T15:47:04.761Z"},{"artifact":"agent/desk","version":"1.0.0","activated_at":"2026-11-16T15:47:05.052Z"}],"deployment_counts":{"succeeded":4},"failure_streak":0,"reconciled_at":"2026-11-16T15:47:06.093Z"}');
INSERT INTO public.tallies VALUES ('environments/all', 1000000, 0, 2);
INSERT INTO public.tallies VALUES ('environments/all', 10000, 0, 2);
INSERT INTO public.tallies VALUES ('environments/all', 100, 0, 2);
INSERT INTO public.tallies VALUES ('users/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('users/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('users/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1e50a-5ad1-7000-9f28-d713ae2877c6', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1e50a-5ad1-7000-9f28-d713ae2877c6', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1e50a-5ad1-7000-9f28-d713ae2877c6', 100, 0, 1);
INSERT INTO public.tallies VALUES ('deployments/all', 1000000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/all', 10000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/all', 100, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1e50a-5abc-7000-85ca-ea2e65a15fe1', 1000000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1e50a-5abc-7000-85ca-ea2e65a15fe1', 10000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1e50a-5abc-7000-85ca-ea2e65a15fe1', 100, 0, 4);
INSERT INTO public.tallies VALUES ('connectors/all', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/all', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/all', 100, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/01a1e50a-5abc-7000-85ca-ea2e65a15fe1', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/01a1e50a-5abc-7000-85ca-ea2e65a15fe1', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/01a1e50a-5abc-7000-85ca-ea2e65a15fe1', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e50a-5eb3-7000-9508-079531eb1f6e', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e50a-5eb3-7000-9508-079531eb1f6e', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e50a-5eb3-7000-9508-079531eb1f6e', 100, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e50a-5f1a-7000-adae-5fe1c4a4df08', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e50a-5f1a-7000-adae-5fe1c4a4df08', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e50a-5f1a-7000-adae-5fe1c4a4df08', 100, 0, 1);
INSERT INTO public.tallies VALUES ('automations/all', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('automations/all', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('automations/all', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/all', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('releases/all', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('releases/all', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e50a-5abc-7000-85ca-ea2e65a15fe1', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e50a-5abc-7000-85ca-ea2e65a15fe1', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e50a-5abc-7000-85ca-ea2e65a15fe1', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e50a-5fb1-7000-8f17-9dca1ba0f5b3', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e50a-5fb1-7000-8f17-9dca1ba0f5b3', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e50a-5fb1-7000-8f17-9dca1ba0f5b3', 100, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1e50a-5abc-7000-85ca-ea2e65a15fe1', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1e50a-5abc-7000-85ca-ea2e65a15fe1', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1e50a-5abc-7000-85ca-ea2e65a15fe1', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agents/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('agents/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('agents/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1e50a-6057-7001-97f3-5f2b5d545960', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1e50a-6057-7001-97f3-5f2b5d545960', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1e50a-6057-7001-97f3-5f2b5d545960', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e50a-5abc-7000-85ca-ea2e65a15fe1', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e50a-5abc-7000-85ca-ea2e65a15fe1', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e50a-5abc-7000-85ca-ea2e65a15fe1', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e50a-6057-7001-97f3-5f2b5d545960', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e50a-6057-7001-97f3-5f2b5d545960', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e50a-6057-7001-97f3-5f2b5d545960', 100, 0, 1);
INSERT INTO public.tallies VALUES ('apps/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e50a-5abc-7000-85ca-ea2e65a15fe1', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e50a-5abc-7000-85ca-ea2e65a15fe1', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e50a-5abc-7000-85ca-ea2e65a15fe1', 100, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e50a-6057-7001-97f3-5f2b5d545960', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e50a-6057-7001-97f3-5f2b5d545960', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e50a-6057-7001-97f3-5f2b5d545960', 100, 0, 1);
INSERT INTO public.tokens VALUES (1, '01a1e50a-5d7b-7000-abb2-f4f49b16ae5d', '["CW5uLQMbmEwL-lbMHS4SAMGVXInVF4E9CVf5kURwyDU"]', 1, NULL, '01a1e50a-5ad1-7000-9f28-d713ae2877c6', NULL, '{"id":"01a1e50a-5d7b-7000-abb2-f4f49b16ae5d","username":"ada@example.test","comment":"fixture","created_at":"2026-11-16T15:47:04.183Z","expires_at":null,"created_by":"internal-service"}', NULL, 'fixture', '', '', 'internal-service', 'fixture', '2026-11-16T15:47:04.183Z');
INSERT INTO public.users VALUES (1, '01a1e50a-5ad1-7000-9f28-d713ae2877c6', '["ada@example.test"]', 1, NULL, NULL, NULL, '{"id":"01a1e50a-5ad1-7000-9f28-d713ae2877c6","username":"ada@example.test","role":"operator","active":true,"created_at":"2026-11-16T15:47:03.504Z","updated_at":"2026-11-16T15:47:03.504Z","created_by":"internal-service"}', 'wkMxu9kc5PCe8Q31P+ek9savO7/VzmMcFv6oDhDfVZI1Ro48jFR0hrSaUybqXO7jdANNf4OW+fKTRmPttnTSLYNjVfhQw/6QVStir6LonXD+hPWrnUetynkyn1pJxwGqV1c+gsaHNdnjUM+L8pWxafYg', 'ada@example.test', 'active', '2026-11-16T15:47:03.504Z', 'internal-service', 'ada@example.test', '2026-11-16T15:47:03.504Z');
INSERT INTO public.versions VALUES (1, '01a1e50a-60e1-7000-9b00-5a6363c4b283', '["01a1e50a-6057-7001-97f3-5f2b5d545960","1.0.0"]', 1, NULL, '01a1e50a-6057-7001-97f3-5f2b5d545960', NULL, '{"id":"01a1e50a-60e1-7000-9b00-5a6363c4b283","agent_id":"01a1e50a-6057-7001-97f3-5f2b5d545960","version":"1.0.0","source_path":null,"metadata":{},"created_at":"2026-11-16T15:47:05.052Z","created_by":"internal-service"}', NULL, '1.0.0', '', '', 'internal-service', '1.0.0', '2026-11-16T15:47:05.052Z');
SELECT pg_catalog.setval('public.deliveries_sequence_seq', 1, false);
SELECT pg_catalog.setval('public.outbox_sequence_seq', 10, true);
SELECT pg_catalog.setval('public.pending_events_arrival_seq', 43, true);
ALTER TABLE ONLY public.agent_environments
    ADD CONSTRAINT agent_environments_id_key UNIQUE (id);
ALTER TABLE ONLY public.agent_environments
    ADD CONSTRAINT agent_environments_key_key UNIQUE (key);
ALTER TABLE ONLY public.agent_environments
    ADD CONSTRAINT agent_environments_pkey PRIMARY KEY ("position");
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
ALTER TABLE ONLY public.environments
    ADD CONSTRAINT environments_id_key UNIQUE (id);
ALTER TABLE ONLY public.environments
    ADD CONSTRAINT environments_key_key UNIQUE (key);
ALTER TABLE ONLY public.environments
    ADD CONSTRAINT environments_pkey PRIMARY KEY ("position");
ALTER TABLE ONLY public.event_head
    ADD CONSTRAINT event_head_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.event_start
    ADD CONSTRAINT event_start_pkey PRIMARY KEY (id);
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
ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.keyring
    ADD CONSTRAINT keyring_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.leases
    ADD CONSTRAINT leases_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT outbox_id_key UNIQUE (id);
ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (sequence);
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
ALTER TABLE ONLY public.role_grants
    ADD CONSTRAINT role_grants_key PRIMARY KEY (user_key, environment_id);
ALTER TABLE ONLY public.run_log
    ADD CONSTRAINT run_log_key PRIMARY KEY (run_id, n);
ALTER TABLE ONLY public.runs
    ADD CONSTRAINT runs_holds_key UNIQUE (holds);
ALTER TABLE ONLY public.runs
    ADD CONSTRAINT runs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.runs
    ADD CONSTRAINT runs_slot UNIQUE (job_id, slot);
ALTER TABLE ONLY public.secret_scopes
    ADD CONSTRAINT secret_scopes_pkey PRIMARY KEY (scope);
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
CREATE INDEX agent_environments_by_environment_id ON public.agent_environments USING btree (environment_id, "position") WHERE (environment_id IS NOT NULL);
CREATE INDEX agent_environments_by_list_columns ON public.agent_environments USING btree ("position", environment_id, owner, created_at, name, status, updated_at, created_by, search_text);
CREATE INDEX agent_environments_by_owner ON public.agent_environments USING btree (owner, "position") WHERE (owner IS NOT NULL);
CREATE INDEX agent_environments_without_list_columns ON public.agent_environments USING btree ("position") WHERE (created_at IS NULL);
CREATE INDEX agents_by_environment_id ON public.agents USING btree (environment_id, "position") WHERE (environment_id IS NOT NULL);
CREATE INDEX agents_by_list_columns ON public.agents USING btree ("position", environment_id, owner, created_at, name, status, updated_at, created_by, search_text);
CREATE INDEX agents_by_owner ON public.agents USING btree (owner, "position") WHERE (owner IS NOT NULL);
CREATE INDEX agents_without_list_columns ON public.agents USING btree ("position") WHERE (created_at IS NULL);
CREATE INDEX apps_by_environment_id ON public.apps USING btree (environment_id, "position") WHERE (environment_id IS NOT NULL);
CREATE INDEX apps_by_list_columns ON public.apps USING btree ("position", environment_id, owner, created_at, name, status, updated_at, created_by, search_text);
CREATE INDEX apps_by_owner ON public.apps USING btree (owner, "position") WHERE (owner IS NOT NULL);
CREATE INDEX apps_without_list_columns ON public.apps USING btree ("position") WHERE (created_at IS NULL);
CREATE INDEX attempts_by_environment_id ON public.attempts USING btree (environment_id, "position") WHERE (environment_id IS NOT NULL);
CREATE INDEX attempts_by_list_columns ON public.attempts USING btree ("position", environment_id, owner, created_at, name, status, updated_at, created_by, search_text);
CREATE INDEX attempts_by_owner ON public.attempts USING btree (owner, "position") WHERE (owner IS NOT NULL);
CREATE INDEX attempts_without_list_columns ON public.attempts USING btree ("position") WHERE (created_at IS NULL);
CREATE INDEX automations_by_environment_id ON public.automations USING btree (environment_id, "position") WHERE (environment_id IS NOT NULL);
CREATE INDEX automations_by_list_columns ON public.automations USING btree ("position", environment_id, owner, created_at, name, status, updated_at, created_by, search_text);
CREATE INDEX automations_by_owner ON public.automations USING btree (owner, "position") WHERE (owner IS NOT NULL);
CREATE INDEX automations_without_list_columns ON public.automations USING btree ("position") WHERE (created_at IS NULL);
CREATE INDEX bindings_by_environment_id ON public.bindings USING btree (environment_id, "position") WHERE (environment_id IS NOT NULL);
CREATE INDEX bindings_by_list_columns ON public.bindings USING btree ("position", environment_id, owner, created_at, name, status, updated_at, created_by, search_text);
CREATE INDEX bindings_by_owner ON public.bindings USING btree (owner, "position") WHERE (owner IS NOT NULL);
CREATE INDEX bindings_without_list_columns ON public.bindings USING btree ("position") WHERE (created_at IS NULL);
CREATE INDEX connectors_by_environment_id ON public.connectors USING btree (environment_id, "position") WHERE (environment_id IS NOT NULL);
CREATE INDEX connectors_by_list_columns ON public.connectors USING btree ("position", environment_id, owner, created_at, name, status, updated_at, created_by, search_text);
CREATE INDEX connectors_by_owner ON public.connectors USING btree (owner, "position") WHERE (owner IS NOT NULL);
CREATE INDEX connectors_by_state ON public.connectors USING btree (state) WHERE (state IS NOT NULL);
CREATE INDEX connectors_without_list_columns ON public.connectors USING btree ("position") WHERE (created_at IS NULL);
CREATE INDEX deliveries_by_ended_at ON public.deliveries USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX deliveries_of_channel ON public.deliveries USING btree (channel, state, sequence);
CREATE INDEX deployment_log_first_rows ON public.deployment_log USING btree (deployment_id) WHERE (n = 1);
CREATE INDEX deployments_by_environment_id ON public.deployments USING btree (environment_id, "position") WHERE (environment_id IS NOT NULL);
CREATE INDEX deployments_by_list_columns ON public.deployments USING btree ("position", environment_id, owner, created_at, name, status, updated_at, created_by, search_text);
CREATE INDEX deployments_by_outcome ON public.deployments USING btree (environment_id, state, key);
CREATE INDEX deployments_by_owner ON public.deployments USING btree (owner, "position") WHERE (owner IS NOT NULL);
CREATE INDEX deployments_without_list_columns ON public.deployments USING btree ("position") WHERE (created_at IS NULL);
CREATE INDEX environments_by_environment_id ON public.environments USING btree (environment_id, "position") WHERE (environment_id IS NOT NULL);
CREATE INDEX environments_by_list_columns ON public.environments USING btree ("position", environment_id, owner, created_at, name, status, updated_at, created_by, search_text);
CREATE INDEX environments_by_owner ON public.environments USING btree (owner, "position") WHERE (owner IS NOT NULL);
CREATE INDEX environments_without_list_columns ON public.environments USING btree ("position") WHERE (created_at IS NULL);
CREATE INDEX events_by_id ON public.events USING btree (id);
CREATE INDEX events_by_kind ON public.events USING btree (kind, sequence);
CREATE INDEX events_by_subject ON public.events USING btree (subject, sequence);
CREATE INDEX flows_by_environment_id ON public.flows USING btree (environment_id, "position") WHERE (environment_id IS NOT NULL);
CREATE INDEX flows_by_list_columns ON public.flows USING btree ("position", environment_id, owner, created_at, name, status, updated_at, created_by, search_text);
CREATE INDEX flows_by_owner ON public.flows USING btree (owner, "position") WHERE (owner IS NOT NULL);
CREATE INDEX flows_by_state ON public.flows USING btree (state) WHERE (state IS NOT NULL);
CREATE INDEX flows_without_list_columns ON public.flows USING btree ("position") WHERE (created_at IS NULL);
CREATE INDEX idempotency_by_expiry ON public.idempotency USING btree (expires_at);
CREATE INDEX jobs_by_age ON public.jobs USING btree (created_at, id);
CREATE INDEX jobs_by_next_at ON public.jobs USING btree (next_at) WHERE (next_at IS NOT NULL);
CREATE INDEX jobs_by_paused_until ON public.jobs USING btree (paused_until) WHERE (paused_until IS NOT NULL);
CREATE INDEX jobs_by_trigger ON public.jobs USING btree (trigger, installed_at);
CREATE INDEX outbox_by_key ON public.outbox USING btree (key, state, sequence);
CREATE INDEX outbox_by_next_at ON public.outbox USING btree (next_at) WHERE (next_at IS NOT NULL);
CREATE INDEX pipelines_by_environment_id ON public.pipelines USING btree (environment_id, "position") WHERE (environment_id IS NOT NULL);
CREATE INDEX pipelines_by_list_columns ON public.pipelines USING btree ("position", environment_id, owner, created_at, name, status, updated_at, created_by, search_text);
CREATE INDEX pipelines_by_owner ON public.pipelines USING btree (owner, "position") WHERE (owner IS NOT NULL);
CREATE INDEX pipelines_without_list_columns ON public.pipelines USING btree ("position") WHERE (created_at IS NULL);
CREATE INDEX release_designs_of_automation ON public.release_designs USING btree (automation_id, environment_id);
CREATE INDEX releases_by_environment_id ON public.releases USING btree (environment_id, "position") WHERE (environment_id IS NOT NULL);
CREATE INDEX releases_by_list_columns ON public.releases USING btree ("position", environment_id, owner, created_at, name, status, updated_at, created_by, search_text);
CREATE INDEX releases_by_owner ON public.releases USING btree (owner, "position") WHERE (owner IS NOT NULL);
CREATE INDEX releases_without_list_columns ON public.releases USING btree ("position") WHERE (created_at IS NULL);
CREATE INDEX role_grants_of_environment ON public.role_grants USING btree (environment_id);
CREATE INDEX run_log_first_rows ON public.run_log USING btree (run_id) WHERE (n = 1);
CREATE INDEX runs_by_ended_at ON public.runs USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX runs_by_heartbeat_until ON public.runs USING btree (heartbeat_until) WHERE (heartbeat_until IS NOT NULL);
CREATE INDEX runs_by_name ON public.runs USING btree (substr(name, 1, 200), id);
CREATE INDEX runs_by_not_before ON public.runs USING btree (not_before) WHERE (not_before IS NOT NULL);
CREATE INDEX runs_by_open_job ON public.runs USING btree (open_job) WHERE (open_job IS NOT NULL);
CREATE INDEX runs_by_status ON public.runs USING btree (status, id);
CREATE INDEX runs_of_environment ON public.runs USING btree (environment_id, id);
CREATE INDEX runs_of_job ON public.runs USING btree (job_id, id);
CREATE INDEX runs_of_job_by_status ON public.runs USING btree (job_id, status, id);
CREATE INDEX runs_waiting_by_caller ON public.runs USING btree (caller, environment_id, not_before) WHERE (not_before IS NOT NULL);
CREATE INDEX tokens_by_environment_id ON public.tokens USING btree (environment_id, "position") WHERE (environment_id IS NOT NULL);
CREATE INDEX tokens_by_list_columns ON public.tokens USING btree ("position", environment_id, owner, created_at, name, status, updated_at, created_by, search_text);
CREATE INDEX tokens_by_owner ON public.tokens USING btree (owner, "position") WHERE (owner IS NOT NULL);
CREATE INDEX tokens_without_list_columns ON public.tokens USING btree ("position") WHERE (created_at IS NULL);
CREATE INDEX users_by_environment_id ON public.users USING btree (environment_id, "position") WHERE (environment_id IS NOT NULL);
CREATE INDEX users_by_list_columns ON public.users USING btree ("position", environment_id, owner, created_at, name, status, updated_at, created_by, search_text);
CREATE INDEX users_by_owner ON public.users USING btree (owner, "position") WHERE (owner IS NOT NULL);
CREATE INDEX users_without_list_columns ON public.users USING btree ("position") WHERE (created_at IS NULL);
CREATE INDEX versions_by_environment_id ON public.versions USING btree (environment_id, "position") WHERE (environment_id IS NOT NULL);
CREATE INDEX versions_by_list_columns ON public.versions USING btree ("position", environment_id, owner, created_at, name, status, updated_at, created_by, search_text);
CREATE INDEX versions_by_owner ON public.versions USING btree (owner, "position") WHERE (owner IS NOT NULL);
CREATE INDEX versions_without_list_columns ON public.versions USING btree ("position") WHERE (created_at IS NULL);
ALTER TABLE ONLY public.agent_environments
    ADD CONSTRAINT agent_environments_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES public.environments(id);
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
ALTER TABLE ONLY public.role_grants
    ADD CONSTRAINT role_grants_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES public.environments(id) ON DELETE CASCADE;
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
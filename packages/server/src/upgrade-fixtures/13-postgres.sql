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
    caller text
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
INSERT INTO public.agent_environments VALUES (1, '01a1e310-f5e4-7000-827d-45cb4a2c1760', '["agent","01a1e310-f594-7001-912f-02330cfe9bac","01a1e310-f12e-7000-99ca-6349c7a7e1f3"]', 5, '01a1e310-f12e-7000-99ca-6349c7a7e1f3', '01a1e310-f594-7001-912f-02330cfe9bac', 'agent_release', '{"artifact":"agent/desk","release":{"environment_id":"01a1e310-f12e-7000-99ca-6349c7a7e1f3","environment":"prod","version":"1.0.0","workflow_run_id":null,"workflow_name":null,"workflow_run_url":null,"activated_at":"2026-11-16T06:35:01.973Z","activated_by":"internal-service"}}', NULL, '', '', '', '', '', '');
INSERT INTO public.agents VALUES (1, '01a1e310-f594-7001-912f-02330cfe9bac', '["desk"]', 6, NULL, NULL, NULL, '{"id":"01a1e310-f594-7001-912f-02330cfe9bac","name":"desk","aliases":["orders-bot"],"description":"","source_path":"tiny","components":[{"environment_id":"01a1e310-f12e-7000-99ca-6349c7a7e1f3","component":"chat","desired_state":"running","observed_state":"running","message":null,"updated_at":"2026-11-16T06:35:01.973Z","version":"1.0.0"},{"environment_id":"01a1e310-f12e-7000-99ca-6349c7a7e1f3","component":"agent_endpoint","desired_state":"running","observed_state":"running","message":null,"updated_at":"2026-11-16T06:35:02.628Z","version":"1.0.0"},{"environment_id":"01a1e310-f12e-7000-99ca-6349c7a7e1f3","component":"ui_app","desired_state":"running","observed_state":"running","version":"1.0.0","message":null,"updated_at":"2026-11-16T06:35:03.139Z"}],"releases":[{"environment_id":"01a1e310-f12e-7000-99ca-6349c7a7e1f3","environment":"prod","version":"1.0.0","workflow_run_id":null,"workflow_name":null,"workflow_run_url":null,"activated_at":"2026-11-16T06:35:01.973Z","activated_by":"internal-service"}],"created_at":"2026-11-16T06:35:01.908Z","updated_at":"2026-11-16T06:35:02.062Z","created_by":"internal-service","updated_by":"internal-service"}', NULL, 'desk', '', '2026-11-16T06:35:02.062Z', 'internal-service', 'desk', '2026-11-16T06:35:01.908Z');
INSERT INTO public.aliases VALUES ('["desk"]', '01a1e310-f594-7001-912f-02330cfe9bac');
INSERT INTO public.aliases VALUES ('["orders-bot"]', '01a1e310-f594-7001-912f-02330cfe9bac');
INSERT INTO public.apps VALUES (1, '01a1e310-f619-7000-94f6-4f13f85bd470', '["01a1e310-f12e-7000-99ca-6349c7a7e1f3","desk-ui"]', 3, '01a1e310-f12e-7000-99ca-6349c7a7e1f3', '01a1e310-f594-7001-912f-02330cfe9bac', NULL, '{"id":"01a1e310-f619-7000-94f6-4f13f85bd470","name":"desk-ui","environment_id":"01a1e310-f12e-7000-99ca-6349c7a7e1f3","description":"","agent_id":"01a1e310-f594-7001-912f-02330cfe9bac","source_path":"tiny","desired_state":"running","observed_state":"running","message":null,"created_at":"2026-11-16T06:35:02.041Z","updated_at":"2026-11-16T06:35:03.139Z","created_by":"internal-service","updated_by":"internal-service"}', NULL, 'desk-ui', 'running', '2026-11-16T06:35:03.139Z', 'internal-service', 'desk-ui', '2026-11-16T06:35:02.041Z');
INSERT INTO public.automations VALUES (1, '01a1e310-f433-7000-9a62-89e8ac84f088', '["released"]', 1, NULL, NULL, NULL, '{"id":"01a1e310-f433-7000-9a62-89e8ac84f088","alias":"released","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false},"design_content_hash":"sha256:ea7b3ffc44dfd1251c5d344c3f0775ccbff0a906d99c3036d49182d03ec7834c","created_at":"2026-11-16T06:35:01.528Z","updated_at":"2026-11-16T06:35:01.528Z","created_by":"internal-service","updated_by":null}', NULL, 'released', '', '2026-11-16T06:35:01.528Z', 'internal-service', 'released', '2026-11-16T06:35:01.528Z');
INSERT INTO public.automations VALUES (2, '01a1e310-f47c-7000-a764-2168d07f76fb', '["released-paused"]', 1, NULL, NULL, NULL, '{"id":"01a1e310-f47c-7000-a764-2168d07f76fb","alias":"released-paused","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false},"design_content_hash":"sha256:1f88e993b0d419939f5da07e75c73a77dc5e50158f09e90547255a849fb89168","created_at":"2026-11-16T06:35:01.622Z","updated_at":"2026-11-16T06:35:01.622Z","created_by":"internal-service","updated_by":null}', NULL, 'released-paused', '', '2026-11-16T06:35:01.622Z', 'internal-service', 'released-paused', '2026-11-16T06:35:01.622Z');
INSERT INTO public.automations VALUES (3, '01a1e310-f4ac-7000-a301-b55e36f4df33', '["released-changed"]', 2, NULL, NULL, NULL, '{"id":"01a1e310-f4ac-7000-a301-b55e36f4df33","alias":"released-changed","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 2","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false},"design_content_hash":"sha256:b57496dd08d59e844d5c61a8310bab92d85bcfdc3874f6e6b1d1c79397bf0d4a","created_at":"2026-11-16T06:35:01.671Z","updated_at":"2026-11-16T06:35:01.808Z","created_by":"internal-service","updated_by":"internal-service"}', NULL, 'released-changed', '', '2026-11-16T06:35:01.808Z', 'internal-service', 'released-changed', '2026-11-16T06:35:01.671Z');
INSERT INTO public.connectors VALUES (2, '01a1e310-f399-7000-9ef8-b0e4ee15816c', '["referring"]', 1, '01a1e310-f12e-7000-99ca-6349c7a7e1f3', NULL, NULL, '{"id":"01a1e310-f399-7000-9ef8-b0e4ee15816c","name":"referring","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"Bearer {{secrets/shop/api-key}}"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"active","git_commit_id":null,"git_branch":null,"workflow_id":"connector-01a1e310-f399-7000-9ef8-b0e4ee15816c","artifacts_path":null,"error_message":null,"created_at":"2026-11-16T06:35:01.401Z","updated_at":"2026-11-16T06:35:01.401Z","created_by":"ada@example.test","updated_by":null,"datasets":[{"id":"01a1e310-f399-7001-a2ce-d8599a8acd57","connector_id":"01a1e310-f399-7000-9ef8-b0e4ee15816c","source_dataset":"referring","target_name":"referring","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-16T06:35:01.401Z","created_by":"internal-service"}]}', NULL, 'referring', 'active', '2026-11-16T06:35:01.401Z', 'ada@example.test', 'referring
warehouse', '2026-11-16T06:35:01.401Z');
INSERT INTO public.connectors VALUES (3, '01a1e310-f3dd-7000-a66c-79cb54ffbeb1', '["paused"]', 2, '01a1e310-f12e-7000-99ca-6349c7a7e1f3', NULL, NULL, '{"id":"01a1e310-f3dd-7000-a66c-79cb54ffbeb1","name":"paused","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"********"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"paused","git_commit_id":null,"git_branch":null,"workflow_id":"connector-01a1e310-f3dd-7000-a66c-79cb54ffbeb1","artifacts_path":null,"error_message":null,"created_at":"2026-11-16T06:35:01.469Z","updated_at":"2026-11-16T06:35:01.479Z","created_by":"ada@example.test","updated_by":"internal-service","datasets":[{"id":"01a1e310-f3de-7000-8460-8ca5239312a1","connector_id":"01a1e310-f3dd-7000-a66c-79cb54ffbeb1","source_dataset":"paused","target_name":"paused","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-16T06:35:01.469Z","created_by":"internal-service"}]}', 'bosgH+xzdme9URhdUnETurIdt4UIRLICmvktEcYYE7YZRYCIbX5aJYSq5gm8NiURNa6GMoHFMU5tpcUq8wsoUicuPZjoLBE8mddqEoZczry2n0ttET6KZM3kApfEHXB8NcP7TgzYWrajrKiXwa5Del8J', 'paused', 'paused', '2026-11-16T06:35:01.479Z', 'ada@example.test', 'paused
warehouse', '2026-11-16T06:35:01.469Z');
INSERT INTO public.connectors VALUES (1, '01a1e310-f37b-7000-9239-1199a0bff8cb', '["inline"]', 2, '01a1e310-f12e-7000-99ca-6349c7a7e1f3', NULL, NULL, '{"id":"01a1e310-f37b-7000-9239-1199a0bff8cb","name":"inline","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"********"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"active","git_commit_id":null,"git_branch":"main","workflow_id":"connector-01a1e310-f37b-7000-9239-1199a0bff8cb","artifacts_path":null,"error_message":null,"created_at":"2026-11-16T06:35:01.371Z","updated_at":"2026-11-16T06:35:01.517Z","created_by":"ada@example.test","updated_by":"internal-service","datasets":[{"id":"01a1e310-f37b-7001-9c79-5cdaa5c53153","connector_id":"01a1e310-f37b-7000-9239-1199a0bff8cb","source_dataset":"inline","target_name":"inline","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-16T06:35:01.371Z","created_by":"internal-service"}]}', 'GqmgIs7OYemUAbZzxS68rbmOjyWBGzaAzDTSfR0lr/ej1WQO2rBSbFfpSjDRURKkG+b+funp+w4cFLf6jPb22QShXpz/venD01E6QpINoYxBqu5h0Omd9oD9yUAR6VHKJa91YvC11IQYCuIJ0rIltKlEcyKYWyS1F0bzzNH5E84=', 'inline', 'active', '2026-11-16T06:35:01.517Z', 'ada@example.test', 'inline
warehouse', '2026-11-16T06:35:01.371Z');
INSERT INTO public.cursors VALUES ('chat', 0);
INSERT INTO public.deployment_counts VALUES ('01a1e310-f12e-7000-99ca-6349c7a7e1f3', 'pending', 0);
INSERT INTO public.deployment_counts VALUES ('01a1e310-f12e-7000-99ca-6349c7a7e1f3', 'succeeded', 4);
INSERT INTO public.deployment_log VALUES ('01a1e310-faa7-7000-ae73-3e53947b31e9', 1, '"uploading\n"');
INSERT INTO public.deployments VALUES (1, '01a1e310-f44f-7000-aa6a-5eb8ee656b25', '["2026-11-16T06:35:01.574Z","01a1e310-f44f-7000-aa6a-5eb8ee656b25"]', 1, '01a1e310-f12e-7000-99ca-6349c7a7e1f3', NULL, 'succeeded', '{"id":"01a1e310-f44f-7000-aa6a-5eb8ee656b25","deployment_name":"released 1.0.0","environment_id":"01a1e310-f12e-7000-99ca-6349c7a7e1f3","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T06:35:01.574Z","started_at":"2026-11-16T06:35:01.574Z","completed_at":"2026-11-16T06:35:01.574Z","initiated_by":"internal-service","error_message":null}', NULL, 'released 1.0.0', 'succeeded', '', 'internal-service', 'released 1.0.0
main
3f9c1d2', '2026-11-16T06:35:01.574Z');
INSERT INTO public.deployments VALUES (2, '01a1e310-f488-7000-95b0-43cb2253d166', '["2026-11-16T06:35:01.635Z","01a1e310-f488-7000-95b0-43cb2253d166"]', 1, '01a1e310-f12e-7000-99ca-6349c7a7e1f3', NULL, 'succeeded', '{"id":"01a1e310-f488-7000-95b0-43cb2253d166","deployment_name":"released-paused 1.0.0","environment_id":"01a1e310-f12e-7000-99ca-6349c7a7e1f3","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T06:35:01.635Z","started_at":"2026-11-16T06:35:01.635Z","completed_at":"2026-11-16T06:35:01.635Z","initiated_by":"internal-service","error_message":null}', NULL, 'released-paused 1.0.0', 'succeeded', '', 'internal-service', 'released-paused 1.0.0
main
3f9c1d2', '2026-11-16T06:35:01.635Z');
INSERT INTO public.deployments VALUES (3, '01a1e310-f4c7-7000-8576-f230836ba936', '["2026-11-16T06:35:01.690Z","01a1e310-f4c7-7000-8576-f230836ba936"]', 1, '01a1e310-f12e-7000-99ca-6349c7a7e1f3', NULL, 'succeeded', '{"id":"01a1e310-f4c7-7000-8576-f230836ba936","deployment_name":"released-changed 1.0.0","environment_id":"01a1e310-f12e-7000-99ca-6349c7a7e1f3","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T06:35:01.690Z","started_at":"2026-11-16T06:35:01.690Z","completed_at":"2026-11-16T06:35:01.690Z","initiated_by":"internal-service","error_message":null}', NULL, 'released-changed 1.0.0', 'succeeded', '', 'internal-service', 'released-changed 1.0.0
main
3f9c1d2', '2026-11-16T06:35:01.690Z');
INSERT INTO public.deployments VALUES (4, '01a1e310-faa7-7000-ae73-3e53947b31e9', '["2026-11-16T06:35:03.272Z","01a1e310-faa7-7000-ae73-3e53947b31e9"]', 2, '01a1e310-f12e-7000-99ca-6349c7a7e1f3', NULL, 'succeeded', '{"id":"01a1e310-faa7-7000-ae73-3e53947b31e9","deployment_name":"orders 1.0.0","environment_id":"01a1e310-f12e-7000-99ca-6349c7a7e1f3","git_branch":"main","git_commit_sha":"","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T06:35:03.207Z","started_at":null,"completed_at":"2026-11-16T06:35:03.272Z","initiated_by":"internal-service","error_message":null}', NULL, 'orders 1.0.0', 'succeeded', '', 'internal-service', 'orders 1.0.0
main', '2026-11-16T06:35:03.207Z');
INSERT INTO public.environments VALUES (1, '01a1e310-f085-7000-93a2-2e30df3e8fe0', '["local"]', 1, NULL, NULL, NULL, '{"id":"01a1e310-f085-7000-93a2-2e30df3e8fe0","name":"local","description":"Created at the first start","protected":false,"platform":"embedded","gitProvider":null,"gitRepository":null,"targetGitBranch":null,"secretScope":null,"dataPlatformClientIdKey":null,"dataPlatformClientSecretKey":null,"configuration":{},"isActive":true,"createdAt":"2026-11-16T06:35:00.611Z","updatedAt":"2026-11-16T06:35:00.611Z","createdBy":"lakehelm","updatedBy":null}', NULL, 'local', 'active', '2026-11-16T06:35:00.611Z', 'lakehelm', 'local
created at the first start', '2026-11-16T06:35:00.611Z');
INSERT INTO public.environments VALUES (2, '01a1e310-f12e-7000-99ca-6349c7a7e1f3', '["prod"]', 1, NULL, NULL, NULL, '{"id":"01a1e310-f12e-7000-99ca-6349c7a7e1f3","name":"prod","description":null,"protected":false,"platform":"embedded","gitProvider":null,"gitRepository":null,"targetGitBranch":null,"secretScope":null,"dataPlatformClientIdKey":null,"dataPlatformClientSecretKey":null,"configuration":{"timezone":"Europe/Berlin"},"isActive":true,"createdAt":"2026-11-16T06:35:00.778Z","updatedAt":"2026-11-16T06:35:00.778Z","createdBy":"internal-service","updatedBy":null}', NULL, 'prod', 'active', '2026-11-16T06:35:00.778Z', 'internal-service', 'prod', '2026-11-16T06:35:00.778Z');
INSERT INTO public.event_head VALUES (1, 43, 'ig2z71aaS6v7goLZBAmISjyzlPAbW5T7M_AvWkeLYjI', 'r8zBR6VP9sAtvub6Dryaq4Ly7uKUFWKa6H9gP-Lq9sc');
INSERT INTO public.events VALUES (1, '01a1e310-f086-7000-b9a3-b56e287e8e44', 'environment.created', 'environment/01a1e310-f085-7000-93a2-2e30df3e8fe0', '{"id":"01a1e310-f086-7000-b9a3-b56e287e8e44","time":"2026-11-16T06:35:00.611Z","actor":"lakehelm","request_id":null,"kind":"environment.created","subject":"environment/01a1e310-f085-7000-93a2-2e30df3e8fe0","data":{"name":"local","platform":"embedded"}}', 'swZqaYdLneR3biwYfdL-9fZ1kJg01O5QKDbi002XIJo');
INSERT INTO public.events VALUES (2, '01a1e310-f12e-7001-823d-33b0d941416c', 'environment.created', 'environment/01a1e310-f12e-7000-99ca-6349c7a7e1f3', '{"id":"01a1e310-f12e-7001-823d-33b0d941416c","time":"2026-11-16T06:35:00.778Z","actor":"internal-service","request_id":"01a1e310-f127-7000-8e6d-65ef1def285d","kind":"environment.created","subject":"environment/01a1e310-f12e-7000-99ca-6349c7a7e1f3","data":{"name":"prod","platform":"embedded"}}', 'iwnHRrutUFuljghvnRhJkTX2QwxZp51qhzRjJY8IB2Y');
INSERT INTO public.events VALUES (3, '01a1e310-f33e-7000-91fd-3378caab481a', 'user.created', 'user/01a1e310-f13b-7000-812c-7a77f1ae5d19', '{"id":"01a1e310-f33e-7000-91fd-3378caab481a","time":"2026-11-16T06:35:00.793Z","actor":"internal-service","request_id":"01a1e310-f138-7000-85f8-8c7191eda545","kind":"user.created","subject":"user/01a1e310-f13b-7000-812c-7a77f1ae5d19","data":{"id":"01a1e310-f13b-7000-812c-7a77f1ae5d19","username":"ada@example.test","role":"operator","active":true,"created_at":"2026-11-16T06:35:00.793Z","updated_at":"2026-11-16T06:35:00.793Z","created_by":"internal-service"}}', 'vEkYBAaVgxcmcXfqKIgLVB6agowptgr-B1lB4gT8JcY');
INSERT INTO public.events VALUES (4, '01a1e310-f351-7000-a760-174d68b93e96', 'token.created', 'token/01a1e310-f350-7000-90d4-3945b82df897', '{"id":"01a1e310-f351-7000-a760-174d68b93e96","time":"2026-11-16T06:35:01.322Z","actor":"internal-service","request_id":"01a1e310-f34a-7000-9db4-1afeef770965","kind":"token.created","subject":"token/01a1e310-f350-7000-90d4-3945b82df897","data":{"id":"01a1e310-f350-7000-90d4-3945b82df897","username":"ada@example.test","comment":"fixture","created_at":"2026-11-16T06:35:01.322Z","expires_at":null,"created_by":"internal-service"}}', 'DBf1Y3lOu7C9-6e79cMDCbuyD_mf7gKhgpAHtlzPmP4');
INSERT INTO public.events VALUES (5, '01a1e310-f36b-7000-bc38-9a6e0e7f4d6c', 'secret.stored', 'secret/01a1e310-f12e-7000-99ca-6349c7a7e1f3/shop/api-key', '{"id":"01a1e310-f36b-7000-bc38-9a6e0e7f4d6c","time":"2026-11-16T06:35:01.349Z","actor":"internal-service","request_id":"01a1e310-f35d-7000-bdb8-f200a5aa64a0","kind":"secret.stored","subject":"secret/01a1e310-f12e-7000-99ca-6349c7a7e1f3/shop/api-key","data":{"environment_id":"01a1e310-f12e-7000-99ca-6349c7a7e1f3","scope":"shop","key":"api-key"}}', 'W95XKkHcCe2lh0ZKWUxmolrLlzfV4bzBfbqGP3zh7mM');
INSERT INTO public.events VALUES (6, '01a1e310-f387-7000-94fc-3c9f1868a341', 'connector.created', 'connector/01a1e310-f37b-7000-9239-1199a0bff8cb', '{"id":"01a1e310-f387-7000-94fc-3c9f1868a341","time":"2026-11-16T06:35:01.371Z","actor":"internal-service","request_id":"01a1e310-f378-7000-a8ee-0accf40540d3","kind":"connector.created","subject":"connector/01a1e310-f37b-7000-9239-1199a0bff8cb","data":{"name":"inline","environment_id":"01a1e310-f12e-7000-99ca-6349c7a7e1f3","target_type":"warehouse","status":"active"}}', 'WzXqVoJjxiMiEPBuXUgC5_Q9plzfp_AAomBKJVVXInk');
INSERT INTO public.events VALUES (7, '01a1e310-f39d-7000-bfb1-20ddf8210bd6', 'connector.created', 'connector/01a1e310-f399-7000-9ef8-b0e4ee15816c', '{"id":"01a1e310-f39d-7000-bfb1-20ddf8210bd6","time":"2026-11-16T06:35:01.401Z","actor":"internal-service","request_id":"01a1e310-f397-7000-9ca9-64bbe7c45a60","kind":"connector.created","subject":"connector/01a1e310-f399-7000-9ef8-b0e4ee15816c","data":{"name":"referring","environment_id":"01a1e310-f12e-7000-99ca-6349c7a7e1f3","target_type":"warehouse","status":"active"}}', 'uGWhtsKrPwUFAJvXs0uA5IBXfS0yP1eOrcuiy94kn0I');
INSERT INTO public.events VALUES (8, '01a1e310-f3df-7000-8497-825c689ec9e7', 'connector.created', 'connector/01a1e310-f3dd-7000-a66c-79cb54ffbeb1', '{"id":"01a1e310-f3df-7000-8497-825c689ec9e7","time":"2026-11-16T06:35:01.469Z","actor":"internal-service","request_id":"01a1e310-f3c5-7000-8169-1b5ae877fb66","kind":"connector.created","subject":"connector/01a1e310-f3dd-7000-a66c-79cb54ffbeb1","data":{"name":"paused","environment_id":"01a1e310-f12e-7000-99ca-6349c7a7e1f3","target_type":"warehouse","status":"active"}}', 'OyrU7IWBOXal4KiuCMW8mL-IXY5wsZysNgCY1t-IGrc');
INSERT INTO public.events VALUES (9, '01a1e310-f3ef-7000-9880-e9efaba06dde', 'connector.paused', 'connector/01a1e310-f3dd-7000-a66c-79cb54ffbeb1', '{"id":"01a1e310-f3ef-7000-9880-e9efaba06dde","time":"2026-11-16T06:35:01.479Z","actor":"internal-service","request_id":"01a1e310-f3e5-7000-8388-1ad963baa6bd","kind":"connector.paused","subject":"connector/01a1e310-f3dd-7000-a66c-79cb54ffbeb1","data":{"name":"paused","reason":"holiday","until":null}}', 'RU47dL6FDX5gHeGElY2WbwuiT6voOvDxM-_Nm5xjdjo');
INSERT INTO public.events VALUES (10, '01a1e310-f411-7001-b467-ab039c00bc80', 'connector.updated', 'connector/01a1e310-f37b-7000-9239-1199a0bff8cb', '{"id":"01a1e310-f411-7001-b467-ab039c00bc80","time":"2026-11-16T06:35:01.517Z","actor":"internal-service","request_id":"01a1e310-f40c-7000-a084-fda26ac5fa8a","kind":"connector.updated","subject":"connector/01a1e310-f37b-7000-9239-1199a0bff8cb","data":{"name":"inline","fields":["git_branch"]}}', '-nVuJJlqQ6u984Swfei7oKLZXegQ5gLRjZmz4YM8Go0');
INSERT INTO public.events VALUES (11, '01a1e310-f434-7000-b427-2c771a261cf9', 'automation.created', 'automation/01a1e310-f433-7000-9a62-89e8ac84f088', '{"id":"01a1e310-f434-7000-b427-2c771a261cf9","time":"2026-11-16T06:35:01.528Z","actor":"internal-service","request_id":"01a1e310-f417-7000-9b1f-80323a22680c","kind":"automation.created","subject":"automation/01a1e310-f433-7000-9a62-89e8ac84f088","data":{"alias":"released","design_content_hash":"sha256:ea7b3ffc44dfd1251c5d344c3f0775ccbff0a906d99c3036d49182d03ec7834c"}}', 'hHtRwn4enBoAzcduL8-gGWxqj8DPzya8jSMoYrUFbGU');
INSERT INTO public.events VALUES (12, '01a1e310-f451-7000-8077-5dc4f4baacda', 'deployment.recorded', 'deployment/01a1e310-f44f-7000-aa6a-5eb8ee656b25', '{"id":"01a1e310-f451-7000-8077-5dc4f4baacda","time":"2026-11-16T06:35:01.574Z","actor":"internal-service","request_id":"01a1e310-f445-7000-87fe-005a1f7d48a1","kind":"deployment.recorded","subject":"deployment/01a1e310-f44f-7000-aa6a-5eb8ee656b25","data":{"deployment_name":"released 1.0.0","environment_id":"01a1e310-f12e-7000-99ca-6349c7a7e1f3","status":"succeeded"}}', 'fWnWjFLRkQ2g0HiPaOOzWzi73gAqTBeyGrWIQC4Ax9o');
INSERT INTO public.events VALUES (13, '01a1e310-f451-7001-9d85-b3b249b20494', 'automation.release_activated', 'automation/01a1e310-f433-7000-9a62-89e8ac84f088', '{"id":"01a1e310-f451-7001-9d85-b3b249b20494","time":"2026-11-16T06:35:01.574Z","actor":"internal-service","request_id":"01a1e310-f445-7000-87fe-005a1f7d48a1","kind":"automation.release_activated","subject":"automation/01a1e310-f433-7000-9a62-89e8ac84f088","data":{"release_id":"01a1e310-f44c-7000-a036-a514848195c8","environment_id":"01a1e310-f12e-7000-99ca-6349c7a7e1f3","version":"1.0.0","replaced":null}}', '8514LlZAWI6lx0U74932AAgEoCiQOJHUaAwaEAvgtwo');
INSERT INTO public.events VALUES (14, '01a1e310-f469-7000-98ce-6aff98e85475', 'environment.reconciled', 'environment/01a1e310-f12e-7000-99ca-6349c7a7e1f3', '{"id":"01a1e310-f469-7000-98ce-6aff98e85475","time":"2026-11-16T06:35:01.574Z","actor":"internal-service","request_id":"01a1e310-f445-7000-87fe-005a1f7d48a1","kind":"environment.reconciled","subject":"environment/01a1e310-f12e-7000-99ca-6349c7a7e1f3","data":{}}', 'ieT2R1uZuOFwEyZEJ8rBJkfZxGLqQLkhFOrrMmCyir0');
INSERT INTO public.events VALUES (30, '01a1e310-f5e5-7000-89d8-fb5216bd2af5', 'agent.version_created', 'agent/01a1e310-f594-7001-912f-02330cfe9bac', '{"id":"01a1e310-f5e5-7000-89d8-fb5216bd2af5","time":"2026-11-16T06:35:01.973Z","actor":"internal-service","request_id":"01a1e310-f5d5-7000-aada-fff9aff7546d","kind":"agent.version_created","subject":"agent/01a1e310-f594-7001-912f-02330cfe9bac","data":{"name":"desk","version":"1.0.0"}}', 'rqodHQDc61tQQJyCoXpM5kSrkn3mKr7_kjgn-Ox3okE');
INSERT INTO public.events VALUES (15, '01a1e310-f47c-7001-bd0a-c9e538f72aa0', 'automation.created', 'automation/01a1e310-f47c-7000-a764-2168d07f76fb', '{"id":"01a1e310-f47c-7001-bd0a-c9e538f72aa0","time":"2026-11-16T06:35:01.622Z","actor":"internal-service","request_id":"01a1e310-f475-7000-b6e0-3bb9a592e8c3","kind":"automation.created","subject":"automation/01a1e310-f47c-7000-a764-2168d07f76fb","data":{"alias":"released-paused","design_content_hash":"sha256:1f88e993b0d419939f5da07e75c73a77dc5e50158f09e90547255a849fb89168"}}', 'tWtK4mKv21zzNsnCqY0sn0-1ufWe4xtuHIlkgbM6ASA');
INSERT INTO public.events VALUES (16, '01a1e310-f488-7002-9d43-66ba5089966a', 'deployment.recorded', 'deployment/01a1e310-f488-7000-95b0-43cb2253d166', '{"id":"01a1e310-f488-7002-9d43-66ba5089966a","time":"2026-11-16T06:35:01.635Z","actor":"internal-service","request_id":"01a1e310-f483-7000-bdbe-364eefb208d9","kind":"deployment.recorded","subject":"deployment/01a1e310-f488-7000-95b0-43cb2253d166","data":{"deployment_name":"released-paused 1.0.0","environment_id":"01a1e310-f12e-7000-99ca-6349c7a7e1f3","status":"succeeded"}}', '1xGy-o8TgRmgEbsA1ZsXe71wOhHmKnvUb7Xgnzfr8vY');
INSERT INTO public.events VALUES (17, '01a1e310-f488-7003-a9c3-2c7c8b61168f', 'automation.release_activated', 'automation/01a1e310-f47c-7000-a764-2168d07f76fb', '{"id":"01a1e310-f488-7003-a9c3-2c7c8b61168f","time":"2026-11-16T06:35:01.635Z","actor":"internal-service","request_id":"01a1e310-f483-7000-bdbe-364eefb208d9","kind":"automation.release_activated","subject":"automation/01a1e310-f47c-7000-a764-2168d07f76fb","data":{"release_id":"01a1e310-f486-7000-aff3-bb2f2f9ee870","environment_id":"01a1e310-f12e-7000-99ca-6349c7a7e1f3","version":"1.0.0","replaced":null}}', '4SMcmSYW2hmKxARILOS2GwxSBQRsv7MfPrJYhvpcAGQ');
INSERT INTO public.events VALUES (18, '01a1e310-f49e-7000-aff2-2cd3a4ccf39b', 'environment.reconciled', 'environment/01a1e310-f12e-7000-99ca-6349c7a7e1f3', '{"id":"01a1e310-f49e-7000-aff2-2cd3a4ccf39b","time":"2026-11-16T06:35:01.635Z","actor":"internal-service","request_id":"01a1e310-f483-7000-bdbe-364eefb208d9","kind":"environment.reconciled","subject":"environment/01a1e310-f12e-7000-99ca-6349c7a7e1f3","data":{}}', 'mpEt3u18FyGi1SECXMAVLLIp5onR6nai9tcWARj8XaE');
INSERT INTO public.events VALUES (19, '01a1e310-f4ac-7001-8e3b-abe8198df595', 'automation.created', 'automation/01a1e310-f4ac-7000-a301-b55e36f4df33', '{"id":"01a1e310-f4ac-7001-8e3b-abe8198df595","time":"2026-11-16T06:35:01.671Z","actor":"internal-service","request_id":"01a1e310-f4a7-7000-8c80-aca58a4cbd89","kind":"automation.created","subject":"automation/01a1e310-f4ac-7000-a301-b55e36f4df33","data":{"alias":"released-changed","design_content_hash":"sha256:319a2f13af74bebf9ebbe8644121b3b2cd426a6f6a393eaed243fa85fe34ea62"}}', 'Ohrz2yFdUBcr4MzdCvdfPs039q-kZuJi0stzmlNRGYE');
INSERT INTO public.events VALUES (20, '01a1e310-f4c7-7002-87b0-6d35a6cef27e', 'deployment.recorded', 'deployment/01a1e310-f4c7-7000-8576-f230836ba936', '{"id":"01a1e310-f4c7-7002-87b0-6d35a6cef27e","time":"2026-11-16T06:35:01.690Z","actor":"internal-service","request_id":"01a1e310-f4ba-7000-9f76-67e53fd931bc","kind":"deployment.recorded","subject":"deployment/01a1e310-f4c7-7000-8576-f230836ba936","data":{"deployment_name":"released-changed 1.0.0","environment_id":"01a1e310-f12e-7000-99ca-6349c7a7e1f3","status":"succeeded"}}', '_7ff4_0jnl7cbSuGrT8-Wp_19tE7jhAhmjVNzMF786k');
INSERT INTO public.events VALUES (21, '01a1e310-f4c7-7003-8550-a75de3f6a612', 'automation.release_activated', 'automation/01a1e310-f4ac-7000-a301-b55e36f4df33', '{"id":"01a1e310-f4c7-7003-8550-a75de3f6a612","time":"2026-11-16T06:35:01.690Z","actor":"internal-service","request_id":"01a1e310-f4ba-7000-9f76-67e53fd931bc","kind":"automation.release_activated","subject":"automation/01a1e310-f4ac-7000-a301-b55e36f4df33","data":{"release_id":"01a1e310-f4c4-7000-8f91-d904bcc8ab36","environment_id":"01a1e310-f12e-7000-99ca-6349c7a7e1f3","version":"1.0.0","replaced":null}}', 'AmftYra6fgIm3Vh1A3jX54lPgFdZcJFf5BRn4bk932c');
INSERT INTO public.events VALUES (22, '01a1e310-f503-7000-b307-8c5a979e311f', 'environment.reconciled', 'environment/01a1e310-f12e-7000-99ca-6349c7a7e1f3', '{"id":"01a1e310-f503-7000-b307-8c5a979e311f","time":"2026-11-16T06:35:01.690Z","actor":"internal-service","request_id":"01a1e310-f4ba-7000-9f76-67e53fd931bc","kind":"environment.reconciled","subject":"environment/01a1e310-f12e-7000-99ca-6349c7a7e1f3","data":{}}', 'asvtJCyXfP4zxBm2Tns18tqz45ncFBhfUUu6SQjlSRI');
INSERT INTO public.events VALUES (23, '01a1e310-f511-7001-9ff2-9bb37f3c1f9d', 'automation.schedule_paused', 'automation/01a1e310-f47c-7000-a764-2168d07f76fb', '{"id":"01a1e310-f511-7001-9ff2-9bb37f3c1f9d","time":"2026-11-16T06:35:01.770Z","actor":"internal-service","request_id":"01a1e310-f509-7000-960b-211fbdae95e0","kind":"automation.schedule_paused","subject":"automation/01a1e310-f47c-7000-a764-2168d07f76fb","data":{"release_id":"01a1e310-f486-7000-aff3-bb2f2f9ee870","environment_id":"01a1e310-f12e-7000-99ca-6349c7a7e1f3","version":"1.0.0","reason":"holiday","until":null}}', 'xE6r0s06gZYxjo89Whpjw8UCSEocIGBQOM-_uMhX88g');
INSERT INTO public.events VALUES (24, '01a1e310-f53e-7000-a36e-d2d333f8c8b2', 'automation.definition_set', 'automation/01a1e310-f4ac-7000-a301-b55e36f4df33', '{"id":"01a1e310-f53e-7000-a36e-d2d333f8c8b2","time":"2026-11-16T06:35:01.808Z","actor":"internal-service","request_id":"01a1e310-f52f-7000-8863-18b8f2ae3fda","kind":"automation.definition_set","subject":"automation/01a1e310-f4ac-7000-a301-b55e36f4df33","data":{"alias":"released-changed","design_content_hash":"sha256:b57496dd08d59e844d5c61a8310bab92d85bcfdc3874f6e6b1d1c79397bf0d4a"}}', 'lu4-brjYalBV6cPPssYUgpAi5t3AkGXQolqGkEqetKc');
INSERT INTO public.events VALUES (25, '01a1e310-f556-7000-a69c-d5f27e3555ee', 'file.written', 'file/01a1e310-f12e-7000-99ca-6349c7a7e1f3/pipelines/numbers.sql', '{"id":"01a1e310-f556-7000-a69c-d5f27e3555ee","time":"2026-11-16T06:35:01.837Z","actor":"internal-service","request_id":"01a1e310-f54a-7000-a9c4-08b9d8db78ba","kind":"file.written","subject":"file/01a1e310-f12e-7000-99ca-6349c7a7e1f3/pipelines/numbers.sql","data":{"environment_id":"01a1e310-f12e-7000-99ca-6349c7a7e1f3","path":"pipelines/numbers.sql","size":51,"sha256":"b0bf44b639804f1839a1927e097d46337d4fc58b70b6448f3bb019cef234fa17"}}', '3zGtqskvtkr5cbWsvBxxNYkvMJ-JJpfan3iS0kFWRC4');
INSERT INTO public.events VALUES (26, '01a1e310-f581-7000-98b1-0b28bf1f908c', 'pipeline.created', 'pipeline/01a1e310-f57d-7000-af95-5a9c856628e3', '{"id":"01a1e310-f581-7000-98b1-0b28bf1f908c","time":"2026-11-16T06:35:01.885Z","actor":"internal-service","request_id":"01a1e310-f571-7000-a43d-47c275d2713c","kind":"pipeline.created","subject":"pipeline/01a1e310-f57d-7000-af95-5a9c856628e3","data":{"name":"numbers","environment_id":"01a1e310-f12e-7000-99ca-6349c7a7e1f3"}}', 'W2xtr9Zm_mFgu6QBR0-dXDVrhGyflmBvVO2HJWeBKZ0');
INSERT INTO public.events VALUES (27, '01a1e310-f59d-7000-afc9-3e508f5d7d78', 'agent.created', 'agent/01a1e310-f594-7001-912f-02330cfe9bac', '{"id":"01a1e310-f59d-7000-afc9-3e508f5d7d78","time":"2026-11-16T06:35:01.908Z","actor":"internal-service","request_id":"01a1e310-f594-7000-b699-1ecda3ab931f","kind":"agent.created","subject":"agent/01a1e310-f594-7001-912f-02330cfe9bac","data":{"name":"desk","aliases":["orders-bot"]}}', '-Ty3MHX0BHGCmoip1M4EgkloC3O1aeDZxwaiEZfqDCw');
INSERT INTO public.events VALUES (28, '01a1e310-f5bd-7000-a468-1aab48f74e6a', 'file.written', 'file/01a1e310-f12e-7000-99ca-6349c7a7e1f3/tiny/app.yaml', '{"id":"01a1e310-f5bd-7000-a468-1aab48f74e6a","time":"2026-11-16T06:35:01.939Z","actor":"internal-service","request_id":"01a1e310-f5b1-7000-9c02-71f1ec0de63c","kind":"file.written","subject":"file/01a1e310-f12e-7000-99ca-6349c7a7e1f3/tiny/app.yaml","data":{"environment_id":"01a1e310-f12e-7000-99ca-6349c7a7e1f3","path":"tiny/app.yaml","size":25,"sha256":"161d49cab793e4e16c959370ac0ef0283a37471131f8f1ce0f6cbd77067c181a"}}', 'fZoPpY2pEIboF7zSw9y2G2QVxvGfzb5f2m61svdS28Q');
INSERT INTO public.events VALUES (29, '01a1e310-f5ca-7000-9691-56d9e634961e', 'file.written', 'file/01a1e310-f12e-7000-99ca-6349c7a7e1f3/tiny/app.mjs', '{"id":"01a1e310-f5ca-7000-9691-56d9e634961e","time":"2026-11-16T06:35:01.958Z","actor":"internal-service","request_id":"01a1e310-f5c4-7000-ba3e-221258ef527d","kind":"file.written","subject":"file/01a1e310-f12e-7000-99ca-6349c7a7e1f3/tiny/app.mjs","data":{"environment_id":"01a1e310-f12e-7000-99ca-6349c7a7e1f3","path":"tiny/app.mjs","size":154,"sha256":"42a29daadf6a0e247952089c44decb92d0f16169dfeeb9aa0956ff02f5cd7d93"}}', 'LcXdtrvVhq9k9moJu7GCjRmmhLGAJmU-_PsPUOsofmg');
INSERT INTO public.events VALUES (31, '01a1e310-f5e5-7001-b947-e8fee8649246', 'agent.release_activated', 'agent/01a1e310-f594-7001-912f-02330cfe9bac', '{"id":"01a1e310-f5e5-7001-b947-e8fee8649246","time":"2026-11-16T06:35:01.973Z","actor":"internal-service","request_id":"01a1e310-f5d5-7000-aada-fff9aff7546d","kind":"agent.release_activated","subject":"agent/01a1e310-f594-7001-912f-02330cfe9bac","data":{"name":"desk","environment_id":"01a1e310-f12e-7000-99ca-6349c7a7e1f3","version":"1.0.0"}}', 'CRPxNat-EFDN5ZHOML83us_u6ESa680nYLd5H8XeytM');
INSERT INTO public.events VALUES (32, '01a1e310-f60c-7000-acde-1d7051376632', 'environment.reconciled', 'environment/01a1e310-f12e-7000-99ca-6349c7a7e1f3', '{"id":"01a1e310-f60c-7000-acde-1d7051376632","time":"2026-11-16T06:35:01.973Z","actor":"internal-service","request_id":"01a1e310-f5d5-7000-aada-fff9aff7546d","kind":"environment.reconciled","subject":"environment/01a1e310-f12e-7000-99ca-6349c7a7e1f3","data":{}}', 'M3QzLiFdjvRJSz9n4ST7ienJekX9TD_kaHVVx5967MY');
INSERT INTO public.events VALUES (35, '01a1e310-f86c-7000-b390-d84ed30af8b2', 'agent.component_settled', 'agent/01a1e310-f594-7001-912f-02330cfe9bac', '{"id":"01a1e310-f86c-7000-b390-d84ed30af8b2","time":"2026-11-16T06:35:02.628Z","actor":"platform","request_id":null,"kind":"agent.component_settled","subject":"agent/01a1e310-f594-7001-912f-02330cfe9bac","data":{"environment_id":"01a1e310-f12e-7000-99ca-6349c7a7e1f3","component":"agent_endpoint","observed_state":"running","message":null}}', 'R4z-13ZjQlhQNQoRrSjm8ZYx-x4_iseCNDzy8V_q0MU');
INSERT INTO public.events VALUES (36, '01a1e310-f881-7000-8c95-207751bdfb85', 'app.started', 'app/01a1e310-f619-7000-94f6-4f13f85bd470', '{"id":"01a1e310-f881-7000-8c95-207751bdfb85","time":"2026-11-16T06:35:02.062Z","actor":"internal-service","request_id":"01a1e310-f62d-7000-a4f7-ace96f7efc5d","kind":"app.started","subject":"app/01a1e310-f619-7000-94f6-4f13f85bd470","data":{"name":"desk-ui","environment_id":"01a1e310-f12e-7000-99ca-6349c7a7e1f3","observed_state":"pending"}}', 'bgC_jn8Y4LfcA9VqGqk7462cENHkngETFFFWExkp9cc');
INSERT INTO public.events VALUES (37, '01a1e310-f881-7001-8fc5-d8e00208c566', 'agent.ui_app_followed', 'agent/01a1e310-f594-7001-912f-02330cfe9bac', '{"id":"01a1e310-f881-7001-8fc5-d8e00208c566","time":"2026-11-16T06:35:02.062Z","actor":"internal-service","request_id":"01a1e310-f62d-7000-a4f7-ace96f7efc5d","kind":"agent.ui_app_followed","subject":"agent/01a1e310-f594-7001-912f-02330cfe9bac","data":{"name":"desk","environment_id":"01a1e310-f12e-7000-99ca-6349c7a7e1f3","desired_state":"running","observed_state":"pending"}}', 'eZ3DaXFLpBVmG7Law4UeddEwjZQXbkEzGXNd6AjRKh0');
INSERT INTO public.events VALUES (40, '01a1e310-faa7-7001-8133-2c2a64d65fd6', 'deployment.created', 'deployment/01a1e310-faa7-7000-ae73-3e53947b31e9', '{"id":"01a1e310-faa7-7001-8133-2c2a64d65fd6","time":"2026-11-16T06:35:03.207Z","actor":"internal-service","request_id":"01a1e310-faa3-7000-bbf8-1e273e402a20","kind":"deployment.created","subject":"deployment/01a1e310-faa7-7000-ae73-3e53947b31e9","data":{"deployment_name":"orders 1.0.0","environment_id":"01a1e310-f12e-7000-99ca-6349c7a7e1f3","status":"pending"}}', 'JLzGKIak4H1ee-I0xePm51RuahZNq3DM5z2GqcrP7Ys');
INSERT INTO public.events VALUES (42, '01a1e310-faf3-7000-a0f4-3bd78041aa23', 'deployment.finished', 'deployment/01a1e310-faa7-7000-ae73-3e53947b31e9', '{"id":"01a1e310-faf3-7000-a0f4-3bd78041aa23","time":"2026-11-16T06:35:03.272Z","actor":"internal-service","request_id":"01a1e310-fae8-7000-8aa2-fb98cd769be8","kind":"deployment.finished","subject":"deployment/01a1e310-faa7-7000-ae73-3e53947b31e9","data":{"deployment_name":"orders 1.0.0","environment_id":"01a1e310-f12e-7000-99ca-6349c7a7e1f3","status":"succeeded"}}', 'eRHKF05wvNeSvCt7qTvwCriO-5R0GbS9NZEIkpwnSpM');
INSERT INTO public.events VALUES (43, '01a1e310-fb23-7000-b97e-29c339714196', 'environment.reconciled', 'environment/01a1e310-f12e-7000-99ca-6349c7a7e1f3', '{"id":"01a1e310-fb23-7000-b97e-29c339714196","time":"2026-11-16T06:35:03.272Z","actor":"internal-service","request_id":"01a1e310-fae8-7000-8aa2-fb98cd769be8","kind":"environment.reconciled","subject":"environment/01a1e310-f12e-7000-99ca-6349c7a7e1f3","data":{}}', 'ig2z71aaS6v7goLZBAmISjyzlPAbW5T7M_AvWkeLYjI');
INSERT INTO public.events VALUES (33, '01a1e310-f61d-7000-a7c3-e9d3938bf9db', 'app.created', 'app/01a1e310-f619-7000-94f6-4f13f85bd470', '{"id":"01a1e310-f61d-7000-a7c3-e9d3938bf9db","time":"2026-11-16T06:35:02.041Z","actor":"internal-service","request_id":"01a1e310-f616-7000-b7f6-f8e016b93eed","kind":"app.created","subject":"app/01a1e310-f619-7000-94f6-4f13f85bd470","data":{"name":"desk-ui","environment_id":"01a1e310-f12e-7000-99ca-6349c7a7e1f3","agent_id":"01a1e310-f594-7001-912f-02330cfe9bac"}}', '3gBW7Sy5qqqSDl7GrWWs3GArQYx_lX1C1eSqN4J61Dk');
INSERT INTO public.events VALUES (34, '01a1e310-f63a-7000-abcf-56b55374ce7f', 'agent.component_started', 'agent/01a1e310-f594-7001-912f-02330cfe9bac', '{"id":"01a1e310-f63a-7000-abcf-56b55374ce7f","time":"2026-11-16T06:35:02.062Z","actor":"internal-service","request_id":"01a1e310-f62d-7000-a4f7-ace96f7efc5d","kind":"agent.component_started","subject":"agent/01a1e310-f594-7001-912f-02330cfe9bac","data":{"name":"desk","environment_id":"01a1e310-f12e-7000-99ca-6349c7a7e1f3","component":"agent_endpoint","version":"1.0.0"}}', 'Fgym4ff7P6alyfOMn-KB99sEE7NGQWPAqFDhV_nO6aU');
INSERT INTO public.events VALUES (38, '01a1e310-fa7d-7000-9b81-9a5e89fd1b2e', 'app.settled', 'app/01a1e310-f619-7000-94f6-4f13f85bd470', '{"id":"01a1e310-fa7d-7000-9b81-9a5e89fd1b2e","time":"2026-11-16T06:35:03.139Z","actor":"platform","request_id":null,"kind":"app.settled","subject":"app/01a1e310-f619-7000-94f6-4f13f85bd470","data":{"name":"desk-ui","observed_state":"running","message":null}}', 'on1RiilZMe6msxoNi_LvTi4mmhe_2pEJ5LrCqov7SQA');
INSERT INTO public.events VALUES (39, '01a1e310-fa7d-7001-b718-1dc44cefae69', 'agent.ui_app_followed', 'agent/01a1e310-f594-7001-912f-02330cfe9bac', '{"id":"01a1e310-fa7d-7001-b718-1dc44cefae69","time":"2026-11-16T06:35:03.139Z","actor":"platform","request_id":null,"kind":"agent.ui_app_followed","subject":"agent/01a1e310-f594-7001-912f-02330cfe9bac","data":{"name":"desk","environment_id":"01a1e310-f12e-7000-99ca-6349c7a7e1f3","desired_state":"running","observed_state":"running"}}', 'YpuC30DTAkScVeN8c-6Nn_DB5NmZ1CKG5i_FDQ2Nmzg');
INSERT INTO public.events VALUES (41, '01a1e310-fac4-7000-aa33-dfd8831d55c0', 'deployment.logged', 'deployment/01a1e310-faa7-7000-ae73-3e53947b31e9', '{"id":"01a1e310-fac4-7000-aa33-dfd8831d55c0","time":"2026-11-16T06:35:03.232Z","actor":"internal-service","request_id":"01a1e310-fabf-7000-8bad-f75c8ca08911","kind":"deployment.logged","subject":"deployment/01a1e310-faa7-7000-ae73-3e53947b31e9","data":{"characters":10}}', 'OaP_0vgAljAhyrwjJbp34Z_znj8Z1jJELMZnnPCtDSM');
INSERT INTO public.jobs VALUES ('connector-01a1e310-f399-7000-9ef8-b0e4ee15816c', '01a1e310-f12e-7000-99ca-6349c7a7e1f3', 'connector', 'connector/01a1e310-f399-7000-9ef8-b0e4ee15816c', '"referring"', '{"trigger":{"kind":"cron","cron":"0 6 1 1 *","timezone":"Europe/Berlin"},"attempts":3,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T05:00:00.000Z', '2026-11-16T06:35:01.404Z', '2026-11-16T06:35:01.404Z', 1, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('connector-01a1e310-f3dd-7000-a66c-79cb54ffbeb1', '01a1e310-f12e-7000-99ca-6349c7a7e1f3', 'connector', 'connector/01a1e310-f3dd-7000-a66c-79cb54ffbeb1', '"paused"', '{"trigger":{"kind":"cron","cron":"0 6 1 1 *","timezone":"Europe/Berlin"},"attempts":3,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', '{"by":"internal-service","at":"2026-11-16T06:35:01.479Z","reason":"holiday","until":null,"missed":0,"last_missed":null}', NULL, '{}', 0, NULL, '2027-01-01T05:00:00.000Z', '2026-11-16T06:35:01.470Z', '2026-11-16T06:35:01.470Z', 2, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('connector-01a1e310-f37b-7000-9239-1199a0bff8cb', '01a1e310-f12e-7000-99ca-6349c7a7e1f3', 'connector', 'connector/01a1e310-f37b-7000-9239-1199a0bff8cb', '"inline"', '{"trigger":{"kind":"cron","cron":"0 6 1 1 *","timezone":"Europe/Berlin"},"attempts":3,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T05:00:00.000Z', '2026-11-16T06:35:01.375Z', '2026-11-16T06:35:01.521Z', 2, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('automation-01a1e310-f433-7000-9a62-89e8ac84f088-01a1e310-f12e-7000-99ca-6349c7a7e1f3', '01a1e310-f12e-7000-99ca-6349c7a7e1f3', 'automation', 'automation/01a1e310-f433-7000-9a62-89e8ac84f088', '"released"', '{"trigger":{"kind":"cron","cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"attempts":20,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T06:00:00.000Z', '2026-11-16T06:35:01.582Z', '2026-11-16T06:35:01.582Z', 1, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('automation-01a1e310-f4ac-7000-a301-b55e36f4df33-01a1e310-f12e-7000-99ca-6349c7a7e1f3', '01a1e310-f12e-7000-99ca-6349c7a7e1f3', 'automation', 'automation/01a1e310-f4ac-7000-a301-b55e36f4df33', '"released-changed"', '{"trigger":{"kind":"cron","cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"attempts":20,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T06:00:00.000Z', '2026-11-16T06:35:01.702Z', '2026-11-16T06:35:01.702Z', 1, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('automation-01a1e310-f47c-7000-a764-2168d07f76fb-01a1e310-f12e-7000-99ca-6349c7a7e1f3', '01a1e310-f12e-7000-99ca-6349c7a7e1f3', 'automation', 'automation/01a1e310-f47c-7000-a764-2168d07f76fb', '"released-paused"', '{"trigger":{"kind":"cron","cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"attempts":20,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', '{"by":"internal-service","at":"2026-11-16T06:35:01.770Z","reason":"holiday","until":null,"missed":0,"last_missed":null}', NULL, '{}', 0, NULL, '2027-01-01T06:00:00.000Z', '2026-11-16T06:35:01.639Z', '2026-11-16T06:35:01.639Z', 2, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('pipeline-01a1e310-f57d-7000-af95-5a9c856628e3', '01a1e310-f12e-7000-99ca-6349c7a7e1f3', 'pipeline', 'pipeline/01a1e310-f57d-7000-af95-5a9c856628e3', '"numbers"', '{"trigger":{"kind":"manual"},"attempts":3,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'manual', NULL, NULL, '{}', 0, NULL, NULL, '2026-11-16T06:35:01.886Z', '2026-11-16T06:35:01.886Z', 1, '["lakehelm"]');
INSERT INTO public.keyring VALUES ('fingerprint', 'keOT3fxHz_I6EV7EkRe8KYS2yBFU5Xa5yqF8SRI7QW0');
INSERT INTO public.keyring VALUES ('jwt', 'uz1MatB3XLiiCaDn1qkmDZIRcwugifcu24DQOd19pnYGnuX8goDait7pKkCQjOuKTzPC/ueXQ5E2wNm0OkSaq8ycG0kXqGuu');
INSERT INTO public.keyring VALUES ('event anchor/01a1e310-eff2-7000-88aa-121406fedd75', 'written');
INSERT INTO public.keyring VALUES ('masking rules 2', '2026-11-16T06:35:00.574Z');
INSERT INTO public.keyring VALUES ('missing installations 1', '2026-11-16T06:35:00.634Z');
INSERT INTO public.keyring VALUES ('data folder', '01a1e310-eff2-7000-88aa-121406fedd75');
INSERT INTO public.overrides VALUES ('01a1e310-f12e-7000-99ca-6349c7a7e1f3', '01a1e310-f47c-7000-a764-2168d07f76fb', '{"paused":true,"by":"internal-service","at":"2026-11-16T06:35:01.770Z","reason":"holiday","until":null}');
INSERT INTO public.pipelines VALUES (1, '01a1e310-f57d-7000-af95-5a9c856628e3', '["01a1e310-f12e-7000-99ca-6349c7a7e1f3","numbers"]', 1, '01a1e310-f12e-7000-99ca-6349c7a7e1f3', NULL, NULL, '{"pipeline_id":"01a1e310-f57d-7000-af95-5a9c856628e3","name":"numbers","libraries":[{"file":{"path":"pipelines/numbers.sql"}}],"configuration":{},"continuous":false,"development":false,"photon":false,"serverless":false,"channel":"CURRENT","edition":"ADVANCED","platform_managed":true,"environment_id":"01a1e310-f12e-7000-99ca-6349c7a7e1f3","tags":{"platform.managed_by":"lakehelm","platform.environment":"prod","platform.pipeline":"numbers"},"platform_reference":"pipeline-01a1e310-f57d-7000-af95-5a9c856628e3","error_message":null,"created_at":"2026-11-16T06:35:01.885Z","updated_at":"2026-11-16T06:35:01.885Z","created_by":"internal-service","updated_by":null}', NULL, 'numbers', '', '2026-11-16T06:35:01.885Z', 'internal-service', 'numbers', '2026-11-16T06:35:01.885Z');
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
INSERT INTO public.processes VALUES ('agent/01a1e310-f594-7001-912f-02330cfe9bac/01a1e310-f12e-7000-99ca-6349c7a7e1f3', '01a1e310-f12e-7000-99ca-6349c7a7e1f3', 'running', '{"deploy":"01a1e310-f637-7000-a41e-9f82425b14cc","name":"desk","sourcePath":"tiny","start":{"mark":"02b6e017420d613c.54dc21b73edb0bb212f867c19c0a8e83","port":37725,"url":"http://127.0.0.1:37559","boot":"355cdeda-b6a0-47a4-908c-2e0ca1078aca","pid":20913,"began":"512743"},"ends":[],"askedAt":"2026-11-16T06:35:02.062Z","sight":{"observed_state":"running","message":null}}', 4);
INSERT INTO public.processes VALUES ('app/01a1e310-f619-7000-94f6-4f13f85bd470', '01a1e310-f12e-7000-99ca-6349c7a7e1f3', 'running', '{"deploy":"01a1e310-f87a-7000-aff0-8b8e82c2d721","name":"desk-ui","sourcePath":"tiny","start":{"mark":"02b6e017420d613c.b4fe9c95aa7de7882523e0f6b702e90e","port":42703,"url":"http://127.0.0.1:37559","boot":"355cdeda-b6a0-47a4-908c-2e0ca1078aca","pid":20921,"began":"512795"},"ends":[],"askedAt":"2026-11-16T06:35:02.062Z","sight":{"observed_state":"running","message":null}}', 4);
INSERT INTO public.release_designs VALUES ('01a1e310-f44c-7000-a036-a514848195c8', '01a1e310-f433-7000-9a62-89e8ac84f088', '01a1e310-f12e-7000-99ca-6349c7a7e1f3', '{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false}', NULL);
INSERT INTO public.release_designs VALUES ('01a1e310-f486-7000-aff3-bb2f2f9ee870', '01a1e310-f47c-7000-a764-2168d07f76fb', '01a1e310-f12e-7000-99ca-6349c7a7e1f3', '{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false}', NULL);
INSERT INTO public.release_designs VALUES ('01a1e310-f4c4-7000-8f91-d904bcc8ab36', '01a1e310-f4ac-7000-a301-b55e36f4df33', '01a1e310-f12e-7000-99ca-6349c7a7e1f3', '{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false}', NULL);
INSERT INTO public.releases VALUES (1, '01a1e310-f44c-7000-a036-a514848195c8', '["automation","01a1e310-f433-7000-9a62-89e8ac84f088","01a1e310-f12e-7000-99ca-6349c7a7e1f3"]', 1, '01a1e310-f12e-7000-99ca-6349c7a7e1f3', '01a1e310-f433-7000-9a62-89e8ac84f088', 'installed', '{"id":"01a1e310-f44c-7000-a036-a514848195c8","artifact":"automation/released","environment_id":"01a1e310-f12e-7000-99ca-6349c7a7e1f3","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:ea7b3ffc44dfd1251c5d344c3f0775ccbff0a906d99c3036d49182d03ec7834c","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1e310-f433-7000-9a62-89e8ac84f088-01a1e310-f12e-7000-99ca-6349c7a7e1f3","activated_at":"2026-11-16T06:35:01.574Z","activated_by":"internal-service","deployment_id":"01a1e310-f44f-7000-aa6a-5eb8ee656b25"}', NULL, '1.0.0', '', '', 'internal-service', '1.0.0
main
3f9c1d2', '2026-11-16T06:35:01.574Z');
INSERT INTO public.releases VALUES (3, '01a1e310-f4c4-7000-8f91-d904bcc8ab36', '["automation","01a1e310-f4ac-7000-a301-b55e36f4df33","01a1e310-f12e-7000-99ca-6349c7a7e1f3"]', 1, '01a1e310-f12e-7000-99ca-6349c7a7e1f3', '01a1e310-f4ac-7000-a301-b55e36f4df33', 'installed', '{"id":"01a1e310-f4c4-7000-8f91-d904bcc8ab36","artifact":"automation/released-changed","environment_id":"01a1e310-f12e-7000-99ca-6349c7a7e1f3","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:319a2f13af74bebf9ebbe8644121b3b2cd426a6f6a393eaed243fa85fe34ea62","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1e310-f4ac-7000-a301-b55e36f4df33-01a1e310-f12e-7000-99ca-6349c7a7e1f3","activated_at":"2026-11-16T06:35:01.690Z","activated_by":"internal-service","deployment_id":"01a1e310-f4c7-7000-8576-f230836ba936"}', NULL, '1.0.0', '', '', 'internal-service', '1.0.0
main
3f9c1d2', '2026-11-16T06:35:01.690Z');
INSERT INTO public.releases VALUES (2, '01a1e310-f486-7000-aff3-bb2f2f9ee870', '["automation","01a1e310-f47c-7000-a764-2168d07f76fb","01a1e310-f12e-7000-99ca-6349c7a7e1f3"]', 2, '01a1e310-f12e-7000-99ca-6349c7a7e1f3', '01a1e310-f47c-7000-a764-2168d07f76fb', 'installed', '{"id":"01a1e310-f486-7000-aff3-bb2f2f9ee870","artifact":"automation/released-paused","environment_id":"01a1e310-f12e-7000-99ca-6349c7a7e1f3","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:1f88e993b0d419939f5da07e75c73a77dc5e50158f09e90547255a849fb89168","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1e310-f47c-7000-a764-2168d07f76fb-01a1e310-f12e-7000-99ca-6349c7a7e1f3","activated_at":"2026-11-16T06:35:01.635Z","activated_by":"internal-service","deployment_id":"01a1e310-f488-7000-95b0-43cb2253d166"}', NULL, '1.0.0', '', '', 'internal-service', '1.0.0
main
3f9c1d2', '2026-11-16T06:35:01.635Z');
INSERT INTO public.schema_version VALUES (13);
INSERT INTO public.secrets VALUES ('01a1e310-f12e-7000-99ca-6349c7a7e1f3', 'shop', 'api-key', '2HGkgv6drsrutxUsfokYprYWtyeysWLokDtyVz++HezQZQ3spJcL', '2026-11-16T06:35:01.349Z');
INSERT INTO public.summaries VALUES ('01a1e310-f12e-7000-99ca-6349c7a7e1f3', '{"environment_id":"01a1e310-f12e-7000-99ca-6349c7a7e1f3","latest_success":{"id":"01a1e310-faa7-7000-ae73-3e53947b31e9","deployment_name":"orders 1.0.0","git_branch":"main","git_commit_sha":"","completed_at":"2026-11-16T06:35:03.272Z"},"current_releases":[{"artifact":"automation/released","version":"1.0.0","activated_at":"2026-11-16T06:35:01.574Z"},{"artifact":"automation/released-paused","version":"1.0.0","activated_at":"2026-11-16T06:35:01.635Z"},{"artifact":"automation/released-changed","version":"1.0.0","activated_at":"2026-11-16T06:35:01.690Z"},{"artifact":"agent/desk","version":"1.0.0","activated_at":"2026-11-16T06:35:01.973Z"}],"deployment_counts":{"succeeded":4},"failure_streak":0,"reconciled_at":"2026-11-16T06:35:03.272Z"}');
INSERT INTO public.tallies VALUES ('environments/all', 1000000, 0, 2);
INSERT INTO public.tallies VALUES ('environments/all', 10000, 0, 2);
INSERT INTO public.tallies VALUES ('environments/all', 100, 0, 2);
INSERT INTO public.tallies VALUES ('users/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('users/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('users/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1e310-f13b-7000-812c-7a77f1ae5d19', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1e310-f13b-7000-812c-7a77f1ae5d19', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1e310-f13b-7000-812c-7a77f1ae5d19', 100, 0, 1);
INSERT INTO public.tallies VALUES ('deployments/all', 1000000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/all', 10000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/all', 100, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1e310-f12e-7000-99ca-6349c7a7e1f3', 1000000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1e310-f12e-7000-99ca-6349c7a7e1f3', 10000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1e310-f12e-7000-99ca-6349c7a7e1f3', 100, 0, 4);
INSERT INTO public.tallies VALUES ('connectors/all', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/all', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/all', 100, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/01a1e310-f12e-7000-99ca-6349c7a7e1f3', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/01a1e310-f12e-7000-99ca-6349c7a7e1f3', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/01a1e310-f12e-7000-99ca-6349c7a7e1f3', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e310-f433-7000-9a62-89e8ac84f088', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e310-f433-7000-9a62-89e8ac84f088', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e310-f433-7000-9a62-89e8ac84f088', 100, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e310-f47c-7000-a764-2168d07f76fb', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e310-f47c-7000-a764-2168d07f76fb', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e310-f47c-7000-a764-2168d07f76fb', 100, 0, 1);
INSERT INTO public.tallies VALUES ('automations/all', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('automations/all', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('automations/all', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/all', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('releases/all', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('releases/all', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e310-f12e-7000-99ca-6349c7a7e1f3', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e310-f12e-7000-99ca-6349c7a7e1f3', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e310-f12e-7000-99ca-6349c7a7e1f3', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e310-f4ac-7000-a301-b55e36f4df33', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e310-f4ac-7000-a301-b55e36f4df33', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e310-f4ac-7000-a301-b55e36f4df33', 100, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1e310-f12e-7000-99ca-6349c7a7e1f3', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1e310-f12e-7000-99ca-6349c7a7e1f3', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1e310-f12e-7000-99ca-6349c7a7e1f3', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agents/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('agents/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('agents/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1e310-f594-7001-912f-02330cfe9bac', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1e310-f594-7001-912f-02330cfe9bac', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1e310-f594-7001-912f-02330cfe9bac', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e310-f12e-7000-99ca-6349c7a7e1f3', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e310-f12e-7000-99ca-6349c7a7e1f3', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e310-f12e-7000-99ca-6349c7a7e1f3', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e310-f594-7001-912f-02330cfe9bac', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e310-f594-7001-912f-02330cfe9bac', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e310-f594-7001-912f-02330cfe9bac', 100, 0, 1);
INSERT INTO public.tallies VALUES ('apps/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e310-f12e-7000-99ca-6349c7a7e1f3', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e310-f12e-7000-99ca-6349c7a7e1f3', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e310-f12e-7000-99ca-6349c7a7e1f3', 100, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e310-f594-7001-912f-02330cfe9bac', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e310-f594-7001-912f-02330cfe9bac', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e310-f594-7001-912f-02330cfe9bac', 100, 0, 1);
INSERT INTO public.tokens VALUES (1, '01a1e310-f350-7000-90d4-3945b82df897', '["NeqJIXp8VMxBSm96vZb0-EWCY0ljOn4iQ6gKWaEm9sI"]', 1, NULL, '01a1e310-f13b-7000-812c-7a77f1ae5d19', NULL, '{"id":"01a1e310-f350-7000-90d4-3945b82df897","username":"ada@example.test","comment":"fixture","created_at":"2026-11-16T06:35:01.322Z","expires_at":null,"created_by":"internal-service"}', NULL, 'fixture', '', '', 'internal-service', 'fixture', '2026-11-16T06:35:01.322Z');
INSERT INTO public.users VALUES (1, '01a1e310-f13b-7000-812c-7a77f1ae5d19', '["ada@example.test"]', 1, NULL, NULL, NULL, '{"id":"01a1e310-f13b-7000-812c-7a77f1ae5d19","username":"ada@example.test","role":"operator","active":true,"created_at":"2026-11-16T06:35:00.793Z","updated_at":"2026-11-16T06:35:00.793Z","created_by":"internal-service"}', 'HzfEUFv+VIjfROYIs1AG10/oiBpMRZ2gw9mONsDA11huApdzA515cY6zrj5YcUR4w1QxS3IT5qzUwbOZ9f9gh0sMdRhVVARYGWJshzUS8u/DZ8KioHTvWJlxoOmSvWQ69SuinmPqL58r01npAqTxHXDa', 'ada@example.test', 'active', '2026-11-16T06:35:00.793Z', 'internal-service', 'ada@example.test', '2026-11-16T06:35:00.793Z');
INSERT INTO public.versions VALUES (1, '01a1e310-f5dd-7000-bec8-65cb38e1f298', '["01a1e310-f594-7001-912f-02330cfe9bac","1.0.0"]', 1, NULL, '01a1e310-f594-7001-912f-02330cfe9bac', NULL, '{"id":"01a1e310-f5dd-7000-bec8-65cb38e1f298","agent_id":"01a1e310-f594-7001-912f-02330cfe9bac","version":"1.0.0","source_path":null,"metadata":{},"created_at":"2026-11-16T06:35:01.973Z","created_by":"internal-service"}', NULL, '1.0.0', '', '', 'internal-service', '1.0.0', '2026-11-16T06:35:01.973Z');
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
CREATE INDEX runs_by_ended_at ON public.runs USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX runs_by_heartbeat_until ON public.runs USING btree (heartbeat_until) WHERE (heartbeat_until IS NOT NULL);
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
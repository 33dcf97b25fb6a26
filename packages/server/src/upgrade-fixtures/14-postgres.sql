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
INSERT INTO public.agent_environments VALUES (1, '01a1e399-5cc3-7000-8128-0c81085ecf7d', '["agent","01a1e399-5c32-7001-aefc-8749aacf6b9f","01a1e399-5064-7000-a7d8-fb92a22f2f81"]', 5, '01a1e399-5064-7000-a7d8-fb92a22f2f81', '01a1e399-5c32-7001-aefc-8749aacf6b9f', 'agent_release', '{"artifact":"agent/desk","release":{"environment_id":"01a1e399-5064-7000-a7d8-fb92a22f2f81","environment":"prod","version":"1.0.0","workflow_run_id":null,"workflow_name":null,"workflow_run_url":null,"activated_at":"2026-11-16T09:04:01.212Z","activated_by":"internal-service"}}', NULL, '', '', '', '', '', '');
INSERT INTO public.agents VALUES (1, '01a1e399-5c32-7001-aefc-8749aacf6b9f', '["desk"]', 6, NULL, NULL, NULL, '{"id":"01a1e399-5c32-7001-aefc-8749aacf6b9f","name":"desk","aliases":["orders-bot"],"description":"","source_path":"tiny","components":[{"environment_id":"01a1e399-5064-7000-a7d8-fb92a22f2f81","component":"chat","desired_state":"running","observed_state":"running","message":null,"updated_at":"2026-11-16T09:04:01.212Z","version":"1.0.0"},{"environment_id":"01a1e399-5064-7000-a7d8-fb92a22f2f81","component":"agent_endpoint","desired_state":"running","observed_state":"running","message":null,"updated_at":"2026-11-16T09:04:02.310Z","version":"1.0.0"},{"environment_id":"01a1e399-5064-7000-a7d8-fb92a22f2f81","component":"ui_app","desired_state":"running","observed_state":"running","version":"1.0.0","message":null,"updated_at":"2026-11-16T09:04:03.472Z"}],"releases":[{"environment_id":"01a1e399-5064-7000-a7d8-fb92a22f2f81","environment":"prod","version":"1.0.0","workflow_run_id":null,"workflow_name":null,"workflow_run_url":null,"activated_at":"2026-11-16T09:04:01.212Z","activated_by":"internal-service"}],"created_at":"2026-11-16T09:04:01.074Z","updated_at":"2026-11-16T09:04:01.386Z","created_by":"internal-service","updated_by":"internal-service"}', NULL, 'desk', '', '2026-11-16T09:04:01.386Z', 'internal-service', 'desk', '2026-11-16T09:04:01.074Z');
INSERT INTO public.aliases VALUES ('["desk"]', '01a1e399-5c32-7001-aefc-8749aacf6b9f');
INSERT INTO public.aliases VALUES ('["orders-bot"]', '01a1e399-5c32-7001-aefc-8749aacf6b9f');
INSERT INTO public.apps VALUES (1, '01a1e399-5d10-7000-a023-ec4977dd7e69', '["01a1e399-5064-7000-a7d8-fb92a22f2f81","desk-ui"]', 3, '01a1e399-5064-7000-a7d8-fb92a22f2f81', '01a1e399-5c32-7001-aefc-8749aacf6b9f', NULL, '{"id":"01a1e399-5d10-7000-a023-ec4977dd7e69","name":"desk-ui","environment_id":"01a1e399-5064-7000-a7d8-fb92a22f2f81","description":"","agent_id":"01a1e399-5c32-7001-aefc-8749aacf6b9f","source_path":"tiny","desired_state":"running","observed_state":"running","message":null,"created_at":"2026-11-16T09:04:01.296Z","updated_at":"2026-11-16T09:04:03.472Z","created_by":"internal-service","updated_by":"internal-service"}', NULL, 'desk-ui', 'running', '2026-11-16T09:04:03.472Z', 'internal-service', 'desk-ui', '2026-11-16T09:04:01.296Z');
INSERT INTO public.automations VALUES (1, '01a1e399-597c-7000-a9c3-4e734f9cc75d', '["released"]', 1, NULL, NULL, NULL, '{"id":"01a1e399-597c-7000-a9c3-4e734f9cc75d","alias":"released","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false},"design_content_hash":"sha256:ea7b3ffc44dfd1251c5d344c3f0775ccbff0a906d99c3036d49182d03ec7834c","created_at":"2026-11-16T09:04:00.305Z","updated_at":"2026-11-16T09:04:00.305Z","created_by":"internal-service","updated_by":null}', NULL, 'released', '', '2026-11-16T09:04:00.305Z', 'internal-service', 'released', '2026-11-16T09:04:00.305Z');
INSERT INTO public.automations VALUES (2, '01a1e399-5a9b-7000-b330-152d51a60d27', '["released-paused"]', 1, NULL, NULL, NULL, '{"id":"01a1e399-5a9b-7000-b330-152d51a60d27","alias":"released-paused","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false},"design_content_hash":"sha256:1f88e993b0d419939f5da07e75c73a77dc5e50158f09e90547255a849fb89168","created_at":"2026-11-16T09:04:00.658Z","updated_at":"2026-11-16T09:04:00.658Z","created_by":"internal-service","updated_by":null}', NULL, 'released-paused', '', '2026-11-16T09:04:00.658Z', 'internal-service', 'released-paused', '2026-11-16T09:04:00.658Z');
INSERT INTO public.automations VALUES (3, '01a1e399-5b05-7000-9c64-2514a2eedb7f', '["released-changed"]', 2, NULL, NULL, NULL, '{"id":"01a1e399-5b05-7000-9c64-2514a2eedb7f","alias":"released-changed","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 2","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false},"design_content_hash":"sha256:b57496dd08d59e844d5c61a8310bab92d85bcfdc3874f6e6b1d1c79397bf0d4a","created_at":"2026-11-16T09:04:00.765Z","updated_at":"2026-11-16T09:04:00.853Z","created_by":"internal-service","updated_by":"internal-service"}', NULL, 'released-changed', '', '2026-11-16T09:04:00.853Z', 'internal-service', 'released-changed', '2026-11-16T09:04:00.765Z');
INSERT INTO public.connectors VALUES (2, '01a1e399-5863-7000-afc9-5076e0a7fe78', '["referring"]', 1, '01a1e399-5064-7000-a7d8-fb92a22f2f81', NULL, NULL, '{"id":"01a1e399-5863-7000-afc9-5076e0a7fe78","name":"referring","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"Bearer {{secrets/shop/api-key}}"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"active","git_commit_id":null,"git_branch":null,"workflow_id":"connector-01a1e399-5863-7000-afc9-5076e0a7fe78","artifacts_path":null,"error_message":null,"created_at":"2026-11-16T09:04:00.099Z","updated_at":"2026-11-16T09:04:00.099Z","created_by":"ada@example.test","updated_by":null,"datasets":[{"id":"01a1e399-5863-7001-9f0c-b01e57fad1a6","connector_id":"01a1e399-5863-7000-afc9-5076e0a7fe78","source_dataset":"referring","target_name":"referring","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-16T09:04:00.099Z","created_by":"internal-service"}]}', NULL, 'referring', 'active', '2026-11-16T09:04:00.099Z', 'ada@example.test', 'referring
warehouse', '2026-11-16T09:04:00.099Z');
INSERT INTO public.connectors VALUES (3, '01a1e399-58b0-7000-91f0-59b5c86f9c58', '["paused"]', 2, '01a1e399-5064-7000-a7d8-fb92a22f2f81', NULL, NULL, '{"id":"01a1e399-58b0-7000-91f0-59b5c86f9c58","name":"paused","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"********"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"paused","git_commit_id":null,"git_branch":null,"workflow_id":"connector-01a1e399-58b0-7000-91f0-59b5c86f9c58","artifacts_path":null,"error_message":null,"created_at":"2026-11-16T09:04:00.176Z","updated_at":"2026-11-16T09:04:00.214Z","created_by":"ada@example.test","updated_by":"internal-service","datasets":[{"id":"01a1e399-58b3-7000-8171-652a52659ca6","connector_id":"01a1e399-58b0-7000-91f0-59b5c86f9c58","source_dataset":"paused","target_name":"paused","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-16T09:04:00.176Z","created_by":"internal-service"}]}', 'YoVX/3RuKoiDo5NESEuU5raBPQgzOrJKxxYCjliCgG/2xin54ShBX9RZnUgVRamFzcSbJtG66prTCijQhFgGkQa24cAXDdJlB8is8PA72wvKP0JUyHwQXacmtigWxlT91rgwnnfpCUkeQ7GHUWSL31mW', 'paused', 'paused', '2026-11-16T09:04:00.214Z', 'ada@example.test', 'paused
warehouse', '2026-11-16T09:04:00.176Z');
INSERT INTO public.connectors VALUES (1, '01a1e399-57f4-7000-958d-7a1b83f6749d', '["inline"]', 2, '01a1e399-5064-7000-a7d8-fb92a22f2f81', NULL, NULL, '{"id":"01a1e399-57f4-7000-958d-7a1b83f6749d","name":"inline","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"********"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"active","git_commit_id":null,"git_branch":"main","workflow_id":"connector-01a1e399-57f4-7000-958d-7a1b83f6749d","artifacts_path":null,"error_message":null,"created_at":"2026-11-16T09:03:59.988Z","updated_at":"2026-11-16T09:04:00.253Z","created_by":"ada@example.test","updated_by":"internal-service","datasets":[{"id":"01a1e399-57f5-7000-a6d4-4d112ae47bb3","connector_id":"01a1e399-57f4-7000-958d-7a1b83f6749d","source_dataset":"inline","target_name":"inline","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-16T09:03:59.988Z","created_by":"internal-service"}]}', 'OvJo2+6rPK+dJQ+a7g/aypNgtFQ2z5LjIU2EYx89Z2RO0LDMxyY9HUUWClggzfIWemrA0hZPB3Z1d1Jvj2dfUnpEATiY8veuI8JcZtN45kXdVBnMi+lZtQsYH3DnvlaB96d2lSoeOETU7deIsfqyJJaJ3QYrIQnGQiGNMiyrxIY=', 'inline', 'active', '2026-11-16T09:04:00.253Z', 'ada@example.test', 'inline
warehouse', '2026-11-16T09:03:59.988Z');
INSERT INTO public.cursors VALUES ('chat', 0);
INSERT INTO public.deployment_counts VALUES ('01a1e399-5064-7000-a7d8-fb92a22f2f81', 'pending', 0);
INSERT INTO public.deployment_counts VALUES ('01a1e399-5064-7000-a7d8-fb92a22f2f81', 'succeeded', 4);
INSERT INTO public.deployment_log VALUES ('01a1e399-65e6-7000-b420-5c91b33446d8', 1, '"uploading\n"');
INSERT INTO public.deployments VALUES (1, '01a1e399-59f0-7001-841c-9c23406cbc1c', '["2026-11-16T09:04:00.431Z","01a1e399-59f0-7001-841c-9c23406cbc1c"]', 1, '01a1e399-5064-7000-a7d8-fb92a22f2f81', NULL, 'succeeded', '{"id":"01a1e399-59f0-7001-841c-9c23406cbc1c","deployment_name":"released 1.0.0","environment_id":"01a1e399-5064-7000-a7d8-fb92a22f2f81","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T09:04:00.431Z","started_at":"2026-11-16T09:04:00.431Z","completed_at":"2026-11-16T09:04:00.431Z","initiated_by":"internal-service","error_message":null}', NULL, 'released 1.0.0', 'succeeded', '', 'internal-service', 'released 1.0.0
main
3f9c1d2', '2026-11-16T09:04:00.431Z');
INSERT INTO public.deployments VALUES (2, '01a1e399-5ac6-7001-a4ff-9c7e2f36d3b9', '["2026-11-16T09:04:00.696Z","01a1e399-5ac6-7001-a4ff-9c7e2f36d3b9"]', 1, '01a1e399-5064-7000-a7d8-fb92a22f2f81', NULL, 'succeeded', '{"id":"01a1e399-5ac6-7001-a4ff-9c7e2f36d3b9","deployment_name":"released-paused 1.0.0","environment_id":"01a1e399-5064-7000-a7d8-fb92a22f2f81","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T09:04:00.696Z","started_at":"2026-11-16T09:04:00.696Z","completed_at":"2026-11-16T09:04:00.696Z","initiated_by":"internal-service","error_message":null}', NULL, 'released-paused 1.0.0', 'succeeded', '', 'internal-service', 'released-paused 1.0.0
main
3f9c1d2', '2026-11-16T09:04:00.696Z');
INSERT INTO public.deployments VALUES (3, '01a1e399-5b0f-7002-91db-d57a9d40194d', '["2026-11-16T09:04:00.780Z","01a1e399-5b0f-7002-91db-d57a9d40194d"]', 1, '01a1e399-5064-7000-a7d8-fb92a22f2f81', NULL, 'succeeded', '{"id":"01a1e399-5b0f-7002-91db-d57a9d40194d","deployment_name":"released-changed 1.0.0","environment_id":"01a1e399-5064-7000-a7d8-fb92a22f2f81","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T09:04:00.780Z","started_at":"2026-11-16T09:04:00.780Z","completed_at":"2026-11-16T09:04:00.780Z","initiated_by":"internal-service","error_message":null}', NULL, 'released-changed 1.0.0', 'succeeded', '', 'internal-service', 'released-changed 1.0.0
main
3f9c1d2', '2026-11-16T09:04:00.780Z');
INSERT INTO public.deployments VALUES (4, '01a1e399-65e6-7000-b420-5c91b33446d8', '["2026-11-16T09:04:03.629Z","01a1e399-65e6-7000-b420-5c91b33446d8"]', 2, '01a1e399-5064-7000-a7d8-fb92a22f2f81', NULL, 'succeeded', '{"id":"01a1e399-65e6-7000-b420-5c91b33446d8","deployment_name":"orders 1.0.0","environment_id":"01a1e399-5064-7000-a7d8-fb92a22f2f81","git_branch":"main","git_commit_sha":"","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T09:04:03.558Z","started_at":null,"completed_at":"2026-11-16T09:04:03.629Z","initiated_by":"internal-service","error_message":null}', NULL, 'orders 1.0.0', 'succeeded', '', 'internal-service', 'orders 1.0.0
main', '2026-11-16T09:04:03.558Z');
INSERT INTO public.environments VALUES (1, '01a1e399-4cc4-7000-9290-d0a4eb369ce1', '["local"]', 1, NULL, NULL, NULL, '{"id":"01a1e399-4cc4-7000-9290-d0a4eb369ce1","name":"local","description":"Created at the first start","protected":false,"platform":"embedded","gitProvider":null,"gitRepository":null,"targetGitBranch":null,"secretScope":null,"dataPlatformClientIdKey":null,"dataPlatformClientSecretKey":null,"configuration":{},"isActive":true,"createdAt":"2026-11-16T09:03:57.107Z","updatedAt":"2026-11-16T09:03:57.107Z","createdBy":"lakehelm","updatedBy":null}', NULL, 'local', 'active', '2026-11-16T09:03:57.107Z', 'lakehelm', 'local
created at the first start', '2026-11-16T09:03:57.107Z');
INSERT INTO public.environments VALUES (2, '01a1e399-5064-7000-a7d8-fb92a22f2f81', '["prod"]', 1, NULL, NULL, NULL, '{"id":"01a1e399-5064-7000-a7d8-fb92a22f2f81","name":"prod","description":null,"protected":false,"platform":"embedded","gitProvider":null,"gitRepository":null,"targetGitBranch":null,"secretScope":null,"dataPlatformClientIdKey":null,"dataPlatformClientSecretKey":null,"configuration":{"timezone":"Europe/Berlin"},"isActive":true,"createdAt":"2026-11-16T09:03:58.050Z","updatedAt":"2026-11-16T09:03:58.050Z","createdBy":"internal-service","updatedBy":null}', NULL, 'prod', 'active', '2026-11-16T09:03:58.050Z', 'internal-service', 'prod', '2026-11-16T09:03:58.050Z');
INSERT INTO public.event_head VALUES (1, 43, 'IP-5p2YKiSWWgzgCJrRTqvRhspnmqCVKnTYaWV3sQ48', '0NDkBZcYc8du03zj8ZW6TszcbHmojc_CEU7V7t0X3Eg');
INSERT INTO public.event_start VALUES (1, 0, '', '', '');
INSERT INTO public.events VALUES (1, '01a1e399-4cc5-7000-8146-8cca117275e2', 'environment.created', 'environment/01a1e399-4cc4-7000-9290-d0a4eb369ce1', '{"id":"01a1e399-4cc5-7000-8146-8cca117275e2","time":"2026-11-16T09:03:57.107Z","actor":"lakehelm","request_id":null,"kind":"environment.created","subject":"environment/01a1e399-4cc4-7000-9290-d0a4eb369ce1","data":{"name":"local","platform":"embedded"}}', '_wKHoG4tDNSlIaNjzaQ8ZTUbNe0bcP-dMkmh24KUciU');
INSERT INTO public.events VALUES (2, '01a1e399-5077-7000-a2f7-4f249d03cb83', 'environment.created', 'environment/01a1e399-5064-7000-a7d8-fb92a22f2f81', '{"id":"01a1e399-5077-7000-a2f7-4f249d03cb83","time":"2026-11-16T09:03:58.050Z","actor":"internal-service","request_id":"01a1e399-5034-7000-8119-7bad0e44bb49","kind":"environment.created","subject":"environment/01a1e399-5064-7000-a7d8-fb92a22f2f81","data":{"name":"prod","platform":"embedded"}}', 'hpOAYj1Vh6jKEgruYxMpMFu7xIaKamqFNAfVXWo34GA');
INSERT INTO public.events VALUES (3, '01a1e399-56f2-7000-862f-41590f2c1f95', 'user.created', 'user/01a1e399-50ab-7000-90cf-c1aa49880e7e', '{"id":"01a1e399-56f2-7000-862f-41590f2c1f95","time":"2026-11-16T09:03:58.103Z","actor":"internal-service","request_id":"01a1e399-5096-7000-a5a0-db714b7ca876","kind":"user.created","subject":"user/01a1e399-50ab-7000-90cf-c1aa49880e7e","data":{"id":"01a1e399-50ab-7000-90cf-c1aa49880e7e","username":"ada@example.test","role":"operator","active":true,"created_at":"2026-11-16T09:03:58.103Z","updated_at":"2026-11-16T09:03:58.103Z","created_by":"internal-service"}}', 'h2CT-xmEvmiwhRmC1KDDZZW-Q6cfeFFEWZZMQ0RGD5c');
INSERT INTO public.events VALUES (4, '01a1e399-5739-7001-9c7e-80c847c29b8d', 'token.created', 'token/01a1e399-5739-7000-9e03-d59df7013610', '{"id":"01a1e399-5739-7001-9c7e-80c847c29b8d","time":"2026-11-16T09:03:59.772Z","actor":"internal-service","request_id":"01a1e399-571b-7000-a3f6-13ec0f98f1e1","kind":"token.created","subject":"token/01a1e399-5739-7000-9e03-d59df7013610","data":{"id":"01a1e399-5739-7000-9e03-d59df7013610","username":"ada@example.test","comment":"fixture","created_at":"2026-11-16T09:03:59.772Z","expires_at":null,"created_by":"internal-service"}}', 'EgG3_EqecYy6vwblqRX4kBYmSegXgaO7PNo0zjveX00');
INSERT INTO public.events VALUES (5, '01a1e399-57b1-7000-84ab-1aa641e66290', 'secret.stored', 'secret/01a1e399-5064-7000-a7d8-fb92a22f2f81/shop/api-key', '{"id":"01a1e399-57b1-7000-84ab-1aa641e66290","time":"2026-11-16T09:03:59.882Z","actor":"internal-service","request_id":"01a1e399-577c-7000-993e-635d24d511b2","kind":"secret.stored","subject":"secret/01a1e399-5064-7000-a7d8-fb92a22f2f81/shop/api-key","data":{"environment_id":"01a1e399-5064-7000-a7d8-fb92a22f2f81","scope":"shop","key":"api-key"}}', 'fXbq5R_GOBwWWD8pAMBK-IhjOcxDSQHywpnd08_iKZ4');
INSERT INTO public.events VALUES (6, '01a1e399-582c-7000-8d0b-0aa6c2c30ee2', 'connector.created', 'connector/01a1e399-57f4-7000-958d-7a1b83f6749d', '{"id":"01a1e399-582c-7000-8d0b-0aa6c2c30ee2","time":"2026-11-16T09:03:59.988Z","actor":"internal-service","request_id":"01a1e399-57e5-7000-b570-63134ff13559","kind":"connector.created","subject":"connector/01a1e399-57f4-7000-958d-7a1b83f6749d","data":{"name":"inline","environment_id":"01a1e399-5064-7000-a7d8-fb92a22f2f81","target_type":"warehouse","status":"active"}}', 'rgEKt9GIsT5RPS3n01LqQc3qcblxdC3CgLmaWuVSZJM');
INSERT INTO public.events VALUES (7, '01a1e399-586c-7001-b506-6ff60dfe579c', 'connector.created', 'connector/01a1e399-5863-7000-afc9-5076e0a7fe78', '{"id":"01a1e399-586c-7001-b506-6ff60dfe579c","time":"2026-11-16T09:04:00.099Z","actor":"internal-service","request_id":"01a1e399-5855-7000-82fe-22a7b2f131a9","kind":"connector.created","subject":"connector/01a1e399-5863-7000-afc9-5076e0a7fe78","data":{"name":"referring","environment_id":"01a1e399-5064-7000-a7d8-fb92a22f2f81","target_type":"warehouse","status":"active"}}', 'k5mR3hyGZ5Zyxwdz4Q8WzagYcfYyxxGfQ9DzewAQD2o');
INSERT INTO public.events VALUES (8, '01a1e399-58b4-7000-91b4-49f740c4f2fa', 'connector.created', 'connector/01a1e399-58b0-7000-91f0-59b5c86f9c58', '{"id":"01a1e399-58b4-7000-91b4-49f740c4f2fa","time":"2026-11-16T09:04:00.176Z","actor":"internal-service","request_id":"01a1e399-589c-7000-8997-d363a7ab8185","kind":"connector.created","subject":"connector/01a1e399-58b0-7000-91f0-59b5c86f9c58","data":{"name":"paused","environment_id":"01a1e399-5064-7000-a7d8-fb92a22f2f81","target_type":"warehouse","status":"active"}}', 'oM9W3ALcRVMHr_AKbZREa3gCYwhiwOAdT1ivIfvZ2eU');
INSERT INTO public.events VALUES (9, '01a1e399-58d9-7001-b860-6c7cdba2f113', 'connector.paused', 'connector/01a1e399-58b0-7000-91f0-59b5c86f9c58', '{"id":"01a1e399-58d9-7001-b860-6c7cdba2f113","time":"2026-11-16T09:04:00.214Z","actor":"internal-service","request_id":"01a1e399-58d5-7000-a662-3a12b4a86c5a","kind":"connector.paused","subject":"connector/01a1e399-58b0-7000-91f0-59b5c86f9c58","data":{"name":"paused","reason":"holiday","until":null}}', 'Mffr-DBurUogCKgo6cYAyA_iGHMuKekWy5f8002hYoU');
INSERT INTO public.events VALUES (10, '01a1e399-591c-7000-8cfc-44ec0196c2da', 'connector.updated', 'connector/01a1e399-57f4-7000-958d-7a1b83f6749d', '{"id":"01a1e399-591c-7000-8cfc-44ec0196c2da","time":"2026-11-16T09:04:00.253Z","actor":"internal-service","request_id":"01a1e399-58fc-7000-847a-25f90daf4cf5","kind":"connector.updated","subject":"connector/01a1e399-57f4-7000-958d-7a1b83f6749d","data":{"name":"inline","fields":["git_branch"]}}', 'aHctkFsOAe_iRB6hJ6UW0YD_YiQZse6TLDu6g4XOOBo');
INSERT INTO public.events VALUES (11, '01a1e399-597d-7000-accf-67c90406a709', 'automation.created', 'automation/01a1e399-597c-7000-a9c3-4e734f9cc75d', '{"id":"01a1e399-597d-7000-accf-67c90406a709","time":"2026-11-16T09:04:00.305Z","actor":"internal-service","request_id":"01a1e399-592f-7000-adb0-e0c350eae925","kind":"automation.created","subject":"automation/01a1e399-597c-7000-a9c3-4e734f9cc75d","data":{"alias":"released","design_content_hash":"sha256:ea7b3ffc44dfd1251c5d344c3f0775ccbff0a906d99c3036d49182d03ec7834c"}}', 'ywz12JW1CT4Blpf_XA5SUb4b3hy_gQs02WAMYlD-QTI');
INSERT INTO public.events VALUES (12, '01a1e399-59f2-7000-8e67-c3ff4ee608aa', 'deployment.recorded', 'deployment/01a1e399-59f0-7001-841c-9c23406cbc1c', '{"id":"01a1e399-59f2-7000-8e67-c3ff4ee608aa","time":"2026-11-16T09:04:00.431Z","actor":"internal-service","request_id":"01a1e399-59af-7000-b94b-29d8e814409b","kind":"deployment.recorded","subject":"deployment/01a1e399-59f0-7001-841c-9c23406cbc1c","data":{"deployment_name":"released 1.0.0","environment_id":"01a1e399-5064-7000-a7d8-fb92a22f2f81","status":"succeeded"}}', 'dx-VefxyKN1YJk09vLhVvkYziD7pRRo-0G4H5R3GLaQ');
INSERT INTO public.events VALUES (13, '01a1e399-59f2-7001-b33f-54d73187c064', 'automation.release_activated', 'automation/01a1e399-597c-7000-a9c3-4e734f9cc75d', '{"id":"01a1e399-59f2-7001-b33f-54d73187c064","time":"2026-11-16T09:04:00.431Z","actor":"internal-service","request_id":"01a1e399-59af-7000-b94b-29d8e814409b","kind":"automation.release_activated","subject":"automation/01a1e399-597c-7000-a9c3-4e734f9cc75d","data":{"release_id":"01a1e399-59e8-7000-8a86-a4266bc7057e","environment_id":"01a1e399-5064-7000-a7d8-fb92a22f2f81","version":"1.0.0","replaced":null}}', 'mnKQDOG8qxbXiF1wkOyXxs2RgtYhgyxMqukCEskwMe8');
INSERT INTO public.events VALUES (14, '01a1e399-5a68-7000-ad69-8f5a6e8ae1f9', 'environment.reconciled', 'environment/01a1e399-5064-7000-a7d8-fb92a22f2f81', '{"id":"01a1e399-5a68-7000-ad69-8f5a6e8ae1f9","time":"2026-11-16T09:04:00.431Z","actor":"internal-service","request_id":"01a1e399-59af-7000-b94b-29d8e814409b","kind":"environment.reconciled","subject":"environment/01a1e399-5064-7000-a7d8-fb92a22f2f81","data":{}}', 'wr8z-h079eONdae6Za8ZEq7QFav25VE6SCGh8ZqZr2Y');
INSERT INTO public.events VALUES (30, '01a1e399-5cc4-7000-a4ab-bb47b43eaf34', 'agent.version_created', 'agent/01a1e399-5c32-7001-aefc-8749aacf6b9f', '{"id":"01a1e399-5cc4-7000-a4ab-bb47b43eaf34","time":"2026-11-16T09:04:01.212Z","actor":"internal-service","request_id":"01a1e399-5cbb-7000-916c-f96087261a3b","kind":"agent.version_created","subject":"agent/01a1e399-5c32-7001-aefc-8749aacf6b9f","data":{"name":"desk","version":"1.0.0"}}', '6x40ylhR3DJeNP4JnN_wYssMsp_EinkTkaVqnSveVV4');
INSERT INTO public.events VALUES (15, '01a1e399-5a9c-7000-904f-17eb0e9a4529', 'automation.created', 'automation/01a1e399-5a9b-7000-b330-152d51a60d27', '{"id":"01a1e399-5a9c-7000-904f-17eb0e9a4529","time":"2026-11-16T09:04:00.658Z","actor":"internal-service","request_id":"01a1e399-5a92-7000-bc72-d089d0be94ea","kind":"automation.created","subject":"automation/01a1e399-5a9b-7000-b330-152d51a60d27","data":{"alias":"released-paused","design_content_hash":"sha256:1f88e993b0d419939f5da07e75c73a77dc5e50158f09e90547255a849fb89168"}}', 'holXOiA7hCoQ0IZ_a1YyeTe51OsmICP4rRpQ2sPxyoY');
INSERT INTO public.events VALUES (16, '01a1e399-5ac6-7003-9ecf-2ec0d3aec538', 'deployment.recorded', 'deployment/01a1e399-5ac6-7001-a4ff-9c7e2f36d3b9', '{"id":"01a1e399-5ac6-7003-9ecf-2ec0d3aec538","time":"2026-11-16T09:04:00.696Z","actor":"internal-service","request_id":"01a1e399-5ab7-7000-83ca-bfff5cdae602","kind":"deployment.recorded","subject":"deployment/01a1e399-5ac6-7001-a4ff-9c7e2f36d3b9","data":{"deployment_name":"released-paused 1.0.0","environment_id":"01a1e399-5064-7000-a7d8-fb92a22f2f81","status":"succeeded"}}', '2-xFdCyeszc6arkF55n_bQlo2mYrVYSiN2Pr8xqdKBA');
INSERT INTO public.events VALUES (17, '01a1e399-5ac6-7004-88ca-9248bfe02525', 'automation.release_activated', 'automation/01a1e399-5a9b-7000-b330-152d51a60d27', '{"id":"01a1e399-5ac6-7004-88ca-9248bfe02525","time":"2026-11-16T09:04:00.696Z","actor":"internal-service","request_id":"01a1e399-5ab7-7000-83ca-bfff5cdae602","kind":"automation.release_activated","subject":"automation/01a1e399-5a9b-7000-b330-152d51a60d27","data":{"release_id":"01a1e399-5abe-7000-8f0e-7ae2bf747bc8","environment_id":"01a1e399-5064-7000-a7d8-fb92a22f2f81","version":"1.0.0","replaced":null}}', 'OpuwSH9s6lAoMv1Jfsf77VGPd5MJwjmi5PbMnuUgnMo');
INSERT INTO public.events VALUES (18, '01a1e399-5aef-7000-bf35-3b3e0c1d9393', 'environment.reconciled', 'environment/01a1e399-5064-7000-a7d8-fb92a22f2f81', '{"id":"01a1e399-5aef-7000-bf35-3b3e0c1d9393","time":"2026-11-16T09:04:00.696Z","actor":"internal-service","request_id":"01a1e399-5ab7-7000-83ca-bfff5cdae602","kind":"environment.reconciled","subject":"environment/01a1e399-5064-7000-a7d8-fb92a22f2f81","data":{}}', 'XqGtasg17ydWqb-5l1nRT4IRUDawriHIt5NQ6Z-xAqI');
INSERT INTO public.events VALUES (19, '01a1e399-5b05-7001-902a-e868342726b9', 'automation.created', 'automation/01a1e399-5b05-7000-9c64-2514a2eedb7f', '{"id":"01a1e399-5b05-7001-902a-e868342726b9","time":"2026-11-16T09:04:00.765Z","actor":"internal-service","request_id":"01a1e399-5afd-7000-acb7-03722c80e342","kind":"automation.created","subject":"automation/01a1e399-5b05-7000-9c64-2514a2eedb7f","data":{"alias":"released-changed","design_content_hash":"sha256:319a2f13af74bebf9ebbe8644121b3b2cd426a6f6a393eaed243fa85fe34ea62"}}', 'iyyHfF17ZLWdwmfpzpl-Vy2MR1awasvGyaCV0LgWi54');
INSERT INTO public.events VALUES (20, '01a1e399-5b10-7000-8aa4-65ea79dc726b', 'deployment.recorded', 'deployment/01a1e399-5b0f-7002-91db-d57a9d40194d', '{"id":"01a1e399-5b10-7000-8aa4-65ea79dc726b","time":"2026-11-16T09:04:00.780Z","actor":"internal-service","request_id":"01a1e399-5b0c-7000-8357-eb537c2b97e1","kind":"deployment.recorded","subject":"deployment/01a1e399-5b0f-7002-91db-d57a9d40194d","data":{"deployment_name":"released-changed 1.0.0","environment_id":"01a1e399-5064-7000-a7d8-fb92a22f2f81","status":"succeeded"}}', '3Kyeot53_kuHuJaJRLST6xpwBCElDYuQ2A8DjDvIB_A');
INSERT INTO public.events VALUES (21, '01a1e399-5b10-7001-9151-c52f3730f9dd', 'automation.release_activated', 'automation/01a1e399-5b05-7000-9c64-2514a2eedb7f', '{"id":"01a1e399-5b10-7001-9151-c52f3730f9dd","time":"2026-11-16T09:04:00.780Z","actor":"internal-service","request_id":"01a1e399-5b0c-7000-8357-eb537c2b97e1","kind":"automation.release_activated","subject":"automation/01a1e399-5b05-7000-9c64-2514a2eedb7f","data":{"release_id":"01a1e399-5b0f-7000-9d6f-5f96a27ca982","environment_id":"01a1e399-5064-7000-a7d8-fb92a22f2f81","version":"1.0.0","replaced":null}}', 'C4dcQ2MPq9B7Dap-KvnTZKEABmNXFWnoSFMGJlEgdpo');
INSERT INTO public.events VALUES (22, '01a1e399-5b23-7000-baed-ad283d20fcd8', 'environment.reconciled', 'environment/01a1e399-5064-7000-a7d8-fb92a22f2f81', '{"id":"01a1e399-5b23-7000-baed-ad283d20fcd8","time":"2026-11-16T09:04:00.780Z","actor":"internal-service","request_id":"01a1e399-5b0c-7000-8357-eb537c2b97e1","kind":"environment.reconciled","subject":"environment/01a1e399-5064-7000-a7d8-fb92a22f2f81","data":{}}', 'Ts0B9HujOHGOeFX7m47y-ougRqykRAeIHzbLHL3zLHM');
INSERT INTO public.events VALUES (23, '01a1e399-5b38-7001-9a7b-adf4b72f3f49', 'automation.schedule_paused', 'automation/01a1e399-5a9b-7000-b330-152d51a60d27', '{"id":"01a1e399-5b38-7001-9a7b-adf4b72f3f49","time":"2026-11-16T09:04:00.811Z","actor":"internal-service","request_id":"01a1e399-5b2b-7000-82de-249393c7ffbd","kind":"automation.schedule_paused","subject":"automation/01a1e399-5a9b-7000-b330-152d51a60d27","data":{"release_id":"01a1e399-5abe-7000-8f0e-7ae2bf747bc8","environment_id":"01a1e399-5064-7000-a7d8-fb92a22f2f81","version":"1.0.0","reason":"holiday","until":null}}', 'y1P027xy3lPwK3WU0mMd5xuh4yraY5hGSbec1DJ7yMo');
INSERT INTO public.events VALUES (24, '01a1e399-5b69-7000-bf6d-06eb3d304a14', 'automation.definition_set', 'automation/01a1e399-5b05-7000-9c64-2514a2eedb7f', '{"id":"01a1e399-5b69-7000-bf6d-06eb3d304a14","time":"2026-11-16T09:04:00.853Z","actor":"internal-service","request_id":"01a1e399-5b55-7000-8ac9-c5049fc3dfda","kind":"automation.definition_set","subject":"automation/01a1e399-5b05-7000-9c64-2514a2eedb7f","data":{"alias":"released-changed","design_content_hash":"sha256:b57496dd08d59e844d5c61a8310bab92d85bcfdc3874f6e6b1d1c79397bf0d4a"}}', 'QaRo2QSmlM-X1_xc-SnwXYTScuEIK-gQ7VRu6Wn8ZXE');
INSERT INTO public.events VALUES (25, '01a1e399-5ba1-7000-93f1-be25af751a5d', 'file.written', 'file/01a1e399-5064-7000-a7d8-fb92a22f2f81/pipelines/numbers.sql', '{"id":"01a1e399-5ba1-7000-93f1-be25af751a5d","time":"2026-11-16T09:04:00.907Z","actor":"internal-service","request_id":"01a1e399-5b83-7000-8102-84801561b0f2","kind":"file.written","subject":"file/01a1e399-5064-7000-a7d8-fb92a22f2f81/pipelines/numbers.sql","data":{"environment_id":"01a1e399-5064-7000-a7d8-fb92a22f2f81","path":"pipelines/numbers.sql","size":51,"sha256":"b0bf44b639804f1839a1927e097d46337d4fc58b70b6448f3bb019cef234fa17"}}', '0nPzsQcplcxMtOcor0wGR9wCiRkNHzeRTeEv7o7BdOo');
INSERT INTO public.events VALUES (26, '01a1e399-5beb-7000-ba68-0d67068d8e74', 'pipeline.created', 'pipeline/01a1e399-5be8-7000-800f-8de8d5f49036', '{"id":"01a1e399-5beb-7000-ba68-0d67068d8e74","time":"2026-11-16T09:04:00.999Z","actor":"internal-service","request_id":"01a1e399-5bdb-7000-892b-0a797ffbf294","kind":"pipeline.created","subject":"pipeline/01a1e399-5be8-7000-800f-8de8d5f49036","data":{"name":"numbers","environment_id":"01a1e399-5064-7000-a7d8-fb92a22f2f81"}}', 'too9nTfeY3qVl5zoYN2Uc2ExQmAUPUaSQSIuB1FDH-s');
INSERT INTO public.events VALUES (27, '01a1e399-5c45-7000-a3bb-88c9c65cbe29', 'agent.created', 'agent/01a1e399-5c32-7001-aefc-8749aacf6b9f', '{"id":"01a1e399-5c45-7000-a3bb-88c9c65cbe29","time":"2026-11-16T09:04:01.074Z","actor":"internal-service","request_id":"01a1e399-5c32-7000-bca6-27c9d8cb4b73","kind":"agent.created","subject":"agent/01a1e399-5c32-7001-aefc-8749aacf6b9f","data":{"name":"desk","aliases":["orders-bot"]}}', 'vk-Rtm6Q8kATTFOV7K0BIzAhLCun-Ku8FOSPjYfYQ7o');
INSERT INTO public.events VALUES (28, '01a1e399-5c72-7000-b91d-a2af6d941f15', 'file.written', 'file/01a1e399-5064-7000-a7d8-fb92a22f2f81/tiny/app.yaml', '{"id":"01a1e399-5c72-7000-b91d-a2af6d941f15","time":"2026-11-16T09:04:01.127Z","actor":"internal-service","request_id":"01a1e399-5c61-7000-953b-c99bc0195a13","kind":"file.written","subject":"file/01a1e399-5064-7000-a7d8-fb92a22f2f81/tiny/app.yaml","data":{"environment_id":"01a1e399-5064-7000-a7d8-fb92a22f2f81","path":"tiny/app.yaml","size":25,"sha256":"161d49cab793e4e16c959370ac0ef0283a37471131f8f1ce0f6cbd77067c181a"}}', 'DYBb9vsjoNBLES76zcDjbto-PKFG5jiEkB3nW3SSJnQ');
INSERT INTO public.events VALUES (29, '01a1e399-5ca0-7000-9c6c-a8c2acb86912', 'file.written', 'file/01a1e399-5064-7000-a7d8-fb92a22f2f81/tiny/app.mjs', '{"id":"01a1e399-5ca0-7000-9c6c-a8c2acb86912","time":"2026-11-16T09:04:01.180Z","actor":"internal-service","request_id":"01a1e399-5c9a-7000-b504-bc785b1ef4c9","kind":"file.written","subject":"file/01a1e399-5064-7000-a7d8-fb92a22f2f81/tiny/app.mjs","data":{"environment_id":"01a1e399-5064-7000-a7d8-fb92a22f2f81","path":"tiny/app.mjs","size":154,"sha256":"42a29daadf6a0e247952089c44decb92d0f16169dfeeb9aa0956ff02f5cd7d93"}}', 'yqg33oFfYGLrAl6oIVadZuR95f0VZyEdxUNBQfa9lNw');
INSERT INTO public.events VALUES (31, '01a1e399-5cc4-7001-9daa-345aa9031cc3', 'agent.release_activated', 'agent/01a1e399-5c32-7001-aefc-8749aacf6b9f', '{"id":"01a1e399-5cc4-7001-9daa-345aa9031cc3","time":"2026-11-16T09:04:01.212Z","actor":"internal-service","request_id":"01a1e399-5cbb-7000-916c-f96087261a3b","kind":"agent.release_activated","subject":"agent/01a1e399-5c32-7001-aefc-8749aacf6b9f","data":{"name":"desk","environment_id":"01a1e399-5064-7000-a7d8-fb92a22f2f81","version":"1.0.0"}}', 'HzB0SL7BdQZEEZMaGsIjURAH2qN7k9hDMeMiP5b6H9Q');
INSERT INTO public.events VALUES (32, '01a1e399-5cf0-7000-a1a6-ac1eb3e1ccb0', 'environment.reconciled', 'environment/01a1e399-5064-7000-a7d8-fb92a22f2f81', '{"id":"01a1e399-5cf0-7000-a1a6-ac1eb3e1ccb0","time":"2026-11-16T09:04:01.212Z","actor":"internal-service","request_id":"01a1e399-5cbb-7000-916c-f96087261a3b","kind":"environment.reconciled","subject":"environment/01a1e399-5064-7000-a7d8-fb92a22f2f81","data":{}}', 'O8w5VFMQKgGWyf5C2YnBcEzLaOzxcga9amp_WRTnPJ4');
INSERT INTO public.events VALUES (34, '01a1e399-5d8b-7000-b1aa-816c2acb651c', 'agent.component_started', 'agent/01a1e399-5c32-7001-aefc-8749aacf6b9f', '{"id":"01a1e399-5d8b-7000-b1aa-816c2acb651c","time":"2026-11-16T09:04:01.386Z","actor":"internal-service","request_id":"01a1e399-5d69-7000-9aab-37867e21a520","kind":"agent.component_started","subject":"agent/01a1e399-5c32-7001-aefc-8749aacf6b9f","data":{"name":"desk","environment_id":"01a1e399-5064-7000-a7d8-fb92a22f2f81","component":"agent_endpoint","version":"1.0.0"}}', 'Saisl-hEPYqxMSM9C5jEEMNtqkJ34vjNWcodXYjIOUI');
INSERT INTO public.events VALUES (33, '01a1e399-5d21-7000-ba84-3f5a567e0ef8', 'app.created', 'app/01a1e399-5d10-7000-a023-ec4977dd7e69', '{"id":"01a1e399-5d21-7000-ba84-3f5a567e0ef8","time":"2026-11-16T09:04:01.296Z","actor":"internal-service","request_id":"01a1e399-5d0e-7000-b5f8-a419f7f7c1d2","kind":"app.created","subject":"app/01a1e399-5d10-7000-a023-ec4977dd7e69","data":{"name":"desk-ui","environment_id":"01a1e399-5064-7000-a7d8-fb92a22f2f81","agent_id":"01a1e399-5c32-7001-aefc-8749aacf6b9f"}}', '3QUbEMERjiFLq-GWKZ1YfoZ8Rpz7ZrKFKbi58WdSISA');
INSERT INTO public.events VALUES (35, '01a1e399-610a-7000-ab83-d66ccdc07c8b', 'agent.component_settled', 'agent/01a1e399-5c32-7001-aefc-8749aacf6b9f', '{"id":"01a1e399-610a-7000-ab83-d66ccdc07c8b","time":"2026-11-16T09:04:02.310Z","actor":"platform","request_id":null,"kind":"agent.component_settled","subject":"agent/01a1e399-5c32-7001-aefc-8749aacf6b9f","data":{"environment_id":"01a1e399-5064-7000-a7d8-fb92a22f2f81","component":"agent_endpoint","observed_state":"running","message":null}}', 'W5C6FjEb_lwBYUoLlvhsD1NpqbnVC7tgXk8IZ5wFuM4');
INSERT INTO public.events VALUES (36, '01a1e399-6152-7000-9203-6c7ca5b63df1', 'app.started', 'app/01a1e399-5d10-7000-a023-ec4977dd7e69', '{"id":"01a1e399-6152-7000-9203-6c7ca5b63df1","time":"2026-11-16T09:04:01.386Z","actor":"internal-service","request_id":"01a1e399-5d69-7000-9aab-37867e21a520","kind":"app.started","subject":"app/01a1e399-5d10-7000-a023-ec4977dd7e69","data":{"name":"desk-ui","environment_id":"01a1e399-5064-7000-a7d8-fb92a22f2f81","observed_state":"pending"}}', '-yMQvoiMEUpjmX4bywy3auMHV92GI-pYlkFhlOk5XOQ');
INSERT INTO public.events VALUES (37, '01a1e399-6152-7001-bf82-9264ad8c810c', 'agent.ui_app_followed', 'agent/01a1e399-5c32-7001-aefc-8749aacf6b9f', '{"id":"01a1e399-6152-7001-bf82-9264ad8c810c","time":"2026-11-16T09:04:01.386Z","actor":"internal-service","request_id":"01a1e399-5d69-7000-9aab-37867e21a520","kind":"agent.ui_app_followed","subject":"agent/01a1e399-5c32-7001-aefc-8749aacf6b9f","data":{"name":"desk","environment_id":"01a1e399-5064-7000-a7d8-fb92a22f2f81","desired_state":"running","observed_state":"pending"}}', 'snB3eH1gepPOKURYv8StCwt-xRR0t6hC_jx9kMuHspg');
INSERT INTO public.events VALUES (38, '01a1e399-65b1-7000-9c08-2f071476a3c3', 'app.settled', 'app/01a1e399-5d10-7000-a023-ec4977dd7e69', '{"id":"01a1e399-65b1-7000-9c08-2f071476a3c3","time":"2026-11-16T09:04:03.472Z","actor":"platform","request_id":null,"kind":"app.settled","subject":"app/01a1e399-5d10-7000-a023-ec4977dd7e69","data":{"name":"desk-ui","observed_state":"running","message":null}}', 'k-X7MpEiAizhX6KLJzKn3jpaxpk2g9nxK_5rl__wIL8');
INSERT INTO public.events VALUES (39, '01a1e399-65b1-7001-9745-9e409fabaf6b', 'agent.ui_app_followed', 'agent/01a1e399-5c32-7001-aefc-8749aacf6b9f', '{"id":"01a1e399-65b1-7001-9745-9e409fabaf6b","time":"2026-11-16T09:04:03.472Z","actor":"platform","request_id":null,"kind":"agent.ui_app_followed","subject":"agent/01a1e399-5c32-7001-aefc-8749aacf6b9f","data":{"name":"desk","environment_id":"01a1e399-5064-7000-a7d8-fb92a22f2f81","desired_state":"running","observed_state":"running"}}', 'n5wWUqzKmaX0U3CHqpJM6NXDc7du5e7l9YvBfh9SEQg');
INSERT INTO public.events VALUES (40, '01a1e399-65e6-7001-833f-cc6b8ac42782', 'deployment.created', 'deployment/01a1e399-65e6-7000-b420-5c91b33446d8', '{"id":"01a1e399-65e6-7001-833f-cc6b8ac42782","time":"2026-11-16T09:04:03.558Z","actor":"internal-service","request_id":"01a1e399-65dc-7000-824b-b0b181637692","kind":"deployment.created","subject":"deployment/01a1e399-65e6-7000-b420-5c91b33446d8","data":{"deployment_name":"orders 1.0.0","environment_id":"01a1e399-5064-7000-a7d8-fb92a22f2f81","status":"pending"}}', 'hqDsXC0qHF5VN18oEqbR6OYHZbnn1UDPl8KGlS5ipxk');
INSERT INTO public.events VALUES (41, '01a1e399-660a-7000-872c-31df36b91dc4', 'deployment.logged', 'deployment/01a1e399-65e6-7000-b420-5c91b33446d8', '{"id":"01a1e399-660a-7000-872c-31df36b91dc4","time":"2026-11-16T09:04:03.586Z","actor":"internal-service","request_id":"01a1e399-6601-7000-9a3d-853590448ac0","kind":"deployment.logged","subject":"deployment/01a1e399-65e6-7000-b420-5c91b33446d8","data":{"characters":10}}', 'S_k9stCwnFtD0hk1IURELFN-kHys5rvI9SNRRRqb430');
INSERT INTO public.events VALUES (42, '01a1e399-6633-7001-a599-f1d72661ce55', 'deployment.finished', 'deployment/01a1e399-65e6-7000-b420-5c91b33446d8', '{"id":"01a1e399-6633-7001-a599-f1d72661ce55","time":"2026-11-16T09:04:03.629Z","actor":"internal-service","request_id":"01a1e399-662c-7000-a2e0-49bd46fc7ba2","kind":"deployment.finished","subject":"deployment/01a1e399-65e6-7000-b420-5c91b33446d8","data":{"deployment_name":"orders 1.0.0","environment_id":"01a1e399-5064-7000-a7d8-fb92a22f2f81","status":"succeeded"}}', 'yydwDiK2bIW-7ZYuzkJfctd_rEDA4KP3tzv-Tu40Ve0');
INSERT INTO public.events VALUES (43, '01a1e399-6672-7000-919d-8f177357bb65', 'environment.reconciled', 'environment/01a1e399-5064-7000-a7d8-fb92a22f2f81', '{"id":"01a1e399-6672-7000-919d-8f177357bb65","time":"2026-11-16T09:04:03.629Z","actor":"internal-service","request_id":"01a1e399-662c-7000-a2e0-49bd46fc7ba2","kind":"environment.reconciled","subject":"environment/01a1e399-5064-7000-a7d8-fb92a22f2f81","data":{}}', 'IP-5p2YKiSWWgzgCJrRTqvRhspnmqCVKnTYaWV3sQ48');
INSERT INTO public.jobs VALUES ('connector-01a1e399-5863-7000-afc9-5076e0a7fe78', '01a1e399-5064-7000-a7d8-fb92a22f2f81', 'connector', 'connector/01a1e399-5863-7000-afc9-5076e0a7fe78', '"referring"', '{"trigger":{"kind":"cron","cron":"0 6 1 1 *","timezone":"Europe/Berlin"},"attempts":3,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T05:00:00.000Z', '2026-11-16T09:04:00.108Z', '2026-11-16T09:04:00.108Z', 1, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('connector-01a1e399-58b0-7000-91f0-59b5c86f9c58', '01a1e399-5064-7000-a7d8-fb92a22f2f81', 'connector', 'connector/01a1e399-58b0-7000-91f0-59b5c86f9c58', '"paused"', '{"trigger":{"kind":"cron","cron":"0 6 1 1 *","timezone":"Europe/Berlin"},"attempts":3,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', '{"by":"internal-service","at":"2026-11-16T09:04:00.214Z","reason":"holiday","until":null,"missed":0,"last_missed":null}', NULL, '{}', 0, NULL, '2027-01-01T05:00:00.000Z', '2026-11-16T09:04:00.179Z', '2026-11-16T09:04:00.179Z', 2, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('connector-01a1e399-57f4-7000-958d-7a1b83f6749d', '01a1e399-5064-7000-a7d8-fb92a22f2f81', 'connector', 'connector/01a1e399-57f4-7000-958d-7a1b83f6749d', '"inline"', '{"trigger":{"kind":"cron","cron":"0 6 1 1 *","timezone":"Europe/Berlin"},"attempts":3,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T05:00:00.000Z', '2026-11-16T09:04:00.012Z', '2026-11-16T09:04:00.283Z', 2, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('automation-01a1e399-597c-7000-a9c3-4e734f9cc75d-01a1e399-5064-7000-a7d8-fb92a22f2f81', '01a1e399-5064-7000-a7d8-fb92a22f2f81', 'automation', 'automation/01a1e399-597c-7000-a9c3-4e734f9cc75d', '"released"', '{"trigger":{"kind":"cron","cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"attempts":20,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T06:00:00.000Z', '2026-11-16T09:04:00.496Z', '2026-11-16T09:04:00.496Z', 1, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('automation-01a1e399-5b05-7000-9c64-2514a2eedb7f-01a1e399-5064-7000-a7d8-fb92a22f2f81', '01a1e399-5064-7000-a7d8-fb92a22f2f81', 'automation', 'automation/01a1e399-5b05-7000-9c64-2514a2eedb7f', '"released-changed"', '{"trigger":{"kind":"cron","cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"attempts":20,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T06:00:00.000Z', '2026-11-16T09:04:00.783Z', '2026-11-16T09:04:00.783Z', 1, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('automation-01a1e399-5a9b-7000-b330-152d51a60d27-01a1e399-5064-7000-a7d8-fb92a22f2f81', '01a1e399-5064-7000-a7d8-fb92a22f2f81', 'automation', 'automation/01a1e399-5a9b-7000-b330-152d51a60d27', '"released-paused"', '{"trigger":{"kind":"cron","cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"attempts":20,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', '{"by":"internal-service","at":"2026-11-16T09:04:00.811Z","reason":"holiday","until":null,"missed":0,"last_missed":null}', NULL, '{}', 0, NULL, '2027-01-01T06:00:00.000Z', '2026-11-16T09:04:00.710Z', '2026-11-16T09:04:00.710Z', 2, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('pipeline-01a1e399-5be8-7000-800f-8de8d5f49036', '01a1e399-5064-7000-a7d8-fb92a22f2f81', 'pipeline', 'pipeline/01a1e399-5be8-7000-800f-8de8d5f49036', '"numbers"', '{"trigger":{"kind":"manual"},"attempts":3,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'manual', NULL, NULL, '{}', 0, NULL, NULL, '2026-11-16T09:04:01.000Z', '2026-11-16T09:04:01.000Z', 1, '["lakehelm"]');
INSERT INTO public.keyring VALUES ('fingerprint', 'keOT3fxHz_I6EV7EkRe8KYS2yBFU5Xa5yqF8SRI7QW0');
INSERT INTO public.keyring VALUES ('jwt', 'ddvJEFPBxhcjz7FFpgGPmwx3ZQH+R7nhIYZq2z8xww1eB7eoNy5M+tOnI6VcZH67Zlz+oKwBWj/U743OaEjs0VfvdPkK8Gpt');
INSERT INTO public.keyring VALUES ('event anchor/01a1e399-48a2-7000-9386-baa0e9df3be6', 'written');
INSERT INTO public.keyring VALUES ('masking rules 2', '2026-11-16T09:03:56.874Z');
INSERT INTO public.keyring VALUES ('missing installations 1', '2026-11-16T09:03:57.259Z');
INSERT INTO public.keyring VALUES ('data folder', '01a1e399-48a2-7000-9386-baa0e9df3be6');
INSERT INTO public.overrides VALUES ('01a1e399-5064-7000-a7d8-fb92a22f2f81', '01a1e399-5a9b-7000-b330-152d51a60d27', '{"paused":true,"by":"internal-service","at":"2026-11-16T09:04:00.811Z","reason":"holiday","until":null}');
INSERT INTO public.pipelines VALUES (1, '01a1e399-5be8-7000-800f-8de8d5f49036', '["01a1e399-5064-7000-a7d8-fb92a22f2f81","numbers"]', 1, '01a1e399-5064-7000-a7d8-fb92a22f2f81', NULL, NULL, '{"pipeline_id":"01a1e399-5be8-7000-800f-8de8d5f49036","name":"numbers","libraries":[{"file":{"path":"pipelines/numbers.sql"}}],"configuration":{},"continuous":false,"development":false,"photon":false,"serverless":false,"channel":"CURRENT","edition":"ADVANCED","platform_managed":true,"environment_id":"01a1e399-5064-7000-a7d8-fb92a22f2f81","tags":{"platform.managed_by":"lakehelm","platform.environment":"prod","platform.pipeline":"numbers"},"platform_reference":"pipeline-01a1e399-5be8-7000-800f-8de8d5f49036","error_message":null,"created_at":"2026-11-16T09:04:00.999Z","updated_at":"2026-11-16T09:04:00.999Z","created_by":"internal-service","updated_by":null}', NULL, 'numbers', '', '2026-11-16T09:04:00.999Z', 'internal-service', 'numbers', '2026-11-16T09:04:00.999Z');
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
INSERT INTO public.processes VALUES ('agent/01a1e399-5c32-7001-aefc-8749aacf6b9f/01a1e399-5064-7000-a7d8-fb92a22f2f81', '01a1e399-5064-7000-a7d8-fb92a22f2f81', 'running', '{"deploy":"01a1e399-5d83-7000-b234-74a8a7f03310","name":"desk","sourcePath":"tiny","start":{"mark":"f1548b4ffb93ca36.f5bf948bc8182fe0da35510804f1df15","port":39829,"url":"http://127.0.0.1:35153","boot":"355cdeda-b6a0-47a4-908c-2e0ca1078aca","pid":5820,"began":"1406692"},"ends":[],"askedAt":"2026-11-16T09:04:01.386Z","sight":{"observed_state":"running","message":null}}', 4);
INSERT INTO public.processes VALUES ('app/01a1e399-5d10-7000-a023-ec4977dd7e69', '01a1e399-5064-7000-a7d8-fb92a22f2f81', 'running', '{"deploy":"01a1e399-612b-7000-abc5-9afb1c98008b","name":"desk-ui","sourcePath":"tiny","start":{"mark":"f1548b4ffb93ca36.1827765ba37de03a849a1233cad7f6a9","port":35167,"url":"http://127.0.0.1:35153","boot":"355cdeda-b6a0-47a4-908c-2e0ca1078aca","pid":5839,"began":"1406782"},"ends":[],"askedAt":"2026-11-16T09:04:01.386Z","sight":{"observed_state":"running","message":null}}', 4);
INSERT INTO public.release_designs VALUES ('01a1e399-59e8-7000-8a86-a4266bc7057e', '01a1e399-597c-7000-a9c3-4e734f9cc75d', '01a1e399-5064-7000-a7d8-fb92a22f2f81', '{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false}', NULL);
INSERT INTO public.release_designs VALUES ('01a1e399-5abe-7000-8f0e-7ae2bf747bc8', '01a1e399-5a9b-7000-b330-152d51a60d27', '01a1e399-5064-7000-a7d8-fb92a22f2f81', '{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false}', NULL);
INSERT INTO public.release_designs VALUES ('01a1e399-5b0f-7000-9d6f-5f96a27ca982', '01a1e399-5b05-7000-9c64-2514a2eedb7f', '01a1e399-5064-7000-a7d8-fb92a22f2f81', '{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false}', NULL);
INSERT INTO public.releases VALUES (1, '01a1e399-59e8-7000-8a86-a4266bc7057e', '["automation","01a1e399-597c-7000-a9c3-4e734f9cc75d","01a1e399-5064-7000-a7d8-fb92a22f2f81"]', 1, '01a1e399-5064-7000-a7d8-fb92a22f2f81', '01a1e399-597c-7000-a9c3-4e734f9cc75d', 'installed', '{"id":"01a1e399-59e8-7000-8a86-a4266bc7057e","artifact":"automation/released","environment_id":"01a1e399-5064-7000-a7d8-fb92a22f2f81","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:ea7b3ffc44dfd1251c5d344c3f0775ccbff0a906d99c3036d49182d03ec7834c","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1e399-597c-7000-a9c3-4e734f9cc75d-01a1e399-5064-7000-a7d8-fb92a22f2f81","activated_at":"2026-11-16T09:04:00.431Z","activated_by":"internal-service","deployment_id":"01a1e399-59f0-7001-841c-9c23406cbc1c"}', NULL, '1.0.0', '', '', 'internal-service', '1.0.0
main
3f9c1d2', '2026-11-16T09:04:00.431Z');
INSERT INTO public.releases VALUES (3, '01a1e399-5b0f-7000-9d6f-5f96a27ca982', '["automation","01a1e399-5b05-7000-9c64-2514a2eedb7f","01a1e399-5064-7000-a7d8-fb92a22f2f81"]', 1, '01a1e399-5064-7000-a7d8-fb92a22f2f81', '01a1e399-5b05-7000-9c64-2514a2eedb7f', 'installed', '{"id":"01a1e399-5b0f-7000-9d6f-5f96a27ca982","artifact":"automation/released-changed","environment_id":"01a1e399-5064-7000-a7d8-fb92a22f2f81","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:319a2f13af74bebf9ebbe8644121b3b2cd426a6f6a393eaed243fa85fe34ea62","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1e399-5b05-7000-9c64-2514a2eedb7f-01a1e399-5064-7000-a7d8-fb92a22f2f81","activated_at":"2026-11-16T09:04:00.780Z","activated_by":"internal-service","deployment_id":"01a1e399-5b0f-7002-91db-d57a9d40194d"}', NULL, '1.0.0', '', '', 'internal-service', '1.0.0
main
3f9c1d2', '2026-11-16T09:04:00.780Z');
INSERT INTO public.releases VALUES (2, '01a1e399-5abe-7000-8f0e-7ae2bf747bc8', '["automation","01a1e399-5a9b-7000-b330-152d51a60d27","01a1e399-5064-7000-a7d8-fb92a22f2f81"]', 2, '01a1e399-5064-7000-a7d8-fb92a22f2f81', '01a1e399-5a9b-7000-b330-152d51a60d27', 'installed', '{"id":"01a1e399-5abe-7000-8f0e-7ae2bf747bc8","artifact":"automation/released-paused","environment_id":"01a1e399-5064-7000-a7d8-fb92a22f2f81","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:1f88e993b0d419939f5da07e75c73a77dc5e50158f09e90547255a849fb89168","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1e399-5a9b-7000-b330-152d51a60d27-01a1e399-5064-7000-a7d8-fb92a22f2f81","activated_at":"2026-11-16T09:04:00.696Z","activated_by":"internal-service","deployment_id":"01a1e399-5ac6-7001-a4ff-9c7e2f36d3b9"}', NULL, '1.0.0', '', '', 'internal-service', '1.0.0
main
3f9c1d2', '2026-11-16T09:04:00.696Z');
INSERT INTO public.schema_version VALUES (14);
INSERT INTO public.secrets VALUES ('01a1e399-5064-7000-a7d8-fb92a22f2f81', 'shop', 'api-key', 'i5oPbYduY8LJyk1zTdr7fzLL3i5q9wDgLpA9xlnfOvIAupvIK1iw', '2026-11-16T09:03:59.882Z');
INSERT INTO public.summaries VALUES ('01a1e399-5064-7000-a7d8-fb92a22f2f81', '{"environment_id":"01a1e399-5064-7000-a7d8-fb92a22f2f81","latest_success":{"id":"01a1e399-65e6-7000-b420-5c91b33446d8","deployment_name":"orders 1.0.0","git_branch":"main","git_commit_sha":"","completed_at":"2026-11-16T09:04:03.629Z"},"current_releases":[{"artifact":"automation/released","version":"1.0.0","activated_at":"2026-11-16T09:04:00.431Z"},{"artifact":"automation/released-paused","version":"1.0.0","activated_at":"2026-11-16T09:04:00.696Z"},{"artifact":"automation/released-changed","version":"1.0.0","activated_at":"2026-11-16T09:04:00.780Z"},{"artifact":"agent/desk","version":"1.0.0","activated_at":"2026-11-16T09:04:01.212Z"}],"deployment_counts":{"succeeded":4},"failure_streak":0,"reconciled_at":"2026-11-16T09:04:03.629Z"}');
INSERT INTO public.tallies VALUES ('environments/all', 1000000, 0, 2);
INSERT INTO public.tallies VALUES ('environments/all', 10000, 0, 2);
INSERT INTO public.tallies VALUES ('environments/all', 100, 0, 2);
INSERT INTO public.tallies VALUES ('users/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('users/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('users/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1e399-50ab-7000-90cf-c1aa49880e7e', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1e399-50ab-7000-90cf-c1aa49880e7e', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1e399-50ab-7000-90cf-c1aa49880e7e', 100, 0, 1);
INSERT INTO public.tallies VALUES ('deployments/all', 1000000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/all', 10000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/all', 100, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1e399-5064-7000-a7d8-fb92a22f2f81', 1000000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1e399-5064-7000-a7d8-fb92a22f2f81', 10000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1e399-5064-7000-a7d8-fb92a22f2f81', 100, 0, 4);
INSERT INTO public.tallies VALUES ('connectors/all', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/all', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/all', 100, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/01a1e399-5064-7000-a7d8-fb92a22f2f81', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/01a1e399-5064-7000-a7d8-fb92a22f2f81', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/01a1e399-5064-7000-a7d8-fb92a22f2f81', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e399-597c-7000-a9c3-4e734f9cc75d', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e399-597c-7000-a9c3-4e734f9cc75d', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e399-597c-7000-a9c3-4e734f9cc75d', 100, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e399-5a9b-7000-b330-152d51a60d27', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e399-5a9b-7000-b330-152d51a60d27', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e399-5a9b-7000-b330-152d51a60d27', 100, 0, 1);
INSERT INTO public.tallies VALUES ('automations/all', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('automations/all', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('automations/all', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/all', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('releases/all', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('releases/all', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e399-5064-7000-a7d8-fb92a22f2f81', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e399-5064-7000-a7d8-fb92a22f2f81', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e399-5064-7000-a7d8-fb92a22f2f81', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e399-5b05-7000-9c64-2514a2eedb7f', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e399-5b05-7000-9c64-2514a2eedb7f', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e399-5b05-7000-9c64-2514a2eedb7f', 100, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1e399-5064-7000-a7d8-fb92a22f2f81', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1e399-5064-7000-a7d8-fb92a22f2f81', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1e399-5064-7000-a7d8-fb92a22f2f81', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agents/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('agents/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('agents/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1e399-5c32-7001-aefc-8749aacf6b9f', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1e399-5c32-7001-aefc-8749aacf6b9f', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1e399-5c32-7001-aefc-8749aacf6b9f', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e399-5064-7000-a7d8-fb92a22f2f81', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e399-5064-7000-a7d8-fb92a22f2f81', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e399-5064-7000-a7d8-fb92a22f2f81', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e399-5c32-7001-aefc-8749aacf6b9f', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e399-5c32-7001-aefc-8749aacf6b9f', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e399-5c32-7001-aefc-8749aacf6b9f', 100, 0, 1);
INSERT INTO public.tallies VALUES ('apps/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e399-5064-7000-a7d8-fb92a22f2f81', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e399-5064-7000-a7d8-fb92a22f2f81', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e399-5064-7000-a7d8-fb92a22f2f81', 100, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e399-5c32-7001-aefc-8749aacf6b9f', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e399-5c32-7001-aefc-8749aacf6b9f', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e399-5c32-7001-aefc-8749aacf6b9f', 100, 0, 1);
INSERT INTO public.tokens VALUES (1, '01a1e399-5739-7000-9e03-d59df7013610', '["THb5UoGWzrhCMB7qxWQ1QXRwrXIMwrj4oL0RkChtxDA"]', 1, NULL, '01a1e399-50ab-7000-90cf-c1aa49880e7e', NULL, '{"id":"01a1e399-5739-7000-9e03-d59df7013610","username":"ada@example.test","comment":"fixture","created_at":"2026-11-16T09:03:59.772Z","expires_at":null,"created_by":"internal-service"}', NULL, 'fixture', '', '', 'internal-service', 'fixture', '2026-11-16T09:03:59.772Z');
INSERT INTO public.users VALUES (1, '01a1e399-50ab-7000-90cf-c1aa49880e7e', '["ada@example.test"]', 1, NULL, NULL, NULL, '{"id":"01a1e399-50ab-7000-90cf-c1aa49880e7e","username":"ada@example.test","role":"operator","active":true,"created_at":"2026-11-16T09:03:58.103Z","updated_at":"2026-11-16T09:03:58.103Z","created_by":"internal-service"}', 'b2rRuVnj/E1PosAoY0nml4aeKCl5UjZ+Q1vrYDTGEwVyPrjJmJ9I12dwqm0NyLGpqzf1sRdrDSZsJ5uw2+Uv3TF1lXvSqmvElL+/eGE12iXF2upegr6QwXk/TcrrChwzNgtdxm7aXEhkGF5zzFkl3P1t', 'ada@example.test', 'active', '2026-11-16T09:03:58.103Z', 'internal-service', 'ada@example.test', '2026-11-16T09:03:58.103Z');
INSERT INTO public.versions VALUES (1, '01a1e399-5cc2-7000-9a83-7afe6dec9789', '["01a1e399-5c32-7001-aefc-8749aacf6b9f","1.0.0"]', 1, NULL, '01a1e399-5c32-7001-aefc-8749aacf6b9f', NULL, '{"id":"01a1e399-5cc2-7000-9a83-7afe6dec9789","agent_id":"01a1e399-5c32-7001-aefc-8749aacf6b9f","version":"1.0.0","source_path":null,"metadata":{},"created_at":"2026-11-16T09:04:01.212Z","created_by":"internal-service"}', NULL, '1.0.0', '', '', 'internal-service', '1.0.0', '2026-11-16T09:04:01.212Z');
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
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
INSERT INTO public.agent_environments VALUES (1, '01a1e4f1-7f6b-7000-89f8-06006d3e74cc', '["agent","01a1e4f1-7dc5-7000-9e2b-1a160d376104","01a1e4f1-7650-7000-9af4-577477143029"]', 5, '01a1e4f1-7650-7000-9af4-577477143029', '01a1e4f1-7dc5-7000-9e2b-1a160d376104', 'agent_release', '{"artifact":"agent/desk","release":{"environment_id":"01a1e4f1-7650-7000-9af4-577477143029","environment":"prod","version":"1.0.0","workflow_run_id":null,"workflow_name":null,"workflow_run_url":null,"activated_at":"2026-11-16T15:19:54.399Z","activated_by":"internal-service"}}', NULL, '', '', '', '', '', '');
INSERT INTO public.agents VALUES (1, '01a1e4f1-7dc5-7000-9e2b-1a160d376104', '["desk"]', 6, NULL, NULL, NULL, '{"id":"01a1e4f1-7dc5-7000-9e2b-1a160d376104","name":"desk","aliases":["orders-bot"],"description":"","source_path":"tiny","components":[{"environment_id":"01a1e4f1-7650-7000-9af4-577477143029","component":"chat","desired_state":"running","observed_state":"running","message":null,"updated_at":"2026-11-16T15:19:54.399Z","version":"1.0.0"},{"environment_id":"01a1e4f1-7650-7000-9af4-577477143029","component":"agent_endpoint","desired_state":"running","observed_state":"running","message":null,"updated_at":"2026-11-16T15:19:55.614Z","version":"1.0.0"},{"environment_id":"01a1e4f1-7650-7000-9af4-577477143029","component":"ui_app","desired_state":"running","observed_state":"running","version":"1.0.0","message":null,"updated_at":"2026-11-16T15:19:57.011Z"}],"releases":[{"environment_id":"01a1e4f1-7650-7000-9af4-577477143029","environment":"prod","version":"1.0.0","workflow_run_id":null,"workflow_name":null,"workflow_run_url":null,"activated_at":"2026-11-16T15:19:54.399Z","activated_by":"internal-service"}],"created_at":"2026-11-16T15:19:54.053Z","updated_at":"2026-11-16T15:19:54.589Z","created_by":"internal-service","updated_by":"internal-service"}', NULL, 'desk', '', '2026-11-16T15:19:54.589Z', 'internal-service', 'desk', '2026-11-16T15:19:54.053Z');
INSERT INTO public.aliases VALUES ('["desk"]', '01a1e4f1-7dc5-7000-9e2b-1a160d376104');
INSERT INTO public.aliases VALUES ('["orders-bot"]', '01a1e4f1-7dc5-7000-9e2b-1a160d376104');
INSERT INTO public.apps VALUES (1, '01a1e4f1-7fb8-7000-9568-842d14dfe6d3', '["01a1e4f1-7650-7000-9af4-577477143029","desk-ui"]', 3, '01a1e4f1-7650-7000-9af4-577477143029', '01a1e4f1-7dc5-7000-9e2b-1a160d376104', NULL, '{"id":"01a1e4f1-7fb8-7000-9568-842d14dfe6d3","name":"desk-ui","environment_id":"01a1e4f1-7650-7000-9af4-577477143029","description":"","agent_id":"01a1e4f1-7dc5-7000-9e2b-1a160d376104","source_path":"tiny","desired_state":"running","observed_state":"running","message":null,"created_at":"2026-11-16T15:19:54.552Z","updated_at":"2026-11-16T15:19:57.011Z","created_by":"internal-service","updated_by":"internal-service"}', NULL, 'desk-ui', 'running', '2026-11-16T15:19:57.011Z', 'internal-service', 'desk-ui', '2026-11-16T15:19:54.552Z');
INSERT INTO public.automations VALUES (1, '01a1e4f1-7989-7000-93d5-a617a84135ba', '["released"]', 1, NULL, NULL, NULL, '{"id":"01a1e4f1-7989-7000-93d5-a617a84135ba","alias":"released","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false},"design_content_hash":"sha256:1f98e22a7885dda7711aef411a191b60ac82b26c5936ebb675680d3bdd01e0e1","created_at":"2026-11-16T15:19:52.905Z","updated_at":"2026-11-16T15:19:52.905Z","created_by":"internal-service","updated_by":null}', NULL, 'released', '', '2026-11-16T15:19:52.905Z', 'internal-service', 'released', '2026-11-16T15:19:52.905Z');
INSERT INTO public.automations VALUES (2, '01a1e4f1-7ac2-7000-b79b-37ad210b0503', '["released-paused"]', 1, NULL, NULL, NULL, '{"id":"01a1e4f1-7ac2-7000-b79b-37ad210b0503","alias":"released-paused","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false},"design_content_hash":"sha256:d9c14f3a640cbdcb936e8527a6603c696ca7f796dcfceae2b7519e0a67b6ba81","created_at":"2026-11-16T15:19:53.269Z","updated_at":"2026-11-16T15:19:53.269Z","created_by":"internal-service","updated_by":null}', NULL, 'released-paused', '', '2026-11-16T15:19:53.269Z', 'internal-service', 'released-paused', '2026-11-16T15:19:53.269Z');
INSERT INTO public.automations VALUES (3, '01a1e4f1-7c47-7000-b5ce-9b485ee7922b', '["released-changed"]', 2, NULL, NULL, NULL, '{"id":"01a1e4f1-7c47-7000-b5ce-9b485ee7922b","alias":"released-changed","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 2","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false},"design_content_hash":"sha256:df6736fe78bea29fb130fa43e307f53cf0fd15400042767a5c7d57ede0b55314","created_at":"2026-11-16T15:19:53.655Z","updated_at":"2026-11-16T15:19:53.867Z","created_by":"internal-service","updated_by":"internal-service"}', NULL, 'released-changed', '', '2026-11-16T15:19:53.867Z', 'internal-service', 'released-changed', '2026-11-16T15:19:53.655Z');
INSERT INTO public.connectors VALUES (2, '01a1e4f1-78a4-7000-9108-ddb523126d94', '01a1e4f1-7650-7000-9af4-577477143029/["referring"]', 1, '01a1e4f1-7650-7000-9af4-577477143029', NULL, NULL, '{"id":"01a1e4f1-78a4-7000-9108-ddb523126d94","name":"referring","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"Bearer {{secrets/shop/api-key}}"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"active","git_commit_id":null,"git_branch":null,"workflow_id":"connector-01a1e4f1-78a4-7000-9108-ddb523126d94","artifacts_path":null,"error_message":null,"created_at":"2026-11-16T15:19:52.740Z","updated_at":"2026-11-16T15:19:52.740Z","created_by":"ada@example.test","updated_by":null,"datasets":[{"id":"01a1e4f1-78a4-7001-ac15-31a3973e3f67","connector_id":"01a1e4f1-78a4-7000-9108-ddb523126d94","source_dataset":"referring","target_name":"referring","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-16T15:19:52.740Z","created_by":"internal-service"}]}', NULL, 'referring', 'active', '2026-11-16T15:19:52.740Z', 'ada@example.test', 'referring
warehouse', '2026-11-16T15:19:52.740Z');
INSERT INTO public.connectors VALUES (3, '01a1e4f1-78ca-7000-9f04-19c11c6f1d89', '01a1e4f1-7650-7000-9af4-577477143029/["paused"]', 2, '01a1e4f1-7650-7000-9af4-577477143029', NULL, NULL, '{"id":"01a1e4f1-78ca-7000-9f04-19c11c6f1d89","name":"paused","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"********"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"paused","git_commit_id":null,"git_branch":null,"workflow_id":"connector-01a1e4f1-78ca-7000-9f04-19c11c6f1d89","artifacts_path":null,"error_message":null,"created_at":"2026-11-16T15:19:52.778Z","updated_at":"2026-11-16T15:19:52.826Z","created_by":"ada@example.test","updated_by":"internal-service","datasets":[{"id":"01a1e4f1-78ca-7001-b99a-40c65b372cd6","connector_id":"01a1e4f1-78ca-7000-9f04-19c11c6f1d89","source_dataset":"paused","target_name":"paused","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-16T15:19:52.778Z","created_by":"internal-service"}]}', 'W1g61Pvi1B52YCZt2p6+mymxE/ot+Nvk0EiYDBjXuyr0OSER2/XMUy6T86kaIYf6yVMqT/yg2P/KP4+mzx5pcxqjfAGEywB7/u37ZTCaIX5/2BwNbJPrgYfSOlAti2ICbb/Z4T0JsIOYCx7stq+GBCFt', 'paused', 'paused', '2026-11-16T15:19:52.826Z', 'ada@example.test', 'paused
warehouse', '2026-11-16T15:19:52.778Z');
INSERT INTO public.connectors VALUES (1, '01a1e4f1-7876-7000-b983-fb150b8a943d', '01a1e4f1-7650-7000-9af4-577477143029/["inline"]', 2, '01a1e4f1-7650-7000-9af4-577477143029', NULL, NULL, '{"id":"01a1e4f1-7876-7000-b983-fb150b8a943d","name":"inline","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"********"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"active","git_commit_id":null,"git_branch":"main","workflow_id":"connector-01a1e4f1-7876-7000-b983-fb150b8a943d","artifacts_path":null,"error_message":null,"created_at":"2026-11-16T15:19:52.694Z","updated_at":"2026-11-16T15:19:52.868Z","created_by":"ada@example.test","updated_by":"internal-service","datasets":[{"id":"01a1e4f1-7878-7000-82ff-fe0de3f10c0d","connector_id":"01a1e4f1-7876-7000-b983-fb150b8a943d","source_dataset":"inline","target_name":"inline","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-16T15:19:52.694Z","created_by":"internal-service"}]}', 'VS9EO9aw9PrirL1ukiQjYaL01gaH7p8Z0iyq7bH0K17BfDxvVpiJ7SRNx2Oo4Z25NPNgHVbm6YW11wBrdu8D0k2tjryuVPvBt7hpeuXXVs/LCCm8HrHbt7WgLy/5iestI9/brNS34wT2kmFJ3niWV09VHXEcNraJgKvzQg9AvN8=', 'inline', 'active', '2026-11-16T15:19:52.868Z', 'ada@example.test', 'inline
warehouse', '2026-11-16T15:19:52.694Z');
INSERT INTO public.cursors VALUES ('chat', 0);
INSERT INTO public.deployment_counts VALUES ('01a1e4f1-7650-7000-9af4-577477143029', 'pending', 0);
INSERT INTO public.deployment_counts VALUES ('01a1e4f1-7650-7000-9af4-577477143029', 'succeeded', 4);
INSERT INTO public.deployment_log VALUES ('01a1e4f1-8970-7000-a615-e6d52d1ac856', 1, '"uploading\n"');
INSERT INTO public.deployments VALUES (1, '01a1e4f1-79d9-7000-b0f3-b9d0bfb7d069', '["2026-11-16T15:19:52.995Z","01a1e4f1-79d9-7000-b0f3-b9d0bfb7d069"]', 1, '01a1e4f1-7650-7000-9af4-577477143029', NULL, 'succeeded', '{"id":"01a1e4f1-79d9-7000-b0f3-b9d0bfb7d069","deployment_name":"released 1.0.0","environment_id":"01a1e4f1-7650-7000-9af4-577477143029","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T15:19:52.995Z","started_at":"2026-11-16T15:19:52.995Z","completed_at":"2026-11-16T15:19:52.995Z","initiated_by":"internal-service","error_message":null}', NULL, 'released 1.0.0', 'succeeded', '', 'internal-service', 'released 1.0.0
main
3f9c1d2', '2026-11-16T15:19:52.995Z');
INSERT INTO public.deployments VALUES (2, '01a1e4f1-7b2f-7001-9209-20d51aa9d189', '["2026-11-16T15:19:53.345Z","01a1e4f1-7b2f-7001-9209-20d51aa9d189"]', 1, '01a1e4f1-7650-7000-9af4-577477143029', NULL, 'succeeded', '{"id":"01a1e4f1-7b2f-7001-9209-20d51aa9d189","deployment_name":"released-paused 1.0.0","environment_id":"01a1e4f1-7650-7000-9af4-577477143029","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T15:19:53.345Z","started_at":"2026-11-16T15:19:53.345Z","completed_at":"2026-11-16T15:19:53.345Z","initiated_by":"internal-service","error_message":null}', NULL, 'released-paused 1.0.0', 'succeeded', '', 'internal-service', 'released-paused 1.0.0
main
3f9c1d2', '2026-11-16T15:19:53.345Z');
INSERT INTO public.deployments VALUES (3, '01a1e4f1-7c7a-7002-857a-c9c278ce326e', '["2026-11-16T15:19:53.704Z","01a1e4f1-7c7a-7002-857a-c9c278ce326e"]', 1, '01a1e4f1-7650-7000-9af4-577477143029', NULL, 'succeeded', '{"id":"01a1e4f1-7c7a-7002-857a-c9c278ce326e","deployment_name":"released-changed 1.0.0","environment_id":"01a1e4f1-7650-7000-9af4-577477143029","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T15:19:53.704Z","started_at":"2026-11-16T15:19:53.704Z","completed_at":"2026-11-16T15:19:53.704Z","initiated_by":"internal-service","error_message":null}', NULL, 'released-changed 1.0.0', 'succeeded', '', 'internal-service', 'released-changed 1.0.0
main
3f9c1d2', '2026-11-16T15:19:53.704Z');
INSERT INTO public.deployments VALUES (4, '01a1e4f1-8970-7000-a615-e6d52d1ac856', '["2026-11-16T15:19:57.080Z","01a1e4f1-8970-7000-a615-e6d52d1ac856"]', 2, '01a1e4f1-7650-7000-9af4-577477143029', NULL, 'succeeded', '{"id":"01a1e4f1-8970-7000-a615-e6d52d1ac856","deployment_name":"orders 1.0.0","environment_id":"01a1e4f1-7650-7000-9af4-577477143029","git_branch":"main","git_commit_sha":"","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T15:19:57.040Z","started_at":null,"completed_at":"2026-11-16T15:19:57.080Z","initiated_by":"internal-service","error_message":null}', NULL, 'orders 1.0.0', 'succeeded', '', 'internal-service', 'orders 1.0.0
main', '2026-11-16T15:19:57.040Z');
INSERT INTO public.environments VALUES (1, '01a1e4f1-75aa-7000-ab13-e39ed8192645', '["local"]', 1, NULL, NULL, NULL, '{"id":"01a1e4f1-75aa-7000-ab13-e39ed8192645","name":"local","description":"Created at the first start","protected":false,"platform":"embedded","gitProvider":null,"gitRepository":null,"targetGitBranch":null,"secretScope":null,"dataPlatformClientIdKey":null,"dataPlatformClientSecretKey":null,"configuration":{},"isActive":true,"createdAt":"2026-11-16T15:19:51.975Z","updatedAt":"2026-11-16T15:19:51.975Z","createdBy":"lakehelm","updatedBy":null}', NULL, 'local', 'active', '2026-11-16T15:19:51.975Z', 'lakehelm', 'local
created at the first start', '2026-11-16T15:19:51.975Z');
INSERT INTO public.environments VALUES (2, '01a1e4f1-7650-7000-9af4-577477143029', '["prod"]', 1, NULL, NULL, NULL, '{"id":"01a1e4f1-7650-7000-9af4-577477143029","name":"prod","description":null,"protected":false,"platform":"embedded","gitProvider":null,"gitRepository":null,"targetGitBranch":null,"secretScope":null,"dataPlatformClientIdKey":null,"dataPlatformClientSecretKey":null,"configuration":{"timezone":"Europe/Berlin"},"isActive":true,"createdAt":"2026-11-16T15:19:52.143Z","updatedAt":"2026-11-16T15:19:52.143Z","createdBy":"internal-service","updatedBy":null}', NULL, 'prod', 'active', '2026-11-16T15:19:52.143Z', 'internal-service', 'prod', '2026-11-16T15:19:52.143Z');
INSERT INTO public.event_head VALUES (1, 43, 'FIeX3RHy28-jcke6gQz_1pkoXynBWpi325KNbLK92jk', 'sEOS_Jn2hkOxehx1oJpbs_RV7urbnvoFLejvVbilBhc');
INSERT INTO public.event_start VALUES (1, 0, '', '', '');
INSERT INTO public.events VALUES (1, '01a1e4f1-75ab-7000-b7ec-3c75eed1f3e1', 'environment.created', 'environment/01a1e4f1-75aa-7000-ab13-e39ed8192645', '{"id":"01a1e4f1-75ab-7000-b7ec-3c75eed1f3e1","time":"2026-11-16T15:19:51.975Z","actor":"lakehelm","request_id":null,"kind":"environment.created","subject":"environment/01a1e4f1-75aa-7000-ab13-e39ed8192645","data":{"name":"local","platform":"embedded"}}', '07MDrq5ThmEXDaZCmnvf6tReOFeTIr_3jTQJ8iPSBaY');
INSERT INTO public.events VALUES (2, '01a1e4f1-7650-7001-9765-e3de2b377498', 'environment.created', 'environment/01a1e4f1-7650-7000-9af4-577477143029', '{"id":"01a1e4f1-7650-7001-9765-e3de2b377498","time":"2026-11-16T15:19:52.143Z","actor":"internal-service","request_id":"01a1e4f1-764a-7000-959b-849eea8294a8","kind":"environment.created","subject":"environment/01a1e4f1-7650-7000-9af4-577477143029","data":{"name":"prod","platform":"embedded"}}', 'AnrvJZCtqMGvZH7PvvYOM5An8-5GTzE-nG1_lfoPmak');
INSERT INTO public.events VALUES (3, '01a1e4f1-781c-7000-9daa-84d1f0194ef0', 'user.created', 'user/01a1e4f1-7660-7000-8843-0cf197b0039e', '{"id":"01a1e4f1-781c-7000-9daa-84d1f0194ef0","time":"2026-11-16T15:19:52.160Z","actor":"internal-service","request_id":"01a1e4f1-765f-7000-81b6-03f3b2b45ff3","kind":"user.created","subject":"user/01a1e4f1-7660-7000-8843-0cf197b0039e","data":{"id":"01a1e4f1-7660-7000-8843-0cf197b0039e","username":"ada@example.test","role":"operator","active":true,"created_at":"2026-11-16T15:19:52.160Z","updated_at":"2026-11-16T15:19:52.160Z","created_by":"internal-service"}}', 'xZef4GWouMNNYHJPNvPgw5LN-Pg9-lJ5n75OQThBGD4');
INSERT INTO public.events VALUES (4, '01a1e4f1-7833-7000-9e4f-87125e523a5e', 'token.created', 'token/01a1e4f1-782f-7000-9c2c-25d07b675df7', '{"id":"01a1e4f1-7833-7000-9e4f-87125e523a5e","time":"2026-11-16T15:19:52.619Z","actor":"internal-service","request_id":"01a1e4f1-782a-7000-a12c-558dd1a38433","kind":"token.created","subject":"token/01a1e4f1-782f-7000-9c2c-25d07b675df7","data":{"id":"01a1e4f1-782f-7000-9c2c-25d07b675df7","username":"ada@example.test","comment":"fixture","created_at":"2026-11-16T15:19:52.619Z","expires_at":null,"created_by":"internal-service"}}', 'l_kpx9FYg8eZo1bW6m3D7HfnE09XO5PbLnBmcZINVVI');
INSERT INTO public.events VALUES (5, '01a1e4f1-784d-7000-9772-a4f53acec7eb', 'secret.stored', 'secret/01a1e4f1-7650-7000-9af4-577477143029/shop/api-key', '{"id":"01a1e4f1-784d-7000-9772-a4f53acec7eb","time":"2026-11-16T15:19:52.645Z","actor":"internal-service","request_id":"01a1e4f1-7842-7000-81da-b2051e6976ee","kind":"secret.stored","subject":"secret/01a1e4f1-7650-7000-9af4-577477143029/shop/api-key","data":{"environment_id":"01a1e4f1-7650-7000-9af4-577477143029","scope":"shop","key":"api-key"}}', 'lyzT7IESHMFFtJe0qlfbXIQE5uVI6y84Cv32uLwGpUc');
INSERT INTO public.events VALUES (6, '01a1e4f1-7890-7000-b1b8-668558f7e4a2', 'connector.created', 'connector/01a1e4f1-7876-7000-b983-fb150b8a943d', '{"id":"01a1e4f1-7890-7000-b1b8-668558f7e4a2","time":"2026-11-16T15:19:52.694Z","actor":"internal-service","request_id":"01a1e4f1-785c-7000-94db-762d9555b81e","kind":"connector.created","subject":"connector/01a1e4f1-7876-7000-b983-fb150b8a943d","data":{"name":"inline","environment_id":"01a1e4f1-7650-7000-9af4-577477143029","target_type":"warehouse","status":"active"}}', 'WUhNxPhx0WLRtEheKhcmKevZ3CU6_iFHyZq590GpzPg');
INSERT INTO public.events VALUES (7, '01a1e4f1-78a7-7000-921c-b8776af0de1c', 'connector.created', 'connector/01a1e4f1-78a4-7000-9108-ddb523126d94', '{"id":"01a1e4f1-78a7-7000-921c-b8776af0de1c","time":"2026-11-16T15:19:52.740Z","actor":"internal-service","request_id":"01a1e4f1-78a0-7000-b7ed-665ac14e0edc","kind":"connector.created","subject":"connector/01a1e4f1-78a4-7000-9108-ddb523126d94","data":{"name":"referring","environment_id":"01a1e4f1-7650-7000-9af4-577477143029","target_type":"warehouse","status":"active"}}', 'sJNKKmLZ4exUti2gPGZLXMCWiEj0eoQGEeJKFVxH_e0');
INSERT INTO public.events VALUES (8, '01a1e4f1-78cc-7000-85d9-f314e670b1d1', 'connector.created', 'connector/01a1e4f1-78ca-7000-9f04-19c11c6f1d89', '{"id":"01a1e4f1-78cc-7000-85d9-f314e670b1d1","time":"2026-11-16T15:19:52.778Z","actor":"internal-service","request_id":"01a1e4f1-78c7-7000-87b4-1819668f5b1b","kind":"connector.created","subject":"connector/01a1e4f1-78ca-7000-9f04-19c11c6f1d89","data":{"name":"paused","environment_id":"01a1e4f1-7650-7000-9af4-577477143029","target_type":"warehouse","status":"active"}}', 'WHpTuTxvluquHq7AYqKDaKBLQvm-vjKtsvKOUw9om0M');
INSERT INTO public.events VALUES (9, '01a1e4f1-7908-7000-9b37-1972abd8a302', 'connector.paused', 'connector/01a1e4f1-78ca-7000-9f04-19c11c6f1d89', '{"id":"01a1e4f1-7908-7000-9b37-1972abd8a302","time":"2026-11-16T15:19:52.826Z","actor":"internal-service","request_id":"01a1e4f1-78f9-7000-a0a8-f129fbb1c888","kind":"connector.paused","subject":"connector/01a1e4f1-78ca-7000-9f04-19c11c6f1d89","data":{"name":"paused","reason":"holiday","until":null}}', 'CFRudDnuiEa-ykB2K94Fs9v0NOqR0fLG-DmKmVhdTJI');
INSERT INTO public.events VALUES (10, '01a1e4f1-792e-7000-9f08-88128accda66', 'connector.updated', 'connector/01a1e4f1-7876-7000-b983-fb150b8a943d', '{"id":"01a1e4f1-792e-7000-9f08-88128accda66","time":"2026-11-16T15:19:52.868Z","actor":"internal-service","request_id":"01a1e4f1-7923-7000-9fda-e3c742e113f9","kind":"connector.updated","subject":"connector/01a1e4f1-7876-7000-b983-fb150b8a943d","data":{"name":"inline","fields":["git_branch"]}}', 'Mn66q0VfcPwG5khrvJUm1ax8_CEDNB3GXaf1aRL6y_A');
INSERT INTO public.events VALUES (11, '01a1e4f1-7989-7001-a34c-570e1bf82c47', 'automation.created', 'automation/01a1e4f1-7989-7000-93d5-a617a84135ba', '{"id":"01a1e4f1-7989-7001-a34c-570e1bf82c47","time":"2026-11-16T15:19:52.905Z","actor":"internal-service","request_id":"01a1e4f1-7948-7000-83a8-4eb62e8c89e0","kind":"automation.created","subject":"automation/01a1e4f1-7989-7000-93d5-a617a84135ba","data":{"alias":"released","design_content_hash":"sha256:1f98e22a7885dda7711aef411a191b60ac82b26c5936ebb675680d3bdd01e0e1"}}', '995tMt66oqfp-t3ecT4pXPzlpld28HGX7NxhAx-aJx8');
INSERT INTO public.events VALUES (12, '01a1e4f1-79dd-7000-ba99-e1acbae06c92', 'deployment.recorded', 'deployment/01a1e4f1-79d9-7000-b0f3-b9d0bfb7d069', '{"id":"01a1e4f1-79dd-7000-ba99-e1acbae06c92","time":"2026-11-16T15:19:52.995Z","actor":"internal-service","request_id":"01a1e4f1-79a3-7000-980d-01cc0084248f","kind":"deployment.recorded","subject":"deployment/01a1e4f1-79d9-7000-b0f3-b9d0bfb7d069","data":{"deployment_name":"released 1.0.0","environment_id":"01a1e4f1-7650-7000-9af4-577477143029","status":"succeeded"}}', 'zur-lLzogkhH4AAa-WJDe7bOjYdhjcPUHrhx5xPW8xI');
INSERT INTO public.events VALUES (13, '01a1e4f1-79dd-7001-8f5a-bd565f6d14c2', 'automation.release_activated', 'automation/01a1e4f1-7989-7000-93d5-a617a84135ba', '{"id":"01a1e4f1-79dd-7001-8f5a-bd565f6d14c2","time":"2026-11-16T15:19:52.995Z","actor":"internal-service","request_id":"01a1e4f1-79a3-7000-980d-01cc0084248f","kind":"automation.release_activated","subject":"automation/01a1e4f1-7989-7000-93d5-a617a84135ba","data":{"release_id":"01a1e4f1-79d3-7000-8199-0c3fcb24b03c","environment_id":"01a1e4f1-7650-7000-9af4-577477143029","version":"1.0.0","replaced":null}}', 'KOgv3mG7FCCZxS9-t6W92kEr64jgyuCRolw-XqVdGzk');
INSERT INTO public.events VALUES (14, '01a1e4f1-7a7e-7000-9f26-33dbc0dbf4f2', 'environment.reconciled', 'environment/01a1e4f1-7650-7000-9af4-577477143029', '{"id":"01a1e4f1-7a7e-7000-9f26-33dbc0dbf4f2","time":"2026-11-16T15:19:52.995Z","actor":"internal-service","request_id":"01a1e4f1-79a3-7000-980d-01cc0084248f","kind":"environment.reconciled","subject":"environment/01a1e4f1-7650-7000-9af4-577477143029","data":{}}', 'y-JkHB8iCNEyB8Ypz8zDHflRoTX3G-v9poXh-qADej8');
INSERT INTO public.events VALUES (43, '01a1e4f1-89b0-7000-85b9-a0d29a28a586', 'environment.reconciled', 'environment/01a1e4f1-7650-7000-9af4-577477143029', '{"id":"01a1e4f1-89b0-7000-85b9-a0d29a28a586","time":"2026-11-16T15:19:57.080Z","actor":"internal-service","request_id":"01a1e4f1-8997-7000-bdbe-5b4fb9e5e254","kind":"environment.reconciled","subject":"environment/01a1e4f1-7650-7000-9af4-577477143029","data":{}}', 'FIeX3RHy28-jcke6gQz_1pkoXynBWpi325KNbLK92jk');
INSERT INTO public.events VALUES (15, '01a1e4f1-7ac2-7001-aef3-fb9f20745c01', 'automation.created', 'automation/01a1e4f1-7ac2-7000-b79b-37ad210b0503', '{"id":"01a1e4f1-7ac2-7001-aef3-fb9f20745c01","time":"2026-11-16T15:19:53.269Z","actor":"internal-service","request_id":"01a1e4f1-7ab4-7000-865a-ffe5694b36e7","kind":"automation.created","subject":"automation/01a1e4f1-7ac2-7000-b79b-37ad210b0503","data":{"alias":"released-paused","design_content_hash":"sha256:d9c14f3a640cbdcb936e8527a6603c696ca7f796dcfceae2b7519e0a67b6ba81"}}', 'zGKZE-mlFORIXO4hCqXw1rCZqopCiNj6_DITzU3BiT4');
INSERT INTO public.events VALUES (16, '01a1e4f1-7b2f-7003-8210-612f22d434ec', 'deployment.recorded', 'deployment/01a1e4f1-7b2f-7001-9209-20d51aa9d189', '{"id":"01a1e4f1-7b2f-7003-8210-612f22d434ec","time":"2026-11-16T15:19:53.345Z","actor":"internal-service","request_id":"01a1e4f1-7b01-7000-a1a3-f901f7537348","kind":"deployment.recorded","subject":"deployment/01a1e4f1-7b2f-7001-9209-20d51aa9d189","data":{"deployment_name":"released-paused 1.0.0","environment_id":"01a1e4f1-7650-7000-9af4-577477143029","status":"succeeded"}}', 'Exe37BLgzjb7aHMFQNSiRST5YaEeY-ubWF3RvsOB6jQ');
INSERT INTO public.events VALUES (17, '01a1e4f1-7b2f-7004-b81f-b0c69d0dad2c', 'automation.release_activated', 'automation/01a1e4f1-7ac2-7000-b79b-37ad210b0503', '{"id":"01a1e4f1-7b2f-7004-b81f-b0c69d0dad2c","time":"2026-11-16T15:19:53.345Z","actor":"internal-service","request_id":"01a1e4f1-7b01-7000-a1a3-f901f7537348","kind":"automation.release_activated","subject":"automation/01a1e4f1-7ac2-7000-b79b-37ad210b0503","data":{"release_id":"01a1e4f1-7b2a-7000-a090-1daf9a052f03","environment_id":"01a1e4f1-7650-7000-9af4-577477143029","version":"1.0.0","replaced":null}}', 'eSo_6ztVrN_YUgTC1pVgadSXn3f9eqhlAyJJJozRhkw');
INSERT INTO public.events VALUES (18, '01a1e4f1-7bf5-7000-9cce-00be225ce22b', 'environment.reconciled', 'environment/01a1e4f1-7650-7000-9af4-577477143029', '{"id":"01a1e4f1-7bf5-7000-9cce-00be225ce22b","time":"2026-11-16T15:19:53.345Z","actor":"internal-service","request_id":"01a1e4f1-7b01-7000-a1a3-f901f7537348","kind":"environment.reconciled","subject":"environment/01a1e4f1-7650-7000-9af4-577477143029","data":{}}', 'BlP0PjsarLeSnedAvubVUDUSPYCm57h1knl4EUMdAu0');
INSERT INTO public.events VALUES (19, '01a1e4f1-7c47-7001-9db0-a27fc9ec3cea', 'automation.created', 'automation/01a1e4f1-7c47-7000-b5ce-9b485ee7922b', '{"id":"01a1e4f1-7c47-7001-9db0-a27fc9ec3cea","time":"2026-11-16T15:19:53.655Z","actor":"internal-service","request_id":"01a1e4f1-7c37-7000-80fc-d1e855e611dc","kind":"automation.created","subject":"automation/01a1e4f1-7c47-7000-b5ce-9b485ee7922b","data":{"alias":"released-changed","design_content_hash":"sha256:c8d4f96dba20e4dcb49d5dc09162e7ee6f32422fbc109f8025cfb309fad7e44c"}}', 'AMF7fJlXfu5q5tLe120UuXUyWpOiPqrk--WTrMBTsfU');
INSERT INTO public.events VALUES (20, '01a1e4f1-7c7b-7000-970a-078febe2d76c', 'deployment.recorded', 'deployment/01a1e4f1-7c7a-7002-857a-c9c278ce326e', '{"id":"01a1e4f1-7c7b-7000-970a-078febe2d76c","time":"2026-11-16T15:19:53.704Z","actor":"internal-service","request_id":"01a1e4f1-7c68-7000-9727-10fcffa559f9","kind":"deployment.recorded","subject":"deployment/01a1e4f1-7c7a-7002-857a-c9c278ce326e","data":{"deployment_name":"released-changed 1.0.0","environment_id":"01a1e4f1-7650-7000-9af4-577477143029","status":"succeeded"}}', 'czyTNYD4LZ3RMf_Eh4Dz-BPb_rMheGge0Z_6H8SZZ3s');
INSERT INTO public.events VALUES (21, '01a1e4f1-7c7b-7001-9170-3982f282a842', 'automation.release_activated', 'automation/01a1e4f1-7c47-7000-b5ce-9b485ee7922b', '{"id":"01a1e4f1-7c7b-7001-9170-3982f282a842","time":"2026-11-16T15:19:53.704Z","actor":"internal-service","request_id":"01a1e4f1-7c68-7000-9727-10fcffa559f9","kind":"automation.release_activated","subject":"automation/01a1e4f1-7c47-7000-b5ce-9b485ee7922b","data":{"release_id":"01a1e4f1-7c7a-7000-81c5-c49ad27ba767","environment_id":"01a1e4f1-7650-7000-9af4-577477143029","version":"1.0.0","replaced":null}}', '8HlGZ0KRjPJzqxo44QbWruOqqec-61kVohcNBPmmuus');
INSERT INTO public.events VALUES (22, '01a1e4f1-7c99-7000-aec9-e168375b9111', 'environment.reconciled', 'environment/01a1e4f1-7650-7000-9af4-577477143029', '{"id":"01a1e4f1-7c99-7000-aec9-e168375b9111","time":"2026-11-16T15:19:53.704Z","actor":"internal-service","request_id":"01a1e4f1-7c68-7000-9727-10fcffa559f9","kind":"environment.reconciled","subject":"environment/01a1e4f1-7650-7000-9af4-577477143029","data":{}}', 'YTRUhGMv1Z7T4dCf3BP8Oumqd_Tk56iAepYIteuIHgQ');
INSERT INTO public.events VALUES (23, '01a1e4f1-7cac-7000-9c8e-979301834136', 'automation.schedule_paused', 'automation/01a1e4f1-7ac2-7000-b79b-37ad210b0503', '{"id":"01a1e4f1-7cac-7000-9c8e-979301834136","time":"2026-11-16T15:19:53.769Z","actor":"internal-service","request_id":"01a1e4f1-7ca8-7000-8bdf-82ac9f3b947c","kind":"automation.schedule_paused","subject":"automation/01a1e4f1-7ac2-7000-b79b-37ad210b0503","data":{"release_id":"01a1e4f1-7b2a-7000-a090-1daf9a052f03","environment_id":"01a1e4f1-7650-7000-9af4-577477143029","version":"1.0.0","reason":"holiday","until":null}}', 'Gmm0Pa2BENFnsgM1rBmot7G0rDfZqkgmoNFQ1r7-OVA');
INSERT INTO public.events VALUES (24, '01a1e4f1-7d28-7000-a507-b0e0adcd531c', 'automation.definition_set', 'automation/01a1e4f1-7c47-7000-b5ce-9b485ee7922b', '{"id":"01a1e4f1-7d28-7000-a507-b0e0adcd531c","time":"2026-11-16T15:19:53.867Z","actor":"internal-service","request_id":"01a1e4f1-7d06-7000-837c-5417d907a0df","kind":"automation.definition_set","subject":"automation/01a1e4f1-7c47-7000-b5ce-9b485ee7922b","data":{"alias":"released-changed","design_content_hash":"sha256:df6736fe78bea29fb130fa43e307f53cf0fd15400042767a5c7d57ede0b55314"}}', 'DiH8hYoMWjBh96eZAMXRh1qlwvILzr_fR-ILYVRYdrw');
INSERT INTO public.events VALUES (25, '01a1e4f1-7d50-7000-8f80-663567dc6f62', 'file.written', 'file/01a1e4f1-7650-7000-9af4-577477143029/pipelines/numbers.sql', '{"id":"01a1e4f1-7d50-7000-8f80-663567dc6f62","time":"2026-11-16T15:19:53.923Z","actor":"internal-service","request_id":"01a1e4f1-7d3e-7000-b9bd-6ee424bfbd75","kind":"file.written","subject":"file/01a1e4f1-7650-7000-9af4-577477143029/pipelines/numbers.sql","data":{"environment_id":"01a1e4f1-7650-7000-9af4-577477143029","path":"pipelines/numbers.sql","size":51,"sha256":"b0bf44b639804f1839a1927e097d46337d4fc58b70b6448f3bb019cef234fa17"}}', 'l3e9O48RDV5HlsgjpW-Zth_5j0W4Sm2XCatavXd97_Q');
INSERT INTO public.events VALUES (26, '01a1e4f1-7d71-7000-b33a-2f63441b0954', 'pipeline.created', 'pipeline/01a1e4f1-7d6f-7000-b519-bb0f5fa11ffd', '{"id":"01a1e4f1-7d71-7000-b33a-2f63441b0954","time":"2026-11-16T15:19:53.967Z","actor":"internal-service","request_id":"01a1e4f1-7d6d-7000-89e0-d527ffff2461","kind":"pipeline.created","subject":"pipeline/01a1e4f1-7d6f-7000-b519-bb0f5fa11ffd","data":{"name":"numbers","environment_id":"01a1e4f1-7650-7000-9af4-577477143029"}}', 'k-npIWelUgFGS5_ObFCi0pPlCKZIE89r0MJOR0rrc_A');
INSERT INTO public.events VALUES (27, '01a1e4f1-7df3-7000-a73a-d2fba61efa82', 'agent.created', 'agent/01a1e4f1-7dc5-7000-9e2b-1a160d376104', '{"id":"01a1e4f1-7df3-7000-a73a-d2fba61efa82","time":"2026-11-16T15:19:54.053Z","actor":"internal-service","request_id":"01a1e4f1-7dc2-7000-983c-a0eacced941f","kind":"agent.created","subject":"agent/01a1e4f1-7dc5-7000-9e2b-1a160d376104","data":{"name":"desk","aliases":["orders-bot"]}}', 'fzYeT0LqlybMO8A2_T-CqUCvXGupUuah9h1_mDN7Phg');
INSERT INTO public.events VALUES (28, '01a1e4f1-7e11-7000-a835-b534516df595', 'file.written', 'file/01a1e4f1-7650-7000-9af4-577477143029/tiny/app.yaml', '{"id":"01a1e4f1-7e11-7000-a835-b534516df595","time":"2026-11-16T15:19:54.121Z","actor":"internal-service","request_id":"01a1e4f1-7e06-7000-b045-dcf95156f260","kind":"file.written","subject":"file/01a1e4f1-7650-7000-9af4-577477143029/tiny/app.yaml","data":{"environment_id":"01a1e4f1-7650-7000-9af4-577477143029","path":"tiny/app.yaml","size":25,"sha256":"161d49cab793e4e16c959370ac0ef0283a37471131f8f1ce0f6cbd77067c181a"}}', 'K0WpGuPXPO1YBZmOxD0HXwVd9glfZZCR0f5OA-paNhw');
INSERT INTO public.events VALUES (29, '01a1e4f1-7ec9-7000-9dd2-a5e855f97332', 'file.written', 'file/01a1e4f1-7650-7000-9af4-577477143029/tiny/app.mjs', '{"id":"01a1e4f1-7ec9-7000-9dd2-a5e855f97332","time":"2026-11-16T15:19:54.147Z","actor":"internal-service","request_id":"01a1e4f1-7e21-7000-a950-abfaa312c3f3","kind":"file.written","subject":"file/01a1e4f1-7650-7000-9af4-577477143029/tiny/app.mjs","data":{"environment_id":"01a1e4f1-7650-7000-9af4-577477143029","path":"tiny/app.mjs","size":154,"sha256":"42a29daadf6a0e247952089c44decb92d0f16169dfeeb9aa0956ff02f5cd7d93"}}', 'ce-IRzN7mbBf2byrfiJN4ffcwVrNkBISvI2RuH4G9no');
INSERT INTO public.events VALUES (30, '01a1e4f1-7f6c-7000-9fe0-a7fd2e321353', 'agent.version_created', 'agent/01a1e4f1-7dc5-7000-9e2b-1a160d376104', '{"id":"01a1e4f1-7f6c-7000-9fe0-a7fd2e321353","time":"2026-11-16T15:19:54.399Z","actor":"internal-service","request_id":"01a1e4f1-7f1f-7000-a4f1-f86a19efa202","kind":"agent.version_created","subject":"agent/01a1e4f1-7dc5-7000-9e2b-1a160d376104","data":{"name":"desk","version":"1.0.0"}}', 'xIlOcmmjz3720GOwz1ZyixUiE9CDrhMxW1ZdJh8OOLA');
INSERT INTO public.events VALUES (31, '01a1e4f1-7f6c-7001-a07a-c4c541c926a1', 'agent.release_activated', 'agent/01a1e4f1-7dc5-7000-9e2b-1a160d376104', '{"id":"01a1e4f1-7f6c-7001-a07a-c4c541c926a1","time":"2026-11-16T15:19:54.399Z","actor":"internal-service","request_id":"01a1e4f1-7f1f-7000-a4f1-f86a19efa202","kind":"agent.release_activated","subject":"agent/01a1e4f1-7dc5-7000-9e2b-1a160d376104","data":{"name":"desk","environment_id":"01a1e4f1-7650-7000-9af4-577477143029","version":"1.0.0"}}', 'hngxJydjeqy9PUWM4wDRD3ade9-TVFFQ60t3QI-dl_g');
INSERT INTO public.events VALUES (32, '01a1e4f1-7fa0-7000-a6db-ee8840464e56', 'environment.reconciled', 'environment/01a1e4f1-7650-7000-9af4-577477143029', '{"id":"01a1e4f1-7fa0-7000-a6db-ee8840464e56","time":"2026-11-16T15:19:54.399Z","actor":"internal-service","request_id":"01a1e4f1-7f1f-7000-a4f1-f86a19efa202","kind":"environment.reconciled","subject":"environment/01a1e4f1-7650-7000-9af4-577477143029","data":{}}', 'yZ9wxHrRMH14OiEeR2L5m-XTbRoyXjAQ1ZY-5Yl3TiU');
INSERT INTO public.events VALUES (33, '01a1e4f1-7fc0-7000-a76e-d955c948a274', 'app.created', 'app/01a1e4f1-7fb8-7000-9568-842d14dfe6d3', '{"id":"01a1e4f1-7fc0-7000-a76e-d955c948a274","time":"2026-11-16T15:19:54.552Z","actor":"internal-service","request_id":"01a1e4f1-7fb5-7000-9ec1-d8fddf600649","kind":"app.created","subject":"app/01a1e4f1-7fb8-7000-9568-842d14dfe6d3","data":{"name":"desk-ui","environment_id":"01a1e4f1-7650-7000-9af4-577477143029","agent_id":"01a1e4f1-7dc5-7000-9e2b-1a160d376104"}}', 'h4LykeAbBrV25UbZwjQhzg4mABEenftcYPr9qrvZmdI');
INSERT INTO public.events VALUES (34, '01a1e4f1-7ff6-7000-b7ea-8f28cd526457', 'agent.component_started', 'agent/01a1e4f1-7dc5-7000-9e2b-1a160d376104', '{"id":"01a1e4f1-7ff6-7000-b7ea-8f28cd526457","time":"2026-11-16T15:19:54.589Z","actor":"internal-service","request_id":"01a1e4f1-7fdd-7000-8f13-ffa4f355c7e4","kind":"agent.component_started","subject":"agent/01a1e4f1-7dc5-7000-9e2b-1a160d376104","data":{"name":"desk","environment_id":"01a1e4f1-7650-7000-9af4-577477143029","component":"agent_endpoint","version":"1.0.0"}}', 'rJ0qhfIPeExUklU7SXLJ83k5AUk1LdMnj6nBvLQPsrs');
INSERT INTO public.events VALUES (35, '01a1e4f1-83e8-7000-8495-05ca21f982f3', 'agent.component_settled', 'agent/01a1e4f1-7dc5-7000-9e2b-1a160d376104', '{"id":"01a1e4f1-83e8-7000-8495-05ca21f982f3","time":"2026-11-16T15:19:55.614Z","actor":"platform","request_id":null,"kind":"agent.component_settled","subject":"agent/01a1e4f1-7dc5-7000-9e2b-1a160d376104","data":{"environment_id":"01a1e4f1-7650-7000-9af4-577477143029","component":"agent_endpoint","observed_state":"running","message":null}}', 'iMfxv3JasMiwtWyNR6JUqZOKcCP0KIGuGIjEfic8Uzo');
INSERT INTO public.events VALUES (36, '01a1e4f1-8403-7000-93f5-1bd232ebeb69', 'app.started', 'app/01a1e4f1-7fb8-7000-9568-842d14dfe6d3', '{"id":"01a1e4f1-8403-7000-93f5-1bd232ebeb69","time":"2026-11-16T15:19:54.589Z","actor":"internal-service","request_id":"01a1e4f1-7fdd-7000-8f13-ffa4f355c7e4","kind":"app.started","subject":"app/01a1e4f1-7fb8-7000-9568-842d14dfe6d3","data":{"name":"desk-ui","environment_id":"01a1e4f1-7650-7000-9af4-577477143029","observed_state":"pending"}}', 'pnHmgmJpK2_zNRCYYhHMUg2kMPszEXlOQ2lNI0Mt9no');
INSERT INTO public.events VALUES (37, '01a1e4f1-8403-7001-9443-31e3a9d4556e', 'agent.ui_app_followed', 'agent/01a1e4f1-7dc5-7000-9e2b-1a160d376104', '{"id":"01a1e4f1-8403-7001-9443-31e3a9d4556e","time":"2026-11-16T15:19:54.589Z","actor":"internal-service","request_id":"01a1e4f1-7fdd-7000-8f13-ffa4f355c7e4","kind":"agent.ui_app_followed","subject":"agent/01a1e4f1-7dc5-7000-9e2b-1a160d376104","data":{"name":"desk","environment_id":"01a1e4f1-7650-7000-9af4-577477143029","desired_state":"running","observed_state":"pending"}}', 'KecBMdTtEaochSb2qQngNRSep6SpUG71-dtg9guKWzY');
INSERT INTO public.events VALUES (38, '01a1e4f1-8963-7000-801c-2589f3f4ef91', 'app.settled', 'app/01a1e4f1-7fb8-7000-9568-842d14dfe6d3', '{"id":"01a1e4f1-8963-7000-801c-2589f3f4ef91","time":"2026-11-16T15:19:57.011Z","actor":"platform","request_id":null,"kind":"app.settled","subject":"app/01a1e4f1-7fb8-7000-9568-842d14dfe6d3","data":{"name":"desk-ui","observed_state":"running","message":null}}', 'ojcBGQkKHXLBrV7g3oSk7CDOYZt4pF_eVWrb7_0CinM');
INSERT INTO public.events VALUES (39, '01a1e4f1-8963-7001-adb2-271b6a31bb4d', 'agent.ui_app_followed', 'agent/01a1e4f1-7dc5-7000-9e2b-1a160d376104', '{"id":"01a1e4f1-8963-7001-adb2-271b6a31bb4d","time":"2026-11-16T15:19:57.011Z","actor":"platform","request_id":null,"kind":"agent.ui_app_followed","subject":"agent/01a1e4f1-7dc5-7000-9e2b-1a160d376104","data":{"name":"desk","environment_id":"01a1e4f1-7650-7000-9af4-577477143029","desired_state":"running","observed_state":"running"}}', 'Y5ThLp15ZHj5RoM_RelwBzQYGUqB9x9IUTUuii3k0lA');
INSERT INTO public.events VALUES (40, '01a1e4f1-8970-7001-9aa3-4cb93aed9012', 'deployment.created', 'deployment/01a1e4f1-8970-7000-a615-e6d52d1ac856', '{"id":"01a1e4f1-8970-7001-9aa3-4cb93aed9012","time":"2026-11-16T15:19:57.040Z","actor":"internal-service","request_id":"01a1e4f1-896f-7000-9c70-614f2b266f2e","kind":"deployment.created","subject":"deployment/01a1e4f1-8970-7000-a615-e6d52d1ac856","data":{"deployment_name":"orders 1.0.0","environment_id":"01a1e4f1-7650-7000-9af4-577477143029","status":"pending"}}', 'oN_MWjSjiY43EQo3MrXmTyXeBo2EgEbw_DvpH_0EJ2Y');
INSERT INTO public.events VALUES (41, '01a1e4f1-8987-7000-9be4-857e0944d87e', 'deployment.logged', 'deployment/01a1e4f1-8970-7000-a615-e6d52d1ac856', '{"id":"01a1e4f1-8987-7000-9be4-857e0944d87e","time":"2026-11-16T15:19:57.056Z","actor":"internal-service","request_id":"01a1e4f1-897f-7000-a1cc-2859a1f7e8a8","kind":"deployment.logged","subject":"deployment/01a1e4f1-8970-7000-a615-e6d52d1ac856","data":{"characters":10}}', 'hVTQEV9uZ11jWs0GvvBJakAKdhnzPeao8jnGupCCZ_E');
INSERT INTO public.events VALUES (42, '01a1e4f1-899a-7001-9f98-b1917ffbb076', 'deployment.finished', 'deployment/01a1e4f1-8970-7000-a615-e6d52d1ac856', '{"id":"01a1e4f1-899a-7001-9f98-b1917ffbb076","time":"2026-11-16T15:19:57.080Z","actor":"internal-service","request_id":"01a1e4f1-8997-7000-bdbe-5b4fb9e5e254","kind":"deployment.finished","subject":"deployment/01a1e4f1-8970-7000-a615-e6d52d1ac856","data":{"deployment_name":"orders 1.0.0","environment_id":"01a1e4f1-7650-7000-9af4-577477143029","status":"succeeded"}}', 'VBQdFWV8to7YCWptWvsBbqHWfmdMmX02fJuUd9cMv2s');
INSERT INTO public.jobs VALUES ('connector-01a1e4f1-78a4-7000-9108-ddb523126d94', '01a1e4f1-7650-7000-9af4-577477143029', 'connector', 'connector/01a1e4f1-78a4-7000-9108-ddb523126d94', '"referring"', '{"trigger":{"kind":"cron","cron":"0 6 1 1 *","timezone":"Europe/Berlin"},"attempts":3,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T05:00:00.000Z', '2026-11-16T15:19:52.742Z', '2026-11-16T15:19:52.742Z', 1, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('connector-01a1e4f1-78ca-7000-9f04-19c11c6f1d89', '01a1e4f1-7650-7000-9af4-577477143029', 'connector', 'connector/01a1e4f1-78ca-7000-9f04-19c11c6f1d89', '"paused"', '{"trigger":{"kind":"cron","cron":"0 6 1 1 *","timezone":"Europe/Berlin"},"attempts":3,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', '{"by":"internal-service","at":"2026-11-16T15:19:52.826Z","reason":"holiday","until":null,"missed":0,"last_missed":null}', NULL, '{}', 0, NULL, '2027-01-01T05:00:00.000Z', '2026-11-16T15:19:52.779Z', '2026-11-16T15:19:52.779Z', 2, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('connector-01a1e4f1-7876-7000-b983-fb150b8a943d', '01a1e4f1-7650-7000-9af4-577477143029', 'connector', 'connector/01a1e4f1-7876-7000-b983-fb150b8a943d', '"inline"', '{"trigger":{"kind":"cron","cron":"0 6 1 1 *","timezone":"Europe/Berlin"},"attempts":3,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T05:00:00.000Z', '2026-11-16T15:19:52.698Z', '2026-11-16T15:19:52.875Z', 2, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('automation-01a1e4f1-7989-7000-93d5-a617a84135ba-01a1e4f1-7650-7000-9af4-577477143029', '01a1e4f1-7650-7000-9af4-577477143029', 'automation', 'automation/01a1e4f1-7989-7000-93d5-a617a84135ba', '"released"', '{"trigger":{"kind":"cron","cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"attempts":20,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T06:00:00.000Z', '2026-11-16T15:19:53.047Z', '2026-11-16T15:19:53.047Z', 1, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('automation-01a1e4f1-7c47-7000-b5ce-9b485ee7922b-01a1e4f1-7650-7000-9af4-577477143029', '01a1e4f1-7650-7000-9af4-577477143029', 'automation', 'automation/01a1e4f1-7c47-7000-b5ce-9b485ee7922b', '"released-changed"', '{"trigger":{"kind":"cron","cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"attempts":20,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T06:00:00.000Z', '2026-11-16T15:19:53.722Z', '2026-11-16T15:19:53.722Z', 1, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('automation-01a1e4f1-7ac2-7000-b79b-37ad210b0503-01a1e4f1-7650-7000-9af4-577477143029', '01a1e4f1-7650-7000-9af4-577477143029', 'automation', 'automation/01a1e4f1-7ac2-7000-b79b-37ad210b0503', '"released-paused"', '{"trigger":{"kind":"cron","cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"attempts":20,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', '{"by":"internal-service","at":"2026-11-16T15:19:53.769Z","reason":"holiday","until":null,"missed":0,"last_missed":null}', NULL, '{}', 0, NULL, '2027-01-01T06:00:00.000Z', '2026-11-16T15:19:53.391Z', '2026-11-16T15:19:53.391Z', 2, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('pipeline-01a1e4f1-7d6f-7000-b519-bb0f5fa11ffd', '01a1e4f1-7650-7000-9af4-577477143029', 'pipeline', 'pipeline/01a1e4f1-7d6f-7000-b519-bb0f5fa11ffd', '"numbers"', '{"trigger":{"kind":"manual"},"attempts":3,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'manual', NULL, NULL, '{}', 0, NULL, NULL, '2026-11-16T15:19:53.968Z', '2026-11-16T15:19:53.968Z', 1, '["lakehelm"]');
INSERT INTO public.keyring VALUES ('fingerprint', 'keOT3fxHz_I6EV7EkRe8KYS2yBFU5Xa5yqF8SRI7QW0');
INSERT INTO public.keyring VALUES ('jwt', 'MDbctdmeZUuh2Mh8iQbHElK8sKmsjzytC6U+DIDsW2tQdrTbuPlLcshH6cZVdtjDvzwmFB8KcvLuYmYkW6pTioE4moL8BufF');
INSERT INTO public.keyring VALUES ('event anchor/01a1e4f1-74c7-7000-a14b-481760e7649c', 'written');
INSERT INTO public.keyring VALUES ('masking rules 2', '2026-11-16T15:19:51.912Z');
INSERT INTO public.keyring VALUES ('missing installations 1', '2026-11-16T15:19:51.998Z');
INSERT INTO public.keyring VALUES ('data folder', '01a1e4f1-74c7-7000-a14b-481760e7649c');
INSERT INTO public.overrides VALUES ('01a1e4f1-7650-7000-9af4-577477143029', '01a1e4f1-7ac2-7000-b79b-37ad210b0503', '{"paused":true,"by":"internal-service","at":"2026-11-16T15:19:53.769Z","reason":"holiday","until":null}');
INSERT INTO public.pipelines VALUES (1, '01a1e4f1-7d6f-7000-b519-bb0f5fa11ffd', '["01a1e4f1-7650-7000-9af4-577477143029","numbers"]', 1, '01a1e4f1-7650-7000-9af4-577477143029', NULL, NULL, '{"pipeline_id":"01a1e4f1-7d6f-7000-b519-bb0f5fa11ffd","name":"numbers","libraries":[{"file":{"path":"pipelines/numbers.sql"}}],"configuration":{},"continuous":false,"development":false,"photon":false,"serverless":false,"channel":"CURRENT","edition":"ADVANCED","platform_managed":true,"environment_id":"01a1e4f1-7650-7000-9af4-577477143029","tags":{"platform.managed_by":"lakehelm","platform.environment":"prod","platform.pipeline":"numbers"},"platform_reference":"pipeline-01a1e4f1-7d6f-7000-b519-bb0f5fa11ffd","error_message":null,"created_at":"2026-11-16T15:19:53.967Z","updated_at":"2026-11-16T15:19:53.967Z","created_by":"internal-service","updated_by":null}', NULL, 'numbers', '', '2026-11-16T15:19:53.967Z', 'internal-service', 'numbers', '2026-11-16T15:19:53.967Z');
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
INSERT INTO public.processes VALUES ('agent/01a1e4f1-7dc5-7000-9e2b-1a160d376104/01a1e4f1-7650-7000-9af4-577477143029', '01a1e4f1-7650-7000-9af4-577477143029', 'running', '{"deploy":"01a1e4f1-7fed-7000-85b8-78a8b6ddabc8","name":"desk","sourcePath":"tiny","start":{"mark":"3cf9b0d82c8a61d5.09c0aecc024293a23e6f3313e155f200","port":43637,"url":"http://127.0.0.1:46291","boot":"9f3d9f44-6b6b-4927-9dfa-0d5966020935","pid":21155,"began":"121040"},"ends":[],"askedAt":"2026-11-16T15:19:54.589Z","sight":{"observed_state":"running","message":null}}', 4);
INSERT INTO public.processes VALUES ('app/01a1e4f1-7fb8-7000-9568-842d14dfe6d3', '01a1e4f1-7650-7000-9af4-577477143029', 'running', '{"deploy":"01a1e4f1-83f9-7000-935b-3ca034db67fc","name":"desk-ui","sourcePath":"tiny","start":{"mark":"3cf9b0d82c8a61d5.61799e57a52042cd2c81e275daaf9183","port":42603,"url":"http://127.0.0.1:46291","boot":"9f3d9f44-6b6b-4927-9dfa-0d5966020935","pid":21171,"began":"121114"},"ends":[],"askedAt":"2026-11-16T15:19:54.589Z","sight":{"observed_state":"running","message":null}}', 4);
INSERT INTO public.release_designs VALUES ('01a1e4f1-79d3-7000-8199-0c3fcb24b03c', '01a1e4f1-7989-7000-93d5-a617a84135ba', '01a1e4f1-7650-7000-9af4-577477143029', '{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false}', NULL);
INSERT INTO public.release_designs VALUES ('01a1e4f1-7b2a-7000-a090-1daf9a052f03', '01a1e4f1-7ac2-7000-b79b-37ad210b0503', '01a1e4f1-7650-7000-9af4-577477143029', '{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false}', NULL);
INSERT INTO public.release_designs VALUES ('01a1e4f1-7c7a-7000-81c5-c49ad27ba767', '01a1e4f1-7c47-7000-b5ce-9b485ee7922b', '01a1e4f1-7650-7000-9af4-577477143029', '{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false}', NULL);
INSERT INTO public.releases VALUES (1, '01a1e4f1-79d3-7000-8199-0c3fcb24b03c', '["automation","01a1e4f1-7989-7000-93d5-a617a84135ba","01a1e4f1-7650-7000-9af4-577477143029"]', 1, '01a1e4f1-7650-7000-9af4-577477143029', '01a1e4f1-7989-7000-93d5-a617a84135ba', 'installed', '{"id":"01a1e4f1-79d3-7000-8199-0c3fcb24b03c","artifact":"automation/released","environment_id":"01a1e4f1-7650-7000-9af4-577477143029","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:1f98e22a7885dda7711aef411a191b60ac82b26c5936ebb675680d3bdd01e0e1","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1e4f1-7989-7000-93d5-a617a84135ba-01a1e4f1-7650-7000-9af4-577477143029","activated_at":"2026-11-16T15:19:52.995Z","activated_by":"internal-service","deployment_id":"01a1e4f1-79d9-7000-b0f3-b9d0bfb7d069"}', NULL, '1.0.0', '', '', 'internal-service', '1.0.0
main
3f9c1d2', '2026-11-16T15:19:52.995Z');
INSERT INTO public.releases VALUES (3, '01a1e4f1-7c7a-7000-81c5-c49ad27ba767', '["automation","01a1e4f1-7c47-7000-b5ce-9b485ee7922b","01a1e4f1-7650-7000-9af4-577477143029"]', 1, '01a1e4f1-7650-7000-9af4-577477143029', '01a1e4f1-7c47-7000-b5ce-9b485ee7922b', 'installed', '{"id":"01a1e4f1-7c7a-7000-81c5-c49ad27ba767","artifact":"automation/released-changed","environment_id":"01a1e4f1-7650-7000-9af4-577477143029","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:c8d4f96dba20e4dcb49d5dc09162e7ee6f32422fbc109f8025cfb309fad7e44c","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1e4f1-7c47-7000-b5ce-9b485ee7922b-01a1e4f1-7650-7000-9af4-577477143029","activated_at":"2026-11-16T15:19:53.704Z","activated_by":"internal-service","deployment_id":"01a1e4f1-7c7a-7002-857a-c9c278ce326e"}', NULL, '1.0.0', '', '', 'internal-service', '1.0.0
main
3f9c1d2', '2026-11-16T15:19:53.704Z');
INSERT INTO public.releases VALUES (2, '01a1e4f1-7b2a-7000-a090-1daf9a052f03', '["automation","01a1e4f1-7ac2-7000-b79b-37ad210b0503","01a1e4f1-7650-7000-9af4-577477143029"]', 2, '01a1e4f1-7650-7000-9af4-577477143029', '01a1e4f1-7ac2-7000-b79b-37ad210b0503', 'installed', '{"id":"01a1e4f1-7b2a-7000-a090-1daf9a052f03","artifact":"automation/released-paused","environment_id":"01a1e4f1-7650-7000-9af4-577477143029","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:d9c14f3a640cbdcb936e8527a6603c696ca7f796dcfceae2b7519e0a67b6ba81","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1e4f1-7ac2-7000-b79b-37ad210b0503-01a1e4f1-7650-7000-9af4-577477143029","activated_at":"2026-11-16T15:19:53.345Z","activated_by":"internal-service","deployment_id":"01a1e4f1-7b2f-7001-9209-20d51aa9d189"}', NULL, '1.0.0', '', '', 'internal-service', '1.0.0
main
3f9c1d2', '2026-11-16T15:19:53.345Z');
INSERT INTO public.schema_version VALUES (15);
INSERT INTO public.secrets VALUES ('01a1e4f1-7650-7000-9af4-577477143029', 'shop', 'api-key', 'GPdIK6Hxkf+Jed9ET+zDhecV2x+2MitJxw/AhzfWLUt8Jan0M5oM', '2026-11-16T15:19:52.645Z');
INSERT INTO public.summaries VALUES ('01a1e4f1-7650-7000-9af4-577477143029', '{"environment_id":"01a1e4f1-7650-7000-9af4-577477143029","latest_success":{"id":"01a1e4f1-8970-7000-a615-e6d52d1ac856","deployment_name":"orders 1.0.0","git_branch":"main","git_commit_sha":"","completed_at":"2026-11-16T15:19:57.080Z"},"current_releases":[{"artifact":"automation/released","version":"1.0.0","activated_at":"2026-11-16T15:19:52.995Z"},{"artifact":"automation/released-paused","version":"1.0.0","activated_at":"2026-11-16T15:19:53.345Z"},{"artifact":"automation/released-changed","version":"1.0.0","activated_at":"2026-11-16T15:19:53.704Z"},{"artifact":"agent/desk","version":"1.0.0","activated_at":"2026-11-16T15:19:54.399Z"}],"deployment_counts":{"succeeded":4},"failure_streak":0,"reconciled_at":"2026-11-16T15:19:57.080Z"}');
INSERT INTO public.tallies VALUES ('environments/all', 1000000, 0, 2);
INSERT INTO public.tallies VALUES ('environments/all', 10000, 0, 2);
INSERT INTO public.tallies VALUES ('environments/all', 100, 0, 2);
INSERT INTO public.tallies VALUES ('users/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('users/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('users/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1e4f1-7660-7000-8843-0cf197b0039e', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1e4f1-7660-7000-8843-0cf197b0039e', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1e4f1-7660-7000-8843-0cf197b0039e', 100, 0, 1);
INSERT INTO public.tallies VALUES ('deployments/all', 1000000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/all', 10000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/all', 100, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1e4f1-7650-7000-9af4-577477143029', 1000000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1e4f1-7650-7000-9af4-577477143029', 10000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1e4f1-7650-7000-9af4-577477143029', 100, 0, 4);
INSERT INTO public.tallies VALUES ('connectors/all', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/all', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/all', 100, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/01a1e4f1-7650-7000-9af4-577477143029', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/01a1e4f1-7650-7000-9af4-577477143029', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/01a1e4f1-7650-7000-9af4-577477143029', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e4f1-7989-7000-93d5-a617a84135ba', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e4f1-7989-7000-93d5-a617a84135ba', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e4f1-7989-7000-93d5-a617a84135ba', 100, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e4f1-7ac2-7000-b79b-37ad210b0503', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e4f1-7ac2-7000-b79b-37ad210b0503', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e4f1-7ac2-7000-b79b-37ad210b0503', 100, 0, 1);
INSERT INTO public.tallies VALUES ('automations/all', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('automations/all', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('automations/all', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/all', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('releases/all', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('releases/all', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e4f1-7650-7000-9af4-577477143029', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e4f1-7650-7000-9af4-577477143029', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e4f1-7650-7000-9af4-577477143029', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e4f1-7c47-7000-b5ce-9b485ee7922b', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e4f1-7c47-7000-b5ce-9b485ee7922b', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e4f1-7c47-7000-b5ce-9b485ee7922b', 100, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1e4f1-7650-7000-9af4-577477143029', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1e4f1-7650-7000-9af4-577477143029', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1e4f1-7650-7000-9af4-577477143029', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agents/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('agents/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('agents/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1e4f1-7dc5-7000-9e2b-1a160d376104', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1e4f1-7dc5-7000-9e2b-1a160d376104', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1e4f1-7dc5-7000-9e2b-1a160d376104', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e4f1-7650-7000-9af4-577477143029', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e4f1-7650-7000-9af4-577477143029', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e4f1-7650-7000-9af4-577477143029', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e4f1-7dc5-7000-9e2b-1a160d376104', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e4f1-7dc5-7000-9e2b-1a160d376104', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e4f1-7dc5-7000-9e2b-1a160d376104', 100, 0, 1);
INSERT INTO public.tallies VALUES ('apps/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e4f1-7650-7000-9af4-577477143029', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e4f1-7650-7000-9af4-577477143029', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e4f1-7650-7000-9af4-577477143029', 100, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e4f1-7dc5-7000-9e2b-1a160d376104', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e4f1-7dc5-7000-9e2b-1a160d376104', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e4f1-7dc5-7000-9e2b-1a160d376104', 100, 0, 1);
INSERT INTO public.tokens VALUES (1, '01a1e4f1-782f-7000-9c2c-25d07b675df7', '["nUS4mIXwRw4s_kIchnk8qRN7M7XC22f7keqgLvihx0c"]', 1, NULL, '01a1e4f1-7660-7000-8843-0cf197b0039e', NULL, '{"id":"01a1e4f1-782f-7000-9c2c-25d07b675df7","username":"ada@example.test","comment":"fixture","created_at":"2026-11-16T15:19:52.619Z","expires_at":null,"created_by":"internal-service"}', NULL, 'fixture', '', '', 'internal-service', 'fixture', '2026-11-16T15:19:52.619Z');
INSERT INTO public.users VALUES (1, '01a1e4f1-7660-7000-8843-0cf197b0039e', '["ada@example.test"]', 1, NULL, NULL, NULL, '{"id":"01a1e4f1-7660-7000-8843-0cf197b0039e","username":"ada@example.test","role":"operator","active":true,"created_at":"2026-11-16T15:19:52.160Z","updated_at":"2026-11-16T15:19:52.160Z","created_by":"internal-service"}', 'NUEKGuPGC1pj2HlUMDqi+LJfhYltwnFwp9eiFLEoazHJWKORzF5dAGgK+6opkzSzz9DUvCFtV1KYpmybXLz19oGmpEMo7UTi7IQGgIRs+GfUoIL/RKThseMM1UMXzrKHRh/1IZY8LLAKBOz3k/YlFY59', 'ada@example.test', 'active', '2026-11-16T15:19:52.160Z', 'internal-service', 'ada@example.test', '2026-11-16T15:19:52.160Z');
INSERT INTO public.versions VALUES (1, '01a1e4f1-7f5f-7000-9072-a66dcc299dfb', '["01a1e4f1-7dc5-7000-9e2b-1a160d376104","1.0.0"]', 1, NULL, '01a1e4f1-7dc5-7000-9e2b-1a160d376104', NULL, '{"id":"01a1e4f1-7f5f-7000-9072-a66dcc299dfb","agent_id":"01a1e4f1-7dc5-7000-9e2b-1a160d376104","version":"1.0.0","source_path":null,"metadata":{},"created_at":"2026-11-16T15:19:54.399Z","created_by":"internal-service"}', NULL, '1.0.0', '', '', 'internal-service', '1.0.0', '2026-11-16T15:19:54.399Z');
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
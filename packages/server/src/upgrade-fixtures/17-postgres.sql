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
CREATE TABLE public.drift (
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
CREATE TABLE public.installed_settings (
    environment_id text NOT NULL,
    subject text NOT NULL,
    part text NOT NULL,
    name text NOT NULL,
    reference text NOT NULL,
    settings text NOT NULL,
    installed_at text NOT NULL
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
INSERT INTO public.agent_environments VALUES (1, '01a1e691-febe-7000-b88c-2d878961bd9d', '["agent","01a1e691-fe86-7000-9076-7f408800f322","01a1e691-fb36-7000-9f0b-db953e634658"]', 5, '01a1e691-fb36-7000-9f0b-db953e634658', '01a1e691-fe86-7000-9076-7f408800f322', 'agent_release', '{"artifact":"agent/desk","release":{"environment_id":"01a1e691-fb36-7000-9f0b-db953e634658","environment":"prod","version":"1.0.0","workflow_run_id":null,"workflow_name":null,"workflow_run_url":null,"activated_at":"2026-11-16T22:54:50.032Z","activated_by":"internal-service"}}', NULL, '', '', '', '', '', '');
INSERT INTO public.agents VALUES (1, '01a1e691-fe86-7000-9076-7f408800f322', '["desk"]', 6, NULL, NULL, NULL, '{"id":"01a1e691-fe86-7000-9076-7f408800f322","name":"desk","aliases":["orders-bot"],"description":"","source_path":"tiny","components":[{"environment_id":"01a1e691-fb36-7000-9f0b-db953e634658","component":"chat","desired_state":"running","observed_state":"running","message":null,"updated_at":"2026-11-16T22:54:50.032Z","version":"1.0.0"},{"environment_id":"01a1e691-fb36-7000-9f0b-db953e634658","component":"agent_endpoint","desired_state":"running","observed_state":"running","message":null,"updated_at":"2026-11-16T22:54:50.458Z","version":"1.0.0"},{"environment_id":"01a1e691-fb36-7000-9f0b-db953e634658","component":"ui_app","desired_state":"running","observed_state":"running","version":"1.0.0","message":null,"updated_at":"2026-11-16T22:54:50.726Z"}],"releases":[{"environment_id":"01a1e691-fb36-7000-9f0b-db953e634658","environment":"prod","version":"1.0.0","workflow_run_id":null,"workflow_name":null,"workflow_run_url":null,"activated_at":"2026-11-16T22:54:50.032Z","activated_by":"internal-service"}],"created_at":"2026-11-16T22:54:49.990Z","updated_at":"2026-11-16T22:54:50.097Z","created_by":"internal-service","updated_by":"internal-service"}', NULL, 'desk', '', '2026-11-16T22:54:50.097Z', 'internal-service', 'desk', '2026-11-16T22:54:49.990Z');
INSERT INTO public.aliases VALUES ('["desk"]', '01a1e691-fe86-7000-9076-7f408800f322');
INSERT INTO public.aliases VALUES ('["orders-bot"]', '01a1e691-fe86-7000-9076-7f408800f322');
INSERT INTO public.apps VALUES (1, '01a1e691-fedd-7000-97ed-f491e9e25454', '["01a1e691-fb36-7000-9f0b-db953e634658","desk-ui"]', 3, '01a1e691-fb36-7000-9f0b-db953e634658', '01a1e691-fe86-7000-9076-7f408800f322', NULL, '{"id":"01a1e691-fedd-7000-97ed-f491e9e25454","name":"desk-ui","environment_id":"01a1e691-fb36-7000-9f0b-db953e634658","description":"","agent_id":"01a1e691-fe86-7000-9076-7f408800f322","source_path":"tiny","desired_state":"running","observed_state":"running","message":null,"created_at":"2026-11-16T22:54:50.077Z","updated_at":"2026-11-16T22:54:50.726Z","created_by":"internal-service","updated_by":"internal-service"}', NULL, 'desk-ui', 'running', '2026-11-16T22:54:50.726Z', 'internal-service', 'desk-ui', '2026-11-16T22:54:50.077Z');
INSERT INTO public.automations VALUES (1, '01a1e691-fd6d-7000-8a42-8ea49037e470', '["released"]', 1, NULL, NULL, NULL, '{"id":"01a1e691-fd6d-7000-8a42-8ea49037e470","alias":"released","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false},"design_content_hash":"sha256:d82013cfdda1f3175921910fbd9eb0acf312669e7925f0c05e5f58309689ee79","created_at":"2026-11-16T22:54:49.683Z","updated_at":"2026-11-16T22:54:49.683Z","created_by":"internal-service","updated_by":null}', NULL, 'released', '', '2026-11-16T22:54:49.683Z', 'internal-service', 'released', '2026-11-16T22:54:49.683Z');
INSERT INTO public.automations VALUES (2, '01a1e691-fdc8-7000-95f5-36ff731990b3', '["released-paused"]', 1, NULL, NULL, NULL, '{"id":"01a1e691-fdc8-7000-95f5-36ff731990b3","alias":"released-paused","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false},"design_content_hash":"sha256:1112bb91d1b3b61c9ac6b944d814609b8ae6adb0fc2b94188892604d41c071bd","created_at":"2026-11-16T22:54:49.790Z","updated_at":"2026-11-16T22:54:49.790Z","created_by":"internal-service","updated_by":null}', NULL, 'released-paused', '', '2026-11-16T22:54:49.790Z', 'internal-service', 'released-paused', '2026-11-16T22:54:49.790Z');
INSERT INTO public.automations VALUES (3, '01a1e691-fdfd-7000-9916-1666cc106c48', '["released-changed"]', 2, NULL, NULL, NULL, '{"id":"01a1e691-fdfd-7000-9916-1666cc106c48","alias":"released-changed","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 2","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false},"design_content_hash":"sha256:f6b38dd07db4ba331f099f7884e4380e971a952c9ea66bc4609f8734c4f8b536","created_at":"2026-11-16T22:54:49.848Z","updated_at":"2026-11-16T22:54:49.929Z","created_by":"internal-service","updated_by":"internal-service"}', NULL, 'released-changed', '', '2026-11-16T22:54:49.929Z', 'internal-service', 'released-changed', '2026-11-16T22:54:49.848Z');
INSERT INTO public.connectors VALUES (2, '01a1e691-fd04-7000-9d1f-80e14660aa36', '01a1e691-fb36-7000-9f0b-db953e634658/["referring"]', 1, '01a1e691-fb36-7000-9f0b-db953e634658', NULL, NULL, '{"id":"01a1e691-fd04-7000-9d1f-80e14660aa36","name":"referring","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"Bearer {{secrets/shop/api-key}}"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"active","git_commit_id":null,"git_branch":null,"workflow_id":"connector-01a1e691-fd04-7000-9d1f-80e14660aa36","artifacts_path":null,"error_message":null,"created_at":"2026-11-16T22:54:49.604Z","updated_at":"2026-11-16T22:54:49.604Z","created_by":"ada@example.test","updated_by":null,"datasets":[{"id":"01a1e691-fd05-7000-beb5-ea3942ac7eaf","connector_id":"01a1e691-fd04-7000-9d1f-80e14660aa36","source_dataset":"referring","target_name":"referring","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-16T22:54:49.604Z","created_by":"internal-service"}]}', NULL, 'referring', 'active', '2026-11-16T22:54:49.604Z', 'ada@example.test', 'referring
warehouse', '2026-11-16T22:54:49.604Z');
INSERT INTO public.connectors VALUES (3, '01a1e691-fd16-7000-a2a1-bdebcb59cdb8', '01a1e691-fb36-7000-9f0b-db953e634658/["paused"]', 2, '01a1e691-fb36-7000-9f0b-db953e634658', NULL, NULL, '{"id":"01a1e691-fd16-7000-a2a1-bdebcb59cdb8","name":"paused","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"********"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"paused","git_commit_id":null,"git_branch":null,"workflow_id":"connector-01a1e691-fd16-7000-a2a1-bdebcb59cdb8","artifacts_path":null,"error_message":null,"created_at":"2026-11-16T22:54:49.622Z","updated_at":"2026-11-16T22:54:49.645Z","created_by":"ada@example.test","updated_by":"internal-service","datasets":[{"id":"01a1e691-fd16-7001-afc0-e9b0b2be6e35","connector_id":"01a1e691-fd16-7000-a2a1-bdebcb59cdb8","source_dataset":"paused","target_name":"paused","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-16T22:54:49.622Z","created_by":"internal-service"}]}', 'fZrQHqEPVgzuCjr7dw+h+fKuxDb46scYUKpLjuGsaBONHhVIbOmkIXp2+bBqCwTx87SjMnPGlaXk88rsMDWOJKKWs/jFKtheWNj4oyFMa5axrSHzPoZjxZJ66Lh26vhWvVfFo6rMqQWJVYPgQAahHZFg', 'paused', 'paused', '2026-11-16T22:54:49.645Z', 'ada@example.test', 'paused
warehouse', '2026-11-16T22:54:49.622Z');
INSERT INTO public.connectors VALUES (1, '01a1e691-fce6-7000-9ef7-858fe583b407', '01a1e691-fb36-7000-9f0b-db953e634658/["inline"]', 2, '01a1e691-fb36-7000-9f0b-db953e634658', NULL, NULL, '{"id":"01a1e691-fce6-7000-9ef7-858fe583b407","name":"inline","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"********"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"active","git_commit_id":null,"git_branch":"main","workflow_id":"connector-01a1e691-fce6-7000-9ef7-858fe583b407","artifacts_path":null,"error_message":null,"created_at":"2026-11-16T22:54:49.573Z","updated_at":"2026-11-16T22:54:49.666Z","created_by":"ada@example.test","updated_by":"internal-service","datasets":[{"id":"01a1e691-fce6-7001-9cea-8890dc1095f0","connector_id":"01a1e691-fce6-7000-9ef7-858fe583b407","source_dataset":"inline","target_name":"inline","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-16T22:54:49.573Z","created_by":"internal-service"}]}', 'cC7iFfopcV4zsAmxFK/hU0Uf6ekhiryYHajjeZK9Xz/HDvxK4juo97kEnmsdcxxwBUbV9vS1DcTnFeyESVpB9oSqh92Lc43N5jzcUZNkFtt8M6A0Yy0ohuEHCVXDxFPBLwV/kyJyiwfdd+L5i2gLpXyOKost9xJHNr9knfgWYdg=', 'inline', 'active', '2026-11-16T22:54:49.666Z', 'ada@example.test', 'inline
warehouse', '2026-11-16T22:54:49.573Z');
INSERT INTO public.cursors VALUES ('chat', 0);
INSERT INTO public.deployment_counts VALUES ('01a1e691-fb36-7000-9f0b-db953e634658', 'pending', 0);
INSERT INTO public.deployment_counts VALUES ('01a1e691-fb36-7000-9f0b-db953e634658', 'succeeded', 4);
INSERT INTO public.deployment_log VALUES ('01a1e692-0179-7000-8a3f-1e0842e6f3e4', 1, '"uploading\n"');
INSERT INTO public.deployments VALUES (1, '01a1e691-fd86-7000-a4b7-486929e23e24', '["2026-11-16T22:54:49.721Z","01a1e691-fd86-7000-a4b7-486929e23e24"]', 1, '01a1e691-fb36-7000-9f0b-db953e634658', NULL, 'succeeded', '{"id":"01a1e691-fd86-7000-a4b7-486929e23e24","deployment_name":"released 1.0.0","environment_id":"01a1e691-fb36-7000-9f0b-db953e634658","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T22:54:49.721Z","started_at":"2026-11-16T22:54:49.721Z","completed_at":"2026-11-16T22:54:49.721Z","initiated_by":"internal-service","error_message":null}', NULL, 'released 1.0.0', 'succeeded', '', 'internal-service', 'released 1.0.0
main
3f9c1d2', '2026-11-16T22:54:49.721Z');
INSERT INTO public.deployments VALUES (2, '01a1e691-fde2-7001-8b2d-632ee7cb49b1', '["2026-11-16T22:54:49.818Z","01a1e691-fde2-7001-8b2d-632ee7cb49b1"]', 1, '01a1e691-fb36-7000-9f0b-db953e634658', NULL, 'succeeded', '{"id":"01a1e691-fde2-7001-8b2d-632ee7cb49b1","deployment_name":"released-paused 1.0.0","environment_id":"01a1e691-fb36-7000-9f0b-db953e634658","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T22:54:49.818Z","started_at":"2026-11-16T22:54:49.818Z","completed_at":"2026-11-16T22:54:49.818Z","initiated_by":"internal-service","error_message":null}', NULL, 'released-paused 1.0.0', 'succeeded', '', 'internal-service', 'released-paused 1.0.0
main
3f9c1d2', '2026-11-16T22:54:49.818Z');
INSERT INTO public.deployments VALUES (3, '01a1e691-fe11-7001-ae14-0cd84f5f5504', '["2026-11-16T22:54:49.867Z","01a1e691-fe11-7001-ae14-0cd84f5f5504"]', 1, '01a1e691-fb36-7000-9f0b-db953e634658', NULL, 'succeeded', '{"id":"01a1e691-fe11-7001-ae14-0cd84f5f5504","deployment_name":"released-changed 1.0.0","environment_id":"01a1e691-fb36-7000-9f0b-db953e634658","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T22:54:49.867Z","started_at":"2026-11-16T22:54:49.867Z","completed_at":"2026-11-16T22:54:49.867Z","initiated_by":"internal-service","error_message":null}', NULL, 'released-changed 1.0.0', 'succeeded', '', 'internal-service', 'released-changed 1.0.0
main
3f9c1d2', '2026-11-16T22:54:49.867Z');
INSERT INTO public.deployments VALUES (4, '01a1e692-0179-7000-8a3f-1e0842e6f3e4', '["2026-11-16T22:54:50.775Z","01a1e692-0179-7000-8a3f-1e0842e6f3e4"]', 2, '01a1e691-fb36-7000-9f0b-db953e634658', NULL, 'succeeded', '{"id":"01a1e692-0179-7000-8a3f-1e0842e6f3e4","deployment_name":"orders 1.0.0","environment_id":"01a1e691-fb36-7000-9f0b-db953e634658","git_branch":"main","git_commit_sha":"","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T22:54:50.745Z","started_at":null,"completed_at":"2026-11-16T22:54:50.775Z","initiated_by":"internal-service","error_message":null}', NULL, 'orders 1.0.0', 'succeeded', '', 'internal-service', 'orders 1.0.0
main', '2026-11-16T22:54:50.745Z');
INSERT INTO public.environments VALUES (1, '01a1e691-fa9d-7000-9a69-57e0a6888025', '["local"]', 1, NULL, NULL, NULL, '{"id":"01a1e691-fa9d-7000-9a69-57e0a6888025","name":"local","description":"Created at the first start","protected":false,"platform":"embedded","gitProvider":null,"gitRepository":null,"targetGitBranch":null,"secretScope":null,"dataPlatformClientIdKey":null,"dataPlatformClientSecretKey":null,"configuration":{},"isActive":true,"createdAt":"2026-11-16T22:54:48.987Z","updatedAt":"2026-11-16T22:54:48.987Z","createdBy":"lakehelm","updatedBy":null}', NULL, 'local', 'active', '2026-11-16T22:54:48.987Z', 'lakehelm', 'local
created at the first start', '2026-11-16T22:54:48.987Z');
INSERT INTO public.environments VALUES (2, '01a1e691-fb36-7000-9f0b-db953e634658', '["prod"]', 1, NULL, NULL, NULL, '{"id":"01a1e691-fb36-7000-9f0b-db953e634658","name":"prod","description":null,"protected":false,"platform":"embedded","gitProvider":null,"gitRepository":null,"targetGitBranch":null,"secretScope":null,"dataPlatformClientIdKey":null,"dataPlatformClientSecretKey":null,"configuration":{"timezone":"Europe/Berlin"},"isActive":true,"createdAt":"2026-11-16T22:54:49.140Z","updatedAt":"2026-11-16T22:54:49.140Z","createdBy":"internal-service","updatedBy":null}', NULL, 'prod', 'active', '2026-11-16T22:54:49.140Z', 'internal-service', 'prod', '2026-11-16T22:54:49.140Z');
INSERT INTO public.event_head VALUES (1, 43, 'FZ-lOH9wsWtyDsWdpCvmKEae3GhljTDNoNoJmZgLHKk', 'PPbWNaaBOZv55aguPZKkNv7S2NnJnQC1WIAHdZWk5Vs');
INSERT INTO public.event_start VALUES (1, 0, '', '', '');
INSERT INTO public.events VALUES (1, '01a1e691-faa1-7000-a5e3-f7a609c60c62', 'environment.created', 'environment/01a1e691-fa9d-7000-9a69-57e0a6888025', '{"id":"01a1e691-faa1-7000-a5e3-f7a609c60c62","time":"2026-11-16T22:54:48.987Z","actor":"lakehelm","request_id":null,"kind":"environment.created","subject":"environment/01a1e691-fa9d-7000-9a69-57e0a6888025","data":{"name":"local","platform":"embedded"}}', '_tLMcIiq6Ue9vMzSokjRZ6cjPE2cLBgV_Dk_MkGA9og');
INSERT INTO public.events VALUES (2, '01a1e691-fb36-7001-8116-80812931f634', 'environment.created', 'environment/01a1e691-fb36-7000-9f0b-db953e634658', '{"id":"01a1e691-fb36-7001-8116-80812931f634","time":"2026-11-16T22:54:49.140Z","actor":"internal-service","request_id":"01a1e691-fb32-7000-8ad2-ff1531517fbd","kind":"environment.created","subject":"environment/01a1e691-fb36-7000-9f0b-db953e634658","data":{"name":"prod","platform":"embedded"}}', '8DHiDK-w_OkoKLPwjn8jbJLYB4Ow-cyQCkSdrxxX_3s');
INSERT INTO public.events VALUES (3, '01a1e691-fc9d-7000-a60d-f0102b0ee430', 'user.created', 'user/01a1e691-fb41-7000-b47a-1415d3450466', '{"id":"01a1e691-fc9d-7000-a60d-f0102b0ee430","time":"2026-11-16T22:54:49.152Z","actor":"internal-service","request_id":"01a1e691-fb3f-7000-8343-44cc9e5176b2","kind":"user.created","subject":"user/01a1e691-fb41-7000-b47a-1415d3450466","data":{"id":"01a1e691-fb41-7000-b47a-1415d3450466","username":"ada@example.test","role":"operator","active":true,"created_at":"2026-11-16T22:54:49.152Z","updated_at":"2026-11-16T22:54:49.152Z","created_by":"internal-service"}}', 'edRhfwyA36Y8GOAkWASG3h2WYh7QkICYgrF9UIgZBxY');
INSERT INTO public.events VALUES (4, '01a1e691-fcaf-7000-b9cd-5d6951e23ba2', 'token.created', 'token/01a1e691-fcad-7000-be81-d5ab56e3b704', '{"id":"01a1e691-fcaf-7000-b9cd-5d6951e23ba2","time":"2026-11-16T22:54:49.515Z","actor":"internal-service","request_id":"01a1e691-fcaa-7000-a420-b078f13b6b0c","kind":"token.created","subject":"token/01a1e691-fcad-7000-be81-d5ab56e3b704","data":{"id":"01a1e691-fcad-7000-be81-d5ab56e3b704","username":"ada@example.test","comment":"fixture","created_at":"2026-11-16T22:54:49.515Z","expires_at":null,"created_by":"internal-service"}}', 'Sl4kuf0vXvBkBCf56zQ01tlCfle8zrD_FSO13UCNykU');
INSERT INTO public.events VALUES (5, '01a1e691-fccc-7000-8eec-5f0fe6c28fae', 'secret.stored', 'secret/01a1e691-fb36-7000-9f0b-db953e634658/shop/api-key', '{"id":"01a1e691-fccc-7000-8eec-5f0fe6c28fae","time":"2026-11-16T22:54:49.536Z","actor":"internal-service","request_id":"01a1e691-fcba-7000-a278-21ad2f7e509a","kind":"secret.stored","subject":"secret/01a1e691-fb36-7000-9f0b-db953e634658/shop/api-key","data":{"environment_id":"01a1e691-fb36-7000-9f0b-db953e634658","scope":"shop","key":"api-key"}}', 'OyTg4NY5zPTPc271KXZkTjlTQ6RNNwL5y8KHRW6VMwg');
INSERT INTO public.events VALUES (6, '01a1e691-fcf5-7000-a029-2ac187761cd0', 'connector.created', 'connector/01a1e691-fce6-7000-9ef7-858fe583b407', '{"id":"01a1e691-fcf5-7000-a029-2ac187761cd0","time":"2026-11-16T22:54:49.573Z","actor":"internal-service","request_id":"01a1e691-fcdc-7000-9f42-8745b867a585","kind":"connector.created","subject":"connector/01a1e691-fce6-7000-9ef7-858fe583b407","data":{"name":"inline","environment_id":"01a1e691-fb36-7000-9f0b-db953e634658","target_type":"warehouse","status":"active"}}', 'dvdZMf6_Nfwd9bcG0tnU7aTJN92vYE0QwSxvuRCBwao');
INSERT INTO public.events VALUES (7, '01a1e691-fd0c-7001-89ad-49602e7f1c4d', 'connector.created', 'connector/01a1e691-fd04-7000-9d1f-80e14660aa36', '{"id":"01a1e691-fd0c-7001-89ad-49602e7f1c4d","time":"2026-11-16T22:54:49.604Z","actor":"internal-service","request_id":"01a1e691-fd02-7000-8ed1-b2d30b24e582","kind":"connector.created","subject":"connector/01a1e691-fd04-7000-9d1f-80e14660aa36","data":{"name":"referring","environment_id":"01a1e691-fb36-7000-9f0b-db953e634658","target_type":"warehouse","status":"active"}}', '5a9abV81cwKu2asLYCaIpLNdU0lJpuzIq4lWVbsbwZc');
INSERT INTO public.events VALUES (8, '01a1e691-fd1b-7000-85de-181771679921', 'connector.created', 'connector/01a1e691-fd16-7000-a2a1-bdebcb59cdb8', '{"id":"01a1e691-fd1b-7000-85de-181771679921","time":"2026-11-16T22:54:49.622Z","actor":"internal-service","request_id":"01a1e691-fd14-7000-a0d7-b85b4b43a7fb","kind":"connector.created","subject":"connector/01a1e691-fd16-7000-a2a1-bdebcb59cdb8","data":{"name":"paused","environment_id":"01a1e691-fb36-7000-9f0b-db953e634658","target_type":"warehouse","status":"active"}}', '39jasA34kXtLspqr55QioXLbyBOD05ZGyG83LLVc-nI');
INSERT INTO public.events VALUES (9, '01a1e691-fd36-7000-9652-5fab7e3fd4e9', 'connector.paused', 'connector/01a1e691-fd16-7000-a2a1-bdebcb59cdb8', '{"id":"01a1e691-fd36-7000-9652-5fab7e3fd4e9","time":"2026-11-16T22:54:49.645Z","actor":"internal-service","request_id":"01a1e691-fd2c-7000-99d7-f225a243519c","kind":"connector.paused","subject":"connector/01a1e691-fd16-7000-a2a1-bdebcb59cdb8","data":{"name":"paused","environment_id":"01a1e691-fb36-7000-9f0b-db953e634658","reason":"holiday","until":null}}', 'gGVSn-ellr-7x05Yfp6VNBbjZF8epUWQzKXO8t1Tljk');
INSERT INTO public.events VALUES (10, '01a1e691-fd48-7001-9673-632c076c5c2d', 'connector.updated', 'connector/01a1e691-fce6-7000-9ef7-858fe583b407', '{"id":"01a1e691-fd48-7001-9673-632c076c5c2d","time":"2026-11-16T22:54:49.666Z","actor":"internal-service","request_id":"01a1e691-fd41-7000-93b7-31e72ef95452","kind":"connector.updated","subject":"connector/01a1e691-fce6-7000-9ef7-858fe583b407","data":{"name":"inline","environment_id":"01a1e691-fb36-7000-9f0b-db953e634658","fields":["git_branch"]}}', 'Sva-gZj9BTKJWsx5VRdb8Af2pYP6ZSxLIyuUvx8doSc');
INSERT INTO public.events VALUES (11, '01a1e691-fd6e-7000-93f2-af78115cec4d', 'automation.created', 'automation/01a1e691-fd6d-7000-8a42-8ea49037e470', '{"id":"01a1e691-fd6e-7000-93f2-af78115cec4d","time":"2026-11-16T22:54:49.683Z","actor":"internal-service","request_id":"01a1e691-fd52-7000-b3ee-c2880e95a7ef","kind":"automation.created","subject":"automation/01a1e691-fd6d-7000-8a42-8ea49037e470","data":{"alias":"released","design_content_hash":"sha256:d82013cfdda1f3175921910fbd9eb0acf312669e7925f0c05e5f58309689ee79"}}', 'h-2OUkAt0zIH3Nk_rwbxzWNCA9IeJTSEg5Nfi0HW150');
INSERT INTO public.events VALUES (12, '01a1e691-fd8a-7000-bb61-f373341a3693', 'deployment.recorded', 'deployment/01a1e691-fd86-7000-a4b7-486929e23e24', '{"id":"01a1e691-fd8a-7000-bb61-f373341a3693","time":"2026-11-16T22:54:49.721Z","actor":"internal-service","request_id":"01a1e691-fd78-7000-b9f8-edd1850b2dec","kind":"deployment.recorded","subject":"deployment/01a1e691-fd86-7000-a4b7-486929e23e24","data":{"deployment_name":"released 1.0.0","environment_id":"01a1e691-fb36-7000-9f0b-db953e634658","status":"succeeded"}}', 'qLvg9c39pzGfVldkTZas8HpqW0KVjFl1xoz72eTqh1k');
INSERT INTO public.events VALUES (13, '01a1e691-fd8a-7001-83b6-0c39e0fda800', 'automation.release_activated', 'automation/01a1e691-fd6d-7000-8a42-8ea49037e470', '{"id":"01a1e691-fd8a-7001-83b6-0c39e0fda800","time":"2026-11-16T22:54:49.721Z","actor":"internal-service","request_id":"01a1e691-fd78-7000-b9f8-edd1850b2dec","kind":"automation.release_activated","subject":"automation/01a1e691-fd6d-7000-8a42-8ea49037e470","data":{"alias":"released","release_id":"01a1e691-fd80-7000-8824-bb566d65d343","environment_id":"01a1e691-fb36-7000-9f0b-db953e634658","version":"1.0.0","replaced":null}}', 'NyFfhvhSNNwUt3SNcuJTZ2K6YPztLaP426Ee6BxxOqk');
INSERT INTO public.events VALUES (14, '01a1e691-fdac-7000-8b4f-d2c8337fafdf', 'environment.reconciled', 'environment/01a1e691-fb36-7000-9f0b-db953e634658', '{"id":"01a1e691-fdac-7000-8b4f-d2c8337fafdf","time":"2026-11-16T22:54:49.721Z","actor":"internal-service","request_id":"01a1e691-fd78-7000-b9f8-edd1850b2dec","kind":"environment.reconciled","subject":"environment/01a1e691-fb36-7000-9f0b-db953e634658","data":{}}', 'vWXfuA0JnhZObyQ72EMooDlFS7profqQB81XYFK89Uw');
INSERT INTO public.events VALUES (15, '01a1e691-fdc8-7001-8c3e-8fc30737d667', 'automation.created', 'automation/01a1e691-fdc8-7000-95f5-36ff731990b3', '{"id":"01a1e691-fdc8-7001-8c3e-8fc30737d667","time":"2026-11-16T22:54:49.790Z","actor":"internal-service","request_id":"01a1e691-fdbd-7000-b206-efda182aac9b","kind":"automation.created","subject":"automation/01a1e691-fdc8-7000-95f5-36ff731990b3","data":{"alias":"released-paused","design_content_hash":"sha256:1112bb91d1b3b61c9ac6b944d814609b8ae6adb0fc2b94188892604d41c071bd"}}', 'Imj97kPBDbltc9K5aFAGrWd_g_gvXyR_BaoVE878ZFw');
INSERT INTO public.events VALUES (16, '01a1e691-fde3-7000-b180-7d88f04225b4', 'deployment.recorded', 'deployment/01a1e691-fde2-7001-8b2d-632ee7cb49b1', '{"id":"01a1e691-fde3-7000-b180-7d88f04225b4","time":"2026-11-16T22:54:49.818Z","actor":"internal-service","request_id":"01a1e691-fdd9-7000-be08-7ab800c21226","kind":"deployment.recorded","subject":"deployment/01a1e691-fde2-7001-8b2d-632ee7cb49b1","data":{"deployment_name":"released-paused 1.0.0","environment_id":"01a1e691-fb36-7000-9f0b-db953e634658","status":"succeeded"}}', 'VuZ_idDqiXZP8qikLVQNKo4YiZ2_oo6OOX7WPoomOlU');
INSERT INTO public.events VALUES (17, '01a1e691-fde3-7001-a289-4ebcf37bd2c8', 'automation.release_activated', 'automation/01a1e691-fdc8-7000-95f5-36ff731990b3', '{"id":"01a1e691-fde3-7001-a289-4ebcf37bd2c8","time":"2026-11-16T22:54:49.818Z","actor":"internal-service","request_id":"01a1e691-fdd9-7000-be08-7ab800c21226","kind":"automation.release_activated","subject":"automation/01a1e691-fdc8-7000-95f5-36ff731990b3","data":{"alias":"released-paused","release_id":"01a1e691-fde1-7000-91a5-b3bfbb395c66","environment_id":"01a1e691-fb36-7000-9f0b-db953e634658","version":"1.0.0","replaced":null}}', 'BCgAZo-AJq_uasPz6E2h1Mf9gC27H-PsI54wnhsWgoU');
INSERT INTO public.events VALUES (18, '01a1e691-fdf4-7000-b55a-74084ee05f86', 'environment.reconciled', 'environment/01a1e691-fb36-7000-9f0b-db953e634658', '{"id":"01a1e691-fdf4-7000-b55a-74084ee05f86","time":"2026-11-16T22:54:49.818Z","actor":"internal-service","request_id":"01a1e691-fdd9-7000-be08-7ab800c21226","kind":"environment.reconciled","subject":"environment/01a1e691-fb36-7000-9f0b-db953e634658","data":{}}', 'D6bW9R32z0SyJ8I-QE-n9lEpSSJJF7pUD5O1gTTr-8c');
INSERT INTO public.events VALUES (19, '01a1e691-fdfd-7001-873a-20a41852ef58', 'automation.created', 'automation/01a1e691-fdfd-7000-9916-1666cc106c48', '{"id":"01a1e691-fdfd-7001-873a-20a41852ef58","time":"2026-11-16T22:54:49.848Z","actor":"internal-service","request_id":"01a1e691-fdf8-7000-959b-e98a28a3392c","kind":"automation.created","subject":"automation/01a1e691-fdfd-7000-9916-1666cc106c48","data":{"alias":"released-changed","design_content_hash":"sha256:2bb4d2063ab29a519f94a8b140af4f116799a0532b872422b1463eef4a7844f6"}}', 'RFVR42zoWOkJinELHo-y6Wsh_rRDRJ7ImTpnRKrzb4s');
INSERT INTO public.events VALUES (34, '01a1e691-ff05-7000-b37d-699e5342f61a', 'agent.component_started', 'agent/01a1e691-fe86-7000-9076-7f408800f322', '{"id":"01a1e691-ff05-7000-b37d-699e5342f61a","time":"2026-11-16T22:54:50.097Z","actor":"internal-service","request_id":"01a1e691-fef0-7000-ae6a-51820f2cf353","kind":"agent.component_started","subject":"agent/01a1e691-fe86-7000-9076-7f408800f322","data":{"name":"desk","environment_id":"01a1e691-fb36-7000-9f0b-db953e634658","component":"agent_endpoint","version":"1.0.0"}}', 'uYESIoGT-ksd9qUgO5lpoyurMiSm3PD-w3s3VOGkxsY');
INSERT INTO public.events VALUES (35, '01a1e692-0062-7000-ae31-1b2bbb85fd72', 'agent.component_settled', 'agent/01a1e691-fe86-7000-9076-7f408800f322', '{"id":"01a1e692-0062-7000-ae31-1b2bbb85fd72","time":"2026-11-16T22:54:50.458Z","actor":"platform","request_id":null,"kind":"agent.component_settled","subject":"agent/01a1e691-fe86-7000-9076-7f408800f322","data":{"environment_id":"01a1e691-fb36-7000-9f0b-db953e634658","component":"agent_endpoint","observed_state":"running","message":null}}', 'en4ioJS_V3TlJlxtOzSMfk8A_SI8sPbvcb1WcdgrO5Q');
INSERT INTO public.events VALUES (36, '01a1e692-006d-7000-bbb2-60364b48ac9f', 'app.started', 'app/01a1e691-fedd-7000-97ed-f491e9e25454', '{"id":"01a1e692-006d-7000-bbb2-60364b48ac9f","time":"2026-11-16T22:54:50.097Z","actor":"internal-service","request_id":"01a1e691-fef0-7000-ae6a-51820f2cf353","kind":"app.started","subject":"app/01a1e691-fedd-7000-97ed-f491e9e25454","data":{"name":"desk-ui","environment_id":"01a1e691-fb36-7000-9f0b-db953e634658","observed_state":"pending"}}', '0IFmasZq9kOcEy-4wvb9Wc2a-kxhiioVdSCiKpydA0U');
INSERT INTO public.events VALUES (37, '01a1e692-006d-7001-a3ce-9bb94b90122a', 'agent.ui_app_followed', 'agent/01a1e691-fe86-7000-9076-7f408800f322', '{"id":"01a1e692-006d-7001-a3ce-9bb94b90122a","time":"2026-11-16T22:54:50.097Z","actor":"internal-service","request_id":"01a1e691-fef0-7000-ae6a-51820f2cf353","kind":"agent.ui_app_followed","subject":"agent/01a1e691-fe86-7000-9076-7f408800f322","data":{"name":"desk","environment_id":"01a1e691-fb36-7000-9f0b-db953e634658","desired_state":"running","observed_state":"pending"}}', 'iejtKKF7ZwxioMevUVGUjfTlfBDn3TM-KQg2ZwOvF10');
INSERT INTO public.events VALUES (20, '01a1e691-fe11-7003-924f-03c63c3814d8', 'deployment.recorded', 'deployment/01a1e691-fe11-7001-ae14-0cd84f5f5504', '{"id":"01a1e691-fe11-7003-924f-03c63c3814d8","time":"2026-11-16T22:54:49.867Z","actor":"internal-service","request_id":"01a1e691-fe0b-7000-a14e-f4a6c12c3195","kind":"deployment.recorded","subject":"deployment/01a1e691-fe11-7001-ae14-0cd84f5f5504","data":{"deployment_name":"released-changed 1.0.0","environment_id":"01a1e691-fb36-7000-9f0b-db953e634658","status":"succeeded"}}', 'nvnhIEWDHwlQ7sHwTZR33DkRi2OYXko07x8Y6dHcUIE');
INSERT INTO public.events VALUES (21, '01a1e691-fe11-7004-a607-5045801e33b6', 'automation.release_activated', 'automation/01a1e691-fdfd-7000-9916-1666cc106c48', '{"id":"01a1e691-fe11-7004-a607-5045801e33b6","time":"2026-11-16T22:54:49.867Z","actor":"internal-service","request_id":"01a1e691-fe0b-7000-a14e-f4a6c12c3195","kind":"automation.release_activated","subject":"automation/01a1e691-fdfd-7000-9916-1666cc106c48","data":{"alias":"released-changed","release_id":"01a1e691-fe10-7000-8719-564d912bac6d","environment_id":"01a1e691-fb36-7000-9f0b-db953e634658","version":"1.0.0","replaced":null}}', 'Bg5g17HUky4oVFENVcwc8fHdF-4pDqgjyqGY5KY8Q_M');
INSERT INTO public.events VALUES (43, '01a1e692-01ab-7000-97ec-5447790d80b7', 'environment.reconciled', 'environment/01a1e691-fb36-7000-9f0b-db953e634658', '{"id":"01a1e692-01ab-7000-97ec-5447790d80b7","time":"2026-11-16T22:54:50.775Z","actor":"internal-service","request_id":"01a1e692-0196-7000-95c2-0187e23b2146","kind":"environment.reconciled","subject":"environment/01a1e691-fb36-7000-9f0b-db953e634658","data":{}}', 'FZ-lOH9wsWtyDsWdpCvmKEae3GhljTDNoNoJmZgLHKk');
INSERT INTO public.events VALUES (22, '01a1e691-fe23-7000-a1b6-4c3a0f9db82d', 'environment.reconciled', 'environment/01a1e691-fb36-7000-9f0b-db953e634658', '{"id":"01a1e691-fe23-7000-a1b6-4c3a0f9db82d","time":"2026-11-16T22:54:49.867Z","actor":"internal-service","request_id":"01a1e691-fe0b-7000-a14e-f4a6c12c3195","kind":"environment.reconciled","subject":"environment/01a1e691-fb36-7000-9f0b-db953e634658","data":{}}', 'oftYESj1-OiKlOfZHnOEYBzgopyow6UYlubItfF--AI');
INSERT INTO public.events VALUES (25, '01a1e691-fe6f-7000-9ba1-50297e2e774d', 'file.written', 'file/01a1e691-fb36-7000-9f0b-db953e634658/pipelines/numbers.sql', '{"id":"01a1e691-fe6f-7000-9ba1-50297e2e774d","time":"2026-11-16T22:54:49.954Z","actor":"internal-service","request_id":"01a1e691-fe5e-7000-97ca-b4fd55fa30f5","kind":"file.written","subject":"file/01a1e691-fb36-7000-9f0b-db953e634658/pipelines/numbers.sql","data":{"environment_id":"01a1e691-fb36-7000-9f0b-db953e634658","path":"pipelines/numbers.sql","size":51,"sha256":"b0bf44b639804f1839a1927e097d46337d4fc58b70b6448f3bb019cef234fa17"}}', 'EoqhuHIBQhQqU5-TIzr8VmuvLHmxZxVh_lckJiJlX_o');
INSERT INTO public.events VALUES (26, '01a1e691-fe79-7000-9702-768e110d55cf', 'pipeline.created', 'pipeline/01a1e691-fe78-7000-a20c-f06c54ee8ac2', '{"id":"01a1e691-fe79-7000-9702-768e110d55cf","time":"2026-11-16T22:54:49.976Z","actor":"internal-service","request_id":"01a1e691-fe76-7000-96c9-f0eb128b5f80","kind":"pipeline.created","subject":"pipeline/01a1e691-fe78-7000-a20c-f06c54ee8ac2","data":{"name":"numbers","environment_id":"01a1e691-fb36-7000-9f0b-db953e634658"}}', 'fyHiMYcdRDIPk8X9EILZY-h2OOwjAHLP0la9FgLUr-k');
INSERT INTO public.events VALUES (30, '01a1e691-fec0-7000-b130-4783b06eebe6', 'agent.version_created', 'agent/01a1e691-fe86-7000-9076-7f408800f322', '{"id":"01a1e691-fec0-7000-b130-4783b06eebe6","time":"2026-11-16T22:54:50.032Z","actor":"internal-service","request_id":"01a1e691-feaf-7000-832b-beadd89b5938","kind":"agent.version_created","subject":"agent/01a1e691-fe86-7000-9076-7f408800f322","data":{"name":"desk","version":"1.0.0"}}', '3OU2TcNMUU8cwNPNcyyRpBTRgOwLbMPlsWFVDhWi28M');
INSERT INTO public.events VALUES (31, '01a1e691-fec0-7001-a90a-3a105f3c25b5', 'agent.release_activated', 'agent/01a1e691-fe86-7000-9076-7f408800f322', '{"id":"01a1e691-fec0-7001-a90a-3a105f3c25b5","time":"2026-11-16T22:54:50.032Z","actor":"internal-service","request_id":"01a1e691-feaf-7000-832b-beadd89b5938","kind":"agent.release_activated","subject":"agent/01a1e691-fe86-7000-9076-7f408800f322","data":{"name":"desk","environment_id":"01a1e691-fb36-7000-9f0b-db953e634658","version":"1.0.0"}}', 'sHy4Ctn8GY8x9WLvABvjTUPJByMxzqwV0QHg521Z2_k');
INSERT INTO public.events VALUES (32, '01a1e691-fecd-7000-9544-33834673dae7', 'environment.reconciled', 'environment/01a1e691-fb36-7000-9f0b-db953e634658', '{"id":"01a1e691-fecd-7000-9544-33834673dae7","time":"2026-11-16T22:54:50.032Z","actor":"internal-service","request_id":"01a1e691-feaf-7000-832b-beadd89b5938","kind":"environment.reconciled","subject":"environment/01a1e691-fb36-7000-9f0b-db953e634658","data":{}}', 'wVkMqIJycVH1EIfrNSZpf87Gw0pl223QBy1ZXtAnDrw');
INSERT INTO public.events VALUES (33, '01a1e691-fee5-7000-92b5-322269fdc08e', 'app.created', 'app/01a1e691-fedd-7000-97ed-f491e9e25454', '{"id":"01a1e691-fee5-7000-92b5-322269fdc08e","time":"2026-11-16T22:54:50.077Z","actor":"internal-service","request_id":"01a1e691-fed9-7000-9be6-d2ecc99d39fd","kind":"app.created","subject":"app/01a1e691-fedd-7000-97ed-f491e9e25454","data":{"name":"desk-ui","environment_id":"01a1e691-fb36-7000-9f0b-db953e634658","agent_id":"01a1e691-fe86-7000-9076-7f408800f322"}}', 'pYlIpJNASJj4TLsNOEt8FbPVJgPuHWJhYWVDEJroh7o');
INSERT INTO public.events VALUES (38, '01a1e692-016e-7000-833d-1fe4e663c4c0', 'app.settled', 'app/01a1e691-fedd-7000-97ed-f491e9e25454', '{"id":"01a1e692-016e-7000-833d-1fe4e663c4c0","time":"2026-11-16T22:54:50.726Z","actor":"platform","request_id":null,"kind":"app.settled","subject":"app/01a1e691-fedd-7000-97ed-f491e9e25454","data":{"name":"desk-ui","observed_state":"running","message":null}}', 'gtUr_etzV5h871fCJZaUh70q7YE2jTqDjqblz3pPeHA');
INSERT INTO public.events VALUES (39, '01a1e692-016e-7001-9425-7beb41298d98', 'agent.ui_app_followed', 'agent/01a1e691-fe86-7000-9076-7f408800f322', '{"id":"01a1e692-016e-7001-9425-7beb41298d98","time":"2026-11-16T22:54:50.726Z","actor":"platform","request_id":null,"kind":"agent.ui_app_followed","subject":"agent/01a1e691-fe86-7000-9076-7f408800f322","data":{"name":"desk","environment_id":"01a1e691-fb36-7000-9f0b-db953e634658","desired_state":"running","observed_state":"running"}}', 'CSkEQK-OYOCegkuXmkPxWZYLXokFFm27u2NqTTkkD-A');
INSERT INTO public.events VALUES (40, '01a1e692-0179-7001-b4ea-90bdba2c0c6a', 'deployment.created', 'deployment/01a1e692-0179-7000-8a3f-1e0842e6f3e4', '{"id":"01a1e692-0179-7001-b4ea-90bdba2c0c6a","time":"2026-11-16T22:54:50.745Z","actor":"internal-service","request_id":"01a1e692-0177-7000-821c-e312db9f72d7","kind":"deployment.created","subject":"deployment/01a1e692-0179-7000-8a3f-1e0842e6f3e4","data":{"deployment_name":"orders 1.0.0","environment_id":"01a1e691-fb36-7000-9f0b-db953e634658","status":"pending"}}', 'Eu3hUcBqPf1UgTZwcV3vGjy4lFensNQIi72tsIMjEgs');
INSERT INTO public.events VALUES (41, '01a1e692-0188-7000-837e-e3abf3266383', 'deployment.logged', 'deployment/01a1e692-0179-7000-8a3f-1e0842e6f3e4', '{"id":"01a1e692-0188-7000-837e-e3abf3266383","time":"2026-11-16T22:54:50.758Z","actor":"internal-service","request_id":"01a1e692-0185-7000-bffc-ae88ff126d66","kind":"deployment.logged","subject":"deployment/01a1e692-0179-7000-8a3f-1e0842e6f3e4","data":{"environment_id":"01a1e691-fb36-7000-9f0b-db953e634658","characters":10}}', '76htlvazyQXUQHp192i6gvEUuHREUojwSxmDABUYy1E');
INSERT INTO public.events VALUES (42, '01a1e692-0199-7000-a7ae-2fc4399dae43', 'deployment.finished', 'deployment/01a1e692-0179-7000-8a3f-1e0842e6f3e4', '{"id":"01a1e692-0199-7000-a7ae-2fc4399dae43","time":"2026-11-16T22:54:50.775Z","actor":"internal-service","request_id":"01a1e692-0196-7000-95c2-0187e23b2146","kind":"deployment.finished","subject":"deployment/01a1e692-0179-7000-8a3f-1e0842e6f3e4","data":{"deployment_name":"orders 1.0.0","environment_id":"01a1e691-fb36-7000-9f0b-db953e634658","status":"succeeded"}}', 'ioNZe-wPuXwH4XXrA9zXP54cd-f1ARLteFIVVJxPUJc');
INSERT INTO public.events VALUES (23, '01a1e691-fe33-7001-81cf-150956a3092a', 'automation.schedule_paused', 'automation/01a1e691-fdc8-7000-95f5-36ff731990b3', '{"id":"01a1e691-fe33-7001-81cf-150956a3092a","time":"2026-11-16T22:54:49.900Z","actor":"internal-service","request_id":"01a1e691-fe2b-7000-92e2-2b260b2aad73","kind":"automation.schedule_paused","subject":"automation/01a1e691-fdc8-7000-95f5-36ff731990b3","data":{"alias":"released-paused","release_id":"01a1e691-fde1-7000-91a5-b3bfbb395c66","environment_id":"01a1e691-fb36-7000-9f0b-db953e634658","version":"1.0.0","reason":"holiday","until":null}}', 'KY0cUpJ4r4R9T2aAINMzS6AyZMyumaKkBZ77dLWJow0');
INSERT INTO public.events VALUES (24, '01a1e691-fe51-7000-9873-cfde91a58909', 'automation.definition_set', 'automation/01a1e691-fdfd-7000-9916-1666cc106c48', '{"id":"01a1e691-fe51-7000-9873-cfde91a58909","time":"2026-11-16T22:54:49.929Z","actor":"internal-service","request_id":"01a1e691-fe48-7000-9e36-e0bbfce54d4f","kind":"automation.definition_set","subject":"automation/01a1e691-fdfd-7000-9916-1666cc106c48","data":{"alias":"released-changed","design_content_hash":"sha256:f6b38dd07db4ba331f099f7884e4380e971a952c9ea66bc4609f8734c4f8b536"}}', 'pPcQYJJDW-_YWS08x2kCcgeXQzPYgIngdvWLlaRhEnE');
INSERT INTO public.events VALUES (27, '01a1e691-fe8b-7000-a394-a4638fb8dab4', 'agent.created', 'agent/01a1e691-fe86-7000-9076-7f408800f322', '{"id":"01a1e691-fe8b-7000-a394-a4638fb8dab4","time":"2026-11-16T22:54:49.990Z","actor":"internal-service","request_id":"01a1e691-fe85-7000-bc97-279a3e8b4507","kind":"agent.created","subject":"agent/01a1e691-fe86-7000-9076-7f408800f322","data":{"name":"desk","aliases":["orders-bot"]}}', '3MNYCpKfo7YsZdFD3WjdKPg5BgpQnTatzxJUgPC0mxc');
INSERT INTO public.events VALUES (28, '01a1e691-fe98-7000-bce9-832274a33245', 'file.written', 'file/01a1e691-fb36-7000-9f0b-db953e634658/tiny/app.yaml', '{"id":"01a1e691-fe98-7000-bce9-832274a33245","time":"2026-11-16T22:54:50.004Z","actor":"internal-service","request_id":"01a1e691-fe93-7000-86cc-5f57314ec6ba","kind":"file.written","subject":"file/01a1e691-fb36-7000-9f0b-db953e634658/tiny/app.yaml","data":{"environment_id":"01a1e691-fb36-7000-9f0b-db953e634658","path":"tiny/app.yaml","size":25,"sha256":"161d49cab793e4e16c959370ac0ef0283a37471131f8f1ce0f6cbd77067c181a"}}', 'rakeTe8ACH5FeAAoqMA4llYr0NODy5S51nIX9giKABs');
INSERT INTO public.events VALUES (29, '01a1e691-fea1-7000-9d9c-e606cc8d9988', 'file.written', 'file/01a1e691-fb36-7000-9f0b-db953e634658/tiny/app.mjs', '{"id":"01a1e691-fea1-7000-9d9c-e606cc8d9988","time":"2026-11-16T22:54:50.015Z","actor":"internal-service","request_id":"01a1e691-fe9e-7000-ac32-12c54704aa31","kind":"file.written","subject":"file/01a1e691-fb36-7000-9f0b-db953e634658/tiny/app.mjs","data":{"environment_id":"01a1e691-fb36-7000-9f0b-db953e634658","path":"tiny/app.mjs","size":154,"sha256":"42a29daadf6a0e247952089c44decb92d0f16169dfeeb9aa0956ff02f5cd7d93"}}', 'o1Rg89uL2NRQom9i0pY3mSJBrrir_GUb0XDC2hP1gTM');
INSERT INTO public.jobs VALUES ('connector-01a1e691-fd04-7000-9d1f-80e14660aa36', '01a1e691-fb36-7000-9f0b-db953e634658', 'connector', 'connector/01a1e691-fd04-7000-9d1f-80e14660aa36', '"referring"', '{"trigger":{"kind":"cron","cron":"0 6 1 1 *","timezone":"Europe/Berlin"},"attempts":5,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T05:00:00.000Z', '2026-11-16T22:54:49.612Z', '2026-11-16T22:54:49.612Z', 1, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('connector-01a1e691-fd16-7000-a2a1-bdebcb59cdb8', '01a1e691-fb36-7000-9f0b-db953e634658', 'connector', 'connector/01a1e691-fd16-7000-a2a1-bdebcb59cdb8', '"paused"', '{"trigger":{"kind":"cron","cron":"0 6 1 1 *","timezone":"Europe/Berlin"},"attempts":5,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', '{"by":"internal-service","at":"2026-11-16T22:54:49.645Z","reason":"holiday","until":null,"missed":0,"last_missed":null}', NULL, '{}', 0, NULL, '2027-01-01T05:00:00.000Z', '2026-11-16T22:54:49.626Z', '2026-11-16T22:54:49.626Z', 2, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('connector-01a1e691-fce6-7000-9ef7-858fe583b407', '01a1e691-fb36-7000-9f0b-db953e634658', 'connector', 'connector/01a1e691-fce6-7000-9ef7-858fe583b407', '"inline"', '{"trigger":{"kind":"cron","cron":"0 6 1 1 *","timezone":"Europe/Berlin"},"attempts":5,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T05:00:00.000Z', '2026-11-16T22:54:49.578Z', '2026-11-16T22:54:49.672Z', 2, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('automation-01a1e691-fd6d-7000-8a42-8ea49037e470-01a1e691-fb36-7000-9f0b-db953e634658', '01a1e691-fb36-7000-9f0b-db953e634658', 'automation', 'automation/01a1e691-fd6d-7000-8a42-8ea49037e470', '"released"', '{"trigger":{"kind":"cron","cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"attempts":20,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T06:00:00.000Z', '2026-11-16T22:54:49.733Z', '2026-11-16T22:54:49.733Z', 1, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('automation-01a1e691-fdfd-7000-9916-1666cc106c48-01a1e691-fb36-7000-9f0b-db953e634658', '01a1e691-fb36-7000-9f0b-db953e634658', 'automation', 'automation/01a1e691-fdfd-7000-9916-1666cc106c48', '"released-changed"', '{"trigger":{"kind":"cron","cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"attempts":20,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T06:00:00.000Z', '2026-11-16T22:54:49.873Z', '2026-11-16T22:54:49.873Z', 1, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('automation-01a1e691-fdc8-7000-95f5-36ff731990b3-01a1e691-fb36-7000-9f0b-db953e634658', '01a1e691-fb36-7000-9f0b-db953e634658', 'automation', 'automation/01a1e691-fdc8-7000-95f5-36ff731990b3', '"released-paused"', '{"trigger":{"kind":"cron","cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"attempts":20,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', '{"by":"internal-service","at":"2026-11-16T22:54:49.900Z","reason":"holiday","until":null,"missed":0,"last_missed":null}', NULL, '{}', 0, NULL, '2027-01-01T06:00:00.000Z', '2026-11-16T22:54:49.826Z', '2026-11-16T22:54:49.826Z', 2, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('pipeline-01a1e691-fe78-7000-a20c-f06c54ee8ac2', '01a1e691-fb36-7000-9f0b-db953e634658', 'pipeline', 'pipeline/01a1e691-fe78-7000-a20c-f06c54ee8ac2', '"numbers"', '{"trigger":{"kind":"manual"},"attempts":3,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'manual', NULL, NULL, '{}', 0, NULL, NULL, '2026-11-16T22:54:49.976Z', '2026-11-16T22:54:49.976Z', 1, '["lakehelm"]');
INSERT INTO public.keyring VALUES ('fingerprint', 'keOT3fxHz_I6EV7EkRe8KYS2yBFU5Xa5yqF8SRI7QW0');
INSERT INTO public.keyring VALUES ('jwt', 'NJyCBifkRp1ygBDYHQKHTIm8Y3eyEnQG0mF79cnkZym08cznrm6M/0eYHEisuptbPOGF2d0EqOfBOCpq3TWLdX5T0PYA52Oc');
INSERT INTO public.keyring VALUES ('event anchor/01a1e691-fa4a-7000-99fd-312c44ac4077', 'written');
INSERT INTO public.keyring VALUES ('masking rules 2', '2026-11-16T22:54:48.953Z');
INSERT INTO public.keyring VALUES ('missing installations 1', '2026-11-16T22:54:49.007Z');
INSERT INTO public.keyring VALUES ('data folder', '01a1e691-fa4a-7000-99fd-312c44ac4077');
INSERT INTO public.overrides VALUES ('01a1e691-fb36-7000-9f0b-db953e634658', '01a1e691-fdc8-7000-95f5-36ff731990b3', '{"paused":true,"by":"internal-service","at":"2026-11-16T22:54:49.900Z","reason":"holiday","until":null}');
INSERT INTO public.pipelines VALUES (1, '01a1e691-fe78-7000-a20c-f06c54ee8ac2', '["01a1e691-fb36-7000-9f0b-db953e634658","numbers"]', 1, '01a1e691-fb36-7000-9f0b-db953e634658', NULL, NULL, '{"pipeline_id":"01a1e691-fe78-7000-a20c-f06c54ee8ac2","name":"numbers","libraries":[{"file":{"path":"pipelines/numbers.sql"}}],"configuration":{},"continuous":false,"development":false,"photon":false,"serverless":false,"channel":"CURRENT","edition":"ADVANCED","platform_managed":true,"environment_id":"01a1e691-fb36-7000-9f0b-db953e634658","tags":{"platform.managed_by":"lakehelm","platform.environment":"prod","platform.pipeline":"numbers"},"platform_reference":"pipeline-01a1e691-fe78-7000-a20c-f06c54ee8ac2","error_message":null,"created_at":"2026-11-16T22:54:49.976Z","updated_at":"2026-11-16T22:54:49.976Z","created_by":"internal-service","updated_by":null}', NULL, 'numbers', '', '2026-11-16T22:54:49.976Z', 'internal-service', 'numbers', '2026-11-16T22:54:49.976Z');
INSERT INTO public.positions VALUES ('attempts', 0);
INSERT INTO public.positions VALUES ('bindings', 0);
INSERT INTO public.positions VALUES ('flows', 0);
INSERT INTO public.positions VALUES ('drift', 0);
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
INSERT INTO public.processes VALUES ('agent/01a1e691-fe86-7000-9076-7f408800f322/01a1e691-fb36-7000-9f0b-db953e634658', '01a1e691-fb36-7000-9f0b-db953e634658', 'running', '{"deploy":"01a1e691-ff03-7000-91bb-8f826d8cae72","name":"desk","sourcePath":"tiny","start":{"mark":"e778ccce1c4f8aa4.4bd86c3cdf7295f7da4b34d7aea4d4a5","port":39745,"url":"http://127.0.0.1:45545","boot":"9f3d9f44-6b6b-4927-9dfa-0d5966020935","pid":24834,"began":"2850562"},"ends":[],"askedAt":"2026-11-16T22:54:50.097Z","sight":{"observed_state":"running","message":null}}', 4);
INSERT INTO public.processes VALUES ('app/01a1e691-fedd-7000-97ed-f491e9e25454', '01a1e691-fb36-7000-9f0b-db953e634658', 'running', '{"deploy":"01a1e692-006a-7000-9ece-8f64aeb62f3d","name":"desk-ui","sourcePath":"tiny","start":{"mark":"e778ccce1c4f8aa4.e3f2dd0bc5976502509120e7581d4cac","port":33513,"url":"http://127.0.0.1:45545","boot":"9f3d9f44-6b6b-4927-9dfa-0d5966020935","pid":24848,"began":"2850591"},"ends":[],"askedAt":"2026-11-16T22:54:50.097Z","sight":{"observed_state":"running","message":null}}', 4);
INSERT INTO public.release_designs VALUES ('01a1e691-fd80-7000-8824-bb566d65d343', '01a1e691-fd6d-7000-8a42-8ea49037e470', '01a1e691-fb36-7000-9f0b-db953e634658', '{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false}', NULL);
INSERT INTO public.release_designs VALUES ('01a1e691-fde1-7000-91a5-b3bfbb395c66', '01a1e691-fdc8-7000-95f5-36ff731990b3', '01a1e691-fb36-7000-9f0b-db953e634658', '{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false}', NULL);
INSERT INTO public.release_designs VALUES ('01a1e691-fe10-7000-8719-564d912bac6d', '01a1e691-fdfd-7000-9916-1666cc106c48', '01a1e691-fb36-7000-9f0b-db953e634658', '{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false}', NULL);
INSERT INTO public.releases VALUES (1, '01a1e691-fd80-7000-8824-bb566d65d343', '["automation","01a1e691-fd6d-7000-8a42-8ea49037e470","01a1e691-fb36-7000-9f0b-db953e634658"]', 1, '01a1e691-fb36-7000-9f0b-db953e634658', '01a1e691-fd6d-7000-8a42-8ea49037e470', 'installed', '{"id":"01a1e691-fd80-7000-8824-bb566d65d343","artifact":"automation/released","environment_id":"01a1e691-fb36-7000-9f0b-db953e634658","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:d82013cfdda1f3175921910fbd9eb0acf312669e7925f0c05e5f58309689ee79","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1e691-fd6d-7000-8a42-8ea49037e470-01a1e691-fb36-7000-9f0b-db953e634658","activated_at":"2026-11-16T22:54:49.721Z","activated_by":"internal-service","deployment_id":"01a1e691-fd86-7000-a4b7-486929e23e24"}', NULL, '1.0.0', '', '', 'internal-service', '1.0.0
main
3f9c1d2', '2026-11-16T22:54:49.721Z');
INSERT INTO public.releases VALUES (3, '01a1e691-fe10-7000-8719-564d912bac6d', '["automation","01a1e691-fdfd-7000-9916-1666cc106c48","01a1e691-fb36-7000-9f0b-db953e634658"]', 1, '01a1e691-fb36-7000-9f0b-db953e634658', '01a1e691-fdfd-7000-9916-1666cc106c48', 'installed', '{"id":"01a1e691-fe10-7000-8719-564d912bac6d","artifact":"automation/released-changed","environment_id":"01a1e691-fb36-7000-9f0b-db953e634658","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:2bb4d2063ab29a519f94a8b140af4f116799a0532b872422b1463eef4a7844f6","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1e691-fdfd-7000-9916-1666cc106c48-01a1e691-fb36-7000-9f0b-db953e634658","activated_at":"2026-11-16T22:54:49.867Z","activated_by":"internal-service","deployment_id":"01a1e691-fe11-7001-ae14-0cd84f5f5504"}', NULL, '1.0.0', '', '', 'internal-service', '1.0.0
main
3f9c1d2', '2026-11-16T22:54:49.867Z');
INSERT INTO public.releases VALUES (2, '01a1e691-fde1-7000-91a5-b3bfbb395c66', '["automation","01a1e691-fdc8-7000-95f5-36ff731990b3","01a1e691-fb36-7000-9f0b-db953e634658"]', 2, '01a1e691-fb36-7000-9f0b-db953e634658', '01a1e691-fdc8-7000-95f5-36ff731990b3', 'installed', '{"id":"01a1e691-fde1-7000-91a5-b3bfbb395c66","artifact":"automation/released-paused","environment_id":"01a1e691-fb36-7000-9f0b-db953e634658","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:1112bb91d1b3b61c9ac6b944d814609b8ae6adb0fc2b94188892604d41c071bd","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1e691-fdc8-7000-95f5-36ff731990b3-01a1e691-fb36-7000-9f0b-db953e634658","activated_at":"2026-11-16T22:54:49.818Z","activated_by":"internal-service","deployment_id":"01a1e691-fde2-7001-8b2d-632ee7cb49b1"}', NULL, '1.0.0', '', '', 'internal-service', '1.0.0
main
3f9c1d2', '2026-11-16T22:54:49.818Z');
INSERT INTO public.schema_version VALUES (17);
INSERT INTO public.secrets VALUES ('01a1e691-fb36-7000-9f0b-db953e634658', 'shop', 'api-key', 'H1BtyfPmzyNqGLdQBW8g3csWHOVA8nj8DxYmsX5KOWKh+C1J8rKS', '2026-11-16T22:54:49.536Z');
INSERT INTO public.summaries VALUES ('01a1e691-fb36-7000-9f0b-db953e634658', '{"environment_id":"01a1e691-fb36-7000-9f0b-db953e634658","latest_success":{"id":"01a1e692-0179-7000-8a3f-1e0842e6f3e4","deployment_name":"orders 1.0.0","git_branch":"main","git_commit_sha":"","completed_at":"2026-11-16T22:54:50.775Z"},"current_releases":[{"artifact":"automation/released","version":"1.0.0","activated_at":"2026-11-16T22:54:49.721Z"},{"artifact":"automation/released-paused","version":"1.0.0","activated_at":"2026-11-16T22:54:49.818Z"},{"artifact":"automation/released-changed","version":"1.0.0","activated_at":"2026-11-16T22:54:49.867Z"},{"artifact":"agent/desk","version":"1.0.0","activated_at":"2026-11-16T22:54:50.032Z"}],"deployment_counts":{"succeeded":4},"failure_streak":0,"reconciled_at":"2026-11-16T22:54:50.775Z"}');
INSERT INTO public.tallies VALUES ('environments/all', 1000000, 0, 2);
INSERT INTO public.tallies VALUES ('environments/all', 10000, 0, 2);
INSERT INTO public.tallies VALUES ('environments/all', 100, 0, 2);
INSERT INTO public.tallies VALUES ('users/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('users/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('users/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1e691-fb41-7000-b47a-1415d3450466', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1e691-fb41-7000-b47a-1415d3450466', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1e691-fb41-7000-b47a-1415d3450466', 100, 0, 1);
INSERT INTO public.tallies VALUES ('deployments/all', 1000000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/all', 10000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/all', 100, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1e691-fb36-7000-9f0b-db953e634658', 1000000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1e691-fb36-7000-9f0b-db953e634658', 10000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1e691-fb36-7000-9f0b-db953e634658', 100, 0, 4);
INSERT INTO public.tallies VALUES ('connectors/all', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/all', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/all', 100, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/01a1e691-fb36-7000-9f0b-db953e634658', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/01a1e691-fb36-7000-9f0b-db953e634658', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/01a1e691-fb36-7000-9f0b-db953e634658', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e691-fd6d-7000-8a42-8ea49037e470', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e691-fd6d-7000-8a42-8ea49037e470', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e691-fd6d-7000-8a42-8ea49037e470', 100, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e691-fdc8-7000-95f5-36ff731990b3', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e691-fdc8-7000-95f5-36ff731990b3', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e691-fdc8-7000-95f5-36ff731990b3', 100, 0, 1);
INSERT INTO public.tallies VALUES ('automations/all', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('automations/all', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('automations/all', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/all', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('releases/all', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('releases/all', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e691-fb36-7000-9f0b-db953e634658', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e691-fb36-7000-9f0b-db953e634658', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e691-fb36-7000-9f0b-db953e634658', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e691-fdfd-7000-9916-1666cc106c48', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e691-fdfd-7000-9916-1666cc106c48', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e691-fdfd-7000-9916-1666cc106c48', 100, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1e691-fb36-7000-9f0b-db953e634658', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1e691-fb36-7000-9f0b-db953e634658', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1e691-fb36-7000-9f0b-db953e634658', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agents/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('agents/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('agents/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1e691-fe86-7000-9076-7f408800f322', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1e691-fe86-7000-9076-7f408800f322', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1e691-fe86-7000-9076-7f408800f322', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e691-fb36-7000-9f0b-db953e634658', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e691-fb36-7000-9f0b-db953e634658', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e691-fb36-7000-9f0b-db953e634658', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e691-fe86-7000-9076-7f408800f322', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e691-fe86-7000-9076-7f408800f322', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e691-fe86-7000-9076-7f408800f322', 100, 0, 1);
INSERT INTO public.tallies VALUES ('apps/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e691-fb36-7000-9f0b-db953e634658', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e691-fb36-7000-9f0b-db953e634658', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e691-fb36-7000-9f0b-db953e634658', 100, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e691-fe86-7000-9076-7f408800f322', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e691-fe86-7000-9076-7f408800f322', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e691-fe86-7000-9076-7f408800f322', 100, 0, 1);
INSERT INTO public.tokens VALUES (1, '01a1e691-fcad-7000-be81-d5ab56e3b704', '["ZB7aVfl3uMrzHsZk-AhHCj6sbV_1Fd9ThzMYyEcXFLg"]', 1, NULL, '01a1e691-fb41-7000-b47a-1415d3450466', NULL, '{"id":"01a1e691-fcad-7000-be81-d5ab56e3b704","username":"ada@example.test","comment":"fixture","created_at":"2026-11-16T22:54:49.515Z","expires_at":null,"created_by":"internal-service"}', NULL, 'fixture', '', '', 'internal-service', 'fixture', '2026-11-16T22:54:49.515Z');
INSERT INTO public.users VALUES (1, '01a1e691-fb41-7000-b47a-1415d3450466', '["ada@example.test"]', 1, NULL, NULL, NULL, '{"id":"01a1e691-fb41-7000-b47a-1415d3450466","username":"ada@example.test","role":"operator","active":true,"created_at":"2026-11-16T22:54:49.152Z","updated_at":"2026-11-16T22:54:49.152Z","created_by":"internal-service"}', 'p4xakuCYcmgSeoH4E7gNEzhe1Zv+PW+UcJiQSgD2hLasJe1BxSgRhi/HsV7dt0JLAwLWKHy3X9FO/vjRZpjWscm9SUfU/9cByAyG7Hk1rornZwx7cQeUakfRi3MLvT00vZeyiTa22RESWxfW42GONTUc', 'ada@example.test', 'active', '2026-11-16T22:54:49.152Z', 'internal-service', 'ada@example.test', '2026-11-16T22:54:49.152Z');
INSERT INTO public.versions VALUES (1, '01a1e691-feba-7000-a15f-e3e4a4433ab9', '["01a1e691-fe86-7000-9076-7f408800f322","1.0.0"]', 1, NULL, '01a1e691-fe86-7000-9076-7f408800f322', NULL, '{"id":"01a1e691-feba-7000-a15f-e3e4a4433ab9","agent_id":"01a1e691-fe86-7000-9076-7f408800f322","version":"1.0.0","source_path":null,"metadata":{},"created_at":"2026-11-16T22:54:50.032Z","created_by":"internal-service"}', NULL, '1.0.0', '', '', 'internal-service', '1.0.0', '2026-11-16T22:54:50.032Z');
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
ALTER TABLE ONLY public.drift
    ADD CONSTRAINT drift_id_key UNIQUE (id);
ALTER TABLE ONLY public.drift
    ADD CONSTRAINT drift_key_key UNIQUE (key);
ALTER TABLE ONLY public.drift
    ADD CONSTRAINT drift_pkey PRIMARY KEY ("position");
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
ALTER TABLE ONLY public.installed_settings
    ADD CONSTRAINT installed_settings_key PRIMARY KEY (environment_id, subject, part);
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
CREATE INDEX drift_by_environment_id ON public.drift USING btree (environment_id, "position") WHERE (environment_id IS NOT NULL);
CREATE INDEX drift_by_list_columns ON public.drift USING btree ("position", environment_id, owner, created_at, name, status, updated_at, created_by, search_text);
CREATE INDEX drift_by_owner ON public.drift USING btree (owner, "position") WHERE (owner IS NOT NULL);
CREATE INDEX drift_without_list_columns ON public.drift USING btree ("position") WHERE (created_at IS NULL);
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
ALTER TABLE ONLY public.drift
    ADD CONSTRAINT drift_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES public.environments(id);
ALTER TABLE ONLY public.environments
    ADD CONSTRAINT environments_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES public.environments(id);
ALTER TABLE ONLY public.flows
    ADD CONSTRAINT flows_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES public.environments(id);
ALTER TABLE ONLY public.installed_settings
    ADD CONSTRAINT installed_settings_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES public.environments(id) ON DELETE CASCADE;
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
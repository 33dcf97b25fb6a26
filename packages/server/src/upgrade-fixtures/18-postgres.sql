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
CREATE TABLE public.applied_resources (
    environment_id text NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    project text NOT NULL,
    plan_id text NOT NULL,
    commit_id text,
    design_hash text NOT NULL,
    digest text NOT NULL,
    definition text NOT NULL,
    applied_at text NOT NULL,
    applied_by text NOT NULL
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
CREATE TABLE public.plan_checks (
    plan_id text NOT NULL,
    policies text NOT NULL,
    findings text NOT NULL
);
CREATE TABLE public.plan_locks (
    environment_id text NOT NULL,
    plan_id text NOT NULL,
    actor text NOT NULL,
    started_at text NOT NULL
);
CREATE TABLE public.plan_steps (
    plan_id text NOT NULL,
    "position" integer NOT NULL,
    action text NOT NULL,
    status text NOT NULL,
    error text,
    doc text NOT NULL,
    definition text,
    rests_on text NOT NULL,
    leads_to text NOT NULL
);
CREATE TABLE public.plans (
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
INSERT INTO public.agent_environments VALUES (1, '01a1e6ac-7f0e-7000-b72e-948cbc82e2c8', '["agent","01a1e6ac-7dd4-7000-8a06-b5d6491fc481","01a1e6ac-7528-7000-ba4d-779598c8c80e"]', 5, '01a1e6ac-7528-7000-ba4d-779598c8c80e', '01a1e6ac-7dd4-7000-8a06-b5d6491fc481', 'agent_release', '{"artifact":"agent/desk","release":{"environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","environment":"prod","version":"1.0.0","workflow_run_id":null,"workflow_name":null,"workflow_run_url":null,"activated_at":"2026-11-16T23:23:46.769Z","activated_by":"internal-service"}}', NULL, '', '', '', '', '', '');
INSERT INTO public.agents VALUES (1, '01a1e6ac-7dd4-7000-8a06-b5d6491fc481', '["desk"]', 6, NULL, NULL, NULL, '{"id":"01a1e6ac-7dd4-7000-8a06-b5d6491fc481","name":"desk","aliases":["orders-bot"],"description":"","source_path":"tiny","components":[{"environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","component":"chat","desired_state":"running","observed_state":"running","message":null,"updated_at":"2026-11-16T23:23:46.769Z","version":"1.0.0"},{"environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","component":"agent_endpoint","desired_state":"running","observed_state":"running","message":null,"updated_at":"2026-11-16T23:23:48.111Z","version":"1.0.0"},{"environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","component":"ui_app","desired_state":"running","observed_state":"running","version":"1.0.0","message":null,"updated_at":"2026-11-16T23:23:48.811Z"}],"releases":[{"environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","environment":"prod","version":"1.0.0","workflow_run_id":null,"workflow_name":null,"workflow_run_url":null,"activated_at":"2026-11-16T23:23:46.769Z","activated_by":"internal-service"}],"created_at":"2026-11-16T23:23:46.516Z","updated_at":"2026-11-16T23:23:47.033Z","created_by":"internal-service","updated_by":"internal-service"}', NULL, 'desk', '', '2026-11-16T23:23:47.033Z', 'internal-service', 'desk', '2026-11-16T23:23:46.516Z');
INSERT INTO public.agents VALUES (2, '01a1e6ac-8b2f-7000-b743-64fca523e785', '["planned"]', 1, NULL, NULL, NULL, '{"id":"01a1e6ac-8b2f-7000-b743-64fca523e785","name":"planned","aliases":[],"description":"From a plan","source_path":null,"components":[],"releases":[],"created_at":"2026-11-16T23:23:49.864Z","updated_at":"2026-11-16T23:23:49.864Z","created_by":"internal-service","updated_by":null}', NULL, 'planned', '', '2026-11-16T23:23:49.864Z', 'internal-service', 'planned
from a plan', '2026-11-16T23:23:49.864Z');
INSERT INTO public.aliases VALUES ('["desk"]', '01a1e6ac-7dd4-7000-8a06-b5d6491fc481');
INSERT INTO public.aliases VALUES ('["orders-bot"]', '01a1e6ac-7dd4-7000-8a06-b5d6491fc481');
INSERT INTO public.aliases VALUES ('["planned"]', '01a1e6ac-8b2f-7000-b743-64fca523e785');
INSERT INTO public.applied_resources VALUES ('01a1e6ac-7528-7000-ba4d-779598c8c80e', 'agent', 'planned', 'shop', '01a1e6ac-8a29-7000-babe-7c85a2df186c', '3f9c1d2', 'sha256:891434dc96d8fde7b0202b1c0eb0ec04fae43b0ad0da6381a8f27564d08324fa', 'XrZ4trSipMnlXmsOFWNIfuUu137Y31jxsyuvsh74yrY', 'AGmlYsTYalmm+K7yuSThHm8dvP73q8DzZUjNCSGB/z2uZ+DR6JZAOSKfnR9xSxt6OFM3fVbejdT0n1F2zYxnHkIlRwK+D5NQOwUQ+QcNd2bdwktr9PQgkqBF51p2pNbZQqQjK69vufZzTgscAObiV6y5TDGTxQv0yVAffbV/W0Z3NPPM11BSTWwtyqRgHAamcKTyvGrxQ3fIOrcVsFVEhEiG2r/2PDN1F5n2YsIqiyY1IpqekjKZTTcpt4FykH8E3kN6JCZ/Ga2TsE8=', '2026-11-16T23:23:49.993Z', 'internal-service');
INSERT INTO public.apps VALUES (1, '01a1e6ac-7fc8-7000-a0eb-82cf2af237e7', '["01a1e6ac-7528-7000-ba4d-779598c8c80e","desk-ui"]', 3, '01a1e6ac-7528-7000-ba4d-779598c8c80e', '01a1e6ac-7dd4-7000-8a06-b5d6491fc481', NULL, '{"id":"01a1e6ac-7fc8-7000-a0eb-82cf2af237e7","name":"desk-ui","environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","description":"","agent_id":"01a1e6ac-7dd4-7000-8a06-b5d6491fc481","source_path":"tiny","desired_state":"running","observed_state":"running","message":null,"created_at":"2026-11-16T23:23:47.016Z","updated_at":"2026-11-16T23:23:48.811Z","created_by":"internal-service","updated_by":"internal-service"}', NULL, 'desk-ui', 'running', '2026-11-16T23:23:48.811Z', 'internal-service', 'desk-ui', '2026-11-16T23:23:47.016Z');
INSERT INTO public.automations VALUES (1, '01a1e6ac-7951-7000-8be4-ff48f7f1e5e9', '["released"]', 1, NULL, NULL, NULL, '{"id":"01a1e6ac-7951-7000-8be4-ff48f7f1e5e9","alias":"released","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false},"design_content_hash":"sha256:d82013cfdda1f3175921910fbd9eb0acf312669e7925f0c05e5f58309689ee79","created_at":"2026-11-16T23:23:45.289Z","updated_at":"2026-11-16T23:23:45.289Z","created_by":"internal-service","updated_by":null}', NULL, 'released', '', '2026-11-16T23:23:45.289Z', 'internal-service', 'released', '2026-11-16T23:23:45.289Z');
INSERT INTO public.automations VALUES (2, '01a1e6ac-7a10-7000-8e97-81b60b89d698', '["released-paused"]', 1, NULL, NULL, NULL, '{"id":"01a1e6ac-7a10-7000-8e97-81b60b89d698","alias":"released-paused","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false},"design_content_hash":"sha256:1112bb91d1b3b61c9ac6b944d814609b8ae6adb0fc2b94188892604d41c071bd","created_at":"2026-11-16T23:23:45.544Z","updated_at":"2026-11-16T23:23:45.544Z","created_by":"internal-service","updated_by":null}', NULL, 'released-paused', '', '2026-11-16T23:23:45.544Z', 'internal-service', 'released-paused', '2026-11-16T23:23:45.544Z');
INSERT INTO public.automations VALUES (3, '01a1e6ac-7b4b-7000-a5c8-8d439a6c23c0', '["released-changed"]', 2, NULL, NULL, NULL, '{"id":"01a1e6ac-7b4b-7000-a5c8-8d439a6c23c0","alias":"released-changed","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 2","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false},"design_content_hash":"sha256:f6b38dd07db4ba331f099f7884e4380e971a952c9ea66bc4609f8734c4f8b536","created_at":"2026-11-16T23:23:45.843Z","updated_at":"2026-11-16T23:23:46.240Z","created_by":"internal-service","updated_by":"internal-service"}', NULL, 'released-changed', '', '2026-11-16T23:23:46.240Z', 'internal-service', 'released-changed', '2026-11-16T23:23:45.843Z');
INSERT INTO public.connectors VALUES (2, '01a1e6ac-785e-7000-b43e-be39be53078b', '01a1e6ac-7528-7000-ba4d-779598c8c80e/["referring"]', 1, '01a1e6ac-7528-7000-ba4d-779598c8c80e', NULL, NULL, '{"id":"01a1e6ac-785e-7000-b43e-be39be53078b","name":"referring","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"Bearer {{secrets/shop/api-key}}"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"active","git_commit_id":null,"git_branch":null,"workflow_id":"connector-01a1e6ac-785e-7000-b43e-be39be53078b","artifacts_path":null,"error_message":null,"created_at":"2026-11-16T23:23:45.118Z","updated_at":"2026-11-16T23:23:45.118Z","created_by":"ada@example.test","updated_by":null,"datasets":[{"id":"01a1e6ac-785e-7001-ab35-431ede1d3bd2","connector_id":"01a1e6ac-785e-7000-b43e-be39be53078b","source_dataset":"referring","target_name":"referring","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-16T23:23:45.118Z","created_by":"internal-service"}]}', NULL, 'referring', 'active', '2026-11-16T23:23:45.118Z', 'ada@example.test', 'referring
warehouse', '2026-11-16T23:23:45.118Z');
INSERT INTO public.connectors VALUES (3, '01a1e6ac-788b-7000-80d9-057afb5ab1e4', '01a1e6ac-7528-7000-ba4d-779598c8c80e/["paused"]', 2, '01a1e6ac-7528-7000-ba4d-779598c8c80e', NULL, NULL, '{"id":"01a1e6ac-788b-7000-80d9-057afb5ab1e4","name":"paused","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"********"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"paused","git_commit_id":null,"git_branch":null,"workflow_id":"connector-01a1e6ac-788b-7000-80d9-057afb5ab1e4","artifacts_path":null,"error_message":null,"created_at":"2026-11-16T23:23:45.163Z","updated_at":"2026-11-16T23:23:45.183Z","created_by":"ada@example.test","updated_by":"internal-service","datasets":[{"id":"01a1e6ac-788c-7000-998c-abde67b0e281","connector_id":"01a1e6ac-788b-7000-80d9-057afb5ab1e4","source_dataset":"paused","target_name":"paused","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-16T23:23:45.163Z","created_by":"internal-service"}]}', '4FvCzJzmxPWESWB3j7GNE7ViiUh3akB2wE6jwtvdvD6+9GjI7hLnGCF9M9Rs4H2l2Z9m9Xdq8znEJwPRv1W8CPdtdMUnJEMpLkt2MvB8bNreAycJpeI7/OvRYJHWpPB0wEDdD29yNkWmQ4WSJml1Y1e2', 'paused', 'paused', '2026-11-16T23:23:45.183Z', 'ada@example.test', 'paused
warehouse', '2026-11-16T23:23:45.163Z');
INSERT INTO public.connectors VALUES (1, '01a1e6ac-7808-7000-b4f0-9cb2ed2547a7', '01a1e6ac-7528-7000-ba4d-779598c8c80e/["inline"]', 2, '01a1e6ac-7528-7000-ba4d-779598c8c80e', NULL, NULL, '{"id":"01a1e6ac-7808-7000-b4f0-9cb2ed2547a7","name":"inline","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"********"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"active","git_commit_id":null,"git_branch":"main","workflow_id":"connector-01a1e6ac-7808-7000-b4f0-9cb2ed2547a7","artifacts_path":null,"error_message":null,"created_at":"2026-11-16T23:23:45.032Z","updated_at":"2026-11-16T23:23:45.240Z","created_by":"ada@example.test","updated_by":"internal-service","datasets":[{"id":"01a1e6ac-7808-7001-90a0-71a8a5faf155","connector_id":"01a1e6ac-7808-7000-b4f0-9cb2ed2547a7","source_dataset":"inline","target_name":"inline","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-16T23:23:45.032Z","created_by":"internal-service"}]}', 'KUoMjxP9KbiXsln+yXEqP/I7+cvBvDA4OpyKjUcJ3d5hG/cXM6cakPbVhvRTG/vTGFC+jfhPVrcC5uhEDW0XYmR71myoqyoRX/SvZZv31bueBFHIN6bcuDtY3BzIDE/AJfJ2gGLKQB65De8QoLqPkFlHmcsuwL6Qg33NKhyGsHM=', 'inline', 'active', '2026-11-16T23:23:45.240Z', 'ada@example.test', 'inline
warehouse', '2026-11-16T23:23:45.032Z');
INSERT INTO public.cursors VALUES ('chat', 0);
INSERT INTO public.deployment_counts VALUES ('01a1e6ac-7528-7000-ba4d-779598c8c80e', 'pending', 0);
INSERT INTO public.deployment_counts VALUES ('01a1e6ac-7528-7000-ba4d-779598c8c80e', 'succeeded', 4);
INSERT INTO public.deployment_log VALUES ('01a1e6ac-8856-7000-a5a6-9f13b10ad8b7', 1, '"uploading\n"');
INSERT INTO public.deployments VALUES (1, '01a1e6ac-7990-7001-b242-31265c84ba51', '["2026-11-16T23:23:45.405Z","01a1e6ac-7990-7001-b242-31265c84ba51"]', 1, '01a1e6ac-7528-7000-ba4d-779598c8c80e', NULL, 'succeeded', '{"id":"01a1e6ac-7990-7001-b242-31265c84ba51","deployment_name":"released 1.0.0","environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T23:23:45.405Z","started_at":"2026-11-16T23:23:45.405Z","completed_at":"2026-11-16T23:23:45.405Z","initiated_by":"internal-service","error_message":null}', NULL, 'released 1.0.0', 'succeeded', '', 'internal-service', 'released 1.0.0
main
3f9c1d2', '2026-11-16T23:23:45.405Z');
INSERT INTO public.deployments VALUES (2, '01a1e6ac-7aba-7000-890f-68c77a6934ec', '["2026-11-16T23:23:45.695Z","01a1e6ac-7aba-7000-890f-68c77a6934ec"]', 1, '01a1e6ac-7528-7000-ba4d-779598c8c80e', NULL, 'succeeded', '{"id":"01a1e6ac-7aba-7000-890f-68c77a6934ec","deployment_name":"released-paused 1.0.0","environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T23:23:45.695Z","started_at":"2026-11-16T23:23:45.695Z","completed_at":"2026-11-16T23:23:45.695Z","initiated_by":"internal-service","error_message":null}', NULL, 'released-paused 1.0.0', 'succeeded', '', 'internal-service', 'released-paused 1.0.0
main
3f9c1d2', '2026-11-16T23:23:45.695Z');
INSERT INTO public.deployments VALUES (3, '01a1e6ac-7b98-7001-bc2b-1450310463d7', '["2026-11-16T23:23:45.927Z","01a1e6ac-7b98-7001-bc2b-1450310463d7"]', 1, '01a1e6ac-7528-7000-ba4d-779598c8c80e', NULL, 'succeeded', '{"id":"01a1e6ac-7b98-7001-bc2b-1450310463d7","deployment_name":"released-changed 1.0.0","environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T23:23:45.927Z","started_at":"2026-11-16T23:23:45.927Z","completed_at":"2026-11-16T23:23:45.927Z","initiated_by":"internal-service","error_message":null}', NULL, 'released-changed 1.0.0', 'succeeded', '', 'internal-service', 'released-changed 1.0.0
main
3f9c1d2', '2026-11-16T23:23:45.927Z');
INSERT INTO public.deployments VALUES (4, '01a1e6ac-8856-7000-a5a6-9f13b10ad8b7', '["2026-11-16T23:23:49.269Z","01a1e6ac-8856-7000-a5a6-9f13b10ad8b7"]', 2, '01a1e6ac-7528-7000-ba4d-779598c8c80e', NULL, 'succeeded', '{"id":"01a1e6ac-8856-7000-a5a6-9f13b10ad8b7","deployment_name":"orders 1.0.0","environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","git_branch":"main","git_commit_sha":"","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T23:23:49.206Z","started_at":null,"completed_at":"2026-11-16T23:23:49.269Z","initiated_by":"internal-service","error_message":null}', NULL, 'orders 1.0.0', 'succeeded', '', 'internal-service', 'orders 1.0.0
main', '2026-11-16T23:23:49.206Z');
INSERT INTO public.environments VALUES (1, '01a1e6ac-733d-7000-bf04-44e18397bb43', '["local"]', 1, NULL, NULL, NULL, '{"id":"01a1e6ac-733d-7000-bf04-44e18397bb43","name":"local","description":"Created at the first start","protected":false,"platform":"embedded","gitProvider":null,"gitRepository":null,"targetGitBranch":null,"secretScope":null,"dataPlatformClientIdKey":null,"dataPlatformClientSecretKey":null,"configuration":{},"isActive":true,"createdAt":"2026-11-16T23:23:43.800Z","updatedAt":"2026-11-16T23:23:43.800Z","createdBy":"lakehelm","updatedBy":null}', NULL, 'local', 'active', '2026-11-16T23:23:43.800Z', 'lakehelm', 'local
created at the first start', '2026-11-16T23:23:43.800Z');
INSERT INTO public.environments VALUES (2, '01a1e6ac-7528-7000-ba4d-779598c8c80e', '["prod"]', 1, NULL, NULL, NULL, '{"id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","name":"prod","description":null,"protected":false,"platform":"embedded","gitProvider":null,"gitRepository":null,"targetGitBranch":null,"secretScope":null,"dataPlatformClientIdKey":null,"dataPlatformClientSecretKey":null,"configuration":{"timezone":"Europe/Berlin"},"isActive":true,"createdAt":"2026-11-16T23:23:44.295Z","updatedAt":"2026-11-16T23:23:44.295Z","createdBy":"internal-service","updatedBy":null}', NULL, 'prod', 'active', '2026-11-16T23:23:44.295Z', 'internal-service', 'prod', '2026-11-16T23:23:44.295Z');
INSERT INTO public.event_head VALUES (1, 49, 'ZU9f3MPUpaasrwk_ME0uYDwtmgHptBx9Y0y9Qo9dScs', '5F5Xs936GmJ7wcsClhB6XrBGht0nSIyHoN1zMLiBH5Q');
INSERT INTO public.event_start VALUES (1, 0, '', '', '');
INSERT INTO public.events VALUES (1, '01a1e6ac-7347-7000-91d9-3694d7e2507a', 'environment.created', 'environment/01a1e6ac-733d-7000-bf04-44e18397bb43', '{"id":"01a1e6ac-7347-7000-91d9-3694d7e2507a","time":"2026-11-16T23:23:43.800Z","actor":"lakehelm","request_id":null,"kind":"environment.created","subject":"environment/01a1e6ac-733d-7000-bf04-44e18397bb43","data":{"name":"local","platform":"embedded"}}', '9iK8Ik4sNSPieDH9_FTIyjgbU5GPigW9JaT-QxcOBnE');
INSERT INTO public.events VALUES (2, '01a1e6ac-7529-7000-bf10-cf98243c0d81', 'environment.created', 'environment/01a1e6ac-7528-7000-ba4d-779598c8c80e', '{"id":"01a1e6ac-7529-7000-bf10-cf98243c0d81","time":"2026-11-16T23:23:44.295Z","actor":"internal-service","request_id":"01a1e6ac-7520-7000-8158-6c0315175994","kind":"environment.created","subject":"environment/01a1e6ac-7528-7000-ba4d-779598c8c80e","data":{"name":"prod","platform":"embedded"}}', 'ToJs316QIAKYCSvmyY0BjjB_CRxbNn_Een8_Ac44Mp4');
INSERT INTO public.events VALUES (3, '01a1e6ac-7777-7000-9fc9-89d7e5a707ab', 'user.created', 'user/01a1e6ac-754d-7000-9b6b-6862906696cc', '{"id":"01a1e6ac-7777-7000-9fc9-89d7e5a707ab","time":"2026-11-16T23:23:44.332Z","actor":"internal-service","request_id":"01a1e6ac-754b-7000-9c0f-8f29048b8e7a","kind":"user.created","subject":"user/01a1e6ac-754d-7000-9b6b-6862906696cc","data":{"id":"01a1e6ac-754d-7000-9b6b-6862906696cc","username":"ada@example.test","role":"operator","active":true,"created_at":"2026-11-16T23:23:44.332Z","updated_at":"2026-11-16T23:23:44.332Z","created_by":"internal-service"}}', 'npDIOjGwMtn5e4HmsYch293Zf-W5iK4kXt00uOOl4Wk');
INSERT INTO public.events VALUES (4, '01a1e6ac-7794-7000-b4b7-e04728b0aa73', 'token.created', 'token/01a1e6ac-778f-7000-96ce-44fe116f7105', '{"id":"01a1e6ac-7794-7000-b4b7-e04728b0aa73","time":"2026-11-16T23:23:44.910Z","actor":"internal-service","request_id":"01a1e6ac-778d-7000-90c5-0ddd179b1980","kind":"token.created","subject":"token/01a1e6ac-778f-7000-96ce-44fe116f7105","data":{"id":"01a1e6ac-778f-7000-96ce-44fe116f7105","username":"ada@example.test","comment":"fixture","created_at":"2026-11-16T23:23:44.910Z","expires_at":null,"created_by":"internal-service"}}', 'qtjRZAMcyAr-HOzQW8cSbpyIK-d98jZVgJ4Y5QigTUs');
INSERT INTO public.events VALUES (5, '01a1e6ac-77f0-7000-9ab5-0c549fd63c75', 'secret.stored', 'secret/01a1e6ac-7528-7000-ba4d-779598c8c80e/shop/api-key', '{"id":"01a1e6ac-77f0-7000-9ab5-0c549fd63c75","time":"2026-11-16T23:23:44.995Z","actor":"internal-service","request_id":"01a1e6ac-77db-7000-be47-fb842e381158","kind":"secret.stored","subject":"secret/01a1e6ac-7528-7000-ba4d-779598c8c80e/shop/api-key","data":{"environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","scope":"shop","key":"api-key"}}', 'A-Bfjdm1DgWJvtA-4Py3bSswuNioqwdFO8BfUQ5Uglk');
INSERT INTO public.events VALUES (6, '01a1e6ac-7823-7000-8913-f1c97c987858', 'connector.created', 'connector/01a1e6ac-7808-7000-b4f0-9cb2ed2547a7', '{"id":"01a1e6ac-7823-7000-8913-f1c97c987858","time":"2026-11-16T23:23:45.032Z","actor":"internal-service","request_id":"01a1e6ac-7803-7000-a9fd-1495d49c2492","kind":"connector.created","subject":"connector/01a1e6ac-7808-7000-b4f0-9cb2ed2547a7","data":{"name":"inline","environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","target_type":"warehouse","status":"active"}}', 'hQqbv8zWTsiS3DlNUGd-6BGf5a2VunJsuFBhfwJ6mSw');
INSERT INTO public.events VALUES (7, '01a1e6ac-7867-7001-90b0-69f8737c8526', 'connector.created', 'connector/01a1e6ac-785e-7000-b43e-be39be53078b', '{"id":"01a1e6ac-7867-7001-90b0-69f8737c8526","time":"2026-11-16T23:23:45.118Z","actor":"internal-service","request_id":"01a1e6ac-7859-7000-900b-9fc3fe8faf73","kind":"connector.created","subject":"connector/01a1e6ac-785e-7000-b43e-be39be53078b","data":{"name":"referring","environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","target_type":"warehouse","status":"active"}}', '2hNZXqtu2snG1Zev_R8zdCdu5PzrJdF7nL5Vr9nX_Ns');
INSERT INTO public.events VALUES (8, '01a1e6ac-788e-7000-a5be-56ce41bcd40c', 'connector.created', 'connector/01a1e6ac-788b-7000-80d9-057afb5ab1e4', '{"id":"01a1e6ac-788e-7000-a5be-56ce41bcd40c","time":"2026-11-16T23:23:45.163Z","actor":"internal-service","request_id":"01a1e6ac-7889-7000-bb37-4e046d28c068","kind":"connector.created","subject":"connector/01a1e6ac-788b-7000-80d9-057afb5ab1e4","data":{"name":"paused","environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","target_type":"warehouse","status":"active"}}', 'h2zZnOqvJEN5d2t7t6Dz0eqnVimDvAISYHX8sBGVUsY');
INSERT INTO public.events VALUES (9, '01a1e6ac-78ac-7000-8fd0-d586ab88f045', 'connector.paused', 'connector/01a1e6ac-788b-7000-80d9-057afb5ab1e4', '{"id":"01a1e6ac-78ac-7000-8fd0-d586ab88f045","time":"2026-11-16T23:23:45.183Z","actor":"internal-service","request_id":"01a1e6ac-789e-7000-8e09-3de7ec3eaf86","kind":"connector.paused","subject":"connector/01a1e6ac-788b-7000-80d9-057afb5ab1e4","data":{"name":"paused","environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","reason":"holiday","until":null}}', 'PRHLzliut5ZdqSe10SfJnZMvd46TU64kvhFORLXy_IY');
INSERT INTO public.events VALUES (10, '01a1e6ac-78f5-7000-a59b-a2da364ebf15', 'connector.updated', 'connector/01a1e6ac-7808-7000-b4f0-9cb2ed2547a7', '{"id":"01a1e6ac-78f5-7000-a59b-a2da364ebf15","time":"2026-11-16T23:23:45.240Z","actor":"internal-service","request_id":"01a1e6ac-78d8-7000-9be3-0c53e5ea3d69","kind":"connector.updated","subject":"connector/01a1e6ac-7808-7000-b4f0-9cb2ed2547a7","data":{"name":"inline","environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","fields":["git_branch"]}}', '-w2WX-dvrj0O6cxYp6GgJhdNd-AefJQGZ8XMjRKxHLg');
INSERT INTO public.events VALUES (11, '01a1e6ac-7952-7000-aab9-a409f5a61e98', 'automation.created', 'automation/01a1e6ac-7951-7000-8be4-ff48f7f1e5e9', '{"id":"01a1e6ac-7952-7000-aab9-a409f5a61e98","time":"2026-11-16T23:23:45.289Z","actor":"internal-service","request_id":"01a1e6ac-7908-7000-9c80-e8e9e67988d1","kind":"automation.created","subject":"automation/01a1e6ac-7951-7000-8be4-ff48f7f1e5e9","data":{"alias":"released","design_content_hash":"sha256:d82013cfdda1f3175921910fbd9eb0acf312669e7925f0c05e5f58309689ee79"}}', '2VtzFFPMZLbqM5HYbkZwXcSOlUk-fsMZOrZytclSfzs');
INSERT INTO public.events VALUES (12, '01a1e6ac-799f-7000-8ad6-4f0935757aaf', 'deployment.recorded', 'deployment/01a1e6ac-7990-7001-b242-31265c84ba51', '{"id":"01a1e6ac-799f-7000-8ad6-4f0935757aaf","time":"2026-11-16T23:23:45.405Z","actor":"internal-service","request_id":"01a1e6ac-797d-7000-97d2-8a155012210b","kind":"deployment.recorded","subject":"deployment/01a1e6ac-7990-7001-b242-31265c84ba51","data":{"deployment_name":"released 1.0.0","environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","status":"succeeded"}}', '-sW6P2XP26Rpp-z-lpXOsJS3KC0q9qtd36iSfYsezO8');
INSERT INTO public.events VALUES (13, '01a1e6ac-799f-7001-8b17-af1213b687d1', 'automation.release_activated', 'automation/01a1e6ac-7951-7000-8be4-ff48f7f1e5e9', '{"id":"01a1e6ac-799f-7001-8b17-af1213b687d1","time":"2026-11-16T23:23:45.405Z","actor":"internal-service","request_id":"01a1e6ac-797d-7000-97d2-8a155012210b","kind":"automation.release_activated","subject":"automation/01a1e6ac-7951-7000-8be4-ff48f7f1e5e9","data":{"alias":"released","release_id":"01a1e6ac-7987-7000-a3d0-d8a04be4070e","environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","version":"1.0.0","replaced":null}}', 'Hw6c7cLX6AwPg4q74Cd22_Y2PpKJHzO6fkt5NY-Z-_Q');
INSERT INTO public.events VALUES (14, '01a1e6ac-79e4-7000-b76e-1da10d4132f6', 'environment.reconciled', 'environment/01a1e6ac-7528-7000-ba4d-779598c8c80e', '{"id":"01a1e6ac-79e4-7000-b76e-1da10d4132f6","time":"2026-11-16T23:23:45.405Z","actor":"internal-service","request_id":"01a1e6ac-797d-7000-97d2-8a155012210b","kind":"environment.reconciled","subject":"environment/01a1e6ac-7528-7000-ba4d-779598c8c80e","data":{}}', 'IyifZcQT4tIMnji8yubALxUI4HC7loxCStWNUoXpWTQ');
INSERT INTO public.events VALUES (15, '01a1e6ac-7a10-7001-ab9a-ae08a49e4f6c', 'automation.created', 'automation/01a1e6ac-7a10-7000-8e97-81b60b89d698', '{"id":"01a1e6ac-7a10-7001-ab9a-ae08a49e4f6c","time":"2026-11-16T23:23:45.544Z","actor":"internal-service","request_id":"01a1e6ac-7a07-7000-b5f2-842a674495cf","kind":"automation.created","subject":"automation/01a1e6ac-7a10-7000-8e97-81b60b89d698","data":{"alias":"released-paused","design_content_hash":"sha256:1112bb91d1b3b61c9ac6b944d814609b8ae6adb0fc2b94188892604d41c071bd"}}', 'r56n1h230L84MUsf0E6r-WvCxiZPW__bKbFwRT6OPFo');
INSERT INTO public.events VALUES (16, '01a1e6ac-7aba-7002-aec1-90601c128885', 'deployment.recorded', 'deployment/01a1e6ac-7aba-7000-890f-68c77a6934ec', '{"id":"01a1e6ac-7aba-7002-aec1-90601c128885","time":"2026-11-16T23:23:45.695Z","actor":"internal-service","request_id":"01a1e6ac-7a9f-7000-9331-90f25fdb4900","kind":"deployment.recorded","subject":"deployment/01a1e6ac-7aba-7000-890f-68c77a6934ec","data":{"deployment_name":"released-paused 1.0.0","environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","status":"succeeded"}}', '7Tp6vvrYKgMRWgUr37ahxUXZI8azHdCe2pta7_DXFzM');
INSERT INTO public.events VALUES (17, '01a1e6ac-7aba-7003-a4be-83ae97d7187c', 'automation.release_activated', 'automation/01a1e6ac-7a10-7000-8e97-81b60b89d698', '{"id":"01a1e6ac-7aba-7003-a4be-83ae97d7187c","time":"2026-11-16T23:23:45.695Z","actor":"internal-service","request_id":"01a1e6ac-7a9f-7000-9331-90f25fdb4900","kind":"automation.release_activated","subject":"automation/01a1e6ac-7a10-7000-8e97-81b60b89d698","data":{"alias":"released-paused","release_id":"01a1e6ac-7ab6-7000-b4b6-07a6df75f3a5","environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","version":"1.0.0","replaced":null}}', 'L3HVdmFi3XeUpAhOqeK7pTtL5_W-WBRKu-2wtgT9Xug');
INSERT INTO public.events VALUES (18, '01a1e6ac-7b04-7000-892c-660b19ad2cb6', 'environment.reconciled', 'environment/01a1e6ac-7528-7000-ba4d-779598c8c80e', '{"id":"01a1e6ac-7b04-7000-892c-660b19ad2cb6","time":"2026-11-16T23:23:45.695Z","actor":"internal-service","request_id":"01a1e6ac-7a9f-7000-9331-90f25fdb4900","kind":"environment.reconciled","subject":"environment/01a1e6ac-7528-7000-ba4d-779598c8c80e","data":{}}', 'jZIeI3IVxdqcCSFaIBGLcO9-4TrkcdYSYrcjcJV6wFw');
INSERT INTO public.events VALUES (19, '01a1e6ac-7b4b-7001-a813-df8dbaf6dc46', 'automation.created', 'automation/01a1e6ac-7b4b-7000-a5c8-8d439a6c23c0', '{"id":"01a1e6ac-7b4b-7001-a813-df8dbaf6dc46","time":"2026-11-16T23:23:45.843Z","actor":"internal-service","request_id":"01a1e6ac-7b33-7000-b085-814210c27cf5","kind":"automation.created","subject":"automation/01a1e6ac-7b4b-7000-a5c8-8d439a6c23c0","data":{"alias":"released-changed","design_content_hash":"sha256:2bb4d2063ab29a519f94a8b140af4f116799a0532b872422b1463eef4a7844f6"}}', 'gQIgo2HG9EB79_I0JCks9uXkvlpNidWR0cQRrhphwUc');
INSERT INTO public.events VALUES (20, '01a1e6ac-7b98-7003-a209-c8366c8ec8e4', 'deployment.recorded', 'deployment/01a1e6ac-7b98-7001-bc2b-1450310463d7', '{"id":"01a1e6ac-7b98-7003-a209-c8366c8ec8e4","time":"2026-11-16T23:23:45.927Z","actor":"internal-service","request_id":"01a1e6ac-7b87-7000-a01c-c68e3e6cf2f8","kind":"deployment.recorded","subject":"deployment/01a1e6ac-7b98-7001-bc2b-1450310463d7","data":{"deployment_name":"released-changed 1.0.0","environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","status":"succeeded"}}', 'NkXpP89zzYiXBDT2uPPol09z3ZL1YOIaQePA-E5n4NA');
INSERT INTO public.events VALUES (21, '01a1e6ac-7b98-7004-9102-1af09a710146', 'automation.release_activated', 'automation/01a1e6ac-7b4b-7000-a5c8-8d439a6c23c0', '{"id":"01a1e6ac-7b98-7004-9102-1af09a710146","time":"2026-11-16T23:23:45.927Z","actor":"internal-service","request_id":"01a1e6ac-7b87-7000-a01c-c68e3e6cf2f8","kind":"automation.release_activated","subject":"automation/01a1e6ac-7b4b-7000-a5c8-8d439a6c23c0","data":{"alias":"released-changed","release_id":"01a1e6ac-7b97-7000-9b79-ecd16aa91ca3","environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","version":"1.0.0","replaced":null}}', 'eS0I6jxhCfSS9R5_MKDyPLxd-h3_OtianA-uF4E0iM4');
INSERT INTO public.events VALUES (22, '01a1e6ac-7bd7-7000-8904-434e0ed42217', 'environment.reconciled', 'environment/01a1e6ac-7528-7000-ba4d-779598c8c80e', '{"id":"01a1e6ac-7bd7-7000-8904-434e0ed42217","time":"2026-11-16T23:23:45.927Z","actor":"internal-service","request_id":"01a1e6ac-7b87-7000-a01c-c68e3e6cf2f8","kind":"environment.reconciled","subject":"environment/01a1e6ac-7528-7000-ba4d-779598c8c80e","data":{}}', '4_J2qkMIT80s_WBNG--8QG6y-gpKZ62u0uki7F_ItxA');
INSERT INTO public.events VALUES (23, '01a1e6ac-7c11-7001-a3a5-a1984963c233', 'automation.schedule_paused', 'automation/01a1e6ac-7a10-7000-8e97-81b60b89d698', '{"id":"01a1e6ac-7c11-7001-a3a5-a1984963c233","time":"2026-11-16T23:23:46.038Z","actor":"internal-service","request_id":"01a1e6ac-7bf6-7000-9af5-e241d23c8196","kind":"automation.schedule_paused","subject":"automation/01a1e6ac-7a10-7000-8e97-81b60b89d698","data":{"alias":"released-paused","release_id":"01a1e6ac-7ab6-7000-b4b6-07a6df75f3a5","environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","version":"1.0.0","reason":"holiday","until":null}}', 'S6y8Vgq4HMvsKjVsjGJF7DogWD-X3cP4KY18CiSe6wY');
INSERT INTO public.events VALUES (25, '01a1e6ac-7d8b-7000-9607-81e8a0cc8033', 'file.written', 'file/01a1e6ac-7528-7000-ba4d-779598c8c80e/pipelines/numbers.sql', '{"id":"01a1e6ac-7d8b-7000-9607-81e8a0cc8033","time":"2026-11-16T23:23:46.351Z","actor":"internal-service","request_id":"01a1e6ac-7d22-7000-8702-0c0f0b863410","kind":"file.written","subject":"file/01a1e6ac-7528-7000-ba4d-779598c8c80e/pipelines/numbers.sql","data":{"environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","path":"pipelines/numbers.sql","size":51,"sha256":"b0bf44b639804f1839a1927e097d46337d4fc58b70b6448f3bb019cef234fa17"}}', '5Y_Y7FvC1yWsSt36VPrD5ZFVMhCLNXe6exHd-WqoaB0');
INSERT INTO public.events VALUES (26, '01a1e6ac-7db5-7000-9748-cf40a6ece39b', 'pipeline.created', 'pipeline/01a1e6ac-7db3-7000-9348-0c7eee625cf0', '{"id":"01a1e6ac-7db5-7000-9748-cf40a6ece39b","time":"2026-11-16T23:23:46.483Z","actor":"internal-service","request_id":"01a1e6ac-7db1-7000-92fb-21f652574cb7","kind":"pipeline.created","subject":"pipeline/01a1e6ac-7db3-7000-9348-0c7eee625cf0","data":{"name":"numbers","environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e"}}', '28Z25PHHobeOfgipPj-ZRihHxipdmA0nHLxJTksvoK4');
INSERT INTO public.events VALUES (27, '01a1e6ac-7df4-7000-8287-cb137a630bcd', 'agent.created', 'agent/01a1e6ac-7dd4-7000-8a06-b5d6491fc481', '{"id":"01a1e6ac-7df4-7000-8287-cb137a630bcd","time":"2026-11-16T23:23:46.516Z","actor":"internal-service","request_id":"01a1e6ac-7dd3-7000-ba59-02d435c64e0d","kind":"agent.created","subject":"agent/01a1e6ac-7dd4-7000-8a06-b5d6491fc481","data":{"name":"desk","aliases":["orders-bot"]}}', '9LiOiXjTa7J8dzywqvKmUYQKZD4Wz3x5SOYyz_jS5ZQ');
INSERT INTO public.events VALUES (28, '01a1e6ac-7e3d-7000-aad4-512ad18d318d', 'file.written', 'file/01a1e6ac-7528-7000-ba4d-779598c8c80e/tiny/app.yaml', '{"id":"01a1e6ac-7e3d-7000-aad4-512ad18d318d","time":"2026-11-16T23:23:46.575Z","actor":"internal-service","request_id":"01a1e6ac-7e0b-7000-baec-7ed4b9e65168","kind":"file.written","subject":"file/01a1e6ac-7528-7000-ba4d-779598c8c80e/tiny/app.yaml","data":{"environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","path":"tiny/app.yaml","size":25,"sha256":"161d49cab793e4e16c959370ac0ef0283a37471131f8f1ce0f6cbd77067c181a"}}', 'VKu1UUiZ0YoywWT5RP9QQ5t26xSlSUGkXFsX_UFxByA');
INSERT INTO public.events VALUES (29, '01a1e6ac-7ea1-7000-8c17-62efb6d6d3b7', 'file.written', 'file/01a1e6ac-7528-7000-ba4d-779598c8c80e/tiny/app.mjs', '{"id":"01a1e6ac-7ea1-7000-8c17-62efb6d6d3b7","time":"2026-11-16T23:23:46.663Z","actor":"internal-service","request_id":"01a1e6ac-7e60-7000-92b3-ea000fa1d3b3","kind":"file.written","subject":"file/01a1e6ac-7528-7000-ba4d-779598c8c80e/tiny/app.mjs","data":{"environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","path":"tiny/app.mjs","size":154,"sha256":"42a29daadf6a0e247952089c44decb92d0f16169dfeeb9aa0956ff02f5cd7d93"}}', 'wgp-ZR4GjWNQyr9oSlGTSRCWl4PBSfvmMNekngPFIE8');
INSERT INTO public.events VALUES (24, '01a1e6ac-7cf8-7000-ad40-701a8f7bef1f', 'automation.definition_set', 'automation/01a1e6ac-7b4b-7000-a5c8-8d439a6c23c0', '{"id":"01a1e6ac-7cf8-7000-ad40-701a8f7bef1f","time":"2026-11-16T23:23:46.240Z","actor":"internal-service","request_id":"01a1e6ac-7cc0-7000-abc8-406eb2dc7fb5","kind":"automation.definition_set","subject":"automation/01a1e6ac-7b4b-7000-a5c8-8d439a6c23c0","data":{"alias":"released-changed","design_content_hash":"sha256:f6b38dd07db4ba331f099f7884e4380e971a952c9ea66bc4609f8734c4f8b536"}}', 'BKtGVelxNGCpzHEiUzM6HA1mHKe3QajQ-hffPAsq0Z8');
INSERT INTO public.events VALUES (43, '01a1e6ac-88a1-7000-8ed9-0bf6a7be4dd7', 'environment.reconciled', 'environment/01a1e6ac-7528-7000-ba4d-779598c8c80e', '{"id":"01a1e6ac-88a1-7000-8ed9-0bf6a7be4dd7","time":"2026-11-16T23:23:49.269Z","actor":"internal-service","request_id":"01a1e6ac-8894-7000-aaff-fd1850c84370","kind":"environment.reconciled","subject":"environment/01a1e6ac-7528-7000-ba4d-779598c8c80e","data":{}}', 'sNnXyg1HccwHM41iN8brBxyh7WO_QB77m3wO3XQ0RAs');
INSERT INTO public.events VALUES (44, '01a1e6ac-8a37-7000-93b3-9740732169ee', 'plan.created', 'plan/01a1e6ac-8a29-7000-babe-7c85a2df186c', '{"id":"01a1e6ac-8a37-7000-93b3-9740732169ee","time":"2026-11-16T23:23:49.314Z","actor":"internal-service","request_id":"01a1e6ac-88c1-7000-92e0-5833d12648b9","kind":"plan.created","subject":"plan/01a1e6ac-8a29-7000-babe-7c85a2df186c","data":{"environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","project":"shop","status":"planned","summary":{"create":1,"update":0,"replace":0,"delete":0,"unchanged":0,"drifted":0,"done":0,"findings":0},"plan_id":"01a1e6ac-8a29-7000-babe-7c85a2df186c","commit":"3f9c1d2"}}', 'KKidQ9g9vNC7p94reg42oBJO-Vmr37xYNM6SLyJkses');
INSERT INTO public.events VALUES (45, '01a1e6ac-8ab8-7000-9dcb-ed039e32b13e', 'plan.apply_started', 'plan/01a1e6ac-8a29-7000-babe-7c85a2df186c', '{"id":"01a1e6ac-8ab8-7000-9dcb-ed039e32b13e","time":"2026-11-16T23:23:49.711Z","actor":"internal-service","request_id":"01a1e6ac-8a4f-7000-8667-1cd63f611301","kind":"plan.apply_started","subject":"plan/01a1e6ac-8a29-7000-babe-7c85a2df186c","data":{"environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","project":"shop","status":"applying","reason":null,"plan_id":"01a1e6ac-8a29-7000-babe-7c85a2df186c","commit":"3f9c1d2"}}', 'cTnwdSakjr-vi-K71CxwxqGmzBzig5cCSfwNyTApqRU');
INSERT INTO public.events VALUES (47, '01a1e6ac-8b6a-7000-90e8-7c379aa35e60', 'plan.step_applied', 'plan/01a1e6ac-8a29-7000-babe-7c85a2df186c', '{"id":"01a1e6ac-8b6a-7000-90e8-7c379aa35e60","time":"2026-11-16T23:23:49.993Z","actor":"internal-service","request_id":"01a1e6ac-8a4f-7000-8667-1cd63f611301","kind":"plan.step_applied","subject":"plan/01a1e6ac-8a29-7000-babe-7c85a2df186c","data":{"environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","position":1,"action":"create","kind":"agent","name":"planned","done":1,"total":1,"plan_id":"01a1e6ac-8a29-7000-babe-7c85a2df186c","commit":"3f9c1d2"}}', 'EcZDycKTSVInxkpzFYGzUTF0cuxRPGs_aMawMNfSQmM');
INSERT INTO public.events VALUES (48, '01a1e6ac-8b92-7000-806c-f9322351cd3d', 'plan.applied', 'plan/01a1e6ac-8a29-7000-babe-7c85a2df186c', '{"id":"01a1e6ac-8b92-7000-806c-f9322351cd3d","time":"2026-11-16T23:23:50.029Z","actor":"internal-service","request_id":"01a1e6ac-8a4f-7000-8667-1cd63f611301","kind":"plan.applied","subject":"plan/01a1e6ac-8a29-7000-babe-7c85a2df186c","data":{"environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","project":"shop","reason":null,"summary":{"create":1,"update":0,"replace":0,"delete":0,"unchanged":0,"drifted":0,"done":1,"findings":0},"plan_id":"01a1e6ac-8a29-7000-babe-7c85a2df186c","commit":"3f9c1d2"}}', 'YnsDkjvNHnNu73jFfls7Jcxn8LvOEK-WJgzsrdaBQmQ');
INSERT INTO public.events VALUES (30, '01a1e6ac-7f5b-7000-8408-b390888afd94', 'agent.version_created', 'agent/01a1e6ac-7dd4-7000-8a06-b5d6491fc481', '{"id":"01a1e6ac-7f5b-7000-8408-b390888afd94","time":"2026-11-16T23:23:46.769Z","actor":"internal-service","request_id":"01a1e6ac-7ed0-7000-9123-a2bf18548940","kind":"agent.version_created","subject":"agent/01a1e6ac-7dd4-7000-8a06-b5d6491fc481","data":{"name":"desk","version":"1.0.0"}}', 'jsTWQ6X7nHrNVN7IB2oDV03y29MRcXPfuaY0nZZ-tOQ');
INSERT INTO public.events VALUES (31, '01a1e6ac-7f5b-7001-9bcb-20a2e1f7030f', 'agent.release_activated', 'agent/01a1e6ac-7dd4-7000-8a06-b5d6491fc481', '{"id":"01a1e6ac-7f5b-7001-9bcb-20a2e1f7030f","time":"2026-11-16T23:23:46.769Z","actor":"internal-service","request_id":"01a1e6ac-7ed0-7000-9123-a2bf18548940","kind":"agent.release_activated","subject":"agent/01a1e6ac-7dd4-7000-8a06-b5d6491fc481","data":{"name":"desk","environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","version":"1.0.0"}}', 'lu1ktZERxz7_iBhcICWVCLGqyb4Ga2f3OBzdZsynjAk');
INSERT INTO public.events VALUES (32, '01a1e6ac-7fb2-7000-80b8-1cc3809ce1a1', 'environment.reconciled', 'environment/01a1e6ac-7528-7000-ba4d-779598c8c80e', '{"id":"01a1e6ac-7fb2-7000-80b8-1cc3809ce1a1","time":"2026-11-16T23:23:46.769Z","actor":"internal-service","request_id":"01a1e6ac-7ed0-7000-9123-a2bf18548940","kind":"environment.reconciled","subject":"environment/01a1e6ac-7528-7000-ba4d-779598c8c80e","data":{}}', 'BCH_bV-2TiM54GEPUG-P3pHDo6OMVzRkGe9tGlW98Bo');
INSERT INTO public.events VALUES (34, '01a1e6ac-7ff1-7000-b0e6-c664679faec3', 'agent.component_started', 'agent/01a1e6ac-7dd4-7000-8a06-b5d6491fc481', '{"id":"01a1e6ac-7ff1-7000-b0e6-c664679faec3","time":"2026-11-16T23:23:47.033Z","actor":"internal-service","request_id":"01a1e6ac-7fd9-7000-b79f-a8856780eca4","kind":"agent.component_started","subject":"agent/01a1e6ac-7dd4-7000-8a06-b5d6491fc481","data":{"name":"desk","environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","component":"agent_endpoint","version":"1.0.0"}}', 'fVTqXWOq5I8OVXl3eEmv2h8y_JCDIDVR19ng7os_oCM');
INSERT INTO public.events VALUES (40, '01a1e6ac-8856-7001-b0fe-18840a8996a2', 'deployment.created', 'deployment/01a1e6ac-8856-7000-a5a6-9f13b10ad8b7', '{"id":"01a1e6ac-8856-7001-b0fe-18840a8996a2","time":"2026-11-16T23:23:49.206Z","actor":"internal-service","request_id":"01a1e6ac-881b-7000-92e5-4ac29067dd1b","kind":"deployment.created","subject":"deployment/01a1e6ac-8856-7000-a5a6-9f13b10ad8b7","data":{"deployment_name":"orders 1.0.0","environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","status":"pending"}}', 'u22mK-jMJ2x0GNwhJmzivHMZVFT1gUY3nbegZxWAOcI');
INSERT INTO public.events VALUES (49, '01a1e6ac-8bf9-7000-b2e7-a2ce61bae7fe', 'plan.created', 'plan/01a1e6ac-8bf3-7000-b4f2-5a3096421792', '{"id":"01a1e6ac-8bf9-7000-b2e7-a2ce61bae7fe","time":"2026-11-16T23:23:50.098Z","actor":"internal-service","request_id":"01a1e6ac-8bd1-7000-86f4-71602107f8f6","kind":"plan.created","subject":"plan/01a1e6ac-8bf3-7000-b4f2-5a3096421792","data":{"environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","project":"shop","status":"planned","summary":{"create":0,"update":0,"replace":0,"delete":1,"unchanged":0,"drifted":0,"done":0,"findings":0},"plan_id":"01a1e6ac-8bf3-7000-b4f2-5a3096421792","commit":"3f9c1d2"}}', 'ZU9f3MPUpaasrwk_ME0uYDwtmgHptBx9Y0y9Qo9dScs');
INSERT INTO public.events VALUES (33, '01a1e6ac-7fca-7000-8296-8d76b1f67770', 'app.created', 'app/01a1e6ac-7fc8-7000-a0eb-82cf2af237e7', '{"id":"01a1e6ac-7fca-7000-8296-8d76b1f67770","time":"2026-11-16T23:23:47.016Z","actor":"internal-service","request_id":"01a1e6ac-7fc7-7000-a6e7-404d73b7158d","kind":"app.created","subject":"app/01a1e6ac-7fc8-7000-a0eb-82cf2af237e7","data":{"name":"desk-ui","environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","agent_id":"01a1e6ac-7dd4-7000-8a06-b5d6491fc481"}}', 'm_UVL2gcpEADY-m-iktohJKlXLc2JjbmSO06FW4jcyg');
INSERT INTO public.events VALUES (35, '01a1e6ac-8420-7000-b9b4-1b0fb1367867', 'agent.component_settled', 'agent/01a1e6ac-7dd4-7000-8a06-b5d6491fc481', '{"id":"01a1e6ac-8420-7000-b9b4-1b0fb1367867","time":"2026-11-16T23:23:48.111Z","actor":"platform","request_id":null,"kind":"agent.component_settled","subject":"agent/01a1e6ac-7dd4-7000-8a06-b5d6491fc481","data":{"environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","component":"agent_endpoint","observed_state":"running","message":null}}', 'im9WN2wXrqD-MkmVUQ8_sUPDGRMH0Cx68w89Iv8RBMQ');
INSERT INTO public.events VALUES (36, '01a1e6ac-8457-7000-aec8-ad1e5c2b842d', 'app.started', 'app/01a1e6ac-7fc8-7000-a0eb-82cf2af237e7', '{"id":"01a1e6ac-8457-7000-aec8-ad1e5c2b842d","time":"2026-11-16T23:23:47.033Z","actor":"internal-service","request_id":"01a1e6ac-7fd9-7000-b79f-a8856780eca4","kind":"app.started","subject":"app/01a1e6ac-7fc8-7000-a0eb-82cf2af237e7","data":{"name":"desk-ui","environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","observed_state":"pending"}}', '1DIUrzxNJgdgWIpw9WOKcoHpmGWS2kdJU3VCbYIJugI');
INSERT INTO public.events VALUES (37, '01a1e6ac-8457-7001-b72b-b699da18cdb3', 'agent.ui_app_followed', 'agent/01a1e6ac-7dd4-7000-8a06-b5d6491fc481', '{"id":"01a1e6ac-8457-7001-b72b-b699da18cdb3","time":"2026-11-16T23:23:47.033Z","actor":"internal-service","request_id":"01a1e6ac-7fd9-7000-b79f-a8856780eca4","kind":"agent.ui_app_followed","subject":"agent/01a1e6ac-7dd4-7000-8a06-b5d6491fc481","data":{"name":"desk","environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","desired_state":"running","observed_state":"pending"}}', '_s7ocNwzfJ3YzWSxH-zhRqeSd1_WCDKmR0MMUZO59eU');
INSERT INTO public.events VALUES (38, '01a1e6ac-86d7-7000-82aa-a748b554185e', 'app.settled', 'app/01a1e6ac-7fc8-7000-a0eb-82cf2af237e7', '{"id":"01a1e6ac-86d7-7000-82aa-a748b554185e","time":"2026-11-16T23:23:48.811Z","actor":"platform","request_id":null,"kind":"app.settled","subject":"app/01a1e6ac-7fc8-7000-a0eb-82cf2af237e7","data":{"name":"desk-ui","observed_state":"running","message":null}}', 'xkj-Ey1BgB7oAHOysqjMBVS7YauVRxjCptO6YSvdYh4');
INSERT INTO public.events VALUES (39, '01a1e6ac-86d7-7001-acb9-503fee83624c', 'agent.ui_app_followed', 'agent/01a1e6ac-7dd4-7000-8a06-b5d6491fc481', '{"id":"01a1e6ac-86d7-7001-acb9-503fee83624c","time":"2026-11-16T23:23:48.811Z","actor":"platform","request_id":null,"kind":"agent.ui_app_followed","subject":"agent/01a1e6ac-7dd4-7000-8a06-b5d6491fc481","data":{"name":"desk","environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","desired_state":"running","observed_state":"running"}}', 'zt2FmkY19Ol7GKbUXCD8Ia3xCxxsT7Wpt3Vlx22-2eI');
INSERT INTO public.events VALUES (41, '01a1e6ac-887f-7000-9c30-7659bd0ba74f', 'deployment.logged', 'deployment/01a1e6ac-8856-7000-a5a6-9f13b10ad8b7', '{"id":"01a1e6ac-887f-7000-9c30-7659bd0ba74f","time":"2026-11-16T23:23:49.245Z","actor":"internal-service","request_id":"01a1e6ac-887c-7000-ba8e-de18bbaa3dc9","kind":"deployment.logged","subject":"deployment/01a1e6ac-8856-7000-a5a6-9f13b10ad8b7","data":{"environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","characters":10}}', 'jUEwoNZdWAj7hyIIseJhwd_5bK6TArZKC_-7BfIASWs');
INSERT INTO public.events VALUES (42, '01a1e6ac-8897-7000-acc9-f808c5f0a275', 'deployment.finished', 'deployment/01a1e6ac-8856-7000-a5a6-9f13b10ad8b7', '{"id":"01a1e6ac-8897-7000-acc9-f808c5f0a275","time":"2026-11-16T23:23:49.269Z","actor":"internal-service","request_id":"01a1e6ac-8894-7000-aaff-fd1850c84370","kind":"deployment.finished","subject":"deployment/01a1e6ac-8856-7000-a5a6-9f13b10ad8b7","data":{"deployment_name":"orders 1.0.0","environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","status":"succeeded"}}', 'Ym9ms9W6rfI8xf8qxeflROPM5CJFPrTuTwdvIO8xEOU');
INSERT INTO public.events VALUES (46, '01a1e6ac-8b30-7000-b13d-dfc0c99e9e6e', 'agent.created', 'agent/01a1e6ac-8b2f-7000-b743-64fca523e785', '{"id":"01a1e6ac-8b30-7000-b13d-dfc0c99e9e6e","time":"2026-11-16T23:23:49.864Z","actor":"internal-service","request_id":"01a1e6ac-8a4f-7000-8667-1cd63f611301","kind":"agent.created","subject":"agent/01a1e6ac-8b2f-7000-b743-64fca523e785","data":{"name":"planned","aliases":[],"plan_id":"01a1e6ac-8a29-7000-babe-7c85a2df186c","commit":"3f9c1d2"}}', 'DRaPDJmAXUppO9SvVXcM5uMu31kXeW_oBwOobBFSSzA');
INSERT INTO public.jobs VALUES ('connector-01a1e6ac-785e-7000-b43e-be39be53078b', '01a1e6ac-7528-7000-ba4d-779598c8c80e', 'connector', 'connector/01a1e6ac-785e-7000-b43e-be39be53078b', '"referring"', '{"trigger":{"kind":"cron","cron":"0 6 1 1 *","timezone":"Europe/Berlin"},"attempts":5,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T05:00:00.000Z', '2026-11-16T23:23:45.127Z', '2026-11-16T23:23:45.127Z', 1, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('connector-01a1e6ac-788b-7000-80d9-057afb5ab1e4', '01a1e6ac-7528-7000-ba4d-779598c8c80e', 'connector', 'connector/01a1e6ac-788b-7000-80d9-057afb5ab1e4', '"paused"', '{"trigger":{"kind":"cron","cron":"0 6 1 1 *","timezone":"Europe/Berlin"},"attempts":5,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', '{"by":"internal-service","at":"2026-11-16T23:23:45.183Z","reason":"holiday","until":null,"missed":0,"last_missed":null}', NULL, '{}', 0, NULL, '2027-01-01T05:00:00.000Z', '2026-11-16T23:23:45.165Z', '2026-11-16T23:23:45.165Z', 2, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('connector-01a1e6ac-7808-7000-b4f0-9cb2ed2547a7', '01a1e6ac-7528-7000-ba4d-779598c8c80e', 'connector', 'connector/01a1e6ac-7808-7000-b4f0-9cb2ed2547a7', '"inline"', '{"trigger":{"kind":"cron","cron":"0 6 1 1 *","timezone":"Europe/Berlin"},"attempts":5,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T05:00:00.000Z', '2026-11-16T23:23:45.043Z', '2026-11-16T23:23:45.268Z', 2, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('automation-01a1e6ac-7951-7000-8be4-ff48f7f1e5e9-01a1e6ac-7528-7000-ba4d-779598c8c80e', '01a1e6ac-7528-7000-ba4d-779598c8c80e', 'automation', 'automation/01a1e6ac-7951-7000-8be4-ff48f7f1e5e9', '"released"', '{"trigger":{"kind":"cron","cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"attempts":20,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T06:00:00.000Z', '2026-11-16T23:23:45.424Z', '2026-11-16T23:23:45.424Z', 1, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('automation-01a1e6ac-7b4b-7000-a5c8-8d439a6c23c0-01a1e6ac-7528-7000-ba4d-779598c8c80e', '01a1e6ac-7528-7000-ba4d-779598c8c80e', 'automation', 'automation/01a1e6ac-7b4b-7000-a5c8-8d439a6c23c0', '"released-changed"', '{"trigger":{"kind":"cron","cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"attempts":20,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T06:00:00.000Z', '2026-11-16T23:23:45.944Z', '2026-11-16T23:23:45.944Z', 1, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('automation-01a1e6ac-7a10-7000-8e97-81b60b89d698-01a1e6ac-7528-7000-ba4d-779598c8c80e', '01a1e6ac-7528-7000-ba4d-779598c8c80e', 'automation', 'automation/01a1e6ac-7a10-7000-8e97-81b60b89d698', '"released-paused"', '{"trigger":{"kind":"cron","cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"attempts":20,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', '{"by":"internal-service","at":"2026-11-16T23:23:46.038Z","reason":"holiday","until":null,"missed":0,"last_missed":null}', NULL, '{}', 0, NULL, '2027-01-01T06:00:00.000Z', '2026-11-16T23:23:45.721Z', '2026-11-16T23:23:45.721Z', 2, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('pipeline-01a1e6ac-7db3-7000-9348-0c7eee625cf0', '01a1e6ac-7528-7000-ba4d-779598c8c80e', 'pipeline', 'pipeline/01a1e6ac-7db3-7000-9348-0c7eee625cf0', '"numbers"', '{"trigger":{"kind":"manual"},"attempts":3,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'manual', NULL, NULL, '{}', 0, NULL, NULL, '2026-11-16T23:23:46.484Z', '2026-11-16T23:23:46.484Z', 1, '["lakehelm"]');
INSERT INTO public.keyring VALUES ('fingerprint', 'keOT3fxHz_I6EV7EkRe8KYS2yBFU5Xa5yqF8SRI7QW0');
INSERT INTO public.keyring VALUES ('jwt', '9j8kPmVngtxwMX3Jo8D4fLr1ufHKww5/bB3MIwLG60GYK/xF5BPRQjizOCpywvO5/jsxNMigtpihMOGliT0h9aSksb0zzi/V');
INSERT INTO public.keyring VALUES ('event anchor/01a1e6ac-723b-7000-9456-94b9a9386793', 'written');
INSERT INTO public.keyring VALUES ('masking rules 2', '2026-11-16T23:23:43.731Z');
INSERT INTO public.keyring VALUES ('missing installations 1', '2026-11-16T23:23:43.871Z');
INSERT INTO public.keyring VALUES ('data folder', '01a1e6ac-723b-7000-9456-94b9a9386793');
INSERT INTO public.overrides VALUES ('01a1e6ac-7528-7000-ba4d-779598c8c80e', '01a1e6ac-7a10-7000-8e97-81b60b89d698', '{"paused":true,"by":"internal-service","at":"2026-11-16T23:23:46.038Z","reason":"holiday","until":null}');
INSERT INTO public.pipelines VALUES (1, '01a1e6ac-7db3-7000-9348-0c7eee625cf0', '["01a1e6ac-7528-7000-ba4d-779598c8c80e","numbers"]', 1, '01a1e6ac-7528-7000-ba4d-779598c8c80e', NULL, NULL, '{"pipeline_id":"01a1e6ac-7db3-7000-9348-0c7eee625cf0","name":"numbers","libraries":[{"file":{"path":"pipelines/numbers.sql"}}],"configuration":{},"continuous":false,"development":false,"photon":false,"serverless":false,"channel":"CURRENT","edition":"ADVANCED","platform_managed":true,"environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","tags":{"platform.managed_by":"lakehelm","platform.environment":"prod","platform.pipeline":"numbers"},"platform_reference":"pipeline-01a1e6ac-7db3-7000-9348-0c7eee625cf0","error_message":null,"created_at":"2026-11-16T23:23:46.483Z","updated_at":"2026-11-16T23:23:46.483Z","created_by":"internal-service","updated_by":null}', NULL, 'numbers', '', '2026-11-16T23:23:46.483Z', 'internal-service', 'numbers', '2026-11-16T23:23:46.483Z');
INSERT INTO public.plan_checks VALUES ('01a1e6ac-8a29-7000-babe-7c85a2df186c', '[]', '[]');
INSERT INTO public.plan_checks VALUES ('01a1e6ac-8bf3-7000-b4f2-5a3096421792', '[]', '[]');
INSERT INTO public.plan_steps VALUES ('01a1e6ac-8a29-7000-babe-7c85a2df186c', 1, 'create', 'done', NULL, '{"position":1,"action":"create","kind":"agent","name":"planned","resource_id":null,"changes":[{"path":"aliases","before":null,"after":[],"sensitive":false},{"path":"description","before":null,"after":"From a plan","sensitive":false},{"path":"name","before":null,"after":"planned","sensitive":false}],"drift":[],"reasons":["It does not exist in the environment."],"depends_on":[],"impact":{"downstream":[],"downstream_total":0,"running_runs":[],"rows":null,"estimated_seconds":null,"full_refresh":[],"data_lost":[]},"design_hash":"sha256:891434dc96d8fde7b0202b1c0eb0ec04fae43b0ad0da6381a8f27564d08324fa","file":null}', 'F9mLN5DYI93JcHIImLqhfHS47wg7/wlMJ6KwRzrfneJ1b5O+a1OZanLxIgszpwa3OefuLstq4dVpquf242p1r42sgWjSCFD8uOALPZhRCCGP2p1CWrm0HqyHUNds/vDhA9sbfV24QoKRAYNtbu8IuN4t1QxfdJwpbDFAYMf8qsDfVSMrLh97Urz+C7GSg3cpptXdoJJvxHFiQnM3VvwShsrmCMpFbx5blukDF88ToOZN53tJbeSbTIIFKWWuJcSBZS9+9q/RvuE+IKFOSOD2Yqyt659ycdqc', '', 'XrZ4trSipMnlXmsOFWNIfuUu137Y31jxsyuvsh74yrY');
INSERT INTO public.plan_steps VALUES ('01a1e6ac-8bf3-7000-b4f2-5a3096421792', 1, 'delete', 'pending', NULL, '{"position":1,"action":"delete","kind":"agent","name":"planned","resource_id":"01a1e6ac-8b2f-7000-b743-64fca523e785","changes":[],"drift":[],"reasons":["The project applied it before and no longer has it."],"depends_on":[],"impact":{"downstream":[],"downstream_total":0,"running_runs":[],"rows":null,"estimated_seconds":null,"full_refresh":[],"data_lost":["The versions of planned."]},"design_hash":null,"file":null}', NULL, 'XrZ4trSipMnlXmsOFWNIfuUu137Y31jxsyuvsh74yrY', '');
INSERT INTO public.plans VALUES (1, '01a1e6ac-8a29-7000-babe-7c85a2df186c', '["01a1e6ac-8a29-7000-babe-7c85a2df186c"]', 4, '01a1e6ac-7528-7000-ba4d-779598c8c80e', NULL, NULL, '{"id":"01a1e6ac-8a29-7000-babe-7c85a2df186c","hash":"sha256:d82dcb0d3ea637c2b63547ccad4feb59a1a2fa94b73c9d8f3d574d53d90fb1ed","design_hash":"sha256:ffa053771370cb7e53b5362f5e1bfc365dc2fc70a9fb5201efc64ab4a2779125","environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","environment":"prod","project":{"name":"shop","commit":"3f9c1d2","branch":null},"project_name":"shop","prune":false,"status":"applied","status_reason":null,"created_at":"2026-11-16T23:23:49.314Z","created_by":"internal-service","updated_at":"2026-11-16T23:23:50.029Z","approved_by":null,"approved_at":null,"applied_by":"internal-service","applied_at":"2026-11-16T23:23:50.029Z","summary":{"create":1,"update":0,"replace":0,"delete":0,"unchanged":0,"drifted":0,"done":1,"findings":0}}', NULL, 'shop', 'applied', '2026-11-16T23:23:50.029Z', 'internal-service', 'shop', '2026-11-16T23:23:49.314Z');
INSERT INTO public.plans VALUES (2, '01a1e6ac-8bf3-7000-b4f2-5a3096421792', '["01a1e6ac-8bf3-7000-b4f2-5a3096421792"]', 1, '01a1e6ac-7528-7000-ba4d-779598c8c80e', NULL, NULL, '{"id":"01a1e6ac-8bf3-7000-b4f2-5a3096421792","hash":"sha256:4738366b4399ff7fc14767cfc3a0f8826630d59e6af89c29997ae38a2a996611","design_hash":"sha256:4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945","environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","environment":"prod","project":{"name":"shop","commit":"3f9c1d2","branch":null},"project_name":"shop","prune":false,"status":"planned","status_reason":null,"created_at":"2026-11-16T23:23:50.098Z","created_by":"internal-service","updated_at":"2026-11-16T23:23:50.098Z","approved_by":null,"approved_at":null,"applied_by":null,"applied_at":null,"summary":{"create":0,"update":0,"replace":0,"delete":1,"unchanged":0,"drifted":0,"done":0,"findings":0}}', NULL, 'shop', 'planned', '2026-11-16T23:23:50.098Z', 'internal-service', 'shop', '2026-11-16T23:23:50.098Z');
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
INSERT INTO public.positions VALUES ('versions', 1);
INSERT INTO public.positions VALUES ('agent_environments', 1);
INSERT INTO public.positions VALUES ('apps', 1);
INSERT INTO public.positions VALUES ('deployments', 4);
INSERT INTO public.positions VALUES ('agents', 2);
INSERT INTO public.positions VALUES ('plans', 2);
INSERT INTO public.processes VALUES ('agent/01a1e6ac-7dd4-7000-8a06-b5d6491fc481/01a1e6ac-7528-7000-ba4d-779598c8c80e', '01a1e6ac-7528-7000-ba4d-779598c8c80e', 'running', '{"deploy":"01a1e6ac-7feb-7000-916b-ba1fadf69b86","name":"desk","sourcePath":"tiny","start":{"mark":"95415b62eaa61f9c.53846c1bf1d9e0d863bbc0d7da9602b4","port":43559,"url":"http://127.0.0.1:41077","boot":"9f3d9f44-6b6b-4927-9dfa-0d5966020935","pid":22738,"began":"3024314"},"ends":[],"askedAt":"2026-11-16T23:23:47.033Z","sight":{"observed_state":"running","message":null}}', 4);
INSERT INTO public.processes VALUES ('app/01a1e6ac-7fc8-7000-a0eb-82cf2af237e7', '01a1e6ac-7528-7000-ba4d-779598c8c80e', 'running', '{"deploy":"01a1e6ac-8448-7000-8c24-a175ab1fdd03","name":"desk-ui","sourcePath":"tiny","start":{"mark":"95415b62eaa61f9c.152bfcea7c1184da176de72aac30e31a","port":33515,"url":"http://127.0.0.1:41077","boot":"9f3d9f44-6b6b-4927-9dfa-0d5966020935","pid":22757,"began":"3024374"},"ends":[],"askedAt":"2026-11-16T23:23:47.033Z","sight":{"observed_state":"running","message":null}}', 4);
INSERT INTO public.release_designs VALUES ('01a1e6ac-7987-7000-a3d0-d8a04be4070e', '01a1e6ac-7951-7000-8be4-ff48f7f1e5e9', '01a1e6ac-7528-7000-ba4d-779598c8c80e', '{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false}', NULL);
INSERT INTO public.release_designs VALUES ('01a1e6ac-7ab6-7000-b4b6-07a6df75f3a5', '01a1e6ac-7a10-7000-8e97-81b60b89d698', '01a1e6ac-7528-7000-ba4d-779598c8c80e', '{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false}', NULL);
INSERT INTO public.release_designs VALUES ('01a1e6ac-7b97-7000-9b79-ecd16aa91ca3', '01a1e6ac-7b4b-7000-a5c8-8d439a6c23c0', '01a1e6ac-7528-7000-ba4d-779598c8c80e', '{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false}', NULL);
INSERT INTO public.releases VALUES (1, '01a1e6ac-7987-7000-a3d0-d8a04be4070e', '["automation","01a1e6ac-7951-7000-8be4-ff48f7f1e5e9","01a1e6ac-7528-7000-ba4d-779598c8c80e"]', 1, '01a1e6ac-7528-7000-ba4d-779598c8c80e', '01a1e6ac-7951-7000-8be4-ff48f7f1e5e9', 'installed', '{"id":"01a1e6ac-7987-7000-a3d0-d8a04be4070e","artifact":"automation/released","environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:d82013cfdda1f3175921910fbd9eb0acf312669e7925f0c05e5f58309689ee79","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1e6ac-7951-7000-8be4-ff48f7f1e5e9-01a1e6ac-7528-7000-ba4d-779598c8c80e","activated_at":"2026-11-16T23:23:45.405Z","activated_by":"internal-service","deployment_id":"01a1e6ac-7990-7001-b242-31265c84ba51"}', NULL, '1.0.0', '', '', 'internal-service', '1.0.0
main
3f9c1d2', '2026-11-16T23:23:45.405Z');
INSERT INTO public.releases VALUES (3, '01a1e6ac-7b97-7000-9b79-ecd16aa91ca3', '["automation","01a1e6ac-7b4b-7000-a5c8-8d439a6c23c0","01a1e6ac-7528-7000-ba4d-779598c8c80e"]', 1, '01a1e6ac-7528-7000-ba4d-779598c8c80e', '01a1e6ac-7b4b-7000-a5c8-8d439a6c23c0', 'installed', '{"id":"01a1e6ac-7b97-7000-9b79-ecd16aa91ca3","artifact":"automation/released-changed","environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:2bb4d2063ab29a519f94a8b140af4f116799a0532b872422b1463eef4a7844f6","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1e6ac-7b4b-7000-a5c8-8d439a6c23c0-01a1e6ac-7528-7000-ba4d-779598c8c80e","activated_at":"2026-11-16T23:23:45.927Z","activated_by":"internal-service","deployment_id":"01a1e6ac-7b98-7001-bc2b-1450310463d7"}', NULL, '1.0.0', '', '', 'internal-service', '1.0.0
main
3f9c1d2', '2026-11-16T23:23:45.927Z');
INSERT INTO public.releases VALUES (2, '01a1e6ac-7ab6-7000-b4b6-07a6df75f3a5', '["automation","01a1e6ac-7a10-7000-8e97-81b60b89d698","01a1e6ac-7528-7000-ba4d-779598c8c80e"]', 2, '01a1e6ac-7528-7000-ba4d-779598c8c80e', '01a1e6ac-7a10-7000-8e97-81b60b89d698', 'installed', '{"id":"01a1e6ac-7ab6-7000-b4b6-07a6df75f3a5","artifact":"automation/released-paused","environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:1112bb91d1b3b61c9ac6b944d814609b8ae6adb0fc2b94188892604d41c071bd","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1e6ac-7a10-7000-8e97-81b60b89d698-01a1e6ac-7528-7000-ba4d-779598c8c80e","activated_at":"2026-11-16T23:23:45.695Z","activated_by":"internal-service","deployment_id":"01a1e6ac-7aba-7000-890f-68c77a6934ec"}', NULL, '1.0.0', '', '', 'internal-service', '1.0.0
main
3f9c1d2', '2026-11-16T23:23:45.695Z');
INSERT INTO public.schema_version VALUES (18);
INSERT INTO public.secrets VALUES ('01a1e6ac-7528-7000-ba4d-779598c8c80e', 'shop', 'api-key', '8EXDUjcmMm30U8LUJAI1Z9x4zADPwg62zjo7rwjTXKljaQyCgtV7', '2026-11-16T23:23:44.995Z');
INSERT INTO public.summaries VALUES ('01a1e6ac-7528-7000-ba4d-779598c8c80e', '{"environment_id":"01a1e6ac-7528-7000-ba4d-779598c8c80e","latest_success":{"id":"01a1e6ac-8856-7000-a5a6-9f13b10ad8b7","deployment_name":"orders 1.0.0","git_branch":"main","git_commit_sha":"","completed_at":"2026-11-16T23:23:49.269Z"},"current_releases":[{"artifact":"automation/released","version":"1.0.0","activated_at":"2026-11-16T23:23:45.405Z"},{"artifact":"automation/released-paused","version":"1.0.0","activated_at":"2026-11-16T23:23:45.695Z"},{"artifact":"automation/released-changed","version":"1.0.0","activated_at":"2026-11-16T23:23:45.927Z"},{"artifact":"agent/desk","version":"1.0.0","activated_at":"2026-11-16T23:23:46.769Z"}],"deployment_counts":{"succeeded":4},"failure_streak":0,"reconciled_at":"2026-11-16T23:23:49.269Z"}');
INSERT INTO public.tallies VALUES ('environments/all', 1000000, 0, 2);
INSERT INTO public.tallies VALUES ('environments/all', 10000, 0, 2);
INSERT INTO public.tallies VALUES ('environments/all', 100, 0, 2);
INSERT INTO public.tallies VALUES ('users/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('users/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('users/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1e6ac-754d-7000-9b6b-6862906696cc', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1e6ac-754d-7000-9b6b-6862906696cc', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1e6ac-754d-7000-9b6b-6862906696cc', 100, 0, 1);
INSERT INTO public.tallies VALUES ('deployments/all', 1000000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/all', 10000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/all', 100, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1e6ac-7528-7000-ba4d-779598c8c80e', 1000000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1e6ac-7528-7000-ba4d-779598c8c80e', 10000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1e6ac-7528-7000-ba4d-779598c8c80e', 100, 0, 4);
INSERT INTO public.tallies VALUES ('connectors/all', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/all', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/all', 100, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/01a1e6ac-7528-7000-ba4d-779598c8c80e', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/01a1e6ac-7528-7000-ba4d-779598c8c80e', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/01a1e6ac-7528-7000-ba4d-779598c8c80e', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e6ac-7951-7000-8be4-ff48f7f1e5e9', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e6ac-7951-7000-8be4-ff48f7f1e5e9', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e6ac-7951-7000-8be4-ff48f7f1e5e9', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agents/all', 1000000, 0, 2);
INSERT INTO public.tallies VALUES ('agents/all', 10000, 0, 2);
INSERT INTO public.tallies VALUES ('agents/all', 100, 0, 2);
INSERT INTO public.tallies VALUES ('releases/01a1e6ac-7a10-7000-8e97-81b60b89d698', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e6ac-7a10-7000-8e97-81b60b89d698', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e6ac-7a10-7000-8e97-81b60b89d698', 100, 0, 1);
INSERT INTO public.tallies VALUES ('automations/all', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('automations/all', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('automations/all', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/all', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('releases/all', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('releases/all', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e6ac-7528-7000-ba4d-779598c8c80e', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e6ac-7528-7000-ba4d-779598c8c80e', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e6ac-7528-7000-ba4d-779598c8c80e', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e6ac-7b4b-7000-a5c8-8d439a6c23c0', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e6ac-7b4b-7000-a5c8-8d439a6c23c0', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e6ac-7b4b-7000-a5c8-8d439a6c23c0', 100, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1e6ac-7528-7000-ba4d-779598c8c80e', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1e6ac-7528-7000-ba4d-779598c8c80e', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1e6ac-7528-7000-ba4d-779598c8c80e', 100, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1e6ac-7dd4-7000-8a06-b5d6491fc481', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1e6ac-7dd4-7000-8a06-b5d6491fc481', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1e6ac-7dd4-7000-8a06-b5d6491fc481', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e6ac-7528-7000-ba4d-779598c8c80e', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e6ac-7528-7000-ba4d-779598c8c80e', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e6ac-7528-7000-ba4d-779598c8c80e', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e6ac-7dd4-7000-8a06-b5d6491fc481', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e6ac-7dd4-7000-8a06-b5d6491fc481', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e6ac-7dd4-7000-8a06-b5d6491fc481', 100, 0, 1);
INSERT INTO public.tallies VALUES ('plans/all', 1000000, 0, 2);
INSERT INTO public.tallies VALUES ('plans/all', 10000, 0, 2);
INSERT INTO public.tallies VALUES ('plans/all', 100, 0, 2);
INSERT INTO public.tallies VALUES ('plans/01a1e6ac-7528-7000-ba4d-779598c8c80e', 1000000, 0, 2);
INSERT INTO public.tallies VALUES ('plans/01a1e6ac-7528-7000-ba4d-779598c8c80e', 10000, 0, 2);
INSERT INTO public.tallies VALUES ('plans/01a1e6ac-7528-7000-ba4d-779598c8c80e', 100, 0, 2);
INSERT INTO public.tallies VALUES ('apps/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e6ac-7528-7000-ba4d-779598c8c80e', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e6ac-7528-7000-ba4d-779598c8c80e', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e6ac-7528-7000-ba4d-779598c8c80e', 100, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e6ac-7dd4-7000-8a06-b5d6491fc481', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e6ac-7dd4-7000-8a06-b5d6491fc481', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e6ac-7dd4-7000-8a06-b5d6491fc481', 100, 0, 1);
INSERT INTO public.tokens VALUES (1, '01a1e6ac-778f-7000-96ce-44fe116f7105', '["wNTdW_n0Eeb4I9Hm5mf-hYhUAYcJpws0R5-o4ufuqZ8"]', 1, NULL, '01a1e6ac-754d-7000-9b6b-6862906696cc', NULL, '{"id":"01a1e6ac-778f-7000-96ce-44fe116f7105","username":"ada@example.test","comment":"fixture","created_at":"2026-11-16T23:23:44.910Z","expires_at":null,"created_by":"internal-service"}', NULL, 'fixture', '', '', 'internal-service', 'fixture', '2026-11-16T23:23:44.910Z');
INSERT INTO public.users VALUES (1, '01a1e6ac-754d-7000-9b6b-6862906696cc', '["ada@example.test"]', 1, NULL, NULL, NULL, '{"id":"01a1e6ac-754d-7000-9b6b-6862906696cc","username":"ada@example.test","role":"operator","active":true,"created_at":"2026-11-16T23:23:44.332Z","updated_at":"2026-11-16T23:23:44.332Z","created_by":"internal-service"}', '3iuIy8evpO21AAuQWTpcUS3t09wsmeXBOFbdp6046ntB345r9xwI+Y/dkiAk3faWNM9cloc05gbFVYUzyhzmxtB92lELNLK/WmrgQPRAXY6ZAN3qwYn8Gc31YSzV8GE1WEhatJmXUFaKeZKLzkiGKRIB', 'ada@example.test', 'active', '2026-11-16T23:23:44.332Z', 'internal-service', 'ada@example.test', '2026-11-16T23:23:44.332Z');
INSERT INTO public.versions VALUES (1, '01a1e6ac-7ef3-7000-a026-b1edb4effe9e', '["01a1e6ac-7dd4-7000-8a06-b5d6491fc481","1.0.0"]', 1, NULL, '01a1e6ac-7dd4-7000-8a06-b5d6491fc481', NULL, '{"id":"01a1e6ac-7ef3-7000-a026-b1edb4effe9e","agent_id":"01a1e6ac-7dd4-7000-8a06-b5d6491fc481","version":"1.0.0","source_path":null,"metadata":{},"created_at":"2026-11-16T23:23:46.769Z","created_by":"internal-service"}', NULL, '1.0.0', '', '', 'internal-service', '1.0.0', '2026-11-16T23:23:46.769Z');
SELECT pg_catalog.setval('public.deliveries_sequence_seq', 1, false);
SELECT pg_catalog.setval('public.outbox_sequence_seq', 11, true);
SELECT pg_catalog.setval('public.pending_events_arrival_seq', 49, true);
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
ALTER TABLE ONLY public.applied_resources
    ADD CONSTRAINT applied_resources_key PRIMARY KEY (environment_id, kind, name);
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
ALTER TABLE ONLY public.plan_checks
    ADD CONSTRAINT plan_checks_pkey PRIMARY KEY (plan_id);
ALTER TABLE ONLY public.plan_locks
    ADD CONSTRAINT plan_locks_pkey PRIMARY KEY (environment_id);
ALTER TABLE ONLY public.plan_steps
    ADD CONSTRAINT plan_steps_key PRIMARY KEY (plan_id, "position");
ALTER TABLE ONLY public.plans
    ADD CONSTRAINT plans_id_key UNIQUE (id);
ALTER TABLE ONLY public.plans
    ADD CONSTRAINT plans_key_key UNIQUE (key);
ALTER TABLE ONLY public.plans
    ADD CONSTRAINT plans_pkey PRIMARY KEY ("position");
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
CREATE INDEX plans_by_environment_id ON public.plans USING btree (environment_id, "position") WHERE (environment_id IS NOT NULL);
CREATE INDEX plans_by_list_columns ON public.plans USING btree ("position", environment_id, owner, created_at, name, status, updated_at, created_by, search_text);
CREATE INDEX plans_by_owner ON public.plans USING btree (owner, "position") WHERE (owner IS NOT NULL);
CREATE INDEX plans_without_list_columns ON public.plans USING btree ("position") WHERE (created_at IS NULL);
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
ALTER TABLE ONLY public.applied_resources
    ADD CONSTRAINT applied_resources_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES public.environments(id) ON DELETE CASCADE;
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
ALTER TABLE ONLY public.plan_checks
    ADD CONSTRAINT plan_checks_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES public.plans(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.plan_locks
    ADD CONSTRAINT plan_locks_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES public.environments(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.plan_locks
    ADD CONSTRAINT plan_locks_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES public.plans(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.plan_steps
    ADD CONSTRAINT plan_steps_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES public.plans(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.plans
    ADD CONSTRAINT plans_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES public.environments(id);
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
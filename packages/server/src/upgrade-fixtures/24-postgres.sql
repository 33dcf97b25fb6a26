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
    created_at text COLLATE pg_catalog."C",
    charged_to text
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
    created_at text COLLATE pg_catalog."C",
    charged_to text
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
    created_at text COLLATE pg_catalog."C",
    charged_to text
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
    created_at text COLLATE pg_catalog."C",
    charged_to text
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
    created_at text COLLATE pg_catalog."C",
    charged_to text
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
    created_at text COLLATE pg_catalog."C",
    charged_to text
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
    created_at text COLLATE pg_catalog."C",
    charged_to text
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
    created_at text COLLATE pg_catalog."C",
    charged_to text
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
    created_at text COLLATE pg_catalog."C",
    charged_to text
);
CREATE TABLE public.environment_requests (
    environment_id text NOT NULL,
    version integer NOT NULL,
    doc text NOT NULL,
    body text NOT NULL
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
    created_at text COLLATE pg_catalog."C",
    charged_to text
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
CREATE TABLE public.file_owners (
    environment_id text NOT NULL,
    path text NOT NULL,
    bytes bigint NOT NULL,
    charged_to text
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
    created_at text COLLATE pg_catalog."C",
    charged_to text
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
CREATE TABLE public.lineage (
    environment_id text NOT NULL,
    kind text NOT NULL,
    resource_id text NOT NULL,
    declared text NOT NULL,
    code text
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
    created_at text COLLATE pg_catalog."C",
    charged_to text
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
    created_at text COLLATE pg_catalog."C",
    charged_to text
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
    created_at text COLLATE pg_catalog."C",
    charged_to text
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
CREATE TABLE public.secret_bindings (
    scope text NOT NULL,
    environment_id text NOT NULL,
    hosts text NOT NULL,
    updated_at text NOT NULL
);
CREATE TABLE public.secret_scopes (
    scope text NOT NULL,
    environments text,
    roles text,
    updated_at text NOT NULL,
    hosts text
);
CREATE TABLE public.secrets (
    environment_id text NOT NULL,
    scope text NOT NULL,
    key text NOT NULL,
    value text NOT NULL,
    updated_at text NOT NULL
);
CREATE TABLE public.stored_usage (
    scope text NOT NULL,
    kind text NOT NULL,
    n bigint NOT NULL,
    bytes bigint NOT NULL
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
    created_at text COLLATE pg_catalog."C",
    charged_to text
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
    created_at text COLLATE pg_catalog."C",
    charged_to text
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
    created_at text COLLATE pg_catalog."C",
    charged_to text
);
ALTER TABLE ONLY public.deliveries ALTER COLUMN sequence SET DEFAULT nextval('public.deliveries_sequence_seq'::regclass);
ALTER TABLE ONLY public.outbox ALTER COLUMN sequence SET DEFAULT nextval('public.outbox_sequence_seq'::regclass);
ALTER TABLE ONLY public.pending_events ALTER COLUMN arrival SET DEFAULT nextval('public.pending_events_arrival_seq'::regclass);
INSERT INTO public.agent_environments VALUES (1, '01a1f4d8-e237-7000-993d-aa7f8853cb32', '["agent","01a1f4d8-e1e5-7000-a493-e6ddd1454f0f","01a1f4d8-da83-7000-ac13-ad321ef4688a"]', 5, '01a1f4d8-da83-7000-ac13-ad321ef4688a', '01a1f4d8-e1e5-7000-a493-e6ddd1454f0f', 'agent_release', '{"artifact":"agent/desk","release":{"environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","environment":"prod","version":"1.0.0","workflow_run_id":null,"workflow_name":null,"workflow_run_url":null,"activated_at":"2026-11-19T17:26:56.812Z","activated_by":"internal-service"}}', NULL, '', '', '', '', '', '', 'internal-service');
INSERT INTO public.agents VALUES (2, '01a1f4d8-f344-7000-a483-fe0f166e1f60', '["planned"]', 1, NULL, NULL, NULL, '{"id":"01a1f4d8-f344-7000-a483-fe0f166e1f60","name":"planned","aliases":[],"description":"From a plan","source_path":null,"components":[],"releases":[],"created_at":"2026-11-19T17:27:01.180Z","updated_at":"2026-11-19T17:27:01.180Z","created_by":"internal-service","updated_by":null}', NULL, 'planned', '', '2026-11-19T17:27:01.180Z', 'internal-service', 'planned
from a plan', '2026-11-19T17:27:01.180Z', 'internal-service');
INSERT INTO public.agents VALUES (1, '01a1f4d8-e1e5-7000-a493-e6ddd1454f0f', '["desk"]', 6, NULL, NULL, NULL, '{"id":"01a1f4d8-e1e5-7000-a493-e6ddd1454f0f","name":"desk","aliases":["orders-bot"],"description":"","source_path":"tiny","components":[{"environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","component":"chat","desired_state":"running","observed_state":"running","message":null,"updated_at":"2026-11-19T17:26:56.812Z","version":"1.0.0"},{"environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","component":"agent_endpoint","desired_state":"running","observed_state":"running","message":null,"updated_at":"2026-11-19T17:26:57.505Z","version":"1.0.0"},{"environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","component":"ui_app","desired_state":"running","observed_state":"running","version":"1.0.0","message":null,"updated_at":"2026-11-19T17:26:58.246Z"}],"releases":[{"environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","environment":"prod","version":"1.0.0","workflow_run_id":null,"workflow_name":null,"workflow_run_url":null,"activated_at":"2026-11-19T17:26:56.812Z","activated_by":"internal-service"}],"created_at":"2026-11-19T17:26:56.741Z","updated_at":"2026-11-19T17:26:56.925Z","created_by":"internal-service","updated_by":"internal-service"}', NULL, 'desk', '', '2026-11-19T17:26:56.925Z', 'internal-service', 'desk', '2026-11-19T17:26:56.741Z', 'internal-service');
INSERT INTO public.aliases VALUES ('["desk"]', '01a1f4d8-e1e5-7000-a493-e6ddd1454f0f');
INSERT INTO public.aliases VALUES ('["orders-bot"]', '01a1f4d8-e1e5-7000-a493-e6ddd1454f0f');
INSERT INTO public.aliases VALUES ('["planned"]', '01a1f4d8-f344-7000-a483-fe0f166e1f60');
INSERT INTO public.applied_resources VALUES ('01a1f4d8-da83-7000-ac13-ad321ef4688a', 'agent', 'planned', 'shop', '01a1f4d8-f2e5-7000-9752-1a20f7472ee9', '3f9c1d2', 'sha256:891434dc96d8fde7b0202b1c0eb0ec04fae43b0ad0da6381a8f27564d08324fa', 'XrZ4trSipMnlXmsOFWNIfuUu137Y31jxsyuvsh74yrY', 'lOjMxwIonxX2GZhtFYttfleDfz37Dp2Yb4+vSgayO/d0+QiqMT6NAYMC18LSuEXUkAxHbR50GVNKolzQupWwXF7oWnwTf8gDKxC++UXIVcad+xFFC+qjK2VAatiuxAsLDHekGwVnkVoxeAkKjdfFuVAK8N1VS1BROi98wAr52CbOEaXJuBlqQXQAMIENg7XyiYdNZ/BHQrrSspJ2sg6tyXcX3CAklh72k5Yj6lUFXBgfE/2IhJqBaMK83iKq+G33EGx7eezUT+Eh4dU=', '2026-11-19T17:27:01.204Z', 'internal-service');
INSERT INTO public.apps VALUES (1, '01a1f4d8-e269-7000-82c8-ce925e9a9aa5', '["01a1f4d8-da83-7000-ac13-ad321ef4688a","desk-ui"]', 3, '01a1f4d8-da83-7000-ac13-ad321ef4688a', '01a1f4d8-e1e5-7000-a493-e6ddd1454f0f', NULL, '{"id":"01a1f4d8-e269-7000-82c8-ce925e9a9aa5","name":"desk-ui","environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","description":"","agent_id":"01a1f4d8-e1e5-7000-a493-e6ddd1454f0f","source_path":"tiny","desired_state":"running","observed_state":"running","message":null,"created_at":"2026-11-19T17:26:56.873Z","updated_at":"2026-11-19T17:26:58.246Z","created_by":"internal-service","updated_by":"internal-service"}', NULL, 'desk-ui', 'running', '2026-11-19T17:26:58.246Z', 'internal-service', 'desk-ui', '2026-11-19T17:26:56.873Z', 'internal-service');
INSERT INTO public.automations VALUES (1, '01a1f4d8-df9d-7000-aca4-18ce40d96275', '["released"]', 1, NULL, NULL, NULL, '{"id":"01a1f4d8-df9d-7000-aca4-18ce40d96275","alias":"released","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false},"design_content_hash":"sha256:d82013cfdda1f3175921910fbd9eb0acf312669e7925f0c05e5f58309689ee79","created_at":"2026-11-19T17:26:56.118Z","updated_at":"2026-11-19T17:26:56.118Z","created_by":"internal-service","updated_by":null}', NULL, 'released', '', '2026-11-19T17:26:56.118Z', 'internal-service', 'released', '2026-11-19T17:26:56.118Z', 'internal-service');
INSERT INTO public.automations VALUES (2, '01a1f4d8-e06d-7000-9c31-00e7310cbce4', '["released-paused"]', 1, NULL, NULL, NULL, '{"id":"01a1f4d8-e06d-7000-9c31-00e7310cbce4","alias":"released-paused","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false},"design_content_hash":"sha256:1112bb91d1b3b61c9ac6b944d814609b8ae6adb0fc2b94188892604d41c071bd","created_at":"2026-11-19T17:26:56.304Z","updated_at":"2026-11-19T17:26:56.304Z","created_by":"internal-service","updated_by":null}', NULL, 'released-paused', '', '2026-11-19T17:26:56.304Z', 'internal-service', 'released-paused', '2026-11-19T17:26:56.304Z', 'internal-service');
INSERT INTO public.automations VALUES (3, '01a1f4d8-e0c9-7000-aee7-42a5c459772c', '["released-changed"]', 2, NULL, NULL, NULL, '{"id":"01a1f4d8-e0c9-7000-aee7-42a5c459772c","alias":"released-changed","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 2","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false},"design_content_hash":"sha256:f6b38dd07db4ba331f099f7884e4380e971a952c9ea66bc4609f8734c4f8b536","created_at":"2026-11-19T17:26:56.448Z","updated_at":"2026-11-19T17:26:56.614Z","created_by":"internal-service","updated_by":"internal-service"}', NULL, 'released-changed', '', '2026-11-19T17:26:56.614Z', 'internal-service', 'released-changed', '2026-11-19T17:26:56.448Z', 'internal-service');
INSERT INTO public.connectors VALUES (2, '01a1f4d8-de4e-7000-a852-2ad54b4f39fd', '01a1f4d8-da83-7000-ac13-ad321ef4688a/["referring"]', 1, '01a1f4d8-da83-7000-ac13-ad321ef4688a', NULL, NULL, '{"id":"01a1f4d8-de4e-7000-a852-2ad54b4f39fd","name":"referring","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"Bearer {{secrets/shop/api-key}}"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"active","git_commit_id":null,"git_branch":null,"workflow_id":"connector-01a1f4d8-de4e-7000-a852-2ad54b4f39fd","artifacts_path":null,"error_message":null,"created_at":"2026-11-19T17:26:55.822Z","updated_at":"2026-11-19T17:26:55.822Z","created_by":"ada@example.test","updated_by":null,"datasets":[{"id":"01a1f4d8-de4e-7001-96f1-0f4ad61f1017","connector_id":"01a1f4d8-de4e-7000-a852-2ad54b4f39fd","source_dataset":"referring","target_name":"referring","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-19T17:26:55.822Z","created_by":"ada@example.test"}]}', NULL, 'referring', 'active', '2026-11-19T17:26:55.822Z', 'ada@example.test', 'referring
warehouse', '2026-11-19T17:26:55.822Z', 'internal-service');
INSERT INTO public.connectors VALUES (3, '01a1f4d8-deb4-7000-aa9e-4ef50dcaa8bf', '01a1f4d8-da83-7000-ac13-ad321ef4688a/["paused"]', 2, '01a1f4d8-da83-7000-ac13-ad321ef4688a', NULL, NULL, '{"id":"01a1f4d8-deb4-7000-aa9e-4ef50dcaa8bf","name":"paused","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"********"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"paused","git_commit_id":null,"git_branch":null,"workflow_id":"connector-01a1f4d8-deb4-7000-aa9e-4ef50dcaa8bf","artifacts_path":null,"error_message":null,"created_at":"2026-11-19T17:26:55.924Z","updated_at":"2026-11-19T17:26:55.957Z","created_by":"ada@example.test","updated_by":"internal-service","datasets":[{"id":"01a1f4d8-deb4-7001-88c2-dd04d35d7d53","connector_id":"01a1f4d8-deb4-7000-aa9e-4ef50dcaa8bf","source_dataset":"paused","target_name":"paused","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-19T17:26:55.924Z","created_by":"ada@example.test"}]}', 'UYzf4UBC3WqkaddOihd/oEooETbJsWmfEiIevMaTnbxYvQMANPXV6na8xeesX3EjSFw7u0kENSfoECoxmg70dBuXFgO/WDyQsdrVRdwSNdIevYQ1HNHH/mTCAchmLViZ9QhagZCjdzARHGX/T9Gqmh61', 'paused', 'paused', '2026-11-19T17:26:55.957Z', 'ada@example.test', 'paused
warehouse', '2026-11-19T17:26:55.924Z', 'internal-service');
INSERT INTO public.connectors VALUES (1, '01a1f4d8-dddb-7000-bc81-d5d9ab601cd3', '01a1f4d8-da83-7000-ac13-ad321ef4688a/["inline"]', 2, '01a1f4d8-da83-7000-ac13-ad321ef4688a', NULL, NULL, '{"id":"01a1f4d8-dddb-7000-bc81-d5d9ab601cd3","name":"inline","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"********"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"active","git_commit_id":null,"git_branch":"main","workflow_id":"connector-01a1f4d8-dddb-7000-bc81-d5d9ab601cd3","artifacts_path":null,"error_message":null,"created_at":"2026-11-19T17:26:55.707Z","updated_at":"2026-11-19T17:26:56.049Z","created_by":"ada@example.test","updated_by":"internal-service","datasets":[{"id":"01a1f4d8-dddb-7001-99a9-4e9e66908fc6","connector_id":"01a1f4d8-dddb-7000-bc81-d5d9ab601cd3","source_dataset":"inline","target_name":"inline","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-19T17:26:55.707Z","created_by":"ada@example.test"}]}', 'yIaJz1f+Z/S7MCr6D0Hsh1RkhsTfqjRtaqj25u8cQExo4SjGUmWugpi/nWP+hLqFrFvr6CVImBc8+BPhzgEfd2cv78nh7T7lZII182RGKfILSKlmxVBCXtamsf2FrTEROtvP0CU7NZJWDZ+iPu6fjmN2gluxcY1d/fmLsOWeSa0=', 'inline', 'active', '2026-11-19T17:26:56.049Z', 'ada@example.test', 'inline
warehouse', '2026-11-19T17:26:55.707Z', 'internal-service');
INSERT INTO public.cursors VALUES ('chat', 0);
INSERT INTO public.deployment_counts VALUES ('01a1f4d8-da83-7000-ac13-ad321ef4688a', 'pending', 0);
INSERT INTO public.deployment_counts VALUES ('01a1f4d8-da83-7000-ac13-ad321ef4688a', 'succeeded', 4);
INSERT INTO public.deployment_log VALUES ('01a1f4d8-e7ef-7000-8638-bffa15df922f', 1, '"uploading\n"');
INSERT INTO public.deployments VALUES (1, '01a1f4d8-dfcc-7000-ae32-604afde093d5', '["2026-11-19T17:26:56.183Z","01a1f4d8-dfcc-7000-ae32-604afde093d5"]', 1, '01a1f4d8-da83-7000-ac13-ad321ef4688a', NULL, 'succeeded', '{"id":"01a1f4d8-dfcc-7000-ae32-604afde093d5","deployment_name":"released 1.0.0","environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-19T17:26:56.183Z","started_at":"2026-11-19T17:26:56.183Z","completed_at":"2026-11-19T17:26:56.183Z","initiated_by":"internal-service","error_message":null}', NULL, 'released 1.0.0', 'succeeded', '', 'internal-service', 'released 1.0.0
main
3f9c1d2', '2026-11-19T17:26:56.183Z', 'internal-service');
INSERT INTO public.deployments VALUES (2, '01a1f4d8-e08e-7000-8c7f-c59f7eace165', '["2026-11-19T17:26:56.393Z","01a1f4d8-e08e-7000-8c7f-c59f7eace165"]', 1, '01a1f4d8-da83-7000-ac13-ad321ef4688a', NULL, 'succeeded', '{"id":"01a1f4d8-e08e-7000-8c7f-c59f7eace165","deployment_name":"released-paused 1.0.0","environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-19T17:26:56.393Z","started_at":"2026-11-19T17:26:56.393Z","completed_at":"2026-11-19T17:26:56.393Z","initiated_by":"internal-service","error_message":null}', NULL, 'released-paused 1.0.0', 'succeeded', '', 'internal-service', 'released-paused 1.0.0
main
3f9c1d2', '2026-11-19T17:26:56.393Z', 'internal-service');
INSERT INTO public.deployments VALUES (3, '01a1f4d8-e0f8-7000-86b8-3dfc75b55382', '["2026-11-19T17:26:56.498Z","01a1f4d8-e0f8-7000-86b8-3dfc75b55382"]', 1, '01a1f4d8-da83-7000-ac13-ad321ef4688a', NULL, 'succeeded', '{"id":"01a1f4d8-e0f8-7000-86b8-3dfc75b55382","deployment_name":"released-changed 1.0.0","environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-19T17:26:56.498Z","started_at":"2026-11-19T17:26:56.498Z","completed_at":"2026-11-19T17:26:56.498Z","initiated_by":"internal-service","error_message":null}', NULL, 'released-changed 1.0.0', 'succeeded', '', 'internal-service', 'released-changed 1.0.0
main
3f9c1d2', '2026-11-19T17:26:56.498Z', 'internal-service');
INSERT INTO public.deployments VALUES (4, '01a1f4d8-e7ef-7000-8638-bffa15df922f', '["2026-11-19T17:26:58.340Z","01a1f4d8-e7ef-7000-8638-bffa15df922f"]', 2, '01a1f4d8-da83-7000-ac13-ad321ef4688a', NULL, 'succeeded', '{"id":"01a1f4d8-e7ef-7000-8638-bffa15df922f","deployment_name":"orders 1.0.0","environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","git_branch":"main","git_commit_sha":"","status":"succeeded","job_run_id":null,"created_at":"2026-11-19T17:26:58.287Z","started_at":null,"completed_at":"2026-11-19T17:26:58.340Z","initiated_by":"internal-service","error_message":null}', NULL, 'orders 1.0.0', 'succeeded', '', 'internal-service', 'orders 1.0.0
main', '2026-11-19T17:26:58.287Z', 'internal-service');
INSERT INTO public.environments VALUES (1, '01a1f4d8-d8b5-7000-9e90-31e71a24a8e1', '["local"]', 1, NULL, NULL, NULL, '{"id":"01a1f4d8-d8b5-7000-9e90-31e71a24a8e1","name":"local","description":"Created at the first start","protected":false,"platform":"embedded","gitProvider":null,"gitRepository":null,"targetGitBranch":null,"secretScope":null,"dataPlatformClientIdKey":null,"dataPlatformClientSecretKey":null,"configuration":{},"isActive":true,"createdAt":"2026-11-19T17:26:54.377Z","updatedAt":"2026-11-19T17:26:54.377Z","createdBy":"lakehelm","updatedBy":null}', NULL, 'local', 'active', '2026-11-19T17:26:54.377Z', 'lakehelm', 'local
created at the first start', '2026-11-19T17:26:54.377Z', NULL);
INSERT INTO public.environments VALUES (2, '01a1f4d8-da83-7000-ac13-ad321ef4688a', '["prod"]', 1, NULL, NULL, NULL, '{"id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","name":"prod","description":null,"protected":false,"platform":"embedded","gitProvider":null,"gitRepository":null,"targetGitBranch":null,"secretScope":null,"dataPlatformClientIdKey":null,"dataPlatformClientSecretKey":null,"configuration":{"timezone":"Europe/Berlin"},"isActive":true,"createdAt":"2026-11-19T17:26:54.849Z","updatedAt":"2026-11-19T17:26:54.849Z","createdBy":"internal-service","updatedBy":null}', NULL, 'prod', 'active', '2026-11-19T17:26:54.849Z', 'internal-service', 'prod', '2026-11-19T17:26:54.849Z', 'internal-service');
INSERT INTO public.event_head VALUES (1, 50, 'tXVwJ7ztNzcwUkXMSA2uwR-BshEqqXpaIttJ7HhG0yo', 'ufg1cJdDyZNFyrOkYmVvaenp_0BRVHTTURKt76NMVXE');
INSERT INTO public.event_start VALUES (1, 0, '', '', '');
INSERT INTO public.events VALUES (1, '01a1f4d8-d8c0-7000-b407-94dec06bc843', 'environment.created', 'environment/01a1f4d8-d8b5-7000-9e90-31e71a24a8e1', '{"id":"01a1f4d8-d8c0-7000-b407-94dec06bc843","time":"2026-11-19T17:26:54.377Z","actor":"lakehelm","request_id":null,"kind":"environment.created","subject":"environment/01a1f4d8-d8b5-7000-9e90-31e71a24a8e1","data":{"name":"local","platform":"embedded"}}', 'wvxMqw6xGhqYhK9yOfqPFup2viUUUqkFLdRlhwtaS7s');
INSERT INTO public.events VALUES (2, '01a1f4d8-da87-7000-ad4e-b23ab88de1b0', 'environment.created', 'environment/01a1f4d8-da83-7000-ac13-ad321ef4688a', '{"id":"01a1f4d8-da87-7000-ad4e-b23ab88de1b0","time":"2026-11-19T17:26:54.849Z","actor":"internal-service","request_id":"01a1f4d8-da79-7000-9574-d45f004a3989","kind":"environment.created","subject":"environment/01a1f4d8-da83-7000-ac13-ad321ef4688a","data":{"name":"prod","platform":"embedded"}}', '22IzxPXJyKqQGEETvHB8ygsVrUvCv8LfmTHED3fVelE');
INSERT INTO public.events VALUES (3, '01a1f4d8-dd3e-7000-9bf4-263461be6ed2', 'user.created', 'user/01a1f4d8-da9e-7000-9117-eb93fb538bc2', '{"id":"01a1f4d8-dd3e-7000-9bf4-263461be6ed2","time":"2026-11-19T17:26:54.876Z","actor":"internal-service","request_id":"01a1f4d8-da9a-7000-8aa6-fff5d5ac5417","kind":"user.created","subject":"user/01a1f4d8-da9e-7000-9117-eb93fb538bc2","data":{"id":"01a1f4d8-da9e-7000-9117-eb93fb538bc2","username":"ada@example.test","role":"operator","active":true,"created_at":"2026-11-19T17:26:54.876Z","updated_at":"2026-11-19T17:26:54.876Z","created_by":"internal-service"}}', 'ChHVcOXJ3vYJc6jiuGuvQS1AcPzomtlW143aIkjSly8');
INSERT INTO public.events VALUES (4, '01a1f4d8-dd5c-7000-9b5b-2e6d2c393d89', 'token.created', 'token/01a1f4d8-dd54-7000-bc8b-ac4a5125cf90', '{"id":"01a1f4d8-dd5c-7000-9b5b-2e6d2c393d89","time":"2026-11-19T17:26:55.567Z","actor":"internal-service","request_id":"01a1f4d8-dd4e-7000-bc13-fd973b91e204","kind":"token.created","subject":"token/01a1f4d8-dd54-7000-bc8b-ac4a5125cf90","data":{"id":"01a1f4d8-dd54-7000-bc8b-ac4a5125cf90","username":"ada@example.test","comment":"fixture","created_at":"2026-11-19T17:26:55.567Z","expires_at":null,"created_by":"internal-service"}}', 'VG-uLDwb0sjgFabyKUOJf2rmMpnSNqe21Usrx_EGOWQ');
INSERT INTO public.events VALUES (5, '01a1f4d8-dd8e-7000-8ab1-e69ea24eb384', 'secret.stored', 'secret/01a1f4d8-da83-7000-ac13-ad321ef4688a/shop/api-key', '{"id":"01a1f4d8-dd8e-7000-8ab1-e69ea24eb384","time":"2026-11-19T17:26:55.610Z","actor":"internal-service","request_id":"01a1f4d8-dd72-7000-8e59-aa12d859de8f","kind":"secret.stored","subject":"secret/01a1f4d8-da83-7000-ac13-ad321ef4688a/shop/api-key","data":{"environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","scope":"shop","key":"api-key"}}', 'L00XAcCdPzrUFsjV1Th6MYhX6fjTftqW5Y6dexEByRs');
INSERT INTO public.events VALUES (6, '01a1f4d8-ddfe-7000-8aab-9ceeeb73168e', 'connector.created', 'connector/01a1f4d8-dddb-7000-bc81-d5d9ab601cd3', '{"id":"01a1f4d8-ddfe-7000-8aab-9ceeeb73168e","time":"2026-11-19T17:26:55.707Z","actor":"internal-service","request_id":"01a1f4d8-ddce-7000-a17d-766ee430725d","kind":"connector.created","subject":"connector/01a1f4d8-dddb-7000-bc81-d5d9ab601cd3","data":{"name":"inline","environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","target_type":"warehouse","status":"active"}}', 'K_ptRtoBJKXk1NrU9XmhvVNzLj0BqFkFjuKUcMpoXxg');
INSERT INTO public.events VALUES (7, '01a1f4d8-de71-7000-930a-9d2f9aeaefb3', 'secret.scope_bound', 'secret-scope/shop', '{"id":"01a1f4d8-de71-7000-930a-9d2f9aeaefb3","time":"2026-11-19T17:26:55.822Z","actor":"internal-service","request_id":"01a1f4d8-de42-7000-9c61-4a2a7502647e","kind":"secret.scope_bound","subject":"secret-scope/shop","data":{"scope":"shop","hosts":["source.example.test"],"environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a"}}', '2txF0C2Ky5GO4dj-hVv_IOLdE_GpF9s--166Ryo_aXs');
INSERT INTO public.events VALUES (8, '01a1f4d8-de8d-7001-8280-88aeaf7142cf', 'connector.created', 'connector/01a1f4d8-de4e-7000-a852-2ad54b4f39fd', '{"id":"01a1f4d8-de8d-7001-8280-88aeaf7142cf","time":"2026-11-19T17:26:55.822Z","actor":"internal-service","request_id":"01a1f4d8-de42-7000-9c61-4a2a7502647e","kind":"connector.created","subject":"connector/01a1f4d8-de4e-7000-a852-2ad54b4f39fd","data":{"name":"referring","environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","target_type":"warehouse","status":"active"}}', 'r8YqEiNBr2Ht1OwYh8IhiVFKIZNhq43UaRXr_vw_5j0');
INSERT INTO public.events VALUES (9, '01a1f4d8-deb8-7000-8bb5-793e027922eb', 'connector.created', 'connector/01a1f4d8-deb4-7000-aa9e-4ef50dcaa8bf', '{"id":"01a1f4d8-deb8-7000-8bb5-793e027922eb","time":"2026-11-19T17:26:55.924Z","actor":"internal-service","request_id":"01a1f4d8-deab-7000-ab1f-a77b274b1bf0","kind":"connector.created","subject":"connector/01a1f4d8-deb4-7000-aa9e-4ef50dcaa8bf","data":{"name":"paused","environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","target_type":"warehouse","status":"active"}}', 'we2U4zCZk2_nMOOUveYmHsXBO1g-R3zD5g08ffMyHqk');
INSERT INTO public.events VALUES (10, '01a1f4d8-df03-7000-86ec-b7372f2a26e2', 'connector.paused', 'connector/01a1f4d8-deb4-7000-aa9e-4ef50dcaa8bf', '{"id":"01a1f4d8-df03-7000-86ec-b7372f2a26e2","time":"2026-11-19T17:26:55.957Z","actor":"internal-service","request_id":"01a1f4d8-ded3-7000-a7c2-a0173fef5d86","kind":"connector.paused","subject":"connector/01a1f4d8-deb4-7000-aa9e-4ef50dcaa8bf","data":{"name":"paused","environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","reason":"holiday","until":null}}', 'EzNynioFUQ9utPA0PCMNyvhXg0RdbOsz1ahMxColU38');
INSERT INTO public.events VALUES (11, '01a1f4d8-df39-7000-b74e-43911f7b8dba', 'connector.updated', 'connector/01a1f4d8-dddb-7000-bc81-d5d9ab601cd3', '{"id":"01a1f4d8-df39-7000-b74e-43911f7b8dba","time":"2026-11-19T17:26:56.049Z","actor":"internal-service","request_id":"01a1f4d8-df24-7000-8184-c6e3b0a24353","kind":"connector.updated","subject":"connector/01a1f4d8-dddb-7000-bc81-d5d9ab601cd3","data":{"name":"inline","environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","fields":["git_branch"],"changes":[{"path":"git_branch","before":null,"after":"main"}]}}', 'gzWVpqCabNbo_cEexghPmlEAzl5jdSD4UAdRNEL5xEU');
INSERT INTO public.events VALUES (12, '01a1f4d8-df9f-7000-8eca-2e95894f7764', 'automation.created', 'automation/01a1f4d8-df9d-7000-aca4-18ce40d96275', '{"id":"01a1f4d8-df9f-7000-8eca-2e95894f7764","time":"2026-11-19T17:26:56.118Z","actor":"internal-service","request_id":"01a1f4d8-df74-7000-841b-18cbcabb2e60","kind":"automation.created","subject":"automation/01a1f4d8-df9d-7000-aca4-18ce40d96275","data":{"alias":"released","design_content_hash":"sha256:d82013cfdda1f3175921910fbd9eb0acf312669e7925f0c05e5f58309689ee79"}}', 'BQzBpqx5AP9VWSTQmCYi5l6OOUA8HiKx_JkiEBJJ-ac');
INSERT INTO public.events VALUES (13, '01a1f4d8-dfd3-7000-9423-5f2bd011f7ce', 'deployment.recorded', 'deployment/01a1f4d8-dfcc-7000-ae32-604afde093d5', '{"id":"01a1f4d8-dfd3-7000-9423-5f2bd011f7ce","time":"2026-11-19T17:26:56.183Z","actor":"internal-service","request_id":"01a1f4d8-dfb4-7000-910a-4991c5cabaea","kind":"deployment.recorded","subject":"deployment/01a1f4d8-dfcc-7000-ae32-604afde093d5","data":{"deployment_name":"released 1.0.0","environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","status":"succeeded"}}', 'cx7Ngc2Uz9Bxnwdc8okKYqOAjMn6PFYhxDDswKcVW6k');
INSERT INTO public.events VALUES (14, '01a1f4d8-dfd3-7001-8693-d980c06ba17b', 'automation.release_activated', 'automation/01a1f4d8-df9d-7000-aca4-18ce40d96275', '{"id":"01a1f4d8-dfd3-7001-8693-d980c06ba17b","time":"2026-11-19T17:26:56.183Z","actor":"internal-service","request_id":"01a1f4d8-dfb4-7000-910a-4991c5cabaea","kind":"automation.release_activated","subject":"automation/01a1f4d8-df9d-7000-aca4-18ce40d96275","data":{"alias":"released","release_id":"01a1f4d8-dfc5-7000-a595-91f3988ed726","environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","version":"1.0.0","replaced":null}}', 'Omp-phjzU5dm8QC-uG7fGMs3M1SNQ00AqIIV35GsGls');
INSERT INTO public.events VALUES (15, '01a1f4d8-e006-7000-85f9-81a8910ef54f', 'environment.reconciled', 'environment/01a1f4d8-da83-7000-ac13-ad321ef4688a', '{"id":"01a1f4d8-e006-7000-85f9-81a8910ef54f","time":"2026-11-19T17:26:56.183Z","actor":"internal-service","request_id":"01a1f4d8-dfb4-7000-910a-4991c5cabaea","kind":"environment.reconciled","subject":"environment/01a1f4d8-da83-7000-ac13-ad321ef4688a","data":{}}', '4TvgntBxm6ulzueFu5ydIKwMPOJfjdHKDxM-oAJpU18');
INSERT INTO public.events VALUES (16, '01a1f4d8-e06d-7001-9308-d3aa91fefb08', 'automation.created', 'automation/01a1f4d8-e06d-7000-9c31-00e7310cbce4', '{"id":"01a1f4d8-e06d-7001-9308-d3aa91fefb08","time":"2026-11-19T17:26:56.304Z","actor":"internal-service","request_id":"01a1f4d8-e02f-7000-98b7-dfae13f6a87c","kind":"automation.created","subject":"automation/01a1f4d8-e06d-7000-9c31-00e7310cbce4","data":{"alias":"released-paused","design_content_hash":"sha256:1112bb91d1b3b61c9ac6b944d814609b8ae6adb0fc2b94188892604d41c071bd"}}', 'KmyWLRjrN2uulLRPpKUMZ_bklJkHRU02MHz1MQQUQo4');
INSERT INTO public.events VALUES (17, '01a1f4d8-e08e-7002-83dc-540192d8a030', 'deployment.recorded', 'deployment/01a1f4d8-e08e-7000-8c7f-c59f7eace165', '{"id":"01a1f4d8-e08e-7002-83dc-540192d8a030","time":"2026-11-19T17:26:56.393Z","actor":"internal-service","request_id":"01a1f4d8-e088-7000-98bf-2776ec496bb6","kind":"deployment.recorded","subject":"deployment/01a1f4d8-e08e-7000-8c7f-c59f7eace165","data":{"deployment_name":"released-paused 1.0.0","environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","status":"succeeded"}}', 'NaEamgK6F2ridcIdK2CEngSUe_nF7j8Upe9eJ1HQ_VY');
INSERT INTO public.events VALUES (18, '01a1f4d8-e08e-7003-8653-2baa3a9362a1', 'automation.release_activated', 'automation/01a1f4d8-e06d-7000-9c31-00e7310cbce4', '{"id":"01a1f4d8-e08e-7003-8653-2baa3a9362a1","time":"2026-11-19T17:26:56.393Z","actor":"internal-service","request_id":"01a1f4d8-e088-7000-98bf-2776ec496bb6","kind":"automation.release_activated","subject":"automation/01a1f4d8-e06d-7000-9c31-00e7310cbce4","data":{"alias":"released-paused","release_id":"01a1f4d8-e08d-7000-8434-d5f15e367fe7","environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","version":"1.0.0","replaced":null}}', '66OqYZAoLe2tVXjAbWNhY8eFA4PKrCxEI43Im7CYl9U');
INSERT INTO public.events VALUES (19, '01a1f4d8-e0b4-7000-b6b4-bba9947f0ee2', 'environment.reconciled', 'environment/01a1f4d8-da83-7000-ac13-ad321ef4688a', '{"id":"01a1f4d8-e0b4-7000-b6b4-bba9947f0ee2","time":"2026-11-19T17:26:56.393Z","actor":"internal-service","request_id":"01a1f4d8-e088-7000-98bf-2776ec496bb6","kind":"environment.reconciled","subject":"environment/01a1f4d8-da83-7000-ac13-ad321ef4688a","data":{}}', 'VdhghAY-KBT0W0OnlX8CLBWo7f_XyBs98gZul7052QA');
INSERT INTO public.events VALUES (20, '01a1f4d8-e0c9-7001-8c07-667fb803dee5', 'automation.created', 'automation/01a1f4d8-e0c9-7000-aee7-42a5c459772c', '{"id":"01a1f4d8-e0c9-7001-8c07-667fb803dee5","time":"2026-11-19T17:26:56.448Z","actor":"internal-service","request_id":"01a1f4d8-e0c0-7000-b64e-6bc432a83766","kind":"automation.created","subject":"automation/01a1f4d8-e0c9-7000-aee7-42a5c459772c","data":{"alias":"released-changed","design_content_hash":"sha256:2bb4d2063ab29a519f94a8b140af4f116799a0532b872422b1463eef4a7844f6"}}', 'Gf0Nl626TZgsZIzh_wBgcPF97auDlmAQT_ksYUymzRg');
INSERT INTO public.events VALUES (21, '01a1f4d8-e0f8-7002-ba48-07dffb436c2b', 'deployment.recorded', 'deployment/01a1f4d8-e0f8-7000-86b8-3dfc75b55382', '{"id":"01a1f4d8-e0f8-7002-ba48-07dffb436c2b","time":"2026-11-19T17:26:56.498Z","actor":"internal-service","request_id":"01a1f4d8-e0f0-7000-9330-5730777c4ef1","kind":"deployment.recorded","subject":"deployment/01a1f4d8-e0f8-7000-86b8-3dfc75b55382","data":{"deployment_name":"released-changed 1.0.0","environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","status":"succeeded"}}', 'nj2XGgbH4oV-fwAEAPCg34FUf8dVxFxTVsBuecjD9Yg');
INSERT INTO public.events VALUES (22, '01a1f4d8-e0f8-7003-a848-a48cf7ea13d5', 'automation.release_activated', 'automation/01a1f4d8-e0c9-7000-aee7-42a5c459772c', '{"id":"01a1f4d8-e0f8-7003-a848-a48cf7ea13d5","time":"2026-11-19T17:26:56.498Z","actor":"internal-service","request_id":"01a1f4d8-e0f0-7000-9330-5730777c4ef1","kind":"automation.release_activated","subject":"automation/01a1f4d8-e0c9-7000-aee7-42a5c459772c","data":{"alias":"released-changed","release_id":"01a1f4d8-e0f6-7000-92d3-1221e356b4f9","environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","version":"1.0.0","replaced":null}}', 'AuwXXfiO2r7e8rJm1VlT72kQl1cGW_C2LOgg1XMSEdc');
INSERT INTO public.events VALUES (23, '01a1f4d8-e126-7000-a221-7a78c3a3f6ab', 'environment.reconciled', 'environment/01a1f4d8-da83-7000-ac13-ad321ef4688a', '{"id":"01a1f4d8-e126-7000-a221-7a78c3a3f6ab","time":"2026-11-19T17:26:56.498Z","actor":"internal-service","request_id":"01a1f4d8-e0f0-7000-9330-5730777c4ef1","kind":"environment.reconciled","subject":"environment/01a1f4d8-da83-7000-ac13-ad321ef4688a","data":{}}', 'VoYfDMVOFq591a-Md7R0_sYj6MO_1vot-1bU1OlMMso');
INSERT INTO public.events VALUES (24, '01a1f4d8-e147-7000-88b8-25e0591e5ca7', 'automation.schedule_paused', 'automation/01a1f4d8-e06d-7000-9c31-00e7310cbce4', '{"id":"01a1f4d8-e147-7000-88b8-25e0591e5ca7","time":"2026-11-19T17:26:56.569Z","actor":"internal-service","request_id":"01a1f4d8-e139-7000-96c6-fd43a1c6c276","kind":"automation.schedule_paused","subject":"automation/01a1f4d8-e06d-7000-9c31-00e7310cbce4","data":{"alias":"released-paused","release_id":"01a1f4d8-e08d-7000-8434-d5f15e367fe7","environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","version":"1.0.0","reason":"holiday","until":null}}', 'tZLGskfR1zYaBvq9POfd05HZsK7wbPo0MIS3oD366Vs');
INSERT INTO public.events VALUES (25, '01a1f4d8-e17e-7000-b29c-5a8912382fdf', 'automation.definition_set', 'automation/01a1f4d8-e0c9-7000-aee7-42a5c459772c', '{"id":"01a1f4d8-e17e-7000-b29c-5a8912382fdf","time":"2026-11-19T17:26:56.614Z","actor":"internal-service","request_id":"01a1f4d8-e165-7000-8fbd-35e957c83b14","kind":"automation.definition_set","subject":"automation/01a1f4d8-e0c9-7000-aee7-42a5c459772c","data":{"alias":"released-changed","design_content_hash":"sha256:f6b38dd07db4ba331f099f7884e4380e971a952c9ea66bc4609f8734c4f8b536","changes":[{"path":"definition.tasks[count].query","before":"select 1","after":"select 2"},{"path":"design_content_hash","before":"sha256:2bb4d2063ab29a519f94a8b140af4f116799a0532b872422b1463eef4a7844f6","after":"sha256:f6b38dd07db4ba331f099f7884e4380e971a952c9ea66bc4609f8734c4f8b536"}]}}', 'uDGUoik6WOCNfA7jwIGW_NXjKI6duoABnDs7aQbVU_c');
INSERT INTO public.events VALUES (26, '01a1f4d8-e1b0-7000-a6d7-e78e376069c4', 'file.written', 'file/01a1f4d8-da83-7000-ac13-ad321ef4688a/pipelines/numbers.sql', '{"id":"01a1f4d8-e1b0-7000-a6d7-e78e376069c4","time":"2026-11-19T17:26:56.652Z","actor":"internal-service","request_id":"01a1f4d8-e189-7000-b7b6-28cc5323db3b","kind":"file.written","subject":"file/01a1f4d8-da83-7000-ac13-ad321ef4688a/pipelines/numbers.sql","data":{"environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","path":"pipelines/numbers.sql","size":51,"sha256":"b0bf44b639804f1839a1927e097d46337d4fc58b70b6448f3bb019cef234fa17"}}', 'txNbGGlfvdtbfrizsTH9CkHlCyq8_ek3pG1K0cwTuiw');
INSERT INTO public.events VALUES (27, '01a1f4d8-e1ce-7000-8d6f-6bc8702fbd57', 'pipeline.created', 'pipeline/01a1f4d8-e1ca-7000-b831-9b3aaeb8bafb', '{"id":"01a1f4d8-e1ce-7000-8d6f-6bc8702fbd57","time":"2026-11-19T17:26:56.713Z","actor":"internal-service","request_id":"01a1f4d8-e1c6-7000-8487-c30db7efef92","kind":"pipeline.created","subject":"pipeline/01a1f4d8-e1ca-7000-b831-9b3aaeb8bafb","data":{"name":"numbers","environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a"}}', 'Ye4nhjDYAiqm5gR0tfcTCnfwXT2ZamjkpGkDanGtvWQ');
INSERT INTO public.events VALUES (35, '01a1f4d8-e2ae-7000-9653-aeb69d74c8ab', 'agent.component_started', 'agent/01a1f4d8-e1e5-7000-a493-e6ddd1454f0f', '{"id":"01a1f4d8-e2ae-7000-9653-aeb69d74c8ab","time":"2026-11-19T17:26:56.925Z","actor":"internal-service","request_id":"01a1f4d8-e29c-7000-91b0-a2f8389bada2","kind":"agent.component_started","subject":"agent/01a1f4d8-e1e5-7000-a493-e6ddd1454f0f","data":{"name":"desk","environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","component":"agent_endpoint","version":"1.0.0"}}', 'f51gRXPOmV5nEJm6J4vz-N1zOWk67_Jhils316tGnKI');
INSERT INTO public.events VALUES (45, '01a1f4d8-f2e9-7000-8469-f4bb7134230b', 'plan.created', 'plan/01a1f4d8-f2e5-7000-9752-1a20f7472ee9', '{"id":"01a1f4d8-f2e9-7000-8469-f4bb7134230b","time":"2026-11-19T17:26:58.424Z","actor":"internal-service","request_id":"01a1f4d8-e875-7000-81cd-d86676a77df1","kind":"plan.created","subject":"plan/01a1f4d8-f2e5-7000-9752-1a20f7472ee9","data":{"environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","project":"shop","status":"planned","summary":{"create":1,"update":0,"replace":0,"delete":0,"unchanged":0,"drifted":0,"done":0,"findings":0},"plan_id":"01a1f4d8-f2e5-7000-9752-1a20f7472ee9","commit":"3f9c1d2"}}', 'rw6r6EMXajqHL2Exq6YtSXQ04h4oIorC1AfOE-8tZ_c');
INSERT INTO public.events VALUES (46, '01a1f4d8-f31d-7000-86ca-c0bb0203a19c', 'plan.apply_started', 'plan/01a1f4d8-f2e5-7000-9752-1a20f7472ee9', '{"id":"01a1f4d8-f31d-7000-86ca-c0bb0203a19c","time":"2026-11-19T17:27:01.109Z","actor":"internal-service","request_id":"01a1f4d8-f2f5-7000-a431-27d0e682b7ac","kind":"plan.apply_started","subject":"plan/01a1f4d8-f2e5-7000-9752-1a20f7472ee9","data":{"environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","project":"shop","status":"applying","reason":null,"plan_id":"01a1f4d8-f2e5-7000-9752-1a20f7472ee9","commit":"3f9c1d2"}}', 'Uj3mquEbFxuxnw_72ecU4ULcjCUt4EXJ3Gqes5eoKTs');
INSERT INTO public.events VALUES (28, '01a1f4d8-e1f4-7000-a53a-b7ed3737a909', 'agent.created', 'agent/01a1f4d8-e1e5-7000-a493-e6ddd1454f0f', '{"id":"01a1f4d8-e1f4-7000-a53a-b7ed3737a909","time":"2026-11-19T17:26:56.741Z","actor":"internal-service","request_id":"01a1f4d8-e1e4-7000-9409-cd4c86186f85","kind":"agent.created","subject":"agent/01a1f4d8-e1e5-7000-a493-e6ddd1454f0f","data":{"name":"desk","aliases":["orders-bot"]}}', 'hsXc-wOa6-85hqc61yqZYT4pJ67qko9U2yA5FcwfHNc');
INSERT INTO public.events VALUES (29, '01a1f4d8-e20d-7000-ae35-71d8457377e8', 'file.written', 'file/01a1f4d8-da83-7000-ac13-ad321ef4688a/tiny/app.yaml', '{"id":"01a1f4d8-e20d-7000-ae35-71d8457377e8","time":"2026-11-19T17:26:56.775Z","actor":"internal-service","request_id":"01a1f4d8-e206-7000-9343-c6e0440f92af","kind":"file.written","subject":"file/01a1f4d8-da83-7000-ac13-ad321ef4688a/tiny/app.yaml","data":{"environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","path":"tiny/app.yaml","size":25,"sha256":"161d49cab793e4e16c959370ac0ef0283a37471131f8f1ce0f6cbd77067c181a"}}', 'QrXtJq9iSvrIxzsTsCl0mzJAQV6tDdVgqzfK0rYLwKE');
INSERT INTO public.events VALUES (30, '01a1f4d8-e224-7000-bdcb-e05735b65a41', 'file.written', 'file/01a1f4d8-da83-7000-ac13-ad321ef4688a/tiny/app.mjs', '{"id":"01a1f4d8-e224-7000-bdcb-e05735b65a41","time":"2026-11-19T17:26:56.795Z","actor":"internal-service","request_id":"01a1f4d8-e219-7000-8a0f-f323fb122f0f","kind":"file.written","subject":"file/01a1f4d8-da83-7000-ac13-ad321ef4688a/tiny/app.mjs","data":{"environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","path":"tiny/app.mjs","size":154,"sha256":"42a29daadf6a0e247952089c44decb92d0f16169dfeeb9aa0956ff02f5cd7d93"}}', 'Gq755zrnHeB5b1efD_ejUAnsTuGBcXfYptOOGagKhSw');
INSERT INTO public.events VALUES (31, '01a1f4d8-e239-7000-a5f8-6ecd4296c102', 'agent.version_created', 'agent/01a1f4d8-e1e5-7000-a493-e6ddd1454f0f', '{"id":"01a1f4d8-e239-7000-a5f8-6ecd4296c102","time":"2026-11-19T17:26:56.812Z","actor":"internal-service","request_id":"01a1f4d8-e22c-7000-8b7e-2abdaf3ac8d9","kind":"agent.version_created","subject":"agent/01a1f4d8-e1e5-7000-a493-e6ddd1454f0f","data":{"name":"desk","version":"1.0.0"}}', 'NStnLeE3JCV-IJaZzxfFPkKIWhRUWHFqH4A8KHd2kfI');
INSERT INTO public.events VALUES (32, '01a1f4d8-e239-7001-82cf-0588cc0bc724', 'agent.release_activated', 'agent/01a1f4d8-e1e5-7000-a493-e6ddd1454f0f', '{"id":"01a1f4d8-e239-7001-82cf-0588cc0bc724","time":"2026-11-19T17:26:56.812Z","actor":"internal-service","request_id":"01a1f4d8-e22c-7000-8b7e-2abdaf3ac8d9","kind":"agent.release_activated","subject":"agent/01a1f4d8-e1e5-7000-a493-e6ddd1454f0f","data":{"name":"desk","environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","version":"1.0.0"}}', 'sLbYSOkjtwKS8Xf6Fuf_mrk0PE4iIIbTJCHW9G9G8RA');
INSERT INTO public.events VALUES (33, '01a1f4d8-e24f-7000-b70e-cd11f62abecb', 'environment.reconciled', 'environment/01a1f4d8-da83-7000-ac13-ad321ef4688a', '{"id":"01a1f4d8-e24f-7000-b70e-cd11f62abecb","time":"2026-11-19T17:26:56.812Z","actor":"internal-service","request_id":"01a1f4d8-e22c-7000-8b7e-2abdaf3ac8d9","kind":"environment.reconciled","subject":"environment/01a1f4d8-da83-7000-ac13-ad321ef4688a","data":{}}', 'IPxlGRGwOGOfJzkxhhgLY9Pmt44oEel_LSJj42wCVio');
INSERT INTO public.events VALUES (34, '01a1f4d8-e28b-7000-8352-f0c179ed1427', 'app.created', 'app/01a1f4d8-e269-7000-82c8-ce925e9a9aa5', '{"id":"01a1f4d8-e28b-7000-8352-f0c179ed1427","time":"2026-11-19T17:26:56.873Z","actor":"internal-service","request_id":"01a1f4d8-e265-7000-9ac2-e92d09d6b1eb","kind":"app.created","subject":"app/01a1f4d8-e269-7000-82c8-ce925e9a9aa5","data":{"name":"desk-ui","environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","agent_id":"01a1f4d8-e1e5-7000-a493-e6ddd1454f0f"}}', 'Svl8ag5zuqYa4xlxmeEg_e9xq32DKeCJKK-nICPxiQk');
INSERT INTO public.events VALUES (36, '01a1f4d8-e4e9-7000-bb16-3fcdb5b9f815', 'agent.component_settled', 'agent/01a1f4d8-e1e5-7000-a493-e6ddd1454f0f', '{"id":"01a1f4d8-e4e9-7000-bb16-3fcdb5b9f815","time":"2026-11-19T17:26:57.505Z","actor":"platform","request_id":null,"kind":"agent.component_settled","subject":"agent/01a1f4d8-e1e5-7000-a493-e6ddd1454f0f","data":{"environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","component":"agent_endpoint","observed_state":"running","message":null}}', '6oMPXJ-S12mqmlomoNEyMF7gCO29TixAbB2VFyUA8Iw');
INSERT INTO public.events VALUES (37, '01a1f4d8-e4f8-7000-9ca8-d3917bc5ad2c', 'app.started', 'app/01a1f4d8-e269-7000-82c8-ce925e9a9aa5', '{"id":"01a1f4d8-e4f8-7000-9ca8-d3917bc5ad2c","time":"2026-11-19T17:26:56.925Z","actor":"internal-service","request_id":"01a1f4d8-e29c-7000-91b0-a2f8389bada2","kind":"app.started","subject":"app/01a1f4d8-e269-7000-82c8-ce925e9a9aa5","data":{"name":"desk-ui","environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","observed_state":"pending"}}', 'wZE1pQvpcihRVxr1zsGPEB3L6Ccq2iJXsIWNEk2Zc1s');
INSERT INTO public.events VALUES (38, '01a1f4d8-e4f8-7001-94cf-977a8d412899', 'agent.ui_app_followed', 'agent/01a1f4d8-e1e5-7000-a493-e6ddd1454f0f', '{"id":"01a1f4d8-e4f8-7001-94cf-977a8d412899","time":"2026-11-19T17:26:56.925Z","actor":"internal-service","request_id":"01a1f4d8-e29c-7000-91b0-a2f8389bada2","kind":"agent.ui_app_followed","subject":"agent/01a1f4d8-e1e5-7000-a493-e6ddd1454f0f","data":{"name":"desk","environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","desired_state":"running","observed_state":"pending"}}', 'i6jRq_4uXVVz4VXHHJzziYSVZNlzl10RQNgdIhUhhG4');
INSERT INTO public.events VALUES (39, '01a1f4d8-e7db-7000-a88e-ed966c5ea44a', 'app.settled', 'app/01a1f4d8-e269-7000-82c8-ce925e9a9aa5', '{"id":"01a1f4d8-e7db-7000-a88e-ed966c5ea44a","time":"2026-11-19T17:26:58.246Z","actor":"platform","request_id":null,"kind":"app.settled","subject":"app/01a1f4d8-e269-7000-82c8-ce925e9a9aa5","data":{"name":"desk-ui","observed_state":"running","message":null}}', 'JnNO7-7uB-yyGgY-yo8iWB5NTs4G7TO1pdBR1FGv5s0');
INSERT INTO public.events VALUES (40, '01a1f4d8-e7db-7001-851d-f34894d909de', 'agent.ui_app_followed', 'agent/01a1f4d8-e1e5-7000-a493-e6ddd1454f0f', '{"id":"01a1f4d8-e7db-7001-851d-f34894d909de","time":"2026-11-19T17:26:58.246Z","actor":"platform","request_id":null,"kind":"agent.ui_app_followed","subject":"agent/01a1f4d8-e1e5-7000-a493-e6ddd1454f0f","data":{"name":"desk","environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","desired_state":"running","observed_state":"running"}}', 'pWaX0iz2nukhWVfuwwMfWEpyhr0Mpvr7YwKibEU1h2g');
INSERT INTO public.events VALUES (41, '01a1f4d8-e7ef-7001-a97b-25a83e9ceb4f', 'deployment.created', 'deployment/01a1f4d8-e7ef-7000-8638-bffa15df922f', '{"id":"01a1f4d8-e7ef-7001-a97b-25a83e9ceb4f","time":"2026-11-19T17:26:58.287Z","actor":"internal-service","request_id":"01a1f4d8-e7e7-7000-a5ea-1043ffbc358a","kind":"deployment.created","subject":"deployment/01a1f4d8-e7ef-7000-8638-bffa15df922f","data":{"deployment_name":"orders 1.0.0","environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","status":"pending"}}', 'uFlMUGUwTr80un8Pb0gRAmme7nzm8PpgAAkzHcgiyOM');
INSERT INTO public.events VALUES (42, '01a1f4d8-e818-7000-a4d9-090d5c16dba5', 'deployment.logged', 'deployment/01a1f4d8-e7ef-7000-8638-bffa15df922f', '{"id":"01a1f4d8-e818-7000-a4d9-090d5c16dba5","time":"2026-11-19T17:26:58.323Z","actor":"internal-service","request_id":"01a1f4d8-e809-7000-ab4b-5e31dacaedc6","kind":"deployment.logged","subject":"deployment/01a1f4d8-e7ef-7000-8638-bffa15df922f","data":{"environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","characters":10}}', 'WKEOfudCzUlp-WHuO9av_P4B4S9lfSwLJd1SMEcLawI');
INSERT INTO public.events VALUES (43, '01a1f4d8-e828-7000-92ad-f1615e44f2ee', 'deployment.finished', 'deployment/01a1f4d8-e7ef-7000-8638-bffa15df922f', '{"id":"01a1f4d8-e828-7000-92ad-f1615e44f2ee","time":"2026-11-19T17:26:58.340Z","actor":"internal-service","request_id":"01a1f4d8-e823-7000-86f5-0d9a44aa4ae9","kind":"deployment.finished","subject":"deployment/01a1f4d8-e7ef-7000-8638-bffa15df922f","data":{"deployment_name":"orders 1.0.0","environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","status":"succeeded"}}', 'lVbRx1B5JfOFN05gzDOrYZpAF8EIYecVuIbwR87NJPU');
INSERT INTO public.events VALUES (44, '01a1f4d8-e83f-7000-93b5-de506ddfe5d5', 'environment.reconciled', 'environment/01a1f4d8-da83-7000-ac13-ad321ef4688a', '{"id":"01a1f4d8-e83f-7000-93b5-de506ddfe5d5","time":"2026-11-19T17:26:58.340Z","actor":"internal-service","request_id":"01a1f4d8-e823-7000-86f5-0d9a44aa4ae9","kind":"environment.reconciled","subject":"environment/01a1f4d8-da83-7000-ac13-ad321ef4688a","data":{}}', 'qsQBFYyWMDGqvTSIoxIOsrmY1UdAV3kODzVViU6icK4');
INSERT INTO public.events VALUES (47, '01a1f4d8-f344-7001-b181-7ea4ef9e60eb', 'agent.created', 'agent/01a1f4d8-f344-7000-a483-fe0f166e1f60', '{"id":"01a1f4d8-f344-7001-b181-7ea4ef9e60eb","time":"2026-11-19T17:27:01.180Z","actor":"internal-service","request_id":"01a1f4d8-f2f5-7000-a431-27d0e682b7ac","kind":"agent.created","subject":"agent/01a1f4d8-f344-7000-a483-fe0f166e1f60","data":{"name":"planned","aliases":[],"plan_id":"01a1f4d8-f2e5-7000-9752-1a20f7472ee9","commit":"3f9c1d2"}}', 'GuXuL2rmohfwgO2VAh6TX0QZ0MtRiwWsl5TARRSE6uo');
INSERT INTO public.events VALUES (48, '01a1f4d8-f356-7000-bf91-939c55be5a0a', 'plan.step_applied', 'plan/01a1f4d8-f2e5-7000-9752-1a20f7472ee9', '{"id":"01a1f4d8-f356-7000-bf91-939c55be5a0a","time":"2026-11-19T17:27:01.204Z","actor":"internal-service","request_id":"01a1f4d8-f2f5-7000-a431-27d0e682b7ac","kind":"plan.step_applied","subject":"plan/01a1f4d8-f2e5-7000-9752-1a20f7472ee9","data":{"environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","position":1,"action":"create","kind":"agent","name":"planned","done":1,"total":1,"plan_id":"01a1f4d8-f2e5-7000-9752-1a20f7472ee9","commit":"3f9c1d2"}}', 'uM2Kchjkyp50OgNoSDKO3q5nBJuVl9tbw_l8g5JdpQI');
INSERT INTO public.events VALUES (49, '01a1f4d8-f35d-7000-8d35-38970244f479', 'plan.applied', 'plan/01a1f4d8-f2e5-7000-9752-1a20f7472ee9', '{"id":"01a1f4d8-f35d-7000-8d35-38970244f479","time":"2026-11-19T17:27:01.210Z","actor":"internal-service","request_id":"01a1f4d8-f2f5-7000-a431-27d0e682b7ac","kind":"plan.applied","subject":"plan/01a1f4d8-f2e5-7000-9752-1a20f7472ee9","data":{"environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","project":"shop","reason":null,"summary":{"create":1,"update":0,"replace":0,"delete":0,"unchanged":0,"drifted":0,"done":1,"findings":0},"plan_id":"01a1f4d8-f2e5-7000-9752-1a20f7472ee9","commit":"3f9c1d2"}}', 'yvO8E0kxQGrDymSE-cFYHsLCybIOyERcyqsJp7BPRX0');
INSERT INTO public.events VALUES (50, '01a1f4d8-f3de-7000-90c0-21ea5def577d', 'plan.created', 'plan/01a1f4d8-f3dd-7000-9950-3b163fa68606', '{"id":"01a1f4d8-f3de-7000-90c0-21ea5def577d","time":"2026-11-19T17:27:01.309Z","actor":"internal-service","request_id":"01a1f4d8-f3bc-7000-9042-eba49bcbdbe6","kind":"plan.created","subject":"plan/01a1f4d8-f3dd-7000-9950-3b163fa68606","data":{"environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","project":"shop","status":"planned","summary":{"create":0,"update":0,"replace":0,"delete":1,"unchanged":0,"drifted":0,"done":0,"findings":0},"plan_id":"01a1f4d8-f3dd-7000-9950-3b163fa68606","commit":"3f9c1d2"}}', 'tXVwJ7ztNzcwUkXMSA2uwR-BshEqqXpaIttJ7HhG0yo');
INSERT INTO public.file_owners VALUES ('01a1f4d8-da83-7000-ac13-ad321ef4688a', 'pipelines/numbers.sql', 51, 'internal-service');
INSERT INTO public.file_owners VALUES ('01a1f4d8-da83-7000-ac13-ad321ef4688a', 'tiny/app.yaml', 25, 'internal-service');
INSERT INTO public.file_owners VALUES ('01a1f4d8-da83-7000-ac13-ad321ef4688a', 'tiny/app.mjs', 154, 'internal-service');
INSERT INTO public.jobs VALUES ('connector-01a1f4d8-de4e-7000-a852-2ad54b4f39fd', '01a1f4d8-da83-7000-ac13-ad321ef4688a', 'connector', 'connector/01a1f4d8-de4e-7000-a852-2ad54b4f39fd', '"referring"', '{"trigger":{"kind":"cron","cron":"0 6 1 1 *","timezone":"Europe/Berlin"},"attempts":5,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T05:00:00.000Z', '2026-11-19T17:26:55.885Z', '2026-11-19T17:26:55.885Z', 1, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('connector-01a1f4d8-deb4-7000-aa9e-4ef50dcaa8bf', '01a1f4d8-da83-7000-ac13-ad321ef4688a', 'connector', 'connector/01a1f4d8-deb4-7000-aa9e-4ef50dcaa8bf', '"paused"', '{"trigger":{"kind":"cron","cron":"0 6 1 1 *","timezone":"Europe/Berlin"},"attempts":5,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', '{"by":"internal-service","at":"2026-11-19T17:26:55.957Z","reason":"holiday","until":null,"missed":0,"last_missed":null}', NULL, '{}', 0, NULL, '2027-01-01T05:00:00.000Z', '2026-11-19T17:26:55.926Z', '2026-11-19T17:26:55.926Z', 2, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('connector-01a1f4d8-dddb-7000-bc81-d5d9ab601cd3', '01a1f4d8-da83-7000-ac13-ad321ef4688a', 'connector', 'connector/01a1f4d8-dddb-7000-bc81-d5d9ab601cd3', '"inline"', '{"trigger":{"kind":"cron","cron":"0 6 1 1 *","timezone":"Europe/Berlin"},"attempts":5,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T05:00:00.000Z', '2026-11-19T17:26:55.716Z', '2026-11-19T17:26:56.055Z', 2, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('automation-01a1f4d8-df9d-7000-aca4-18ce40d96275-01a1f4d8-da83-7000-ac13-ad321ef4688a', '01a1f4d8-da83-7000-ac13-ad321ef4688a', 'automation', 'automation/01a1f4d8-df9d-7000-aca4-18ce40d96275', '"released"', '{"trigger":{"kind":"cron","cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"attempts":20,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T06:00:00.000Z', '2026-11-19T17:26:56.202Z', '2026-11-19T17:26:56.202Z', 1, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('automation-01a1f4d8-e0c9-7000-aee7-42a5c459772c-01a1f4d8-da83-7000-ac13-ad321ef4688a', '01a1f4d8-da83-7000-ac13-ad321ef4688a', 'automation', 'automation/01a1f4d8-e0c9-7000-aee7-42a5c459772c', '"released-changed"', '{"trigger":{"kind":"cron","cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"attempts":20,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T06:00:00.000Z', '2026-11-19T17:26:56.503Z', '2026-11-19T17:26:56.503Z', 1, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('automation-01a1f4d8-e06d-7000-9c31-00e7310cbce4-01a1f4d8-da83-7000-ac13-ad321ef4688a', '01a1f4d8-da83-7000-ac13-ad321ef4688a', 'automation', 'automation/01a1f4d8-e06d-7000-9c31-00e7310cbce4', '"released-paused"', '{"trigger":{"kind":"cron","cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"attempts":20,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', '{"by":"internal-service","at":"2026-11-19T17:26:56.569Z","reason":"holiday","until":null,"missed":0,"last_missed":null}', NULL, '{}', 0, NULL, '2027-01-01T06:00:00.000Z', '2026-11-19T17:26:56.397Z', '2026-11-19T17:26:56.397Z', 2, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('pipeline-01a1f4d8-e1ca-7000-b831-9b3aaeb8bafb', '01a1f4d8-da83-7000-ac13-ad321ef4688a', 'pipeline', 'pipeline/01a1f4d8-e1ca-7000-b831-9b3aaeb8bafb', '"numbers"', '{"trigger":{"kind":"manual"},"attempts":3,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'manual', NULL, NULL, '{}', 0, NULL, NULL, '2026-11-19T17:26:56.715Z', '2026-11-19T17:26:56.715Z', 1, '["lakehelm"]');
INSERT INTO public.keyring VALUES ('fingerprint', 'keOT3fxHz_I6EV7EkRe8KYS2yBFU5Xa5yqF8SRI7QW0');
INSERT INTO public.keyring VALUES ('jwt', 'iG6LooAjBgNIuO2EEM3pnVWEP71gyCDHWkQAmb5M0IjV/0UNVQmZsto67lJldzail/ak4uMMCvZGkybFkhknqjbnrz2+1TAT');
INSERT INTO public.keyring VALUES ('event anchor/01a1f4d8-d7fd-7000-99c4-78b2fca5d493', 'written');
INSERT INTO public.keyring VALUES ('masking rules 2', '2026-11-19T17:26:54.324Z');
INSERT INTO public.keyring VALUES ('missing installations 1', '2026-11-19T17:26:54.431Z');
INSERT INTO public.keyring VALUES ('data folder', '01a1f4d8-d7fd-7000-99c4-78b2fca5d493');
INSERT INTO public.lineage VALUES ('01a1f4d8-da83-7000-ac13-ad321ef4688a', 'connector', '01a1f4d8-dddb-7000-bc81-d5d9ab601cd3', '{"name":"inline","job":"connector-01a1f4d8-dddb-7000-bc81-d5d9ab601cd3","declared":{"reads":[],"writes":["inline"],"waits":[],"uses":[]}}', NULL);
INSERT INTO public.lineage VALUES ('01a1f4d8-da83-7000-ac13-ad321ef4688a', 'connector', '01a1f4d8-de4e-7000-a852-2ad54b4f39fd', '{"name":"referring","job":"connector-01a1f4d8-de4e-7000-a852-2ad54b4f39fd","declared":{"reads":[],"writes":["referring"],"waits":[],"uses":[]}}', NULL);
INSERT INTO public.lineage VALUES ('01a1f4d8-da83-7000-ac13-ad321ef4688a', 'connector', '01a1f4d8-deb4-7000-aa9e-4ef50dcaa8bf', '{"name":"paused","job":"connector-01a1f4d8-deb4-7000-aa9e-4ef50dcaa8bf","declared":{"reads":[],"writes":["paused"],"waits":[],"uses":[]}}', NULL);
INSERT INTO public.lineage VALUES ('01a1f4d8-da83-7000-ac13-ad321ef4688a', 'automation', '01a1f4d8-dfc5-7000-a595-91f3988ed726', '{"name":"released","job":"automation-01a1f4d8-df9d-7000-aca4-18ce40d96275-01a1f4d8-da83-7000-ac13-ad321ef4688a","declared":{"reads":[],"writes":[],"waits":[],"uses":[]},"automation":"01a1f4d8-df9d-7000-aca4-18ce40d96275"}', NULL);
INSERT INTO public.lineage VALUES ('01a1f4d8-da83-7000-ac13-ad321ef4688a', 'design', '01a1f4d8-df9d-7000-aca4-18ce40d96275', '{"declared":{"reads":[],"writes":[],"waits":[],"uses":[],"code":"2VSVWAoAho0SLudvWKexhz57AJQWTUs4-lM0yNloNOQ"}}', NULL);
INSERT INTO public.lineage VALUES ('01a1f4d8-da83-7000-ac13-ad321ef4688a', 'automation', '01a1f4d8-e08d-7000-8434-d5f15e367fe7', '{"name":"released-paused","job":"automation-01a1f4d8-e06d-7000-9c31-00e7310cbce4-01a1f4d8-da83-7000-ac13-ad321ef4688a","declared":{"reads":[],"writes":[],"waits":[],"uses":[]},"automation":"01a1f4d8-e06d-7000-9c31-00e7310cbce4"}', NULL);
INSERT INTO public.lineage VALUES ('01a1f4d8-da83-7000-ac13-ad321ef4688a', 'design', '01a1f4d8-e06d-7000-9c31-00e7310cbce4', '{"declared":{"reads":[],"writes":[],"waits":[],"uses":[],"code":"2VSVWAoAho0SLudvWKexhz57AJQWTUs4-lM0yNloNOQ"}}', NULL);
INSERT INTO public.lineage VALUES ('01a1f4d8-da83-7000-ac13-ad321ef4688a', 'automation', '01a1f4d8-e0f6-7000-92d3-1221e356b4f9', '{"name":"released-changed","job":"automation-01a1f4d8-e0c9-7000-aee7-42a5c459772c-01a1f4d8-da83-7000-ac13-ad321ef4688a","declared":{"reads":[],"writes":[],"waits":[],"uses":[]},"automation":"01a1f4d8-e0c9-7000-aee7-42a5c459772c"}', NULL);
INSERT INTO public.lineage VALUES ('01a1f4d8-da83-7000-ac13-ad321ef4688a', 'design', '01a1f4d8-e0c9-7000-aee7-42a5c459772c', '{"declared":{"reads":[],"writes":[],"waits":[],"uses":[],"code":"2VSVWAoAho0SLudvWKexhz57AJQWTUs4-lM0yNloNOQ"}}', NULL);
INSERT INTO public.lineage VALUES ('01a1f4d8-da83-7000-ac13-ad321ef4688a', 'app', '01a1f4d8-e269-7000-82c8-ce925e9a9aa5', '{"name":"desk-ui","job":null,"declared":{"reads":[],"writes":[],"waits":[],"uses":[["agent","01a1f4d8-e1e5-7000-a493-e6ddd1454f0f"]]}}', NULL);
INSERT INTO public.lineage VALUES ('01a1f4d8-da83-7000-ac13-ad321ef4688a', 'pipeline', '01a1f4d8-e1ca-7000-b831-9b3aaeb8bafb', '{"name":"numbers","job":"pipeline-01a1f4d8-e1ca-7000-b831-9b3aaeb8bafb","declared":{"reads":[],"writes":[],"waits":[],"uses":[]}}', '{"key":"pipeline","paths":[{"table":"main.default.numbers","reads":[]}],"isComplete":true}');
INSERT INTO public.overrides VALUES ('01a1f4d8-da83-7000-ac13-ad321ef4688a', '01a1f4d8-e06d-7000-9c31-00e7310cbce4', '{"paused":true,"by":"internal-service","at":"2026-11-19T17:26:56.569Z","reason":"holiday","until":null}');
INSERT INTO public.pipelines VALUES (1, '01a1f4d8-e1ca-7000-b831-9b3aaeb8bafb', '["01a1f4d8-da83-7000-ac13-ad321ef4688a","numbers"]', 1, '01a1f4d8-da83-7000-ac13-ad321ef4688a', NULL, NULL, '{"pipeline_id":"01a1f4d8-e1ca-7000-b831-9b3aaeb8bafb","name":"numbers","libraries":[{"file":{"path":"pipelines/numbers.sql"}}],"configuration":{},"continuous":false,"development":false,"photon":false,"serverless":false,"channel":"CURRENT","edition":"ADVANCED","platform_managed":true,"environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","tags":{"platform.managed_by":"lakehelm","platform.environment":"prod","platform.pipeline":"numbers"},"platform_reference":"pipeline-01a1f4d8-e1ca-7000-b831-9b3aaeb8bafb","error_message":null,"created_at":"2026-11-19T17:26:56.713Z","updated_at":"2026-11-19T17:26:56.713Z","created_by":"internal-service","updated_by":null}', NULL, 'numbers', '', '2026-11-19T17:26:56.713Z', 'internal-service', 'numbers', '2026-11-19T17:26:56.713Z', 'internal-service');
INSERT INTO public.plan_checks VALUES ('01a1f4d8-f2e5-7000-9752-1a20f7472ee9', '[]', '[]');
INSERT INTO public.plan_checks VALUES ('01a1f4d8-f3dd-7000-9950-3b163fa68606', '[]', '[]');
INSERT INTO public.plan_steps VALUES ('01a1f4d8-f2e5-7000-9752-1a20f7472ee9', 1, 'create', 'done', NULL, '{"position":1,"action":"create","kind":"agent","name":"planned","resource_id":null,"changes":[{"path":"aliases","before":null,"after":[],"sensitive":false},{"path":"description","before":null,"after":"From a plan","sensitive":false},{"path":"name","before":null,"after":"planned","sensitive":false}],"drift":[],"reasons":["It does not exist in the environment."],"depends_on":[],"impact":{"downstream":[],"downstream_total":0,"running_runs":[],"rows":null,"estimated_seconds":null,"writes":null,"full_refresh":[],"consequences":[],"data_lost":[]},"design_hash":"sha256:891434dc96d8fde7b0202b1c0eb0ec04fae43b0ad0da6381a8f27564d08324fa","file":null}', 'pLDeuVbbbQpYhV0dgy2cqx7/bMCvWXFGn6GPlLVjbqFUwgyKnNcKBRsASfHccVYR4Wr7VbnQs6TTBiT/DsgxzQn3VYVW7hYvndYuIFQjqi3Cd8uJOZsBe63dRfH1OfXYk51Ew6wsZj6QuxT+YSNPNybViFCEG27E+Y9zlsEuXLQ=', '', 'XrZ4trSipMnlXmsOFWNIfuUu137Y31jxsyuvsh74yrY');
INSERT INTO public.plan_steps VALUES ('01a1f4d8-f3dd-7000-9950-3b163fa68606', 1, 'delete', 'pending', NULL, '{"position":1,"action":"delete","kind":"agent","name":"planned","resource_id":"01a1f4d8-f344-7000-a483-fe0f166e1f60","changes":[],"drift":[],"reasons":["The project applied it before and no longer has it."],"depends_on":[],"impact":{"downstream":[],"downstream_total":0,"running_runs":[],"rows":null,"estimated_seconds":null,"writes":null,"full_refresh":[],"consequences":[],"data_lost":["The versions of planned."]},"design_hash":null,"file":null}', NULL, 'XrZ4trSipMnlXmsOFWNIfuUu137Y31jxsyuvsh74yrY', '');
INSERT INTO public.plans VALUES (1, '01a1f4d8-f2e5-7000-9752-1a20f7472ee9', '["01a1f4d8-f2e5-7000-9752-1a20f7472ee9"]', 4, '01a1f4d8-da83-7000-ac13-ad321ef4688a', NULL, NULL, '{"id":"01a1f4d8-f2e5-7000-9752-1a20f7472ee9","hash":"sha256:319b0d6d10764c4cdd7ee8d6afd8cc706e5ce146b157b8e07ef897fdca5455c6","design_hash":"sha256:ffa053771370cb7e53b5362f5e1bfc365dc2fc70a9fb5201efc64ab4a2779125","environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","environment":"prod","project":{"name":"shop","commit":"3f9c1d2","branch":null},"project_name":"shop","prune":false,"status":"applied","status_reason":null,"created_at":"2026-11-19T17:26:58.424Z","created_by":"internal-service","updated_at":"2026-11-19T17:27:01.210Z","approved_by":null,"approved_at":null,"approvals":[],"applied_by":"internal-service","applied_at":"2026-11-19T17:27:01.210Z","summary":{"create":1,"update":0,"replace":0,"delete":0,"unchanged":0,"drifted":0,"done":1,"findings":0}}', NULL, 'shop', 'applied', '2026-11-19T17:27:01.210Z', 'internal-service', 'shop', '2026-11-19T17:26:58.424Z', 'internal-service');
INSERT INTO public.plans VALUES (2, '01a1f4d8-f3dd-7000-9950-3b163fa68606', '["01a1f4d8-f3dd-7000-9950-3b163fa68606"]', 1, '01a1f4d8-da83-7000-ac13-ad321ef4688a', NULL, NULL, '{"id":"01a1f4d8-f3dd-7000-9950-3b163fa68606","hash":"sha256:08e37011e1ec1b5ce040fc6761b21f169f4bee539fc643223cc60a6ec447294b","design_hash":"sha256:4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945","environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","environment":"prod","project":{"name":"shop","commit":"3f9c1d2","branch":null},"project_name":"shop","prune":false,"status":"planned","status_reason":null,"created_at":"2026-11-19T17:27:01.309Z","created_by":"internal-service","updated_at":"2026-11-19T17:27:01.309Z","approved_by":null,"approved_at":null,"approvals":[],"applied_by":null,"applied_at":null,"summary":{"create":0,"update":0,"replace":0,"delete":1,"unchanged":0,"drifted":0,"done":0,"findings":0}}', NULL, 'shop', 'planned', '2026-11-19T17:27:01.309Z', 'internal-service', 'shop', '2026-11-19T17:27:01.309Z', 'internal-service');
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
INSERT INTO public.processes VALUES ('agent/01a1f4d8-e1e5-7000-a493-e6ddd1454f0f/01a1f4d8-da83-7000-ac13-ad321ef4688a', '01a1f4d8-da83-7000-ac13-ad321ef4688a', 'running', '{"deploy":"01a1f4d8-e2ab-7000-be38-d01ec0902e4e","name":"desk","sourcePath":"tiny","start":{"mark":"0ad8796ce460c474.653b2d0391d3e89ba2f92128c3e753e0","port":35667,"url":"http://127.0.0.1:44911","boot":"58162237-1879-43d7-896e-95122feb0cbe","pid":26605,"began":"2585171","mode":"bubblewrap","user":60579},"ends":[],"askedAt":"2026-11-19T17:26:56.925Z","sight":{"observed_state":"running","message":null}}', 4);
INSERT INTO public.processes VALUES ('app/01a1f4d8-e269-7000-82c8-ce925e9a9aa5', '01a1f4d8-da83-7000-ac13-ad321ef4688a', 'running', '{"deploy":"01a1f4d8-e4ee-7000-a226-175863eb03c4","name":"desk-ui","sourcePath":"tiny","start":{"mark":"0ad8796ce460c474.5837a489359e6abcf61251dc4033e887","port":40617,"url":"http://127.0.0.1:44911","boot":"58162237-1879-43d7-896e-95122feb0cbe","pid":26625,"began":"2585225","mode":"bubblewrap","user":60580},"ends":[],"askedAt":"2026-11-19T17:26:56.925Z","sight":{"observed_state":"running","message":null}}', 4);
INSERT INTO public.release_designs VALUES ('01a1f4d8-dfc5-7000-a595-91f3988ed726', '01a1f4d8-df9d-7000-aca4-18ce40d96275', '01a1f4d8-da83-7000-ac13-ad321ef4688a', '{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false}', NULL);
INSERT INTO public.release_designs VALUES ('01a1f4d8-e08d-7000-8434-d5f15e367fe7', '01a1f4d8-e06d-7000-9c31-00e7310cbce4', '01a1f4d8-da83-7000-ac13-ad321ef4688a', '{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false}', NULL);
INSERT INTO public.release_designs VALUES ('01a1f4d8-e0f6-7000-92d3-1221e356b4f9', '01a1f4d8-e0c9-7000-aee7-42a5c459772c', '01a1f4d8-da83-7000-ac13-ad321ef4688a', '{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false}', NULL);
INSERT INTO public.releases VALUES (1, '01a1f4d8-dfc5-7000-a595-91f3988ed726', '["automation","01a1f4d8-df9d-7000-aca4-18ce40d96275","01a1f4d8-da83-7000-ac13-ad321ef4688a"]', 1, '01a1f4d8-da83-7000-ac13-ad321ef4688a', '01a1f4d8-df9d-7000-aca4-18ce40d96275', 'installed', '{"id":"01a1f4d8-dfc5-7000-a595-91f3988ed726","artifact":"automation/released","environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:d82013cfdda1f3175921910fbd9eb0acf312669e7925f0c05e5f58309689ee79","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1f4d8-df9d-7000-aca4-18ce40d96275-01a1f4d8-da83-7000-ac13-ad321ef4688a","activated_at":"2026-11-19T17:26:56.183Z","activated_by":"internal-service","deployment_id":"01a1f4d8-dfcc-7000-ae32-604afde093d5"}', NULL, '1.0.0', '', '', 'internal-service', '1.0.0
main
3f9c1d2', '2026-11-19T17:26:56.183Z', 'internal-service');
INSERT INTO public.releases VALUES (3, '01a1f4d8-e0f6-7000-92d3-1221e356b4f9', '["automation","01a1f4d8-e0c9-7000-aee7-42a5c459772c","01a1f4d8-da83-7000-ac13-ad321ef4688a"]', 1, '01a1f4d8-da83-7000-ac13-ad321ef4688a', '01a1f4d8-e0c9-7000-aee7-42a5c459772c', 'installed', '{"id":"01a1f4d8-e0f6-7000-92d3-1221e356b4f9","artifact":"automation/released-changed","environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:2bb4d2063ab29a519f94a8b140af4f116799a0532b872422b1463eef4a7844f6","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1f4d8-e0c9-7000-aee7-42a5c459772c-01a1f4d8-da83-7000-ac13-ad321ef4688a","activated_at":"2026-11-19T17:26:56.498Z","activated_by":"internal-service","deployment_id":"01a1f4d8-e0f8-7000-86b8-3dfc75b55382"}', NULL, '1.0.0', '', '', 'internal-service', '1.0.0
main
3f9c1d2', '2026-11-19T17:26:56.498Z', 'internal-service');
INSERT INTO public.releases VALUES (2, '01a1f4d8-e08d-7000-8434-d5f15e367fe7', '["automation","01a1f4d8-e06d-7000-9c31-00e7310cbce4","01a1f4d8-da83-7000-ac13-ad321ef4688a"]', 2, '01a1f4d8-da83-7000-ac13-ad321ef4688a', '01a1f4d8-e06d-7000-9c31-00e7310cbce4', 'installed', '{"id":"01a1f4d8-e08d-7000-8434-d5f15e367fe7","artifact":"automation/released-paused","environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:1112bb91d1b3b61c9ac6b944d814609b8ae6adb0fc2b94188892604d41c071bd","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1f4d8-e06d-7000-9c31-00e7310cbce4-01a1f4d8-da83-7000-ac13-ad321ef4688a","activated_at":"2026-11-19T17:26:56.393Z","activated_by":"internal-service","deployment_id":"01a1f4d8-e08e-7000-8c7f-c59f7eace165"}', NULL, '1.0.0', '', '', 'internal-service', '1.0.0
main
3f9c1d2', '2026-11-19T17:26:56.393Z', 'internal-service');
INSERT INTO public.schema_version VALUES (24);
INSERT INTO public.secret_bindings VALUES ('shop', '01a1f4d8-da83-7000-ac13-ad321ef4688a', '["source.example.test"]', '2026-11-19T17:26:55.822Z');
INSERT INTO public.secrets VALUES ('01a1f4d8-da83-7000-ac13-ad321ef4688a', 'shop', 'api-key', 'UqqBtE4MJ1gYI7+pjX62S1bVX/glO3nqof95wZItsoLvZsRUWYyF', '2026-11-19T17:26:55.610Z');
INSERT INTO public.stored_usage VALUES ('server', 'environments', 2, 897);
INSERT INTO public.stored_usage VALUES ('server', 'users', 1, 371);
INSERT INTO public.stored_usage VALUES ('server', 'tokens', 1, 185);
INSERT INTO public.stored_usage VALUES ('environment/01a1f4d8-da83-7000-ac13-ad321ef4688a', 'secrets', 1, 52);
INSERT INTO public.stored_usage VALUES ('environment/01a1f4d8-da83-7000-ac13-ad321ef4688a', 'secret_scopes', 1, 0);
INSERT INTO public.stored_usage VALUES ('environment/01a1f4d8-da83-7000-ac13-ad321ef4688a', 'deployments', 4, 1593);
INSERT INTO public.stored_usage VALUES ('environment/01a1f4d8-da83-7000-ac13-ad321ef4688a', 'connectors', 3, 3608);
INSERT INTO public.stored_usage VALUES ('server', 'agents', 2, 1438);
INSERT INTO public.stored_usage VALUES ('server', '', 10, 4899);
INSERT INTO public.stored_usage VALUES ('caller/internal-service', '', 13, 15676);
INSERT INTO public.stored_usage VALUES ('environment/01a1f4d8-da83-7000-ac13-ad321ef4688a', 'plans', 2, 3043);
INSERT INTO public.stored_usage VALUES ('environment/01a1f4d8-da83-7000-ac13-ad321ef4688a', '', 17, 12343);
INSERT INTO public.stored_usage VALUES ('environment/01a1f4d8-da83-7000-ac13-ad321ef4688a', 'releases', 3, 2691);
INSERT INTO public.stored_usage VALUES ('server', 'automations', 3, 1790);
INSERT INTO public.stored_usage VALUES ('environment/01a1f4d8-da83-7000-ac13-ad321ef4688a', 'pipelines', 1, 662);
INSERT INTO public.stored_usage VALUES ('caller/internal-service', 'files', 3, 230);
INSERT INTO public.stored_usage VALUES ('environment/01a1f4d8-da83-7000-ac13-ad321ef4688a', 'agent_environments', 1, 276);
INSERT INTO public.stored_usage VALUES ('server', 'versions', 1, 218);
INSERT INTO public.stored_usage VALUES ('environment/01a1f4d8-da83-7000-ac13-ad321ef4688a', 'apps', 1, 418);
INSERT INTO public.summaries VALUES ('01a1f4d8-da83-7000-ac13-ad321ef4688a', '{"environment_id":"01a1f4d8-da83-7000-ac13-ad321ef4688a","latest_success":{"id":"01a1f4d8-e7ef-7000-8638-bffa15df922f","deployment_name":"orders 1.0.0","git_branch":"main","git_commit_sha":"","completed_at":"2026-11-19T17:26:58.340Z"},"current_releases":[{"artifact":"automation/released","version":"1.0.0","activated_at":"2026-11-19T17:26:56.183Z"},{"artifact":"automation/released-paused","version":"1.0.0","activated_at":"2026-11-19T17:26:56.393Z"},{"artifact":"automation/released-changed","version":"1.0.0","activated_at":"2026-11-19T17:26:56.498Z"},{"artifact":"agent/desk","version":"1.0.0","activated_at":"2026-11-19T17:26:56.812Z"}],"deployment_counts":{"succeeded":4},"failure_streak":0,"reconciled_at":"2026-11-19T17:26:58.340Z"}');
INSERT INTO public.tallies VALUES ('environments/all', 1000000, 0, 2);
INSERT INTO public.tallies VALUES ('environments/all', 10000, 0, 2);
INSERT INTO public.tallies VALUES ('environments/all', 100, 0, 2);
INSERT INTO public.tallies VALUES ('users/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('users/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('users/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1f4d8-da9e-7000-9117-eb93fb538bc2', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1f4d8-da9e-7000-9117-eb93fb538bc2', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1f4d8-da9e-7000-9117-eb93fb538bc2', 100, 0, 1);
INSERT INTO public.tallies VALUES ('deployments/all', 1000000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/all', 10000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/all', 100, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1f4d8-da83-7000-ac13-ad321ef4688a', 1000000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1f4d8-da83-7000-ac13-ad321ef4688a', 10000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1f4d8-da83-7000-ac13-ad321ef4688a', 100, 0, 4);
INSERT INTO public.tallies VALUES ('connectors/all', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/all', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/all', 100, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/01a1f4d8-da83-7000-ac13-ad321ef4688a', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/01a1f4d8-da83-7000-ac13-ad321ef4688a', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/01a1f4d8-da83-7000-ac13-ad321ef4688a', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1f4d8-df9d-7000-aca4-18ce40d96275', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1f4d8-df9d-7000-aca4-18ce40d96275', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1f4d8-df9d-7000-aca4-18ce40d96275', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agents/all', 1000000, 0, 2);
INSERT INTO public.tallies VALUES ('agents/all', 10000, 0, 2);
INSERT INTO public.tallies VALUES ('agents/all', 100, 0, 2);
INSERT INTO public.tallies VALUES ('releases/01a1f4d8-e06d-7000-9c31-00e7310cbce4', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1f4d8-e06d-7000-9c31-00e7310cbce4', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1f4d8-e06d-7000-9c31-00e7310cbce4', 100, 0, 1);
INSERT INTO public.tallies VALUES ('automations/all', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('automations/all', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('automations/all', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/all', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('releases/all', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('releases/all', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1f4d8-da83-7000-ac13-ad321ef4688a', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1f4d8-da83-7000-ac13-ad321ef4688a', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1f4d8-da83-7000-ac13-ad321ef4688a', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1f4d8-e0c9-7000-aee7-42a5c459772c', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1f4d8-e0c9-7000-aee7-42a5c459772c', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1f4d8-e0c9-7000-aee7-42a5c459772c', 100, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1f4d8-da83-7000-ac13-ad321ef4688a', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1f4d8-da83-7000-ac13-ad321ef4688a', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1f4d8-da83-7000-ac13-ad321ef4688a', 100, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1f4d8-e1e5-7000-a493-e6ddd1454f0f', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1f4d8-e1e5-7000-a493-e6ddd1454f0f', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1f4d8-e1e5-7000-a493-e6ddd1454f0f', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1f4d8-da83-7000-ac13-ad321ef4688a', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1f4d8-da83-7000-ac13-ad321ef4688a', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1f4d8-da83-7000-ac13-ad321ef4688a', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1f4d8-e1e5-7000-a493-e6ddd1454f0f', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1f4d8-e1e5-7000-a493-e6ddd1454f0f', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1f4d8-e1e5-7000-a493-e6ddd1454f0f', 100, 0, 1);
INSERT INTO public.tallies VALUES ('apps/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1f4d8-da83-7000-ac13-ad321ef4688a', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1f4d8-da83-7000-ac13-ad321ef4688a', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1f4d8-da83-7000-ac13-ad321ef4688a', 100, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1f4d8-e1e5-7000-a493-e6ddd1454f0f', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1f4d8-e1e5-7000-a493-e6ddd1454f0f', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1f4d8-e1e5-7000-a493-e6ddd1454f0f', 100, 0, 1);
INSERT INTO public.tallies VALUES ('plans/all', 1000000, 0, 2);
INSERT INTO public.tallies VALUES ('plans/all', 10000, 0, 2);
INSERT INTO public.tallies VALUES ('plans/all', 100, 0, 2);
INSERT INTO public.tallies VALUES ('plans/01a1f4d8-da83-7000-ac13-ad321ef4688a', 1000000, 0, 2);
INSERT INTO public.tallies VALUES ('plans/01a1f4d8-da83-7000-ac13-ad321ef4688a', 10000, 0, 2);
INSERT INTO public.tallies VALUES ('plans/01a1f4d8-da83-7000-ac13-ad321ef4688a', 100, 0, 2);
INSERT INTO public.tokens VALUES (1, '01a1f4d8-dd54-7000-bc8b-ac4a5125cf90', '["ZBrk-vNSoXZWvWZeSQ-clUCTE4rYpiiRXHwxLFSvhTg"]', 1, NULL, '01a1f4d8-da9e-7000-9117-eb93fb538bc2', NULL, '{"id":"01a1f4d8-dd54-7000-bc8b-ac4a5125cf90","username":"ada@example.test","comment":"fixture","created_at":"2026-11-19T17:26:55.567Z","expires_at":null,"created_by":"internal-service"}', NULL, 'fixture', '', '', 'internal-service', 'fixture', '2026-11-19T17:26:55.567Z', 'internal-service');
INSERT INTO public.users VALUES (1, '01a1f4d8-da9e-7000-9117-eb93fb538bc2', '["ada@example.test"]', 1, NULL, NULL, NULL, '{"id":"01a1f4d8-da9e-7000-9117-eb93fb538bc2","username":"ada@example.test","role":"operator","active":true,"created_at":"2026-11-19T17:26:54.876Z","updated_at":"2026-11-19T17:26:54.876Z","created_by":"internal-service"}', 'bO7iYL159F8Q4KOcIJk0k8YENgqAlZ6xjmPHRdSJiGqMJV0tHZtiWiNF8Bapryoca2MggcmQe9h8rKMd1+c0j1LFIFV+fgroLAvkWSOEG8dp3OseTvoQcZbyavSv7KWakh3OuxgYBx8prB21RYt0w68j', 'ada@example.test', 'active', '2026-11-19T17:26:54.876Z', 'internal-service', 'ada@example.test', '2026-11-19T17:26:54.876Z', 'internal-service');
INSERT INTO public.versions VALUES (1, '01a1f4d8-e234-7000-9a9d-15cce03f7837', '["01a1f4d8-e1e5-7000-a493-e6ddd1454f0f","1.0.0"]', 1, NULL, '01a1f4d8-e1e5-7000-a493-e6ddd1454f0f', NULL, '{"id":"01a1f4d8-e234-7000-9a9d-15cce03f7837","agent_id":"01a1f4d8-e1e5-7000-a493-e6ddd1454f0f","version":"1.0.0","source_path":null,"metadata":{},"created_at":"2026-11-19T17:26:56.812Z","created_by":"internal-service"}', NULL, '1.0.0', '', '', 'internal-service', '1.0.0', '2026-11-19T17:26:56.812Z', 'internal-service');
SELECT pg_catalog.setval('public.deliveries_sequence_seq', 1, false);
SELECT pg_catalog.setval('public.outbox_sequence_seq', 11, true);
SELECT pg_catalog.setval('public.pending_events_arrival_seq', 50, true);
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
ALTER TABLE ONLY public.environment_requests
    ADD CONSTRAINT environment_requests_pkey PRIMARY KEY (environment_id);
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
ALTER TABLE ONLY public.file_owners
    ADD CONSTRAINT file_owners_key PRIMARY KEY (environment_id, path);
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
ALTER TABLE ONLY public.lineage
    ADD CONSTRAINT lineage_key PRIMARY KEY (environment_id, kind, resource_id);
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
ALTER TABLE ONLY public.secret_bindings
    ADD CONSTRAINT secret_bindings_key PRIMARY KEY (scope, environment_id);
ALTER TABLE ONLY public.secret_scopes
    ADD CONSTRAINT secret_scopes_pkey PRIMARY KEY (scope);
ALTER TABLE ONLY public.secrets
    ADD CONSTRAINT secrets_key PRIMARY KEY (environment_id, scope, key);
ALTER TABLE ONLY public.stored_usage
    ADD CONSTRAINT stored_usage_key PRIMARY KEY (scope, kind);
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
ALTER TABLE ONLY public.environment_requests
    ADD CONSTRAINT environment_requests_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES public.environments(id) ON DELETE CASCADE;
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
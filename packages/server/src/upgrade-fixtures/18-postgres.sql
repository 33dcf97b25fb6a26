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
INSERT INTO public.agent_environments VALUES (1, '01a1e6a8-c8c3-7000-82e8-f7722c94ae0c', '["agent","01a1e6a8-c848-7000-9e13-c3a7a2983579","01a1e6a8-c38b-7000-9a48-cb7ed1d63e66"]', 5, '01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', '01a1e6a8-c848-7000-9e13-c3a7a2983579', 'agent_release', '{"artifact":"agent/desk","release":{"environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","environment":"prod","version":"1.0.0","workflow_run_id":null,"workflow_name":null,"workflow_run_url":null,"activated_at":"2026-11-16T23:19:43.539Z","activated_by":"internal-service"}}', NULL, '', '', '', '', '', '');
INSERT INTO public.agents VALUES (1, '01a1e6a8-c848-7000-9e13-c3a7a2983579', '["desk"]', 6, NULL, NULL, NULL, '{"id":"01a1e6a8-c848-7000-9e13-c3a7a2983579","name":"desk","aliases":["orders-bot"],"description":"","source_path":"tiny","components":[{"environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","component":"chat","desired_state":"running","observed_state":"running","message":null,"updated_at":"2026-11-16T23:19:43.539Z","version":"1.0.0"},{"environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","component":"agent_endpoint","desired_state":"running","observed_state":"running","message":null,"updated_at":"2026-11-16T23:19:43.926Z","version":"1.0.0"},{"environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","component":"ui_app","desired_state":"running","observed_state":"running","version":"1.0.0","message":null,"updated_at":"2026-11-16T23:19:44.207Z"}],"releases":[{"environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","environment":"prod","version":"1.0.0","workflow_run_id":null,"workflow_name":null,"workflow_run_url":null,"activated_at":"2026-11-16T23:19:43.539Z","activated_by":"internal-service"}],"created_at":"2026-11-16T23:19:43.431Z","updated_at":"2026-11-16T23:19:43.599Z","created_by":"internal-service","updated_by":"internal-service"}', NULL, 'desk', '', '2026-11-16T23:19:43.599Z', 'internal-service', 'desk', '2026-11-16T23:19:43.431Z');
INSERT INTO public.aliases VALUES ('["desk"]', '01a1e6a8-c848-7000-9e13-c3a7a2983579');
INSERT INTO public.aliases VALUES ('["orders-bot"]', '01a1e6a8-c848-7000-9e13-c3a7a2983579');
INSERT INTO public.applied_resources VALUES ('01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', 'connector', 'planned', 'shop', '01a1e6a8-cbf8-7000-a925-dc64825e0198', '3f9c1d2', 'sha256:38b3fbd644724fca4578ca1f40fa10f5d0cac615d9be59b25c5ac0154595cf21', 'RF7M3akH3hRr7KVIOFC_QCY-zYBfBVlvIDgINTLTPaw', 'oWlG2Ho/RyCvHl4HRy2ycRMXLelWURRvVT79i2MhHtkMA+LeEvm8xPiV13EdExi5Spmxx2JsOqBMCux2jcA4JPdIKxRjSZg4dHD6ty6FLua0/LjX6PNWR/DFF0WJ35aT9n+lbU/lcspR3KKfZR3mSeLN9i8Tc2+ftLQ6FA+yo4GOv9GooCw3YBi9PCxYwEwqXdJXEYZklEQKcYFzNeFKTV7pLcN9FWf6G9opGXweGgWPgTZMQ/lficRIbPuxWJ6wseONaypbHImADP+840OujocsoTJfaajvfvRgjEeDrEn1OwavM0j2Q0b7bz+DwyG07Dkhw5ZTXOLPK8FHe1n/C9Mvm+nUoYfNfJL7PAZHVXDCd7BV/wfeeRH8Pv+14mYJUD+L7yu8e0m9NQIEnuw3juS/5XQi3CMMF/CNLqwqxRuSEPkQply7iabv5wMvOE+4f57JukUuAeCPK+U1R0lPoKszjYeTNH/LNkYom46KUuzUgYCXMCG0umfdVigT9XkDjF3gM3i7iFFUay/z91lK1/zQBooC0HVOg3cpW+UG1iHg8mg=', '2026-11-16T23:19:44.486Z', 'internal-service');
INSERT INTO public.apps VALUES (1, '01a1e6a8-c8e2-7000-9925-78466d71c6ee', '["01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","desk-ui"]', 3, '01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', '01a1e6a8-c848-7000-9e13-c3a7a2983579', NULL, '{"id":"01a1e6a8-c8e2-7000-9925-78466d71c6ee","name":"desk-ui","environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","description":"","agent_id":"01a1e6a8-c848-7000-9e13-c3a7a2983579","source_path":"tiny","desired_state":"running","observed_state":"running","message":null,"created_at":"2026-11-16T23:19:43.586Z","updated_at":"2026-11-16T23:19:44.207Z","created_by":"internal-service","updated_by":"internal-service"}', NULL, 'desk-ui', 'running', '2026-11-16T23:19:44.207Z', 'internal-service', 'desk-ui', '2026-11-16T23:19:43.586Z');
INSERT INTO public.automations VALUES (1, '01a1e6a8-c6ad-7000-8421-2341be085898', '["released"]', 1, NULL, NULL, NULL, '{"id":"01a1e6a8-c6ad-7000-8421-2341be085898","alias":"released","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false},"design_content_hash":"sha256:d82013cfdda1f3175921910fbd9eb0acf312669e7925f0c05e5f58309689ee79","created_at":"2026-11-16T23:19:42.980Z","updated_at":"2026-11-16T23:19:42.980Z","created_by":"internal-service","updated_by":null}', NULL, 'released', '', '2026-11-16T23:19:42.980Z', 'internal-service', 'released', '2026-11-16T23:19:42.980Z');
INSERT INTO public.automations VALUES (2, '01a1e6a8-c731-7000-90ab-65dfce7327e4', '["released-paused"]', 1, NULL, NULL, NULL, '{"id":"01a1e6a8-c731-7000-90ab-65dfce7327e4","alias":"released-paused","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false},"design_content_hash":"sha256:1112bb91d1b3b61c9ac6b944d814609b8ae6adb0fc2b94188892604d41c071bd","created_at":"2026-11-16T23:19:43.147Z","updated_at":"2026-11-16T23:19:43.147Z","created_by":"internal-service","updated_by":null}', NULL, 'released-paused', '', '2026-11-16T23:19:43.147Z', 'internal-service', 'released-paused', '2026-11-16T23:19:43.147Z');
INSERT INTO public.automations VALUES (3, '01a1e6a8-c76d-7000-9f0c-239d10e7e429', '["released-changed"]', 2, NULL, NULL, NULL, '{"id":"01a1e6a8-c76d-7000-9f0c-239d10e7e429","alias":"released-changed","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 2","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false},"design_content_hash":"sha256:f6b38dd07db4ba331f099f7884e4380e971a952c9ea66bc4609f8734c4f8b536","created_at":"2026-11-16T23:19:43.211Z","updated_at":"2026-11-16T23:19:43.332Z","created_by":"internal-service","updated_by":"internal-service"}', NULL, 'released-changed', '', '2026-11-16T23:19:43.332Z', 'internal-service', 'released-changed', '2026-11-16T23:19:43.211Z');
INSERT INTO public.connectors VALUES (2, '01a1e6a8-c5e7-7000-8e72-3aa50329a443', '01a1e6a8-c38b-7000-9a48-cb7ed1d63e66/["referring"]', 1, '01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', NULL, NULL, '{"id":"01a1e6a8-c5e7-7000-8e72-3aa50329a443","name":"referring","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"Bearer {{secrets/shop/api-key}}"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"active","git_commit_id":null,"git_branch":null,"workflow_id":"connector-01a1e6a8-c5e7-7000-8e72-3aa50329a443","artifacts_path":null,"error_message":null,"created_at":"2026-11-16T23:19:42.823Z","updated_at":"2026-11-16T23:19:42.823Z","created_by":"ada@example.test","updated_by":null,"datasets":[{"id":"01a1e6a8-c5e7-7001-8433-389c53c6cafc","connector_id":"01a1e6a8-c5e7-7000-8e72-3aa50329a443","source_dataset":"referring","target_name":"referring","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-16T23:19:42.823Z","created_by":"internal-service"}]}', NULL, 'referring', 'active', '2026-11-16T23:19:42.823Z', 'ada@example.test', 'referring
warehouse', '2026-11-16T23:19:42.823Z');
INSERT INTO public.connectors VALUES (3, '01a1e6a8-c60b-7000-b9b4-98ceeb78556b', '01a1e6a8-c38b-7000-9a48-cb7ed1d63e66/["paused"]', 2, '01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', NULL, NULL, '{"id":"01a1e6a8-c60b-7000-b9b4-98ceeb78556b","name":"paused","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"********"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"paused","git_commit_id":null,"git_branch":null,"workflow_id":"connector-01a1e6a8-c60b-7000-b9b4-98ceeb78556b","artifacts_path":null,"error_message":null,"created_at":"2026-11-16T23:19:42.859Z","updated_at":"2026-11-16T23:19:42.896Z","created_by":"ada@example.test","updated_by":"internal-service","datasets":[{"id":"01a1e6a8-c60b-7001-82eb-bdbe952364ea","connector_id":"01a1e6a8-c60b-7000-b9b4-98ceeb78556b","source_dataset":"paused","target_name":"paused","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-16T23:19:42.859Z","created_by":"internal-service"}]}', 'UF4p0iHK2ZqQR22aC46EoMNY5POtDzsyeDHWrrEBNvAxs1P4N8AW8G3rsYg8rEvrubhEcFzENZGlEZs3wf6H0efab8sHhC4JI4WRUjv9P5kLOGgexHAZYRBoe/ONhHQWkGvq1PowF0PqOCM2HaBI53t0', 'paused', 'paused', '2026-11-16T23:19:42.896Z', 'ada@example.test', 'paused
warehouse', '2026-11-16T23:19:42.859Z');
INSERT INTO public.connectors VALUES (1, '01a1e6a8-c5b5-7000-a4b1-9a0c79a61557', '01a1e6a8-c38b-7000-9a48-cb7ed1d63e66/["inline"]', 2, '01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', NULL, NULL, '{"id":"01a1e6a8-c5b5-7000-a4b1-9a0c79a61557","name":"inline","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"********"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"active","git_commit_id":null,"git_branch":"main","workflow_id":"connector-01a1e6a8-c5b5-7000-a4b1-9a0c79a61557","artifacts_path":null,"error_message":null,"created_at":"2026-11-16T23:19:42.773Z","updated_at":"2026-11-16T23:19:42.932Z","created_by":"ada@example.test","updated_by":"internal-service","datasets":[{"id":"01a1e6a8-c5b6-7000-8ae9-7262d6ba9496","connector_id":"01a1e6a8-c5b5-7000-a4b1-9a0c79a61557","source_dataset":"inline","target_name":"inline","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-16T23:19:42.773Z","created_by":"internal-service"}]}', 'lDjR3PJOdiQeRq8XhdAsu607SoGwTz7dzIuxRMLbXkyhx3zvKdJyoexe3ePgXQhep9rLbOuxnCaoT5veG/msQAUBLIYNvTFCN48Gdv3KkSBXiS7efnlBg80FfTMBwvDnWEPvBcY/KSMdeWXIL0ohszFlJVoy9EiqFIazjwMca2w=', 'inline', 'active', '2026-11-16T23:19:42.932Z', 'ada@example.test', 'inline
warehouse', '2026-11-16T23:19:42.773Z');
INSERT INTO public.connectors VALUES (4, '01a1e6a8-cc59-7000-a79f-b3e3d7f27939', '01a1e6a8-c38b-7000-9a48-cb7ed1d63e66/["planned"]', 1, '01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', NULL, NULL, '{"id":"01a1e6a8-cc59-7000-a79f-b3e3d7f27939","name":"planned","target_type":"csv","target_config":{},"execution_mode":"manual","schedule_cron":null,"table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"active","git_commit_id":null,"git_branch":null,"workflow_id":"connector-01a1e6a8-cc59-7000-a79f-b3e3d7f27939","artifacts_path":null,"error_message":null,"created_at":"2026-11-16T23:19:44.458Z","updated_at":"2026-11-16T23:19:44.458Z","created_by":"internal-service","updated_by":null,"datasets":[]}', NULL, 'planned', 'active', '2026-11-16T23:19:44.458Z', 'internal-service', 'planned
csv', '2026-11-16T23:19:44.458Z');
INSERT INTO public.cursors VALUES ('chat', 0);
INSERT INTO public.deployment_counts VALUES ('01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', 'pending', 0);
INSERT INTO public.deployment_counts VALUES ('01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', 'succeeded', 4);
INSERT INTO public.deployment_log VALUES ('01a1e6a8-cb61-7000-a95b-9e89399c7d3f', 1, '"uploading\n"');
INSERT INTO public.deployments VALUES (1, '01a1e6a8-c6c5-7000-9816-165d7f7f9367', '["2026-11-16T23:19:43.035Z","01a1e6a8-c6c5-7000-9816-165d7f7f9367"]', 1, '01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', NULL, 'succeeded', '{"id":"01a1e6a8-c6c5-7000-9816-165d7f7f9367","deployment_name":"released 1.0.0","environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T23:19:43.035Z","started_at":"2026-11-16T23:19:43.035Z","completed_at":"2026-11-16T23:19:43.035Z","initiated_by":"internal-service","error_message":null}', NULL, 'released 1.0.0', 'succeeded', '', 'internal-service', 'released 1.0.0
main
3f9c1d2', '2026-11-16T23:19:43.035Z');
INSERT INTO public.deployments VALUES (2, '01a1e6a8-c749-7001-8a36-b29e2f7d6d54', '["2026-11-16T23:19:43.166Z","01a1e6a8-c749-7001-8a36-b29e2f7d6d54"]', 1, '01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', NULL, 'succeeded', '{"id":"01a1e6a8-c749-7001-8a36-b29e2f7d6d54","deployment_name":"released-paused 1.0.0","environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T23:19:43.166Z","started_at":"2026-11-16T23:19:43.166Z","completed_at":"2026-11-16T23:19:43.166Z","initiated_by":"internal-service","error_message":null}', NULL, 'released-paused 1.0.0', 'succeeded', '', 'internal-service', 'released-paused 1.0.0
main
3f9c1d2', '2026-11-16T23:19:43.166Z');
INSERT INTO public.deployments VALUES (3, '01a1e6a8-c77e-7001-aeda-72cf960f5982', '["2026-11-16T23:19:43.225Z","01a1e6a8-c77e-7001-aeda-72cf960f5982"]', 1, '01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', NULL, 'succeeded', '{"id":"01a1e6a8-c77e-7001-aeda-72cf960f5982","deployment_name":"released-changed 1.0.0","environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T23:19:43.225Z","started_at":"2026-11-16T23:19:43.225Z","completed_at":"2026-11-16T23:19:43.225Z","initiated_by":"internal-service","error_message":null}', NULL, 'released-changed 1.0.0', 'succeeded', '', 'internal-service', 'released-changed 1.0.0
main
3f9c1d2', '2026-11-16T23:19:43.225Z');
INSERT INTO public.deployments VALUES (4, '01a1e6a8-cb61-7000-a95b-9e89399c7d3f', '["2026-11-16T23:19:44.269Z","01a1e6a8-cb61-7000-a95b-9e89399c7d3f"]', 2, '01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', NULL, 'succeeded', '{"id":"01a1e6a8-cb61-7000-a95b-9e89399c7d3f","deployment_name":"orders 1.0.0","environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","git_branch":"main","git_commit_sha":"","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T23:19:44.225Z","started_at":null,"completed_at":"2026-11-16T23:19:44.269Z","initiated_by":"internal-service","error_message":null}', NULL, 'orders 1.0.0', 'succeeded', '', 'internal-service', 'orders 1.0.0
main', '2026-11-16T23:19:44.225Z');
INSERT INTO public.environments VALUES (1, '01a1e6a8-c264-7000-ba08-831b094e1884', '["local"]', 1, NULL, NULL, NULL, '{"id":"01a1e6a8-c264-7000-ba08-831b094e1884","name":"local","description":"Created at the first start","protected":false,"platform":"embedded","gitProvider":null,"gitRepository":null,"targetGitBranch":null,"secretScope":null,"dataPlatformClientIdKey":null,"dataPlatformClientSecretKey":null,"configuration":{},"isActive":true,"createdAt":"2026-11-16T23:19:41.920Z","updatedAt":"2026-11-16T23:19:41.920Z","createdBy":"lakehelm","updatedBy":null}', NULL, 'local', 'active', '2026-11-16T23:19:41.920Z', 'lakehelm', 'local
created at the first start', '2026-11-16T23:19:41.920Z');
INSERT INTO public.environments VALUES (2, '01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', '["prod"]', 1, NULL, NULL, NULL, '{"id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","name":"prod","description":null,"protected":false,"platform":"embedded","gitProvider":null,"gitRepository":null,"targetGitBranch":null,"secretScope":null,"dataPlatformClientIdKey":null,"dataPlatformClientSecretKey":null,"configuration":{"timezone":"Europe/Berlin"},"isActive":true,"createdAt":"2026-11-16T23:19:42.218Z","updatedAt":"2026-11-16T23:19:42.218Z","createdBy":"internal-service","updatedBy":null}', NULL, 'prod', 'active', '2026-11-16T23:19:42.218Z', 'internal-service', 'prod', '2026-11-16T23:19:42.218Z');
INSERT INTO public.event_head VALUES (1, 49, 'blshO_ebtEo83E8kTDbjLVI8NJJYFlb1_JbBsVLY_Ac', 'oPu6Ady6D-EBD6DOj6aI3T9DsE-hOl14ZY8Dzrt-6cM');
INSERT INTO public.event_start VALUES (1, 0, '', '', '');
INSERT INTO public.events VALUES (1, '01a1e6a8-c26c-7000-baab-74068dbd685a', 'environment.created', 'environment/01a1e6a8-c264-7000-ba08-831b094e1884', '{"id":"01a1e6a8-c26c-7000-baab-74068dbd685a","time":"2026-11-16T23:19:41.920Z","actor":"lakehelm","request_id":null,"kind":"environment.created","subject":"environment/01a1e6a8-c264-7000-ba08-831b094e1884","data":{"name":"local","platform":"embedded"}}', 'totR4ECvyRIHXD0jvB0ppb3KFoYd4oGZL9Il4r4eu_s');
INSERT INTO public.events VALUES (2, '01a1e6a8-c38c-7000-b214-5158848219e4', 'environment.created', 'environment/01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', '{"id":"01a1e6a8-c38c-7000-b214-5158848219e4","time":"2026-11-16T23:19:42.218Z","actor":"internal-service","request_id":"01a1e6a8-c388-7000-9da9-cde2da94d338","kind":"environment.created","subject":"environment/01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","data":{"name":"prod","platform":"embedded"}}', 'qhz9Ph6Zr8A7zrfJXR0Jvr1MvT_DIH20HZoPMQ0Ezu8');
INSERT INTO public.events VALUES (3, '01a1e6a8-c56c-7000-a6ed-ec8f8596e402', 'user.created', 'user/01a1e6a8-c3ad-7000-8b5f-c84af4a91da4', '{"id":"01a1e6a8-c56c-7000-a6ed-ec8f8596e402","time":"2026-11-16T23:19:42.252Z","actor":"internal-service","request_id":"01a1e6a8-c3ab-7000-a79d-0495877ec832","kind":"user.created","subject":"user/01a1e6a8-c3ad-7000-8b5f-c84af4a91da4","data":{"id":"01a1e6a8-c3ad-7000-8b5f-c84af4a91da4","username":"ada@example.test","role":"operator","active":true,"created_at":"2026-11-16T23:19:42.252Z","updated_at":"2026-11-16T23:19:42.252Z","created_by":"internal-service"}}', 'R2MMNodXoCMxk7dvlHs373kiSVeJXV48oSCsdZ2Yvd4');
INSERT INTO public.events VALUES (4, '01a1e6a8-c57d-7000-b940-acfb945f8a35', 'token.created', 'token/01a1e6a8-c57b-7000-9ea1-279ac2dd5cc2', '{"id":"01a1e6a8-c57d-7000-b940-acfb945f8a35","time":"2026-11-16T23:19:42.713Z","actor":"internal-service","request_id":"01a1e6a8-c578-7000-9c3f-2840707f468b","kind":"token.created","subject":"token/01a1e6a8-c57b-7000-9ea1-279ac2dd5cc2","data":{"id":"01a1e6a8-c57b-7000-9ea1-279ac2dd5cc2","username":"ada@example.test","comment":"fixture","created_at":"2026-11-16T23:19:42.713Z","expires_at":null,"created_by":"internal-service"}}', 'IXczfaZf99OASwuxAga7s8AJ1gYekWbjhWrK-3HRh-c');
INSERT INTO public.events VALUES (5, '01a1e6a8-c598-7000-ac9b-bcbd1d500f4c', 'secret.stored', 'secret/01a1e6a8-c38b-7000-9a48-cb7ed1d63e66/shop/api-key', '{"id":"01a1e6a8-c598-7000-ac9b-bcbd1d500f4c","time":"2026-11-16T23:19:42.737Z","actor":"internal-service","request_id":"01a1e6a8-c58c-7000-9de6-ea97160206a4","kind":"secret.stored","subject":"secret/01a1e6a8-c38b-7000-9a48-cb7ed1d63e66/shop/api-key","data":{"environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","scope":"shop","key":"api-key"}}', 'K3boTS9078rybCays1Iqop8qfHmhg81dYus1539yY6k');
INSERT INTO public.events VALUES (6, '01a1e6a8-c5ce-7000-a409-2cdaecad2017', 'connector.created', 'connector/01a1e6a8-c5b5-7000-a4b1-9a0c79a61557', '{"id":"01a1e6a8-c5ce-7000-a409-2cdaecad2017","time":"2026-11-16T23:19:42.773Z","actor":"internal-service","request_id":"01a1e6a8-c5ad-7000-9744-7f59a34346fb","kind":"connector.created","subject":"connector/01a1e6a8-c5b5-7000-a4b1-9a0c79a61557","data":{"name":"inline","environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","target_type":"warehouse","status":"active"}}', 'EUCZ77AY0Pehmb4_Sgt-ILKNFzBsFrnMw8Ex9rvJalQ');
INSERT INTO public.events VALUES (7, '01a1e6a8-c5ef-7001-853a-16f7f6fb657e', 'connector.created', 'connector/01a1e6a8-c5e7-7000-8e72-3aa50329a443', '{"id":"01a1e6a8-c5ef-7001-853a-16f7f6fb657e","time":"2026-11-16T23:19:42.823Z","actor":"internal-service","request_id":"01a1e6a8-c5e6-7000-b488-f9124111f4af","kind":"connector.created","subject":"connector/01a1e6a8-c5e7-7000-8e72-3aa50329a443","data":{"name":"referring","environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","target_type":"warehouse","status":"active"}}', 'wrEe7qRyFghtpCi0jM3dLrZNgHJrwTGB9VKzZlUphrM');
INSERT INTO public.events VALUES (8, '01a1e6a8-c60c-7000-abc3-2a23cf42f409', 'connector.created', 'connector/01a1e6a8-c60b-7000-b9b4-98ceeb78556b', '{"id":"01a1e6a8-c60c-7000-abc3-2a23cf42f409","time":"2026-11-16T23:19:42.859Z","actor":"internal-service","request_id":"01a1e6a8-c605-7000-9fce-b8892a483874","kind":"connector.created","subject":"connector/01a1e6a8-c60b-7000-b9b4-98ceeb78556b","data":{"name":"paused","environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","target_type":"warehouse","status":"active"}}', 'u8kmQ2GHGC0buXgVJfSa8UbHnF_mMar_sxCj2jGiZM4');
INSERT INTO public.events VALUES (9, '01a1e6a8-c637-7000-a7d5-367bc152b755', 'connector.paused', 'connector/01a1e6a8-c60b-7000-b9b4-98ceeb78556b', '{"id":"01a1e6a8-c637-7000-a7d5-367bc152b755","time":"2026-11-16T23:19:42.896Z","actor":"internal-service","request_id":"01a1e6a8-c62f-7000-a480-3bbcae42d7ed","kind":"connector.paused","subject":"connector/01a1e6a8-c60b-7000-b9b4-98ceeb78556b","data":{"name":"paused","environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","reason":"holiday","until":null}}', 'liWPMDVwIbK2mjChn-HN9QezWjRU-Ozjs9EO5F5yGPM');
INSERT INTO public.events VALUES (10, '01a1e6a8-c65b-7001-9ac9-818ee96c48f7', 'connector.updated', 'connector/01a1e6a8-c5b5-7000-a4b1-9a0c79a61557', '{"id":"01a1e6a8-c65b-7001-9ac9-818ee96c48f7","time":"2026-11-16T23:19:42.932Z","actor":"internal-service","request_id":"01a1e6a8-c64f-7000-8716-73da21923ec7","kind":"connector.updated","subject":"connector/01a1e6a8-c5b5-7000-a4b1-9a0c79a61557","data":{"name":"inline","environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","fields":["git_branch"]}}', 'RaOVyPzebbaUQhzn3z48H8_-IkE8bWrDgbXhNaE3c14');
INSERT INTO public.events VALUES (11, '01a1e6a8-c6ae-7000-b4bc-fc94058a0f2e', 'automation.created', 'automation/01a1e6a8-c6ad-7000-8421-2341be085898', '{"id":"01a1e6a8-c6ae-7000-b4bc-fc94058a0f2e","time":"2026-11-16T23:19:42.980Z","actor":"internal-service","request_id":"01a1e6a8-c683-7000-82ee-0fea3f51b28a","kind":"automation.created","subject":"automation/01a1e6a8-c6ad-7000-8421-2341be085898","data":{"alias":"released","design_content_hash":"sha256:d82013cfdda1f3175921910fbd9eb0acf312669e7925f0c05e5f58309689ee79"}}', 'tmiRNjvSe_fPoQSezc4WSl9u0aBvYoRfrOACqIkzNJA');
INSERT INTO public.events VALUES (12, '01a1e6a8-c6c9-7000-9f71-8db81cc20221', 'deployment.recorded', 'deployment/01a1e6a8-c6c5-7000-9816-165d7f7f9367', '{"id":"01a1e6a8-c6c9-7000-9f71-8db81cc20221","time":"2026-11-16T23:19:43.035Z","actor":"internal-service","request_id":"01a1e6a8-c6ba-7000-a5d0-c58ff1038a8f","kind":"deployment.recorded","subject":"deployment/01a1e6a8-c6c5-7000-9816-165d7f7f9367","data":{"deployment_name":"released 1.0.0","environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","status":"succeeded"}}', 'xGAQRwYV0PdgL1ho2dIV7_ni7V1jfWEWu6D-wOJgW0w');
INSERT INTO public.events VALUES (13, '01a1e6a8-c6ca-7000-9769-203f9c509778', 'automation.release_activated', 'automation/01a1e6a8-c6ad-7000-8421-2341be085898', '{"id":"01a1e6a8-c6ca-7000-9769-203f9c509778","time":"2026-11-16T23:19:43.035Z","actor":"internal-service","request_id":"01a1e6a8-c6ba-7000-a5d0-c58ff1038a8f","kind":"automation.release_activated","subject":"automation/01a1e6a8-c6ad-7000-8421-2341be085898","data":{"alias":"released","release_id":"01a1e6a8-c6c0-7000-82e6-f3b14e4f1ea0","environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","version":"1.0.0","replaced":null}}', 'HXxqQudocWd1QiQmZthR85-8n6cjfD8zrWp4ijEN3iQ');
INSERT INTO public.events VALUES (14, '01a1e6a8-c70c-7000-afb8-bf43438fbb0d', 'environment.reconciled', 'environment/01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', '{"id":"01a1e6a8-c70c-7000-afb8-bf43438fbb0d","time":"2026-11-16T23:19:43.035Z","actor":"internal-service","request_id":"01a1e6a8-c6ba-7000-a5d0-c58ff1038a8f","kind":"environment.reconciled","subject":"environment/01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","data":{}}', 'cBl1bM7rkqTrlGEf9_pX28Zw1gHoRM59dTLEpgwWugg');
INSERT INTO public.events VALUES (15, '01a1e6a8-c731-7001-a82a-4fc3adf7714a', 'automation.created', 'automation/01a1e6a8-c731-7000-90ab-65dfce7327e4', '{"id":"01a1e6a8-c731-7001-a82a-4fc3adf7714a","time":"2026-11-16T23:19:43.147Z","actor":"internal-service","request_id":"01a1e6a8-c72b-7000-9f90-cf6ed459d721","kind":"automation.created","subject":"automation/01a1e6a8-c731-7000-90ab-65dfce7327e4","data":{"alias":"released-paused","design_content_hash":"sha256:1112bb91d1b3b61c9ac6b944d814609b8ae6adb0fc2b94188892604d41c071bd"}}', 'kr819WCXyZrbv3o9C2PR-XAb5_950FL6uXUL4rVhM2w');
INSERT INTO public.events VALUES (16, '01a1e6a8-c749-7003-9d9f-82036cf835a1', 'deployment.recorded', 'deployment/01a1e6a8-c749-7001-8a36-b29e2f7d6d54', '{"id":"01a1e6a8-c749-7003-9d9f-82036cf835a1","time":"2026-11-16T23:19:43.166Z","actor":"internal-service","request_id":"01a1e6a8-c73d-7000-9678-c4e1950cef86","kind":"deployment.recorded","subject":"deployment/01a1e6a8-c749-7001-8a36-b29e2f7d6d54","data":{"deployment_name":"released-paused 1.0.0","environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","status":"succeeded"}}', '5EHZ9dzB1mYJQmDiMQO8lVM0Z1Ow_pun2FvYTEFIkZU');
INSERT INTO public.events VALUES (17, '01a1e6a8-c74a-7000-a486-8cb653154957', 'automation.release_activated', 'automation/01a1e6a8-c731-7000-90ab-65dfce7327e4', '{"id":"01a1e6a8-c74a-7000-a486-8cb653154957","time":"2026-11-16T23:19:43.166Z","actor":"internal-service","request_id":"01a1e6a8-c73d-7000-9678-c4e1950cef86","kind":"automation.release_activated","subject":"automation/01a1e6a8-c731-7000-90ab-65dfce7327e4","data":{"alias":"released-paused","release_id":"01a1e6a8-c748-7000-87f9-e6981a306545","environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","version":"1.0.0","replaced":null}}', 'Vwl2OXTHuURGsdT7Kzi29T8AU2oPrsD2Y0-5guOfc7A');
INSERT INTO public.events VALUES (18, '01a1e6a8-c762-7000-ba6d-5387b0f128d4', 'environment.reconciled', 'environment/01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', '{"id":"01a1e6a8-c762-7000-ba6d-5387b0f128d4","time":"2026-11-16T23:19:43.166Z","actor":"internal-service","request_id":"01a1e6a8-c73d-7000-9678-c4e1950cef86","kind":"environment.reconciled","subject":"environment/01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","data":{}}', 'Nk2TnDPpeVM9U1ts-GbLTnj8_on3HNwLqOQtp-VxwGA');
INSERT INTO public.events VALUES (19, '01a1e6a8-c76d-7001-adae-26e5f0d33216', 'automation.created', 'automation/01a1e6a8-c76d-7000-9f0c-239d10e7e429', '{"id":"01a1e6a8-c76d-7001-adae-26e5f0d33216","time":"2026-11-16T23:19:43.211Z","actor":"internal-service","request_id":"01a1e6a8-c769-7000-8c5b-05e507e69def","kind":"automation.created","subject":"automation/01a1e6a8-c76d-7000-9f0c-239d10e7e429","data":{"alias":"released-changed","design_content_hash":"sha256:2bb4d2063ab29a519f94a8b140af4f116799a0532b872422b1463eef4a7844f6"}}', 'pDJNawnkQ7N8v8Ke0oYMdGIbaYiuPIzY7kVLEuzoUoo');
INSERT INTO public.events VALUES (20, '01a1e6a8-c77f-7000-bdac-196ee63f869b', 'deployment.recorded', 'deployment/01a1e6a8-c77e-7001-aeda-72cf960f5982', '{"id":"01a1e6a8-c77f-7000-bdac-196ee63f869b","time":"2026-11-16T23:19:43.225Z","actor":"internal-service","request_id":"01a1e6a8-c779-7000-92bd-1abe91e01de4","kind":"deployment.recorded","subject":"deployment/01a1e6a8-c77e-7001-aeda-72cf960f5982","data":{"deployment_name":"released-changed 1.0.0","environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","status":"succeeded"}}', 'FvvkkWk4AnIWQo_5XANdWQR2K-a9O8Ro5h9UBFDw0ow');
INSERT INTO public.events VALUES (21, '01a1e6a8-c77f-7001-9eae-c031aec6cd6e', 'automation.release_activated', 'automation/01a1e6a8-c76d-7000-9f0c-239d10e7e429', '{"id":"01a1e6a8-c77f-7001-9eae-c031aec6cd6e","time":"2026-11-16T23:19:43.225Z","actor":"internal-service","request_id":"01a1e6a8-c779-7000-92bd-1abe91e01de4","kind":"automation.release_activated","subject":"automation/01a1e6a8-c76d-7000-9f0c-239d10e7e429","data":{"alias":"released-changed","release_id":"01a1e6a8-c77d-7000-9507-25743320940e","environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","version":"1.0.0","replaced":null}}', 'qtDvgi8SzkexwHbhUoiPDbFJ-O3vcNMnPEHfUVsku0M');
INSERT INTO public.events VALUES (22, '01a1e6a8-c7ae-7000-a6aa-45f1968efdd7', 'environment.reconciled', 'environment/01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', '{"id":"01a1e6a8-c7ae-7000-a6aa-45f1968efdd7","time":"2026-11-16T23:19:43.225Z","actor":"internal-service","request_id":"01a1e6a8-c779-7000-92bd-1abe91e01de4","kind":"environment.reconciled","subject":"environment/01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","data":{}}', 'PkY0QRco0osLcXXFl3tuRUFUvcqHsKr_K__PxaQsW6c');
INSERT INTO public.events VALUES (23, '01a1e6a8-c7cc-7000-afec-337331863a75', 'automation.schedule_paused', 'automation/01a1e6a8-c731-7000-90ab-65dfce7327e4', '{"id":"01a1e6a8-c7cc-7000-afec-337331863a75","time":"2026-11-16T23:19:43.298Z","actor":"internal-service","request_id":"01a1e6a8-c7c1-7000-9ce6-b20ec9e02315","kind":"automation.schedule_paused","subject":"automation/01a1e6a8-c731-7000-90ab-65dfce7327e4","data":{"alias":"released-paused","release_id":"01a1e6a8-c748-7000-87f9-e6981a306545","environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","version":"1.0.0","reason":"holiday","until":null}}', 'JoDvVvuOUB7S2Le2DMHSJIyC0pTyVFDKyq9eBm5RIg4');
INSERT INTO public.events VALUES (24, '01a1e6a8-c7ec-7000-ae75-9cc6b885b16e', 'automation.definition_set', 'automation/01a1e6a8-c76d-7000-9f0c-239d10e7e429', '{"id":"01a1e6a8-c7ec-7000-ae75-9cc6b885b16e","time":"2026-11-16T23:19:43.332Z","actor":"internal-service","request_id":"01a1e6a8-c7e4-7000-9c58-0882a8212033","kind":"automation.definition_set","subject":"automation/01a1e6a8-c76d-7000-9f0c-239d10e7e429","data":{"alias":"released-changed","design_content_hash":"sha256:f6b38dd07db4ba331f099f7884e4380e971a952c9ea66bc4609f8734c4f8b536"}}', 'gEiE4LtxVOk3diXN57FapuPEKUHQ-rBdwm0sKgx4wVU');
INSERT INTO public.events VALUES (25, '01a1e6a8-c801-7000-987a-f93fa47ff16a', 'file.written', 'file/01a1e6a8-c38b-7000-9a48-cb7ed1d63e66/pipelines/numbers.sql', '{"id":"01a1e6a8-c801-7000-987a-f93fa47ff16a","time":"2026-11-16T23:19:43.351Z","actor":"internal-service","request_id":"01a1e6a8-c7f5-7000-afc2-582910d09179","kind":"file.written","subject":"file/01a1e6a8-c38b-7000-9a48-cb7ed1d63e66/pipelines/numbers.sql","data":{"environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","path":"pipelines/numbers.sql","size":51,"sha256":"b0bf44b639804f1839a1927e097d46337d4fc58b70b6448f3bb019cef234fa17"}}', 'OiknTXV-hAPClBPFzO1BkRoSNc6riIbGzsDJ7iX5uWE');
INSERT INTO public.events VALUES (26, '01a1e6a8-c82a-7000-923a-174b4c8a1b23', 'pipeline.created', 'pipeline/01a1e6a8-c828-7000-b90a-d5df0fc26a66', '{"id":"01a1e6a8-c82a-7000-923a-174b4c8a1b23","time":"2026-11-16T23:19:43.399Z","actor":"internal-service","request_id":"01a1e6a8-c825-7000-b913-a88fb0ada925","kind":"pipeline.created","subject":"pipeline/01a1e6a8-c828-7000-b90a-d5df0fc26a66","data":{"name":"numbers","environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66"}}', '4PswhVaER_Oa0mZJG2qVjoI9dRWV4179QvAPWKL5nNg');
INSERT INTO public.events VALUES (27, '01a1e6a8-c85c-7000-90cf-86e8aefbf765', 'agent.created', 'agent/01a1e6a8-c848-7000-9e13-c3a7a2983579', '{"id":"01a1e6a8-c85c-7000-90cf-86e8aefbf765","time":"2026-11-16T23:19:43.431Z","actor":"internal-service","request_id":"01a1e6a8-c847-7000-90ed-f7f7a3e462de","kind":"agent.created","subject":"agent/01a1e6a8-c848-7000-9e13-c3a7a2983579","data":{"name":"desk","aliases":["orders-bot"]}}', '8tEyNY5O41HzTTgoR02AEOiCrO_n-nBAu2eTYfP88r0');
INSERT INTO public.events VALUES (28, '01a1e6a8-c887-7000-ac5e-fafb183e993c', 'file.written', 'file/01a1e6a8-c38b-7000-9a48-cb7ed1d63e66/tiny/app.yaml', '{"id":"01a1e6a8-c887-7000-ac5e-fafb183e993c","time":"2026-11-16T23:19:43.486Z","actor":"internal-service","request_id":"01a1e6a8-c87d-7000-9e16-3f70d3815054","kind":"file.written","subject":"file/01a1e6a8-c38b-7000-9a48-cb7ed1d63e66/tiny/app.yaml","data":{"environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","path":"tiny/app.yaml","size":25,"sha256":"161d49cab793e4e16c959370ac0ef0283a37471131f8f1ce0f6cbd77067c181a"}}', 'WLsH8rOOYROMFJTJFzNsiUFQSzItghcArCQZG4Ap770');
INSERT INTO public.events VALUES (29, '01a1e6a8-c897-7000-8a4d-62cce1c238e3', 'file.written', 'file/01a1e6a8-c38b-7000-9a48-cb7ed1d63e66/tiny/app.mjs', '{"id":"01a1e6a8-c897-7000-8a4d-62cce1c238e3","time":"2026-11-16T23:19:43.506Z","actor":"internal-service","request_id":"01a1e6a8-c891-7000-9bb8-caa4d1825230","kind":"file.written","subject":"file/01a1e6a8-c38b-7000-9a48-cb7ed1d63e66/tiny/app.mjs","data":{"environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","path":"tiny/app.mjs","size":154,"sha256":"42a29daadf6a0e247952089c44decb92d0f16169dfeeb9aa0956ff02f5cd7d93"}}', 'w0jTkyjdm4V5w831LOLhaOFJlqiKrlY-kYQydSRhsCM');
INSERT INTO public.events VALUES (30, '01a1e6a8-c8c4-7000-bdd0-1dcee2189103', 'agent.version_created', 'agent/01a1e6a8-c848-7000-9e13-c3a7a2983579', '{"id":"01a1e6a8-c8c4-7000-bdd0-1dcee2189103","time":"2026-11-16T23:19:43.539Z","actor":"internal-service","request_id":"01a1e6a8-c8b2-7000-be8d-f6be1d7829ce","kind":"agent.version_created","subject":"agent/01a1e6a8-c848-7000-9e13-c3a7a2983579","data":{"name":"desk","version":"1.0.0"}}', 'zTbtUEpRPe0tOz16wi8PRn1XSWoprnhu1I4oR__ag0w');
INSERT INTO public.events VALUES (31, '01a1e6a8-c8c4-7001-84ad-8c694e3e11ed', 'agent.release_activated', 'agent/01a1e6a8-c848-7000-9e13-c3a7a2983579', '{"id":"01a1e6a8-c8c4-7001-84ad-8c694e3e11ed","time":"2026-11-16T23:19:43.539Z","actor":"internal-service","request_id":"01a1e6a8-c8b2-7000-be8d-f6be1d7829ce","kind":"agent.release_activated","subject":"agent/01a1e6a8-c848-7000-9e13-c3a7a2983579","data":{"name":"desk","environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","version":"1.0.0"}}', 'YH_ONX0RR0y1EOnlpn5b6RRO08U72M-Tf71ffpmDZH8');
INSERT INTO public.events VALUES (32, '01a1e6a8-c8d3-7000-904b-d27a2b030027', 'environment.reconciled', 'environment/01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', '{"id":"01a1e6a8-c8d3-7000-904b-d27a2b030027","time":"2026-11-16T23:19:43.539Z","actor":"internal-service","request_id":"01a1e6a8-c8b2-7000-be8d-f6be1d7829ce","kind":"environment.reconciled","subject":"environment/01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","data":{}}', 'eF2Q9H1eO_IWWIh-ZhCsCX9Fq2w_xX431o-cE_jGfGM');
INSERT INTO public.events VALUES (41, '01a1e6a8-cb7a-7000-b5be-4deb3c8cbba6', 'deployment.logged', 'deployment/01a1e6a8-cb61-7000-a95b-9e89399c7d3f', '{"id":"01a1e6a8-cb7a-7000-b5be-4deb3c8cbba6","time":"2026-11-16T23:19:44.246Z","actor":"internal-service","request_id":"01a1e6a8-cb76-7000-81a1-109bfddaf343","kind":"deployment.logged","subject":"deployment/01a1e6a8-cb61-7000-a95b-9e89399c7d3f","data":{"environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","characters":10}}', 'i8JN2nzdGQ4Ua7QJFwAqWlgbs-trZsyORSKwWXBm4vI');
INSERT INTO public.events VALUES (42, '01a1e6a8-cb8e-7001-a344-56865a902252', 'deployment.finished', 'deployment/01a1e6a8-cb61-7000-a95b-9e89399c7d3f', '{"id":"01a1e6a8-cb8e-7001-a344-56865a902252","time":"2026-11-16T23:19:44.269Z","actor":"internal-service","request_id":"01a1e6a8-cb8c-7000-b376-163bb11847d8","kind":"deployment.finished","subject":"deployment/01a1e6a8-cb61-7000-a95b-9e89399c7d3f","data":{"deployment_name":"orders 1.0.0","environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","status":"succeeded"}}', 'b7GOVdRyjr6HcJ4Mc9nU5iFizebn6WKdccx_OoHCd04');
INSERT INTO public.events VALUES (43, '01a1e6a8-cbab-7000-a343-67f29c6fc3c3', 'environment.reconciled', 'environment/01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', '{"id":"01a1e6a8-cbab-7000-a343-67f29c6fc3c3","time":"2026-11-16T23:19:44.269Z","actor":"internal-service","request_id":"01a1e6a8-cb8c-7000-b376-163bb11847d8","kind":"environment.reconciled","subject":"environment/01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","data":{}}', 'D24pi44uOQz0krzE8Z004FeRqaPN-jCdjeOqQD_qeI0');
INSERT INTO public.events VALUES (33, '01a1e6a8-c8e6-7000-b9d0-9072f90800b6', 'app.created', 'app/01a1e6a8-c8e2-7000-9925-78466d71c6ee', '{"id":"01a1e6a8-c8e6-7000-b9d0-9072f90800b6","time":"2026-11-16T23:19:43.586Z","actor":"internal-service","request_id":"01a1e6a8-c8df-7000-a441-779233791e27","kind":"app.created","subject":"app/01a1e6a8-c8e2-7000-9925-78466d71c6ee","data":{"name":"desk-ui","environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","agent_id":"01a1e6a8-c848-7000-9e13-c3a7a2983579"}}', '8clSbLMnJKWL_CO-zPZZCwkqejgLbWr9t50JEQGK28s');
INSERT INTO public.events VALUES (34, '01a1e6a8-c8f5-7000-a526-4c6d6b3585b2', 'agent.component_started', 'agent/01a1e6a8-c848-7000-9e13-c3a7a2983579', '{"id":"01a1e6a8-c8f5-7000-a526-4c6d6b3585b2","time":"2026-11-16T23:19:43.599Z","actor":"internal-service","request_id":"01a1e6a8-c8ee-7000-b4c8-9bd10576ec91","kind":"agent.component_started","subject":"agent/01a1e6a8-c848-7000-9e13-c3a7a2983579","data":{"name":"desk","environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","component":"agent_endpoint","version":"1.0.0"}}', 'scG33Arw3VbG9SUtxHzFfglXR38Rx8hhWZG82a_U-6Q');
INSERT INTO public.events VALUES (35, '01a1e6a8-ca41-7000-ab2f-b99f96f20d00', 'agent.component_settled', 'agent/01a1e6a8-c848-7000-9e13-c3a7a2983579', '{"id":"01a1e6a8-ca41-7000-ab2f-b99f96f20d00","time":"2026-11-16T23:19:43.926Z","actor":"platform","request_id":null,"kind":"agent.component_settled","subject":"agent/01a1e6a8-c848-7000-9e13-c3a7a2983579","data":{"environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","component":"agent_endpoint","observed_state":"running","message":null}}', 'ctxq07giVAYWdWIPJJF5q9xFg8PYNbRDV5Ozn2ZD_mo');
INSERT INTO public.events VALUES (36, '01a1e6a8-ca4f-7000-81d4-661d5d1fd111', 'app.started', 'app/01a1e6a8-c8e2-7000-9925-78466d71c6ee', '{"id":"01a1e6a8-ca4f-7000-81d4-661d5d1fd111","time":"2026-11-16T23:19:43.599Z","actor":"internal-service","request_id":"01a1e6a8-c8ee-7000-b4c8-9bd10576ec91","kind":"app.started","subject":"app/01a1e6a8-c8e2-7000-9925-78466d71c6ee","data":{"name":"desk-ui","environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","observed_state":"pending"}}', 'fCHofjqnxb2PHDiho143AdHxbqaJjDPpxcViU2NFxCU');
INSERT INTO public.events VALUES (37, '01a1e6a8-ca4f-7001-b016-4ded3825fbfd', 'agent.ui_app_followed', 'agent/01a1e6a8-c848-7000-9e13-c3a7a2983579', '{"id":"01a1e6a8-ca4f-7001-b016-4ded3825fbfd","time":"2026-11-16T23:19:43.599Z","actor":"internal-service","request_id":"01a1e6a8-c8ee-7000-b4c8-9bd10576ec91","kind":"agent.ui_app_followed","subject":"agent/01a1e6a8-c848-7000-9e13-c3a7a2983579","data":{"name":"desk","environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","desired_state":"running","observed_state":"pending"}}', '5R8wmKibPDEZuos5ti5tMftX910cc-mU27xpdKTrt3Y');
INSERT INTO public.events VALUES (38, '01a1e6a8-cb59-7000-9384-748d32514803', 'app.settled', 'app/01a1e6a8-c8e2-7000-9925-78466d71c6ee', '{"id":"01a1e6a8-cb59-7000-9384-748d32514803","time":"2026-11-16T23:19:44.207Z","actor":"platform","request_id":null,"kind":"app.settled","subject":"app/01a1e6a8-c8e2-7000-9925-78466d71c6ee","data":{"name":"desk-ui","observed_state":"running","message":null}}', 'asHaO8owiX9D7kCMtLx7lxjrW6-oD53Nof_7vnHmJWw');
INSERT INTO public.events VALUES (39, '01a1e6a8-cb59-7001-a369-e2e35706b7b6', 'agent.ui_app_followed', 'agent/01a1e6a8-c848-7000-9e13-c3a7a2983579', '{"id":"01a1e6a8-cb59-7001-a369-e2e35706b7b6","time":"2026-11-16T23:19:44.207Z","actor":"platform","request_id":null,"kind":"agent.ui_app_followed","subject":"agent/01a1e6a8-c848-7000-9e13-c3a7a2983579","data":{"name":"desk","environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","desired_state":"running","observed_state":"running"}}', 'GyJBfOqXZVWYaN2yU_CVrpdi87Dr9_fbAf5vOiApbMY');
INSERT INTO public.events VALUES (40, '01a1e6a8-cb61-7001-9a2b-da5f61e41f6f', 'deployment.created', 'deployment/01a1e6a8-cb61-7000-a95b-9e89399c7d3f', '{"id":"01a1e6a8-cb61-7001-9a2b-da5f61e41f6f","time":"2026-11-16T23:19:44.225Z","actor":"internal-service","request_id":"01a1e6a8-cb60-7000-aad4-f57bf90b8e13","kind":"deployment.created","subject":"deployment/01a1e6a8-cb61-7000-a95b-9e89399c7d3f","data":{"deployment_name":"orders 1.0.0","environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","status":"pending"}}', 'FYqjygQg2oUX_yI5l63FEFG6HbrnlPzFSjQTiTi7Dss');
INSERT INTO public.events VALUES (44, '01a1e6a8-cc05-7000-b4dc-2ef12ac2f5b0', 'plan.created', 'plan/01a1e6a8-cbf8-7000-a925-dc64825e0198', '{"id":"01a1e6a8-cc05-7000-b4dc-2ef12ac2f5b0","time":"2026-11-16T23:19:44.326Z","actor":"internal-service","request_id":"01a1e6a8-cbc5-7000-9998-20a75453a1be","kind":"plan.created","subject":"plan/01a1e6a8-cbf8-7000-a925-dc64825e0198","data":{"environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","project":"shop","status":"planned","summary":{"create":1,"update":0,"replace":0,"delete":0,"unchanged":0,"drifted":0,"done":0,"findings":0},"plan_id":"01a1e6a8-cbf8-7000-a925-dc64825e0198","commit":"3f9c1d2"}}', 'cJWRSgVfDWcX4Fz4cLX92-l7zunT2B33xTB04oejNm0');
INSERT INTO public.events VALUES (48, '01a1e6a8-cc78-7000-88da-114e5c8b01b1', 'plan.applied', 'plan/01a1e6a8-cbf8-7000-a925-dc64825e0198', '{"id":"01a1e6a8-cc78-7000-88da-114e5c8b01b1","time":"2026-11-16T23:19:44.499Z","actor":"internal-service","request_id":"01a1e6a8-cc11-7000-95ef-ab1e3493e284","kind":"plan.applied","subject":"plan/01a1e6a8-cbf8-7000-a925-dc64825e0198","data":{"environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","project":"shop","reason":null,"summary":{"create":1,"update":0,"replace":0,"delete":0,"unchanged":0,"drifted":0,"done":1,"findings":0},"plan_id":"01a1e6a8-cbf8-7000-a925-dc64825e0198","commit":"3f9c1d2"}}', 'sYbc_jrcz5xKE2qrGNSm5bYqFPtIhlzCyxJWTRjU9BE');
INSERT INTO public.events VALUES (45, '01a1e6a8-cc2f-7000-9d46-97e1b421d939', 'plan.apply_started', 'plan/01a1e6a8-cbf8-7000-a925-dc64825e0198', '{"id":"01a1e6a8-cc2f-7000-9d46-97e1b421d939","time":"2026-11-16T23:19:44.401Z","actor":"internal-service","request_id":"01a1e6a8-cc11-7000-95ef-ab1e3493e284","kind":"plan.apply_started","subject":"plan/01a1e6a8-cbf8-7000-a925-dc64825e0198","data":{"environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","project":"shop","status":"applying","reason":null,"plan_id":"01a1e6a8-cbf8-7000-a925-dc64825e0198","commit":"3f9c1d2"}}', 'rd317xbCnZin2llR_QpOfI2XbRJMe3B_QrP2dPouCNE');
INSERT INTO public.events VALUES (46, '01a1e6a8-cc59-7002-91e4-758920587091', 'connector.created', 'connector/01a1e6a8-cc59-7000-a79f-b3e3d7f27939', '{"id":"01a1e6a8-cc59-7002-91e4-758920587091","time":"2026-11-16T23:19:44.458Z","actor":"internal-service","request_id":"01a1e6a8-cc11-7000-95ef-ab1e3493e284","kind":"connector.created","subject":"connector/01a1e6a8-cc59-7000-a79f-b3e3d7f27939","data":{"name":"planned","environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","target_type":"csv","status":"active","plan_id":"01a1e6a8-cbf8-7000-a925-dc64825e0198","commit":"3f9c1d2"}}', 'hr7mGn6xZbvLxnIhHMvcVHWCHjjlORNv3awC4d3TMY0');
INSERT INTO public.events VALUES (47, '01a1e6a8-cc67-7000-bef6-7c132a6289b0', 'plan.step_applied', 'plan/01a1e6a8-cbf8-7000-a925-dc64825e0198', '{"id":"01a1e6a8-cc67-7000-bef6-7c132a6289b0","time":"2026-11-16T23:19:44.486Z","actor":"internal-service","request_id":"01a1e6a8-cc11-7000-95ef-ab1e3493e284","kind":"plan.step_applied","subject":"plan/01a1e6a8-cbf8-7000-a925-dc64825e0198","data":{"environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","position":1,"action":"create","kind":"connector","name":"planned","done":1,"total":1,"plan_id":"01a1e6a8-cbf8-7000-a925-dc64825e0198","commit":"3f9c1d2"}}', 'yaQmQkoqNV47b3nQZCD-tm4Y36deKZrlt6_JMT6oP7g');
INSERT INTO public.events VALUES (49, '01a1e6a8-cd5b-7000-a78d-9c0291b2782d', 'plan.created', 'plan/01a1e6a8-cd59-7000-8138-f9684d2c95c7', '{"id":"01a1e6a8-cd5b-7000-a78d-9c0291b2782d","time":"2026-11-16T23:19:44.579Z","actor":"internal-service","request_id":"01a1e6a8-ccc2-7000-ae7b-b254b44ff4dd","kind":"plan.created","subject":"plan/01a1e6a8-cd59-7000-8138-f9684d2c95c7","data":{"environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","project":"shop","status":"planned","summary":{"create":0,"update":0,"replace":0,"delete":1,"unchanged":0,"drifted":0,"done":0,"findings":0},"plan_id":"01a1e6a8-cd59-7000-8138-f9684d2c95c7","commit":"3f9c1d2"}}', 'blshO_ebtEo83E8kTDbjLVI8NJJYFlb1_JbBsVLY_Ac');
INSERT INTO public.jobs VALUES ('connector-01a1e6a8-c5e7-7000-8e72-3aa50329a443', '01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', 'connector', 'connector/01a1e6a8-c5e7-7000-8e72-3aa50329a443', '"referring"', '{"trigger":{"kind":"cron","cron":"0 6 1 1 *","timezone":"Europe/Berlin"},"attempts":5,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T05:00:00.000Z', '2026-11-16T23:19:42.831Z', '2026-11-16T23:19:42.831Z', 1, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('connector-01a1e6a8-c60b-7000-b9b4-98ceeb78556b', '01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', 'connector', 'connector/01a1e6a8-c60b-7000-b9b4-98ceeb78556b', '"paused"', '{"trigger":{"kind":"cron","cron":"0 6 1 1 *","timezone":"Europe/Berlin"},"attempts":5,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', '{"by":"internal-service","at":"2026-11-16T23:19:42.896Z","reason":"holiday","until":null,"missed":0,"last_missed":null}', NULL, '{}', 0, NULL, '2027-01-01T05:00:00.000Z', '2026-11-16T23:19:42.859Z', '2026-11-16T23:19:42.859Z', 2, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('connector-01a1e6a8-c5b5-7000-a4b1-9a0c79a61557', '01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', 'connector', 'connector/01a1e6a8-c5b5-7000-a4b1-9a0c79a61557', '"inline"', '{"trigger":{"kind":"cron","cron":"0 6 1 1 *","timezone":"Europe/Berlin"},"attempts":5,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T05:00:00.000Z', '2026-11-16T23:19:42.782Z', '2026-11-16T23:19:42.939Z', 2, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('automation-01a1e6a8-c6ad-7000-8421-2341be085898-01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', '01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', 'automation', 'automation/01a1e6a8-c6ad-7000-8421-2341be085898', '"released"', '{"trigger":{"kind":"cron","cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"attempts":20,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T06:00:00.000Z', '2026-11-16T23:19:43.044Z', '2026-11-16T23:19:43.044Z', 1, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('automation-01a1e6a8-c76d-7000-9f0c-239d10e7e429-01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', '01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', 'automation', 'automation/01a1e6a8-c76d-7000-9f0c-239d10e7e429', '"released-changed"', '{"trigger":{"kind":"cron","cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"attempts":20,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T06:00:00.000Z', '2026-11-16T23:19:43.230Z', '2026-11-16T23:19:43.230Z', 1, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('automation-01a1e6a8-c731-7000-90ab-65dfce7327e4-01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', '01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', 'automation', 'automation/01a1e6a8-c731-7000-90ab-65dfce7327e4', '"released-paused"', '{"trigger":{"kind":"cron","cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"attempts":20,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', '{"by":"internal-service","at":"2026-11-16T23:19:43.298Z","reason":"holiday","until":null,"missed":0,"last_missed":null}', NULL, '{}', 0, NULL, '2027-01-01T06:00:00.000Z', '2026-11-16T23:19:43.177Z', '2026-11-16T23:19:43.177Z', 2, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('pipeline-01a1e6a8-c828-7000-b90a-d5df0fc26a66', '01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', 'pipeline', 'pipeline/01a1e6a8-c828-7000-b90a-d5df0fc26a66', '"numbers"', '{"trigger":{"kind":"manual"},"attempts":3,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'manual', NULL, NULL, '{}', 0, NULL, NULL, '2026-11-16T23:19:43.400Z', '2026-11-16T23:19:43.400Z', 1, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('connector-01a1e6a8-cc59-7000-a79f-b3e3d7f27939', '01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', 'connector', 'connector/01a1e6a8-cc59-7000-a79f-b3e3d7f27939', '"planned"', '{"trigger":{"kind":"manual"},"attempts":5,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'manual', NULL, NULL, '{}', 0, NULL, NULL, '2026-11-16T23:19:44.473Z', '2026-11-16T23:19:44.473Z', 1, '["lakehelm"]');
INSERT INTO public.keyring VALUES ('fingerprint', 'keOT3fxHz_I6EV7EkRe8KYS2yBFU5Xa5yqF8SRI7QW0');
INSERT INTO public.keyring VALUES ('jwt', '0owVnLgFtnjpnGyDzgqL82pRpDJLAtEvT8C7cvPIVnWcrCThyTKz6DyFVQ/gopqz5LNudxW2HDP/vX4wN6jgO7sY9IAK9bUr');
INSERT INTO public.keyring VALUES ('event anchor/01a1e6a8-c1b7-7000-8315-6330e2578544', 'written');
INSERT INTO public.keyring VALUES ('masking rules 2', '2026-11-16T23:19:41.840Z');
INSERT INTO public.keyring VALUES ('missing installations 1', '2026-11-16T23:19:41.998Z');
INSERT INTO public.keyring VALUES ('data folder', '01a1e6a8-c1b7-7000-8315-6330e2578544');
INSERT INTO public.overrides VALUES ('01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', '01a1e6a8-c731-7000-90ab-65dfce7327e4', '{"paused":true,"by":"internal-service","at":"2026-11-16T23:19:43.298Z","reason":"holiday","until":null}');
INSERT INTO public.pipelines VALUES (1, '01a1e6a8-c828-7000-b90a-d5df0fc26a66', '["01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","numbers"]', 1, '01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', NULL, NULL, '{"pipeline_id":"01a1e6a8-c828-7000-b90a-d5df0fc26a66","name":"numbers","libraries":[{"file":{"path":"pipelines/numbers.sql"}}],"configuration":{},"continuous":false,"development":false,"photon":false,"serverless":false,"channel":"CURRENT","edition":"ADVANCED","platform_managed":true,"environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","tags":{"platform.managed_by":"lakehelm","platform.environment":"prod","platform.pipeline":"numbers"},"platform_reference":"pipeline-01a1e6a8-c828-7000-b90a-d5df0fc26a66","error_message":null,"created_at":"2026-11-16T23:19:43.399Z","updated_at":"2026-11-16T23:19:43.399Z","created_by":"internal-service","updated_by":null}', NULL, 'numbers', '', '2026-11-16T23:19:43.399Z', 'internal-service', 'numbers', '2026-11-16T23:19:43.399Z');
INSERT INTO public.plan_checks VALUES ('01a1e6a8-cbf8-7000-a925-dc64825e0198', '[]', '[]');
INSERT INTO public.plan_checks VALUES ('01a1e6a8-cd59-7000-8138-f9684d2c95c7', '[]', '[]');
INSERT INTO public.plan_steps VALUES ('01a1e6a8-cbf8-7000-a925-dc64825e0198', 1, 'create', 'done', NULL, '{"position":1,"action":"create","kind":"connector","name":"planned","resource_id":null,"changes":[{"path":"datasets","before":null,"after":[],"sensitive":false},{"path":"execution_mode","before":null,"after":"manual","sensitive":false},{"path":"name","before":null,"after":"planned","sensitive":false},{"path":"target_config","before":null,"after":{},"sensitive":false},{"path":"target_type","before":null,"after":"csv","sensitive":false}],"drift":[],"reasons":["It does not exist in the environment."],"depends_on":[],"impact":{"downstream":[],"downstream_total":0,"running_runs":[],"rows":null,"estimated_seconds":null,"full_refresh":[],"data_lost":[]},"design_hash":"sha256:38b3fbd644724fca4578ca1f40fa10f5d0cac615d9be59b25c5ac0154595cf21","file":null}', 'Tme7X79Bfiwu7Q7ymoEcJqSpnLA3zOos1jzFuNDj/f7hLTKF7NGHL6oS/8OIR1dOvHEB/WJek8P8unvhK9/o00coH0MQocRZqRKf9b6w0md6vwos4/6+piQUo6nz1GsEwH1+KpnYbqhpAAMS6adessVBd5HMX50LbQTRw6H1p/yrIGmL7g8ZtIQH7w6e8vB43Wi1ykxhfpEWBWajQQapKsg+WO8DaFalSc58HzOwRsC73mAF5OxBtxaKdwZCVF8foUPEo2I220x+8owa/0i+dBHQGDWxOCb2oUXhI0zlIz6AMWFwq9WFsjtsKbceHF+2F+Q9fXFC7RXOqK2lc8LV0+Qka5axni6mlVWHXN+Pah3l4M7au6aX6dh0BkFkGDA6yOQnPGX2nEUgCLv82jvvmoTqYVZkdKh3DGpuTZXeM2yrW2h0/LsHilj7h+XrBxnMEnndyMc+u3QXqrcGUFdS9PqRLvjQT6Z+90GXniyXvxwoRSwWjKAnPYdtqeJPD8G0fu6mHY4KWG7hC6Et6ndC82Tkl/170mz8CK8kxOyVr6x7cn2pRH99nXr3OAvTSFgn', '', 'RF7M3akH3hRr7KVIOFC_QCY-zYBfBVlvIDgINTLTPaw');
INSERT INTO public.plan_steps VALUES ('01a1e6a8-cd59-7000-8138-f9684d2c95c7', 1, 'delete', 'pending', NULL, '{"position":1,"action":"delete","kind":"connector","name":"planned","resource_id":"01a1e6a8-cc59-7000-a79f-b3e3d7f27939","changes":[],"drift":[],"reasons":["The project applied it before and no longer has it."],"depends_on":[],"impact":{"downstream":[],"downstream_total":0,"running_runs":[],"rows":null,"estimated_seconds":null,"full_refresh":[],"data_lost":["The positions up to which planned was read. Its tables stay."]},"design_hash":null,"file":null}', NULL, 'RF7M3akH3hRr7KVIOFC_QCY-zYBfBVlvIDgINTLTPaw', '');
INSERT INTO public.plans VALUES (1, '01a1e6a8-cbf8-7000-a925-dc64825e0198', '["01a1e6a8-cbf8-7000-a925-dc64825e0198"]', 4, '01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', NULL, NULL, '{"id":"01a1e6a8-cbf8-7000-a925-dc64825e0198","hash":"sha256:7a2be951880803d8af305b2e6f23d8039c0a060e47bf78af7491e712fc53d9d7","design_hash":"sha256:50d939ba0ccd924d0309734312161bd198e1b553d1e3c38dda2cb2a665cf4be3","environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","environment":"prod","project":{"name":"shop","commit":"3f9c1d2","branch":null},"project_name":"shop","prune":false,"status":"applied","status_reason":null,"created_at":"2026-11-16T23:19:44.326Z","created_by":"internal-service","updated_at":"2026-11-16T23:19:44.499Z","approved_by":null,"approved_at":null,"applied_by":"internal-service","applied_at":"2026-11-16T23:19:44.499Z","summary":{"create":1,"update":0,"replace":0,"delete":0,"unchanged":0,"drifted":0,"done":1,"findings":0}}', NULL, 'shop', 'applied', '2026-11-16T23:19:44.499Z', 'internal-service', 'shop', '2026-11-16T23:19:44.326Z');
INSERT INTO public.plans VALUES (2, '01a1e6a8-cd59-7000-8138-f9684d2c95c7', '["01a1e6a8-cd59-7000-8138-f9684d2c95c7"]', 1, '01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', NULL, NULL, '{"id":"01a1e6a8-cd59-7000-8138-f9684d2c95c7","hash":"sha256:b051b232ffe59b68daa04fc823dfac4c27dc6a20b2cc1dabcbab03b02a54c3cd","design_hash":"sha256:4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945","environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","environment":"prod","project":{"name":"shop","commit":"3f9c1d2","branch":null},"project_name":"shop","prune":false,"status":"planned","status_reason":null,"created_at":"2026-11-16T23:19:44.579Z","created_by":"internal-service","updated_at":"2026-11-16T23:19:44.579Z","approved_by":null,"approved_at":null,"applied_by":null,"applied_at":null,"summary":{"create":0,"update":0,"replace":0,"delete":1,"unchanged":0,"drifted":0,"done":0,"findings":0}}', NULL, 'shop', 'planned', '2026-11-16T23:19:44.579Z', 'internal-service', 'shop', '2026-11-16T23:19:44.579Z');
INSERT INTO public.positions VALUES ('attempts', 0);
INSERT INTO public.positions VALUES ('bindings', 0);
INSERT INTO public.positions VALUES ('flows', 0);
INSERT INTO public.positions VALUES ('drift', 0);
INSERT INTO public.positions VALUES ('environments', 2);
INSERT INTO public.positions VALUES ('users', 1);
INSERT INTO public.positions VALUES ('tokens', 1);
INSERT INTO public.positions VALUES ('automations', 3);
INSERT INTO public.positions VALUES ('releases', 3);
INSERT INTO public.positions VALUES ('pipelines', 1);
INSERT INTO public.positions VALUES ('agents', 1);
INSERT INTO public.positions VALUES ('versions', 1);
INSERT INTO public.positions VALUES ('agent_environments', 1);
INSERT INTO public.positions VALUES ('apps', 1);
INSERT INTO public.positions VALUES ('deployments', 4);
INSERT INTO public.positions VALUES ('connectors', 4);
INSERT INTO public.positions VALUES ('plans', 2);
INSERT INTO public.processes VALUES ('agent/01a1e6a8-c848-7000-9e13-c3a7a2983579/01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', '01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', 'running', '{"deploy":"01a1e6a8-c8f3-7000-a681-dc1912eecab6","name":"desk","sourcePath":"tiny","start":{"mark":"003994a89fb35fcb.a33a49268a251149902473e69bc94f25","port":40631,"url":"http://127.0.0.1:39669","boot":"9f3d9f44-6b6b-4927-9dfa-0d5966020935","pid":18046,"began":"2999909"},"ends":[],"askedAt":"2026-11-16T23:19:43.599Z","sight":{"observed_state":"running","message":null}}', 4);
INSERT INTO public.processes VALUES ('app/01a1e6a8-c8e2-7000-9925-78466d71c6ee', '01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', 'running', '{"deploy":"01a1e6a8-ca4b-7000-92d6-888bd39feaff","name":"desk-ui","sourcePath":"tiny","start":{"mark":"003994a89fb35fcb.26b480789375cabb368498c4be514f08","port":36291,"url":"http://127.0.0.1:39669","boot":"9f3d9f44-6b6b-4927-9dfa-0d5966020935","pid":18069,"began":"2999939"},"ends":[],"askedAt":"2026-11-16T23:19:43.599Z","sight":{"observed_state":"running","message":null}}', 4);
INSERT INTO public.release_designs VALUES ('01a1e6a8-c6c0-7000-82e6-f3b14e4f1ea0', '01a1e6a8-c6ad-7000-8421-2341be085898', '01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', '{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false}', NULL);
INSERT INTO public.release_designs VALUES ('01a1e6a8-c748-7000-87f9-e6981a306545', '01a1e6a8-c731-7000-90ab-65dfce7327e4', '01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', '{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false}', NULL);
INSERT INTO public.release_designs VALUES ('01a1e6a8-c77d-7000-9507-25743320940e', '01a1e6a8-c76d-7000-9f0c-239d10e7e429', '01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', '{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false}', NULL);
INSERT INTO public.releases VALUES (1, '01a1e6a8-c6c0-7000-82e6-f3b14e4f1ea0', '["automation","01a1e6a8-c6ad-7000-8421-2341be085898","01a1e6a8-c38b-7000-9a48-cb7ed1d63e66"]', 1, '01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', '01a1e6a8-c6ad-7000-8421-2341be085898', 'installed', '{"id":"01a1e6a8-c6c0-7000-82e6-f3b14e4f1ea0","artifact":"automation/released","environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:d82013cfdda1f3175921910fbd9eb0acf312669e7925f0c05e5f58309689ee79","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1e6a8-c6ad-7000-8421-2341be085898-01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","activated_at":"2026-11-16T23:19:43.035Z","activated_by":"internal-service","deployment_id":"01a1e6a8-c6c5-7000-9816-165d7f7f9367"}', NULL, '1.0.0', '', '', 'internal-service', '1.0.0
main
3f9c1d2', '2026-11-16T23:19:43.035Z');
INSERT INTO public.releases VALUES (3, '01a1e6a8-c77d-7000-9507-25743320940e', '["automation","01a1e6a8-c76d-7000-9f0c-239d10e7e429","01a1e6a8-c38b-7000-9a48-cb7ed1d63e66"]', 1, '01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', '01a1e6a8-c76d-7000-9f0c-239d10e7e429', 'installed', '{"id":"01a1e6a8-c77d-7000-9507-25743320940e","artifact":"automation/released-changed","environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:2bb4d2063ab29a519f94a8b140af4f116799a0532b872422b1463eef4a7844f6","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1e6a8-c76d-7000-9f0c-239d10e7e429-01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","activated_at":"2026-11-16T23:19:43.225Z","activated_by":"internal-service","deployment_id":"01a1e6a8-c77e-7001-aeda-72cf960f5982"}', NULL, '1.0.0', '', '', 'internal-service', '1.0.0
main
3f9c1d2', '2026-11-16T23:19:43.225Z');
INSERT INTO public.releases VALUES (2, '01a1e6a8-c748-7000-87f9-e6981a306545', '["automation","01a1e6a8-c731-7000-90ab-65dfce7327e4","01a1e6a8-c38b-7000-9a48-cb7ed1d63e66"]', 2, '01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', '01a1e6a8-c731-7000-90ab-65dfce7327e4', 'installed', '{"id":"01a1e6a8-c748-7000-87f9-e6981a306545","artifact":"automation/released-paused","environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:1112bb91d1b3b61c9ac6b944d814609b8ae6adb0fc2b94188892604d41c071bd","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1e6a8-c731-7000-90ab-65dfce7327e4-01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","activated_at":"2026-11-16T23:19:43.166Z","activated_by":"internal-service","deployment_id":"01a1e6a8-c749-7001-8a36-b29e2f7d6d54"}', NULL, '1.0.0', '', '', 'internal-service', '1.0.0
main
3f9c1d2', '2026-11-16T23:19:43.166Z');
INSERT INTO public.schema_version VALUES (18);
INSERT INTO public.secrets VALUES ('01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', 'shop', 'api-key', 'fUddSg8dCqJhBdFfxus3LPZwPykVl72sC29XmbNfLFwQ1p2XxExy', '2026-11-16T23:19:42.737Z');
INSERT INTO public.summaries VALUES ('01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', '{"environment_id":"01a1e6a8-c38b-7000-9a48-cb7ed1d63e66","latest_success":{"id":"01a1e6a8-cb61-7000-a95b-9e89399c7d3f","deployment_name":"orders 1.0.0","git_branch":"main","git_commit_sha":"","completed_at":"2026-11-16T23:19:44.269Z"},"current_releases":[{"artifact":"automation/released","version":"1.0.0","activated_at":"2026-11-16T23:19:43.035Z"},{"artifact":"automation/released-paused","version":"1.0.0","activated_at":"2026-11-16T23:19:43.166Z"},{"artifact":"automation/released-changed","version":"1.0.0","activated_at":"2026-11-16T23:19:43.225Z"},{"artifact":"agent/desk","version":"1.0.0","activated_at":"2026-11-16T23:19:43.539Z"}],"deployment_counts":{"succeeded":4},"failure_streak":0,"reconciled_at":"2026-11-16T23:19:44.269Z"}');
INSERT INTO public.tallies VALUES ('environments/all', 1000000, 0, 2);
INSERT INTO public.tallies VALUES ('environments/all', 10000, 0, 2);
INSERT INTO public.tallies VALUES ('environments/all', 100, 0, 2);
INSERT INTO public.tallies VALUES ('users/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('users/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('users/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1e6a8-c3ad-7000-8b5f-c84af4a91da4', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1e6a8-c3ad-7000-8b5f-c84af4a91da4', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1e6a8-c3ad-7000-8b5f-c84af4a91da4', 100, 0, 1);
INSERT INTO public.tallies VALUES ('deployments/all', 1000000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/all', 10000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/all', 100, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', 1000000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', 10000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', 100, 0, 4);
INSERT INTO public.tallies VALUES ('releases/01a1e6a8-c6ad-7000-8421-2341be085898', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e6a8-c6ad-7000-8421-2341be085898', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e6a8-c6ad-7000-8421-2341be085898', 100, 0, 1);
INSERT INTO public.tallies VALUES ('connectors/all', 1000000, 0, 4);
INSERT INTO public.tallies VALUES ('connectors/all', 10000, 0, 4);
INSERT INTO public.tallies VALUES ('connectors/all', 100, 0, 4);
INSERT INTO public.tallies VALUES ('connectors/01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', 1000000, 0, 4);
INSERT INTO public.tallies VALUES ('connectors/01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', 10000, 0, 4);
INSERT INTO public.tallies VALUES ('connectors/01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', 100, 0, 4);
INSERT INTO public.tallies VALUES ('releases/01a1e6a8-c731-7000-90ab-65dfce7327e4', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e6a8-c731-7000-90ab-65dfce7327e4', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e6a8-c731-7000-90ab-65dfce7327e4', 100, 0, 1);
INSERT INTO public.tallies VALUES ('automations/all', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('automations/all', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('automations/all', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/all', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('releases/all', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('releases/all', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e6a8-c76d-7000-9f0c-239d10e7e429', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e6a8-c76d-7000-9f0c-239d10e7e429', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e6a8-c76d-7000-9f0c-239d10e7e429', 100, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agents/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('agents/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('agents/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1e6a8-c848-7000-9e13-c3a7a2983579', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1e6a8-c848-7000-9e13-c3a7a2983579', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1e6a8-c848-7000-9e13-c3a7a2983579', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e6a8-c848-7000-9e13-c3a7a2983579', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e6a8-c848-7000-9e13-c3a7a2983579', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e6a8-c848-7000-9e13-c3a7a2983579', 100, 0, 1);
INSERT INTO public.tallies VALUES ('apps/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', 100, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e6a8-c848-7000-9e13-c3a7a2983579', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e6a8-c848-7000-9e13-c3a7a2983579', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e6a8-c848-7000-9e13-c3a7a2983579', 100, 0, 1);
INSERT INTO public.tallies VALUES ('plans/all', 1000000, 0, 2);
INSERT INTO public.tallies VALUES ('plans/all', 10000, 0, 2);
INSERT INTO public.tallies VALUES ('plans/all', 100, 0, 2);
INSERT INTO public.tallies VALUES ('plans/01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', 1000000, 0, 2);
INSERT INTO public.tallies VALUES ('plans/01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', 10000, 0, 2);
INSERT INTO public.tallies VALUES ('plans/01a1e6a8-c38b-7000-9a48-cb7ed1d63e66', 100, 0, 2);
INSERT INTO public.tokens VALUES (1, '01a1e6a8-c57b-7000-9ea1-279ac2dd5cc2', '["xlYC5LvxzMAYVVSpxBgbYz8C_0bi6HT4NQ_-kTdYJAA"]', 1, NULL, '01a1e6a8-c3ad-7000-8b5f-c84af4a91da4', NULL, '{"id":"01a1e6a8-c57b-7000-9ea1-279ac2dd5cc2","username":"ada@example.test","comment":"fixture","created_at":"2026-11-16T23:19:42.713Z","expires_at":null,"created_by":"internal-service"}', NULL, 'fixture', '', '', 'internal-service', 'fixture', '2026-11-16T23:19:42.713Z');
INSERT INTO public.users VALUES (1, '01a1e6a8-c3ad-7000-8b5f-c84af4a91da4', '["ada@example.test"]', 1, NULL, NULL, NULL, '{"id":"01a1e6a8-c3ad-7000-8b5f-c84af4a91da4","username":"ada@example.test","role":"operator","active":true,"created_at":"2026-11-16T23:19:42.252Z","updated_at":"2026-11-16T23:19:42.252Z","created_by":"internal-service"}', 'HQkYnft9jBkAayUvVvqL1SNBzsrtfH/PHD8XsKNKHtCV87X37LbJFtnJwVrYh/Pln0+CwGB2BKp4/5BiNNBn00H/YQFxxsTA9TpmQwv/dBs2p9Qt0dsAOXFurQrcnlCxNnxGFQrl5aJ8uVXKkvqzO15V', 'ada@example.test', 'active', '2026-11-16T23:19:42.252Z', 'internal-service', 'ada@example.test', '2026-11-16T23:19:42.252Z');
INSERT INTO public.versions VALUES (1, '01a1e6a8-c8be-7000-81bc-42881c65c94c', '["01a1e6a8-c848-7000-9e13-c3a7a2983579","1.0.0"]', 1, NULL, '01a1e6a8-c848-7000-9e13-c3a7a2983579', NULL, '{"id":"01a1e6a8-c8be-7000-81bc-42881c65c94c","agent_id":"01a1e6a8-c848-7000-9e13-c3a7a2983579","version":"1.0.0","source_path":null,"metadata":{},"created_at":"2026-11-16T23:19:43.539Z","created_by":"internal-service"}', NULL, '1.0.0', '', '', 'internal-service', '1.0.0', '2026-11-16T23:19:43.539Z');
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
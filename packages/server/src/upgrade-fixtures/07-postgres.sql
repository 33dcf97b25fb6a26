CREATE TABLE public.agent_environments (
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
ALTER TABLE ONLY public.outbox ALTER COLUMN sequence SET DEFAULT nextval('public.outbox_sequence_seq'::regclass);
ALTER TABLE ONLY public.pending_events ALTER COLUMN arrival SET DEFAULT nextval('public.pending_events_arrival_seq'::regclass);
INSERT INTO public.agent_environments VALUES (1, '01a1e2e2-3752-7000-ad4c-be763d32b88a', '["agent","01a1e2e2-36d7-7001-a725-f741ec10de88","01a1e2e2-2d58-7000-aa93-9e032f1a50ea"]', 5, '01a1e2e2-2d58-7000-aa93-9e032f1a50ea', '01a1e2e2-36d7-7001-a725-f741ec10de88', 'agent_release', '{"artifact":"agent/desk","release":{"environment_id":"01a1e2e2-2d58-7000-aa93-9e032f1a50ea","environment":"prod","version":"1.0.0","workflow_run_id":null,"workflow_name":null,"workflow_run_url":null,"activated_at":"2026-11-16T05:43:58.539Z","activated_by":"internal-service"}}', NULL);
INSERT INTO public.agents VALUES (1, '01a1e2e2-36d7-7001-a725-f741ec10de88', '["desk"]', 6, NULL, NULL, NULL, '{"id":"01a1e2e2-36d7-7001-a725-f741ec10de88","name":"desk","aliases":["orders-bot"],"description":"","source_path":"tiny","components":[{"environment_id":"01a1e2e2-2d58-7000-aa93-9e032f1a50ea","component":"chat","desired_state":"running","observed_state":"running","message":null,"updated_at":"2026-11-16T05:43:58.539Z","version":"1.0.0"},{"environment_id":"01a1e2e2-2d58-7000-aa93-9e032f1a50ea","component":"agent_endpoint","desired_state":"running","observed_state":"running","message":null,"updated_at":"2026-11-16T05:43:59.592Z","version":"1.0.0"},{"environment_id":"01a1e2e2-2d58-7000-aa93-9e032f1a50ea","component":"ui_app","desired_state":"running","observed_state":"running","version":"1.0.0","message":null,"updated_at":"2026-11-16T05:44:00.504Z"}],"releases":[{"environment_id":"01a1e2e2-2d58-7000-aa93-9e032f1a50ea","environment":"prod","version":"1.0.0","workflow_run_id":null,"workflow_name":null,"workflow_run_url":null,"activated_at":"2026-11-16T05:43:58.539Z","activated_by":"internal-service"}],"created_at":"2026-11-16T05:43:58.423Z","updated_at":"2026-11-16T05:43:58.642Z","created_by":"internal-service","updated_by":"internal-service"}', NULL);
INSERT INTO public.aliases VALUES ('["desk"]', '01a1e2e2-36d7-7001-a725-f741ec10de88');
INSERT INTO public.aliases VALUES ('["orders-bot"]', '01a1e2e2-36d7-7001-a725-f741ec10de88');
INSERT INTO public.apps VALUES (1, '01a1e2e2-379c-7000-9388-244b6f9fd819', '["01a1e2e2-2d58-7000-aa93-9e032f1a50ea","desk-ui"]', 3, '01a1e2e2-2d58-7000-aa93-9e032f1a50ea', '01a1e2e2-36d7-7001-a725-f741ec10de88', NULL, '{"id":"01a1e2e2-379c-7000-9388-244b6f9fd819","name":"desk-ui","environment_id":"01a1e2e2-2d58-7000-aa93-9e032f1a50ea","description":"","agent_id":"01a1e2e2-36d7-7001-a725-f741ec10de88","source_path":"tiny","desired_state":"running","observed_state":"running","message":null,"created_at":"2026-11-16T05:43:58.619Z","updated_at":"2026-11-16T05:44:00.504Z","created_by":"internal-service","updated_by":"internal-service"}', NULL);
INSERT INTO public.automations VALUES (1, '01a1e2e2-3418-7000-9155-d76cac6712d5', '["released"]', 1, NULL, NULL, NULL, '{"id":"01a1e2e2-3418-7000-9155-d76cac6712d5","alias":"released","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false},"design_content_hash":"sha256:73116b352d66f416c74e2492233b983f8479436005d1a604d78239541c80557c","created_at":"2026-11-16T05:43:57.696Z","updated_at":"2026-11-16T05:43:57.696Z","created_by":"internal-service","updated_by":null}', NULL);
INSERT INTO public.automations VALUES (2, '01a1e2e2-34cc-7000-bda8-2ca8ed982bb3', '["released-paused"]', 1, NULL, NULL, NULL, '{"id":"01a1e2e2-34cc-7000-bda8-2ca8ed982bb3","alias":"released-paused","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false},"design_content_hash":"sha256:0d499ab73335380396713cba4a3b6ebfd4d585ec3455a1a60a2cd031214d2b6e","created_at":"2026-11-16T05:43:57.878Z","updated_at":"2026-11-16T05:43:57.878Z","created_by":"internal-service","updated_by":null}', NULL);
INSERT INTO public.automations VALUES (3, '01a1e2e2-3576-7000-a3af-3f630b1ad855', '["released-changed"]', 2, NULL, NULL, NULL, '{"id":"01a1e2e2-3576-7000-a3af-3f630b1ad855","alias":"released-changed","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 2","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false},"design_content_hash":"sha256:a264cadffe9362b98c452263b6a66f3c016a687eebf2c4ef1ab726b644ed37ba","created_at":"2026-11-16T05:43:58.066Z","updated_at":"2026-11-16T05:43:58.267Z","created_by":"internal-service","updated_by":"internal-service"}', NULL);
INSERT INTO public.connectors VALUES (2, '01a1e2e2-33a4-7000-b17d-c8b89f29e549', '["referring"]', 1, '01a1e2e2-2d58-7000-aa93-9e032f1a50ea', NULL, NULL, '{"id":"01a1e2e2-33a4-7000-b17d-c8b89f29e549","name":"referring","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"Bearer {{secrets/shop/api-key}}"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"active","git_commit_id":null,"git_branch":null,"workflow_id":"connector-01a1e2e2-33a4-7000-b17d-c8b89f29e549","artifacts_path":null,"error_message":null,"created_at":"2026-11-16T05:43:57.604Z","updated_at":"2026-11-16T05:43:57.604Z","created_by":"ada@example.test","updated_by":null,"datasets":[{"id":"01a1e2e2-33a4-7001-b7c8-abad91b78433","connector_id":"01a1e2e2-33a4-7000-b17d-c8b89f29e549","source_dataset":"referring","target_name":"referring","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-16T05:43:57.604Z","created_by":"internal-service"}]}', NULL);
INSERT INTO public.connectors VALUES (3, '01a1e2e2-33cd-7000-8aed-4e763306067f', '["paused"]', 2, '01a1e2e2-2d58-7000-aa93-9e032f1a50ea', NULL, NULL, '{"id":"01a1e2e2-33cd-7000-8aed-4e763306067f","name":"paused","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"********"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"paused","git_commit_id":null,"git_branch":null,"workflow_id":"connector-01a1e2e2-33cd-7000-8aed-4e763306067f","artifacts_path":null,"error_message":null,"created_at":"2026-11-16T05:43:57.645Z","updated_at":"2026-11-16T05:43:57.669Z","created_by":"ada@example.test","updated_by":"internal-service","datasets":[{"id":"01a1e2e2-33cd-7001-9af2-570caa7540cf","connector_id":"01a1e2e2-33cd-7000-8aed-4e763306067f","source_dataset":"paused","target_name":"paused","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-16T05:43:57.645Z","created_by":"internal-service"}]}', 'vtW/I8nkNcVf67N3N84+6NXnoU5AFWBDv0E8+lN907T0vPAcNgnEoXWO3/7rVFJUeN2/kw1dHAivDq6vGWpnc6rnM5PDYJ4O3wpHUoXROQtJ2nnbwh1ZUkIKru5ZVoN/L35h4OSvo5H6k4nWlPSq/9Jk');
INSERT INTO public.connectors VALUES (1, '01a1e2e2-3356-7000-b2ac-a71f40e9e69e', '["inline"]', 2, '01a1e2e2-2d58-7000-aa93-9e032f1a50ea', NULL, NULL, '{"id":"01a1e2e2-3356-7000-b2ac-a71f40e9e69e","name":"inline","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"********"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"active","git_commit_id":null,"git_branch":"main","workflow_id":"connector-01a1e2e2-3356-7000-b2ac-a71f40e9e69e","artifacts_path":null,"error_message":null,"created_at":"2026-11-16T05:43:57.526Z","updated_at":"2026-11-16T05:43:57.687Z","created_by":"ada@example.test","updated_by":"internal-service","datasets":[{"id":"01a1e2e2-3356-7001-8142-7692be69ceec","connector_id":"01a1e2e2-3356-7000-b2ac-a71f40e9e69e","source_dataset":"inline","target_name":"inline","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-16T05:43:57.526Z","created_by":"internal-service"}]}', 'CbICB4FP6HbtbbAZKHj0PWJ9vQ6Md9rlUzPVNFmMhf9QQhTnrlCJaFCcfdjAxVLFtptQU150eN/Qi97BKsKAWR+8qsUC7tuBnykgOTkrw2m9SxbXcMJEbR1CVSmJeBPByL4LuORmHDTptbthEc56rUZHdV3DeKa5N6n9nZb4xJo=');
INSERT INTO public.cursors VALUES ('chat', 0);
INSERT INTO public.deployment_counts VALUES ('01a1e2e2-2d58-7000-aa93-9e032f1a50ea', 'pending', 0);
INSERT INTO public.deployment_counts VALUES ('01a1e2e2-2d58-7000-aa93-9e032f1a50ea', 'succeeded', 4);
INSERT INTO public.deployment_log VALUES ('01a1e2e2-3f60-7000-8f12-851a1fa9da3d', 1, '"uploading\n"');
INSERT INTO public.deployments VALUES (1, '01a1e2e2-342f-7000-8f3c-02953e962353', '["2026-11-16T05:43:57.732Z","01a1e2e2-342f-7000-8f3c-02953e962353"]', 1, '01a1e2e2-2d58-7000-aa93-9e032f1a50ea', NULL, 'succeeded', '{"id":"01a1e2e2-342f-7000-8f3c-02953e962353","deployment_name":"released 1.0.0","environment_id":"01a1e2e2-2d58-7000-aa93-9e032f1a50ea","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T05:43:57.732Z","started_at":"2026-11-16T05:43:57.732Z","completed_at":"2026-11-16T05:43:57.732Z","initiated_by":"internal-service","error_message":null}', NULL);
INSERT INTO public.deployments VALUES (2, '01a1e2e2-352b-7001-aa6f-46fc6fc4796c', '["2026-11-16T05:43:57.976Z","01a1e2e2-352b-7001-aa6f-46fc6fc4796c"]', 1, '01a1e2e2-2d58-7000-aa93-9e032f1a50ea', NULL, 'succeeded', '{"id":"01a1e2e2-352b-7001-aa6f-46fc6fc4796c","deployment_name":"released-paused 1.0.0","environment_id":"01a1e2e2-2d58-7000-aa93-9e032f1a50ea","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T05:43:57.976Z","started_at":"2026-11-16T05:43:57.976Z","completed_at":"2026-11-16T05:43:57.976Z","initiated_by":"internal-service","error_message":null}', NULL);
INSERT INTO public.deployments VALUES (3, '01a1e2e2-358e-7000-b66a-7babf3a860e4', '["2026-11-16T05:43:58.090Z","01a1e2e2-358e-7000-b66a-7babf3a860e4"]', 1, '01a1e2e2-2d58-7000-aa93-9e032f1a50ea', NULL, 'succeeded', '{"id":"01a1e2e2-358e-7000-b66a-7babf3a860e4","deployment_name":"released-changed 1.0.0","environment_id":"01a1e2e2-2d58-7000-aa93-9e032f1a50ea","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T05:43:58.090Z","started_at":"2026-11-16T05:43:58.090Z","completed_at":"2026-11-16T05:43:58.090Z","initiated_by":"internal-service","error_message":null}', NULL);
INSERT INTO public.deployments VALUES (4, '01a1e2e2-3f60-7000-8f12-851a1fa9da3d', '["2026-11-16T05:44:00.681Z","01a1e2e2-3f60-7000-8f12-851a1fa9da3d"]', 2, '01a1e2e2-2d58-7000-aa93-9e032f1a50ea', NULL, 'succeeded', '{"id":"01a1e2e2-3f60-7000-8f12-851a1fa9da3d","deployment_name":"orders 1.0.0","environment_id":"01a1e2e2-2d58-7000-aa93-9e032f1a50ea","git_branch":"main","git_commit_sha":"","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T05:44:00.608Z","started_at":null,"completed_at":"2026-11-16T05:44:00.681Z","initiated_by":"internal-service","error_message":null}', NULL);
INSERT INTO public.embedded_records VALUES ('01a1e2e2-374e-7000-9c44-ef147ade54fc', '01a1e2e2-2d58-7000-aa93-9e032f1a50ea', 'component.start', 'agent/01a1e2e2-36d7-7001-a725-f741ec10de88', '{"component":"chat","name":"desk","version":"1.0.0","source_path":null,"asked_at":"2026-11-16T05:43:58.539Z"}');
INSERT INTO public.environments VALUES (1, '01a1e2e2-2c09-7000-8442-03660f558c1f', '["local"]', 1, NULL, NULL, NULL, '{"id":"01a1e2e2-2c09-7000-8442-03660f558c1f","name":"local","description":"Made at the first start","protected":false,"platform":"embedded","gitProvider":null,"gitRepository":null,"targetGitBranch":null,"secretScope":null,"dataPlatformClientIdKey":null,"dataPlatformClientSecretKey":null,"configuration":{},"isActive":true,"createdAt":"2026-11-16T05:43:55.589Z","updatedAt":"2026-11-16T05:43:55.589Z","createdBy":"lakehelm","updatedBy":null}', NULL);
INSERT INTO public.environments VALUES (2, '01a1e2e2-2d58-7000-aa93-9e032f1a50ea', '["prod"]', 1, NULL, NULL, NULL, '{"id":"01a1e2e2-2d58-7000-aa93-9e032f1a50ea","name":"prod","description":null,"protected":false,"platform":"embedded","gitProvider":null,"gitRepository":null,"targetGitBranch":null,"secretScope":null,"dataPlatformClientIdKey":null,"dataPlatformClientSecretKey":null,"configuration":{"timezone":"Europe/Berlin"},"isActive":true,"createdAt":"2026-11-16T05:43:55.991Z","updatedAt":"2026-11-16T05:43:55.991Z","createdBy":"internal-service","updatedBy":null}', NULL);
INSERT INTO public.event_head VALUES (1, 43, 'wcZ9fu9COGqE3InGbQjyhczSdLbc5ELm-4elSMT7_X8', 'unz1T7pi23Vef_T-o9zZh7oEp3WHTmlL_ClE7VqVk-g');
INSERT INTO public.events VALUES (1, '01a1e2e2-2c0a-7000-8971-56e3bff20bd3', 'environment.created', 'environment/01a1e2e2-2c09-7000-8442-03660f558c1f', '{"id":"01a1e2e2-2c0a-7000-8971-56e3bff20bd3","time":"2026-11-16T05:43:55.589Z","actor":"lakehelm","request_id":null,"kind":"environment.created","subject":"environment/01a1e2e2-2c09-7000-8442-03660f558c1f","data":{"name":"local","platform":"embedded"}}', 'LxG7_mmPj7538MPpIdnBEgJjdFe-xo3DolEeeGsA0Eo');
INSERT INTO public.events VALUES (2, '01a1e2e2-2d58-7001-a8a5-d1aee1e2108f', 'environment.created', 'environment/01a1e2e2-2d58-7000-aa93-9e032f1a50ea', '{"id":"01a1e2e2-2d58-7001-a8a5-d1aee1e2108f","time":"2026-11-16T05:43:55.991Z","actor":"internal-service","request_id":"01a1e2e2-2d45-7000-bb58-677d59fea381","kind":"environment.created","subject":"environment/01a1e2e2-2d58-7000-aa93-9e032f1a50ea","data":{"name":"prod","platform":"embedded"}}', 'JAIG6qqg9ljSjo18SQqfG4W6DSWLvcmg3DSLyP7SPLU');
INSERT INTO public.events VALUES (3, '01a1e2e2-3305-7000-b340-220bc5477b13', 'user.created', 'user/01a1e2e2-2d89-7000-8de4-e7401c42037f', '{"id":"01a1e2e2-3305-7000-b340-220bc5477b13","time":"2026-11-16T05:43:56.041Z","actor":"internal-service","request_id":"01a1e2e2-2d88-7000-a728-42b2ad9d28b7","kind":"user.created","subject":"user/01a1e2e2-2d89-7000-8de4-e7401c42037f","data":{"id":"01a1e2e2-2d89-7000-8de4-e7401c42037f","username":"ada@example.test","role":"operator","active":true,"created_at":"2026-11-16T05:43:56.041Z","updated_at":"2026-11-16T05:43:56.041Z","created_by":"internal-service"}}', 'NtyQZ55zgWIXiX_cpBOhkAcGBUEXPf_W9dwAaZx7f-8');
INSERT INTO public.events VALUES (4, '01a1e2e2-332a-7000-aaa0-a372cbd21247', 'token.created', 'token/01a1e2e2-3328-7000-ae43-d298acfa758e', '{"id":"01a1e2e2-332a-7000-aaa0-a372cbd21247","time":"2026-11-16T05:43:57.478Z","actor":"internal-service","request_id":"01a1e2e2-3325-7000-8e10-a6b871c2caba","kind":"token.created","subject":"token/01a1e2e2-3328-7000-ae43-d298acfa758e","data":{"id":"01a1e2e2-3328-7000-ae43-d298acfa758e","username":"ada@example.test","comment":"fixture","created_at":"2026-11-16T05:43:57.478Z","expires_at":null,"created_by":"internal-service"}}', 'vb7O1hZ0gLf8xDQhjieb8ibxsAmsL2-RBywDo_jc2_A');
INSERT INTO public.events VALUES (5, '01a1e2e2-333e-7000-b978-0f4caad15526', 'secret.stored', 'secret/01a1e2e2-2d58-7000-aa93-9e032f1a50ea/shop/api-key', '{"id":"01a1e2e2-333e-7000-b978-0f4caad15526","time":"2026-11-16T05:43:57.500Z","actor":"internal-service","request_id":"01a1e2e2-3339-7000-b9d4-79e36e67c77c","kind":"secret.stored","subject":"secret/01a1e2e2-2d58-7000-aa93-9e032f1a50ea/shop/api-key","data":{"environment_id":"01a1e2e2-2d58-7000-aa93-9e032f1a50ea","scope":"shop","key":"api-key"}}', 'kb2D9FuWOLOvGpHJ1AP_suja9HRFozaI8vFwB_0RTyA');
INSERT INTO public.events VALUES (6, '01a1e2e2-3360-7000-9c52-8ec62bd2cfed', 'connector.created', 'connector/01a1e2e2-3356-7000-b2ac-a71f40e9e69e', '{"id":"01a1e2e2-3360-7000-9c52-8ec62bd2cfed","time":"2026-11-16T05:43:57.526Z","actor":"internal-service","request_id":"01a1e2e2-3353-7000-87f7-30101bc69371","kind":"connector.created","subject":"connector/01a1e2e2-3356-7000-b2ac-a71f40e9e69e","data":{"name":"inline","environment_id":"01a1e2e2-2d58-7000-aa93-9e032f1a50ea","target_type":"warehouse","status":"active"}}', 'Ib1YkeQPb-okJNRIIBkNKwanzUwPm5ql2qxDqKVmVBo');
INSERT INTO public.events VALUES (7, '01a1e2e2-33a5-7001-86aa-673fa84fd4f4', 'connector.created', 'connector/01a1e2e2-33a4-7000-b17d-c8b89f29e549', '{"id":"01a1e2e2-33a5-7001-86aa-673fa84fd4f4","time":"2026-11-16T05:43:57.604Z","actor":"internal-service","request_id":"01a1e2e2-33a2-7000-a21e-a6925b851164","kind":"connector.created","subject":"connector/01a1e2e2-33a4-7000-b17d-c8b89f29e549","data":{"name":"referring","environment_id":"01a1e2e2-2d58-7000-aa93-9e032f1a50ea","target_type":"warehouse","status":"active"}}', 'm3L7Hddax0iJqkmUzFTTf-rAUlZUqhdZSpHpHoI_6qA');
INSERT INTO public.events VALUES (8, '01a1e2e2-33cd-7003-b906-1bff4f97107d', 'connector.created', 'connector/01a1e2e2-33cd-7000-8aed-4e763306067f', '{"id":"01a1e2e2-33cd-7003-b906-1bff4f97107d","time":"2026-11-16T05:43:57.645Z","actor":"internal-service","request_id":"01a1e2e2-33ca-7000-9c59-d147f9ea5112","kind":"connector.created","subject":"connector/01a1e2e2-33cd-7000-8aed-4e763306067f","data":{"name":"paused","environment_id":"01a1e2e2-2d58-7000-aa93-9e032f1a50ea","target_type":"warehouse","status":"active"}}', '32KZqLIa_At4mLq11sU4zP2N09K5BaSWCPk37r3Povc');
INSERT INTO public.events VALUES (9, '01a1e2e2-33ea-7001-8ef6-07f2c044a915', 'connector.paused', 'connector/01a1e2e2-33cd-7000-8aed-4e763306067f', '{"id":"01a1e2e2-33ea-7001-8ef6-07f2c044a915","time":"2026-11-16T05:43:57.669Z","actor":"internal-service","request_id":"01a1e2e2-33e4-7000-8950-2d525326fb75","kind":"connector.paused","subject":"connector/01a1e2e2-33cd-7000-8aed-4e763306067f","data":{"name":"paused","reason":"holiday","until":null}}', 'OQZulgCFBudLJpoTdr4myq6lurjcF8_sKbwlNHsM70U');
INSERT INTO public.events VALUES (10, '01a1e2e2-33fa-7001-923b-262d4c00bec2', 'connector.updated', 'connector/01a1e2e2-3356-7000-b2ac-a71f40e9e69e', '{"id":"01a1e2e2-33fa-7001-923b-262d4c00bec2","time":"2026-11-16T05:43:57.687Z","actor":"internal-service","request_id":"01a1e2e2-33f5-7000-ac14-795d905f5799","kind":"connector.updated","subject":"connector/01a1e2e2-3356-7000-b2ac-a71f40e9e69e","data":{"name":"inline","fields":["git_branch"]}}', 'f089eREJ9snjReM3LuRg5L0mk6Wjlf2IKuASWo5HxMk');
INSERT INTO public.events VALUES (11, '01a1e2e2-3418-7001-99ec-ef556e00eb78', 'automation.created', 'automation/01a1e2e2-3418-7000-9155-d76cac6712d5', '{"id":"01a1e2e2-3418-7001-99ec-ef556e00eb78","time":"2026-11-16T05:43:57.696Z","actor":"internal-service","request_id":"01a1e2e2-33ff-7000-adc2-77e9963acd42","kind":"automation.created","subject":"automation/01a1e2e2-3418-7000-9155-d76cac6712d5","data":{"alias":"released","design_content_hash":"sha256:73116b352d66f416c74e2492233b983f8479436005d1a604d78239541c80557c"}}', 'qt7-RNoiM0rQ6-hO1FFGbV-w5WEgOXA0ofQddC6SLIg');
INSERT INTO public.events VALUES (12, '01a1e2e2-3431-7000-9937-db9e5c2f6a71', 'deployment.recorded', 'deployment/01a1e2e2-342f-7000-8f3c-02953e962353', '{"id":"01a1e2e2-3431-7000-9937-db9e5c2f6a71","time":"2026-11-16T05:43:57.732Z","actor":"internal-service","request_id":"01a1e2e2-3424-7000-970e-1bf41c343f55","kind":"deployment.recorded","subject":"deployment/01a1e2e2-342f-7000-8f3c-02953e962353","data":{"deployment_name":"released 1.0.0","environment_id":"01a1e2e2-2d58-7000-aa93-9e032f1a50ea","status":"succeeded"}}', 'GncRrKV25ubq9-xEDBHcchxgRDguQ_lqIlaznncSajI');
INSERT INTO public.events VALUES (13, '01a1e2e2-3431-7001-9a88-26f2b4b0761c', 'automation.release_activated', 'automation/01a1e2e2-3418-7000-9155-d76cac6712d5', '{"id":"01a1e2e2-3431-7001-9a88-26f2b4b0761c","time":"2026-11-16T05:43:57.732Z","actor":"internal-service","request_id":"01a1e2e2-3424-7000-970e-1bf41c343f55","kind":"automation.release_activated","subject":"automation/01a1e2e2-3418-7000-9155-d76cac6712d5","data":{"release_id":"01a1e2e2-342a-7000-964c-46199c53e5de","environment_id":"01a1e2e2-2d58-7000-aa93-9e032f1a50ea","version":"1.0.0","replaced":null}}', 'SAbtCyKCCLjgA7ClWMj1DAwkWbM8DYV1i7qaxJkDcUo');
INSERT INTO public.events VALUES (14, '01a1e2e2-345c-7000-bc00-6857b20be2c4', 'environment.reconciled', 'environment/01a1e2e2-2d58-7000-aa93-9e032f1a50ea', '{"id":"01a1e2e2-345c-7000-bc00-6857b20be2c4","time":"2026-11-16T05:43:57.732Z","actor":"internal-service","request_id":"01a1e2e2-3424-7000-970e-1bf41c343f55","kind":"environment.reconciled","subject":"environment/01a1e2e2-2d58-7000-aa93-9e032f1a50ea","data":{}}', 'KnMrFdXDS2tzPCBjIFX_I0pUsAvo4jkmvnlwqBKI0_k');
INSERT INTO public.events VALUES (36, '01a1e2e2-3ba4-7000-a0c6-b3498be6fe8f', 'app.started', 'app/01a1e2e2-379c-7000-9388-244b6f9fd819', '{"id":"01a1e2e2-3ba4-7000-a0c6-b3498be6fe8f","time":"2026-11-16T05:43:58.642Z","actor":"internal-service","request_id":"01a1e2e2-37b1-7000-8bda-f766f1387c85","kind":"app.started","subject":"app/01a1e2e2-379c-7000-9388-244b6f9fd819","data":{"name":"desk-ui","environment_id":"01a1e2e2-2d58-7000-aa93-9e032f1a50ea","observed_state":"pending"}}', 'LZV057nmLjppGt42YUdA7XgnD1a6SE0O0mHAxGPSSNY');
INSERT INTO public.events VALUES (15, '01a1e2e2-34cd-7000-a4c7-8c75f8e6832f', 'automation.created', 'automation/01a1e2e2-34cc-7000-bda8-2ca8ed982bb3', '{"id":"01a1e2e2-34cd-7000-a4c7-8c75f8e6832f","time":"2026-11-16T05:43:57.878Z","actor":"internal-service","request_id":"01a1e2e2-34b5-7000-9e95-7a845cd84d63","kind":"automation.created","subject":"automation/01a1e2e2-34cc-7000-bda8-2ca8ed982bb3","data":{"alias":"released-paused","design_content_hash":"sha256:0d499ab73335380396713cba4a3b6ebfd4d585ec3455a1a60a2cd031214d2b6e"}}', 'ZpKDvWfmvemgQ5oWtOaNFhy7lmsMcIpz_AHAU_ySNYA');
INSERT INTO public.events VALUES (16, '01a1e2e2-352b-7003-bdc5-ba767b217d60', 'deployment.recorded', 'deployment/01a1e2e2-352b-7001-aa6f-46fc6fc4796c', '{"id":"01a1e2e2-352b-7003-bdc5-ba767b217d60","time":"2026-11-16T05:43:57.976Z","actor":"internal-service","request_id":"01a1e2e2-3517-7000-889e-479a58e3cb94","kind":"deployment.recorded","subject":"deployment/01a1e2e2-352b-7001-aa6f-46fc6fc4796c","data":{"deployment_name":"released-paused 1.0.0","environment_id":"01a1e2e2-2d58-7000-aa93-9e032f1a50ea","status":"succeeded"}}', 'rgcCVTSprPVCNcrbuGkznzfCaSNQoUOCjCPsv8Q-MOI');
INSERT INTO public.events VALUES (17, '01a1e2e2-352b-7004-bde3-3582673b1da6', 'automation.release_activated', 'automation/01a1e2e2-34cc-7000-bda8-2ca8ed982bb3', '{"id":"01a1e2e2-352b-7004-bde3-3582673b1da6","time":"2026-11-16T05:43:57.976Z","actor":"internal-service","request_id":"01a1e2e2-3517-7000-889e-479a58e3cb94","kind":"automation.release_activated","subject":"automation/01a1e2e2-34cc-7000-bda8-2ca8ed982bb3","data":{"release_id":"01a1e2e2-352a-7000-9af5-e1b532f7483a","environment_id":"01a1e2e2-2d58-7000-aa93-9e032f1a50ea","version":"1.0.0","replaced":null}}', 'xE-luMuOIcV0cHev1dIEIcir9lx1Qe0ZEqueh_3YcEI');
INSERT INTO public.events VALUES (18, '01a1e2e2-3560-7000-b1d2-ce35f87daa84', 'environment.reconciled', 'environment/01a1e2e2-2d58-7000-aa93-9e032f1a50ea', '{"id":"01a1e2e2-3560-7000-b1d2-ce35f87daa84","time":"2026-11-16T05:43:57.976Z","actor":"internal-service","request_id":"01a1e2e2-3517-7000-889e-479a58e3cb94","kind":"environment.reconciled","subject":"environment/01a1e2e2-2d58-7000-aa93-9e032f1a50ea","data":{}}', 'ql93001Q7_zIdMXzDQQB1fOztVkznAivW6JcoXdVjvw');
INSERT INTO public.events VALUES (19, '01a1e2e2-3576-7001-83bd-bfc004b5e514', 'automation.created', 'automation/01a1e2e2-3576-7000-a3af-3f630b1ad855', '{"id":"01a1e2e2-3576-7001-83bd-bfc004b5e514","time":"2026-11-16T05:43:58.066Z","actor":"internal-service","request_id":"01a1e2e2-3572-7000-adfa-8f26ffa52683","kind":"automation.created","subject":"automation/01a1e2e2-3576-7000-a3af-3f630b1ad855","data":{"alias":"released-changed","design_content_hash":"sha256:8171767a3368f1946ff9c20784cbe0b8b03d0b8b1ffa52c5e0c766c25f62910a"}}', '0Lej07G5_jdNODIx9CTDqIuIUt4v0wKSEE_akVnMtrQ');
INSERT INTO public.events VALUES (20, '01a1e2e2-358e-7002-ad09-7ef32fac5ef4', 'deployment.recorded', 'deployment/01a1e2e2-358e-7000-b66a-7babf3a860e4', '{"id":"01a1e2e2-358e-7002-ad09-7ef32fac5ef4","time":"2026-11-16T05:43:58.090Z","actor":"internal-service","request_id":"01a1e2e2-358a-7000-9ca5-2fea76f9ed3d","kind":"deployment.recorded","subject":"deployment/01a1e2e2-358e-7000-b66a-7babf3a860e4","data":{"deployment_name":"released-changed 1.0.0","environment_id":"01a1e2e2-2d58-7000-aa93-9e032f1a50ea","status":"succeeded"}}', 'gWtTsdyHm-2_9Kqqhdd5Elky2L9pM3U_5xMh4IWu7i8');
INSERT INTO public.events VALUES (21, '01a1e2e2-358e-7003-a648-06409b81fdc9', 'automation.release_activated', 'automation/01a1e2e2-3576-7000-a3af-3f630b1ad855', '{"id":"01a1e2e2-358e-7003-a648-06409b81fdc9","time":"2026-11-16T05:43:58.090Z","actor":"internal-service","request_id":"01a1e2e2-358a-7000-9ca5-2fea76f9ed3d","kind":"automation.release_activated","subject":"automation/01a1e2e2-3576-7000-a3af-3f630b1ad855","data":{"release_id":"01a1e2e2-358d-7000-9fb3-7268e25d5e7b","environment_id":"01a1e2e2-2d58-7000-aa93-9e032f1a50ea","version":"1.0.0","replaced":null}}', 'DHH0BZPRGJqboWiugaZFeuUg-in3TOY5KeyCb4YEVyY');
INSERT INTO public.events VALUES (22, '01a1e2e2-35ce-7000-9c28-1eb7d028c78a', 'environment.reconciled', 'environment/01a1e2e2-2d58-7000-aa93-9e032f1a50ea', '{"id":"01a1e2e2-35ce-7000-9c28-1eb7d028c78a","time":"2026-11-16T05:43:58.090Z","actor":"internal-service","request_id":"01a1e2e2-358a-7000-9ca5-2fea76f9ed3d","kind":"environment.reconciled","subject":"environment/01a1e2e2-2d58-7000-aa93-9e032f1a50ea","data":{}}', 'tyw-noxVgCjo71btWbO11sM8vUjeUwNWpT5V14dwq-g');
INSERT INTO public.events VALUES (23, '01a1e2e2-360d-7000-8e0d-45b1f8c0dc25', 'automation.schedule_paused', 'automation/01a1e2e2-34cc-7000-bda8-2ca8ed982bb3', '{"id":"01a1e2e2-360d-7000-8e0d-45b1f8c0dc25","time":"2026-11-16T05:43:58.191Z","actor":"internal-service","request_id":"01a1e2e2-35ef-7000-b6f6-8d1a3c977535","kind":"automation.schedule_paused","subject":"automation/01a1e2e2-34cc-7000-bda8-2ca8ed982bb3","data":{"release_id":"01a1e2e2-352a-7000-9af5-e1b532f7483a","environment_id":"01a1e2e2-2d58-7000-aa93-9e032f1a50ea","version":"1.0.0","reason":"holiday","until":null}}', 'QnVdhkDtFBhc9MIC_wyn8wR1Mvnwu4dw5zxrqUncwTY');
INSERT INTO public.events VALUES (24, '01a1e2e2-3646-7000-a2b5-de196897c1fd', 'automation.definition_set', 'automation/01a1e2e2-3576-7000-a3af-3f630b1ad855', '{"id":"01a1e2e2-3646-7000-a2b5-de196897c1fd","time":"2026-11-16T05:43:58.267Z","actor":"internal-service","request_id":"01a1e2e2-363b-7000-9781-efed4b44a4e1","kind":"automation.definition_set","subject":"automation/01a1e2e2-3576-7000-a3af-3f630b1ad855","data":{"alias":"released-changed","design_content_hash":"sha256:a264cadffe9362b98c452263b6a66f3c016a687eebf2c4ef1ab726b644ed37ba"}}', 'SRATD-5eTwX-jnNz8snbxmltSDXhacWKeQYlsvtgxPk');
INSERT INTO public.events VALUES (25, '01a1e2e2-366e-7000-b113-95bc9a1afec9', 'file.written', 'file/01a1e2e2-2d58-7000-aa93-9e032f1a50ea/pipelines/numbers.sql', '{"id":"01a1e2e2-366e-7000-b113-95bc9a1afec9","time":"2026-11-16T05:43:58.302Z","actor":"internal-service","request_id":"01a1e2e2-3659-7000-ace7-97c9e7cb7d69","kind":"file.written","subject":"file/01a1e2e2-2d58-7000-aa93-9e032f1a50ea/pipelines/numbers.sql","data":{"environment_id":"01a1e2e2-2d58-7000-aa93-9e032f1a50ea","path":"pipelines/numbers.sql","size":51,"sha256":"b0bf44b639804f1839a1927e097d46337d4fc58b70b6448f3bb019cef234fa17"}}', 'M-ANfICsH9Q-Q1V61QcDt7cvIt_OME0SmNhHzbZLPPk');
INSERT INTO public.events VALUES (26, '01a1e2e2-369a-7000-b0d9-97c33c3d8526', 'pipeline.created', 'pipeline/01a1e2e2-3698-7000-82cd-11c568be1a25', '{"id":"01a1e2e2-369a-7000-b0d9-97c33c3d8526","time":"2026-11-16T05:43:58.360Z","actor":"internal-service","request_id":"01a1e2e2-3695-7000-a597-7a605fe28901","kind":"pipeline.created","subject":"pipeline/01a1e2e2-3698-7000-82cd-11c568be1a25","data":{"name":"numbers","environment_id":"01a1e2e2-2d58-7000-aa93-9e032f1a50ea"}}', 'LEfMtC5RogtTJRmOzaKRITcGEJCR573hqS18NEW8NbA');
INSERT INTO public.events VALUES (27, '01a1e2e2-36f6-7000-99e9-0da69aa40edc', 'agent.created', 'agent/01a1e2e2-36d7-7001-a725-f741ec10de88', '{"id":"01a1e2e2-36f6-7000-99e9-0da69aa40edc","time":"2026-11-16T05:43:58.423Z","actor":"internal-service","request_id":"01a1e2e2-36d7-7000-81c0-19910d048767","kind":"agent.created","subject":"agent/01a1e2e2-36d7-7001-a725-f741ec10de88","data":{"name":"desk","aliases":["orders-bot"]}}', '9Z6eS_jIvwAv_Ebfg_I5j7XJSGVfDYeN36mQVVJfNCo');
INSERT INTO public.events VALUES (28, '01a1e2e2-371b-7000-8068-f096111bf18e', 'file.written', 'file/01a1e2e2-2d58-7000-aa93-9e032f1a50ea/tiny/app.yaml', '{"id":"01a1e2e2-371b-7000-8068-f096111bf18e","time":"2026-11-16T05:43:58.478Z","actor":"internal-service","request_id":"01a1e2e2-370e-7000-a60f-10f4733128e3","kind":"file.written","subject":"file/01a1e2e2-2d58-7000-aa93-9e032f1a50ea/tiny/app.yaml","data":{"environment_id":"01a1e2e2-2d58-7000-aa93-9e032f1a50ea","path":"tiny/app.yaml","size":25,"sha256":"161d49cab793e4e16c959370ac0ef0283a37471131f8f1ce0f6cbd77067c181a"}}', 'si1-dg1hv3MEUHDduq4Zpm9kysSERG3N2-tmQDtC9BI');
INSERT INTO public.events VALUES (29, '01a1e2e2-373d-7000-a89c-4ba5c793f184', 'file.written', 'file/01a1e2e2-2d58-7000-aa93-9e032f1a50ea/tiny/app.mjs', '{"id":"01a1e2e2-373d-7000-a89c-4ba5c793f184","time":"2026-11-16T05:43:58.521Z","actor":"internal-service","request_id":"01a1e2e2-3738-7000-8e13-91bf8bc5b1dc","kind":"file.written","subject":"file/01a1e2e2-2d58-7000-aa93-9e032f1a50ea/tiny/app.mjs","data":{"environment_id":"01a1e2e2-2d58-7000-aa93-9e032f1a50ea","path":"tiny/app.mjs","size":154,"sha256":"42a29daadf6a0e247952089c44decb92d0f16169dfeeb9aa0956ff02f5cd7d93"}}', 'Cznn4FGq2F0PKR44tGkLrwM3sx2zLrafCOINv9y8mc8');
INSERT INTO public.events VALUES (30, '01a1e2e2-3752-7001-8858-d0f90c07201c', 'agent.version_created', 'agent/01a1e2e2-36d7-7001-a725-f741ec10de88', '{"id":"01a1e2e2-3752-7001-8858-d0f90c07201c","time":"2026-11-16T05:43:58.539Z","actor":"internal-service","request_id":"01a1e2e2-374a-7000-b179-076017640372","kind":"agent.version_created","subject":"agent/01a1e2e2-36d7-7001-a725-f741ec10de88","data":{"name":"desk","version":"1.0.0"}}', 'MFzppXRoZ6wb6WQHDS4Ori4qB4zypokpYt4ekOm0w0g');
INSERT INTO public.events VALUES (31, '01a1e2e2-3752-7002-9907-b2964a8ce1f1', 'agent.release_activated', 'agent/01a1e2e2-36d7-7001-a725-f741ec10de88', '{"id":"01a1e2e2-3752-7002-9907-b2964a8ce1f1","time":"2026-11-16T05:43:58.539Z","actor":"internal-service","request_id":"01a1e2e2-374a-7000-b179-076017640372","kind":"agent.release_activated","subject":"agent/01a1e2e2-36d7-7001-a725-f741ec10de88","data":{"name":"desk","environment_id":"01a1e2e2-2d58-7000-aa93-9e032f1a50ea","version":"1.0.0"}}', 'pArPDlee7UarG6EocnsJ824-dQdg-P6eP6-f1vCCdmM');
INSERT INTO public.events VALUES (32, '01a1e2e2-3791-7000-8973-db4a8de2a176', 'environment.reconciled', 'environment/01a1e2e2-2d58-7000-aa93-9e032f1a50ea', '{"id":"01a1e2e2-3791-7000-8973-db4a8de2a176","time":"2026-11-16T05:43:58.539Z","actor":"internal-service","request_id":"01a1e2e2-374a-7000-b179-076017640372","kind":"environment.reconciled","subject":"environment/01a1e2e2-2d58-7000-aa93-9e032f1a50ea","data":{}}', '_nzvvpDxT8LJ9BBKWPikejChkb1C01MNADhH3UXXYwo');
INSERT INTO public.events VALUES (33, '01a1e2e2-379e-7000-a8c6-6e1893008367', 'app.created', 'app/01a1e2e2-379c-7000-9388-244b6f9fd819', '{"id":"01a1e2e2-379e-7000-a8c6-6e1893008367","time":"2026-11-16T05:43:58.619Z","actor":"internal-service","request_id":"01a1e2e2-379a-7000-b529-1ca9795bbcec","kind":"app.created","subject":"app/01a1e2e2-379c-7000-9388-244b6f9fd819","data":{"name":"desk-ui","environment_id":"01a1e2e2-2d58-7000-aa93-9e032f1a50ea","agent_id":"01a1e2e2-36d7-7001-a725-f741ec10de88"}}', 'T7-tRkxrRFSWDopuyowgFd0zeLeKi7vMJKwqNon9kc8');
INSERT INTO public.events VALUES (34, '01a1e2e2-37ba-7000-8b34-16aaf170ccb0', 'agent.component_started', 'agent/01a1e2e2-36d7-7001-a725-f741ec10de88', '{"id":"01a1e2e2-37ba-7000-8b34-16aaf170ccb0","time":"2026-11-16T05:43:58.642Z","actor":"internal-service","request_id":"01a1e2e2-37b1-7000-8bda-f766f1387c85","kind":"agent.component_started","subject":"agent/01a1e2e2-36d7-7001-a725-f741ec10de88","data":{"name":"desk","environment_id":"01a1e2e2-2d58-7000-aa93-9e032f1a50ea","component":"agent_endpoint","version":"1.0.0"}}', '9oCEigckYsVS7YK3-I2JXx6dY6SCEAst6p57gUPyrdU');
INSERT INTO public.events VALUES (35, '01a1e2e2-3b80-7000-8714-ffc518fc32b5', 'agent.component_settled', 'agent/01a1e2e2-36d7-7001-a725-f741ec10de88', '{"id":"01a1e2e2-3b80-7000-8714-ffc518fc32b5","time":"2026-11-16T05:43:59.592Z","actor":"platform","request_id":null,"kind":"agent.component_settled","subject":"agent/01a1e2e2-36d7-7001-a725-f741ec10de88","data":{"environment_id":"01a1e2e2-2d58-7000-aa93-9e032f1a50ea","component":"agent_endpoint","observed_state":"running","message":null}}', 'JcLPEbaaz7OguCRiWPw4c5KoOImo-FiIvMX8NuNtl70');
INSERT INTO public.events VALUES (42, '01a1e2e2-3fab-7001-89c5-9a15050cb18c', 'deployment.finished', 'deployment/01a1e2e2-3f60-7000-8f12-851a1fa9da3d', '{"id":"01a1e2e2-3fab-7001-89c5-9a15050cb18c","time":"2026-11-16T05:44:00.681Z","actor":"internal-service","request_id":"01a1e2e2-3fa9-7000-8d92-793d4d0fda20","kind":"deployment.finished","subject":"deployment/01a1e2e2-3f60-7000-8f12-851a1fa9da3d","data":{"deployment_name":"orders 1.0.0","environment_id":"01a1e2e2-2d58-7000-aa93-9e032f1a50ea","status":"succeeded"}}', 'zs10-h8QSaCPkWix3txEbbsEedUN7ELu4vjSV5oaEvE');
INSERT INTO public.events VALUES (43, '01a1e2e2-3ffe-7000-8076-21e8d629790f', 'environment.reconciled', 'environment/01a1e2e2-2d58-7000-aa93-9e032f1a50ea', '{"id":"01a1e2e2-3ffe-7000-8076-21e8d629790f","time":"2026-11-16T05:44:00.681Z","actor":"internal-service","request_id":"01a1e2e2-3fa9-7000-8d92-793d4d0fda20","kind":"environment.reconciled","subject":"environment/01a1e2e2-2d58-7000-aa93-9e032f1a50ea","data":{}}', 'wcZ9fu9COGqE3InGbQjyhczSdLbc5ELm-4elSMT7_X8');
INSERT INTO public.events VALUES (37, '01a1e2e2-3ba4-7001-b3b1-bbabac9401f0', 'agent.ui_app_followed', 'agent/01a1e2e2-36d7-7001-a725-f741ec10de88', '{"id":"01a1e2e2-3ba4-7001-b3b1-bbabac9401f0","time":"2026-11-16T05:43:58.642Z","actor":"internal-service","request_id":"01a1e2e2-37b1-7000-8bda-f766f1387c85","kind":"agent.ui_app_followed","subject":"agent/01a1e2e2-36d7-7001-a725-f741ec10de88","data":{"name":"desk","environment_id":"01a1e2e2-2d58-7000-aa93-9e032f1a50ea","desired_state":"running","observed_state":"pending"}}', 'uNqGvtXczsHhyELAohaz2Y1FROWtdWRWlb4i1qpZaPs');
INSERT INTO public.events VALUES (38, '01a1e2e2-3f23-7000-b4eb-9be1ea9db951', 'app.settled', 'app/01a1e2e2-379c-7000-9388-244b6f9fd819', '{"id":"01a1e2e2-3f23-7000-b4eb-9be1ea9db951","time":"2026-11-16T05:44:00.504Z","actor":"platform","request_id":null,"kind":"app.settled","subject":"app/01a1e2e2-379c-7000-9388-244b6f9fd819","data":{"name":"desk-ui","observed_state":"running","message":null}}', 'bpH4ViDAvbGs3CUCa7k5TPn-BdYcwS_MwPtc7c8Irls');
INSERT INTO public.events VALUES (39, '01a1e2e2-3f23-7001-9208-86205b724d59', 'agent.ui_app_followed', 'agent/01a1e2e2-36d7-7001-a725-f741ec10de88', '{"id":"01a1e2e2-3f23-7001-9208-86205b724d59","time":"2026-11-16T05:44:00.504Z","actor":"platform","request_id":null,"kind":"agent.ui_app_followed","subject":"agent/01a1e2e2-36d7-7001-a725-f741ec10de88","data":{"name":"desk","environment_id":"01a1e2e2-2d58-7000-aa93-9e032f1a50ea","desired_state":"running","observed_state":"running"}}', '6GUrpL3i-2vyPSEV9T9g_pBD2i6CJNywkaczKhWT4dg');
INSERT INTO public.events VALUES (40, '01a1e2e2-3f60-7001-9693-2b84c7628120', 'deployment.created', 'deployment/01a1e2e2-3f60-7000-8f12-851a1fa9da3d', '{"id":"01a1e2e2-3f60-7001-9693-2b84c7628120","time":"2026-11-16T05:44:00.608Z","actor":"internal-service","request_id":"01a1e2e2-3f5a-7000-80f4-5cce979c6a0b","kind":"deployment.created","subject":"deployment/01a1e2e2-3f60-7000-8f12-851a1fa9da3d","data":{"deployment_name":"orders 1.0.0","environment_id":"01a1e2e2-2d58-7000-aa93-9e032f1a50ea","status":"pending"}}', 'tUGfKHJJJ7Ji0FM6absLTBJj2zK7-Eey3hUA7XmZJxg');
INSERT INTO public.events VALUES (41, '01a1e2e2-3f81-7000-bfb6-7ea3358a26b9', 'deployment.logged', 'deployment/01a1e2e2-3f60-7000-8f12-851a1fa9da3d', '{"id":"01a1e2e2-3f81-7000-bfb6-7ea3358a26b9","time":"2026-11-16T05:44:00.637Z","actor":"internal-service","request_id":"01a1e2e2-3f7d-7000-8ee3-815209abb7ce","kind":"deployment.logged","subject":"deployment/01a1e2e2-3f60-7000-8f12-851a1fa9da3d","data":{"characters":10}}', '5ci5zTigrSYj17ptczK7ixANYQxy2i8DJiLRwp0Ap3Q');
INSERT INTO public.jobs VALUES ('connector-01a1e2e2-33a4-7000-b17d-c8b89f29e549', '01a1e2e2-2d58-7000-aa93-9e032f1a50ea', 'connector', 'connector/01a1e2e2-33a4-7000-b17d-c8b89f29e549', '"referring"', '{"trigger":{"kind":"cron","cron":"0 6 1 1 *","timezone":"Europe/Berlin"},"attempts":3,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T05:00:00.000Z', '2026-11-16T05:43:57.605Z', '2026-11-16T05:43:57.605Z', 1);
INSERT INTO public.jobs VALUES ('connector-01a1e2e2-33cd-7000-8aed-4e763306067f', '01a1e2e2-2d58-7000-aa93-9e032f1a50ea', 'connector', 'connector/01a1e2e2-33cd-7000-8aed-4e763306067f', '"paused"', '{"trigger":{"kind":"cron","cron":"0 6 1 1 *","timezone":"Europe/Berlin"},"attempts":3,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', '{"by":"internal-service","at":"2026-11-16T05:43:57.669Z","reason":"holiday","until":null,"missed":0,"last_missed":null}', NULL, '{}', 0, NULL, '2027-01-01T05:00:00.000Z', '2026-11-16T05:43:57.645Z', '2026-11-16T05:43:57.645Z', 2);
INSERT INTO public.jobs VALUES ('connector-01a1e2e2-3356-7000-b2ac-a71f40e9e69e', '01a1e2e2-2d58-7000-aa93-9e032f1a50ea', 'connector', 'connector/01a1e2e2-3356-7000-b2ac-a71f40e9e69e', '"inline"', '{"trigger":{"kind":"cron","cron":"0 6 1 1 *","timezone":"Europe/Berlin"},"attempts":3,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T05:00:00.000Z', '2026-11-16T05:43:57.528Z', '2026-11-16T05:43:57.690Z', 2);
INSERT INTO public.jobs VALUES ('automation-01a1e2e2-3418-7000-9155-d76cac6712d5-01a1e2e2-2d58-7000-aa93-9e032f1a50ea', '01a1e2e2-2d58-7000-aa93-9e032f1a50ea', 'automation', 'automation/01a1e2e2-3418-7000-9155-d76cac6712d5', '"released"', '{"trigger":{"kind":"cron","cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"attempts":20,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T06:00:00.000Z', '2026-11-16T05:43:57.742Z', '2026-11-16T05:43:57.742Z', 1);
INSERT INTO public.jobs VALUES ('automation-01a1e2e2-3576-7000-a3af-3f630b1ad855-01a1e2e2-2d58-7000-aa93-9e032f1a50ea', '01a1e2e2-2d58-7000-aa93-9e032f1a50ea', 'automation', 'automation/01a1e2e2-3576-7000-a3af-3f630b1ad855', '"released-changed"', '{"trigger":{"kind":"cron","cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"attempts":20,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T06:00:00.000Z', '2026-11-16T05:43:58.093Z', '2026-11-16T05:43:58.093Z', 1);
INSERT INTO public.jobs VALUES ('automation-01a1e2e2-34cc-7000-bda8-2ca8ed982bb3-01a1e2e2-2d58-7000-aa93-9e032f1a50ea', '01a1e2e2-2d58-7000-aa93-9e032f1a50ea', 'automation', 'automation/01a1e2e2-34cc-7000-bda8-2ca8ed982bb3', '"released-paused"', '{"trigger":{"kind":"cron","cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"attempts":20,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', '{"by":"internal-service","at":"2026-11-16T05:43:58.191Z","reason":"holiday","until":null,"missed":0,"last_missed":null}', NULL, '{}', 0, NULL, '2027-01-01T06:00:00.000Z', '2026-11-16T05:43:57.995Z', '2026-11-16T05:43:57.995Z', 2);
INSERT INTO public.jobs VALUES ('pipeline-01a1e2e2-3698-7000-82cd-11c568be1a25', '01a1e2e2-2d58-7000-aa93-9e032f1a50ea', 'pipeline', 'pipeline/01a1e2e2-3698-7000-82cd-11c568be1a25', '"numbers"', '{"trigger":{"kind":"manual"},"attempts":3,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'manual', NULL, NULL, '{}', 0, NULL, NULL, '2026-11-16T05:43:58.360Z', '2026-11-16T05:43:58.360Z', 1);
INSERT INTO public.keyring VALUES ('fingerprint', 'keOT3fxHz_I6EV7EkRe8KYS2yBFU5Xa5yqF8SRI7QW0');
INSERT INTO public.keyring VALUES ('jwt', 'ZjKydLGN/X9uaDksBi189ehQqLWNDeaTbLVSeIVrPE+O4uBS5UKP035uiCaIXrzqyibw5qRjam8H2m1P0+HboOyQC1NT9OH4');
INSERT INTO public.keyring VALUES ('data folder', '01a1e2e2-2b4d-7000-b6e1-323c5ba5d696');
INSERT INTO public.overrides VALUES ('01a1e2e2-2d58-7000-aa93-9e032f1a50ea', '01a1e2e2-34cc-7000-bda8-2ca8ed982bb3', '{"paused":true,"by":"internal-service","at":"2026-11-16T05:43:58.191Z","reason":"holiday","until":null}');
INSERT INTO public.pipelines VALUES (1, '01a1e2e2-3698-7000-82cd-11c568be1a25', '["01a1e2e2-2d58-7000-aa93-9e032f1a50ea","numbers"]', 1, '01a1e2e2-2d58-7000-aa93-9e032f1a50ea', NULL, NULL, '{"pipeline_id":"01a1e2e2-3698-7000-82cd-11c568be1a25","name":"numbers","libraries":[{"file":{"path":"pipelines/numbers.sql"}}],"configuration":{},"continuous":false,"development":false,"photon":false,"serverless":false,"channel":"CURRENT","edition":"ADVANCED","platform_managed":true,"environment_id":"01a1e2e2-2d58-7000-aa93-9e032f1a50ea","tags":{"platform.managed_by":"lakehelm","platform.environment":"prod","platform.pipeline":"numbers"},"platform_reference":"pipeline-01a1e2e2-3698-7000-82cd-11c568be1a25","error_message":null,"created_at":"2026-11-16T05:43:58.360Z","updated_at":"2026-11-16T05:43:58.360Z","created_by":"internal-service","updated_by":null}', NULL);
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
INSERT INTO public.processes VALUES ('agent/01a1e2e2-36d7-7001-a725-f741ec10de88/01a1e2e2-2d58-7000-aa93-9e032f1a50ea', '01a1e2e2-2d58-7000-aa93-9e032f1a50ea', 'running', '{"askedAt":"2026-11-16T05:43:58.642Z","deploy":"01a1e2e2-37b9-7000-950b-91cc86b370e1","name":"desk","sourcePath":"tiny","start":{"mark":"6f4ac02202d400ec.93e9d5f2747a8243d400f3bb5509b9e2","port":33217,"url":"http://127.0.0.1:36127","boot":"355cdeda-b6a0-47a4-908c-2e0ca1078aca","pid":28472,"began":"206397"},"ends":[],"sight":{"observed_state":"running","message":null}}', 4);
INSERT INTO public.processes VALUES ('app/01a1e2e2-379c-7000-9388-244b6f9fd819', '01a1e2e2-2d58-7000-aa93-9e032f1a50ea', 'running', '{"askedAt":"2026-11-16T05:43:58.642Z","deploy":"01a1e2e2-3b93-7000-a03a-93ae83cf8365","name":"desk-ui","sourcePath":"tiny","start":{"mark":"6f4ac02202d400ec.941e800c2e23acd4b692fa20f70d0f30","port":39651,"url":"http://127.0.0.1:36127","boot":"355cdeda-b6a0-47a4-908c-2e0ca1078aca","pid":28512,"began":"206505"},"ends":[],"sight":{"observed_state":"running","message":null}}', 4);
INSERT INTO public.release_designs VALUES ('01a1e2e2-342a-7000-964c-46199c53e5de', '01a1e2e2-3418-7000-9155-d76cac6712d5', '01a1e2e2-2d58-7000-aa93-9e032f1a50ea', '{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false}', NULL);
INSERT INTO public.release_designs VALUES ('01a1e2e2-352a-7000-9af5-e1b532f7483a', '01a1e2e2-34cc-7000-bda8-2ca8ed982bb3', '01a1e2e2-2d58-7000-aa93-9e032f1a50ea', '{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false}', NULL);
INSERT INTO public.release_designs VALUES ('01a1e2e2-358d-7000-9fb3-7268e25d5e7b', '01a1e2e2-3576-7000-a3af-3f630b1ad855', '01a1e2e2-2d58-7000-aa93-9e032f1a50ea', '{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false}', NULL);
INSERT INTO public.releases VALUES (1, '01a1e2e2-342a-7000-964c-46199c53e5de', '["automation","01a1e2e2-3418-7000-9155-d76cac6712d5","01a1e2e2-2d58-7000-aa93-9e032f1a50ea"]', 1, '01a1e2e2-2d58-7000-aa93-9e032f1a50ea', '01a1e2e2-3418-7000-9155-d76cac6712d5', 'installed', '{"id":"01a1e2e2-342a-7000-964c-46199c53e5de","artifact":"automation/released","environment_id":"01a1e2e2-2d58-7000-aa93-9e032f1a50ea","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:73116b352d66f416c74e2492233b983f8479436005d1a604d78239541c80557c","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1e2e2-3418-7000-9155-d76cac6712d5-01a1e2e2-2d58-7000-aa93-9e032f1a50ea","activated_at":"2026-11-16T05:43:57.732Z","activated_by":"internal-service","deployment_id":"01a1e2e2-342f-7000-8f3c-02953e962353"}', NULL);
INSERT INTO public.releases VALUES (3, '01a1e2e2-358d-7000-9fb3-7268e25d5e7b', '["automation","01a1e2e2-3576-7000-a3af-3f630b1ad855","01a1e2e2-2d58-7000-aa93-9e032f1a50ea"]', 1, '01a1e2e2-2d58-7000-aa93-9e032f1a50ea', '01a1e2e2-3576-7000-a3af-3f630b1ad855', 'installed', '{"id":"01a1e2e2-358d-7000-9fb3-7268e25d5e7b","artifact":"automation/released-changed","environment_id":"01a1e2e2-2d58-7000-aa93-9e032f1a50ea","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:8171767a3368f1946ff9c20784cbe0b8b03d0b8b1ffa52c5e0c766c25f62910a","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1e2e2-3576-7000-a3af-3f630b1ad855-01a1e2e2-2d58-7000-aa93-9e032f1a50ea","activated_at":"2026-11-16T05:43:58.090Z","activated_by":"internal-service","deployment_id":"01a1e2e2-358e-7000-b66a-7babf3a860e4"}', NULL);
INSERT INTO public.releases VALUES (2, '01a1e2e2-352a-7000-9af5-e1b532f7483a', '["automation","01a1e2e2-34cc-7000-bda8-2ca8ed982bb3","01a1e2e2-2d58-7000-aa93-9e032f1a50ea"]', 2, '01a1e2e2-2d58-7000-aa93-9e032f1a50ea', '01a1e2e2-34cc-7000-bda8-2ca8ed982bb3', 'installed', '{"id":"01a1e2e2-352a-7000-9af5-e1b532f7483a","artifact":"automation/released-paused","environment_id":"01a1e2e2-2d58-7000-aa93-9e032f1a50ea","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:0d499ab73335380396713cba4a3b6ebfd4d585ec3455a1a60a2cd031214d2b6e","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1e2e2-34cc-7000-bda8-2ca8ed982bb3-01a1e2e2-2d58-7000-aa93-9e032f1a50ea","activated_at":"2026-11-16T05:43:57.976Z","activated_by":"internal-service","deployment_id":"01a1e2e2-352b-7001-aa6f-46fc6fc4796c"}', NULL);
INSERT INTO public.schema_version VALUES (7);
INSERT INTO public.secrets VALUES ('01a1e2e2-2d58-7000-aa93-9e032f1a50ea', 'shop', 'api-key', 'f0HkF2KDxvAobHggHkWGbTziuamB3kF84I4qnAB69uNFBtzO8qwb', '2026-11-16T05:43:57.500Z');
INSERT INTO public.summaries VALUES ('01a1e2e2-2d58-7000-aa93-9e032f1a50ea', '{"environment_id":"01a1e2e2-2d58-7000-aa93-9e032f1a50ea","latest_success":{"id":"01a1e2e2-3f60-7000-8f12-851a1fa9da3d","deployment_name":"orders 1.0.0","git_branch":"main","git_commit_sha":"","completed_at":"2026-11-16T05:44:00.681Z"},"current_releases":[{"artifact":"automation/released","version":"1.0.0","activated_at":"2026-11-16T05:43:57.732Z"},{"artifact":"automation/released-paused","version":"1.0.0","activated_at":"2026-11-16T05:43:57.976Z"},{"artifact":"automation/released-changed","version":"1.0.0","activated_at":"2026-11-16T05:43:58.090Z"},{"artifact":"agent/desk","version":"1.0.0","activated_at":"2026-11-16T05:43:58.539Z"}],"deployment_counts":{"succeeded":4},"failure_streak":0,"reconciled_at":"2026-11-16T05:44:00.681Z"}');
INSERT INTO public.tallies VALUES ('environments/all', 1000000, 0, 2);
INSERT INTO public.tallies VALUES ('environments/all', 10000, 0, 2);
INSERT INTO public.tallies VALUES ('environments/all', 100, 0, 2);
INSERT INTO public.tallies VALUES ('users/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('users/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('users/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1e2e2-2d89-7000-8de4-e7401c42037f', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1e2e2-2d89-7000-8de4-e7401c42037f', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1e2e2-2d89-7000-8de4-e7401c42037f', 100, 0, 1);
INSERT INTO public.tallies VALUES ('deployments/all', 1000000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/all', 10000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/all', 100, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1e2e2-2d58-7000-aa93-9e032f1a50ea', 1000000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1e2e2-2d58-7000-aa93-9e032f1a50ea', 10000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1e2e2-2d58-7000-aa93-9e032f1a50ea', 100, 0, 4);
INSERT INTO public.tallies VALUES ('connectors/all', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/all', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/all', 100, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/01a1e2e2-2d58-7000-aa93-9e032f1a50ea', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/01a1e2e2-2d58-7000-aa93-9e032f1a50ea', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/01a1e2e2-2d58-7000-aa93-9e032f1a50ea', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e2e2-3418-7000-9155-d76cac6712d5', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2e2-3418-7000-9155-d76cac6712d5', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2e2-3418-7000-9155-d76cac6712d5', 100, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2e2-34cc-7000-bda8-2ca8ed982bb3', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2e2-34cc-7000-bda8-2ca8ed982bb3', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2e2-34cc-7000-bda8-2ca8ed982bb3', 100, 0, 1);
INSERT INTO public.tallies VALUES ('automations/all', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('automations/all', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('automations/all', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/all', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('releases/all', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('releases/all', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e2e2-2d58-7000-aa93-9e032f1a50ea', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e2e2-2d58-7000-aa93-9e032f1a50ea', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e2e2-2d58-7000-aa93-9e032f1a50ea', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e2e2-3576-7000-a3af-3f630b1ad855', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2e2-3576-7000-a3af-3f630b1ad855', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2e2-3576-7000-a3af-3f630b1ad855', 100, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1e2e2-2d58-7000-aa93-9e032f1a50ea', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1e2e2-2d58-7000-aa93-9e032f1a50ea', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1e2e2-2d58-7000-aa93-9e032f1a50ea', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agents/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('agents/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('agents/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1e2e2-36d7-7001-a725-f741ec10de88', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1e2e2-36d7-7001-a725-f741ec10de88', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1e2e2-36d7-7001-a725-f741ec10de88', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e2e2-2d58-7000-aa93-9e032f1a50ea', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e2e2-2d58-7000-aa93-9e032f1a50ea', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e2e2-2d58-7000-aa93-9e032f1a50ea', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e2e2-36d7-7001-a725-f741ec10de88', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e2e2-36d7-7001-a725-f741ec10de88', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e2e2-36d7-7001-a725-f741ec10de88', 100, 0, 1);
INSERT INTO public.tallies VALUES ('apps/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2e2-2d58-7000-aa93-9e032f1a50ea', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2e2-2d58-7000-aa93-9e032f1a50ea', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2e2-2d58-7000-aa93-9e032f1a50ea', 100, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2e2-36d7-7001-a725-f741ec10de88', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2e2-36d7-7001-a725-f741ec10de88', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2e2-36d7-7001-a725-f741ec10de88', 100, 0, 1);
INSERT INTO public.tokens VALUES (1, '01a1e2e2-3328-7000-ae43-d298acfa758e', '["MlYjE9TG-2xzvSHt08DTeduT4dvd5RIPTmZGi6K9cL4"]', 1, NULL, '01a1e2e2-2d89-7000-8de4-e7401c42037f', NULL, '{"id":"01a1e2e2-3328-7000-ae43-d298acfa758e","username":"ada@example.test","comment":"fixture","created_at":"2026-11-16T05:43:57.478Z","expires_at":null,"created_by":"internal-service"}', NULL);
INSERT INTO public.users VALUES (1, '01a1e2e2-2d89-7000-8de4-e7401c42037f', '["ada@example.test"]', 1, NULL, NULL, NULL, '{"id":"01a1e2e2-2d89-7000-8de4-e7401c42037f","username":"ada@example.test","role":"operator","active":true,"created_at":"2026-11-16T05:43:56.041Z","updated_at":"2026-11-16T05:43:56.041Z","created_by":"internal-service"}', 'ksgaSzyIVSv0WlW05BkqpBdOmaRnFNXQ4wUWa1Gy+2+KqTxs2GNTbbfr2h0/U1nvCy7WTJVSuGlbjpkZi+oE/PjW6xZy6DpW4TE6BqOBljwH5lbBAagtDOi2N2qqTuDTSAuksNuXjMvWOClUZN9Lm0vs');
INSERT INTO public.versions VALUES (1, '01a1e2e2-3750-7000-bf93-81413bd3db4f', '["01a1e2e2-36d7-7001-a725-f741ec10de88","1.0.0"]', 1, NULL, '01a1e2e2-36d7-7001-a725-f741ec10de88', NULL, '{"id":"01a1e2e2-3750-7000-bf93-81413bd3db4f","agent_id":"01a1e2e2-36d7-7001-a725-f741ec10de88","version":"1.0.0","source_path":null,"metadata":{},"created_at":"2026-11-16T05:43:58.539Z","created_by":"internal-service"}', NULL);
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
CREATE INDEX agent_environments_by_environment_id ON public.agent_environments USING btree (environment_id, "position") WHERE (environment_id IS NOT NULL);
CREATE INDEX agent_environments_by_owner ON public.agent_environments USING btree (owner, "position") WHERE (owner IS NOT NULL);
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
CREATE INDEX outbox_by_key ON public.outbox USING btree (key, state, sequence);
CREATE INDEX outbox_by_next_at ON public.outbox USING btree (next_at) WHERE (next_at IS NOT NULL);
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
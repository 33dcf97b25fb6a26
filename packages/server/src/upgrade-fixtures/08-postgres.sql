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
INSERT INTO public.agent_environments VALUES (1, '01a1e2e2-b43d-7000-be69-c44eff6b53e1', '["agent","01a1e2e2-b2bc-7000-8633-2ba9ff663046","01a1e2e2-a24f-7000-9db7-b0430257298e"]', 5, '01a1e2e2-a24f-7000-9db7-b0430257298e', '01a1e2e2-b2bc-7000-8633-2ba9ff663046', 'agent_release', '{"artifact":"agent/desk","release":{"environment_id":"01a1e2e2-a24f-7000-9db7-b0430257298e","environment":"prod","version":"1.0.0","workflow_run_id":null,"workflow_name":null,"workflow_run_url":null,"activated_at":"2026-11-16T05:44:30.464Z","activated_by":"internal-service"}}', NULL);
INSERT INTO public.agents VALUES (1, '01a1e2e2-b2bc-7000-8633-2ba9ff663046', '["desk"]', 6, NULL, NULL, NULL, '{"id":"01a1e2e2-b2bc-7000-8633-2ba9ff663046","name":"desk","aliases":["orders-bot"],"description":"","source_path":"tiny","components":[{"environment_id":"01a1e2e2-a24f-7000-9db7-b0430257298e","component":"chat","desired_state":"running","observed_state":"running","message":null,"updated_at":"2026-11-16T05:44:30.464Z","version":"1.0.0"},{"environment_id":"01a1e2e2-a24f-7000-9db7-b0430257298e","component":"agent_endpoint","desired_state":"running","observed_state":"running","message":null,"updated_at":"2026-11-16T05:44:32.889Z","version":"1.0.0"},{"environment_id":"01a1e2e2-a24f-7000-9db7-b0430257298e","component":"ui_app","desired_state":"running","observed_state":"running","version":"1.0.0","message":null,"updated_at":"2026-11-16T05:44:34.490Z"}],"releases":[{"environment_id":"01a1e2e2-a24f-7000-9db7-b0430257298e","environment":"prod","version":"1.0.0","workflow_run_id":null,"workflow_name":null,"workflow_run_url":null,"activated_at":"2026-11-16T05:44:30.464Z","activated_by":"internal-service"}],"created_at":"2026-11-16T05:44:30.140Z","updated_at":"2026-11-16T05:44:30.849Z","created_by":"internal-service","updated_by":"internal-service"}', NULL);
INSERT INTO public.aliases VALUES ('["desk"]', '01a1e2e2-b2bc-7000-8633-2ba9ff663046');
INSERT INTO public.aliases VALUES ('["orders-bot"]', '01a1e2e2-b2bc-7000-8633-2ba9ff663046');
INSERT INTO public.apps VALUES (1, '01a1e2e2-b50f-7000-9cc6-50be1d273e90', '["01a1e2e2-a24f-7000-9db7-b0430257298e","desk-ui"]', 3, '01a1e2e2-a24f-7000-9db7-b0430257298e', '01a1e2e2-b2bc-7000-8633-2ba9ff663046', NULL, '{"id":"01a1e2e2-b50f-7000-9cc6-50be1d273e90","name":"desk-ui","environment_id":"01a1e2e2-a24f-7000-9db7-b0430257298e","description":"","agent_id":"01a1e2e2-b2bc-7000-8633-2ba9ff663046","source_path":"tiny","desired_state":"running","observed_state":"running","message":null,"created_at":"2026-11-16T05:44:30.735Z","updated_at":"2026-11-16T05:44:34.490Z","created_by":"internal-service","updated_by":"internal-service"}', NULL);
INSERT INTO public.automations VALUES (1, '01a1e2e2-ac82-7000-91f8-b395ab4b1c24', '["released"]', 1, NULL, NULL, NULL, '{"id":"01a1e2e2-ac82-7000-91f8-b395ab4b1c24","alias":"released","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false},"design_content_hash":"sha256:73116b352d66f416c74e2492233b983f8479436005d1a604d78239541c80557c","created_at":"2026-11-16T05:44:28.426Z","updated_at":"2026-11-16T05:44:28.426Z","created_by":"internal-service","updated_by":null}', NULL);
INSERT INTO public.automations VALUES (2, '01a1e2e2-adb2-7000-867b-cc585fc8036c', '["released-paused"]', 1, NULL, NULL, NULL, '{"id":"01a1e2e2-adb2-7000-867b-cc585fc8036c","alias":"released-paused","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false},"design_content_hash":"sha256:0d499ab73335380396713cba4a3b6ebfd4d585ec3455a1a60a2cd031214d2b6e","created_at":"2026-11-16T05:44:28.823Z","updated_at":"2026-11-16T05:44:28.823Z","created_by":"internal-service","updated_by":null}', NULL);
INSERT INTO public.automations VALUES (3, '01a1e2e2-aed2-7000-ad45-0d4fe327359e', '["released-changed"]', 2, NULL, NULL, NULL, '{"id":"01a1e2e2-aed2-7000-ad45-0d4fe327359e","alias":"released-changed","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 2","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false},"design_content_hash":"sha256:a264cadffe9362b98c452263b6a66f3c016a687eebf2c4ef1ab726b644ed37ba","created_at":"2026-11-16T05:44:29.124Z","updated_at":"2026-11-16T05:44:29.692Z","created_by":"internal-service","updated_by":"internal-service"}', NULL);
INSERT INTO public.connectors VALUES (2, '01a1e2e2-aa9f-7000-9995-8ffc8b849a9b', '["referring"]', 1, '01a1e2e2-a24f-7000-9db7-b0430257298e', NULL, NULL, '{"id":"01a1e2e2-aa9f-7000-9995-8ffc8b849a9b","name":"referring","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"Bearer {{secrets/shop/api-key}}"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"active","git_commit_id":null,"git_branch":null,"workflow_id":"connector-01a1e2e2-aa9f-7000-9995-8ffc8b849a9b","artifacts_path":null,"error_message":null,"created_at":"2026-11-16T05:44:28.063Z","updated_at":"2026-11-16T05:44:28.063Z","created_by":"ada@example.test","updated_by":null,"datasets":[{"id":"01a1e2e2-aa9f-7001-8b0a-6d75e072fb06","connector_id":"01a1e2e2-aa9f-7000-9995-8ffc8b849a9b","source_dataset":"referring","target_name":"referring","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-16T05:44:28.063Z","created_by":"internal-service"}]}', NULL);
INSERT INTO public.connectors VALUES (3, '01a1e2e2-ab07-7000-9e18-5939dd3b46f2', '["paused"]', 2, '01a1e2e2-a24f-7000-9db7-b0430257298e', NULL, NULL, '{"id":"01a1e2e2-ab07-7000-9e18-5939dd3b46f2","name":"paused","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"********"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"paused","git_commit_id":null,"git_branch":null,"workflow_id":"connector-01a1e2e2-ab07-7000-9e18-5939dd3b46f2","artifacts_path":null,"error_message":null,"created_at":"2026-11-16T05:44:28.167Z","updated_at":"2026-11-16T05:44:28.259Z","created_by":"ada@example.test","updated_by":"internal-service","datasets":[{"id":"01a1e2e2-ab07-7001-8271-f4e3ac176523","connector_id":"01a1e2e2-ab07-7000-9e18-5939dd3b46f2","source_dataset":"paused","target_name":"paused","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-16T05:44:28.167Z","created_by":"internal-service"}]}', 'yzmU64oMyWso6E3LsKMOoCT7XUbgeTq4AP2tsGWsbj5pogQfj8sgZo4EVmIsH40VTQIcARI3A774zAiuSdpy+4vkH1yJBd04Y7wsW+sRaXlY2VLtyTGv7+u11ICbJQrtpl9/7bRNuUt4ZuuoJ4CtVcWz');
INSERT INTO public.connectors VALUES (1, '01a1e2e2-aa24-7000-89dd-ef86914514b2', '["inline"]', 2, '01a1e2e2-a24f-7000-9db7-b0430257298e', NULL, NULL, '{"id":"01a1e2e2-aa24-7000-89dd-ef86914514b2","name":"inline","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"********"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"active","git_commit_id":null,"git_branch":"main","workflow_id":"connector-01a1e2e2-aa24-7000-89dd-ef86914514b2","artifacts_path":null,"error_message":null,"created_at":"2026-11-16T05:44:27.940Z","updated_at":"2026-11-16T05:44:28.341Z","created_by":"ada@example.test","updated_by":"internal-service","datasets":[{"id":"01a1e2e2-aa24-7001-95df-2c6920ef3816","connector_id":"01a1e2e2-aa24-7000-89dd-ef86914514b2","source_dataset":"inline","target_name":"inline","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-16T05:44:27.940Z","created_by":"internal-service"}]}', '4HBgr5uHsVp4RYwfh59qdJwCRUMdVBxpzCwsNg75y8yCxYT5ILnRuTc8u0kqvTGpK/y0xuSSAoh+KBG0ZAmlKVfVM1qH7UpDKoTG0a4YTnfm7ZSzYxV1T0OxTc/sLEBjaaoOIpxvoLtVxkCPbP6n9nC4RCNVDPXbIdz+JsLst/g=');
INSERT INTO public.cursors VALUES ('chat', 0);
INSERT INTO public.deployment_counts VALUES ('01a1e2e2-a24f-7000-9db7-b0430257298e', 'pending', 0);
INSERT INTO public.deployment_counts VALUES ('01a1e2e2-a24f-7000-9db7-b0430257298e', 'succeeded', 4);
INSERT INTO public.deployment_log VALUES ('01a1e2e2-c42a-7000-9f2c-21db50f89e81', 1, '"uploading\n"');
INSERT INTO public.deployments VALUES (1, '01a1e2e2-ad19-7000-9c8b-09229db8635e', '["2026-11-16T05:44:28.624Z","01a1e2e2-ad19-7000-9c8b-09229db8635e"]', 1, '01a1e2e2-a24f-7000-9db7-b0430257298e', NULL, 'succeeded', '{"id":"01a1e2e2-ad19-7000-9c8b-09229db8635e","deployment_name":"released 1.0.0","environment_id":"01a1e2e2-a24f-7000-9db7-b0430257298e","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T05:44:28.624Z","started_at":"2026-11-16T05:44:28.624Z","completed_at":"2026-11-16T05:44:28.624Z","initiated_by":"internal-service","error_message":null}', NULL);
INSERT INTO public.deployments VALUES (2, '01a1e2e2-adfd-7001-b96a-8dc98edb9e0b', '["2026-11-16T05:44:28.881Z","01a1e2e2-adfd-7001-b96a-8dc98edb9e0b"]', 1, '01a1e2e2-a24f-7000-9db7-b0430257298e', NULL, 'succeeded', '{"id":"01a1e2e2-adfd-7001-b96a-8dc98edb9e0b","deployment_name":"released-paused 1.0.0","environment_id":"01a1e2e2-a24f-7000-9db7-b0430257298e","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T05:44:28.881Z","started_at":"2026-11-16T05:44:28.881Z","completed_at":"2026-11-16T05:44:28.881Z","initiated_by":"internal-service","error_message":null}', NULL);
INSERT INTO public.deployments VALUES (3, '01a1e2e2-af74-7000-8b7a-84c4162d819b', '["2026-11-16T05:44:29.199Z","01a1e2e2-af74-7000-8b7a-84c4162d819b"]', 1, '01a1e2e2-a24f-7000-9db7-b0430257298e', NULL, 'succeeded', '{"id":"01a1e2e2-af74-7000-8b7a-84c4162d819b","deployment_name":"released-changed 1.0.0","environment_id":"01a1e2e2-a24f-7000-9db7-b0430257298e","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T05:44:29.199Z","started_at":"2026-11-16T05:44:29.199Z","completed_at":"2026-11-16T05:44:29.199Z","initiated_by":"internal-service","error_message":null}', NULL);
INSERT INTO public.deployments VALUES (4, '01a1e2e2-c42a-7000-9f2c-21db50f89e81', '["2026-11-16T05:44:34.763Z","01a1e2e2-c42a-7000-9f2c-21db50f89e81"]', 2, '01a1e2e2-a24f-7000-9db7-b0430257298e', NULL, 'succeeded', '{"id":"01a1e2e2-c42a-7000-9f2c-21db50f89e81","deployment_name":"orders 1.0.0","environment_id":"01a1e2e2-a24f-7000-9db7-b0430257298e","git_branch":"main","git_commit_sha":"","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T05:44:34.602Z","started_at":null,"completed_at":"2026-11-16T05:44:34.763Z","initiated_by":"internal-service","error_message":null}', NULL);
INSERT INTO public.environments VALUES (1, '01a1e2e2-9f44-7000-a934-76e449096f4b', '["local"]', 1, NULL, NULL, NULL, '{"id":"01a1e2e2-9f44-7000-a934-76e449096f4b","name":"local","description":"Created at the first start","protected":false,"platform":"embedded","gitProvider":null,"gitRepository":null,"targetGitBranch":null,"secretScope":null,"dataPlatformClientIdKey":null,"dataPlatformClientSecretKey":null,"configuration":{},"isActive":true,"createdAt":"2026-11-16T05:44:25.151Z","updatedAt":"2026-11-16T05:44:25.151Z","createdBy":"lakehelm","updatedBy":null}', NULL);
INSERT INTO public.environments VALUES (2, '01a1e2e2-a24f-7000-9db7-b0430257298e', '["prod"]', 1, NULL, NULL, NULL, '{"id":"01a1e2e2-a24f-7000-9db7-b0430257298e","name":"prod","description":null,"protected":false,"platform":"embedded","gitProvider":null,"gitRepository":null,"targetGitBranch":null,"secretScope":null,"dataPlatformClientIdKey":null,"dataPlatformClientSecretKey":null,"configuration":{"timezone":"Europe/Berlin"},"isActive":true,"createdAt":"2026-11-16T05:44:25.918Z","updatedAt":"2026-11-16T05:44:25.918Z","createdBy":"internal-service","updatedBy":null}', NULL);
INSERT INTO public.event_head VALUES (1, 43, 'pGd29Ip7Y4svfnNh98v7O9j2w9LbJloeV2NFnJzPaLA', 'p-3Ikwf7aCANXG-Z0w6rYA-yC3up9yXAnz63SBi9fMI');
INSERT INTO public.events VALUES (1, '01a1e2e2-9f45-7000-a475-7954f1d810c0', 'environment.created', 'environment/01a1e2e2-9f44-7000-a934-76e449096f4b', '{"id":"01a1e2e2-9f45-7000-a475-7954f1d810c0","time":"2026-11-16T05:44:25.151Z","actor":"lakehelm","request_id":null,"kind":"environment.created","subject":"environment/01a1e2e2-9f44-7000-a934-76e449096f4b","data":{"name":"local","platform":"embedded"}}', 'yWbwJn7K2s6EecOinr_z791RvoyvwonRlRVJBNsDWac');
INSERT INTO public.events VALUES (2, '01a1e2e2-a250-7000-b713-11adb8547e18', 'environment.created', 'environment/01a1e2e2-a24f-7000-9db7-b0430257298e', '{"id":"01a1e2e2-a250-7000-b713-11adb8547e18","time":"2026-11-16T05:44:25.918Z","actor":"internal-service","request_id":"01a1e2e2-a23b-7000-9fff-bdbf5fcfabf6","kind":"environment.created","subject":"environment/01a1e2e2-a24f-7000-9db7-b0430257298e","data":{"name":"prod","platform":"embedded"}}', 'Y9ceZzxskuKaz7pOKyNVtpYAJKetGNejNyp-5_a316o');
INSERT INTO public.events VALUES (3, '01a1e2e2-a911-7000-bc11-94b3cc005399', 'user.created', 'user/01a1e2e2-a293-7000-b9c4-f6192b80b069', '{"id":"01a1e2e2-a911-7000-bc11-94b3cc005399","time":"2026-11-16T05:44:26.003Z","actor":"internal-service","request_id":"01a1e2e2-a292-7000-90df-bcb4889747b3","kind":"user.created","subject":"user/01a1e2e2-a293-7000-b9c4-f6192b80b069","data":{"id":"01a1e2e2-a293-7000-b9c4-f6192b80b069","username":"ada@example.test","role":"operator","active":true,"created_at":"2026-11-16T05:44:26.003Z","updated_at":"2026-11-16T05:44:26.003Z","created_by":"internal-service"}}', 'qy0eD45L0e-RnYQR2yAkPsUvcpBLa8MxhRf_krWnc9s');
INSERT INTO public.events VALUES (4, '01a1e2e2-a97f-7000-ab04-2feec7825c42', 'token.created', 'token/01a1e2e2-a970-7000-8ffd-8f7bf76949ec', '{"id":"01a1e2e2-a97f-7000-ab04-2feec7825c42","time":"2026-11-16T05:44:27.748Z","actor":"internal-service","request_id":"01a1e2e2-a963-7000-b8b3-7d8a9f4a4ea5","kind":"token.created","subject":"token/01a1e2e2-a970-7000-8ffd-8f7bf76949ec","data":{"id":"01a1e2e2-a970-7000-8ffd-8f7bf76949ec","username":"ada@example.test","comment":"fixture","created_at":"2026-11-16T05:44:27.748Z","expires_at":null,"created_by":"internal-service"}}', 'mk5xhfNlgxZ29WSrAk1XPZOhCT1rqq0QQBrtaTHS7Ro');
INSERT INTO public.events VALUES (5, '01a1e2e2-a9dd-7000-9b31-0d37039f3331', 'secret.stored', 'secret/01a1e2e2-a24f-7000-9db7-b0430257298e/shop/api-key', '{"id":"01a1e2e2-a9dd-7000-9b31-0d37039f3331","time":"2026-11-16T05:44:27.867Z","actor":"internal-service","request_id":"01a1e2e2-a9d9-7000-8186-d61f3fa0b3ab","kind":"secret.stored","subject":"secret/01a1e2e2-a24f-7000-9db7-b0430257298e/shop/api-key","data":{"environment_id":"01a1e2e2-a24f-7000-9db7-b0430257298e","scope":"shop","key":"api-key"}}', 'umNMFuANBv4R3kfUpSRhexWuSO35lopglRC6OSiin9A');
INSERT INTO public.events VALUES (6, '01a1e2e2-aa51-7000-8b90-e80916f3751d', 'connector.created', 'connector/01a1e2e2-aa24-7000-89dd-ef86914514b2', '{"id":"01a1e2e2-aa51-7000-8b90-e80916f3751d","time":"2026-11-16T05:44:27.940Z","actor":"internal-service","request_id":"01a1e2e2-aa0f-7000-b2bc-858123bfe8fd","kind":"connector.created","subject":"connector/01a1e2e2-aa24-7000-89dd-ef86914514b2","data":{"name":"inline","environment_id":"01a1e2e2-a24f-7000-9db7-b0430257298e","target_type":"warehouse","status":"active"}}', 'ujQ8vsWLgj-TLITQYz1HJFtf1NzrABAKpmroFQGkgs4');
INSERT INTO public.events VALUES (7, '01a1e2e2-aaa0-7001-abf1-6786646c781f', 'connector.created', 'connector/01a1e2e2-aa9f-7000-9995-8ffc8b849a9b', '{"id":"01a1e2e2-aaa0-7001-abf1-6786646c781f","time":"2026-11-16T05:44:28.063Z","actor":"internal-service","request_id":"01a1e2e2-aa9a-7000-8540-f92b494fe7f5","kind":"connector.created","subject":"connector/01a1e2e2-aa9f-7000-9995-8ffc8b849a9b","data":{"name":"referring","environment_id":"01a1e2e2-a24f-7000-9db7-b0430257298e","target_type":"warehouse","status":"active"}}', 'zTQmLpAAeOJN4LbdR4CkocsXXsf-9lAAbeA29ftZGhM');
INSERT INTO public.events VALUES (8, '01a1e2e2-ab07-7003-bdfa-4bff7d2e9967', 'connector.created', 'connector/01a1e2e2-ab07-7000-9e18-5939dd3b46f2', '{"id":"01a1e2e2-ab07-7003-bdfa-4bff7d2e9967","time":"2026-11-16T05:44:28.167Z","actor":"internal-service","request_id":"01a1e2e2-aaf8-7000-947a-1e385a528165","kind":"connector.created","subject":"connector/01a1e2e2-ab07-7000-9e18-5939dd3b46f2","data":{"name":"paused","environment_id":"01a1e2e2-a24f-7000-9db7-b0430257298e","target_type":"warehouse","status":"active"}}', 'M2-IFZ6YV_HSWJzA4P0PtMDFDUBn7Bd2VbzhUGw6KTA');
INSERT INTO public.events VALUES (9, '01a1e2e2-ab74-7001-b28e-c8fac4844b02', 'connector.paused', 'connector/01a1e2e2-ab07-7000-9e18-5939dd3b46f2', '{"id":"01a1e2e2-ab74-7001-b28e-c8fac4844b02","time":"2026-11-16T05:44:28.259Z","actor":"internal-service","request_id":"01a1e2e2-ab62-7000-a79b-7909e74d4769","kind":"connector.paused","subject":"connector/01a1e2e2-ab07-7000-9e18-5939dd3b46f2","data":{"name":"paused","reason":"holiday","until":null}}', 'nx9QMCWR84xTGVAGHMsxyYsE9Tgs_GkF8H_Ni5fErQw');
INSERT INTO public.events VALUES (10, '01a1e2e2-abda-7000-b791-019948901045', 'connector.updated', 'connector/01a1e2e2-aa24-7000-89dd-ef86914514b2', '{"id":"01a1e2e2-abda-7000-b791-019948901045","time":"2026-11-16T05:44:28.341Z","actor":"internal-service","request_id":"01a1e2e2-abb4-7000-bc1f-d08a32b1cfbe","kind":"connector.updated","subject":"connector/01a1e2e2-aa24-7000-89dd-ef86914514b2","data":{"name":"inline","fields":["git_branch"]}}', 'FxIFBKa90UaPu6R6Qecq1ZnefY9TSDcbFPMuyR9z-fQ');
INSERT INTO public.events VALUES (11, '01a1e2e2-ac82-7001-a849-a589ac372af3', 'automation.created', 'automation/01a1e2e2-ac82-7000-91f8-b395ab4b1c24', '{"id":"01a1e2e2-ac82-7001-a849-a589ac372af3","time":"2026-11-16T05:44:28.426Z","actor":"internal-service","request_id":"01a1e2e2-ac09-7000-8f5c-740ac88c3407","kind":"automation.created","subject":"automation/01a1e2e2-ac82-7000-91f8-b395ab4b1c24","data":{"alias":"released","design_content_hash":"sha256:73116b352d66f416c74e2492233b983f8479436005d1a604d78239541c80557c"}}', 'nG8ICcIsumWX3_TsTrtyddqtG2HXeW9N9tCSBuuY4sg');
INSERT INTO public.events VALUES (12, '01a1e2e2-ad2b-7000-9c64-11dcb329ab6d', 'deployment.recorded', 'deployment/01a1e2e2-ad19-7000-9c8b-09229db8635e', '{"id":"01a1e2e2-ad2b-7000-9c64-11dcb329ab6d","time":"2026-11-16T05:44:28.624Z","actor":"internal-service","request_id":"01a1e2e2-accf-7000-823c-32645f9a2cc7","kind":"deployment.recorded","subject":"deployment/01a1e2e2-ad19-7000-9c8b-09229db8635e","data":{"deployment_name":"released 1.0.0","environment_id":"01a1e2e2-a24f-7000-9db7-b0430257298e","status":"succeeded"}}', 'KO05VYA_FTTP9t6M-Y7WIlBKZAOUvWZZTOVSoUaKYJM');
INSERT INTO public.events VALUES (13, '01a1e2e2-ad2b-7001-83df-b1e02f51c2b6', 'automation.release_activated', 'automation/01a1e2e2-ac82-7000-91f8-b395ab4b1c24', '{"id":"01a1e2e2-ad2b-7001-83df-b1e02f51c2b6","time":"2026-11-16T05:44:28.624Z","actor":"internal-service","request_id":"01a1e2e2-accf-7000-823c-32645f9a2cc7","kind":"automation.release_activated","subject":"automation/01a1e2e2-ac82-7000-91f8-b395ab4b1c24","data":{"release_id":"01a1e2e2-ad0a-7000-90d8-3e03388c8ab5","environment_id":"01a1e2e2-a24f-7000-9db7-b0430257298e","version":"1.0.0","replaced":null}}', 'xuQex6oa2SHqJgiHisSRD6cvMgLVtuqigTJZewPdm9k');
INSERT INTO public.events VALUES (14, '01a1e2e2-ad7c-7000-97fc-4ac3bcfa5742', 'environment.reconciled', 'environment/01a1e2e2-a24f-7000-9db7-b0430257298e', '{"id":"01a1e2e2-ad7c-7000-97fc-4ac3bcfa5742","time":"2026-11-16T05:44:28.624Z","actor":"internal-service","request_id":"01a1e2e2-accf-7000-823c-32645f9a2cc7","kind":"environment.reconciled","subject":"environment/01a1e2e2-a24f-7000-9db7-b0430257298e","data":{}}', 'eUtI09xGsDhaZQQf07fOrCFo3LLHJgSKyRGrtm9LUNo');
INSERT INTO public.events VALUES (30, '01a1e2e2-b443-7000-9ea0-6f5f8b9ebf22', 'agent.version_created', 'agent/01a1e2e2-b2bc-7000-8633-2ba9ff663046', '{"id":"01a1e2e2-b443-7000-9ea0-6f5f8b9ebf22","time":"2026-11-16T05:44:30.464Z","actor":"internal-service","request_id":"01a1e2e2-b3ff-7000-8c3d-67c3f6915537","kind":"agent.version_created","subject":"agent/01a1e2e2-b2bc-7000-8633-2ba9ff663046","data":{"name":"desk","version":"1.0.0"}}', '-N-F6fv2zmjiJdJ1bG4fd5n2MFBVKF0lA-hSpR4KnBc');
INSERT INTO public.events VALUES (15, '01a1e2e2-adbe-7000-bb1d-e470c760c0b3', 'automation.created', 'automation/01a1e2e2-adb2-7000-867b-cc585fc8036c', '{"id":"01a1e2e2-adbe-7000-bb1d-e470c760c0b3","time":"2026-11-16T05:44:28.823Z","actor":"internal-service","request_id":"01a1e2e2-ad96-7000-92d7-1307f85cf6cd","kind":"automation.created","subject":"automation/01a1e2e2-adb2-7000-867b-cc585fc8036c","data":{"alias":"released-paused","design_content_hash":"sha256:0d499ab73335380396713cba4a3b6ebfd4d585ec3455a1a60a2cd031214d2b6e"}}', 'nIV4SdwTsC--TPZeeqw9sKWMYa0KAOxoAZa1kCwS1Vs');
INSERT INTO public.events VALUES (16, '01a1e2e2-adfd-7003-ab63-7adfdfd2dea7', 'deployment.recorded', 'deployment/01a1e2e2-adfd-7001-b96a-8dc98edb9e0b', '{"id":"01a1e2e2-adfd-7003-ab63-7adfdfd2dea7","time":"2026-11-16T05:44:28.881Z","actor":"internal-service","request_id":"01a1e2e2-add0-7000-9b0b-1a236d4a59a0","kind":"deployment.recorded","subject":"deployment/01a1e2e2-adfd-7001-b96a-8dc98edb9e0b","data":{"deployment_name":"released-paused 1.0.0","environment_id":"01a1e2e2-a24f-7000-9db7-b0430257298e","status":"succeeded"}}', 'MXmvK92ZoZxijTcYRKB9_ZxOadluTv6YETX6q71hd2E');
INSERT INTO public.events VALUES (17, '01a1e2e2-adfe-7000-bf37-740c694daefa', 'automation.release_activated', 'automation/01a1e2e2-adb2-7000-867b-cc585fc8036c', '{"id":"01a1e2e2-adfe-7000-bf37-740c694daefa","time":"2026-11-16T05:44:28.881Z","actor":"internal-service","request_id":"01a1e2e2-add0-7000-9b0b-1a236d4a59a0","kind":"automation.release_activated","subject":"automation/01a1e2e2-adb2-7000-867b-cc585fc8036c","data":{"release_id":"01a1e2e2-adf6-7000-ad3a-035cf244394a","environment_id":"01a1e2e2-a24f-7000-9db7-b0430257298e","version":"1.0.0","replaced":null}}', 'edM96Yn4l7-r4-uZl8kXS1MflHxpLggn15u8nuYB8q8');
INSERT INTO public.events VALUES (18, '01a1e2e2-aeab-7000-a0a8-67dd2c615c81', 'environment.reconciled', 'environment/01a1e2e2-a24f-7000-9db7-b0430257298e', '{"id":"01a1e2e2-aeab-7000-a0a8-67dd2c615c81","time":"2026-11-16T05:44:28.881Z","actor":"internal-service","request_id":"01a1e2e2-add0-7000-9b0b-1a236d4a59a0","kind":"environment.reconciled","subject":"environment/01a1e2e2-a24f-7000-9db7-b0430257298e","data":{}}', 'jqzwwM2kPHMqcm1Ckm4N7A5UWrUbEl43rU96u4pJ0h4');
INSERT INTO public.events VALUES (19, '01a1e2e2-aed2-7001-a41e-1d2ebc59cfb8', 'automation.created', 'automation/01a1e2e2-aed2-7000-ad45-0d4fe327359e', '{"id":"01a1e2e2-aed2-7001-a41e-1d2ebc59cfb8","time":"2026-11-16T05:44:29.124Z","actor":"internal-service","request_id":"01a1e2e2-aec3-7000-83f7-912388f9b6f3","kind":"automation.created","subject":"automation/01a1e2e2-aed2-7000-ad45-0d4fe327359e","data":{"alias":"released-changed","design_content_hash":"sha256:8171767a3368f1946ff9c20784cbe0b8b03d0b8b1ffa52c5e0c766c25f62910a"}}', '9rSwEJ3fejJMba1glBqurJesinn8eD-i5J6E0N7KMNE');
INSERT INTO public.events VALUES (20, '01a1e2e2-af74-7002-a041-56a6cd3ab5ec', 'deployment.recorded', 'deployment/01a1e2e2-af74-7000-8b7a-84c4162d819b', '{"id":"01a1e2e2-af74-7002-a041-56a6cd3ab5ec","time":"2026-11-16T05:44:29.199Z","actor":"internal-service","request_id":"01a1e2e2-af0f-7000-a695-5f8033eb922a","kind":"deployment.recorded","subject":"deployment/01a1e2e2-af74-7000-8b7a-84c4162d819b","data":{"deployment_name":"released-changed 1.0.0","environment_id":"01a1e2e2-a24f-7000-9db7-b0430257298e","status":"succeeded"}}', 'zRhYvuaRjyb8WBQO5_6Q-nSqJ1qclEEwgam4LX6Jt2Q');
INSERT INTO public.events VALUES (21, '01a1e2e2-af74-7003-917c-e59fdad5567c', 'automation.release_activated', 'automation/01a1e2e2-aed2-7000-ad45-0d4fe327359e', '{"id":"01a1e2e2-af74-7003-917c-e59fdad5567c","time":"2026-11-16T05:44:29.199Z","actor":"internal-service","request_id":"01a1e2e2-af0f-7000-a695-5f8033eb922a","kind":"automation.release_activated","subject":"automation/01a1e2e2-aed2-7000-ad45-0d4fe327359e","data":{"release_id":"01a1e2e2-af60-7000-b05d-3894b166c5d3","environment_id":"01a1e2e2-a24f-7000-9db7-b0430257298e","version":"1.0.0","replaced":null}}', 'GhyS5NGoqHVAqAm9ZFeCexoO59bZg323g0Eo2I2uAms');
INSERT INTO public.events VALUES (22, '01a1e2e2-b03c-7000-ae19-4fbf343961d7', 'environment.reconciled', 'environment/01a1e2e2-a24f-7000-9db7-b0430257298e', '{"id":"01a1e2e2-b03c-7000-ae19-4fbf343961d7","time":"2026-11-16T05:44:29.199Z","actor":"internal-service","request_id":"01a1e2e2-af0f-7000-a695-5f8033eb922a","kind":"environment.reconciled","subject":"environment/01a1e2e2-a24f-7000-9db7-b0430257298e","data":{}}', '_8oKvW3Yt--_Tv7qEscpNSNqXWlsoXhAjc2de9vsvpc');
INSERT INTO public.events VALUES (23, '01a1e2e2-b084-7000-8e5f-5e5430973f85', 'automation.schedule_paused', 'automation/01a1e2e2-adb2-7000-867b-cc585fc8036c', '{"id":"01a1e2e2-b084-7000-8e5f-5e5430973f85","time":"2026-11-16T05:44:29.527Z","actor":"internal-service","request_id":"01a1e2e2-b056-7000-9210-904c77860f3f","kind":"automation.schedule_paused","subject":"automation/01a1e2e2-adb2-7000-867b-cc585fc8036c","data":{"release_id":"01a1e2e2-adf6-7000-ad3a-035cf244394a","environment_id":"01a1e2e2-a24f-7000-9db7-b0430257298e","version":"1.0.0","reason":"holiday","until":null}}', 'yPrDYaEGnUFs6Jp-6UyFZYbLCoRWv9yYloMGHK57y58');
INSERT INTO public.events VALUES (24, '01a1e2e2-b127-7000-9bb1-d85a09102a72', 'automation.definition_set', 'automation/01a1e2e2-aed2-7000-ad45-0d4fe327359e', '{"id":"01a1e2e2-b127-7000-9bb1-d85a09102a72","time":"2026-11-16T05:44:29.692Z","actor":"internal-service","request_id":"01a1e2e2-b0f1-7000-8880-ce84973095f7","kind":"automation.definition_set","subject":"automation/01a1e2e2-aed2-7000-ad45-0d4fe327359e","data":{"alias":"released-changed","design_content_hash":"sha256:a264cadffe9362b98c452263b6a66f3c016a687eebf2c4ef1ab726b644ed37ba"}}', '8SYMXCj6fgRjcLdmvsUsn1H1bL6HbsS51Jj77uFFC48');
INSERT INTO public.events VALUES (25, '01a1e2e2-b21d-7000-89cf-6e9ecf41e0e5', 'file.written', 'file/01a1e2e2-a24f-7000-9db7-b0430257298e/pipelines/numbers.sql', '{"id":"01a1e2e2-b21d-7000-89cf-6e9ecf41e0e5","time":"2026-11-16T05:44:29.869Z","actor":"internal-service","request_id":"01a1e2e2-b197-7000-bcd9-aa8907ca6846","kind":"file.written","subject":"file/01a1e2e2-a24f-7000-9db7-b0430257298e/pipelines/numbers.sql","data":{"environment_id":"01a1e2e2-a24f-7000-9db7-b0430257298e","path":"pipelines/numbers.sql","size":51,"sha256":"b0bf44b639804f1839a1927e097d46337d4fc58b70b6448f3bb019cef234fa17"}}', 'Aq9ReEIqMyFz_q1oPaBbWsUSZW5n3bQCusgikqHtP6A');
INSERT INTO public.events VALUES (26, '01a1e2e2-b25f-7000-9764-3bd2e0268e55', 'pipeline.created', 'pipeline/01a1e2e2-b254-7000-9f97-624f5472796c', '{"id":"01a1e2e2-b25f-7000-9764-3bd2e0268e55","time":"2026-11-16T05:44:30.036Z","actor":"internal-service","request_id":"01a1e2e2-b24b-7000-a9a3-ce94a77c2a9b","kind":"pipeline.created","subject":"pipeline/01a1e2e2-b254-7000-9f97-624f5472796c","data":{"name":"numbers","environment_id":"01a1e2e2-a24f-7000-9db7-b0430257298e"}}', 'L6grsJWm32UMGHAtTNXQdH-e6oeG44mZtL7-f9YdHL8');
INSERT INTO public.events VALUES (27, '01a1e2e2-b300-7000-8fe4-cf4654b88bcd', 'agent.created', 'agent/01a1e2e2-b2bc-7000-8633-2ba9ff663046', '{"id":"01a1e2e2-b300-7000-8fe4-cf4654b88bcd","time":"2026-11-16T05:44:30.140Z","actor":"internal-service","request_id":"01a1e2e2-b2bb-7000-8fc7-ab0d30a825c9","kind":"agent.created","subject":"agent/01a1e2e2-b2bc-7000-8633-2ba9ff663046","data":{"name":"desk","aliases":["orders-bot"]}}', 'UgqbUS_li_RoUhdoBLwcP6dIigoW3fAbpGwESyCJmFU');
INSERT INTO public.events VALUES (29, '01a1e2e2-b3df-7000-b2ac-82d83ae20a12', 'file.written', 'file/01a1e2e2-a24f-7000-9db7-b0430257298e/tiny/app.mjs', '{"id":"01a1e2e2-b3df-7000-b2ac-82d83ae20a12","time":"2026-11-16T05:44:30.373Z","actor":"internal-service","request_id":"01a1e2e2-b3a4-7000-84a0-71dc67df3821","kind":"file.written","subject":"file/01a1e2e2-a24f-7000-9db7-b0430257298e/tiny/app.mjs","data":{"environment_id":"01a1e2e2-a24f-7000-9db7-b0430257298e","path":"tiny/app.mjs","size":154,"sha256":"42a29daadf6a0e247952089c44decb92d0f16169dfeeb9aa0956ff02f5cd7d93"}}', 'coJjxkXp2czU4WfLOYksTOhcXeubOBMoOn_hD4_NF9A');
INSERT INTO public.events VALUES (28, '01a1e2e2-b367-7000-909f-c7ab01bcafca', 'file.written', 'file/01a1e2e2-a24f-7000-9db7-b0430257298e/tiny/app.yaml', '{"id":"01a1e2e2-b367-7000-909f-c7ab01bcafca","time":"2026-11-16T05:44:30.258Z","actor":"internal-service","request_id":"01a1e2e2-b32f-7000-8e82-dfcfdc7619dd","kind":"file.written","subject":"file/01a1e2e2-a24f-7000-9db7-b0430257298e/tiny/app.yaml","data":{"environment_id":"01a1e2e2-a24f-7000-9db7-b0430257298e","path":"tiny/app.yaml","size":25,"sha256":"161d49cab793e4e16c959370ac0ef0283a37471131f8f1ce0f6cbd77067c181a"}}', 'UtmYhTPklVR0VxJPQ4TE3kFICxCoiPai003pE7yjxjg');
INSERT INTO public.events VALUES (36, '01a1e2e2-be01-7000-97e5-ff8031aad450', 'app.started', 'app/01a1e2e2-b50f-7000-9cc6-50be1d273e90', '{"id":"01a1e2e2-be01-7000-97e5-ff8031aad450","time":"2026-11-16T05:44:30.849Z","actor":"internal-service","request_id":"01a1e2e2-b580-7000-a34a-465ea0507ef0","kind":"app.started","subject":"app/01a1e2e2-b50f-7000-9cc6-50be1d273e90","data":{"name":"desk-ui","environment_id":"01a1e2e2-a24f-7000-9db7-b0430257298e","observed_state":"pending"}}', 't86kXEbNnGOnUVmKbp4Adav-TnOqT3Kx8MZ5WqMcxlw');
INSERT INTO public.events VALUES (37, '01a1e2e2-be01-7001-9344-98e50d16a750', 'agent.ui_app_followed', 'agent/01a1e2e2-b2bc-7000-8633-2ba9ff663046', '{"id":"01a1e2e2-be01-7001-9344-98e50d16a750","time":"2026-11-16T05:44:30.849Z","actor":"internal-service","request_id":"01a1e2e2-b580-7000-a34a-465ea0507ef0","kind":"agent.ui_app_followed","subject":"agent/01a1e2e2-b2bc-7000-8633-2ba9ff663046","data":{"name":"desk","environment_id":"01a1e2e2-a24f-7000-9db7-b0430257298e","desired_state":"running","observed_state":"pending"}}', 'shm6V3GA9QKWFSJODOGiIM_6sqVSTZ_dwbZKx_mccEo');
INSERT INTO public.events VALUES (31, '01a1e2e2-b443-7001-939d-549529b1db71', 'agent.release_activated', 'agent/01a1e2e2-b2bc-7000-8633-2ba9ff663046', '{"id":"01a1e2e2-b443-7001-939d-549529b1db71","time":"2026-11-16T05:44:30.464Z","actor":"internal-service","request_id":"01a1e2e2-b3ff-7000-8c3d-67c3f6915537","kind":"agent.release_activated","subject":"agent/01a1e2e2-b2bc-7000-8633-2ba9ff663046","data":{"name":"desk","environment_id":"01a1e2e2-a24f-7000-9db7-b0430257298e","version":"1.0.0"}}', 'ztNvxBj1-y_ZTIw9hDx81h6mzU_2ZU_p57LVvEDNA9c');
INSERT INTO public.events VALUES (32, '01a1e2e2-b4c4-7000-a2e8-00772a304430', 'environment.reconciled', 'environment/01a1e2e2-a24f-7000-9db7-b0430257298e', '{"id":"01a1e2e2-b4c4-7000-a2e8-00772a304430","time":"2026-11-16T05:44:30.464Z","actor":"internal-service","request_id":"01a1e2e2-b3ff-7000-8c3d-67c3f6915537","kind":"environment.reconciled","subject":"environment/01a1e2e2-a24f-7000-9db7-b0430257298e","data":{}}', 'wihsUzCJA6-aF46jB_TH8_Ge0KYssi1GpLBhVqyNNT8');
INSERT INTO public.events VALUES (33, '01a1e2e2-b52c-7000-b892-7843525222fa', 'app.created', 'app/01a1e2e2-b50f-7000-9cc6-50be1d273e90', '{"id":"01a1e2e2-b52c-7000-b892-7843525222fa","time":"2026-11-16T05:44:30.735Z","actor":"internal-service","request_id":"01a1e2e2-b507-7000-b58b-6f0035f38a64","kind":"app.created","subject":"app/01a1e2e2-b50f-7000-9cc6-50be1d273e90","data":{"name":"desk-ui","environment_id":"01a1e2e2-a24f-7000-9db7-b0430257298e","agent_id":"01a1e2e2-b2bc-7000-8633-2ba9ff663046"}}', '18rMSFwKuk8LGxouiIIIRhP_R02UgK_JJBXyn93LjRI');
INSERT INTO public.events VALUES (34, '01a1e2e2-b5c5-7000-8703-82ea25b150b2', 'agent.component_started', 'agent/01a1e2e2-b2bc-7000-8633-2ba9ff663046', '{"id":"01a1e2e2-b5c5-7000-8703-82ea25b150b2","time":"2026-11-16T05:44:30.849Z","actor":"internal-service","request_id":"01a1e2e2-b580-7000-a34a-465ea0507ef0","kind":"agent.component_started","subject":"agent/01a1e2e2-b2bc-7000-8633-2ba9ff663046","data":{"name":"desk","environment_id":"01a1e2e2-a24f-7000-9db7-b0430257298e","component":"agent_endpoint","version":"1.0.0"}}', '0aMh2PAEEqAm2SkTHeYgpoRY40feMkQDv5QGDLOuHgo');
INSERT INTO public.events VALUES (38, '01a1e2e2-c3dc-7000-8341-cc024551dc05', 'app.settled', 'app/01a1e2e2-b50f-7000-9cc6-50be1d273e90', '{"id":"01a1e2e2-c3dc-7000-8341-cc024551dc05","time":"2026-11-16T05:44:34.490Z","actor":"platform","request_id":null,"kind":"app.settled","subject":"app/01a1e2e2-b50f-7000-9cc6-50be1d273e90","data":{"name":"desk-ui","observed_state":"running","message":null}}', '5amjb9iNQ29uCuC0ex4UhYrDCRYnP5O1E3iaOX3R-5g');
INSERT INTO public.events VALUES (39, '01a1e2e2-c3dc-7001-8ffa-8023d50be5fb', 'agent.ui_app_followed', 'agent/01a1e2e2-b2bc-7000-8633-2ba9ff663046', '{"id":"01a1e2e2-c3dc-7001-8ffa-8023d50be5fb","time":"2026-11-16T05:44:34.490Z","actor":"platform","request_id":null,"kind":"agent.ui_app_followed","subject":"agent/01a1e2e2-b2bc-7000-8633-2ba9ff663046","data":{"name":"desk","environment_id":"01a1e2e2-a24f-7000-9db7-b0430257298e","desired_state":"running","observed_state":"running"}}', 'wnZKFgmAp1mjOy3CIX9IBgnzD105izZuBmLBx5wHWys');
INSERT INTO public.events VALUES (43, '01a1e2e2-c525-7000-8147-55c6e239881a', 'environment.reconciled', 'environment/01a1e2e2-a24f-7000-9db7-b0430257298e', '{"id":"01a1e2e2-c525-7000-8147-55c6e239881a","time":"2026-11-16T05:44:34.763Z","actor":"internal-service","request_id":"01a1e2e2-c4cb-7000-8a47-40cc3a224883","kind":"environment.reconciled","subject":"environment/01a1e2e2-a24f-7000-9db7-b0430257298e","data":{}}', 'pGd29Ip7Y4svfnNh98v7O9j2w9LbJloeV2NFnJzPaLA');
INSERT INTO public.events VALUES (35, '01a1e2e2-bd94-7000-9196-1325062d90fd', 'agent.component_settled', 'agent/01a1e2e2-b2bc-7000-8633-2ba9ff663046', '{"id":"01a1e2e2-bd94-7000-9196-1325062d90fd","time":"2026-11-16T05:44:32.889Z","actor":"platform","request_id":null,"kind":"agent.component_settled","subject":"agent/01a1e2e2-b2bc-7000-8633-2ba9ff663046","data":{"environment_id":"01a1e2e2-a24f-7000-9db7-b0430257298e","component":"agent_endpoint","observed_state":"running","message":null}}', 'w_-kgg_G1owCU-nTXtqwrWCntY-MM4wFyZkRhY-DoSE');
INSERT INTO public.events VALUES (40, '01a1e2e2-c42a-7001-a191-b15bd10445c9', 'deployment.created', 'deployment/01a1e2e2-c42a-7000-9f2c-21db50f89e81', '{"id":"01a1e2e2-c42a-7001-a191-b15bd10445c9","time":"2026-11-16T05:44:34.602Z","actor":"internal-service","request_id":"01a1e2e2-c427-7000-81c6-a49775997b78","kind":"deployment.created","subject":"deployment/01a1e2e2-c42a-7000-9f2c-21db50f89e81","data":{"deployment_name":"orders 1.0.0","environment_id":"01a1e2e2-a24f-7000-9db7-b0430257298e","status":"pending"}}', 'KhGYmZZGrb6Qli91AP9jfNh4B5j6GafO1kTTdSBmv8M');
INSERT INTO public.events VALUES (41, '01a1e2e2-c490-7000-b276-6370a1992f68', 'deployment.logged', 'deployment/01a1e2e2-c42a-7000-9f2c-21db50f89e81', '{"id":"01a1e2e2-c490-7000-b276-6370a1992f68","time":"2026-11-16T05:44:34.687Z","actor":"internal-service","request_id":"01a1e2e2-c47f-7000-8633-d0624fa8c890","kind":"deployment.logged","subject":"deployment/01a1e2e2-c42a-7000-9f2c-21db50f89e81","data":{"characters":10}}', '9MKaTOuV7o-MJdWCH1b7WLe5qr_3LPfOhYenkUUBVp4');
INSERT INTO public.events VALUES (42, '01a1e2e2-c4d0-7001-9ac5-3b39ea02b623', 'deployment.finished', 'deployment/01a1e2e2-c42a-7000-9f2c-21db50f89e81', '{"id":"01a1e2e2-c4d0-7001-9ac5-3b39ea02b623","time":"2026-11-16T05:44:34.763Z","actor":"internal-service","request_id":"01a1e2e2-c4cb-7000-8a47-40cc3a224883","kind":"deployment.finished","subject":"deployment/01a1e2e2-c42a-7000-9f2c-21db50f89e81","data":{"deployment_name":"orders 1.0.0","environment_id":"01a1e2e2-a24f-7000-9db7-b0430257298e","status":"succeeded"}}', 'RHuJUsC0fL7NmQdnQ-nWbwrVuVLijw_QDjhrUIr6ZH0');
INSERT INTO public.jobs VALUES ('connector-01a1e2e2-aa9f-7000-9995-8ffc8b849a9b', '01a1e2e2-a24f-7000-9db7-b0430257298e', 'connector', 'connector/01a1e2e2-aa9f-7000-9995-8ffc8b849a9b', '"referring"', '{"trigger":{"kind":"cron","cron":"0 6 1 1 *","timezone":"Europe/Berlin"},"attempts":3,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T05:00:00.000Z', '2026-11-16T05:44:28.064Z', '2026-11-16T05:44:28.064Z', 1);
INSERT INTO public.jobs VALUES ('connector-01a1e2e2-ab07-7000-9e18-5939dd3b46f2', '01a1e2e2-a24f-7000-9db7-b0430257298e', 'connector', 'connector/01a1e2e2-ab07-7000-9e18-5939dd3b46f2', '"paused"', '{"trigger":{"kind":"cron","cron":"0 6 1 1 *","timezone":"Europe/Berlin"},"attempts":3,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', '{"by":"internal-service","at":"2026-11-16T05:44:28.259Z","reason":"holiday","until":null,"missed":0,"last_missed":null}', NULL, '{}', 0, NULL, '2027-01-01T05:00:00.000Z', '2026-11-16T05:44:28.167Z', '2026-11-16T05:44:28.167Z', 2);
INSERT INTO public.jobs VALUES ('connector-01a1e2e2-aa24-7000-89dd-ef86914514b2', '01a1e2e2-a24f-7000-9db7-b0430257298e', 'connector', 'connector/01a1e2e2-aa24-7000-89dd-ef86914514b2', '"inline"', '{"trigger":{"kind":"cron","cron":"0 6 1 1 *","timezone":"Europe/Berlin"},"attempts":3,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T05:00:00.000Z', '2026-11-16T05:44:27.945Z', '2026-11-16T05:44:28.377Z', 2);
INSERT INTO public.jobs VALUES ('automation-01a1e2e2-ac82-7000-91f8-b395ab4b1c24-01a1e2e2-a24f-7000-9db7-b0430257298e', '01a1e2e2-a24f-7000-9db7-b0430257298e', 'automation', 'automation/01a1e2e2-ac82-7000-91f8-b395ab4b1c24', '"released"', '{"trigger":{"kind":"cron","cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"attempts":20,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T06:00:00.000Z', '2026-11-16T05:44:28.696Z', '2026-11-16T05:44:28.696Z', 1);
INSERT INTO public.jobs VALUES ('automation-01a1e2e2-aed2-7000-ad45-0d4fe327359e-01a1e2e2-a24f-7000-9db7-b0430257298e', '01a1e2e2-a24f-7000-9db7-b0430257298e', 'automation', 'automation/01a1e2e2-aed2-7000-ad45-0d4fe327359e', '"released-changed"', '{"trigger":{"kind":"cron","cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"attempts":20,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T06:00:00.000Z', '2026-11-16T05:44:29.299Z', '2026-11-16T05:44:29.299Z', 1);
INSERT INTO public.jobs VALUES ('automation-01a1e2e2-adb2-7000-867b-cc585fc8036c-01a1e2e2-a24f-7000-9db7-b0430257298e', '01a1e2e2-a24f-7000-9db7-b0430257298e', 'automation', 'automation/01a1e2e2-adb2-7000-867b-cc585fc8036c', '"released-paused"', '{"trigger":{"kind":"cron","cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"attempts":20,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', '{"by":"internal-service","at":"2026-11-16T05:44:29.527Z","reason":"holiday","until":null,"missed":0,"last_missed":null}', NULL, '{}', 0, NULL, '2027-01-01T06:00:00.000Z', '2026-11-16T05:44:28.925Z', '2026-11-16T05:44:28.925Z', 2);
INSERT INTO public.jobs VALUES ('pipeline-01a1e2e2-b254-7000-9f97-624f5472796c', '01a1e2e2-a24f-7000-9db7-b0430257298e', 'pipeline', 'pipeline/01a1e2e2-b254-7000-9f97-624f5472796c', '"numbers"', '{"trigger":{"kind":"manual"},"attempts":3,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'manual', NULL, NULL, '{}', 0, NULL, NULL, '2026-11-16T05:44:30.037Z', '2026-11-16T05:44:30.037Z', 1);
INSERT INTO public.keyring VALUES ('fingerprint', 'keOT3fxHz_I6EV7EkRe8KYS2yBFU5Xa5yqF8SRI7QW0');
INSERT INTO public.keyring VALUES ('jwt', 'mc3AB2q5OGgs/h77MqUU1XyP/kEiXDT88UwsXvx66r/tOwzHHq9EDPmmTo3Zrao8mpiu4ZTl6PSh4RUFKFplxNiVBqfgQAaW');
INSERT INTO public.keyring VALUES ('data folder', '01a1e2e2-9e0b-7000-9478-4cbb4e9694ba');
INSERT INTO public.overrides VALUES ('01a1e2e2-a24f-7000-9db7-b0430257298e', '01a1e2e2-adb2-7000-867b-cc585fc8036c', '{"paused":true,"by":"internal-service","at":"2026-11-16T05:44:29.527Z","reason":"holiday","until":null}');
INSERT INTO public.pipelines VALUES (1, '01a1e2e2-b254-7000-9f97-624f5472796c', '["01a1e2e2-a24f-7000-9db7-b0430257298e","numbers"]', 1, '01a1e2e2-a24f-7000-9db7-b0430257298e', NULL, NULL, '{"pipeline_id":"01a1e2e2-b254-7000-9f97-624f5472796c","name":"numbers","libraries":[{"file":{"path":"pipelines/numbers.sql"}}],"configuration":{},"continuous":false,"development":false,"photon":false,"serverless":false,"channel":"CURRENT","edition":"ADVANCED","platform_managed":true,"environment_id":"01a1e2e2-a24f-7000-9db7-b0430257298e","tags":{"platform.managed_by":"lakehelm","platform.environment":"prod","platform.pipeline":"numbers"},"platform_reference":"pipeline-01a1e2e2-b254-7000-9f97-624f5472796c","error_message":null,"created_at":"2026-11-16T05:44:30.036Z","updated_at":"2026-11-16T05:44:30.036Z","created_by":"internal-service","updated_by":null}', NULL);
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
INSERT INTO public.processes VALUES ('agent/01a1e2e2-b2bc-7000-8633-2ba9ff663046/01a1e2e2-a24f-7000-9db7-b0430257298e', '01a1e2e2-a24f-7000-9db7-b0430257298e', 'running', '{"deploy":"01a1e2e2-b5bb-7000-a616-2f81d6fe3677","name":"desk","sourcePath":"tiny","start":{"mark":"fdcb19fbf3f1439d.92f7bed46508740251730cc761f40e71","port":46487,"url":"http://127.0.0.1:42795","boot":"355cdeda-b6a0-47a4-908c-2e0ca1078aca","pid":29052,"began":"209682"},"ends":[],"askedAt":"2026-11-16T05:44:30.849Z","sight":{"observed_state":"running","message":null}}', 4);
INSERT INTO public.processes VALUES ('app/01a1e2e2-b50f-7000-9cc6-50be1d273e90', '01a1e2e2-a24f-7000-9db7-b0430257298e', 'running', '{"deploy":"01a1e2e2-bde7-7000-ae14-238c55805f9c","name":"desk-ui","sourcePath":"tiny","start":{"mark":"fdcb19fbf3f1439d.ca54f635835800d53c312ebe6291a562","port":33657,"url":"http://127.0.0.1:42795","boot":"355cdeda-b6a0-47a4-908c-2e0ca1078aca","pid":29068,"began":"209851"},"ends":[],"askedAt":"2026-11-16T05:44:30.849Z","sight":{"observed_state":"running","message":null}}', 4);
INSERT INTO public.release_designs VALUES ('01a1e2e2-ad0a-7000-90d8-3e03388c8ab5', '01a1e2e2-ac82-7000-91f8-b395ab4b1c24', '01a1e2e2-a24f-7000-9db7-b0430257298e', '{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false}', NULL);
INSERT INTO public.release_designs VALUES ('01a1e2e2-adf6-7000-ad3a-035cf244394a', '01a1e2e2-adb2-7000-867b-cc585fc8036c', '01a1e2e2-a24f-7000-9db7-b0430257298e', '{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false}', NULL);
INSERT INTO public.release_designs VALUES ('01a1e2e2-af60-7000-b05d-3894b166c5d3', '01a1e2e2-aed2-7000-ad45-0d4fe327359e', '01a1e2e2-a24f-7000-9db7-b0430257298e', '{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false}', NULL);
INSERT INTO public.releases VALUES (1, '01a1e2e2-ad0a-7000-90d8-3e03388c8ab5', '["automation","01a1e2e2-ac82-7000-91f8-b395ab4b1c24","01a1e2e2-a24f-7000-9db7-b0430257298e"]', 1, '01a1e2e2-a24f-7000-9db7-b0430257298e', '01a1e2e2-ac82-7000-91f8-b395ab4b1c24', 'installed', '{"id":"01a1e2e2-ad0a-7000-90d8-3e03388c8ab5","artifact":"automation/released","environment_id":"01a1e2e2-a24f-7000-9db7-b0430257298e","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:73116b352d66f416c74e2492233b983f8479436005d1a604d78239541c80557c","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1e2e2-ac82-7000-91f8-b395ab4b1c24-01a1e2e2-a24f-7000-9db7-b0430257298e","activated_at":"2026-11-16T05:44:28.624Z","activated_by":"internal-service","deployment_id":"01a1e2e2-ad19-7000-9c8b-09229db8635e"}', NULL);
INSERT INTO public.releases VALUES (3, '01a1e2e2-af60-7000-b05d-3894b166c5d3', '["automation","01a1e2e2-aed2-7000-ad45-0d4fe327359e","01a1e2e2-a24f-7000-9db7-b0430257298e"]', 1, '01a1e2e2-a24f-7000-9db7-b0430257298e', '01a1e2e2-aed2-7000-ad45-0d4fe327359e', 'installed', '{"id":"01a1e2e2-af60-7000-b05d-3894b166c5d3","artifact":"automation/released-changed","environment_id":"01a1e2e2-a24f-7000-9db7-b0430257298e","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:8171767a3368f1946ff9c20784cbe0b8b03d0b8b1ffa52c5e0c766c25f62910a","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1e2e2-aed2-7000-ad45-0d4fe327359e-01a1e2e2-a24f-7000-9db7-b0430257298e","activated_at":"2026-11-16T05:44:29.199Z","activated_by":"internal-service","deployment_id":"01a1e2e2-af74-7000-8b7a-84c4162d819b"}', NULL);
INSERT INTO public.releases VALUES (2, '01a1e2e2-adf6-7000-ad3a-035cf244394a', '["automation","01a1e2e2-adb2-7000-867b-cc585fc8036c","01a1e2e2-a24f-7000-9db7-b0430257298e"]', 2, '01a1e2e2-a24f-7000-9db7-b0430257298e', '01a1e2e2-adb2-7000-867b-cc585fc8036c', 'installed', '{"id":"01a1e2e2-adf6-7000-ad3a-035cf244394a","artifact":"automation/released-paused","environment_id":"01a1e2e2-a24f-7000-9db7-b0430257298e","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:0d499ab73335380396713cba4a3b6ebfd4d585ec3455a1a60a2cd031214d2b6e","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1e2e2-adb2-7000-867b-cc585fc8036c-01a1e2e2-a24f-7000-9db7-b0430257298e","activated_at":"2026-11-16T05:44:28.881Z","activated_by":"internal-service","deployment_id":"01a1e2e2-adfd-7001-b96a-8dc98edb9e0b"}', NULL);
INSERT INTO public.schema_version VALUES (8);
INSERT INTO public.secrets VALUES ('01a1e2e2-a24f-7000-9db7-b0430257298e', 'shop', 'api-key', 'FYTmPL7GObHSZRlFlahP16Qs4VwZywRAdgxm+ZlKIsuUL0+21RrZ', '2026-11-16T05:44:27.867Z');
INSERT INTO public.summaries VALUES ('01a1e2e2-a24f-7000-9db7-b0430257298e', '{"environment_id":"01a1e2e2-a24f-7000-9db7-b0430257298e","latest_success":{"id":"01a1e2e2-c42a-7000-9f2c-21db50f89e81","deployment_name":"orders 1.0.0","git_branch":"main","git_commit_sha":"","completed_at":"2026-11-16T05:44:34.763Z"},"current_releases":[{"artifact":"automation/released","version":"1.0.0","activated_at":"2026-11-16T05:44:28.624Z"},{"artifact":"automation/released-paused","version":"1.0.0","activated_at":"2026-11-16T05:44:28.881Z"},{"artifact":"automation/released-changed","version":"1.0.0","activated_at":"2026-11-16T05:44:29.199Z"},{"artifact":"agent/desk","version":"1.0.0","activated_at":"2026-11-16T05:44:30.464Z"}],"deployment_counts":{"succeeded":4},"failure_streak":0,"reconciled_at":"2026-11-16T05:44:34.763Z"}');
INSERT INTO public.tallies VALUES ('environments/all', 1000000, 0, 2);
INSERT INTO public.tallies VALUES ('environments/all', 10000, 0, 2);
INSERT INTO public.tallies VALUES ('environments/all', 100, 0, 2);
INSERT INTO public.tallies VALUES ('users/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('users/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('users/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1e2e2-a293-7000-b9c4-f6192b80b069', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1e2e2-a293-7000-b9c4-f6192b80b069', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1e2e2-a293-7000-b9c4-f6192b80b069', 100, 0, 1);
INSERT INTO public.tallies VALUES ('deployments/all', 1000000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/all', 10000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/all', 100, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1e2e2-a24f-7000-9db7-b0430257298e', 1000000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1e2e2-a24f-7000-9db7-b0430257298e', 10000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1e2e2-a24f-7000-9db7-b0430257298e', 100, 0, 4);
INSERT INTO public.tallies VALUES ('connectors/all', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/all', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/all', 100, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/01a1e2e2-a24f-7000-9db7-b0430257298e', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/01a1e2e2-a24f-7000-9db7-b0430257298e', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/01a1e2e2-a24f-7000-9db7-b0430257298e', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e2e2-ac82-7000-91f8-b395ab4b1c24', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2e2-ac82-7000-91f8-b395ab4b1c24', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2e2-ac82-7000-91f8-b395ab4b1c24', 100, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2e2-adb2-7000-867b-cc585fc8036c', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2e2-adb2-7000-867b-cc585fc8036c', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2e2-adb2-7000-867b-cc585fc8036c', 100, 0, 1);
INSERT INTO public.tallies VALUES ('automations/all', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('automations/all', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('automations/all', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/all', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('releases/all', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('releases/all', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e2e2-a24f-7000-9db7-b0430257298e', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e2e2-a24f-7000-9db7-b0430257298e', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e2e2-a24f-7000-9db7-b0430257298e', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e2e2-aed2-7000-ad45-0d4fe327359e', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2e2-aed2-7000-ad45-0d4fe327359e', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2e2-aed2-7000-ad45-0d4fe327359e', 100, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1e2e2-a24f-7000-9db7-b0430257298e', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1e2e2-a24f-7000-9db7-b0430257298e', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1e2e2-a24f-7000-9db7-b0430257298e', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agents/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('agents/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('agents/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1e2e2-b2bc-7000-8633-2ba9ff663046', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1e2e2-b2bc-7000-8633-2ba9ff663046', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1e2e2-b2bc-7000-8633-2ba9ff663046', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e2e2-a24f-7000-9db7-b0430257298e', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e2e2-a24f-7000-9db7-b0430257298e', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e2e2-a24f-7000-9db7-b0430257298e', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e2e2-b2bc-7000-8633-2ba9ff663046', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e2e2-b2bc-7000-8633-2ba9ff663046', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e2e2-b2bc-7000-8633-2ba9ff663046', 100, 0, 1);
INSERT INTO public.tallies VALUES ('apps/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2e2-a24f-7000-9db7-b0430257298e', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2e2-a24f-7000-9db7-b0430257298e', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2e2-a24f-7000-9db7-b0430257298e', 100, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2e2-b2bc-7000-8633-2ba9ff663046', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2e2-b2bc-7000-8633-2ba9ff663046', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2e2-b2bc-7000-8633-2ba9ff663046', 100, 0, 1);
INSERT INTO public.tokens VALUES (1, '01a1e2e2-a970-7000-8ffd-8f7bf76949ec', '["ZvhcyLRpKo7x27cWuWX0sbGjc3hQC3uX2QH6u5jow1I"]', 1, NULL, '01a1e2e2-a293-7000-b9c4-f6192b80b069', NULL, '{"id":"01a1e2e2-a970-7000-8ffd-8f7bf76949ec","username":"ada@example.test","comment":"fixture","created_at":"2026-11-16T05:44:27.748Z","expires_at":null,"created_by":"internal-service"}', NULL);
INSERT INTO public.users VALUES (1, '01a1e2e2-a293-7000-b9c4-f6192b80b069', '["ada@example.test"]', 1, NULL, NULL, NULL, '{"id":"01a1e2e2-a293-7000-b9c4-f6192b80b069","username":"ada@example.test","role":"operator","active":true,"created_at":"2026-11-16T05:44:26.003Z","updated_at":"2026-11-16T05:44:26.003Z","created_by":"internal-service"}', '8saA+maCY2YMi314Z9r17D3SWDRvlw7ntAuZd9V3dC7l8fkbjCwTGPs7DYQxsqoPfXO4dS/FiLXKjNB22zOmgJ6Te7PbDmxENGgfot2ZDbO5TCJA21IBmLNrvA/Y6ynVuDIvJ4YomCz/JUptaYQa//lj');
INSERT INTO public.versions VALUES (1, '01a1e2e2-b42d-7000-ac53-12d372f52044', '["01a1e2e2-b2bc-7000-8633-2ba9ff663046","1.0.0"]', 1, NULL, '01a1e2e2-b2bc-7000-8633-2ba9ff663046', NULL, '{"id":"01a1e2e2-b42d-7000-ac53-12d372f52044","agent_id":"01a1e2e2-b2bc-7000-8633-2ba9ff663046","version":"1.0.0","source_path":null,"metadata":{},"created_at":"2026-11-16T05:44:30.464Z","created_by":"internal-service"}', NULL);
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
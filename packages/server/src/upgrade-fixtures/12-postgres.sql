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
    sealed text
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
INSERT INTO public.agent_environments VALUES (1, '01a1e2f4-bbfb-7000-8cb1-a76658702b85', '["agent","01a1e2f4-ba68-7000-9812-20c2c7216573","01a1e2f4-ab01-7000-923a-e732a70da9de"]', 5, '01a1e2f4-ab01-7000-923a-e732a70da9de', '01a1e2f4-ba68-7000-9812-20c2c7216573', 'agent_release', '{"artifact":"agent/desk","release":{"environment_id":"01a1e2f4-ab01-7000-923a-e732a70da9de","environment":"prod","version":"1.0.0","workflow_run_id":null,"workflow_name":null,"workflow_run_url":null,"activated_at":"2026-11-16T06:04:12.087Z","activated_by":"internal-service"}}', NULL);
INSERT INTO public.agents VALUES (1, '01a1e2f4-ba68-7000-9812-20c2c7216573', '["desk"]', 6, NULL, NULL, NULL, '{"id":"01a1e2f4-ba68-7000-9812-20c2c7216573","name":"desk","aliases":["orders-bot"],"description":"","source_path":"tiny","components":[{"environment_id":"01a1e2f4-ab01-7000-923a-e732a70da9de","component":"chat","desired_state":"running","observed_state":"running","message":null,"updated_at":"2026-11-16T06:04:12.087Z","version":"1.0.0"},{"environment_id":"01a1e2f4-ab01-7000-923a-e732a70da9de","component":"agent_endpoint","desired_state":"running","observed_state":"running","message":null,"updated_at":"2026-11-16T06:04:14.128Z","version":"1.0.0"},{"environment_id":"01a1e2f4-ab01-7000-923a-e732a70da9de","component":"ui_app","desired_state":"running","observed_state":"running","version":"1.0.0","message":null,"updated_at":"2026-11-16T06:04:15.211Z"}],"releases":[{"environment_id":"01a1e2f4-ab01-7000-923a-e732a70da9de","environment":"prod","version":"1.0.0","workflow_run_id":null,"workflow_name":null,"workflow_run_url":null,"activated_at":"2026-11-16T06:04:12.087Z","activated_by":"internal-service"}],"created_at":"2026-11-16T06:04:11.752Z","updated_at":"2026-11-16T06:04:12.401Z","created_by":"internal-service","updated_by":"internal-service"}', NULL);
INSERT INTO public.aliases VALUES ('["desk"]', '01a1e2f4-ba68-7000-9812-20c2c7216573');
INSERT INTO public.aliases VALUES ('["orders-bot"]', '01a1e2f4-ba68-7000-9812-20c2c7216573');
INSERT INTO public.apps VALUES (1, '01a1e2f4-bc90-7000-9c7a-7fad8be734bb', '["01a1e2f4-ab01-7000-923a-e732a70da9de","desk-ui"]', 3, '01a1e2f4-ab01-7000-923a-e732a70da9de', '01a1e2f4-ba68-7000-9812-20c2c7216573', NULL, '{"id":"01a1e2f4-bc90-7000-9c7a-7fad8be734bb","name":"desk-ui","environment_id":"01a1e2f4-ab01-7000-923a-e732a70da9de","description":"","agent_id":"01a1e2f4-ba68-7000-9812-20c2c7216573","source_path":"tiny","desired_state":"running","observed_state":"running","message":null,"created_at":"2026-11-16T06:04:12.304Z","updated_at":"2026-11-16T06:04:15.211Z","created_by":"internal-service","updated_by":"internal-service"}', NULL);
INSERT INTO public.automations VALUES (1, '01a1e2f4-b642-7000-9740-ff507bf57631', '["released"]', 1, NULL, NULL, NULL, '{"id":"01a1e2f4-b642-7000-9740-ff507bf57631","alias":"released","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false},"design_content_hash":"sha256:55d4759299b97568c44877c55f7645ce01dc1dbd8445f51cef4994f8f05e77b3","created_at":"2026-11-16T06:04:10.580Z","updated_at":"2026-11-16T06:04:10.580Z","created_by":"internal-service","updated_by":null}', NULL);
INSERT INTO public.automations VALUES (2, '01a1e2f4-b714-7000-8d25-fffcb5af15d4', '["released-paused"]', 1, NULL, NULL, NULL, '{"id":"01a1e2f4-b714-7000-8d25-fffcb5af15d4","alias":"released-paused","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false},"design_content_hash":"sha256:a80cc8296502c3e610ce2abc35b26bb811b0b7bc2a55c3be6365609fad28279f","created_at":"2026-11-16T06:04:10.894Z","updated_at":"2026-11-16T06:04:10.894Z","created_by":"internal-service","updated_by":null}', NULL);
INSERT INTO public.automations VALUES (3, '01a1e2f4-b7ce-7000-a28c-03c929d76000', '["released-changed"]', 2, NULL, NULL, NULL, '{"id":"01a1e2f4-b7ce-7000-a28c-03c929d76000","alias":"released-changed","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 2","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false},"design_content_hash":"sha256:b7f3816bbcb34a86e9e812ea4786f0eb68f911da5ea40ab49a7a1c37718a0ac4","created_at":"2026-11-16T06:04:11.073Z","updated_at":"2026-11-16T06:04:11.464Z","created_by":"internal-service","updated_by":"internal-service"}', NULL);
INSERT INTO public.connectors VALUES (2, '01a1e2f4-b422-7000-993b-0ff3dc3703b3', '["referring"]', 1, '01a1e2f4-ab01-7000-923a-e732a70da9de', NULL, NULL, '{"id":"01a1e2f4-b422-7000-993b-0ff3dc3703b3","name":"referring","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"Bearer {{secrets/shop/api-key}}"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"active","git_commit_id":null,"git_branch":null,"workflow_id":"connector-01a1e2f4-b422-7000-993b-0ff3dc3703b3","artifacts_path":null,"error_message":null,"created_at":"2026-11-16T06:04:10.146Z","updated_at":"2026-11-16T06:04:10.146Z","created_by":"ada@example.test","updated_by":null,"datasets":[{"id":"01a1e2f4-b422-7001-8a11-31169bced7bd","connector_id":"01a1e2f4-b422-7000-993b-0ff3dc3703b3","source_dataset":"referring","target_name":"referring","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-16T06:04:10.146Z","created_by":"internal-service"}]}', NULL);
INSERT INTO public.connectors VALUES (3, '01a1e2f4-b4b4-7000-ad19-8d0972910bbf', '["paused"]', 2, '01a1e2f4-ab01-7000-923a-e732a70da9de', NULL, NULL, '{"id":"01a1e2f4-b4b4-7000-ad19-8d0972910bbf","name":"paused","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"********"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"paused","git_commit_id":null,"git_branch":null,"workflow_id":"connector-01a1e2f4-b4b4-7000-ad19-8d0972910bbf","artifacts_path":null,"error_message":null,"created_at":"2026-11-16T06:04:10.292Z","updated_at":"2026-11-16T06:04:10.369Z","created_by":"ada@example.test","updated_by":"internal-service","datasets":[{"id":"01a1e2f4-b4b4-7001-964a-aaeab48cf623","connector_id":"01a1e2f4-b4b4-7000-ad19-8d0972910bbf","source_dataset":"paused","target_name":"paused","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-16T06:04:10.292Z","created_by":"internal-service"}]}', 'Kpvw4OIpfCQnl4i7vM2LdhWDRuou8WiCrlxCISPBK3TatKZeZoyyDkHjYyLt1wLgpR9vC1SYVLr7ZiZJ2ODLPSJEpj+OUsTj+d9udYuaFrNfZAmZz5J3CxT/3l3LXnyaSv3rZ/VTAXCAD1WhCkWoVcsb');
INSERT INTO public.connectors VALUES (1, '01a1e2f4-b3b4-7000-9872-2d318b1c5e19', '["inline"]', 2, '01a1e2f4-ab01-7000-923a-e732a70da9de', NULL, NULL, '{"id":"01a1e2f4-b3b4-7000-9872-2d318b1c5e19","name":"inline","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"********"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"active","git_commit_id":null,"git_branch":"main","workflow_id":"connector-01a1e2f4-b3b4-7000-9872-2d318b1c5e19","artifacts_path":null,"error_message":null,"created_at":"2026-11-16T06:04:10.036Z","updated_at":"2026-11-16T06:04:10.476Z","created_by":"ada@example.test","updated_by":"internal-service","datasets":[{"id":"01a1e2f4-b3b4-7001-a415-5b6e346ecafb","connector_id":"01a1e2f4-b3b4-7000-9872-2d318b1c5e19","source_dataset":"inline","target_name":"inline","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-16T06:04:10.036Z","created_by":"internal-service"}]}', 'hRN25w9j5F1ImT2U6r/ZE/P9KZ4MtesAQUxLUBnXnBDT/r2r5zDZXURBv8RDuJIg1fi8v/COSe8FSIPFXKCUfJxh7t1TUbrtaXkDbLUpwW1xA5GfPfsOUHr9K1scHnOzGrSZIQIxpC+nAf+QXSCDvk5Y7QVNG0BumJnIX1knb7U=');
INSERT INTO public.cursors VALUES ('chat', 0);
INSERT INTO public.deployment_counts VALUES ('01a1e2f4-ab01-7000-923a-e732a70da9de', 'pending', 0);
INSERT INTO public.deployment_counts VALUES ('01a1e2f4-ab01-7000-923a-e732a70da9de', 'succeeded', 4);
INSERT INTO public.deployment_log VALUES ('01a1e2f4-c85b-7000-b76b-22c7829ba337', 1, '"uploading\n"');
INSERT INTO public.deployments VALUES (1, '01a1e2f4-b66e-7001-b194-d7d5c272293f', '["2026-11-16T06:04:10.720Z","01a1e2f4-b66e-7001-b194-d7d5c272293f"]', 1, '01a1e2f4-ab01-7000-923a-e732a70da9de', NULL, 'succeeded', '{"id":"01a1e2f4-b66e-7001-b194-d7d5c272293f","deployment_name":"released 1.0.0","environment_id":"01a1e2f4-ab01-7000-923a-e732a70da9de","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T06:04:10.720Z","started_at":"2026-11-16T06:04:10.720Z","completed_at":"2026-11-16T06:04:10.720Z","initiated_by":"internal-service","error_message":null}', NULL);
INSERT INTO public.deployments VALUES (2, '01a1e2f4-b72b-7001-8e48-0f99ef8eb042', '["2026-11-16T06:04:10.916Z","01a1e2f4-b72b-7001-8e48-0f99ef8eb042"]', 1, '01a1e2f4-ab01-7000-923a-e732a70da9de', NULL, 'succeeded', '{"id":"01a1e2f4-b72b-7001-8e48-0f99ef8eb042","deployment_name":"released-paused 1.0.0","environment_id":"01a1e2f4-ab01-7000-923a-e732a70da9de","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T06:04:10.916Z","started_at":"2026-11-16T06:04:10.916Z","completed_at":"2026-11-16T06:04:10.916Z","initiated_by":"internal-service","error_message":null}', NULL);
INSERT INTO public.deployments VALUES (3, '01a1e2f4-b820-7000-84c1-abaae71ddb04', '["2026-11-16T06:04:11.137Z","01a1e2f4-b820-7000-84c1-abaae71ddb04"]', 1, '01a1e2f4-ab01-7000-923a-e732a70da9de', NULL, 'succeeded', '{"id":"01a1e2f4-b820-7000-84c1-abaae71ddb04","deployment_name":"released-changed 1.0.0","environment_id":"01a1e2f4-ab01-7000-923a-e732a70da9de","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T06:04:11.137Z","started_at":"2026-11-16T06:04:11.137Z","completed_at":"2026-11-16T06:04:11.137Z","initiated_by":"internal-service","error_message":null}', NULL);
INSERT INTO public.deployments VALUES (4, '01a1e2f4-c85b-7000-b76b-22c7829ba337', '["2026-11-16T06:04:15.365Z","01a1e2f4-c85b-7000-b76b-22c7829ba337"]', 2, '01a1e2f4-ab01-7000-923a-e732a70da9de', NULL, 'succeeded', '{"id":"01a1e2f4-c85b-7000-b76b-22c7829ba337","deployment_name":"orders 1.0.0","environment_id":"01a1e2f4-ab01-7000-923a-e732a70da9de","git_branch":"main","git_commit_sha":"","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T06:04:15.323Z","started_at":null,"completed_at":"2026-11-16T06:04:15.365Z","initiated_by":"internal-service","error_message":null}', NULL);
INSERT INTO public.environments VALUES (1, '01a1e2f4-a773-7000-8d97-cdcb78f0916f', '["local"]', 1, NULL, NULL, NULL, '{"id":"01a1e2f4-a773-7000-8d97-cdcb78f0916f","name":"local","description":"Created at the first start","protected":false,"platform":"embedded","gitProvider":null,"gitRepository":null,"targetGitBranch":null,"secretScope":null,"dataPlatformClientIdKey":null,"dataPlatformClientSecretKey":null,"configuration":{},"isActive":true,"createdAt":"2026-11-16T06:04:06.865Z","updatedAt":"2026-11-16T06:04:06.865Z","createdBy":"lakehelm","updatedBy":null}', NULL);
INSERT INTO public.environments VALUES (2, '01a1e2f4-ab01-7000-923a-e732a70da9de', '["prod"]', 1, NULL, NULL, NULL, '{"id":"01a1e2f4-ab01-7000-923a-e732a70da9de","name":"prod","description":null,"protected":false,"platform":"embedded","gitProvider":null,"gitRepository":null,"targetGitBranch":null,"secretScope":null,"dataPlatformClientIdKey":null,"dataPlatformClientSecretKey":null,"configuration":{"timezone":"Europe/Berlin"},"isActive":true,"createdAt":"2026-11-16T06:04:07.807Z","updatedAt":"2026-11-16T06:04:07.807Z","createdBy":"internal-service","updatedBy":null}', NULL);
INSERT INTO public.event_head VALUES (1, 43, '00ivf_BPusPdvUT8RkG-WgP684PxoS0AgPEoO9L2l5s', 'F1TggiL8YDgZ9plrb1gvKUi18ivUvWtSciwtdkUQKcQ');
INSERT INTO public.events VALUES (1, '01a1e2f4-a774-7000-b000-f966dd63079d', 'environment.created', 'environment/01a1e2f4-a773-7000-8d97-cdcb78f0916f', '{"id":"01a1e2f4-a774-7000-b000-f966dd63079d","time":"2026-11-16T06:04:06.865Z","actor":"lakehelm","request_id":null,"kind":"environment.created","subject":"environment/01a1e2f4-a773-7000-8d97-cdcb78f0916f","data":{"name":"local","platform":"embedded"}}', 'NgDQBRhb5Y-Eg5FJ3iFytrnGZGJdJAeOBgNFxKpCTeA');
INSERT INTO public.events VALUES (2, '01a1e2f4-ab01-7001-bf1f-47804479389e', 'environment.created', 'environment/01a1e2f4-ab01-7000-923a-e732a70da9de', '{"id":"01a1e2f4-ab01-7001-bf1f-47804479389e","time":"2026-11-16T06:04:07.807Z","actor":"internal-service","request_id":"01a1e2f4-aae9-7000-947b-980adf1ccbd3","kind":"environment.created","subject":"environment/01a1e2f4-ab01-7000-923a-e732a70da9de","data":{"name":"prod","platform":"embedded"}}', 'BXYcxtbUhBNfAjMFJZStClbuZnfJ-aJ6VX9Zjg4Hvpk');
INSERT INTO public.events VALUES (3, '01a1e2f4-b326-7000-a7ff-9e7e93ef9209', 'user.created', 'user/01a1e2f4-ab69-7000-8746-9813d00aff10', '{"id":"01a1e2f4-b326-7000-a7ff-9e7e93ef9209","time":"2026-11-16T06:04:07.911Z","actor":"internal-service","request_id":"01a1e2f4-ab5a-7000-a22d-6460e25794ab","kind":"user.created","subject":"user/01a1e2f4-ab69-7000-8746-9813d00aff10","data":{"id":"01a1e2f4-ab69-7000-8746-9813d00aff10","username":"ada@example.test","role":"operator","active":true,"created_at":"2026-11-16T06:04:07.911Z","updated_at":"2026-11-16T06:04:07.911Z","created_by":"internal-service"}}', 'uMns-YsUwuP2uoR9BaDer52U376BKlz3bkvNy28UTuw');
INSERT INTO public.events VALUES (4, '01a1e2f4-b371-7001-8e55-6578cf01bcb6', 'token.created', 'token/01a1e2f4-b371-7000-b7fe-b271b91cff9b', '{"id":"01a1e2f4-b371-7001-8e55-6578cf01bcb6","time":"2026-11-16T06:04:09.954Z","actor":"internal-service","request_id":"01a1e2f4-b361-7000-9d44-1a9e6a3a5860","kind":"token.created","subject":"token/01a1e2f4-b371-7000-b7fe-b271b91cff9b","data":{"id":"01a1e2f4-b371-7000-b7fe-b271b91cff9b","username":"ada@example.test","comment":"fixture","created_at":"2026-11-16T06:04:09.954Z","expires_at":null,"created_by":"internal-service"}}', '7QML60TrvCUZTtfyuMbZ-ZrJJt893of04TnQm7wPmGo');
INSERT INTO public.events VALUES (5, '01a1e2f4-b39c-7000-b7db-79840944bf1e', 'secret.stored', 'secret/01a1e2f4-ab01-7000-923a-e732a70da9de/shop/api-key', '{"id":"01a1e2f4-b39c-7000-b7db-79840944bf1e","time":"2026-11-16T06:04:10.000Z","actor":"internal-service","request_id":"01a1e2f4-b38b-7000-a5a8-0518c6618d25","kind":"secret.stored","subject":"secret/01a1e2f4-ab01-7000-923a-e732a70da9de/shop/api-key","data":{"environment_id":"01a1e2f4-ab01-7000-923a-e732a70da9de","scope":"shop","key":"api-key"}}', '-CMaIERlJK-1obqE2RzL13WgWxxMvYWNsLd_OwesDiI');
INSERT INTO public.events VALUES (6, '01a1e2f4-b3bf-7000-9713-87b01f28cb73', 'connector.created', 'connector/01a1e2f4-b3b4-7000-9872-2d318b1c5e19', '{"id":"01a1e2f4-b3bf-7000-9713-87b01f28cb73","time":"2026-11-16T06:04:10.036Z","actor":"internal-service","request_id":"01a1e2f4-b3b0-7000-b514-dbae1baf2686","kind":"connector.created","subject":"connector/01a1e2f4-b3b4-7000-9872-2d318b1c5e19","data":{"name":"inline","environment_id":"01a1e2f4-ab01-7000-923a-e732a70da9de","target_type":"warehouse","status":"active"}}', 'zTanY1gAMiKvpNKAU2ckx9PESAJh-X-lNXzRR1NM_xs');
INSERT INTO public.events VALUES (7, '01a1e2f4-b453-7000-b60d-604c5a0a4add', 'connector.created', 'connector/01a1e2f4-b422-7000-993b-0ff3dc3703b3', '{"id":"01a1e2f4-b453-7000-b60d-604c5a0a4add","time":"2026-11-16T06:04:10.146Z","actor":"internal-service","request_id":"01a1e2f4-b420-7000-acb9-6568ed84464e","kind":"connector.created","subject":"connector/01a1e2f4-b422-7000-993b-0ff3dc3703b3","data":{"name":"referring","environment_id":"01a1e2f4-ab01-7000-923a-e732a70da9de","target_type":"warehouse","status":"active"}}', 'Y-PJuhG1WEscXiWIx_E_6iI8gy6BxCvduw9avm4VXdU');
INSERT INTO public.events VALUES (8, '01a1e2f4-b4b4-7003-a9b7-5fb0fce8476c', 'connector.created', 'connector/01a1e2f4-b4b4-7000-ad19-8d0972910bbf', '{"id":"01a1e2f4-b4b4-7003-a9b7-5fb0fce8476c","time":"2026-11-16T06:04:10.292Z","actor":"internal-service","request_id":"01a1e2f4-b49e-7000-96b5-2639c30d3cb7","kind":"connector.created","subject":"connector/01a1e2f4-b4b4-7000-ad19-8d0972910bbf","data":{"name":"paused","environment_id":"01a1e2f4-ab01-7000-923a-e732a70da9de","target_type":"warehouse","status":"active"}}', 'hlPA8otSuHPvjWyf92eN1J1ftrrCoErtAVOF-pFUboQ');
INSERT INTO public.events VALUES (9, '01a1e2f4-b520-7001-9376-733a818ee636', 'connector.paused', 'connector/01a1e2f4-b4b4-7000-ad19-8d0972910bbf', '{"id":"01a1e2f4-b520-7001-9376-733a818ee636","time":"2026-11-16T06:04:10.369Z","actor":"internal-service","request_id":"01a1e2f4-b4fb-7000-968a-ab9b0d98de35","kind":"connector.paused","subject":"connector/01a1e2f4-b4b4-7000-ad19-8d0972910bbf","data":{"name":"paused","reason":"holiday","until":null}}', 'aDsBGV6p-JdkEMuGpM7qVUq47ULtv14lEK-uTGL3wiM');
INSERT INTO public.events VALUES (10, '01a1e2f4-b58b-7001-ae5f-03c32098e024', 'connector.updated', 'connector/01a1e2f4-b3b4-7000-9872-2d318b1c5e19', '{"id":"01a1e2f4-b58b-7001-ae5f-03c32098e024","time":"2026-11-16T06:04:10.476Z","actor":"internal-service","request_id":"01a1e2f4-b56c-7000-a659-729a9ff908b9","kind":"connector.updated","subject":"connector/01a1e2f4-b3b4-7000-9872-2d318b1c5e19","data":{"name":"inline","fields":["git_branch"]}}', 'dm0s2_oGN_4Qh4b9UEluQnBj57j3g5Ay_jRlXY6axt4');
INSERT INTO public.events VALUES (11, '01a1e2f4-b643-7000-8c33-a7574425e42c', 'automation.created', 'automation/01a1e2f4-b642-7000-9740-ff507bf57631', '{"id":"01a1e2f4-b643-7000-8c33-a7574425e42c","time":"2026-11-16T06:04:10.580Z","actor":"internal-service","request_id":"01a1e2f4-b5d3-7000-9a05-5c56a316aa5a","kind":"automation.created","subject":"automation/01a1e2f4-b642-7000-9740-ff507bf57631","data":{"alias":"released","design_content_hash":"sha256:55d4759299b97568c44877c55f7645ce01dc1dbd8445f51cef4994f8f05e77b3"}}', '6CGcJucLFL7I8-Fd5HNKyXv3-NcbINmwjFh5e8pw6XQ');
INSERT INTO public.events VALUES (12, '01a1e2f4-b674-7000-a149-fc05f51ecdf2', 'deployment.recorded', 'deployment/01a1e2f4-b66e-7001-b194-d7d5c272293f', '{"id":"01a1e2f4-b674-7000-a149-fc05f51ecdf2","time":"2026-11-16T06:04:10.720Z","actor":"internal-service","request_id":"01a1e2f4-b660-7000-b4fe-821a8d9bffd8","kind":"deployment.recorded","subject":"deployment/01a1e2f4-b66e-7001-b194-d7d5c272293f","data":{"deployment_name":"released 1.0.0","environment_id":"01a1e2f4-ab01-7000-923a-e732a70da9de","status":"succeeded"}}', 'M4aKj0oA4PDtnklFAIEooxUFuuuVIDFBmQxKmGzSjlk');
INSERT INTO public.events VALUES (13, '01a1e2f4-b674-7001-8aa3-26ac42d19d66', 'automation.release_activated', 'automation/01a1e2f4-b642-7000-9740-ff507bf57631', '{"id":"01a1e2f4-b674-7001-8aa3-26ac42d19d66","time":"2026-11-16T06:04:10.720Z","actor":"internal-service","request_id":"01a1e2f4-b660-7000-b4fe-821a8d9bffd8","kind":"automation.release_activated","subject":"automation/01a1e2f4-b642-7000-9740-ff507bf57631","data":{"release_id":"01a1e2f4-b66b-7000-a717-45366282a38e","environment_id":"01a1e2f4-ab01-7000-923a-e732a70da9de","version":"1.0.0","replaced":null}}', 'rLm1FxPQp11fBCTx-BlRoZiADvpz5JCVcVHW9rd7p7c');
INSERT INTO public.events VALUES (14, '01a1e2f4-b6ec-7000-8ba5-c0a8a04f7319', 'environment.reconciled', 'environment/01a1e2f4-ab01-7000-923a-e732a70da9de', '{"id":"01a1e2f4-b6ec-7000-8ba5-c0a8a04f7319","time":"2026-11-16T06:04:10.720Z","actor":"internal-service","request_id":"01a1e2f4-b660-7000-b4fe-821a8d9bffd8","kind":"environment.reconciled","subject":"environment/01a1e2f4-ab01-7000-923a-e732a70da9de","data":{}}', '-TBW96jXG5xfIY8HTnQyfm1rZCd4tKaEQN6nzuxe460');
INSERT INTO public.events VALUES (27, '01a1e2f4-baae-7000-9755-61661ba22482', 'agent.created', 'agent/01a1e2f4-ba68-7000-9812-20c2c7216573', '{"id":"01a1e2f4-baae-7000-9755-61661ba22482","time":"2026-11-16T06:04:11.752Z","actor":"internal-service","request_id":"01a1e2f4-ba67-7000-af3c-36beb18a9980","kind":"agent.created","subject":"agent/01a1e2f4-ba68-7000-9812-20c2c7216573","data":{"name":"desk","aliases":["orders-bot"]}}', '5Ae8rp3iXA9GKrhjFQ6Am_OSII5Qs9fd07jBDXLW0VE');
INSERT INTO public.events VALUES (15, '01a1e2f4-b714-7001-9691-c96a05a80661', 'automation.created', 'automation/01a1e2f4-b714-7000-8d25-fffcb5af15d4', '{"id":"01a1e2f4-b714-7001-9691-c96a05a80661","time":"2026-11-16T06:04:10.894Z","actor":"internal-service","request_id":"01a1e2f4-b70d-7000-98d7-2603ea893adf","kind":"automation.created","subject":"automation/01a1e2f4-b714-7000-8d25-fffcb5af15d4","data":{"alias":"released-paused","design_content_hash":"sha256:a80cc8296502c3e610ce2abc35b26bb811b0b7bc2a55c3be6365609fad28279f"}}', 'aPp7AyRURi1vV6ZqzSWjfvtWFqPfAGA4-9-V6g3pOoI');
INSERT INTO public.events VALUES (16, '01a1e2f4-b72c-7000-85a1-31c4e1d2a92c', 'deployment.recorded', 'deployment/01a1e2f4-b72b-7001-8e48-0f99ef8eb042', '{"id":"01a1e2f4-b72c-7000-85a1-31c4e1d2a92c","time":"2026-11-16T06:04:10.916Z","actor":"internal-service","request_id":"01a1e2f4-b724-7000-9799-13951225a0fc","kind":"deployment.recorded","subject":"deployment/01a1e2f4-b72b-7001-8e48-0f99ef8eb042","data":{"deployment_name":"released-paused 1.0.0","environment_id":"01a1e2f4-ab01-7000-923a-e732a70da9de","status":"succeeded"}}', 'GbGr-h3dnQfcJ_COBHrhcvCeJxw0RBGpp0dZejX6yak');
INSERT INTO public.events VALUES (17, '01a1e2f4-b72c-7001-8651-d6b6d7ba49ff', 'automation.release_activated', 'automation/01a1e2f4-b714-7000-8d25-fffcb5af15d4', '{"id":"01a1e2f4-b72c-7001-8651-d6b6d7ba49ff","time":"2026-11-16T06:04:10.916Z","actor":"internal-service","request_id":"01a1e2f4-b724-7000-9799-13951225a0fc","kind":"automation.release_activated","subject":"automation/01a1e2f4-b714-7000-8d25-fffcb5af15d4","data":{"release_id":"01a1e2f4-b728-7000-bd47-0abb0686853a","environment_id":"01a1e2f4-ab01-7000-923a-e732a70da9de","version":"1.0.0","replaced":null}}', 'zjrI9OVgbWED8feuGoCFOCp8vm03bbnK16Mfd1RLpsg');
INSERT INTO public.events VALUES (18, '01a1e2f4-b7a4-7000-8d38-baf6203747cd', 'environment.reconciled', 'environment/01a1e2f4-ab01-7000-923a-e732a70da9de', '{"id":"01a1e2f4-b7a4-7000-8d38-baf6203747cd","time":"2026-11-16T06:04:10.916Z","actor":"internal-service","request_id":"01a1e2f4-b724-7000-9799-13951225a0fc","kind":"environment.reconciled","subject":"environment/01a1e2f4-ab01-7000-923a-e732a70da9de","data":{}}', '3mmd4jI5ul41hQ9ioncoIWRr9Y_7X_BfAhaj6gd_BEU');
INSERT INTO public.events VALUES (19, '01a1e2f4-b7ce-7001-9f57-92aba38cce3b', 'automation.created', 'automation/01a1e2f4-b7ce-7000-a28c-03c929d76000', '{"id":"01a1e2f4-b7ce-7001-9f57-92aba38cce3b","time":"2026-11-16T06:04:11.073Z","actor":"internal-service","request_id":"01a1e2f4-b7c1-7000-9e49-e3133ddb2820","kind":"automation.created","subject":"automation/01a1e2f4-b7ce-7000-a28c-03c929d76000","data":{"alias":"released-changed","design_content_hash":"sha256:e4dcac0f42bc4f980a1a4c48e564471eff45509ec79450c25860a57263812d05"}}', 'Otvjr5RVmYW7AQnXSr02Nb60cSQlkcjK7y2sCGkhXCM');
INSERT INTO public.events VALUES (20, '01a1e2f4-b820-7002-90c0-5c26d6060540', 'deployment.recorded', 'deployment/01a1e2f4-b820-7000-84c1-abaae71ddb04', '{"id":"01a1e2f4-b820-7002-90c0-5c26d6060540","time":"2026-11-16T06:04:11.137Z","actor":"internal-service","request_id":"01a1e2f4-b800-7000-bafd-fadfbe6b46e6","kind":"deployment.recorded","subject":"deployment/01a1e2f4-b820-7000-84c1-abaae71ddb04","data":{"deployment_name":"released-changed 1.0.0","environment_id":"01a1e2f4-ab01-7000-923a-e732a70da9de","status":"succeeded"}}', 't7yAp-94lOR-GaMjF77Aahs5cqRPQuJA7vcv2p0LGuc');
INSERT INTO public.events VALUES (21, '01a1e2f4-b820-7003-9887-252dc0ec01ec', 'automation.release_activated', 'automation/01a1e2f4-b7ce-7000-a28c-03c929d76000', '{"id":"01a1e2f4-b820-7003-9887-252dc0ec01ec","time":"2026-11-16T06:04:11.137Z","actor":"internal-service","request_id":"01a1e2f4-b800-7000-bafd-fadfbe6b46e6","kind":"automation.release_activated","subject":"automation/01a1e2f4-b7ce-7000-a28c-03c929d76000","data":{"release_id":"01a1e2f4-b81d-7000-b132-226176aac3f1","environment_id":"01a1e2f4-ab01-7000-923a-e732a70da9de","version":"1.0.0","replaced":null}}', 'WBg27E2zBDp9pxPUSTw7cfe6IRqEsuGxB-dBdeYt99g');
INSERT INTO public.events VALUES (22, '01a1e2f4-b8be-7000-85a5-98032c9ee52a', 'environment.reconciled', 'environment/01a1e2f4-ab01-7000-923a-e732a70da9de', '{"id":"01a1e2f4-b8be-7000-85a5-98032c9ee52a","time":"2026-11-16T06:04:11.137Z","actor":"internal-service","request_id":"01a1e2f4-b800-7000-bafd-fadfbe6b46e6","kind":"environment.reconciled","subject":"environment/01a1e2f4-ab01-7000-923a-e732a70da9de","data":{}}', 'deNJXQ7UlKhL915wUIdUQArXAERcgwFjdjZtEzlLYX4');
INSERT INTO public.events VALUES (23, '01a1e2f4-b8f3-7001-9228-e3ff55da9bb1', 'automation.schedule_paused', 'automation/01a1e2f4-b714-7000-8d25-fffcb5af15d4', '{"id":"01a1e2f4-b8f3-7001-9228-e3ff55da9bb1","time":"2026-11-16T06:04:11.352Z","actor":"internal-service","request_id":"01a1e2f4-b8d8-7000-9b46-b2bb82db84e8","kind":"automation.schedule_paused","subject":"automation/01a1e2f4-b714-7000-8d25-fffcb5af15d4","data":{"release_id":"01a1e2f4-b728-7000-bd47-0abb0686853a","environment_id":"01a1e2f4-ab01-7000-923a-e732a70da9de","version":"1.0.0","reason":"holiday","until":null}}', 'ijqrvSJdTwm-16_676C37upTMEpSCXhvGOOdIqAJnR8');
INSERT INTO public.events VALUES (24, '01a1e2f4-b965-7000-8e26-8775b9769c4a', 'automation.definition_set', 'automation/01a1e2f4-b7ce-7000-a28c-03c929d76000', '{"id":"01a1e2f4-b965-7000-8e26-8775b9769c4a","time":"2026-11-16T06:04:11.464Z","actor":"internal-service","request_id":"01a1e2f4-b947-7000-8561-3d5e64cff1f5","kind":"automation.definition_set","subject":"automation/01a1e2f4-b7ce-7000-a28c-03c929d76000","data":{"alias":"released-changed","design_content_hash":"sha256:b7f3816bbcb34a86e9e812ea4786f0eb68f911da5ea40ab49a7a1c37718a0ac4"}}', 'LBWJ6b5LXN-KRrMl1np18xzvMw_LTaH8DT7YbA1WNFc');
INSERT INTO public.events VALUES (25, '01a1e2f4-ba03-7000-81f3-01e73ffc39a9', 'file.written', 'file/01a1e2f4-ab01-7000-923a-e732a70da9de/pipelines/numbers.sql', '{"id":"01a1e2f4-ba03-7000-81f3-01e73ffc39a9","time":"2026-11-16T06:04:11.525Z","actor":"internal-service","request_id":"01a1e2f4-b983-7000-a203-2744fc5dab56","kind":"file.written","subject":"file/01a1e2f4-ab01-7000-923a-e732a70da9de/pipelines/numbers.sql","data":{"environment_id":"01a1e2f4-ab01-7000-923a-e732a70da9de","path":"pipelines/numbers.sql","size":51,"sha256":"b0bf44b639804f1839a1927e097d46337d4fc58b70b6448f3bb019cef234fa17"}}', '0Xkjh-krUMngjFET6kUe0oooH6l8rYjXlm_wJfGjCAo');
INSERT INTO public.events VALUES (26, '01a1e2f4-ba2b-7000-aa2b-6fcc2f14cef7', 'pipeline.created', 'pipeline/01a1e2f4-ba21-7000-a410-289bb00bf208', '{"id":"01a1e2f4-ba2b-7000-aa2b-6fcc2f14cef7","time":"2026-11-16T06:04:11.681Z","actor":"internal-service","request_id":"01a1e2f4-ba1b-7000-9c35-a0247dfb65c0","kind":"pipeline.created","subject":"pipeline/01a1e2f4-ba21-7000-a410-289bb00bf208","data":{"name":"numbers","environment_id":"01a1e2f4-ab01-7000-923a-e732a70da9de"}}', 'ToW_yofCDPDjCvhWv24UPfiIvdy1Nq4Nn8-nekbMSy4');
INSERT INTO public.events VALUES (28, '01a1e2f4-bae7-7000-b9d1-82183b1a7091', 'file.written', 'file/01a1e2f4-ab01-7000-923a-e732a70da9de/tiny/app.yaml', '{"id":"01a1e2f4-bae7-7000-b9d1-82183b1a7091","time":"2026-11-16T06:04:11.851Z","actor":"internal-service","request_id":"01a1e2f4-bac4-7000-8c39-74e45fa9e9ad","kind":"file.written","subject":"file/01a1e2f4-ab01-7000-923a-e732a70da9de/tiny/app.yaml","data":{"environment_id":"01a1e2f4-ab01-7000-923a-e732a70da9de","path":"tiny/app.yaml","size":25,"sha256":"161d49cab793e4e16c959370ac0ef0283a37471131f8f1ce0f6cbd77067c181a"}}', '14Wg48rnhQ99sRU_h7tjuUjjOYFT8bchPYpdtQii0n8');
INSERT INTO public.events VALUES (33, '01a1e2f4-bcb6-7000-8a71-9abe0ed2a507', 'app.created', 'app/01a1e2f4-bc90-7000-9c7a-7fad8be734bb', '{"id":"01a1e2f4-bcb6-7000-8a71-9abe0ed2a507","time":"2026-11-16T06:04:12.304Z","actor":"internal-service","request_id":"01a1e2f4-bc88-7000-bd2a-89305be3c2c5","kind":"app.created","subject":"app/01a1e2f4-bc90-7000-9c7a-7fad8be734bb","data":{"name":"desk-ui","environment_id":"01a1e2f4-ab01-7000-923a-e732a70da9de","agent_id":"01a1e2f4-ba68-7000-9812-20c2c7216573"}}', 'tndKFM5-X9hJLF2omY1fwxm3d0tXWOewk45O-uduVFA');
INSERT INTO public.events VALUES (29, '01a1e2f4-bb5b-7000-92ea-2b7db6cb64ce', 'file.written', 'file/01a1e2f4-ab01-7000-923a-e732a70da9de/tiny/app.mjs', '{"id":"01a1e2f4-bb5b-7000-92ea-2b7db6cb64ce","time":"2026-11-16T06:04:11.916Z","actor":"internal-service","request_id":"01a1e2f4-bb04-7000-80d7-03482d7084d2","kind":"file.written","subject":"file/01a1e2f4-ab01-7000-923a-e732a70da9de/tiny/app.mjs","data":{"environment_id":"01a1e2f4-ab01-7000-923a-e732a70da9de","path":"tiny/app.mjs","size":154,"sha256":"42a29daadf6a0e247952089c44decb92d0f16169dfeeb9aa0956ff02f5cd7d93"}}', 'XKJ5XFtHRucReH__O7lzYYlwOXBy6LhV8fQoGudyYn8');
INSERT INTO public.events VALUES (30, '01a1e2f4-bbfc-7000-9dd3-a16cebc33a7c', 'agent.version_created', 'agent/01a1e2f4-ba68-7000-9812-20c2c7216573', '{"id":"01a1e2f4-bbfc-7000-9dd3-a16cebc33a7c","time":"2026-11-16T06:04:12.087Z","actor":"internal-service","request_id":"01a1e2f4-bbb7-7000-a7a6-0fd6d1b2ca5c","kind":"agent.version_created","subject":"agent/01a1e2f4-ba68-7000-9812-20c2c7216573","data":{"name":"desk","version":"1.0.0"}}', '9FE0XQQlEfkd3Yj0ZOpQa7h0-ruzn7Wpz-GvQYI_3gs');
INSERT INTO public.events VALUES (31, '01a1e2f4-bbfc-7001-a527-50918dd461ba', 'agent.release_activated', 'agent/01a1e2f4-ba68-7000-9812-20c2c7216573', '{"id":"01a1e2f4-bbfc-7001-a527-50918dd461ba","time":"2026-11-16T06:04:12.087Z","actor":"internal-service","request_id":"01a1e2f4-bbb7-7000-a7a6-0fd6d1b2ca5c","kind":"agent.release_activated","subject":"agent/01a1e2f4-ba68-7000-9812-20c2c7216573","data":{"name":"desk","environment_id":"01a1e2f4-ab01-7000-923a-e732a70da9de","version":"1.0.0"}}', 'rasvhtoDn1QvyK-am9FjOmDyFbgZXs7sN22Xd6DbX4Q');
INSERT INTO public.events VALUES (32, '01a1e2f4-bc4f-7000-8a15-99f0eaa1f37f', 'environment.reconciled', 'environment/01a1e2f4-ab01-7000-923a-e732a70da9de', '{"id":"01a1e2f4-bc4f-7000-8a15-99f0eaa1f37f","time":"2026-11-16T06:04:12.087Z","actor":"internal-service","request_id":"01a1e2f4-bbb7-7000-a7a6-0fd6d1b2ca5c","kind":"environment.reconciled","subject":"environment/01a1e2f4-ab01-7000-923a-e732a70da9de","data":{}}', 'UGQdKJjP8mfyHJte0jAMeqpp7kBXOO3d9IR9JHImn6M');
INSERT INTO public.events VALUES (34, '01a1e2f4-bd0f-7000-a300-7c03fbc08c47', 'agent.component_started', 'agent/01a1e2f4-ba68-7000-9812-20c2c7216573', '{"id":"01a1e2f4-bd0f-7000-a300-7c03fbc08c47","time":"2026-11-16T06:04:12.401Z","actor":"internal-service","request_id":"01a1e2f4-bcf1-7000-9486-180be6ea8217","kind":"agent.component_started","subject":"agent/01a1e2f4-ba68-7000-9812-20c2c7216573","data":{"name":"desk","environment_id":"01a1e2f4-ab01-7000-923a-e732a70da9de","component":"agent_endpoint","version":"1.0.0"}}', '6vVSMQttNl1M8WIl6GQ1VttgQybvYhtZtFnDyJqRru0');
INSERT INTO public.events VALUES (36, '01a1e2f4-c437-7000-97c3-c09c80905b13', 'app.started', 'app/01a1e2f4-bc90-7000-9c7a-7fad8be734bb', '{"id":"01a1e2f4-c437-7000-97c3-c09c80905b13","time":"2026-11-16T06:04:12.401Z","actor":"internal-service","request_id":"01a1e2f4-bcf1-7000-9486-180be6ea8217","kind":"app.started","subject":"app/01a1e2f4-bc90-7000-9c7a-7fad8be734bb","data":{"name":"desk-ui","environment_id":"01a1e2f4-ab01-7000-923a-e732a70da9de","observed_state":"pending"}}', 'mYzI-6yOThYXxheohHu6WRAsn0D5MFaNMCQXzC3yiIc');
INSERT INTO public.events VALUES (37, '01a1e2f4-c437-7001-923a-64919bb9ab1b', 'agent.ui_app_followed', 'agent/01a1e2f4-ba68-7000-9812-20c2c7216573', '{"id":"01a1e2f4-c437-7001-923a-64919bb9ab1b","time":"2026-11-16T06:04:12.401Z","actor":"internal-service","request_id":"01a1e2f4-bcf1-7000-9486-180be6ea8217","kind":"agent.ui_app_followed","subject":"agent/01a1e2f4-ba68-7000-9812-20c2c7216573","data":{"name":"desk","environment_id":"01a1e2f4-ab01-7000-923a-e732a70da9de","desired_state":"running","observed_state":"pending"}}', '7bOmypo1lpLbOE2jglZM8VEfDYNrqmXL4hzjiyIbClY');
INSERT INTO public.events VALUES (35, '01a1e2f4-c3bf-7000-b7d4-9c614fd3d6b8', 'agent.component_settled', 'agent/01a1e2f4-ba68-7000-9812-20c2c7216573', '{"id":"01a1e2f4-c3bf-7000-b7d4-9c614fd3d6b8","time":"2026-11-16T06:04:14.128Z","actor":"platform","request_id":null,"kind":"agent.component_settled","subject":"agent/01a1e2f4-ba68-7000-9812-20c2c7216573","data":{"environment_id":"01a1e2f4-ab01-7000-923a-e732a70da9de","component":"agent_endpoint","observed_state":"running","message":null}}', 'Gh1qbgMumzKJCYhbcTqvZt-dvwS6GQZJ5S2B266mTUk');
INSERT INTO public.events VALUES (38, '01a1e2f4-c81c-7000-96a9-7e9f70b28ae1', 'app.settled', 'app/01a1e2f4-bc90-7000-9c7a-7fad8be734bb', '{"id":"01a1e2f4-c81c-7000-96a9-7e9f70b28ae1","time":"2026-11-16T06:04:15.211Z","actor":"platform","request_id":null,"kind":"app.settled","subject":"app/01a1e2f4-bc90-7000-9c7a-7fad8be734bb","data":{"name":"desk-ui","observed_state":"running","message":null}}', 'EjhQJz0p_qRL7XC8m_CR-hPuftR53XYdoomPF9VuYAc');
INSERT INTO public.events VALUES (39, '01a1e2f4-c81c-7001-a8af-9b657530e60f', 'agent.ui_app_followed', 'agent/01a1e2f4-ba68-7000-9812-20c2c7216573', '{"id":"01a1e2f4-c81c-7001-a8af-9b657530e60f","time":"2026-11-16T06:04:15.211Z","actor":"platform","request_id":null,"kind":"agent.ui_app_followed","subject":"agent/01a1e2f4-ba68-7000-9812-20c2c7216573","data":{"name":"desk","environment_id":"01a1e2f4-ab01-7000-923a-e732a70da9de","desired_state":"running","observed_state":"running"}}', 'M8OoTnqm3dqoqE_cGL_ZnS29n0X--JPhRjFLKjns16c');
INSERT INTO public.events VALUES (40, '01a1e2f4-c85b-7001-a0cd-80bfcf80893a', 'deployment.created', 'deployment/01a1e2f4-c85b-7000-b76b-22c7829ba337', '{"id":"01a1e2f4-c85b-7001-a0cd-80bfcf80893a","time":"2026-11-16T06:04:15.323Z","actor":"internal-service","request_id":"01a1e2f4-c859-7000-b08b-b3fd0aba8c8d","kind":"deployment.created","subject":"deployment/01a1e2f4-c85b-7000-b76b-22c7829ba337","data":{"deployment_name":"orders 1.0.0","environment_id":"01a1e2f4-ab01-7000-923a-e732a70da9de","status":"pending"}}', 'Qlsd9iYgz2TEZBs3ihzFgM9HVJ4FORPmYfsUbMqiaZE');
INSERT INTO public.events VALUES (41, '01a1e2f4-c86f-7000-bfb9-430f4fa6c774', 'deployment.logged', 'deployment/01a1e2f4-c85b-7000-b76b-22c7829ba337', '{"id":"01a1e2f4-c86f-7000-bfb9-430f4fa6c774","time":"2026-11-16T06:04:15.342Z","actor":"internal-service","request_id":"01a1e2f4-c86d-7000-940f-a6fa213751a3","kind":"deployment.logged","subject":"deployment/01a1e2f4-c85b-7000-b76b-22c7829ba337","data":{"characters":10}}', 'hgqIX2ppXQQv_H8Zddg_svnEk7pVBrcAnaRDIvhZ3Gk');
INSERT INTO public.events VALUES (42, '01a1e2f4-c888-7000-8c0d-92d032cf0349', 'deployment.finished', 'deployment/01a1e2f4-c85b-7000-b76b-22c7829ba337', '{"id":"01a1e2f4-c888-7000-8c0d-92d032cf0349","time":"2026-11-16T06:04:15.365Z","actor":"internal-service","request_id":"01a1e2f4-c885-7000-aa5e-f45787eb9b53","kind":"deployment.finished","subject":"deployment/01a1e2f4-c85b-7000-b76b-22c7829ba337","data":{"deployment_name":"orders 1.0.0","environment_id":"01a1e2f4-ab01-7000-923a-e732a70da9de","status":"succeeded"}}', 'cFLjx9z2xTuELMth6N9b3q53p91eXy3aiKjFww-k0So');
INSERT INTO public.events VALUES (43, '01a1e2f4-c8bf-7000-a414-0fbe75c5f264', 'environment.reconciled', 'environment/01a1e2f4-ab01-7000-923a-e732a70da9de', '{"id":"01a1e2f4-c8bf-7000-a414-0fbe75c5f264","time":"2026-11-16T06:04:15.365Z","actor":"internal-service","request_id":"01a1e2f4-c885-7000-aa5e-f45787eb9b53","kind":"environment.reconciled","subject":"environment/01a1e2f4-ab01-7000-923a-e732a70da9de","data":{}}', '00ivf_BPusPdvUT8RkG-WgP684PxoS0AgPEoO9L2l5s');
INSERT INTO public.jobs VALUES ('connector-01a1e2f4-b422-7000-993b-0ff3dc3703b3', '01a1e2f4-ab01-7000-923a-e732a70da9de', 'connector', 'connector/01a1e2f4-b422-7000-993b-0ff3dc3703b3', '"referring"', '{"trigger":{"kind":"cron","cron":"0 6 1 1 *","timezone":"Europe/Berlin"},"attempts":3,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T05:00:00.000Z', '2026-11-16T06:04:10.194Z', '2026-11-16T06:04:10.194Z', 1, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('connector-01a1e2f4-b4b4-7000-ad19-8d0972910bbf', '01a1e2f4-ab01-7000-923a-e732a70da9de', 'connector', 'connector/01a1e2f4-b4b4-7000-ad19-8d0972910bbf', '"paused"', '{"trigger":{"kind":"cron","cron":"0 6 1 1 *","timezone":"Europe/Berlin"},"attempts":3,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', '{"by":"internal-service","at":"2026-11-16T06:04:10.369Z","reason":"holiday","until":null,"missed":0,"last_missed":null}', NULL, '{}', 0, NULL, '2027-01-01T05:00:00.000Z', '2026-11-16T06:04:10.292Z', '2026-11-16T06:04:10.292Z', 2, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('connector-01a1e2f4-b3b4-7000-9872-2d318b1c5e19', '01a1e2f4-ab01-7000-923a-e732a70da9de', 'connector', 'connector/01a1e2f4-b3b4-7000-9872-2d318b1c5e19', '"inline"', '{"trigger":{"kind":"cron","cron":"0 6 1 1 *","timezone":"Europe/Berlin"},"attempts":3,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T05:00:00.000Z', '2026-11-16T06:04:10.040Z', '2026-11-16T06:04:10.507Z', 2, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('automation-01a1e2f4-b642-7000-9740-ff507bf57631-01a1e2f4-ab01-7000-923a-e732a70da9de', '01a1e2f4-ab01-7000-923a-e732a70da9de', 'automation', 'automation/01a1e2f4-b642-7000-9740-ff507bf57631', '"released"', '{"trigger":{"kind":"cron","cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"attempts":20,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T06:00:00.000Z', '2026-11-16T06:04:10.734Z', '2026-11-16T06:04:10.734Z', 1, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('automation-01a1e2f4-b7ce-7000-a28c-03c929d76000-01a1e2f4-ab01-7000-923a-e732a70da9de', '01a1e2f4-ab01-7000-923a-e732a70da9de', 'automation', 'automation/01a1e2f4-b7ce-7000-a28c-03c929d76000', '"released-changed"', '{"trigger":{"kind":"cron","cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"attempts":20,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T06:00:00.000Z', '2026-11-16T06:04:11.167Z', '2026-11-16T06:04:11.167Z', 1, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('automation-01a1e2f4-b714-7000-8d25-fffcb5af15d4-01a1e2f4-ab01-7000-923a-e732a70da9de', '01a1e2f4-ab01-7000-923a-e732a70da9de', 'automation', 'automation/01a1e2f4-b714-7000-8d25-fffcb5af15d4', '"released-paused"', '{"trigger":{"kind":"cron","cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"attempts":20,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', '{"by":"internal-service","at":"2026-11-16T06:04:11.352Z","reason":"holiday","until":null,"missed":0,"last_missed":null}', NULL, '{}', 0, NULL, '2027-01-01T06:00:00.000Z', '2026-11-16T06:04:10.923Z', '2026-11-16T06:04:10.923Z', 2, '["lakehelm"]');
INSERT INTO public.jobs VALUES ('pipeline-01a1e2f4-ba21-7000-a410-289bb00bf208', '01a1e2f4-ab01-7000-923a-e732a70da9de', 'pipeline', 'pipeline/01a1e2f4-ba21-7000-a410-289bb00bf208', '"numbers"', '{"trigger":{"kind":"manual"},"attempts":3,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'manual', NULL, NULL, '{}', 0, NULL, NULL, '2026-11-16T06:04:11.682Z', '2026-11-16T06:04:11.682Z', 1, '["lakehelm"]');
INSERT INTO public.keyring VALUES ('fingerprint', 'keOT3fxHz_I6EV7EkRe8KYS2yBFU5Xa5yqF8SRI7QW0');
INSERT INTO public.keyring VALUES ('jwt', 'qXXLMfMKIY3/DxXRmD8oIgLb7XTRgz4Uxt7PvWKadxaxyjCbLVTDPAMKSkK7I0CC45vm/2aaqy5e5h76m8GwQf1DhN2kn6NF');
INSERT INTO public.keyring VALUES ('masking rules 2', '2026-11-16T06:04:06.516Z');
INSERT INTO public.keyring VALUES ('event anchor/01a1e2f4-a29b-7000-992b-cd23210c014a', 'written');
INSERT INTO public.keyring VALUES ('data folder', '01a1e2f4-a29b-7000-992b-cd23210c014a');
INSERT INTO public.overrides VALUES ('01a1e2f4-ab01-7000-923a-e732a70da9de', '01a1e2f4-b714-7000-8d25-fffcb5af15d4', '{"paused":true,"by":"internal-service","at":"2026-11-16T06:04:11.352Z","reason":"holiday","until":null}');
INSERT INTO public.pipelines VALUES (1, '01a1e2f4-ba21-7000-a410-289bb00bf208', '["01a1e2f4-ab01-7000-923a-e732a70da9de","numbers"]', 1, '01a1e2f4-ab01-7000-923a-e732a70da9de', NULL, NULL, '{"pipeline_id":"01a1e2f4-ba21-7000-a410-289bb00bf208","name":"numbers","libraries":[{"file":{"path":"pipelines/numbers.sql"}}],"configuration":{},"continuous":false,"development":false,"photon":false,"serverless":false,"channel":"CURRENT","edition":"ADVANCED","platform_managed":true,"environment_id":"01a1e2f4-ab01-7000-923a-e732a70da9de","tags":{"platform.managed_by":"lakehelm","platform.environment":"prod","platform.pipeline":"numbers"},"platform_reference":"pipeline-01a1e2f4-ba21-7000-a410-289bb00bf208","error_message":null,"created_at":"2026-11-16T06:04:11.681Z","updated_at":"2026-11-16T06:04:11.681Z","created_by":"internal-service","updated_by":null}', NULL);
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
INSERT INTO public.processes VALUES ('agent/01a1e2f4-ba68-7000-9812-20c2c7216573/01a1e2f4-ab01-7000-923a-e732a70da9de', '01a1e2f4-ab01-7000-923a-e732a70da9de', 'running', '{"deploy":"01a1e2f4-bd0c-7000-9c5a-c9a1c007cca8","name":"desk","sourcePath":"tiny","start":{"mark":"a56230f82247b70c.6db161763631babab582be4569d5c1e9","port":37751,"url":"http://127.0.0.1:34159","boot":"355cdeda-b6a0-47a4-908c-2e0ca1078aca","pid":17791,"began":"327834"},"ends":[],"askedAt":"2026-11-16T06:04:12.401Z","sight":{"observed_state":"running","message":null}}', 4);
INSERT INTO public.processes VALUES ('app/01a1e2f4-bc90-7000-9c7a-7fad8be734bb', '01a1e2f4-ab01-7000-923a-e732a70da9de', 'running', '{"deploy":"01a1e2f4-c41f-7000-a77d-709c2ce36714","name":"desk-ui","sourcePath":"tiny","start":{"mark":"a56230f82247b70c.af563b0ad8dce1f126570fe7910e51e5","port":37087,"url":"http://127.0.0.1:34159","boot":"355cdeda-b6a0-47a4-908c-2e0ca1078aca","pid":17802,"began":"327981"},"ends":[],"askedAt":"2026-11-16T06:04:12.401Z","sight":{"observed_state":"running","message":null}}', 4);
INSERT INTO public.release_designs VALUES ('01a1e2f4-b66b-7000-a717-45366282a38e', '01a1e2f4-b642-7000-9740-ff507bf57631', '01a1e2f4-ab01-7000-923a-e732a70da9de', '{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false}', NULL);
INSERT INTO public.release_designs VALUES ('01a1e2f4-b728-7000-bd47-0abb0686853a', '01a1e2f4-b714-7000-8d25-fffcb5af15d4', '01a1e2f4-ab01-7000-923a-e732a70da9de', '{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false}', NULL);
INSERT INTO public.release_designs VALUES ('01a1e2f4-b81d-7000-b132-226176aac3f1', '01a1e2f4-b7ce-7000-a28c-03c929d76000', '01a1e2f4-ab01-7000-923a-e732a70da9de', '{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false}', NULL);
INSERT INTO public.releases VALUES (1, '01a1e2f4-b66b-7000-a717-45366282a38e', '["automation","01a1e2f4-b642-7000-9740-ff507bf57631","01a1e2f4-ab01-7000-923a-e732a70da9de"]', 1, '01a1e2f4-ab01-7000-923a-e732a70da9de', '01a1e2f4-b642-7000-9740-ff507bf57631', 'installed', '{"id":"01a1e2f4-b66b-7000-a717-45366282a38e","artifact":"automation/released","environment_id":"01a1e2f4-ab01-7000-923a-e732a70da9de","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:55d4759299b97568c44877c55f7645ce01dc1dbd8445f51cef4994f8f05e77b3","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1e2f4-b642-7000-9740-ff507bf57631-01a1e2f4-ab01-7000-923a-e732a70da9de","activated_at":"2026-11-16T06:04:10.720Z","activated_by":"internal-service","deployment_id":"01a1e2f4-b66e-7001-b194-d7d5c272293f"}', NULL);
INSERT INTO public.releases VALUES (3, '01a1e2f4-b81d-7000-b132-226176aac3f1', '["automation","01a1e2f4-b7ce-7000-a28c-03c929d76000","01a1e2f4-ab01-7000-923a-e732a70da9de"]', 1, '01a1e2f4-ab01-7000-923a-e732a70da9de', '01a1e2f4-b7ce-7000-a28c-03c929d76000', 'installed', '{"id":"01a1e2f4-b81d-7000-b132-226176aac3f1","artifact":"automation/released-changed","environment_id":"01a1e2f4-ab01-7000-923a-e732a70da9de","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:e4dcac0f42bc4f980a1a4c48e564471eff45509ec79450c25860a57263812d05","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1e2f4-b7ce-7000-a28c-03c929d76000-01a1e2f4-ab01-7000-923a-e732a70da9de","activated_at":"2026-11-16T06:04:11.137Z","activated_by":"internal-service","deployment_id":"01a1e2f4-b820-7000-84c1-abaae71ddb04"}', NULL);
INSERT INTO public.releases VALUES (2, '01a1e2f4-b728-7000-bd47-0abb0686853a', '["automation","01a1e2f4-b714-7000-8d25-fffcb5af15d4","01a1e2f4-ab01-7000-923a-e732a70da9de"]', 2, '01a1e2f4-ab01-7000-923a-e732a70da9de', '01a1e2f4-b714-7000-8d25-fffcb5af15d4', 'installed', '{"id":"01a1e2f4-b728-7000-bd47-0abb0686853a","artifact":"automation/released-paused","environment_id":"01a1e2f4-ab01-7000-923a-e732a70da9de","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:a80cc8296502c3e610ce2abc35b26bb811b0b7bc2a55c3be6365609fad28279f","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1e2f4-b714-7000-8d25-fffcb5af15d4-01a1e2f4-ab01-7000-923a-e732a70da9de","activated_at":"2026-11-16T06:04:10.916Z","activated_by":"internal-service","deployment_id":"01a1e2f4-b72b-7001-8e48-0f99ef8eb042"}', NULL);
INSERT INTO public.schema_version VALUES (12);
INSERT INTO public.secrets VALUES ('01a1e2f4-ab01-7000-923a-e732a70da9de', 'shop', 'api-key', 'X8OEpFKMWU+lXeS9lNrmILCM3cY9dqmd+SmOUMFQEgE7oprG/s2T', '2026-11-16T06:04:10.000Z');
INSERT INTO public.summaries VALUES ('01a1e2f4-ab01-7000-923a-e732a70da9de', '{"environment_id":"01a1e2f4-ab01-7000-923a-e732a70da9de","latest_success":{"id":"01a1e2f4-c85b-7000-b76b-22c7829ba337","deployment_name":"orders 1.0.0","git_branch":"main","git_commit_sha":"","completed_at":"2026-11-16T06:04:15.365Z"},"current_releases":[{"artifact":"automation/released","version":"1.0.0","activated_at":"2026-11-16T06:04:10.720Z"},{"artifact":"automation/released-paused","version":"1.0.0","activated_at":"2026-11-16T06:04:10.916Z"},{"artifact":"automation/released-changed","version":"1.0.0","activated_at":"2026-11-16T06:04:11.137Z"},{"artifact":"agent/desk","version":"1.0.0","activated_at":"2026-11-16T06:04:12.087Z"}],"deployment_counts":{"succeeded":4},"failure_streak":0,"reconciled_at":"2026-11-16T06:04:15.365Z"}');
INSERT INTO public.tallies VALUES ('environments/all', 1000000, 0, 2);
INSERT INTO public.tallies VALUES ('environments/all', 10000, 0, 2);
INSERT INTO public.tallies VALUES ('environments/all', 100, 0, 2);
INSERT INTO public.tallies VALUES ('users/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('users/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('users/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1e2f4-ab69-7000-8746-9813d00aff10', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1e2f4-ab69-7000-8746-9813d00aff10', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1e2f4-ab69-7000-8746-9813d00aff10', 100, 0, 1);
INSERT INTO public.tallies VALUES ('deployments/all', 1000000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/all', 10000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/all', 100, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1e2f4-ab01-7000-923a-e732a70da9de', 1000000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1e2f4-ab01-7000-923a-e732a70da9de', 10000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1e2f4-ab01-7000-923a-e732a70da9de', 100, 0, 4);
INSERT INTO public.tallies VALUES ('connectors/all', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/all', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/all', 100, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/01a1e2f4-ab01-7000-923a-e732a70da9de', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/01a1e2f4-ab01-7000-923a-e732a70da9de', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/01a1e2f4-ab01-7000-923a-e732a70da9de', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e2f4-b642-7000-9740-ff507bf57631', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2f4-b642-7000-9740-ff507bf57631', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2f4-b642-7000-9740-ff507bf57631', 100, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2f4-b714-7000-8d25-fffcb5af15d4', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2f4-b714-7000-8d25-fffcb5af15d4', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2f4-b714-7000-8d25-fffcb5af15d4', 100, 0, 1);
INSERT INTO public.tallies VALUES ('automations/all', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('automations/all', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('automations/all', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/all', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('releases/all', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('releases/all', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e2f4-ab01-7000-923a-e732a70da9de', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e2f4-ab01-7000-923a-e732a70da9de', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e2f4-ab01-7000-923a-e732a70da9de', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e2f4-b7ce-7000-a28c-03c929d76000', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2f4-b7ce-7000-a28c-03c929d76000', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2f4-b7ce-7000-a28c-03c929d76000', 100, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1e2f4-ab01-7000-923a-e732a70da9de', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1e2f4-ab01-7000-923a-e732a70da9de', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1e2f4-ab01-7000-923a-e732a70da9de', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agents/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('agents/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('agents/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1e2f4-ba68-7000-9812-20c2c7216573', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1e2f4-ba68-7000-9812-20c2c7216573', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1e2f4-ba68-7000-9812-20c2c7216573', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e2f4-ab01-7000-923a-e732a70da9de', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e2f4-ab01-7000-923a-e732a70da9de', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e2f4-ab01-7000-923a-e732a70da9de', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e2f4-ba68-7000-9812-20c2c7216573', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e2f4-ba68-7000-9812-20c2c7216573', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('agent_environments/01a1e2f4-ba68-7000-9812-20c2c7216573', 100, 0, 1);
INSERT INTO public.tallies VALUES ('apps/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2f4-ab01-7000-923a-e732a70da9de', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2f4-ab01-7000-923a-e732a70da9de', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2f4-ab01-7000-923a-e732a70da9de', 100, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2f4-ba68-7000-9812-20c2c7216573', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2f4-ba68-7000-9812-20c2c7216573', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2f4-ba68-7000-9812-20c2c7216573', 100, 0, 1);
INSERT INTO public.tokens VALUES (1, '01a1e2f4-b371-7000-b7fe-b271b91cff9b', '["9c4m2kW0laMDoNFNf7KNhZinwtpbb1WtME1d3brsCKc"]', 1, NULL, '01a1e2f4-ab69-7000-8746-9813d00aff10', NULL, '{"id":"01a1e2f4-b371-7000-b7fe-b271b91cff9b","username":"ada@example.test","comment":"fixture","created_at":"2026-11-16T06:04:09.954Z","expires_at":null,"created_by":"internal-service"}', NULL);
INSERT INTO public.users VALUES (1, '01a1e2f4-ab69-7000-8746-9813d00aff10', '["ada@example.test"]', 1, NULL, NULL, NULL, '{"id":"01a1e2f4-ab69-7000-8746-9813d00aff10","username":"ada@example.test","role":"operator","active":true,"created_at":"2026-11-16T06:04:07.911Z","updated_at":"2026-11-16T06:04:07.911Z","created_by":"internal-service"}', 'aT4IRIPOg3+fiyrQYc57azw718MhIhgPdBRdT57T5WoQJzMhPdxIsgLpFbwUG5ZuVcYdmm/BXd6uaTabwdoLn5lGgcBVGhflxMAtDknunkn0w6cEj92+QokPSQXKYrf830CI3ZoArn3w/kz8j66phdMz');
INSERT INTO public.versions VALUES (1, '01a1e2f4-bbe8-7000-8a2a-9da9ca1c24db', '["01a1e2f4-ba68-7000-9812-20c2c7216573","1.0.0"]', 1, NULL, '01a1e2f4-ba68-7000-9812-20c2c7216573', NULL, '{"id":"01a1e2f4-bbe8-7000-8a2a-9da9ca1c24db","agent_id":"01a1e2f4-ba68-7000-9812-20c2c7216573","version":"1.0.0","source_path":null,"metadata":{},"created_at":"2026-11-16T06:04:12.087Z","created_by":"internal-service"}', NULL);
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
CREATE INDEX events_by_id ON public.events USING btree (id);
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
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
INSERT INTO public.agents VALUES (1, '01a1e2e1-9148-7000-9ef7-03a855223053', '["desk"]', 6, NULL, NULL, NULL, '{"id":"01a1e2e1-9148-7000-9ef7-03a855223053","name":"desk","aliases":["orders-bot"],"description":"","source_path":"tiny","components":[{"environment_id":"01a1e2e1-8513-7000-ac41-a2027e6e862b","component":"chat","desired_state":"running","observed_state":"running","message":null,"updated_at":"2026-11-16T05:43:16.356Z","version":"1.0.0"},{"environment_id":"01a1e2e1-8513-7000-ac41-a2027e6e862b","component":"agent_endpoint","desired_state":"running","observed_state":"running","message":null,"updated_at":"2026-11-16T05:43:17.248Z","version":"1.0.0"},{"environment_id":"01a1e2e1-8513-7000-ac41-a2027e6e862b","component":"ui_app","desired_state":"running","observed_state":"running","version":"1.0.0","message":null,"updated_at":"2026-11-16T05:43:17.923Z"}],"releases":[{"environment_id":"01a1e2e1-8513-7000-ac41-a2027e6e862b","environment":"prod","version":"1.0.0","workflow_run_id":null,"workflow_name":null,"workflow_run_url":null,"activated_at":"2026-11-16T05:43:16.356Z","activated_by":"internal-service"}],"created_at":"2026-11-16T05:43:16.040Z","updated_at":"2026-11-16T05:43:16.641Z","created_by":"internal-service","updated_by":"internal-service"}', NULL);
INSERT INTO public.aliases VALUES ('["desk"]', '01a1e2e1-9148-7000-9ef7-03a855223053');
INSERT INTO public.aliases VALUES ('["orders-bot"]', '01a1e2e1-9148-7000-9ef7-03a855223053');
INSERT INTO public.apps VALUES (1, '01a1e2e1-9350-7000-9490-b754058b1091', '["01a1e2e1-8513-7000-ac41-a2027e6e862b","desk-ui"]', 3, '01a1e2e1-8513-7000-ac41-a2027e6e862b', '01a1e2e1-9148-7000-9ef7-03a855223053', NULL, '{"id":"01a1e2e1-9350-7000-9490-b754058b1091","name":"desk-ui","environment_id":"01a1e2e1-8513-7000-ac41-a2027e6e862b","description":"","agent_id":"01a1e2e1-9148-7000-9ef7-03a855223053","source_path":"tiny","desired_state":"running","observed_state":"running","message":null,"created_at":"2026-11-16T05:43:16.560Z","updated_at":"2026-11-16T05:43:17.923Z","created_by":"internal-service","updated_by":"internal-service"}', NULL);
INSERT INTO public.automations VALUES (1, '01a1e2e1-8c89-7000-bfea-5a943f00bdd7', '["released"]', 1, NULL, NULL, NULL, '{"id":"01a1e2e1-8c89-7000-bfea-5a943f00bdd7","alias":"released","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false},"design_content_hash":"sha256:73116b352d66f416c74e2492233b983f8479436005d1a604d78239541c80557c","created_at":"2026-11-16T05:43:14.648Z","updated_at":"2026-11-16T05:43:14.648Z","created_by":"internal-service","updated_by":null}', NULL);
INSERT INTO public.automations VALUES (2, '01a1e2e1-8e28-7000-b457-e2d787558dc0', '["released-paused"]', 1, NULL, NULL, NULL, '{"id":"01a1e2e1-8e28-7000-b457-e2d787558dc0","alias":"released-paused","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false},"design_content_hash":"sha256:0d499ab73335380396713cba4a3b6ebfd4d585ec3455a1a60a2cd031214d2b6e","created_at":"2026-11-16T05:43:15.212Z","updated_at":"2026-11-16T05:43:15.212Z","created_by":"internal-service","updated_by":null}', NULL);
INSERT INTO public.automations VALUES (3, '01a1e2e1-8f6e-7000-a890-62e6bec95964', '["released-changed"]', 2, NULL, NULL, NULL, '{"id":"01a1e2e1-8f6e-7000-a890-62e6bec95964","alias":"released-changed","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 2","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false},"design_content_hash":"sha256:a264cadffe9362b98c452263b6a66f3c016a687eebf2c4ef1ab726b644ed37ba","created_at":"2026-11-16T05:43:15.547Z","updated_at":"2026-11-16T05:43:15.836Z","created_by":"internal-service","updated_by":"internal-service"}', NULL);
INSERT INTO public.connectors VALUES (2, '01a1e2e1-8b07-7000-a137-1008f6f41fb4', '["referring"]', 1, '01a1e2e1-8513-7000-ac41-a2027e6e862b', NULL, NULL, '{"id":"01a1e2e1-8b07-7000-a137-1008f6f41fb4","name":"referring","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"Bearer {{secrets/shop/api-key}}"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"active","git_commit_id":null,"git_branch":null,"workflow_id":"connector-01a1e2e1-8b07-7000-a137-1008f6f41fb4","artifacts_path":null,"error_message":null,"created_at":"2026-11-16T05:43:14.439Z","updated_at":"2026-11-16T05:43:14.439Z","created_by":"ada@example.test","updated_by":null,"datasets":[{"id":"01a1e2e1-8b07-7001-9fd9-d119c8dc8804","connector_id":"01a1e2e1-8b07-7000-a137-1008f6f41fb4","source_dataset":"referring","target_name":"referring","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-16T05:43:14.439Z","created_by":"internal-service"}]}', NULL);
INSERT INTO public.connectors VALUES (3, '01a1e2e1-8b35-7000-a536-2cc1aeeec268', '["paused"]', 2, '01a1e2e1-8513-7000-ac41-a2027e6e862b', NULL, NULL, '{"id":"01a1e2e1-8b35-7000-a536-2cc1aeeec268","name":"paused","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"********"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"paused","git_commit_id":null,"git_branch":null,"workflow_id":"connector-01a1e2e1-8b35-7000-a536-2cc1aeeec268","artifacts_path":null,"error_message":null,"created_at":"2026-11-16T05:43:14.485Z","updated_at":"2026-11-16T05:43:14.549Z","created_by":"ada@example.test","updated_by":"internal-service","datasets":[{"id":"01a1e2e1-8b35-7001-aa72-68ff90cc5e03","connector_id":"01a1e2e1-8b35-7000-a536-2cc1aeeec268","source_dataset":"paused","target_name":"paused","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-16T05:43:14.485Z","created_by":"internal-service"}]}', 'no/PfpE+BUWolip1x0ioRDqu4p3CAni3Vq/Y+jr/hXEK/szOPrURCnkTGUUtohg9ZkdTxW2ZuUU33ShSCIcH0RbW4Ht75mWl4f6Nm/068xx8t+6si5B9u+Va9WUw/TYN0HSarUUIupltXFK44xA181Tp');
INSERT INTO public.connectors VALUES (1, '01a1e2e1-8ac7-7000-9163-69a14aeb0a43', '["inline"]', 2, '01a1e2e1-8513-7000-ac41-a2027e6e862b', NULL, NULL, '{"id":"01a1e2e1-8ac7-7000-9163-69a14aeb0a43","name":"inline","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"********"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"active","git_commit_id":null,"git_branch":"main","workflow_id":"connector-01a1e2e1-8ac7-7000-9163-69a14aeb0a43","artifacts_path":null,"error_message":null,"created_at":"2026-11-16T05:43:14.375Z","updated_at":"2026-11-16T05:43:14.606Z","created_by":"ada@example.test","updated_by":"internal-service","datasets":[{"id":"01a1e2e1-8ac8-7000-83ae-5e9f2d99e069","connector_id":"01a1e2e1-8ac7-7000-9163-69a14aeb0a43","source_dataset":"inline","target_name":"inline","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-16T05:43:14.375Z","created_by":"internal-service"}]}', 'ezeL4pl0Z6iOhp6ApBS0J4QacJulJHEY/KJoKtmRdGHoX8ZV96Nk1553RhtNGJXozLHVMIGVJXrN34aaG0f4yATiRMJDAUCxF9A2JexYbOiZ77BANXLZDp5ifAAmefC0azOaSJIrXLwNZqSsPU01vpXjd7J2HB2uIFbBQZy8ws0=');
INSERT INTO public.cursors VALUES ('chat', 0);
INSERT INTO public.deployment_counts VALUES ('01a1e2e1-8513-7000-ac41-a2027e6e862b', 'pending', 0);
INSERT INTO public.deployment_counts VALUES ('01a1e2e1-8513-7000-ac41-a2027e6e862b', 'succeeded', 4);
INSERT INTO public.deployment_log VALUES ('01a1e2e1-9907-7000-9042-a2dd240162c7', 1, '"uploading\n"');
INSERT INTO public.deployments VALUES (1, '01a1e2e1-8d21-7000-82b0-b208eb020388', '["2026-11-16T05:43:14.939Z","01a1e2e1-8d21-7000-82b0-b208eb020388"]', 1, '01a1e2e1-8513-7000-ac41-a2027e6e862b', NULL, 'succeeded', '{"id":"01a1e2e1-8d21-7000-82b0-b208eb020388","deployment_name":"released 1.0.0","environment_id":"01a1e2e1-8513-7000-ac41-a2027e6e862b","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T05:43:14.939Z","started_at":"2026-11-16T05:43:14.939Z","completed_at":"2026-11-16T05:43:14.939Z","initiated_by":"internal-service","error_message":null}', NULL);
INSERT INTO public.deployments VALUES (2, '01a1e2e1-8e88-7000-a669-26609a043d6b', '["2026-11-16T05:43:15.305Z","01a1e2e1-8e88-7000-a669-26609a043d6b"]', 1, '01a1e2e1-8513-7000-ac41-a2027e6e862b', NULL, 'succeeded', '{"id":"01a1e2e1-8e88-7000-a669-26609a043d6b","deployment_name":"released-paused 1.0.0","environment_id":"01a1e2e1-8513-7000-ac41-a2027e6e862b","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T05:43:15.305Z","started_at":"2026-11-16T05:43:15.305Z","completed_at":"2026-11-16T05:43:15.305Z","initiated_by":"internal-service","error_message":null}', NULL);
INSERT INTO public.deployments VALUES (3, '01a1e2e1-8fb4-7001-871b-5630a1161eb0', '["2026-11-16T05:43:15.622Z","01a1e2e1-8fb4-7001-871b-5630a1161eb0"]', 1, '01a1e2e1-8513-7000-ac41-a2027e6e862b', NULL, 'succeeded', '{"id":"01a1e2e1-8fb4-7001-871b-5630a1161eb0","deployment_name":"released-changed 1.0.0","environment_id":"01a1e2e1-8513-7000-ac41-a2027e6e862b","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T05:43:15.622Z","started_at":"2026-11-16T05:43:15.622Z","completed_at":"2026-11-16T05:43:15.622Z","initiated_by":"internal-service","error_message":null}', NULL);
INSERT INTO public.deployments VALUES (4, '01a1e2e1-9907-7000-9042-a2dd240162c7', '["2026-11-16T05:43:18.139Z","01a1e2e1-9907-7000-9042-a2dd240162c7"]', 2, '01a1e2e1-8513-7000-ac41-a2027e6e862b', NULL, 'succeeded', '{"id":"01a1e2e1-9907-7000-9042-a2dd240162c7","deployment_name":"orders 1.0.0","environment_id":"01a1e2e1-8513-7000-ac41-a2027e6e862b","git_branch":"main","git_commit_sha":"","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T05:43:18.023Z","started_at":null,"completed_at":"2026-11-16T05:43:18.139Z","initiated_by":"internal-service","error_message":null}', NULL);
INSERT INTO public.embedded_records VALUES ('01a1e2e1-929f-7000-bde7-c5d09edf06ba', '01a1e2e1-8513-7000-ac41-a2027e6e862b', 'component.start', 'agent/01a1e2e1-9148-7000-9ef7-03a855223053', '{"component":"chat","name":"desk","version":"1.0.0","source_path":null,"asked_at":"2026-11-16T05:43:16.356Z"}');
INSERT INTO public.environments VALUES (1, '01a1e2e1-83a2-7000-9a2a-327f39c31ff3', '["local"]', 1, NULL, NULL, NULL, '{"id":"01a1e2e1-83a2-7000-9a2a-327f39c31ff3","name":"local","description":"Made at the first start","protected":false,"platform":"embedded","gitProvider":null,"gitRepository":null,"targetGitBranch":null,"secretScope":null,"dataPlatformClientIdKey":null,"dataPlatformClientSecretKey":null,"configuration":{},"isActive":true,"createdAt":"2026-11-16T05:43:12.497Z","updatedAt":"2026-11-16T05:43:12.497Z","createdBy":"lakehelm","updatedBy":null}', NULL);
INSERT INTO public.environments VALUES (2, '01a1e2e1-8513-7000-ac41-a2027e6e862b', '["prod"]', 1, NULL, NULL, NULL, '{"id":"01a1e2e1-8513-7000-ac41-a2027e6e862b","name":"prod","description":null,"protected":false,"platform":"embedded","gitProvider":null,"gitRepository":null,"targetGitBranch":null,"secretScope":null,"dataPlatformClientIdKey":null,"dataPlatformClientSecretKey":null,"configuration":{"timezone":"Europe/Berlin"},"isActive":true,"createdAt":"2026-11-16T05:43:12.914Z","updatedAt":"2026-11-16T05:43:12.914Z","createdBy":"internal-service","updatedBy":null}', NULL);
INSERT INTO public.event_head VALUES (1, 43, 'juyzlD1jdUJwIUQGXHaRi6O2HAr0Cik10BY075HobOw', 'ye7IgzvdFsWLsVigIg5r_r7YyRtz5VLp4TgGrnlKQbA');
INSERT INTO public.events VALUES (1, '01a1e2e1-83ad-7000-a069-356640bc386b', 'environment.created', 'environment/01a1e2e1-83a2-7000-9a2a-327f39c31ff3', '{"id":"01a1e2e1-83ad-7000-a069-356640bc386b","time":"2026-11-16T05:43:12.497Z","actor":"lakehelm","request_id":null,"kind":"environment.created","subject":"environment/01a1e2e1-83a2-7000-9a2a-327f39c31ff3","data":{"name":"local","platform":"embedded"}}', '9qfFJzCM0L-hlAOjJoGUdxRS_u8rlYJjfvnVSlkjPF4');
INSERT INTO public.events VALUES (2, '01a1e2e1-8513-7001-a000-b72560dd41ce', 'environment.created', 'environment/01a1e2e1-8513-7000-ac41-a2027e6e862b', '{"id":"01a1e2e1-8513-7001-a000-b72560dd41ce","time":"2026-11-16T05:43:12.914Z","actor":"internal-service","request_id":"01a1e2e1-8505-7000-8a91-343a20a473d7","kind":"environment.created","subject":"environment/01a1e2e1-8513-7000-ac41-a2027e6e862b","data":{"name":"prod","platform":"embedded"}}', 'uPL_JZHu4tW_bXGI94BgS5tMOeM2sf7lZ7pluRPmvzk');
INSERT INTO public.events VALUES (3, '01a1e2e1-8a0d-7000-9ec7-92f5e36117c2', 'user.created', 'user/01a1e2e1-853f-7000-9061-abddbe9e4363', '{"id":"01a1e2e1-8a0d-7000-9ec7-92f5e36117c2","time":"2026-11-16T05:43:12.958Z","actor":"internal-service","request_id":"01a1e2e1-853e-7000-bf21-2419490e6894","kind":"user.created","subject":"user/01a1e2e1-853f-7000-9061-abddbe9e4363","data":{"id":"01a1e2e1-853f-7000-9061-abddbe9e4363","username":"ada@example.test","role":"operator","active":true,"created_at":"2026-11-16T05:43:12.958Z","updated_at":"2026-11-16T05:43:12.958Z","created_by":"internal-service"}}', 'ZLXLJGgLbZUPR8cShV_93VPFvmOqrNzb1EFNNlhgkvM');
INSERT INTO public.events VALUES (4, '01a1e2e1-8a68-7000-8563-00e84a0ea96a', 'token.created', 'token/01a1e2e1-8a67-7000-a5e3-d835caa7172f', '{"id":"01a1e2e1-8a68-7000-8563-00e84a0ea96a","time":"2026-11-16T05:43:14.261Z","actor":"internal-service","request_id":"01a1e2e1-8a54-7000-ab67-96de8869d153","kind":"token.created","subject":"token/01a1e2e1-8a67-7000-a5e3-d835caa7172f","data":{"id":"01a1e2e1-8a67-7000-a5e3-d835caa7172f","username":"ada@example.test","comment":"fixture","created_at":"2026-11-16T05:43:14.261Z","expires_at":null,"created_by":"internal-service"}}', 'r9FPglKulIm8F-fOBBifW-sQ6n7p181q151_xLpWwak');
INSERT INTO public.events VALUES (5, '01a1e2e1-8aa4-7000-a09c-76a015bd95f3', 'secret.stored', 'secret/01a1e2e1-8513-7000-ac41-a2027e6e862b/shop/api-key', '{"id":"01a1e2e1-8aa4-7000-a09c-76a015bd95f3","time":"2026-11-16T05:43:14.337Z","actor":"internal-service","request_id":"01a1e2e1-8a94-7000-8322-af2e9fd06cbf","kind":"secret.stored","subject":"secret/01a1e2e1-8513-7000-ac41-a2027e6e862b/shop/api-key","data":{"environment_id":"01a1e2e1-8513-7000-ac41-a2027e6e862b","scope":"shop","key":"api-key"}}', 'vz_yGhpStmJ0gxC3oejJyn76ZdzyTpUjC2DbHNGX5bc');
INSERT INTO public.events VALUES (6, '01a1e2e1-8ad9-7000-856f-50b8b2e2a802', 'connector.created', 'connector/01a1e2e1-8ac7-7000-9163-69a14aeb0a43', '{"id":"01a1e2e1-8ad9-7000-856f-50b8b2e2a802","time":"2026-11-16T05:43:14.375Z","actor":"internal-service","request_id":"01a1e2e1-8ac3-7000-be15-39dd355f7461","kind":"connector.created","subject":"connector/01a1e2e1-8ac7-7000-9163-69a14aeb0a43","data":{"name":"inline","environment_id":"01a1e2e1-8513-7000-ac41-a2027e6e862b","target_type":"warehouse","status":"active"}}', 'i91D64un81v3X-esuEc3XLHJ4hfddr5fgr5PWkoaCIg');
INSERT INTO public.events VALUES (7, '01a1e2e1-8b0a-7000-8256-88d51ff08a5b', 'connector.created', 'connector/01a1e2e1-8b07-7000-a137-1008f6f41fb4', '{"id":"01a1e2e1-8b0a-7000-8256-88d51ff08a5b","time":"2026-11-16T05:43:14.439Z","actor":"internal-service","request_id":"01a1e2e1-8b02-7000-8f91-da30cef97fdf","kind":"connector.created","subject":"connector/01a1e2e1-8b07-7000-a137-1008f6f41fb4","data":{"name":"referring","environment_id":"01a1e2e1-8513-7000-ac41-a2027e6e862b","target_type":"warehouse","status":"active"}}', 'INFelk6X1ddLw718C1v1XESTJXedwyOM7J0MYtTFb7U');
INSERT INTO public.events VALUES (8, '01a1e2e1-8b36-7001-9366-a7189bd808f2', 'connector.created', 'connector/01a1e2e1-8b35-7000-a536-2cc1aeeec268', '{"id":"01a1e2e1-8b36-7001-9366-a7189bd808f2","time":"2026-11-16T05:43:14.485Z","actor":"internal-service","request_id":"01a1e2e1-8b34-7000-8a83-c0891a1cc966","kind":"connector.created","subject":"connector/01a1e2e1-8b35-7000-a536-2cc1aeeec268","data":{"name":"paused","environment_id":"01a1e2e1-8513-7000-ac41-a2027e6e862b","target_type":"warehouse","status":"active"}}', 'S9nou_PIi1G2Ogow30LUolg0ULoX9k9NsiX9mekNJTI');
INSERT INTO public.events VALUES (9, '01a1e2e1-8b87-7000-96d5-2fd464c0aefa', 'connector.paused', 'connector/01a1e2e1-8b35-7000-a536-2cc1aeeec268', '{"id":"01a1e2e1-8b87-7000-96d5-2fd464c0aefa","time":"2026-11-16T05:43:14.549Z","actor":"internal-service","request_id":"01a1e2e1-8b74-7000-a46c-3962dc25be21","kind":"connector.paused","subject":"connector/01a1e2e1-8b35-7000-a536-2cc1aeeec268","data":{"name":"paused","reason":"holiday","until":null}}', 'RdzLNo4oveBm1zMYHJcPVr10EtPSJ-UgplNgYFV-cWg');
INSERT INTO public.events VALUES (10, '01a1e2e1-8bb6-7001-ae60-b81098c8c9c7', 'connector.updated', 'connector/01a1e2e1-8ac7-7000-9163-69a14aeb0a43', '{"id":"01a1e2e1-8bb6-7001-ae60-b81098c8c9c7","time":"2026-11-16T05:43:14.606Z","actor":"internal-service","request_id":"01a1e2e1-8bad-7000-ae02-ab87f4e22e37","kind":"connector.updated","subject":"connector/01a1e2e1-8ac7-7000-9163-69a14aeb0a43","data":{"name":"inline","fields":["git_branch"]}}', 'FdXT5L_2Ou-SLC__gmcENHLSjebibT1ynlMpZl88faI');
INSERT INTO public.events VALUES (11, '01a1e2e1-8c8a-7000-8a22-64cb9c9cc76c', 'automation.created', 'automation/01a1e2e1-8c89-7000-bfea-5a943f00bdd7', '{"id":"01a1e2e1-8c8a-7000-8a22-64cb9c9cc76c","time":"2026-11-16T05:43:14.648Z","actor":"internal-service","request_id":"01a1e2e1-8bd7-7000-a5fd-ba7f72a2464b","kind":"automation.created","subject":"automation/01a1e2e1-8c89-7000-bfea-5a943f00bdd7","data":{"alias":"released","design_content_hash":"sha256:73116b352d66f416c74e2492233b983f8479436005d1a604d78239541c80557c"}}', 'LI18WdizSWXp1t2U6k9XbMrdGBNDACHsfCv40sRMO6w');
INSERT INTO public.events VALUES (12, '01a1e2e1-8d2e-7000-8787-640ef06b671e', 'deployment.recorded', 'deployment/01a1e2e1-8d21-7000-82b0-b208eb020388', '{"id":"01a1e2e1-8d2e-7000-8787-640ef06b671e","time":"2026-11-16T05:43:14.939Z","actor":"internal-service","request_id":"01a1e2e1-8cee-7000-a4f0-d3939a34769c","kind":"deployment.recorded","subject":"deployment/01a1e2e1-8d21-7000-82b0-b208eb020388","data":{"deployment_name":"released 1.0.0","environment_id":"01a1e2e1-8513-7000-ac41-a2027e6e862b","status":"succeeded"}}', 'h_wyycfEeBkrlHqHU7CPFzKCI-1SvzwEbEQzTBhHp6w');
INSERT INTO public.events VALUES (13, '01a1e2e1-8d2e-7001-9fd6-96cc53cd4c6e', 'automation.release_activated', 'automation/01a1e2e1-8c89-7000-bfea-5a943f00bdd7', '{"id":"01a1e2e1-8d2e-7001-9fd6-96cc53cd4c6e","time":"2026-11-16T05:43:14.939Z","actor":"internal-service","request_id":"01a1e2e1-8cee-7000-a4f0-d3939a34769c","kind":"automation.release_activated","subject":"automation/01a1e2e1-8c89-7000-bfea-5a943f00bdd7","data":{"release_id":"01a1e2e1-8d19-7000-a45b-3516820ffefb","environment_id":"01a1e2e1-8513-7000-ac41-a2027e6e862b","version":"1.0.0","replaced":null}}', 'fMc6PLa2-xm6y6WqOL9Q9yNea9M3sK4O1PNDpUObpFc');
INSERT INTO public.events VALUES (14, '01a1e2e1-8dcc-7000-9e18-1e90bea21a37', 'environment.reconciled', 'environment/01a1e2e1-8513-7000-ac41-a2027e6e862b', '{"id":"01a1e2e1-8dcc-7000-9e18-1e90bea21a37","time":"2026-11-16T05:43:14.939Z","actor":"internal-service","request_id":"01a1e2e1-8cee-7000-a4f0-d3939a34769c","kind":"environment.reconciled","subject":"environment/01a1e2e1-8513-7000-ac41-a2027e6e862b","data":{}}', 'fS-GualkfJTiaUW2tBAZ1duuabGKzwEtczvPb13wXUc');
INSERT INTO public.events VALUES (18, '01a1e2e1-8f3d-7000-8ac8-ca082db7a235', 'environment.reconciled', 'environment/01a1e2e1-8513-7000-ac41-a2027e6e862b', '{"id":"01a1e2e1-8f3d-7000-8ac8-ca082db7a235","time":"2026-11-16T05:43:15.305Z","actor":"internal-service","request_id":"01a1e2e1-8e69-7000-9477-31c6879b75de","kind":"environment.reconciled","subject":"environment/01a1e2e1-8513-7000-ac41-a2027e6e862b","data":{}}', '5lqnPudTd3tYgpy4CF0c8cqBmJzpTC9CoguxFWWimJo');
INSERT INTO public.events VALUES (15, '01a1e2e1-8e28-7001-90c6-b4b6f3f751ab', 'automation.created', 'automation/01a1e2e1-8e28-7000-b457-e2d787558dc0', '{"id":"01a1e2e1-8e28-7001-90c6-b4b6f3f751ab","time":"2026-11-16T05:43:15.212Z","actor":"internal-service","request_id":"01a1e2e1-8e0b-7000-a03a-c2afe18ea218","kind":"automation.created","subject":"automation/01a1e2e1-8e28-7000-b457-e2d787558dc0","data":{"alias":"released-paused","design_content_hash":"sha256:0d499ab73335380396713cba4a3b6ebfd4d585ec3455a1a60a2cd031214d2b6e"}}', 'jvIlyoJaZMdqlGT4ftzgXVUvQ9kqXM4NVhevEOwb-W0');
INSERT INTO public.events VALUES (16, '01a1e2e1-8e88-7002-b66a-22ddca03d43f', 'deployment.recorded', 'deployment/01a1e2e1-8e88-7000-a669-26609a043d6b', '{"id":"01a1e2e1-8e88-7002-b66a-22ddca03d43f","time":"2026-11-16T05:43:15.305Z","actor":"internal-service","request_id":"01a1e2e1-8e69-7000-9477-31c6879b75de","kind":"deployment.recorded","subject":"deployment/01a1e2e1-8e88-7000-a669-26609a043d6b","data":{"deployment_name":"released-paused 1.0.0","environment_id":"01a1e2e1-8513-7000-ac41-a2027e6e862b","status":"succeeded"}}', 'MR5Jh25DPRu6Lw89ukaeaIv6kDzbdAYIAbnaLuAcQzg');
INSERT INTO public.events VALUES (17, '01a1e2e1-8e88-7003-8459-7602939b15d6', 'automation.release_activated', 'automation/01a1e2e1-8e28-7000-b457-e2d787558dc0', '{"id":"01a1e2e1-8e88-7003-8459-7602939b15d6","time":"2026-11-16T05:43:15.305Z","actor":"internal-service","request_id":"01a1e2e1-8e69-7000-9477-31c6879b75de","kind":"automation.release_activated","subject":"automation/01a1e2e1-8e28-7000-b457-e2d787558dc0","data":{"release_id":"01a1e2e1-8e7f-7000-bb90-04974cc0c1c2","environment_id":"01a1e2e1-8513-7000-ac41-a2027e6e862b","version":"1.0.0","replaced":null}}', 'MRR3zhWQ23DiJ3BrqCE8vUqsUjhcod4yTITsKSjxu2A');
INSERT INTO public.events VALUES (20, '01a1e2e1-8fb4-7003-a77b-ffa7eecce7e6', 'deployment.recorded', 'deployment/01a1e2e1-8fb4-7001-871b-5630a1161eb0', '{"id":"01a1e2e1-8fb4-7003-a77b-ffa7eecce7e6","time":"2026-11-16T05:43:15.622Z","actor":"internal-service","request_id":"01a1e2e1-8fa6-7000-8cbe-128183b20db9","kind":"deployment.recorded","subject":"deployment/01a1e2e1-8fb4-7001-871b-5630a1161eb0","data":{"deployment_name":"released-changed 1.0.0","environment_id":"01a1e2e1-8513-7000-ac41-a2027e6e862b","status":"succeeded"}}', 'Y7fhSCH5WWBU8IPT4vvtIpAvJUWsHyLE6fh6OnXuEtc');
INSERT INTO public.events VALUES (21, '01a1e2e1-8fb4-7004-9e9e-b32ecf8e8182', 'automation.release_activated', 'automation/01a1e2e1-8f6e-7000-a890-62e6bec95964', '{"id":"01a1e2e1-8fb4-7004-9e9e-b32ecf8e8182","time":"2026-11-16T05:43:15.622Z","actor":"internal-service","request_id":"01a1e2e1-8fa6-7000-8cbe-128183b20db9","kind":"automation.release_activated","subject":"automation/01a1e2e1-8f6e-7000-a890-62e6bec95964","data":{"release_id":"01a1e2e1-8fb3-7000-943c-512543259a41","environment_id":"01a1e2e1-8513-7000-ac41-a2027e6e862b","version":"1.0.0","replaced":null}}', 'Y309rcRZkbEtuC8mRhsCTY21YuKBIv43TpTuLFyzCVA');
INSERT INTO public.events VALUES (22, '01a1e2e1-9021-7000-9118-6e4c8f977723', 'environment.reconciled', 'environment/01a1e2e1-8513-7000-ac41-a2027e6e862b', '{"id":"01a1e2e1-9021-7000-9118-6e4c8f977723","time":"2026-11-16T05:43:15.622Z","actor":"internal-service","request_id":"01a1e2e1-8fa6-7000-8cbe-128183b20db9","kind":"environment.reconciled","subject":"environment/01a1e2e1-8513-7000-ac41-a2027e6e862b","data":{}}', '1xFKwnPwUxoAf5LHvtQXNPZKjkJ7igDPrf4eMK_xk2o');
INSERT INTO public.events VALUES (25, '01a1e2e1-90e8-7000-a652-6014e0356a0f', 'file.written', 'file/01a1e2e1-8513-7000-ac41-a2027e6e862b/pipelines/numbers.sql', '{"id":"01a1e2e1-90e8-7000-a652-6014e0356a0f","time":"2026-11-16T05:43:15.931Z","actor":"internal-service","request_id":"01a1e2e1-90d1-7000-80c0-4013c2f6d8cc","kind":"file.written","subject":"file/01a1e2e1-8513-7000-ac41-a2027e6e862b/pipelines/numbers.sql","data":{"environment_id":"01a1e2e1-8513-7000-ac41-a2027e6e862b","path":"pipelines/numbers.sql","size":51,"sha256":"b0bf44b639804f1839a1927e097d46337d4fc58b70b6448f3bb019cef234fa17"}}', 'JCF3Safo1JBYwjB4HHq5bIjKwESVKpY5jGfRNcM43hg');
INSERT INTO public.events VALUES (30, '01a1e2e1-92d5-7000-8fd4-e54d57893988', 'agent.version_created', 'agent/01a1e2e1-9148-7000-9ef7-03a855223053', '{"id":"01a1e2e1-92d5-7000-8fd4-e54d57893988","time":"2026-11-16T05:43:16.356Z","actor":"internal-service","request_id":"01a1e2e1-9284-7000-9ce9-e2949e098c92","kind":"agent.version_created","subject":"agent/01a1e2e1-9148-7000-9ef7-03a855223053","data":{"name":"desk","version":"1.0.0"}}', 'j9J1x9PEblUgAFlCT91YH2Jj-l62FZY5ohnWwo_4H7w');
INSERT INTO public.events VALUES (31, '01a1e2e1-92d5-7001-88a8-a0715c658473', 'agent.release_activated', 'agent/01a1e2e1-9148-7000-9ef7-03a855223053', '{"id":"01a1e2e1-92d5-7001-88a8-a0715c658473","time":"2026-11-16T05:43:16.356Z","actor":"internal-service","request_id":"01a1e2e1-9284-7000-9ce9-e2949e098c92","kind":"agent.release_activated","subject":"agent/01a1e2e1-9148-7000-9ef7-03a855223053","data":{"name":"desk","environment_id":"01a1e2e1-8513-7000-ac41-a2027e6e862b","version":"1.0.0"}}', 'BBguc_jlXehE5HjoD6mfZQc-VXo7vfl97Tts1hr15NE');
INSERT INTO public.events VALUES (32, '01a1e2e1-9334-7000-a842-65c44e976c58', 'environment.reconciled', 'environment/01a1e2e1-8513-7000-ac41-a2027e6e862b', '{"id":"01a1e2e1-9334-7000-a842-65c44e976c58","time":"2026-11-16T05:43:16.356Z","actor":"internal-service","request_id":"01a1e2e1-9284-7000-9ce9-e2949e098c92","kind":"environment.reconciled","subject":"environment/01a1e2e1-8513-7000-ac41-a2027e6e862b","data":{}}', 'ibGPjDjkwLc_Lm_lmkyJv5K0Au3afzFuk6xDYk4kJQ8');
INSERT INTO public.events VALUES (33, '01a1e2e1-9368-7000-9028-30b900730906', 'app.created', 'app/01a1e2e1-9350-7000-9490-b754058b1091', '{"id":"01a1e2e1-9368-7000-9028-30b900730906","time":"2026-11-16T05:43:16.560Z","actor":"internal-service","request_id":"01a1e2e1-934c-7000-8fbd-61c8ab3dfeaa","kind":"app.created","subject":"app/01a1e2e1-9350-7000-9490-b754058b1091","data":{"name":"desk-ui","environment_id":"01a1e2e1-8513-7000-ac41-a2027e6e862b","agent_id":"01a1e2e1-9148-7000-9ef7-03a855223053"}}', '50uydlJRWWRXay7IbaLCg9v-M4rjCb0GtL3OrsC4vEg');
INSERT INTO public.events VALUES (34, '01a1e2e1-93b9-7000-93b4-12810233d2f5', 'agent.component_started', 'agent/01a1e2e1-9148-7000-9ef7-03a855223053', '{"id":"01a1e2e1-93b9-7000-93b4-12810233d2f5","time":"2026-11-16T05:43:16.641Z","actor":"internal-service","request_id":"01a1e2e1-93a1-7000-8772-7b089a59dca8","kind":"agent.component_started","subject":"agent/01a1e2e1-9148-7000-9ef7-03a855223053","data":{"name":"desk","environment_id":"01a1e2e1-8513-7000-ac41-a2027e6e862b","component":"agent_endpoint","version":"1.0.0"}}', 'AJW5MSoEs1do3qtARl4h1j6R5tWbnE56UieZFoEaF28');
INSERT INTO public.events VALUES (35, '01a1e2e1-961b-7000-a6f6-62c88ea1f582', 'agent.component_settled', 'agent/01a1e2e1-9148-7000-9ef7-03a855223053', '{"id":"01a1e2e1-961b-7000-a6f6-62c88ea1f582","time":"2026-11-16T05:43:17.248Z","actor":"platform","request_id":null,"kind":"agent.component_settled","subject":"agent/01a1e2e1-9148-7000-9ef7-03a855223053","data":{"environment_id":"01a1e2e1-8513-7000-ac41-a2027e6e862b","component":"agent_endpoint","observed_state":"running","message":null}}', 'Vz9sn_EXfrcODiIPn6bPynlNPl6GX0WmIrv8dyFKE2c');
INSERT INTO public.events VALUES (41, '01a1e2e1-9957-7000-937b-1e191805c595', 'deployment.logged', 'deployment/01a1e2e1-9907-7000-9042-a2dd240162c7', '{"id":"01a1e2e1-9957-7000-937b-1e191805c595","time":"2026-11-16T05:43:18.081Z","actor":"internal-service","request_id":"01a1e2e1-9941-7000-8ee7-44e93fa0bb73","kind":"deployment.logged","subject":"deployment/01a1e2e1-9907-7000-9042-a2dd240162c7","data":{"characters":10}}', 'yZjdx17uhf_hFR_SSOrG6P0R2nYu6Mc7IebJ5TWTAPo');
INSERT INTO public.events VALUES (19, '01a1e2e1-8f6e-7001-a80c-723bdc4ee3eb', 'automation.created', 'automation/01a1e2e1-8f6e-7000-a890-62e6bec95964', '{"id":"01a1e2e1-8f6e-7001-a80c-723bdc4ee3eb","time":"2026-11-16T05:43:15.547Z","actor":"internal-service","request_id":"01a1e2e1-8f5b-7000-93a2-96abb7905ace","kind":"automation.created","subject":"automation/01a1e2e1-8f6e-7000-a890-62e6bec95964","data":{"alias":"released-changed","design_content_hash":"sha256:8171767a3368f1946ff9c20784cbe0b8b03d0b8b1ffa52c5e0c766c25f62910a"}}', 'WH6NUe0njco0aMkALyPbPEiz6i1EiomJeQKHJ57bJVo');
INSERT INTO public.events VALUES (26, '01a1e2e1-9123-7000-99c4-ec65512a5859', 'pipeline.created', 'pipeline/01a1e2e1-9122-7000-a4d8-3bf4bfcc2abe', '{"id":"01a1e2e1-9123-7000-99c4-ec65512a5859","time":"2026-11-16T05:43:16.002Z","actor":"internal-service","request_id":"01a1e2e1-911f-7000-97b3-d1b43555075b","kind":"pipeline.created","subject":"pipeline/01a1e2e1-9122-7000-a4d8-3bf4bfcc2abe","data":{"name":"numbers","environment_id":"01a1e2e1-8513-7000-ac41-a2027e6e862b"}}', 'kjPsN8Er0wUpTU_4EdgnXdNnlAMUS4Jf3-m9HqWRBdM');
INSERT INTO public.events VALUES (27, '01a1e2e1-917b-7000-9e00-54fdf2afa0e3', 'agent.created', 'agent/01a1e2e1-9148-7000-9ef7-03a855223053', '{"id":"01a1e2e1-917b-7000-9e00-54fdf2afa0e3","time":"2026-11-16T05:43:16.040Z","actor":"internal-service","request_id":"01a1e2e1-9147-7000-858b-24e4088decfe","kind":"agent.created","subject":"agent/01a1e2e1-9148-7000-9ef7-03a855223053","data":{"name":"desk","aliases":["orders-bot"]}}', 'dmyAoefJewsimLbaFv90Io0j5K-s6eBgkhiAcWTxTDA');
INSERT INTO public.events VALUES (28, '01a1e2e1-91b2-7000-9bfc-63accbeb5ef0', 'file.written', 'file/01a1e2e1-8513-7000-ac41-a2027e6e862b/tiny/app.yaml', '{"id":"01a1e2e1-91b2-7000-9bfc-63accbeb5ef0","time":"2026-11-16T05:43:16.132Z","actor":"internal-service","request_id":"01a1e2e1-91a3-7000-9a72-ffa81b46bba4","kind":"file.written","subject":"file/01a1e2e1-8513-7000-ac41-a2027e6e862b/tiny/app.yaml","data":{"environment_id":"01a1e2e1-8513-7000-ac41-a2027e6e862b","path":"tiny/app.yaml","size":25,"sha256":"161d49cab793e4e16c959370ac0ef0283a37471131f8f1ce0f6cbd77067c181a"}}', '6wFEyADtJNeibH-jRH1dO-YfWkFO7DD3srCYON8oiIQ');
INSERT INTO public.events VALUES (29, '01a1e2e1-926b-7000-800f-e0730ae5e83e', 'file.written', 'file/01a1e2e1-8513-7000-ac41-a2027e6e862b/tiny/app.mjs', '{"id":"01a1e2e1-926b-7000-800f-e0730ae5e83e","time":"2026-11-16T05:43:16.315Z","actor":"internal-service","request_id":"01a1e2e1-9234-7000-915e-fa0fc6562dd8","kind":"file.written","subject":"file/01a1e2e1-8513-7000-ac41-a2027e6e862b/tiny/app.mjs","data":{"environment_id":"01a1e2e1-8513-7000-ac41-a2027e6e862b","path":"tiny/app.mjs","size":154,"sha256":"42a29daadf6a0e247952089c44decb92d0f16169dfeeb9aa0956ff02f5cd7d93"}}', 'uaBlnCHakW5v9G4RZ1Zw7rTsNTenwDBra7r6egn1_Nc');
INSERT INTO public.events VALUES (36, '01a1e2e1-9663-7000-92d6-df52f4156842', 'app.started', 'app/01a1e2e1-9350-7000-9490-b754058b1091', '{"id":"01a1e2e1-9663-7000-92d6-df52f4156842","time":"2026-11-16T05:43:16.641Z","actor":"internal-service","request_id":"01a1e2e1-93a1-7000-8772-7b089a59dca8","kind":"app.started","subject":"app/01a1e2e1-9350-7000-9490-b754058b1091","data":{"name":"desk-ui","environment_id":"01a1e2e1-8513-7000-ac41-a2027e6e862b","observed_state":"pending"}}', 'aONtmXUFoxcvhXMJGGyEK1YLrKMobDYTP4wh2IfSXEg');
INSERT INTO public.events VALUES (37, '01a1e2e1-9663-7001-9336-2c9274ac211d', 'agent.ui_app_followed', 'agent/01a1e2e1-9148-7000-9ef7-03a855223053', '{"id":"01a1e2e1-9663-7001-9336-2c9274ac211d","time":"2026-11-16T05:43:16.641Z","actor":"internal-service","request_id":"01a1e2e1-93a1-7000-8772-7b089a59dca8","kind":"agent.ui_app_followed","subject":"agent/01a1e2e1-9148-7000-9ef7-03a855223053","data":{"name":"desk","environment_id":"01a1e2e1-8513-7000-ac41-a2027e6e862b","desired_state":"running","observed_state":"pending"}}', '0gfp1XU4qyA1zRZnYlxbq61S5ORYluPS1n7Qm4aUriM');
INSERT INTO public.events VALUES (23, '01a1e2e1-9047-7000-aeed-3e6204b9cdf0', 'automation.schedule_paused', 'automation/01a1e2e1-8e28-7000-b457-e2d787558dc0', '{"id":"01a1e2e1-9047-7000-aeed-3e6204b9cdf0","time":"2026-11-16T05:43:15.757Z","actor":"internal-service","request_id":"01a1e2e1-902d-7000-9b9f-bc88daa8d9ef","kind":"automation.schedule_paused","subject":"automation/01a1e2e1-8e28-7000-b457-e2d787558dc0","data":{"release_id":"01a1e2e1-8e7f-7000-bb90-04974cc0c1c2","environment_id":"01a1e2e1-8513-7000-ac41-a2027e6e862b","version":"1.0.0","reason":"holiday","until":null}}', '6wHyPzrlOPbsfG3Rs6Z8wmtiL2WT6O63LJEJ9DSwrjM');
INSERT INTO public.events VALUES (24, '01a1e2e1-90a4-7000-bba4-49037ae4385e', 'automation.definition_set', 'automation/01a1e2e1-8f6e-7000-a890-62e6bec95964', '{"id":"01a1e2e1-90a4-7000-bba4-49037ae4385e","time":"2026-11-16T05:43:15.836Z","actor":"internal-service","request_id":"01a1e2e1-907c-7000-a551-48aa96eaa4c9","kind":"automation.definition_set","subject":"automation/01a1e2e1-8f6e-7000-a890-62e6bec95964","data":{"alias":"released-changed","design_content_hash":"sha256:a264cadffe9362b98c452263b6a66f3c016a687eebf2c4ef1ab726b644ed37ba"}}', 'wNiNNaB5KjzMuR_mxa0EqaJeY2j1epQUM8gnfCyVvi8');
INSERT INTO public.events VALUES (38, '01a1e2e1-98c3-7000-96b2-d38e414055e1', 'app.settled', 'app/01a1e2e1-9350-7000-9490-b754058b1091', '{"id":"01a1e2e1-98c3-7000-96b2-d38e414055e1","time":"2026-11-16T05:43:17.923Z","actor":"platform","request_id":null,"kind":"app.settled","subject":"app/01a1e2e1-9350-7000-9490-b754058b1091","data":{"name":"desk-ui","observed_state":"running","message":null}}', 'EQv_mrZ-6PKMG8YFFb2GeLaoR5AOqecHYHbwgUYHL5o');
INSERT INTO public.events VALUES (39, '01a1e2e1-98c3-7001-9d0b-d2086292bfe5', 'agent.ui_app_followed', 'agent/01a1e2e1-9148-7000-9ef7-03a855223053', '{"id":"01a1e2e1-98c3-7001-9d0b-d2086292bfe5","time":"2026-11-16T05:43:17.923Z","actor":"platform","request_id":null,"kind":"agent.ui_app_followed","subject":"agent/01a1e2e1-9148-7000-9ef7-03a855223053","data":{"name":"desk","environment_id":"01a1e2e1-8513-7000-ac41-a2027e6e862b","desired_state":"running","observed_state":"running"}}', 'zI_Hc_eEMMg_yWEaZMT3D3jhac4fxdffthfkcMLWXJI');
INSERT INTO public.events VALUES (40, '01a1e2e1-9907-7001-9bac-aa0198a0739b', 'deployment.created', 'deployment/01a1e2e1-9907-7000-9042-a2dd240162c7', '{"id":"01a1e2e1-9907-7001-9bac-aa0198a0739b","time":"2026-11-16T05:43:18.023Z","actor":"internal-service","request_id":"01a1e2e1-9903-7000-9d08-68ada53b0181","kind":"deployment.created","subject":"deployment/01a1e2e1-9907-7000-9042-a2dd240162c7","data":{"deployment_name":"orders 1.0.0","environment_id":"01a1e2e1-8513-7000-ac41-a2027e6e862b","status":"pending"}}', 'wAnz4l_tXaySk_m9-l_YREiOAqF0sePywCoMfDEu8Z8');
INSERT INTO public.events VALUES (42, '01a1e2e1-9983-7001-bebd-40c1f14b523b', 'deployment.finished', 'deployment/01a1e2e1-9907-7000-9042-a2dd240162c7', '{"id":"01a1e2e1-9983-7001-bebd-40c1f14b523b","time":"2026-11-16T05:43:18.139Z","actor":"internal-service","request_id":"01a1e2e1-997b-7000-a8a6-af6753277c43","kind":"deployment.finished","subject":"deployment/01a1e2e1-9907-7000-9042-a2dd240162c7","data":{"deployment_name":"orders 1.0.0","environment_id":"01a1e2e1-8513-7000-ac41-a2027e6e862b","status":"succeeded"}}', 'iKBjbhw0tAV5UlHzpz3rT0d-imrHPhSRKqdqveU3u5I');
INSERT INTO public.events VALUES (43, '01a1e2e1-99d5-7000-90d6-3b6074a1b24b', 'environment.reconciled', 'environment/01a1e2e1-8513-7000-ac41-a2027e6e862b', '{"id":"01a1e2e1-99d5-7000-90d6-3b6074a1b24b","time":"2026-11-16T05:43:18.139Z","actor":"internal-service","request_id":"01a1e2e1-997b-7000-a8a6-af6753277c43","kind":"environment.reconciled","subject":"environment/01a1e2e1-8513-7000-ac41-a2027e6e862b","data":{}}', 'juyzlD1jdUJwIUQGXHaRi6O2HAr0Cik10BY075HobOw');
INSERT INTO public.jobs VALUES ('connector-01a1e2e1-8b07-7000-a137-1008f6f41fb4', '01a1e2e1-8513-7000-ac41-a2027e6e862b', 'connector', 'connector/01a1e2e1-8b07-7000-a137-1008f6f41fb4', '"referring"', '{"trigger":{"kind":"cron","cron":"0 6 1 1 *","timezone":"Europe/Berlin"},"attempts":3,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T05:00:00.000Z', '2026-11-16T05:43:14.441Z', '2026-11-16T05:43:14.441Z', 1);
INSERT INTO public.jobs VALUES ('connector-01a1e2e1-8b35-7000-a536-2cc1aeeec268', '01a1e2e1-8513-7000-ac41-a2027e6e862b', 'connector', 'connector/01a1e2e1-8b35-7000-a536-2cc1aeeec268', '"paused"', '{"trigger":{"kind":"cron","cron":"0 6 1 1 *","timezone":"Europe/Berlin"},"attempts":3,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', '{"by":"internal-service","at":"2026-11-16T05:43:14.549Z","reason":"holiday","until":null,"missed":0,"last_missed":null}', NULL, '{}', 0, NULL, '2027-01-01T05:00:00.000Z', '2026-11-16T05:43:14.486Z', '2026-11-16T05:43:14.486Z', 2);
INSERT INTO public.jobs VALUES ('connector-01a1e2e1-8ac7-7000-9163-69a14aeb0a43', '01a1e2e1-8513-7000-ac41-a2027e6e862b', 'connector', 'connector/01a1e2e1-8ac7-7000-9163-69a14aeb0a43', '"inline"', '{"trigger":{"kind":"cron","cron":"0 6 1 1 *","timezone":"Europe/Berlin"},"attempts":3,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T05:00:00.000Z', '2026-11-16T05:43:14.378Z', '2026-11-16T05:43:14.614Z', 2);
INSERT INTO public.jobs VALUES ('automation-01a1e2e1-8c89-7000-bfea-5a943f00bdd7-01a1e2e1-8513-7000-ac41-a2027e6e862b', '01a1e2e1-8513-7000-ac41-a2027e6e862b', 'automation', 'automation/01a1e2e1-8c89-7000-bfea-5a943f00bdd7', '"released"', '{"trigger":{"kind":"cron","cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"attempts":20,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T06:00:00.000Z', '2026-11-16T05:43:14.973Z', '2026-11-16T05:43:14.973Z', 1);
INSERT INTO public.jobs VALUES ('automation-01a1e2e1-8f6e-7000-a890-62e6bec95964-01a1e2e1-8513-7000-ac41-a2027e6e862b', '01a1e2e1-8513-7000-ac41-a2027e6e862b', 'automation', 'automation/01a1e2e1-8f6e-7000-a890-62e6bec95964', '"released-changed"', '{"trigger":{"kind":"cron","cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"attempts":20,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T06:00:00.000Z', '2026-11-16T05:43:15.636Z', '2026-11-16T05:43:15.636Z', 1);
INSERT INTO public.jobs VALUES ('automation-01a1e2e1-8e28-7000-b457-e2d787558dc0-01a1e2e1-8513-7000-ac41-a2027e6e862b', '01a1e2e1-8513-7000-ac41-a2027e6e862b', 'automation', 'automation/01a1e2e1-8e28-7000-b457-e2d787558dc0', '"released-paused"', '{"trigger":{"kind":"cron","cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"attempts":20,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', '{"by":"internal-service","at":"2026-11-16T05:43:15.757Z","reason":"holiday","until":null,"missed":0,"last_missed":null}', NULL, '{}', 0, NULL, '2027-01-01T06:00:00.000Z', '2026-11-16T05:43:15.335Z', '2026-11-16T05:43:15.335Z', 2);
INSERT INTO public.jobs VALUES ('pipeline-01a1e2e1-9122-7000-a4d8-3bf4bfcc2abe', '01a1e2e1-8513-7000-ac41-a2027e6e862b', 'pipeline', 'pipeline/01a1e2e1-9122-7000-a4d8-3bf4bfcc2abe', '"numbers"', '{"trigger":{"kind":"manual"},"attempts":3,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'manual', NULL, NULL, '{}', 0, NULL, NULL, '2026-11-16T05:43:16.002Z', '2026-11-16T05:43:16.002Z', 1);
INSERT INTO public.keyring VALUES ('fingerprint', 'keOT3fxHz_I6EV7EkRe8KYS2yBFU5Xa5yqF8SRI7QW0');
INSERT INTO public.keyring VALUES ('jwt', 'IOcP4B+V0JzZ/8iBJW1v9M/6MG+591axSNnzi8nBBVTgFYxIl7RdLN59Md+Nr/zOLI8He4iHgjs8I3gVfCB4g2YhYgX6mv1Z');
INSERT INTO public.keyring VALUES ('data folder', '01a1e2e1-82e3-7000-8a41-ceba417cb6e0');
INSERT INTO public.overrides VALUES ('01a1e2e1-8513-7000-ac41-a2027e6e862b', '01a1e2e1-8e28-7000-b457-e2d787558dc0', '{"paused":true,"by":"internal-service","at":"2026-11-16T05:43:15.757Z","reason":"holiday","until":null}');
INSERT INTO public.pipelines VALUES (1, '01a1e2e1-9122-7000-a4d8-3bf4bfcc2abe', '["01a1e2e1-8513-7000-ac41-a2027e6e862b","numbers"]', 1, '01a1e2e1-8513-7000-ac41-a2027e6e862b', NULL, NULL, '{"pipeline_id":"01a1e2e1-9122-7000-a4d8-3bf4bfcc2abe","name":"numbers","libraries":[{"file":{"path":"pipelines/numbers.sql"}}],"configuration":{},"continuous":false,"development":false,"photon":false,"serverless":false,"channel":"CURRENT","edition":"ADVANCED","platform_managed":true,"environment_id":"01a1e2e1-8513-7000-ac41-a2027e6e862b","tags":{"platform.managed_by":"lakehelm","platform.environment":"prod","platform.pipeline":"numbers"},"platform_reference":"pipeline-01a1e2e1-9122-7000-a4d8-3bf4bfcc2abe","error_message":null,"created_at":"2026-11-16T05:43:16.002Z","updated_at":"2026-11-16T05:43:16.002Z","created_by":"internal-service","updated_by":null}', NULL);
INSERT INTO public.positions VALUES ('attempts', 0);
INSERT INTO public.positions VALUES ('bindings', 0);
INSERT INTO public.positions VALUES ('flows', 0);
INSERT INTO public.positions VALUES ('environments', 2);
INSERT INTO public.positions VALUES ('users', 1);
INSERT INTO public.positions VALUES ('tokens', 1);
INSERT INTO public.positions VALUES ('connectors', 3);
INSERT INTO public.positions VALUES ('automations', 3);
INSERT INTO public.positions VALUES ('pipelines', 1);
INSERT INTO public.positions VALUES ('agents', 1);
INSERT INTO public.positions VALUES ('versions', 1);
INSERT INTO public.positions VALUES ('releases', 4);
INSERT INTO public.positions VALUES ('apps', 1);
INSERT INTO public.positions VALUES ('deployments', 4);
INSERT INTO public.processes VALUES ('agent/01a1e2e1-9148-7000-9ef7-03a855223053/01a1e2e1-8513-7000-ac41-a2027e6e862b', '01a1e2e1-8513-7000-ac41-a2027e6e862b', 'running', '{"askedAt":"2026-11-16T05:43:16.641Z","deploy":"01a1e2e1-93b3-7000-8d9d-b52b0dc318f9","name":"desk","sourcePath":"tiny","start":{"mark":"fe28d203c1e562fd.d091747f25c3adc2535898dd9c634feb","port":44255,"url":"http://127.0.0.1:42885","boot":"355cdeda-b6a0-47a4-908c-2e0ca1078aca","pid":27545,"began":"202204"},"ends":[],"sight":{"observed_state":"running","message":null}}', 4);
INSERT INTO public.processes VALUES ('app/01a1e2e1-9350-7000-9490-b754058b1091', '01a1e2e1-8513-7000-ac41-a2027e6e862b', 'running', '{"askedAt":"2026-11-16T05:43:16.641Z","deploy":"01a1e2e1-9640-7000-84f0-bde68f000d0c","name":"desk-ui","sourcePath":"tiny","start":{"mark":"fe28d203c1e562fd.206cc33743e210bc2bd53e0d8188794a","port":46755,"url":"http://127.0.0.1:42885","boot":"355cdeda-b6a0-47a4-908c-2e0ca1078aca","pid":27567,"began":"202274"},"ends":[],"sight":{"observed_state":"running","message":null}}', 4);
INSERT INTO public.release_designs VALUES ('01a1e2e1-8d19-7000-a45b-3516820ffefb', '01a1e2e1-8c89-7000-bfea-5a943f00bdd7', '01a1e2e1-8513-7000-ac41-a2027e6e862b', '{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false}', NULL);
INSERT INTO public.release_designs VALUES ('01a1e2e1-8e7f-7000-bb90-04974cc0c1c2', '01a1e2e1-8e28-7000-b457-e2d787558dc0', '01a1e2e1-8513-7000-ac41-a2027e6e862b', '{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false}', NULL);
INSERT INTO public.release_designs VALUES ('01a1e2e1-8fb3-7000-943c-512543259a41', '01a1e2e1-8f6e-7000-a890-62e6bec95964', '01a1e2e1-8513-7000-ac41-a2027e6e862b', '{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false}', NULL);
INSERT INTO public.releases VALUES (1, '01a1e2e1-8d19-7000-a45b-3516820ffefb', '["automation","01a1e2e1-8c89-7000-bfea-5a943f00bdd7","01a1e2e1-8513-7000-ac41-a2027e6e862b"]', 1, '01a1e2e1-8513-7000-ac41-a2027e6e862b', '01a1e2e1-8c89-7000-bfea-5a943f00bdd7', 'installed', '{"id":"01a1e2e1-8d19-7000-a45b-3516820ffefb","artifact":"automation/released","environment_id":"01a1e2e1-8513-7000-ac41-a2027e6e862b","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:73116b352d66f416c74e2492233b983f8479436005d1a604d78239541c80557c","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1e2e1-8c89-7000-bfea-5a943f00bdd7-01a1e2e1-8513-7000-ac41-a2027e6e862b","activated_at":"2026-11-16T05:43:14.939Z","activated_by":"internal-service","deployment_id":"01a1e2e1-8d21-7000-82b0-b208eb020388"}', NULL);
INSERT INTO public.releases VALUES (3, '01a1e2e1-8fb3-7000-943c-512543259a41', '["automation","01a1e2e1-8f6e-7000-a890-62e6bec95964","01a1e2e1-8513-7000-ac41-a2027e6e862b"]', 1, '01a1e2e1-8513-7000-ac41-a2027e6e862b', '01a1e2e1-8f6e-7000-a890-62e6bec95964', 'installed', '{"id":"01a1e2e1-8fb3-7000-943c-512543259a41","artifact":"automation/released-changed","environment_id":"01a1e2e1-8513-7000-ac41-a2027e6e862b","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:8171767a3368f1946ff9c20784cbe0b8b03d0b8b1ffa52c5e0c766c25f62910a","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1e2e1-8f6e-7000-a890-62e6bec95964-01a1e2e1-8513-7000-ac41-a2027e6e862b","activated_at":"2026-11-16T05:43:15.622Z","activated_by":"internal-service","deployment_id":"01a1e2e1-8fb4-7001-871b-5630a1161eb0"}', NULL);
INSERT INTO public.releases VALUES (2, '01a1e2e1-8e7f-7000-bb90-04974cc0c1c2', '["automation","01a1e2e1-8e28-7000-b457-e2d787558dc0","01a1e2e1-8513-7000-ac41-a2027e6e862b"]', 2, '01a1e2e1-8513-7000-ac41-a2027e6e862b', '01a1e2e1-8e28-7000-b457-e2d787558dc0', 'installed', '{"id":"01a1e2e1-8e7f-7000-bb90-04974cc0c1c2","artifact":"automation/released-paused","environment_id":"01a1e2e1-8513-7000-ac41-a2027e6e862b","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:0d499ab73335380396713cba4a3b6ebfd4d585ec3455a1a60a2cd031214d2b6e","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1e2e1-8e28-7000-b457-e2d787558dc0-01a1e2e1-8513-7000-ac41-a2027e6e862b","activated_at":"2026-11-16T05:43:15.305Z","activated_by":"internal-service","deployment_id":"01a1e2e1-8e88-7000-a669-26609a043d6b"}', NULL);
INSERT INTO public.releases VALUES (4, '01a1e2e1-92d4-7000-81bc-14eb168c7eb7', '["agent","01a1e2e1-9148-7000-9ef7-03a855223053","01a1e2e1-8513-7000-ac41-a2027e6e862b"]', 5, '01a1e2e1-8513-7000-ac41-a2027e6e862b', '01a1e2e1-9148-7000-9ef7-03a855223053', 'agent_release', '{"artifact":"agent/desk","release":{"environment_id":"01a1e2e1-8513-7000-ac41-a2027e6e862b","environment":"prod","version":"1.0.0","workflow_run_id":null,"workflow_name":null,"workflow_run_url":null,"activated_at":"2026-11-16T05:43:16.356Z","activated_by":"internal-service"}}', NULL);
INSERT INTO public.schema_version VALUES (6);
INSERT INTO public.secrets VALUES ('01a1e2e1-8513-7000-ac41-a2027e6e862b', 'shop', 'api-key', 'azeaRUfG1dQpGwROe6n3Kdw9DJ8kCEexPusu8UWZR429kBDDEXaE', '2026-11-16T05:43:14.337Z');
INSERT INTO public.summaries VALUES ('01a1e2e1-8513-7000-ac41-a2027e6e862b', '{"environment_id":"01a1e2e1-8513-7000-ac41-a2027e6e862b","latest_success":{"id":"01a1e2e1-9907-7000-9042-a2dd240162c7","deployment_name":"orders 1.0.0","git_branch":"main","git_commit_sha":"","completed_at":"2026-11-16T05:43:18.139Z"},"current_releases":[{"artifact":"automation/released","version":"1.0.0","activated_at":"2026-11-16T05:43:14.939Z"},{"artifact":"automation/released-paused","version":"1.0.0","activated_at":"2026-11-16T05:43:15.305Z"},{"artifact":"automation/released-changed","version":"1.0.0","activated_at":"2026-11-16T05:43:15.622Z"},{"artifact":"agent/desk","version":"1.0.0","activated_at":"2026-11-16T05:43:16.356Z"}],"deployment_counts":{"succeeded":4},"failure_streak":0,"reconciled_at":"2026-11-16T05:43:18.139Z"}');
INSERT INTO public.tallies VALUES ('environments/all', 1000000, 0, 2);
INSERT INTO public.tallies VALUES ('environments/all', 10000, 0, 2);
INSERT INTO public.tallies VALUES ('environments/all', 100, 0, 2);
INSERT INTO public.tallies VALUES ('users/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('users/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('users/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1e2e1-853f-7000-9061-abddbe9e4363', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1e2e1-853f-7000-9061-abddbe9e4363', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1e2e1-853f-7000-9061-abddbe9e4363', 100, 0, 1);
INSERT INTO public.tallies VALUES ('releases/all', 1000000, 0, 4);
INSERT INTO public.tallies VALUES ('releases/all', 10000, 0, 4);
INSERT INTO public.tallies VALUES ('releases/all', 100, 0, 4);
INSERT INTO public.tallies VALUES ('releases/01a1e2e1-8513-7000-ac41-a2027e6e862b', 1000000, 0, 4);
INSERT INTO public.tallies VALUES ('releases/01a1e2e1-8513-7000-ac41-a2027e6e862b', 10000, 0, 4);
INSERT INTO public.tallies VALUES ('releases/01a1e2e1-8513-7000-ac41-a2027e6e862b', 100, 0, 4);
INSERT INTO public.tallies VALUES ('connectors/all', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/all', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/all', 100, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/01a1e2e1-8513-7000-ac41-a2027e6e862b', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/01a1e2e1-8513-7000-ac41-a2027e6e862b', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/01a1e2e1-8513-7000-ac41-a2027e6e862b', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e2e1-8c89-7000-bfea-5a943f00bdd7', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2e1-8c89-7000-bfea-5a943f00bdd7', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2e1-8c89-7000-bfea-5a943f00bdd7', 100, 0, 1);
INSERT INTO public.tallies VALUES ('deployments/all', 1000000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/all', 10000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/all', 100, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1e2e1-8513-7000-ac41-a2027e6e862b', 1000000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1e2e1-8513-7000-ac41-a2027e6e862b', 10000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1e2e1-8513-7000-ac41-a2027e6e862b', 100, 0, 4);
INSERT INTO public.tallies VALUES ('releases/01a1e2e1-8e28-7000-b457-e2d787558dc0', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2e1-8e28-7000-b457-e2d787558dc0', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2e1-8e28-7000-b457-e2d787558dc0', 100, 0, 1);
INSERT INTO public.tallies VALUES ('automations/all', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('automations/all', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('automations/all', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e2e1-8f6e-7000-a890-62e6bec95964', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2e1-8f6e-7000-a890-62e6bec95964', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2e1-8f6e-7000-a890-62e6bec95964', 100, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1e2e1-8513-7000-ac41-a2027e6e862b', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1e2e1-8513-7000-ac41-a2027e6e862b', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1e2e1-8513-7000-ac41-a2027e6e862b', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agents/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('agents/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('agents/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1e2e1-9148-7000-9ef7-03a855223053', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1e2e1-9148-7000-9ef7-03a855223053', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1e2e1-9148-7000-9ef7-03a855223053', 100, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2e1-9148-7000-9ef7-03a855223053', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2e1-9148-7000-9ef7-03a855223053', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2e1-9148-7000-9ef7-03a855223053', 100, 0, 1);
INSERT INTO public.tallies VALUES ('apps/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2e1-8513-7000-ac41-a2027e6e862b', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2e1-8513-7000-ac41-a2027e6e862b', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2e1-8513-7000-ac41-a2027e6e862b', 100, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2e1-9148-7000-9ef7-03a855223053', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2e1-9148-7000-9ef7-03a855223053', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2e1-9148-7000-9ef7-03a855223053', 100, 0, 1);
INSERT INTO public.tokens VALUES (1, '01a1e2e1-8a67-7000-a5e3-d835caa7172f', '["vAiP0ZAJIil_ef77kz6HWN5MyJatQxpZ59c9TBwoJYo"]', 1, NULL, '01a1e2e1-853f-7000-9061-abddbe9e4363', NULL, '{"id":"01a1e2e1-8a67-7000-a5e3-d835caa7172f","username":"ada@example.test","comment":"fixture","created_at":"2026-11-16T05:43:14.261Z","expires_at":null,"created_by":"internal-service"}', NULL);
INSERT INTO public.users VALUES (1, '01a1e2e1-853f-7000-9061-abddbe9e4363', '["ada@example.test"]', 1, NULL, NULL, NULL, '{"id":"01a1e2e1-853f-7000-9061-abddbe9e4363","username":"ada@example.test","role":"operator","active":true,"created_at":"2026-11-16T05:43:12.958Z","updated_at":"2026-11-16T05:43:12.958Z","created_by":"internal-service"}', 'P44AtfCpmezu6i7nnyJgRBP3fYPGqXi06tEJQtU+S4XjFLnD6VpzrizBsWQmHRzuNXjozkpzQl31N3kVPKbaUln3D/wiWf2vUWchD6WSZYcCe62LtGPDz8olkfFbTkYSUdyQQW7mILvbIi7x4lCQCpsv');
INSERT INTO public.versions VALUES (1, '01a1e2e1-92cf-7000-8c48-61bde4fdf8b9', '["01a1e2e1-9148-7000-9ef7-03a855223053","1.0.0"]', 1, NULL, '01a1e2e1-9148-7000-9ef7-03a855223053', NULL, '{"id":"01a1e2e1-92cf-7000-8c48-61bde4fdf8b9","agent_id":"01a1e2e1-9148-7000-9ef7-03a855223053","version":"1.0.0","source_path":null,"metadata":{},"created_at":"2026-11-16T05:43:16.356Z","created_by":"internal-service"}', NULL);
SELECT pg_catalog.setval('public.deliveries_sequence_seq', 1, false);
SELECT pg_catalog.setval('public.outbox_sequence_seq', 10, true);
SELECT pg_catalog.setval('public.pending_events_arrival_seq', 43, true);
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
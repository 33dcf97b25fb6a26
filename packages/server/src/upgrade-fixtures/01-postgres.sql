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
CREATE TABLE public.idempotency (
    caller text NOT NULL,
    endpoint text NOT NULL,
    key text NOT NULL,
    request text NOT NULL,
    answer text NOT NULL,
    version integer,
    expires_at text NOT NULL
);
CREATE TABLE public.intents (
    id text NOT NULL,
    environment_id text,
    kind text NOT NULL,
    subject text NOT NULL,
    data text NOT NULL
);
CREATE TABLE public.keyring (
    name text NOT NULL,
    value text NOT NULL
);
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
ALTER TABLE ONLY public.pending_events ALTER COLUMN arrival SET DEFAULT nextval('public.pending_events_arrival_seq'::regclass);
INSERT INTO public.agents VALUES (1, '01a1e2df-5357-7000-94c9-166fdbedc925', '["desk"]', 4, NULL, NULL, NULL, '{"id":"01a1e2df-5357-7000-94c9-166fdbedc925","name":"desk","aliases":["orders-bot"],"description":"","source_path":"tiny","components":[{"environment_id":"01a1e2df-3ff9-7000-8c5b-5cebe6e612fd","component":"chat","desired_state":"running","observed_state":"running","message":null,"updated_at":"2026-11-16T05:40:49.439Z","version":"1.0.0"},{"environment_id":"01a1e2df-3ff9-7000-8c5b-5cebe6e612fd","component":"agent_endpoint","desired_state":"running","observed_state":"running","message":null,"updated_at":"2026-11-16T05:40:49.878Z","version":"1.0.0"},{"environment_id":"01a1e2df-3ff9-7000-8c5b-5cebe6e612fd","component":"ui_app","desired_state":"running","observed_state":"running","version":"1.0.0","message":null,"updated_at":"2026-11-16T05:40:49.878Z"}],"releases":[{"environment_id":"01a1e2df-3ff9-7000-8c5b-5cebe6e612fd","environment":"prod","version":"1.0.0","workflow_run_id":null,"workflow_name":null,"workflow_run_url":null,"activated_at":"2026-11-16T05:40:49.439Z","activated_by":"internal-service"}],"created_at":"2026-11-16T05:40:49.111Z","updated_at":"2026-11-16T05:40:49.878Z","created_by":"internal-service","updated_by":"internal-service"}', NULL);
INSERT INTO public.aliases VALUES ('["desk"]', '01a1e2df-5357-7000-94c9-166fdbedc925');
INSERT INTO public.aliases VALUES ('["orders-bot"]', '01a1e2df-5357-7000-94c9-166fdbedc925');
INSERT INTO public.apps VALUES (1, '01a1e2df-55dc-7000-a6c1-e7f27f0ff64d', '["01a1e2df-3ff9-7000-8c5b-5cebe6e612fd","desk-ui"]', 2, '01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', '01a1e2df-5357-7000-94c9-166fdbedc925', NULL, '{"id":"01a1e2df-55dc-7000-a6c1-e7f27f0ff64d","name":"desk-ui","environment_id":"01a1e2df-3ff9-7000-8c5b-5cebe6e612fd","description":"","agent_id":"01a1e2df-5357-7000-94c9-166fdbedc925","source_path":"tiny","desired_state":"running","observed_state":"running","message":null,"created_at":"2026-11-16T05:40:49.756Z","updated_at":"2026-11-16T05:40:49.878Z","created_by":"internal-service","updated_by":"internal-service"}', NULL);
INSERT INTO public.automations VALUES (1, '01a1e2df-4c6e-7000-8117-da6cec5acb8d', '["released"]', 1, NULL, NULL, NULL, '{"id":"01a1e2df-4c6e-7000-8117-da6cec5acb8d","alias":"released","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"query":"select 1","parameters":{},"retries":0}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{}},"design_content_hash":"sha256:f532d48ef6c129e9aecb868065a2ddee0d2f14ad36dffee7cf14f341d6f2003b","created_at":"2026-11-16T05:40:47.151Z","updated_at":"2026-11-16T05:40:47.151Z","created_by":"internal-service","updated_by":null}', NULL);
INSERT INTO public.automations VALUES (2, '01a1e2df-4e99-7000-867b-b3b574b07358', '["released-paused"]', 1, NULL, NULL, NULL, '{"id":"01a1e2df-4e99-7000-867b-b3b574b07358","alias":"released-paused","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"query":"select 1","parameters":{},"retries":0}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{}},"design_content_hash":"sha256:a3271efdce491be25c4ebdedbf97908ff7a5bc8d3d69881be6dfe009585ff641","created_at":"2026-11-16T05:40:47.808Z","updated_at":"2026-11-16T05:40:47.808Z","created_by":"internal-service","updated_by":null}', NULL);
INSERT INTO public.automations VALUES (3, '01a1e2df-5045-7000-84ad-6c22e5895edc', '["released-changed"]', 2, NULL, NULL, NULL, '{"id":"01a1e2df-5045-7000-84ad-6c22e5895edc","alias":"released-changed","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"query":"select 2","parameters":{},"retries":0}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{}},"design_content_hash":"sha256:fff6e639d71f5f746d2ce7fdad8eed1e0a4dd2574d9951d9e5b2422f4129141b","created_at":"2026-11-16T05:40:48.314Z","updated_at":"2026-11-16T05:40:48.780Z","created_by":"internal-service","updated_by":"internal-service"}', NULL);
INSERT INTO public.connectors VALUES (2, '01a1e2df-4a3e-7000-9258-9abe44e944db', '["referring"]', 1, '01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', NULL, NULL, '{"id":"01a1e2df-4a3e-7000-9258-9abe44e944db","name":"referring","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"********"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"active","git_commit_id":null,"git_branch":null,"workflow_id":"connector-01a1e2df-4a3e-7000-9258-9abe44e944db","artifacts_path":null,"error_message":null,"created_at":"2026-11-16T05:40:46.782Z","updated_at":"2026-11-16T05:40:46.782Z","created_by":"ada@example.test","updated_by":null,"datasets":[{"id":"01a1e2df-4a3e-7001-9bc3-37a742fdc6ea","connector_id":"01a1e2df-4a3e-7000-9258-9abe44e944db","source_dataset":"referring","target_name":"referring","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-16T05:40:46.782Z","created_by":"internal-service"}]}', 'AysVpLK2oZcSQYxFzaITiONvQ/Y80kTYxUZxsD13izqYJtcTLCjmEngBZyMNgfgKIXM+ZNIrmL1Edq1KzHOOVoQwT05EvmrXpW5ZcCIm6s1SRRBpEbt0Ce9QW9qp563ktA2q7zsSzhLV3RiRF+9h9NJCsEtO7Al47A4rQqb02o+a1hfJ9ggUeDnX8Xs0');
INSERT INTO public.connectors VALUES (3, '01a1e2df-4adb-7000-a313-7f14a9b118ee', '["paused"]', 2, '01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', NULL, NULL, '{"id":"01a1e2df-4adb-7000-a313-7f14a9b118ee","name":"paused","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"********"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"paused","git_commit_id":null,"git_branch":null,"workflow_id":"connector-01a1e2df-4adb-7000-a313-7f14a9b118ee","artifacts_path":null,"error_message":null,"created_at":"2026-11-16T05:40:46.939Z","updated_at":"2026-11-16T05:40:47.016Z","created_by":"ada@example.test","updated_by":"internal-service","datasets":[{"id":"01a1e2df-4adc-7000-84c7-6a7260ad21c4","connector_id":"01a1e2df-4adb-7000-a313-7f14a9b118ee","source_dataset":"paused","target_name":"paused","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-16T05:40:46.939Z","created_by":"internal-service"}]}', '5sx0VrfsHqj9u13FWmkPaQSAwLnA9Dic5IwoizCE+8TFq9MO9t+Mkp2f6yjy2WihGloVRYsLIrBPE4izKUSvQUKEl/ae/hnaWfPie85rvzxFtZfow7ABjh+eJE60QgMLE9GzIuqUBBKmAATGjxzYeSNI');
INSERT INTO public.connectors VALUES (1, '01a1e2df-49ed-7000-b469-520504d96b80', '["inline"]', 2, '01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', NULL, NULL, '{"id":"01a1e2df-49ed-7000-b469-520504d96b80","name":"inline","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"********"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"active","git_commit_id":null,"git_branch":"main","workflow_id":"connector-01a1e2df-49ed-7000-b469-520504d96b80","artifacts_path":null,"error_message":null,"created_at":"2026-11-16T05:40:46.701Z","updated_at":"2026-11-16T05:40:47.103Z","created_by":"ada@example.test","updated_by":"internal-service","datasets":[{"id":"01a1e2df-49ee-7000-b5cf-ae19078d1347","connector_id":"01a1e2df-49ed-7000-b469-520504d96b80","source_dataset":"inline","target_name":"inline","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-16T05:40:46.701Z","created_by":"internal-service"}]}', 'gJA4F99gDQldSA7NnAUMrrOadtXrxss8ay2qcMWNE9MU3uGEakAUwhQ3SwEFOj8BvIc+PoTMPIkMFu3uX66CJdCnMlvmBQ9ka7CMvQ2odSSaelROReAxpkpkThBQL5ioaGt0g7NeoS4pljf+BL4+lm9Kx9n7edCnTHBGtccAvTA=');
INSERT INTO public.deployment_log VALUES ('01a1e2df-572c-7000-8909-e8a6b82c7a7f', 1, '"uploading\n"');
INSERT INTO public.deployments VALUES (1, '01a1e2df-4cad-7000-ac17-d413fbe0bbd5', '["2026-11-16T05:40:47.380Z","01a1e2df-4cad-7000-ac17-d413fbe0bbd5"]', 1, '01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', NULL, 'succeeded', '{"id":"01a1e2df-4cad-7000-ac17-d413fbe0bbd5","deployment_name":"released 1.0.0","environment_id":"01a1e2df-3ff9-7000-8c5b-5cebe6e612fd","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T05:40:47.380Z","started_at":"2026-11-16T05:40:47.380Z","completed_at":"2026-11-16T05:40:47.380Z","initiated_by":"internal-service","error_message":null}', NULL);
INSERT INTO public.deployments VALUES (2, '01a1e2df-4f6c-7001-bbd5-8f4567e6d144', '["2026-11-16T05:40:48.063Z","01a1e2df-4f6c-7001-bbd5-8f4567e6d144"]', 1, '01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', NULL, 'succeeded', '{"id":"01a1e2df-4f6c-7001-bbd5-8f4567e6d144","deployment_name":"released-paused 1.0.0","environment_id":"01a1e2df-3ff9-7000-8c5b-5cebe6e612fd","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T05:40:48.063Z","started_at":"2026-11-16T05:40:48.063Z","completed_at":"2026-11-16T05:40:48.063Z","initiated_by":"internal-service","error_message":null}', NULL);
INSERT INTO public.deployments VALUES (3, '01a1e2df-50a6-7001-b413-ce9ebbe5e763', '["2026-11-16T05:40:48.387Z","01a1e2df-50a6-7001-b413-ce9ebbe5e763"]', 1, '01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', NULL, 'succeeded', '{"id":"01a1e2df-50a6-7001-b413-ce9ebbe5e763","deployment_name":"released-changed 1.0.0","environment_id":"01a1e2df-3ff9-7000-8c5b-5cebe6e612fd","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T05:40:48.387Z","started_at":"2026-11-16T05:40:48.387Z","completed_at":"2026-11-16T05:40:48.387Z","initiated_by":"internal-service","error_message":null}', NULL);
INSERT INTO public.deployments VALUES (4, '01a1e2df-572c-7000-8909-e8a6b82c7a7f', '["2026-11-16T05:40:50.248Z","01a1e2df-572c-7000-8909-e8a6b82c7a7f"]', 2, '01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', NULL, 'succeeded', '{"id":"01a1e2df-572c-7000-8909-e8a6b82c7a7f","deployment_name":"orders 1.0.0","environment_id":"01a1e2df-3ff9-7000-8c5b-5cebe6e612fd","git_branch":"main","git_commit_sha":"","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T05:40:50.092Z","started_at":null,"completed_at":"2026-11-16T05:40:50.248Z","initiated_by":"internal-service","error_message":null}', NULL);
INSERT INTO public.embedded_records VALUES ('01a1e2df-49ef-7000-93fb-48cfc0cdbbf9', '01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', 'job.install', 'connector/01a1e2df-49ed-7000-b469-520504d96b80', '{"name":"inline","execution_mode":"batch","schedule_cron":"0 6 1 1 *"}');
INSERT INTO public.embedded_records VALUES ('01a1e2df-4a3f-7000-9d92-8481856dade2', '01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', 'job.install', 'connector/01a1e2df-4a3e-7000-9258-9abe44e944db', '{"name":"referring","execution_mode":"batch","schedule_cron":"0 6 1 1 *"}');
INSERT INTO public.embedded_records VALUES ('01a1e2df-4adc-7001-995a-8e5118d59fcb', '01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', 'job.install', 'connector/01a1e2df-4adb-7000-a313-7f14a9b118ee', '{"name":"paused","execution_mode":"batch","schedule_cron":"0 6 1 1 *"}');
INSERT INTO public.embedded_records VALUES ('01a1e2df-4b47-7000-ac6b-3403ebbbafee', '01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', 'job.pause', 'connector/01a1e2df-4adb-7000-a313-7f14a9b118ee', '{"name":"paused","execution_mode":"batch","schedule_cron":"0 6 1 1 *"}');
INSERT INTO public.embedded_records VALUES ('01a1e2df-4b86-7000-abb8-e4614bacdad0', '01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', 'job.install', 'connector/01a1e2df-49ed-7000-b469-520504d96b80', '{"name":"inline","execution_mode":"batch","schedule_cron":"0 6 1 1 *"}');
INSERT INTO public.embedded_records VALUES ('01a1e2df-4cac-7000-8697-3a2199428039', '01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', 'job.install', 'automation/01a1e2df-4c6e-7000-8117-da6cec5acb8d', '{"release_id":"01a1e2df-4ca7-7000-86f1-b86d831bea82","alias":"released","version":"1.0.0","schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"paused":false}');
INSERT INTO public.embedded_records VALUES ('01a1e2df-4f6c-7000-8a80-ed500ef31612', '01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', 'job.install', 'automation/01a1e2df-4e99-7000-867b-b3b574b07358', '{"release_id":"01a1e2df-4f60-7000-9bee-8d2fbb18623b","alias":"released-paused","version":"1.0.0","schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"paused":false}');
INSERT INTO public.embedded_records VALUES ('01a1e2df-50a6-7000-ac47-6b0724f906aa', '01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', 'job.install', 'automation/01a1e2df-5045-7000-84ad-6c22e5895edc', '{"release_id":"01a1e2df-50a2-7000-bd37-af245c7b59a3","alias":"released-changed","version":"1.0.0","schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"paused":false}');
INSERT INTO public.embedded_records VALUES ('01a1e2df-51cd-7000-aad8-136fb3cfea48', '01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', 'job.pause', 'automation/01a1e2df-4e99-7000-867b-b3b574b07358', '{"release_id":"01a1e2df-4f60-7000-9bee-8d2fbb18623b","alias":"released-paused","override":{"paused":true,"by":"internal-service","at":"2026-11-16T05:40:48.670Z","reason":"holiday","until":null}}');
INSERT INTO public.embedded_records VALUES ('01a1e2df-52ea-7001-83f1-bd77c5a6a7de', '01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', 'pipeline.install', 'pipeline/01a1e2df-52ea-7000-81db-d0f0cfbe8c45', '{"name":"numbers","tags":{"platform.managed_by":"lakehelm","platform.environment":"prod","platform.pipeline":"numbers"},"platform_reference":null}');
INSERT INTO public.embedded_records VALUES ('01a1e2df-54a8-7000-a2bc-71a6b886f914', '01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', 'component.start', 'agent/01a1e2df-5357-7000-94c9-166fdbedc925', '{"component":"chat","name":"desk","version":"1.0.0","asked_at":"2026-11-16T05:40:49.439Z"}');
INSERT INTO public.embedded_records VALUES ('01a1e2df-566b-7000-822c-73d454e822ab', '01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', 'component.start', 'agent/01a1e2df-5357-7000-94c9-166fdbedc925', '{"component":"agent_endpoint","name":"desk","version":"1.0.0","asked_at":"2026-11-16T05:40:49.878Z"}');
INSERT INTO public.embedded_records VALUES ('01a1e2df-56a7-7000-a1a6-f3c664e3581b', '01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', 'component.start', 'app/01a1e2df-55dc-7000-a6c1-e7f27f0ff64d', '{"name":"desk-ui","agent_id":"01a1e2df-5357-7000-94c9-166fdbedc925","source_path":"tiny","asked_at":"2026-11-16T05:40:49.878Z"}');
INSERT INTO public.environments VALUES (1, '01a1e2df-3e9c-7000-99d0-c99298aa2d33', '["local"]', 1, NULL, NULL, NULL, '{"id":"01a1e2df-3e9c-7000-99d0-c99298aa2d33","name":"local","description":"Made at the first start","protected":false,"platform":"embedded","gitProvider":null,"gitRepository":null,"targetGitBranch":null,"secretScope":null,"dataPlatformClientIdKey":null,"dataPlatformClientSecretKey":null,"configuration":{},"isActive":true,"createdAt":"2026-11-16T05:40:43.714Z","updatedAt":"2026-11-16T05:40:43.714Z","createdBy":"lakehelm","updatedBy":null}', NULL);
INSERT INTO public.environments VALUES (2, '01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', '["prod"]', 1, NULL, NULL, NULL, '{"id":"01a1e2df-3ff9-7000-8c5b-5cebe6e612fd","name":"prod","description":null,"protected":false,"platform":"embedded","gitProvider":null,"gitRepository":null,"targetGitBranch":null,"secretScope":null,"dataPlatformClientIdKey":null,"dataPlatformClientSecretKey":null,"configuration":{"timezone":"Europe/Berlin"},"isActive":true,"createdAt":"2026-11-16T05:40:44.153Z","updatedAt":"2026-11-16T05:40:44.153Z","createdBy":"internal-service","updatedBy":null}', NULL);
INSERT INTO public.event_head VALUES (1, 40, 'S5sUHczmF0KYIX2dPY8H1IlediYr6YRa1aWQRa3aQ5A', 'Ny057quW9EZrEFZFKbVzLQXFYI3r1s_eYnZN-0Ny_M4');
INSERT INTO public.events VALUES (1, '01a1e2df-3e9c-7001-acdb-8eba68645088', 'environment.created', 'environment/01a1e2df-3e9c-7000-99d0-c99298aa2d33', '{"id":"01a1e2df-3e9c-7001-acdb-8eba68645088","time":"2026-11-16T05:40:43.714Z","actor":"lakehelm","request_id":null,"kind":"environment.created","subject":"environment/01a1e2df-3e9c-7000-99d0-c99298aa2d33","data":{"name":"local","platform":"embedded"}}', '5x_t_kZAa22q7arCTT_IAhGHpeW_ESjao4jJAMwZZlo');
INSERT INTO public.events VALUES (2, '01a1e2df-3ffa-7000-97d8-815bf4a6712a', 'environment.created', 'environment/01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', '{"id":"01a1e2df-3ffa-7000-97d8-815bf4a6712a","time":"2026-11-16T05:40:44.153Z","actor":"internal-service","request_id":"01a1e2df-3ff4-7000-93d5-f4a09380dc3f","kind":"environment.created","subject":"environment/01a1e2df-3ff9-7000-8c5b-5cebe6e612fd","data":{"name":"prod","platform":"embedded"}}', '5rzpBDfsl6XnHM6-aKVtL8KcwKWqXd0tRwRZzRg1JYY');
INSERT INTO public.events VALUES (3, '01a1e2df-4928-7000-a877-742c3baf3bc2', 'user.created', 'user/01a1e2df-401d-7000-ad62-87fe1a265eb6', '{"id":"01a1e2df-4928-7000-a877-742c3baf3bc2","time":"2026-11-16T05:40:44.189Z","actor":"internal-service","request_id":"01a1e2df-401c-7000-bfc1-0ce878ff16d1","kind":"user.created","subject":"user/01a1e2df-401d-7000-ad62-87fe1a265eb6","data":{"id":"01a1e2df-401d-7000-ad62-87fe1a265eb6","username":"ada@example.test","role":"operator","active":true,"created_at":"2026-11-16T05:40:44.189Z","updated_at":"2026-11-16T05:40:44.189Z","created_by":"internal-service"}}', 'bUML0VrpIf-emxOOxEXMTClTfXByuEIGOmDtEtp-47c');
INSERT INTO public.events VALUES (4, '01a1e2df-4993-7000-ad93-4dcae20d2b3b', 'token.created', 'token/01a1e2df-4992-7000-a6bf-4cb128a66b4d', '{"id":"01a1e2df-4993-7000-ad93-4dcae20d2b3b","time":"2026-11-16T05:40:46.604Z","actor":"internal-service","request_id":"01a1e2df-498b-7000-976f-0759b757859f","kind":"token.created","subject":"token/01a1e2df-4992-7000-a6bf-4cb128a66b4d","data":{"id":"01a1e2df-4992-7000-a6bf-4cb128a66b4d","username":"ada@example.test","comment":"fixture","created_at":"2026-11-16T05:40:46.604Z","expires_at":null,"created_by":"internal-service"}}', 'mmWaAGPJm13bbbn4yu1BmA8JPcikDGVgoOxo5wYCVQc');
INSERT INTO public.events VALUES (5, '01a1e2df-49cd-7000-a59e-5d15f03fc2a1', 'secret.stored', 'secret/01a1e2df-3ff9-7000-8c5b-5cebe6e612fd/shop/api-key', '{"id":"01a1e2df-49cd-7000-a59e-5d15f03fc2a1","time":"2026-11-16T05:40:46.666Z","actor":"internal-service","request_id":"01a1e2df-49c3-7000-a458-d565182aa6b3","kind":"secret.stored","subject":"secret/01a1e2df-3ff9-7000-8c5b-5cebe6e612fd/shop/api-key","data":{"environment_id":"01a1e2df-3ff9-7000-8c5b-5cebe6e612fd","scope":"shop","key":"api-key"}}', '-s4YSdO9eOwNlFP7PNGt8IjLIZKyZ1LR3Z6HAE6TQAE');
INSERT INTO public.events VALUES (6, '01a1e2df-49f0-7000-9191-5bf5bb9822d7', 'connector.created', 'connector/01a1e2df-49ed-7000-b469-520504d96b80', '{"id":"01a1e2df-49f0-7000-9191-5bf5bb9822d7","time":"2026-11-16T05:40:46.701Z","actor":"internal-service","request_id":"01a1e2df-49e2-7000-b804-2e0402550fa6","kind":"connector.created","subject":"connector/01a1e2df-49ed-7000-b469-520504d96b80","data":{"name":"inline","environment_id":"01a1e2df-3ff9-7000-8c5b-5cebe6e612fd","target_type":"warehouse","status":"active"}}', 'vF94OWhwuddaEm50WiMkKuSFRJDRXQU1Vue6kPGppdI');
INSERT INTO public.events VALUES (7, '01a1e2df-4a3f-7001-9fe6-c98c07e77e13', 'connector.created', 'connector/01a1e2df-4a3e-7000-9258-9abe44e944db', '{"id":"01a1e2df-4a3f-7001-9fe6-c98c07e77e13","time":"2026-11-16T05:40:46.782Z","actor":"internal-service","request_id":"01a1e2df-4a3b-7000-806b-f4fd00a4dfb1","kind":"connector.created","subject":"connector/01a1e2df-4a3e-7000-9258-9abe44e944db","data":{"name":"referring","environment_id":"01a1e2df-3ff9-7000-8c5b-5cebe6e612fd","target_type":"warehouse","status":"active"}}', '1QaVhwb_xbSsnMVVaqKtk4hQTbdRfqJEY4-_rEF4cTw');
INSERT INTO public.events VALUES (8, '01a1e2df-4adc-7002-b7dd-f73b0e7df0ae', 'connector.created', 'connector/01a1e2df-4adb-7000-a313-7f14a9b118ee', '{"id":"01a1e2df-4adc-7002-b7dd-f73b0e7df0ae","time":"2026-11-16T05:40:46.939Z","actor":"internal-service","request_id":"01a1e2df-4a74-7000-8c9a-368806e217a2","kind":"connector.created","subject":"connector/01a1e2df-4adb-7000-a313-7f14a9b118ee","data":{"name":"paused","environment_id":"01a1e2df-3ff9-7000-8c5b-5cebe6e612fd","target_type":"warehouse","status":"active"}}', '-3jTcL--ZZZZkI2YLm1ljK_mIEz9bPcN3FfKgZ0loCc');
INSERT INTO public.events VALUES (9, '01a1e2df-4b48-7000-b7de-65cb7d36039f', 'connector.paused', 'connector/01a1e2df-4adb-7000-a313-7f14a9b118ee', '{"id":"01a1e2df-4b48-7000-b7de-65cb7d36039f","time":"2026-11-16T05:40:47.016Z","actor":"internal-service","request_id":"01a1e2df-4b22-7000-8753-d92284b47c8c","kind":"connector.paused","subject":"connector/01a1e2df-4adb-7000-a313-7f14a9b118ee","data":{"name":"paused","reason":"holiday","until":null}}', 'BZJ5SGJOcM2gUR_TXyoljng7LBubTWF8e_YVaBwqwEA');
INSERT INTO public.events VALUES (10, '01a1e2df-4b86-7001-9ed3-899faed66006', 'connector.updated', 'connector/01a1e2df-49ed-7000-b469-520504d96b80', '{"id":"01a1e2df-4b86-7001-9ed3-899faed66006","time":"2026-11-16T05:40:47.103Z","actor":"internal-service","request_id":"01a1e2df-4b7c-7000-9d5e-fc5e8811014e","kind":"connector.updated","subject":"connector/01a1e2df-49ed-7000-b469-520504d96b80","data":{"name":"inline","fields":["git_branch"]}}', 'u8dtctO3vMfZOz9UsIz6Q8HcH4fY7JwF2Byzs3YH6H0');
INSERT INTO public.events VALUES (11, '01a1e2df-4c6f-7000-b0b3-3edc2a1cff59', 'automation.created', 'automation/01a1e2df-4c6e-7000-8117-da6cec5acb8d', '{"id":"01a1e2df-4c6f-7000-b0b3-3edc2a1cff59","time":"2026-11-16T05:40:47.151Z","actor":"internal-service","request_id":"01a1e2df-4bae-7000-8142-88d5ad237ce9","kind":"automation.created","subject":"automation/01a1e2df-4c6e-7000-8117-da6cec5acb8d","data":{"alias":"released","design_content_hash":"sha256:f532d48ef6c129e9aecb868065a2ddee0d2f14ad36dffee7cf14f341d6f2003b"}}', '7biYgNscmKmNMLongqKdNRNeksWCJzB3i-LQLRm_NGM');
INSERT INTO public.events VALUES (12, '01a1e2df-4cae-7000-9d63-2c78b9c1ee0a', 'deployment.recorded', 'deployment/01a1e2df-4cad-7000-ac17-d413fbe0bbd5', '{"id":"01a1e2df-4cae-7000-9d63-2c78b9c1ee0a","time":"2026-11-16T05:40:47.380Z","actor":"internal-service","request_id":"01a1e2df-4c94-7000-806b-ca9aecadc306","kind":"deployment.recorded","subject":"deployment/01a1e2df-4cad-7000-ac17-d413fbe0bbd5","data":{"deployment_name":"released 1.0.0","environment_id":"01a1e2df-3ff9-7000-8c5b-5cebe6e612fd","status":"succeeded"}}', 'U0CSlsmULecz2SgW5CLChh1KCHz5qnT3J3z_AclwIow');
INSERT INTO public.events VALUES (13, '01a1e2df-4cae-7001-b7e1-d6a99ab8c13a', 'automation.release_activated', 'automation/01a1e2df-4c6e-7000-8117-da6cec5acb8d', '{"id":"01a1e2df-4cae-7001-b7e1-d6a99ab8c13a","time":"2026-11-16T05:40:47.380Z","actor":"internal-service","request_id":"01a1e2df-4c94-7000-806b-ca9aecadc306","kind":"automation.release_activated","subject":"automation/01a1e2df-4c6e-7000-8117-da6cec5acb8d","data":{"release_id":"01a1e2df-4ca7-7000-86f1-b86d831bea82","environment_id":"01a1e2df-3ff9-7000-8c5b-5cebe6e612fd","version":"1.0.0","replaced":null}}', 'AqnCDQBmlBJRv-6Z8aE6KBa3g8bqJV3vQC8DQ0NSK8E');
INSERT INTO public.events VALUES (14, '01a1e2df-4de7-7000-a019-d4de744968a9', 'environment.reconciled', 'environment/01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', '{"id":"01a1e2df-4de7-7000-a019-d4de744968a9","time":"2026-11-16T05:40:47.380Z","actor":"internal-service","request_id":"01a1e2df-4c94-7000-806b-ca9aecadc306","kind":"environment.reconciled","subject":"environment/01a1e2df-3ff9-7000-8c5b-5cebe6e612fd","data":{}}', 'P3DckTdmVt6NbyFCmsnExlbcOGrmuMKri6U5Xqee0Bs');
INSERT INTO public.events VALUES (40, '01a1e2df-580d-7000-a7f7-8a899b837a59', 'environment.reconciled', 'environment/01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', '{"id":"01a1e2df-580d-7000-a7f7-8a899b837a59","time":"2026-11-16T05:40:50.248Z","actor":"internal-service","request_id":"01a1e2df-57c7-7000-8491-78795016e7c3","kind":"environment.reconciled","subject":"environment/01a1e2df-3ff9-7000-8c5b-5cebe6e612fd","data":{}}', 'S5sUHczmF0KYIX2dPY8H1IlediYr6YRa1aWQRa3aQ5A');
INSERT INTO public.events VALUES (15, '01a1e2df-4e99-7001-932d-867f9f1cedd5', 'automation.created', 'automation/01a1e2df-4e99-7000-867b-b3b574b07358', '{"id":"01a1e2df-4e99-7001-932d-867f9f1cedd5","time":"2026-11-16T05:40:47.808Z","actor":"internal-service","request_id":"01a1e2df-4e40-7000-b4e8-c6d950b90689","kind":"automation.created","subject":"automation/01a1e2df-4e99-7000-867b-b3b574b07358","data":{"alias":"released-paused","design_content_hash":"sha256:a3271efdce491be25c4ebdedbf97908ff7a5bc8d3d69881be6dfe009585ff641"}}', 'kjdgCbyE3QjymXrGsBGah2IrQMWvjQL6EDWN6kUIiuo');
INSERT INTO public.events VALUES (16, '01a1e2df-4f6c-7003-9c2a-b1db92b7d276', 'deployment.recorded', 'deployment/01a1e2df-4f6c-7001-bbd5-8f4567e6d144', '{"id":"01a1e2df-4f6c-7003-9c2a-b1db92b7d276","time":"2026-11-16T05:40:48.063Z","actor":"internal-service","request_id":"01a1e2df-4f3f-7000-8a81-14bdff1362a0","kind":"deployment.recorded","subject":"deployment/01a1e2df-4f6c-7001-bbd5-8f4567e6d144","data":{"deployment_name":"released-paused 1.0.0","environment_id":"01a1e2df-3ff9-7000-8c5b-5cebe6e612fd","status":"succeeded"}}', 'dpx0wZW-wX5vOouUCPkXlh5jP5k7YQ8fsgBPznq2jP8');
INSERT INTO public.events VALUES (17, '01a1e2df-4f6c-7004-987d-eda471c57419', 'automation.release_activated', 'automation/01a1e2df-4e99-7000-867b-b3b574b07358', '{"id":"01a1e2df-4f6c-7004-987d-eda471c57419","time":"2026-11-16T05:40:48.063Z","actor":"internal-service","request_id":"01a1e2df-4f3f-7000-8a81-14bdff1362a0","kind":"automation.release_activated","subject":"automation/01a1e2df-4e99-7000-867b-b3b574b07358","data":{"release_id":"01a1e2df-4f60-7000-9bee-8d2fbb18623b","environment_id":"01a1e2df-3ff9-7000-8c5b-5cebe6e612fd","version":"1.0.0","replaced":null}}', '2ycWcBpEUhZ4Sy-tLXy76U3VMAabuywmfzUcMQW_fy8');
INSERT INTO public.events VALUES (18, '01a1e2df-500b-7000-8c1d-0748b7e9738b', 'environment.reconciled', 'environment/01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', '{"id":"01a1e2df-500b-7000-8c1d-0748b7e9738b","time":"2026-11-16T05:40:48.063Z","actor":"internal-service","request_id":"01a1e2df-4f3f-7000-8a81-14bdff1362a0","kind":"environment.reconciled","subject":"environment/01a1e2df-3ff9-7000-8c5b-5cebe6e612fd","data":{}}', '8kQqiXjSs0_soGfD0wXQf3Jh9vQE3FHaD8GH_FGSd70');
INSERT INTO public.events VALUES (19, '01a1e2df-5045-7001-96ef-8fb6527ebc72', 'automation.created', 'automation/01a1e2df-5045-7000-84ad-6c22e5895edc', '{"id":"01a1e2df-5045-7001-96ef-8fb6527ebc72","time":"2026-11-16T05:40:48.314Z","actor":"internal-service","request_id":"01a1e2df-5039-7000-8e9e-fc64110ac686","kind":"automation.created","subject":"automation/01a1e2df-5045-7000-84ad-6c22e5895edc","data":{"alias":"released-changed","design_content_hash":"sha256:3f4fc0000ea78b7137f6d6cec1507e957fc6a43c54f558967c0e8a1577556b1b"}}', 'ZAzeD2O4SYy-4rzWEpPuhTT_eEldVTXMjPJLewBFw3E');
INSERT INTO public.events VALUES (22, '01a1e2df-5160-7000-8064-78328dbc295a', 'environment.reconciled', 'environment/01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', '{"id":"01a1e2df-5160-7000-8064-78328dbc295a","time":"2026-11-16T05:40:48.387Z","actor":"internal-service","request_id":"01a1e2df-5083-7000-a7f4-c0801be3b810","kind":"environment.reconciled","subject":"environment/01a1e2df-3ff9-7000-8c5b-5cebe6e612fd","data":{}}', 'kUVQRDtPUghvDFscXEBnOpCCKYaRHSCzieWHyASjZHg');
INSERT INTO public.events VALUES (23, '01a1e2df-51cd-7001-b111-f620ed7c3e77', 'automation.schedule_paused', 'automation/01a1e2df-4e99-7000-867b-b3b574b07358', '{"id":"01a1e2df-51cd-7001-b111-f620ed7c3e77","time":"2026-11-16T05:40:48.670Z","actor":"internal-service","request_id":"01a1e2df-519d-7000-8ed1-1894ffba1be4","kind":"automation.schedule_paused","subject":"automation/01a1e2df-4e99-7000-867b-b3b574b07358","data":{"release_id":"01a1e2df-4f60-7000-9bee-8d2fbb18623b","environment_id":"01a1e2df-3ff9-7000-8c5b-5cebe6e612fd","version":"1.0.0","reason":"holiday","until":null}}', '-DEMALv-OKCQqv73NtmfI9_bdKVo_Pk99TnWRhf7Bgk');
INSERT INTO public.events VALUES (24, '01a1e2df-521d-7000-ba66-384b0f9ee444', 'automation.definition_set', 'automation/01a1e2df-5045-7000-84ad-6c22e5895edc', '{"id":"01a1e2df-521d-7000-ba66-384b0f9ee444","time":"2026-11-16T05:40:48.780Z","actor":"internal-service","request_id":"01a1e2df-520b-7000-94f2-9b6c66929d01","kind":"automation.definition_set","subject":"automation/01a1e2df-5045-7000-84ad-6c22e5895edc","data":{"alias":"released-changed","design_content_hash":"sha256:fff6e639d71f5f746d2ce7fdad8eed1e0a4dd2574d9951d9e5b2422f4129141b"}}', 'Y7ZakZ8kxJO-0Yxmpwfp-Pda_bkoDtbm-QPF55qy6jQ');
INSERT INTO public.events VALUES (25, '01a1e2df-5288-7000-b8e8-974763fa98da', 'file.written', 'file/01a1e2df-3ff9-7000-8c5b-5cebe6e612fd/pipelines/numbers.sql', '{"id":"01a1e2df-5288-7000-b8e8-974763fa98da","time":"2026-11-16T05:40:48.844Z","actor":"internal-service","request_id":"01a1e2df-5236-7000-8aaa-1bb6ad713ffb","kind":"file.written","subject":"file/01a1e2df-3ff9-7000-8c5b-5cebe6e612fd/pipelines/numbers.sql","data":{"environment_id":"01a1e2df-3ff9-7000-8c5b-5cebe6e612fd","path":"pipelines/numbers.sql","size":51,"sha256":"b0bf44b639804f1839a1927e097d46337d4fc58b70b6448f3bb019cef234fa17"}}', 'bgBArUx0YX93B-Wt5rQXzsfa2yJqZZK9JYHF5E5eeF0');
INSERT INTO public.events VALUES (26, '01a1e2df-52ff-7000-b3f7-7df666db7390', 'pipeline.created', 'pipeline/01a1e2df-52ea-7000-81db-d0f0cfbe8c45', '{"id":"01a1e2df-52ff-7000-b3f7-7df666db7390","time":"2026-11-16T05:40:49.002Z","actor":"internal-service","request_id":"01a1e2df-52db-7000-af44-f26b60d61047","kind":"pipeline.created","subject":"pipeline/01a1e2df-52ea-7000-81db-d0f0cfbe8c45","data":{"name":"numbers","environment_id":"01a1e2df-3ff9-7000-8c5b-5cebe6e612fd"}}', 'QX4V6w6tz_UGEo2L-4tVSxM4UFLocB_kMF8LpCDgc-4');
INSERT INTO public.events VALUES (28, '01a1e2df-53d9-7000-881b-6c7e77f4168d', 'file.written', 'file/01a1e2df-3ff9-7000-8c5b-5cebe6e612fd/tiny/app.yaml', '{"id":"01a1e2df-53d9-7000-881b-6c7e77f4168d","time":"2026-11-16T05:40:49.194Z","actor":"internal-service","request_id":"01a1e2df-53a8-7000-b294-15ae680f07a6","kind":"file.written","subject":"file/01a1e2df-3ff9-7000-8c5b-5cebe6e612fd/tiny/app.yaml","data":{"environment_id":"01a1e2df-3ff9-7000-8c5b-5cebe6e612fd","path":"tiny/app.yaml","size":25,"sha256":"161d49cab793e4e16c959370ac0ef0283a37471131f8f1ce0f6cbd77067c181a"}}', 'MamoflIb-gWP3jeRYDXJdUryiyLfe1F890TaK_1iLbw');
INSERT INTO public.events VALUES (29, '01a1e2df-546b-7000-907e-e8003d6d1129', 'file.written', 'file/01a1e2df-3ff9-7000-8c5b-5cebe6e612fd/tiny/app.mjs', '{"id":"01a1e2df-546b-7000-907e-e8003d6d1129","time":"2026-11-16T05:40:49.304Z","actor":"internal-service","request_id":"01a1e2df-5412-7000-ab65-b041f7b13874","kind":"file.written","subject":"file/01a1e2df-3ff9-7000-8c5b-5cebe6e612fd/tiny/app.mjs","data":{"environment_id":"01a1e2df-3ff9-7000-8c5b-5cebe6e612fd","path":"tiny/app.mjs","size":154,"sha256":"42a29daadf6a0e247952089c44decb92d0f16169dfeeb9aa0956ff02f5cd7d93"}}', 'I9o1ityS3S07SUZMbsb1Y0R9d2CQdUSRXvdCZQw4aSE');
INSERT INTO public.events VALUES (30, '01a1e2df-54b4-7000-9d1e-e4a3848b1326', 'agent.version_created', 'agent/01a1e2df-5357-7000-94c9-166fdbedc925', '{"id":"01a1e2df-54b4-7000-9d1e-e4a3848b1326","time":"2026-11-16T05:40:49.439Z","actor":"internal-service","request_id":"01a1e2df-549e-7000-a37e-45da0ff9a113","kind":"agent.version_created","subject":"agent/01a1e2df-5357-7000-94c9-166fdbedc925","data":{"name":"desk","version":"1.0.0"}}', 'AebOFqwCZ6UgSAD38bCw6wTlCPIhxX7Lyuv5KcLvGeE');
INSERT INTO public.events VALUES (31, '01a1e2df-54b4-7001-9db9-133bdf2cfa2e', 'agent.release_activated', 'agent/01a1e2df-5357-7000-94c9-166fdbedc925', '{"id":"01a1e2df-54b4-7001-9db9-133bdf2cfa2e","time":"2026-11-16T05:40:49.439Z","actor":"internal-service","request_id":"01a1e2df-549e-7000-a37e-45da0ff9a113","kind":"agent.release_activated","subject":"agent/01a1e2df-5357-7000-94c9-166fdbedc925","data":{"name":"desk","environment_id":"01a1e2df-3ff9-7000-8c5b-5cebe6e612fd","version":"1.0.0"}}', 'klOHK1iC_kY2gVy5jq2T5ilzAAefSIFx6bKv34BiwxU');
INSERT INTO public.events VALUES (20, '01a1e2df-50a6-7003-9f81-c43e4a6509bb', 'deployment.recorded', 'deployment/01a1e2df-50a6-7001-b413-ce9ebbe5e763', '{"id":"01a1e2df-50a6-7003-9f81-c43e4a6509bb","time":"2026-11-16T05:40:48.387Z","actor":"internal-service","request_id":"01a1e2df-5083-7000-a7f4-c0801be3b810","kind":"deployment.recorded","subject":"deployment/01a1e2df-50a6-7001-b413-ce9ebbe5e763","data":{"deployment_name":"released-changed 1.0.0","environment_id":"01a1e2df-3ff9-7000-8c5b-5cebe6e612fd","status":"succeeded"}}', 'qd6yXWtsXrb9wkKYLfb1WfGHMSoUa74-pRrPXw6osKI');
INSERT INTO public.events VALUES (21, '01a1e2df-50a6-7004-8a26-c64082803a8a', 'automation.release_activated', 'automation/01a1e2df-5045-7000-84ad-6c22e5895edc', '{"id":"01a1e2df-50a6-7004-8a26-c64082803a8a","time":"2026-11-16T05:40:48.387Z","actor":"internal-service","request_id":"01a1e2df-5083-7000-a7f4-c0801be3b810","kind":"automation.release_activated","subject":"automation/01a1e2df-5045-7000-84ad-6c22e5895edc","data":{"release_id":"01a1e2df-50a2-7000-bd37-af245c7b59a3","environment_id":"01a1e2df-3ff9-7000-8c5b-5cebe6e612fd","version":"1.0.0","replaced":null}}', 'pIAsAyl4vXLQVIs7pF2roZF03YoheRXkz85FTOwb2qQ');
INSERT INTO public.events VALUES (27, '01a1e2df-5357-7001-83ed-0a263fe01b11', 'agent.created', 'agent/01a1e2df-5357-7000-94c9-166fdbedc925', '{"id":"01a1e2df-5357-7001-83ed-0a263fe01b11","time":"2026-11-16T05:40:49.111Z","actor":"internal-service","request_id":"01a1e2df-5356-7000-a63a-5ae9e30cb185","kind":"agent.created","subject":"agent/01a1e2df-5357-7000-94c9-166fdbedc925","data":{"name":"desk","aliases":["orders-bot"]}}', 'hpjPmEmKnlReA9aoic8M3uFAPX-xcgqf8yL2r_3eIU8');
INSERT INTO public.events VALUES (32, '01a1e2df-5563-7000-8e75-7856c8b1c366', 'environment.reconciled', 'environment/01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', '{"id":"01a1e2df-5563-7000-8e75-7856c8b1c366","time":"2026-11-16T05:40:49.439Z","actor":"internal-service","request_id":"01a1e2df-549e-7000-a37e-45da0ff9a113","kind":"environment.reconciled","subject":"environment/01a1e2df-3ff9-7000-8c5b-5cebe6e612fd","data":{}}', '849azbPvyOJmbuf2ttLPT_cUqJVR-evdhamACA839Bw');
INSERT INTO public.events VALUES (33, '01a1e2df-5605-7000-bdf1-45d97a002e74', 'app.created', 'app/01a1e2df-55dc-7000-a6c1-e7f27f0ff64d', '{"id":"01a1e2df-5605-7000-bdf1-45d97a002e74","time":"2026-11-16T05:40:49.756Z","actor":"internal-service","request_id":"01a1e2df-55cc-7000-b50f-77c466efb28c","kind":"app.created","subject":"app/01a1e2df-55dc-7000-a6c1-e7f27f0ff64d","data":{"name":"desk-ui","environment_id":"01a1e2df-3ff9-7000-8c5b-5cebe6e612fd","agent_id":"01a1e2df-5357-7000-94c9-166fdbedc925"}}', 'Te_aznOAYf6QQ7UVxVD-IbIQyAAOfUHsiZKBed2iQZM');
INSERT INTO public.events VALUES (34, '01a1e2df-566f-7000-94be-a471151a2041', 'agent.component_started', 'agent/01a1e2df-5357-7000-94c9-166fdbedc925', '{"id":"01a1e2df-566f-7000-94be-a471151a2041","time":"2026-11-16T05:40:49.878Z","actor":"internal-service","request_id":"01a1e2df-5656-7000-b444-20a41d36cc9e","kind":"agent.component_started","subject":"agent/01a1e2df-5357-7000-94c9-166fdbedc925","data":{"name":"desk","environment_id":"01a1e2df-3ff9-7000-8c5b-5cebe6e612fd","component":"agent_endpoint","version":"1.0.0"}}', 'H2FGFI62ApQ-Od6dSYk6bSZqf0iMqQ8V_MizArnVkl0');
INSERT INTO public.events VALUES (35, '01a1e2df-56ab-7000-9fba-48e808293a2d', 'app.started', 'app/01a1e2df-55dc-7000-a6c1-e7f27f0ff64d', '{"id":"01a1e2df-56ab-7000-9fba-48e808293a2d","time":"2026-11-16T05:40:49.878Z","actor":"internal-service","request_id":"01a1e2df-5656-7000-b444-20a41d36cc9e","kind":"app.started","subject":"app/01a1e2df-55dc-7000-a6c1-e7f27f0ff64d","data":{"name":"desk-ui","environment_id":"01a1e2df-3ff9-7000-8c5b-5cebe6e612fd","observed_state":"running"}}', 'hKnvcwr4iu7X7Rs0Qpf08RkpIMAvUp_h4aHUE5CG2kI');
INSERT INTO public.events VALUES (36, '01a1e2df-56ab-7001-9e56-506354b51961', 'agent.ui_app_followed', 'agent/01a1e2df-5357-7000-94c9-166fdbedc925', '{"id":"01a1e2df-56ab-7001-9e56-506354b51961","time":"2026-11-16T05:40:49.878Z","actor":"internal-service","request_id":"01a1e2df-5656-7000-b444-20a41d36cc9e","kind":"agent.ui_app_followed","subject":"agent/01a1e2df-5357-7000-94c9-166fdbedc925","data":{"name":"desk","environment_id":"01a1e2df-3ff9-7000-8c5b-5cebe6e612fd","desired_state":"running","observed_state":"running"}}', 'YwwrlW3cO-77XMYpo4qXT8t3OMzStfuf3pfKtLTcTMs');
INSERT INTO public.events VALUES (37, '01a1e2df-572c-7001-9c16-4a195cc7ab6a', 'deployment.created', 'deployment/01a1e2df-572c-7000-8909-e8a6b82c7a7f', '{"id":"01a1e2df-572c-7001-9c16-4a195cc7ab6a","time":"2026-11-16T05:40:50.092Z","actor":"internal-service","request_id":"01a1e2df-5720-7000-93a3-d54e5ce10b8c","kind":"deployment.created","subject":"deployment/01a1e2df-572c-7000-8909-e8a6b82c7a7f","data":{"deployment_name":"orders 1.0.0","environment_id":"01a1e2df-3ff9-7000-8c5b-5cebe6e612fd","status":"pending"}}', 'Qplf_JQ0UX0O-Se_fXd77JIitnROkZWrf6gD7iIQ35E');
INSERT INTO public.events VALUES (38, '01a1e2df-579b-7000-b4bd-f8dbb1a24571', 'deployment.logged', 'deployment/01a1e2df-572c-7000-8909-e8a6b82c7a7f', '{"id":"01a1e2df-579b-7000-b4bd-f8dbb1a24571","time":"2026-11-16T05:40:50.191Z","actor":"internal-service","request_id":"01a1e2df-578f-7000-afa6-bac6e7ca3b37","kind":"deployment.logged","subject":"deployment/01a1e2df-572c-7000-8909-e8a6b82c7a7f","data":{"characters":10}}', 'vVDl6zW3OwQkzNI1j5LjSjx0wQdmtA3dExcvrwNokJg');
INSERT INTO public.events VALUES (39, '01a1e2df-57d0-7001-b71b-b046adcd8671', 'deployment.finished', 'deployment/01a1e2df-572c-7000-8909-e8a6b82c7a7f', '{"id":"01a1e2df-57d0-7001-b71b-b046adcd8671","time":"2026-11-16T05:40:50.248Z","actor":"internal-service","request_id":"01a1e2df-57c7-7000-8491-78795016e7c3","kind":"deployment.finished","subject":"deployment/01a1e2df-572c-7000-8909-e8a6b82c7a7f","data":{"deployment_name":"orders 1.0.0","environment_id":"01a1e2df-3ff9-7000-8c5b-5cebe6e612fd","status":"succeeded"}}', 'FS0OIfDpUEdtce41BGPNNVcAS4ueG0tkSsxJwHwbLEI');
INSERT INTO public.keyring VALUES ('fingerprint', 'keOT3fxHz_I6EV7EkRe8KYS2yBFU5Xa5yqF8SRI7QW0');
INSERT INTO public.keyring VALUES ('jwt', 'wg31Eeiof/9bnrFFRJlNOxeH2rf+MBbD4mCfAA9+HdjD2GIBtwpsmlBbFEivQLbUl2bEPLmvfiEGE+rVyKrNBDTmZPnH278j');
INSERT INTO public.overrides VALUES ('01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', '01a1e2df-4e99-7000-867b-b3b574b07358', '{"paused":true,"by":"internal-service","at":"2026-11-16T05:40:48.670Z","reason":"holiday","until":null}');
INSERT INTO public.pipelines VALUES (1, '01a1e2df-52ea-7000-81db-d0f0cfbe8c45', '["01a1e2df-3ff9-7000-8c5b-5cebe6e612fd","numbers"]', 1, '01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', NULL, NULL, '{"pipeline_id":"01a1e2df-52ea-7000-81db-d0f0cfbe8c45","name":"numbers","libraries":[{"file":{"path":"pipelines/numbers.sql"}}],"configuration":{},"continuous":false,"development":false,"photon":false,"serverless":false,"channel":"CURRENT","edition":"ADVANCED","platform_managed":true,"health":{"status":"UNKNOWN","last_update_time":null,"last_success_time":null,"last_failure_time":null,"consecutive_failures":0,"is_stale":false},"latest_updates":[],"environment_id":"01a1e2df-3ff9-7000-8c5b-5cebe6e612fd","tags":{"platform.managed_by":"lakehelm","platform.environment":"prod","platform.pipeline":"numbers"},"platform_reference":"pipeline-01a1e2df-52ea-7000-81db-d0f0cfbe8c45","error_message":null,"created_at":"2026-11-16T05:40:49.002Z","updated_at":"2026-11-16T05:40:49.002Z","created_by":"internal-service","updated_by":null}', NULL);
INSERT INTO public.positions VALUES ('attempts', 0);
INSERT INTO public.positions VALUES ('bindings', 0);
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
INSERT INTO public.releases VALUES (1, '01a1e2df-4ca7-7000-86f1-b86d831bea82', '["automation","01a1e2df-4c6e-7000-8117-da6cec5acb8d","01a1e2df-3ff9-7000-8c5b-5cebe6e612fd"]', 1, '01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', '01a1e2df-4c6e-7000-8117-da6cec5acb8d', 'installed', '{"id":"01a1e2df-4ca7-7000-86f1-b86d831bea82","artifact":"automation/released","environment_id":"01a1e2df-3ff9-7000-8c5b-5cebe6e612fd","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:f532d48ef6c129e9aecb868065a2ddee0d2f14ad36dffee7cf14f341d6f2003b","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1e2df-4c6e-7000-8117-da6cec5acb8d","activated_at":"2026-11-16T05:40:47.380Z","activated_by":"internal-service","deployment_id":"01a1e2df-4cad-7000-ac17-d413fbe0bbd5"}', '8ftpe1YLOKIXhSo3LeWv3wsVQ6RAMjptqR1l5WYv/S6A/AhnHKCmpFnQLcjOcdbc/tfLzJPNY6/ixlwzQDMac2JjDCgU2HusyLyac4S5dEVlwe0s02XF5sSGuhnbRbPZjC1h0k1Q99/H9+T19tf/TKXfjXfWoFPNK+NTyZrYCcYrpEOQ9DqEDwwXLR4rq6AP6D6W8dZQ0Atr8u0ZCDPdRmmdW6zFltUBpIdcTEUA5XIsQdJwR4vez/uPJJ6Lpq25TPa/dD8PZd83c07hIa63qaIFq75b7NduPcP592ySS/s+SZr4DuxEeCHGTpU=');
INSERT INTO public.releases VALUES (3, '01a1e2df-50a2-7000-bd37-af245c7b59a3', '["automation","01a1e2df-5045-7000-84ad-6c22e5895edc","01a1e2df-3ff9-7000-8c5b-5cebe6e612fd"]', 1, '01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', '01a1e2df-5045-7000-84ad-6c22e5895edc', 'installed', '{"id":"01a1e2df-50a2-7000-bd37-af245c7b59a3","artifact":"automation/released-changed","environment_id":"01a1e2df-3ff9-7000-8c5b-5cebe6e612fd","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:3f4fc0000ea78b7137f6d6cec1507e957fc6a43c54f558967c0e8a1577556b1b","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1e2df-5045-7000-84ad-6c22e5895edc","activated_at":"2026-11-16T05:40:48.387Z","activated_by":"internal-service","deployment_id":"01a1e2df-50a6-7001-b413-ce9ebbe5e763"}', 'lLDb4CZWPEnOAZ0C+dutd4AybaUnXCzjBXFwdZzVXoCOnv7ojj8jTetA7rjFDHX8tmvcx9XOV6zZnaCW26AssPkZqNRa5sQ0ZKpzUKDGerPIJmVwoJKrd96Fn93P+ZUeKKx54POwmRgfJXAST/tK4VYEwIcQz7RHBlwOjYNOToh9BIa1Md3svVloW0p+yj5HxKRHPzACB6NCFkuzKrgfVP1rpyvlZ6eL80lYYc6PE3h/+8eJ5TClNuU3SMsJzxhsYAWTj9OAwAHgRuSHmhvCL4m3NO4pw0EILVNSHtv/hVuHwymQPE6IsPUaxtk=');
INSERT INTO public.releases VALUES (2, '01a1e2df-4f60-7000-9bee-8d2fbb18623b', '["automation","01a1e2df-4e99-7000-867b-b3b574b07358","01a1e2df-3ff9-7000-8c5b-5cebe6e612fd"]', 2, '01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', '01a1e2df-4e99-7000-867b-b3b574b07358', 'installed', '{"id":"01a1e2df-4f60-7000-9bee-8d2fbb18623b","artifact":"automation/released-paused","environment_id":"01a1e2df-3ff9-7000-8c5b-5cebe6e612fd","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:a3271efdce491be25c4ebdedbf97908ff7a5bc8d3d69881be6dfe009585ff641","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1e2df-4e99-7000-867b-b3b574b07358","activated_at":"2026-11-16T05:40:48.063Z","activated_by":"internal-service","deployment_id":"01a1e2df-4f6c-7001-bbd5-8f4567e6d144"}', 'Bsdl2aEiNXlSq4mJRU1FApzQdPTgB6KxBTiybAOvSeKA7yvS2HOmBynDa3tZeYez5mfHHf1is38/W9xDB3jId4C/Iwz4KoD7KRdaO/4oobtueNET3QoMdW31JHWt77sJ+4NFq1fLE/DucmeXrPbX1fcEBJHLCUc0BDzSRo4a1pWg3VjMpRqXMpCgePL314s7FIt4XHyDGtxH23cSvxO8YORhoUnj3sJ7QDnTAFn4pFlsU94EXmtnJPErPpqk2kyz8sY0u4EeXr6H6NoPNmx7O+LiIRhNZKyoEv0/PlgWpeo3N3MU8ArL4dEnXFU=');
INSERT INTO public.releases VALUES (4, '01a1e2df-54b3-7000-9e09-b9968913c72a', '["agent","01a1e2df-5357-7000-94c9-166fdbedc925","01a1e2df-3ff9-7000-8c5b-5cebe6e612fd"]', 3, '01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', '01a1e2df-5357-7000-94c9-166fdbedc925', 'agent_release', '{"artifact":"agent/desk","release":{"environment_id":"01a1e2df-3ff9-7000-8c5b-5cebe6e612fd","environment":"prod","version":"1.0.0","workflow_run_id":null,"workflow_name":null,"workflow_run_url":null,"activated_at":"2026-11-16T05:40:49.439Z","activated_by":"internal-service"}}', NULL);
INSERT INTO public.schema_version VALUES (1);
INSERT INTO public.secrets VALUES ('01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', 'shop', 'api-key', 'RcQnyO+TAGI5PV2cnJBXtanBzh5Hd4Cj4EY6zif9BO4h661gg8oJ', '2026-11-16T05:40:46.666Z');
INSERT INTO public.summaries VALUES ('01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', '{"environment_id":"01a1e2df-3ff9-7000-8c5b-5cebe6e612fd","latest_success":{"id":"01a1e2df-572c-7000-8909-e8a6b82c7a7f","deployment_name":"orders 1.0.0","git_branch":"main","git_commit_sha":"","completed_at":"2026-11-16T05:40:50.248Z"},"current_releases":[{"artifact":"automation/released","version":"1.0.0","activated_at":"2026-11-16T05:40:47.380Z"},{"artifact":"automation/released-paused","version":"1.0.0","activated_at":"2026-11-16T05:40:48.063Z"},{"artifact":"automation/released-changed","version":"1.0.0","activated_at":"2026-11-16T05:40:48.387Z"},{"artifact":"agent/desk","version":"1.0.0","activated_at":"2026-11-16T05:40:49.439Z"}],"deployment_counts":{"succeeded":4},"failure_streak":0,"reconciled_at":"2026-11-16T05:40:50.248Z"}');
INSERT INTO public.tallies VALUES ('environments/all', 1000000, 0, 2);
INSERT INTO public.tallies VALUES ('environments/all', 10000, 0, 2);
INSERT INTO public.tallies VALUES ('environments/all', 100, 0, 2);
INSERT INTO public.tallies VALUES ('users/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('users/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('users/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1e2df-401d-7000-ad62-87fe1a265eb6', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1e2df-401d-7000-ad62-87fe1a265eb6', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1e2df-401d-7000-ad62-87fe1a265eb6', 100, 0, 1);
INSERT INTO public.tallies VALUES ('releases/all', 1000000, 0, 4);
INSERT INTO public.tallies VALUES ('releases/all', 10000, 0, 4);
INSERT INTO public.tallies VALUES ('releases/all', 100, 0, 4);
INSERT INTO public.tallies VALUES ('releases/01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', 1000000, 0, 4);
INSERT INTO public.tallies VALUES ('releases/01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', 10000, 0, 4);
INSERT INTO public.tallies VALUES ('releases/01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', 100, 0, 4);
INSERT INTO public.tallies VALUES ('connectors/all', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/all', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/all', 100, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e2df-4c6e-7000-8117-da6cec5acb8d', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2df-4c6e-7000-8117-da6cec5acb8d', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2df-4c6e-7000-8117-da6cec5acb8d', 100, 0, 1);
INSERT INTO public.tallies VALUES ('apps/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', 100, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2df-5357-7000-94c9-166fdbedc925', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2df-5357-7000-94c9-166fdbedc925', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2df-5357-7000-94c9-166fdbedc925', 100, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2df-4e99-7000-867b-b3b574b07358', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2df-4e99-7000-867b-b3b574b07358', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2df-4e99-7000-867b-b3b574b07358', 100, 0, 1);
INSERT INTO public.tallies VALUES ('deployments/all', 1000000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/all', 10000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/all', 100, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', 1000000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', 10000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', 100, 0, 4);
INSERT INTO public.tallies VALUES ('automations/all', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('automations/all', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('automations/all', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e2df-5045-7000-84ad-6c22e5895edc', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2df-5045-7000-84ad-6c22e5895edc', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2df-5045-7000-84ad-6c22e5895edc', 100, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1e2df-3ff9-7000-8c5b-5cebe6e612fd', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agents/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('agents/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('agents/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1e2df-5357-7000-94c9-166fdbedc925', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1e2df-5357-7000-94c9-166fdbedc925', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1e2df-5357-7000-94c9-166fdbedc925', 100, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2df-5357-7000-94c9-166fdbedc925', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2df-5357-7000-94c9-166fdbedc925', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2df-5357-7000-94c9-166fdbedc925', 100, 0, 1);
INSERT INTO public.tokens VALUES (1, '01a1e2df-4992-7000-a6bf-4cb128a66b4d', '["NEB3AOnw41GWtbh7KWoJm_KBj4k6pQ-8hZbXqm9YGig"]', 1, NULL, '01a1e2df-401d-7000-ad62-87fe1a265eb6', NULL, '{"id":"01a1e2df-4992-7000-a6bf-4cb128a66b4d","username":"ada@example.test","comment":"fixture","created_at":"2026-11-16T05:40:46.604Z","expires_at":null,"created_by":"internal-service"}', NULL);
INSERT INTO public.users VALUES (1, '01a1e2df-401d-7000-ad62-87fe1a265eb6', '["ada@example.test"]', 1, NULL, NULL, NULL, '{"id":"01a1e2df-401d-7000-ad62-87fe1a265eb6","username":"ada@example.test","role":"operator","active":true,"created_at":"2026-11-16T05:40:44.189Z","updated_at":"2026-11-16T05:40:44.189Z","created_by":"internal-service"}', '0FMFS2V+JTjBJpFYVIce5+Fut7XfWMfwki01rYGVJGsVfVi5hfqF5IYt9mBx/C2eWwHtoSsiq0K0qx4Hdx6S7evbqdlP1Y5TLyL8c7YNLknn8ywXxpHqV/Q9SpPfFoe+jZM+Z8iJ0OCalXLtWTF06/Fu');
INSERT INTO public.versions VALUES (1, '01a1e2df-54b0-7000-8cd3-417c54f35084', '["01a1e2df-5357-7000-94c9-166fdbedc925","1.0.0"]', 1, NULL, '01a1e2df-5357-7000-94c9-166fdbedc925', NULL, '{"id":"01a1e2df-54b0-7000-8cd3-417c54f35084","agent_id":"01a1e2df-5357-7000-94c9-166fdbedc925","version":"1.0.0","source_path":null,"metadata":{},"created_at":"2026-11-16T05:40:49.439Z","created_by":"internal-service"}', NULL);
SELECT pg_catalog.setval('public.pending_events_arrival_seq', 40, true);
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
ALTER TABLE ONLY public.idempotency
    ADD CONSTRAINT idempotency_key PRIMARY KEY (caller, endpoint, key);
ALTER TABLE ONLY public.intents
    ADD CONSTRAINT intents_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.keyring
    ADD CONSTRAINT keyring_pkey PRIMARY KEY (name);
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
ALTER TABLE ONLY public.releases
    ADD CONSTRAINT releases_id_key UNIQUE (id);
ALTER TABLE ONLY public.releases
    ADD CONSTRAINT releases_key_key UNIQUE (key);
ALTER TABLE ONLY public.releases
    ADD CONSTRAINT releases_pkey PRIMARY KEY ("position");
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
CREATE INDEX deployments_by_environment_id ON public.deployments USING btree (environment_id, "position") WHERE (environment_id IS NOT NULL);
CREATE INDEX deployments_by_owner ON public.deployments USING btree (owner, "position") WHERE (owner IS NOT NULL);
CREATE INDEX environments_by_environment_id ON public.environments USING btree (environment_id, "position") WHERE (environment_id IS NOT NULL);
CREATE INDEX environments_by_owner ON public.environments USING btree (owner, "position") WHERE (owner IS NOT NULL);
CREATE INDEX events_by_kind ON public.events USING btree (kind, sequence);
CREATE INDEX events_by_subject ON public.events USING btree (subject, sequence);
CREATE INDEX idempotency_by_expiry ON public.idempotency USING btree (expires_at);
CREATE INDEX pipelines_by_environment_id ON public.pipelines USING btree (environment_id, "position") WHERE (environment_id IS NOT NULL);
CREATE INDEX pipelines_by_owner ON public.pipelines USING btree (owner, "position") WHERE (owner IS NOT NULL);
CREATE INDEX releases_by_environment_id ON public.releases USING btree (environment_id, "position") WHERE (environment_id IS NOT NULL);
CREATE INDEX releases_by_owner ON public.releases USING btree (owner, "position") WHERE (owner IS NOT NULL);
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
ALTER TABLE ONLY public.deployments
    ADD CONSTRAINT deployments_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES public.environments(id);
ALTER TABLE ONLY public.environments
    ADD CONSTRAINT environments_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES public.environments(id);
ALTER TABLE ONLY public.overrides
    ADD CONSTRAINT overrides_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES public.environments(id);
ALTER TABLE ONLY public.pipelines
    ADD CONSTRAINT pipelines_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES public.environments(id);
ALTER TABLE ONLY public.releases
    ADD CONSTRAINT releases_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES public.environments(id);
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
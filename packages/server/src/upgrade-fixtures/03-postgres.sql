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
CREATE TABLE public.intents (
    id text NOT NULL,
    environment_id text,
    kind text NOT NULL,
    subject text NOT NULL,
    data text NOT NULL
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
ALTER TABLE ONLY public.pending_events ALTER COLUMN arrival SET DEFAULT nextval('public.pending_events_arrival_seq'::regclass);
INSERT INTO public.agents VALUES (1, '01a1e2df-d72b-7000-bef0-c032cd3ead35', '["desk"]', 4, NULL, NULL, NULL, '{"id":"01a1e2df-d72b-7000-bef0-c032cd3ead35","name":"desk","aliases":["orders-bot"],"description":"","source_path":"tiny","components":[{"environment_id":"01a1e2df-bf9c-7000-8839-45216516ac24","component":"chat","desired_state":"running","observed_state":"running","message":null,"updated_at":"2026-11-16T05:41:23.193Z","version":"1.0.0"},{"environment_id":"01a1e2df-bf9c-7000-8839-45216516ac24","component":"agent_endpoint","desired_state":"running","observed_state":"running","message":null,"updated_at":"2026-11-16T05:41:23.415Z","version":"1.0.0"},{"environment_id":"01a1e2df-bf9c-7000-8839-45216516ac24","component":"ui_app","desired_state":"running","observed_state":"running","version":"1.0.0","message":null,"updated_at":"2026-11-16T05:41:23.415Z"}],"releases":[{"environment_id":"01a1e2df-bf9c-7000-8839-45216516ac24","environment":"prod","version":"1.0.0","workflow_run_id":null,"workflow_name":null,"workflow_run_url":null,"activated_at":"2026-11-16T05:41:23.193Z","activated_by":"internal-service"}],"created_at":"2026-11-16T05:41:22.859Z","updated_at":"2026-11-16T05:41:23.415Z","created_by":"internal-service","updated_by":"internal-service"}', NULL);
INSERT INTO public.aliases VALUES ('["desk"]', '01a1e2df-d72b-7000-bef0-c032cd3ead35');
INSERT INTO public.aliases VALUES ('["orders-bot"]', '01a1e2df-d72b-7000-bef0-c032cd3ead35');
INSERT INTO public.apps VALUES (1, '01a1e2df-d91b-7000-8dc5-7387cd88e78e', '["01a1e2df-bf9c-7000-8839-45216516ac24","desk-ui"]', 2, '01a1e2df-bf9c-7000-8839-45216516ac24', '01a1e2df-d72b-7000-bef0-c032cd3ead35', NULL, '{"id":"01a1e2df-d91b-7000-8dc5-7387cd88e78e","name":"desk-ui","environment_id":"01a1e2df-bf9c-7000-8839-45216516ac24","description":"","agent_id":"01a1e2df-d72b-7000-bef0-c032cd3ead35","source_path":"tiny","desired_state":"running","observed_state":"running","message":null,"created_at":"2026-11-16T05:41:23.355Z","updated_at":"2026-11-16T05:41:23.415Z","created_by":"internal-service","updated_by":"internal-service"}', NULL);
INSERT INTO public.automations VALUES (1, '01a1e2df-d109-7000-a9b4-6a5a5e2cccf7', '["released"]', 1, NULL, NULL, NULL, '{"id":"01a1e2df-d109-7000-a9b4-6a5a5e2cccf7","alias":"released","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"query":"select 1","parameters":{},"retries":0}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{}},"design_content_hash":"sha256:f532d48ef6c129e9aecb868065a2ddee0d2f14ad36dffee7cf14f341d6f2003b","created_at":"2026-11-16T05:41:20.940Z","updated_at":"2026-11-16T05:41:20.940Z","created_by":"internal-service","updated_by":null}', NULL);
INSERT INTO public.automations VALUES (2, '01a1e2df-d2a2-7000-8503-3f1dde005ed5', '["released-paused"]', 1, NULL, NULL, NULL, '{"id":"01a1e2df-d2a2-7000-8503-3f1dde005ed5","alias":"released-paused","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"query":"select 1","parameters":{},"retries":0}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{}},"design_content_hash":"sha256:a3271efdce491be25c4ebdedbf97908ff7a5bc8d3d69881be6dfe009585ff641","created_at":"2026-11-16T05:41:21.691Z","updated_at":"2026-11-16T05:41:21.691Z","created_by":"internal-service","updated_by":null}', NULL);
INSERT INTO public.automations VALUES (3, '01a1e2df-d3f3-7000-9026-75245320c938', '["released-changed"]', 2, NULL, NULL, NULL, '{"id":"01a1e2df-d3f3-7000-9026-75245320c938","alias":"released-changed","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"query":"select 2","parameters":{},"retries":0}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{}},"design_content_hash":"sha256:fff6e639d71f5f746d2ce7fdad8eed1e0a4dd2574d9951d9e5b2422f4129141b","created_at":"2026-11-16T05:41:22.016Z","updated_at":"2026-11-16T05:41:22.571Z","created_by":"internal-service","updated_by":"internal-service"}', NULL);
INSERT INTO public.connectors VALUES (2, '01a1e2df-cccb-7000-90ea-24c59c430967', '["referring"]', 1, '01a1e2df-bf9c-7000-8839-45216516ac24', NULL, NULL, '{"id":"01a1e2df-cccb-7000-90ea-24c59c430967","name":"referring","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"********"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"active","git_commit_id":null,"git_branch":null,"workflow_id":"connector-01a1e2df-cccb-7000-90ea-24c59c430967","artifacts_path":null,"error_message":null,"created_at":"2026-11-16T05:41:20.203Z","updated_at":"2026-11-16T05:41:20.203Z","created_by":"ada@example.test","updated_by":null,"datasets":[{"id":"01a1e2df-cccb-7001-8e66-bb26cb8335a0","connector_id":"01a1e2df-cccb-7000-90ea-24c59c430967","source_dataset":"referring","target_name":"referring","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-16T05:41:20.203Z","created_by":"internal-service"}]}', '/7NUG1JuRvWeEvR4yw1gIB1ldXVXTus2CL4z53CO8Q2SKJRugo/mhhusDwiZMuRrhAx/KYTzz8y3O4T+Kx8CBWcGqGQgaimL/DxoAIehjnO9ntFzriuvUj8nVICc4XmJmNQpnlt/LwN2MZwiOml5fBl7PK7UO8o5iMuhbNjC36HNHv1EAopKZZSrBHTo');
INSERT INTO public.connectors VALUES (3, '01a1e2df-cdc1-7000-9658-5456c2e680db', '["paused"]', 2, '01a1e2df-bf9c-7000-8839-45216516ac24', NULL, NULL, '{"id":"01a1e2df-cdc1-7000-9658-5456c2e680db","name":"paused","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"********"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"paused","git_commit_id":null,"git_branch":null,"workflow_id":"connector-01a1e2df-cdc1-7000-9658-5456c2e680db","artifacts_path":null,"error_message":null,"created_at":"2026-11-16T05:41:20.449Z","updated_at":"2026-11-16T05:41:20.606Z","created_by":"ada@example.test","updated_by":"internal-service","datasets":[{"id":"01a1e2df-cdc1-7001-b4bb-af4da2c80bd4","connector_id":"01a1e2df-cdc1-7000-9658-5456c2e680db","source_dataset":"paused","target_name":"paused","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-16T05:41:20.449Z","created_by":"internal-service"}]}', 'gBOJmj5cxxvFREqMemA6UaJnv4iMTSgEvqmWh8Wwhe1UJnPDLdbmCmPfoHjLfBM1XdBUwtzij5FbAtUMbEAObdXVBd71a2PxqE7JqmqjLHLbVaudVBoGCIefVWw3soU57gq5N8HkJUL/J3wJesm0QJW2');
INSERT INTO public.connectors VALUES (1, '01a1e2df-cbd4-7000-be19-e6e92df2aa60', '["inline"]', 2, '01a1e2df-bf9c-7000-8839-45216516ac24', NULL, NULL, '{"id":"01a1e2df-cbd4-7000-be19-e6e92df2aa60","name":"inline","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"********"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"active","git_commit_id":null,"git_branch":"main","workflow_id":"connector-01a1e2df-cbd4-7000-be19-e6e92df2aa60","artifacts_path":null,"error_message":null,"created_at":"2026-11-16T05:41:19.956Z","updated_at":"2026-11-16T05:41:20.717Z","created_by":"ada@example.test","updated_by":"internal-service","datasets":[{"id":"01a1e2df-cbd4-7001-9a22-d1faf15c8ae0","connector_id":"01a1e2df-cbd4-7000-be19-e6e92df2aa60","source_dataset":"inline","target_name":"inline","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-16T05:41:19.956Z","created_by":"internal-service"}]}', 'OjxPdZvo71UnAFwKNBLIMGLwjiuOVkjAz/mOoTv4S6tGv3PeeDVSkjnMaNBTxz2pK+xHfJguxmPUzWk3ryLMdjQFR7FUHsH0OGxyHqc8n9QmbLJPSjHNrrCUT6HeeaQDuk5hVqX0L2HLKI9pSYa+QfdTOjRc41ozee6TKoiKbn4=');
INSERT INTO public.deployment_log VALUES ('01a1e2df-d9b8-7000-b395-d15909aef8fc', 1, '"uploading\n"');
INSERT INTO public.deployments VALUES (1, '01a1e2df-d1bf-7000-8984-9fbcda6f3da7', '["2026-11-16T05:41:21.408Z","01a1e2df-d1bf-7000-8984-9fbcda6f3da7"]', 1, '01a1e2df-bf9c-7000-8839-45216516ac24', NULL, 'succeeded', '{"id":"01a1e2df-d1bf-7000-8984-9fbcda6f3da7","deployment_name":"released 1.0.0","environment_id":"01a1e2df-bf9c-7000-8839-45216516ac24","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T05:41:21.408Z","started_at":"2026-11-16T05:41:21.408Z","completed_at":"2026-11-16T05:41:21.408Z","initiated_by":"internal-service","error_message":null}', NULL);
INSERT INTO public.deployments VALUES (2, '01a1e2df-d331-7001-a83d-eab3d46497d0', '["2026-11-16T05:41:21.796Z","01a1e2df-d331-7001-a83d-eab3d46497d0"]', 1, '01a1e2df-bf9c-7000-8839-45216516ac24', NULL, 'succeeded', '{"id":"01a1e2df-d331-7001-a83d-eab3d46497d0","deployment_name":"released-paused 1.0.0","environment_id":"01a1e2df-bf9c-7000-8839-45216516ac24","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T05:41:21.796Z","started_at":"2026-11-16T05:41:21.796Z","completed_at":"2026-11-16T05:41:21.796Z","initiated_by":"internal-service","error_message":null}', NULL);
INSERT INTO public.deployments VALUES (3, '01a1e2df-d472-7001-a791-9d9908e13e47', '["2026-11-16T05:41:22.110Z","01a1e2df-d472-7001-a791-9d9908e13e47"]', 1, '01a1e2df-bf9c-7000-8839-45216516ac24', NULL, 'succeeded', '{"id":"01a1e2df-d472-7001-a791-9d9908e13e47","deployment_name":"released-changed 1.0.0","environment_id":"01a1e2df-bf9c-7000-8839-45216516ac24","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T05:41:22.110Z","started_at":"2026-11-16T05:41:22.110Z","completed_at":"2026-11-16T05:41:22.110Z","initiated_by":"internal-service","error_message":null}', NULL);
INSERT INTO public.deployments VALUES (4, '01a1e2df-d9b8-7000-b395-d15909aef8fc', '["2026-11-16T05:41:23.596Z","01a1e2df-d9b8-7000-b395-d15909aef8fc"]', 2, '01a1e2df-bf9c-7000-8839-45216516ac24', NULL, 'succeeded', '{"id":"01a1e2df-d9b8-7000-b395-d15909aef8fc","deployment_name":"orders 1.0.0","environment_id":"01a1e2df-bf9c-7000-8839-45216516ac24","git_branch":"main","git_commit_sha":"","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T05:41:23.512Z","started_at":null,"completed_at":"2026-11-16T05:41:23.596Z","initiated_by":"internal-service","error_message":null}', NULL);
INSERT INTO public.embedded_records VALUES ('01a1e2df-d1ae-7000-84de-62bebc965f51', '01a1e2df-bf9c-7000-8839-45216516ac24', 'job.install', 'automation/01a1e2df-d109-7000-a9b4-6a5a5e2cccf7', '{"release_id":"01a1e2df-d19c-7000-a82c-038c6bce5798","alias":"released","version":"1.0.0","schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"paused":false}');
INSERT INTO public.embedded_records VALUES ('01a1e2df-d331-7000-8d04-42ae55454648', '01a1e2df-bf9c-7000-8839-45216516ac24', 'job.install', 'automation/01a1e2df-d2a2-7000-8503-3f1dde005ed5', '{"release_id":"01a1e2df-d31e-7000-8252-f8ed6ae90e12","alias":"released-paused","version":"1.0.0","schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"paused":false}');
INSERT INTO public.embedded_records VALUES ('01a1e2df-d472-7000-b870-868e12e5bc37', '01a1e2df-bf9c-7000-8839-45216516ac24', 'job.install', 'automation/01a1e2df-d3f3-7000-9026-75245320c938', '{"release_id":"01a1e2df-d468-7000-82ac-68054d3a00ae","alias":"released-changed","version":"1.0.0","schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"paused":false}');
INSERT INTO public.embedded_records VALUES ('01a1e2df-d5bf-7000-9697-71739629d155', '01a1e2df-bf9c-7000-8839-45216516ac24', 'job.pause', 'automation/01a1e2df-d2a2-7000-8503-3f1dde005ed5', '{"release_id":"01a1e2df-d31e-7000-8252-f8ed6ae90e12","alias":"released-paused","override":{"paused":true,"by":"internal-service","at":"2026-11-16T05:41:22.440Z","reason":"holiday","until":null}}');
INSERT INTO public.embedded_records VALUES ('01a1e2df-d6c7-7000-a9a9-6a27a273a8d0', '01a1e2df-bf9c-7000-8839-45216516ac24', 'pipeline.install', 'pipeline/01a1e2df-d6c6-7000-ab4b-426215b9989b', '{"name":"numbers","tags":{"platform.managed_by":"lakehelm","platform.environment":"prod","platform.pipeline":"numbers"},"platform_reference":null}');
INSERT INTO public.embedded_records VALUES ('01a1e2df-d88c-7000-a8d6-a7e02b020801', '01a1e2df-bf9c-7000-8839-45216516ac24', 'component.start', 'agent/01a1e2df-d72b-7000-bef0-c032cd3ead35', '{"component":"chat","name":"desk","version":"1.0.0","asked_at":"2026-11-16T05:41:23.193Z"}');
INSERT INTO public.embedded_records VALUES ('01a1e2df-d96e-7000-ae43-4f3b1b2375bd', '01a1e2df-bf9c-7000-8839-45216516ac24', 'component.start', 'agent/01a1e2df-d72b-7000-bef0-c032cd3ead35', '{"component":"agent_endpoint","name":"desk","version":"1.0.0","asked_at":"2026-11-16T05:41:23.415Z"}');
INSERT INTO public.embedded_records VALUES ('01a1e2df-d97b-7000-a6d8-0a81b89d9e9e', '01a1e2df-bf9c-7000-8839-45216516ac24', 'component.start', 'app/01a1e2df-d91b-7000-8dc5-7387cd88e78e', '{"name":"desk-ui","agent_id":"01a1e2df-d72b-7000-bef0-c032cd3ead35","source_path":"tiny","asked_at":"2026-11-16T05:41:23.415Z"}');
INSERT INTO public.environments VALUES (1, '01a1e2df-bdc8-7000-9924-9f95c4ac4318', '["local"]', 1, NULL, NULL, NULL, '{"id":"01a1e2df-bdc8-7000-9924-9f95c4ac4318","name":"local","description":"Made at the first start","protected":false,"platform":"embedded","gitProvider":null,"gitRepository":null,"targetGitBranch":null,"secretScope":null,"dataPlatformClientIdKey":null,"dataPlatformClientSecretKey":null,"configuration":{},"isActive":true,"createdAt":"2026-11-16T05:41:16.320Z","updatedAt":"2026-11-16T05:41:16.320Z","createdBy":"lakehelm","updatedBy":null}', NULL);
INSERT INTO public.environments VALUES (2, '01a1e2df-bf9c-7000-8839-45216516ac24', '["prod"]', 1, NULL, NULL, NULL, '{"id":"01a1e2df-bf9c-7000-8839-45216516ac24","name":"prod","description":null,"protected":false,"platform":"embedded","gitProvider":null,"gitRepository":null,"targetGitBranch":null,"secretScope":null,"dataPlatformClientIdKey":null,"dataPlatformClientSecretKey":null,"configuration":{"timezone":"Europe/Berlin"},"isActive":true,"createdAt":"2026-11-16T05:41:16.828Z","updatedAt":"2026-11-16T05:41:16.828Z","createdBy":"internal-service","updatedBy":null}', NULL);
INSERT INTO public.event_head VALUES (1, 40, '1-tc3f8Df2OW45TDvTV0eZgjZRA22-8D4LulV2nCm4E', 'XRCNLuxc7bmxf5CmNq47Fjrg4ALValdKLwXfW_big1o');
INSERT INTO public.events VALUES (1, '01a1e2df-bdc8-7001-84b3-d31029a5700b', 'environment.created', 'environment/01a1e2df-bdc8-7000-9924-9f95c4ac4318', '{"id":"01a1e2df-bdc8-7001-84b3-d31029a5700b","time":"2026-11-16T05:41:16.320Z","actor":"lakehelm","request_id":null,"kind":"environment.created","subject":"environment/01a1e2df-bdc8-7000-9924-9f95c4ac4318","data":{"name":"local","platform":"embedded"}}', 'm6qQvrevZ78DRbXfiLT-g9eK6MIjJb4ekN0ycKsPSQs');
INSERT INTO public.events VALUES (2, '01a1e2df-bf9d-7000-8180-d09e8476aa0c', 'environment.created', 'environment/01a1e2df-bf9c-7000-8839-45216516ac24', '{"id":"01a1e2df-bf9d-7000-8180-d09e8476aa0c","time":"2026-11-16T05:41:16.828Z","actor":"internal-service","request_id":"01a1e2df-bf95-7000-ae1c-24081ee432ba","kind":"environment.created","subject":"environment/01a1e2df-bf9c-7000-8839-45216516ac24","data":{"name":"prod","platform":"embedded"}}', 'fo-_49yNrHepE2yxe1pAYRz3SE2JHi_LWoAtjayXjrg');
INSERT INTO public.events VALUES (3, '01a1e2df-cac5-7000-9b59-a3b2fc267a91', 'user.created', 'user/01a1e2df-c006-7000-a0fc-5c20797e9e4d', '{"id":"01a1e2df-cac5-7000-9b59-a3b2fc267a91","time":"2026-11-16T05:41:16.934Z","actor":"internal-service","request_id":"01a1e2df-c005-7000-a1d0-09efd557d8b6","kind":"user.created","subject":"user/01a1e2df-c006-7000-a0fc-5c20797e9e4d","data":{"id":"01a1e2df-c006-7000-a0fc-5c20797e9e4d","username":"ada@example.test","role":"operator","active":true,"created_at":"2026-11-16T05:41:16.934Z","updated_at":"2026-11-16T05:41:16.934Z","created_by":"internal-service"}}', 'l_GHluiwFo2kEaOlTMXh5FG0E6o85yHiHh9pmgiXuYE');
INSERT INTO public.events VALUES (4, '01a1e2df-cb28-7000-909a-4f00a3a17ce4', 'token.created', 'token/01a1e2df-cb27-7000-8c9c-6fa4d19b6f11', '{"id":"01a1e2df-cb28-7000-909a-4f00a3a17ce4","time":"2026-11-16T05:41:19.761Z","actor":"internal-service","request_id":"01a1e2df-cb10-7000-9ce1-6e11b13d0a78","kind":"token.created","subject":"token/01a1e2df-cb27-7000-8c9c-6fa4d19b6f11","data":{"id":"01a1e2df-cb27-7000-8c9c-6fa4d19b6f11","username":"ada@example.test","comment":"fixture","created_at":"2026-11-16T05:41:19.761Z","expires_at":null,"created_by":"internal-service"}}', '-lvU-l3gbXO2VUPDUaDQXDFFvNLpzyWabkmQtvaXRDE');
INSERT INTO public.events VALUES (5, '01a1e2df-cb99-7000-89be-b6a95ab9f534', 'secret.stored', 'secret/01a1e2df-bf9c-7000-8839-45216516ac24/shop/api-key', '{"id":"01a1e2df-cb99-7000-89be-b6a95ab9f534","time":"2026-11-16T05:41:19.887Z","actor":"internal-service","request_id":"01a1e2df-cb87-7000-a4e4-a86fc4f991ec","kind":"secret.stored","subject":"secret/01a1e2df-bf9c-7000-8839-45216516ac24/shop/api-key","data":{"environment_id":"01a1e2df-bf9c-7000-8839-45216516ac24","scope":"shop","key":"api-key"}}', 'p12Ukb5DBeCSVbiQ77pIQgi1q1LCuxLwmRTsCU7UFa0');
INSERT INTO public.events VALUES (6, '01a1e2df-cc2a-7000-94bd-965c14fde1f8', 'connector.created', 'connector/01a1e2df-cbd4-7000-be19-e6e92df2aa60', '{"id":"01a1e2df-cc2a-7000-94bd-965c14fde1f8","time":"2026-11-16T05:41:19.956Z","actor":"internal-service","request_id":"01a1e2df-cbc5-7000-a800-6f9b4ce0f723","kind":"connector.created","subject":"connector/01a1e2df-cbd4-7000-be19-e6e92df2aa60","data":{"name":"inline","environment_id":"01a1e2df-bf9c-7000-8839-45216516ac24","target_type":"warehouse","status":"active"}}', '0R20m226eBjYT34VDW5GCQDmLFSNKojOa4cjxQUILhw');
INSERT INTO public.events VALUES (7, '01a1e2df-cd00-7000-bb17-3160a08578dc', 'connector.created', 'connector/01a1e2df-cccb-7000-90ea-24c59c430967', '{"id":"01a1e2df-cd00-7000-bb17-3160a08578dc","time":"2026-11-16T05:41:20.203Z","actor":"internal-service","request_id":"01a1e2df-ccb1-7000-8586-8a297e4a017c","kind":"connector.created","subject":"connector/01a1e2df-cccb-7000-90ea-24c59c430967","data":{"name":"referring","environment_id":"01a1e2df-bf9c-7000-8839-45216516ac24","target_type":"warehouse","status":"active"}}', 'zLewMnMFKFndNRvRxrJbIOlRL4SaOuwwrdiJMpFHauk');
INSERT INTO public.events VALUES (8, '01a1e2df-cddf-7000-add3-3580052a2d0e', 'connector.created', 'connector/01a1e2df-cdc1-7000-9658-5456c2e680db', '{"id":"01a1e2df-cddf-7000-add3-3580052a2d0e","time":"2026-11-16T05:41:20.449Z","actor":"internal-service","request_id":"01a1e2df-cdaa-7000-97c0-bd86f4519cff","kind":"connector.created","subject":"connector/01a1e2df-cdc1-7000-9658-5456c2e680db","data":{"name":"paused","environment_id":"01a1e2df-bf9c-7000-8839-45216516ac24","target_type":"warehouse","status":"active"}}', '6QCD6JUVC96ehNrVG__T0eDLmscU0jVTvgvjZ6y7u1o');
INSERT INTO public.events VALUES (9, '01a1e2df-ce91-7000-b3a8-dcece0445175', 'connector.paused', 'connector/01a1e2df-cdc1-7000-9658-5456c2e680db', '{"id":"01a1e2df-ce91-7000-b3a8-dcece0445175","time":"2026-11-16T05:41:20.606Z","actor":"internal-service","request_id":"01a1e2df-ce5d-7000-a35c-46f41dae4a81","kind":"connector.paused","subject":"connector/01a1e2df-cdc1-7000-9658-5456c2e680db","data":{"name":"paused","reason":"holiday","until":null}}', 'kgGI1p4kS-UZQaajn0IIMKoH5WZz2KfsTUAmhjyajYQ');
INSERT INTO public.events VALUES (10, '01a1e2df-cf1d-7000-9dd2-c9ea0451112b', 'connector.updated', 'connector/01a1e2df-cbd4-7000-be19-e6e92df2aa60', '{"id":"01a1e2df-cf1d-7000-9dd2-c9ea0451112b","time":"2026-11-16T05:41:20.717Z","actor":"internal-service","request_id":"01a1e2df-cec3-7000-b79d-d5e94cf6f04a","kind":"connector.updated","subject":"connector/01a1e2df-cbd4-7000-be19-e6e92df2aa60","data":{"name":"inline","fields":["git_branch"]}}', 'ENxhfNmFhvLStvKTem5HuH-58U24uBu4w_cWHsbAkE8');
INSERT INTO public.events VALUES (11, '01a1e2df-d109-7001-b8c7-34ff1a6cb7e6', 'automation.created', 'automation/01a1e2df-d109-7000-a9b4-6a5a5e2cccf7', '{"id":"01a1e2df-d109-7001-b8c7-34ff1a6cb7e6","time":"2026-11-16T05:41:20.940Z","actor":"internal-service","request_id":"01a1e2df-cfab-7000-91ca-9dd8a106018c","kind":"automation.created","subject":"automation/01a1e2df-d109-7000-a9b4-6a5a5e2cccf7","data":{"alias":"released","design_content_hash":"sha256:f532d48ef6c129e9aecb868065a2ddee0d2f14ad36dffee7cf14f341d6f2003b"}}', 'd61sUGULMTiOkgHZB176pTLmTaPEkGg4F7Me2SV4HzA');
INSERT INTO public.events VALUES (12, '01a1e2df-d1c0-7000-95b1-fd4a16778c3b', 'deployment.recorded', 'deployment/01a1e2df-d1bf-7000-8984-9fbcda6f3da7', '{"id":"01a1e2df-d1c0-7000-95b1-fd4a16778c3b","time":"2026-11-16T05:41:21.408Z","actor":"internal-service","request_id":"01a1e2df-d17f-7000-90d3-2feaab4ad69c","kind":"deployment.recorded","subject":"deployment/01a1e2df-d1bf-7000-8984-9fbcda6f3da7","data":{"deployment_name":"released 1.0.0","environment_id":"01a1e2df-bf9c-7000-8839-45216516ac24","status":"succeeded"}}', 'VWB1TV3Vqft5G5jhDHBLxRp9yFCy9xsIwwLLIozCxRM');
INSERT INTO public.events VALUES (13, '01a1e2df-d1c0-7001-86f1-7bcaab7677a4', 'automation.release_activated', 'automation/01a1e2df-d109-7000-a9b4-6a5a5e2cccf7', '{"id":"01a1e2df-d1c0-7001-86f1-7bcaab7677a4","time":"2026-11-16T05:41:21.408Z","actor":"internal-service","request_id":"01a1e2df-d17f-7000-90d3-2feaab4ad69c","kind":"automation.release_activated","subject":"automation/01a1e2df-d109-7000-a9b4-6a5a5e2cccf7","data":{"release_id":"01a1e2df-d19c-7000-a82c-038c6bce5798","environment_id":"01a1e2df-bf9c-7000-8839-45216516ac24","version":"1.0.0","replaced":null}}', 'Z_OW-TMpg13ttRHjh8zZD9e7IsSwllKe6vzel_g3KMQ');
INSERT INTO public.events VALUES (14, '01a1e2df-d260-7000-9398-fe792d91ef44', 'environment.reconciled', 'environment/01a1e2df-bf9c-7000-8839-45216516ac24', '{"id":"01a1e2df-d260-7000-9398-fe792d91ef44","time":"2026-11-16T05:41:21.408Z","actor":"internal-service","request_id":"01a1e2df-d17f-7000-90d3-2feaab4ad69c","kind":"environment.reconciled","subject":"environment/01a1e2df-bf9c-7000-8839-45216516ac24","data":{}}', 'Ej8DlPKpIaCGV8JbUeykRbGFedY_Wgcwyw1BHQEZbBA');
INSERT INTO public.events VALUES (15, '01a1e2df-d2a2-7001-a4c9-d3fe3153a3a8', 'automation.created', 'automation/01a1e2df-d2a2-7000-8503-3f1dde005ed5', '{"id":"01a1e2df-d2a2-7001-a4c9-d3fe3153a3a8","time":"2026-11-16T05:41:21.691Z","actor":"internal-service","request_id":"01a1e2df-d29b-7000-9c0c-0b80ec802560","kind":"automation.created","subject":"automation/01a1e2df-d2a2-7000-8503-3f1dde005ed5","data":{"alias":"released-paused","design_content_hash":"sha256:a3271efdce491be25c4ebdedbf97908ff7a5bc8d3d69881be6dfe009585ff641"}}', 'UUYY4taj9jYEAPml1w0ID0O-t1a7u04Mb8pQllOl7lk');
INSERT INTO public.events VALUES (16, '01a1e2df-d331-7003-a536-9b2ee079ffbd', 'deployment.recorded', 'deployment/01a1e2df-d331-7001-a83d-eab3d46497d0', '{"id":"01a1e2df-d331-7003-a536-9b2ee079ffbd","time":"2026-11-16T05:41:21.796Z","actor":"internal-service","request_id":"01a1e2df-d304-7000-9065-03816aa6a59c","kind":"deployment.recorded","subject":"deployment/01a1e2df-d331-7001-a83d-eab3d46497d0","data":{"deployment_name":"released-paused 1.0.0","environment_id":"01a1e2df-bf9c-7000-8839-45216516ac24","status":"succeeded"}}', 'PladS32_KkJkH7lVWcYrfWplLSmHe0YCyrhWSPcga78');
INSERT INTO public.events VALUES (17, '01a1e2df-d331-7004-be36-02a5664706e6', 'automation.release_activated', 'automation/01a1e2df-d2a2-7000-8503-3f1dde005ed5', '{"id":"01a1e2df-d331-7004-be36-02a5664706e6","time":"2026-11-16T05:41:21.796Z","actor":"internal-service","request_id":"01a1e2df-d304-7000-9065-03816aa6a59c","kind":"automation.release_activated","subject":"automation/01a1e2df-d2a2-7000-8503-3f1dde005ed5","data":{"release_id":"01a1e2df-d31e-7000-8252-f8ed6ae90e12","environment_id":"01a1e2df-bf9c-7000-8839-45216516ac24","version":"1.0.0","replaced":null}}', 'idA_cprBuHTZs50dzHigwMaRld4JYfrgmczx_Zfm5ug');
INSERT INTO public.events VALUES (18, '01a1e2df-d395-7000-ba25-a3c62b40baa0', 'environment.reconciled', 'environment/01a1e2df-bf9c-7000-8839-45216516ac24', '{"id":"01a1e2df-d395-7000-ba25-a3c62b40baa0","time":"2026-11-16T05:41:21.796Z","actor":"internal-service","request_id":"01a1e2df-d304-7000-9065-03816aa6a59c","kind":"environment.reconciled","subject":"environment/01a1e2df-bf9c-7000-8839-45216516ac24","data":{}}', '4N0wuZO0z0PvELTY_58tRtrQoQSabx0pfOxjxPsVkxI');
INSERT INTO public.events VALUES (19, '01a1e2df-d3f4-7000-b9a7-1f5d8a7ea41c', 'automation.created', 'automation/01a1e2df-d3f3-7000-9026-75245320c938', '{"id":"01a1e2df-d3f4-7000-b9a7-1f5d8a7ea41c","time":"2026-11-16T05:41:22.016Z","actor":"internal-service","request_id":"01a1e2df-d3e0-7000-8b77-56e1eff3332d","kind":"automation.created","subject":"automation/01a1e2df-d3f3-7000-9026-75245320c938","data":{"alias":"released-changed","design_content_hash":"sha256:3f4fc0000ea78b7137f6d6cec1507e957fc6a43c54f558967c0e8a1577556b1b"}}', 'bgmjNmue5DhZVaslaFDd70IXYX5fZQwDJZsrBbZd7II');
INSERT INTO public.events VALUES (24, '01a1e2df-d62e-7000-b7bf-ec76b5f98560', 'automation.definition_set', 'automation/01a1e2df-d3f3-7000-9026-75245320c938', '{"id":"01a1e2df-d62e-7000-b7bf-ec76b5f98560","time":"2026-11-16T05:41:22.571Z","actor":"internal-service","request_id":"01a1e2df-d60a-7000-9ea9-99fad3b19443","kind":"automation.definition_set","subject":"automation/01a1e2df-d3f3-7000-9026-75245320c938","data":{"alias":"released-changed","design_content_hash":"sha256:fff6e639d71f5f746d2ce7fdad8eed1e0a4dd2574d9951d9e5b2422f4129141b"}}', 'SopsuOE62CbLnrUZIPwZqRjAU-5iYF8Ry8Y4NiBAsro');
INSERT INTO public.events VALUES (25, '01a1e2df-d697-7000-809d-7d3171a9e9ea', 'file.written', 'file/01a1e2df-bf9c-7000-8839-45216516ac24/pipelines/numbers.sql', '{"id":"01a1e2df-d697-7000-809d-7d3171a9e9ea","time":"2026-11-16T05:41:22.659Z","actor":"internal-service","request_id":"01a1e2df-d64e-7000-b623-20d4d9d9a06c","kind":"file.written","subject":"file/01a1e2df-bf9c-7000-8839-45216516ac24/pipelines/numbers.sql","data":{"environment_id":"01a1e2df-bf9c-7000-8839-45216516ac24","path":"pipelines/numbers.sql","size":51,"sha256":"b0bf44b639804f1839a1927e097d46337d4fc58b70b6448f3bb019cef234fa17"}}', 'jbDpqgTbZTWkUgWxRcRprGPbAAJEJr2fY4oZaJWfd7w');
INSERT INTO public.events VALUES (26, '01a1e2df-d6c7-7001-90a3-ee3b4ab7dd87', 'pipeline.created', 'pipeline/01a1e2df-d6c6-7000-ab4b-426215b9989b', '{"id":"01a1e2df-d6c7-7001-90a3-ee3b4ab7dd87","time":"2026-11-16T05:41:22.758Z","actor":"internal-service","request_id":"01a1e2df-d6c4-7000-8644-264f6dc72742","kind":"pipeline.created","subject":"pipeline/01a1e2df-d6c6-7000-ab4b-426215b9989b","data":{"name":"numbers","environment_id":"01a1e2df-bf9c-7000-8839-45216516ac24"}}', '5-OoX_ytmQeIGDYk0vs8b7orATmBmqTZhdY6ISN9_XY');
INSERT INTO public.events VALUES (27, '01a1e2df-d72b-7001-9dd9-ad143186eb41', 'agent.created', 'agent/01a1e2df-d72b-7000-bef0-c032cd3ead35', '{"id":"01a1e2df-d72b-7001-9dd9-ad143186eb41","time":"2026-11-16T05:41:22.859Z","actor":"internal-service","request_id":"01a1e2df-d72a-7000-98d2-e158ca720ec1","kind":"agent.created","subject":"agent/01a1e2df-d72b-7000-bef0-c032cd3ead35","data":{"name":"desk","aliases":["orders-bot"]}}', 'DXaGSqImQthuGz2chU6oVyzXV0IscF1lTzfRXNmmMWA');
INSERT INTO public.events VALUES (29, '01a1e2df-d82d-7000-9fa4-68e8833f914f', 'file.written', 'file/01a1e2df-bf9c-7000-8839-45216516ac24/tiny/app.mjs', '{"id":"01a1e2df-d82d-7000-9fa4-68e8833f914f","time":"2026-11-16T05:41:23.070Z","actor":"internal-service","request_id":"01a1e2df-d7fd-7000-9895-314bebe2f9de","kind":"file.written","subject":"file/01a1e2df-bf9c-7000-8839-45216516ac24/tiny/app.mjs","data":{"environment_id":"01a1e2df-bf9c-7000-8839-45216516ac24","path":"tiny/app.mjs","size":154,"sha256":"42a29daadf6a0e247952089c44decb92d0f16169dfeeb9aa0956ff02f5cd7d93"}}', 'oyKbt-60FLQyrCPkPYlW0ypVGxwqCDeOBcYpfsfZYLY');
INSERT INTO public.events VALUES (30, '01a1e2df-d89b-7001-87d1-c6b876c032eb', 'agent.version_created', 'agent/01a1e2df-d72b-7000-bef0-c032cd3ead35', '{"id":"01a1e2df-d89b-7001-87d1-c6b876c032eb","time":"2026-11-16T05:41:23.193Z","actor":"internal-service","request_id":"01a1e2df-d878-7000-b479-9e8ed2a283da","kind":"agent.version_created","subject":"agent/01a1e2df-d72b-7000-bef0-c032cd3ead35","data":{"name":"desk","version":"1.0.0"}}', 'hWQKQ2LMMLv8sAnJGyhWBtVQTy3R7x1QvGpNHawfP0o');
INSERT INTO public.events VALUES (31, '01a1e2df-d89b-7002-a12b-a14a1c34982b', 'agent.release_activated', 'agent/01a1e2df-d72b-7000-bef0-c032cd3ead35', '{"id":"01a1e2df-d89b-7002-a12b-a14a1c34982b","time":"2026-11-16T05:41:23.193Z","actor":"internal-service","request_id":"01a1e2df-d878-7000-b479-9e8ed2a283da","kind":"agent.release_activated","subject":"agent/01a1e2df-d72b-7000-bef0-c032cd3ead35","data":{"name":"desk","environment_id":"01a1e2df-bf9c-7000-8839-45216516ac24","version":"1.0.0"}}', 'rPEZBKLj9tqULN1XCFKRHgBPs7r1azhoCn6CsZgJ3qU');
INSERT INTO public.events VALUES (32, '01a1e2df-d8f7-7000-a057-1c461dcf4bd4', 'environment.reconciled', 'environment/01a1e2df-bf9c-7000-8839-45216516ac24', '{"id":"01a1e2df-d8f7-7000-a057-1c461dcf4bd4","time":"2026-11-16T05:41:23.193Z","actor":"internal-service","request_id":"01a1e2df-d878-7000-b479-9e8ed2a283da","kind":"environment.reconciled","subject":"environment/01a1e2df-bf9c-7000-8839-45216516ac24","data":{}}', 'ZvU07Dnwk0hfps54ImBRAr-jykdGcopezPhQXE-fiiA');
INSERT INTO public.events VALUES (33, '01a1e2df-d928-7000-9fe6-83b7231df507', 'app.created', 'app/01a1e2df-d91b-7000-8dc5-7387cd88e78e', '{"id":"01a1e2df-d928-7000-9fe6-83b7231df507","time":"2026-11-16T05:41:23.355Z","actor":"internal-service","request_id":"01a1e2df-d917-7000-af2d-47aace548076","kind":"app.created","subject":"app/01a1e2df-d91b-7000-8dc5-7387cd88e78e","data":{"name":"desk-ui","environment_id":"01a1e2df-bf9c-7000-8839-45216516ac24","agent_id":"01a1e2df-d72b-7000-bef0-c032cd3ead35"}}', '91wAJUQxpNvGkxGgLicPBLp9NwwWU59obtlOUXSqm6Q');
INSERT INTO public.events VALUES (20, '01a1e2df-d473-7000-b530-49d0c238db4e', 'deployment.recorded', 'deployment/01a1e2df-d472-7001-a791-9d9908e13e47', '{"id":"01a1e2df-d473-7000-b530-49d0c238db4e","time":"2026-11-16T05:41:22.110Z","actor":"internal-service","request_id":"01a1e2df-d43d-7000-9d12-50d47bc2a921","kind":"deployment.recorded","subject":"deployment/01a1e2df-d472-7001-a791-9d9908e13e47","data":{"deployment_name":"released-changed 1.0.0","environment_id":"01a1e2df-bf9c-7000-8839-45216516ac24","status":"succeeded"}}', 'NcI_5PeiTKbmwoQjvrSVjT6lrDIY7pTdgxAZl0BoW3E');
INSERT INTO public.events VALUES (21, '01a1e2df-d473-7001-8f4f-b53290a8dc37', 'automation.release_activated', 'automation/01a1e2df-d3f3-7000-9026-75245320c938', '{"id":"01a1e2df-d473-7001-8f4f-b53290a8dc37","time":"2026-11-16T05:41:22.110Z","actor":"internal-service","request_id":"01a1e2df-d43d-7000-9d12-50d47bc2a921","kind":"automation.release_activated","subject":"automation/01a1e2df-d3f3-7000-9026-75245320c938","data":{"release_id":"01a1e2df-d468-7000-82ac-68054d3a00ae","environment_id":"01a1e2df-bf9c-7000-8839-45216516ac24","version":"1.0.0","replaced":null}}', '2gA-LKvrokgE9zJWccuSgRPFGTq7zH_IPtmo_W6e49Q');
INSERT INTO public.events VALUES (22, '01a1e2df-d55a-7000-be5d-ac7f0e69a80d', 'environment.reconciled', 'environment/01a1e2df-bf9c-7000-8839-45216516ac24', '{"id":"01a1e2df-d55a-7000-be5d-ac7f0e69a80d","time":"2026-11-16T05:41:22.110Z","actor":"internal-service","request_id":"01a1e2df-d43d-7000-9d12-50d47bc2a921","kind":"environment.reconciled","subject":"environment/01a1e2df-bf9c-7000-8839-45216516ac24","data":{}}', '9WirQR8dbnXUa2n1v2dDIrkOatX9i95Xi7DNxbbrWRQ');
INSERT INTO public.events VALUES (28, '01a1e2df-d7c4-7000-8cb2-a8533e69c0ed', 'file.written', 'file/01a1e2df-bf9c-7000-8839-45216516ac24/tiny/app.yaml', '{"id":"01a1e2df-d7c4-7000-8cb2-a8533e69c0ed","time":"2026-11-16T05:41:22.924Z","actor":"internal-service","request_id":"01a1e2df-d75c-7000-8726-9535cb8d7583","kind":"file.written","subject":"file/01a1e2df-bf9c-7000-8839-45216516ac24/tiny/app.yaml","data":{"environment_id":"01a1e2df-bf9c-7000-8839-45216516ac24","path":"tiny/app.yaml","size":25,"sha256":"161d49cab793e4e16c959370ac0ef0283a37471131f8f1ce0f6cbd77067c181a"}}', 'czBjLfR71Ga-9w2ucr3bonPrhFZyrVSBEz0XwsJXdIo');
INSERT INTO public.events VALUES (23, '01a1e2df-d5bf-7001-83d6-39d4576424c7', 'automation.schedule_paused', 'automation/01a1e2df-d2a2-7000-8503-3f1dde005ed5', '{"id":"01a1e2df-d5bf-7001-83d6-39d4576424c7","time":"2026-11-16T05:41:22.440Z","actor":"internal-service","request_id":"01a1e2df-d587-7000-ad89-8cd2303fb625","kind":"automation.schedule_paused","subject":"automation/01a1e2df-d2a2-7000-8503-3f1dde005ed5","data":{"release_id":"01a1e2df-d31e-7000-8252-f8ed6ae90e12","environment_id":"01a1e2df-bf9c-7000-8839-45216516ac24","version":"1.0.0","reason":"holiday","until":null}}', 'emKcN8Ar4VSgJb3eGyLa7_E1zNpObJJy4OQashWS5qU');
INSERT INTO public.events VALUES (34, '01a1e2df-d96f-7000-a94e-2cb35bd4f45a', 'agent.component_started', 'agent/01a1e2df-d72b-7000-bef0-c032cd3ead35', '{"id":"01a1e2df-d96f-7000-a94e-2cb35bd4f45a","time":"2026-11-16T05:41:23.415Z","actor":"internal-service","request_id":"01a1e2df-d950-7000-b1d5-8013df7b5dc4","kind":"agent.component_started","subject":"agent/01a1e2df-d72b-7000-bef0-c032cd3ead35","data":{"name":"desk","environment_id":"01a1e2df-bf9c-7000-8839-45216516ac24","component":"agent_endpoint","version":"1.0.0"}}', 'GSNMcc12lTNOtQe0Ja2v4kDfiilZSPLlpyea4GhrSpE');
INSERT INTO public.events VALUES (35, '01a1e2df-d982-7000-bb86-1431a11058f6', 'app.started', 'app/01a1e2df-d91b-7000-8dc5-7387cd88e78e', '{"id":"01a1e2df-d982-7000-bb86-1431a11058f6","time":"2026-11-16T05:41:23.415Z","actor":"internal-service","request_id":"01a1e2df-d950-7000-b1d5-8013df7b5dc4","kind":"app.started","subject":"app/01a1e2df-d91b-7000-8dc5-7387cd88e78e","data":{"name":"desk-ui","environment_id":"01a1e2df-bf9c-7000-8839-45216516ac24","observed_state":"running"}}', 'f6EMmz-5zRM1Qxy4uAOKhpDzAC-nhe17jiJCSBwyiJw');
INSERT INTO public.events VALUES (36, '01a1e2df-d982-7001-92ca-eba834e80fc3', 'agent.ui_app_followed', 'agent/01a1e2df-d72b-7000-bef0-c032cd3ead35', '{"id":"01a1e2df-d982-7001-92ca-eba834e80fc3","time":"2026-11-16T05:41:23.415Z","actor":"internal-service","request_id":"01a1e2df-d950-7000-b1d5-8013df7b5dc4","kind":"agent.ui_app_followed","subject":"agent/01a1e2df-d72b-7000-bef0-c032cd3ead35","data":{"name":"desk","environment_id":"01a1e2df-bf9c-7000-8839-45216516ac24","desired_state":"running","observed_state":"running"}}', '-2N-9B8FrpDpYQ8WJ3DlwyGp-l_sDRlQkZ58MVGKqkk');
INSERT INTO public.events VALUES (37, '01a1e2df-d9b8-7001-8641-7580be2f4f4a', 'deployment.created', 'deployment/01a1e2df-d9b8-7000-b395-d15909aef8fc', '{"id":"01a1e2df-d9b8-7001-8641-7580be2f4f4a","time":"2026-11-16T05:41:23.512Z","actor":"internal-service","request_id":"01a1e2df-d9af-7000-893a-eea51533a0b2","kind":"deployment.created","subject":"deployment/01a1e2df-d9b8-7000-b395-d15909aef8fc","data":{"deployment_name":"orders 1.0.0","environment_id":"01a1e2df-bf9c-7000-8839-45216516ac24","status":"pending"}}', 'EFhLk3p4Xtua4GwRI_fLh6MPD3RKxkAGlB6Q2hFbTzM');
INSERT INTO public.events VALUES (38, '01a1e2df-d9e7-7000-872b-9f973fcdf549', 'deployment.logged', 'deployment/01a1e2df-d9b8-7000-b395-d15909aef8fc', '{"id":"01a1e2df-d9e7-7000-872b-9f973fcdf549","time":"2026-11-16T05:41:23.552Z","actor":"internal-service","request_id":"01a1e2df-d9df-7000-bdf9-74532086fc81","kind":"deployment.logged","subject":"deployment/01a1e2df-d9b8-7000-b395-d15909aef8fc","data":{"characters":10}}', 'mXahHg1ztNP1cKzWOO-RJLDFbLECy_66BvG-azUlmio');
INSERT INTO public.events VALUES (39, '01a1e2df-da10-7001-bcd4-2cd81a43143f', 'deployment.finished', 'deployment/01a1e2df-d9b8-7000-b395-d15909aef8fc', '{"id":"01a1e2df-da10-7001-bcd4-2cd81a43143f","time":"2026-11-16T05:41:23.596Z","actor":"internal-service","request_id":"01a1e2df-da0b-7000-a6ba-4ce86cb512ad","kind":"deployment.finished","subject":"deployment/01a1e2df-d9b8-7000-b395-d15909aef8fc","data":{"deployment_name":"orders 1.0.0","environment_id":"01a1e2df-bf9c-7000-8839-45216516ac24","status":"succeeded"}}', '2IE1OmHrcT_yRYGhIu_0MORbIpBdV94Xc0yIm-kXuOU');
INSERT INTO public.events VALUES (40, '01a1e2df-da4a-7000-aa2e-27bbfbe77231', 'environment.reconciled', 'environment/01a1e2df-bf9c-7000-8839-45216516ac24', '{"id":"01a1e2df-da4a-7000-aa2e-27bbfbe77231","time":"2026-11-16T05:41:23.596Z","actor":"internal-service","request_id":"01a1e2df-da0b-7000-a6ba-4ce86cb512ad","kind":"environment.reconciled","subject":"environment/01a1e2df-bf9c-7000-8839-45216516ac24","data":{}}', '1-tc3f8Df2OW45TDvTV0eZgjZRA22-8D4LulV2nCm4E');
INSERT INTO public.jobs VALUES ('connector-01a1e2df-cccb-7000-90ea-24c59c430967', '01a1e2df-bf9c-7000-8839-45216516ac24', 'connector', 'connector/01a1e2df-cccb-7000-90ea-24c59c430967', '"referring"', '{"trigger":{"kind":"cron","cron":"0 6 1 1 *","timezone":"Europe/Berlin"},"attempts":3,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T05:00:00.000Z', '2026-11-16T05:41:20.204Z', '2026-11-16T05:41:20.204Z', 1);
INSERT INTO public.jobs VALUES ('connector-01a1e2df-cdc1-7000-9658-5456c2e680db', '01a1e2df-bf9c-7000-8839-45216516ac24', 'connector', 'connector/01a1e2df-cdc1-7000-9658-5456c2e680db', '"paused"', '{"trigger":{"kind":"cron","cron":"0 6 1 1 *","timezone":"Europe/Berlin"},"attempts":3,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', '{"by":"internal-service","at":"2026-11-16T05:41:20.646Z","reason":"holiday","until":null,"missed":0,"last_missed":null}', NULL, '{}', 0, NULL, '2027-01-01T05:00:00.000Z', '2026-11-16T05:41:20.450Z', '2026-11-16T05:41:20.450Z', 2);
INSERT INTO public.jobs VALUES ('connector-01a1e2df-cbd4-7000-be19-e6e92df2aa60', '01a1e2df-bf9c-7000-8839-45216516ac24', 'connector', 'connector/01a1e2df-cbd4-7000-be19-e6e92df2aa60', '"inline"', '{"trigger":{"kind":"cron","cron":"0 6 1 1 *","timezone":"Europe/Berlin"},"attempts":3,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T05:00:00.000Z', '2026-11-16T05:41:19.966Z', '2026-11-16T05:41:20.789Z', 2);
INSERT INTO public.keyring VALUES ('fingerprint', 'keOT3fxHz_I6EV7EkRe8KYS2yBFU5Xa5yqF8SRI7QW0');
INSERT INTO public.keyring VALUES ('jwt', 'FtH5+ABglivrB/farcLDTzSQq3L85jZ+5mUPwxRC8b5bAwCnM0xpcWfAynTUQ2+emSeFNVPfCEBr9bsMMWcA3RGq5IH/Evga');
INSERT INTO public.keyring VALUES ('data folder', '01a1e2df-bd30-7000-9ac5-e00d4b1207f9');
INSERT INTO public.overrides VALUES ('01a1e2df-bf9c-7000-8839-45216516ac24', '01a1e2df-d2a2-7000-8503-3f1dde005ed5', '{"paused":true,"by":"internal-service","at":"2026-11-16T05:41:22.440Z","reason":"holiday","until":null}');
INSERT INTO public.pipelines VALUES (1, '01a1e2df-d6c6-7000-ab4b-426215b9989b', '["01a1e2df-bf9c-7000-8839-45216516ac24","numbers"]', 1, '01a1e2df-bf9c-7000-8839-45216516ac24', NULL, NULL, '{"pipeline_id":"01a1e2df-d6c6-7000-ab4b-426215b9989b","name":"numbers","libraries":[{"file":{"path":"pipelines/numbers.sql"}}],"configuration":{},"continuous":false,"development":false,"photon":false,"serverless":false,"channel":"CURRENT","edition":"ADVANCED","platform_managed":true,"health":{"status":"UNKNOWN","last_update_time":null,"last_success_time":null,"last_failure_time":null,"consecutive_failures":0,"is_stale":false},"latest_updates":[],"environment_id":"01a1e2df-bf9c-7000-8839-45216516ac24","tags":{"platform.managed_by":"lakehelm","platform.environment":"prod","platform.pipeline":"numbers"},"platform_reference":"pipeline-01a1e2df-d6c6-7000-ab4b-426215b9989b","error_message":null,"created_at":"2026-11-16T05:41:22.758Z","updated_at":"2026-11-16T05:41:22.758Z","created_by":"internal-service","updated_by":null}', NULL);
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
INSERT INTO public.releases VALUES (1, '01a1e2df-d19c-7000-a82c-038c6bce5798', '["automation","01a1e2df-d109-7000-a9b4-6a5a5e2cccf7","01a1e2df-bf9c-7000-8839-45216516ac24"]', 1, '01a1e2df-bf9c-7000-8839-45216516ac24', '01a1e2df-d109-7000-a9b4-6a5a5e2cccf7', 'installed', '{"id":"01a1e2df-d19c-7000-a82c-038c6bce5798","artifact":"automation/released","environment_id":"01a1e2df-bf9c-7000-8839-45216516ac24","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:f532d48ef6c129e9aecb868065a2ddee0d2f14ad36dffee7cf14f341d6f2003b","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1e2df-d109-7000-a9b4-6a5a5e2cccf7","activated_at":"2026-11-16T05:41:21.408Z","activated_by":"internal-service","deployment_id":"01a1e2df-d1bf-7000-8984-9fbcda6f3da7"}', 'C59wQhYw+vqPLR390gPp7VzCi9Ow7BibSTTXq3OPdKpHfG2IqKTS5jkIe63wJQbvaQ8pp+OLW1gl1jhjuRjtiEFk1mjCwmZrgxZX6m4AAkUH3c/cih6u8d7kRvJ+CJQMNRcEP3n2Ee65FnPam+j4TsA1H8LESyCy0KANMzzJ4gkiMARXV483locDIIHFYbpq4kt+n197HZneWhipaOdSJm+eApz134GlUxMu0W0ewgEKVfa9uGNZoHfgI8+lTOaeAw1Znxwb/flSmcy0rkhG9GZFSDQZBi8YkIQEt000t9bVO6FxjpN82v0uZfg=');
INSERT INTO public.releases VALUES (3, '01a1e2df-d468-7000-82ac-68054d3a00ae', '["automation","01a1e2df-d3f3-7000-9026-75245320c938","01a1e2df-bf9c-7000-8839-45216516ac24"]', 1, '01a1e2df-bf9c-7000-8839-45216516ac24', '01a1e2df-d3f3-7000-9026-75245320c938', 'installed', '{"id":"01a1e2df-d468-7000-82ac-68054d3a00ae","artifact":"automation/released-changed","environment_id":"01a1e2df-bf9c-7000-8839-45216516ac24","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:3f4fc0000ea78b7137f6d6cec1507e957fc6a43c54f558967c0e8a1577556b1b","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1e2df-d3f3-7000-9026-75245320c938","activated_at":"2026-11-16T05:41:22.110Z","activated_by":"internal-service","deployment_id":"01a1e2df-d472-7001-a791-9d9908e13e47"}', 'hpK1Iitr2M9AinAtudp/ZR3o9kc5Xk/G75zCQMsO/6PVhmp+53MLcD/B7l381eIQ/lvkcZcs32VH5Podj8wOuKvQYWwpb6uZKH+y6GV1Jr9dfiAahY0eEgClx4PgDCAF9sOcmga81rif+5ZtQ7Nfqd1Ankdl7TSePtIKD6sMnuNUo3PJec8q5eJvxgognAIAnhVVWMREtVdZHlne3QnUS5WWjmps3yEzbVd005bjOuE1ChJr3lxOl2rwagkE8PBO9TwHK5j7cRm0hMUVwBwZNmEblOuBeTI3fycNbDUe4KDPIUhr+cuNU3J5e6I=');
INSERT INTO public.releases VALUES (2, '01a1e2df-d31e-7000-8252-f8ed6ae90e12', '["automation","01a1e2df-d2a2-7000-8503-3f1dde005ed5","01a1e2df-bf9c-7000-8839-45216516ac24"]', 2, '01a1e2df-bf9c-7000-8839-45216516ac24', '01a1e2df-d2a2-7000-8503-3f1dde005ed5', 'installed', '{"id":"01a1e2df-d31e-7000-8252-f8ed6ae90e12","artifact":"automation/released-paused","environment_id":"01a1e2df-bf9c-7000-8839-45216516ac24","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:a3271efdce491be25c4ebdedbf97908ff7a5bc8d3d69881be6dfe009585ff641","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1e2df-d2a2-7000-8503-3f1dde005ed5","activated_at":"2026-11-16T05:41:21.796Z","activated_by":"internal-service","deployment_id":"01a1e2df-d331-7001-a83d-eab3d46497d0"}', 'XlM9dI86esLWS/eayZqlElkXYrRmKm20J750zzUMlxMcdY97HYMWTl2QMv37yUHrzLDTJMlcqushkVfyENqhxbyhHwWknH5un8hbDopKaG3FTjCZXUKCUxV3ugYt3Ah9obgpIXA7nxsB10oY6IE8TtkYeweuU8U+8I+UWw6kD4FUk81eNWFzM8TwcI+0waLSg38Y2nsgbGHTE4i69r4hZy9M4U2QxXhw7d916zVszUd6ni+Ube6Mx3/Ojg0XZDo9jF3B8IhuT7NjH2PB/vC4I7jBGWqzLxyvSwA9IPwH+gJODyLWSeWLbvqesVk=');
INSERT INTO public.releases VALUES (4, '01a1e2df-d89b-7000-8ef7-9c82a2cde9ad', '["agent","01a1e2df-d72b-7000-bef0-c032cd3ead35","01a1e2df-bf9c-7000-8839-45216516ac24"]', 3, '01a1e2df-bf9c-7000-8839-45216516ac24', '01a1e2df-d72b-7000-bef0-c032cd3ead35', 'agent_release', '{"artifact":"agent/desk","release":{"environment_id":"01a1e2df-bf9c-7000-8839-45216516ac24","environment":"prod","version":"1.0.0","workflow_run_id":null,"workflow_name":null,"workflow_run_url":null,"activated_at":"2026-11-16T05:41:23.193Z","activated_by":"internal-service"}}', NULL);
INSERT INTO public.schema_version VALUES (3);
INSERT INTO public.secrets VALUES ('01a1e2df-bf9c-7000-8839-45216516ac24', 'shop', 'api-key', 'ISriKhg9Y5+lJXoIQITNxfCxTNoT5Uqhxd2eXC52vSTBvmDCvBOv', '2026-11-16T05:41:19.887Z');
INSERT INTO public.summaries VALUES ('01a1e2df-bf9c-7000-8839-45216516ac24', '{"environment_id":"01a1e2df-bf9c-7000-8839-45216516ac24","latest_success":{"id":"01a1e2df-d9b8-7000-b395-d15909aef8fc","deployment_name":"orders 1.0.0","git_branch":"main","git_commit_sha":"","completed_at":"2026-11-16T05:41:23.596Z"},"current_releases":[{"artifact":"automation/released","version":"1.0.0","activated_at":"2026-11-16T05:41:21.408Z"},{"artifact":"automation/released-paused","version":"1.0.0","activated_at":"2026-11-16T05:41:21.796Z"},{"artifact":"automation/released-changed","version":"1.0.0","activated_at":"2026-11-16T05:41:22.110Z"},{"artifact":"agent/desk","version":"1.0.0","activated_at":"2026-11-16T05:41:23.193Z"}],"deployment_counts":{"succeeded":4},"failure_streak":0,"reconciled_at":"2026-11-16T05:41:23.596Z"}');
INSERT INTO public.tallies VALUES ('environments/all', 1000000, 0, 2);
INSERT INTO public.tallies VALUES ('environments/all', 10000, 0, 2);
INSERT INTO public.tallies VALUES ('environments/all', 100, 0, 2);
INSERT INTO public.tallies VALUES ('users/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('users/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('users/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1e2df-c006-7000-a0fc-5c20797e9e4d', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1e2df-c006-7000-a0fc-5c20797e9e4d', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1e2df-c006-7000-a0fc-5c20797e9e4d', 100, 0, 1);
INSERT INTO public.tallies VALUES ('releases/all', 1000000, 0, 4);
INSERT INTO public.tallies VALUES ('releases/all', 10000, 0, 4);
INSERT INTO public.tallies VALUES ('releases/all', 100, 0, 4);
INSERT INTO public.tallies VALUES ('releases/01a1e2df-bf9c-7000-8839-45216516ac24', 1000000, 0, 4);
INSERT INTO public.tallies VALUES ('releases/01a1e2df-bf9c-7000-8839-45216516ac24', 10000, 0, 4);
INSERT INTO public.tallies VALUES ('releases/01a1e2df-bf9c-7000-8839-45216516ac24', 100, 0, 4);
INSERT INTO public.tallies VALUES ('connectors/all', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/all', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/all', 100, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/01a1e2df-bf9c-7000-8839-45216516ac24', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/01a1e2df-bf9c-7000-8839-45216516ac24', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/01a1e2df-bf9c-7000-8839-45216516ac24', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e2df-d109-7000-a9b4-6a5a5e2cccf7', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2df-d109-7000-a9b4-6a5a5e2cccf7', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2df-d109-7000-a9b4-6a5a5e2cccf7', 100, 0, 1);
INSERT INTO public.tallies VALUES ('apps/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2df-bf9c-7000-8839-45216516ac24', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2df-bf9c-7000-8839-45216516ac24', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2df-bf9c-7000-8839-45216516ac24', 100, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2df-d72b-7000-bef0-c032cd3ead35', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2df-d72b-7000-bef0-c032cd3ead35', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2df-d72b-7000-bef0-c032cd3ead35', 100, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2df-d2a2-7000-8503-3f1dde005ed5', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2df-d2a2-7000-8503-3f1dde005ed5', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2df-d2a2-7000-8503-3f1dde005ed5', 100, 0, 1);
INSERT INTO public.tallies VALUES ('deployments/all', 1000000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/all', 10000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/all', 100, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1e2df-bf9c-7000-8839-45216516ac24', 1000000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1e2df-bf9c-7000-8839-45216516ac24', 10000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1e2df-bf9c-7000-8839-45216516ac24', 100, 0, 4);
INSERT INTO public.tallies VALUES ('automations/all', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('automations/all', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('automations/all', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e2df-d3f3-7000-9026-75245320c938', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2df-d3f3-7000-9026-75245320c938', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2df-d3f3-7000-9026-75245320c938', 100, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1e2df-bf9c-7000-8839-45216516ac24', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1e2df-bf9c-7000-8839-45216516ac24', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1e2df-bf9c-7000-8839-45216516ac24', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agents/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('agents/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('agents/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1e2df-d72b-7000-bef0-c032cd3ead35', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1e2df-d72b-7000-bef0-c032cd3ead35', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1e2df-d72b-7000-bef0-c032cd3ead35', 100, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2df-d72b-7000-bef0-c032cd3ead35', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2df-d72b-7000-bef0-c032cd3ead35', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2df-d72b-7000-bef0-c032cd3ead35', 100, 0, 1);
INSERT INTO public.tokens VALUES (1, '01a1e2df-cb27-7000-8c9c-6fa4d19b6f11', '["wI5EyzMBz8Ysd9KpuiC20xMIxxp8VV444Hpd-QlXycg"]', 1, NULL, '01a1e2df-c006-7000-a0fc-5c20797e9e4d', NULL, '{"id":"01a1e2df-cb27-7000-8c9c-6fa4d19b6f11","username":"ada@example.test","comment":"fixture","created_at":"2026-11-16T05:41:19.761Z","expires_at":null,"created_by":"internal-service"}', NULL);
INSERT INTO public.users VALUES (1, '01a1e2df-c006-7000-a0fc-5c20797e9e4d', '["ada@example.test"]', 1, NULL, NULL, NULL, '{"id":"01a1e2df-c006-7000-a0fc-5c20797e9e4d","username":"ada@example.test","role":"operator","active":true,"created_at":"2026-11-16T05:41:16.934Z","updated_at":"2026-11-16T05:41:16.934Z","created_by":"internal-service"}', 'F+xb5Q/by8sGlHI9CBgNBBRXL1Yar98n/xY/FADXHohVu8g6Y0eGTqCfL31AHA3s+pMmWPgfub3V0jqIZBSnMkUdXQG2O3z7D7hTzjypMuZDodHFqJ1i2BmrBh941f4VmfeionsLrpvs12WqHCOp/kDt');
INSERT INTO public.versions VALUES (1, '01a1e2df-d894-7000-8c5c-e5172949b7f1', '["01a1e2df-d72b-7000-bef0-c032cd3ead35","1.0.0"]', 1, NULL, '01a1e2df-d72b-7000-bef0-c032cd3ead35', NULL, '{"id":"01a1e2df-d894-7000-8c5c-e5172949b7f1","agent_id":"01a1e2df-d72b-7000-bef0-c032cd3ead35","version":"1.0.0","source_path":null,"metadata":{},"created_at":"2026-11-16T05:41:23.193Z","created_by":"internal-service"}', NULL);
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
ALTER TABLE ONLY public.flows
    ADD CONSTRAINT flows_id_key UNIQUE (id);
ALTER TABLE ONLY public.flows
    ADD CONSTRAINT flows_key_key UNIQUE (key);
ALTER TABLE ONLY public.flows
    ADD CONSTRAINT flows_pkey PRIMARY KEY ("position");
ALTER TABLE ONLY public.idempotency
    ADD CONSTRAINT idempotency_key PRIMARY KEY (caller, endpoint, key);
ALTER TABLE ONLY public.intents
    ADD CONSTRAINT intents_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.keyring
    ADD CONSTRAINT keyring_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.leases
    ADD CONSTRAINT leases_pkey PRIMARY KEY (name);
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
CREATE INDEX deployments_by_environment_id ON public.deployments USING btree (environment_id, "position") WHERE (environment_id IS NOT NULL);
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
CREATE INDEX pipelines_by_environment_id ON public.pipelines USING btree (environment_id, "position") WHERE (environment_id IS NOT NULL);
CREATE INDEX pipelines_by_owner ON public.pipelines USING btree (owner, "position") WHERE (owner IS NOT NULL);
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
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
ALTER TABLE ONLY public.pending_events ALTER COLUMN arrival SET DEFAULT nextval('public.pending_events_arrival_seq'::regclass);
INSERT INTO public.agents VALUES (1, '01a1e2e0-559d-7000-ab87-93321d796ed9', '["desk"]', 6, NULL, NULL, NULL, '{"id":"01a1e2e0-559d-7000-ab87-93321d796ed9","name":"desk","aliases":["orders-bot"],"description":"","source_path":"tiny","components":[{"environment_id":"01a1e2e0-42eb-7000-8597-968fd7eaf9b7","component":"chat","desired_state":"running","observed_state":"running","message":null,"updated_at":"2026-11-16T05:41:55.309Z","version":"1.0.0"},{"environment_id":"01a1e2e0-42eb-7000-8597-968fd7eaf9b7","component":"agent_endpoint","desired_state":"running","observed_state":"running","message":null,"updated_at":"2026-11-16T05:41:56.185Z","version":"1.0.0"},{"environment_id":"01a1e2e0-42eb-7000-8597-968fd7eaf9b7","component":"ui_app","desired_state":"running","observed_state":"running","version":"1.0.0","message":null,"updated_at":"2026-11-16T05:41:57.166Z"}],"releases":[{"environment_id":"01a1e2e0-42eb-7000-8597-968fd7eaf9b7","environment":"prod","version":"1.0.0","workflow_run_id":null,"workflow_name":null,"workflow_run_url":null,"activated_at":"2026-11-16T05:41:55.309Z","activated_by":"internal-service"}],"created_at":"2026-11-16T05:41:55.229Z","updated_at":"2026-11-16T05:41:55.442Z","created_by":"internal-service","updated_by":"internal-service"}', NULL);
INSERT INTO public.aliases VALUES ('["desk"]', '01a1e2e0-559d-7000-ab87-93321d796ed9');
INSERT INTO public.aliases VALUES ('["orders-bot"]', '01a1e2e0-559d-7000-ab87-93321d796ed9');
INSERT INTO public.apps VALUES (1, '01a1e2e0-563b-7000-9aa6-d05576287d86', '["01a1e2e0-42eb-7000-8597-968fd7eaf9b7","desk-ui"]', 3, '01a1e2e0-42eb-7000-8597-968fd7eaf9b7', '01a1e2e0-559d-7000-ab87-93321d796ed9', NULL, '{"id":"01a1e2e0-563b-7000-9aa6-d05576287d86","name":"desk-ui","environment_id":"01a1e2e0-42eb-7000-8597-968fd7eaf9b7","description":"","agent_id":"01a1e2e0-559d-7000-ab87-93321d796ed9","source_path":"tiny","desired_state":"running","observed_state":"running","message":null,"created_at":"2026-11-16T05:41:55.387Z","updated_at":"2026-11-16T05:41:57.166Z","created_by":"internal-service","updated_by":"internal-service"}', NULL);
INSERT INTO public.automations VALUES (1, '01a1e2e0-51d7-7000-8292-fcd5c7807368', '["released"]', 1, NULL, NULL, NULL, '{"id":"01a1e2e0-51d7-7000-8292-fcd5c7807368","alias":"released","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false},"design_content_hash":"sha256:73116b352d66f416c74e2492233b983f8479436005d1a604d78239541c80557c","created_at":"2026-11-16T05:41:54.101Z","updated_at":"2026-11-16T05:41:54.101Z","created_by":"internal-service","updated_by":null}', NULL);
INSERT INTO public.automations VALUES (2, '01a1e2e0-539b-7000-8f5b-3a98a34f099f', '["released-paused"]', 1, NULL, NULL, NULL, '{"id":"01a1e2e0-539b-7000-8f5b-3a98a34f099f","alias":"released-paused","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false},"design_content_hash":"sha256:0d499ab73335380396713cba4a3b6ebfd4d585ec3455a1a60a2cd031214d2b6e","created_at":"2026-11-16T05:41:54.686Z","updated_at":"2026-11-16T05:41:54.686Z","created_by":"internal-service","updated_by":null}', NULL);
INSERT INTO public.automations VALUES (3, '01a1e2e0-5426-7000-95d2-92173ef1ab00', '["released-changed"]', 2, NULL, NULL, NULL, '{"id":"01a1e2e0-5426-7000-95d2-92173ef1ab00","alias":"released-changed","description":"","definition":{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 2","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false},"design_content_hash":"sha256:a264cadffe9362b98c452263b6a66f3c016a687eebf2c4ef1ab726b644ed37ba","created_at":"2026-11-16T05:41:54.838Z","updated_at":"2026-11-16T05:41:55.092Z","created_by":"internal-service","updated_by":"internal-service"}', NULL);
INSERT INTO public.connectors VALUES (2, '01a1e2e0-4fcc-7000-af6e-bb2f86b2ef5d', '["referring"]', 1, '01a1e2e0-42eb-7000-8597-968fd7eaf9b7', NULL, NULL, '{"id":"01a1e2e0-4fcc-7000-af6e-bb2f86b2ef5d","name":"referring","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"Bearer {{secrets/shop/api-key}}"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"active","git_commit_id":null,"git_branch":null,"workflow_id":"connector-01a1e2e0-4fcc-7000-af6e-bb2f86b2ef5d","artifacts_path":null,"error_message":null,"created_at":"2026-11-16T05:41:53.740Z","updated_at":"2026-11-16T05:41:53.740Z","created_by":"ada@example.test","updated_by":null,"datasets":[{"id":"01a1e2e0-4fcc-7001-88d9-4566daf772b7","connector_id":"01a1e2e0-4fcc-7000-af6e-bb2f86b2ef5d","source_dataset":"referring","target_name":"referring","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-16T05:41:53.740Z","created_by":"internal-service"}]}', NULL);
INSERT INTO public.connectors VALUES (3, '01a1e2e0-5058-7000-9f8b-e8d26fc1c75a', '["paused"]', 2, '01a1e2e0-42eb-7000-8597-968fd7eaf9b7', NULL, NULL, '{"id":"01a1e2e0-5058-7000-9f8b-e8d26fc1c75a","name":"paused","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"********"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"paused","git_commit_id":null,"git_branch":null,"workflow_id":"connector-01a1e2e0-5058-7000-9f8b-e8d26fc1c75a","artifacts_path":null,"error_message":null,"created_at":"2026-11-16T05:41:53.880Z","updated_at":"2026-11-16T05:41:53.926Z","created_by":"ada@example.test","updated_by":"internal-service","datasets":[{"id":"01a1e2e0-5058-7001-92d8-b612a686e79e","connector_id":"01a1e2e0-5058-7000-9f8b-e8d26fc1c75a","source_dataset":"paused","target_name":"paused","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-16T05:41:53.880Z","created_by":"internal-service"}]}', 'eeCqQ4cc7W/38fnzFUSGi8Zbh52QC9npNLT4sE/YBQpDoXQqUNaFDiLjbSrz8CWv/XPOzaTQsyMOUHzqJMvvAJ2dr8tHw+BRzV1bJ2+M+r0RkQE0in/i2y2NET8+K92wZm8KWouPp4ptStk//HqwOm5g');
INSERT INTO public.connectors VALUES (1, '01a1e2e0-4f66-7000-8bff-d8094752aa12', '["inline"]', 2, '01a1e2e0-42eb-7000-8597-968fd7eaf9b7', NULL, NULL, '{"id":"01a1e2e0-4f66-7000-8bff-d8094752aa12","name":"inline","target_type":"warehouse","target_config":{"connection":{"name":"shop","type":"rest","config":{"url":"http://source.example.test","headers":{"authorization":"********"}}}},"execution_mode":"batch","schedule_cron":"0 6 1 1 *","table_update_config":null,"file_arrival_config":null,"compute_type":"serverless","cluster_config":null,"status":"active","git_commit_id":null,"git_branch":"main","workflow_id":"connector-01a1e2e0-4f66-7000-8bff-d8094752aa12","artifacts_path":null,"error_message":null,"created_at":"2026-11-16T05:41:53.638Z","updated_at":"2026-11-16T05:41:54.006Z","created_by":"ada@example.test","updated_by":"internal-service","datasets":[{"id":"01a1e2e0-4f67-7000-94fb-f7ee8817f224","connector_id":"01a1e2e0-4f66-7000-8bff-d8094752aa12","source_dataset":"inline","target_name":"inline","change_detection":"incremental","write_strategy":"upsert","current_watermark":null,"current_watermark_time":null,"primary_keys":["id"],"custom_config":null,"created_at":"2026-11-16T05:41:53.638Z","created_by":"internal-service"}]}', 'VkDs0MAQnaYMfOJLWJD47hQfWctMtLTRDPHCoLjZ5tWwMQOYyqb58o/DdQniBD6odioPrmwBk7z4QlYJFlxm2856FbdesKzY2khdg5rBk1Qr8pQJpf/gWduXP/1X/7iZCHAnKOh9gZ1VD02j0hUc+U8i0/vjk38ooagc9RDPxAM=');
INSERT INTO public.cursors VALUES ('chat', 0);
INSERT INTO public.deployment_log VALUES ('01a1e2e0-5d74-7000-8080-ea010331715c', 1, '"uploading\n"');
INSERT INTO public.deployments VALUES (1, '01a1e2e0-52ce-7000-b382-2a01677fc5b3', '["2026-11-16T05:41:54.425Z","01a1e2e0-52ce-7000-b382-2a01677fc5b3"]', 1, '01a1e2e0-42eb-7000-8597-968fd7eaf9b7', NULL, 'succeeded', '{"id":"01a1e2e0-52ce-7000-b382-2a01677fc5b3","deployment_name":"released 1.0.0","environment_id":"01a1e2e0-42eb-7000-8597-968fd7eaf9b7","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T05:41:54.425Z","started_at":"2026-11-16T05:41:54.425Z","completed_at":"2026-11-16T05:41:54.425Z","initiated_by":"internal-service","error_message":null}', NULL);
INSERT INTO public.deployments VALUES (2, '01a1e2e0-53c0-7000-833e-83cab30700da', '["2026-11-16T05:41:54.737Z","01a1e2e0-53c0-7000-833e-83cab30700da"]', 1, '01a1e2e0-42eb-7000-8597-968fd7eaf9b7', NULL, 'succeeded', '{"id":"01a1e2e0-53c0-7000-833e-83cab30700da","deployment_name":"released-paused 1.0.0","environment_id":"01a1e2e0-42eb-7000-8597-968fd7eaf9b7","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T05:41:54.737Z","started_at":"2026-11-16T05:41:54.737Z","completed_at":"2026-11-16T05:41:54.737Z","initiated_by":"internal-service","error_message":null}', NULL);
INSERT INTO public.deployments VALUES (3, '01a1e2e0-544e-7000-af57-b9c49e98eca1', '["2026-11-16T05:41:54.884Z","01a1e2e0-544e-7000-af57-b9c49e98eca1"]', 1, '01a1e2e0-42eb-7000-8597-968fd7eaf9b7', NULL, 'succeeded', '{"id":"01a1e2e0-544e-7000-af57-b9c49e98eca1","deployment_name":"released-changed 1.0.0","environment_id":"01a1e2e0-42eb-7000-8597-968fd7eaf9b7","git_branch":"main","git_commit_sha":"3f9c1d2","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T05:41:54.884Z","started_at":"2026-11-16T05:41:54.884Z","completed_at":"2026-11-16T05:41:54.884Z","initiated_by":"internal-service","error_message":null}', NULL);
INSERT INTO public.deployments VALUES (4, '01a1e2e0-5d74-7000-8080-ea010331715c', '["2026-11-16T05:41:57.327Z","01a1e2e0-5d74-7000-8080-ea010331715c"]', 2, '01a1e2e0-42eb-7000-8597-968fd7eaf9b7', NULL, 'succeeded', '{"id":"01a1e2e0-5d74-7000-8080-ea010331715c","deployment_name":"orders 1.0.0","environment_id":"01a1e2e0-42eb-7000-8597-968fd7eaf9b7","git_branch":"main","git_commit_sha":"","status":"succeeded","job_run_id":null,"created_at":"2026-11-16T05:41:57.236Z","started_at":null,"completed_at":"2026-11-16T05:41:57.327Z","initiated_by":"internal-service","error_message":null}', NULL);
INSERT INTO public.embedded_records VALUES ('01a1e2e0-55f0-7000-9cd3-1d6970001b5e', '01a1e2e0-42eb-7000-8597-968fd7eaf9b7', 'component.start', 'agent/01a1e2e0-559d-7000-ab87-93321d796ed9', '{"component":"chat","name":"desk","version":"1.0.0","source_path":null,"asked_at":"2026-11-16T05:41:55.309Z"}');
INSERT INTO public.environments VALUES (1, '01a1e2e0-40b1-7000-97fe-074cee34ecc5', '["local"]', 1, NULL, NULL, NULL, '{"id":"01a1e2e0-40b1-7000-97fe-074cee34ecc5","name":"local","description":"Made at the first start","protected":false,"platform":"embedded","gitProvider":null,"gitRepository":null,"targetGitBranch":null,"secretScope":null,"dataPlatformClientIdKey":null,"dataPlatformClientSecretKey":null,"configuration":{},"isActive":true,"createdAt":"2026-11-16T05:41:49.840Z","updatedAt":"2026-11-16T05:41:49.840Z","createdBy":"lakehelm","updatedBy":null}', NULL);
INSERT INTO public.environments VALUES (2, '01a1e2e0-42eb-7000-8597-968fd7eaf9b7', '["prod"]', 1, NULL, NULL, NULL, '{"id":"01a1e2e0-42eb-7000-8597-968fd7eaf9b7","name":"prod","description":null,"protected":false,"platform":"embedded","gitProvider":null,"gitRepository":null,"targetGitBranch":null,"secretScope":null,"dataPlatformClientIdKey":null,"dataPlatformClientSecretKey":null,"configuration":{"timezone":"Europe/Berlin"},"isActive":true,"createdAt":"2026-11-16T05:41:50.442Z","updatedAt":"2026-11-16T05:41:50.442Z","createdBy":"internal-service","updatedBy":null}', NULL);
INSERT INTO public.event_head VALUES (1, 43, '7P7hyOh5VUhFTgGU0HlFY7Fgz4sAgBnv3EOgpVDYJKk', 'W0lkN3CRn8xzd02w965179tr9GuDgw8N5b_yzZ9hZCo');
INSERT INTO public.events VALUES (1, '01a1e2e0-40b2-7000-8622-ad0c5c940462', 'environment.created', 'environment/01a1e2e0-40b1-7000-97fe-074cee34ecc5', '{"id":"01a1e2e0-40b2-7000-8622-ad0c5c940462","time":"2026-11-16T05:41:49.840Z","actor":"lakehelm","request_id":null,"kind":"environment.created","subject":"environment/01a1e2e0-40b1-7000-97fe-074cee34ecc5","data":{"name":"local","platform":"embedded"}}', 'xqok5emNW__EYJWlW1k1x4u5BMJTR5izBHAIyLlAjQs');
INSERT INTO public.events VALUES (2, '01a1e2e0-42f3-7000-bb83-1ad932db0029', 'environment.created', 'environment/01a1e2e0-42eb-7000-8597-968fd7eaf9b7', '{"id":"01a1e2e0-42f3-7000-bb83-1ad932db0029","time":"2026-11-16T05:41:50.442Z","actor":"internal-service","request_id":"01a1e2e0-42ce-7000-9a15-80c4bb27f36f","kind":"environment.created","subject":"environment/01a1e2e0-42eb-7000-8597-968fd7eaf9b7","data":{"name":"prod","platform":"embedded"}}', 'rq7lLHYEBjkk3kCljIqECuYVJg0kL2Cc06i2G5TbzGg');
INSERT INTO public.events VALUES (3, '01a1e2e0-4e47-7000-a8fe-83dcec5a1c98', 'user.created', 'user/01a1e2e0-435b-7000-aa6a-07dfd4d6781b', '{"id":"01a1e2e0-4e47-7000-a8fe-83dcec5a1c98","time":"2026-11-16T05:41:50.535Z","actor":"internal-service","request_id":"01a1e2e0-4345-7000-9842-14bfe6f7d06a","kind":"user.created","subject":"user/01a1e2e0-435b-7000-aa6a-07dfd4d6781b","data":{"id":"01a1e2e0-435b-7000-aa6a-07dfd4d6781b","username":"ada@example.test","role":"operator","active":true,"created_at":"2026-11-16T05:41:50.535Z","updated_at":"2026-11-16T05:41:50.535Z","created_by":"internal-service"}}', 'qLzwkeUtPEDoR6-NtcvkWfprm04RbdxtupUdMtrs_v8');
INSERT INTO public.events VALUES (4, '01a1e2e0-4ea1-7001-9189-dd9b8301869f', 'token.created', 'token/01a1e2e0-4ea1-7000-b88a-3a8a5ba999e4', '{"id":"01a1e2e0-4ea1-7001-9189-dd9b8301869f","time":"2026-11-16T05:41:53.424Z","actor":"internal-service","request_id":"01a1e2e0-4e8f-7000-b350-7e90d7c7b995","kind":"token.created","subject":"token/01a1e2e0-4ea1-7000-b88a-3a8a5ba999e4","data":{"id":"01a1e2e0-4ea1-7000-b88a-3a8a5ba999e4","username":"ada@example.test","comment":"fixture","created_at":"2026-11-16T05:41:53.424Z","expires_at":null,"created_by":"internal-service"}}', 'ArebVR9cSuWepa4sB2y-MoDe2T4H9owZmLW701yQYh4');
INSERT INTO public.events VALUES (5, '01a1e2e0-4f37-7000-8ebe-6669274b504a', 'secret.stored', 'secret/01a1e2e0-42eb-7000-8597-968fd7eaf9b7/shop/api-key', '{"id":"01a1e2e0-4f37-7000-8ebe-6669274b504a","time":"2026-11-16T05:41:53.538Z","actor":"internal-service","request_id":"01a1e2e0-4efb-7000-9c79-3bd250cf10a0","kind":"secret.stored","subject":"secret/01a1e2e0-42eb-7000-8597-968fd7eaf9b7/shop/api-key","data":{"environment_id":"01a1e2e0-42eb-7000-8597-968fd7eaf9b7","scope":"shop","key":"api-key"}}', 'WCg1KcT4u88PBuun0IETnjLctVjEBqNwSioj6xXCMAI');
INSERT INTO public.events VALUES (6, '01a1e2e0-4f89-7000-b3c6-133d560655c4', 'connector.created', 'connector/01a1e2e0-4f66-7000-8bff-d8094752aa12', '{"id":"01a1e2e0-4f89-7000-b3c6-133d560655c4","time":"2026-11-16T05:41:53.638Z","actor":"internal-service","request_id":"01a1e2e0-4f63-7000-a418-a1a8879dd846","kind":"connector.created","subject":"connector/01a1e2e0-4f66-7000-8bff-d8094752aa12","data":{"name":"inline","environment_id":"01a1e2e0-42eb-7000-8597-968fd7eaf9b7","target_type":"warehouse","status":"active"}}', 'f7ory3O58T4TQPjtCjsfRjxOwPuEzzSq5vUlqIrgr2w');
INSERT INTO public.events VALUES (7, '01a1e2e0-4fe3-7000-94bf-c65440aa3977', 'connector.created', 'connector/01a1e2e0-4fcc-7000-af6e-bb2f86b2ef5d', '{"id":"01a1e2e0-4fe3-7000-94bf-c65440aa3977","time":"2026-11-16T05:41:53.740Z","actor":"internal-service","request_id":"01a1e2e0-4fca-7000-93be-94aaad6b243e","kind":"connector.created","subject":"connector/01a1e2e0-4fcc-7000-af6e-bb2f86b2ef5d","data":{"name":"referring","environment_id":"01a1e2e0-42eb-7000-8597-968fd7eaf9b7","target_type":"warehouse","status":"active"}}', 'EV2N3T6-gIJVOvyQ7HkjJrgL5OHZLxJK2Hi1EsFrP4w');
INSERT INTO public.events VALUES (8, '01a1e2e0-5058-7003-8eeb-bdd1500c9712', 'connector.created', 'connector/01a1e2e0-5058-7000-9f8b-e8d26fc1c75a', '{"id":"01a1e2e0-5058-7003-8eeb-bdd1500c9712","time":"2026-11-16T05:41:53.880Z","actor":"internal-service","request_id":"01a1e2e0-5053-7000-b564-b673d04a2f1e","kind":"connector.created","subject":"connector/01a1e2e0-5058-7000-9f8b-e8d26fc1c75a","data":{"name":"paused","environment_id":"01a1e2e0-42eb-7000-8597-968fd7eaf9b7","target_type":"warehouse","status":"active"}}', 'WO1XhO4QAm2290_Q-a3kQhfaN3aX2P5FULLJhgbAp4Y');
INSERT INTO public.events VALUES (9, '01a1e2e0-5095-7000-8c5f-483c713c6a77', 'connector.paused', 'connector/01a1e2e0-5058-7000-9f8b-e8d26fc1c75a', '{"id":"01a1e2e0-5095-7000-8c5f-483c713c6a77","time":"2026-11-16T05:41:53.926Z","actor":"internal-service","request_id":"01a1e2e0-5085-7000-9f4d-c945f6093814","kind":"connector.paused","subject":"connector/01a1e2e0-5058-7000-9f8b-e8d26fc1c75a","data":{"name":"paused","reason":"holiday","until":null}}', 'sY_l9VtdNUIPWUGp_wRzLvoLvm_yCy7Xp979Cz2YsdQ');
INSERT INTO public.events VALUES (10, '01a1e2e0-50f5-7001-8051-83c0a832150f', 'connector.updated', 'connector/01a1e2e0-4f66-7000-8bff-d8094752aa12', '{"id":"01a1e2e0-50f5-7001-8051-83c0a832150f","time":"2026-11-16T05:41:54.006Z","actor":"internal-service","request_id":"01a1e2e0-50d0-7000-8a98-16c237aacb55","kind":"connector.updated","subject":"connector/01a1e2e0-4f66-7000-8bff-d8094752aa12","data":{"name":"inline","fields":["git_branch"]}}', '8G3jZJdRVplvkDYl00FTt-wWGNyvAE4Hrig6E0cJ6Ks');
INSERT INTO public.events VALUES (11, '01a1e2e0-51d7-7001-9fb2-2b9e3019709e', 'automation.created', 'automation/01a1e2e0-51d7-7000-8292-fcd5c7807368', '{"id":"01a1e2e0-51d7-7001-9fb2-2b9e3019709e","time":"2026-11-16T05:41:54.101Z","actor":"internal-service","request_id":"01a1e2e0-5133-7000-a19d-5abe636a672a","kind":"automation.created","subject":"automation/01a1e2e0-51d7-7000-8292-fcd5c7807368","data":{"alias":"released","design_content_hash":"sha256:73116b352d66f416c74e2492233b983f8479436005d1a604d78239541c80557c"}}', '9qo3I0WBZvZT0U3MXR3_71toxbrC-CXOUIwEvgyLNnM');
INSERT INTO public.events VALUES (12, '01a1e2e0-52d3-7000-a1fa-facba20cdac6', 'deployment.recorded', 'deployment/01a1e2e0-52ce-7000-b382-2a01677fc5b3', '{"id":"01a1e2e0-52d3-7000-a1fa-facba20cdac6","time":"2026-11-16T05:41:54.425Z","actor":"internal-service","request_id":"01a1e2e0-5279-7000-866f-8be6005e4945","kind":"deployment.recorded","subject":"deployment/01a1e2e0-52ce-7000-b382-2a01677fc5b3","data":{"deployment_name":"released 1.0.0","environment_id":"01a1e2e0-42eb-7000-8597-968fd7eaf9b7","status":"succeeded"}}', 'cgiOrhTkuWCC4GcYyK0xfFaymXGgLlVHVOKubj8HA0E');
INSERT INTO public.events VALUES (13, '01a1e2e0-52d3-7001-864f-babcaf958ade', 'automation.release_activated', 'automation/01a1e2e0-51d7-7000-8292-fcd5c7807368', '{"id":"01a1e2e0-52d3-7001-864f-babcaf958ade","time":"2026-11-16T05:41:54.425Z","actor":"internal-service","request_id":"01a1e2e0-5279-7000-866f-8be6005e4945","kind":"automation.release_activated","subject":"automation/01a1e2e0-51d7-7000-8292-fcd5c7807368","data":{"release_id":"01a1e2e0-52b7-7000-8a68-7be3268d9c36","environment_id":"01a1e2e0-42eb-7000-8597-968fd7eaf9b7","version":"1.0.0","replaced":null}}', 'sUgJUrAWUFOU6N-PkbkP6gszVmpfrrYj23mI1K1-MYg');
INSERT INTO public.events VALUES (14, '01a1e2e0-5355-7000-acc1-452c8ee8dbab', 'environment.reconciled', 'environment/01a1e2e0-42eb-7000-8597-968fd7eaf9b7', '{"id":"01a1e2e0-5355-7000-acc1-452c8ee8dbab","time":"2026-11-16T05:41:54.425Z","actor":"internal-service","request_id":"01a1e2e0-5279-7000-866f-8be6005e4945","kind":"environment.reconciled","subject":"environment/01a1e2e0-42eb-7000-8597-968fd7eaf9b7","data":{}}', 'mjIcLHDP2VtcS2pcuZViLg7gH7rqtjKgTR9F0n-dDvA');
INSERT INTO public.events VALUES (15, '01a1e2e0-539b-7001-a0ff-d1cb39a7c93c', 'automation.created', 'automation/01a1e2e0-539b-7000-8f5b-3a98a34f099f', '{"id":"01a1e2e0-539b-7001-a0ff-d1cb39a7c93c","time":"2026-11-16T05:41:54.686Z","actor":"internal-service","request_id":"01a1e2e0-537e-7000-a85e-1079144e5773","kind":"automation.created","subject":"automation/01a1e2e0-539b-7000-8f5b-3a98a34f099f","data":{"alias":"released-paused","design_content_hash":"sha256:0d499ab73335380396713cba4a3b6ebfd4d585ec3455a1a60a2cd031214d2b6e"}}', 'oyNSyiQky8ymmbpvdHgsNeGt20SvpF85K7iNM07AtZU');
INSERT INTO public.events VALUES (16, '01a1e2e0-53c0-7002-9c67-96e1fdf84944', 'deployment.recorded', 'deployment/01a1e2e0-53c0-7000-833e-83cab30700da', '{"id":"01a1e2e0-53c0-7002-9c67-96e1fdf84944","time":"2026-11-16T05:41:54.737Z","actor":"internal-service","request_id":"01a1e2e0-53b1-7000-9ac5-f3f9ed8415db","kind":"deployment.recorded","subject":"deployment/01a1e2e0-53c0-7000-833e-83cab30700da","data":{"deployment_name":"released-paused 1.0.0","environment_id":"01a1e2e0-42eb-7000-8597-968fd7eaf9b7","status":"succeeded"}}', 'w8mSI4-DlgI--NWYMipQTZy7000Uk6ZR7_ah-xrY354');
INSERT INTO public.events VALUES (17, '01a1e2e0-53c0-7003-9d16-28b8d40b3697', 'automation.release_activated', 'automation/01a1e2e0-539b-7000-8f5b-3a98a34f099f', '{"id":"01a1e2e0-53c0-7003-9d16-28b8d40b3697","time":"2026-11-16T05:41:54.737Z","actor":"internal-service","request_id":"01a1e2e0-53b1-7000-9ac5-f3f9ed8415db","kind":"automation.release_activated","subject":"automation/01a1e2e0-539b-7000-8f5b-3a98a34f099f","data":{"release_id":"01a1e2e0-53bb-7000-95d6-54bfcc1d30c8","environment_id":"01a1e2e0-42eb-7000-8597-968fd7eaf9b7","version":"1.0.0","replaced":null}}', 'NTMTIEuyoCsM6XseSDwk_7liyja_uejat7jjkSkSpVU');
INSERT INTO public.events VALUES (18, '01a1e2e0-540b-7000-b299-db6e003118a0', 'environment.reconciled', 'environment/01a1e2e0-42eb-7000-8597-968fd7eaf9b7', '{"id":"01a1e2e0-540b-7000-b299-db6e003118a0","time":"2026-11-16T05:41:54.737Z","actor":"internal-service","request_id":"01a1e2e0-53b1-7000-9ac5-f3f9ed8415db","kind":"environment.reconciled","subject":"environment/01a1e2e0-42eb-7000-8597-968fd7eaf9b7","data":{}}', 'DurZ9RsXDR86ZahA4PQxkf2-AHv5PvIeQDkTBu6Hvgg');
INSERT INTO public.events VALUES (19, '01a1e2e0-5426-7001-81b3-acda594c28ad', 'automation.created', 'automation/01a1e2e0-5426-7000-95d2-92173ef1ab00', '{"id":"01a1e2e0-5426-7001-81b3-acda594c28ad","time":"2026-11-16T05:41:54.838Z","actor":"internal-service","request_id":"01a1e2e0-5415-7000-86a3-9a0d2d0869ff","kind":"automation.created","subject":"automation/01a1e2e0-5426-7000-95d2-92173ef1ab00","data":{"alias":"released-changed","design_content_hash":"sha256:8171767a3368f1946ff9c20784cbe0b8b03d0b8b1ffa52c5e0c766c25f62910a"}}', 'EYUwpWJnLeX0IcxKwD1bsvMiOuJIahI04k3w6UA7osI');
INSERT INTO public.events VALUES (20, '01a1e2e0-544e-7002-a6e5-1a9226a99007', 'deployment.recorded', 'deployment/01a1e2e0-544e-7000-af57-b9c49e98eca1', '{"id":"01a1e2e0-544e-7002-a6e5-1a9226a99007","time":"2026-11-16T05:41:54.884Z","actor":"internal-service","request_id":"01a1e2e0-5443-7000-8e27-c4a7c03fd9ab","kind":"deployment.recorded","subject":"deployment/01a1e2e0-544e-7000-af57-b9c49e98eca1","data":{"deployment_name":"released-changed 1.0.0","environment_id":"01a1e2e0-42eb-7000-8597-968fd7eaf9b7","status":"succeeded"}}', 'GmybE76bKEb5ECPzS73ii4i0XmwbzTse2ikkMCOzD_c');
INSERT INTO public.events VALUES (21, '01a1e2e0-544e-7003-876f-446f44d6cbe4', 'automation.release_activated', 'automation/01a1e2e0-5426-7000-95d2-92173ef1ab00', '{"id":"01a1e2e0-544e-7003-876f-446f44d6cbe4","time":"2026-11-16T05:41:54.884Z","actor":"internal-service","request_id":"01a1e2e0-5443-7000-8e27-c4a7c03fd9ab","kind":"automation.release_activated","subject":"automation/01a1e2e0-5426-7000-95d2-92173ef1ab00","data":{"release_id":"01a1e2e0-544c-7000-b346-0a8c999ea4f4","environment_id":"01a1e2e0-42eb-7000-8597-968fd7eaf9b7","version":"1.0.0","replaced":null}}', 'vU-FFTYZOn3BD-MYATnvhB9yURzYnEVg8MuPMfjBdVk');
INSERT INTO public.events VALUES (22, '01a1e2e0-5495-7000-a810-605206498fc4', 'environment.reconciled', 'environment/01a1e2e0-42eb-7000-8597-968fd7eaf9b7', '{"id":"01a1e2e0-5495-7000-a810-605206498fc4","time":"2026-11-16T05:41:54.884Z","actor":"internal-service","request_id":"01a1e2e0-5443-7000-8e27-c4a7c03fd9ab","kind":"environment.reconciled","subject":"environment/01a1e2e0-42eb-7000-8597-968fd7eaf9b7","data":{}}', 'L8BbNplT00OT58Ev7isC0e7A6DMsSJxdKQ6zvJvhZbA');
INSERT INTO public.events VALUES (23, '01a1e2e0-54e6-7000-aeac-1bf35e9076e3', 'automation.schedule_paused', 'automation/01a1e2e0-539b-7000-8f5b-3a98a34f099f', '{"id":"01a1e2e0-54e6-7000-aeac-1bf35e9076e3","time":"2026-11-16T05:41:54.994Z","actor":"internal-service","request_id":"01a1e2e0-54b2-7000-9574-056c259b6a0d","kind":"automation.schedule_paused","subject":"automation/01a1e2e0-539b-7000-8f5b-3a98a34f099f","data":{"release_id":"01a1e2e0-53bb-7000-95d6-54bfcc1d30c8","environment_id":"01a1e2e0-42eb-7000-8597-968fd7eaf9b7","version":"1.0.0","reason":"holiday","until":null}}', 'jYAI6m4M_Gjy2hdgZYL7CZ6bOZ7LX_2rEBypQT3ng5o');
INSERT INTO public.events VALUES (25, '01a1e2e0-5572-7000-845b-df8a27f368e0', 'file.written', 'file/01a1e2e0-42eb-7000-8597-968fd7eaf9b7/pipelines/numbers.sql', '{"id":"01a1e2e0-5572-7000-845b-df8a27f368e0","time":"2026-11-16T05:41:55.163Z","actor":"internal-service","request_id":"01a1e2e0-5552-7000-93c1-4c17b8e4cec8","kind":"file.written","subject":"file/01a1e2e0-42eb-7000-8597-968fd7eaf9b7/pipelines/numbers.sql","data":{"environment_id":"01a1e2e0-42eb-7000-8597-968fd7eaf9b7","path":"pipelines/numbers.sql","size":51,"sha256":"b0bf44b639804f1839a1927e097d46337d4fc58b70b6448f3bb019cef234fa17"}}', 'PVMRBwVp2kZCV91e3jnf0x9AtZVcsMPylBbRu1E6R5k');
INSERT INTO public.events VALUES (26, '01a1e2e0-5588-7000-8039-a32d8b3c46d6', 'pipeline.created', 'pipeline/01a1e2e0-5587-7000-8951-480e5a0a265d', '{"id":"01a1e2e0-5588-7000-8039-a32d8b3c46d6","time":"2026-11-16T05:41:55.207Z","actor":"internal-service","request_id":"01a1e2e0-5580-7000-9c54-70d507351245","kind":"pipeline.created","subject":"pipeline/01a1e2e0-5587-7000-8951-480e5a0a265d","data":{"name":"numbers","environment_id":"01a1e2e0-42eb-7000-8597-968fd7eaf9b7"}}', 'ewpBs3sbMOeqpmT27VaTYAj5T_pTYoXxVGnSBHZUYf0');
INSERT INTO public.events VALUES (27, '01a1e2e0-55a7-7000-8312-34915e7fcc00', 'agent.created', 'agent/01a1e2e0-559d-7000-ab87-93321d796ed9', '{"id":"01a1e2e0-55a7-7000-8312-34915e7fcc00","time":"2026-11-16T05:41:55.229Z","actor":"internal-service","request_id":"01a1e2e0-559c-7000-93da-718938a7d6b2","kind":"agent.created","subject":"agent/01a1e2e0-559d-7000-ab87-93321d796ed9","data":{"name":"desk","aliases":["orders-bot"]}}', 'pMONANYfs8nrEBlbGK3Sq11YWjEWCwjbwD1JIbHJ624');
INSERT INTO public.events VALUES (24, '01a1e2e0-5529-7000-8ae4-27006bf025a8', 'automation.definition_set', 'automation/01a1e2e0-5426-7000-95d2-92173ef1ab00', '{"id":"01a1e2e0-5529-7000-8ae4-27006bf025a8","time":"2026-11-16T05:41:55.092Z","actor":"internal-service","request_id":"01a1e2e0-5513-7000-a36e-bbc07db6a7b5","kind":"automation.definition_set","subject":"automation/01a1e2e0-5426-7000-95d2-92173ef1ab00","data":{"alias":"released-changed","design_content_hash":"sha256:a264cadffe9362b98c452263b6a66f3c016a687eebf2c4ef1ab726b644ed37ba"}}', '9vr0tZe8GcdJKZMy0jtjmQLGV3yYZNDS2zfCRHs7b-U');
INSERT INTO public.events VALUES (38, '01a1e2e0-5d44-7000-82f3-23cec432092f', 'app.settled', 'app/01a1e2e0-563b-7000-9aa6-d05576287d86', '{"id":"01a1e2e0-5d44-7000-82f3-23cec432092f","time":"2026-11-16T05:41:57.166Z","actor":"platform","request_id":null,"kind":"app.settled","subject":"app/01a1e2e0-563b-7000-9aa6-d05576287d86","data":{"name":"desk-ui","observed_state":"running","message":null}}', '_sBsbVq_O-EzunJG1vQmlb-NabiyTl_asgBatPG4Zyc');
INSERT INTO public.events VALUES (39, '01a1e2e0-5d44-7001-9c38-947a0174f15a', 'agent.ui_app_followed', 'agent/01a1e2e0-559d-7000-ab87-93321d796ed9', '{"id":"01a1e2e0-5d44-7001-9c38-947a0174f15a","time":"2026-11-16T05:41:57.166Z","actor":"platform","request_id":null,"kind":"agent.ui_app_followed","subject":"agent/01a1e2e0-559d-7000-ab87-93321d796ed9","data":{"name":"desk","environment_id":"01a1e2e0-42eb-7000-8597-968fd7eaf9b7","desired_state":"running","observed_state":"running"}}', '2mpa_4G8DCYNub6FBNlL1vDnvkObjACCVjSS3js1rDY');
INSERT INTO public.events VALUES (40, '01a1e2e0-5d74-7001-b492-b0c15f4b1e1a', 'deployment.created', 'deployment/01a1e2e0-5d74-7000-8080-ea010331715c', '{"id":"01a1e2e0-5d74-7001-b492-b0c15f4b1e1a","time":"2026-11-16T05:41:57.236Z","actor":"internal-service","request_id":"01a1e2e0-5d6a-7000-b425-4dd5b8f74bbb","kind":"deployment.created","subject":"deployment/01a1e2e0-5d74-7000-8080-ea010331715c","data":{"deployment_name":"orders 1.0.0","environment_id":"01a1e2e0-42eb-7000-8597-968fd7eaf9b7","status":"pending"}}', '_kbHP85ok-AoHVtsPUGrUwOv2U7sa509JDfcb3cLPsQ');
INSERT INTO public.events VALUES (41, '01a1e2e0-5d9b-7000-a2fb-33f63eaa31e9', 'deployment.logged', 'deployment/01a1e2e0-5d74-7000-8080-ea010331715c', '{"id":"01a1e2e0-5d9b-7000-a2fb-33f63eaa31e9","time":"2026-11-16T05:41:57.272Z","actor":"internal-service","request_id":"01a1e2e0-5d98-7000-b4b2-903c074e57b9","kind":"deployment.logged","subject":"deployment/01a1e2e0-5d74-7000-8080-ea010331715c","data":{"characters":10}}', '5u2iAYq61vMAXhFzmDO2WdNA6rJfSoLAziBoPiKYBos');
INSERT INTO public.events VALUES (42, '01a1e2e0-5dd6-7001-baeb-855dfeac8931', 'deployment.finished', 'deployment/01a1e2e0-5d74-7000-8080-ea010331715c', '{"id":"01a1e2e0-5dd6-7001-baeb-855dfeac8931","time":"2026-11-16T05:41:57.327Z","actor":"internal-service","request_id":"01a1e2e0-5dcf-7000-b384-42f351aca28d","kind":"deployment.finished","subject":"deployment/01a1e2e0-5d74-7000-8080-ea010331715c","data":{"deployment_name":"orders 1.0.0","environment_id":"01a1e2e0-42eb-7000-8597-968fd7eaf9b7","status":"succeeded"}}', 'BmlKqFGm1OQ33VvrpzD7sHNPHiArIydnq3GsT6luCZM');
INSERT INTO public.events VALUES (43, '01a1e2e0-5e2b-7000-9fb0-5e71c1b74f94', 'environment.reconciled', 'environment/01a1e2e0-42eb-7000-8597-968fd7eaf9b7', '{"id":"01a1e2e0-5e2b-7000-9fb0-5e71c1b74f94","time":"2026-11-16T05:41:57.327Z","actor":"internal-service","request_id":"01a1e2e0-5dcf-7000-b384-42f351aca28d","kind":"environment.reconciled","subject":"environment/01a1e2e0-42eb-7000-8597-968fd7eaf9b7","data":{}}', '7P7hyOh5VUhFTgGU0HlFY7Fgz4sAgBnv3EOgpVDYJKk');
INSERT INTO public.events VALUES (28, '01a1e2e0-55d3-7000-b792-4f0c2d64c269', 'file.written', 'file/01a1e2e0-42eb-7000-8597-968fd7eaf9b7/tiny/app.yaml', '{"id":"01a1e2e0-55d3-7000-b792-4f0c2d64c269","time":"2026-11-16T05:41:55.278Z","actor":"internal-service","request_id":"01a1e2e0-55cc-7000-9c80-f0689719872f","kind":"file.written","subject":"file/01a1e2e0-42eb-7000-8597-968fd7eaf9b7/tiny/app.yaml","data":{"environment_id":"01a1e2e0-42eb-7000-8597-968fd7eaf9b7","path":"tiny/app.yaml","size":25,"sha256":"161d49cab793e4e16c959370ac0ef0283a37471131f8f1ce0f6cbd77067c181a"}}', 'D0nIzrI_nhzDLQG_LpdfWZF4EePhNHwm9wuO4eKDw8U');
INSERT INTO public.events VALUES (29, '01a1e2e0-55e4-7000-bfd3-3c3d040d6c91', 'file.written', 'file/01a1e2e0-42eb-7000-8597-968fd7eaf9b7/tiny/app.mjs', '{"id":"01a1e2e0-55e4-7000-bfd3-3c3d040d6c91","time":"2026-11-16T05:41:55.298Z","actor":"internal-service","request_id":"01a1e2e0-55e1-7000-852e-ace7ad996459","kind":"file.written","subject":"file/01a1e2e0-42eb-7000-8597-968fd7eaf9b7/tiny/app.mjs","data":{"environment_id":"01a1e2e0-42eb-7000-8597-968fd7eaf9b7","path":"tiny/app.mjs","size":154,"sha256":"42a29daadf6a0e247952089c44decb92d0f16169dfeeb9aa0956ff02f5cd7d93"}}', 'SijfMxDsKyAXbdAG9UUFEHFt-lCD5AGbI5V6SVbNTxM');
INSERT INTO public.events VALUES (30, '01a1e2e0-55f4-7001-ab21-1a60a04ee8c0', 'agent.version_created', 'agent/01a1e2e0-559d-7000-ab87-93321d796ed9', '{"id":"01a1e2e0-55f4-7001-ab21-1a60a04ee8c0","time":"2026-11-16T05:41:55.309Z","actor":"internal-service","request_id":"01a1e2e0-55ed-7000-b2c3-e4b0d318dfbc","kind":"agent.version_created","subject":"agent/01a1e2e0-559d-7000-ab87-93321d796ed9","data":{"name":"desk","version":"1.0.0"}}', '5_TlgxZ6M0dXNAT_ew0PONk8uqJbpnMxdqu1ING0WzU');
INSERT INTO public.events VALUES (31, '01a1e2e0-55f4-7002-8d91-bddfb4273e1e', 'agent.release_activated', 'agent/01a1e2e0-559d-7000-ab87-93321d796ed9', '{"id":"01a1e2e0-55f4-7002-8d91-bddfb4273e1e","time":"2026-11-16T05:41:55.309Z","actor":"internal-service","request_id":"01a1e2e0-55ed-7000-b2c3-e4b0d318dfbc","kind":"agent.release_activated","subject":"agent/01a1e2e0-559d-7000-ab87-93321d796ed9","data":{"name":"desk","environment_id":"01a1e2e0-42eb-7000-8597-968fd7eaf9b7","version":"1.0.0"}}', 'xo9jLgmpswLLxMptH8A3WxT6BfKiqjx56Y0i1iV4KY8');
INSERT INTO public.events VALUES (32, '01a1e2e0-5622-7000-92ec-9008d415a198', 'environment.reconciled', 'environment/01a1e2e0-42eb-7000-8597-968fd7eaf9b7', '{"id":"01a1e2e0-5622-7000-92ec-9008d415a198","time":"2026-11-16T05:41:55.309Z","actor":"internal-service","request_id":"01a1e2e0-55ed-7000-b2c3-e4b0d318dfbc","kind":"environment.reconciled","subject":"environment/01a1e2e0-42eb-7000-8597-968fd7eaf9b7","data":{}}', 'ZJKT5zzalWhxVfaYDzlFrINleKTMRSNV0PAaOIjf2bM');
INSERT INTO public.events VALUES (33, '01a1e2e0-5648-7000-8d42-e91828e447ef', 'app.created', 'app/01a1e2e0-563b-7000-9aa6-d05576287d86', '{"id":"01a1e2e0-5648-7000-8d42-e91828e447ef","time":"2026-11-16T05:41:55.387Z","actor":"internal-service","request_id":"01a1e2e0-5633-7000-9f9f-b3a631559c21","kind":"app.created","subject":"app/01a1e2e0-563b-7000-9aa6-d05576287d86","data":{"name":"desk-ui","environment_id":"01a1e2e0-42eb-7000-8597-968fd7eaf9b7","agent_id":"01a1e2e0-559d-7000-ab87-93321d796ed9"}}', 'tq6ypdal_ASIcEUNX1biwIYA_C4wSrhVeF-FfXqq7qQ');
INSERT INTO public.events VALUES (34, '01a1e2e0-567d-7000-8a4b-92862df49916', 'agent.component_started', 'agent/01a1e2e0-559d-7000-ab87-93321d796ed9', '{"id":"01a1e2e0-567d-7000-8a4b-92862df49916","time":"2026-11-16T05:41:55.442Z","actor":"internal-service","request_id":"01a1e2e0-5671-7000-91cf-11dcb2ae63b1","kind":"agent.component_started","subject":"agent/01a1e2e0-559d-7000-ab87-93321d796ed9","data":{"name":"desk","environment_id":"01a1e2e0-42eb-7000-8597-968fd7eaf9b7","component":"agent_endpoint","version":"1.0.0"}}', 'Af4JV04Dhoxz7cHr_ycFuVw0sIWnJYC871sGJqoqiE4');
INSERT INTO public.events VALUES (35, '01a1e2e0-5964-7000-a845-2ec4579736e2', 'agent.component_settled', 'agent/01a1e2e0-559d-7000-ab87-93321d796ed9', '{"id":"01a1e2e0-5964-7000-a845-2ec4579736e2","time":"2026-11-16T05:41:56.185Z","actor":"platform","request_id":null,"kind":"agent.component_settled","subject":"agent/01a1e2e0-559d-7000-ab87-93321d796ed9","data":{"environment_id":"01a1e2e0-42eb-7000-8597-968fd7eaf9b7","component":"agent_endpoint","observed_state":"running","message":null}}', 'LWJBm0gg8OV7qp3OXmXigkgafnJAk0R7sCUjOPG1jxk');
INSERT INTO public.events VALUES (36, '01a1e2e0-598f-7000-9225-8253f115b56f', 'app.started', 'app/01a1e2e0-563b-7000-9aa6-d05576287d86', '{"id":"01a1e2e0-598f-7000-9225-8253f115b56f","time":"2026-11-16T05:41:55.442Z","actor":"internal-service","request_id":"01a1e2e0-5671-7000-91cf-11dcb2ae63b1","kind":"app.started","subject":"app/01a1e2e0-563b-7000-9aa6-d05576287d86","data":{"name":"desk-ui","environment_id":"01a1e2e0-42eb-7000-8597-968fd7eaf9b7","observed_state":"pending"}}', '0Nw3i7HUhoB4DwtVIXzwP_9hprMd1thumpMNfbJAXdQ');
INSERT INTO public.events VALUES (37, '01a1e2e0-598f-7001-96de-c2684811c65a', 'agent.ui_app_followed', 'agent/01a1e2e0-559d-7000-ab87-93321d796ed9', '{"id":"01a1e2e0-598f-7001-96de-c2684811c65a","time":"2026-11-16T05:41:55.442Z","actor":"internal-service","request_id":"01a1e2e0-5671-7000-91cf-11dcb2ae63b1","kind":"agent.ui_app_followed","subject":"agent/01a1e2e0-559d-7000-ab87-93321d796ed9","data":{"name":"desk","environment_id":"01a1e2e0-42eb-7000-8597-968fd7eaf9b7","desired_state":"running","observed_state":"pending"}}', 'dh0wOygdnOkFsLArQSJ_mMNCl-6M6cKl8J_OoCD6qxA');
INSERT INTO public.jobs VALUES ('connector-01a1e2e0-4fcc-7000-af6e-bb2f86b2ef5d', '01a1e2e0-42eb-7000-8597-968fd7eaf9b7', 'connector', 'connector/01a1e2e0-4fcc-7000-af6e-bb2f86b2ef5d', '"referring"', '{"trigger":{"kind":"cron","cron":"0 6 1 1 *","timezone":"Europe/Berlin"},"attempts":3,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T05:00:00.000Z', '2026-11-16T05:41:53.741Z', '2026-11-16T05:41:53.741Z', 1);
INSERT INTO public.jobs VALUES ('connector-01a1e2e0-5058-7000-9f8b-e8d26fc1c75a', '01a1e2e0-42eb-7000-8597-968fd7eaf9b7', 'connector', 'connector/01a1e2e0-5058-7000-9f8b-e8d26fc1c75a', '"paused"', '{"trigger":{"kind":"cron","cron":"0 6 1 1 *","timezone":"Europe/Berlin"},"attempts":3,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', '{"by":"internal-service","at":"2026-11-16T05:41:53.926Z","reason":"holiday","until":null,"missed":0,"last_missed":null}', NULL, '{}', 0, NULL, '2027-01-01T05:00:00.000Z', '2026-11-16T05:41:53.880Z', '2026-11-16T05:41:53.880Z', 2);
INSERT INTO public.jobs VALUES ('connector-01a1e2e0-4f66-7000-8bff-d8094752aa12', '01a1e2e0-42eb-7000-8597-968fd7eaf9b7', 'connector', 'connector/01a1e2e0-4f66-7000-8bff-d8094752aa12', '"inline"', '{"trigger":{"kind":"cron","cron":"0 6 1 1 *","timezone":"Europe/Berlin"},"attempts":3,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T05:00:00.000Z', '2026-11-16T05:41:53.641Z', '2026-11-16T05:41:54.037Z', 2);
INSERT INTO public.jobs VALUES ('automation-01a1e2e0-51d7-7000-8292-fcd5c7807368-01a1e2e0-42eb-7000-8597-968fd7eaf9b7', '01a1e2e0-42eb-7000-8597-968fd7eaf9b7', 'automation', 'automation/01a1e2e0-51d7-7000-8292-fcd5c7807368', '"released"', '{"trigger":{"kind":"cron","cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"attempts":20,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T06:00:00.000Z', '2026-11-16T05:41:54.494Z', '2026-11-16T05:41:54.494Z', 1);
INSERT INTO public.jobs VALUES ('automation-01a1e2e0-5426-7000-95d2-92173ef1ab00-01a1e2e0-42eb-7000-8597-968fd7eaf9b7', '01a1e2e0-42eb-7000-8597-968fd7eaf9b7', 'automation', 'automation/01a1e2e0-5426-7000-95d2-92173ef1ab00', '"released-changed"', '{"trigger":{"kind":"cron","cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"attempts":20,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', NULL, NULL, '{}', 0, NULL, '2027-01-01T06:00:00.000Z', '2026-11-16T05:41:54.893Z', '2026-11-16T05:41:54.893Z', 1);
INSERT INTO public.jobs VALUES ('automation-01a1e2e0-539b-7000-8f5b-3a98a34f099f-01a1e2e0-42eb-7000-8597-968fd7eaf9b7', '01a1e2e0-42eb-7000-8597-968fd7eaf9b7', 'automation', 'automation/01a1e2e0-539b-7000-8f5b-3a98a34f099f', '"released-paused"', '{"trigger":{"kind":"cron","cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"attempts":20,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'cron', '{"by":"internal-service","at":"2026-11-16T05:41:54.994Z","reason":"holiday","until":null,"missed":0,"last_missed":null}', NULL, '{}', 0, NULL, '2027-01-01T06:00:00.000Z', '2026-11-16T05:41:54.751Z', '2026-11-16T05:41:54.751Z', 2);
INSERT INTO public.jobs VALUES ('pipeline-01a1e2e0-5587-7000-8951-480e5a0a265d', '01a1e2e0-42eb-7000-8597-968fd7eaf9b7', 'pipeline', 'pipeline/01a1e2e0-5587-7000-8951-480e5a0a265d', '"numbers"', '{"trigger":{"kind":"manual"},"attempts":3,"backoff_seconds":10,"max_backoff_seconds":300,"timeout_seconds":21600,"overlap":false}', 'manual', NULL, NULL, '{}', 0, NULL, NULL, '2026-11-16T05:41:55.208Z', '2026-11-16T05:41:55.208Z', 1);
INSERT INTO public.keyring VALUES ('fingerprint', 'keOT3fxHz_I6EV7EkRe8KYS2yBFU5Xa5yqF8SRI7QW0');
INSERT INTO public.keyring VALUES ('jwt', 'PNv/BoL2aTO6jxpsxGBCuSvkYHawxtSHlmaOeZ5SM5Y8oLBUqxCGAeJlon5iXXQQWtRapF3CLY7ML0rHnUIrhJIOks5mE3J8');
INSERT INTO public.keyring VALUES ('data folder', '01a1e2e0-3f9d-7000-a2ef-29d0abe3394d');
INSERT INTO public.overrides VALUES ('01a1e2e0-42eb-7000-8597-968fd7eaf9b7', '01a1e2e0-539b-7000-8f5b-3a98a34f099f', '{"paused":true,"by":"internal-service","at":"2026-11-16T05:41:54.994Z","reason":"holiday","until":null}');
INSERT INTO public.pipelines VALUES (1, '01a1e2e0-5587-7000-8951-480e5a0a265d', '["01a1e2e0-42eb-7000-8597-968fd7eaf9b7","numbers"]', 1, '01a1e2e0-42eb-7000-8597-968fd7eaf9b7', NULL, NULL, '{"pipeline_id":"01a1e2e0-5587-7000-8951-480e5a0a265d","name":"numbers","libraries":[{"file":{"path":"pipelines/numbers.sql"}}],"configuration":{},"continuous":false,"development":false,"photon":false,"serverless":false,"channel":"CURRENT","edition":"ADVANCED","platform_managed":true,"environment_id":"01a1e2e0-42eb-7000-8597-968fd7eaf9b7","tags":{"platform.managed_by":"lakehelm","platform.environment":"prod","platform.pipeline":"numbers"},"platform_reference":"pipeline-01a1e2e0-5587-7000-8951-480e5a0a265d","error_message":null,"created_at":"2026-11-16T05:41:55.207Z","updated_at":"2026-11-16T05:41:55.207Z","created_by":"internal-service","updated_by":null}', NULL);
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
INSERT INTO public.processes VALUES ('agent/01a1e2e0-559d-7000-ab87-93321d796ed9/01a1e2e0-42eb-7000-8597-968fd7eaf9b7', '01a1e2e0-42eb-7000-8597-968fd7eaf9b7', 'running', '{"askedAt":"2026-11-16T05:41:55.442Z","deploy":"01a1e2e0-567c-7000-9e67-2bf17d4eb46e","name":"desk","sourcePath":"tiny","start":{"mark":"03eec2e468686e7f.db9e9a5e8c3de0f602cde67476b1121b","port":43103,"url":"http://127.0.0.1:46119","boot":"355cdeda-b6a0-47a4-908c-2e0ca1078aca","pid":25763,"began":"194077"},"ends":[],"sight":{"observed_state":"running","message":null}}', 4);
INSERT INTO public.processes VALUES ('app/01a1e2e0-563b-7000-9aa6-d05576287d86', '01a1e2e0-42eb-7000-8597-968fd7eaf9b7', 'running', '{"askedAt":"2026-11-16T05:41:55.442Z","deploy":"01a1e2e0-5976-7000-a528-88a0eadc605d","name":"desk-ui","sourcePath":"tiny","start":{"mark":"03eec2e468686e7f.48244ecc19736118d82582f0d5ec6576","port":46291,"url":"http://127.0.0.1:46119","boot":"355cdeda-b6a0-47a4-908c-2e0ca1078aca","pid":25820,"began":"194158"},"ends":[],"sight":{"observed_state":"running","message":null}}', 4);
INSERT INTO public.release_designs VALUES ('01a1e2e0-52b7-7000-8a68-7be3268d9c36', '01a1e2e0-51d7-7000-8292-fcd5c7807368', '01a1e2e0-42eb-7000-8597-968fd7eaf9b7', '{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false}', NULL);
INSERT INTO public.release_designs VALUES ('01a1e2e0-53bb-7000-95d6-54bfcc1d30c8', '01a1e2e0-539b-7000-8f5b-3a98a34f099f', '01a1e2e0-42eb-7000-8597-968fd7eaf9b7', '{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false}', NULL);
INSERT INTO public.release_designs VALUES ('01a1e2e0-544c-7000-b346-0a8c999ea4f4', '01a1e2e0-5426-7000-95d2-92173ef1ab00', '01a1e2e0-42eb-7000-8597-968fd7eaf9b7', '{"version":1,"description":"","tasks":[{"name":"count","kind":"sql","depends_on":[],"run_if":"all_success","query":"select 1","parameters":{},"retries":0,"retry_seconds":10}],"schedule":{"cron":"0 7 1 1 *","timezone":"Europe/Berlin"},"parameters":{},"overlap":false}', NULL);
INSERT INTO public.releases VALUES (1, '01a1e2e0-52b7-7000-8a68-7be3268d9c36', '["automation","01a1e2e0-51d7-7000-8292-fcd5c7807368","01a1e2e0-42eb-7000-8597-968fd7eaf9b7"]', 1, '01a1e2e0-42eb-7000-8597-968fd7eaf9b7', '01a1e2e0-51d7-7000-8292-fcd5c7807368', 'installed', '{"id":"01a1e2e0-52b7-7000-8a68-7be3268d9c36","artifact":"automation/released","environment_id":"01a1e2e0-42eb-7000-8597-968fd7eaf9b7","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:73116b352d66f416c74e2492233b983f8479436005d1a604d78239541c80557c","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1e2e0-51d7-7000-8292-fcd5c7807368-01a1e2e0-42eb-7000-8597-968fd7eaf9b7","activated_at":"2026-11-16T05:41:54.425Z","activated_by":"internal-service","deployment_id":"01a1e2e0-52ce-7000-b382-2a01677fc5b3"}', NULL);
INSERT INTO public.releases VALUES (3, '01a1e2e0-544c-7000-b346-0a8c999ea4f4', '["automation","01a1e2e0-5426-7000-95d2-92173ef1ab00","01a1e2e0-42eb-7000-8597-968fd7eaf9b7"]', 1, '01a1e2e0-42eb-7000-8597-968fd7eaf9b7', '01a1e2e0-5426-7000-95d2-92173ef1ab00', 'installed', '{"id":"01a1e2e0-544c-7000-b346-0a8c999ea4f4","artifact":"automation/released-changed","environment_id":"01a1e2e0-42eb-7000-8597-968fd7eaf9b7","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:8171767a3368f1946ff9c20784cbe0b8b03d0b8b1ffa52c5e0c766c25f62910a","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1e2e0-5426-7000-95d2-92173ef1ab00-01a1e2e0-42eb-7000-8597-968fd7eaf9b7","activated_at":"2026-11-16T05:41:54.884Z","activated_by":"internal-service","deployment_id":"01a1e2e0-544e-7000-af57-b9c49e98eca1"}', NULL);
INSERT INTO public.releases VALUES (2, '01a1e2e0-53bb-7000-95d6-54bfcc1d30c8', '["automation","01a1e2e0-539b-7000-8f5b-3a98a34f099f","01a1e2e0-42eb-7000-8597-968fd7eaf9b7"]', 2, '01a1e2e0-42eb-7000-8597-968fd7eaf9b7', '01a1e2e0-539b-7000-8f5b-3a98a34f099f', 'installed', '{"id":"01a1e2e0-53bb-7000-95d6-54bfcc1d30c8","artifact":"automation/released-paused","environment_id":"01a1e2e0-42eb-7000-8597-968fd7eaf9b7","environment":"prod","version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2","design_content_hash":"sha256:0d499ab73335380396713cba4a3b6ebfd4d585ec3455a1a60a2cd031214d2b6e","metadata":{"version":"1.0.0","git_branch":"main","git_commit_sha":"3f9c1d2"},"workflow_id":"automation-01a1e2e0-539b-7000-8f5b-3a98a34f099f-01a1e2e0-42eb-7000-8597-968fd7eaf9b7","activated_at":"2026-11-16T05:41:54.737Z","activated_by":"internal-service","deployment_id":"01a1e2e0-53c0-7000-833e-83cab30700da"}', NULL);
INSERT INTO public.releases VALUES (4, '01a1e2e0-55f4-7000-a968-bddc8098806b', '["agent","01a1e2e0-559d-7000-ab87-93321d796ed9","01a1e2e0-42eb-7000-8597-968fd7eaf9b7"]', 5, '01a1e2e0-42eb-7000-8597-968fd7eaf9b7', '01a1e2e0-559d-7000-ab87-93321d796ed9', 'agent_release', '{"artifact":"agent/desk","release":{"environment_id":"01a1e2e0-42eb-7000-8597-968fd7eaf9b7","environment":"prod","version":"1.0.0","workflow_run_id":null,"workflow_name":null,"workflow_run_url":null,"activated_at":"2026-11-16T05:41:55.309Z","activated_by":"internal-service"}}', NULL);
INSERT INTO public.schema_version VALUES (4);
INSERT INTO public.secrets VALUES ('01a1e2e0-42eb-7000-8597-968fd7eaf9b7', 'shop', 'api-key', 'Z5zEMUGB984F8pENaWWzv6F8SjSoM7qNyEiUgDC+N4cFXRkHcneW', '2026-11-16T05:41:53.538Z');
INSERT INTO public.summaries VALUES ('01a1e2e0-42eb-7000-8597-968fd7eaf9b7', '{"environment_id":"01a1e2e0-42eb-7000-8597-968fd7eaf9b7","latest_success":{"id":"01a1e2e0-5d74-7000-8080-ea010331715c","deployment_name":"orders 1.0.0","git_branch":"main","git_commit_sha":"","completed_at":"2026-11-16T05:41:57.327Z"},"current_releases":[{"artifact":"automation/released","version":"1.0.0","activated_at":"2026-11-16T05:41:54.425Z"},{"artifact":"automation/released-paused","version":"1.0.0","activated_at":"2026-11-16T05:41:54.737Z"},{"artifact":"automation/released-changed","version":"1.0.0","activated_at":"2026-11-16T05:41:54.884Z"},{"artifact":"agent/desk","version":"1.0.0","activated_at":"2026-11-16T05:41:55.309Z"}],"deployment_counts":{"succeeded":4},"failure_streak":0,"reconciled_at":"2026-11-16T05:41:57.327Z"}');
INSERT INTO public.tallies VALUES ('environments/all', 1000000, 0, 2);
INSERT INTO public.tallies VALUES ('environments/all', 10000, 0, 2);
INSERT INTO public.tallies VALUES ('environments/all', 100, 0, 2);
INSERT INTO public.tallies VALUES ('users/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('users/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('users/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1e2e0-435b-7000-aa6a-07dfd4d6781b', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1e2e0-435b-7000-aa6a-07dfd4d6781b', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('tokens/01a1e2e0-435b-7000-aa6a-07dfd4d6781b', 100, 0, 1);
INSERT INTO public.tallies VALUES ('releases/all', 1000000, 0, 4);
INSERT INTO public.tallies VALUES ('releases/all', 10000, 0, 4);
INSERT INTO public.tallies VALUES ('releases/all', 100, 0, 4);
INSERT INTO public.tallies VALUES ('releases/01a1e2e0-42eb-7000-8597-968fd7eaf9b7', 1000000, 0, 4);
INSERT INTO public.tallies VALUES ('releases/01a1e2e0-42eb-7000-8597-968fd7eaf9b7', 10000, 0, 4);
INSERT INTO public.tallies VALUES ('releases/01a1e2e0-42eb-7000-8597-968fd7eaf9b7', 100, 0, 4);
INSERT INTO public.tallies VALUES ('connectors/all', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/all', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/all', 100, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/01a1e2e0-42eb-7000-8597-968fd7eaf9b7', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/01a1e2e0-42eb-7000-8597-968fd7eaf9b7', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('connectors/01a1e2e0-42eb-7000-8597-968fd7eaf9b7', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e2e0-51d7-7000-8292-fcd5c7807368', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2e0-51d7-7000-8292-fcd5c7807368', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2e0-51d7-7000-8292-fcd5c7807368', 100, 0, 1);
INSERT INTO public.tallies VALUES ('apps/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2e0-42eb-7000-8597-968fd7eaf9b7', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2e0-42eb-7000-8597-968fd7eaf9b7', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2e0-42eb-7000-8597-968fd7eaf9b7', 100, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2e0-559d-7000-ab87-93321d796ed9', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2e0-559d-7000-ab87-93321d796ed9', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('apps/01a1e2e0-559d-7000-ab87-93321d796ed9', 100, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2e0-539b-7000-8f5b-3a98a34f099f', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2e0-539b-7000-8f5b-3a98a34f099f', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2e0-539b-7000-8f5b-3a98a34f099f', 100, 0, 1);
INSERT INTO public.tallies VALUES ('deployments/all', 1000000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/all', 10000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/all', 100, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1e2e0-42eb-7000-8597-968fd7eaf9b7', 1000000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1e2e0-42eb-7000-8597-968fd7eaf9b7', 10000, 0, 4);
INSERT INTO public.tallies VALUES ('deployments/01a1e2e0-42eb-7000-8597-968fd7eaf9b7', 100, 0, 4);
INSERT INTO public.tallies VALUES ('automations/all', 1000000, 0, 3);
INSERT INTO public.tallies VALUES ('automations/all', 10000, 0, 3);
INSERT INTO public.tallies VALUES ('automations/all', 100, 0, 3);
INSERT INTO public.tallies VALUES ('releases/01a1e2e0-5426-7000-95d2-92173ef1ab00', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2e0-5426-7000-95d2-92173ef1ab00', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2e0-5426-7000-95d2-92173ef1ab00', 100, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1e2e0-42eb-7000-8597-968fd7eaf9b7', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1e2e0-42eb-7000-8597-968fd7eaf9b7', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('pipelines/01a1e2e0-42eb-7000-8597-968fd7eaf9b7', 100, 0, 1);
INSERT INTO public.tallies VALUES ('agents/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('agents/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('agents/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/all', 100, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1e2e0-559d-7000-ab87-93321d796ed9', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1e2e0-559d-7000-ab87-93321d796ed9', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('versions/01a1e2e0-559d-7000-ab87-93321d796ed9', 100, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2e0-559d-7000-ab87-93321d796ed9', 1000000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2e0-559d-7000-ab87-93321d796ed9', 10000, 0, 1);
INSERT INTO public.tallies VALUES ('releases/01a1e2e0-559d-7000-ab87-93321d796ed9', 100, 0, 1);
INSERT INTO public.tokens VALUES (1, '01a1e2e0-4ea1-7000-b88a-3a8a5ba999e4', '["yuNnjWS3XURp3OROokDItzd0U-FNeMfZ8Tr4srPsoxI"]', 1, NULL, '01a1e2e0-435b-7000-aa6a-07dfd4d6781b', NULL, '{"id":"01a1e2e0-4ea1-7000-b88a-3a8a5ba999e4","username":"ada@example.test","comment":"fixture","created_at":"2026-11-16T05:41:53.424Z","expires_at":null,"created_by":"internal-service"}', NULL);
INSERT INTO public.users VALUES (1, '01a1e2e0-435b-7000-aa6a-07dfd4d6781b', '["ada@example.test"]', 1, NULL, NULL, NULL, '{"id":"01a1e2e0-435b-7000-aa6a-07dfd4d6781b","username":"ada@example.test","role":"operator","active":true,"created_at":"2026-11-16T05:41:50.535Z","updated_at":"2026-11-16T05:41:50.535Z","created_by":"internal-service"}', 'Spn/JZMNbrYe5UNM6/X0/Vpm7fGUlkGQdt2IvqTwWAsB/Vl8GkmXAXw89Y/whEXJC16mscplfxHX+/jwzsKVVKTWXyhdi1soc8t1sDINl+bW4JQn9wHO3c4i4w+mdOJagSSs7mf32Zg/25kxMrlwqKMR');
INSERT INTO public.versions VALUES (1, '01a1e2e0-55f2-7000-8ee8-bc381b4ffed5', '["01a1e2e0-559d-7000-ab87-93321d796ed9","1.0.0"]', 1, NULL, '01a1e2e0-559d-7000-ab87-93321d796ed9', NULL, '{"id":"01a1e2e0-55f2-7000-8ee8-bc381b4ffed5","agent_id":"01a1e2e0-559d-7000-ab87-93321d796ed9","version":"1.0.0","source_path":null,"metadata":{},"created_at":"2026-11-16T05:41:55.309Z","created_by":"internal-service"}', NULL);
SELECT pg_catalog.setval('public.deliveries_sequence_seq', 1, false);
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
CREATE INDEX deliveries_by_next_at ON public.deliveries USING btree (next_at) WHERE (next_at IS NOT NULL);
CREATE INDEX deliveries_of_channel ON public.deliveries USING btree (channel, state, sequence);
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
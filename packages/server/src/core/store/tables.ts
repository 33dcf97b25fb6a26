import type { Generated } from "kysely";

/**
 * What lists are filtered and sorted by, taken from the document. Texts are short: PostgreSQL indexes at most 2,700 bytes.
 * They are empty where the document has nothing.
 */
export type ListColumns = {
  name: string;
  status: string;
  /** Null in the table: a row of an earlier version, before the start has filled these columns. */
  created_at: string;
  updated_at: string;
  created_by: string;
  search_text: string;
};

/**
 * The table of a resource: the columns that queries need, and the whole resource as the text of its answer.
 * A read sends `doc` unchanged; nothing is parsed or serialized again (bench/results.md has the numbers).
 */
interface ResourceTable extends ListColumns {
  id: string;
  /** What must be unique within the table, as JSON text (so that any string, NUL included, is a key). */
  key: string;
  /** The position in lists, oldest first: assigned in commit order, with gaps where rows were deleted. */
  position: number;
  /** Incremented by each change; it is the ETag. */
  version: number;
  environment_id: string | null;
  owner: string | null;
  state: string | null;
  doc: string;
  /** Secret values of the document, encrypted; the document itself carries the mask. */
  sealed: string | null;
  /** The identity whose quota counts the row; null if the server has created it, or a version without quotas. */
  charged_to: string | null;
}

export const resourceTables = [
  "environments",
  "connectors",
  "pipelines",
  "deployments",
  "automations",
  "attempts",
  "releases",
  "bindings",
  "agents",
  "versions",
  "apps",
  "users",
  "tokens",
  "flows",
  "agent_environments",
  "drift",
  "plans",
] as const;

export type ResourceTableName = (typeof resourceTables)[number];

/** What quotas count: resources, and what is stored beside them. */
export type StoredKind = ResourceTableName | "files" | "roles" | "secret_scopes" | "secrets";

export interface Tables extends Record<ResourceTableName, ResourceTable> {
  schema_version: { version: number };
  positions: { list: string; next: number };
  tallies: { list: string; width: number; bucket: number; n: number };
  /** Created with the database and shared by its servers: the fingerprint of the secret key, the JWT key. */
  keyring: { name: string; value: string };
  /** Committed events that are not sealed yet. `mac` is null only in rows of earlier versions. */
  pending_events: {
    arrival: Generated<number>;
    id: string;
    kind: string;
    subject: string;
    body: string;
    mac: string | null;
  };
  /** Rows of `pending_events` that Lakehelm did not write. Nothing reads them: they are evidence. */
  rejected_events: {
    arrival: number;
    id: string;
    kind: string;
    subject: string;
    body: string;
    mac: string | null;
    reason: string;
    rejected_at: string;
  };
  events: { sequence: number; id: string; kind: string; subject: string; body: string; hash: string };
  /** The last event that retention has removed. */
  event_start: { id: number; sequence: number; hash: string; time: string; mac: string };
  event_head: { id: number; sequence: number; hash: string; mac: string };
  /**
   * What must happen after a commit. `next_at` is null once an entry is dead; `owner` has claimed it until `claimed_until`.
   */
  outbox: {
    sequence: Generated<number>;
    id: string;
    topic: string;
    key: string;
    environment_id: string | null;
    payload: string;
    state: string;
    attempts: number;
    next_at: string | null;
    created_at: string;
    ended_at: string | null;
    owner: string | null;
    claimed_until: string | null;
  };
  idempotency: {
    caller: string;
    endpoint: string;
    key: string;
    request: string;
    answer: string;
    version: number | null;
    expires_at: string;
  };
  aliases: { alias: string; agent_id: string };
  overrides: { environment_id: string; automation_id: string; doc: string };
  /** The number of deployments by environment and status: counting rows would get slower with every deployment. */
  deployment_counts: { environment_id: string; status: string; n: number };
  /** The roles of users in single environments. */
  role_grants: {
    user_key: string;
    environment_id: string;
    username: string;
    role: string;
    granted_by: string;
    granted_at: string;
  };
  deployment_log: { deployment_id: string; n: number; chunk: string };
  summaries: { environment_id: string; doc: string };
  secrets: { environment_id: string; scope: string; key: string; value: string; updated_at: string };
  /** `environments` and `roles` are lists as JSON; null: no limit. */
  secret_scopes: {
    scope: string;
    environments: string | null;
    roles: string | null;
    /** Hosts for every environment. Null: each environment has its own in `secret_bindings`. */
    hosts: Generated<string | null>;
    updated_at: string;
  };
  /** The hosts that the first reference of an admin named in an environment. */
  secret_bindings: { scope: string; environment_id: string; hosts: string; updated_at: string };
  /** `next_at`: when the scheduler must look at the job. `memory`: what its trigger has observed. */
  jobs: {
    id: string;
    environment_id: string;
    kind: string;
    subject: string;
    name: string;
    definition: string;
    trigger: string;
    paused: string | null;
    paused_until: string | null;
    memory: string;
    failures: number;
    problem: string | null;
    next_at: string | null;
    created_at: string;
    installed_at: string;
    installed_by: string | null;
    version: number;
  };
  /**
   * Some columns are set only while they are needed, so that their indexes stay small: `open_job` (the job)
   * while it is queued or running, `holds` (the job, unique) while it runs and no other may, `not_before` while
   * it is queued, `heartbeat_until` while it runs.
   */
  runs: {
    id: string;
    job_id: string;
    environment_id: string;
    slot: string;
    status: string;
    cause: string;
    attempt: number;
    queued_at: string;
    not_before: string | null;
    started_at: string | null;
    ended_at: string | null;
    error: string | null;
    metrics: string;
    owner: string | null;
    heartbeat_until: string | null;
    cancel: string | null;
    open_job: string | null;
    holds: string | null;
    /** Who requested the run, or installed the job whose trigger started it. */
    caller: string | null;
    /**
     * Kind and name of the job when the run was queued. The name is JSON. Null for an older run whose job was already
     * deleted.
     */
    kind: string | null;
    name: string | null;
    /** The runs that moved nothing and that this run stands for, as JSON; null: it stands for itself alone. */
    quiet: string | null;
  };
  run_log: { run_id: string; n: number; time: string; level: string; line: string };
  /** The definition that a release of an automation runs, as it was when the release became current. */
  release_designs: {
    release_id: string;
    automation_id: string;
    environment_id: string;
    definition: string;
    sealed: string | null;
  };
  /** The position of a reader of the event log. */
  cursors: { name: string; position: number };
  /**
   * Messages to channels, in the order of `sequence`. The outbox sends them. `channel` is a binding's id; `next_at` is set while one
   * waits, `ended_at` afterwards; `doc` is the message, `answer` the result of the last attempt.
   */
  deliveries: {
    sequence: Generated<number>;
    id: string;
    channel: string;
    environment_id: string;
    state: string;
    attempts: number;
    next_at: string | null;
    ended_at: string | null;
    doc: string;
    answer: string | null;
  };
  /** Processes of agents and apps: the desired state of each, and in `doc` the last observed one. */
  processes: { id: string; environment_id: string; desired: string; doc: string; version: number };
  /** What was installed on a platform for a resource: `settings` as they were last sent, without secrets. */
  installed_settings: {
    environment_id: string;
    subject: string;
    /** What was installed: `job`, `pipeline`, … */
    part: string;
    name: string;
    /** Its id on the platform. */
    reference: string;
    settings: string;
    installed_at: string;
  };
  /** The policies of a plan and what they found, as JSON. */
  plan_checks: { plan_id: string; policies: string; findings: string };
  /**
   * The steps of a plan. `doc` is the step without its status. `definition` is the desired definition, encrypted; `rests_on` is
   * the digest of the live definition that the step was planned for, `leads_to` that of the desired one.
   */
  plan_steps: {
    plan_id: string;
    position: number;
    action: string;
    status: string;
    error: string | null;
    doc: string;
    definition: string | null;
    rests_on: string;
    leads_to: string;
  };
  /** The plan that is being applied to an environment: one at a time. */
  plan_locks: { environment_id: string; plan_id: string; actor: string; started_at: string };
  /** What was last applied to an environment. `definition` is encrypted; `digest` compares it without decrypting it. */
  applied_resources: {
    environment_id: string;
    kind: string;
    name: string;
    project: string;
    plan_id: string;
    commit_id: string | null;
    design_hash: string;
    digest: string;
    definition: string;
    applied_at: string;
    applied_by: string;
  };
  /**
   * What a resource reads and writes, so that its whole definition need not be read. `declared` is what its document
   * says, and is written with it; `code` is what its code says, or said when it was last read.
   */
  lineage: {
    kind: string;
    resource_id: string;
    environment_id: string;
    declared: string;
    code: string | null;
  };
  /** A change of an environment that waits for another admin. `body` is encrypted. */
  environment_requests: { environment_id: string; version: number; doc: string; body: string };
  /** How much is stored, by scope and kind: see stored-scopes.ts. */
  stored_usage: { scope: string; kind: string; n: number; bytes: number };
  /**
   * The size of each file that was written through the API, and the identity whose quota counts it. The files are on
   * the disk.
   */
  file_owners: { environment_id: string; path: string; bytes: number; charged_to: string | null };
  leases: { name: string; owner: string; until: string; address: string | null };
}

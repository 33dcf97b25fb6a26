import type { Generated } from "kysely";

/**
 * The table of a resource: the columns that queries need, and the whole resource as the text of its answer.
 * A read sends `doc` unchanged; nothing is parsed or serialized again (bench/results.md has the numbers).
 */
interface ResourceTable {
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
] as const;

export type ResourceTableName = (typeof resourceTables)[number];

export interface Tables extends Record<ResourceTableName, ResourceTable> {
  schema_version: { version: number };
  positions: { list: string; next: number };
  tallies: { list: string; width: number; bucket: number; n: number };
  /** Created with the database and shared by its servers: the fingerprint of the secret key, the JWT key. */
  keyring: { name: string; value: string };
  pending_events: { arrival: Generated<number>; id: string; kind: string; subject: string; body: string };
  events: { sequence: number; id: string; kind: string; subject: string; body: string; hash: string };
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
  deployment_log: { deployment_id: string; n: number; chunk: string };
  summaries: { environment_id: string; doc: string };
  secrets: { environment_id: string; scope: string; key: string; value: string; updated_at: string };
  /** `next_at`: when the scheduler must look at it. `memory`: what its trigger has observed. */
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
  };
  run_log: { run_id: string; n: number; time: string; level: string; line: string };
  /** The definition that a release of an automation runs, as it was when it became current. */
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
  leases: { name: string; owner: string; until: string; address: string | null };
}

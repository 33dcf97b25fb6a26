import { type Compilable, type Kysely, type SchemaModule, sql } from "kysely";
import type { Database } from "./database.ts";
import type { ResourceTableName, Tables } from "./tables.ts";

export interface Migration {
  readonly name: string;
  up(db: Kysely<Tables>, engine: Database["name"]): Compilable[];
}

/**
 * The schema as a sequence of steps; a released step is never edited, only followed by others. Both databases run the
 * same steps.
 */
export const migrations: readonly Migration[] = [
  {
    name: "control state",
    up: (db, engine) => [
      ...firstResourceTables.flatMap((table) => createResourceTable(db, engine, table)),
      ...sharedTables(db, engine),
    ],
  },
  { name: "jobs and runs", up: jobTables },
  {
    name: "flows",
    up: (db, engine) => [...createResourceTable(db, engine, "flows"), byState(db, "flows")],
  },
  {
    name: "release designs, deliveries and processes",
    up: (db, engine) => [...runningTables(db, engine), pipelinesThatRun(db)],
  },
  { name: "deployment counts", up: deploymentCounts },
  { name: "outbox", up: outboxTable },
  { name: "environments of agents", up: agentEnvironments },
  { name: "no embedded records", up: ({ schema }) => [schema.dropTable("embedded_records")] },
  { name: "callers of runs", up: runCallers },
  { name: "signed events", up: signedEvents },
  { name: "limits of secret scopes", up: secretScopes },
  { name: "roles in environments", up: roleGrants },
  {
    name: "list columns",
    up: (db, engine) => listedTables.flatMap((table) => addListColumns(db, engine, table)),
  },
  { name: "retention", up: retention },
  { name: "connector names by environment", up: connectorNames },
  { name: "names of runs", up: runNames },
  {
    name: "drift",
    up: (db, engine) => [
      ...createResourceTable(db, engine, "drift"),
      ...addListColumns(db, engine, "drift"),
      installedSettings(db),
    ],
  },
  { name: "plans", up: planTables },
  { name: "lineage", up: lineageTable },
  { name: "requests for changes of environments", up: environmentRequests },
  { name: "hosts of secret scopes", up: hostsOfScopes },
  { name: "stored usage", up: storedUsage },
  { name: "owners of files", up: fileOwners },
  { name: "secret scopes in environments", up: secretBindings },
];

/** The resource tables of that version: a later table has its own step. */
const firstResourceTables = [
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
] as const satisfies readonly ResourceTableName[];

/** In SQLite an INTEGER primary key is the table itself: rows are stored in its order, and no index is needed. */
const ordinal = (engine: Database["name"]) => (engine === "sqlite" ? "integer" : "bigint");

function createResourceTable(
  db: Kysely<Tables>,
  engine: Database["name"],
  table: ResourceTableName,
): Compilable[] {
  const create = db.schema
    .createTable(table)
    .addColumn("position", ordinal(engine), (c) => c.primaryKey())
    .addColumn("id", "text", (c) => c.notNull().unique())
    .addColumn("key", "text", (c) => c.notNull().unique())
    .addColumn("version", "integer", (c) => c.notNull())
    // Resources in an environment prevent its deletion, also under concurrent requests.
    .addColumn("environment_id", "text", (c) => c.references("environments.id"))
    .addColumn("owner", "text")
    .addColumn("state", "text")
    .addColumn("doc", "text", (c) => c.notNull())
    .addColumn("sealed", "text");
  const index = (column: "environment_id" | "owner") =>
    db.schema
      .createIndex(`${table}_by_${column}`)
      .on(table)
      .columns([column, "position"])
      .where(sql.ref(column), "is not", null);
  return [
    create,
    index("environment_id"),
    index("owner"),
    db.insertInto("positions").values({ list: table, next: 0 }),
  ];
}

/** Finds due rows, such as pauses that expire. Most rows have no state, and are not in the index. */
const byState = ({ schema }: Kysely<Tables>, table: ResourceTableName): Compilable =>
  schema.createIndex(`${table}_by_state`).on(table).column("state").where(sql.ref("state"), "is not", null);

/** Compared bytewise, whatever the locale of the database: `kind.*` is read as a range. */
const plainText = (engine: Database["name"]) => (engine === "sqlite" ? "text" : sql`text collate "C"`);

function sharedTables(db: Kysely<Tables>, engine: Database["name"]): Compilable[] {
  const { schema } = db;
  return [
    byState(db, "connectors"),
    schema
      .createTable("keyring")
      .addColumn("name", "text", (c) => c.primaryKey())
      .addColumn("value", "text", (c) => c.notNull()),
    schema
      .createTable("pending_events")
      .addColumn("arrival", engine === "sqlite" ? "integer" : "bigserial", (c) =>
        engine === "sqlite" ? c.primaryKey().autoIncrement() : c.primaryKey(),
      )
      .addColumn("id", "text", (c) => c.notNull())
      .addColumn("kind", "text", (c) => c.notNull())
      .addColumn("subject", "text", (c) => c.notNull())
      .addColumn("body", "text", (c) => c.notNull()),
    schema
      .createTable("events")
      .addColumn("sequence", ordinal(engine), (c) => c.primaryKey())
      .addColumn("id", "text", (c) => c.notNull())
      .addColumn("kind", plainText(engine), (c) => c.notNull())
      .addColumn("subject", "text", (c) => c.notNull())
      .addColumn("body", "text", (c) => c.notNull())
      .addColumn("hash", "text", (c) => c.notNull()),
    schema.createIndex("events_by_kind").on("events").columns(["kind", "sequence"]),
    schema.createIndex("events_by_subject").on("events").columns(["subject", "sequence"]),
    schema
      .createTable("event_head")
      .addColumn("id", "integer", (c) => c.primaryKey())
      .addColumn("sequence", "bigint", (c) => c.notNull())
      .addColumn("hash", "text", (c) => c.notNull())
      .addColumn("mac", "text", (c) => c.notNull()),
    db.insertInto("event_head").values({ id: 1, sequence: 0, hash: "", mac: "" }),
    schema
      .createTable("intents")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("environment_id", "text")
      .addColumn("kind", "text", (c) => c.notNull())
      .addColumn("subject", "text", (c) => c.notNull())
      .addColumn("data", "text", (c) => c.notNull()),
    schema
      .createTable("idempotency")
      .addColumn("caller", "text", (c) => c.notNull())
      .addColumn("endpoint", "text", (c) => c.notNull())
      .addColumn("key", "text", (c) => c.notNull())
      .addColumn("request", "text", (c) => c.notNull())
      .addColumn("answer", "text", (c) => c.notNull())
      .addColumn("version", "integer")
      .addColumn("expires_at", "text", (c) => c.notNull())
      .addPrimaryKeyConstraint("idempotency_key", ["caller", "endpoint", "key"]),
    schema.createIndex("idempotency_by_expiry").on("idempotency").column("expires_at"),
    schema
      .createTable("aliases")
      .addColumn("alias", "text", (c) => c.primaryKey())
      .addColumn("agent_id", "text", (c) => c.notNull().references("agents.id").onDelete("cascade")),
    schema
      .createTable("overrides")
      .addColumn("environment_id", "text", (c) => c.notNull().references("environments.id"))
      .addColumn("automation_id", "text", (c) => c.notNull())
      .addColumn("doc", "text", (c) => c.notNull())
      .addPrimaryKeyConstraint("overrides_key", ["environment_id", "automation_id"]),
    schema
      .createTable("deployment_log")
      .addColumn("deployment_id", "text", (c) => c.notNull())
      .addColumn("n", "integer", (c) => c.notNull())
      .addColumn("chunk", "text", (c) => c.notNull())
      .addPrimaryKeyConstraint("deployment_log_key", ["deployment_id", "n"]),
    schema
      .createTable("summaries")
      .addColumn("environment_id", "text", (c) =>
        c.primaryKey().references("environments.id").onDelete("cascade"),
      )
      .addColumn("doc", "text", (c) => c.notNull()),
    schema
      .createTable("secrets")
      .addColumn("environment_id", "text", (c) => c.notNull().references("environments.id"))
      .addColumn("scope", "text", (c) => c.notNull())
      .addColumn("key", "text", (c) => c.notNull())
      .addColumn("value", "text", (c) => c.notNull())
      .addColumn("updated_at", "text", (c) => c.notNull())
      .addPrimaryKeyConstraint("secrets_key", ["environment_id", "scope", "key"]),
    schema
      .createTable("embedded_records")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("environment_id", "text", (c) => c.notNull())
      .addColumn("kind", "text", (c) => c.notNull())
      .addColumn("subject", "text", (c) => c.notNull())
      .addColumn("data", "text", (c) => c.notNull()),
  ];
}

/** Indexes only the rows that have a value in the column. */
const sparseIndexes = (schema: SchemaModule) => (table: keyof Tables, column: string) =>
  schema.createIndex(`${table}_by_${column}`).on(table).column(column).where(sql.ref(column), "is not", null);

function jobTables({ schema }: Kysely<Tables>, engine: Database["name"]): Compilable[] {
  const sparse = sparseIndexes(schema);
  return [
    schema
      .createTable("jobs")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("environment_id", "text", (c) => c.notNull().references("environments.id"))
      .addColumn("kind", "text", (c) => c.notNull())
      .addColumn("subject", "text", (c) => c.notNull())
      .addColumn("name", "text", (c) => c.notNull())
      .addColumn("definition", "text", (c) => c.notNull())
      .addColumn("trigger", "text", (c) => c.notNull())
      .addColumn("paused", "text")
      .addColumn("paused_until", plainText(engine))
      .addColumn("memory", "text", (c) => c.notNull())
      .addColumn("failures", "integer", (c) => c.notNull())
      .addColumn("problem", "text")
      .addColumn("next_at", plainText(engine))
      .addColumn("created_at", plainText(engine), (c) => c.notNull())
      .addColumn("installed_at", plainText(engine), (c) => c.notNull())
      .addColumn("version", "integer", (c) => c.notNull()),
    sparse("jobs", "next_at"),
    sparse("jobs", "paused_until"),
    schema.createIndex("jobs_by_age").on("jobs").columns(["created_at", "id"]),
    schema.createIndex("jobs_by_trigger").on("jobs").columns(["trigger", "installed_at"]),
    schema
      .createTable("runs")
      .addColumn("id", plainText(engine), (c) => c.primaryKey())
      .addColumn("job_id", "text", (c) => c.notNull())
      .addColumn("environment_id", "text", (c) => c.notNull())
      .addColumn("slot", "text", (c) => c.notNull())
      .addColumn("status", "text", (c) => c.notNull())
      .addColumn("cause", "text", (c) => c.notNull())
      .addColumn("attempt", "integer", (c) => c.notNull())
      .addColumn("queued_at", "text", (c) => c.notNull())
      .addColumn("not_before", plainText(engine))
      .addColumn("started_at", "text")
      .addColumn("ended_at", plainText(engine))
      .addColumn("error", "text")
      .addColumn("metrics", "text", (c) => c.notNull())
      .addColumn("owner", "text")
      .addColumn("heartbeat_until", plainText(engine))
      .addColumn("cancel", "text")
      .addColumn("open_job", "text")
      .addColumn("holds", "text", (c) => c.unique())
      .addUniqueConstraint("runs_slot", ["job_id", "slot"]),
    sparse("runs", "not_before"),
    sparse("runs", "heartbeat_until"),
    sparse("runs", "open_job"),
    sparse("runs", "ended_at"),
    schema.createIndex("runs_of_job").on("runs").columns(["job_id", "id"]),
    // Without this index, SQLite searches the skipped runs of one job among the runs of all jobs.
    schema.createIndex("runs_of_job_by_status").on("runs").columns(["job_id", "status", "id"]),
    schema.createIndex("runs_of_environment").on("runs").columns(["environment_id", "id"]),
    schema.createIndex("runs_by_status").on("runs").columns(["status", "id"]),
    schema
      .createTable("run_log")
      .addColumn("run_id", plainText(engine), (c) => c.notNull().references("runs.id").onDelete("cascade"))
      .addColumn("n", "integer", (c) => c.notNull())
      .addColumn("time", "text", (c) => c.notNull())
      .addColumn("level", "text", (c) => c.notNull())
      .addColumn("line", "text", (c) => c.notNull())
      .addPrimaryKeyConstraint("run_log_key", ["run_id", "n"]),
    schema
      .createTable("leases")
      .addColumn("name", "text", (c) => c.primaryKey())
      .addColumn("owner", "text", (c) => c.notNull())
      .addColumn("until", plainText(engine), (c) => c.notNull())
      .addColumn("address", "text"),
  ];
}

function runningTables({ schema }: Kysely<Tables>, engine: Database["name"]): Compilable[] {
  const sparse = sparseIndexes(schema);
  return [
    schema
      .createTable("release_designs")
      .addColumn("release_id", "text", (c) => c.primaryKey())
      .addColumn("automation_id", "text", (c) => c.notNull())
      .addColumn("environment_id", "text", (c) => c.notNull())
      .addColumn("definition", "text", (c) => c.notNull())
      .addColumn("sealed", "text"),
    schema
      .createIndex("release_designs_of_automation")
      .on("release_designs")
      .columns(["automation_id", "environment_id"]),
    schema
      .createTable("cursors")
      .addColumn("name", "text", (c) => c.primaryKey())
      .addColumn("position", ordinal(engine), (c) => c.notNull()),
    schema
      .createTable("deliveries")
      .addColumn("sequence", engine === "sqlite" ? "integer" : "bigserial", (c) =>
        engine === "sqlite" ? c.primaryKey().autoIncrement() : c.primaryKey(),
      )
      .addColumn("id", "text", (c) => c.notNull().unique())
      .addColumn("channel", "text", (c) => c.notNull())
      .addColumn("environment_id", "text", (c) => c.notNull())
      .addColumn("state", "text", (c) => c.notNull())
      .addColumn("attempts", "integer", (c) => c.notNull())
      .addColumn("next_at", plainText(engine))
      .addColumn("ended_at", plainText(engine))
      .addColumn("doc", "text", (c) => c.notNull())
      .addColumn("answer", "text"),
    schema.createIndex("deliveries_of_channel").on("deliveries").columns(["channel", "state", "sequence"]),
    sparse("deliveries", "next_at"),
    sparse("deliveries", "ended_at"),
    schema
      .createTable("processes")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("environment_id", "text", (c) => c.notNull())
      .addColumn("desired", "text", (c) => c.notNull())
      .addColumn("doc", "text", (c) => c.notNull())
      .addColumn("version", "integer", (c) => c.notNull()),
  ];
}

/**
 * Earlier versions only recorded pipelines: they are installed at the next start, and their health is computed on
 * reading.
 */
function pipelinesThatRun(db: Kysely<Tables>): Compilable {
  const unknown =
    '"health":{"status":"UNKNOWN","last_update_time":null,"last_success_time":null,"last_failure_time":null,' +
    '"consecutive_failures":0,"is_stale":false},"latest_updates":[],';
  return db.updateTable("pipelines").set({
    doc: sql<string>`replace(doc, ${sql.lit(unknown)}, '')`,
    state: sql<string>`coalesce(state, 'not installed')`,
  });
}

/** So that finishing a deployment does not read the others: counts by status, and the last success by its key. */
function deploymentCounts(db: Kysely<Tables>): Compilable[] {
  return [
    db.schema
      .createTable("deployment_counts")
      .addColumn("environment_id", "text", (c) =>
        c.notNull().references("environments.id").onDelete("cascade"),
      )
      .addColumn("status", "text", (c) => c.notNull())
      .addColumn("n", "bigint", (c) => c.notNull())
      .addPrimaryKeyConstraint("deployment_counts_key", ["environment_id", "status"]),
    db
      .insertInto("deployment_counts")
      .columns(["environment_id", "status", "n"])
      .expression(
        db
          .selectFrom("deployments")
          .select((eb) => [
            eb.ref("environment_id").$notNull().as("environment_id"),
            eb.ref("state").$notNull().as("status"),
            eb.fn.countAll<number>().as("n"),
          ])
          .where("environment_id", "is not", null)
          .where("state", "is not", null)
          .groupBy(["environment_id", "state"]),
      ),
    db.schema
      .createIndex("deployments_by_outcome")
      .on("deployments")
      .columns(["environment_id", "state", "key"]),
  ];
}

/** One table for everything that must happen after a commit. */
function outboxTable(db: Kysely<Tables>, engine: Database["name"]): Compilable[] {
  const { schema } = db;
  const sparse = sparseIndexes(schema);
  return [
    schema
      .createTable("outbox")
      .addColumn("sequence", engine === "sqlite" ? "integer" : "bigserial", (c) =>
        engine === "sqlite" ? c.primaryKey().autoIncrement() : c.primaryKey(),
      )
      .addColumn("id", "text", (c) => c.notNull().unique())
      .addColumn("topic", "text", (c) => c.notNull())
      .addColumn("key", "text", (c) => c.notNull())
      .addColumn("environment_id", "text")
      .addColumn("payload", "text", (c) => c.notNull())
      .addColumn("state", "text", (c) => c.notNull())
      .addColumn("attempts", "integer", (c) => c.notNull())
      .addColumn("next_at", plainText(engine))
      .addColumn("created_at", plainText(engine), (c) => c.notNull())
      .addColumn("ended_at", plainText(engine))
      .addColumn("owner", "text")
      .addColumn("claimed_until", plainText(engine)),
    schema.createIndex("outbox_by_key").on("outbox").columns(["key", "state", "sequence"]),
    sparse("outbox", "next_at"),
    ...intentEntries(db, engine),
    schema.dropTable("intents"),
    deliveryEntries(db, engine),
    // The outbox says what is due.
    schema.dropIndex("deliveries_by_next_at"),
  ];
}

/** Waiting and dead deliveries get an outbox entry with their id. */
const deliveryEntries = (db: Kysely<Tables>, engine: Database["name"]): Compilable => ({
  compile: () =>
    sql
      .raw(
        `insert into outbox
           (id, topic, key, environment_id, payload, state, attempts, next_at, created_at, ended_at)
         select id, 'chat.delivery', 'chat/' || channel, environment_id, '{}',
           case state when 'waiting' then 'pending' else 'dead' end, attempts, next_at,
           ${engine === "sqlite" ? "json_extract(doc, '$.time')" : "doc::json ->> 'time'"}, ended_at
         from deliveries where state <> 'delivered' order by sequence`,
      )
      .compile(db),
});

/** Intents become outbox entries: for platforms, files, outdated summaries and tables to release. */
function intentEntries(db: Kysely<Tables>, engine: Database["name"]): Compilable[] {
  const isSqlite = engine === "sqlite";
  const now = isSqlite
    ? "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')"
    : `to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  const quoted = (text: string) => (isSqlite ? `json_quote(${text})` : `to_json(${text})::text`);
  const field = (name: string) =>
    isSqlite ? `json_extract(data, '$.${name}')` : `(data::json ->> '${name}')`;
  const idIn = (kind: string) => `substr(subject, ${kind.length + 2})`;
  const move = (rows: string, topic: string, key: string, environment: string, payload: string) => ({
    compile: () =>
      sql
        .raw(
          `insert into outbox
             (id, topic, key, environment_id, payload, state, attempts, next_at, created_at)
           select id, ${topic}, ${key}, ${environment}, ${payload}, 'pending', 0, ${now}, ${now}
           from intents where ${rows} order by id`,
        )
        .compile(db),
  });
  const platformTopics = ["connector", "flow", "pipeline", "automation", "agent", "app"]
    .map((resource) => `when subject like '${resource}/%' then '${resource}.platform'`)
    .join(" ");
  return [
    move(
      "environment_id is not null",
      `case ${platformTopics} else subject end`,
      "'platform/' || environment_id",
      "environment_id",
      `'{"kind":' || ${quoted("kind")} || ',"subject":' || ${quoted("subject")} || ',"data":' || data || '}'`,
    ),
    move(
      "kind in ('file.put', 'file.remove')",
      "'file'",
      `subject || '/' || ${field("environmentId")}`,
      field("environmentId"),
      `'{"kind":' || ${quoted("kind")} || ',"path":' || ${quoted(field("path"))} ||
         ',"dataFolderId":' || ${quoted(idIn("files"))} || '}'`,
    ),
    move(
      "kind = 'summary.reconcile'",
      "'environment.summary'",
      `'summary/' || ${idIn("environment")}`,
      idIn("environment"),
      "'{}'",
    ),
    move(
      "kind = 'pipeline.free'",
      "'pipeline.free'",
      `'tables/' || ${idIn("pipeline")}`,
      field("environment_id"),
      `'{"environment_id":' || ${quoted(field("environment_id"))} ||
         ',"pipeline_id":' || ${quoted(idIn("pipeline"))} || '}'`,
    ),
  ];
}

/**
 * The rows of agents leave `releases`, which then belongs to automations. The moved rows keep their ids, positions and
 * versions.
 */
function agentEnvironments(db: Kysely<Tables>, engine: Database["name"]): Compilable[] {
  const raw = (text: string): Compilable => ({ compile: () => sql.raw(text).compile(db) });
  const columns = "position, id, key, version, environment_id, owner, state, doc, sealed";
  const ofAgents = "state in ('agent_release', 'agent_presence')";
  const scopes = ["'all'", "environment_id", "owner"];
  const tallies = ["releases", "agent_environments"].flatMap((list) =>
    scopes.flatMap((scope) =>
      [1_000_000, 10_000, 100].map((width) =>
        raw(
          `insert into tallies (list, width, bucket, n)
           select '${list}/' || ${scope}, ${width}, position / ${width}, count(*)
           from ${list} where ${scope} is not null group by 1, 3`,
        ),
      ),
    ),
  );
  return [
    ...createResourceTable(db, engine, "agent_environments"),
    raw(`insert into agent_environments (${columns}) select ${columns} from releases where ${ofAgents}`),
    raw(`delete from releases where ${ofAgents}`),
    raw(
      `update positions set next = (select next from positions where list = 'releases')
       where list = 'agent_environments'`,
    ),
    raw("delete from tallies where list like 'releases/%'"),
    ...tallies,
  ];
}

/** The caller that a run counts for when callers share the run slots. Older rows have none. */
function runCallers({ schema }: Kysely<Tables>): Compilable[] {
  return [
    schema.alterTable("jobs").addColumn("installed_by", "text"),
    schema.alterTable("runs").addColumn("caller", "text"),
    schema
      .createIndex("runs_waiting_by_caller")
      .on("runs")
      .columns(["caller", "environment_id", "not_before"])
      .where(sql.ref("not_before"), "is not", null),
  ];
}

/** PostgreSQL searches for copies of an event by its id; SQLite, with its single server, does so only after a crash. */
function signedEvents({ schema }: Kysely<Tables>, engine: Database["name"]): Compilable[] {
  const rejected = schema
    .createTable("rejected_events")
    .addColumn("arrival", "bigint", (c) => c.notNull())
    .addColumn("id", "text", (c) => c.notNull())
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("subject", "text", (c) => c.notNull())
    .addColumn("body", "text", (c) => c.notNull())
    .addColumn("mac", "text")
    .addColumn("reason", "text", (c) => c.notNull())
    .addColumn("rejected_at", "text", (c) => c.notNull());
  return [
    schema.alterTable("pending_events").addColumn("mac", "text"),
    rejected,
    ...(engine === "postgres" ? [schema.createIndex("events_by_id").on("events").column("id")] : []),
  ];
}

function secretScopes({ schema }: Kysely<Tables>): Compilable[] {
  return [
    schema
      .createTable("secret_scopes")
      .addColumn("scope", "text", (c) => c.primaryKey())
      .addColumn("environments", "text")
      .addColumn("roles", "text")
      .addColumn("updated_at", "text", (c) => c.notNull()),
  ];
}

/** Existing scopes may still be sent to any host. */
function hostsOfScopes(db: Kysely<Tables>): Compilable[] {
  const anywhere = JSON.stringify(["*"]);
  const withoutLimit = db
    .selectFrom("secrets")
    .select(["scope", sql.lit(anywhere).as("hosts"), (eb) => eb.fn.min("updated_at").as("updated_at")])
    .where("scope", "not in", (eb) => eb.selectFrom("secret_scopes").select("scope"))
    .groupBy("scope");
  return [
    db.schema.alterTable("secret_scopes").addColumn("hosts", "text"),
    db.updateTable("secret_scopes").set({ hosts: sql.lit(anywhere) }),
    db.insertInto("secret_scopes").columns(["scope", "hosts", "updated_at"]).expression(withoutLimit),
  ];
}

/** Roles by user and environment; they are deleted with the environment. */
function roleGrants({ schema }: Kysely<Tables>, engine: Database["name"]): Compilable[] {
  return [
    schema
      .createTable("role_grants")
      .addColumn("user_key", "text", (c) => c.notNull())
      .addColumn("environment_id", "text", (c) =>
        c.notNull().references("environments.id").onDelete("cascade"),
      )
      .addColumn("username", "text", (c) => c.notNull())
      .addColumn("role", "text", (c) => c.notNull())
      .addColumn("granted_by", "text", (c) => c.notNull())
      .addColumn("granted_at", plainText(engine), (c) => c.notNull())
      .addPrimaryKeyConstraint("role_grants_key", ["user_key", "environment_id"]),
    schema.createIndex("role_grants_of_environment").on("role_grants").column("environment_id"),
  ];
}

/** The resource tables of that version. */
const listedTables = [...firstResourceTables, "flows", "agent_environments"] as const;

/**
 * What lists are filtered and sorted by. A search reads only the index; the start fills the columns of rows that have
 * none, which the second index finds.
 */
function addListColumns(
  { schema }: Kysely<Tables>,
  engine: Database["name"],
  table: ResourceTableName,
): Compilable[] {
  const texts = ["name", "status", "updated_at", "created_by", "search_text"] as const;
  return [
    ...texts.map((column) =>
      schema.alterTable(table).addColumn(column, plainText(engine), (c) => c.notNull().defaultTo("")),
    ),
    schema.alterTable(table).addColumn("created_at", plainText(engine)),
    schema
      .createIndex(`${table}_by_list_columns`)
      .on(table)
      .columns(["position", "environment_id", "owner", "created_at", ...texts]),
    schema
      .createIndex(`${table}_without_list_columns`)
      .on(table)
      .column("position")
      .where(sql.ref("created_at"), "is", null),
  ];
}

/** The indexes find the logs that are not archived yet: an archived log has no first row. */
function retention(db: Kysely<Tables>): Compilable[] {
  const { schema } = db;
  const withFirstRow = (table: "run_log" | "deployment_log", column: string) =>
    schema.createIndex(`${table}_first_rows`).on(table).column(column).where(sql.ref("n"), "=", sql.lit(1));
  return [
    schema
      .createTable("event_start")
      .addColumn("id", "integer", (c) => c.primaryKey())
      .addColumn("sequence", "bigint", (c) => c.notNull())
      .addColumn("hash", "text", (c) => c.notNull())
      .addColumn("time", "text", (c) => c.notNull())
      .addColumn("mac", "text", (c) => c.notNull()),
    db.insertInto("event_start").values({ id: 1, sequence: 0, hash: "", time: "", mac: "" }),
    withFirstRow("run_log", "run_id"),
    withFirstRow("deployment_log", "deployment_id"),
  ];
}

/** Until now the key of a connector was its name alone; `connectorKey` makes the new keys. */
function connectorNames(db: Kysely<Tables>): Compilable[] {
  return [
    db
      .updateTable("connectors")
      .set({ key: sql<string>`environment_id || '/' || key` })
      .where("environment_id", "is not", null),
  ];
}

/** A run keeps the kind and the name of its job, which may be deleted. The names are JSON, as those of jobs. */
function runNames(db: Kysely<Tables>): Compilable[] {
  const { schema } = db;
  const ofJob = (column: "kind" | "name") =>
    sql<string | null>`(select ${sql.ref(`jobs.${column}`)} from jobs where jobs.id = runs.job_id)`;
  return [
    schema.alterTable("runs").addColumn("kind", "text"),
    schema.alterTable("runs").addColumn("name", "text"),
    schema.alterTable("runs").addColumn("quiet", "text"),
    db.updateTable("runs").set({ kind: ofJob("kind"), name: ofJob("name") }),
    // PostgreSQL indexes at most 2,700 bytes, and names have any length.
    { compile: () => sql`create index runs_by_name on runs (substr(name, 1, 200), id)`.compile(db) },
  ];
}

/** Installed settings are deleted with the environment. */
const installedSettings = ({ schema }: Kysely<Tables>): Compilable =>
  schema
    .createTable("installed_settings")
    .addColumn("environment_id", "text", (c) => c.notNull().references("environments.id").onDelete("cascade"))
    .addColumn("subject", "text", (c) => c.notNull())
    .addColumn("part", "text", (c) => c.notNull())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("reference", "text", (c) => c.notNull())
    .addColumn("settings", "text", (c) => c.notNull())
    .addColumn("installed_at", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("installed_settings_key", ["environment_id", "subject", "part"]);

/** Steps, checks and locks are deleted with their plan, and applied resources with their environment. */
function planTables(db: Kysely<Tables>, engine: Database["name"]): Compilable[] {
  const { schema } = db;
  return [
    ...createResourceTable(db, engine, "plans"),
    ...addListColumns(db, engine, "plans"),
    schema
      .createTable("plan_checks")
      .addColumn("plan_id", "text", (c) => c.primaryKey().references("plans.id").onDelete("cascade"))
      .addColumn("policies", "text", (c) => c.notNull())
      .addColumn("findings", "text", (c) => c.notNull()),
    schema
      .createTable("plan_steps")
      .addColumn("plan_id", "text", (c) => c.notNull().references("plans.id").onDelete("cascade"))
      .addColumn("position", "integer", (c) => c.notNull())
      .addColumn("action", "text", (c) => c.notNull())
      .addColumn("status", "text", (c) => c.notNull())
      .addColumn("error", "text")
      .addColumn("doc", "text", (c) => c.notNull())
      .addColumn("definition", "text")
      .addColumn("rests_on", "text", (c) => c.notNull())
      .addColumn("leads_to", "text", (c) => c.notNull())
      .addPrimaryKeyConstraint("plan_steps_key", ["plan_id", "position"]),
    schema
      .createTable("plan_locks")
      .addColumn("environment_id", "text", (c) =>
        c.primaryKey().references("environments.id").onDelete("cascade"),
      )
      .addColumn("plan_id", "text", (c) => c.notNull().references("plans.id").onDelete("cascade"))
      .addColumn("actor", "text", (c) => c.notNull())
      .addColumn("started_at", "text", (c) => c.notNull()),
    schema
      .createTable("applied_resources")
      .addColumn("environment_id", "text", (c) =>
        c.notNull().references("environments.id").onDelete("cascade"),
      )
      .addColumn("kind", "text", (c) => c.notNull())
      .addColumn("name", "text", (c) => c.notNull())
      .addColumn("project", "text", (c) => c.notNull())
      .addColumn("plan_id", "text", (c) => c.notNull())
      .addColumn("commit_id", "text")
      .addColumn("design_hash", "text", (c) => c.notNull())
      .addColumn("digest", "text", (c) => c.notNull())
      .addColumn("definition", "text", (c) => c.notNull())
      .addColumn("applied_at", "text", (c) => c.notNull())
      .addColumn("applied_by", "text", (c) => c.notNull())
      .addPrimaryKeyConstraint("applied_resources_key", ["environment_id", "kind", "name"]),
  ];
}

/**
 * A table of its own, because SQLite walks through a long document to reach a column behind it. The start of the server
 * fills it.
 */
function lineageTable({ schema }: Kysely<Tables>): Compilable[] {
  return [
    schema
      .createTable("lineage")
      .addColumn("environment_id", "text", (c) => c.notNull())
      .addColumn("kind", "text", (c) => c.notNull())
      .addColumn("resource_id", "text", (c) => c.notNull())
      .addColumn("declared", "text", (c) => c.notNull())
      .addColumn("code", "text")
      .addPrimaryKeyConstraint("lineage_key", ["environment_id", "kind", "resource_id"]),
  ];
}

function environmentRequests({ schema }: Kysely<Tables>): Compilable[] {
  return [
    schema
      .createTable("environment_requests")
      .addColumn("environment_id", "text", (c) =>
        c.primaryKey().references("environments.id").onDelete("cascade"),
      )
      .addColumn("version", "integer", (c) => c.notNull())
      .addColumn("doc", "text", (c) => c.notNull())
      .addColumn("body", "text", (c) => c.notNull()),
  ];
}

/** The counted tables of that version. */
const countedTables = [...listedTables, "drift", "plans"] as const;

/**
 * What is stored already is counted once; from then on each change counts what it writes. No identity is known for
 * existing rows.
 */
function storedUsage(db: Kysely<Tables>): Compilable[] {
  const raw = (text: string): Compilable => ({ compile: () => sql.raw(text).compile(db) });
  const insert = (select: string) =>
    raw(
      `insert into stored_usage (scope, kind, n, bytes) ${select}
       on conflict (scope, kind) do update set n = stored_usage.n + excluded.n, bytes = stored_usage.bytes + excluded.bytes`,
    );
  const size = (...columns: string[]) =>
    `cast(sum(${columns.map((column) => `coalesce(octet_length(${column}), 0)`).join(" + ")}) as bigint)`;
  const scope = (owner: string, without: string) =>
    `case when ${owner} is null then '${without}' else 'environment/' || ${owner} end`;
  const without = (table: string) => (table === "deployments" || table === "plans" ? "former" : "server");
  const beside = (table: string, kind: string, owner: string, n: string, bytes: string) =>
    insert(`select ${owner}, '${kind}', ${n}, ${bytes} from ${table} where true group by 1`);
  const ofParent = (table: string, parent: string, key: string, bytes: string, where = "true") =>
    insert(
      `select ${scope("parent.environment_id", without(parent))}, '${parent}', 0, ${bytes}
       from ${table} join ${parent} as parent on parent.id = ${table}.${key} where ${where} group by 1`,
    );
  return [
    db.schema
      .createTable("stored_usage")
      .addColumn("scope", "text", (c) => c.notNull())
      .addColumn("kind", "text", (c) => c.notNull())
      .addColumn("n", "bigint", (c) => c.notNull())
      .addColumn("bytes", "bigint", (c) => c.notNull())
      .addPrimaryKeyConstraint("stored_usage_key", ["scope", "kind"]),
    ...countedTables.flatMap((table) => [
      db.schema.alterTable(table).addColumn("charged_to", "text"),
      insert(
        `select ${scope("environment_id", without(table))}, '${table}', count(*), ${size("doc", "sealed")}
         from ${table} where true group by 1`,
      ),
    ]),
    beside("secrets", "secrets", "'environment/' || environment_id", "count(*)", size("value")),
    beside("role_grants", "roles", "'environment/' || environment_id", "count(*)", "0"),
    beside("secret_scopes", "secret_scopes", "'server'", "count(*)", "0"),
    beside("applied_resources", "plans", "'environment/' || environment_id", "0", size("definition")),
    beside(
      "release_designs",
      "releases",
      "'environment/' || environment_id",
      "0",
      size("definition", "sealed"),
    ),
    ofParent("deployment_log", "deployments", "deployment_id", size("chunk"), "n > 0"),
    ofParent("plan_steps", "plans", "plan_id", size("plan_steps.doc", "definition")),
    ofParent("plan_checks", "plans", "plan_id", size("policies")),
    raw(
      `insert into stored_usage (scope, kind, n, bytes)
       select scope, '', cast(sum(n) as bigint), cast(sum(bytes) as bigint) from stored_usage where true group by 1`,
    ),
  ];
}

function fileOwners({ schema }: Kysely<Tables>): Compilable[] {
  return [
    schema
      .createTable("file_owners")
      .addColumn("environment_id", "text", (c) => c.notNull())
      .addColumn("path", "text", (c) => c.notNull())
      .addColumn("bytes", "bigint", (c) => c.notNull())
      .addColumn("charged_to", "text")
      .addPrimaryKeyConstraint("file_owners_key", ["environment_id", "path"]),
  ];
}

function secretBindings({ schema }: Kysely<Tables>): Compilable[] {
  return [
    schema
      .createTable("secret_bindings")
      .addColumn("scope", "text", (c) => c.notNull())
      .addColumn("environment_id", "text", (c) => c.notNull())
      .addColumn("hosts", "text", (c) => c.notNull())
      .addColumn("updated_at", "text", (c) => c.notNull())
      .addPrimaryKeyConstraint("secret_bindings_key", ["scope", "environment_id"]),
  ];
}

/** The tables that must exist before anything can be counted or migrated. */
export function groundTables(db: Kysely<Tables>): Compilable[] {
  return [
    db.schema
      .createTable("schema_version")
      .ifNotExists()
      .addColumn("version", "integer", (c) => c.notNull()),
    db.schema
      .createTable("positions")
      .ifNotExists()
      .addColumn("list", "text", (c) => c.primaryKey())
      .addColumn("next", "bigint", (c) => c.notNull()),
    db.schema
      .createTable("tallies")
      .ifNotExists()
      .addColumn("list", "text", (c) => c.notNull())
      .addColumn("width", "integer", (c) => c.notNull())
      .addColumn("bucket", "bigint", (c) => c.notNull())
      .addColumn("n", "bigint", (c) => c.notNull())
      .addPrimaryKeyConstraint("tallies_key", ["list", "width", "bucket"]),
    db
      .insertInto("schema_version")
      .columns(["version"])
      .expression(
        db
          .selectNoFrom(sql.lit(0).as("version"))
          .where((eb) => eb.not(eb.exists(eb.selectFrom("schema_version").select("version")))),
      ),
  ];
}

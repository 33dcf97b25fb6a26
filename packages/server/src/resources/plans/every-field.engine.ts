import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { endpoints, type PlanKind, type PlanRequest } from "@lakehelm/contract";
import type { JsonSchema, Refs } from "@lakehelm/contract/schema";
import { isNightly } from "@lakehelm/testing/nightly";
import { startTestServer } from "../../testing/server.ts";
import { appliedPlan } from "./test-plans.ts";

type Json = { readonly [key: string]: unknown };

interface Sample {
  /** Definitions that together have a value in each field of the schema. */
  readonly bases: readonly Json[];
  /** Changed values by the path of the field, where a generated value would not be valid. */
  readonly values?: Json;
  /** Why a plan does not see a change of a field. */
  readonly notCompared?: Readonly<Record<string, string>>;
}

const initial = "It only counts when the resource is created.";
const elsewhere = "The embedded platform refuses it. Libraries are compared as a list.";
const named = "Another name is another resource.";

const task = {
  name: "load",
  depends_on: [],
  run_if: "all_success",
  condition: { left: "{{parameters.day}}", op: "==", right: "1" },
  for_each: { items: [1, 2], concurrency: 1 },
  parameters: { a: 1 },
  retries: 1,
  retry_seconds: 5,
  max_retry_seconds: 60,
  timeout_seconds: 30,
};
const tasks = [
  { ...task, kind: "connector", reference: "one" },
  { ...task, name: "sql", kind: "sql", query: "SELECT 1", parameters: {} },
  { ...task, name: "http", kind: "http", url: "https://api.example.test/", parameters: {} },
  { ...task, name: "python", kind: "python", script: "print(1)", parameters: {} },
  { ...task, name: "shell", kind: "shell", command: ["true"], parameters: {} },
];
const automation = {
  alias: "x",
  description: "About it",
  definition: {
    version: 1,
    description: "About it",
    tasks,
    schedule: { cron: "0 6 * * *", timezone: "UTC" },
    parameters: { day: "1" },
    overlap: false,
    max_concurrent_tasks: 2,
    timeout_seconds: 600,
    notifications: { on_success: [], on_failure: [], on_recovery: [] },
  },
};
const rows = "SELECT 1 AS id, 2 AS changed, DATE '2026-01-01' AS day";
const waits = { wait_after_last_change_seconds: 5, min_time_between_triggers_seconds: 5 };
const triggered = (trigger: Json) => {
  const { schedule: _, ...definition } = automation.definition;
  return { ...automation, definition: { ...definition, trigger } };
};

const samples: Readonly<Record<PlanKind, Sample>> = {
  connector: {
    bases: [
      {
        name: "x",
        target_type: "warehouse",
        target_config: { connection: { type: "csv", config: { path: "/tmp/x" } } },
        execution_mode: "batch",
        schedule_cron: "0 6 * * *",
        created_by: "ada",
        paused: false,
        table_update_config: { table_names: ["a"] },
        file_arrival_config: { path: "/tmp/x" },
        policy: {
          attempts: 2,
          backoff_seconds: 5,
          max_backoff_seconds: 60,
          timeout_seconds: 30,
          concurrency: 1,
        },
        datasets: [
          {
            source_dataset: "orders",
            target_name: "orders",
            primary_keys: ["id"],
            write_strategy: "upsert",
            watermark_column: "changed",
            custom_config: { on_added_column: "fail" },
          },
        ],
      },
    ],
    values: {
      target_type: "csv",
      target_config: { connection: { type: "csv", config: { path: "/tmp/y" } } },
      schedule_cron: "0 7 * * *",
      "datasets[].custom_config": { on_added_column: "ignore" },
    },
    notCompared: { name: named, created_by: initial, paused: initial },
  },
  pipeline: {
    bases: [
      {
        name: "x",
        libraries: [{ file: { path: "a.sql" } }, { notebook: { path: "b.sql" } }],
        clusters: [
          {
            label: "default",
            node_type_id: "a",
            driver_node_type_id: "a",
            num_workers: 1,
            autoscale: { min_workers: 1 },
            custom_tags: { a: "1" },
            spark_conf: { a: "1" },
            spark_env_vars: { a: "1" },
            enable_local_disk_encryption: false,
            instance_pool_id: "a",
          },
        ],
        notifications: [],
        id: "x",
        storage: "a",
        target: "a",
        schema: "a",
        catalog: "a",
        root_path: "a",
        configuration: { a: "1" },
        continuous: false,
        development: false,
        photon: false,
        serverless: false,
        channel: "CURRENT",
        edition: "ADVANCED",
        paused: false,
      },
      { name: "x", libraries: [{ file: { path: "a.sql" } }], serverless: true },
    ],
    values: { notifications: [{ email_recipients: ["ada@example.test"], alerts: ["on-update-failure"] }] },
    notCompared: {
      name: named,
      paused: initial,
      "libraries[].jar": elsewhere,
      "libraries[].maven": elsewhere,
      "libraries[].pypi": elsewhere,
      "libraries[].whl": elsewhere,
    },
  },
  flow: {
    bases: [
      {
        flow_name: "x",
        type: "consumption",
        source_tables: ["orders"],
        target_name: "daily",
        trigger_type: "scheduled",
        schedule: { cron: "0 6 * * *", timezone: "UTC" },
        matched_sql: rows,
        unmatched_sql: rows,
        recheck_sql: rows,
        sequence_by: "changed",
        business_date_column: "day",
        scd_type: 1,
        emit_surrogate_key: false,
        write_strategy: "merge_and_delete",
        max_delete_share: 0.5,
        close_missing_keys: false,
        check_severity: "warn",
        target_schema: {
          description: "About it",
          columns: [
            {
              name: "id",
              type: "int",
              description: "Key",
              pk: true,
              not_null: true,
              pii: false,
              glossary_terms: ["order"],
            },
            { name: "changed", type: "int" },
            { name: "day", type: "date" },
          ],
          foreign_keys: [
            { column: "id", parent_table: "orders", parent_column: "id", check_severity: "warn" },
          ],
        },
        cluster_by: ["id"],
        table_properties: { a: "1" },
        warehouse: "a",
        requested_by: "ada@example.test",
        paused: false,
      },
    ],
    notCompared: { flow_name: named, paused: initial },
  },
  agent: {
    bases: [{ name: "x", aliases: ["y"], description: "About it", source_path: "agents/x" }],
    notCompared: { name: named },
  },
  app: {
    bases: [{ name: "x", description: "About it", agent: "desk", source_path: "apps/x" }],
    notCompared: { name: named },
  },
  automation: {
    bases: [
      automation,
      triggered({ table_update: { table_names: ["a"], condition: "any", ...waits } }),
      triggered({ file_arrival: { path: "/tmp/x/*.csv", ...waits } }),
      triggered({ continuous: true }),
      { ...automation, definition: { ...automation.definition, description: "" } },
    ],
    values: {
      "definition.tasks[].kind": "pipeline",
      "definition.tasks[].depends_on": ["sql"],
      "definition.schedule.cron": "0 7 * * *",
      "definition.schedule.timezone": "Europe/Berlin",
    },
    notCompared: {
      alias: named,
      "definition.version": "There is one version.",
      "definition.trigger.continuous": "A trigger without it needs another one.",
    },
  },
};

const bodies: Readonly<Record<PlanKind, { jsonSchema(refs: Refs): JsonSchema }>> = {
  connector: endpoints.createConnector.body,
  pipeline: endpoints.createPipeline.body,
  flow: endpoints.createFlow.body,
  agent: endpoints.createAgent.body,
  app: endpoints.createApp.body,
  automation: endpoints.createAutomation.body,
};

interface Field {
  readonly path: string;
  readonly schema: JsonSchema;
}

/** The fields of a schema that have no fields of their own. */
function leaves(schema: JsonSchema, refs: Refs, path = ""): Field[] {
  const { $ref, anyOf, items, properties } = schema;
  if (typeof $ref === "string")
    return leaves(refs.get($ref.split("/").at(-1) ?? "") as JsonSchema, refs, path);
  if (Array.isArray(anyOf)) {
    const [only, ...more] = anyOf.filter(({ type }) => type !== "null");
    return only && more.length === 0 ? leaves(only, refs, path) : [{ path, schema }];
  }
  if (properties)
    return Object.entries(properties as Record<string, JsonSchema>).flatMap(([name, field]) =>
      leaves(field, refs, path === "" ? name : `${path}.${name}`),
    );
  const below = items ? leaves(items as JsonSchema, refs, `${path}[]`) : [];
  return below.some((field) => field.path !== `${path}[]`) ? below : [{ path, schema }];
}

/** A copy of a value in which the first value at a path is changed; undefined: there is no value at the path. */
function changedAt(
  value: unknown,
  [name, ...rest]: readonly string[],
  change: (value: unknown) => unknown,
): unknown {
  if (name === undefined) return value === undefined ? undefined : change(value);
  if (name === "[]") {
    const items = value as readonly unknown[];
    for (const [at, item] of items?.entries() ?? []) {
      const changed = changedAt(item, rest, change);
      if (changed !== undefined) return items.with(at, changed);
    }
    return undefined;
  }
  const changed = changedAt((value as Json | undefined)?.[name], rest, change);
  return changed === undefined ? undefined : { ...(value as Json), [name]: changed };
}

const stepsOf = (path: string) => path.replaceAll("[]", ".[]").split(".");

function another(value: unknown, { enum: values }: JsonSchema): unknown {
  if (Array.isArray(values)) return values.find((one) => one !== value);
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return value + 1;
  if (typeof value === "string") return `${value}2`;
  if (Array.isArray(value)) return [...value, value.length === 0 ? "more" : another(value[0], {})];
  return { ...(value as Json), more: "2" };
}

for (const kind of Object.keys(samples) as PlanKind[])
  test(`a plan sees a change of every field of the kind ${kind}, or it is said why not`, async (t) => {
    const { bases, values = {}, notCompared = {} } = samples[kind];
    const refs: Refs = new Map();
    const fields = leaves(bodies[kind].jsonSchema(refs), refs);
    const server = await startTestServer();
    t.after(server.close);
    const { client } = server;
    const { name: environment } = await client.createEnvironment({ body: { name: "here" } });
    const planOf = async (definition: Json) => {
      const resources = [{ kind, name: "x", definition }] as unknown as PlanRequest["resources"];
      const body = { environment, project: { name: "p" }, resources, policies: [], files: [], prune: false };
      const plan = await client.createPlan({ body });
      return { id: plan.id, isChange: plan.steps.length > 0 };
    };
    /** After an apply, nothing is left to change. Some generated values cannot run. */
    const requireApplied = async (plan: string, definition: Json, path: string) => {
      const { status } = await appliedPlan(client, plan).catch(() => ({ status: "refused" }));
      const isChange = status === "applied" && (await planOf(definition)).isChange;
      assert.equal(isChange, false, `${path}: the apply did not change it`);
    };
    if (kind === "app") await client.createAgent({ body: { name: "desk" } });
    /** For each field, why the plan has not seen a change yet. */
    const tried = new Map(fields.map(({ path }) => [path, ["no sample has it"]]));
    for (const base of bases) {
      const { status_reason } = await appliedPlan(client, (await planOf(base)).id);
      assert.equal((await planOf(base)).isChange, false, status_reason ?? "");
      for (const { path, schema } of fields) {
        const after = changedAt(base, stepsOf(path), (value) => values[path] ?? another(value, schema));
        if (after === undefined || !tried.has(path)) continue;
        const found = await planOf(after as Json).catch((error: Error) => error);
        if (found instanceof Error) tried.get(path)?.push(found.message);
        else if (found.isChange) {
          tried.delete(path);
          if (isNightly) {
            await requireApplied(found.id, after as Json, path);
            await appliedPlan(client, (await planOf(base)).id);
          }
        } else tried.get(path)?.push("the plan sees no change");
      }
    }
    assert.deepEqual([...tried.keys()].sort(), Object.keys(notCompared).sort(), inspect([...tried]));
  });

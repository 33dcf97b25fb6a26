import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { Job } from "./jobs.ts";
import { environmentParameter } from "./lists.ts";
import { planKinds } from "./plan-models.ts";
import { exampleJobId, jobKind, Run } from "./runs.ts";
import {
  dateTime,
  environmentFilter,
  environmentHeader,
  environmentId,
  exampleIds,
  exampleTime,
  nullableText,
} from "./shared.ts";

export const DownstreamItem = s.model("DownstreamItem", {
  kind: s.literal(...planKinds, "table").describe("The kind of the resource, or `table`."),
  name: s.string().describe("Its name; of a table, `catalog.schema.table`."),
  job_id: nullableText().describe("The job that runs it; null: it has none, as tables and apps."),
  via: s.string().describe("How it is reached, in a sentence."),
});
export type DownstreamItem = s.Infer<typeof DownstreamItem>;

const unknown = () =>
  s
    .list(s.string())
    .describe(
      "Pipelines and automations whose tables are not all known now, by name, so that something may be missing: their SQL has problems, they have libraries in Python that another system has not run yet, or their code is still being read.",
    );
const items = () =>
  s
    .list(DownstreamItem)
    .describe(
      "Tables that it writes, what reads them or uses it by name, and so on. At most 200, the nearest first.",
    );
const itemsTotal = () => s.integer().describe("The number of all that depend on it.");

const downstream = {
  items: [
    {
      kind: "table",
      name: "shop.sales.orders",
      job_id: null,
      via: "the connector orders-in writes it.",
    },
    {
      kind: "flow",
      name: "daily-revenue",
      job_id: "flow-019f0000-0000-7000-8000-00000000000b",
      via: "It reads shop.sales.orders.",
    },
  ],
  items_total: 2,
} as const;

const shared = { tag: "Jobs and runs", method: "GET", access: "viewer", needsData: true } as const;

export const getJobDownstream = endpoint({
  ...shared,
  path: "/api/v1/jobs/{job_id}/downstream",
  scope: "job",
  summary: "List what depends on a job",
  description:
    "What a failure of the job affects: the tables that it writes, the flows, pipelines, connectors and automations that read them, and what those write in turn. Empty for a job whose owner was deleted.",
  response: s.model("JobDownstream", { items: items(), items_total: itemsTotal(), unknown: unknown() }),
  errors: [404, 409],
  example: { response: { ...downstream, unknown: [] } },
});

export const TableFreshness = s.model("TableFreshness", {
  environment_id: environmentId(),
  name: s.string().describe("`catalog.schema.table`."),
  changed_at: dateTime().nullable().describe("When its rows last changed; null: it does not exist yet."),
  job_id: s.string().describe("The job that writes it."),
  job_kind: jobKind().describe("The kind of resource that writes it."),
  job_name: s.string().describe("Name of the resource that writes it."),
  due_at: dateTime()
    .nullable()
    .describe(
      "With a cron schedule: the first scheduled time since the table was last up to date; null: the job has no such schedule.",
    ),
  is_late: s
    .boolean()
    .describe("`due_at` was more than five minutes ago, or the last run of its job has failed."),
});
export type TableFreshness = s.Infer<typeof TableFreshness>;

export const RefusedResource = s.model("RefusedResource", {
  kind: s.literal("connector", "flow").describe("The kind of the resource."),
  id: s.string().describe("The id of the resource."),
  name: s.string().describe("The name of the resource."),
  environment_id: environmentId(),
  error_message: nullableText().describe("Why the platform refused it; null: it did not say why."),
});
export type RefusedResource = s.Infer<typeof RefusedResource>;

export const getOverview = endpoint({
  ...shared,
  path: "/api/v1/overview",
  scope: "list",
  summary: "Read the state of everything at once",
  description:
    "What a home page shows, in one request: jobs, the runs of the last 24 hours, how fresh the tables are, and what failing jobs affect.",
  headers: environmentFilter,
  query: environmentParameter,
  response: s.model("Overview", {
    jobs: s.list(Job).describe("The jobs, oldest first. At most 2,000."),
    jobs_total: s.integer().describe("The number of all jobs."),
    runs: s
      .list(Run)
      .describe(
        "Runs, newest first: the newest 1,000 of the last 24 hours, the failed ones of that time, at most 1,000, and the failed run of each job that has failed for longer.",
      ),
    tables: s
      .list(TableFreshness)
      .describe("Tables that jobs write: late ones first, then those that changed longest ago. At most 500."),
    tables_total: s.integer().describe("The number of all tables that jobs write."),
    affected: s
      .list(
        s.model("AffectedByJob", {
          job_id: s.string().describe("The job whose last run has failed."),
          items: items(),
          items_total: itemsTotal(),
        }),
      )
      .describe("What each failing job affects. Of the first 50 of them."),
    refused: s
      .list(RefusedResource)
      .describe(
        "Connectors and flows that the platform refused (`failed`): a flow has no job then, and a connector keeps its former one. At most 50 of each kind.",
      ),
    refused_total: s.integer().describe("The number of all refused connectors and flows."),
    unknown: unknown(),
    disk: s
      .model("DiskSpace", {
        free_bytes: s.integer().describe("Its free space."),
        reserve_bytes: s.integer().describe("What must stay free: `PLATFORM_DISK_RESERVE_MB`."),
        is_low: s.boolean().describe("Less than that is free: no run starts until there is more."),
      })
      .describe("The disk of the data folder."),
  }),
  errors: [404],
  example: {
    response: {
      jobs: [],
      jobs_total: 0,
      runs: [],
      tables: [
        {
          environment_id: exampleIds.environment,
          name: "shop.sales.orders",
          changed_at: exampleTime,
          job_id: exampleJobId,
          job_kind: "connector",
          job_name: "orders-in",
          due_at: "2026-03-02T06:00:00.000Z",
          is_late: false,
        },
      ],
      tables_total: 1,
      affected: [{ job_id: exampleJobId, ...downstream }],
      refused: [],
      refused_total: 0,
      unknown: [],
      disk: { free_bytes: 53_687_091_200, reserve_bytes: 268_435_456, is_low: false },
    },
  },
});

const LineageNode = s.model("LineageNode", {
  id: s
    .string()
    .describe(
      "Kind and name, such as `table/shop.sales.orders` or `connector/orders-in`. A resource whose tables come from different tables has one node for each query, such as `pipeline/clean#shop.sales.orders`.",
    ),
  kind: s.literal(...planKinds, "table").describe("The kind of the resource, or `table`."),
  name: s.string().describe("Its name; of a table, `catalog.schema.table`."),
  job_id: nullableText().describe("The job that runs it; null: it has none, as tables and apps."),
});

export const TableLineage = s.model("TableLineage", {
  nodes: s
    .list(LineageNode)
    .describe(
      "The table, what it comes from and what depends on it, the nearest first. At most 200 each way.",
    ),
  edges: s
    .list(
      s.model("LineageEdge", {
        from: s.string().describe("The `id` of the node that the data comes from."),
        to: s.string().describe("The `id` of the node that reads or gets it."),
      }),
    )
    .describe(
      "The ways of the data: from a table to what reads it, and from that to the tables that it writes.",
    ),
  is_complete: s
    .boolean()
    .describe("Whether these are all: false if there are more than 200 in a direction."),
  freshness: TableFreshness.nullable().describe(
    "Who writes the table, and when it last changed; null: no job writes it.",
  ),
  unknown: unknown(),
});
export type TableLineage = s.Infer<typeof TableLineage>;

export const getTableLineage = endpoint({
  tag: "Warehouse",
  method: "GET",
  access: "viewer",
  needsData: true,
  path: "/api/v1/catalog/lineage",
  scope: "header",
  summary: "Read where a table comes from and what depends on it",
  description:
    "The connectors, flows and pipelines that write the table, what those read, and so on; and the same for what reads it. Each table has what its own queries read, by the text of the SQL: views that a pipeline keeps to itself are replaced by what they read. The plan's impact goes by the same answer.",
  headers: environmentHeader,
  query: {
    table: s
      .string({ min: 1, max: 1000 })
      .describe(
        "The table, as `catalog.schema.table`. Shorter names get the environment's catalog and schema.",
      ),
  },
  response: TableLineage,
  errors: [404, 409],
  example: {
    response: {
      nodes: [
        { id: "table/shop.sales.orders", kind: "table", name: "shop.sales.orders", job_id: null },
        { id: "connector/orders-in", kind: "connector", name: "orders-in", job_id: exampleJobId },
      ],
      edges: [{ from: "connector/orders-in", to: "table/shop.sales.orders" }],
      is_complete: true,
      freshness: null,
      unknown: [],
    },
  },
});

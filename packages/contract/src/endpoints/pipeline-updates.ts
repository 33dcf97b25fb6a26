import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { getPipeline, PipelineResponse } from "./pipelines.ts";
import { dateTime, exampleIds, exampleTime } from "./shared.ts";

const text = () => s.string().nullable();
const count = () => s.integer({ ge: 0 });
const names = () => s.list(s.string()).default([]);

/** Kept without being part of the type, so that the server can say which one it does not know. */
const unknownKept: s.ModelOptions = { additional: true };

export const StartUpdateRequest = s
  .model(
    "StartUpdateRequest",
    {
      full_refresh: s
        .boolean()
        .default(false)
        .describe("Every table is emptied first, and streams are read from their beginning."),
      full_refresh_selection: names().describe("The same for these tables alone."),
      refresh_selection: names().describe(
        "Only these tables, by complete or short names; others stay as they are.",
      ),
      validate_only: s.boolean().default(false).describe("Reads and checks everything, and writes nothing."),
      reason: text().optional().describe("Why, for those who read it later."),
    },
    unknownKept,
  )
  .rule(({ full_refresh, validate_only, full_refresh_selection, refresh_selection }) => {
    const some = full_refresh_selection.length + refresh_selection.length > 0;
    if (validate_only && (full_refresh || some)) return "validate_only refreshes nothing";
    return full_refresh && some ? "full_refresh and a selection cannot be combined" : undefined;
  });
export type StartUpdateRequest = s.Infer<typeof StartUpdateRequest>;

const expectationAction = () =>
  s.literal("keep", "drop", "fail").describe("What becomes of a row that violates it, or of the update.");
const tableKind = () => s.literal("materialized_view", "streaming_table", "view", "statement");

const UpdatedTable = s.model("UpdatedTable", {
  name: s.string().describe("`catalog.schema.table`; of a statement, the table that it changes."),
  kind: tableKind(),
  state: s
    .literal("waiting", "running", "completed", "failed", "skipped", "excluded")
    .describe(
      "`skipped`: what it reads has failed, or the update ended before. `excluded`: not chosen for this update.",
    ),
  rows_added: count(),
  rows_updated: count(),
  rows_removed: count(),
  rows_dropped: count().describe("Rows that expectations kept out."),
  expectations: s.list(
    s.model("CheckedExpectation", {
      name: s.string(),
      action: expectationAction(),
      passed: count(),
      failed: count(),
    }),
  ),
  seconds: s.number(),
  error: text(),
  start_time: dateTime().nullable(),
  end_time: dateTime().nullable(),
});
export type UpdatedTable = s.Infer<typeof UpdatedTable>;

export const PipelineUpdate = s.model("PipelineUpdate", {
  update_id: s.string().describe("Also the id of its run: `/api/v1/runs/{update_id}/log` has its log."),
  pipeline_id: s.string(),
  state: s.literal("QUEUED", "RUNNING", "COMPLETED", "FAILED", "CANCELED"),
  cause: s.string().describe("`manual`, `live` (it is continuous), `retry`."),
  requested_by: text().describe("Null: nobody did, it is continuous."),
  reason: text(),
  full_refresh: s.boolean(),
  full_refresh_selection: s.list(s.string()),
  refresh_selection: s.list(s.string()),
  validate_only: s.boolean(),
  attempt: s.integer().describe("0 until it has started."),
  creation_time: dateTime(),
  start_time: dateTime().nullable(),
  end_time: dateTime().nullable(),
  seconds: s.number().describe("From its start to its end, or so far as it was last told."),
  rows_added: count(),
  rows_updated: count(),
  rows_removed: count(),
  rows_dropped: count(),
  tables: s.list(UpdatedTable).describe("In the order in which they run."),
  error: text().describe(
    "Why it failed: with problems in its code one line each, `path:line:column: message`.",
  ),
});
export type PipelineUpdate = s.Infer<typeof PipelineUpdate>;

export const PipelineEvent = s.model("PipelineEvent", {
  id: s.string().describe("`<update_id>/<n>`: its place in the history."),
  time: dateTime(),
  update_id: s.string(),
  kind: s.literal("update", "table", "expectation"),
  table: text().describe("Of a table or an expectation."),
  state: text().describe("What an update or a table has come to."),
  message: s.string(),
  details: s.map().describe("The numbers behind the message."),
});
export type PipelineEvent = s.Infer<typeof PipelineEvent>;

const PipelineProblem = s.model("PipelineProblem", {
  path: s.string(),
  line: s.integer(),
  column: s.integer(),
  message: s.string(),
});

const GraphTable = s.model("GraphTable", {
  name: s.string().describe("`catalog.schema.table`; of a statement, the table that it changes."),
  kind: tableKind(),
  path: s.string(),
  line: s.integer(),
  column: s.integer(),
  comment: text(),
  reads: s.list(s.string()).describe("Complete names, also of tables outside of the pipeline."),
  streams: s.list(s.string()).describe("Those of them that are read as streams."),
  columns: s.list(
    s.model("GraphColumn", {
      name: s.string(),
      type: text().describe("As Databricks calls it; null where only a run finds it out."),
      from: s.list(s.model("GraphSource", { table: s.string(), column: s.string() })),
    }),
  ),
  expectations: s.list(
    s.model("GraphExpectation", { name: s.string(), condition: s.string(), action: expectationAction() }),
  ),
});

const PipelineGraph = s.model("PipelineGraph", {
  problems: s.list(PipelineProblem).describe("Everything that keeps an update from running."),
  tables: s.list(GraphTable).describe("In the order in which they run."),
});

const updateId = "019f0000-0000-7000-8000-000000000012";
const update = {
  update_id: updateId,
  pipeline_id: exampleIds.pipeline,
  state: "COMPLETED",
  cause: "manual",
  requested_by: "ada@example.com",
  reason: null,
  full_refresh: false,
  full_refresh_selection: [],
  refresh_selection: [],
  validate_only: false,
  attempt: 1,
  creation_time: "2026-03-01T11:59:58.000Z",
  start_time: "2026-03-01T11:59:58.100Z",
  end_time: exampleTime,
  seconds: 1.9,
  rows_added: 41,
  rows_updated: 0,
  rows_removed: 0,
  rows_dropped: 2,
  tables: [
    {
      name: "shop.sales.orders_clean",
      kind: "streaming_table",
      state: "completed",
      rows_added: 41,
      rows_updated: 0,
      rows_removed: 0,
      rows_dropped: 2,
      expectations: [{ name: "valid_id", action: "drop", passed: 41, failed: 2 }],
      seconds: 0.2,
      error: null,
      start_time: "2026-03-01T11:59:59.000Z",
      end_time: "2026-03-01T11:59:59.200Z",
    },
  ],
  error: null,
};
const queued = {
  ...update,
  state: "QUEUED",
  attempt: 0,
  start_time: null,
  end_time: null,
  seconds: 0,
  rows_added: 0,
  rows_dropped: 0,
  tables: [],
};

const shared = { tag: "Pipelines" } as const;
const one = "/api/v1/pipelines/{pipeline_id}";
const limit = s.integer({ ge: 1, le: 1000 }).default(100).describe("How many to return at the most.");

export const startPipelineUpdate = endpoint({
  ...shared,
  method: "POST",
  path: `${one}/updates`,
  summary: "Start an update of a pipeline",
  description:
    "It waits for the end of one that is going on. A continuous pipeline that was stopped goes on from here, unless it is only validated. 409 where the platform cannot run the pipeline, and for a field that is not known: a misspelt `validate_only` must not write.",
  access: "operator",
  body: StartUpdateRequest,
  bodyOptional: true,
  response: PipelineUpdate,
  errors: [404, 409],
  creates: true,
  example: { body: { full_refresh_selection: ["orders_clean"] }, response: queued },
});

export const listPipelineUpdates = endpoint({
  ...shared,
  method: "GET",
  path: `${one}/updates`,
  summary: "List the updates of a pipeline, newest first",
  access: "viewer",
  query: {
    before: s.string().optional().describe("Only updates older than this one: the id of an update."),
    limit,
  },
  response: s.model("PipelineUpdatePage", {
    updates: s.list(PipelineUpdate),
    next_before: text().describe("The `before` of the next page; null: this was the last."),
  }),
  errors: [404],
  example: { response: { updates: [update], next_before: null } },
});

export const getPipelineUpdate = endpoint({
  ...shared,
  method: "GET",
  path: `${one}/updates/{update_id}`,
  summary: "Read an update of a pipeline",
  access: "viewer",
  response: PipelineUpdate,
  errors: [404],
  example: { response: update },
});

export const stopPipeline = endpoint({
  ...shared,
  method: "POST",
  path: `${one}/stop`,
  summary: "Stop a pipeline",
  description:
    "Its updates are cancelled, those that wait included. A continuous one then stays stopped, whatever is changed in it, until somebody starts an update. Stopping twice changes nothing.",
  access: "operator",
  body: s.model("StopPipelineRequest", { reason: text().optional() }),
  bodyOptional: true,
  response: PipelineResponse,
  errors: [404, 409],
  versioned: true,
  example: { body: { reason: "migration tonight" }, response: getPipeline.example.response },
});

export const listPipelineEvents = endpoint({
  ...shared,
  method: "GET",
  path: `${one}/events`,
  summary: "Read what happened in a pipeline's updates, oldest first",
  description:
    "Updates, their tables and their expectations, for as long as runs are kept. An update that begins again, because a server or the engine was lost, tells it: `RUNNING`, with the number of the attempt and the reason in `details`.",
  access: "viewer",
  query: {
    after: s.string().optional().describe("Only what came after this one: the id of an event."),
    update_id: s.string().optional().describe("Only those of this update."),
    limit,
  },
  response: s.model("PipelineEventPage", {
    events: s.list(PipelineEvent),
    next_after: text().describe("The `after` of the next page; null: there is nothing yet."),
  }),
  errors: [400, 404],
  example: {
    response: {
      events: [
        {
          id: `${updateId}/3`,
          time: "2026-03-01T11:59:59.200Z",
          update_id: updateId,
          kind: "table",
          table: "shop.sales.orders_clean",
          state: "completed",
          message: "shop.sales.orders_clean: 41 rows added, 2 dropped.",
          details: { rows_added: 41, rows_updated: 0, rows_removed: 0, rows_dropped: 2, seconds: 0.2 },
        },
      ],
      next_after: `${updateId}/3`,
    },
  },
});

export const getPipelineGraph = endpoint({
  ...shared,
  method: "GET",
  path: `${one}/graph`,
  summary: "Show the tables of a pipeline, what they read, and where their columns come from",
  description:
    "Read from its files as they are now. Nothing is run. What is wrong with them is in `problems`.",
  access: "viewer",
  response: PipelineGraph,
  errors: [404, 409],
  needsData: true,
  example: {
    response: {
      problems: [],
      tables: [
        {
          name: "shop.sales.orders_clean",
          kind: "streaming_table",
          path: "pipelines/orders.sql",
          line: 1,
          column: 1,
          comment: null,
          reads: ["shop.sales.orders"],
          streams: ["shop.sales.orders"],
          columns: [
            { name: "order_id", type: "BIGINT", from: [{ table: "shop.sales.orders", column: "order_id" }] },
          ],
          expectations: [{ name: "valid_id", condition: "order_id > 0", action: "drop" }],
        },
      ],
    },
  },
});

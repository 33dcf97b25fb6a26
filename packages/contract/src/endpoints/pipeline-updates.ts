import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { nextBefore, nextHistoryCursor } from "./lists.ts";
import { getPipeline, PipelineResponse } from "./pipelines.ts";
import { newestFirst } from "./runs.ts";
import { dateTime, exampleIds, exampleTime, nullableText } from "./shared.ts";

const count = () => s.integer({ ge: 0 });
const names = () => s.list(s.string()).default([]);

/** Unknown fields are kept, but are not part of the type, so that the server can name them in an error. */
const keepUnknownFields: s.ModelOptions = { additional: true };

export const StartUpdateRequest = s
  .model(
    "StartUpdateRequest",
    {
      full_refresh: s
        .boolean()
        .default(false)
        .describe("Empties every table first and reads streams from the beginning."),
      full_refresh_selection: names().describe("Does a full refresh of these tables only."),
      refresh_selection: names().describe("Updates only these tables, by full or short name."),
      validate_only: s.boolean().default(false).describe("Reads and checks everything, but writes nothing."),
      reason: nullableText().optional().describe("Why the update is started."),
    },
    keepUnknownFields,
  )
  .rule(({ full_refresh, validate_only, full_refresh_selection, refresh_selection }) => {
    const some = full_refresh_selection.length + refresh_selection.length > 0;
    if (validate_only && (full_refresh || some)) {
      const expected = "false, or no full_refresh and no selection";
      return { message: "validate_only refreshes nothing", at: "validate_only", expected };
    }
    if (!full_refresh || !some) return undefined;
    const expected = "false, or no selection";
    return { message: "full_refresh and a selection cannot be combined", at: "full_refresh", expected };
  });
export type StartUpdateRequest = s.Infer<typeof StartUpdateRequest>;

const expectationAction = () =>
  s.literal("keep", "drop", "fail").describe("What happens to a row that violates it, or to the update.");
const tableKind = () => s.literal("materialized_view", "streaming_table", "view", "statement");

const UpdatedTable = s.model("UpdatedTable", {
  name: s.string().describe("`catalog.schema.table`. For a statement: the table that it changes."),
  kind: tableKind().describe("How the table is declared; `statement` is a plain statement such as INSERT."),
  state: s
    .literal("waiting", "running", "completed", "failed", "skipped", "excluded")
    .describe(
      "`skipped`: a table that it reads has failed, or the update ended first. `excluded`: not selected for this update.",
    ),
  rows_added: count().describe("Number of rows that were added."),
  rows_updated: count().describe("Number of rows that were changed in place."),
  rows_removed: count().describe("Number of rows that were deleted."),
  rows_dropped: count().describe("Rows that were dropped by expectations."),
  expectations: s
    .list(
      s.model("CheckedExpectation", {
        name: s.string().describe("Name of the constraint."),
        action: expectationAction(),
        passed: count().describe("Number of rows that met it."),
        failed: count().describe("Number of rows that violated it."),
      }),
    )
    .describe("What was checked on its rows, with the numbers of this update."),
  seconds: s.number().describe("How long it took."),
  error: nullableText().describe("Why it failed; null: it did not."),
  start_time: dateTime().nullable().describe("When it started; null: it did not start."),
  end_time: dateTime().nullable().describe("When it ended; null: it has not ended."),
});
export type UpdatedTable = s.Infer<typeof UpdatedTable>;

const updateState = () => s.literal("QUEUED", "RUNNING", "COMPLETED", "FAILED", "CANCELED");

export const PipelineUpdate = s.model("PipelineUpdate", {
  update_id: s.string().describe("Also the id of its run: read its log at `/api/v1/runs/{update_id}/log`."),
  pipeline_id: s.string().describe("Id of the pipeline."),
  state: updateState().describe("The last three are final."),
  cause: s.string().describe("`manual`, `live` (a continuous pipeline) or `retry`."),
  requested_by: nullableText().describe(
    "Null if the pipeline is continuous and nobody requested the update.",
  ),
  reason: nullableText().describe("Why it was started, as sent; null: nobody said."),
  full_refresh: s.boolean().describe("Whether every table was emptied first."),
  full_refresh_selection: s
    .list(s.string())
    .describe("The tables that were emptied first. Empty: none by name."),
  refresh_selection: s.list(s.string()).describe("The only tables to update. Empty: all."),
  validate_only: s.boolean().describe("Whether it only checks and writes nothing."),
  attempt: s.integer().describe("0 until the update starts."),
  creation_time: dateTime().describe("When it was requested."),
  start_time: dateTime().nullable().describe("When its first attempt started; null: it is queued."),
  end_time: dateTime().nullable().describe("When it ended; null: it has not ended."),
  seconds: s.number().describe("Duration, or the time until the last progress report."),
  rows_added: count().describe("Number of rows that were added to all tables."),
  rows_updated: count().describe("Number of rows that were changed in all tables."),
  rows_removed: count().describe("Number of rows that were deleted from all tables."),
  rows_dropped: count().describe("Number of rows that expectations dropped in all tables."),
  tables: s.list(UpdatedTable).describe("In execution order."),
  error: nullableText().describe(
    "Why the update failed. Each problem in the code is one line: `path:line:column: message`.",
  ),
});
export type PipelineUpdate = s.Infer<typeof PipelineUpdate>;

export const PipelineEvent = s.model("PipelineEvent", {
  id: s.string().describe("`<update_id>/<n>`: the position in the history."),
  time: dateTime().describe("When it happened."),
  update_id: s.string().describe("Id of the update that it belongs to."),
  kind: s
    .literal("update", "table", "expectation")
    .describe("What it is about: the update as a whole, one table, or one expectation."),
  table: nullableText().describe("The table of a table or expectation event."),
  state: nullableText().describe("The new state of the update or table."),
  message: s.string().describe("What happened, in one sentence."),
  details: s.map().describe("The numbers behind the message."),
});
export type PipelineEvent = s.Infer<typeof PipelineEvent>;

const PipelineProblem = s.model("PipelineProblem", {
  path: s.string().describe("File in the workspace folder."),
  line: s.integer().describe("Line in that file, from 1."),
  column: s.integer().describe("Column in that line, from 1."),
  message: s.string().describe("What is wrong, and often what to write instead."),
});

const GraphTable = s.model("GraphTable", {
  name: s.string().describe("`catalog.schema.table`. For a statement: the table that it changes."),
  kind: tableKind().describe("How it is declared; `statement` is a plain statement such as INSERT."),
  path: s.string().describe("File that declares it. Empty: the platform does not say."),
  line: s.integer().describe("Line of the declaration, from 1; 0: the platform does not say."),
  column: s.integer().describe("Column of the declaration, from 1; 0: the platform does not say."),
  comment: nullableText().describe("Its COMMENT; null: none."),
  reads: s.list(s.string()).describe("Full names, including tables outside the pipeline."),
  streams: s.list(s.string()).describe("The tables among them that are read as streams."),
  columns: s
    .list(
      s.model("GraphColumn", {
        name: s.string().describe("Name of the column."),
        type: nullableText().describe("In Databricks SQL; null if only a run can determine it."),
        from: s
          .list(
            s.model("GraphSource", {
              table: s.string().describe("Full name of the table that is read."),
              column: s.string().describe("Name of its column."),
            }),
          )
          .describe("The columns that its values are computed from. Empty for constants."),
      }),
    )
    .describe("Its columns, and where their values come from."),
  expectations: s
    .list(
      s.model("GraphExpectation", {
        name: s.string().describe("Name of the constraint."),
        condition: s.string().describe("What must be true for each row, in SQL."),
        action: expectationAction(),
      }),
    )
    .describe("The conditions on its rows."),
});

const PipelineGraph = s.model("PipelineGraph", {
  problems: s.list(PipelineProblem).describe("Everything that prevents an update."),
  tables: s.list(GraphTable).describe("In execution order."),
});
export type PipelineGraph = s.Infer<typeof PipelineGraph>;

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
const limit = s.integer({ ge: 1, le: 1000 }).default(100).describe("Maximum number of items to return.");

export const startPipelineUpdate = endpoint({
  isBounded: true,
  ...shared,
  method: "POST",
  changes: "operation",
  path: `${one}/updates`,
  scope: "pipeline",
  summary: "Start an update of a pipeline",
  description:
    "Waits until an update in progress ends. Resumes a stopped continuous pipeline, unless it only validates. Returns 409 if the platform cannot run the pipeline, and for an unknown field: a misspelled `validate_only` must not write.",
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
  scope: "pipeline",
  summary: "List the updates of a pipeline",
  access: "viewer",
  query: {
    ...newestFirst,
    before: s.string().optional().describe("Only updates older than the update with this id."),
    limit,
    state: updateState().optional().describe("Only updates in this state."),
    owner: newestFirst.owner.describe("Only updates that this caller requested."),
  },
  response: s.model("PipelineUpdatePage", {
    updates: s.list(PipelineUpdate).describe("The updates on this page."),
    next_before: nullableText().describe(nextBefore),
    next_cursor: nextHistoryCursor(),
  }),
  errors: [404],
  example: { response: { updates: [update], next_before: null, next_cursor: null } },
});

export const getPipelineUpdate = endpoint({
  ...shared,
  method: "GET",
  path: `${one}/updates/{update_id}`,
  scope: "pipeline",
  summary: "Read an update of a pipeline",
  access: "viewer",
  response: PipelineUpdate,
  errors: [404],
  example: { response: update },
});

export const stopPipeline = endpoint({
  isBounded: true,
  ...shared,
  method: "POST",
  changes: "operation",
  path: `${one}/stop`,
  scope: "pipeline",
  summary: "Stop a pipeline",
  description:
    "Cancels its updates, including queued ones. A continuous pipeline then stays stopped, even if it is changed, until an update is started. Stopping twice changes nothing.",
  access: "operator",
  body: s.model("StopPipelineRequest", {
    reason: nullableText().optional().describe("Why it is stopped, for people."),
  }),
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
  scope: "pipeline",
  summary: "List the events of a pipeline's updates, oldest first",
  description:
    "Events of updates, tables and expectations, kept as long as the runs. If an update restarts because a server or the engine was lost, there is another `RUNNING` event with the attempt number and the reason in `details`.",
  access: "viewer",
  query: {
    after: s.string().optional().describe("Only events after the event with this id."),
    update_id: s.string().optional().describe("Only events of this update."),
    limit,
  },
  response: s.model("PipelineEventPage", {
    events: s.list(PipelineEvent).describe("The events on this page, oldest first."),
    next_after: nullableText().describe("`after` of the next page; null: there are no events yet."),
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
  scope: "pipeline",
  summary: "Get a pipeline's graph: its tables, what they read, and the lineage of their columns",
  description:
    "Computed from the current files; nothing runs. Errors in the files are in `problems`. A platform that runs pipelines itself answers from the log of the last update, without columns and expectations.",
  access: "viewer",
  query: {
    types: s
      .boolean()
      .default(true)
      .describe(
        "False: `type` of columns is null, and `problems` has only what the text says. For pipelines with thousands of tables this takes a second instead of a minute.",
      ),
  },
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

/** Actions on a connector: check it, discover datasets, preview a run, list and retry rejected rows. */
import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { queuedRun, Run } from "./runs.ts";
import { dateTime, exampleIds, exampleTime, paging, total } from "./shared.ts";

const shared = {
  tag: "Connectors",
  method: "POST",
  access: "operator",
  errors: [404, 409],
  needsData: true,
} as const;
const one = "/api/v1/connectors/{connector_id}";

export const checkConnector = endpoint({
  isBounded: true,
  ...shared,
  path: `${one}/check`,
  scope: "connector",
  effect: "connects to another system",
  changes: "nothing",
  summary: "Check a connector's connection",
  description:
    "Checks that the system can be reached and that each dataset can be read or written. Changes nothing.",
  response: s.model("ConnectorCheck", {
    ok: s.boolean().describe("True if every finding is ok."),
    findings: s
      .list(
        s.model("Finding", {
          ok: s.boolean().describe("Whether this step succeeded."),
          sentence: s.string().describe("What was tried, or what is wrong and what to do."),
        }),
      )
      .describe("One for each step, in order. If it cannot connect, there is only that one."),
  }),
  example: {
    response: {
      ok: false,
      findings: [
        { ok: true, sentence: "Can connect to crm at db.internal:5432 as loader." },
        { ok: false, sentence: "loader may not write to public.orders." },
      ],
    },
  },
});

const OfferedDataset = s.model("OfferedDataset", {
  name: s.string().describe("The name to use in `source_dataset` or `target_name`."),
  columns: s
    .list(
      s.model("OfferedColumn", {
        name: s.string().describe("Name of the column."),
        type: s.string().describe("The type in the warehouse, in Databricks SQL."),
        origin: s.string().describe("The type in the connected system."),
        nullable: s.boolean().describe("Whether it may contain NULL."),
      }),
    )
    .describe("In the order of the dataset."),
  primary_keys: s
    .list(s.string())
    .describe("The columns that identify a row. Empty if the system declares none."),
  watermark_candidates: s
    .list(s.string())
    .describe("Columns whose values increase when a row changes, best candidates first."),
  rows: s.integer().nullable().describe("Number of rows, if it is known without counting."),
});

export const discoverConnector = endpoint({
  isBounded: true,
  ...shared,
  path: `${one}/discover`,
  scope: "connector",
  effect: "connects to another system",
  changes: "nothing",
  summary: "List the datasets of the connected system",
  response: s.model("ConnectorOffer", {
    datasets: s.list(OfferedDataset).describe("The tables, files or paths that can be read or written."),
  }),
  example: {
    response: {
      datasets: [
        {
          name: "public.orders",
          columns: [
            { name: "order_id", type: "BIGINT", origin: "bigint", nullable: false },
            { name: "updated_at", type: "TIMESTAMP", origin: "timestamptz", nullable: false },
          ],
          primary_keys: ["order_id"],
          watermark_candidates: ["updated_at"],
          rows: 128,
        },
      ],
    },
  },
});

const RejectedRow = {
  reason: s.string().describe("Why the target did not accept it."),
  row: s.map().describe("The row, as far as it could be read."),
};

const DatasetPreview = s.model("DatasetPreview", {
  dataset_id: s.string().describe("Id of the dataset."),
  source_dataset: s.string().describe("What the run would read."),
  target_name: s.string().describe("What the run would write."),
  insert: s.integer().describe("Number of rows to insert."),
  update: s.integer().describe("Number of rows to update."),
  delete: s.integer().describe("Number of rows to delete."),
  unchanged: s.integer().describe("Number of rows that are already in the target as they are."),
  rejected: s.integer().describe("Number of rows that the target would not accept."),
  rejects: s.list(s.model("PreviewReject", RejectedRow)).describe("The first rejected rows."),
  samples: s
    .list(
      s.model("PreviewSample", {
        action: s.string().describe("`insert`, `update` or `delete`."),
        row: s.map().describe("The row by column name. Of a row to delete, only its key."),
      }),
    )
    .describe("The first rows of each action."),
  schema: s.list(s.string()).describe("Changes that the run would make to the table's schema."),
  warnings: s
    .list(s.string())
    .describe(
      "What you should know before the run, for example that it would fail because of `max_delete_share`.",
    ),
});

export const previewConnector = endpoint({
  isBounded: true,
  ...shared,
  path: `${one}/preview`,
  scope: "connector",
  effect: "connects to another system",
  changes: "nothing",
  summary: "Preview the next run",
  description: "Previews all datasets or one. Reads and compares rows, and writes nothing.",
  body: s.model("PreviewRequest", {
    dataset_id: s.string().optional().describe("Id of a dataset of this connector. Absent: all."),
  }),
  bodyOptional: true,
  response: s.model("ConnectorPreview", {
    datasets: s.list(DatasetPreview).describe("The preview of each dataset."),
  }),
  example: {
    body: { dataset_id: exampleIds.dataset },
    response: {
      datasets: [
        {
          dataset_id: exampleIds.dataset,
          source_dataset: "shop.sales.orders",
          target_name: "orders",
          insert: 2,
          update: 1,
          delete: 0,
          unchanged: 125,
          rejected: 0,
          rejects: [],
          samples: [{ action: "insert", row: { order_id: 129, amount: "12.50" } }],
          schema: ["add the column note (VARCHAR) to orders"],
          warnings: [],
        },
      ],
    },
  },
});

const RejectList = s.model("RejectList", {
  rejects: s
    .list(
      s.model("StoredReject", {
        id: s.string().describe("Id of the reject."),
        dataset_id: s.string().describe("Id of the dataset that the row belongs to."),
        target_name: s.string().describe("The table that did not accept it."),
        run_id: s.string().describe("Id of the run that tried to write it."),
        time: dateTime().describe("When it was rejected."),
        ...RejectedRow,
      }),
    )
    .describe("The rejected rows on this page, oldest first."),
  total: total(),
});

export const listRejects = endpoint({
  ...shared,
  method: "GET",
  path: `${one}/rejects`,
  scope: "connector",
  summary: "List a connector's rejected rows",
  access: "viewer",
  query: paging,
  response: RejectList,
  example: {
    response: {
      rejects: [
        {
          id: "019f0000-0000-7000-8000-000000000010",
          dataset_id: exampleIds.dataset,
          target_name: "orders",
          run_id: queuedRun.id,
          time: exampleTime,
          reason: 'the column "amount": twelve is not a DECIMAL(12,2)',
          row: { order_id: 129, amount: "twelve" },
        },
      ],
      total: 1,
    },
  },
});

export const retryRejects = endpoint({
  isBounded: true,
  tag: "Connectors",
  method: "POST",
  changes: "operation",
  access: "operator",
  errors: [404, 409],
  path: `${one}/rejects/retry`,
  scope: "connector",
  summary: "Retry the rejected rows",
  description: "Starts a run that includes them. Rows that it accepts are removed from the list.",
  response: Run,
  creates: true,
  example: { response: queuedRun },
});

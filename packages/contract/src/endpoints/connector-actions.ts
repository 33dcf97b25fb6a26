/** Actions on a connector: check it, discover datasets, preview a run, list and retry rejected rows. */
import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { queuedRun, Run } from "./runs.ts";
import { dateTime, exampleIds, exampleTime, paging } from "./shared.ts";

const shared = {
  tag: "Connectors",
  method: "POST",
  access: "operator",
  errors: [404, 409],
  needsData: true,
} as const;
const one = "/api/v1/connectors/{connector_id}";

export const checkConnector = endpoint({
  ...shared,
  path: `${one}/check`,
  summary: "Check a connector's connection",
  description:
    "Checks that the system can be reached and that each dataset can be read or written. Changes nothing.",
  response: s.model("ConnectorCheck", {
    ok: s.boolean().describe("True if every finding is ok."),
    findings: s.list(s.model("Finding", { ok: s.boolean(), sentence: s.string() })),
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
  columns: s.list(
    s.model("OfferedColumn", {
      name: s.string(),
      type: s.string().describe("The type in the warehouse, in Databricks SQL."),
      origin: s.string().describe("The type in the connected system."),
      nullable: s.boolean(),
    }),
  ),
  primary_keys: s.list(s.string()),
  watermark_candidates: s
    .list(s.string())
    .describe("Columns whose values increase when a row changes, best candidates first."),
  rows: s.integer().nullable().describe("Number of rows, if it is known without counting."),
});

export const discoverConnector = endpoint({
  ...shared,
  path: `${one}/discover`,
  summary: "List the datasets of the connected system",
  response: s.model("ConnectorOffer", { datasets: s.list(OfferedDataset) }),
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

const RejectedRow = { reason: s.string(), row: s.map().describe("The row, as far as it could be read.") };

const DatasetPreview = s.model("DatasetPreview", {
  dataset_id: s.string(),
  source_dataset: s.string(),
  target_name: s.string(),
  insert: s.integer(),
  update: s.integer(),
  delete: s.integer(),
  unchanged: s.integer(),
  rejected: s.integer(),
  rejects: s.list(s.model("PreviewReject", RejectedRow)).describe("The first rejected rows."),
  samples: s.list(s.model("PreviewSample", { action: s.string(), row: s.map() })),
  schema: s.list(s.string()).describe("Changes that the run would make to the table's schema."),
});

export const previewConnector = endpoint({
  ...shared,
  path: `${one}/preview`,
  summary: "Preview the next run",
  description: "Previews all datasets or one. Reads and compares rows, and writes nothing.",
  body: s.model("PreviewRequest", { dataset_id: s.string().optional() }),
  bodyOptional: true,
  response: s.model("ConnectorPreview", { datasets: s.list(DatasetPreview) }),
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
        },
      ],
    },
  },
});

const RejectList = s.model("RejectList", {
  rejects: s.list(
    s.model("StoredReject", {
      id: s.string(),
      dataset_id: s.string(),
      target_name: s.string(),
      run_id: s.string(),
      time: dateTime(),
      ...RejectedRow,
    }),
  ),
  total: s.integer(),
});

export const listRejects = endpoint({
  ...shared,
  method: "GET",
  path: `${one}/rejects`,
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
  tag: "Connectors",
  method: "POST",
  access: "operator",
  errors: [404, 409],
  path: `${one}/rejects/retry`,
  summary: "Retry the rejected rows",
  description: "Starts a run that includes them. Rows that it accepts are removed from the list.",
  response: Run,
  creates: true,
  example: { response: queuedRun },
});

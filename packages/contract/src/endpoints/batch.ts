import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { connector } from "./connectors.ts";

/** The headers that an operation of a batch may have, in lower case. */
export const batchHeaders = ["if-match", "idempotency-key", "x-environment-id"] as const;

/** The most operations of a batch. */
export const maxOperations = 1000;

const BatchOperation = s.model("BatchOperation", {
  id: s.string({ min: 1, max: 100 }).optional().describe("Your name for it, returned with its result."),
  method: s.literal("POST", "PUT", "PATCH", "DELETE").describe("The method of the request."),
  path: s
    .string({ min: 1, max: 4000 })
    .describe("The path of the request with its query, such as `/api/v1/connectors/`."),
  headers: s
    .map(s.string())
    .default({})
    .describe("`If-Match`, `Idempotency-Key` and `X-Environment-Id` of the request."),
  body: s.any().optional().describe("The JSON body of the request."),
});

const BatchResult = s.model("BatchResult", {
  id: s.string().nullable().describe("The `id` of the operation."),
  status: s
    .integer()
    .nullable()
    .describe("The status that the request would have alone; null: it was not carried out."),
  headers: s.map(s.string()).describe("`etag`, `idempotency-replayed` and `retry-after` of the answer."),
  body: s.any().describe("The body of the answer; null if the operation was not carried out."),
});

export const runBatch = endpoint({
  tag: "System",
  method: "POST",
  changes: "nothing",
  path: "/api/v1/batch",
  scope: "any",
  summary: "Carry out up to 1,000 writes",
  description:
    "Each operation is authorized, validated, limited and recorded as if it were sent alone, in order. With `all_or_nothing` they are one transaction: after the first failure nothing is written. Operations with effects outside the database are refused then. With `each`, every operation counts for itself. The status is 200 whenever the batch was read: look at `committed`.",
  access: "viewer",
  needsData: true,
  body: s.model("BatchRequest", {
    mode: s
      .literal("all_or_nothing", "each")
      .describe("Whether the operations are one transaction, or each for itself."),
    operations: s.list(BatchOperation).describe("1 to 1,000 operations."),
  }),
  bodyLimit: "codegen",
  response: s.model("BatchResponse", {
    committed: s
      .boolean()
      .describe(
        "With `all_or_nothing`, whether everything was written. With `each`, whether all operations succeeded. False in a dry run.",
      ),
    failed: s
      .integer()
      .nullable()
      .describe("The position of the first operation that failed, from 0; null: none did."),
    results: s.list(BatchResult).describe("One for each operation, in their order."),
  }),
  example: {
    body: {
      mode: "all_or_nothing",
      operations: [
        {
          id: "crm",
          method: "POST",
          path: "/api/v1/connectors/",
          body: { name: "orders-to-crm", target_type: "csv", target_config: null, created_by: "ada" },
        },
      ],
    },
    response: {
      committed: true,
      failed: null,
      results: [{ id: "crm", status: 200, headers: { etag: '"1"' }, body: connector }],
    },
  },
});

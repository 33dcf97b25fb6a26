import * as s from "../schema/index.ts";

export const nullableText = () => s.string().nullable();
export const optionalText = () => s.string().optional();
export const dateTime = () => s.string({ format: "date-time" });

/** Fields that many resources and answers have. */
export const createdAt = () => dateTime().describe("When it was created.");
export const updatedAt = () =>
  dateTime().describe("When it was last changed; at first, when it was created.");
export const createdBy = () =>
  s
    .string()
    .describe("The caller who created it: a user, a client, or `internal-service` for the service token.");
export const updatedBy = () => nullableText().describe("Who last changed it; null: nobody yet.");
export const environmentId = () => s.string().describe("Id of the environment that it belongs to.");
export const total = () => s.integer().describe("Number of all items that match, on all pages.");
export const success = () => s.boolean().describe("Always true: a failure is an error response.");
export const message = () => s.string().describe("A sentence that says what was done.");

/** The query parameters of every list. */
export const paging = {
  // Larger than any list.
  skip: s
    .integer({ ge: 0, cap: 2 ** 52 })
    .default(0)
    .describe("Number of items to skip, oldest first."),
  limit: s.integer({ ge: 1, le: 1000 }).default(100).describe("Maximum number of items to return."),
};

/** For lists that had no paging in an earlier version. */
export const largePage = s
  .integer({ ge: 1, le: 1000 })
  .default(1000)
  .describe("Maximum number of items to return.");

export const environmentHeader = {
  "X-Environment-Id": "Id or name of the environment. Default: the server's default environment.",
} as const;

export const environmentFilter = {
  "X-Environment-Id": "Id or name of an environment: returns only its resources. Default: all environments.",
} as const;

export const Done = s.model("Done", {
  success: success(),
  message: message(),
});

export const exampleTime = "2026-03-01T12:00:00.000Z";
export const exampleIds = {
  environment: "019f0000-0000-7000-8000-000000000001",
  connector: "019f0000-0000-7000-8000-000000000002",
  dataset: "019f0000-0000-7000-8000-000000000003",
  pipeline: "019f0000-0000-7000-8000-000000000004",
  deployment: "019f0000-0000-7000-8000-000000000005",
  automation: "019f0000-0000-7000-8000-000000000006",
  release: "019f0000-0000-7000-8000-000000000007",
  agent: "019f0000-0000-7000-8000-000000000008",
  app: "019f0000-0000-7000-8000-000000000009",
  user: "019f0000-0000-7000-8000-00000000000a",
  token: "019f0000-0000-7000-8000-00000000000b",
  binding: "019f0000-0000-7000-8000-00000000000c",
} as const;

export const startsPaused = () =>
  s
    .extension(s.boolean())
    .optional()
    .describe("Extension: whether it starts paused, for example as a copy for another environment.");

import * as s from "../schema/index.ts";

export const dateTime = () => s.string({ format: "date-time" });

/** The fields of a page, the same on every list. */
export const paging = {
  skip: s.integer({ ge: 0 }).default(0).describe("How many to pass over, oldest first."),
  limit: s.integer({ ge: 1, le: 1000 }).default(100).describe("How many to return at the most."),
};

export const environmentHeader = {
  "X-Environment-Id": "Id or name of the environment to act in; absent: the default environment.",
} as const;

export const environmentFilter = {
  "X-Environment-Id": "Id or name of an environment: only what lives there; absent: all.",
} as const;

export const Done = s.model("Done", {
  success: s.boolean().describe("Always true: failures are errors."),
  message: s.string().describe("What was done, in one sentence."),
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

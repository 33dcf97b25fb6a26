import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { environmentParameter } from "./lists.ts";
import { environmentFilter, exampleIds, nullableText } from "./shared.ts";

export const Quota = s.model("Quota", {
  scope: s
    .literal("environment", "server", "caller")
    .describe(
      "What it belongs to: an environment; the server, with all that belongs to no environment; or a user or client, for what they have created in all environments.",
    ),
  environment_id: nullableText().describe("The id of the environment; null: another scope."),
  caller: nullableText().describe("The user or client; null: another scope."),
  name: s
    .string()
    .describe(
      "What counts: a kind of resources such as `connectors`; `resources` of all kinds; `stored_bytes`, what the control database stores of them; `files` and `file_bytes`, what is in the workspaces.",
    ),
  used: s.integer().describe("How much is used: a number, or bytes."),
  limit: s
    .integer()
    .nullable()
    .describe(
      "A write that would exceed it gets 413. Null: no limit. What exceeds a limit that was lowered stays usable.",
    ),
  setting: s.string().describe("The setting with the limit. Limits in MB are shown in bytes here."),
});
export type Quota = s.Infer<typeof Quota>;

const example = {
  scope: "environment",
  environment_id: exampleIds.environment,
  caller: null,
  name: "connectors",
  used: 120,
  limit: 20_000,
  setting: "PLATFORM_RESOURCES_PER_ENVIRONMENT",
} as const;

export const listQuotas = endpoint({
  tag: "System",
  method: "GET",
  access: "viewer",
  needsData: true,
  path: "/api/v1/quotas",
  scope: "list",
  summary: "List what is used of the limits on what is stored",
  description:
    "With an environment: what it uses, and what you use. Without: all environments that you see; with a role on the server also what belongs to no environment; for an admin of the server also each user and client. Files are counted for a named environment, and for those whose files were used since the start.",
  headers: environmentFilter,
  query: environmentParameter,
  response: s.model("QuotaList", {
    quotas: s.list(Quota).describe("The fullest first. At most 1,000."),
    is_complete: s.boolean().describe("Whether these are all."),
  }),
  errors: [404, 409],
  example: { response: { quotas: [example], is_complete: true } },
});

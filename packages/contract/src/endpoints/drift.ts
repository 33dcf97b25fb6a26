import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { driftKinds, listFields, listQuery, nextCursor } from "./lists.ts";
import {
  Done,
  dateTime,
  environmentFilter,
  environmentHeader,
  environmentId,
  exampleIds,
  exampleTime,
  nullableText,
  total,
} from "./shared.ts";

export const Drift = s.model("Drift", {
  id: s.string().describe("UUID of the difference."),
  environment_id: environmentId(),
  resource: s.string().describe("The resource that differs: its kind and its id, as `connector/<id>`."),
  kind: s.literal(...driftKinds).describe("The kind of the resource."),
  name: s.string().describe("The name of the resource when the difference was seen."),
  seen_in: s
    .literal("platform", "project")
    .describe(
      "`platform`: somebody changed it on the platform itself. `project`: it was applied from a project, and changed by the API since then.",
    ),
  change: s
    .literal("changed", "gone")
    .describe("`changed`: one field differs. `gone`: all of it is missing there."),
  field: nullableText().describe(
    "The field that differs, as a path in the words of the place where it was seen: `schedule.pause_status`. Null: all of it.",
  ),
  declared: s.any().describe("The value that was installed or applied last; null: none."),
  live: s.any().describe("The value that is there now; null: none. Secret values are `********`."),
  changed_by: s
    .string()
    .optional()
    .describe("Who changed it, by the event log. Absent: it is not known, as with changes on a platform."),
  since: dateTime().describe("When the difference was first seen."),
  adopt_problem: nullableText().describe("Why `adopt` refuses it; null: it can be adopted."),
});
export type Drift = s.Infer<typeof Drift>;

const DriftCheck = s.model("DriftCheck", {
  environment_id: s.string().describe("Id of the environment."),
  checked_at: dateTime().describe("When its resources were compared."),
  differences: s.integer().describe("Number of differences that are known now."),
  undecided: s
    .integer()
    .describe("Number of resources that were being changed, and were not compared: check again later."),
});

const id = "019f0000-0000-7000-8000-000000000012";
const drift = {
  id,
  environment_id: exampleIds.environment,
  resource: `connector/${exampleIds.connector}`,
  kind: "connector",
  name: "orders-in",
  seen_in: "platform",
  change: "changed",
  field: "schedule.quartz_cron_expression",
  declared: "0 0 6 * * ?",
  live: "0 30 7 * * ?",
  since: exampleTime,
  adopt_problem: null,
} as const;

const shared = { tag: "Drift" } as const;
const { name: _, status: __, sort: ___, ...query } = listQuery(listFields.drift);

export const listDrift = endpoint({
  ...shared,
  method: "GET",
  path: "/api/v1/drift",
  scope: "list",
  summary: "List what differs from its definition, oldest first",
  description:
    "What the last comparison found. The server compares every few minutes; `POST /api/v1/drift/check` compares now. Defaults that a platform adds by itself are no differences.",
  access: "viewer",
  headers: environmentFilter,
  query: {
    ...query,
    kind: s
      .literal(...driftKinds)
      .optional()
      .describe("Only differences of resources of this kind."),
    resource: s
      .string({ min: 1, max: 1000 })
      .optional()
      .describe("Only differences of this resource: `connector/<id>`."),
  },
  response: s.model("DriftList", {
    drift: s.list(Drift).describe("The differences on this page."),
    total: total(),
    next_cursor: nextCursor(),
  }),
  errors: [404, 409],
  example: { response: { drift: [drift], total: 1 } },
});

export const checkDrift = endpoint({
  isBounded: true,
  ...shared,
  method: "POST",
  changes: "nothing",
  path: "/api/v1/drift/check",
  scope: "header",
  summary: "Compare the resources of an environment with their definitions now",
  access: "operator",
  needsData: true,
  effect: "asks a platform what is there",
  headers: environmentHeader,
  response: DriftCheck,
  errors: [404, 409, 503],
  example: {
    response: {
      environment_id: exampleIds.environment,
      checked_at: exampleTime,
      differences: 1,
      undecided: 0,
    },
  },
});

export const adoptDrift = endpoint({
  ...shared,
  method: "POST",
  changes: "definition",
  path: "/api/v1/drift/{drift_id}/adopt",
  scope: "drift",
  summary: "Change the definition so that it says what is there",
  description:
    "Other differences of the same resource stay as they are. 409 if the definition cannot say it: `adopt_problem`.",
  access: "operator",
  needsData: true,
  effect: "changes a resource and its platform",
  response: Done,
  errors: [404, 409, 503],
  example: {
    response: { success: true, message: "schedule.quartz_cron_expression of orders-in was adopted." },
  },
});

export const revertDrift = endpoint({
  ...shared,
  method: "POST",
  changes: "operation",
  path: "/api/v1/drift/{drift_id}/revert",
  scope: "drift",
  summary: "Put back what the definition says",
  description: "What is gone is created again. Other differences of the same resource stay as they are.",
  access: "operator",
  needsData: true,
  effect: "changes a resource and its platform",
  response: Done,
  errors: [404, 409, 503],
  example: {
    response: { success: true, message: "schedule.quartz_cron_expression of orders-in was put back." },
  },
});

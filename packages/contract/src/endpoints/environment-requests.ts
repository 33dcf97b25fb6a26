import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { Environment, EnvironmentUpdateRequest, environmentExample } from "./environments.ts";
import { createdAt, createdBy, Done, exampleIds, exampleTime } from "./shared.ts";

/** A change of an environment that takes changes only by plans: one admin requests it, another admin approves it. */
export const EnvironmentChangeRequest = s.model("EnvironmentChangeRequest", {
  id: s.string().describe("Identifies what is asked for. A request that replaces this one has another id."),
  environment_id: s.string().describe("Id of the environment."),
  environment: s.string().describe("Name of the environment."),
  changes: s
    .list(
      s.model("EnvironmentChange", {
        path: s.string().describe("The field, such as `protected` or `configuration.changes`."),
        before: s.any().describe("Its value now; null: none. A secret is `********`."),
        after: s.any().describe("Its value after the approval; null: none. A secret is `********`."),
      }),
    )
    .describe("What the approval changes."),
  reason: s.string().describe("Why it is asked for."),
  created_at: createdAt(),
  created_by: createdBy(),
});
export type EnvironmentChangeRequest = s.Infer<typeof EnvironmentChangeRequest>;

const EnvironmentChangeApproval = s.model("EnvironmentChangeApproval", {
  id: s.string().describe("The `id` of the request that you have read."),
});

export const EnvironmentChangeInput = s.model("EnvironmentChangeInput", {
  change: EnvironmentUpdateRequest.optional().describe(
    "The body of `PATCH /api/v1/environments/{environment_id}`.",
  ),
  lift: s
    .boolean()
    .default(false)
    .describe(
      "True: the environment takes direct changes again. Its `configuration` loses the key `changes`, and if `protected` means the same on this server, it becomes false.",
    ),
  reason: s.string({ min: 1, max: 1000 }).describe("Why. The other admin and the event log read it."),
});
export type EnvironmentChangeInput = s.Infer<typeof EnvironmentChangeInput>;

const request = {
  id: "019f0000-0000-7000-8000-00000000000d",
  environment_id: exampleIds.environment,
  environment: "staging",
  changes: [{ path: "configuration.changes", before: "plan", after: null }],
  reason: "The migration of tonight",
  created_at: exampleTime,
  created_by: "ada@example.com",
};

const shared = {
  tag: "Environments",
  scope: "environment",
  access: "admin",
} as const;
const path = "/api/v1/environments/{environment_id}/change-request";

export const requestEnvironmentChange = endpoint({
  ...shared,
  method: "POST",
  changes: "settings",
  path,
  summary: "Ask for a change of an environment that takes changes only by plans",
  description:
    "Changes nothing yet: another admin must approve the request. It replaces an earlier request of the environment. Needed where `configuration.changes` is `plan`, for everything but `description`, `isActive` and the repository.",
  body: EnvironmentChangeInput,
  response: EnvironmentChangeRequest,
  errors: [404, 409],
  example: {
    body: { lift: true, reason: "The migration of tonight" },
    response: request,
  },
});

export const getEnvironmentChange = endpoint({
  ...shared,
  method: "GET",
  path,
  summary: "Read the change of an environment that waits for an approval",
  access: "viewer",
  response: EnvironmentChangeRequest,
  errors: [404],
  example: { response: request },
});

export const approveEnvironmentChange = endpoint({
  isBounded: true,
  ...shared,
  method: "POST",
  changes: "settings",
  path: `${path}/approve`,
  summary: "Approve and make the change of an environment that another admin asked for",
  description:
    "Returns 403 to the admin who asked, and 409 if another request has replaced the one with this id, or if the environment has changed since: then the request must be made again.",
  body: EnvironmentChangeApproval,
  response: Environment,
  errors: [403, 404, 409],
  example: { body: { id: request.id }, response: environmentExample },
});

export const withdrawEnvironmentChange = endpoint({
  ...shared,
  method: "DELETE",
  changes: "settings",
  path,
  summary: "Withdraw or decline the change of an environment that waits for an approval",
  response: Done,
  errors: [404],
  example: {
    response: {
      success: true,
      message: "The change of staging that ada@example.com asked for is withdrawn.",
    },
  },
});

import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { listFields, listQuery, nextCursor } from "./lists.ts";
import { Plan, PlanOverview, PlanRequest } from "./plan-models.ts";
import { environmentFilter, exampleIds, exampleTime, total } from "./shared.ts";

const planId = "019f0000-0000-7000-8000-00000000000e";
const planOverview = {
  id: planId,
  hash: "sha256:7d1e",
  design_hash: "sha256:c001",
  environment_id: exampleIds.environment,
  environment: "staging",
  project: { name: "shop", commit: "3f9c1d2", branch: "main" },
  project_name: "shop",
  prune: false,
  status: "planned",
  status_reason: null,
  created_at: exampleTime,
  created_by: "ci",
  updated_at: exampleTime,
  approved_by: null,
  approved_at: null,
  approvals: [],
  applied_by: null,
  applied_at: null,
  summary: { create: 0, update: 1, replace: 0, delete: 0, unchanged: 41, drifted: 0, done: 0, findings: 1 },
} as const;
const plan = {
  ...planOverview,
  steps: [
    {
      position: 1,
      action: "update",
      kind: "connector",
      name: "orders-in",
      resource_id: exampleIds.connector,
      changes: [{ path: "schedule_cron", before: "0 6 * * *", after: "0 5 * * *", sensitive: false }],
      drift: [],
      reasons: ["Its definition differs from the live one in schedule_cron."],
      depends_on: [],
      impact: {
        downstream: [
          {
            kind: "flow",
            name: "revenue",
            columns: null,
            via: "It reads lakehelm.main.orders.",
          },
        ],
        downstream_total: 1,
        running_runs: [],
        full_refresh: [],
        consequences: [
          {
            table: null,
            kind: "metadata",
            effect: "none",
            sentence: "Its tables stay as they are, and so does the position up to which each was read.",
            command: null,
          },
        ],
        rows: 1200,
        estimated_seconds: 3.5,
        data_lost: [],
      },
      design_hash: "sha256:2f0c",
      file: { path: "connectors/orders-in.yaml", line: 1 },
      status: "pending",
      error: null,
    },
  ],
  findings: [
    {
      policy: "schedules-in-prod",
      level: "warn",
      position: 1,
      kind: "connector",
      name: "orders-in",
      message: "orders-in runs more often than once an hour.",
    },
  ],
} as const;

const shared = { tag: "Plans" } as const;
const one = "/api/v1/plans/{plan_id}";
const stepQuery = {
  unchanged: s
    .boolean()
    .default(false)
    .describe("True also returns the steps of resources that do not change."),
};

export const createPlan = endpoint({
  ...shared,
  method: "POST",
  changes: "nothing",
  path: "/api/v1/plans",
  scope: "body",
  summary: "Plan the changes that bring an environment to a desired state",
  description:
    "Compares the desired resources with what was last applied and with what is live, over all kinds, and stores the steps. Changes nothing else. A definition that does not fit the schema of its kind returns 422 with its place.",
  access: "operator",
  needsData: true,
  query: stepQuery,
  body: PlanRequest,
  bodyLimit: "codegen",
  response: Plan,
  errors: [403, 404, 409],
  creates: true,
  example: {
    body: {
      environment: "staging",
      project: { name: "shop", commit: "3f9c1d2", branch: "main" },
      resources: [
        {
          kind: "connector",
          name: "orders-in",
          definition: {
            name: "orders-in",
            target_type: "warehouse",
            target_config: {},
            schedule_cron: "0 5 * * *",
          },
          file: { path: "connectors/orders-in.yaml", line: 1 },
        },
      ],
      policies: [
        {
          name: "schedules-in-prod",
          level: "warn",
          rule: "has(after.schedule_cron) && runsPerDay(after.schedule_cron) > 24.0",
          message: "{name} runs more often than once an hour.",
        },
      ],
    },
    response: plan,
  },
});

export const listPlans = endpoint({
  ...shared,
  method: "GET",
  path: "/api/v1/plans",
  scope: "list",
  summary: "List the plans, oldest first, without their steps",
  access: "viewer",
  headers: environmentFilter,
  query: listQuery(listFields.plans),
  response: s.model("PlanList", {
    plans: s.list(PlanOverview).describe("The plans on this page."),
    total: total(),
    next_cursor: nextCursor(),
  }),
  errors: [404, 409],
  example: { response: { plans: [planOverview], total: 1 } },
});

export const getPlan = endpoint({
  ...shared,
  method: "GET",
  path: one,
  scope: "plan",
  summary: "Read a plan with its steps",
  access: "viewer",
  query: stepQuery,
  response: Plan,
  errors: [404],
  example: { response: plan },
});

export const applyPlan = endpoint({
  isBounded: true,
  ...shared,
  method: "POST",
  changes: "operation",
  path: `${one}/apply`,
  scope: "plan",
  summary: "Carry out a plan, or resume one that stopped",
  description:
    "Returns at once; read the plan or follow its events to see it progress. Returns 409 if the plan needs an approval, if a policy denies it, if what it rests on has changed since (then it is `stale`), and while another plan is applied to the environment. It stops at the first step that fails; applying it again goes on there. Applying a plan that is applied changes nothing.",
  access: "operator",
  needsData: true,
  effect: "carries out a plan after the answer",
  response: PlanOverview,
  errors: [403, 404, 409],
  example: { response: { ...planOverview, status: "applying", applied_by: "ci" } },
});

export const approvePlan = endpoint({
  isBounded: true,
  ...shared,
  method: "POST",
  changes: "operation",
  path: `${one}/approve`,
  scope: "plan",
  summary: "Approve a plan that somebody else made",
  description:
    "Needed in a protected environment, and for a plan with findings of the level `approve`. The author of a plan cannot approve it (403). If a policy asks for several approvals, the plan stays `needs_approval` until enough admins have approved it.",
  access: "admin",
  effect: "approves what others may then carry out",
  response: PlanOverview,
  errors: [403, 404, 409],
  example: {
    response: {
      ...planOverview,
      status: "approved",
      approved_by: "ada@example.com",
      approved_at: exampleTime,
      approvals: [{ by: "ada@example.com", at: exampleTime }],
    },
  },
});

import { endpoint } from "../endpoint.ts";
import { newestFirst, queuedRun, Run, RunPage, RunRequest, runPage, statusFilter } from "./runs.ts";
import { environmentHeader, exampleIds, exampleTime } from "./shared.ts";

const shared = { tag: "Automations", headers: environmentHeader, errors: [404, 409] } as const;
const runs = "/api/automations/{automation_alias}/runs";

const job_id = `automation-${exampleIds.automation}-${exampleIds.environment}`;
const task = {
  name: "load",
  kind: "connector",
  status: "succeeded",
  reason: null,
  attempt: 1,
  started_at: exampleTime,
  ended_at: exampleTime,
  run_id: "019f0000-0000-7000-8000-000000000010",
  error: null,
  output: { rows_inserted: 40 },
};
const metrics = { release_id: exampleIds.release, version: "1.4.0", tasks: [task] };

export const runAutomation = endpoint({
  isBounded: true,
  ...shared,
  method: "POST",
  changes: "operation",
  path: runs,
  scope: "header",
  summary: "Run an automation now",
  description:
    "Runs the current release in the environment, also while the schedule is paused. `metrics.tasks` of the run has the state of each task. `parameters` override those of the definition.",
  access: "operator",
  body: RunRequest,
  bodyOptional: true,
  response: Run,
  creates: true,
  example: {
    body: { reason: "after the repair", parameters: { day: "2026-03-01" } },
    response: {
      ...queuedRun,
      job_id,
      not_before: exampleTime,
      cause: {
        trigger: "manual",
        by: "ada@example.com",
        time: exampleTime,
        reason: "after the repair",
        parameters: { day: "2026-03-01" },
      },
    },
  },
});

export const listAutomationRuns = endpoint({
  ...shared,
  method: "GET",
  path: runs,
  scope: "header",
  summary: "List the runs of an automation in an environment",
  description: "Includes runs of earlier releases.",
  access: "viewer",
  query: { ...newestFirst, ...statusFilter },
  response: RunPage,
  example: { response: { ...runPage, runs: [{ ...runPage.runs[0], job_id, metrics }] } },
});

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import type { Connector, Environment } from "@lakehelm/contract";
import { until } from "@lakehelm/testing/until";
import { openVault } from "../../../../core/secrets/vault.ts";
import { createOutbound } from "../../../outbound/outbound.ts";
import { createWorkspaceClient } from "../client/client.ts";
import { createLimiter } from "../client/limiter.ts";
import { fixedToken } from "../client/token-source.ts";
import { startFakeWorkspace, testToken } from "../testing/fake-workspace.ts";
import { jobRoutes } from "../testing/jobs.ts";
import { objectRoutes } from "../testing/objects.ts";
import { createJobRequests } from "./requests.ts";

const generated = (name: string) => [
  { path: "databricks.yml", content: "bundle: {name: x}\ntargets: {prod: {}}\n" },
  {
    path: "resources/x.job.yml",
    content: `resources: {jobs: {x: {name: ${name}, tags: {kind: ingestion}, tasks: []}}}\n`,
  },
];

test("a job that a lost create makes after the look for its mark is removed, and the recorded one stays", async (t) => {
  const jobs = jobRoutes();
  const workspace = await startFakeWorkspace(t, jobs.routes, objectRoutes().routes);
  const clock = { now: Date.now, random: () => 0, sleep: async () => {} };
  const outbound = createOutbound({ allowsPrivate: true, privateAddresses: [] });
  const client = createWorkspaceClient({
    host: workspace.url,
    owner: "e",
    outbound,
    tokens: fixedToken(testToken),
    limiter: createLimiter("test", clock),
    clock,
  });
  const environment = { id: "e", name: "lake", configuration: {}, platform: "databricks" } as Environment;
  const configuration = {
    host: workspace.url,
    warehouseId: null,
    catalog: "main",
    schema: "default",
    rootPath: "/Workspace/Shared/x",
    tags: {},
    runAs: null,
  };
  const connector = {
    id: "c",
    name: "orders",
    target_type: "http",
    target_config: { url: "https://hooks.example.test" },
    execution_mode: "manual",
    status: "created",
    datasets: [{ source_dataset: "a.b.c", target_name: "c", write_strategy: "append" }],
  } as unknown as Connector;
  const recorded = Promise.withResolvers<string>();
  let reads = 0;
  const unexpected = (error: unknown) => assert.fail(String(error));
  const requests = createJobRequests({
    workspaces: { open: async () => ({ key: "w", environment, configuration, client, outbound }) },
    documents: {
      connector: async () => connector,
      flow: async () => undefined,
      automation: async () => undefined,
      referenceOf: async () => undefined,
      agent: async () => undefined,
    },
    secretOf: async () => undefined,
    generate: async () => ({ status: "success", artifacts: generated("orders") as never, errors: [] }),
    jobs: {
      rows: {
        async get() {
          reads += 1;
          return reads === 1 ? undefined : ({ reference: await recorded.promise } as never);
        },
      },
      steps: {} as never,
    },
    vault: openVault("a secret key for tests", randomBytes),
    installed: {
      get: async () => undefined,
      put: async () => {},
      change: async () => {},
      remove: async () => {},
    },
    settings: { PLATFORM_RUN_TIMEOUT_SECONDS: 60 },
    now: () => new Date(),
    onError: unexpected,
    lookAgainMs: [1],
  });
  const outcome = await requests.perform({
    // From long ago: an earlier attempt at it had no answer.
    id: "01900000-0000-7000-8000-000000000000",
    environmentId: "e",
    kind: "job.install",
    subject: "connector/c",
    data: { ...connector, policy: {}, timezone: null, catalog: null, schema: null } as never,
  });
  assert.ok(outcome.done && outcome.reference);
  const { settings } = jobs.jobs.get(outcome.reference) ?? {};
  jobs.jobs.set("9", { job_id: "9", settings });
  jobs.jobs.set("11", { job_id: "11", settings: { ...settings, tags: {} } });
  recorded.resolve(outcome.reference);
  await until(() => !jobs.jobs.has("9"));
  assert.deepEqual([...jobs.jobs.keys()].sort(), ["11", outcome.reference].sort());
});

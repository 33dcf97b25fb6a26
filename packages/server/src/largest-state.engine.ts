/**
 * Sends every GET of the contract on resources of the maximum size, and the writes that store them: none blocks the
 * main thread for long. The CPU time of the thread is measured, because other programs may use the processors.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Endpoint, endpoints } from "@lakehelm/contract";
import { type Client, createClient } from "@lakehelm/contract/client";
import { decodeJson } from "@lakehelm/contract/schema";
import { createRequester, watchMainThread } from "./testing/main-thread.ts";
import { startTestServer } from "./testing/server.ts";

/** Nearly a megabyte, the maximum size of a body: many values, each of which may be a secret. */
const manyValues = Object.fromEntries(
  Array.from({ length: 14_000 }, (_, n) => [`key_${n}`, `https://host-${n}.example.test/some/path?x=${n}`]),
);
/** The same size, but each value is a secret. */
const manySecrets = Object.fromEntries(Array.from({ length: 40_000 }, (_, n) => [`password_${n}`, `x${n}`]));
const longText = "Every word of this text is stored. ".repeat(27_000);
const each = 10;

/** The values of path parameters. */
type Named = Readonly<Record<string, string>>;

async function storeLargest(client: Client): Promise<Named> {
  const environment = "local";
  const created_by = "ada";
  const numbers = Array.from({ length: each }, (_, n) => n);
  const connection = {
    type: "postgresql",
    config: { host: "db.example.test", database: "shop", user: "u", options: manyValues },
  };
  let connector = { id: "", workflow_id: null as string | null };
  for (const n of numbers) {
    const datasets =
      n % 2 === 0
        ? [{ source_dataset: "public.t", target_name: `raw.t_${n}` }]
        : Array.from({ length: 9_000 }, (_, k) => ({
            source_dataset: `public.table_${k}`,
            target_name: `raw.t_${n}_${k}`,
          }));
    connector = await client.createConnector({
      body: {
        ...{ name: `connector-${n}`, target_type: "warehouse", created_by, datasets },
        target_config: {
          connection:
            n % 2 === 0
              ? connection
              : { ...connection, config: { host: "db.example.test", database: "shop", user: "u" } },
        },
        schedule_cron: "0 6 1 1 *",
      },
    });
  }
  for (const n of numbers)
    await client.createPipeline({
      body: {
        name: `pipeline-${n}`,
        libraries: [{ file: { path: `p${n}.sql` } }],
        configuration: manyValues,
      },
    });
  for (const n of numbers.slice(0, 3)) {
    const body = `-- ${longText}\nCREATE MATERIALIZED VIEW gold_${n} AS SELECT * FROM raw.t_0`;
    await client.putFile({ params: { path: `p${n}.sql` }, body });
  }
  const { pipelines } = await client.listPipelines({ query: { limit: 1 } });
  let flow = { id: "" };
  for (const n of numbers)
    flow = await client.createFlow({
      body: {
        flow_name: `flow_${n}`,
        source_tables: ["raw.t_0"],
        target_name: `marts.flow_${n}`,
        trigger_type: "table_update",
        matched_sql: `select id from raw.t_0 -- ${longText.slice(0, 900_000)}`,
        target_schema: {
          description: longText.slice(0, 60_000),
          columns: [{ name: "id", type: "bigint", pk: true }],
        },
        requested_by: created_by,
      },
    });
  for (const n of numbers) {
    const definition = {
      description: longText.slice(0, 400_000),
      tasks: [
        {
          name: "t",
          kind: "sql" as const,
          query: `INSERT INTO marts.a_${n} SELECT * FROM raw.t_0 -- ${longText.slice(0, 200_000)}`,
        },
      ],
      parameters: Object.fromEntries(Object.entries(manyValues).slice(0, 4_000)),
    };
    await client.createAutomation({ body: { alias: `automation-${n}`, definition } });
    await client.syncAutomationRelease({
      body: {
        automation_alias: `automation-${n}`,
        environment,
        metadata: { large: longText.slice(0, 300_000) },
      },
    });
    await client.putAttempt({
      params: { automation_alias: `automation-${n}`, attempt_id: "first" },
      body: { ...definition, files: [], metadata: { large: longText.slice(0, 20_000) } },
    });
  }
  const { releases } = await client.listReleases({ params: { automation_alias: "automation-1" } });
  let agent = { id: "" };
  let app = { id: "" };
  for (const n of numbers) {
    agent = await client.createAgent({ body: { name: `agent-${n}`, description: longText } });
    app = await client.createApp({ body: { name: `app-${n}`, description: longText } });
  }
  for (const n of [1, 2, 3]) {
    await client.createEnvironment({ body: { name: `large-${n}`, configuration: manyValues } });
    await client.createEnvironment({ body: { name: `secrets-${n}`, configuration: manySecrets } });
    await client.updatePipeline({
      params: { pipeline_id: pipelines[0]?.pipeline_id ?? "" },
      body: { configuration: { ...manyValues, n: String(n) } },
    });
    await client.createConnector({
      body: {
        ...{ name: `secrets-${n}`, target_type: "warehouse", created_by, execution_mode: "manual" },
        target_config: {
          connection: {
            ...connection,
            config: { host: "db.example.test", database: "shop", user: "u", options: manySecrets },
          },
        },
      },
    });
    await client.putSecret({
      params: { scope: "large", key: `s${n}` },
      body: { value: longText.slice(0, 60_000) },
    });
  }
  const job = connector.workflow_id ?? "";
  let run = { id: "" };
  for (const _ of numbers)
    run = await client
      .runJob({ params: { job_id: job }, body: { reason: longText.slice(0, 60_000), parameters: {} } })
      .catch(() => run);
  const deployment = await client.createDeployment({
    body: { deployment_name: longText.slice(0, 900_000), git_branch: "main", git_commit_sha: "3f9c1d2" },
  });
  const user = await client.createUser({
    body: { username: "grace@example.test", password: "correct horse battery" },
  });
  const plan = await client.createPlan({
    body: {
      environment,
      project: { name: "large" },
      resources: numbers.map((n) => ({
        kind: "connector" as const,
        name: `planned-${n}`,
        definition: { target_type: "warehouse", execution_mode: "manual", target_config: { connection } },
      })),
    },
  });
  return {
    agent_id: agent.id,
    app_id: app.id,
    attempt_id: "first",
    automation_alias: "automation-1",
    connector_id: connector.id,
    deployment_id: deployment.id,
    environment_id:
      (await client.listEnvironments({ query: { search: "large-1" } })).environments[0]?.id ?? "",
    flow_id: flow.id,
    job_id: job,
    path: "p0.sql",
    pipeline_id: pipelines[0]?.pipeline_id ?? "",
    plan_id: plan.id,
    release_id: releases[0]?.id ?? "",
    run_id: run.id,
    scope: "large",
    user_id: user.id,
    version: "1",
    backup_id: "none",
    update_id: "none",
  };
}

/** The requests of an endpoint: without parameters, with the largest page, and with each filter. */
function* requestsOf({ path, query = {} }: Endpoint, named: Named): Generator<string> {
  const at = path.replaceAll(/\{(\w+)\*?\}/g, (_, name) => encodeURIComponent(named[name] ?? `no ${name}`));
  const required = path.endsWith("/lineage") ? "table=raw.t_0&" : "";
  yield `${at}?${required}`;
  for (const limit of [1000, 10]) {
    if (!("limit" in query)) break;
    yield `${at}?limit=${limit}`;
    if ("search" in query) yield `${at}?limit=${limit}&search=a`;
  }
  for (const name of ["unchanged", "types"]) if (name in query) yield `${at}?${name}=true`;
}

const gets = Object.entries<Endpoint>(endpoints).filter(([, { method }]) => method === "GET");

/** How long a request blocked the main thread. */
interface Found {
  readonly request: string;
  readonly status: number;
  readonly blocked: number;
}

test("no request keeps the main thread for long, whatever is stored", { timeout: 900_000 }, async (t) => {
  const server = await startTestServer({ checkAnswers: false });
  t.after(() => server.close());
  const requester = createRequester(server.url, server.token);
  t.after(requester.close);
  const watch = watchMainThread();
  t.after(watch.stop);
  // On a fast machine, parsing one of the largest documents takes 6 ms. On a slow one, the limits grow with the
  // measured time: 15 documents for a GET, and 30 for a write, which also checks, seals and encodes a document.
  const text = JSON.stringify(manyValues);
  async function measureParse(): Promise<number> {
    watch.take();
    for (let n = 0; n < 5; n++) {
      decodeJson(text);
      await new Promise((next) => setTimeout(next, 10));
    }
    return watch.take();
  }
  let parseMs = await measureParse();
  const limitOf = (method: string) =>
    method === "GET" ? Math.max(100, parseMs * 15) : Math.max(200, parseMs * 30);

  const found = new Map<string, Found>();
  const send = async (path: string, init: Parameters<typeof requester.send>[1] = {}) => {
    watch.take();
    const answer = await requester.send(path, init);
    const blocked = watch.take();
    // The machine may have become slower since, because others use it.
    if (blocked > limitOf(init.method ?? "GET")) parseMs = Math.max(parseMs, await measureParse());
    // Of similar requests, the shortest time counts: garbage collection may fall into one of them, but hardly into all.
    const size = Math.round((init.body?.length ?? 0) / 50_000);
    const request = `${init.method ?? "GET"} ${path.replaceAll(/[0-9a-f-]{36}|\d+/g, "0")} ${size}`;
    const least = Math.min(blocked, found.get(request)?.blocked ?? Number.POSITIVE_INFINITY);
    found.set(request, { request, status: answer.status, blocked: least });
    return { ...answer, blocked };
  };
  const client = createClient({
    baseUrl: server.url,
    token: server.token,
    async fetch(input, { method = "GET", headers, body } = {}) {
      const { pathname, search } = new URL(String(input));
      const sent = body === undefined || body === null ? {} : { body: await new Response(body).text() };
      const { status, text } = await send(pathname + search, {
        ...{ method, ...sent },
        headers: Object.fromEntries(new Headers(headers)),
      });
      return new Response(status === 204 ? null : text, {
        status,
        headers: { "content-type": "application/json" },
      });
    },
  });
  const named = await storeLargest(client);
  for (const [, endpoint] of gets) {
    for (const path of requestsOf(endpoint, named)) {
      for (let times = 0; times < 3; times++) if ((await send(path)).blocked <= limitOf("GET")) break;
    }
  }
  assert.deepEqual(
    [...found.values()].filter(({ status }) => status >= 500),
    [],
  );
  assert.deepEqual(
    [...found.values()].filter(({ request, blocked }) => blocked > limitOf(request.split(" ", 1)[0] ?? "")),
    [],
  );
});

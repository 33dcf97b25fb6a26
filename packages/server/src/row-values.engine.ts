/**
 * Row values that make a run fail must not appear in errors, events, logs or messages: their readers may have no access
 * to the table.
 */
import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { until } from "@lakehelm/testing/until";
import { startReceiver } from "./resources/chat/test-receiver.ts";
import { startTestServer } from "./testing/server.ts";

/** No statement below contains these values as a whole. */
const text = "recognisable-4711";
const number = "471147114711";
const people =
  "create or replace table people as select concat('recognisable', '-4711') as name, cast(471147 as bigint) * 1000000 + 114711 as amount";

/** Expressions that fail for the rows of `people`, or are NULL. */
const failing: Readonly<Record<string, string>> = {
  "a number": "cast(name as int)",
  "a function of a type": "int(name)",
  "a decimal": "cast(name as decimal(4, 2))",
  "a day": "cast(name as date)",
  "a time": "cast(name as timestamp)",
  "a truth value": "cast(name as boolean)",
  "a small number": "cast(amount as tinyint)",
  "a short decimal": "cast(amount as decimal(4, 2))",
  "a product": "amount * amount * amount",
  "a pattern of days": "to_date(name, 'yyyy-MM-dd')",
  "a day of the week": "next_day(date '2026-01-01', name)",
  "a URL": "url_decode(concat(name, '%'))",
  "a division": "amount / (amount - amount)",
};

test("no error, event, log or message of a failed run shows a value of a row", async (t) => {
  const receiver = await startReceiver(t);
  const server = await startTestServer({ settings: { PLATFORM_PRIVATE_ADDRESSES: "127.0.0.1" } });
  t.after(server.close);
  const { client, dataDir } = server;
  const errors: [string, string | null][] = [];
  const ended = (id: string) =>
    until(async () => {
      const run = await client.getRun({ params: { run_id: id } });
      return run.ended_at !== null && run;
    });

  async function addAutomation(alias: string, query: string): Promise<string> {
    await client.createAutomation({
      body: { alias, definition: { tasks: [{ name: "task", kind: "sql", query }] } },
    });
    await client.bindChat({
      body: {
        environment: "local",
        channel_id: alias,
        channel_url: receiver.url,
        automation_alias: alias,
      },
    });
    await client.syncAutomationRelease({ body: { automation_alias: alias, environment: "local" } });
    const { id } = await client.runAutomation({ params: { automation_alias: alias } });
    return id;
  }

  assert.equal((await ended(await addAutomation("people", people))).status, "succeeded");
  for (const [name, expression] of Object.entries(failing)) {
    const query = `create or replace table broken as select ${expression} as value from people`;
    const run = await ended(await addAutomation(name, query));
    if (run.status === "failed") errors.push([name, run.error]);
  }
  const failed = errors.length;
  assert.ok(failed >= 8, JSON.stringify(errors));

  await client.putFile({
    params: { path: "pipelines/people.sql" },
    body: `CREATE MATERIALIZED VIEW checked (CONSTRAINT short EXPECT (length(name) < 3) ON VIOLATION FAIL UPDATE) AS SELECT * FROM people;
CREATE MATERIALIZED VIEW converted AS SELECT cast(name AS int) AS value FROM people;`,
  });
  const { pipeline_id } = await client.createPipeline({
    body: { name: "people", schema: "default", libraries: [{ file: { path: "pipelines/people.sql" } }] },
  });
  await client.startPipelineUpdate({ params: { pipeline_id }, body: {} });

  const path = `${dataDir}.db`;
  t.after(() => rm(path, { force: true }));
  const source = new DatabaseSync(path);
  t.after(() => source.close());
  source.exec(
    `create table people (id integer primary key, qty integer); insert into people values (1, '${text}')`,
  );
  const connector = await client.createConnector({
    body: {
      name: "people",
      target_type: "warehouse",
      execution_mode: "manual",
      target_config: { connection: { name: "shop", type: "sqlite", config: { path } } },
      created_by: "ada",
    },
  });
  await client.addDataset({
    params: { connector_id: connector.id },
    body: {
      source_dataset: "people",
      target_name: "bronze.shop.people",
      write_strategy: "replace",
      custom_config: { max_reject_share: 0 },
    },
  });
  const { id } = await client.runJob({ params: { job_id: connector.workflow_id ?? "" } });
  const moved = await ended(id);
  errors.push(["a connector", moved.error]);
  assert.equal(moved.status, "failed");
  // Triggers and endpoints write their own messages about a row: only callers who may read the row may see them.
  const out = `${dataDir}-out.db`;
  t.after(() => rm(out, { force: true }));
  const target = new DatabaseSync(out);
  t.after(() => target.close());
  target.exec(
    `create table people (name text primary key, amount integer); create trigger refuse before insert on people begin select raise(abort, 'nobody is named ' || new.name); end`,
  );
  const exporter = await client.createConnector({
    body: {
      name: "people-out",
      target_type: "sqlite",
      execution_mode: "manual",
      target_config: { path: out },
      created_by: "ada",
    },
  });
  const exported = async (max_reject_share: number) => {
    const dataset = { source_dataset: "people", target_name: "people", primary_keys: ["name"] };
    const params = { connector_id: exporter.id };
    const { datasets } = await client.getConnector({ params });
    for (const { id } of datasets ?? [])
      await client.removeDataset({ params: { ...params, dataset_id: id } });
    await client.addDataset({
      params,
      body: { ...dataset, write_strategy: "upsert", custom_config: { max_reject_share } },
    });
    const { id } = await client.runJob({ params: { job_id: exporter.workflow_id ?? "" } });
    return ended(id);
  };
  const refusedRun = await exported(0);
  assert.equal(refusedRun.status, "failed");
  assert.match(refusedRun.error ?? "", /1 of 1 row was rejected.* a trigger of the table refuses it \(1\)/);
  errors.push(["an export", refusedRun.error]);
  assert.equal((await exported(1)).status, "succeeded");
  const { rejects } = await client.listRejects({ params: { connector_id: exporter.id } });
  assert.equal(rejects[0]?.row.name, text, "those who may read the table get the row");
  assert.equal(rejects[0]?.reason, `nobody is named ${text}`);

  const runs = await until(async () => {
    const found = (await client.listRuns({ query: { limit: 200 } })).runs;
    return (
      found.length >= 5 + Object.keys(failing).length && found.every(({ ended_at }) => ended_at) && found
    );
  });
  const pipelineRun = runs.find(({ kind }) => kind === "pipeline");
  errors.push(["a pipeline", pipelineRun?.error ?? null]);
  assert.match(pipelineRun?.error ?? "", /1 of 1 row of .*checked does not meet the expectation short/);
  await until(() => receiver.received.length >= failed);
  for (const [name, error] of errors) assert.ok(error, name);

  const logs = await Promise.all(
    runs.map(async (run) => (await server.fetch(`/api/v1/runs/${run.id}/log`)).text()),
  );
  const shown = {
    errors: JSON.stringify(errors),
    runs: JSON.stringify(runs),
    events: JSON.stringify(await server.events()),
    logs: logs.join("\n"),
    messages: JSON.stringify(receiver.received),
    "log of the server": server.logged.join("\n"),
  };
  for (const [where, content] of Object.entries(shown)) {
    for (const value of [text, number]) {
      const at = content.indexOf(value);
      assert.ok(at < 0, `${where}: ${content.slice(Math.max(0, at - 300), at + 100)}`);
    }
  }
});

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";
import type { AttemptRequest } from "@lakehelm/contract";
import { type House, openHouse, refusal, soundDesign } from "./test-house.ts";

const orders = { automation_alias: "orders-daily" };
const attempt = { ...orders, attempt_id: "a-1" };

async function validated({ client }: House, design: Partial<AttemptRequest>) {
  await client.putAttempt({ params: attempt, body: { tasks: [], ...design } });
  return client.validateArtifacts({ params: orders, body: { attempt_id: "a-1" } });
}

async function withOrders(...[t]: Parameters<typeof openHouse>): Promise<House> {
  const house = await openHouse(t);
  await house.client.createAutomation({ body: { alias: "orders-daily" } });
  return house;
}

test("#3 materializes definition, metadata and bundle, and answers their paths and hash", async (t) => {
  const house = await withOrders(t);
  const files = [{ path: "sql/orders.sql", content: "select 1" }];
  const answer = await validated(house, { ...soundDesign, files, metadata: { team: "sales" } });
  const { design_content_hash: hash, ...rest } = answer;
  assert.match(hash ?? "", /^sha256:[0-9a-f]{64}$/);
  assert.deepEqual(rest, {
    success: true,
    attempt_id: "a-1",
    automation_alias: "orders-daily",
    validation_status: "passed",
    validation_errors: [],
    files_to_commit: [
      "automations/orders-daily/databricks.yml",
      "automations/orders-daily/definition.yaml",
      "automations/orders-daily/metadata.json",
      "automations/orders-daily/sql/orders.sql",
    ],
    metadata_preview: { team: "sales", alias: "orders-daily" },
    api_response_time_seconds: 0.004,
  });
  assert.deepEqual(await readdir(house.temporary), []);
  const crlf = [{ path: "sql/orders.sql", content: "select 1\r\n" }];
  const again = await validated(house, { ...soundDesign, files: crlf, metadata: { team: "sales" } });
  assert.equal(again.design_content_hash, hash);
  const other = await validated(house, { ...soundDesign, files, metadata: { team: "finance" } });
  assert.notEqual(other.design_content_hash, hash);
});

test("#3 writes nothing to the database, whether it passes or fails", async (t) => {
  const house = await withOrders(t);
  const { client, parts, rows } = house;
  await client.putAttempt({ params: attempt, body: soundDesign });
  await client.putAttempt({ params: { ...orders, attempt_id: "bad" }, body: { tasks: [{ name: 1 }] } });
  const [{ file } = { file: "" }] = await parts.store.engine.read({
    sql: "select file from pragma_database_list",
    parameters: [],
  });
  const bytes = async () => {
    const hash = createHash("sha256");
    for (const name of [String(file), `${file}-wal`]) hash.update(await readFile(name));
    return hash.digest("hex");
  };
  const before = { rows: await rows(), bytes: await bytes() };
  for (const attempt_id of ["a-1", "bad", "missing"]) {
    await client.validateArtifacts({ params: orders, body: { attempt_id } });
  }
  await client.validateArtifacts({ params: { automation_alias: "nobody" }, body: { attempt_id: "a-1" } });
  assert.deepEqual({ rows: await rows(), bytes: await bytes() }, before);
  assert.deepEqual(await readdir(house.temporary), []);
});

test("#3: an unknown automation or attempt is 200 with success false and a message", async (t) => {
  const { client } = await withOrders(t);
  const failed = {
    success: false,
    attempt_id: "a-9",
    validation_status: "failed",
    files_to_commit: [],
    design_content_hash: null,
    metadata_preview: null,
    api_response_time_seconds: 0.004,
  };
  const body = { attempt_id: "a-9" };
  assert.deepEqual(await client.validateArtifacts({ params: orders, body }), {
    ...failed,
    automation_alias: "orders-daily",
    validation_errors: ['The automation "orders-daily" has no attempt "a-9".'],
  });
  assert.deepEqual(await client.validateArtifacts({ params: { automation_alias: "x" }, body }), {
    ...failed,
    automation_alias: "x",
    validation_errors: ['There is no automation "x".'],
  });
});

test("#3 honours X-Environment-Id: unknown 404, inactive 409", async (t) => {
  const { client } = await withOrders(t);
  const call = { params: orders, body: { attempt_id: "a-1" } };
  await assert.rejects(
    client.validateArtifacts({ ...call, environment: "nowhere" }),
    refusal(404, /nowhere/),
  );
  await client.createEnvironment({ body: { name: "old", isActive: false } });
  await assert.rejects(client.validateArtifacts({ ...call, environment: "old" }), refusal(409, /not active/));
});

test("#3 tells every problem of the schema with its place", async (t) => {
  const house = await withOrders(t);
  const answer = await validated(house, {
    tasks: [{ name: "load", kind: "magic", retries: "many" }, { kind: "sql" }],
    schedule: { cron: 5 },
  });
  assert.equal(answer.success, false);
  assert.deepEqual(answer.validation_errors, [
    "definition.yaml: tasks[0].kind: Input should be 'sql', 'flow', 'connector', 'pipeline', 'http' or 'agent'",
    "definition.yaml: tasks[0].retries: Input should be a valid integer, unable to parse string as an integer",
    "definition.yaml: tasks[1].name: Field required",
    "definition.yaml: schedule.cron: Input should be a valid string",
  ]);
});

test("#3 validates cron, time zone, dependencies and references", async (t) => {
  const house = await withOrders(t);
  await house.client.createConnector({
    body: { name: "orders-in", target_type: "csv", target_config: null, created_by: "ada" },
  });
  const runs = (name: string, kind: string, reference: string) => ({ name, kind, reference });
  const answer = await validated(house, {
    tasks: [
      runs("a", "connector", "orders-in"),
      runs("b", "connector", "orders-out"),
      runs("c", "pipeline", "nightly"),
      runs("d", "pipeline", "daily"),
      runs("e", "agent", "order-desk"),
      runs("f", "agent", "nobody"),
      { ...runs("g", "flow", "any"), depends_on: ["h"] },
    ],
    schedule: { cron: "* * *", timezone: "Europe/Atlantis" },
  });
  assert.deepEqual(answer.validation_errors, [
    'definition.yaml: Task "g" depends on "h", which is no task of this automation.',
    'definition.yaml: The schedule\'s cron expression "* * *" does not parse.',
    'definition.yaml: The time zone "Europe/Atlantis" is not known.',
    'definition.yaml: Task "b" runs the connector "orders-out", which is not there.',
    'definition.yaml: Task "d" runs the pipeline "daily", which is not there.',
    'definition.yaml: Task "f" runs the agent "nobody", which is not there.',
  ]);
});

test("#3 refuses paths that are there twice or leave their folder", async (t) => {
  const house = await withOrders(t);
  const files = ["../x", "a.sql", "a.sql"].map((path) => ({ path, content: "" }));
  assert.deepEqual((await validated(house, { ...soundDesign, files })).validation_errors, [
    '"../x" leaves its folder.',
    '"a.sql" is there twice.',
  ]);
});

test("#3 takes secrets by reference only, wherever they stand, and an attempt keeps none", async (t) => {
  const house = await withOrders(t);
  const answer = await validated(house, {
    ...soundDesign,
    tasks: [{ name: "a", kind: "sql", query: "select 1", parameters: { db_password: "hunter2" } }],
    parameters: { api_key: "{{secrets/shop/key}}" },
    metadata: { deploy: { token: "hunter2" } },
    files: [
      { path: "conf/app.json", content: '{"clientSecret":"hunter3"}' },
      { path: "conf/app.yml", content: "ok: 1\nlist:\n  - access_key: hunter3\n" },
      { path: "conf/broken.yaml", content: "{{ template }}: [" },
      { path: "conf/text.json", content: '"password"' },
    ],
  });
  const sentence = "A secret must be a reference: {{secrets/<scope>/<key>}}.";
  assert.deepEqual(answer.validation_errors, [
    `definition.yaml: tasks[0].parameters.db_password: ${sentence}`,
    `conf/app.json: clientSecret: ${sentence}`,
    `conf/app.yml: list[0].access_key: ${sentence}`,
    `metadata.json: deploy.token: ${sentence}`,
  ]);
  assert.doesNotMatch(JSON.stringify([answer, await house.rows()]), /hunter2/);
});

test("#3 answers oversized and hostile designs with a message", async (t) => {
  const house = await withOrders(t);
  let deep: unknown = 1;
  for (let n = 0; n < 500; n++) deep = { deep };
  const answer = await validated(house, { ...soundDesign, parameters: { deep } });
  assert.deepEqual(answer.validation_errors, [
    "definition.yaml: The definition is nested deeper than 32 levels.",
  ]);
  const bomb = `a: &a [x,x,x,x,x,x,x,x]\n${["b", "c", "d", "e", "f"]
    .map((name, n) => `${name}: &${name} [${Array(8).fill(`*${"abcde"[n]}`)}]`)
    .join("\n")}`;
  const files = [
    { path: "bomb.yaml", content: bomb },
    { path: "deep.yaml", content: "[".repeat(50_000) },
    { path: "long.yaml", content: "x".repeat(100_001) },
  ];
  assert.deepEqual((await validated(house, { ...soundDesign, files })).validation_errors, [
    "long.yaml: It has more than 100000 characters.",
  ]);
});

test("an attempt is written and read; the same again changes nothing; If-Match is honoured", async (t) => {
  const { client, rows, parts } = await withOrders(t);
  const put = (ifMatch?: string) =>
    client.withResponse.putAttempt({
      params: attempt,
      body: soundDesign,
      ...(ifMatch !== undefined && { ifMatch }),
    });
  await assert.rejects(client.getAttempt({ params: attempt }), refusal(404, /no attempt "a-1"/));
  await assert.rejects(put('"1"'), refusal(412, /no attempt "a-1" yet/));
  const { body, etag } = await put();
  assert.equal(etag, '"1"');
  assert.deepEqual(body.tasks, soundDesign.tasks);
  const before = await rows();
  parts.nature.pass(1000);
  assert.deepEqual((await put('"1"')).body, body);
  assert.deepEqual(await rows(), before);
  const changed = await client.putAttempt({ params: attempt, body: { tasks: [] } });
  assert.equal(changed.created_at, body.created_at);
  assert.notEqual(changed.updated_at, body.updated_at);
  await assert.rejects(put('"1"'), refusal(412, /changed since/));
  assert.deepEqual(await client.getAttempt({ params: attempt }), changed);
  await assert.rejects(
    client.putAttempt({ params: { automation_alias: "x", attempt_id: "a" }, body: soundDesign }),
    refusal(404, /no automation "x"/),
  );
});

test("two that write the same attempt at once both succeed, in one row", async (t) => {
  const { client, rows } = await withOrders(t);
  await Promise.all([1, 2, 3].map(() => client.putAttempt({ params: attempt, body: soundDesign })));
  assert.equal((await rows()).attempts?.length, 1);
});

test("#18 answers success false until there is a warehouse, and still resolves the environment", async (t) => {
  const { client } = await openHouse(t);
  const body = { query: "select 1" };
  assert.deepEqual(await client.validateQuery({ body }), {
    success: false,
    result: 0,
    message: null,
    error: "The platform embedded does not run queries yet.",
  });
  await assert.rejects(client.validateQuery({ body, environment: "nowhere" }), refusal(404, /nowhere/));
});

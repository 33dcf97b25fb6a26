/** Uses the installed client with a real server. Prints nothing if every check passes. */
import assert from "node:assert/strict";
import { ApiError, type Connector, createClient, type Environment } from "@lakehelm/client";

const { LAKEHELM_URL: baseUrl = "", LAKEHELM_TOKEN: token = "", LIMITED_URL: limitedUrl = "" } = process.env;
const client = createClient({ baseUrl, token, retries: 0 });

const refusal = (call: Promise<unknown>): Promise<ApiError> =>
  call.then(
    () => assert.fail("it succeeded"),
    (error) => (error instanceof ApiError ? error : assert.fail(String(error))),
  );

// Create, with an idempotency key: the second call returns the first answer.
const body = { name: "blue", description: "the first", configuration: { big: 9007199254740993n } };
const created: Environment = await client.createEnvironment({ body, idempotencyKey: "k-1" });
assert.equal((await client.createEnvironment({ body, idempotencyKey: "k-1" })).id, created.id);
assert.equal(created.configuration.big, 9007199254740993n);
const reused = await refusal(client.createEnvironment({ body: { name: "red" }, idempotencyKey: "k-1" }));
assert.deepEqual([reused.kind, reused.status], ["conflict", 409]);

// Lists: filters, order, cursors.
for (const name of ["c1", "c2", "c3", "c4", "c5"]) {
  await client.createConnector({
    body: { name, target_type: "csv", target_config: null, execution_mode: "manual", created_by: "ada" },
    environment: "blue",
  });
}
const page = await client.listConnectors({ query: { environment: "blue", sort: "-name", limit: 2 } });
assert.deepEqual([page.connectors.map(({ name }) => name), page.total], [["c5", "c4"], 5]);
assert.equal(typeof page.next_cursor, "string");
const names: Connector["name"][] = [];
const listed = { query: { environment: "blue", sort: "-name", limit: 2 } } as const;
for await (const { name } of client.all.listConnectors(listed)) names.push(name);
assert.deepEqual(names, ["c5", "c4", "c3", "c2", "c1"]);
const found = await client.listConnectors({ query: { search: "C3" } });
assert.deepEqual(
  found.connectors.map(({ name }) => name),
  ["c3"],
);

// Change with an ETag: an older one is stale.
const at = { environment_id: created.id };
const read = await client.withResponse.getEnvironment({ params: at });
assert.deepEqual([read.status, read.body.description], [200, "the first"]);
assert.ok(read.etag !== undefined && read.requestId !== undefined);
const ifMatch = read.etag;
const changed = await client.updateEnvironment({ params: at, body: { description: "the second" }, ifMatch });
assert.equal(changed.description, "the second");
const stale = await refusal(client.updateEnvironment({ params: at, body: { description: "x" }, ifMatch }));
assert.deepEqual([stale.kind, stale.status], ["stale", 412]);

// A dry run: its answer, and nothing written.
const tried = await client.createEnvironment({ body: { name: "green" }, dryRun: true });
assert.equal(tried.name, "green");
const absent = await refusal(client.getEnvironment({ params: { environment_id: "green" } }));
assert.equal(absent.kind, "notFound");

// Errors say where the problem is and what was expected.
const wrong = { name: 5 as unknown as string };
const invalid = await refusal(client.createEnvironment({ body: wrong }));
assert.deepEqual([invalid.kind, invalid.status], ["invalid", 422]);
assert.deepEqual(
  invalid.entries.map(({ type, loc }) => ({ type, loc })),
  [{ type: "string_type", loc: ["body", "name"] }],
);
const unknown = { limit: 5, colour: "blue" } as { limit: number };
const [entry] = (await refusal(client.listEnvironments({ query: unknown }))).entries;
assert.deepEqual(entry?.loc, ["query", "colour"]);
assert.match(String(entry?.ctx?.expected), /skip, limit, name/);
const missing = await refusal(client.getConnector({ params: { connector_id: "none" } }));
assert.deepEqual([missing.kind, typeof missing.requestId], ["notFound", "string"]);

// A signal ends a call, also while it waits for its next attempt.
const leaving = new Error("the page was left");
await assert.rejects(client.getInfo({ signal: AbortSignal.abort(leaving) }), leaving);

// Files and events.
await client.putFile({ params: { path: "a b/ü.sql" }, body: "select 1", environment: "blue" });
const file = await client.getFile({ params: { path: "a b/ü.sql" }, environment: "blue" });
assert.equal(new TextDecoder().decode(file), "select 1");
for await (const { kind, data } of client.followEvents({ kind: "environment.updated" })) {
  assert.deepEqual([kind, data.name], ["environment.updated", "blue"]);
  break;
}

// 429: a call that is safe to retry waits as the server says, then succeeds; other calls throw an error with the wait.
const limited = createClient({ baseUrl: limitedUrl, token, retries: 3 });
const hurried = createClient({ baseUrl: limitedUrl, token, retries: 0 });
let tooMany: ApiError | undefined;
while (tooMany === undefined) {
  await hurried.getAuthStatus().catch((error) => {
    tooMany = error;
  });
}
assert.deepEqual([tooMany.kind, tooMany.status], ["tooMany", 429]);
assert.ok((tooMany.retryAfterSeconds ?? 0) >= 1);
const before = Date.now();
assert.equal((await limited.getAuthStatus()).authenticated, true);
assert.ok(Date.now() - before >= 900, "it waited for Retry-After");

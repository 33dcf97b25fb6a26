import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { createClient } from "@lakehelm/contract/client";
import { refused } from "./testing/refusal.ts";
import { engines, startTestServer, type TestServer, unique } from "./testing/server.ts";

type BatchBody = Parameters<TestServer["client"]["runBatch"]>[0]["body"];
type Operation = BatchBody["operations"][number];

const connector = (name: string) => ({ name, target_type: "csv", target_config: null, created_by: "ada" });
const create = (name: string, more: Partial<Operation> = {}): Operation => ({
  method: "POST",
  path: "/api/v1/connectors/",
  body: connector(name),
  ...more,
});

for (const engine of engines) {
  suite(`batches on ${engine}`, () => {
    let server: TestServer;
    before(async () => {
      server = await startTestServer({ engine });
    });
    after(() => server.close());

    const run = (mode: BatchBody["mode"], operations: Operation[], dryRun = false) =>
      server.client.runBatch({ body: { mode, operations }, dryRun });
    const statuses = ({ results }: Awaited<ReturnType<typeof run>>) => results.map(({ status }) => status);
    const named = async (word: string) =>
      (await server.client.listConnectors({ query: { search: word, limit: 1000 } })).connectors;

    test("all or nothing: later operations see earlier ones, and all are written at once", async () => {
      const { client } = server;
      const [environment, name] = [unique("prod"), unique("crm")];
      const answer = await run("all_or_nothing", [
        { id: "env", method: "POST", path: "/api/v1/environments", body: { name: environment } },
        create(name, { headers: { "X-Environment-Id": environment } }),
        {
          method: "PATCH",
          path: `/api/v1/environments/${environment}`,
          body: { description: "new" },
          headers: { "If-Match": '"1"' },
        },
      ]);
      assert.deepEqual([answer.committed, answer.failed, statuses(answer)], [true, null, [200, 200, 200]]);
      assert.deepEqual(
        answer.results.map(({ id, headers }) => [id, headers.etag]),
        [
          ["env", '"1"'],
          [null, '"1"'],
          [null, '"2"'],
        ],
      );
      const [made] = await named(name);
      assert.deepEqual(made, answer.results[1]?.body);
      const { description } = await client.getEnvironment({ params: { environment_id: environment } });
      assert.equal(description, "new");
      const job = await client.getJob({ params: { job_id: made?.workflow_id ?? "" } });
      assert.equal(job.subject, `connector/${made?.id}`);
      const events = await server.events("connector.created", `connector/${made?.id}`);
      assert.equal(events.length, 1);
      assert.match(events[0]?.request_id ?? "", /\/1$/);
    });

    test("all or nothing: the first failure is named, and nothing is written", async () => {
      const name = unique("crm");
      const rows = await server.rows();
      const answer = await run("all_or_nothing", [
        create(`${name}-1`),
        create(`${name}-2`),
        create(`${name}-1`),
        create(`${name}-3`),
      ]);
      assert.deepEqual(await server.rows(), rows);
      assert.deepEqual(
        [answer.committed, answer.failed, statuses(answer)],
        [false, 2, [null, null, 409, null]],
      );
      assert.match(JSON.stringify(answer.results[2]?.body), /already/);
    });

    test("each for itself: a failure does not stop the others", async () => {
      const name = unique("crm");
      const answer = await run("each", [
        create(`${name}-1`),
        create(`${name}-1`),
        { method: "POST", path: "/api/v1/connectors/", body: { name: 1 } },
        { method: "DELETE", path: "/api/v1/connectors/none" },
        { method: "POST", path: "/api/v1/nowhere" },
        { method: "PUT", path: "/api/v1/connectors/" },
        create(`${name}-2`),
      ]);
      assert.deepEqual(statuses(answer), [200, 409, 422, 404, 404, 405, 200]);
      assert.deepEqual([answer.committed, answer.failed], [false, 1]);
      assert.equal((await named(name)).length, 2);
    });

    test("a dry run of a batch writes nothing", async () => {
      const name = unique("crm");
      const rows = await server.rows();
      const operations = [create(`${name}-1`), create(`${name}-1`), create(`${name}-2`)];
      const together = await run("all_or_nothing", operations, true);
      assert.deepEqual([together.committed, statuses(together)], [false, [null, 409, null]]);
      const each = await run("each", operations, true);
      assert.deepEqual([each.committed, statuses(each)], [false, [200, 200, 200]]);
      const good = await run("all_or_nothing", [create(`${name}-1`), create(`${name}-2`)], true);
      assert.deepEqual([good.committed, good.failed, statuses(good)], [false, null, [200, 200]]);
      assert.deepEqual(await server.rows(), rows);
    });

    test("what cannot be part of a batch or of a transaction is refused with the reason", async () => {
      const refusals: [BatchBody["mode"], Operation, RegExp][] = [
        [
          "each",
          { method: "POST", path: "/api/v1/batch", body: { mode: "each", operations: [create("x")] } },
          /contains no batch/,
        ],
        ["each", create("x", { path: "/api/v1/connectors/?dry_run=true" }), /dry_run with the batch/],
        ["each", create("x", { headers: { Authorization: "Bearer x" } }), /Headers of an operation/],
        ["each", { method: "PUT", path: "/api/v1/files/a.txt", body: "x" }, /send it alone/],
        ["each", { method: "POST", path: "/api/v1/auth/token", body: {} }, /send it alone/],
        [
          "all_or_nothing",
          { method: "POST", path: "/api/v1/queries", body: { sql: "select 1" } },
          /runs a statement/,
        ],
        [
          "all_or_nothing",
          { method: "DELETE", path: "/api/v1/environments/gone-soon" },
          /deletes the folder/,
        ],
      ];
      await server.client.createEnvironment({ body: { name: "gone-soon" } });
      for (const [mode, operation, reason] of refusals) {
        const answer = await run(mode, [operation]);
        assert.deepEqual(statuses(answer), [422], operation.path);
        assert.match(JSON.stringify(answer.results[0]?.body), reason);
      }
      const many = Array.from({ length: 1001 }, (_, n) => create(`many-${n}`));
      await refused(run("each", many), 422);
      await refused(run("each", []), 422);
      await refused(run("each", [{ ...create("x"), method: "GET" as "POST" }]), 422);
      assert.equal((await named("many-")).length, 0);
    });

    test("each operation needs the role that it needs alone", async () => {
      const { client, url } = server;
      const { id } = await client.createUser({ body: { username: unique("viewer"), role: "viewer" } });
      const { token } = await client.createToken({ params: { user_id: id }, body: { comment: "test" } });
      const viewer = createClient({ baseUrl: url, token, retries: 0 });
      for (const mode of ["each", "all_or_nothing"] as const) {
        const { results } = await viewer.runBatch({ body: { mode, operations: [create(unique("crm"))] } });
        assert.equal(results[0]?.status, 403);
      }
      // A changed role or token takes effect immediately, even if the server has cached it.
      assert.equal((await viewer.getAuthStatus()).authenticated, true);
      const raised = await run("all_or_nothing", [
        { method: "PATCH", path: `/api/v1/users/${id}`, body: { role: "operator" } },
      ]);
      assert.equal(raised.committed, true);
      await viewer.createConnector({ body: connector(unique("crm")) });
      const { tokens } = await client.listTokens({ params: { user_id: id } });
      await run("all_or_nothing", [
        { method: "DELETE", path: `/api/v1/users/${id}/tokens/${tokens[0]?.id}` },
      ]);
      await refused(viewer.getAuthStatus(), 401);
    });

    test("a repeated batch with idempotency keys is carried out once", async () => {
      const name = unique("crm");
      for (const mode of ["each", "all_or_nothing"] as const) {
        const keyed = (n: number) =>
          create(`${name}-${mode}-${n}`, { headers: { "Idempotency-Key": `${name}-${mode}-${n}` } });
        const first = await run(mode, [keyed(1), keyed(2)]);
        const second = await run(mode, [keyed(1), keyed(2)]);
        assert.deepEqual(
          second.results.map(({ body }) => body),
          first.results.map(({ body }) => body),
        );
        assert.deepEqual(
          second.results.map(({ headers }) => headers["idempotency-replayed"]),
          ["true", "true"],
        );
      }
      assert.equal((await named(name)).length, 4);
    });

    test("hostile bodies get an error and change nothing", async () => {
      const rows = await server.rows();
      const post = (body: string) =>
        server.fetch("/api/v1/batch", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body,
        });
      const one = (operation: object) => JSON.stringify({ mode: "each", operations: [operation] });
      const bodies: [string, number][] = [
        ["[]", 422],
        ["{", 422],
        [`{"mode":"each","operations":${"[".repeat(800)}${"]".repeat(800)}}`, 422],
        [one({ method: "POST", path: "x".repeat(5000) }), 422],
        [JSON.stringify({ mode: "all", operations: [create("x")] }), 422],
        [`{"mode":"each","operations":[${"{},".repeat(200_000)}{}]}`, 422],
        [`"${"x".repeat(17 * 1024 * 1024)}"`, 413],
      ];
      for (const [body, status] of bodies) assert.equal((await post(body)).status, status, body.slice(0, 60));
      for (const path of [
        "//evil.example.test/api/v1/connectors/",
        "http://x/api/v1/connectors/",
        "/api/v1/connectors/%00",
        "/%zz",
        "",
      ]) {
        const response = await post(one({ ...create("x"), path, headers: {} }));
        const text = await response.text();
        assert.ok(
          response.status === 422 || /"status":(400|404|405)/.test(text),
          `${path}: ${text.slice(0, 200)}`,
        );
      }
      const large = await run("each", [
        create("x", { body: { ...connector("x"), artifacts_path: "x".repeat(1_100_000) } }),
      ]);
      assert.deepEqual(statuses(large), [413]);
      const proto = await post(
        `{"mode":"each","operations":[{"method":"POST","path":"/api/v1/connectors/","headers":{"__proto__":"x"}}]}`,
      );
      assert.match(await proto.text(), /"status":422/);
      assert.deepEqual(await server.rows(), rows);
    });
  });
}

test("the operations of a batch count for the rate limit of their caller", async (t) => {
  const server = await startTestServer({ settings: { PLATFORM_RATE_LIMIT_PER_MINUTE: "10" } });
  t.after(server.close);
  const operations = Array.from({ length: 15 }, (_, n) => create(`crm-${n}`));
  const { results, failed } = await server.client.runBatch({ body: { mode: "each", operations } });
  assert.equal(failed, 9);
  assert.equal(results.filter(({ status }) => status === 429).length, 6);
  assert.ok(Number(results[9]?.headers["retry-after"]) > 0);
});

import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { type Endpoint, endpoints, isList } from "@lakehelm/contract";
import { createClient } from "@lakehelm/contract/client";
import { engines, startTestServer, type TestServer } from "../../testing/server.ts";

type Page = Readonly<Record<string, unknown>> & { total: number; next_cursor?: string | null };

for (const engine of engines) {
  suite(`lists: filters, order and cursors on ${engine}`, () => {
    let server: TestServer;
    let now = Date.parse("2026-03-01T12:00:00Z");
    let environment: string;

    before(async () => {
      server = await startTestServer({
        engine,
        now: () => new Date(now),
        // The real monotonic clock, so that the data folder lease is not lost.
        monotonicMs: () => performance.now(),
      });
      const { client } = server;
      environment = (await client.createEnvironment({ body: { name: "other" } })).id;
      const flows = ["Alpha", "beta", "alphabet", "100%_done", "back\\slash", "Äpfel", "\u{1f600}", "\uffee"];
      for (const [n, name] of flows.entries()) {
        now += 60_000;
        await client.createConnector({
          body: { name, target_type: "csv", target_config: null, created_by: n % 2 === 0 ? "ada" : "bob" },
          ...(n >= 6 && { environment }),
        });
        await client.createDeployment({
          body: { deployment_name: n === 3 ? null : name, git_branch: "main", git_commit_sha: `sha-${n}` },
        });
      }
    });
    after(() => server.close());

    async function page(path: string): Promise<Page> {
      const response = await server.fetch(path);
      const text = await response.text();
      assert.equal(response.status, 200, `${path}: ${text}`);
      return JSON.parse(text) as Page;
    }
    const connectors = async (query: Record<string, string>) => {
      const found = await page(`/api/v1/connectors?${new URLSearchParams(query)}`);
      return (found.connectors as { name: string }[]).map(({ name }) => name);
    };
    const refused = async (path: string): Promise<{ loc: string[]; type: string; msg: string }[]> => {
      const response = await server.fetch(path);
      const text = await response.text();
      assert.equal(response.status, 422, `${path}: ${text}`);
      return JSON.parse(text).detail;
    };

    test("an answer to skip and limit has no new field, and every other one has a cursor", async () => {
      const plain = await server.fetch("/api/v1/connectors?skip=1&limit=2");
      const { connectors: found, ...rest } = JSON.parse(await plain.text());
      assert.deepEqual([found.length, rest], [2, { total: 8 }]);
      assert.equal(plain.headers.get("x-ignored-parameters"), null);
      assert.deepEqual(Object.keys(await page("/api/v1/connectors?cursor=")), [
        "connectors",
        "total",
        "next_cursor",
      ]);
    });

    test("filters combine, and the total counts what matches", async () => {
      assert.deepEqual(await connectors({ name: "beta" }), ["beta"]);
      assert.deepEqual(await connectors({ name: "BETA" }), []);
      assert.deepEqual(await connectors({ owner: "ada" }), ["Alpha", "alphabet", "back\\slash", "\u{1f600}"]);
      assert.deepEqual(await connectors({ owner: "ada", search: "alpha" }), ["Alpha", "alphabet"]);
      assert.deepEqual(await connectors({ environment: "other" }), ["\u{1f600}", "\uffee"]);
      assert.deepEqual(await connectors({ environment, owner: "bob" }), ["\uffee"]);
      assert.deepEqual(await connectors({ created_after: "2026-03-01T12:08:00Z" }), ["\uffee"]);
      assert.deepEqual(await connectors({ created_before: "2026-03-01T13:02:00+01:00" }), ["Alpha"]);
      assert.deepEqual(await connectors({ created_before: "2026-03-01" }), []);
      assert.equal((await connectors({ updated_after: "2026-03-01" })).length, 8);
      const { total } = await page("/api/v1/connectors?search=alpha&limit=1");
      assert.equal(total, 2);
      const { total: all } = await page("/api/v1/connectors?search=alpha&skip=5");
      assert.equal(all, 2);
    });

    test("the status of a list is that of its items", async () => {
      const statuses = new Map<string, number>();
      for await (const { status } of server.client.all.listConnectors()) {
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
      for (const status of ["created", "active", "paused", "failed"]) {
        const { total } = await page(`/api/v1/connectors?status=${status}`);
        assert.equal(total, statuses.get(status) ?? 0, status);
      }
      const [first] = (await server.client.listDeployments({ query: { limit: 1 } })).deployments;
      const params = { deployment_id: first?.id ?? "" };
      await server.client.finishDeployment({ params, body: { status: "failed" } });
      const failed = await server.client.listDeployments({ query: { status: "failed" } });
      assert.deepEqual(
        failed.deployments.map(({ id }) => id),
        [first?.id],
      );
      const active = await server.client.listEnvironments({ query: { status: "active", sort: "-name" } });
      assert.deepEqual(
        active.environments.map(({ name }) => name),
        ["other", "local"],
      );
    });

    test("search takes every character literally and ignores the case", async () => {
      assert.deepEqual(await connectors({ search: "%" }), ["100%_done"]);
      assert.deepEqual(await connectors({ search: "_" }), ["100%_done"]);
      assert.deepEqual(await connectors({ search: "\\" }), ["back\\slash"]);
      assert.deepEqual(await connectors({ search: "äPFEL" }), ["Äpfel"]);
      assert.deepEqual(await connectors({ search: "'; drop table connectors; --" }), []);
      assert.deepEqual(await connectors({ search: "a\0b" }), []);
      assert.deepEqual(await connectors({ name: "a\0b" }), []);
    });

    test("the order is by code points, both ways, and equal items are oldest first", async () => {
      const order = ["100%_done", "Alpha", "alphabet", "back\\slash", "beta", "Äpfel", "\uffee", "\u{1f600}"];
      assert.deepEqual(await connectors({ sort: "name" }), order);
      assert.deepEqual(await connectors({ sort: "-name" }), order.toReversed());
      assert.deepEqual(await connectors({ sort: "-created", limit: "2" }), ["\uffee", "\u{1f600}"]);
      assert.deepEqual(await connectors({ sort: "name", skip: "6" }), ["\uffee", "\u{1f600}"]);
    });

    for (const sort of ["", "name", "-name", "-created", "status", "-updated"]) {
      test(`cursors read everything once in the order ${sort || "of creation"}, also while items are added`, async () => {
        const all = await connectors(sort ? { sort } : { cursor: "" });
        const read: string[] = [];
        let cursor = "";
        for (let n = 0; ; n++) {
          const query = new URLSearchParams({ limit: "3", cursor, ...(sort && { sort }) });
          const found = await page(`/api/v1/connectors?${query}`);
          read.push(...(found.connectors as { name: string }[]).map(({ name }) => name));
          if (found.next_cursor === null) break;
          cursor = String(found.next_cursor);
          if (n === 0) {
            await server.client.createConnector({
              body: { name: `new-${sort}`, target_type: "csv", target_config: null, created_by: "eve" },
            });
          }
        }
        assert.deepEqual(
          read.filter((name) => name !== `new-${sort}`),
          all,
        );
        assert.equal(new Set(read).size, read.length);
        const created = await server.client.listConnectors({ query: { name: `new-${sort}` } });
        await server.client.deleteConnector({ params: { connector_id: created.connectors[0]?.id ?? "" } });
      });
    }

    test("the client follows cursors", async () => {
      const names = await Array.fromAsync(
        server.client.all.listDeployments({ query: { sort: "-name", limit: 3 } }),
        ({ deployment_name }) => deployment_name,
      );
      assert.equal(names.length, 8);
      assert.deepEqual(names.slice(0, 2), ["\u{1f600}", "\uffee"]);
      assert.equal(names.at(-1), null);
    });

    test("a wrong value is a 422 with its place", async () => {
      const cases: [string, string, string][] = [
        ["sort=size", "sort", "literal_error"],
        ["status=gone", "status", "literal_error"],
        ["search=", "search", "string_too_short"],
        [`search=${"x".repeat(201)}`, "search", "string_too_long"],
        [`name=${"x".repeat(1001)}`, "name", "string_too_long"],
        ["created_after=yesterday", "created_after", "value_error"],
        ["created_after=2026-13-01", "created_after", "value_error"],
        ["created_before=9999-12-31T23:59:59-12:00", "created_before", "value_error"],
        ["updated_after=2026-03-01T12:00:00", "updated_after", "value_error"],
        ["cursor=abc", "cursor", "value_error"],
        ["cursor=1.e30", "cursor", "value_error"],
        ["cursor=2.W10", "cursor", "value_error"],
        [`cursor=1.${"A".repeat(3000)}`, "cursor", "value_error"],
        [`cursor=${"1".repeat(4001)}`, "cursor", "string_too_long"],
        ["cursor=&skip=1", "skip", "value_error"],
        ["sort=name&skip=1001", "skip", "value_error"],
        ["limit=0", "limit", "greater_than_equal"],
        ["page=2", "page", "extra_forbidden"],
      ];
      for (const [query, parameter, type] of cases) {
        const [first] = await refused(`/api/v1/flows?${query}`);
        assert.deepEqual([first?.type, first?.loc], [type, ["query", parameter]], query.slice(0, 80));
      }
      const [unknown] = await refused("/api/v1/flows?page=2");
      assert.match(
        unknown?.msg ?? "",
        /^Unknown parameter "page"\. Parameters of this list: skip, limit, name, /,
      );
    });

    test("a cursor continues only the request that it came from", async () => {
      const { next_cursor } = await page("/api/v1/deployments?sort=name&limit=1");
      const cursor = encodeURIComponent(String(next_cursor));
      for (const path of [
        `/api/v1/deployments?sort=-name&cursor=${cursor}`,
        `/api/v1/deployments?sort=name&owner=ada&cursor=${cursor}`,
        `/api/v1/flows?sort=name&cursor=${cursor}`,
      ]) {
        const [first] = await refused(path);
        assert.match(first?.msg ?? "", /^This cursor is for another list/);
      }
      assert.equal((await page(`/api/v1/deployments?sort=name&limit=5&cursor=${cursor}`)).total, 8);
    });

    test("the list of the contract ignores what it does not know, and says so", async () => {
      const response = await server.fetch("/api/v1/connectors?page=2&limit=1&%C3%A4%0D%0A=1&name=beta");
      assert.equal(response.status, 200);
      assert.equal(response.headers.get("x-ignored-parameters"), "page, %C3%A4%0D%0A");
      assert.equal(((await response.json()) as Page).total, 1);
      const wrong = await server.fetch("/api/v1/connectors?sort=size");
      assert.equal(wrong.status, 409);
      assert.match(
        ((await wrong.json()) as { detail: string }).detail,
        /^query\.sort: Input should be 'name'/,
      );
      assert.equal((await server.fetch("/api/v1/connectors?limit=x&sort=size")).status, 422);
    });

    test("every other list refuses an unknown parameter", async () => {
      const lists = Object.values<Endpoint>(endpoints).filter(isList);
      assert.ok(lists.length > 20);
      for (const { path, number } of lists) {
        if (number !== undefined) continue;
        const [first] = await refused(`${path.replaceAll(/\{\w+\}/g, "x")}?unknown_one=1`);
        assert.deepEqual([first?.type, first?.loc], ["extra_forbidden", ["query", "unknown_one"]], path);
      }
    });

    test("jobs, runs and deliveries take an environment, jobs and runs a range of times", async () => {
      const { client } = server;
      const hour = (n: number) => new Date(Date.now() + n * 3_600_000).toISOString();
      const here = await client.listJobs({ query: { environment: "other" } });
      assert.equal(here.total, 2);
      const [job] = (await client.listJobs({ query: { name: "beta" } })).jobs;
      assert.equal((await client.listJobs({ query: { name: "Beta" } })).total, 0);
      const from = await client.listJobs({ query: { created_after: "2026-03-01T12:07:00Z" } });
      assert.deepEqual(
        from.jobs.map(({ name }) => name),
        ["\u{1f600}", "\uffee"],
      );
      assert.equal((await client.listJobs({ query: { created_before: "2026-03-01T12:01:00Z" } })).total, 0);

      const simulated = now;
      now = Date.now();
      const run = await client.runJob({ params: { job_id: job?.id ?? "" }, body: {} });
      now = simulated;
      const idsOf = async (query: Record<string, string>) =>
        (await client.listRuns({ query })).runs.map(({ id }) => id);
      const after = run.queued_at;
      const later = new Date(Date.parse(after) + 1).toISOString();
      assert.deepEqual(await idsOf({ environment: "local", created_after: after }), [run.id]);
      assert.deepEqual(await idsOf({ environment: "local", created_after: later }), []);
      assert.deepEqual(await idsOf({ created_before: later, created_after: hour(-1) }), [run.id]);
      assert.deepEqual(await idsOf({ created_before: after }), []);
      assert.deepEqual(await idsOf({ environment: "other" }), []);
      assert.deepEqual(await idsOf({ created_before: hour(2), before: run.id }), []);
      assert.deepEqual((await client.listDeliveries({ query: { environment: "other" } })).deliveries, []);
      const missing = await server.fetch("/api/automations/chat/deliveries?environment=missing");
      assert.equal(missing.status, 404);
    });

    test("files are filtered by path and time", async () => {
      const { client } = server;
      for (const path of ["b/Orders.sql", "a.txt", "b/customers.sql"]) {
        await client.putFile({ params: { path }, body: path });
      }
      const found = async (query: Record<string, string>) =>
        (await client.listFiles({ query })).files.map(({ path }) => path);
      assert.deepEqual(await found({ search: "ORDERS" }), ["b/Orders.sql"]);
      assert.deepEqual(await found({ name: "a.txt" }), ["a.txt"]);
      assert.deepEqual(await found({ sort: "-name", prefix: "b/" }), ["b/customers.sql", "b/Orders.sql"]);
      assert.equal((await found({ updated_after: "2020-01-01" })).length, 3);
      assert.deepEqual(await found({ updated_before: "2020-01-01" }), []);
      assert.equal((await found({ sort: "updated" })).length, 3);
      const first = await client.listFiles({ query: { sort: "name", limit: 2 } });
      assert.equal(first.total, 3);
      const query = { sort: "name", limit: 2, cursor: first.next_cursor ?? "" } as const;
      const second = await client.listFiles({ query });
      assert.deepEqual([second.files.length, second.next_cursor], [1, null]);
      const names = await Array.fromAsync(client.all.listFiles({ query: { sort: "-name", limit: 1 } }));
      assert.equal(names.length, 3);
      assert.match(
        (await refused(`/api/v1/files?sort=-name&cursor=${query.cursor}`))[0]?.msg ?? "",
        /^This cursor is for another list/,
      );
    });

    test("secret scopes, secrets and roles are filtered", async () => {
      const { client } = server;
      for (const [scope, key] of [
        ["crm", "password"],
        ["crm", "token"],
        ["erp", "password"],
      ] as const) {
        await client.putSecret({ params: { scope, key }, body: { value: "x" } });
      }
      const scopes = await client.listSecretScopes({ query: { sort: "-name", limit: 1 } });
      assert.deepEqual([scopes.scopes, scopes.total], [[{ scope: "erp" }], 2]);
      const { next_cursor } = scopes;
      const more = await client.listSecretScopes({ query: { sort: "-name", cursor: next_cursor ?? "" } });
      assert.deepEqual([more.scopes, more.next_cursor], [[{ scope: "crm" }], null]);
      const keys = async (query: Record<string, string>) =>
        (await client.listSecrets({ params: { scope: "crm" }, query })).secrets.map(({ key }) => key);
      assert.deepEqual(await keys({ search: "TOK" }), ["token"]);
      assert.deepEqual(await keys({ name: "token" }), ["token"]);
      assert.deepEqual(await keys({ updated_before: "2020-01-01" }), []);
      assert.deepEqual(await keys({}), ["password", "token"]);

      const params = { environment_id: environment };
      for (const [username, role] of [
        ["zoe", "viewer"],
        ["abe", "admin"],
      ] as const) {
        await client.putEnvironmentRole({ params: { ...params, username }, body: { role } });
      }
      const users = async (query: Record<string, string>) =>
        (await client.listEnvironmentRoles({ params, query })).roles.map(({ username }) => username);
      assert.deepEqual(await users({ status: "admin" }), ["abe"]);
      assert.deepEqual(await users({ owner: "internal-service", sort: "-name" }), ["zoe", "abe"]);
      assert.deepEqual(await users({ created_before: "2020-01-01" }), []);
    });

    test("jobs are searched and sorted, and runs are filtered by name and owner", async () => {
      const { client } = server;
      const names = async (query: Record<string, string>) =>
        (await client.listJobs({ query })).jobs.map(({ name }) => name);
      assert.deepEqual(await names({ search: "ALPHA" }), ["Alpha", "alphabet"]);
      const byName = await names({ sort: "-name" });
      assert.deepEqual(byName.slice(0, 2), ["\u{1f600}", "\uffee"]);
      const all = await Array.fromAsync(client.all.listJobs({ query: { sort: "-name", limit: 3 } }));
      assert.deepEqual(
        all.map(({ name }) => name),
        byName,
      );
      const [beta] = (await client.listConnectors({ query: { name: "beta" } })).connectors;
      await client.pauseConnector({ params: { connector_id: beta?.id ?? "" }, body: {} });
      assert.deepEqual(await names({ status: "paused" }), ["beta"]);
      assert.ok(!(await names({ status: "active" })).includes("beta"));

      const [job] = (await client.listJobs({ query: { name: "Alpha" } })).jobs;
      const run = await client.runJob({ params: { job_id: job?.id ?? "" }, body: {} });
      const ids = async (query: Record<string, string>) =>
        (await client.listRuns({ query })).runs.map(({ id }) => id);
      assert.deepEqual(await ids({ name: "Alpha" }), [run.id]);
      assert.deepEqual(await ids({ name: "Alpha", owner: "internal-service" }), [run.id]);
      assert.deepEqual(await ids({ owner: "somebody" }), []);
      assert.deepEqual(await ids({ name: "alpha" }), []);
      const { runs } = await client.listRunsOfJob({
        params: { job_id: job?.id ?? "" },
        query: { owner: "internal-service" },
      });
      assert.deepEqual(
        runs.map(({ id }) => id),
        [run.id],
      );
    });

    test("histories are searched, sorted both ways and read by cursors", async () => {
      const { client } = server;
      const [job] = (await client.listJobs({ query: { name: "alphabet" } })).jobs;
      const params = { job_id: job?.id ?? "" };
      const started: string[] = [];
      for (let n = 0; n < 5; n++) {
        const { id } = await client.runJob({ params, body: { reason: `Reason ${n % 2}` } });
        started.push(id);
      }
      type Query = { limit?: number; sort?: "created" | "-created"; search?: string };
      async function byCursor(query: Query): Promise<string[]> {
        const read: string[] = [];
        let cursor: string | null = "";
        while (cursor !== null) {
          const page = await client.listRuns({ query: { ...query, job: params.job_id, limit: 2, cursor } });
          read.push(...page.runs.map(({ id }) => id));
          cursor = page.next_cursor;
        }
        return read;
      }
      assert.deepEqual(await byCursor({ sort: "created" }), started);
      assert.deepEqual(await byCursor({}), started.toReversed());
      assert.deepEqual(await byCursor({ sort: "created", search: "REASON 1" }), [started[1], started[3]]);
      assert.deepEqual(await byCursor({ search: "ALPHABE" }), started.toReversed());
      assert.deepEqual(await byCursor({ search: "nowhere" }), []);

      const of = async (query: Record<string, string>) =>
        (await client.listRunsOfJob({ params, query: { sort: "created", ...query } })).runs.length;
      assert.equal(await of({ updated_before: "2020-01-01" }), 0);
      assert.equal(await of({ updated_after: "2020-01-01" }), 5);
      assert.equal(await of({ created_after: "2020-01-01", updated_after: "2999-01-01" }), 0);

      const first = await client.listRuns({ query: { job: params.job_id, sort: "created", limit: 1 } });
      assert.equal(first.next_before, null);
      const cursor = encodeURIComponent(first.next_cursor ?? "");
      for (const [query, parameter] of [
        [`sort=-created&cursor=${cursor}`, "cursor"],
        [`sort=created&owner=ada&cursor=${cursor}`, "cursor"],
        [`sort=created&before=${started[0]}`, "before"],
        [`cursor=&before=${started[0]}`, "before"],
        ["sort=name", "sort"],
      ] as const) {
        const [problem] = await refused(`/api/v1/runs?job=${params.job_id}&${query}`);
        assert.deepEqual(problem?.loc, ["query", parameter], query);
      }
    });

    test("updates of a pipeline and runs of an automation have the same order and cursors", async () => {
      const { client } = server;
      const { pipeline_id } = await client.createPipeline({ body: { name: "history", libraries: [] } });
      const params = { pipeline_id };
      const started: string[] = [];
      for (let n = 0; n < 3; n++) {
        const body = { validate_only: true, reason: `reason ${n}` };
        started.push((await client.startPipelineUpdate({ params, body })).update_id);
      }
      const ids = async (query: object) => {
        const { updates, next_cursor } = await client.listPipelineUpdates({ params, query });
        return { ids: updates.map(({ update_id }) => update_id), next: next_cursor };
      };
      const first = await ids({ sort: "created", limit: 2 });
      assert.deepEqual(first.ids, started.slice(0, 2));
      assert.deepEqual(await ids({ sort: "created", cursor: first.next }), {
        ids: started.slice(2),
        next: null,
      });
      assert.deepEqual((await ids({})).ids, started.toReversed());
      assert.deepEqual((await ids({ search: "Reason 1" })).ids, [started[1]]);
      assert.deepEqual((await ids({ updated_before: "2020-01-01" })).ids, []);

      await client.createAutomation({
        body: { alias: "history", definition: { tasks: [{ name: "one", kind: "sql", query: "select 1" }] } },
      });
      const alias = { automation_alias: "history" };
      await client.syncAutomationRelease({
        body: { ...alias, action: "activate", environment: "local", metadata: { version: "1" } },
      });
      const runs: string[] = [];
      for (let n = 0; n < 2; n++) runs.push((await client.runAutomation({ params: alias, body: {} })).id);
      const page = await client.listAutomationRuns({ params: alias, query: { sort: "created", limit: 1 } });
      assert.deepEqual([page.runs[0]?.id, page.runs.length], [runs[0], 1]);
      const query = { sort: "created", cursor: page.next_cursor ?? "" } as const;
      const rest = await client.listAutomationRuns({ params: alias, query });
      assert.deepEqual([rest.runs.map(({ id }) => id), rest.next_cursor], [[runs[1]], null]);
    });

    test("roles in environments scope every filtered list", async () => {
      const { id } = await server.client.createUser({ body: { username: "ann", role: "none" } });
      const { token } = await server.client.createToken({ params: { user_id: id }, body: {} });
      const params = { environment_id: environment, username: "ann" };
      await server.client.putEnvironmentRole({ params, body: { role: "viewer" } });
      const ann = createClient({ baseUrl: server.url, token });
      const found = await ann.listConnectors({ query: { sort: "name" } });
      assert.deepEqual([found.total, found.connectors.map(({ name }) => name)], [2, ["\uffee", "\u{1f600}"]]);
      assert.equal((await ann.listConnectors({ query: { environment: "other", owner: "ada" } })).total, 1);
      assert.equal((await ann.listDeployments({ query: { search: "a" } })).total, 0);
      const environments = await ann.listEnvironments({ query: { sort: "-name" } });
      assert.deepEqual(
        environments.environments.map(({ name }) => name),
        ["other"],
      );
      const messages = ["local", "missing"].map((name) =>
        ann.listConnectors({ query: { environment: name } }).catch((error: Error) => error.message),
      );
      const [hidden, missing] = await Promise.all(messages);
      assert.equal(String(hidden).replace("local", "missing"), missing);
    });
  });
}

import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { type Endpoint, endpoints } from "@lakehelm/contract";
import { createClient } from "@lakehelm/contract/client";
import { enginesOfSlowSuites, startTestServer, type TestServer } from "../../testing/server.ts";
import { furnished, type Params, requestOf } from "./test-furnished.ts";

const all = Object.entries<Endpoint>(endpoints);
const isShared = ({ scope }: Endpoint) => scope === "automation" || scope === "agent";

for (const engine of enginesOfSlowSuites) {
  suite(`roles in environments on ${engine}`, () => {
    let server: TestServer;
    let dev: Awaited<ReturnType<typeof furnished>>;
    let prod: Awaited<ReturnType<typeof furnished>>;
    const tokens: Record<string, string> = {};

    async function user(
      username: string,
      role: "none" | "operator",
      grants: Readonly<Record<string, string>>,
    ) {
      const { id } = await server.client.createUser({ body: { username, role } });
      for (const [environment_id, granted] of Object.entries(grants)) {
        await server.client.putEnvironmentRole({
          params: { environment_id, username },
          body: { role: granted as "viewer" },
        });
      }
      tokens[username] = (await server.client.createToken({ params: { user_id: id }, body: {} })).token;
    }

    async function send(who: string, endpoint: Endpoint, where: string, params: Params) {
      const { path, init } = requestOf(endpoint, where, params);
      const headers = { ...init.headers, authorization: `Bearer ${tokens[who]}` };
      const response = await server.fetch(path, { ...init, headers });
      return { status: response.status, text: await response.text() };
    }

    before(async () => {
      server = await startTestServer({ engine });
      dev = await furnished(server, "dev");
      prod = await furnished(server, "prod");
      await user("dora", "none", { [dev.id]: "operator" });
      await user("vera", "none", { [dev.id]: "viewer" });
      await user("otto", "operator", {});
      await user("anna", "operator", { [prod.id]: "admin" });
      await user("nobody", "none", {});
    });
    after(() => server.close());

    test("no operation reaches an environment where the caller has no role", async () => {
      const secrets = [
        ...Object.entries(prod.params).flatMap(([name, value]) =>
          /_id$/.test(name) && name !== "environment_id" && value.length > 20 ? [value] : [],
        ),
      ];
      for (const [name, endpoint] of all) {
        if (endpoint.access === "public") continue;
        const { status, text } = await send("dora", endpoint, prod.id, prod.params);
        const { scope, access } = endpoint;
        const reads = scope === "any" || (isShared(endpoint) && access === "viewer");
        if (scope === "server") assert.equal(status, 403, `${name}: ${text}`);
        else if (reads) assert.ok(!text.includes(prod.id), `${name}: ${text}`);
        else if (scope === "delivery") assert.equal(status, 404, `${name}: ${text}`);
        else
          assert.ok(status === 404 || (access === "admin" && status === 403), `${name}: ${status} ${text}`);
        if (!reads) for (const secret of secrets) assert.ok(!text.includes(secret), `${name}: ${text}`);
      }
    });

    test("a refusal says which role a caller has, and whom to ask", async () => {
      const said = async (who: string) =>
        (await send(who, endpoints.createConnector, dev.id, dev.params)).text;
      assert.match(
        await said("vera"),
        /requires the role operator\. vera has no more than the role viewer in any environment\. Ask an admin/,
      );
      assert.match(await said("nobody"), /requires the role operator\. nobody has no role\./);
      for (const [name, endpoint] of all) {
        if (endpoint.access === "public") continue;
        for (const who of ["vera", "dora", "nobody"]) {
          const { text } = await send(who, endpoint, prod.id, prod.params);
          assert.doesNotMatch(text, /role none/, `${who} ${name}`);
        }
      }
    });

    test("lists, totals and events without a filter contain only the caller's environments", async () => {
      await server.server.events.seal();
      const hidden = Object.entries(prod.params).flatMap(([name, value]) =>
        [
          "connector_id",
          "flow_id",
          "pipeline_id",
          "app_id",
          "deployment_id",
          "binding_id",
          "run_id",
        ].includes(name)
          ? [value]
          : [],
      );
      for (const [name, endpoint] of all.filter(([, { scope }]) => scope === "list")) {
        const { path } = requestOf(endpoint, "", {});
        const read = async (token: string | undefined) => {
          const response = await server.fetch(path, {
            headers: token ? { authorization: `Bearer ${token}` } : {},
          });
          assert.equal(response.status, 200, name);
          return response.text();
        };
        const [mine, everything] = await Promise.all([read(tokens.dora), read(undefined)]);
        for (const id of [prod.id, ...hidden]) assert.ok(!mine.includes(id), `${name} shows ${id}: ${mine}`);
        const { total } = JSON.parse(mine) as { total?: number };
        const whole = (JSON.parse(everything) as { total?: number }).total;
        const rows = Object.values(JSON.parse(mine) as object).find(Array.isArray) ?? [];
        if (total !== undefined && whole !== undefined) {
          assert.equal(total, rows.length, name);
          assert.ok(total < whole && total > 0, `${name}: ${total} of ${whole}`);
        }
        if (name === "readEvents" || name === "listRuns") assert.ok(rows.length > 0, name);
        const nobody = JSON.parse((await send("vera", endpoint, dev.id, dev.params)).text) as object;
        assert.ok(nobody, name);
      }
    });

    test("a stream of events contains only the caller's environments", async () => {
      const response = await server.fetch("/api/v1/events", {
        headers: { authorization: `Bearer ${tokens.dora}`, accept: "text/event-stream" },
      });
      const reader = response.body?.getReader();
      let text = "";
      const until = Date.now() + 5000;
      while (!text.includes("connector.created") && Date.now() < until) {
        text += Buffer.from((await reader?.read())?.value ?? []).toString();
      }
      await reader?.cancel();
      assert.match(text, /connector\.created/);
      assert.ok(!text.includes(prod.id) && !text.includes(prod.params.connector_id ?? "?"));
    });

    test("the caller's own environment works as the role allows", async () => {
      const order = ["GET", "POST", "PUT", "PATCH", "DELETE"];
      // Resources with longer paths are deleted before those that they belong to.
      const sorted = all.toSorted(
        ([, a], [, b]) => order.indexOf(a.method) - order.indexOf(b.method) || b.path.length - a.path.length,
      );
      for (const [name, endpoint] of sorted) {
        const { access, scope, needsData } = endpoint;
        if (access === "public" || scope === "server" || needsData || name === "readEvents") continue;
        const viewer = await send("vera", endpoint, dev.id, dev.params);
        if (access !== "viewer") assert.equal(viewer.status, 403, `${name}: ${viewer.text}`);
        else assert.notEqual(viewer.status, 403, `${name}: ${viewer.text}`);
        const { status, text } = await send("dora", endpoint, dev.id, dev.params);
        if (access === "admin") assert.equal(status, 403, `${name}: ${text}`);
        else {
          assert.notEqual(status, 403, `${name}: ${text}`);
          if (scope !== "delivery")
            assert.ok(!text.includes(`There is no such ${scope}.`), `${name}: ${text}`);
        }
      }
    });

    test("a user without any role reads nothing", async () => {
      for (const [name, endpoint] of all) {
        if (endpoint.access === "public") continue;
        const { status, text } = await send("nobody", endpoint, dev.id, dev.params);
        assert.equal(status, 403, `${name}: ${text}`);
      }
    });

    test("a protected environment takes changes from its admins alone; reads are as usual", async () => {
      const params = { environment_id: prod.id };
      await server.client.updateEnvironment({ params, body: { protected: true } });
      for (const [name, endpoint] of all) {
        const { access, scope, method, changes, needsData } = endpoint;
        if (access !== "operator" || scope === "any" || scope === "server" || scope === "list") continue;
        if (scope === "delivery") continue;
        if (method === "GET" || changes === "nothing" || changes === "draft") {
          // A drift check would find no difference, and end the stored difference of this test.
          if (!needsData && name !== "checkDrift") {
            const { text } = await send("otto", endpoint, prod.id, prod.params);
            assert.doesNotMatch(text, /is protected/, name);
          }
          continue;
        }
        const { status, text } = await send("otto", endpoint, prod.id, prod.params);
        assert.equal(status, 403, `${name}: ${text}`);
        assert.match(text, /The environment \\"prod\\" is protected: only its admins may change it/, name);
      }
      const read = await send("otto", endpoints.getConnector, prod.id, prod.params);
      assert.equal(read.status, 200);
      const pause = await send("anna", endpoints.pauseConnector, prod.id, prod.params);
      assert.notEqual(pause.status, 403, pause.text);
      await server.client.updateEnvironment({ params, body: { protected: false } });
      assert.notEqual((await send("otto", endpoints.pauseConnector, prod.id, prod.params)).status, 403);
    });

    test("an admin of an environment gives roles there, and nowhere else", async () => {
      const anna = createClient({ baseUrl: server.url, token: tokens.anna ?? "", retries: 0 });
      const at = (environment_id: string) => ({ params: { environment_id, username: "Dora" } });
      await assert.rejects(anna.putEnvironmentRole({ ...at(dev.id), body: { role: "admin" } }), {
        status: 403,
      });
      await anna.putEnvironmentRole({ ...at(prod.id), body: { role: "viewer" } });
      assert.equal((await send("dora", endpoints.getConnector, prod.id, prod.params)).status, 200);
      assert.equal((await send("dora", endpoints.pauseConnector, prod.id, prod.params)).status, 403);
      const { roles } = await anna.listEnvironmentRoles({ params: { environment_id: prod.id } });
      assert.deepEqual(
        roles.map(({ username, role, granted_by }) => [username, role, granted_by]),
        [
          ["anna", "admin", "internal-service"],
          ["Dora", "viewer", "anna"],
        ],
      );
      await anna.deleteEnvironmentRole(at(prod.id));
      assert.equal((await send("dora", endpoints.getConnector, prod.id, prod.params)).status, 404);
      await assert.rejects(anna.deleteEnvironmentRole(at(prod.id)), { status: 404 });
    });
  });
}

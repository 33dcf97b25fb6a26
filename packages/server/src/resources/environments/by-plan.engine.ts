import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { type Endpoint, endpoints } from "@lakehelm/contract";
import { ApiError, type Client, createClient } from "@lakehelm/contract/client";
import { enginesOfSlowSuites, startTestServer } from "../../testing/server.ts";
import { appliedPlan } from "../plans/test-plans.ts";
import { pathOf, populate } from "./test-populated.ts";

const refusedWith = (status: number, text: RegExp) => (error: unknown) =>
  error instanceof ApiError && error.status === status && text.test(error.message);
const byPlan = /takes changes of definitions only by plans/;
const prod = { environment_id: "prod" };

async function addUser(client: Client, baseUrl: string, username: string, role: "admin" | "operator") {
  const { id } = await client.createUser({ body: { username, role } });
  const { token } = await client.createToken({ params: { user_id: id }, body: {} });
  return createClient({ baseUrl, token, retries: 0 });
}

for (const engine of enginesOfSlowSuites) {
  suite(`changes by plan on ${engine}`, () => {
    test("every write is refused exactly if it is declared as a change of definitions", async (t) => {
      const server = await startTestServer({ engine });
      t.after(server.close);
      const { client } = server;
      await client.createEnvironment({ body: { name: "prod" } });
      const ids = await populate(server);
      const oscar = await client.createUser({ body: { username: "oscar", role: "operator" } });
      const { token: ofOscar } = await client.createToken({ params: { user_id: oscar.id }, body: {} });
      await client.updateEnvironment({ params: prod, body: { configuration: { changes: "plan" } } });

      async function send(endpoint: Endpoint, token = server.token) {
        const path = pathOf(endpoint, ids);
        const example = endpoint.body === undefined ? undefined : endpoint.example?.body;
        const body =
          example !== undefined && typeof example === "object" && endpoint.scope === "body"
            ? { ...example, environment: "prod" }
            : example;
        const isRefused = endpoint.changes === "definition";
        // An allowed request is only a dry run: otherwise it would change what the next request needs.
        const response = await server.fetch(`${path}${isRefused ? "" : "?dry_run=true"}`, {
          method: endpoint.method,
          headers: {
            "content-type": "application/json",
            "x-environment-id": "prod",
            authorization: `Bearer ${token}`,
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        return { status: response.status, text: await response.text() };
      }

      const before = await server.rows();
      let refused = 0;
      for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
        if (endpoint.method === "GET") continue;
        const { status, text } = await send(endpoint);
        const isShared = endpoint.scope === "any" || endpoint.scope === "drift";
        if (endpoint.changes === "definition" && !isShared) {
          assert.equal(status, 403, `${name}: ${text}`);
          assert.match(text, byPlan, name);
          assert.match(text, /lakehelm apply --env prod/, name);
          refused += 1;
        } else {
          assert.doesNotMatch(text, byPlan, name);
        }
        const inProd = ["header", "body", "environment"].includes(endpoint.scope);
        if (endpoint.changes === "settings" && inProd && endpoint.access !== "admin") {
          const asOperator = await send(endpoint, ofOscar);
          assert.equal(asOperator.status, 403, `${name}: ${asOperator.text}`);
          assert.match(asOperator.text, /only its admins/, name);
        }
      }
      assert.ok(refused > 15, `${refused}`);
      const after = await server.rows();
      for (const table of ["connectors", "flows", "pipelines", "apps", "releases", "environments"]) {
        assert.deepEqual(after[table], before[table], table);
      }
    });

    test("a batch is refused, too, and a plan is applied", async (t) => {
      const { client, close } = await startTestServer({ engine });
      t.after(close);
      await client.createEnvironment({ body: { name: "prod", configuration: { changes: "plan" } } });
      const definition = { target_type: "csv", target_config: null };
      for (const mode of ["each", "all_or_nothing"] as const) {
        const { results } = await client.runBatch({
          body: {
            mode,
            operations: [
              {
                method: "POST",
                path: "/api/v1/connectors/",
                headers: { "X-Environment-Id": "prod" },
                body: { name: "crm", created_by: "ada", ...definition },
              },
            ],
          },
        });
        assert.equal(results[0]?.status, 403, mode);
      }
      const plan = await client.createPlan({
        body: {
          environment: "prod",
          project: { name: "shop" },
          resources: [{ kind: "connector", name: "crm", definition }],
        },
      });
      const applied = await appliedPlan(client, plan.id);
      assert.equal(applied.status, "applied", applied.status_reason ?? "");
      assert.equal((await client.listConnectors({ environment: "prod" })).total, 1);
    });

    test("to lift it takes a second admin, and everything that would get around it does, too", async (t) => {
      const { client, url, events, close } = await startTestServer({ engine });
      t.after(close);
      await client.createEnvironment({
        body: { name: "prod", protected: true, configuration: { changes: "plan", api_token: "s3cret" } },
      });
      const ada = await addUser(client, url, "ada", "admin");
      const oscar = await addUser(client, url, "oscar", "operator");
      for (const body of [
        { configuration: {} },
        { configuration: { changes: "direct" } },
        { configuration: { changes: "plan", host: "other.example.test" } },
        { configuration: { changes: "plan", api_token: "another" } },
        { protected: false },
        { name: "other" },
        { platform: "databricks", configuration: { changes: "plan", api_token: "s3cret" } },
        { secretScope: "mine" },
        { dataPlatformClientIdKey: "id" },
      ]) {
        await assert.rejects(
          client.updateEnvironment({ params: prod, body }),
          refusedWith(409, /two admins.*request-change prod/),
          JSON.stringify(body),
        );
      }
      await assert.rejects(
        client.deleteEnvironment({ params: prod, query: { force: true } }),
        refusedWith(409, /two admins/),
      );
      await client.updateEnvironment({ params: prod, body: { description: "live", isActive: true } });

      const body = { lift: true, change: { protected: false }, reason: "The migration" };
      await assert.rejects(oscar.requestEnvironmentChange({ params: prod, body }), refusedWith(403, /./));
      const asked = await client.requestEnvironmentChange({ params: prod, body });
      assert.deepEqual(
        asked.changes.map(({ path, before, after }) => [path, before, after]),
        [
          ["configuration.changes", "plan", null],
          ["protected", true, false],
        ],
      );
      await assert.rejects(
        client.approveEnvironmentChange({ params: prod, body: asked }),
        refusedWith(403, /Another admin/),
      );
      await assert.rejects(
        oscar.approveEnvironmentChange({ params: prod, body: asked }),
        refusedWith(403, /./),
      );
      assert.equal((await client.getEnvironment({ params: prod })).protected, true);

      // An approval is only for the change that the approving admin has seen.
      await client.updateEnvironment({ params: prod, body: { description: "changed" } });
      await assert.rejects(
        ada.approveEnvironmentChange({ params: prod, body: asked }),
        refusedWith(409, /Ask for it again/),
      );
      const again = await client.requestEnvironmentChange({ params: prod, body });
      await assert.rejects(
        ada.approveEnvironmentChange({ params: prod, body: asked }),
        refusedWith(409, /replaced/),
      );
      assert.deepEqual(await ada.getEnvironmentChange({ params: prod }), again);
      const lifted = await ada.approveEnvironmentChange({ params: prod, body: again });
      assert.deepEqual([lifted.protected, lifted.configuration], [false, { api_token: "********" }]);
      await assert.rejects(client.getEnvironmentChange({ params: prod }), refusedWith(404, /waits/));
      const [event] = await events("environment.change_approved");
      assert.deepEqual(
        [event?.actor, event?.data.requested_by, event?.data.reason],
        ["ada", "internal-service", "The migration"],
      );
      await client.createConnector({
        body: { name: "crm", target_type: "csv", target_config: null, created_by: "ada" },
        environment: "prod",
      });
    });

    test("`protected` alone still lets the API edit, unless the server says otherwise", async (t) => {
      let server = await startTestServer({ engine });
      t.after(() => server.close());
      await server.client.createEnvironment({ body: { name: "prod", protected: true } });
      const connector = (name: string) =>
        server.client.createConnector({
          body: { name, target_type: "csv", target_config: null, created_by: "ada" },
          environment: "prod",
        });
      await connector("one");
      server = await server.restart({ PLATFORM_PROTECTED_CHANGES: "plan" });
      await assert.rejects(connector("two"), refusedWith(403, byPlan));
      await assert.rejects(
        server.client.updateEnvironment({ params: prod, body: { protected: false } }),
        refusedWith(409, /two admins/),
      );
      const ada = await addUser(server.client, server.url, "ada", "admin");
      const asked = await ada.requestEnvironmentChange({
        params: prod,
        body: { lift: true, reason: "Repair" },
      });
      const approved = await server.client.approveEnvironmentChange({ params: prod, body: asked });
      assert.equal(approved.protected, false);
      await connector("two");
    });

    test("only known values of `changes` are accepted", async (t) => {
      const { client, close } = await startTestServer({ engine });
      t.after(close);
      await assert.rejects(
        client.createEnvironment({ body: { name: "prod", configuration: { changes: "plans" } } }),
        refusedWith(409, /configuration\.changes/),
      );
    });
  });
}

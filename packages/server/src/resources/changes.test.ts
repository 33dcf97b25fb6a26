import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { createClient } from "@lakehelm/contract/client";
import { encodeJson } from "@lakehelm/contract/schema";
import { refused } from "../testing/refusal.ts";
import { engines, startTestServer, type TestServer, unique } from "../testing/server.ts";

for (const engine of engines) {
  suite(`changes of everything that can be created on ${engine}`, () => {
    let server: TestServer;
    before(async () => {
      server = await startTestServer({ engine });
    });
    after(() => server.close());

    async function userWith(role: "viewer" | "operator" | "admin") {
      const { id } = await server.client.createUser({ body: { username: unique(role), role } });
      const { token } = await server.client.createToken({ params: { user_id: id }, body: {} });
      return createClient({ baseUrl: server.url, token });
    }
    const lastEvent = async (kind: string) => (await server.events(kind)).at(-1);

    test("the event of an update has each changed field with both values, and no secret", async () => {
      const { client } = server;
      const made = await client.createConnector({
        body: {
          name: unique("c"),
          target_type: "postgresql",
          target_config: { host: "old.example.test", password: "first-s3cret" },
          schedule_cron: "0 6 * * *",
          created_by: "ada",
        },
      });
      const params = { connector_id: made.id };
      // Larger than a double can hold exactly.
      const port = 12345678901234567890n;
      const target_config = { host: "new.example.test", password: "second-s3cret", port };
      await client.updateConnector({ params, body: { schedule_cron: "0 5 * * *", target_config } });
      const changed = await lastEvent("connector.updated");
      assert.deepEqual(changed?.data.changes, [
        { path: "schedule_cron", before: "0 6 * * *", after: "0 5 * * *" },
        { path: "target_config.host", before: "old.example.test", after: "new.example.test" },
        { path: "target_config.port", before: null, after: port },
      ]);
      const name = unique("e");
      await client.createEnvironment({ body: { name, configuration: { catalog: "shop" } } });
      await client.updateEnvironment({
        params: { environment_id: name },
        body: {
          description: "x".repeat(3000),
          configuration: { catalog: "shop", api_token: "third-s3cret" },
        },
      });
      const updated = await lastEvent("environment.updated");
      assert.deepEqual(updated?.data.changes, [
        { path: "configuration.api_token", before: null, after: "********" },
        { path: "description", before: null, after: `${"x".repeat(1000)}…` },
      ]);
      const alias = unique("a");
      const definition = (query: string) => ({ tasks: [{ name: "load", kind: "sql" as const, query }] });
      await client.createAutomation({ body: { alias, definition: definition("select 1") } });
      const automation = { automation_alias: alias };
      await client.setDefinition({ params: automation, body: definition("select 2") });
      const set = (await lastEvent("automation.definition_set"))?.data.changes as { path: string }[];
      assert.deepEqual(
        set.find(({ path }) => path.startsWith("definition.")),
        { path: "definition.tasks[load].query", before: "select 1", after: "select 2" },
      );
      await client.updateAutomation({ params: automation, body: { description: "Orders" } });
      const described = [{ path: "description", before: "", after: "Orders" }];
      assert.deepEqual((await lastEvent("automation.updated"))?.data.changes, described);
      const agent = await client.createAgent({ body: { name: unique("g") } });
      await client.updateAgent({ params: { agent_id: agent.id }, body: { description: "Orders" } });
      assert.deepEqual((await lastEvent("agent.updated"))?.data.changes, [
        { path: "description", before: "", after: "Orders" },
      ]);
      const { id } = await client.createDeployment({
        body: { deployment_name: "one", git_branch: "main", git_commit_sha: "1" },
      });
      await client.updateDeployment({ params: { deployment_id: id }, body: { deployment_name: "two" } });
      assert.deepEqual((await lastEvent("deployment.updated"))?.data.changes, [
        { path: "deployment_name", before: "one", after: "two" },
      ]);
      assert.doesNotMatch(encodeJson(await server.events()), /s3cret/);
    });

    test("an automation's description changes; the same again changes nothing", async () => {
      const { client } = server;
      const alias = unique("a");
      const params = { automation_alias: alias };
      const made = await client.withResponse.createAutomation({ body: { alias } });
      const update = (description: string, ifMatch?: string) =>
        client.withResponse.updateAutomation({
          params,
          body: { description },
          ...(ifMatch !== undefined && { ifMatch }),
        });
      const changed = await update("Orders", made.etag);
      assert.deepEqual([changed.body.description, changed.etag], ["Orders", '"2"']);
      const rows = await server.rows();
      assert.equal((await update("Orders")).etag, '"2"');
      await client.updateAutomation({ params, body: {} });
      assert.deepEqual(await server.rows(), rows);
      await refused(update("x", made.etag), 412);
      await refused(client.updateAutomation({ params: { automation_alias: "none" }, body: {} }), 404);
      assert.deepEqual((await lastEvent("automation.updated"))?.data, {
        alias,
        description: "Orders",
        changes: [{ path: "description", before: "", after: "Orders" }],
      });
      await refused((await userWith("viewer")).updateAutomation({ params, body: {} }), 403);
    });

    test("an automation is deleted with its attempts, but not while it is released or bound", async () => {
      const { client } = server;
      const alias = unique("a");
      const params = { automation_alias: alias };
      await client.createAutomation({ body: { alias } });
      for (const attempt_id of ["a-1", "a-2"]) {
        await client.putAttempt({ params: { ...params, attempt_id }, body: {} });
      }
      const release = { automation_alias: alias, environment: "local" };
      await client.syncAutomationRelease({ body: release });
      await refused(
        client.deleteAutomation({ params }),
        409,
        /is current in local\. Remove the release first/,
      );
      await client.syncAutomationRelease({ body: { ...release, action: "delete" } });
      const channel_id = unique("C");
      const { binding } = await client.bindChat({
        body: { environment: "local", channel_id, automation_alias: alias },
      });
      await refused(client.deleteAutomation({ params }), 409, new RegExp(`${channel_id} in local is bound`));
      await client.deleteBinding({ params: { binding_id: binding.id } });
      await refused(client.deleteAutomation({ params, ifMatch: '"99"' }), 412);
      const { success } = await client.deleteAutomation({ params });
      assert.equal(success, true);
      assert.deepEqual((await lastEvent("automation.deleted"))?.data, { alias });
      await refused(client.getAutomation({ params }), 404);
      await refused(client.deleteAutomation({ params }), 404);
      // The alias is free again, and no attempt is left.
      await client.createAutomation({ body: { alias } });
      await refused(client.getAttempt({ params: { ...params, attempt_id: "a-1" } }), 404);
    });

    test("a release or an attempt that is written while its automation is deleted leaves nothing behind", async () => {
      const { client } = server;
      for (let n = 0; n < 5; n++) {
        const alias = unique("a");
        const params = { automation_alias: alias };
        await client.createAutomation({ body: { alias } });
        await Promise.allSettled([
          client.deleteAutomation({ params }),
          client.putAttempt({ params: { ...params, attempt_id: "a-1" }, body: {} }),
          client.syncAutomationRelease({ body: { ...params, environment: "local" } }),
        ]);
        const rows = await server.rows();
        const known = new Set(rows.automations?.map(({ id }) => id));
        for (const row of [...(rows.attempts ?? []), ...(rows.releases ?? [])]) {
          assert.ok(known.has(row.owner ?? ""), JSON.stringify(row));
        }
      }
    });

    test("an attempt is deleted", async () => {
      const { client } = server;
      const alias = unique("a");
      const params = { automation_alias: alias, attempt_id: "a-1" };
      await client.createAutomation({ body: { alias } });
      const { etag } = await client.withResponse.putAttempt({ params, body: {} });
      await refused(client.deleteAttempt({ params, ifMatch: '"7"' }), 412);
      await refused((await userWith("viewer")).deleteAttempt({ params }), 403);
      await client.deleteAttempt({ params, ...(etag && { ifMatch: etag }) });
      assert.deepEqual((await lastEvent("automation.attempt_deleted"))?.data, { alias, attempt_id: "a-1" });
      await refused(client.getAttempt({ params }), 404);
      await refused(client.deleteAttempt({ params }), 404);
    });

    test("an agent's description and aliases change", async () => {
      const { client } = server;
      const [name, one, two, other] = ["agent", "one", "two", "other"].map(unique) as [
        string,
        string,
        string,
        string,
      ];
      const { id } = await client.createAgent({ body: { name, aliases: [one] } });
      await client.createAgent({ body: { name: other } });
      const params = { agent_id: name };
      const changed = await client.withResponse.updateAgent({
        params,
        body: { description: "Answers", aliases: [two, two, name] },
        ifMatch: '"1"',
      });
      assert.deepEqual(
        [changed.body.aliases, changed.body.description, changed.etag],
        [[two], "Answers", '"2"'],
      );
      assert.equal((await client.getAgent({ params: { agent_id: two } })).id, id);
      await refused(client.getAgent({ params: { agent_id: one } }), 404);
      await refused(client.updateAgent({ params, body: { aliases: [other] } }), 409, /already an agent/);
      await refused(client.updateAgent({ params, body: { description: "x" }, ifMatch: '"1"' }), 412);
      const rows = await server.rows();
      await client.updateAgent({ params, body: { aliases: [two] } });
      assert.deepEqual(await server.rows(), rows);
      assert.deepEqual((await lastEvent("agent.updated"))?.data, {
        name,
        aliases: [two],
        description: "Answers",
        changes: [
          { path: "aliases", before: [one], after: [two] },
          { path: "description", before: "", after: "Answers" },
        ],
      });
      await client.createAgent({ body: { name: one } });
    });

    test("an app's description and code change; only an admin sets its code", async () => {
      const { client } = server;
      const { id } = await client.createApp({ body: { name: unique("app") } });
      const params = { app_id: id };
      const operator = await userWith("operator");
      const { description } = await operator.updateApp({ params, body: { description: "Desk" } });
      assert.equal(description, "Desk");
      await refused(operator.updateApp({ params, body: { source_path: "apps/desk" } }), 403);
      const app = await client.updateApp({ params, body: { source_path: "apps/desk" } });
      assert.deepEqual([app.source_path, app.description], ["apps/desk", "Desk"]);
      await operator.updateApp({ params, body: { source_path: "apps/desk", description: "Desk 2" } });
      await refused(client.updateApp({ params, body: { description: "x" }, ifMatch: '"1"' }), 412);
      assert.equal((await lastEvent("app.updated"))?.data.description, "Desk 2");
      assert.equal((await client.updateApp({ params, body: { source_path: null } })).source_path, null);
    });

    test("a deployment's metadata change; of an ended one only its name, which the summary then shows", async () => {
      const { client } = server;
      const environment = (await client.createEnvironment({ body: { name: unique("e") } })).id;
      const { id } = await client.createDeployment({ body: { deployment_name: "a" }, environment });
      const params = { deployment_id: id };
      const body = { deployment_name: "b", git_branch: "main", git_commit_sha: "abc", job_run_id: "7" };
      const changed = await client.updateDeployment({ params, body, ifMatch: '"1"' });
      assert.deepEqual({ ...changed, ...body }, changed);
      await refused(client.updateDeployment({ params, body: { git_branch: "x" }, ifMatch: '"1"' }), 412);
      await client.finishDeployment({ params, body: { status: "succeeded" } });
      await refused(
        client.updateDeployment({ params, body: { git_branch: "x" } }),
        409,
        /except for its name/,
      );
      await client.updateDeployment({ params, body: { ...body, deployment_name: "c" } });
      assert.equal((await lastEvent("deployment.updated"))?.data.deployment_name, "c");
      const summary = await client.getEnvironmentSummary({ params: { environment_id: environment } });
      assert.equal(summary.latest_success?.deployment_name, "c");
      const rows = await server.rows();
      await client.updateDeployment({ params, body: { deployment_name: "c" } });
      assert.deepEqual(await server.rows(), rows);
    });

    test("a deployment is deleted with its log once it has ended; its events stay, and the summary forgets it", async () => {
      const { client } = server;
      const environment = (await client.createEnvironment({ body: { name: unique("e") } })).id;
      const finished = async (status: "succeeded" | "failed") => {
        const { id } = await client.createDeployment({ body: { deployment_name: status }, environment });
        await client.finishDeployment({ params: { deployment_id: id }, body: { status, log_chunk: "x" } });
        return id;
      };
      const summaryOf = () => client.getEnvironmentSummary({ params: { environment_id: environment } });
      const first = await finished("succeeded");
      const second = await finished("succeeded");
      await finished("failed");
      const open = await client.createDeployment({ body: {}, environment });
      await refused(
        client.deleteDeployment({ params: { deployment_id: open.id } }),
        409,
        /is pending\. Finish it first/,
      );
      await client.startDeployment({ params: { deployment_id: open.id } });
      await refused(client.deleteDeployment({ params: { deployment_id: open.id } }), 409, /is running/);
      const params = { deployment_id: second };
      const operator = await userWith("operator");
      await refused(operator.deleteDeployment({ params }), 403);
      await refused(client.deleteDeployment({ params, ifMatch: '"1"' }), 412);
      await client.deleteDeployment({ params, ifMatch: '"2"' });
      const summary = await summaryOf();
      assert.deepEqual(summary.deployment_counts, { failed: 1, running: 1, succeeded: 1 });
      assert.equal(summary.latest_success?.id, first);
      assert.equal((await client.listDeployments({ environment })).total, 3);
      await refused(client.getDeployment({ params }), 404);
      await refused(client.getDeploymentLog({ params }), 404);
      await refused(client.deleteDeployment({ params }), 404);
      const kinds = (await server.events(undefined, `deployment/${second}`)).map(({ kind }) => kind);
      assert.deepEqual(kinds, ["deployment.created", "deployment.finished", "deployment.deleted"]);
      const logs = (await server.rows()).deployment_log as { deployment_id: string }[];
      assert.ok(logs.some(({ deployment_id }) => deployment_id === first));
      assert.ok(!logs.some(({ deployment_id }) => deployment_id === second));
    });

    test("the deployment of a current release is deleted only after the release", async () => {
      const { client } = server;
      const automation_alias = unique("orders");
      const environment = (await client.createEnvironment({ body: { name: unique("e") } })).id;
      const sync = (action: string) =>
        client.syncAutomationRelease({
          body: { automation_alias, environment, action, metadata: { version: "1" } },
        });
      const { deployment } = await sync("activate");
      const params = { deployment_id: deployment?.id ?? "" };
      await refused(client.deleteDeployment({ params }), 409, /1 in .*, which is still current/);
      await sync("delete");
      await client.deleteDeployment({ params });
      await client.deleteEnvironment({ params: { environment_id: environment } });
    });

    test("the deployment of a deleted environment can still be deleted", async () => {
      const { client } = server;
      const environment = (await client.createEnvironment({ body: { name: unique("e") } })).id;
      const { id } = await client.createDeployment({ body: {}, environment });
      const params = { deployment_id: id };
      await client.finishDeployment({ params, body: { status: "failed" } });
      await client.deleteEnvironment({ params: { environment_id: environment } });
      await client.deleteDeployment({ params });
      await refused(client.getDeployment({ params }), 404);
    });

    test("a version of an agent is deleted, but not while it is released", async () => {
      const { client } = server;
      const name = unique("agent");
      const { id } = await client.createAgent({ body: { name } });
      const agent_id = name;
      await client.createAgentVersion({ params: { agent_id }, body: { version: "1/a" } });
      await client.createAgentVersion({
        params: { agent_id },
        body: { version: "2", source_path: "agents/x" },
      });
      const sync = (version: string, action: "activate" | "delete") =>
        client.syncAgentRelease({ body: { agent_name: name, version, environment: "dev", action } });
      await sync("1/a", "activate");
      const params = { agent_id, version: "1/a" };
      const { etag, body } = await client.withResponse.getAgentVersion({ params });
      assert.deepEqual([body.version, body.agent_id, etag], ["1/a", id, '"1"']);
      await refused(client.deleteAgentVersion({ params }), 409, /is the release of .* in dev/);
      await sync("2", "activate");
      const operator = await userWith("operator");
      await refused(operator.deleteAgentVersion({ params, ifMatch: '"7"' }), 412);
      await operator.deleteAgentVersion({ params, ifMatch: '"1"' });
      await refused(client.deleteAgentVersion({ params }), 404, /has no version "1\/a"/);
      await refused(client.getAgentVersion({ params }), 404);
      assert.deepEqual((await lastEvent("agent.version_deleted"))?.data, { name, version: "1/a" });
      await sync("2", "delete");
      const coded = { agent_id, version: "2" };
      await refused(operator.deleteAgentVersion({ params: coded }), 403, /source_path/);
      await client.deleteAgentVersion({ params: coded });
      assert.equal((await client.listAgentVersions({ params: { agent_id } })).total, 0);
    });

    test("of concurrent deletions and activations of a version, no release is left without its version", async () => {
      const { client } = server;
      const name = unique("agent");
      await client.createAgent({ body: { name } });
      const params = { agent_id: name, version: "1" };
      for (let n = 0; n < 5; n++) {
        await client
          .createAgentVersion({ params: { agent_id: name }, body: { version: "1" } })
          .catch(() => {});
        await Promise.allSettled([
          client.deleteAgentVersion({ params }),
          client.syncAgentRelease({
            body: { agent_name: name, version: "1", environment: "dev", action: "activate" },
          }),
        ]);
        const { releases } = await client.getAgent({ params: { agent_id: name } });
        const { versions } = await client.listAgentVersions({ params: { agent_id: name } });
        assert.deepEqual([releases.length, versions.length], [1, 1]);
        await client.syncAgentRelease({
          body: { agent_name: name, version: "1", environment: "dev", action: "delete" },
        });
      }
    });

    test("a protected environment takes changes only from its admins", async () => {
      const { client } = server;
      const environment = (await client.createEnvironment({ body: { name: unique("e"), protected: true } }))
        .id;
      const app = await client.createApp({ body: { name: unique("app") }, environment });
      const deployment = await client.createDeployment({ body: {}, environment });
      const operator = await userWith("operator");
      await refused(
        operator.updateApp({ params: { app_id: app.id }, body: { description: "x" } }),
        403,
        /protected/,
      );
      await refused(
        operator.updateDeployment({
          params: { deployment_id: deployment.id },
          body: { deployment_name: "x" },
        }),
        403,
        /protected/,
      );
    });

    test("secret scopes are listed by name, only those that the caller may refer to", async () => {
      const { client } = server;
      const environment = (await client.createEnvironment({ body: { name: unique("e") } })).id;
      const [open, limited, elsewhere] = ["a-open", "b-limited", "c-elsewhere"].map(unique) as [
        string,
        string,
        string,
      ];
      for (const scope of [elsewhere, limited, open]) {
        for (const key of ["k1", "k2"]) {
          await client.putSecret({ params: { scope, key }, body: { value: "s3cret" }, environment });
        }
      }
      await client.limitSecretScope({ params: { scope: limited }, body: { roles: ["admin"] } });
      await client.limitSecretScope({ params: { scope: elsewhere }, body: { environments: ["local"] } });
      const namesFor = async (caller: typeof client) =>
        (await caller.listSecretScopes({ environment })).scopes.map(({ scope }) => scope);
      assert.deepEqual(await namesFor(client), [open, limited, elsewhere]);
      assert.deepEqual(await namesFor(await userWith("operator")), [open]);
      await refused(namesFor(await userWith("viewer")), 403);
      const page = await client.listSecretScopes({ environment, query: { skip: 1, limit: 1 } });
      assert.deepEqual(page, { scopes: [{ scope: limited }], total: 3 });
      const empty = (await client.createEnvironment({ body: { name: unique("e") } })).id;
      assert.deepEqual(await client.listSecretScopes({ environment: empty }), { scopes: [], total: 0 });
    });
  });
}

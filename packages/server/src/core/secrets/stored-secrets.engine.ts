import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { engines, startTestServer, unique } from "../../testing/server.ts";
import { query, run } from "../../testing/store.ts";

/** The tables that have documents with secrets, and the column of the document. */
const storedIn = [
  ["connectors", "doc"],
  ["environments", "doc"],
  ["pipelines", "doc"],
  ["versions", "doc"],
  ["bindings", "doc"],
  ["automations", "doc"],
  ["release_designs", "definition"],
  ["attempts", "doc"],
  ["releases", "doc"],
] as const;
/** Attempts and releases keep the mask alone. */
const sealedIn = storedIn
  .map(([table]) => table)
  .filter((table) => !["attempts", "releases"].includes(table));

for (const engine of engines) {
  suite(`secrets that were stored in the clear, on ${engine}`, () => {
    test("they are masked and encrypted at the next start", async (t) => {
      const server = await startTestServer({ engine });
      let last = server;
      t.after(() => last.close());
      const { client } = server;
      const secret = unique("hunter");
      // The key `plain_name` marks no secret: it stands for a key that earlier rules missed.
      const config = { host: "db.example.com", plain_name: secret, password: "known" };
      const made = await client.createConnector({
        body: { name: unique("c"), target_type: "postgresql", target_config: config, created_by: "ada" },
      });
      const environment = await client.createEnvironment({
        body: { name: unique("e"), configuration: { plain_name: secret } },
      });
      const alias = unique("a");
      const plain = { plain_name: secret };
      const definition = {
        tasks: [{ name: "t", kind: "sql" as const, query: "select 1", parameters: plain }],
      };
      await client.createAutomation({ body: { alias, definition } });
      await client.putAttempt({ params: { automation_alias: alias, attempt_id: "1" }, body: definition });
      await client.syncAutomationRelease({
        body: { automation_alias: alias, environment: "local", metadata: plain },
      });
      await client.createPipeline({
        body: { name: unique("p"), libraries: [{ jar: "a.jar" }], configuration: plain },
      });
      const agent = await client.createAgent({ body: { name: unique("agent") } });
      await client.createAgentVersion({
        params: { agent_id: agent.id },
        body: { version: "1", metadata: plain },
      });
      await client.bindChat({ body: { environment: "local", channel_id: unique("C"), metadata: plain } });
      const { store } = server.server;
      for (const [table, column] of storedIn) {
        const isAffected = `${column} like '%${secret}%'`;
        const found = await query(store, `select count(*) as n from ${table} where ${isAffected}`);
        assert.equal(Number(found[0]?.n), 1, `a row of ${table}`);
        await run(
          store,
          `update ${table} set ${column} = replace(${column}, '"plain_name"', '"Cookie"') where ${isAffected}`,
        );
      }
      await run(store, "delete from keyring where name like 'masking rules%'");
      assert.match(JSON.stringify(await server.rows()), new RegExp(secret));

      const again = await server.restart();
      last = again;
      assert.match(again.logged.join(), /stored in the clear are now encrypted/);
      assert.doesNotMatch(JSON.stringify(await again.rows()), new RegExp(secret));
      const params = { connector_id: made.id };
      const masked = { host: "db.example.com", Cookie: "********", password: "********" };
      const read = await again.client.getConnector({ params });
      assert.deepEqual(read.target_config, masked);
      const found = await again.client.getEnvironment({ params: { environment_id: environment.id } });
      assert.deepEqual(found.configuration, { Cookie: "********" });
      // The values behind the masks are stored encrypted.
      for (const table of sealedIn) {
        const rows = await query(again.server.store, `select sealed from ${table} where sealed is not null`);
        const opened = rows.map(({ sealed }) => again.deps.vault.decrypt(String(sealed)));
        assert.equal(opened.filter((text) => text.includes(secret)).length, 1, `a row of ${table}`);
      }
      const changed = { target_config: { ...masked, batch_size: 10 } };
      await again.client.updateConnector({ params, body: changed });
      const [row] = await query(again.server.store, `select sealed from connectors where id = '${made.id}'`);
      assert.deepEqual(JSON.parse(again.deps.vault.decrypt(String(row?.sealed))), {
        '["target_config","Cookie"]': secret,
        '["target_config","password"]': "known",
      });
    });
  });
}

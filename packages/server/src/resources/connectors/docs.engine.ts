/** Runs every example of docs/reference/connectors on a real server with real external systems. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { readBlocks, readCommands } from "../../testing/docs-blocks.ts";
import { openSqliteExample } from "../../testing/docs-databases.ts";
import { tryExample } from "../../testing/docs-examples.ts";
import { externalSystems, sourceDatabase } from "../../testing/docs-systems.ts";
import { startTestServer, type TestServer } from "../../testing/server.ts";

const blocks = await readBlocks();
const isElsewhere = (name: string) => /^(mysql|s3)-/.test(name);

suite("the examples of the pages about connectors", () => {
  let server: TestServer;
  let scratch: string;
  before(async () => {
    scratch = await mkdtemp(join(tmpdir(), "lakehelm-docs-"));
    server = await startTestServer();
  });
  after(async () => {
    await server.close();
    await rm(scratch, { recursive: true });
  });

  test("each example is run, here or by docs-mysql.engine.ts and docs-s3.engine.ts", () => {
    assert.deepEqual(
      blocks
        .names("runs")
        .filter((name) => !isElsewhere(name))
        .sort(),
      Object.keys(externalSystems).sort(),
    );
  });

  test("the commands of the first page succeed", async () => {
    const path = join(scratch, "shop.db");
    await sourceDatabase(openSqliteExample(path));
    const body = (blocks.text("runs", "sqlite-in") ?? "")
      .replace("/srv/shop/shop.db", path)
      .replace("orders-from-sqlite", "a-first-one");
    let id = "";
    const commands = await readCommands();
    assert.equal(commands.length, 13);
    for (const { method, path, sent } of commands) {
      const answer = await server.fetch(path.replaceAll("$ID", id), {
        method,
        ...(sent && {
          body: sent.replace("@connector.json", body),
          headers: { "Content-Type": "application/json" },
        }),
      });
      assert.equal(Math.floor(answer.status / 100), 2, `${method} ${path}: ${answer.status}`);
      const answered = (await answer.json()) as Record<string, unknown>;
      if (sent === "@connector.json") id = String(answered.id);
      if (path.endsWith("/check")) assert.equal(answered.ok, true);
      if (path.includes("/runs?"))
        assert.partialDeepStrictEqual(answered, { runs: [{ job_id: `connector-${id}` }] });
    }
  });

  for (const [name, meet] of Object.entries(externalSystems)) {
    test(`${name} runs as documented`, () => tryExample({ server, blocks, scratch }, name, meet));
  }
});

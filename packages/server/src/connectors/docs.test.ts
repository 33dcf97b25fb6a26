/** Every example of docs/connectors, as it stands there, on a real server and with real things on the other side. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { readBlocks } from "../testing/docs-blocks.ts";
import { places } from "../testing/docs-places.ts";
import { tryExample } from "../testing/docs-trying.ts";
import { startTestServer, type TestServer } from "../testing/server.ts";

const blocks = await readBlocks();
const isElsewhere = (name: string) => name.startsWith("mysql-");

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

  test("each is tried: here, or by docs.engine.ts", () => {
    assert.deepEqual(
      blocks
        .names("runs")
        .filter((name) => !isElsewhere(name))
        .sort(),
      Object.keys(places).sort(),
    );
  });

  for (const [name, meet] of Object.entries(places)) {
    test(`${name} runs as it stands there`, () => tryExample({ server, blocks, scratch }, name, meet));
  }
});

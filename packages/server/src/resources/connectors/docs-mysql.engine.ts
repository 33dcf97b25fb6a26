/** Runs the examples of docs/connectors/mysql.md, if MariaDB or MySQL is installed. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { startMysql, type TestMysql } from "@lakehelm/testing";
import { readBlocks } from "../../testing/docs-blocks.ts";
import { type ExampleContext, tryExample } from "../../testing/docs-examples.ts";
import { openMysqlExample } from "../../testing/docs-mysql.ts";
import { type ExternalSystem, sourceDatabase, targetDatabase } from "../../testing/docs-systems.ts";
import { startTestServer } from "../../testing/server.ts";

const blocks = await readBlocks();
const endings: (() => unknown)[] = [];
const mysql = await startMysql({ after: (ending) => endings.push(ending as () => unknown) });
after(async () => {
  for (const end of endings) await end();
});

suite("the examples of the page about MySQL", {
  skip: mysql === undefined && "neither mariadbd nor mysqld is installed",
}, () => {
  const met = () => openMysqlExample(mysql as TestMysql);
  const places: Readonly<Record<string, () => Promise<ExternalSystem>>> = {
    "mysql-in": async () => sourceDatabase(await met()),
    "mysql-out": async () => targetDatabase(await met()),
  };
  let bench: ExampleContext;
  before(async () => {
    const scratch = await mkdtemp(join(tmpdir(), "lakehelm-docs-"));
    bench = { server: await startTestServer(), blocks, scratch };
  });
  after(async () => {
    await bench.server.close();
    await rm(bench.scratch, { recursive: true });
  });

  for (const name of blocks.names("runs").filter((one) => one.startsWith("mysql-"))) {
    test(`${name} runs as documented`, () =>
      tryExample(
        bench,
        name,
        places[name] ?? (() => Promise.reject(new Error(`No setup for the example ${name}.`))),
      ));
  }
});

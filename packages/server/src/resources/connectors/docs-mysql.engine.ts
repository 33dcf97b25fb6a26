/** Runs the examples of docs/reference/connectors/mysql.md, if MariaDB or MySQL is installed. */
import { after, suite } from "node:test";
import { startMysql, type TestMysql } from "@lakehelm/testing";
import { readBlocks } from "../../testing/docs-blocks.ts";
import { examplesOf } from "../../testing/docs-examples.ts";
import { openMysqlExample } from "../../testing/docs-mysql.ts";
import { type ExternalSystem, sourceDatabase, targetDatabase } from "../../testing/docs-systems.ts";

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
  examplesOf("mysql-", blocks, places);
});

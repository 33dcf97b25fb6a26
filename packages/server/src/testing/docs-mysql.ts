import { randomBytes } from "node:crypto";
import { openMysql, type TestMysql } from "@lakehelm/testing";
import type { ExampleDatabase } from "./docs-databases.ts";

/** A new database on a real server. Users belong to the whole server, so they get unique names here. */
export async function openMysqlExample(server: TestMysql): Promise<ExampleDatabase> {
  const suffix = randomBytes(4).toString("hex");
  const database = `shop_docs_${suffix}`;
  const session = await openMysql(server);
  await session.query(`CREATE DATABASE ${database} CHARACTER SET utf8mb4`);
  await session.query(`USE ${database}`);
  const users = ["lakehelm_reader", "lakehelm_writer"].map((user) => [user, `${user}_${suffix}`] as const);
  return {
    here: {
      "db.internal": server.host,
      "3306": String(server.port),
      webshop: database,
      ...Object.fromEntries(users),
    },
    async run(sql) {
      for (const statement of sql.split(";").filter((text) => text.trim() !== ""))
        await session.query(statement);
    },
    async rows(sql) {
      const [rows] = await session.query({ sql, rowsAsArray: true });
      return rows as unknown as unknown[][];
    },
    // MariaDB shows the display width of integers; MySQL 8 does not.
    plain: (type) => type.replace(/^((?:tiny|small|medium|big)?int)\((?!1\))\d+\)/, "$1"),
    async close() {
      for (const [, user] of users) await session.query(`DROP USER IF EXISTS ${user}`);
      await session.query(`DROP DATABASE ${database}`);
      await session.end();
    },
  };
}

import { databaseFields } from "../databases.ts";
import type { ConnectionKind } from "./kind.ts";
import { serverAddress, serverLineage } from "./servers.ts";

export const mysql: ConnectionKind = {
  name: "mysql",
  aliases: ["mariadb"],
  title: "MySQL",
  fields: databaseFields,
  defaultPort: 3306,
  address: serverAddress(3306),
  // In MySQL a schema is a database.
  lineage: serverLineage("mysql", 3306, ({ database }, table) =>
    table.includes(".") ? table : `${database}.${table}`,
  ),
  source: { byEngine: true, byGeneratedCode: true },
  target: {
    byEngine: true,
    byGeneratedCode: true,
    holds: "tables",
    isConcurrent: true,
    hasUniqueIndexes: true,
  },
};

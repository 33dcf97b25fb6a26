import { databaseFields } from "../databases.ts";
import type { ConnectionKind } from "./kind.ts";
import { serverAddress, serverLineage } from "./servers.ts";

export const sqlserver: ConnectionKind = {
  name: "sqlserver",
  title: "SQL Server",
  fields: databaseFields,
  defaultPort: 1433,
  address: serverAddress(1433),
  lineage: serverLineage("sqlserver", 1433),
  source: { byGeneratedCode: true },
  target: { byGeneratedCode: true, holds: "tables" },
};

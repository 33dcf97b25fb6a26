import { databaseFields, logFields } from "../databases.ts";
import type { ConnectionKind } from "./kind.ts";
import { serverAddress, serverLineage } from "./servers.ts";

export const postgresql: ConnectionKind = {
  name: "postgresql",
  aliases: ["postgres"],
  title: "PostgreSQL",
  fields: databaseFields,
  defaultPort: 5432,
  address: serverAddress(5432),
  lineage: serverLineage("postgres", 5432),
  source: { fields: logFields, byEngine: true, byGeneratedCode: true, hasLog: true },
  target: {
    byEngine: true,
    byGeneratedCode: true,
    holds: "tables",
    isConcurrent: true,
    hasUniqueIndexes: true,
  },
};

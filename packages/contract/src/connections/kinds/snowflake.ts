import { databaseFields } from "../databases.ts";
import type { ConnectionKind } from "./kind.ts";
import { serverAddress, serverLineage } from "./servers.ts";

export const snowflake: ConnectionKind = {
  name: "snowflake",
  title: "Snowflake",
  fields: databaseFields,
  defaultPort: 443,
  address: serverAddress(443),
  lineage: serverLineage("snowflake", 443),
  source: { byGeneratedCode: true },
  target: { byGeneratedCode: true, holds: "tables" },
};

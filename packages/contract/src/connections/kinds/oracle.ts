import { databaseFields } from "../databases.ts";
import type { ConnectionKind } from "./kind.ts";
import { serverAddress, serverLineage } from "./servers.ts";

export const oracle: ConnectionKind = {
  name: "oracle",
  title: "Oracle",
  fields: databaseFields,
  defaultPort: 1521,
  address: serverAddress(1521),
  lineage: serverLineage("oracle", 1521),
  source: { byGeneratedCode: true },
};

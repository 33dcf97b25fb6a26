import { programs } from "./programs.ts";
import { server } from "./server.ts";
import type { CommandGroup, OperationName } from "./spec.ts";
import { warehouse } from "./warehouse.ts";
import { work } from "./work.ts";

/** `lakehelm <group> <command>`: every operation of the API that needs only its arguments. */
export const groups: Readonly<Record<string, CommandGroup>> = {
  ...warehouse,
  ...work,
  ...programs,
  ...server,
};

/** Operations that a handwritten command calls, with the name of that command. */
export const handWritten: Readonly<Partial<Record<OperationName, string>>> = {
  exchangeToken: "login",
  getAuthStatus: "whoami",
  runQuery: "query",
  downloadQuery: "query",
  planQuery: "query",
  planTableAlteration: "tables alter",
  alterTable: "tables alter",
  readEvents: "events list",
  readRunLog: "logs",
  readAgentLog: "agents logs",
  readAppLog: "apps logs",
  invokeAgent: "agents invoke",
};

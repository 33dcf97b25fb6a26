import { programs } from "./programs.ts";
import { server } from "./server.ts";
import type { CommandGroup, OperationName } from "./spec.ts";
import { warehouse } from "./warehouse.ts";
import { work } from "./work.ts";

/** `lakehelm <group> <command>`: every operation of the API that needs nothing more than its arguments. */
export const groups: Readonly<Record<string, CommandGroup>> = {
  ...warehouse,
  ...work,
  ...programs,
  ...server,
};

/** Operations that a command written by hand calls, with that command. */
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

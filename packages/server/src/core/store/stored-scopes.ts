import type { StoredKind } from "./tables.ts";

/**
 * Whose stored things are counted together: those of an environment, of none (`server`), of environments that were deleted (`former`),
 * and of an identity. Each has a row by kind, and one of all kinds with the kind "".
 */
export const scopeOfEnvironment = (kind: StoredKind, environmentId: string | null): string =>
  environmentId === null ? (outliving.has(kind) ? former : server) : `environment/${environmentId}`;

export const scopeOfCaller = (identity: string): string => `caller/${identity}`;

/** The service token stands for no person: what pipelines of others deploy with it has the limits of environments alone. */
export const scopeOfService = scopeOfCaller("internal-service");

export const server = "server";
export const former = "former";

/** They stay when their environment is deleted. */
const outliving: ReadonlySet<StoredKind> = new Set<StoredKind>(["deployments", "plans"]);

/** What adds up with use, instead of being designed: it has a higher limit, and counts by its size for an identity. */
const records: ReadonlySet<string> = new Set<StoredKind>([
  "agent_environments",
  "attempts",
  "deployments",
  "drift",
  "plans",
  "releases",
  "versions",
]);

export const isRecord = (kind: string): boolean => records.has(kind);

import type { StoredKind } from "./tables.ts";

/**
 * Scopes of counting: an environment, resources without an environment (`server`), resources of deleted environments
 * (`former`), and an identity. Each scope has a row for each kind, and one for all kinds together with the kind "".
 */
export const scopeOfEnvironment = (kind: StoredKind, environmentId: string | null): string =>
  environmentId === null ? (outliving.has(kind) ? former : server) : `environment/${environmentId}`;

export const scopeOfCaller = (identity: string): string => `caller/${identity}`;

/**
 * The service token stands for no person: what other systems deploy with it is limited by the quotas of environments
 * alone.
 */
export const scopeOfService = scopeOfCaller("internal-service");

export const server = "server";
export const former = "former";

/** Kinds that stay when their environment is deleted. */
const outliving: ReadonlySet<StoredKind> = new Set<StoredKind>(["deployments", "plans"]);

/**
 * Kinds that add up with use instead of being designed: they have a higher limit, and for an identity only their size
 * counts.
 */
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

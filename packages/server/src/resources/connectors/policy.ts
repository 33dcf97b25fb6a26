import {
  type Connector,
  ConnectorPolicy,
  type ConnectorUpdateRequest,
  type JobDefinition,
} from "@lakehelm/contract";
import { connectionKind } from "@lakehelm/contract/connections";
import type { ValidationError } from "@lakehelm/contract/schema";
import { conflict } from "../../core/errors.ts";

/**
 * The pauses of five attempts are 10, 20, 40 and 80 s, of which a random part of up to a half is left out: at least 75 s in
 * all. A source that restarts for 40 s does not fail the run.
 */
const defaultAttempts = 5;

/** The policy of a connector's job; values that are not set have the defaults of all jobs. */
export function jobPolicyOf(policy: Connector["policy"]): Partial<JobDefinition> {
  const { concurrency: _, ...set } = policy ?? {};
  return { attempts: defaultAttempts, ...set };
}

/** How many datasets a run moves at the same time. */
export function concurrencyOf({ policy, target_type }: Pick<Connector, "policy" | "target_type">): number {
  const isConcurrent = target_type === "warehouse" || connectionKind(target_type)?.target?.isConcurrent;
  return isConcurrent ? (policy?.concurrency ?? 1) : 1;
}

/** Our own key in a contract request: its problems are rule errors, never a 422. */
export function readPolicy(sent: unknown): Connector["policy"] {
  if (sent === undefined || sent === null) return undefined;
  const errors: ValidationError[] = [];
  const read = ConnectorPolicy.check(sent, [], errors);
  const [first] = errors;
  if (first) throw conflict(`${["policy", ...first.loc].join(".")}: ${first.msg}.`);
  return withoutNulls(read);
}

/** Keeps the values that the change does not name. A value of null is removed, and null removes all. */
export function changedPolicy(
  before: Connector["policy"],
  change: ConnectorUpdateRequest["policy"],
): Connector["policy"] {
  if (change === undefined) return before;
  return change === null ? undefined : withoutNulls({ ...before, ...change });
}

/** Undefined if nothing is set. */
function withoutNulls(values: NonNullable<ConnectorUpdateRequest["policy"]>): Connector["policy"] {
  const set = Object.entries(values).filter(([, value]) => value !== null && value !== undefined);
  return set.length === 0 ? undefined : Object.fromEntries(set);
}

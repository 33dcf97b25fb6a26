import { acceptsDryRun, type Endpoint } from "@lakehelm/contract";
import type { ChangeContext } from "../../core/store/store.ts";

/** A definition with its secrets, and as callers see it. */
interface Definition {
  readonly open: Readonly<Record<string, unknown>>;
  readonly masked: Readonly<Record<string, unknown>>;
}

/** A definition as it is after a write. */
export interface TouchedDefinition {
  readonly environmentId: string;
  readonly kind: string;
  readonly name: string;
  /** Undefined: the resource is deleted. */
  readonly after: Definition | undefined;
  /** Who owns the resource after the write; null: not known. */
  readonly owner: string | null;
}

/** Policies of the server on writes that are not part of a plan. */
export interface WritePolicies {
  /** Without policies, no write is tried first. */
  readonly exist: boolean;
  /** Throws 403 if a policy denies the definitions after a write, or requires an approval for them. */
  require(
    touched: readonly TouchedDefinition[],
    context: ChangeContext,
    /** The new texts of files, by their paths in the workspace; null: the file is deleted. */
    files?: ReadonlyMap<string, string | null>,
  ): Promise<void>;
}

/**
 * Whether a request may change resources that plans manage: only such requests are tried before they are carried out. A
 * request that changes settings may do so, too: the release of an unknown agent registers the agent.
 */
export const isJudged = (endpoint: Endpoint): boolean =>
  endpoint.changes === "definition" ||
  endpoint.changes === "draft" ||
  (endpoint.changes === "settings" && acceptsDryRun(endpoint));

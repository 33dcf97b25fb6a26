import { acceptsDryRun, type Endpoint } from "@lakehelm/contract";
import type { ChangeContext } from "../../core/store/store.ts";

/** A definition with its secrets, and as callers see it. */
interface Definition {
  readonly open: Readonly<Record<string, unknown>>;
  readonly masked: Readonly<Record<string, unknown>>;
}

/** What a write makes of a definition. */
export interface TouchedDefinition {
  readonly environmentId: string;
  readonly kind: string;
  readonly name: string;
  /** Undefined: it is deleted. */
  readonly after: Definition | undefined;
  /** Who owns it then; null: not known. */
  readonly owner: string | null;
}

/** Policies of the server on writes that are not part of a plan. */
export interface WritePolicies {
  /** Without policies, no write is tried first. */
  readonly exist: boolean;
  /** Throws 403 if a policy denies what a write makes of definitions, or asks for an approval of it. */
  require(
    touched: readonly TouchedDefinition[],
    context: ChangeContext,
    /** Texts of files as they will be, by their paths in the workspace; null: it is deleted. */
    files?: ReadonlyMap<string, string | null>,
  ): Promise<void>;
}

/**
 * Whether a request may change what plans make: only these are tried before they are carried out. A setting may, too: the release of an
 * agent that is not known registers it.
 */
export const isJudged = (endpoint: Endpoint): boolean =>
  endpoint.changes === "definition" ||
  endpoint.changes === "draft" ||
  (endpoint.changes === "settings" && acceptsDryRun(endpoint));

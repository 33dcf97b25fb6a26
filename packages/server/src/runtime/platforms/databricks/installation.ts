import { createHash } from "node:crypto";
import type { Vault } from "../../../core/secrets/vault.ts";
import type { Mark } from "./jobs/mark.ts";

/** The same for all servers with the same secret key, and so for all with the same database. */
export const installationId = ({ deriveKey }: Pick<Vault, "deriveKey">): string =>
  createHash("sha256").update(deriveKey("databricks installation")).digest("hex").slice(0, 12);

/** Our scope for the secrets of an environment. */
export const scopeOf = ({ installation, environment }: Pick<Mark, "installation" | "environment">): string =>
  `lakehelm-${installation}-${environment}`;

/**
 * The name of a thing whose name must be unique in a workspace: the name of the resource in the allowed characters, and
 * a suffix that follows from its mark.
 */
export function uniqueName(
  name: string,
  { installation, environment, resource }: Mark,
  longest: number,
): string {
  const end = createHash("sha256")
    .update(`${installation}/${environment}/${resource}`)
    .digest("hex")
    .slice(0, 8);
  const said = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, longest - end.length - 1)
    .replace(/^-+|-+$/g, "");
  return [said || "x", end].join("-");
}

import type { AutomationDefinition, AutomationTask } from "@lakehelm/contract";
import { byHeader, byName, type CredentialPath } from "@lakehelm/contract/connections";
import { isReference, misplacedReferences, pathText } from "../../core/secrets/references.ts";
import type { DestinationAt } from "../../core/secrets/secret-destination.ts";
import { taskDestination } from "../../core/secrets/task-destination.ts";
import { finding, type ValidationFinding } from "./validation-finding.ts";

/**
 * Whether a secret is accepted at this path of a task. The credential fields of an http task are the headers that are
 * not public, the keys of the body that name a secret, and the url as a whole; those of a program are its variables.
 * SQL has none, because a secret in a query would become data.
 */
export function isTaskCredential(
  kind: AutomationTask["kind"],
  [field, part, ...rest]: CredentialPath,
  isWhole: boolean,
): boolean {
  if (kind === "python" || kind === "shell") return field === "parameters" && rest.length === 0 && isWhole;
  if (kind !== "http") return false;
  if (field === "url") return isWhole;
  if (field !== "parameters") return false;
  return part === "headers" ? byHeader(rest) : part === "body" && byName(rest);
}

export const credentialFieldsSentence =
  "A reference to a secret is accepted only in a credential field: a header of an http task, a key of its body that names a secret, its whole url, a whole parameter of a python or shell task, or a parameter of the automation that names a secret.";

/** Reports references outside credential fields. Queries have their own rule. */
export const referenceFindings = (definition: AutomationDefinition): ValidationFinding[] =>
  misplacedReferences(definition, ([root, ...path], text) => {
    if (root === "parameters") return byName(path);
    const [at, ...inner] = path;
    if (root !== "tasks" || typeof at !== "number") return false;
    const kind = definition.tasks[at]?.kind ?? "sql";
    return inner[0] === "query" || isTaskCredential(kind, inner, isReference(text));
  }).map((path) => finding(`${pathText(path)}: ${credentialFieldsSentence}`, ...path));

/** Where the secrets of a definition are sent, as far as the definition says. */
export const taskDestinations =
  ({ tasks }: Pick<AutomationDefinition, "tasks">): DestinationAt =>
  ([root, at, field]) => {
    const task = root === "tasks" && typeof at === "number" ? tasks[at] : undefined;
    return task ? taskDestination(task, field) : "unknown";
  };

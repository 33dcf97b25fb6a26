import type { RunRequest } from "@lakehelm/contract";
import { byName } from "@lakehelm/contract/connections";
import { conflict } from "../../core/errors.ts";
import { misplacedReferences } from "../../core/secrets/references.ts";
import { extractSecrets } from "../../core/secrets/secret-extraction.ts";

/** Run parameters appear in answers, events and logs: a secret must be sent as a reference. */
export function requireNoSecrets(parameters: RunRequest["parameters"]): void {
  const [misplaced] = misplacedReferences(parameters ?? {}, byName);
  if (misplaced !== undefined) {
    throw conflict(
      `The parameter "${misplaced.join(".")}" refers to a secret, but its name does not mark it as one. Give it a name such as "db_password".`,
    );
  }
  const { secrets, unknownPaths } = extractSecrets(parameters ?? {}, {}, { onlyNamed: true });
  const found = Object.keys(secrets).map((path) => JSON.parse(path) as (string | number)[]);
  const [path] = [...found, ...unknownPaths];
  if (path === undefined) return;
  const name = path.join(".");
  throw conflict(
    `The parameter "${name}" looks like a secret, and every caller can read the parameters of a run. Store the value as a secret of the environment and send its reference, {{secrets/<scope>/<key>}}.`,
  );
}

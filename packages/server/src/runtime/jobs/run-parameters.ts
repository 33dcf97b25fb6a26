import type { RunRequest } from "@lakehelm/contract";
import { conflict } from "../../core/errors.ts";
import { extractSecrets } from "../../core/secrets/encrypted-map.ts";

/** Run parameters appear in answers, events and logs: a secret must be sent as a reference. */
export function requireNoSecrets(parameters: RunRequest["parameters"]): void {
  const [path] = Object.keys(extractSecrets(parameters ?? {}).secrets);
  if (path === undefined) return;
  const name = (JSON.parse(path) as (string | number)[]).join(".");
  throw conflict(
    `The parameter "${name}" looks like a secret, and every caller can read the parameters of a run. Store the value as a secret of the environment and send its reference, {{secrets/<scope>/<key>}}.`,
  );
}

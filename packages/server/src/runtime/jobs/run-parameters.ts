import type { RunRequest } from "@lakehelm/contract";
import { conflict } from "../../core/errors.ts";
import { extractSecrets } from "../../core/secrets/mask.ts";

/** What a run was asked for is in answers, events and logs: a secret goes there by reference only. */
export function requireNoSecrets(parameters: RunRequest["parameters"]): void {
  const [place] = Object.keys(extractSecrets(parameters ?? {}).secrets);
  if (place === undefined) return;
  const name = (JSON.parse(place) as (string | number)[]).join(".");
  throw conflict(
    `The parameter "${name}" is a secret by its name, and everybody can read the parameters of a run: put the value into the secrets of the environment, and send its reference, {{secrets/<scope>/<key>}}.`,
  );
}

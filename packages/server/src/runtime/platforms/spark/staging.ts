import { readConfig, storageFields } from "@lakehelm/contract/connections";
import { isS3Path, type StagingConfig } from "@lakehelm/engine";
import { conflict } from "../../../core/errors.ts";
import { referencesIn, type SecretReference, withValues } from "../../../core/secrets/references.ts";
import type { ClusterKeys } from "./configuration.ts";

type SecretOf = (reference: SecretReference) => Promise<string | undefined>;

/** Settings of a bucket that may be references to secrets. In others, such as the address, a value would be shown. */
const credentials = ["access_key_id", "secret_access_key", "session_token"] as const;

const place = "configuration.staging_options of the environment";

/** Where rows are staged, with the values of secrets. `configuration` is that of the environment, with its credentials. */
export async function readStaging(
  path: string,
  { staging_options: options }: ClusterKeys,
  secretOf: SecretOf,
): Promise<StagingConfig> {
  if (!isS3Path(path)) return { path };
  if (options !== undefined && (options === null || typeof options !== "object" || Array.isArray(options)))
    throw conflict(`${place} must be an object, with region, access_key_id and secret_access_key.`);
  const { values, problems } = readConfig(storageFields, { ...options }, place);
  if (problems.length > 0) throw conflict(problems.join(" "));
  const given: Record<string, unknown> = { ...values };
  for (const key of credentials) given[key] = await resolved(given[key], secretOf);
  return { ...given, path };
}

async function resolved(value: unknown, secretOf: SecretOf): Promise<unknown> {
  const [reference] = referencesIn(value);
  if (!reference) return value;
  const found = (await secretOf(reference))?.trim();
  if (found === undefined)
    throw conflict(
      `${place}: the environment has no secret ${reference.scope}/${reference.key}. Store the key of the bucket there.`,
    );
  return withValues(value, () => found);
}

import { createHash } from "node:crypto";
import { withholdSecrets } from "@lakehelm/codegen";
import type { Environment } from "@lakehelm/contract";
import type { Config } from "@lakehelm/contract/connections";
import { conflict } from "../../../../core/errors.ts";
import { placedReferences, type SecretReference, withValues } from "../../../../core/secrets/references.ts";
import type { DestinationAt, SecretDestination } from "../../../../core/secrets/secret-destination.ts";
import type { SecretLookup } from "../credentials.ts";

/** The value of a secret in the workspace: known here, or a secret of the environment. */
export type SecretSource =
  | { readonly value: string }
  | {
      readonly reference: SecretReference;
      /** Where the code in the workspace sends the secret. */
      readonly to: readonly SecretDestination[];
    };

interface SecretOwner {
  readonly name: string;
  /** The prefix of the keys of the owner's secrets. */
  readonly id: string;
  readonly scope: string;
  /** Names the config in problems. */
  readonly where: string;
  readonly destinationAt: DestinationAt;
}

/**
 * A config in which every secret is a reference into our scope in the workspace: its values, and its references to secrets
 * of the environment, which a workspace does not have.
 */
export function ownSecrets(config: Config, { name, id, scope, where, destinationAt }: SecretOwner) {
  const placed = placedReferences(config);
  const destinationsOf = (one: SecretReference) =>
    placed
      .filter(({ reference: { scope, key } }) => scope === one.scope && key === one.key)
      .map(({ path, text }) => destinationAt(path, text));
  const referred = new Map<string, SecretReference>();
  const readable = withValues(config, (reference) => {
    const key = referenceKey(reference);
    referred.set(key, reference);
    return `{{secrets/${scope}/${key}}}`;
  }) as Config;
  const withheld = withholdSecrets(readable, name, { secretScope: scope }, where);
  const secrets = new Map<string, SecretSource>();
  const own = withValues(withheld.config, ({ key }) => {
    const reference = referred.get(key);
    const ownKey = `${secretPrefix(id)}${key.slice(-60)}-${digest(key)}`;
    secrets.set(
      ownKey,
      reference ? { reference, to: destinationsOf(reference) } : { value: withheld.values.get(key) ?? "" },
    );
    return `{{secrets/${scope}/${ownKey}}}`;
  }) as Config;
  return { config: own, secrets, problems: withheld.problems };
}

/** The values of the secrets, by their keys in our scope; throws 409 if the environment lacks one. */
export async function secretValues(
  { id, name }: Pick<Environment, "id" | "name">,
  sources: ReadonlyMap<string, SecretSource>,
  secretOf: SecretLookup,
): Promise<Map<string, string>> {
  const values = new Map<string, string>();
  for (const [ownKey, source] of sources) {
    if ("value" in source) {
      values.set(ownKey, source.value);
      continue;
    }
    const { scope, key } = source.reference;
    let value: string | undefined;
    for (const to of source.to) value = await secretOf(id, scope, key, to);
    if (value === undefined) throw conflict(`The environment "${name}" has no secret ${scope}/${key}.`);
    values.set(ownKey, value);
  }
  return values;
}

/**
 * The prefix of the keys of a resource's secrets, so that they can be deleted with it. A key has at most 128
 * characters.
 */
export const secretPrefix = (id: string): string => `${id}.`;

const referenceKey = ({ scope, key }: SecretReference): string =>
  `${`${scope}.${key}`.slice(0, 100)}-${digest(JSON.stringify([scope, key]))}`;

const digest = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 8);

import type { Environment } from "@lakehelm/contract";
import { referencesIn } from "../../../core/secrets/references.ts";
import type { SecretDestination } from "../../../core/secrets/secret-destination.ts";
import type { MachineCredentials } from "./client/machine-token.ts";
import type { WorkspaceKeys } from "./configuration.ts";

/** OAuth machine-to-machine, or a personal access token. */
export type Credentials = MachineCredentials | { readonly token: string };

/** The value of a secret in an environment's store; undefined if there is none. */
export type SecretLookup = (
  environmentId: string,
  scope: string,
  key: string,
  to: SecretDestination,
) => Promise<string | undefined>;

/** The characters that a header can carry. */
const sendable = /^[\x21-\x7e]{1,8192}$/;

/**
 * The credentials of an environment: a client id and a client secret, or a token, which is `configuration.token` (a value or a
 * reference) or the secret that `configuration.token_key` names. `configuration` has its secret values.
 */
export async function readCredentials(
  environment: Pick<
    Environment,
    "id" | "name" | "secretScope" | "dataPlatformClientIdKey" | "dataPlatformClientSecretKey"
  >,
  configuration: WorkspaceKeys,
  secretOf: SecretLookup,
  /** The workspace as the destination of the secrets. */
  to: SecretDestination,
): Promise<Credentials | { readonly problem: string }> {
  const { id, name, dataPlatformClientIdKey: idKey, dataPlatformClientSecretKey: secretKey } = environment;
  const scope = environment.secretScope || "lakehelm";

  async function read(key: string, ofScope = scope): Promise<string | { readonly problem: string }> {
    const value = (await secretOf(id, ofScope, key, to))?.trim();
    if (value === undefined) {
      const where = `the environment "${name}" has no secret ${ofScope}/${key}`;
      return { problem: `There are no credentials for the workspace: ${where}. Store it there.` };
    }
    if (sendable.test(value)) return value;
    return { problem: `The secret ${ofScope}/${key} is not a credential: it has spaces, or is empty.` };
  }

  if (idKey && secretKey) {
    const clientId = await read(idKey);
    if (typeof clientId !== "string") return clientId;
    const clientSecret = await read(secretKey);
    return typeof clientSecret === "string" ? { clientId, clientSecret } : clientSecret;
  }
  if (idKey || secretKey) {
    const missing = idKey ? "dataPlatformClientSecretKey" : "dataPlatformClientIdKey";
    return { problem: `The environment "${name}" has no ${missing}. Both keys are needed.` };
  }
  const { token, token_key: tokenKey } = configuration;
  const [reference] = referencesIn(token);
  const found = reference
    ? await read(reference.key, reference.scope)
    : typeof token === "string" && token !== ""
      ? token.trim()
      : typeof tokenKey === "string" && tokenKey !== ""
        ? await read(tokenKey)
        : { problem: noCredentials(name) };
  if (typeof found !== "string") return found;
  return sendable.test(found)
    ? { token: found }
    : { problem: `configuration.token of the environment "${name}" is not a token.` };
}

const noCredentials = (name: string) =>
  `The environment "${name}" has no credentials for its workspace. Set dataPlatformClientIdKey and dataPlatformClientSecretKey to the names of secrets in its secretScope, or configuration.token to a token.`;

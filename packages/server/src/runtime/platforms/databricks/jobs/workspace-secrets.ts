import type { WorkspaceClient } from "../client/client.ts";
import { isWorkspaceError } from "../client/workspace-error.ts";

/** Puts secrets into our scope, which is created with the first of them. */
export async function putSecrets(
  client: WorkspaceClient,
  scope: string,
  secrets: ReadonlyMap<string, string>,
  reader: string | null,
): Promise<void> {
  if (secrets.size === 0) return;
  await ensureScope(client, scope);
  if (reader !== null) {
    const acl = { scope, principal: reader, permission: "READ" };
    await client.send("POST", "/api/2.0/secrets/acls/put", acl, { isIdempotent: true });
  }
  for (const [key, string_value] of secrets) {
    await client.send("POST", "/api/2.0/secrets/put", { scope, key, string_value }, { isIdempotent: true });
  }
}

/** An existing scope is ours: its name has the ids of our installation and of the environment. */
async function ensureScope(client: WorkspaceClient, scope: string): Promise<void> {
  try {
    await client.send("POST", "/api/2.0/secrets/scopes/create", { scope }, { isIdempotent: true });
  } catch (error) {
    if (isWorkspaceError(error, "conflict")) return;
    throw error;
  }
}

/** Deletes the secrets whose keys begin with `prefix`, except those to keep. */
export async function removeSecrets(
  client: WorkspaceClient,
  scope: string,
  prefix: string,
  kept: ReadonlyMap<string, string> = new Map(),
): Promise<void> {
  for (const key of await keysIn(client, scope)) {
    if (!key.startsWith(prefix) || kept.has(key)) continue;
    try {
      await client.send("POST", "/api/2.0/secrets/delete", { scope, key }, { isIdempotent: true });
    } catch (error) {
      if (!isWorkspaceError(error, "gone")) throw error;
    }
  }
}

async function keysIn(client: WorkspaceClient, scope: string): Promise<string[]> {
  try {
    const { secrets = [] } = await client.get<{ secrets?: readonly { readonly key?: string }[] }>(
      "/api/2.0/secrets/list",
      { scope },
    );
    return secrets.flatMap(({ key }) => key ?? []);
  } catch (error) {
    if (isWorkspaceError(error, "gone")) return [];
    throw error;
  }
}

import { existsSync } from "node:fs";
import { join } from "node:path";
import { persistentValue } from "../../core/files/persistent-value.ts";
import { missingKey } from "../../core/secrets/keyring.ts";
import type { Settings } from "../../settings.ts";
import { configuredClient } from "./configured-client.ts";

type RandomBytes = (size: number) => Buffer;

const secret = (randomBytes: RandomBytes) => randomBytes(32).toString("base64url");

const hasCredential = (settings: Settings) =>
  settings.PLATFORM_SERVICE_AUTH_TOKEN !== undefined ||
  settings.PLATFORM_SERVICE_AUTH_TOKEN_PREVIOUS !== undefined ||
  settings.PLATFORM_WORKSPACE_URL !== undefined ||
  configuredClient(settings) !== undefined;

/** Without a credential, a server in production does not start. */
export function requireCredential(settings: Settings): void {
  if (settings.PLATFORM_ENV !== "production" || hasCredential(settings)) return;
  throw new Error(
    "No credential is set, so no one could call this server. Set PLATFORM_SERVICE_AUTH_TOKEN, " +
      "or PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET, or PLATFORM_WORKSPACE_URL.",
  );
}

/**
 * Without a credential no one could call the API. In development, creates a service token and returns its path; in
 * production, the server does not start. Undefined if the settings contain a credential.
 */
export async function firstServiceToken(
  settings: Settings,
  dataDir: string,
  randomBytes: RandomBytes,
): Promise<{ readonly token: string; readonly path: string } | undefined> {
  requireCredential(settings);
  if (hasCredential(settings)) return undefined;
  const path = join(dataDir, "service-token");
  return { token: await persistentValue(path, () => `lhs_${secret(randomBytes)}`, randomBytes), path };
}

/**
 * The key of the vault: from the settings, or generated once and kept in the data folder. `isNeeded`: whether something was
 * written with a key, so that none may be generated.
 */
export async function secretKey(
  settings: Settings,
  dataDir: string,
  randomBytes: RandomBytes,
  isNeeded: () => Promise<boolean> = async () => false,
): Promise<string> {
  if (settings.PLATFORM_SECRET_KEY !== undefined) return settings.PLATFORM_SECRET_KEY;
  const path = join(dataDir, "secret-key");
  if (!existsSync(path) && (await isNeeded())) throw missingKey();
  return persistentValue(path, () => secret(randomBytes), randomBytes);
}

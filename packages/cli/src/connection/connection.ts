import { readFile } from "node:fs/promises";
import { shown, suggestion } from "@lakehelm/contract/text";
import type { Io } from "../io.ts";
import { UsageError } from "../usage-error.ts";
import { type Credentials, type ProfileFile, readProfiles } from "./profiles.ts";

export const defaultUrl = "http://127.0.0.1:8000";

/** Options that every command accepts. */
export interface ConnectionOptions {
  readonly profile?: string | undefined;
  readonly url?: string | undefined;
  readonly env?: string | undefined;
}

export interface Connection {
  readonly url: string;
  readonly environment: string | undefined;
  readonly credentials: Credentials | undefined;
  /** The profile that the credentials come from. A renewed token is stored in it. */
  readonly profile: string | undefined;
  /** Where the credentials come from, as text for users. */
  readonly source: string;
}

/** The server and the credentials to use: from options, then variables, then the profile. */
export async function resolveConnection(io: Io, options: ConnectionOptions): Promise<Connection> {
  const { env } = io;
  const chosen = options.profile ?? (env.LAKEHELM_PROFILE || undefined);
  const file = await readProfiles(io);
  const name = chosen ?? file.current ?? "default";
  const profile = Object.hasOwn(file.profiles, name) ? file.profiles[name] : undefined;
  if (!profile && chosen !== undefined) throw unknownProfile(chosen, file);
  // A profile on the command line means the profile's server and credentials, whatever the variables contain.
  const variables = options.profile === undefined ? env : {};
  const url = validUrl(options.url ?? (variables.LAKEHELM_URL || profile?.url || defaultUrl));
  const environment = options.env ?? (env.LAKEHELM_ENV || profile?.environment || undefined);
  const given = await givenCredentials(variables);
  if (given) return { url, environment, ...given, profile: undefined };
  if (!profile) return { url, environment, credentials: undefined, profile: undefined, source: "none" };
  // A token belongs to one server and is never sent to another one.
  const isItsServer = new URL(url).origin === new URL(profile.url).origin;
  if (!isItsServer) {
    return { url, environment, credentials: undefined, profile: undefined, source: `none for ${url}` };
  }
  return { url, environment, credentials: profile.credentials, profile: name, source: `profile ${name}` };
}

function unknownProfile(name: string, { profiles }: ProfileFile): UsageError {
  const known = Object.keys(profiles);
  const list = known.length > 0 ? `Profiles: ${known.join(", ")}.` : "There are none yet.";
  return new UsageError(
    `There is no profile ${shown(name)}.${suggestion(name, known)} ${list} Create it: lakehelm login --profile ${name}`,
  );
}

export function validUrl(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`${shown(text)} is not a URL such as ${defaultUrl}.`);
  }
  if (url.username !== "" || url.password !== "")
    throw new UsageError("The URL must not contain credentials.");
  return text;
}

async function givenCredentials(env: Io["env"]) {
  if (env.LAKEHELM_TOKEN) {
    return { credentials: { kind: "token", token: env.LAKEHELM_TOKEN } as const, source: "LAKEHELM_TOKEN" };
  }
  if (env.LAKEHELM_TOKEN_FILE) {
    const token = await readToken(env.LAKEHELM_TOKEN_FILE);
    return { credentials: { kind: "token", token } as const, source: "LAKEHELM_TOKEN_FILE" };
  }
  const { LAKEHELM_CLIENT_ID: client_id, LAKEHELM_CLIENT_SECRET: client_secret } = env;
  if (client_id && client_secret) {
    return {
      credentials: { kind: "client", client_id, client_secret } as const,
      source: "LAKEHELM_CLIENT_ID",
    };
  }
  return undefined;
}

/** The token in a file, without the line break at the end. */
export async function readToken(path: string): Promise<string> {
  const text = await readFile(path, "utf8").catch((error) => {
    throw new UsageError(`${path} cannot be read (${error.code}).`);
  });
  return checkedToken(text, path);
}

/** `fetch` would reject an invalid token with a message that contains the token. */
export function checkedToken(text: string, source: string): string {
  const token = text.trim();
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new UsageError(
    `${source} ${token === "" ? "is empty" : "is not a token: it has spaces or other characters"}.`,
  );
}

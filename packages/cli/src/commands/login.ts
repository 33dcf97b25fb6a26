import { createClient } from "@lakehelm/contract/client";
import { checkedToken, defaultUrl, readToken, validUrl } from "../connection/connection.ts";
import { type Credentials, readProfiles, writeProfiles } from "../connection/profiles.ts";
import type { GlobalOptions } from "../globals.ts";
import { askSecret } from "../input/prompt.ts";
import { type Io, note, readAll, write } from "../io.ts";
import { oneLine } from "../output/escape.ts";
import { UsageError } from "../usage-error.ts";

interface LoginOptions {
  readonly tokenFile?: string;
  readonly clientId?: string;
  readonly username?: string;
}

export async function login(io: Io, options: LoginOptions, globals: GlobalOptions): Promise<void> {
  const ways = [options.tokenFile, options.clientId, options.username].filter((way) => way !== undefined);
  if (ways.length > 1) throw new UsageError("Choose one of --token-file, --client-id and --username.");
  const file = await readProfiles(io);
  const name = globals.profile ?? (io.env.LAKEHELM_PROFILE || file.current || "default");
  const before = Object.hasOwn(file.profiles, name) ? file.profiles[name] : undefined;
  const url = validUrl(globals.url ?? (io.env.LAKEHELM_URL || before?.url || defaultUrl));
  if (isUnencrypted(url))
    note(io, `Warning: ${url} is not encrypted. Whoever is on the way can read your token.`);
  const credentials = await credentialsOf(io, url, options);
  const token = checkedToken(credentials.token ?? "", "The token");
  const client = createClient({ baseUrl: url, token });
  const { auth_type } = await client.getAuthStatus({ signal: io.signal });
  const { name: caller } = await client.getSession({ signal: io.signal });
  const environment = globals.env ?? (before?.url === url ? before.environment : undefined);
  const profile = { url, ...(environment !== undefined && { environment }), credentials };
  const path = await writeProfiles(io.env, {
    current: name,
    profiles: { ...file.profiles, [name]: profile },
  });
  const kind = {
    service_token: "the service token",
    client_jwt: "a token of a client or user",
    user_token: "a personal token",
  };
  await write(
    io.stdout,
    oneLine(
      `Logged in to ${url} as ${caller}, with ${kind[auth_type]}. Profile "${name}" is in ${path}.${switched(file.current, name)}`,
    ),
  );
  await write(io.stdout, "\n");
}

/**
 * Says that commands without --profile use the new profile from now on: a user who only wanted to try it would not
 * expect that.
 */
const switched = (before: string | undefined, name: string): string =>
  before === undefined || before === name
    ? ""
    : ` Commands now use it instead of "${before}". To go back: lakehelm profiles ${before}`;

async function credentialsOf(
  io: Io,
  url: string,
  { tokenFile, clientId, username }: LoginOptions,
): Promise<Credentials> {
  const client = createClient({ baseUrl: url });
  const { signal } = io;
  if (clientId !== undefined) {
    const client_secret = await askSecret(io, "Client secret");
    const { access_token, expires_at } = await client.exchangeToken({
      body: { client_id: clientId, client_secret },
      signal,
    });
    return { kind: "client", client_id: clientId, client_secret, token: access_token, expires_at };
  }
  if (username !== undefined) {
    const password = await askSecret(io, `Password of ${oneLine(username)}`);
    const { access_token, expires_at } = await client.exchangeToken({ body: { username, password }, signal });
    return { kind: "user", username, token: access_token, expires_at };
  }
  return { kind: "token", token: await tokenFrom(io, tokenFile) };
}

async function tokenFrom(io: Io, tokenFile: string | undefined): Promise<string> {
  if (tokenFile === "-")
    return checkedToken((await readAll(io.stdin)).toString("utf8"), "The standard input");
  if (tokenFile !== undefined) return readToken(tokenFile);
  return checkedToken(await askSecret(io, "Token"), "What you typed");
}

function isUnencrypted(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" && !/^(?:localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
}

import type { endpoints } from "@lakehelm/contract";
import type { ClientResult } from "@lakehelm/contract/client";
import { signal } from "@preact/signals";
import { api, setToken } from "./client.ts";

export type Session = ClientResult<typeof endpoints.getSession>;
export type SessionEnvironment = Session["environments"][number];

/** Undefined: the user has not signed in. */
export const session = signal<Session | undefined>(undefined);
/** The token has expired. The page stays unchanged until the user signs in again. */
export const hasEnded = signal(false);

export type Credentials =
  | { readonly username: string; readonly password: string }
  | { readonly token: string }
  | { readonly code: string };

/** Signs in, or throws the server's error. */
export async function signIn(credentials: Credentials): Promise<void> {
  setToken(await tokenFor(credentials));
  session.value = await api.getSession();
  hasEnded.value = false;
}

async function tokenFor(credentials: Credentials): Promise<string> {
  if ("token" in credentials) return credentials.token.trim();
  if ("code" in credentials) return (await api.exchangeSignInCode({ body: credentials })).access_token;
  return (await api.exchangeToken({ body: credentials })).access_token;
}

/** Reads the current environments, roles and position in the event log. */
export async function refreshSession(): Promise<void> {
  session.value = await api.getSession().catch(() => session.value);
}

export function signOut(): void {
  setToken(undefined);
  session.value = undefined;
}

import { createHmac } from "node:crypto";
import { decodeJson } from "@lakehelm/contract/schema";
import { equalInConstantTime } from "../../core/secrets/vault.ts";
import type { ServerRole } from "../http/handler.ts";
import { isServerRole } from "../identity/roles.ts";

/** The session of a browser with an app, started by a ticket. */
export interface AppSession {
  readonly appId: string;
  /** The address that the session is valid for. */
  readonly audience: string;
  readonly user: string;
  readonly role: ServerRole;
  /** The environment of the app. */
  readonly environmentId: string;
  /** The user account, whose changes end the session; null for the service and for clients. */
  readonly account: { readonly id: string; readonly session: string | null } | null;
  /** In milliseconds since 1970. */
  readonly until: number;
}

export interface AppSessions {
  write(session: AppSession): string;
  /** Undefined if the signature is not ours or the session has expired. */
  read(text: string): AppSession | undefined;
}

/** Sessions are signed, not stored: they survive a restart of the server. */
export function createAppSessions(key: Buffer, now: () => Date): AppSessions {
  const sign = (body: string) => createHmac("sha256", key).update(body).digest();

  return {
    write({ appId, audience, user, role, until, environmentId, account }) {
      const values = [appId, audience, user, role, until, environmentId, account];
      const body = Buffer.from(JSON.stringify(values)).toString("base64url");
      return `${body}.${sign(body).toString("base64url")}`;
    },
    read(text) {
      const [body = "", signature = "", ...more] = text.split(".");
      const isGenuine = equalInConstantTime(Buffer.from(signature, "base64url"), sign(body));
      if (more.length > 0 || !isGenuine) return undefined;
      const pass = sessionOf(Buffer.from(body, "base64url").toString());
      return pass && pass.until > now().getTime() ? pass : undefined;
    },
  };
}

function sessionOf(text: string): AppSession | undefined {
  const read = decodeJson(text);
  if (!("value" in read) || !Array.isArray(read.value)) return undefined;
  const [appId, audience, user, role, until, environmentId, account] = read.value as unknown[];
  const isWhole =
    typeof appId === "string" &&
    typeof audience === "string" &&
    typeof user === "string" &&
    typeof environmentId === "string" &&
    (account === null || typeof account === "object");
  return isWhole && isServerRole(role) && typeof until === "number"
    ? { appId, audience, user, role, until, environmentId, account: account as AppSession["account"] }
    : undefined;
}

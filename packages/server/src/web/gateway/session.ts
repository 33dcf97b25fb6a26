import { createHmac, timingSafeEqual } from "node:crypto";
import { decodeJson } from "@lakehelm/contract/schema";
import type { Role } from "../identity/caller.ts";
import { isRole } from "../identity/roles.ts";

/** The session of a browser with an app, started by a ticket. */
export interface Pass {
  readonly appId: string;
  /** The address that it is valid for. */
  readonly place: string;
  readonly user: string;
  readonly role: Role;
  /** In milliseconds since 1970. */
  readonly until: number;
}

export interface Passes {
  write(pass: Pass): string;
  /** Undefined if it is not ours or has expired. */
  read(text: string): Pass | undefined;
}

/** Sessions are signed, not stored: they survive a restart of the server. */
export function createPasses(key: Buffer, now: () => Date): Passes {
  const sign = (body: string) => createHmac("sha256", key).update(body).digest();

  return {
    write({ appId, place, user, role, until }) {
      const body = Buffer.from(JSON.stringify([appId, place, user, role, until])).toString("base64url");
      return `${body}.${sign(body).toString("base64url")}`;
    },
    read(text) {
      const [body = "", signature = "", ...more] = text.split(".");
      const sent = Buffer.from(signature, "base64url");
      const right = sign(body);
      if (more.length > 0 || sent.length !== right.length || !timingSafeEqual(sent, right)) return undefined;
      const pass = passOf(Buffer.from(body, "base64url").toString());
      return pass && pass.until > now().getTime() ? pass : undefined;
    },
  };
}

function passOf(text: string): Pass | undefined {
  const read = decodeJson(text);
  if (!("value" in read) || !Array.isArray(read.value)) return undefined;
  const [appId, place, user, role, until] = read.value as unknown[];
  const isWhole = typeof appId === "string" && typeof place === "string" && typeof user === "string";
  return isWhole && isRole(role) && typeof until === "number"
    ? { appId, place, user, role, until }
    : undefined;
}

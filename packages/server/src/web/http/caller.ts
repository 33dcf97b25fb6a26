import type { IncomingHttpHeaders } from "node:http";
import type { Access } from "@lakehelm/contract";
import { forbidden } from "../../core/errors.ts";
import type { RateLimit } from "./rate-limit.ts";

export type Role = Exclude<Access, "public">;

/** An authenticated caller. */
export interface Caller {
  readonly name: string;
  readonly role: Role;
  readonly authType: "service_token" | "client_jwt" | "user_token";
}

const rank: Record<Role, number> = { viewer: 0, operator: 1, admin: 2 };

export const mayAct = (caller: Caller, needed: Role) => rank[caller.role] >= rank[needed];

/**
 * Authenticates a request. The service token is checked synchronously, without a promise: most requests use it. An
 * error is thrown or rejected: `await` handles both.
 */
export type Authenticate = (headers: IncomingHttpHeaders) => Caller | Promise<Caller>;

/** Authenticates a caller and checks its role, or throws. Synchronous if the token can be checked without I/O. */
export type Guard = (headers: IncomingHttpHeaders, access: Access) => Caller | Promise<Caller>;

/** The caller of a public endpoint. */
const anyone: Caller = { name: "anonymous", role: "viewer", authType: "user_token" };

export function createGuard(authenticate: Authenticate, limit: RateLimit | undefined): Guard {
  const admit = (caller: Caller, access: Exclude<Access, "public">) => {
    limit?.(caller.name);
    if (mayAct(caller, access)) return caller;
    throw forbidden(`This requires the role ${access}. ${caller.name} has the role ${caller.role}.`);
  };
  return (headers, access) => {
    if (access === "public") return anyone;
    const caller = authenticate(headers);
    return caller instanceof Promise ? caller.then((known) => admit(known, access)) : admit(caller, access);
  };
}

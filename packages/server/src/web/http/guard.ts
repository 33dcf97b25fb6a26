import type { IncomingHttpHeaders } from "node:http";
import type { Access } from "@lakehelm/contract";
import { forbidden } from "../../core/errors.ts";
import { type Caller, mayAct } from "../identity/caller.ts";

export type Authenticate = (headers: IncomingHttpHeaders) => Caller | Promise<Caller>;

/** Lets a caller through to what needs `access`, or throws. At once, if the token can be judged at once. */
export type Guard = (headers: IncomingHttpHeaders, access: Access) => Caller | Promise<Caller>;

/** Who calls a public endpoint: nobody in particular. */
const anyone: Caller = { name: "anonymous", role: "viewer", authType: "user_token" };

export function createGuard(authenticate: Authenticate, limit: (identity: string) => void): Guard {
  const admit = (caller: Caller, access: Exclude<Access, "public">) => {
    limit(caller.name);
    if (mayAct(caller, access)) return caller;
    throw forbidden(`This needs the role ${access}; ${caller.name} is ${caller.role}.`);
  };
  return (headers, access) => {
    if (access === "public") return anyone;
    const caller = authenticate(headers);
    return caller instanceof Promise ? caller.then((known) => admit(known, access)) : admit(caller, access);
  };
}

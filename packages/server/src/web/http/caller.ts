import type { Access } from "@lakehelm/contract";

export type Role = Exclude<Access, "public">;

/** An authenticated caller. */
export interface Caller {
  readonly name: string;
  readonly role: Role;
  readonly authType: "service_token" | "client_jwt" | "user_token";
}

const rank: Record<Role, number> = { viewer: 0, operator: 1, admin: 2 };

export const mayAct = (caller: Caller, needed: Role) => rank[caller.role] >= rank[needed];

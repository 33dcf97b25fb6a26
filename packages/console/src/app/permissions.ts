import { heldRole } from "@lakehelm/contract/text";
import { session } from "./session.ts";

export type Role = "viewer" | "operator" | "admin";
const rank = { none: 0, viewer: 1, operator: 2, admin: 3 };

/** Why the user may not do something in an environment (given by id or name); undefined if it is allowed. */
export function whyNot(needed: Role, environment?: string): string | undefined {
  const user = session.value;
  if (!user) return "Sign in first.";
  if (environment === undefined) {
    if (rank[user.role] >= rank[needed]) return undefined;
    return `This requires the role ${needed} on the whole server. ${user.name} has ${heldRole(user.role)} there.`;
  }
  const found = user.environments.find(({ id, name }) => id === environment || name === environment);
  const role = found?.role ?? user.role;
  const name = found?.name ?? environment;
  if (rank[role] < rank[needed])
    return `This requires the role ${needed} in the environment ${name}. ${user.name} has ${heldRole(role)} there. Ask one of its admins for it.`;
  if (needed !== "viewer" && found?.protected && role !== "admin")
    return `The environment ${name} is protected: only its admins may change it.`;
  return undefined;
}

/** The name of an environment; its id if it is not visible. */
export const environmentNameOf = (id: string): string =>
  session.value?.environments.find((one) => one.id === id)?.name ?? id;

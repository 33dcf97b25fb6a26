import type { Settings } from "../../settings.ts";
import type { Role, ServerRole } from "../http/handler.ts";
import type { WorkspaceUser } from "./workspace.ts";

const roles: readonly Role[] = ["viewer", "operator", "admin"];

export const isRole = (value: unknown): value is Role => roles.some((role) => role === value);

export const isServerRole = (value: unknown): value is ServerRole => value === "none" || isRole(value);

export type RoleOf = (user: WorkspaceUser) => ServerRole;

/** The settings name the admins; any other user has the role that an admin assigned, or else the default role. */
export function roleRule(settings: Settings): RoleOf {
  // Workspaces treat names that differ only in case as one user, and so does this list.
  const admins = new Set(settings.PLATFORM_ADMIN_USERS.map((name) => name.toLowerCase()));
  return ({ name, role }) =>
    admins.has(name.toLowerCase()) ? "admin" : (role ?? settings.PLATFORM_DEFAULT_ROLE);
}

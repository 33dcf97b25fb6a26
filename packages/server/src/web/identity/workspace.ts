import { unauthorized } from "../../core/errors.ts";
import type { Role } from "./caller.ts";

/** A user as the workspace knows them, active and proven. */
export interface WorkspaceUser {
  readonly id: string;
  readonly name: string;
  /** The role an admin gave; only the embedded workspace has one. */
  readonly role?: Role | undefined;
  /** The personal access token that proved it, where the workspace tells tokens apart. */
  readonly token?: { readonly id: string; readonly expiresAt: Date | undefined } | undefined;
}

/**
 * Who decides who the users are. What it refuses is unauthorized, an inactive user is forbidden, and a
 * workspace that cannot be asked is unavailable.
 */
export interface Workspace {
  readonly address: string;
  userOfToken(token: string): Promise<WorkspaceUser>;
  userOfPassword(username: string, password: string): Promise<WorkspaceUser>;
  /** The same user as they are now, for a JWT that was issued to them a while ago. */
  refresh(user: WorkspaceUser): Promise<WorkspaceUser>;
}

export const refusedToken = () => unauthorized("The token is invalid or has expired.");
export const refusedPassword = () => unauthorized("The username or the password is wrong.");

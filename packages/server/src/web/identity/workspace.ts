import { unauthorized } from "../../core/errors.ts";
import type { ServerRole } from "../http/handler.ts";

/** An authenticated, active user of the workspace. */
export interface WorkspaceUser {
  readonly id: string;
  readonly name: string;
  /** The role an admin assigned; only the embedded workspace has one. */
  readonly role?: ServerRole | undefined;
  /** Changes when the user's sessions end: a JWT of an earlier one is refused. */
  readonly session?: string | undefined;
  /** The personal access token that was used, if the workspace distinguishes tokens. */
  readonly token?: { readonly id: string; readonly expiresAt: Date | undefined } | undefined;
}

/** The session of users and JWTs from before sessions were counted. */
export const firstSession = "0";

/**
 * The authority on users. A rejected credential is unauthorized, an inactive user is forbidden, and an unreachable
 * workspace is unavailable.
 */
export interface Workspace {
  readonly address: string;
  userOfToken(token: string): Promise<WorkspaceUser>;
  userOfPassword(username: string, password: string): Promise<WorkspaceUser>;
  /** The current state of a user, for a JWT that was issued earlier. */
  refresh(user: WorkspaceUser): Promise<WorkspaceUser>;
}

export const invalidToken = () => unauthorized("The token is invalid or has expired.");
export const invalidPassword = () => unauthorized("The username or the password is wrong.");

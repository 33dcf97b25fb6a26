import type { User } from "@lakehelm/contract";
import { forbidden, unauthorized } from "../../core/errors.ts";
import type { Vault } from "../../core/secrets/vault.ts";
import { keyOf, type Stored } from "../../core/store/collection.ts";
import type { Passwords } from "./passwords.ts";
import type { PersonalTokens } from "./personal-token.ts";
import type { IdentityStore } from "./store.ts";
import {
  firstSession,
  invalidPassword,
  invalidToken,
  type Workspace,
  type WorkspaceUser,
} from "./workspace.ts";

export interface EmbeddedOptions {
  readonly state: IdentityStore;
  readonly vault: Vault;
  readonly passwords: Passwords;
  readonly personal: PersonalTokens;
  now(): Date;
}

/** The users that an admin created on this server. */
export function embeddedWorkspace({ state, vault, passwords, personal, now }: EmbeddedOptions): Workspace {
  return {
    address: "embedded",
    async userOfToken(token) {
      const found = await state.tokens.byKey(personal.key(token));
      const user = found?.owner ? await state.users.get(found.owner) : undefined;
      if (!found || !user) throw invalidToken();
      const expiresAt = found.doc.expires_at === null ? undefined : new Date(found.doc.expires_at);
      if (expiresAt && expiresAt <= now()) throw invalidToken();
      return { ...active(user), token: { id: found.id, expiresAt } };
    },
    async userOfPassword(username, password) {
      const user = await state.users.byKey(keyOf(username));
      const hash = user?.sealed ? vault.decrypt(user.sealed) : undefined;
      // An unknown name, or a user without a password, takes as long as a wrong password.
      const matches = await passwords.matches(password, hash);
      if (!user || !matches) throw invalidPassword();
      return active(user);
    },
    // Looked up by id: a new user with the same name is not the user that the JWT was issued to.
    async refresh({ id }) {
      const user = await state.users.get(id);
      if (!user) throw unauthorized("The user of this token was deleted.");
      return active(user);
    },
  };
}

function active({ doc, state }: Stored<User>): WorkspaceUser {
  if (!doc.active) throw forbidden("The user account is inactive.");
  return { id: doc.id, name: doc.username, role: doc.role, session: state ?? firstSession };
}

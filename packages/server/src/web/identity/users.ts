import type { EndpointBody, endpoints, User } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import { weaknessOf } from "@lakehelm/contract/text";
import { eventChanges } from "../../core/changes/event-changes.ts";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict, notFound } from "../../core/errors.ts";
import { keyOf, requireVersion, type Stored, type Text } from "../../core/store/collection.ts";
import type { ExpectedVersion, SaveAnswer } from "../../core/store/requests.ts";
import type { ChangeContext } from "../../core/store/store.ts";
import type { Grants } from "./grants.ts";
import type { Passwords } from "./passwords.ts";
import { isReservedName, skeleton } from "./reserved-names.ts";
import type { IdentityStore } from "./store.ts";
import type { TokenCache } from "./token-cache.ts";
import { firstSession } from "./workspace.ts";

const longestName = 256;

type Versioned = { readonly body: User; readonly version: number };

/** The users of the embedded workspace, managed by admins. */
export interface Users {
  create(
    request: EndpointBody<typeof endpoints.createUser>,
    context: ChangeContext,
    saveAnswer: SaveAnswer,
  ): Promise<{ readonly text: Text<User>; readonly version: number }>;
  update(
    id: string,
    request: EndpointBody<typeof endpoints.updateUser>,
    context: ChangeContext,
    expected: ExpectedVersion | undefined,
  ): Promise<Versioned>;
  /** Returns the number of tokens that were deleted with the user. */
  remove(
    id: string,
    context: ChangeContext,
    expected: ExpectedVersion | undefined,
  ): Promise<{ readonly user: User; readonly tokens: number }>;
}

export const noUser = () => notFound("There is no such user.");

export function createUsers(
  { settings, store, vault, system }: Dependencies,
  state: IdentityStore,
  passwords: Passwords,
  cache: TokenCache,
  grants: Pick<Grants, "removal" | "forget">,
): Users {
  const { users, tokens } = state;

  const sealed = async (password: string | undefined) =>
    password === undefined ? null : vault.encrypt(await passwords.hash(password));

  async function matching(id: string, expected: ExpectedVersion | undefined): Promise<Stored<User>> {
    const user = await users.get(id);
    if (!user) throw noUser();
    requireVersion(user, expected);
    return user;
  }

  return {
    async create({ username, password, role = settings.PLATFORM_DEFAULT_ROLE }, context, saveAnswer) {
      checkName(username, settings.PLATFORM_CLIENT_ID);
      checkPassword(password, username);
      const key = keyOf(username);
      const taken = () => conflict("A user with this name already exists.");
      const id = system.newId();
      const doc: User = {
        id,
        username,
        role,
        active: true,
        created_at: context.time,
        updated_at: context.time,
        created_by: context.actor,
      };
      const text: Text<User> = encodeJson(doc);
      const row = {
        id,
        key,
        doc,
        environmentId: null,
        owner: null,
        state: null,
        sealed: await sealed(password),
      };
      // The answer is saved first: a concurrent duplicate of the request is a repetition, not a name conflict.
      const steps = [...saveAnswer(text, 1), ...users.insert(row, { duplicate: taken })];
      const events = [{ kind: "user.created", subject: `user/${id}`, data: { ...doc } }];
      await store.retryOnConflict(() => store.apply({ context, steps, events }));
      return { text, version: 1 };
    },

    async update(id, { password, role, active, revoke_tokens }, context, expected) {
      checkPassword(password, (await matching(id, expected)).doc.username);
      const newSecret = await sealed(password);
      return store.retryOnConflict(async () => {
        const before = await matching(id, expected);
        const doc: User = {
          ...before.doc,
          role: role ?? before.doc.role,
          active: active ?? before.doc.active,
          updated_at: context.time,
        };
        const changed = (["role", "active"] as const).filter((field) => doc[field] !== before.doc[field]);
        // Anyone who knew the old password may have a token.
        const revokes = revoke_tokens ?? newSecret !== null;
        const owned = revokes ? await state.tokensOf(id) : [];
        const fields = [
          ...changed,
          ...(newSecret === null ? [] : ["password"]),
          ...(revoke_tokens || owned.length > 0 ? ["tokens"] : []),
        ];
        if (fields.length === 0) return { body: before.doc, version: before.version };
        const steps = [
          ...users.update(before, {
            doc,
            sealed: newSecret ?? before.sealed,
            // A role is read with every request, so a new one needs no new session.
            state:
              changed.join() === "role" && newSecret === null && !revokes
                ? before.state
                : nextSession(before.state),
          }),
          ...owned.flatMap((token) => tokens.remove(token)),
          ...(revokes ? [state.noTokenLeft(id)] : []),
        ];
        const data = {
          ...doc,
          changed: fields,
          ...eventChanges(before.doc, doc),
          ...(fields.includes("tokens") && { tokens: owned.length }),
        };
        await store.apply({
          context,
          steps,
          events: [{ kind: "user.updated", subject: `user/${id}`, data }],
        });
        cache.forgetUser(doc.username);
        return { body: doc, version: before.version + 1 };
      });
    },

    remove: (id, context, expected) =>
      store.retryOnConflict(async () => {
        const before = await matching(id, expected);
        const owned = await state.tokensOf(id);
        const steps = [
          ...users.remove(before),
          ...owned.flatMap((token) => tokens.remove(token)),
          state.noTokenLeft(id),
          // Another user who gets this name later must not inherit the roles.
          ...grants.removal(before.doc.username),
        ];
        const data = { ...before.doc, tokens: owned.length };
        await store.apply({
          context,
          steps,
          events: [{ kind: "user.deleted", subject: `user/${id}`, data }],
        });
        cache.forgetUser(before.doc.username);
        grants.forget();
        return { user: before.doc, tokens: owned.length };
      }),
  };
}

/** Ends the sessions so far: each JWT carries the number of its session. */
const nextSession = (session: string | null): string => String(Number(session ?? firstSession) + 1);

function checkName(username: string, clientId: string | undefined): void {
  if (username.length > longestName) throw conflict(`A username has at most ${longestName} characters.`);
  // Events name their actor: no user may be mistaken there for the server or for the configured client.
  const isClient = clientId !== undefined && skeleton(username) === skeleton(clientId);
  if (isClient || isReservedName(username)) throw conflict("This username is reserved for the server.");
}

function checkPassword(password: string | undefined, username: string): void {
  const weakness = password === undefined ? undefined : weaknessOf(password, 0, [username]);
  if (weakness !== undefined) throw conflict(`A password must ${weakness}.`);
}

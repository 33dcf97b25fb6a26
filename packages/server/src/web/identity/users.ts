import type { EndpointBody, endpoints, User } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict, notFound } from "../../core/errors.ts";
import { keyOf, requireVersion, type Stored, type Text } from "../../core/store/collection.ts";
import type { ExpectedVersion, SaveAnswer } from "../../core/store/requests.ts";
import { type ChangeContext, retryOnConflict } from "../../core/store/store.ts";
import { serviceCaller } from "./authenticate.ts";
import type { Passwords } from "./passwords.ts";
import type { IdentityStore } from "./store.ts";
import type { TokenCache } from "./token-cache.ts";

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
      checkName(username);
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
      await retryOnConflict(() => store.apply({ context, steps, events }));
      return { text, version: 1 };
    },

    async update(id, { password, role, active }, context, expected) {
      await matching(id, expected);
      const newSecret = await sealed(password);
      return retryOnConflict(async () => {
        const before = await matching(id, expected);
        const doc: User = {
          ...before.doc,
          role: role ?? before.doc.role,
          active: active ?? before.doc.active,
          updated_at: context.time,
        };
        const changed = (["role", "active"] as const).filter((field) => doc[field] !== before.doc[field]);
        const fields = newSecret === null ? changed : [...changed, "password"];
        if (fields.length === 0) return { body: before.doc, version: before.version };
        const steps = users.update(before, { doc, sealed: newSecret ?? before.sealed });
        const data = { ...doc, changed: fields };
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
      retryOnConflict(async () => {
        const before = await matching(id, expected);
        const owned = await state.tokensOf(id);
        const steps = [
          ...users.remove(before),
          ...owned.flatMap((token) => tokens.remove(token)),
          state.noTokenLeft(id),
        ];
        const data = { ...before.doc, tokens: owned.length };
        await store.apply({
          context,
          steps,
          events: [{ kind: "user.deleted", subject: `user/${id}`, data }],
        });
        cache.forgetUser(before.doc.username);
        return { user: before.doc, tokens: owned.length };
      }),
  };
}

function checkName(username: string): void {
  if (username.length > longestName) throw conflict(`A username has at most ${longestName} characters.`);
  // Events name their actor: no user may impersonate the service there.
  if (username.toLowerCase() === serviceCaller.name)
    throw conflict("This username is reserved for the service.");
}

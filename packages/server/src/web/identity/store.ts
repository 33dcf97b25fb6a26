import type { Token, User } from "@lakehelm/contract";
import { type Collection, collection, type Stored } from "../../core/store/collection.ts";
import type { Step, Store } from "../../core/store/store.ts";

/** Users with sealed password hashes, and tokens by their lookup hash. */
export interface IdentityStore {
  readonly users: Collection<User>;
  readonly tokens: Collection<Token>;
  tokensOf(userId: string): Promise<Stored<Token>[]>;
  /** A step that fails if the user no longer exists, and prevents its deletion until the transaction ends. */
  holdUser(userId: string): Step;
  /** A step that fails if a token of the user was created since the tokens were read. */
  noTokenLeft(userId: string): Step;
}

export function identityStore(store: Store): IdentityStore {
  const tokens = collection<Token>(store, "tokens");
  const owned = store.prepare((db, v: { owner: string }) =>
    db.selectFrom("tokens").select("id").where("owner", "=", v.owner).orderBy("position"),
  );
  const hold = store.prepare((db, v: { id: string }) =>
    db
      .updateTable("users")
      .set((eb) => ({ version: eb.ref("version") }))
      .where("id", "=", v.id),
  );
  const clear = store.prepare((db, v: { owner: string }) =>
    db.deleteFrom("tokens").where("owner", "=", v.owner),
  );

  return {
    users: collection<User>(store, "users"),
    tokens,
    async tokensOf(userId) {
      const ids = await store.all(owned({ owner: userId }));
      const found = await Promise.all(ids.map(({ id }) => tokens.get(id)));
      return found.filter((token) => token !== undefined);
    },
    holdUser: (userId) => ({ ...hold({ id: userId }), expect: 1 }),
    noTokenLeft: (userId) => ({ ...clear({ owner: userId }), expect: 0 }),
  };
}

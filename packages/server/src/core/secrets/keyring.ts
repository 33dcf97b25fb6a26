import { weaknessOf } from "@lakehelm/contract/text";
import type { Dependencies } from "../dependencies.ts";
import type { Database } from "../store/database.ts";
import type { Store } from "../store/store.ts";
import { unrecorded } from "../system.ts";
import type { Vault } from "./vault.ts";

const readEntry = (store: Store, name: string) =>
  store.one(
    store.prepare((db, v: { name: string }) =>
      db.selectFrom("keyring").select("value").where("name", "=", v.name),
    )({ name }),
  );

export const isInKeyring = async (store: Store, name: string): Promise<boolean> =>
  (await readEntry(store, name)) !== undefined;

/** If several servers start at once, the first value is stored and all of them use it. */
export async function storedOnce(store: Store, name: string, made: string): Promise<string> {
  const keep = store.prepare((db, v: { name: string; value: string }) =>
    db
      .insertInto("keyring")
      .values({ name: v.name, value: v.value })
      .onConflict((oc) => oc.column("name").doNothing()),
  );
  const before = await readEntry(store, name);
  if (before) return before.value;
  await store.apply({ context: unrecorded, steps: [keep({ name, value: made })], events: [] });
  const kept = await readEntry(store, name);
  if (!kept) throw new Error(`The keyring entry "${name}" is missing.`);
  return kept.value;
}

/** The signing key of JWTs: from the settings, or generated once and stored encrypted. */
export async function jwtKey({ settings, store, vault, system }: Dependencies): Promise<Buffer<ArrayBuffer>> {
  if (settings.PLATFORM_JWT_SECRET !== undefined) return Buffer.from(settings.PLATFORM_JWT_SECRET);
  const made = vault.encrypt(system.randomBytes(32).toString("base64"));
  return Buffer.from(vault.decrypt(await storedOnce(store, "jwt", made)), "base64");
}

/** The same limit as in the settings, which refuse a shorter key. */
const leastKeyLength = 16;

/**
 * Throws if a configured key is easy to guess and the database is new. For an existing database, whose key cannot be
 * rotated, returns what is wrong with the key.
 */
export async function secretKeyWeakness(store: Store, key: string | undefined): Promise<string | undefined> {
  const weakness = key === undefined ? undefined : weaknessOf(key, leastKeyLength);
  if (weakness === undefined) return undefined;
  const problem = `PLATFORM_SECRET_KEY is easy to guess: it must ${weakness}.`;
  const read = store.prepare((db, v: { name: string }) =>
    db.selectFrom("keyring").select("value").where("name", "=", v.name),
  );
  if (await store.one(read({ name: "fingerprint" }))) return problem;
  throw new Error(`${problem} Make one with: openssl rand -base64 32`);
}

const wrongKey = "Set PLATFORM_SECRET_KEY to that key, or restore the file secret-key in its data folder.";

/** Whether this database was used before. */
export async function hasFingerprint(database: Pick<Database, "read">): Promise<boolean> {
  const sql = "select value from keyring where name = 'fingerprint'";
  return (await database.read({ sql, parameters: [] })).length > 0;
}

export const missingKey = (): Error =>
  new Error(`This database was written with a secret key, which is not in its data folder. ${wrongKey}`);

/** Rejects a secret key that differs from the one this database was first used with. */
export async function checkFingerprint(store: Store, vault: Vault): Promise<void> {
  if ((await storedOnce(store, "fingerprint", vault.fingerprint)) === vault.fingerprint) return;
  throw new Error(
    `This database was written with another secret key, so its encrypted values cannot be read. ${wrongKey}`,
  );
}

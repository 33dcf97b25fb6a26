import { hash } from "node:crypto";
import { decodeJson, encodeJson } from "@lakehelm/contract/schema";
import { stale } from "../errors.ts";
import { listOf, type Scope } from "./list-scope.ts";
import { positionsOf } from "./positions.ts";
import { createReadCache } from "./read-cache.ts";
import type { ExpectedVersion } from "./requests.ts";
import type { Step, Store } from "./store.ts";
import type { ResourceTableName } from "./tables.ts";

/** A stored resource. */
export interface Stored<T> {
  readonly id: string;
  readonly key: string;
  readonly version: number;
  readonly doc: T;
  readonly environmentId: string | null;
  readonly owner: string | null;
  readonly state: string | null;
  readonly sealed: string | null;
}

type NewResource<T> = Omit<Stored<T>, "version">;

/** The fields that a change may write: the environment and the owner of a resource never change. */
type StoredFields<T> = Pick<Stored<T>, "doc"> & Partial<Pick<Stored<T>, "key" | "state" | "sealed">>;

export type { Scope };

/** One page of a list; its documents as one comma-separated text, assembled by the database. */
export interface JoinedPage<T> {
  readonly joined: Text<T[]>;
  readonly total: number;
}

/** The same with separate documents. */
export interface Items<T> {
  readonly items: Text<T>[];
  readonly total: number;
}

/** The queries that every resource needs; a resource's own store adds others. */
export interface Collection<T> {
  get(id: string): Promise<Stored<T> | undefined>;
  byKey(key: string): Promise<Stored<T> | undefined>;
  text(id: string): Promise<{ readonly text: Text<T>; readonly version: number } | undefined>;
  page(scope: Scope, skip: number, limit: number): Promise<JoinedPage<T>>;
  /** The same page for rules, with separate documents. */
  items(scope: Scope, skip: number, limit: number): Promise<Items<T>>;
  insert(fresh: NewResource<T>, refused?: Step["refused"]): Step[];
  /** Writes `next` if the row has not changed since `before` was read. */
  update(before: Stored<T>, next: StoredFields<T>, refused?: Step["refused"]): Step[];
  remove(before: Stored<T>, refused?: Step["refused"]): Step[];
  /** For a change that takes all rows out of the list of an environment or owner, which is about to be deleted. */
  forgetList(scope: Scope): Step;
}

type ResourceRow = {
  id: string;
  key: string;
  version: number;
  environment_id: string | null;
  owner: string | null;
  state: string | null;
  doc: string;
  sealed: string | null;
};

export function collection<T>(store: Store, table: ResourceTableName): Collection<T> {
  const positions = positionsOf(store, table);
  const columns = ["id", "key", "version", "environment_id", "owner", "state", "doc", "sealed"] as const;

  const byId = store.prepare((db, v: { id: string }) =>
    db.selectFrom(table).select(columns).where("id", "=", v.id),
  );
  const byKey = store.prepare((db, v: { key: string }) =>
    db.selectFrom(table).select(columns).where("key", "=", v.key),
  );
  const textById = store.prepare((db, v: { id: string }) =>
    db.selectFrom(table).select(["doc", "version"]).where("id", "=", v.id),
  );
  const list = listOf(store, table);
  const insert = store.prepare((db, v: ResourceRow) =>
    db.insertInto(table).values((eb) => ({
      id: v.id,
      key: v.key,
      version: v.version,
      environment_id: v.environment_id,
      owner: v.owner,
      state: v.state,
      doc: v.doc,
      sealed: v.sealed,
      position: eb.selectFrom("positions").select("next").where("list", "=", table),
    })),
  );
  const update = store.prepare((db, v: ResourceRow & { before: number }) =>
    db
      .updateTable(table)
      .set({ key: v.key, version: v.version, state: v.state, doc: v.doc, sealed: v.sealed })
      .where("id", "=", v.id)
      .where("version", "=", v.before),
  );
  const remove = store.prepare((db, v: { id: string; version: number }) =>
    db.deleteFrom(table).where("id", "=", v.id).where("version", "=", v.version),
  );

  const cache = createReadCache<{ text: Text<T>; version: number }>(store.engine);
  const scopeName = (scope: Scope) => scope.environmentId ?? scope.owner ?? "all";
  const scopesOf = (row: NewResource<T>) =>
    ["all", row.environmentId, row.owner].filter((scope): scope is string => scope !== null);
  async function positionOf(scope: Scope, skip: number) {
    const name = scopeName(scope);
    const total = await positions.total(name);
    return { total, position: skip < total ? await positions.find(name, skip) : undefined };
  }

  return {
    async get(id) {
      // Our ids contain no NUL, which PostgreSQL rejects in text.
      if (id.includes("\0")) return undefined;
      const row = await store.one(byId({ id }));
      return row && stored<T>(row);
    },
    async byKey(key) {
      const row = await store.one(byKey({ key }));
      return row && stored<T>(row);
    },
    async text(id) {
      if (id.includes("\0")) return undefined;
      const known = cache.get(id);
      if (known) return known;
      const row = await store.one(textById({ id }));
      const found = row && { text: row.doc, version: row.version };
      if (found) cache.set(id, found);
      return found;
    },
    async page(scope, skip, limit) {
      const { position, total } = await positionOf(scope, skip);
      return { joined: position ? await list.joined(scope, position, limit) : "", total };
    },
    async items(scope, skip, limit) {
      const { position, total } = await positionOf(scope, skip);
      return { items: position ? await list.items(scope, position, limit) : [], total };
    },
    insert: (fresh, refused) => [
      ...positions.take(scopesOf(fresh)),
      { ...insert(toColumns({ ...fresh, version: 1 })), ...(refused && { refused }) },
    ],
    update(before, next, refused) {
      const after = { ...before, ...next, version: before.version + 1 };
      const step = update({ ...toColumns(after), before: before.version });
      return [{ ...step, expect: 1, ...(refused && { refused }) }];
    },
    remove: (before, refused) => [
      ...positions.release(scopesOf(before), before.id),
      { ...remove({ id: before.id, version: before.version }), expect: 1, ...(refused && { refused }) },
    ],
    forgetList: (scope) => positions.forget(scopeName(scope)),
  };
}

function stored<T>(row: ResourceRow): Stored<T> {
  const { id, key, version, environment_id: environmentId, owner, state, doc, sealed } = row;
  return { id, key, version, environmentId, owner, state, doc: decoded(doc) as T, sealed };
}

/** Numbers of any size keep their digits: free-form maps may contain them. */
function decoded(text: string): unknown {
  const read = decodeJson(text);
  if (!("value" in read)) throw new Error("A stored document is not valid JSON.");
  return read.value;
}

function toColumns<T>({ environmentId, doc, ...row }: Stored<T>): ResourceRow {
  return { ...row, environment_id: environmentId, doc: textOf(doc) };
}

/** Checks `If-Match` against the stored version: a newer one makes the caller's copy stale. */
export function requireVersion(
  stored: { readonly version: number },
  expected: ExpectedVersion | undefined,
): void {
  if (expected === undefined || expected === "any" || expected.includes(stored.version)) return;
  throw stale("It has changed since you read it. Read it again, then resend your change.");
}

export const etag = (version: number) => `"${version}"`;

/**
 * A unique key from names: any string is valid, and adjacent parts cannot be confused. A long key is replaced by its
 * hash: PostgreSQL indexes at most 2,700 bytes. (Every other key begins with a bracket.)
 */
export function keyOf(...parts: string[]): string {
  const key = JSON.stringify(parts);
  return key.length <= 500 ? key : `sha256:${hash("sha256", key)}`;
}

/** The text of a JSON answer that holds a T. */
export type Text<T> = string & { readonly __holds?: T };

const texts = new WeakMap<object, string>();

/**
 * Documents are immutable, so their text is made once: for the row, the answer and the stored idempotent answer.
 */
export function textOf<T>(doc: T): Text<T> {
  if (typeof doc !== "object" || doc === null) return encodeJson(doc);
  let text = texts.get(doc);
  if (text === undefined) {
    text = encodeJson(doc);
    texts.set(doc, text);
  }
  return text;
}

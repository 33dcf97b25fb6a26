import { hash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { type ListFields, listFields } from "@lakehelm/contract";
import { decodeJson, encodeJson } from "@lakehelm/contract/schema";
import { sql } from "kysely";
import { stale } from "../errors.ts";
import { requirePlainName } from "../plain-name.ts";
import { childOf } from "../secrets/secret-path.ts";
import type { StoredChange } from "./change.ts";
import { fitting, lineageSteps } from "./lineage-rows.ts";
import { isPlain, type ListRequest, readListRequest } from "./list-request.ts";
import { listOf, type Scope } from "./list-scope.ts";
import { type SearchScope, searchOf } from "./list-search.ts";
import { positionsOf } from "./positions.ts";
import { createReadCache } from "./read-cache.ts";
import type { ExpectedVersion } from "./requests.ts";
import { maxDocumentLength, type Step, type Store } from "./store.ts";
import { former, scopeOfEnvironment } from "./stored-scopes.ts";
import type { ListColumns, ResourceTableName } from "./tables.ts";

export interface Stored<T> {
  readonly id: string;
  readonly key: string;
  readonly version: number;
  readonly doc: T;
  readonly environmentId: string | null;
  readonly owner: string | null;
  readonly state: string | null;
  readonly sealed: string | null;
  /** The identity whose quota counts the resource. Absent only until the resource is read again. */
  readonly chargedTo?: string | null;
}

/** A stored resource as the text of an answer. */
export interface StoredText<T> {
  readonly text: Text<T>;
  readonly version: number;
}

type NewResource<T> = Omit<Stored<T>, "version" | "chargedTo">;

/** The fields that a change may write: the environment and the owner of a resource never change. */
type StoredFields<T> = Pick<Stored<T>, "doc"> & Partial<Pick<Stored<T>, "key" | "state" | "sealed">>;

export type { Scope };

/** One page of a list; its documents as one comma-separated text, assembled by the database. */
export interface JoinedPage<T> {
  readonly joined: Text<T[]>;
  readonly total: number;
  /** Null: this is the last page. Undefined: the request asked for no cursor, filter or order. */
  readonly next?: string | null;
}

/** The same page with separate documents. */
export interface Items<T> {
  readonly items: Text<T>[];
  readonly total: number;
  readonly next?: string | null;
}

/** The queries that every resource needs; a resource's own store adds others. */
export interface Collection<T> {
  get(id: string): Promise<Stored<T> | undefined>;
  byKey(key: string): Promise<Stored<T> | undefined>;
  /**
   * The id of the resource's environment in a list, which is empty if it has none; undefined if the resource does not
   * exist. A deleted resource may still have its environment here.
   */
  environmentsOf(id: string): Promise<readonly string[] | undefined>;
  text(id: string): Promise<StoredText<T> | undefined>;
  /**
   * The text of a resource, or the error. Returns no promise if the text was read since the last write: a promise costs
   * as much as the rest.
   */
  requireText(id: string, missing: () => Error): StoredText<T> | Promise<StoredText<T>>;
  page(scope: Scope, skip: number, limit: number): Promise<JoinedPage<T>>;
  /** The page that a caller requested, with its filters and its order. */
  list(scope: SearchScope, request: ListRequest): Promise<JoinedPage<T>>;
  listItems(scope: SearchScope, request: ListRequest): Promise<Items<T>>;
  /** Like `page`, for rules, with separate documents. */
  items(scope: Scope, skip: number, limit: number): Promise<Items<T>>;
  /**
   * All rows of an environment with their secrets, for rules that compare them. Yields to other requests in between.
   */
  inEnvironment(environmentId: string): Promise<Stored<T>[]>;
  insert(fresh: NewResource<T>, refused?: Step["refused"]): Step[];
  /** Writes `next` if the row has not changed since `before` was read. */
  update(before: Stored<T>, next: StoredFields<T>, refused?: Step["refused"]): Step[];
  remove(before: Stored<T>, refused?: Step["refused"]): Step[];
  /** For a change that takes all rows out of the list of an environment or owner, which is about to be deleted. */
  forgetList(scope: Scope): Step[];
}

type ResourceRow = ListColumns & {
  id: string;
  key: string;
  version: number;
  environment_id: string | null;
  owner: string | null;
  state: string | null;
  doc: string;
  sealed: string | null;
  charged_to: string | null;
};

export function collection<T>(store: Store, table: ResourceTableName): Collection<T> {
  const positions = positionsOf(store, table);
  const lineage = lineageSteps(store, table);
  const columns = [
    "id",
    "key",
    "version",
    "environment_id",
    "owner",
    "state",
    "doc",
    "sealed",
    "charged_to",
  ] as const;

  const byId = store.prepare((db, v: { id: string }) =>
    db.selectFrom(table).select(columns).where("id", "=", v.id),
  );
  const byKey = store.prepare((db, v: { key: string }) =>
    db.selectFrom(table).select(columns).where("key", "=", v.key),
  );
  const textById = store.prepare((db, v: { id: string }) =>
    db.selectFrom(table).select(["doc", "version"]).where("id", "=", v.id),
  );
  const environmentById = store.prepare((db, v: { id: string }) =>
    db.selectFrom(table).select("environment_id").where("id", "=", v.id),
  );
  const pageIn = store.prepare((db, v: { environment_id: string; after: number; limit: number }) =>
    db
      .selectFrom(table)
      .select([...columns, "position"])
      .where("environment_id", "=", v.environment_id)
      .where("position", ">", v.after)
      .orderBy("position")
      .limit(v.limit),
  );
  const sizesIn = store.prepare((db, v: { environment_id: string; after: number; limit: number }) =>
    db
      .selectFrom(table)
      .select((eb) => [
        "position",
        eb.fn<number>("octet_length", ["doc"]).as("length"),
        eb.fn<number | null>("octet_length", ["sealed"]).as("more"),
      ])
      .where("environment_id", "=", v.environment_id)
      .where("position", ">", v.after)
      .orderBy("position")
      .limit(v.limit),
  );
  const list = listOf(store, table);
  const search = searchOf(store, table);
  const fields: ListFields | undefined = listFields[table as keyof typeof listFields];
  /** Field by field, because a prepared statement finds its parameters by the fields that are read. */
  const listed = (v: ListColumns) => ({
    name: v.name,
    status: v.status,
    created_at: v.created_at,
    updated_at: v.updated_at,
    created_by: v.created_by,
    search_text: v.search_text,
  });
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
      charged_to: v.charged_to,
      ...listed(v),
      position: eb.selectFrom("positions").select("next").where("list", "=", table),
    })),
  );
  type Update = ResourceRow & { before: number };
  const updated = (v: Update) => ({
    version: v.version,
    doc: v.doc,
    ...listed(v),
  });
  const update = store.prepare((db, v: Update) =>
    db
      .updateTable(table)
      .set({ ...updated(v), key: v.key, state: v.state, sealed: v.sealed })
      .where("id", "=", v.id)
      .where("version", "=", v.before),
  );
  const updateCharged = store.prepare((db, v: Update) =>
    db
      .updateTable(table)
      .set({ ...updated(v), key: v.key, state: v.state, sealed: v.sealed, charged_to: v.charged_to })
      .where("id", "=", v.id)
      .where("version", "=", v.before),
  );
  /** Most changes keep the key: writing the same key again takes a quarter of the time of the whole statement. */
  const updateDocument = store.prepare((db, v: Update) =>
    db.updateTable(table).set(updated(v)).where("id", "=", v.id).where("version", "=", v.before),
  );
  const forgetUsage = store.prepare((db, v: { scope: string }) =>
    db.deleteFrom("stored_usage").where("scope", "=", v.scope),
  );
  /** Rows that outlive their environment no longer count for it. */
  const keepUsage = store.prepare((db, v: { scope: string }) =>
    db
      .insertInto("stored_usage")
      .columns(["scope", "kind", "n", "bytes"])
      .expression(
        db
          .selectFrom("stored_usage")
          .select([sql.lit(former).as("scope"), "kind", "n", "bytes"])
          .where("scope", "=", v.scope)
          .where("kind", "=", sql.lit(table)),
      )
      .onConflict((oc) =>
        oc.columns(["scope", "kind"]).doUpdateSet({
          n: sql<number>`stored_usage.n + excluded.n`,
          bytes: sql<number>`stored_usage.bytes + excluded.bytes`,
        }),
      ),
  );
  const storedChange = ({ environmentId, chargedTo }: Stored<T>, n: number, bytes: number): StoredChange => ({
    ...{ kind: table, environmentId, n, bytes },
    ...(chargedTo !== undefined && { chargedTo }),
  });
  const remove = store.prepare((db, v: { id: string; version: number }) =>
    db.deleteFrom(table).where("id", "=", v.id).where("version", "=", v.version),
  );

  const cache = createReadCache<StoredText<T>>(store.engine);
  /**
   * A resource stays in its environment, and no id is used twice: what was read once stays valid. Only a pipeline can
   * be created with the id of a deleted one.
   */
  const environments = new Map<string, readonly string[]>();
  const pages = createReadCache<JoinedPage<T>>(store.engine, maxCachedPages);
  const scopeName = (scope: Scope) => scope.environmentId ?? scope.owner ?? "all";
  const scopesOf = (row: NewResource<T>) =>
    ["all", row.environmentId, row.owner].filter((scope): scope is string => scope !== null);
  /** Async, so that a refusal is a rejected promise. */
  async function found(scope: SearchScope, request: ListRequest): Promise<Items<T>> {
    return search(scope, readListRequest(table, request, listColumns(requested, request)));
  }
  async function text(id: string): Promise<StoredText<T> | undefined> {
    if (id.includes("\0")) return undefined;
    const known = cache.get(id);
    if (known) return known;
    const row = await store.one(textById({ id }));
    const read = row && { text: row.doc, version: row.version };
    if (read) cache.set(id, read);
    return read;
  }
  async function positionOf(scope: Scope, skip: number) {
    const names = scope.environmentIds ?? [scopeName(scope)];
    const total = await positions.total(names);
    return { total, position: skip < total ? await positions.find(names, skip) : undefined };
  }
  async function page(scope: Scope, skip: number, limit: number): Promise<JoinedPage<T>> {
    const name = scope.environmentIds ? undefined : `${scope.environmentId}/${scope.owner} ${skip} ${limit}`;
    const known = name === undefined ? undefined : pages.get(name);
    if (known) return known;
    const before = store.engine.written();
    const { position, total } = await positionOf(scope, skip);
    const found = { joined: position ? await list.joined(scope, position, limit) : "", total };
    const isCurrent = before === store.engine.written();
    if (name !== undefined && isCurrent && found.joined.length <= maxCachedPage) pages.set(name, found);
    return found;
  }
  async function items(scope: Scope, skip: number, limit: number): Promise<Items<T>> {
    const { position, total } = await positionOf(scope, skip);
    return { items: position ? await list.items(scope, position, limit) : [], total };
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
    async environmentsOf(id) {
      const known = environments.get(id);
      if (known || id.includes("\0")) return known;
      const row = await store.one(environmentById({ id }));
      if (!row) return undefined;
      const found = row.environment_id === null ? [] : [row.environment_id];
      if (table === "pipelines") return found;
      if (environments.size >= mostEnvironments) environments.clear();
      environments.set(id, found);
      return found;
    },
    text,
    requireText: (id, missing) =>
      cache.get(id) ??
      text(id).then((found) => {
        if (!found) throw missing();
        return found;
      }),
    page,
    items,
    async list(scope, request) {
      if (isPlain(request)) return page(scope, request.skip, request.limit);
      const { items: texts, ...rest } = await found(scope, request);
      return { ...rest, joined: texts.join(",") };
    },
    listItems: (scope, request) =>
      isPlain(request) ? items(scope, request.skip, request.limit) : found(scope, request),
    async inEnvironment(environmentId) {
      const found: Stored<T>[] = [];
      for (let after = -1; ; ) {
        const page = { environment_id: environmentId, after };
        const lengths = await store.all(sizesIn({ ...page, limit: pageRows }));
        if (lengths.length === 0) return found;
        const rows = await store.all(pageIn({ ...page, limit: fitting(lengths) }));
        for (const row of rows) found.push(stored<T>(row));
        after = Number(rows.at(-1)?.position ?? lengths.at(-1)?.position);
        await setImmediate();
      }
    },
    insert(fresh, refused) {
      requireName(fields, fresh.doc);
      const columns = toColumns({ ...fresh, version: 1 }, fields);
      const isTooLarge = columns.doc.length > maxDocumentLength;
      const { environmentId } = fresh;
      return [
        ...positions.take(scopesOf(fresh), fresh.id),
        {
          ...insert(columns),
          chargedTo: (identity) => insert({ ...columns, charged_to: identity }),
          stored: { kind: table, environmentId, n: 1, bytes: sizeOf(fresh) },
          ...(isTooLarge && { isTooLarge }),
          ...(refused && { refused }),
        },
        ...lineage.put(fresh),
      ];
    },
    update(before, next, refused) {
      const after = { ...before, ...next, version: before.version + 1 };
      requireName(fields, after.doc, before.doc);
      const columns = toColumns(after, fields);
      const bytesBefore = sizeOf(before);
      const isKept =
        after.key === before.key && after.state === before.state && after.sealed === before.sealed;
      const step = (isKept ? updateDocument : update)({ ...columns, before: before.version });
      // A document of an earlier version may be larger than the limit: it can still be made smaller.
      const isTooLarge =
        columns.doc.length > maxDocumentLength && columns.doc.length > textOf(before.doc).length;
      return [
        {
          ...step,
          expect: 1,
          row: `${table}/${before.id}`,
          chargedTo: (identity) =>
            updateCharged({ ...columns, charged_to: identity, before: before.version }),
          stored: { ...storedChange(before, 0, sizeOf(after) - bytesBefore), bytesBefore },
          ...(isTooLarge && { isTooLarge }),
          ...(refused && { refused }),
        },
        ...lineage.change(before, after),
      ];
    },
    remove: (before, refused) => [
      ...positions.release(scopesOf(before), before.id),
      {
        ...remove({ id: before.id, version: before.version }),
        expect: 1,
        row: `${table}/${before.id}`,
        stored: storedChange(before, -1, -sizeOf(before)),
        ...(refused && { refused }),
      },
      ...lineage.remove(before),
      ...(table === "environments"
        ? [forgetUsage({ scope: scopeOfEnvironment("connectors", before.id) })]
        : []),
    ],
    forgetList: (scope) => [
      positions.forget(scopeName(scope)),
      ...(scope.environmentId === undefined
        ? []
        : [keepUsage({ scope: scopeOfEnvironment(table, scope.environmentId) })]),
    ],
  };
}

/** Resources of earlier versions keep their names. */
function requireName(fields: ListFields | undefined, doc: unknown, before?: unknown): void {
  if (!fields?.isNamed || fields.name === undefined) return;
  const name = childOf(doc, fields.name);
  if (typeof name !== "string" || name === childOf(before, fields.name)) return;
  requirePlainName(fields.name, name);
}

function stored<T>(row: Omit<ResourceRow, keyof ListColumns>): Stored<T> {
  const {
    id,
    key,
    version,
    environment_id: environmentId,
    owner,
    state,
    sealed,
    charged_to: chargedTo,
  } = row;
  const doc = decoded(row.doc) as T;
  if (typeof doc === "object" && doc !== null) sizes.set(doc, Buffer.byteLength(row.doc));
  return { id, key, version, environmentId, owner, state, doc, sealed, chargedTo };
}

/** The sizes of documents that were read. Their texts are not kept, because most are not written again. */
const sizes = new WeakMap<object, number>();

/** The bytes that quotas count. */
function sizeOf({ doc, sealed }: { readonly doc: unknown; readonly sealed: string | null }): number {
  const known = typeof doc === "object" && doc !== null ? sizes.get(doc) : undefined;
  return (known ?? Buffer.byteLength(textOf(doc))) + (sealed === null ? 0 : Buffer.byteLength(sealed));
}

/** Numbers of any size keep their digits: free-form maps may contain them. */
function decoded(text: string): unknown {
  const read = decodeJson(text);
  if (!("value" in read)) throw new Error("A stored document is not valid JSON.");
  return read.value;
}

function toColumns<T>(
  { environmentId, doc, chargedTo = null, ...row }: Stored<T>,
  fields: ListFields | undefined,
): ResourceRow {
  const columns = listColumns(fields, doc);
  return { ...row, environment_id: environmentId, charged_to: chargedTo, doc: textOf(doc), ...columns };
}

/** Rows that are read at once, if their documents have the usual size: about 10 ms. */
const pageRows = 250;

/** Resources whose environment is remembered: about a megabyte for each kind. */
const mostEnvironments = 10_000;

/** Pages that are read again before the next write are kept: up to a megabyte for each kind of resource. */
const maxCachedPages = 8;
const maxCachedPage = 128 * 1024;

const maxName = 200;
const maxOwner = 100;
const maxSearch = 300;
/** Maps the filters of a request to the columns, so that their texts are made comparable in the same way. */
export const requested: ListFields = { name: "name", owner: "owner", created: "", search: ["search"] };

export function listColumns(fields: ListFields | undefined, doc: unknown): ListColumns {
  const values = doc as Readonly<Record<string, unknown>>;
  const value = (field: string | undefined) => (field === undefined ? "" : listedText(values[field]));
  let search = "";
  for (const field of fields?.search ?? []) if (value(field) !== "") search += `${value(field)}\n`;
  return {
    name: comparable(value(fields?.name), maxName),
    status: comparable(value(fields?.status), maxOwner),
    created_at: value(fields?.created),
    updated_at: value(fields?.updated),
    created_by: comparable(value(fields?.owner), maxOwner),
    search_text: storable(search.slice(0, maxSearch).trimEnd().toLowerCase().slice(0, maxSearch)),
  };
}

function listedText(value: unknown): string {
  if (typeof value === "boolean") return value ? "active" : "inactive";
  return typeof value === "string" ? value : "";
}

/** PostgreSQL stores no NUL, and half a surrogate pair cannot be encoded. */
const storable = (text: string) => text.replaceAll("\0", "\ufffd").toWellFormed();

/** A longer text keeps its beginning, for sorting, and its hash, for comparing. */
const comparable = (text: string, most: number) =>
  text.length <= most ? storable(text) : `${storable(text.slice(0, most - 65))}…${hash("sha256", text)}`;

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

import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { emptyDatabase } from "@lakehelm/testing";
import { pendingSigner } from "../core/events/chain.ts";
import { collection } from "../core/store/collection.ts";
import type { Database, DatabaseRow } from "../core/store/database.ts";
import { migrate } from "../core/store/migrate.ts";
import { openPostgres } from "../core/store/postgres.ts";
import type { Retries } from "../core/store/retries.ts";
import { openSqlite } from "../core/store/sqlite.ts";
import { type Change, createStore, type Store } from "../core/store/store.ts";
import { createSystem, uuidV7 } from "../core/system.ts";
import { freshDatabase } from "./postgres.ts";
import type { DatabaseEngine as EngineName } from "./server.ts";
import { writeMigrated } from "./sqlite.ts";

export const newId = uuidV7(Date.now, randomBytes);
export const system = createSystem();

export const testEventKey = Buffer.alloc(32, 7);
export const signTestEvent = pendingSigner(testEventKey);

export const context: Change["context"] = {
  actor: "test",
  requestId: null,
  time: "2026-03-01T12:00:00.000Z",
};

/** The database of a test; each `open` is another server on it. */
export interface TestStoreDatabase {
  readonly folder: string;
  /** The file of the SQLite database, or the URL of the PostgreSQL one. */
  readonly where: string;
  open(): Promise<Database>;
}

/** A database with nothing in it, for tests of migrations. */
export function emptyTestDatabase(t: TestContext, name: EngineName): Promise<TestStoreDatabase> {
  return newDatabase(t, name, emptyDatabase);
}

/** A migrated database: a copy of a template. */
export async function testDatabase(t: TestContext, name: EngineName): Promise<TestStoreDatabase> {
  const database = await newDatabase(t, name, freshDatabase);
  if (name === "sqlite") await writeMigrated(database.where);
  return database;
}

async function newDatabase(
  t: TestContext,
  name: EngineName,
  create: typeof emptyDatabase,
): Promise<TestStoreDatabase> {
  const folder = await mkdtemp(join(tmpdir(), "lakehelm-store-"));
  const database =
    name === "postgres" ? await create(`store_${randomUUID().replaceAll("-", "")}`) : undefined;
  const where = database?.url ?? join(folder, "lakehelm.db");
  const opened: Database[] = [];
  t.after(async () => {
    for (const engine of opened) await engine.close();
    await database?.drop();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    folder,
    where,
    async open() {
      const engine = database ? await openPostgres(where) : await openSqlite(where);
      opened.push(engine);
      return engine;
    },
  };
}

/** A store on its own migrated database. */
export async function testStore(t: TestContext, name: EngineName): Promise<Store> {
  const engine = await (await testDatabase(t, name)).open();
  await migrate(engine);
  return testStoreOn(engine);
}

/** A store whose events have the MACs of tests. */
export const testStoreOn = (engine: Database, retries?: Retries): Store =>
  createStore(engine, { ...system, newId }, signTestEvent, undefined, retries);

export const query = (store: Pick<Store, "engine">, sql: string): Promise<DatabaseRow[]> =>
  store.engine.read({ sql, parameters: [] });

export async function run(store: Pick<Store, "engine">, ...sqls: string[]): Promise<void> {
  const refusal = await store.engine.write(sqls.map((sql) => ({ sql, parameters: [] })));
  if (refusal) throw new Error(`${sqls[refusal.at]}: ${refusal.why}`);
}

export async function count(store: Pick<Store, "engine">, table: string): Promise<number> {
  const [row] = await query(store, `select count(*) as n from ${table}`);
  return Number(row?.n);
}

/** The minimal row of a connector. */
export function fresh(name: string, more: { environmentId?: string; owner?: string } = {}) {
  return {
    id: newId(),
    key: JSON.stringify([name]),
    doc: { name },
    environmentId: more.environmentId ?? null,
    owner: more.owner ?? null,
    state: null,
    sealed: null,
  };
}

/** Writes one connector with its event, as a rule would. */
export async function addConnector(store: Store, row: ReturnType<typeof fresh>): Promise<void> {
  await store.apply({
    context,
    steps: collection(store, "connectors").insert(row),
    events: [{ kind: "connector.created", subject: `connector/${row.id}`, data: row.doc }],
  });
}

export async function addEnvironment(store: Store, name: string): Promise<string> {
  const row = fresh(name);
  await store.apply({ context, steps: collection(store, "environments").insert(row), events: [] });
  return row.id;
}

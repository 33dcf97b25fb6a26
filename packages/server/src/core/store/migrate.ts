import { Kysely } from "kysely";
import type { Database, SqlValue, Statement } from "./database.ts";
import { groundTables, type Migration, migrations as released } from "./migrations.ts";
import type { Tables } from "./tables.ts";

/** Migrates the schema to the newest version; rejects a database that a newer Lakehelm has written. */
export async function migrate(
  engine: Database,
  migrations: readonly Migration[] = released,
): Promise<number> {
  const db = new Kysely<Tables>({ dialect: engine.dialect });
  const compiled = (queries: { compile(): { sql: string; parameters: readonly unknown[] } }[]) =>
    queries.map((query): Statement => {
      const { sql, parameters } = query.compile();
      return { sql, parameters: parameters as SqlValue[] };
    });
  const locked = (statements: Statement[]) =>
    engine.write(engine.migrationLock ? [engine.migrationLock, ...statements] : statements);

  await locked(compiled(groundTables(db)));
  for (;;) {
    const current = await versionOf(engine);
    if (current === migrations.length) return current;
    if (current > migrations.length) {
      throw new Error(
        `The database has schema version ${current}, but this version of Lakehelm supports only ${migrations.length}. ` +
          "Start the newer version that wrote it, or restore an older backup.",
      );
    }
    const step = db
      .updateTable("schema_version")
      .set({ version: migrations.length })
      .where("version", "=", current);
    const queries = migrations.slice(current).flatMap((migration) => migration.up(db, engine.name));
    const [guard, ...rest] = compiled([step, ...queries]);
    const refusal = await locked([{ ...(guard as Statement), expect: 1 }, ...rest]);
    // If another server has migrated meanwhile, check the version again. Any other refusal would only repeat.
    if (refusal && (await versionOf(engine)) === current) {
      throw new Error(
        `The database cannot be migrated from schema version ${current}: a ${refusal.why} row.`,
      );
    }
  }
}

export async function versionOf(engine: Database): Promise<number> {
  const rows = await engine.read({ sql: "select version from schema_version", parameters: [] });
  return Number(rows[0]?.version);
}

import { randomBytes } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { withDuckdb } from "@lakehelm/engine/testing";
import { emptyDatabase } from "@lakehelm/testing";
import pg from "pg";

export interface ExampleDatabase {
  /** Values in the pages, and their replacements on this machine. */
  readonly here: Readonly<Record<string, string>>;
  run(sql: string): Promise<void>;
  rows(sql: string): Promise<unknown[][]>;
  /** The type as the page writes it, if servers show it in several ways. */
  plain?(type: string): string;
  /** Grants the page's reader access to another table, if that is required. */
  show?(table: string): Promise<void>;
  close(): Promise<void>;
}

export function openSqliteExample(path: string): ExampleDatabase {
  const within = async <Result>(use: (database: DatabaseSync) => Result): Promise<Result> => {
    using database = new DatabaseSync(path);
    return use(database);
  };
  return {
    here: {},
    run: (sql) => within((database) => database.exec(sql)),
    rows: (sql) =>
      within((database) =>
        database
          .prepare(sql)
          .all()
          .map((row) => Object.values(row)),
      ),
    async close() {},
  };
}

/** The file is open only during a call: DuckDB allows no other process while one writes. */
export function openDuckdbExample(path: string): ExampleDatabase {
  return {
    here: {},
    run: (sql) =>
      withDuckdb(async (duck) => {
        await duck.run(`ATTACH '${path}' AS there; USE there`);
        await duck.run(sql);
      }),
    rows: (sql) =>
      withDuckdb(async (duck) => {
        await duck.run(`ATTACH '${path}' AS there (READ_ONLY); USE there`);
        return (await duck.runAndReadAll(sql)).getRowsJson();
      }),
    async close() {},
  };
}

/** A new database. Roles belong to the whole server, so the roles of a page get unique names here. */
export async function openPostgresExample(): Promise<ExampleDatabase> {
  const suffix = randomBytes(4).toString("hex");
  const database = await emptyDatabase(`docs_${suffix}`);
  const { hostname, port } = new URL(database.url);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const roles = ["lakehelm_reader", "lakehelm_writer"].map((role) => [role, `${role}_${suffix}`] as const);
  return {
    here: {
      "db.internal": hostname,
      "5432": port,
      webshop: `docs_${suffix}`,
      ...Object.fromEntries(roles),
    },
    run: async (sql) => void (await client.query(sql)),
    rows: async (sql) => (await client.query({ text: sql, rowMode: "array" })).rows,
    show: async (table) => void (await client.query(`GRANT SELECT ON ${table} TO lakehelm_reader_${suffix}`)),
    async close() {
      for (const [, role] of roles) {
        const { rowCount } = await client.query("SELECT 1 FROM pg_roles WHERE rolname = $1", [role]);
        if (rowCount === 1) await client.query(`DROP OWNED BY ${role} CASCADE; DROP ROLE ${role}`);
      }
      await client.end();
      await database.drop();
    },
  };
}

import type mysql from "mysql2/promise";
import type { MysqlColumn } from "./source-types.ts";

export interface MysqlSourceTable {
  readonly schema: string;
  readonly name: string;
  readonly columns: readonly (MysqlColumn & { readonly nullable: boolean })[];
  readonly keys: readonly string[];
  /** The server's estimate. */
  readonly rows: number | null;
}

type CatalogRow = Readonly<Record<string, unknown>>;

/** All tables and views of a database, with columns and keys. */
export async function listMysqlTables(
  connection: mysql.Connection,
  schema: string,
): Promise<MysqlSourceTable[]> {
  const query = async (sql: string): Promise<CatalogRow[]> =>
    (await connection.query<mysql.RowDataPacket[]>(sql, [schema]))[0];
  // MySQL 8 returns upper-case column names for its own tables, hence the aliases.
  const tables = await query(
    "SELECT table_name AS t, table_rows AS n FROM information_schema.tables WHERE table_schema = ? AND table_name NOT LIKE '\\_lakehelm\\_%' ORDER BY table_name",
  );
  const columns = await query(
    `SELECT table_name AS t, column_name AS name, data_type AS kind, column_type AS declared, numeric_precision AS p,
       numeric_scale AS s, is_nullable AS nullable, character_set_name AS charset, collation_name AS collation
       FROM information_schema.columns WHERE table_schema = ? ORDER BY ordinal_position`,
  );
  const keys = await query(
    `SELECT table_name AS t, column_name AS name FROM information_schema.key_column_usage
     WHERE table_schema = ? AND constraint_name = 'PRIMARY' ORDER BY ordinal_position`,
  );
  const json = await jsonColumns(connection, query);
  const rowsOf = (rows: readonly CatalogRow[], table: unknown) => rows.filter(({ t }) => t === table);
  return tables.map(({ t, n }) => ({
    schema,
    name: String(t),
    columns: rowsOf(columns, t).map((row) => ({
      name: String(row.name),
      kind: String(row.kind).toLowerCase(),
      declared: String(row.declared).toLowerCase(),
      precision: Number(row.p ?? 0),
      scale: Number(row.s ?? 0),
      isJson: json.has(`${t}.${row.name}`),
      collation:
        row.collation === null ? undefined : { charset: String(row.charset), name: String(row.collation) },
      nullable: row.nullable === "YES",
    })),
    keys: rowsOf(keys, t).map(({ name }) => String(name)),
    rows: n === null ? null : Number(n),
  }));
}

/** MariaDB stores JSON as text with a check. In MySQL it is a type. */
async function jsonColumns(
  connection: mysql.Connection,
  query: (sql: string) => Promise<CatalogRow[]>,
): Promise<Set<string>> {
  const [[version]] = await connection.query<mysql.RowDataPacket[]>("SELECT version() AS version");
  if (!/mariadb/i.test(String(version?.version))) return new Set();
  const checks = await query(
    "SELECT table_name AS t, check_clause AS clause FROM information_schema.check_constraints WHERE constraint_schema = ?",
  );
  return new Set(
    checks.flatMap(({ t, clause }) => {
      const [, name] = /^json_valid\(`((?:[^`]|``)+)`\)$/i.exec(String(clause)) ?? [];
      return name === undefined ? [] : [`${t}.${name.replaceAll("``", "`")}`];
    }),
  );
}

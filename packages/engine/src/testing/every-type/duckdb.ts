import { DuckDBInstance } from "@duckdb/node-api";
import { literal } from "../../warehouse/names.ts";
import { seededRandom, seedOf } from "../seeded-random.ts";
import { candidateTexts } from "./candidates.ts";
import type { OrderedType, TypedSource } from "./watermark-suite.ts";

/** What follows the name of a type: nothing, digits, values of an enum, or types of elements. */
const parameters = [
  "",
  "(12, 3)",
  "(38, 10)",
  "('sent', 'new', 'paid')",
  "[]",
  "[2]",
  "(a INTEGER, b VARCHAR)",
  "(VARCHAR, INTEGER)",
];
const collated = ["VARCHAR COLLATE NOCASE", "VARCHAR COLLATE NOACCENT.NOCASE", "VARCHAR COLLATE DE"];

const open = async <Result>(
  path: string,
  use: (run: (sql: string) => Promise<unknown[][]>) => Promise<Result>,
): Promise<Result> => {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  try {
    return await use(async (sql) => (await connection.runAndReadAll(sql)).getRowsJson());
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
};

export const duckdbRows = (path: string, sql: string): Promise<unknown[][]> => open(path, (run) => run(sql));

/** Every type of DuckDB's catalog, declared in every way that it accepts. */
export const duckdbDeclarations = (): Promise<string[]> =>
  open(":memory:", async (run) => {
    const names = (await run("SELECT DISTINCT type_name FROM duckdb_types() ORDER BY 1")).map(([name]) =>
      String(name),
    );
    const found = new Set<string>();
    for (const name of names) {
      for (const more of parameters) {
        const created = await run(`CREATE OR REPLACE TABLE probe (v ${name}${more})`).catch(() => undefined);
        if (!created) continue;
        const [[type] = []] = await run("SELECT data_type FROM duckdb_columns() WHERE table_name = 'probe'");
        found.add(String(type));
      }
    }
    return [...found, ...collated];
  });

export function duckdbTypes(path: string): TypedSource & { types(): Promise<OrderedType[]> } {
  const declarations = new Map<string, string>();
  return {
    connection: { type: "duckdb", config: { path } },
    types: async () =>
      Promise.all((await duckdbDeclarations()).map((declared) => orderedDuckdbType(declared))),
    create(table, declared) {
      declarations.set(table, declared.replace(/ COLLATE.*/, ""));
      return open(path, async (run) => void (await run(`CREATE TABLE ${table} (id INTEGER, v ${declared})`)));
    },
    insert: (table, rows) =>
      open(path, async (run) => {
        const values = rows.map(([id, value]) => `(${id}, ${literal(value)})`).join(", ");
        if (values)
          await run(
            `INSERT INTO ${table} SELECT id, TRY_CAST(v AS ${declarations.get(table)}) FROM (VALUES ${values}) t(id, v)`,
          );
      }),
  };
}

export const orderedDuckdbType = (declared: string): Promise<OrderedType> =>
  open(":memory:", async (run) => {
    const type = declared.replace(/ COLLATE.*/, "");
    const values = candidateTexts(seededRandom(seedOf(declared)))
      .map((text, n) => `(${n}, ${literal(text)})`)
      .join(", ");
    await run(`CREATE TABLE probe (text VARCHAR, v ${declared})`);
    await run(
      `INSERT INTO probe SELECT text, TRY_CAST(text AS ${type}) FROM (VALUES ${values}) t(n, text) WHERE TRY_CAST(text AS ${type}) IS NOT NULL`,
    ).catch(() => []);
    const found = await run("SELECT text FROM probe ORDER BY v, text").catch(() => undefined);
    return { declared, values: found?.map(([text]) => String(text)) };
  });

import { DatabaseSync } from "node:sqlite";
import { seededRandom, seedOf } from "../seeded-random.ts";
import { candidateTexts } from "./candidates.ts";
import type { OrderedType, TypedSource } from "./watermark-suite.ts";

/** The declared types that SQLite's own rules tell apart, those of other databases, and collations. */
const declarations = [
  ...[
    "",
    "INTEGER",
    "INT UNSIGNED",
    "TEXT",
    "VARCHAR(20)",
    "CLOB",
    "REAL",
    "FLOAT",
    "DOUBLE PRECISION",
    "NUMERIC",
    "DECIMAL(12,3)",
  ],
  ...[
    "DECIMAL(50,2)",
    "NUMBER",
    "BLOB",
    "BOOLEAN",
    "DATE",
    "DATETIME",
    "TIMESTAMP",
    "TIMESTAMPTZ",
    "TIME",
    "JSON",
    "UUID",
    "MONEY",
  ],
  ...[
    "STRING",
    "POINT",
    "ANY",
    "TEXT COLLATE NOCASE",
    "TEXT COLLATE RTRIM",
    "VARCHAR(20) COLLATE NOCASE",
    "COLLATE NOCASE",
  ],
];

/** Types of SQLite. Values are SQL, because a column can have values of every type. */
export function sqliteTypes(
  path: string,
  others: readonly string[],
): TypedSource & { types(): OrderedType[]; close(): void } {
  const database = new DatabaseSync(path);
  const run = (sql: string) => database.exec(sql);
  const isDeclaration = (declared: string) => {
    try {
      run(`CREATE TEMP TABLE probe (v ${declared})`);
      run("DROP TABLE probe");
      return true;
    } catch {
      return false;
    }
  };
  return {
    connection: { type: "sqlite", config: { path } },
    types() {
      return [...new Set([...declarations, ...others])].filter(isDeclaration).map((declared) => {
        run(`CREATE TEMP TABLE probe (n INT, v ${declared})`);
        const values = candidateTexts(seededRandom(seedOf(declared))).flatMap(storedForms);
        for (const [n, value] of values.entries()) run(`INSERT INTO probe VALUES (${n}, ${value})`);
        const found = database.prepare("SELECT n FROM probe ORDER BY v, n").all();
        run("DROP TABLE probe");
        return { declared, values: found.map(({ n }) => values[Number(n)] ?? "NULL") };
      });
    },
    async create(table, declared) {
      run(`CREATE TABLE ${table} (id INT, v ${declared})`);
    },
    async insert(table, rows) {
      run("BEGIN");
      for (const [id, value] of rows) run(`INSERT INTO ${table} VALUES (${id}, ${value})`);
      run("COMMIT");
    },
    close: () => database.close(),
  };
}

/** A text as SQLite may store it: as a number, as text, and sometimes as bytes. */
function storedForms(text: string): string[] {
  const literal = `'${text.replaceAll("'", "''")}'`;
  if (/^-?\d+(\.\d+)?$/.test(text)) return [text, literal];
  return text.length === 1 ? [literal, `x'${Buffer.from(text).toString("hex")}'`] : [literal];
}

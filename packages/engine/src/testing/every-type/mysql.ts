import type { TestMysql } from "@lakehelm/testing";
import { openMysql } from "@lakehelm/testing";
import type mysql from "mysql2/promise";
import { seededRandom, seedOf } from "../seeded-random.ts";
import { candidateTexts } from "./candidates.ts";
import type { OrderedType, TypedSource } from "./watermark-suite.ts";

export interface MysqlTypes extends TypedSource {
  readonly connection: TypedSource["connection"];
  /** Every type that the server knows: every word that it accepts as a type, with or without a size or values. */
  types(): Promise<OrderedType[]>;
  close(): Promise<void>;
}

export async function mysqlTypes(server: TestMysql): Promise<MysqlTypes> {
  const client = await openMysql(server);
  await client.query("USE shop");
  await client.query("SET sql_mode = 'STRICT_ALL_TABLES', time_zone = '+00:00'");
  return {
    connection: { type: "mysql", config: { ...server } },
    async types() {
      const found: OrderedType[] = [];
      for (const declared of [...(await declarations(client)), ...(await collations(client))])
        found.push(await orderedType(client, declared));
      return found;
    },
    async create(table, declared) {
      await client.query(`CREATE TABLE ${table} (id INT, v ${declared} NULL)`);
    },
    async insert(table, rows) {
      for (const row of rows) await client.query(`INSERT INTO ${table} VALUES (?, ?)`, [...row]);
    },
    close: () => client.end(),
  };
}

async function listed(client: mysql.Connection, sql: string): Promise<string[]> {
  const [rows] = await client.query<mysql.RowDataPacket[]>(sql);
  return rows.map((row) => String(Object.values(row)[0]));
}

/** The declared types, each once: many words are synonyms. */
async function declarations(client: mysql.Connection): Promise<string[]> {
  const words = await listed(
    client,
    "SELECT word FROM information_schema.keywords WHERE word REGEXP '^[A-Z0-9]+$'",
  );
  const plugins = await listed(
    client,
    "SELECT plugin_name FROM information_schema.plugins WHERE plugin_type = 'DATA TYPE'",
  );
  const found = new Set<string>();
  for (const word of [...words, ...plugins]) {
    for (const size of ["", "(6)", "(20)", "(50, 2)", "('sent', 'new', 'paid')"]) {
      const created = await client
        .query(`CREATE TEMPORARY TABLE probe (v ${word}${size} NULL)`)
        .catch(() => undefined);
      if (!created) continue;
      const [[column]] = await client.query<mysql.RowDataPacket[]>("SHOW COLUMNS FROM probe");
      found.add(String(column?.Type));
      await client.query("DROP TABLE probe");
    }
  }
  return [...found];
}

/** Text in collations of every kind of the server: some of each. */
async function collations(client: mysql.Connection): Promise<string[]> {
  const names = await listed(
    client,
    "SELECT collation_name FROM information_schema.collation_character_set_applicability WHERE character_set_name IN ('utf8mb4', 'latin1', 'sjis') AND collation_name REGEXP '_(general_ci|bin|unicode_ci|german2_ci|nopad_bin|unicode_520_nopad_ci|0900_bin|0900_ai_ci|0900_as_cs)$' ORDER BY 1",
  );
  return names.map((name) => `varchar(20) CHARACTER SET ${name.replace(/_.*/, "")} COLLATE ${name}`);
}

async function orderedType(client: mysql.Connection, declared: string): Promise<OrderedType> {
  await client.query(`CREATE TEMPORARY TABLE probe (n INT, v ${declared} NULL)`);
  try {
    const texts = candidateTexts(seededRandom(seedOf(declared)));
    for (const [n, text] of texts.entries())
      await client.query("INSERT INTO probe VALUES (?, ?)", [n, text]).catch(() => {});
    const places = await listed(client, "SELECT n FROM probe ORDER BY v, n");
    return { declared, values: places.map((n) => texts[Number(n)] ?? "") };
  } finally {
    await client.query("DROP TABLE probe");
  }
}

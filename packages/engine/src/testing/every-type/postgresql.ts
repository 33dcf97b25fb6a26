import { randomBytes } from "node:crypto";
import pg from "pg";
import { seededRandom } from "../seeded-random.ts";
import { candidateTexts } from "./candidates.ts";
import type { OrderedType, TypedSource } from "./watermark-suite.ts";

export interface PostgresTypes extends TypedSource {
  readonly client: pg.Client;
  /** Every type of the catalog that a column can have, with those of all extensions that are installed. */
  types(): Promise<OrderedType[]>;
  /** Two values that the server takes for the same, although their texts differ; undefined if there are none. */
  synonyms(type: OrderedType): Promise<readonly [string, string] | undefined>;
  drop(): Promise<void>;
}

/** Types with parameters, of which the catalog has only the names, and types that the tests create. */
const declarations = [
  ...[
    "numeric(12,3)",
    "numeric(50,2)",
    "numeric(5,-2)",
    "varchar(20)",
    "character(20)",
    "bit(4)",
    "timestamp(0)",
    "time(3)",
  ],
  ...[
    'text COLLATE "C"',
    'text COLLATE "en-x-icu"',
    'varchar(20) COLLATE "de-x-icu"',
    "text COLLATE loose",
    "character(20) COLLATE loose",
  ],
];

const ownTypes = [
  "CREATE TYPE step AS ENUM ('sent', 'new', 'paid')",
  "CREATE TYPE pair AS (a int, b numeric)",
  "CREATE TYPE spans AS RANGE (subtype = float8)",
  "CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level1', deterministic = false)",
];

/** A database of its own, because extensions belong to a database. */
export async function postgresTypes(): Promise<PostgresTypes> {
  const server = process.env.TEST_POSTGRES_URL;
  if (server === undefined)
    throw new Error("TEST_POSTGRES_URL is not set: run the tests with npm run test:engines");
  const database = `types_${randomBytes(5).toString("hex")}`;
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${database}`);
  const url = new URL(server);
  const { hostname, port, username, password } = url;
  url.pathname = database;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  const { rows: extensions } = await client.query<{ name: string }>(
    "SELECT name FROM pg_available_extensions ORDER BY name",
  );
  // Some extensions need a language that is not installed.
  for (const { name } of extensions)
    await client.query(`CREATE EXTENSION IF NOT EXISTS "${name}"`).catch(() => {});
  for (const sql of ownTypes) await client.query(sql);
  return {
    client,
    connection: {
      type: "postgresql",
      config: { host: hostname, port: Number(port), database, user: username, password },
    },
    async types() {
      await createDomains(client);
      const { rows } = await client.query<{ name: string }>(
        `SELECT format_type(t.oid, NULL) AS name FROM pg_type t LEFT JOIN pg_class c ON c.oid = t.typrelid
         WHERE t.typisdefined AND t.typtype <> 'p' AND (t.typrelid = 0 OR c.relkind = 'c') AND t.typinput::text <> 'array_in'
         UNION ALL SELECT format_type(t.typarray, NULL) FROM pg_type t WHERE t.typarray <> 0 AND t.typtype IN ('b', 'e') AND t.typcategory <> 'A'
         ORDER BY 1`,
      );
      const found: OrderedType[] = [];
      for (const declared of [...rows.map(({ name }) => name), ...declarations]) {
        const type = await orderedType(client, declared);
        if (type) found.push(type);
      }
      return found;
    },
    async synonyms({ declared, values = [] }) {
      const bare = declared.replace(/ COLLATE.*/, "");
      const cast = `SELECT DISTINCT text, text::${bare}${declared.slice(bare.length)} AS v FROM unnest($1::text[]) text`;
      const found = await client
        .query<{ one: string; other: string }>(
          `WITH all_values AS (${cast}) SELECT a.text AS one, b.text AS other FROM all_values a JOIN all_values b ON a.v = b.v AND a.v::text COLLATE "C" <> b.v::text COLLATE "C" LIMIT 1`,
          [values],
        )
        .catch(() => undefined);
      const [pair] = found?.rows ?? [];
      return pair && [pair.one, pair.other];
    },
    async create(table, declared) {
      await client.query(`CREATE TABLE ${table} (id int, v ${declared})`);
    },
    async insert(table, rows) {
      const values = rows.map(([id, value]) => `(${id}, ${pg.escapeLiteral(value)})`);
      if (values.length > 0) await client.query(`INSERT INTO ${table} VALUES ${values.join(", ")}`);
    },
    async drop() {
      await client.end();
      await admin.query(`DROP DATABASE ${database} WITH (FORCE)`);
      await admin.end();
    },
  };
}

/** A domain of every type: it is read as its base type. */
async function createDomains(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; id: string }>(
    "SELECT format_type(oid, NULL) AS name, oid::text AS id FROM pg_type WHERE typisdefined AND typtype IN ('b', 'e', 'r') AND typcategory <> 'A'",
  );
  // Some types of the server itself cannot be used.
  for (const { name, id } of rows)
    await client.query(`CREATE DOMAIN domain_${id} AS ${name}`).catch(() => {});
}

/** Undefined if no column can have the type, or none of the texts is a value of it. */
async function orderedType(client: pg.Client, declared: string): Promise<OrderedType | undefined> {
  const bare = declared.replace(/ COLLATE.*/, "");
  const collation = declared.slice(bare.length);
  const texts = candidateTexts(seededRandom(declared.length));
  const probe = await client.query(`CREATE TEMP TABLE probe (v ${declared})`).catch(() => undefined);
  if (!probe) return undefined;
  try {
    const all = await validTexts(client, texts, bare);
    if (all.length === 0) return undefined;
    const ordered = await client
      .query<{ text: string }>(
        `SELECT text FROM (SELECT text, text::${bare}${collation} AS v FROM unnest($1::text[]) text) one ORDER BY v`,
        [all],
      )
      .catch(() => undefined);
    return { declared, values: ordered?.rows.map(({ text }) => text) };
  } finally {
    await client.query("DROP TABLE probe");
  }
}

/** Not all types can say that a text is no value of them without an error. */
async function validTexts(client: pg.Client, texts: readonly string[], type: string): Promise<string[]> {
  const valid = async (some: readonly string[]) =>
    (
      await client.query<{ text: string }>(
        "SELECT text FROM unnest($1::text[]) text WHERE pg_input_is_valid(text, $2)",
        [some, type],
      )
    ).rows.map(({ text }) => text);
  try {
    return await valid(texts);
  } catch {
    const found: string[] = [];
    for (const text of texts) found.push(...(await valid([text]).catch(() => [])));
    return found;
  }
}

import pg from "pg";
import type { RunStatement } from "./refused-rows.ts";
import { stage, stagedKeys } from "./statements.ts";
import type { PostgresMappedColumn, PostgresTableMapping } from "./table-schema.ts";

/** Temporary tables: the numbers of the suspect rows, and the other rows in the types of the table. */
const suspects = "lakehelm_suspects";
const typed = "lakehelm_typed";
const rowNumber = "lakehelm_n";
const quote = pg.escapeIdentifier;
const list = (names: readonly string[]): string => names.map(quote).join(", ");

/**
 * Runs a search. If the server refuses it, it is undone, for example because the user may not read a referenced table.
 */
type TrySearch = (search: () => Promise<unknown>) => Promise<boolean>;

interface TableConstraint {
  readonly kind: "check" | "foreign key";
  readonly columns: string[];
  /** The condition of a check. */
  readonly expression: string | null;
  /** The table and columns that a foreign key refers to. */
  readonly table: string | null;
  readonly table_columns: string[] | null;
}

const constraintsQuery = (table: string): string => `
SELECT CASE c.contype WHEN 'c' THEN 'check' ELSE 'foreign key' END AS kind,
       (SELECT array_agg(a.attname::text ORDER BY k.position) FROM unnest(c.conkey) WITH ORDINALITY k(number, position)
        JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.number) AS columns,
       pg_get_expr(c.conbin, c.conrelid) AS expression,
       (SELECT format('%I.%I', n.nspname, r.relname) FROM pg_class r JOIN pg_namespace n ON n.oid = r.relnamespace
        WHERE r.oid = c.confrelid) AS "table",
       (SELECT array_agg(a.attname::text ORDER BY k.position) FROM unnest(c.confkey) WITH ORDINALITY k(number, position)
        JOIN pg_attribute a ON a.attrelid = c.confrelid AND a.attnum = k.number) AS table_columns
FROM pg_constraint c WHERE c.conrelid = ${pg.escapeLiteral(table)}::regclass AND c.contype IN ('c', 'f') AND cardinality(c.conkey) > 0`;

/**
 * Moves the staged rows that probably violate a constraint of the table behind the others, and returns the ends of both
 * parts. Whether the server refuses a row is decided when it is written, so it does no harm if a row is missed, or if a
 * trigger makes a suspect row valid.
 */
export async function moveSuspectRows(
  run: RunStatement,
  trySearch: TrySearch,
  mapping: PostgresTableMapping,
): Promise<readonly number[]> {
  const search = (sql: string) => trySearch(() => run(`INSERT INTO ${suspects} ${sql}`));
  await run(`CREATE TEMP TABLE ${suspects} (n bigint) ON COMMIT DROP`);
  for (const condition of [missingOrTooLong(mapping), invalidText(mapping)]) {
    if (condition) await search(`SELECT n FROM ${stage} WHERE ${condition}`);
  }
  for (const violation of await typedSearches(run, trySearch, mapping)) {
    await search(`SELECT s.${rowNumber} FROM ${typed} s WHERE ${violation}`);
  }
  if (mapping.strategy === "upsert") {
    // If several rows have the same key, the last row is written, so these rows stay together.
    const keys = stagedKeys(mapping).join(", ");
    await search(
      `SELECT n FROM ${stage} WHERE (${keys}) IN (SELECT ${keys} FROM ${stage} JOIN ${suspects} USING (n))`,
    );
  }
  return moveBehind(run);
}

async function moveBehind(run: RunStatement): Promise<readonly number[]> {
  const { rows } = await run<{ end: number; count: number }>(
    `SELECT coalesce(max(n), 0)::float8 + 1 AS "end", (SELECT count(DISTINCT n)::float8 FROM ${suspects}) AS count FROM ${stage}`,
  );
  const { end = 1, count = 0 } = rows[0] ?? {};
  await run(
    `UPDATE ${stage} s SET n = ${end - 1} + m.k FROM (SELECT n, row_number() OVER (ORDER BY n) AS k FROM (SELECT DISTINCT n FROM ${suspects}) d) m WHERE s.n = m.n`,
  );
  await run(`CREATE UNIQUE INDEX ON ${stage} (n)`);
  await run(`ANALYZE ${stage}`);
  return [end, end + count];
}

const anyOf = (conditions: readonly string[]): string | undefined =>
  conditions.length === 0 ? undefined : conditions.map((condition) => `(${condition})`).join(" OR ");

function missingOrTooLong({ columns, existing }: PostgresTableMapping): string | undefined {
  const required = new Set(existing?.columns.filter(({ nullable }) => !nullable).map(({ name }) => name));
  return anyOf(
    columns.flatMap(({ name, base, encoding }, index) => {
      const [, varying, length] = /^character( varying)?\((\d+)\)$/.exec(base) ?? [];
      return [
        ...(required.has(name) ? [`c${index} IS NULL`] : []),
        // Blanks at the end of a character(3) do not count.
        ...(length && encoding.stageType === "text"
          ? [`length(${varying ? `c${index}` : `rtrim(c${index}, ' ')`}) > ${length}`]
          : []),
      ];
    }),
  );
}

/**
 * Text for a column of another type, and values for a domain. PostgreSQL before version 16 has no pg_input_is_valid.
 */
function invalidText({ columns, existing }: PostgresTableMapping): string | undefined {
  const isPlainText = ({ base }: PostgresMappedColumn) => /^(text|character|citext|name|bpchar)/.test(base);
  return anyOf(
    columns.flatMap((column, index) => {
      const { name, base, encoding } = column;
      const origin = existing?.columns.find((one) => one.name === name)?.origin ?? base;
      const isDomain = origin !== base;
      const isParsed = encoding.stageType === "text" && !isPlainText(column) && !base.endsWith("[]");
      if (!isDomain && !isParsed) return [];
      return [`NOT pg_input_is_valid(c${index}::text, ${pg.escapeLiteral(origin)})`];
    }),
  );
}

/** Fills the typed table and returns the conditions for rows that violate a check, a unique index or a foreign key. */
async function typedSearches(
  run: RunStatement,
  trySearch: TrySearch,
  mapping: PostgresTableMapping,
): Promise<string[]> {
  const { table, columns, keys, existing, strategy } = mapping;
  if (!existing) return [];
  const isWritten = (names: readonly string[]) =>
    names.every((name) => columns.some((column) => column.name === name));
  const { rows } = await run<TableConstraint & Record<string, unknown>>(constraintsQuery(table));
  const constraints = rows.filter((constraint) => isWritten(constraint.columns));
  const isKey = (names: readonly string[]) => [...names].sort().join("\0") === [...keys].sort().join("\0");
  const unique = existing.unique.filter(
    (names) => isWritten(names) && !(strategy === "upsert" && isKey(names)),
  );
  const used = new Set([...keys, ...constraints.flatMap((one) => one.columns), ...unique.flat()]);
  const typedColumns = columns
    .map(({ name, encoding }, index) => ({ name, value: encoding.fromStage(`s.c${index}`) }))
    .filter(({ name }) => used.has(name));
  if (constraints.length + unique.length === 0) return [];
  const isFilled = await trySearch(async () => {
    const names = list(typedColumns.map(({ name }) => name));
    await run(
      `CREATE TEMP TABLE ${typed} ON COMMIT DROP AS SELECT 0::bigint AS ${rowNumber}, ${names} FROM ${table} WITH NO DATA`,
    );
    await run(
      `INSERT INTO ${typed} SELECT n, ${typedColumns.map(({ value }) => value).join(", ")} FROM ${stage} s WHERE NOT EXISTS (SELECT 1 FROM ${suspects} x WHERE x.n = s.n)`,
    );
    await run(`ANALYZE ${typed}`);
  });
  if (!isFilled) return [];
  return [
    ...constraints.map((constraint) => violationOf(constraint, table)),
    ...unique.flatMap((names) => duplicates(names, mapping)),
  ];
}

const equal = (one: string, names: readonly string[], other: string, otherNames = names): string =>
  names.map((name, at) => `${one}.${quote(name)} = ${other}.${quote(otherNames[at] ?? "")}`).join(" AND ");

function violationOf({ columns, expression, ...reference }: TableConstraint, ownTable: string): string {
  if (expression !== null) return `NOT (${expression})`;
  const { table, table_columns: names } = reference;
  const missingIn = (relation: string) =>
    `NOT EXISTS (SELECT 1 FROM ${relation} r WHERE ${equal("r", names ?? [], "s", columns)})`;
  const filled = columns.map((name) => `s.${quote(name)} IS NOT NULL`);
  const missing = [missingIn(table ?? ""), ...(table === ownTable ? [missingIn(typed)] : [])];
  return [...filled, ...missing].join(" AND ");
}

/** Rows after the first with the same values, and rows whose values another row of the table has. */
function duplicates(names: readonly string[], { table, keys, strategy }: PostgresTableMapping): string[] {
  const others = strategy === "upsert" ? ` AND NOT (${equal("t", keys, "s")})` : "";
  return [
    `s.${rowNumber} IN (SELECT ${rowNumber} FROM (SELECT ${rowNumber}, row_number() OVER (PARTITION BY ${list(names)} ORDER BY ${rowNumber}) AS place FROM ${typed} WHERE num_nulls(${list(names)}) = 0) d WHERE place > 1)`,
    `EXISTS (SELECT 1 FROM ${table} t WHERE ${equal("t", names, "s")}${others})`,
  ];
}

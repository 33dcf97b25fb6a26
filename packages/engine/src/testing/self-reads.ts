/**
 * Statements that read the table that they write: every kind of statement with every way of reading. The expected rows are
 * computed here, from the rows of the table and without SQL.
 */

export type Row = readonly [id: number, n: number];

/** A query over the table `t` with the columns `id` and `n`, and its rows. */
export interface WayOfReading {
  readonly name: string;
  readonly query: string;
  /** Whether it reads through the views `v` and `w`: `v` reads `t`, and `w` reads `v`. */
  readonly throughView?: true;
  /** Whether it represents the other ways where testing all of them would take too long. */
  readonly isTypical?: true;
  rows(t: readonly Row[]): readonly Row[];
}

/** The table before each statement. */
export const rowsBefore: readonly Row[] = [1, 2, 3, 4, 5].map((id) => [id, id * 10]);

const all = (t: readonly Row[]) => t;
const sumOf = (t: readonly Row[]) => t.reduce((sum, [, n]) => sum + n, 0);

export const waysOfReading: readonly WayOfReading[] = [
  { name: "by name", query: "SELECT id, n FROM t", isTypical: true, rows: all },
  { name: "by full name, in capitals", query: "SELECT id, n FROM SHOP.`Sales`.T", rows: all },
  {
    name: "with a condition",
    query: "SELECT id, n FROM t WHERE id > 2",
    rows: (t) => t.filter(([id]) => id > 2),
  },
  { name: "no rows", query: "SELECT id, n FROM t WHERE id > 100", rows: () => [] },
  { name: "with an alias", query: "SELECT x.id, x.n FROM t AS x", rows: all },
  {
    name: "through a CTE",
    query: "WITH c AS (SELECT * FROM t) SELECT id, n FROM c",
    isTypical: true,
    rows: all,
  },
  {
    name: "through a CTE of a CTE",
    query: "WITH c AS (SELECT * FROM t), d AS (SELECT id, n + 1 AS n FROM c) SELECT id, n FROM d",
    rows: (t) => t.map(([id, n]) => [id, n + 1]),
  },
  {
    name: "through a CTE with the name of the table",
    query: "WITH t AS (SELECT id, n FROM sales.t WHERE id = 1) SELECT id, n FROM t",
    rows: (t) => t.filter(([id]) => id === 1),
  },
  { name: "in a subquery", query: "SELECT q.id, q.n FROM (SELECT * FROM t) AS q", rows: all },
  {
    name: "in a scalar subquery",
    query: "SELECT o.id, (SELECT max(n) FROM t) AS n FROM other AS o",
    rows: (t) => [2, 7].map((id) => [id, Math.max(...t.map(([, n]) => n))]),
  },
  {
    name: "in a condition",
    query: "SELECT o.id, 0 AS n FROM other AS o WHERE o.id IN (SELECT id FROM t)",
    rows: (t) => t.filter(([id]) => id === 2 || id === 7).map(([id]) => [id, 0]),
  },
  {
    name: "in a correlated condition",
    query: "SELECT a.id, a.n FROM t AS a WHERE NOT EXISTS (SELECT 1 FROM t AS b WHERE b.id = a.id + 1)",
    rows: (t) => t.filter(([id]) => !t.some(([other]) => other === id + 1)),
  },
  {
    name: "joined with itself",
    isTypical: true,
    query: "SELECT a.id, b.n FROM t AS a JOIN t AS b ON b.id = a.id + 1",
    rows: (t) => t.flatMap(([id]) => t.filter(([other]) => other === id + 1).map(([, n]): Row => [id, n])),
  },
  {
    name: "joined with another table",
    query: "SELECT o.id, coalesce(t.n, -1) AS n FROM other AS o LEFT JOIN t ON t.id = o.id",
    rows: (t) => [2, 7].map((id) => [id, t.find(([other]) => other === id)?.[1] ?? -1]),
  },
  {
    name: "in both sides of a union",
    isTypical: true,
    query: "SELECT id, n FROM t UNION ALL SELECT id + 100, n FROM t",
    rows: (t) => [...t, ...t.map(([id, n]): Row => [id + 100, n])],
  },
  {
    name: "twice, so that keys repeat",
    query: "SELECT id, n FROM t UNION ALL SELECT id, n FROM t",
    rows: (t) => [...t, ...t],
  },
  {
    name: "in one side of EXCEPT",
    query: "SELECT id, n FROM t EXCEPT SELECT id, n FROM t WHERE id < 3",
    rows: (t) => t.filter(([id]) => id >= 3),
  },
  {
    name: "aggregated",
    query: "SELECT max(id) AS id, CAST(sum(n) AS INT) AS n FROM t",
    rows: (t) => [[Math.max(...t.map(([id]) => id)), sumOf(t)]],
  },
  {
    name: "in a window",
    query: "SELECT id, CAST(sum(n) OVER (ORDER BY id) AS INT) AS n FROM t",
    rows: (t) => t.map(([id]) => [id, sumOf(t.filter(([other]) => other <= id))]),
  },
  { name: "through a view", query: "SELECT id, n FROM v", throughView: true, rows: all },
  {
    name: "through a view of a view",
    query: "SELECT id, n FROM w",
    throughView: true,
    rows: all,
  },
  {
    name: "through a view, joined with the table",
    query: "SELECT t.id, t.n + w.n AS n FROM t JOIN w ON w.id = t.id",
    throughView: true,
    rows: (t) => t.map(([id, n]) => [id, n + n]),
  },
  {
    name: "through a view, in both sides of a union",
    query: "SELECT id, n FROM v UNION ALL SELECT id + 100, n FROM w",
    isTypical: true,
    throughView: true,
    rows: (t) => [...t, ...t.map(([id, n]): Row => [id + 100, n])],
  },
  {
    name: "through a view in a CTE",
    query: "WITH c AS (SELECT * FROM v WHERE id <> 3) SELECT id, n FROM c",
    throughView: true,
    rows: (t) => t.filter(([id]) => id !== 3),
  },
];

/** A statement that writes `t` from a query, and the rows of `t` after it; undefined if it has to fail. */
export interface SelfReadingStatement {
  readonly name: string;
  sql(query: string): string;
  after(t: readonly Row[], q: readonly Row[]): readonly Row[] | undefined;
}

const keysOf = (q: readonly Row[]) => new Set(q.map(([id]) => id));

/** MERGE fails if a row of the target has several matches. */
const merged =
  (
    matched: (row: Row, source: Row) => readonly Row[],
    notMatched: (source: Row) => readonly Row[],
    notMatchedBySource: (row: Row) => readonly Row[],
  ): SelfReadingStatement["after"] =>
  (t, q) => {
    if (t.some(([id]) => q.filter(([other]) => other === id).length > 1)) return undefined;
    const kept = t.flatMap((row) => {
      const source = q.find(([id]) => id === row[0]);
      return source ? matched(row, source) : notMatchedBySource(row);
    });
    return [...kept, ...q.filter(([id]) => !keysOf(t).has(id)).flatMap(notMatched)];
  };

export const selfReadingStatements: readonly SelfReadingStatement[] = [
  {
    name: "CREATE OR REPLACE TABLE",
    sql: (query) => `CREATE OR REPLACE TABLE t AS ${query}`,
    after: (_, q) => q,
  },
  {
    name: "CREATE OR REPLACE TABLE … CLUSTER BY",
    sql: (query) => `CREATE OR REPLACE TABLE t CLUSTER BY (id) AS ${query}`,
    after: (_, q) => q,
  },
  {
    name: "CREATE OR REPLACE TABLE with columns and a description",
    sql: (query) => `CREATE OR REPLACE TABLE t (id, n) COMMENT 'again' AS ${query}`,
    after: (_, q) => q,
  },
  {
    name: "CREATE TABLE IF NOT EXISTS",
    sql: (query) => `CREATE TABLE IF NOT EXISTS t AS ${query}`,
    after: (t) => t,
  },
  { name: "INSERT INTO", sql: (query) => `INSERT INTO t ${query}`, after: (t, q) => [...t, ...q] },
  {
    name: "INSERT INTO … BY NAME",
    sql: (query) => `INSERT INTO t BY NAME SELECT n, id FROM (${query})`,
    after: (t, q) => [...t, ...q],
  },
  {
    name: "INSERT INTO with columns",
    sql: (query) => `INSERT INTO t (n, id) SELECT n, id FROM (${query})`,
    after: (t, q) => [...t, ...q],
  },
  { name: "INSERT OVERWRITE", sql: (query) => `INSERT OVERWRITE t ${query}`, after: (_, q) => q },
  {
    name: "UPDATE with a value",
    sql: (query) =>
      `UPDATE t SET n = (SELECT CAST(coalesce(sum(s.n), 0) AS INT) FROM (${query}) AS s WHERE s.id = t.id)`,
    after: (t, q) => t.map(([id]) => [id, sumOf(q.filter(([other]) => other === id))]),
  },
  {
    name: "UPDATE of the key",
    sql: (query) => `UPDATE t AS x SET id = x.id + 1, n = x.id WHERE x.id IN (SELECT id FROM (${query}))`,
    after: (t, q) => t.map(([id, n]) => (keysOf(q).has(id) ? [id + 1, id] : [id, n])),
  },
  {
    name: "DELETE … IN",
    sql: (query) => `DELETE FROM t WHERE id IN (SELECT id FROM (${query}))`,
    after: (t, q) => t.filter(([id]) => !keysOf(q).has(id)),
  },
  {
    name: "DELETE … NOT EXISTS",
    sql: (query) => `DELETE FROM t AS x WHERE NOT EXISTS (SELECT 1 FROM (${query}) AS s WHERE s.id = x.id)`,
    after: (t, q) => t.filter(([id]) => keysOf(q).has(id)),
  },
  {
    name: "DELETE with a comparison",
    sql: (query) => `DELETE FROM t WHERE n < (SELECT max(n) FROM (${query}))`,
    after: (t, q) => t.filter(([, n]) => q.length === 0 || n >= Math.max(...q.map(([, other]) => other))),
  },
  {
    name: "MERGE with *",
    sql: (query) =>
      `MERGE INTO t AS x USING (${query}) AS s ON x.id = s.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *`,
    after: merged(
      (_, source) => [source],
      (source) => [source],
      (row) => [row],
    ),
  },
  {
    name: "MERGE of the table itself",
    sql: () => `MERGE INTO t USING t AS s ON t.id = s.id + 1
      WHEN MATCHED THEN UPDATE SET n = t.n + s.n
      WHEN NOT MATCHED THEN INSERT VALUES (s.id + 100, s.n)`,
    after: (t) =>
      merged(
        ([id, n], [, other]) => [[id, n + other]],
        ([id, n]) => [[id + 99, n]],
        (row) => [row],
      )(
        t,
        t.map(([id, n]) => [id + 1, n]),
      ),
  },
  {
    name: "MERGE with every clause",
    sql: (query) => `MERGE INTO t USING (${query}) AS s ON t.id = s.id
      WHEN MATCHED AND t.id = 2 THEN DELETE
      WHEN MATCHED THEN UPDATE SET n = t.n + s.n
      WHEN NOT MATCHED AND s.id > 50 THEN INSERT (id, n) VALUES (s.id - 50, s.n)
      WHEN NOT MATCHED THEN INSERT (n) VALUES (s.id)
      WHEN NOT MATCHED BY SOURCE AND t.id = 1 THEN UPDATE SET n = -1
      WHEN NOT MATCHED BY SOURCE THEN DELETE`,
    after: merged(
      ([id, n], [, other]) => (id === 2 ? [] : [[id, n + other]]),
      ([id, n]) => [id > 50 ? [id - 50, n] : [Number.NaN, id]],
      ([id]) => (id === 1 ? [[1, -1]] : []),
    ),
  },
];

/** Rows as sorted texts. NaN stands for NULL. */
export const rowTexts = (rows: readonly Row[]): string[] =>
  rows.map((row) => row.map((value) => (Number.isNaN(value) ? "NULL" : String(value))).join(" ")).sort();

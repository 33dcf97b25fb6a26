import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

type Columns = Record<string, SQLInputValue>;

/** These ids sort before the ids that the server generates. */
const idOf = (n: number) => `019f0000-0000-7000-8000-${n.toString(16).padStart(12, "0")}`;

/** Fills a stopped server's database up to `count` connectors with their jobs: copies of the first connector. */
export function seedConnectors(path: string, count: number): void {
  seed(path, "connectors", "1 = 1", count, (database, template) => {
    const job = one(database, "select * from jobs where subject = ?", `connector/${template.id}`);
    const insert = inserter(database, "jobs", job);
    const lineage = one(database, "select * from lineage where resource_id = ?", String(template.id));
    const insertLineage = inserter(database, "lineage", lineage);
    return (id, n) => {
      insert({ ...job, id: `connector-${id}`, subject: `connector/${id}`, name: `"seed-${n}"` });
      insertLineage({ ...lineage, resource_id: id });
    };
  });
}

/** Like `seedConnectors`, for succeeded deployments. */
export function seedDeployments(path: string, count: number): void {
  seed(path, "deployments", "state = 'succeeded'", count, (database, { environment_id }) => {
    const tally = database.prepare(
      "update deployment_counts set n = n + 1 where environment_id = ? and status = 'succeeded'",
    );
    return () => tally.run(environment_id ?? null);
  });
}

function seed(
  path: string,
  table: string,
  condition: string,
  count: number,
  withEach: (database: DatabaseSync, template: Columns) => (id: string, n: number) => void,
): void {
  const database = new DatabaseSync(path);
  database.exec("pragma journal_mode = wal; pragma synchronous = off; begin");
  const template = one(database, `select * from ${table} where ${condition} order by position limit 1`);
  const { last, have } = one(database, `select max(position) as last, count(*) as have from ${table}`);
  const { id: templateId, doc, environment_id } = template;
  const name = JSON.parse(String(doc)).name as string | undefined;
  const insert = inserter(database, table, template);
  const also = withEach(database, template);
  for (let n = Number(last) + 1; n <= Number(last) + count - Number(have); n++) {
    const id = idOf(n);
    const text = String(doc)
      .replaceAll(String(templateId), id)
      .replace(`"name":"${name}"`, `"name":"seed-${n}"`);
    insert({ ...template, position: n, id, key: JSON.stringify([`seed-${n}`]), version: 1, doc: text });
    also(id, n);
  }
  database
    .prepare(`update positions set next = (select max(position) from ${table}) where list = ?`)
    .run(table);
  database.prepare("delete from tallies where list like ?").run(`${table}/%`);
  // Widths are literals, because SQLite reads a bound number as a double, and the quotient would be a fraction.
  for (const list of [`${table}/all`, `${table}/${environment_id}`]) {
    for (const width of [100, 10_000, 1_000_000]) {
      database
        .prepare(
          `insert into tallies (list, width, bucket, n)
           select ?, ${width}, position / ${width}, count(*) from ${table} group by position / ${width}`,
        )
        .run(list);
    }
  }
  database.exec("commit; pragma wal_checkpoint(truncate)");
  database.close();
}

function one(database: DatabaseSync, query: string, ...values: SQLInputValue[]): Columns {
  const row = database.prepare(query).get(...values);
  if (!row) throw new Error(`No row to copy: ${query}`);
  return row;
}

/** Inserts whole rows of a table. */
export function inserter(database: DatabaseSync, table: string, template: Columns): (row: Columns) => void {
  const names = Object.keys(template);
  const statement: StatementSync = database.prepare(
    `insert into ${table} (${names.map((name) => `"${name}"`).join(", ")}) values (${names.map(() => "?").join(", ")})`,
  );
  return (row) => void statement.run(...names.map((name) => row[name] ?? null));
}

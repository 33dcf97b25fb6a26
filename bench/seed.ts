import { DatabaseSync } from "node:sqlite";

/** Fills a stopped server's database up to `count` connectors, copies of one that it made itself. */
export function seedConnectors(path: string, count: number): void {
  const database = new DatabaseSync(path);
  database.exec("pragma journal_mode = wal; pragma synchronous = off");
  const last = database.prepare("select max(position) as position from connectors").get() as {
    position: number;
  };
  const template = database
    .prepare(
      "select id, doc, environment_id as environment, version from connectors order by position limit 1",
    )
    .get() as { id: string; doc: string; environment: string; version: number };
  const have = (database.prepare("select count(*) as n from connectors").get() as { n: number }).n;
  if (have >= count) {
    database.close();
    return;
  }
  const name = (JSON.parse(template.doc) as { name: string }).name;
  database.exec("begin");
  database
    .prepare(
      `insert into connectors (position, id, key, version, environment_id, doc)
       with recursive n(i) as (select ? + 1 union all select i + 1 from n where i < ?)
       select i, printf('019f0000-0000-7000-8000-%012x', i), json_array(printf('seed-%d', i)), 1, ?,
              replace(replace(?, ?, printf('019f0000-0000-7000-8000-%012x', i)), ?, printf('"name":"seed-%d"', i))
       from n`,
    )
    .run(
      last.position,
      last.position + count - have,
      template.environment,
      template.doc,
      template.id,
      `"name":"${name}"`,
    );
  database
    .prepare("update positions set next = (select max(position) from connectors) where list = 'connectors'")
    .run();
  database.exec("delete from tallies where list like 'connectors/%'");
  // Widths as literals: a bound number is a double to SQLite, and its quotient a fraction.
  for (const list of ["connectors/all", `connectors/${template.environment}`]) {
    for (const width of [100, 10_000, 1_000_000]) {
      database
        .prepare(
          `insert into tallies (list, width, bucket, n)
           select ?, ${width}, position / ${width}, count(*) from connectors group by position / ${width}`,
        )
        .run(list);
    }
  }
  database.exec("commit");
  database.exec("pragma wal_checkpoint(truncate)");
  database.close();
}

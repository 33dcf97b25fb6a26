/** The floor of durable writes: the same row into the same table with the same indexes, and nothing else. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Rows a second, one transaction and one fsync for each. */
export function rawInserts(folder: string, doc: string, seconds: number): number {
  const database = new DatabaseSync(join(folder, `floor-${randomUUID()}.db`));
  database.exec("pragma journal_mode = wal; pragma synchronous = full");
  database.exec(`
    create table connectors (
      position integer primary key, id text not null unique, key text not null unique, version integer not null,
      environment_id text, owner text, state text, doc text not null, sealed text);
    create index by_environment on connectors (environment_id, position)`);
  const insert = database.prepare(
    "insert into connectors (id, key, version, environment_id, doc) values (?, ?, 1, 'local', ?)",
  );
  const end = performance.now() + seconds * 1000;
  const started = performance.now();
  let count = 0;
  while (performance.now() < end) {
    const id = randomUUID();
    insert.run(id, `["${id}"]`, doc);
    count += 1;
  }
  const perSecond = count / ((performance.now() - started) / 1000);
  database.close();
  return perSecond;
}

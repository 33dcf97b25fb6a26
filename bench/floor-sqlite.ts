/** The floor of durable writes: one row, one transaction, one fsync, on the same settings as the server's. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

export function rawInserts(folder: string, doc: string, seconds: number): number {
  const database = new DatabaseSync(join(folder, `floor-${randomUUID()}.db`));
  database.exec("pragma journal_mode = wal; pragma synchronous = full");
  database.exec(
    "create table connectors (position integer primary key, id text not null unique, doc text not null)",
  );
  const insert = database.prepare("insert into connectors (id, doc) values (?, ?)");
  const end = performance.now() + seconds * 1000;
  const started = performance.now();
  let count = 0;
  while (performance.now() < end) {
    insert.run(randomUUID(), doc);
    count += 1;
  }
  const perSecond = count / ((performance.now() - started) / 1000);
  database.close();
  return perSecond;
}

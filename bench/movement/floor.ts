/**
 * The floors, in a separate process: `out` copies the table out of PostgreSQL and discards it, `save` copies it to a
 * file, and `in` copies that file into a new table, whose key is added last. The copies are binary and use the engine's
 * own socket code.
 */
import { closeSync, createReadStream, openSync, writevSync } from "node:fs";
import pg from "pg";
import { copyIn } from "../../packages/engine/src/connectors/postgresql/copy-in.ts";
import { copyOut } from "../../packages/engine/src/connectors/postgresql/copy-out.ts";
import { reportSample } from "./sample.ts";

const [what, url, file = ""] = process.argv.slice(3);
const client = new pg.Client({ connectionString: url });
await client.connect();
const began = performance.now();
const copyOrders = "COPY orders TO STDOUT (FORMAT binary)";
if (what === "out") await copyOut(client, copyOrders, () => {});
else if (what === "save") await save();
else {
  await client.query("BEGIN");
  await client.query("CREATE TABLE floor (LIKE orders)");
  await copyIn(
    client,
    "COPY floor FROM STDIN (FORMAT binary, FREEZE)",
    createReadStream(file, { highWaterMark: 256 * 1024 }),
  );
  await client.query("ALTER TABLE floor ADD PRIMARY KEY (id)");
  await client.query("COMMIT");
}
reportSample(performance.now() - began);
await client.end();

async function save(): Promise<void> {
  const output = openSync(file, "w");
  let pending: Buffer[] = [];
  await copyOut(client, copyOrders, (bytes, _view, from, to) => {
    pending.push(Buffer.from(bytes.subarray(from, to)));
    if (pending.length === 1000) flush();
  });
  flush();
  closeSync(output);

  function flush(): void {
    writevSync(output, pending);
    pending = [];
  }
}

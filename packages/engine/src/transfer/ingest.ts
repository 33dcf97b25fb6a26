import type { TransferRequest, TransferResult } from "../protocol/requests.ts";
import { fullName, sqlName, tableName } from "../warehouse/names.ts";
import { changed, list, sameKey } from "../warehouse/relation.ts";
import type { RequestContext } from "../warehouse/request-context.ts";
import { streamOf, writeMark } from "./checkpoints.ts";
import { type Compared, changes, gone, nextMark, sameContent } from "./comparison.ts";
import { type Arrival, arriving } from "./ingest-run.ts";
import { readInto, type Staged, stage } from "./ingest-stage.ts";
import { keepRejects, refuseTooMany, rejectRows } from "./rejects.ts";
import { fit } from "./schema-change.ts";

/** Everything in one transaction of the warehouse: rows, mark and rejects are there together, or not at all. */
export async function ingest(movement: TransferRequest, handling: RequestContext): Promise<TransferResult> {
  const { scope, dataset } = movement;
  const name = tableName(dataset.target, scope);
  const warehouse = await handling.warehouse(scope.environment);
  return arriving(
    movement,
    handling,
    () => warehouse.makeRoom(name),
    async (arrival) => {
      const { connection, mark } = arrival;
      const time = handling.now();
      await fit(connection, name, arrival.columns, arrival.shape);
      const {
        read,
        bytes,
        rejected,
        mark: after,
        wrote,
      } = await (isWhole(arrival) ? loadDirectly(arrival, handling) : loadStaged(arrival, handling));
      handling.crashPoint("written");
      const before = mark?.value ?? null;
      const moves = after !== before || mark === undefined;
      if (moves) {
        await writeMark(connection, name.catalog, streamOf(movement.dataset), {
          value: after,
          time,
          run: movement.run,
        });
      }
      const total = wrote.insert + wrote.update + wrote.delete;
      const altered = arrival.shape.create || arrival.shape.add.length > 0;
      if (total > 0 || altered) {
        const rewritten = arrival.shape.create || wrote.update + wrote.delete > 0;
        await warehouse.touch(connection, name, time, rewritten ? "rewritten" : "added");
      }
      handling.crashPoint("marked");
      return {
        read,
        inserted: wrote.insert,
        updated: wrote.update,
        deleted: wrote.delete,
        rejected,
        bytes,
        watermark_before: before,
        watermark_after: after,
        watermark_time: moves ? time : (mark?.time ?? null),
        changed: total > 0 || altered ? [fullName(name)] : [],
      };
    },
  );
}

/** A first load whose rows need no second look goes straight into the table. */
const isWhole = ({ shape, columns, keys, distinct, movement }: Arrival): boolean =>
  shape.create &&
  !movement.retryRejects &&
  columns.every(({ wire }) => wire === undefined) &&
  (keys.length === 0 || distinct || movement.dataset.strategy !== "upsert");

interface Loaded {
  readonly read: number;
  readonly bytes: number;
  readonly rejected: number;
  /** How far the rows go. */
  readonly mark: string | null;
  readonly wrote: Pick<Compared, "insert" | "update" | "delete">;
}

async function loadDirectly(arrival: Arrival, handling: RequestContext): Promise<Loaded> {
  const { connection, name, keys, movement, watermark, mark } = arrival;
  const table = sqlName(name);
  const intake = await readInto(arrival, table, handling);
  handling.crashPoint("read");
  await rejectRows(connection, intake.rejects, keys);
  const { rejected } = intake;
  const read = intake.rows + rejected;
  await refuseTooMany(connection, name.catalog, movement.dataset, { read, rejected });
  await keepRejects(connection, name.catalog, rejecting(movement, handling), undefined);
  handling.crashPoint("staged");
  return {
    read,
    bytes: intake.bytes,
    rejected,
    mark: await nextMark(connection, table, watermark, mark?.value ?? null),
    wrote: { insert: intake.rows, update: 0, delete: 0 },
  };
}

async function loadStaged(arrival: Arrival, handling: RequestContext): Promise<Loaded> {
  const { connection, name, movement, keys } = arrival;
  const staged = await stage(arrival, handling);
  handling.crashPoint("staged");
  const wrote = await write(arrival, staged);
  await keepRejects(connection, name.catalog, rejecting(movement, handling), { relation: staged.rows, keys });
  const { read, bytes, rejected, mark } = staged;
  return { read, bytes, rejected, mark, wrote };
}

async function write(
  { connection, name, columns, keys, movement: { dataset } }: Arrival,
  { rows, compared }: Staged,
): Promise<Loaded["wrote"]> {
  const table = sqlName(name);
  if (dataset.strategy === "replace") {
    if (await sameContent(connection, rows, table, columns)) return { insert: 0, update: 0, delete: 0 };
    const removed = await changed(connection, `DELETE FROM ${table}`);
    const insert = await changed(connection, `INSERT INTO ${table} BY NAME SELECT * FROM ${rows}`);
    return { insert, update: 0, delete: removed };
  }
  // Delete and insert: seven times as fast as MERGE on a table with texts (docs/decisions/0018 has the numbers).
  if (dataset.strategy === "upsert" && compared.update > 0) {
    await connection.run(`DELETE FROM ${table} t USING ${changes} c WHERE ${sameKey(keys, "t", "c")}`);
  }
  if (compared.delete > 0) {
    await connection.run(`DELETE FROM ${table} t USING ${gone} c WHERE ${sameKey(keys, "t", "c")}`);
  }
  await connection.run(`INSERT INTO ${table} (${list(columns)}) SELECT ${list(columns)} FROM ${changes}`);
  return compared;
}

const rejecting = ({ dataset, run }: TransferRequest, handling: RequestContext) => ({
  id: dataset.id,
  run,
  time: handling.now(),
});

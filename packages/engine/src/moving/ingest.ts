import type { DuckDBConnection } from "@duckdb/node-api";
import type { Column } from "../column.ts";
import type { Handling } from "../handling.ts";
import type { Moved, Movement } from "../requests.ts";
import { openSource } from "../sources/open.ts";
import type { Offered, Source } from "../sources/source.ts";
import type { Mark } from "../targets/target.ts";
import { fullName, sqlName, type TableName, tableName } from "../warehouse/names.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { type Compared, changes, compare, gone, nextMark, sameContent } from "./comparing.ts";
import { createIntake } from "./feeding.ts";
import { requireFolder } from "./folders.ts";
import { readAsKept } from "./guessed.ts";
import { readMark, streamOf, writeMark } from "./marks.ts";
import { keepRejects, openRejects, refuseTooMany, rejectRows } from "./rejects.ts";
import { changed, list, named, refuseTwins, same, sameKey } from "./relation.ts";
import { columnsOf, type Fitting, fit, fitting } from "./shape.ts";
import { makeRaw, offerRejects, oneForEachKey, raw, typeRows } from "./staging.ts";
import { inTransaction } from "./transaction.ts";

/** One dataset on its way in, as far as it is known before the first row. */
export interface Arrival {
  readonly movement: Movement;
  readonly warehouse: Warehouse;
  readonly connection: DuckDBConnection;
  readonly source: Source;
  readonly name: TableName;
  readonly columns: readonly Column[];
  readonly keys: readonly string[];
  readonly watermark: Column | undefined;
  readonly mark: Mark | undefined;
  readonly shape: Fitting;
  /** The source itself keeps the keys apart. */
  readonly distinct: boolean;
}

/** Everything in one transaction of the warehouse: rows, mark and rejects are there together, or not at all. */
export async function ingest(movement: Movement, handling: Handling): Promise<Moved> {
  const { where, dataset } = movement;
  const name = tableName(dataset.target, where);
  const warehouse = await handling.warehouse(where.environment);
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
      handling.passing("written");
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
      if (total > 0 || altered) await warehouse.touch(connection, name, time);
      handling.passing("marked");
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

/** Opens both sides, and closes them again whatever happens. */
export async function arriving<Result>(
  movement: Movement,
  handling: Handling,
  /** Called once it is known that the source is there: a preview makes none. */
  makeRoom: () => Promise<void>,
  run: (arrival: Arrival) => Promise<Result>,
): Promise<Result> {
  const { where, dataset } = movement;
  const name = tableName(dataset.target, where);
  const warehouse = await handling.warehouse(where.environment);
  await requireFolder(movement.connection, handling.folders);
  const source = await openSource(movement.connection, {
    signal: handling.signal,
    outside: () => warehouse.outside(),
  });
  try {
    const offered = await source.describe(dataset.source);
    const described = settled(offered, movement);
    await makeRoom();
    return await inTransaction(warehouse, handling.signal, async (connection) => {
      await openRejects(connection);
      const columns = await readAsKept(connection, name, described.columns);
      const shape = await fitting(connection, name, columns);
      // The mark of a table that is gone says nothing about the one that is made now.
      const mark = shape.create ? undefined : await readMark(connection, name.catalog, streamOf(dataset));
      const watermark = columns.find((column) => column.name === described.watermark);
      return run({
        movement,
        warehouse,
        connection,
        source,
        name,
        ...described,
        columns,
        watermark,
        mark,
        shape,
      });
    });
  } finally {
    await source.close();
  }
}

function settled(offered: Offered, { dataset }: Movement) {
  const leftOut = (name: string) => dataset.leftOut.some((one) => same(one, name));
  const asked = (offered.hidden ?? []).filter(({ name }) => same(name, dataset.watermark ?? ""));
  const columns = [...offered.columns, ...asked].filter(({ name }) => !leftOut(name));
  refuseTwins(columns, dataset.source);
  const keys = named(columns, dataset.keys, "primary key", dataset.source);
  const [mark] =
    dataset.watermark === null ? [] : named(columns, [dataset.watermark], "watermark", dataset.source);
  return {
    columns,
    keys,
    watermark: mark,
    distinct:
      offered.primary_keys.length > 0 &&
      offered.primary_keys.every((key) => keys.some((one) => same(one, key))),
  };
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

async function loadDirectly(arrival: Arrival, handling: Handling): Promise<Loaded> {
  const { connection, name, keys, movement, watermark, mark } = arrival;
  const table = sqlName(name);
  const intake = await readInto(arrival, table, handling);
  handling.passing("read");
  await rejectRows(connection, intake.rejects, keys);
  const { rejected } = intake;
  const read = intake.rows + rejected;
  await refuseTooMany(connection, name.catalog, movement.dataset, { read, rejected });
  await keepRejects(connection, name.catalog, rejecting(movement, handling), undefined);
  handling.passing("staged");
  return {
    read,
    bytes: intake.bytes,
    rejected,
    mark: await nextMark(connection, table, watermark, mark?.value ?? null),
    wrote: { insert: intake.rows, update: 0, delete: 0 },
  };
}

async function loadStaged(arrival: Arrival, handling: Handling): Promise<Loaded> {
  const { connection, name, movement, columns, keys } = arrival;
  const staged = await stage(arrival, handling);
  handling.passing("staged");
  const table = sqlName(name);
  const wrote = await write(arrival, staged);
  await keepRejects(connection, name.catalog, rejecting(movement, handling), { relation: staged.rows, keys });
  const { read, bytes, rejected, mark } = staged;
  return { read, bytes, rejected, mark, wrote };

  async function write(
    { movement: { dataset } }: Arrival,
    { rows, compared }: Staged,
  ): Promise<Loaded["wrote"]> {
    if (dataset.strategy === "replace") {
      if (await sameContent(connection, rows, table, columns)) return { insert: 0, update: 0, delete: 0 };
      const removed = await changed(connection, `DELETE FROM ${table}`);
      const insert = await changed(connection, `INSERT INTO ${table} BY NAME SELECT * FROM ${rows}`);
      return { insert, update: 0, delete: removed };
    }
    // Delete and insert: seven times as fast as MERGE on a table with texts (docs/platform.md has the numbers).
    if (dataset.strategy === "upsert" && compared.update > 0) {
      await connection.run(`DELETE FROM ${table} t USING ${changes} c WHERE ${sameKey(keys, "t", "c")}`);
    }
    if (compared.delete > 0) {
      await connection.run(`DELETE FROM ${table} t USING ${gone} c WHERE ${sameKey(keys, "t", "c")}`);
    }
    await connection.run(`INSERT INTO ${table} (${list(columns)}) SELECT ${list(columns)} FROM ${changes}`);
    return compared;
  }
}

export interface Staged {
  readonly read: number;
  readonly bytes: number;
  readonly rejected: number;
  readonly mark: string | null;
  /** The rows of the run, one for each key. */
  readonly rows: string;
  readonly compared: Compared;
}

/** Reads, types and compares: everything of a run but writing. */
export async function stage(arrival: Arrival, handling: Handling): Promise<Staged> {
  const { connection, name, columns, keys, movement, watermark, mark, shape } = arrival;
  const { dataset } = movement;
  await makeRaw(connection, columns);
  const intake = await readInto(arrival, raw, handling);
  handling.passing("read");
  await rejectRows(connection, intake.rejects, keys);
  const again = movement.retryRejects
    ? await offerRejects(connection, name.catalog, dataset.id, columns, keys)
    : 0;
  // Also past rows that are rejected: they are kept, and need not be read again.
  const after = await nextMark(connection, raw, watermark, mark?.value ?? null);
  const typed = await typeRows(connection, columns, keys);
  const read = intake.rows + intake.rejected + again;
  const rejected = intake.rejected + typed.rejected;
  await refuseTooMany(connection, name.catalog, dataset, { read, rejected });
  const rows =
    dataset.strategy === "upsert"
      ? await oneForEachKey(connection, typed.relation, columns, keys, watermark?.name)
      : typed.relation;
  const present = shape.create ? undefined : await presentOf(arrival);
  const compared = await compare(connection, {
    rows,
    present,
    columns,
    keys,
    strategy: dataset.strategy,
    watermark: watermark?.name,
    since: sinceOf(arrival)?.value ?? null,
    deletes: dataset.deletes,
  });
  return { read, bytes: intake.bytes, rejected, mark: after, rows, compared };
}

/** The table as far as these columns go; a column that is still to be added is NULL in all its rows. */
async function presentOf({ connection, name, columns }: Arrival): Promise<string> {
  const there = (await columnsOf(connection, name)) ?? [];
  const missing = columns.filter((column) => !there.some((one) => same(one.name, column.name)));
  if (missing.length === 0) return sqlName(name);
  const nulls = missing.map(
    (column) => `CAST(NULL AS ${column.type}) AS "${column.name.replaceAll('"', '""')}"`,
  );
  return `(SELECT *, ${nulls.join(", ")} FROM ${sqlName(name)})`;
}

const sinceOf = ({ movement, watermark, mark }: Arrival) =>
  movement.dataset.strategy === "replace" || !watermark || !mark || mark.value === null
    ? undefined
    : { column: watermark.name, value: mark.value };

async function readInto(arrival: Arrival, table: string, handling: Handling) {
  const { connection, warehouse, source, columns, movement } = arrival;
  const since = sinceOf(arrival);
  handling.line("info", `reads ${movement.dataset.source}${since ? ` from ${since.value} on` : ""}.`);
  const intake = createIntake({
    warehouse,
    connection,
    table,
    columns,
    signal: handling.signal,
    onProgress: (values) => handling.progress(values),
  });
  await source.read({
    dataset: movement.dataset.source,
    columns,
    since,
    into: intake,
    signal: handling.signal,
  });
  return intake;
}

const rejecting = ({ dataset, run }: Movement, handling: Handling) => ({
  id: dataset.id,
  run,
  time: handling.now(),
});

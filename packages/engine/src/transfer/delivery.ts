import type { DuckDBConnection } from "@duckdb/node-api";
import type { Changes, Mark, Table } from "../connectors/target/target.ts";
import { openTarget } from "../connectors/target-registry.ts";
import type { WarehouseColumn } from "../protocol/column.ts";
import { DataProblem } from "../protocol/problem.ts";
import type { Dataset, TransferRequest, TransferResult } from "../protocol/requests.ts";
import { fullName, type TableName, tableName } from "../warehouse/names.ts";
import { count, named, same } from "../warehouse/relation.ts";
import type { RequestContext } from "../warehouse/request-context.ts";
import { inTransaction } from "../warehouse/transaction.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { changesOf } from "./change-set.ts";
import { WarehouseLedger } from "./checkpoint-store.ts";
import { streamOf } from "./checkpoints.ts";
import { nextMark } from "./comparison.ts";
import { requireFolder } from "./connector-folders.ts";
import { outgoingOf } from "./delivery-rows.ts";
import { forgetRejects, keepRejects, openRejects, refuseTooMany, rejectRows } from "./rejects.ts";
import { columnsOf, requireTable } from "./schema-change.ts";
import { beginSending, rememberSent } from "./sent-rows.ts";

/** One dataset on its way out, as far as it is known before the first row. */
export interface Departure {
  readonly movement: TransferRequest;
  readonly warehouse: Warehouse;
  readonly connection: DuckDBConnection;
  readonly name: TableName;
  readonly columns: readonly WarehouseColumn[];
  readonly keys: readonly string[];
  readonly watermark: WarehouseColumn | undefined;
  readonly table: Table;
  readonly ledger: WarehouseLedger;
  /** The target's own record of how far the dataset has come. */
  readonly mark: Mark | undefined;
}

/**
 * The rows stand still in a transaction of the warehouse that changes nothing. The target writes them with the mark in a
 * transaction of its own: what it has committed is done, whatever happens to us.
 */
export async function deliver(movement: TransferRequest, handling: RequestContext): Promise<TransferResult> {
  return departing(movement, handling, async (departure) => {
    const { connection, warehouse, table, mark, watermark, columns, keys } = departure;
    const time = handling.now();
    const outgoing = await outgoingOf(departure, handling);
    const rows = await count(connection, outgoing.relation);
    const before = mark?.value ?? null;
    const after = await nextMark(connection, outgoing.all, watermark, before);
    handling.crashPoint("read");
    handling.log("info", `has ${rows} rows to write${before ? ` from ${before} on` : ""}.`);
    if (mark && rows === 0 && !outgoing.gone && after === before) return nothing(mark);

    const rejecting = createRejecting(departure, handling, rows);
    const changes = changesOf({
      warehouse,
      connection,
      run: movement.run,
      columns,
      keys,
      relation: outgoing.relation,
      gone: outgoing.gone,
      rows,
      whole: outgoing.whole,
      reject: rejecting.reject,
      ...(table.blind && { sending: await beginSending(departure, `${movement.run} ${time}`) }),
    });
    try {
      const now: Mark = { value: after, time, run: movement.run };
      departure.ledger.within(connection, () => rememberSent(departure, after));
      const written = await table.write(changes, now, (step) => handling.crashPoint(step), handling.signal);
      // A new snapshot: rejects were written beside this one.
      await connection.run("COMMIT");
      await connection.run("BEGIN");
      await forgetRejects(connection, departure.name.catalog, movement, time, {
        relation: outgoing.relation,
        keys,
      });
      return {
        read: rows,
        inserted: written.inserted,
        updated: written.updated,
        deleted: written.deleted,
        rejected: rejecting.rejected,
        bytes: written.bytes,
        watermark_before: before,
        watermark_after: after,
        watermark_time: time,
        changed: [],
      };
    } finally {
      await changes.clear();
    }
  });
}

const nothing = ({ value, time }: Mark): TransferResult => ({
  read: 0,
  inserted: 0,
  updated: 0,
  deleted: 0,
  rejected: 0,
  bytes: 0,
  watermark_before: value,
  watermark_after: value,
  watermark_time: time,
  changed: [],
});

/** Opens both sides, and closes them again whatever happens. */
export async function departing<Result>(
  movement: TransferRequest,
  handling: RequestContext,
  run: (departure: Departure) => Promise<Result>,
): Promise<Result> {
  const { scope, dataset } = movement;
  const name = tableName(dataset.source, scope);
  const warehouse = await handling.warehouse(scope.environment);
  await requireTable(warehouse, name);
  const ledger = new WarehouseLedger(warehouse, name.catalog);
  await requireFolder(movement.connection, handling.folders);
  const target = await openTarget(movement.connection, {
    signal: handling.signal,
    connector: movement.connector,
    outside: () => warehouse.outside(),
    ledger,
    ownFolder: warehouse.folder,
  });
  try {
    return await inTransaction(warehouse, handling.signal, async (connection) => {
      const known = await outgoingColumns(connection, name, dataset);
      const table = await target.table({
        stream: streamOf(dataset),
        name: dataset.target,
        strategy: dataset.strategy,
        columns: known.columns,
        keys: known.keys,
      });
      return run({
        movement,
        warehouse,
        connection,
        name,
        ...known,
        table,
        ledger,
        mark: await table.mark(),
      });
    });
  } finally {
    await target.close();
  }
}

/** What is written of a table; a DataProblem where a key or the watermark is not among it. */
export async function outgoingColumns(connection: DuckDBConnection, name: TableName, dataset: Dataset) {
  const all = (await columnsOf(connection, name)) ?? [];
  const columns = all.filter((column) => !dataset.leftOut.some((one) => same(one, column.name)));
  if (columns.length === 0) throw new DataProblem(`${fullName(name)} has no column that may be written.`);
  const keys = named(columns, dataset.keys, "primary key", fullName(name));
  const [mark] =
    dataset.watermark === null ? [] : named(columns, [dataset.watermark], "watermark", fullName(name));
  return { columns, keys, watermark: columns.find((column) => column.name === mark) };
}

/** Rejects are written down, on a connection of their own, before the target commits: none of them is lost. */
function createRejecting(
  { movement, warehouse, name, keys }: Departure,
  handling: RequestContext,
  rows: number,
) {
  const rejecting = {
    rejected: 0,
    reject: (async (rejects) => {
      if (rejects.length === 0) return;
      rejecting.rejected += rejects.length;
      await inTransaction(warehouse, handling.signal, async (connection) => {
        await openRejects(connection);
        await rejectRows(connection, rejects, keys);
        const { rejected } = rejecting;
        await refuseTooMany(connection, name.catalog, movement.dataset, { read: rows, rejected });
        const stream = { id: movement.dataset.id, run: movement.run, time: handling.now() };
        await keepRejects(connection, name.catalog, stream, undefined);
      });
    }) satisfies Changes["reject"] as Changes["reject"],
  };
  return rejecting;
}

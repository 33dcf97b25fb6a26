import type { DuckDBConnection } from "@duckdb/node-api";
import type { DatasetDescription, Source } from "../connectors/source/source.ts";
import { openSource } from "../connectors/source-registry.ts";
import type { Mark } from "../connectors/target/target.ts";
import type { WarehouseColumn } from "../protocol/column.ts";
import type { Dataset, TransferRequest } from "../protocol/requests.ts";
import { type TableName, tableName } from "../warehouse/names.ts";
import { refuseKept } from "../warehouse/ownership.ts";
import { named, refuseTwins, same } from "../warehouse/relation.ts";
import type { RequestContext } from "../warehouse/request-context.ts";
import { inTransaction } from "../warehouse/transaction.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { readMark, streamOf } from "./checkpoints.ts";
import { requireFolder } from "./connector-folders.ts";
import { readAsKept } from "./inferred-types.ts";
import { openRejects } from "./rejects.ts";
import { type Fitting, fitting } from "./schema-change.ts";

/** One dataset on its way in, as far as it is known before the first row. */
export interface Arrival {
  readonly movement: TransferRequest;
  readonly warehouse: Warehouse;
  readonly connection: DuckDBConnection;
  readonly source: Source;
  readonly name: TableName;
  readonly columns: readonly WarehouseColumn[];
  readonly keys: readonly string[];
  readonly watermark: WarehouseColumn | undefined;
  readonly mark: Mark | undefined;
  readonly shape: Fitting;
  /** The source itself keeps the keys apart. */
  readonly distinct: boolean;
}

/** Opens both sides, and closes them again whatever happens. */
export async function arriving<Result>(
  movement: TransferRequest,
  handling: RequestContext,
  /** Called once it is known that the source is there: a preview makes none. */
  makeRoom: () => Promise<void>,
  run: (arrival: Arrival) => Promise<Result>,
): Promise<Result> {
  const { scope, dataset } = movement;
  const name = tableName(dataset.target, scope);
  const warehouse = await handling.warehouse(scope.environment);
  await requireFolder(movement.connection, handling.folders);
  const source = await openSource(movement.connection, {
    signal: handling.signal,
    outside: () => warehouse.outside(),
  });
  try {
    const offered = await source.describe(dataset.source);
    const described = settled(offered, dataset);
    await makeRoom();
    return await inTransaction(warehouse, handling.signal, async (connection) => {
      // In this transaction: a pipeline may make the table at any time.
      if (warehouse.catalogs.includes(name.catalog)) await refuseKept(connection, name);
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

/** What is moved of what is offered; a DataProblem where a key or the watermark is not among it. */
export function settled(offered: DatasetDescription, dataset: Dataset) {
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

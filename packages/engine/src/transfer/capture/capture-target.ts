import type { DuckDBConnection } from "@duckdb/node-api";
import type { ConnectorSource } from "../../connectors/source/source.ts";
import type { Dataset, TransferRequest, TransferResult } from "../../protocol/transfer.ts";
import type { TableName } from "../../warehouse/names.ts";
import type { RequestContext } from "../../warehouse/request-context.ts";
import { readColumns } from "../../warehouse/table-columns.ts";
import { inTransaction, inTransactionOn } from "../../warehouse/transaction.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";
import { ingest } from "../ingest.ts";
import { prepareIngestRun } from "../ingest-run.ts";
import { nameMemoryErrors } from "../transfer-memory.ts";
import { transferredColumns } from "../transferred-columns.ts";
import { findOutsideChange, judgeOutsideChange } from "../written-table.ts";
import { applyChanges } from "./apply-changes.ts";
import { type DatasetRecord, readDatasetRecord } from "./capture-record.ts";
import { loggedColumn } from "./log-columns.ts";

/** The staged changes of a dataset, and where the log is after them. */
export interface DatasetChanges {
  readonly request: TransferRequest;
  readonly source: ConnectorSource;
  readonly table: TableName;
  readonly described: ReturnType<typeof transferredColumns>;
  /** The connection that has the staged changes, and the dataset's number in them. */
  readonly connection: DuckDBConnection;
  readonly index: number;
  readonly position: string;
  readonly bytes: number;
}

/** Where the rows of a captured dataset are. */
export interface CaptureTarget {
  /** Where the rows are in the log, and which table they were read from; undefined: they must be read first. */
  recordOf(dataset: Dataset, table: TableName): Promise<DatasetRecord | undefined>;
  /** Finds changes that others made to the rows. Throws a DataProblem if the changes of the log cannot correct them. */
  verify(request: TransferRequest, table: TableName, warn: (text: string) => void): Promise<void>;
  /** The columns of the table; undefined if there is none. */
  columnsOf(dataset: Dataset, table: TableName): Promise<readonly { readonly name: string }[] | undefined>;
  readonly describe: typeof transferredColumns;
  /** Reads all rows. Their position in the log is committed with them. */
  readAll(request: TransferRequest, context: RequestContext): Promise<TransferResult>;
  /** Applies the changes, and commits their position with them. */
  apply(changes: DatasetChanges, context: RequestContext): Promise<TransferResult>;
  close(): Promise<void>;
}

export type OpenCaptureTarget = (warehouse: Warehouse, context: RequestContext) => CaptureTarget;

/** The tables of the embedded warehouse. */
export function openWarehouseTarget(warehouse: Warehouse, { signal }: RequestContext): CaptureTarget {
  return {
    recordOf: async (dataset, table) =>
      (await warehouse.hasTable(table))
        ? readDatasetRecord(warehouse, table.catalog, dataset, signal)
        : undefined,
    async verify(request, table, warn) {
      const change = await inTransaction(warehouse, signal, (connection) =>
        findOutsideChange(connection, table, request),
      );
      if (change) judgeOutsideChange(change, request, warn);
    },
    columnsOf: (_, table) => inTransaction(warehouse, signal, (connection) => readColumns(connection, table)),
    describe: transferredColumns,
    readAll: ingest,
    apply: ({ index, position, bytes, ...parts }, ofDataset) =>
      nameMemoryErrors(parts.request.dataset.source, async (shape) => {
        shape.columns = parts.described.columns;
        return inTransactionOn(parts.connection, warehouse, ofDataset.signal, async () => {
          const prepared = await prepareIngestRun({ ...parts, warehouse, context: ofDataset });
          const columns = prepared.columns.map(loggedColumn);
          return applyChanges({ ...prepared, columns, shape }, { index, position, bytes }, ofDataset);
        });
      }),
    async close() {},
  };
}

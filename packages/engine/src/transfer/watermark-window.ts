import type { DuckDBConnection } from "@duckdb/node-api";
import type { WarehouseColumn } from "../protocol/column.ts";
import { DataProblem } from "../protocol/problem.ts";
import type { TransferRequest, WatermarkWindow } from "../protocol/transfer.ts";
import { literal } from "../warehouse/names.ts";
import { scalar } from "../warehouse/relation.ts";
import { watermarkOrder } from "./watermark.ts";

/** A window whose bounds are written as the warehouse writes values of the watermark column. */
export interface Backfill extends WatermarkWindow {
  /**
   * SQL: whether a value of the column's type is in the window. Values above the watermark are not: the next run reads them,
   * and would append them a second time.
   */
  contains(value: string): string;
}

/** The window of the request; undefined if it has none. Throws a DataProblem if the column has no such values. */
export async function readBackfill(
  connection: DuckDBConnection,
  { window, dataset }: Pick<TransferRequest, "window" | "dataset">,
  column: WarehouseColumn | undefined,
  watermark: string | null,
): Promise<Backfill | undefined> {
  if (!window) return undefined;
  if (!column) {
    throw new DataProblem(`${dataset.source} has no watermark, so a window of it cannot be read.`);
  }
  const order = watermarkOrder(column);
  const typed = (text: string) => `CAST(${literal(text)} AS ${column.type})`;
  const [from, to] = [
    await readBound(connection, dataset.source, column, "from", window.from),
    await readBound(connection, dataset.source, column, "to", window.to),
  ];
  if ((await scalar(connection, `SELECT ${order.greater(typed(to), typed(from))}`)) !== true) {
    throw new DataProblem(`window: "to" must be greater than "from", but ${to} is not greater than ${from}.`);
  }
  return {
    from,
    to,
    contains: (value) =>
      [
        `NOT (${order.greater(typed(from), value)})`,
        order.greater(typed(to), value),
        ...(watermark === null ? [] : [`NOT (${order.greater(value, typed(watermark))})`]),
      ].join(" AND "),
  };
}

async function readBound(
  connection: DuckDBConnection,
  source: string,
  { name, type, origin, isNumericText }: WarehouseColumn,
  bound: keyof WatermarkWindow,
  text: string,
): Promise<string> {
  const isNumber = !isNumericText || /^-?\d+(\.\d+)?$/.test(text);
  const found = isNumber
    ? await scalar(connection, `SELECT CAST(TRY_CAST(${literal(text)} AS ${type}) AS VARCHAR)`)
    : null;
  if (typeof found === "string") return found;
  throw new DataProblem(
    `window.${bound}: ${JSON.stringify(text)} is not a value of the watermark ${JSON.stringify(name)} of ${source}, which has the type ${origin}.`,
  );
}

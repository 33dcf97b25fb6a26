import type { DuckDBConnection } from "@duckdb/node-api";
import { quoteIdentifier, sqlString } from "@lakehelm/sql/names";
import { literal } from "../../warehouse/names.ts";
import { scalar } from "../../warehouse/relation.ts";
import { candidatesFrom } from "../delivery-rows.ts";
import type { DeliveryRun } from "../delivery-run.ts";
import type { CopiedColumn } from "./copied-rows.ts";

/**
 * SQL for the cluster, over a table `t`: at least the rows that a delivery selects by its watermark. The delivery
 * selects among them again, so there may be more rows, but never fewer. Undefined: all rows.
 */
export async function selectedByWatermark(
  run: DeliveryRun,
  columns: readonly CopiedColumn[],
): Promise<string | undefined> {
  const column = columns.find(({ name }) => name === run.watermarkColumn?.name);
  if (!column) return undefined;
  const value = (text: string) => valueOnCluster(run.connection, column, text);
  const name = `t.${quoteIdentifier(column.name)}`;
  // Compared by bytes, as the engine compares text, because the column may have a collation.
  const compared = column.onCluster === "STRING" ? `${name} COLLATE UTF8_BINARY` : name;
  if (run.backfill) {
    const [first, end] = [await value(run.backfill.from), await value(run.backfill.to)];
    return first && end && `${compared} >= ${first} AND ${compared} <= ${end}`;
  }
  const from = candidatesFrom(run);
  const first = from === null ? undefined : await value(from);
  return first && `${compared} >= ${first} OR ${name} IS NULL`;
}

const isNumber = /^(?:TINYINT|SMALLINT|INT|BIGINT|FLOAT|DOUBLE|DECIMAL\(\d+,\d+\))$/;

/**
 * SQL for the cluster: a value as this engine reads its text; undefined if engine and cluster may order values of this
 * type, or in this form, differently.
 */
async function valueOnCluster(
  connection: DuckDBConnection,
  { type, onCluster }: Pick<CopiedColumn, "type" | "onCluster">,
  text: string,
): Promise<string | undefined> {
  const found = async (shown: (value: string) => string, form: RegExp) => {
    const value = await scalar(connection, `SELECT ${shown(`TRY_CAST(${literal(text)} AS ${type})`)}`);
    return typeof value === "string" && form.test(value) ? value : undefined;
  };
  if (onCluster === "STRING") return sqlString(text);
  if (isNumber.test(onCluster)) {
    const number = await found((value) => `CAST(${value} AS VARCHAR)`, /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/);
    return number && `CAST('${number}' AS ${onCluster})`;
  }
  if (onCluster === "DATE") {
    const date = await found((value) => `CAST(${value} AS VARCHAR)`, /^\d{4}-\d\d-\d\d$/);
    return date && `DATE '${date}'`;
  }
  if (onCluster !== "TIMESTAMP" && onCluster !== "TIMESTAMP_NTZ") return undefined;
  const inUtc =
    onCluster === "TIMESTAMP" ? (value: string) => `${value} AT TIME ZONE 'UTC'` : (value: string) => value;
  const time = await found(
    (value) => `strftime(${inUtc(value)}, '%Y-%m-%d %H:%M:%S.%f')`,
    /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}$/,
  );
  return time && (onCluster === "TIMESTAMP" ? `TIMESTAMP_LTZ '${time} UTC'` : `TIMESTAMP_NTZ '${time}'`);
}

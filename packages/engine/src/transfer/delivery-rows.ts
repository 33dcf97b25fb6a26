import type { DuckDBConnection } from "@duckdb/node-api";
import { type WarehouseColumn, wireType } from "../protocol/column.ts";
import { rejectsOf } from "../warehouse/internal-tables.ts";
import { literal, quote, sqlName } from "../warehouse/names.ts";
import { keyText, list, same } from "../warehouse/relation.ts";
import type { RequestContext } from "../warehouse/request-context.ts";
import { type Compared, changes, compare, gone } from "./comparison.ts";
import type { Departure } from "./delivery.ts";
import { unsent } from "./sent-rows.ts";
import { field, oneForEachKey } from "./stage.ts";
import { createIntake } from "./staging-sink.ts";

/** What a run writes to its target. */
export interface Outgoing {
  /** The rows to write. */
  readonly relation: string;
  /** The rows that were looked at, which the next mark is taken from. */
  readonly all: string;
  readonly gone: string | undefined;
  /** The target has nothing yet, or is to be replaced. */
  readonly whole: boolean;
  /** Known where the rows were compared with those of the target. */
  readonly compared: Compared | undefined;
}

export async function outgoingOf(departure: Departure, handling: RequestContext): Promise<Outgoing> {
  const { connection, movement, table, watermark, mark } = departure;
  const { strategy } = movement.dataset;
  const found = await candidates(departure);
  // Nothing in the warehouse keeps keys apart; most targets do.
  const source =
    strategy === "upsert"
      ? await oneForEachKey(connection, found, departure.columns, departure.keys, watermark?.name)
      : found;
  const plain = { relation: source, all: source, gone: undefined, compared: undefined };
  if (strategy === "replace") return { ...plain, whole: true };
  if (table.blind) {
    // In one order every time: batches that were answered before are known again.
    const relation = `(SELECT * FROM ${await unsent(departure, source)} ORDER BY ALL)`;
    return { ...plain, relation, whole: false };
  }
  const present = await table.present();
  if (!present) return { ...plain, whole: true };
  // An upsert of what the target has already changes nothing there, so that these rows need not be read back.
  if (watermark && strategy === "upsert" && !table.rewrites) return { ...plain, whole: false };
  const since = watermark && mark?.value ? { column: watermark.name, value: mark.value } : undefined;
  const there = await readBack(departure, present, since, handling);
  const compared = await compareWith(connection, departure, source, there);
  return {
    relation: changes,
    all: source,
    gone: compared.delete > 0 ? gone : undefined,
    whole: false,
    compared,
  };
}

export const compareWith = (
  connection: DuckDBConnection,
  { movement, columns, keys, watermark, mark }: Departure,
  rows: string,
  present: string | undefined,
): Promise<Compared> =>
  compare(connection, {
    rows,
    present,
    columns,
    keys,
    strategy: movement.dataset.strategy,
    watermark: watermark?.name,
    since: watermark ? (mark?.value ?? null) : null,
    deletes: movement.dataset.deletes,
  });

/** The rows that may have to be written: all, or those from the mark on; and those that were rejected before, if asked for. */
async function candidates({
  connection,
  movement,
  name,
  columns,
  keys,
  watermark,
  mark,
}: Departure): Promise<string> {
  const { dataset } = movement;
  const table = sqlName(name);
  const since = dataset.strategy !== "replace" && watermark && mark?.value ? mark.value : undefined;
  if (since === undefined || !watermark) return table;
  const rejects = `SELECT * FROM ${rejectsOf(name.catalog)} WHERE stream = ${literal(dataset.id)}`;
  const again = !movement.retryRejects
    ? ""
    : keys.length > 0
      ? ` OR ${keyText(keys)} IN (SELECT key FROM (${rejects}))`
      : "";
  const stored =
    movement.retryRejects && keys.length === 0
      ? ` UNION ALL SELECT ${columns.map((column) => `TRY_CAST(${field(column)} AS ${column.type})`).join(", ")} FROM (${rejects})`
      : "";
  const column = quote(watermark.name);
  // Written down first: what a filter leaves of a big table is read in many small pieces, and must not change meanwhile.
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE outgoing AS SELECT ${list(columns)} FROM ${table} WHERE ${column} >= CAST(${literal(since)} AS ${watermark.type}) OR ${column} IS NULL${again}${stored}`,
  );
  return "outgoing";
}

/** The rows of the target in the types of the warehouse: what it does not have, or cannot be cast, differs. */
export async function readBack(
  { connection, warehouse, columns }: Departure,
  present: NonNullable<Awaited<ReturnType<Departure["table"]["present"]>>>,
  since: { readonly column: string; readonly value: string } | undefined,
  handling: RequestContext,
): Promise<string> {
  const { source, dataset } = present;
  try {
    const there = await source.describe(dataset);
    const pairs = columns.map((column) => ({
      column,
      found: there.columns.find((one) => same(one.name, column.name)),
    }));
    const wanted = pairs.flatMap(({ found }) => found ?? []);
    await connection.run(
      `CREATE OR REPLACE TEMP TABLE present_raw (${wanted.map((one) => `${quote(one.name)} ${wireType(one)}`).join(", ")})`,
    );
    const into = createIntake({
      warehouse,
      connection,
      table: "present_raw",
      columns: wanted,
      signal: handling.signal,
      onProgress: () => {},
    });
    await source.read({ dataset, columns: wanted, since, into, signal: handling.signal });
    const cells = pairs.map(({ column, found }) => `${cell(column, found)} AS ${quote(column.name)}`);
    await connection.run(
      `CREATE OR REPLACE TEMP VIEW present AS SELECT ${cells.join(", ")} FROM present_raw`,
    );
    return "present";
  } finally {
    await source.close();
  }
}

const cell = (column: WarehouseColumn, found: WarehouseColumn | undefined): string =>
  found
    ? `TRY_CAST(TRY_CAST(${quote(found.name)} AS ${found.type}) AS ${column.type})`
    : `CAST(NULL AS ${column.type})`;

import type { DuckDBConnection } from "@duckdb/node-api";
import type { Reject } from "../connectors/source/row-sink.ts";
import type { WarehouseColumn } from "../protocol/column.ts";
import type { Preview, TransferRequest } from "../protocol/requests.ts";
import { sqlName } from "../warehouse/names.ts";
import { count, rowText, sameKey } from "../warehouse/relation.ts";
import type { RequestContext } from "../warehouse/request-context.ts";
import { type Compared, changes, gone } from "./comparison.ts";
import { type Departure, departing } from "./delivery.ts";
import { compareWith, outgoingOf, readBack } from "./delivery-rows.ts";
import { type Arrival, arriving } from "./ingest-run.ts";
import { stage } from "./ingest-stage.ts";
import { gathered } from "./rejects.ts";
import { told } from "./schema-change.ts";

const samples = 5;

/** Ends the transaction of a preview: everything it has done is undone. */
class Seen extends Error {
  readonly preview: Preview;
  constructor(preview: Preview) {
    super("seen");
    this.preview = preview;
  }
}

/** What the next run would do. It goes the way of a run up to where that would write, and then undoes all of it. */
export async function preview(movement: TransferRequest, handling: RequestContext): Promise<Preview> {
  try {
    return movement.direction === "in"
      ? await arriving(
          movement,
          handling,
          async () => {},
          async (arrival) => {
            throw new Seen(await arrivalPreview(arrival, handling));
          },
        )
      : await departing(movement, handling, async (departure) => {
          throw new Seen(await departurePreview(departure, handling));
        });
  } catch (error) {
    if (error instanceof Seen) return error.preview;
    throw error;
  }
}

async function arrivalPreview(arrival: Arrival, handling: RequestContext): Promise<Preview> {
  const { connection, columns, keys, name, movement, shape } = arrival;
  const staged = await stage(arrival, handling);
  const there = shape.create ? 0 : await count(connection, sqlName(name));
  const compared =
    movement.dataset.strategy === "replace"
      ? { insert: staged.compared.insert, update: 0, delete: there, unchanged: 0 }
      : staged.compared;
  const present = shape.create ? undefined : sqlName(name);
  return {
    ...compared,
    rejected: staged.rejected,
    rejects: await firstRejects(connection),
    samples: await sampled(connection, columns, keys, compared, present),
    schema: told(name, shape),
  };
}

async function departurePreview(departure: Departure, handling: RequestContext): Promise<Preview> {
  const { connection, columns, keys, table, movement } = departure;
  const outgoing = await outgoingOf(departure, handling);
  const found = outgoing.whole || table.blind ? undefined : await table.present();
  const present = found && (await readBack(departure, found, undefined, handling));
  const compared =
    outgoing.compared ?? (await compareWith(connection, departure, outgoing.relation, present));
  return {
    ...compared,
    rejected: 0,
    rejects: [],
    samples: await sampled(connection, columns, keys, compared, present),
    schema:
      outgoing.whole && movement.dataset.strategy !== "replace" ? [`create ${movement.dataset.target}`] : [],
  };
}

async function sampled(
  connection: DuckDBConnection,
  columns: readonly WarehouseColumn[],
  keys: readonly string[],
  compared: Compared,
  present: string | undefined,
): Promise<Preview["samples"]> {
  const some = async (action: string, relation: string, shown: readonly WarehouseColumn[]) => {
    const found = await connection.runAndReadAll(
      `SELECT ${rowText(shown, "c.")} FROM ${relation} LIMIT ${samples}`,
    );
    return found
      .getRowsJson()
      .map(([row]) => ({ action, row: JSON.parse(String(row)) as Record<string, unknown> }));
  };
  const exists =
    present && keys.length > 0
      ? `EXISTS (SELECT 1 FROM ${present} p WHERE ${sameKey(keys, "p", "c")})`
      : "false";
  const key = columns.filter(({ name }) => keys.includes(name));
  return [
    ...(compared.insert > 0 ? await some("insert", `${changes} c WHERE NOT ${exists}`, columns) : []),
    ...(compared.update > 0 ? await some("update", `${changes} c WHERE ${exists}`, columns) : []),
    ...(compared.delete > 0 && key.length > 0 ? await some("delete", `${gone} c`, key) : []),
  ];
}

async function firstRejects(connection: DuckDBConnection): Promise<Reject[]> {
  const found = await connection.runAndReadAll(`SELECT reason, "row" FROM ${gathered} LIMIT ${samples}`);
  return found.getRowsJson().map(([reason, row]) => ({
    reason: String(reason),
    row: JSON.parse(String(row)) as Record<string, unknown>,
  }));
}

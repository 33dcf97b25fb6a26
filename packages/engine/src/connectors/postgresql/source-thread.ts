/** Reads rows of PostgreSQL into the ring buffer, in a thread with its own connection. */
import { DataProblem } from "../../protocol/problem.ts";
import { collectYoungGarbage } from "../../warehouse/garbage-collection.ts";
import { quote } from "../../warehouse/names.ts";
import { BatchWriter } from "../../warehouse/ring-buffer/batch-writer.ts";
import { type ReadRows, RejectReporter, reportPosition } from "../../warehouse/ring-buffer/row-writer.ts";
import { parsePosition } from "../source/log-position.ts";
import { copyOut } from "./copy-out.ts";
import { postgresProblem } from "./problem.ts";
import { readableRow } from "./readable-row.ts";
import { RowDecoder } from "./row-decoder.ts";
import { connectPostgres } from "./session.ts";
import { type PostgresSettings, serverName } from "./settings.ts";

export interface PostgresThreadInput {
  readonly settings: PostgresSettings;
  readonly sessionName: string;
  /** The dataset's name for messages; `table` is SQL. */
  readonly dataset: string;
  readonly table: string;
  readonly where: string;
  /**
   * The name of a temporary replication slot. The rows are those at the first position of the slot, which is reported:
   * they contain all changes before this position, and none after it.
   */
  readonly slot?: string | undefined;
  readonly columns: readonly {
    readonly name: string;
    readonly expression: string;
    readonly skip: number;
    readonly typeId: number;
    readonly modifier: number;
  }[];
}

/** `PGCOPY\n\xff\r\n\0`, flags, and the length of an unused extension. */
const copyHeader = 19;
const endOfRows = -1;
/** Socket buffers are outside V8's heap, so V8 alone would collect them only after tens of megabytes. */
const bytesBetweenCollections = 4 * 2 ** 20;

export const read: ReadRows<PostgresThreadInput> = async (
  { settings, sessionName, dataset, table, where, slot, columns },
  ring,
) => {
  const action = `Reading ${dataset} from ${serverName(settings)}`;
  const client = await connectPostgres(settings, sessionName, { forReplication: slot !== undefined }).catch(
    (error) => {
      throw postgresProblem(error, action);
    },
  );
  try {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    if (slot !== undefined) {
      await useSnapshotOf(slot);
      // The log has the rows that a policy hides from this role. So the copy must fail instead of leaving them out.
      await client.query("SET LOCAL row_security = off");
    }
    await requireUnchangedColumns();
    await copyRows();
    await client.query("COMMIT");
  } catch (error) {
    throw postgresProblem(error, action);
  } finally {
    await client.end().catch(() => {});
  }

  /** Waits until the transactions that are open now have ended. The slot ends with the connection. */
  async function useSnapshotOf(name: string): Promise<void> {
    const { rows } = await client.query<{ consistent_point: string }>(
      `CREATE_REPLICATION_SLOT ${name} TEMPORARY LOGICAL pgoutput USE_SNAPSHOT`,
    );
    reportPosition(parsePosition(rows[0]?.consistent_point ?? ""));
  }

  /** Also locks the table against changes of its columns until the transaction ends. */
  async function requireUnchangedColumns(): Promise<void> {
    const names = columns.map(({ name }) => quote(name)).join(", ");
    const { fields } = await client.query(`SELECT ${names} FROM ${table} LIMIT 0`);
    const changed = columns.find(
      ({ typeId, modifier }, index) =>
        fields[index]?.dataTypeID !== typeId || fields[index]?.dataTypeModifier !== modifier,
    );
    if (!changed) return;
    throw new DataProblem(
      `The type of the column "${changed.name}" of ${dataset} changed while the run was starting.`,
      {
        retryable: true,
      },
    );
  }

  async function copyRows(): Promise<void> {
    const { rows } = await client.query<{ server_encoding: string }>("SHOW server_encoding");
    const batches = new BatchWriter(ring);
    const rejects = new RejectReporter();
    const skip = columns.map((column) => column.skip);
    // A database with this encoding accepts any bytes and sends them unchanged.
    const checkText = rows[0]?.server_encoding === "SQL_ASCII";
    const decoder = new RowDecoder(batches, { skip, checkText });
    let isFirst = true;
    let uncollected = 0;
    const select = `SELECT ${columns.map(({ expression }) => expression).join(", ")} FROM ${table}${where}`;
    await copyOut(client, `COPY (${select}) TO STDOUT (FORMAT binary)`, (bytes, view, from, to) => {
      uncollected += to - from;
      if (uncollected > bytesBetweenCollections) {
        uncollected = 0;
        collectYoungGarbage();
      }
      const start = isFirst ? from + copyHeader : from;
      isFirst = false;
      if (start === to || view.getInt16(start) === endOfRows) return;
      // Blocks this thread, which has no other work. The server waits as well.
      if (!batches.hasSpace) batches.ring.waitForSpace();
      const refusal = decoder.row(bytes, view, start);
      batches.received += to - from;
      if (!refusal) return;
      const fields = readableRow(batches.layout.wires, skip, bytes, start);
      const row = Object.fromEntries(columns.map(({ name }, index) => [name, fields[index]]));
      rejects.add(`the column ${JSON.stringify(columns[refusal.column]?.name)}: ${refusal.reason}`, row);
    });
    rejects.end();
    batches.end();
  }
};

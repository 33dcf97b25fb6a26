/** Reads a MySQL table in a worker thread. The server sends rows as fast as they are read. */
import mysql from "mysql2";
import type { WarehouseColumn } from "../../protocol/column.ts";
import type { CellValue } from "../../warehouse/cell-value.ts";
import { openRowWriter, type ReadRows } from "../../warehouse/ring-buffer/row-writer.ts";
import { misfit } from "../source/exact-text.ts";
import { mysqlProblem } from "./problem.ts";
import { connectionOptions, session } from "./session.ts";
import type { MysqlSettings } from "./settings.ts";
import { valueReader } from "./values.ts";

export interface MysqlThreadInput {
  readonly settings: MysqlSettings;
  readonly sql: string;
  readonly parameters: readonly string[];
  readonly columns: readonly WarehouseColumn[];
}

type Bytes = Buffer | null;

export const read: ReadRows<MysqlThreadInput> = async ({ settings, sql, parameters, columns }, ring) => {
  const rows = openRowWriter(ring);
  const readers = columns.map(valueReader);
  const connectTo = await connectionOptions(settings).catch((error) => {
    throw mysqlProblem(settings, error);
  });
  const connection = mysql.createConnection({
    ...connectTo,
    rowsAsArray: true,
    typeCast: (field: { buffer(): Bytes }) => field.buffer(),
  });

  try {
    for (const statement of [...session, "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY"]) {
      await connection.promise().query(statement);
    }
    await new Promise<void>((done, fail) => {
      const query = connection.query(sql, [...parameters]);
      query.on("error", fail);
      // A lost connection is only reported here.
      connection.on("error", fail);
      query.on("end", () => done());
      // `row` blocks this thread while the ring buffer is full. The server then waits for the socket.
      query.on("result", (row: unknown) => writeRow(row as readonly Bytes[]));
    });
    rows.end();
  } catch (error) {
    throw mysqlProblem(settings, error);
  } finally {
    connection.destroy();
  }

  function writeRow(row: readonly Bytes[]): void {
    const cells: CellValue[] = [];
    let received = 0;
    for (const [at, column] of columns.entries()) {
      const bytes = row[at] ?? null;
      const cell = bytes === null ? null : readers[at]?.(bytes);
      if (cell === undefined) {
        rows.reject(misfit(column, bytes?.toString()), asObject(columns, row));
        return;
      }
      cells.push(cell);
      received += bytes?.length ?? 0;
    }
    rows.received(received);
    rows.row(cells);
  }
};

function asObject(columns: readonly WarehouseColumn[], row: readonly Bytes[]): Record<string, unknown> {
  return Object.fromEntries(
    columns.map(({ name, type }, at) => [name, row[at]?.toString(type === "BLOB" ? "hex" : "utf8") ?? null]),
  );
}

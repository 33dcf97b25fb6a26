import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { SourceContext } from "../connectors/source/context.ts";
import { shownRow } from "../connectors/source/refused-text.ts";
import type { ConnectorSource, Since } from "../connectors/source/source.ts";
import { resolvePath } from "../protocol/files/folder-access.ts";
import type { Reject } from "../protocol/transfer.ts";
import { addRejects, createPendingRejects, pendingRejects } from "../transfer/rejects.ts";
import { castRows, createStage, stagedRows } from "../transfer/stage.ts";
import { createStagingSink } from "../transfer/staging-sink.ts";
import { Warehouse } from "../warehouse/warehouse.ts";
import { allowsLoopback } from "./loopback.ts";

export interface SourceRows {
  /** Sorted rows in the types of the warehouse, as DuckDB's JSON values. */
  readonly rows: readonly (readonly unknown[])[];
  readonly types: readonly string[];
  readonly rejects: readonly Reject[];
}

export interface SourceHarness {
  readonly folder: string;
  readonly context: SourceContext;
  /** Reads a dataset as a run does: through the staging sink, cast to warehouse types. */
  read(
    source: ConnectorSource,
    dataset: string,
    some?: { columns?: readonly string[]; since?: Since; signal?: AbortSignal },
  ): Promise<SourceRows>;
}

/** A real warehouse to read into, and a folder for the files of sources. Both are deleted after the test. */
export async function openSourceHarness(t: Pick<TestContext, "after">): Promise<SourceHarness> {
  const folder = await mkdtemp(join(tmpdir(), "source-"));
  const warehouse = await Warehouse.open({
    folder: await mkdtemp(join(folder, "warehouse-")),
    memoryMb: 256,
    threads: 2,
  });
  t.after(async () => {
    warehouse.close();
    await rm(folder, { recursive: true });
  });
  const never = new AbortController().signal;
  return {
    folder,
    context: {
      signal: never,
      egress: allowsLoopback,
      resolvePath: (path) => resolvePath(path, { granted: [folder], dataFolder: warehouse.folder }),
      temporaryFolder: warehouse.stagingFolder,
      diskReserveMb: 0,
      openExternal: (access) => warehouse.openExternal(access),
    },
    async read(source, dataset, { columns: names, since, signal = never } = {}) {
      const description = await source.describe(dataset);
      const all = [...description.columns, ...(description.hidden ?? [])];
      const columns = names
        ? names.flatMap((name) => all.filter((column) => column.name === name))
        : description.columns;
      const connection = await warehouse.connect();
      try {
        await connection.run("BEGIN");
        await createPendingRejects(connection);
        await createStage(connection, columns);
        const sink = createStagingSink({
          warehouse,
          connection,
          table: stagedRows,
          columns,
          signal,
          onProgress: () => {},
        });
        await source.read({ dataset, columns, since, into: sink, signal });
        await addRejects(connection, sink.rejects, []);
        const { relation } = await castRows(connection, columns, []);
        const described = await connection.runAndReadAll(`DESCRIBE ${relation}`);
        const read = await connection.runAndReadAll(`SELECT * FROM ${relation} ORDER BY ALL`);
        const rejects = await connection.runAndReadAll(
          `SELECT reason, "row" FROM ${pendingRejects} ORDER BY ALL`,
        );
        return {
          rows: read.getRowsJson(),
          types: described.getRowsJson().map((row) => String(row[1])),
          rejects: rejects
            .getRowsJson()
            .map(([reason, row]) => ({ reason: String(reason), row: shownRow(JSON.parse(String(row))) })),
        };
      } finally {
        connection.closeSync();
      }
    },
  };
}

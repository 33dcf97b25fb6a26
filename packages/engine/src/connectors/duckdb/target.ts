import { dirname } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { ConnectionConfig } from "../../protocol/transfer.ts";
import { withFileMutex } from "../../warehouse/file-mutex.ts";
import { literal } from "../../warehouse/names.ts";
import { requireForeignName } from "../target/checkpoint-table.ts";
import type { TargetContext } from "../target/context.ts";
import { fileProblem, withExternalDuckdb } from "../target/external-duckdb.ts";
import { findings } from "../target/findings.ts";
import { pathExists, requireWritable, targetPath } from "../target/paths.ts";
import { schemaAndTable } from "../target/table-names.ts";
import type { ConnectorTarget } from "../target/target.ts";
import { openDuckdbSource } from "./source.ts";
import { attachedName, DuckdbTargetTable, existingColumns } from "./target-table.ts";

/** A DuckDB file as a target. It is open only while it is worked with: DuckDB lets in one writer, and nobody beside it. */
export async function openDuckdbTarget(
  connection: ConnectionConfig,
  context: TargetContext,
): Promise<ConnectorTarget> {
  const path = await targetPath(connection, context.ownFolder);
  const source = () => openDuckdbSource({ path }, context);
  const within = <Result>(
    mode: "read" | "write",
    work: (outside: DuckDBConnection) => Promise<Result>,
    signal = context.signal,
  ) =>
    withFileMutex(path, () =>
      withExternalDuckdb(context, signal, async (outside) => {
        try {
          const options = mode === "read" ? " (READ_ONLY)" : "";
          await outside.run(`ATTACH ${literal(path)} AS ${attachedName}${options}`);
          return await work(outside);
        } catch (error) {
          throw fileProblem(path, error);
        }
      }),
    );
  return {
    check: (names) =>
      findings(
        async () => {
          if (await pathExists(path)) {
            await within("write", async () => {});
            return `can open and write ${path}`;
          }
          await requireWritable(dirname(path));
          return `${path} will be made by the first run`;
        },
        names,
        async (name) => {
          const place = placeOf(name);
          const columns = (await pathExists(path))
            ? await within("read", (outside) => existingColumns(outside, place))
            : undefined;
          return columns
            ? `can write ${name}, which has ${columns.length} columns`
            : `${name} will be made by the first run`;
        },
      ),
    async discover() {
      return (await pathExists(path)) ? (await source()).discover() : [];
    },
    async table(destination) {
      const place = placeOf(destination.name);
      return new DuckdbTargetTable({ destination, place, within, source, isThere: () => pathExists(path) });
    },
    async close() {},
  };
}

function placeOf(name: string) {
  const place = schemaAndTable(name, "main");
  requireForeignName(place.table);
  return place;
}

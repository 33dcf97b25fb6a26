import { dirname } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { counted } from "@lakehelm/contract/text";
import type { ConnectionConfig } from "../../protocol/transfer.ts";
import { withFileMutex } from "../../warehouse/file-mutex.ts";
import { literal } from "../../warehouse/names.ts";
import { runChecks } from "../checks.ts";
import { shareDatabase } from "../file-modes.ts";
import { requireOpened } from "../opened-file.ts";
import { requireUnreservedName } from "../target/checkpoint-table.ts";
import type { TargetContext } from "../target/context.ts";
import { fileProblem, withExternalDuckdb } from "../target/external-duckdb.ts";
import { pathExists, requireWritable, targetPath } from "../target/paths.ts";
import { schemaAndTable } from "../target/table-names.ts";
import type { ConnectorTarget } from "../target/target.ts";
import { resolveDuckdbFile } from "./file.ts";
import { openDuckdbSource } from "./source.ts";
import { attachedName, DuckdbTargetTable, existingColumns } from "./target-table.ts";

/** A DuckDB file as a target. It is open only while it is used, because DuckDB allows either one writer or several readers. */
export async function openDuckdbTarget(
  connection: ConnectionConfig,
  context: TargetContext,
): Promise<ConnectorTarget> {
  const path = await targetPath(connection, context);
  const source = () => openDuckdbSource({ path }, context);
  async function withFile<Result>(
    mode: "read" | "write",
    work: (external: DuckDBConnection) => Promise<Result>,
    options?: { readonly signal: AbortSignal; readonly stage: string },
  ): Promise<Result> {
    const file = await resolveDuckdbFile(path, context);
    const databases = [file, options?.stage ?? []].flat();
    return withFileMutex(file, async () => {
      const isNew = !(await pathExists(file));
      return withExternalDuckdb(
        context,
        { databases },
        options?.signal ?? context.signal,
        async (external) => {
          try {
            const access = mode === "read" ? " (READ_ONLY)" : "";
            await external.run(`ATTACH ${literal(file)} AS ${attachedName}${access}`);
            requireOpened(file);
            if (isNew) await shareDatabase(file);
            return await work(external);
          } catch (error) {
            throw fileProblem(path, error);
          }
        },
      );
    });
  }
  return {
    check: (names) =>
      runChecks(
        async () => {
          if (await pathExists(path)) {
            await withFile("write", async () => {});
            return `can open and write ${path}`;
          }
          await requireWritable(dirname(path));
          return `${path} will be created by the first run`;
        },
        names.map((name) => async () => {
          const tableName = tableNameOf(name);
          const columns = (await pathExists(path))
            ? await withFile("read", (external) => existingColumns(external, tableName))
            : undefined;
          return columns
            ? `can write ${name}, which has ${counted(columns.length, "column")}`
            : `${name} will be created by the first run`;
        }),
      ),
    async discover() {
      return (await pathExists(path)) ? (await source()).discover() : [];
    },
    async table(destination) {
      return new DuckdbTargetTable({
        destination,
        tableName: tableNameOf(destination.name),
        withFile,
        source,
        fileExists: () => pathExists(path),
      });
    },
    async close() {},
  };
}

function tableNameOf(name: string) {
  const tableName = schemaAndTable(name, "main");
  requireUnreservedName(tableName.table);
  return tableName;
}

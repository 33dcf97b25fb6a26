import { DataProblem } from "../../../protocol/problem.ts";
import type { DatasetDescription } from "../../../protocol/transfer.ts";
import { literal, quote } from "../../../warehouse/names.ts";
import type { ConnectorSource } from "../../source/source.ts";
import { watermarkCandidates } from "../../source/watermark-candidates.ts";
import { type FileManifest, manifestColumns } from "./manifest.ts";
import type { TargetFileFormat } from "./target-format.ts";
import type { TargetStore } from "./target-store.ts";

/** The files of a target as a source, in the types of its manifest instead of inferred ones. */
export function manifestSource(
  name: string,
  format: TargetFileFormat,
  files: readonly string[],
  store: Pick<TargetStore, "withFiles" | "shown">,
  manifest: FileManifest,
): ConnectorSource {
  const columns = manifestColumns(manifest);
  const describe = async (dataset: string) => {
    if (dataset !== name)
      throw new DataProblem(`There is no dataset ${JSON.stringify(dataset)} in these files.`);
    return describeFiles(name, manifest);
  };
  return {
    async check() {
      return files.map((file) => ({ ok: true, sentence: `can read ${store.shown(file)}` }));
    },
    discover: async () => [describeFiles(name, manifest)],
    describe,
    async read({ columns: selected, since, into }) {
      const values = selected.map((column) => `${format.value(column)} AS ${quote(column.name)}`).join(", ");
      const watermark = columns.find((column) => column.name === since?.column);
      const value = watermark && format.value(watermark);
      const where =
        since && watermark
          ? ` WHERE ${value} >= CAST(${literal(since.value)} AS ${watermark.type}) OR ${value} IS NULL`
          : "";
      await store.withFiles(files, async (paths) => {
        const stored = await format.selectStored(paths, columns);
        await into.fromQuery({ files: paths }, `SELECT ${values} FROM (${stored})${where}`);
      });
    },
    async close() {},
  };
}

export function describeFiles(name: string, manifest: FileManifest): DatasetDescription {
  const columns = manifestColumns(manifest).map((column) => ({ ...column, nullable: true }));
  return {
    name,
    columns,
    primary_keys: [],
    watermark_candidates: watermarkCandidates(columns, []),
    rows: manifest.rows,
  };
}

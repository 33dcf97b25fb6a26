import { DataProblem } from "../../../protocol/problem.ts";
import { literal, quote } from "../../../warehouse/names.ts";
import type { DatasetDescription, Source } from "../../source/source.ts";
import { watermarkCandidates } from "../../source/watermark-candidates.ts";
import { type FilesLedger, keptColumns } from "./manifest.ts";
import type { FileFormat } from "./target-format.ts";

/** The files of a target as a source: in the types that its ledger has, not in those that they look like. */
export function filesSource(
  name: string,
  format: FileFormat,
  files: readonly string[],
  ledger: FilesLedger,
): Source {
  const columns = keptColumns(ledger);
  const describe = async (dataset: string) => {
    if (dataset !== name) throw new DataProblem(`There is no ${JSON.stringify(dataset)} in these files.`);
    return offeredFiles(name, ledger);
  };
  return {
    async check() {
      return files.map((file) => ({ ok: true, sentence: `can read ${file}` }));
    },
    discover: async () => [offeredFiles(name, ledger)],
    describe,
    async read({ columns: wanted, since, into }) {
      const values = wanted.map((column) => `${format.value(column)} AS ${quote(column.name)}`).join(", ");
      const marked = columns.find((column) => column.name === since?.column);
      const mark = marked && format.value(marked);
      const only =
        since && marked
          ? ` WHERE ${mark} >= CAST(${literal(since.value)} AS ${marked.type}) OR ${mark} IS NULL`
          : "";
      await into.fromQuery(`SELECT ${values} FROM (${await format.reading(files, columns)})${only}`);
    },
    async close() {},
  };
}

export function offeredFiles(name: string, ledger: FilesLedger): DatasetDescription {
  const columns = keptColumns(ledger).map((column) => ({ ...column, nullable: true }));
  return {
    name,
    columns,
    primary_keys: [],
    watermark_candidates: watermarkCandidates(columns, []),
    rows: ledger.rows,
  };
}

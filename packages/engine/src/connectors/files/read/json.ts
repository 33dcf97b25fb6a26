import { DataProblem } from "../../../protocol/problem.ts";
import { JsonColumns } from "../../source/json/columns.ts";
import { isRecord, parseExact } from "../../source/json/exact-json.ts";
import { withDeclaredTypes } from "./declared-types.ts";
import { modifiedColumn } from "./file-columns.ts";
import type { OpenedFile } from "./file-store.ts";
import type { FormatReader } from "./format-reader.ts";
import { formatProblem, type TimeFormats, timeConverter } from "./formatted-times.ts";
import type { JsonFile, JsonThreadInput } from "./json-thread.ts";
import { partitionsOf } from "./partitions.ts";
import { recordTexts } from "./record-texts.ts";

const thread = new URL("./json-thread.ts", import.meta.url);

/** Columns and types are inferred from this many records, some from each file. */
const sampleRecords = 20_000;
const minRecordsPerFile = 20;

export function jsonReader({ dateFormat, timestampFormat }: TimeFormats): FormatReader {
  const formats = { dateFormat, timestampFormat };
  for (const [option, pattern] of Object.entries(formats)) {
    const problem = formatProblem(pattern ?? "");
    if (problem) throw new DataProblem(`connection.config.options.${option}: ${problem}`);
  }
  const convert = timeConverter(formats);
  return {
    open: (files, _, work) => work(files),
    lines: { startOf: async () => Buffer.alloc(0) },
    collect(fileCount) {
      const columns = new JsonColumns();
      const limit = Math.max(minRecordsPerFile, Math.floor(sampleRecords / fileCount));
      return {
        async add(files) {
          for (const file of files) await sample(file, columns, limit, convert);
        },
        columns: () => columns.columns(),
      };
    },
    declares: (columns, dataset, declared) =>
      withDeclaredTypes(columns, declared, { dataset, origin: "JSON", complete: false }),
    async read(opened, { into, columns, since }) {
      const files = opened.map(({ path, name, size, modified, lineOffset }): JsonFile => {
        const partitions = partitionsOf(name);
        const values = columns.flatMap((column): [string, string | null][] => {
          const partition = partitions.get(column.name.toLowerCase());
          return partition ? [[column.name, partition.value]] : [];
        });
        return {
          path,
          name,
          size,
          lineOffset,
          values: { ...Object.fromEntries(values), [modifiedColumn.name]: modified },
        };
      });
      const type = columns.find(({ name }) => name === since?.column)?.type ?? "VARCHAR";
      const input: JsonThreadInput = { files, columns, since: since && { ...since, type }, formats };
      await into.fromThread(thread, input);
    },
    value: ({ name }) => name,
  };
}

/** Text that is not a record is skipped here, and rejected when it is read. */
async function sample(
  { path, isExcerpt }: OpenedFile,
  columns: JsonColumns,
  limit: number,
  convert: ReturnType<typeof timeConverter>,
): Promise<void> {
  let count = 0;
  try {
    for await (const { text } of recordTexts(path)) {
      try {
        const record = parseExact(text);
        if (isRecord(record)) columns.add(convert(record));
      } catch {}
      count += 1;
      if (count === limit) return;
    }
  } catch (error) {
    // An excerpt ends in the middle of a record.
    if (!isExcerpt || count === 0) throw error;
  }
}

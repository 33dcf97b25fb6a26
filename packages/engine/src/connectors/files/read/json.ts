import { DataProblem } from "../../../protocol/problem.ts";
import { JsonColumns } from "../../source/json/columns.ts";
import { isRecord, parseExact } from "../../source/json/exact-json.ts";
import { withDeclaredTypes } from "./declared-types.ts";
import type { ListedFile } from "./file-listing.ts";
import type { FormatReader } from "./format-reader.ts";
import { formatProblem, type TimeFormats, timeConverter } from "./formatted-times.ts";
import type { JsonThreadInput } from "./json-thread.ts";
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
    async columns(files) {
      const columns = new JsonColumns();
      const limit = Math.max(minRecordsPerFile, Math.floor(sampleRecords / files.length));
      for (const file of files) await sample(file, columns, limit, convert);
      return columns.columns();
    },
    declares: (columns, dataset, declared) =>
      withDeclaredTypes(columns, declared, { dataset, origin: "JSON", complete: false }),
    async read(files, { into, columns, since }) {
      const type = columns.find(({ name }) => name === since?.column)?.type ?? "VARCHAR";
      const input: JsonThreadInput = { files, columns, since: since && { ...since, type }, formats };
      await into.fromThread(thread, input);
    },
    value: ({ name }) => name,
  };
}

/** Text that is not a record is skipped here, and rejected when it is read. */
async function sample(
  { path }: ListedFile,
  columns: JsonColumns,
  limit: number,
  convert: ReturnType<typeof timeConverter>,
): Promise<void> {
  let count = 0;
  for await (const { text } of recordTexts(path)) {
    try {
      const record = parseExact(text);
      if (isRecord(record)) columns.add(convert(record));
    } catch {}
    count += 1;
    if (count === limit) return;
  }
}

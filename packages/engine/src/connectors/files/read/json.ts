import { JsonColumns } from "../../source/json/columns.ts";
import { isRecord, parseExact } from "../../source/json/exact-json.ts";
import type { ListedFile } from "./file-listing.ts";
import type { FormatReader } from "./format-reader.ts";
import type { JsonThreadInput } from "./json-thread.ts";
import { recordTexts } from "./record-texts.ts";

const thread = new URL("./json-thread.ts", import.meta.url);

/** Columns and types are inferred from this many records, some from each file. */
const sampleRecords = 20_000;
const minRecordsPerFile = 20;

export const jsonReader: FormatReader = {
  async columns(files) {
    const columns = new JsonColumns();
    const limit = Math.max(minRecordsPerFile, Math.floor(sampleRecords / files.length));
    for (const file of files) await sample(file, columns, limit);
    return columns.columns();
  },
  async read(files, { into, columns, since }) {
    const type = columns.find(({ name }) => name === since?.column)?.type ?? "VARCHAR";
    const input: JsonThreadInput = { files, columns, since: since && { ...since, type } };
    await into.fromThread(thread, input);
  },
  value: ({ name }) => name,
};

/** Text that is not a record is skipped here, and rejected when it is read. */
async function sample({ path }: ListedFile, columns: JsonColumns, limit: number): Promise<void> {
  let count = 0;
  for await (const { text } of recordTexts(path)) {
    try {
      const record = parseExact(text);
      if (isRecord(record)) columns.add(record);
    } catch {}
    count += 1;
    if (count === limit) return;
  }
}

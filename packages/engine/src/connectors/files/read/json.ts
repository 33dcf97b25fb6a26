import { JsonColumns } from "../../source/json/columns.ts";
import { isRecord, parseExact } from "../../source/json/exact-json.ts";
import type { ListedFile } from "./file-listing.ts";
import type { FormatReader } from "./format-reader.ts";
import type { JsonReading } from "./json-thread.ts";
import { recordTexts } from "./record-texts.ts";

const thread = new URL("./json-thread.ts", import.meta.url);

/** Columns and types are inferred from this many records, some from each file. */
const sampleRecords = 20_000;
const fewestOfFile = 20;

export const jsonReader: FormatReader = {
  async columns(files) {
    const columns = new JsonColumns();
    const most = Math.max(fewestOfFile, Math.floor(sampleRecords / files.length));
    for (const file of files) await sample(file, columns, most);
    return columns.columns();
  },
  async read(files, { into, columns, since }) {
    const type = columns.find(({ name }) => name === since?.column)?.type ?? "VARCHAR";
    const reading: JsonReading = { files, columns, since: since && { ...since, type } };
    await into.fromThread(thread, reading);
  },
  value: ({ name }) => name,
};

/** Text that is not a record is skipped here, and rejected when it is read. */
async function sample({ path }: ListedFile, columns: JsonColumns, most: number): Promise<void> {
  let seen = 0;
  for await (const { text } of recordTexts(path)) {
    try {
      const record = parseExact(text);
      if (isRecord(record)) columns.add(record);
    } catch {}
    seen += 1;
    if (seen === most) return;
  }
}

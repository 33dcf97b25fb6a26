/** The thread that reads an API, page by page. */
import { openRowWriter, threadData } from "../../warehouse/ring-buffer/row-writer.ts";
import { textOf } from "../source/json/cells.ts";
import { isRecord } from "../source/json/exact-json.ts";
import { type RecordWriterOptions, recordWriter } from "../source/json/record-writer.ts";
import { pages } from "./pages.ts";
import type { RestSettings } from "./settings.ts";

export interface RestReading extends RecordWriterOptions {
  readonly settings: RestSettings;
  readonly address: string;
}

const { settings, address, ...taking } = threadData<RestReading>();
const rows = openRowWriter();
const take = recordWriter(rows, taking);
const never = new AbortController().signal;
for await (const { records, bytes } of pages(address, settings, never)) {
  rows.received(bytes);
  for (const record of records) {
    if (isRecord(record)) take(record);
    else
      rows.reject("the list of records contains something that is not a record", {
        _text: textOf(record).slice(0, 10_000),
      });
  }
}
rows.end();

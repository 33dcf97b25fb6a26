/** The thread that reads an API, page by page. */
import { openRowWriter, threadData } from "../../warehouse/ring-buffer/row-writer.ts";
import { textOf } from "../source/json/cells.ts";
import { isRecord } from "../source/json/exact-json.ts";
import { type RecordWriterOptions, recordWriter } from "../source/json/record-writer.ts";
import { pages } from "./pages.ts";
import type { RestSettings } from "./settings.ts";

export interface RestThreadInput extends RecordWriterOptions {
  readonly settings: RestSettings;
  readonly address: string;
}

const { settings, address, ...options } = threadData<RestThreadInput>();
const rows = openRowWriter();
const writeRecord = recordWriter(rows, options);
const neverAborted = new AbortController().signal;
for await (const { records, bytes } of pages(address, settings, neverAborted)) {
  rows.received(bytes);
  for (const record of records) {
    if (isRecord(record)) writeRecord(record);
    else
      rows.reject("the list of records contains something that is not a record", {
        _text: textOf(record).slice(0, 10_000),
      });
  }
}
rows.end();

/** Reads an API in a worker thread, page by page. */
import { openRowWriter, type ReadRows } from "../../warehouse/ring-buffer/row-writer.ts";
import { textOf } from "../source/json/cells.ts";
import { isRecord, type JsonRecord } from "../source/json/exact-json.ts";
import { type RecordWriterOptions, recordWriter } from "../source/json/record-writer.ts";
import { readDataset } from "./dataset-reader.ts";
import type { RestSettings } from "./settings.ts";

export interface RestThreadInput extends RecordWriterOptions {
  readonly settings: RestSettings;
  readonly dataset: string;
}

const neverAborted = new AbortController().signal;
const shown = (keys: JsonRecord) =>
  Object.fromEntries(
    Object.entries(keys).map(([name, value]) => [name, value === null ? null : textOf(value)]),
  );

export const read: ReadRows<RestThreadInput> = async ({ settings, dataset, ...options }, ring) => {
  const rows = openRowWriter(ring);
  const writeRecord = recordWriter(rows, options);
  await readDataset(
    settings,
    dataset,
    options.since,
    {
      onPage({ records, bytes }, keys) {
        rows.received(bytes);
        for (const record of records) {
          // The columns of the parent come first, and keep the values of the parent.
          if (isRecord(record)) writeRecord({ ...keys, ...record, ...keys });
          else
            rows.reject("the list of records contains something that is not a record", {
              ...shown(keys),
              _text: textOf(record).slice(0, 10_000),
            });
        }
        return true;
      },
      onReject: (reason, keys) => rows.reject(reason, shown(keys)),
      onBytes: (bytes) => rows.received(bytes),
    },
    neverAborted,
  );
  rows.end();
};

/** Reads JSON files in a worker thread. */
import { openRowWriter, type ReadRows } from "../../../warehouse/ring-buffer/row-writer.ts";
import { isRecord, parseExact } from "../../source/json/exact-json.ts";
import { type RecordWriterOptions, recordWriter } from "../../source/json/record-writer.ts";
import { type TimeFormats, timeConverter } from "./formatted-times.ts";
import { type RecordText, recordTexts } from "./record-texts.ts";

export interface JsonFile {
  readonly path: string;
  /** For messages. */
  readonly name: string;
  readonly size: number;
  /** Added to line numbers. */
  readonly lineOffset?: number | undefined;
  /** The values of its columns that are not in its records: the time of the file, its partitions. */
  readonly values: Readonly<Record<string, string | null>>;
}

export interface JsonThreadInput extends RecordWriterOptions {
  readonly files: readonly JsonFile[];
  readonly formats: TimeFormats;
}

export const read: ReadRows<JsonThreadInput> = async ({ files, formats, ...options }, ring) => {
  const rows = openRowWriter(ring);
  const convert = timeConverter(formats);
  const times = new Map(
    options.columns.flatMap(({ name, type }) =>
      /^(DATE|TIMESTAMP)/.test(type) ? [[name, type === "DATE" ? "day" : "time"] as const] : [],
    ),
  );
  const writeRecord = recordWriter(rows, options);
  for (const file of files) {
    rows.received(file.size);
    for await (const record of recordTexts(file.path)) writeText(file, record);
  }
  rows.end();

  function writeText({ name, values, lineOffset = 0 }: JsonFile, { text, line: at }: RecordText): void {
    const line = at + lineOffset;
    const record = tryParse(text);
    if (isRecord(record)) {
      const converted = convert(record, (field) => times.get(field));
      writeRecord({ ...values, ...converted }, `line ${line} of ${name}`);
    } else
      rows.reject(`line ${line} of ${name} is not a JSON object`, {
        _file: name,
        _line: line,
        _text: text.slice(0, 10_000),
      });
  }
};

function tryParse(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

/** The thread that reads JSON files. */
import { stat } from "node:fs/promises";
import { openRowWriter, threadData } from "../../../warehouse/ring-buffer/row-writer.ts";
import { isRecord, parseExact } from "../../source/json/exact-json.ts";
import { type RecordWriterOptions, recordWriter } from "../../source/json/record-writer.ts";
import { fileModified } from "./file-columns.ts";
import type { ListedFile } from "./file-listing.ts";
import { type RecordText, recordTexts } from "./record-texts.ts";

export interface JsonReading extends RecordWriterOptions {
  readonly files: readonly ListedFile[];
}

const { files, ...taking } = threadData<JsonReading>();
const rows = openRowWriter();
const take = recordWriter(rows, taking);
for (const file of files) {
  for await (const record of recordTexts(file.path)) takeText(file, record);
  rows.received((await stat(file.path)).size);
}
rows.end();

function takeText({ name, modified }: ListedFile, { text, line }: RecordText): void {
  const record = parsed(text);
  if (isRecord(record)) take({ ...record, [fileModified.name]: modified });
  else
    rows.reject(`line ${line} of ${name} is not a JSON object`, {
      _file: name,
      _line: line,
      _text: text.slice(0, 10_000),
    });
}

function parsed(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

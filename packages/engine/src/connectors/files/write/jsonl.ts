import type { WarehouseColumn } from "../../../protocol/column.ts";
import { literal } from "../../../warehouse/names.ts";
import { recordOf } from "../../target/json-records.ts";
import { kindOf, valueFrom } from "../../target/type-kinds.ts";
import { readLimits } from "./csv.ts";
import type { TargetFileFormat } from "./target-format.ts";

/** A character that JSON always escapes. As delimiter it keeps each line in one piece. */
const delimiter = "\u0001";

/** One JSON object per line. Numbers that a double cannot hold are strings, because most JSON readers would lose digits. */
export const jsonl: TargetFileFormat = {
  extension: "jsonl",
  storedFields: (columns) => [{ name: "line", sql: recordOf(columns, "texts") }],
  copyOptions: `(FORMAT csv, HEADER false, DELIMITER '${delimiter}', QUOTE '', ESCAPE '')`,
  selectStored: async (files) =>
    `SELECT line FROM read_csv([${files.map(literal).join(", ")}], auto_detect = false, header = false, delim = '${delimiter}', quote = '', escape = '', new_line = '\\n', ${readLimits}, columns = {'line': 'VARCHAR'})`,
  value: ({ name, type }: WarehouseColumn) => {
    const path = literal(`/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`);
    if (kindOf(type) !== "json") return valueFrom(type, `json_extract_string(line, ${path})`);
    return `CASE WHEN json_type(line, ${path}) <> 'NULL' THEN json_extract(line, ${path}) END`;
  },
};

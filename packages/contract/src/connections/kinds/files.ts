import { oneOf, options } from "../fields.ts";
import { folder } from "./folders.ts";
import type { ConnectionKind } from "./kind.ts";

export const files: ConnectionKind = {
  ...folder("files", "files"),
  source: {
    fields: { format: oneOf("csv", "json", "parquet", "avro"), options: options() },
    byEngine: true,
    byGeneratedCode: true,
  },
};

import { folder } from "./folders.ts";
import type { ConnectionKind } from "./kind.ts";

export const parquet: ConnectionKind = {
  ...folder("parquet", "Parquet files"),
  target: { byEngine: true, holds: "files" },
};

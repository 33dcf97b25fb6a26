import { folder } from "./folders.ts";
import type { ConnectionKind } from "./kind.ts";

export const csv: ConnectionKind = {
  ...folder("csv", "CSV files"),
  target: { byEngine: true, holds: "files" },
};

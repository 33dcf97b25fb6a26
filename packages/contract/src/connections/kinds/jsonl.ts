import { folder } from "./folders.ts";
import type { ConnectionKind } from "./kind.ts";

export const jsonl: ConnectionKind = {
  ...folder("jsonl", "JSONL files"),
  target: { byEngine: true, holds: "files" },
};

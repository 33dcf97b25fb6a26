import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { suite, test } from "node:test";
import { killAtEveryStep } from "./testing/killing.ts";
import { Writing } from "./testing/writing.ts";

suite("a process that is killed while it writes", () => {
  for (const type of ["sqlite", "duckdb", "csv", "jsonl", "parquet"]) {
    test(`${type}: the next run ends in the same state`, async (t) => {
      const endings: (() => Promise<void>)[] = [];
      t.after(async () => {
        for (const end of endings) await end();
      });
      const writing = await Writing.start(endings);
      const isFolder = type !== "sqlite" && type !== "duckdb";
      const path = join(writing.folder, isFolder ? "out" : `crm.${type}`);
      if (isFolder) await mkdir(path);
      await killAtEveryStep(writing, { type, config: { path } });
    });
  }
});

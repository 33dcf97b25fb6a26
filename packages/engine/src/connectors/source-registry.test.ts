import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { DataProblem } from "../protocol/problem.ts";
import { openSourceHarness } from "../testing/source-harness.ts";
import { openSource } from "./source-registry.ts";

describe("opening a source", () => {
  it("opens the source of the connection's type", async (t) => {
    const { context, folder } = await openSourceHarness(t);
    const missing = join(folder, "none");
    const files = join(folder, "files");
    await mkdir(files);
    const unreachable = { host: "127.0.0.1", port: 1, database: "x", user: "y", password: "z" };
    for (const [type, config, sentence] of [
      ["postgres", unreachable, /^Cannot connect to x at 127\.0\.0\.1:1 as y/],
      ["postgresql", unreachable, /^Cannot connect to x at 127\.0\.0\.1:1 as y/],
      ["mysql", unreachable, /^127\.0\.0\.1:1 cannot be reached: connect ECONNREFUSED/],
      ["sqlite", { path: missing }, /none: there is no such file \(SQLite:/],
      ["duckdb", { path: missing }, /none cannot be read: Cannot open database/],
      ["files", { path: files, format: "csv" }, /^can open the folder/],
      ["rest", { url: "http://127.0.0.1:1" }, /^http:\/\/127\.0\.0\.1:1 cannot be reached/],
    ] as const) {
      const source = await openSource({ type, config }, context);
      const [first] = await source.check([]);
      assert.match(first?.sentence ?? "", sentence, type);
      await source.close();
    }
  });

  it("an unknown type is an error that lists the available types", async (t) => {
    const { context } = await openSourceHarness(t);
    await assert.rejects(
      openSource({ type: "sqlit", config: {} }, context),
      new DataProblem(
        'Unknown source type "sqlit". Available types: postgresql, mysql, sqlite, duckdb, files, rest. Did you mean sqlite?',
      ),
    );
    await assert.rejects(openSource({ type: "constructor", config: {} }, context), DataProblem);
  });

  it("a system for which code can only be generated is refused with that reason", async (t) => {
    const { context } = await openSourceHarness(t);
    await assert.rejects(
      openSource({ type: "sqlserver", config: {} }, context),
      /^Error: The embedded platform does not read SQL Server\. Code for it can be generated .* run on Databricks\./,
    );
  });
});

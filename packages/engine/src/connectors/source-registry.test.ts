import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DataProblem } from "../protocol/problem.ts";
import { openSourceHarness } from "../testing/source-harness.ts";
import { openSource } from "./source-registry.ts";

describe("opening a source", () => {
  it("goes by the connection's type", async (t) => {
    const { context, folder } = await openSourceHarness(t);
    for (const [type, config] of [
      ["postgres", { host: "127.0.0.1", database: "x", user: "y", password: "z" }],
      ["postgresql", { host: "127.0.0.1", database: "x", user: "y", password: "z" }],
      ["mysql", { host: "127.0.0.1", database: "x" }],
      ["sqlite", { path: "/none" }],
      ["duckdb", { path: "/none" }],
      ["files", { path: folder, format: "csv" }],
      ["rest", { url: "http://127.0.0.1:1" }],
    ] as const) {
      const source = await openSource({ type, config }, context);
      await source.close();
    }
  });

  it("names the types there are", async (t) => {
    const { context } = await openSourceHarness(t);
    await assert.rejects(
      openSource({ type: "sqlit", config: {} }, context),
      new DataProblem(
        'Nothing can be read from the type "sqlit": it is none of postgresql, mysql, sqlite, duckdb, files, rest. Did you mean sqlite?',
      ),
    );
    await assert.rejects(openSource({ type: "constructor", config: {} }, context), DataProblem);
  });
});

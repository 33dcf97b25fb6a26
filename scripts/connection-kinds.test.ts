/** Connection kinds are declared in one folder: no other code may decide anything by the name of a kind. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { connectionKinds, kindsFor, namesOf } from "@lakehelm/contract/connections";

/**
 * The folders and files that may contain names of kinds: the declarations, the drivers, the generators, and the lists
 * of both.
 */
const ownPlaces = [
  "packages/contract/src/connections/kinds/",
  "packages/engine/src/connectors/",
  "packages/codegen/src/ingestion/source-kinds.ts",
  "packages/codegen/src/ingestion/jdbc/jdbc-kinds.ts",
  "packages/codegen/src/reverse-etl/target-kinds.ts",
];
/** Names with a second meaning: databases of the control state, a dialect of queries, a format of answers. */
const otherMeanings = new Set(["postgres", "sqlite", "duckdb", "files", "csv", "jsonl", "parquet", "http"]);

test("no code outside of its places decides by the name of a kind", () => {
  const names = connectionKinds.flatMap(namesOf).filter((name) => !otherMeanings.has(name));
  // `rest` is also a common name for the rest of a list.
  const keys = names.filter((name) => name !== "rest");
  const quoted = `["'](?:${names.join("|")})["']`;
  const decision = new RegExp(
    `[!=]==? ${quoted}|case ${quoted}|includes\\(${quoted}|[[,] *${quoted} *[,\\]]|^\\s*(?:${keys.join("|")}): `,
  );
  const found = globSync("packages/*/src/**/*.{ts,tsx}")
    .filter(
      (path) => !/\.(?:test|engine|console|spark|security|databricks)\.tsx?$|\/testing\/|\/test-/.test(path),
    )
    .filter((path) => !/\/(?:conformance|fixtures|upgrade)\//.test(path))
    .filter((path) => !ownPlaces.some((place) => path.startsWith(place)))
    .flatMap((path) =>
      readFileSync(path, "utf8")
        .split("\n")
        .flatMap((line, at) => (decision.test(line) ? [`${path}:${at + 1}: ${line.trim()}`] : [])),
    );
  assert.deepEqual(found, []);
});

test("docs/reference/connectors.md has every kind in its tables, and no other one", () => {
  const text = readFileSync("docs/reference/connectors.md", "utf8");
  const rows = text.split("\n\n").find((block) => block.startsWith("| system")) ?? "";
  const column = (n: number) =>
    new Set(
      rows
        .split("\n")
        .flatMap((row) => [...(row.split("|")[n] ?? "").matchAll(/`(\w+)`/g)].map(([, name]) => name)),
    );
  const named = (role: "source" | "target") => new Set(kindsFor(role, "byEngine").map(({ name }) => name));
  assert.deepEqual(column(2), named("source"));
  assert.deepEqual(column(3), named("target"));
  const generatedOnly = connectionKinds.filter(
    ({ source, target }) => !source?.byEngine && !target?.byEngine,
  );
  const sentence = /^(.*): \[generated code\]/m.exec(text)?.[1]?.split(/, | and /);
  assert.deepEqual(
    sentence,
    generatedOnly.map(({ title }) => title),
  );
});

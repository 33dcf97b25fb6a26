/**
 * Messages say `1 row`, not "1 rows": source code that inserts a count before a plural noun must use `counted` or
 * handle 1.
 */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { counted, countedSentence } from "./index.ts";

const root = join(import.meta.dirname, "../../../..");
const nouns =
  "agents|apps|approvals|attempts|automations|batches|bytes|changes|characters|checks|columns|connectors|datasets|days|deployments|entries|environments|errors|events|failures|files|flows|folders|hours|items|keys|lines|members|messages|minutes|names|objects|pages|partitions|parts|pipelines|plans|policies|problems|queries|records|rejects|requests|resources|rows|runs|schedules|scopes|seconds|secrets|servers|slots|statements|steps|tables|tasks|times|tokens|users|values|versions|views|warnings";
const plural = new RegExp(
  `\\$\\{([^{}]*(?:\\{[^{}]*\\}[^{}]*)*)\\} (?:[a-z]+ )?(?:${nouns})(?![\\w:-]| (?:of|in|and|from) \\$)`,
  "g",
);

/** Files whose counts are always greater than one, such as page sizes and limits. */
const several = [
  "packages/engine/src/warehouse/queries/parquet-file.ts",
  "packages/engine/src/warehouse/queries/query-plan.ts",
  "packages/engine/src/connectors/mysql/stage.ts",
  "packages/spark-connect/src/grpc/frames.ts",
  "packages/schedule/src/cron/cron-expression.ts",
  "packages/console/src/pages/sql/outcome.tsx",
  "packages/console/src/pages/runs/timeline-view.tsx",
  "packages/cli/src/commands/query.ts",
  "scripts/make-upgrade-fixture.ts",
  "scripts/test.ts",
];

/** Limits and other constants, which are greater than one. */
const constant =
  /^(?:\w+\.)*(?:max|most|least|longest|kept|reserved|PLATFORM_)\w*$|^limits?\b|^\w*(?:[lL]imit|[tT]imeout)\w*(?:Ms)?(?: \/ [\d_]+)?$|\b(?:max|most|least|longest|limits?)\w*(?: \/ [\d_]+)*$|Ms \/ [\d_]+$/;
/** Expressions that look like a count before a plural noun, such as names before verbs: \`${name} names …\`. */
const isCount = (expression: string): boolean =>
  /^(?:[\w.?![\]() -]*\b(?:length|size|count|total|rows|n|found|files|bytes|left|done|failed|failures|step|hours|parts|tables|tokens|records|number)\b[\w.?!\])]*|\w*(?:Rows|Count|Files|Bytes|Lines)|rows_\w+|to - from \+ 1)$/.test(
    expression,
  );
/** Whether the line handles a count of 1. */
const hasCaseForOne = (line: string): boolean => /(?:=== ?1|> ?1|!== ?1) ?\?|=== 1 &&/.test(line);

test("a count before a plural is written by `counted`", () => {
  let read = 0;
  const wrong = globSync(["packages/*/src/**/*.{ts,tsx}", "scripts/*.ts"], { cwd: root }).flatMap((file) => {
    if (/\.(?:test|engine|spark|console|security|databricks)\.ts$|\/testing\/|\/conformance\//.test(file))
      return [];
    // Generated notebooks build their messages themselves.
    if (file.startsWith("packages/codegen/") || file === "scripts/soak.ts" || several.includes(file))
      return [];
    read += 1;
    const lines = readFileSync(join(root, file), "utf8").split("\n");
    return lines.flatMap((line, at) =>
      [...line.matchAll(plural)].flatMap(([text, expression = ""]) =>
        isCount(expression.trim()) &&
        !constant.test(expression.trim()) &&
        !hasCaseForOne(line + (lines[at - 1] ?? ""))
          ? [`${file}:${at + 1}: ${text}`]
          : [],
      ),
    );
  });
  assert.ok(read > 1000, String(read));
  assert.deepEqual(wrong, []);
});

test("one has no plural, in its verbs either", () => {
  assert.deepEqual(
    [0, 1, 2, 1n].map((count) => counted(count, "row")),
    ["0 rows", "1 row", "2 rows", "1 row"],
  );
  assert.equal(countedSentence(1, "rows have no day. Rows have one."), "1 row has no day. Rows have one.");
  assert.equal(countedSentence(2, "keys occur more than once"), "2 keys occur more than once");
  assert.equal(countedSentence(1, "keys occur more than once"), "1 key occurs more than once");
});

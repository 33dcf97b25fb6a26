import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { suite, test } from "node:test";
import { loadSqlParser } from "@lakehelm/sql";
import fc, { randomCases } from "@lakehelm/testing/random-cases";
import type { Artifact } from "../artifact.ts";
import { contentHash } from "../content-hash.ts";
import { proveArtifacts } from "./proof.ts";
import { validArtifacts, withChange } from "./testing/valid-artifacts.ts";

const sql = await loadSqlParser();

/** The artifacts, with one of them changed. */
const withArtifact = (path: string, change: Partial<Artifact>) =>
  validArtifacts().map((artifact) => (artifact.path === path ? { ...artifact, ...change } : artifact));

suite("a valid set", () => {
  const set = validArtifacts();
  const { proofs, failures } = proveArtifacts(set, sql, ["s3cr3t-value"]);

  test("passes every check", () => assert.deepEqual(failures, []));

  test("lists the checks that each artifact passed", () => {
    const checks = Object.fromEntries(
      set.map(({ path }, at) => [path, proofs[at]?.checks.map(({ check }) => check)]),
    );
    assert.deepEqual(checks, {
      "databricks.yml": ["path", "text", "yaml", "references", "secrets"],
      "resources/revenue.job.yml": ["path", "text", "yaml", "references", "schedule", "secrets"],
      "src/revenue/tables.sql": ["path", "text", "sql", "secrets"],
      "src/revenue/publish.py": ["path", "text", "python", "sql", "secrets"],
      "src/revenue/check.py": ["path", "text", "python", "sql", "secrets"],
      "src/revenue/flow.json": ["path", "text", "json", "secrets"],
    });
    assert.deepEqual(
      proofs[1]?.checks.slice(3).map(({ detail }) => detail),
      [
        "2 paths resolved to artifacts of this set.",
        '"30 5 * * 1-5" and "0 30 5 ? * MON-FRI" (Europe/Berlin) fire at the same times, compared over the next 50 firings.',
        "Searched for 1 withheld value: none found.",
      ],
    );
  });

  test("has hashes, and the secrets to create", () => {
    for (const [at, { content, about, secrets }] of set.entries()) {
      const proof = proofs[at];
      assert.equal(proof?.sha256, createHash("sha256").update(content, "utf8").digest("hex"));
      assert.equal(proof?.design_content_hash, contentHash(set));
      assert.equal(proof?.about, about);
      assert.deepEqual(proof?.secrets, secrets);
    }
  });

  test("has no secrets check if nothing was withheld", () => {
    const checks = proveArtifacts(set, sql).proofs.flatMap((proof) => proof.checks.map(({ check }) => check));
    assert.ok(!checks.includes("secrets"));
  });

  test("may be empty", () => assert.deepEqual(proveArtifacts([], sql), { proofs: [], failures: [] }));
});

suite("a set with a mistake", () => {
  const wrong: [what: string, set: Artifact[], expected: RegExp][] = [
    [
      "in SQL",
      withChange("src/revenue/tables.sql", "USING DELTA", "USING ("),
      /^src\/revenue\/tables\.sql: The statement at line 2, column 1: /,
    ],
    ["in the declared statements", withArtifact("src/revenue/tables.sql", { statements: [] }), /declares 0/],
    [
      "in a declaration of another file",
      withArtifact("src/revenue/flow.json", { statements: ["SELECT 1"] }),
      /only SQL files/,
    ],
    [
      "in Python",
      withChange("src/revenue/check.py", "take(5)", "take(5"),
      /^src\/revenue\/check\.py: line \d+, column \d+: /,
    ],
    ["in a name", withChange("src/revenue/check.py", "if rows", "if row_s"), /"row_s"/],
    [
      "in a statement of Python",
      withChange("src/revenue/check.py", "HAVING count", "HAVING HAVING count"),
      /passed to Spark|no such string/,
    ],
    ["in YAML", withChange("databricks.yml", "bundle:", "bundle: ["), /^databricks\.yml: line/],
    ["in the schema", withChange("resources/revenue.job.yml", "tasks:", "task:"), /task: Unknown key/],
    [
      "in a reference",
      validArtifacts().filter(({ path }) => path !== "src/revenue/check.py"),
      /is not an artifact of this set/,
    ],
    ["in a schedule", withChange("resources/revenue.job.yml", "0 30 5", "0 31 5"), /the artifact declares/],
    ["in JSON", withChange("src/revenue/flow.json", "{", "{{"), /not valid JSON/],
    [
      "in a path",
      withArtifact("src/revenue/flow.json", { path: "../flow.json" }),
      /points outside its folder/,
    ],
    ["in its line ends", withChange("src/revenue/flow.json", "\n", "\r\n"), /carriage return/],
  ];
  for (const [what, set, expected] of wrong) {
    test(`${what} is refused`, () => assert.match(proveArtifacts(set, sql).failures.join("\n"), expected));
  }

  test("does not list the check that failed", () => {
    const { proofs } = proveArtifacts(withChange("src/revenue/flow.json", "{", "{{"), sql);
    assert.deepEqual(
      proofs.at(-1)?.checks.map(({ check }) => check),
      ["path", "text"],
    );
  });

  test("reports every mistake at once", () => {
    const [first, ...rest] = withChange("src/revenue/check.py", "if rows", "if row_s");
    assert.ok(first);
    const { failures } = proveArtifacts(
      [{ ...first, content: `${first.content}surplus: 1\n` }, ...rest],
      sql,
    );
    assert.equal(failures.filter((failure) => failure.startsWith("databricks.yml")).length, 1);
    assert.equal(failures.filter((failure) => failure.startsWith("src/revenue/check.py")).length, 1);
  });
});

suite("a secret in a set", () => {
  const secret = "pa$$'w0rd\\";

  test("is found wherever it is, and not repeated", () => {
    const variants = validArtifacts().flatMap((artifact): Artifact[] => [
      { ...artifact, content: `${artifact.content}# ${secret}\n` },
      { ...artifact, about: `Uses ${secret}.` },
      { ...artifact, path: `${secret}/${artifact.path}` },
      { ...artifact, statements: [`SELECT 'pa\\u0024\\u0024\\'w0rd\\\\'`] },
    ]);
    fc.assert(
      fc.property(fc.constantFrom(...variants), (artifact) => {
        const { failures } = proveArtifacts([artifact], sql, [secret]);
        assert.match(failures.join("\n"), /contains the value of a secret/);
        assert.doesNotMatch(failures.join("\n"), /w0rd/);
      }),
      { numRuns: variants.length },
    );
  });
});

suite("a set that was broken at random", () => {
  /** Mutations that the checks must find. */
  const ways: [way: string, kinds: string, broken: (content: string, at: number) => string][] = [
    [
      "a quote or bracket is opened",
      "python sql yaml json",
      (content, at) => insert(content, codeAt(content, at), "('"),
    ],
    [
      "it is cut off within a line",
      "python sql yaml json",
      (content, at) => content.slice(0, at % content.length).trimEnd(),
    ],
    [
      "a line end is changed",
      "python sql yaml json",
      (content, at) => content.replace(/\n(?=.)/g, nth(at, "\r\n")),
    ],
    ["a control character is put in", "python sql yaml json", (content, at) => insert(content, at, "\0")],
    [
      "a cell is split",
      "python",
      (content, at) => insert(content, insideDefinition(content, at), "\n# COMMAND ----------\n"),
    ],
    ["a line is indented", "python", (content, at) => content.replace(/^(?=[a-z])/gm, nth(at, " "))],
    [
      "a key is misspelled",
      "yaml",
      // A tag may have any name.
      (content, at) => content.replace(/(?<=[a-z]{3})(?<!managed)(?=_\w+:)/g, nth(at, "x")),
    ],
  ];
  const set = validArtifacts();

  test("is refused", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ways),
        fc.nat(set.length - 1),
        fc.nat(100_000),
        ([way, kinds, broken], which, at) => {
          const artifact = set[which];
          assert.ok(artifact);
          if (!kinds.includes(artifact.fileType)) return;
          const content = broken(artifact.content, at);
          if (content === artifact.content) return;
          const { failures } = proveArtifacts(set.with(which, { ...artifact, content }), sql);
          assert.notDeepEqual(failures, [], `${way} in ${artifact.path}:\n${content}`);
        },
      ),
      { numRuns: randomCases(200) },
    );
  });
});

const insert = (content: string, at: number, text: string) => {
  const offset = at % content.length;
  return content.slice(0, offset) + text + content.slice(offset);
};

/** Replaces only the n-th match. */
const nth = (which: number, text: string) => {
  let count = 0;
  return (found: string) => {
    count += 1;
    return count === (which % 7) + 1 ? text : found;
  };
};

/** The start of a line that is code: comments may contain anything. */
function codeAt(content: string, at: number): number {
  const starts = [...content.matchAll(/^(?=[a-zA-Z{])/gm)].map(({ index }) => index);
  return starts[at % starts.length] ?? 0;
}

/** The offset before an indented line, which then begins a cell. */
function insideDefinition(content: string, at: number): number {
  const offsets = [...content.matchAll(/(?<=:)\n {4}/g)].map(({ index }) => index);
  return offsets[at % offsets.length] ?? 0;
}

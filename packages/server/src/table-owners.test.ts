import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { query, testStore } from "./testing/store.ts";

const folder = import.meta.dirname;
const page = readFileSync(new URL("../../../docs/explanation/architecture.md", import.meta.url), "utf8");

/** Reads the table "Tables" of the page: the folder that owns each table. Only its code reads and writes the table. */
function documentedOwners(): Map<string, string> {
  const [, section = ""] = page.split("\n## Tables\n");
  const [text = ""] = section.split("\n## ");
  const rows = text.matchAll(/^\| `([\w/]+)\/` +\|([^|]*)\|$/gm);
  return new Map(
    [...rows].flatMap(([, owner = "", tables = ""]) =>
      [...tables.matchAll(/`(\w+)`/g)].map(([, table = ""]) => [table, owner] as const),
    ),
  );
}

/** Each table that a source file names in a query: by the query builder or in SQL. */
function tablesIn(source: string): string[] {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
  const built = /(?:From|Into|Table|Join)\(\s*"(\w+)(?: as \w+)?"|collection(?:<[^(]*>)?\(\s*\w+,\s*"(\w+)"/g;
  const written = /\b(?:from|into|update|join) (\w+)\b/g;
  return [...code.matchAll(built), ...code.matchAll(written)].map(
    ([, table, listed]) => table ?? listed ?? "",
  );
}

test("every table has an owner in docs/explanation/architecture.md", async (t) => {
  const store = await testStore(t, "sqlite");
  const rows = await query(
    store,
    "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name",
  );
  assert.deepEqual(
    rows.map(({ name }) => name),
    [...documentedOwners().keys()].sort(),
  );
});

test("only the owner of a table reads and writes it", () => {
  const owners = documentedOwners();
  const tests = ["**/*.test.ts", "**/*.engine.ts", "**/test-*.ts", "**/conformance/**", "testing/**"];
  const files = globSync("**/*.ts", { cwd: folder, exclude: [...tests, "core/store/migrations.ts"] });
  const uses = files.flatMap((file) =>
    tablesIn(readFileSync(`${folder}/${file}`, "utf8")).flatMap((table) => {
      const owner = owners.get(table);
      return owner === undefined ? [] : [{ file, table, owner }];
    }),
  );
  assert.deepEqual(
    uses.filter(({ file, owner }) => !file.startsWith(`${owner}/`)),
    [],
  );
  assert.deepEqual(
    [...owners.keys()].filter((table) => !uses.some((use) => use.table === table)),
    [],
    "no query names these tables: does this test still recognize queries?",
  );
});

import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { onlyNightly } from "@lakehelm/testing/nightly";
import { openSourceHarness } from "../../testing/source-harness.ts";
import { openFilesSource } from "./source.ts";

async function given(t: TestContext) {
  const harness = await openSourceHarness(t);
  const folder = join(harness.folder, "in");
  await mkdir(folder);
  return { ...harness, folder };
}

const nameOf = (n: number) => `many/${String(n).padStart(5, "0")}.csv`;

/** More files than a run opens at a time. Every thousandth has a column of its own and a value that does not fit. */
async function writeFiles(folder: string, count: number): Promise<void> {
  await mkdir(join(folder, "many"), { recursive: true });
  for (let n = 0; n < count; n++) {
    const text = n % 1000 === 999 ? `id,extra_${n}\nx${n},1\n` : `id,amount\n${n},1.5\n`;
    await writeFile(join(folder, nameOf(n)), text);
  }
}

suite("more files than are open at a time", () => {
  for (const [title, count] of [
    ["1,100 files", 1_100],
    ["30,000 files", 30_000],
  ] as const) {
    test(
      `${title} are read in groups, with all columns`,
      count > 10_000 ? { ...onlyNightly, timeout: 600_000 } : {},
      async (t) => {
        const { folder, context, read } = await given(t);
        await writeFiles(folder, count);
        const columns = { id: "bigint" };
        const source = await openFilesSource({ path: folder, format: "csv", columns }, context);
        const { rows, types, rejects } = await read(source, "many");
        const odd = Math.floor(count / 1000);
        assert.equal(rows.length, count - odd);
        assert.equal(types.length, 2 + odd);
        assert.deepEqual(types.slice(0, 2), ["BIGINT", "DOUBLE"]);
        assert.equal(rejects.length, odd);
        assert.equal(rejects[0]?.reason, `line 2 of ${nameOf(999)}: the column "id": "x999" is not a BIGINT`);
      },
    );
  }

  test("types of groups are combined: text if one group has text, and NULLs decide nothing", async (t) => {
    const { folder, context } = await given(t);
    await mkdir(join(folder, "many"));
    for (let n = 0; n < 1_100; n++) {
      const values = n < 1_000 ? "1,2,\n" : "x,2.5,3\n";
      await writeFile(join(folder, nameOf(n)), `text,number,late\n${values}`);
    }
    const source = await openFilesSource({ path: folder, format: "csv" }, context);
    const { columns } = await source.describe("many");
    assert.deepEqual(
      columns.map(({ name, type }) => [name, type]),
      [
        ["text", "VARCHAR"],
        ["number", "DOUBLE"],
        ["late", "BIGINT"],
      ],
    );
  });
});

suite("partitions in the names of folders", () => {
  const texts = { csv: "id\n1\n", json: '{"id": 1}\n' } as const;

  for (const format of ["csv", "json", "parquet"] as const) {
    test(`they are columns of ${format} files`, async (t) => {
      const { folder, context, read } = await given(t);
      for (const [at, name] of [
        "year=2026/day=2026-01-31/kind=a%2Fb",
        "year=2025/day=2025-12-31/kind=__HIVE_DEFAULT_PARTITION__",
        "year=07",
      ].entries()) {
        const path = join(folder, "orders", name, `${at}.${format}`);
        await mkdir(dirname(path), { recursive: true });
        if (format !== "parquet") await writeFile(path, texts[format]);
        else await writeParquet(context, path);
      }
      const source = await openFilesSource({ path: folder, format }, context);
      const { rows, types } = await read(source, "orders");
      assert.deepEqual(types, [format === "parquet" ? "INTEGER" : "BIGINT", "BIGINT", "DATE", "VARCHAR"]);
      const id = format === "parquet" ? 1 : "1";
      assert.deepEqual(rows, [
        [id, "7", null, null],
        [id, "2025", "2025-12-31", null],
        [id, "2026", "2026-01-31", "a/b"],
      ]);
      const since = { column: "year", value: "2026" };
      assert.equal((await read(source, "orders", { since })).rows.length, 1);
    });
  }

  test("a type can be declared, and a column of the file takes precedence", async (t) => {
    const { folder, context, read } = await given(t);
    await mkdir(join(folder, "orders", "month=01", "id=7"), { recursive: true });
    await writeFile(join(folder, "orders", "month=01", "id=7", "a.csv"), "id\n1\n");
    const config = { path: folder, format: "csv", columns: { month: "string" } };
    const { rows, types } = await read(await openFilesSource(config, context), "orders");
    assert.deepEqual([types, rows], [["BIGINT", "VARCHAR"], [["1", "01"]]]);
  });
});

async function writeParquet(
  context: Awaited<ReturnType<typeof openSourceHarness>>["context"],
  path: string,
): Promise<void> {
  const { connection, close } = await context.openExternal({ folders: [dirname(path)] });
  await connection.run(`COPY (SELECT 1::INTEGER AS id) TO '${path}' (FORMAT parquet)`).finally(close);
}

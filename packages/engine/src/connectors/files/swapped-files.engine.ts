import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { link, mkdir, readFile, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { suite, type TestContext, test } from "node:test";
import { gzipSync } from "node:zlib";
import { openSourceHarness } from "../../testing/source-harness.ts";
import { openDuckdbSource } from "../duckdb/source.ts";
import type { SourceContext } from "../source/context.ts";
import { openForeignSqlite } from "../sqlite/file.ts";
import { openSqliteSource } from "../sqlite/source.ts";
import { openFilesSource } from "./source.ts";
import { commitFile, removeDurably, unfinishedPath, writeDurably } from "./write/durable-file.ts";
import { readManifest } from "./write/manifest.ts";

/** Another user of the machine can write to the folder of a connector, and changes it between check and open. */
suite("files that are replaced", { skip: process.platform !== "linux" }, () => {
  const secret = "secret-key\nhunter2\n";

  async function given(t: TestContext) {
    const harness = await openSourceHarness(t);
    const [inside, outside] = [join(harness.folder, "in", "sub"), join(harness.folder, "outside")];
    await mkdir(inside, { recursive: true });
    await mkdir(outside);
    return { ...harness, inside, outside, root: join(harness.folder, "in") };
  }

  /** Makes the change directly before DuckDB opens the files. */
  const beforeOpening = (context: SourceContext, change: () => Promise<void>): SourceContext => ({
    ...context,
    async openExternal(access) {
      await change();
      return context.openExternal(access);
    },
  });

  for (const name of ["a.csv", "a.csv.gz"]) {
    const bytes = (text: string) => (name.endsWith(".gz") ? gzipSync(text) : text);

    test(`a folder replaced by a link: ${name} is read as it was checked`, async (t) => {
      const { context, inside, outside, root } = await given(t);
      await writeFile(join(inside, name), bytes("id\n1\n"));
      await writeFile(join(outside, name), bytes(secret));
      const swapping = beforeOpening(context, async () => {
        await rename(inside, `${inside}-moved`);
        await symlink(outside, inside);
      });
      const source = await openFilesSource({ path: root, format: "csv" }, swapping);
      const { columns } = await source.describe(`sub/${name}`);
      assert.deepEqual(
        columns.map((column) => column.name),
        ["id"],
      );
    });

    test(`a file replaced by a link: ${name} is read as it was checked`, async (t) => {
      const { context, inside, outside, root } = await given(t);
      await writeFile(join(inside, name), bytes("id\n1\n"));
      await writeFile(join(outside, name), bytes(secret));
      const swapping = beforeOpening(context, async () => {
        await rm(join(inside, name));
        await symlink(join(outside, name), join(inside, name));
      });
      const source = await openFilesSource({ path: root, format: "csv" }, swapping);
      const { columns } = await source.describe("sub");
      assert.deepEqual(
        columns.map((column) => column.name),
        ["id"],
      );
    });
  }

  test("a folder that is exchanged with a link all the time never shows another file", async (t) => {
    const { context, inside, outside, root } = await given(t);
    await writeFile(join(inside, "a.csv"), "id\n1\n");
    await writeFile(join(outside, "a.csv"), secret);
    const source = await openFilesSource({ path: root, format: "csv" }, context);
    let isOver = false;
    const swapping = (async () => {
      while (!isOver) {
        await rename(inside, `${inside}-moved`);
        await symlink(outside, inside);
        await rm(inside);
        await rename(`${inside}-moved`, inside);
      }
    })();
    for (let n = 0; n < 100; n++) {
      const found = await source.describe("sub/a.csv").then(
        ({ columns }) => columns.map(({ name }) => name),
        (error: Error) => error.message,
      );
      if (typeof found !== "string") assert.deepEqual(found, ["id"]);
      else assert.match(found, /link|replaced|does not exist|no file|no such file/i);
    }
    isOver = true;
    await swapping;
    assert.deepEqual(
      (await source.describe("sub/a.csv")).columns.map(({ name }) => name),
      ["id"],
    );
  });

  /** Replaces the folder of a database by a link directly after the check. */
  const afterCheck = (context: SourceContext, folder: string, other: string): SourceContext => ({
    ...context,
    async resolvePath(path) {
      const real = await context.resolvePath(path);
      await rename(folder, `${folder}-moved`);
      await symlink(other, folder);
      return real;
    },
  });

  function createSqlite(path: string, table: string): void {
    const database = new DatabaseSync(path);
    database.exec(`CREATE TABLE ${table} (id INTEGER)`);
    database.close();
  }

  async function createDuckdb({ openExternal }: SourceContext, path: string, table: string): Promise<void> {
    const { connection, close } = await openExternal({ databases: [path] });
    await connection.run(`ATTACH '${path}' AS made`);
    await connection.run(`CREATE TABLE made.${table} (id INTEGER)`);
    await connection.run("DETACH made");
    close();
  }

  test("a SQLite file whose folder was replaced by a link is neither read nor written", async (t) => {
    const { context, inside, outside } = await given(t);
    const path = join(inside, "shop.db");
    createSqlite(path, "mine");
    createSqlite(join(outside, "shop.db"), "secret");
    const before = await readFile(join(outside, "shop.db"));
    assert.deepEqual(
      (await (await openSqliteSource({ path }, context)).discover()).map(({ name }) => name),
      ["mine"],
    );
    const source = await openSqliteSource({ path }, afterCheck(context, inside, outside));
    await assert.rejects(source.discover(), /replaced/);
    assert.throws(() => openForeignSqlite(path, { readOnly: false, timeout: 0 }), /replaced/);
    assert.deepEqual(await readFile(join(outside, "shop.db")), before);
  });

  test("a DuckDB file whose folder was replaced by a link is not read", async (t) => {
    const { context, inside, outside } = await given(t);
    const path = join(inside, "shop.duckdb");
    await createDuckdb(context, path, "mine");
    await createDuckdb(context, join(outside, "shop.duckdb"), "secret");
    assert.deepEqual(
      (await (await openDuckdbSource({ path }, context)).discover()).map(({ name }) => name),
      ["mine"],
    );
    const source = await openDuckdbSource({ path }, afterCheck(context, inside, outside));
    await assert.rejects(source.discover(), /replaced/);
  });

  test("a DuckDB file whose folder is replaced between its description and its rows is not read", async (t) => {
    const { context, read, inside, outside } = await given(t);
    const path = join(inside, "shop.duckdb");
    await createDuckdb(context, path, "items");
    await createDuckdb(context, join(outside, "shop.duckdb"), "items");
    let checks = 0;
    const swapping = afterCheck(context, inside, outside);
    // The path is resolved for the description, then for the rows. Only the second time it is swapped.
    const source = await openDuckdbSource(
      { path },
      { ...context, resolvePath: (file) => (++checks < 2 ? context : swapping).resolvePath(file) },
    );
    await assert.rejects(read(source, "items"), /replaced/);
    assert.equal(checks, 2);
  });

  test("a file is not written to a folder that was replaced by a link", async (t) => {
    const { inside, outside } = await given(t);
    const path = join(inside, "a.csv");
    await writeFile(join(outside, "a.csv"), secret);
    await writeFile(join(outside, "a.csv.unfinished"), "id\n");
    await rename(inside, `${inside}-moved`);
    await symlink(outside, inside);
    const changes = [() => commitFile(path), () => writeDurably(path, "x"), () => removeDurably(path)];
    for (const change of changes) await assert.rejects(change, /is a link/);
    assert.equal(await readFile(join(outside, "a.csv"), "utf8"), secret);
  });

  test("a run does not take all descriptors of the process: it opens files in groups", async (t) => {
    const { inside, folder } = await given(t);
    const files = Array.from({ length: 300 }, (_, n) => ({
      path: join(inside, `${n}.csv`),
      name: `${n}.csv`,
    }));
    for (const { path } of files) await writeFile(path, "id\n");
    const script = `
      import { withPinnedFiles } from ${JSON.stringify(new URL("./read/pinned-files.ts", import.meta.url).href)};
      const files = ${JSON.stringify(files)};
      const read = async (count, work = async () => {}) => {
        const groups = [];
        try {
          await withPinnedFiles(files.slice(0, count), ${JSON.stringify({ temporaryFolder: join(folder, "tmp") })}, async (opened) => {
            groups.push(opened.length);
            await work();
          });
        } catch (error) {
          return error.message;
        }
        return groups;
      };
      const three = () => read(80, () => read(80, async () => { refused = await read(80); }));
      let refused;
      console.log(JSON.stringify([await read(150), await read(300), await three(), refused, await read(80)]));`;
    // Node raises its soft limit to the hard limit. `ulimit -n` sets both.
    const shown = execFileSync("sh", [
      "-c",
      'ulimit -n 400; exec "$0" --input-type=module -e "$1"',
      process.execPath,
      script,
    ]);
    const [few, many, , refused, again] = JSON.parse(shown.toString());
    assert.deepEqual(few, [100, 50]);
    assert.deepEqual(many, [100, 100, 100]);
    assert.match(refused, /other runs hold too many files open/);
    assert.deepEqual(again, [80]);
  });

  test("errors name the file, not the link by which it is read", async (t) => {
    const { context, read, inside, root } = await given(t);
    await writeFile(join(inside, "a.csv"), "id,name\n1,a\n2\n");
    const source = await openFilesSource({ path: root, format: "csv" }, context);
    const { rejects } = await read(source, "sub/a.csv");
    assert.match(JSON.stringify(rejects), /"line 3 of sub\/a\.csv:/);
    await writeFile(join(inside, "b.parquet"), "no parquet");
    const parquet = await openFilesSource({ path: root, format: "parquet" }, context);
    await assert.rejects(parquet.describe("sub/b.parquet"), new RegExp(join(inside, "b.parquet")));
  });

  test("a pipe neither blocks a reader nor a writer", async (t) => {
    const { context, inside, root } = await given(t);
    execFileSync("mkfifo", [join(inside, "a.csv"), unfinishedPath(join(inside, "b.json"))]);
    await mkdir(join(inside, ".lakehelm"));
    execFileSync("mkfifo", [join(inside, ".lakehelm", "a.csv.json")]);
    const source = await openFilesSource({ path: root, format: "csv" }, context);
    await assert.rejects(source.describe("sub/a.csv"), /no file/);
    await assert.rejects(readManifest(inside, "a.csv"), /not a regular file/);
    await writeDurably(join(inside, "b.json"), "{}");
    assert.equal(await readFile(join(inside, "b.json"), "utf8"), "{}");
  });

  test("a hard link or link in place of an unfinished file leaves the other file as it is", async (t) => {
    const { inside, outside } = await given(t);
    const other = join(outside, "key");
    await writeFile(other, secret, { mode: 0o600 });
    const path = join(inside, "a.csv");
    await link(other, unfinishedPath(path));
    await writeDurably(path, "id\n");
    await symlink(other, unfinishedPath(join(inside, "b.csv")));
    await assert.rejects(commitFile(join(inside, "b.csv")), /is a link/);
    assert.equal(await readFile(other, "utf8"), secret);
    assert.equal((await stat(other)).mode & 0o777, 0o600);
  });
});

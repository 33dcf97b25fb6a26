import assert from "node:assert/strict";
import { mkdir, rename, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { gzipSync } from "node:zlib";
import { someOf } from "@lakehelm/testing/nightly";
import { DataProblem } from "../../protocol/problem.ts";
import { seededRandom } from "../../testing/seeded-random.ts";
import { SimulatedCrash, startTransferHarness } from "../../testing/transfer-harness.ts";
import { ingest } from "../../transfer/ingest.ts";
import { listRejects } from "../../transfer/rejects.ts";

const formats = {
  csv: { format: "csv", header: "id,note\n", line: (id: number) => `${id},"a, ""b""\n${id}"\n` },
  "csv.gz": { format: "csv", header: "id,note\n", line: (id: number) => `${id},n${id}\n` },
  jsonl: { format: "json", header: "", line: (id: number) => `{"id":${id},"note":"n${id}"}\n` },
} as const;

async function openDrop(t: TestContext, format: string) {
  const harness = await startTransferHarness(t);
  const path = join(harness.folder, "drop");
  await mkdir(path);
  let time = 1_700_000_000;
  const write = async (name: string, text: string) => {
    await writeFile(join(path, name), name.endsWith(".gz") ? gzipSync(text) : text);
    time += 10;
    await utimes(join(path, name), time, time);
  };
  const request = () =>
    harness.request(
      { source: ".", keys: [], strategy: "append", watermark: "_file_modified" },
      { connection: { type: "files", config: { path, format } } },
    );
  const run = () => ingest(request(), harness.context);
  const ids = async () =>
    (await harness.rows('SELECT id FROM _main."default".orders'))
      .map(([id]) => Number(id))
      .sort((one, other) => one - other);
  return { ...harness, path, write, request, run, ids };
}

describe("appended files that grow", () => {
  for (const [extension, { format, header, line }] of Object.entries(formats)) {
    for (const seed of someOf([1, 2, 3, 4], 1)) {
      it(`${extension}: each line is appended once, whatever happens to the files, seed ${seed}`, async (t) => {
        const { path, write, request, run, ids, crashingAt, context } = await openDrop(t, format);
        const random = seededRandom(seed * 97);
        const files = new Map<string, string>();
        let next = 0;
        for (let step = 0; step < 8; step += 1) {
          const names = [...files.keys()];
          const name =
            names.length === 0 || random.below(3) === 0 ? `f${step}.${extension}` : random.pick(names);
          const lines = Array.from({ length: random.below(4) }, () => line(next++)).join("");
          const before = files.get(name) ?? header;
          // If the last line has no line end, one is added before the next lines.
          const text = `${before}${before.endsWith("\n") ? "" : "\n"}${lines}`;
          files.set(name, lines !== "" && random.below(3) === 0 ? text.slice(0, -1) : text);
          if (names.length > 0 && random.below(4) === 0) {
            const renamed = random.pick(names);
            const to = `r${step}.${extension}`;
            await rename(join(path, renamed), join(path, to));
            files.set(to, files.get(renamed) ?? "");
            files.delete(renamed);
            if (renamed === name) await write(to, files.get(to) ?? "");
          }
          if (files.has(name)) await write(name, files.get(name) ?? "");
          if (random.below(3) === 0)
            await ingest(request(), crashingAt("written")).catch((error: unknown) => {
              if (!(error instanceof SimulatedCrash)) throw error;
            });
          await ingest(request(), context);
          const expected = Array.from({ length: next }, (_, id) => id);
          assert.deepEqual(next === 0 ? [] : await ids(), expected, `step ${step}`);
        }
        assert.equal((await run()).inserted, 0);
      });
    }
  }

  it("a run that reads all files again, appended or replaced, leaves each line once, and so does the next one", async (t) => {
    for (const strategy of ["append", "replace"] as const) {
      await t.test(strategy, async (t) => {
        const { write, run, ids, request, context } = await openDrop(t, "csv");
        await write("a.csv", "id,note\n1,a\n1,a\n");
        await run();
        await write("a.csv", "id,note\n1,a\n1,a\n2,b\n");
        await run();
        const all = request();
        await ingest({ ...all, fromStart: true, dataset: { ...all.dataset, strategy } }, context);
        assert.deepEqual(await ids(), [1, 1, 2]);
        await write("a.csv", "id,note\n1,a\n1,a\n2,b\n3,c\n");
        await run();
        assert.deepEqual(await ids(), [1, 1, 2, 3]);
      });
    }
  });

  it("rejects name the lines of the whole file", async (t) => {
    const { write, run, ids, warehouse } = await openDrop(t, "csv");
    await write("a.csv", "id,note\n1,a\n2,b\n");
    await run();
    await write("a.csv", "id,note\n1,a\n2,b\n3,c\nx,d\n5\n6,f\n");
    await run();
    assert.deepEqual(await ids(), [1, 2, 3, 6]);
    const { rejects } = await listRejects(warehouse, ["orders"], { skip: 0, limit: 10 });
    assert.deepEqual(rejects.map(({ reason }) => /line \d+ of a\.csv/.exec(reason)?.[0]).sort(), [
      "line 5 of a.csv",
      "line 6 of a.csv",
    ]);
  });

  it("a rotated log is read to its end, and the new one from its beginning", async (t) => {
    const { path, write, run, ids } = await openDrop(t, "csv");
    await write("a.csv", "id\n1\n2\n");
    await run();
    await rename(join(path, "a.csv"), join(path, "a-1.csv"));
    await write("a-1.csv", "id\n1\n2\n3\n");
    await write("a.csv", "id\n4\n");
    await run();
    assert.deepEqual(await ids(), [1, 2, 3, 4]);
  });

  it("a file that has changed otherwise is refused, and is read under another name", async (t) => {
    for (const [what, first, second] of [
      ["in its first lines", "id,note\n1,a\n2,b\n", "id,note\n1,x\n2,b\n3,c\n"],
      ["to a shorter one", "id,note\n1,a\n2,b\n", "id,note\n1,a\n"],
      ["in its last line", "id,note\n1,a\n2,b", "id,note\n1,a\n2,bc\n"],
      ["within quotes", 'id,note\n1,a\n2,"b\n', 'id,note\n1,a\n2,"b\nc"\n'],
    ] as const) {
      await t.test(what, async (t) => {
        const { path, write, run, rows, lines } = await openDrop(t, "csv");
        await write("a.csv", first);
        await run();
        const before = await rows('SELECT count(*) FROM _main."default".orders');
        await write("a.csv", second);
        await assert.rejects(run(), (error) => {
          assert.ok(
            error instanceof DataProblem && /a\.csv .*give the file another name/.test(error.message),
          );
          return true;
        });
        assert.deepEqual(await rows('SELECT count(*) FROM _main."default".orders'), before, lines.join("\n"));
        // A copy has an inode of its own.
        await rm(join(path, "a.csv"));
        await write("other.csv", second);
        assert.equal(
          (await run()).inserted,
          second.trimEnd().split("\n").length - (what === "within quotes" ? 2 : 1),
        );
      });
    }
  });

  it("a file whose time alone has changed adds nothing, also a Parquet file", async (t) => {
    const { path, run, warehouse } = await openDrop(t, "parquet");
    const write = async (rows: number) => {
      const { connection, close } = await warehouse.openExternal({ folders: [path] });
      await connection.run(`COPY (SELECT range AS id FROM range(${rows})) TO '${path}/a.parquet'`);
      close();
    };
    await write(3);
    assert.equal((await run()).inserted, 3);
    await utimes(join(path, "a.parquet"), 1_800_000_000, 1_800_000_000);
    assert.equal((await run()).inserted, 0);
    await write(4);
    await assert.rejects(run(), /give the file another name/);
  });
});

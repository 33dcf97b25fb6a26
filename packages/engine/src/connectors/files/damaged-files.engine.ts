import assert from "node:assert/strict";
import { appendFile, mkdir, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { gzipSync } from "node:zlib";
import { someOf } from "@lakehelm/testing/nightly";
import { DataProblem } from "../../protocol/problem.ts";
import { seededRandom } from "../../testing/seeded-random.ts";
import { openSourceHarness } from "../../testing/source-harness.ts";
import { openFilesSource } from "./source.ts";

const rowCount = 3_000;
const ids = Array.from({ length: rowCount }, (_, id) => id);
const contents: Readonly<Record<string, { readonly format: string; readonly text: string }>> = {
  "a.csv.gz": { format: "csv", text: `id,note\n${ids.map((id) => `${id},n${id * 7919}\n`).join("")}` },
  "a.jsonl.gz": { format: "json", text: ids.map((id) => `{"id":${id},"note":"n${id * 7919}"}\n`).join("") },
};

async function openFolder(t: TestContext, format: string, options = {}) {
  const harness = await openSourceHarness(t);
  const path = join(harness.folder, "drop");
  await mkdir(path);
  const open = () => openFilesSource({ path, format, options }, harness.context);
  return { ...harness, path, open };
}

describe("files that are damaged", () => {
  for (const [name, { format, text }] of Object.entries(contents)) {
    it(`${name}: all rows are read or none, wherever it is cut or changed`, async (t) => {
      const { path, open, read } = await openFolder(t, format);
      const random = seededRandom(name.length);
      const half = Buffer.byteLength(text) >> 1;
      const whole = Buffer.concat([gzipSync(text.slice(0, half)), gzipSync(text.slice(half))]);
      const damaged = [
        ...[1, 9, 17, whole.length - 1, whole.length - 4, whole.length - 8, whole.length - 9].map((length) =>
          whole.subarray(0, length),
        ),
        ...Array.from({ length: 8 }, () => whole.subarray(0, random.below(whole.length))),
        ...Array.from({ length: 12 }, () => {
          const changed = Buffer.from(whole);
          const at = random.below(whole.length);
          changed[at] = (changed[at] ?? 0) ^ (1 << random.below(8));
          return changed;
        }),
        Buffer.concat([whole, Buffer.from("\0\0")]),
        Buffer.concat([whole, Buffer.from("more")]),
      ];
      const source = await open();
      for (const [at, bytes] of [whole, ...damaged].entries()) {
        await writeFile(join(path, name), bytes);
        const rows = await read(source, name).then(
          (found) => found.rows.length,
          (error: unknown) => {
            assert.ok(error instanceof DataProblem && error.message.includes(name), String(error));
            return "refused";
          },
        );
        if (at === 0) assert.equal(rows, rowCount);
        else if (rows !== "refused") assert.equal(rows, rowCount, `case ${at}`);
        if (bytes.length !== whole.length) assert.equal(rows, "refused", `case ${at}`);
      }
    });
  }

  it("a Parquet file that is cut is refused", async (t) => {
    const { path, open, read, context } = await openFolder(t, "parquet");
    const file = join(path, "a.parquet");
    const write = async () => {
      await rm(file, { force: true });
      const { connection, close } = await context.openExternal({ folders: [path] });
      await connection.run(`COPY (SELECT range AS id FROM range(9000)) TO '${file}' (ROW_GROUP_SIZE 2048)`);
      close();
      return (await stat(file)).size;
    };
    const random = seededRandom(5);
    const size = await write();
    const source = await open();
    assert.equal((await read(source, "a.parquet")).rows.length, 9000);
    for (const length of [0, 4, size - 1, size - 8, ...Array.from({ length: 6 }, () => random.below(size))]) {
      await write();
      await truncate(file, length);
      await assert.rejects(read(source, "a.parquet"), DataProblem);
    }
  });

  it("a file that is compressed otherwise is an error that says so", async (t) => {
    const { path, open } = await openFolder(t, "csv");
    await writeFile(join(path, "a.csv"), gzipSync("id\n1\n"));
    await assert.rejects(
      (await open()).describe("a.csv"),
      /a\.csv is not text, but compressed with gzip\. Name/,
    );
  });

  it("a file of a folder in another compression is an error, and a pattern leaves it out", async (t) => {
    const { path, open, read } = await openFolder(t, "csv");
    await writeFile(join(path, "a.csv"), "id\n1\n");
    for (const extension of ["bz2", "zst", "xz", "zip", "gzip"]) {
      const name = `b.csv.${extension}`;
      await writeFile(join(path, name), "PK");
      const source = await open();
      for (const failing of [() => source.describe("."), () => read(source, ".")])
        await assert.rejects(failing, (error: Error) => error.message.startsWith(`${name} in `));
      assert.equal((await read(source, "*.csv")).rows.length, 1);
      await rm(join(path, name));
    }
  });
});

describe("files that are being written", () => {
  it("a file that changes while it is read is an error, and is read by the next attempt", async (t) => {
    const { path, read, open } = await openFolder(t, "json");
    const file = join(path, "a.jsonl");
    await writeFile(file, '{"id":1}\n');
    const source = await open();
    const growing = {
      ...source,
      read: (request: Parameters<typeof source.read>[0]) =>
        source.read({
          ...request,
          into: Object.assign(Object.create(request.into), {
            fromThread: async (entry: URL, data: unknown) => {
              await appendFile(file, '{"id":2}\n');
              await request.into.fromThread(entry, data);
            },
          }),
        }),
    };
    await assert.rejects(
      read(growing, "a.jsonl"),
      (error) => error instanceof DataProblem && error.retryable,
    );
    assert.equal((await read(source, "a.jsonl")).rows.length, 2);
  });
});

describe("UTF-16", () => {
  /** The size of the pieces in which files are read. */
  const piece = 256 * 1024;

  it("characters of one and two units are read wherever they are, with and without a mark", async (t) => {
    const { path, read, open } = await openFolder(t, "csv", { encoding: "utf-16" });
    const source = await open();
    const bigEndian = (bytes: Buffer) => Buffer.from(bytes).swap16();
    for (const [name, encode] of Object.entries({
      "a.csv": (text: string) => Buffer.from(text, "utf16le"),
      "a.csv.gz": (text: string) => gzipSync(Buffer.from(`\uFEFF${text}`, "utf16le")),
      "b.csv": (text: string) => bigEndian(Buffer.from(`\uFEFF${text}`, "utf16le")),
    })) {
      for (const offset of someOf([-3, -2, -1, 0, 1, 2, 3], 3)) {
        const head = "id,note\n1,";
        const filler = "é".repeat(piece / 2 - head.length + offset);
        await writeFile(join(path, name), encode(`${head}${filler}🚀𝄞x\n2,🚀\n`));
        const { rows, rejects } = await read(source, name);
        assert.deepEqual(rejects, []);
        assert.deepEqual(rows, [
          ["1", `${filler}🚀𝄞x`],
          ["2", "🚀"],
        ]);
      }
    }
  });

  it("half a character is an error", async (t) => {
    const { path, read, open } = await openFolder(t, "csv", { encoding: "utf-16" });
    const text = Buffer.from("id\n🚀\n", "utf16le");
    for (const bytes of [text.subarray(0, 8), text.subarray(0, 9), Buffer.concat([text, text.subarray(8)])]) {
      await writeFile(join(path, "a.csv"), bytes);
      await assert.rejects(read(await open(), "a.csv"), /a\.csv is not in UTF-16/);
    }
  });
});

describe("UTF-8", () => {
  it("characters of four bytes are read at the ends of buffers", async (t) => {
    for (const [name, head, tail, size] of [
      ["a.csv", "id,note\n1,", "\n2,🚀\n", 8 * 2 ** 20],
      ["a.json", '{"id":1,"note":"', '"}\n{"id":2,"note":"🚀"}\n', 256 * 1024],
    ] as const) {
      const { path, read, open } = await openFolder(t, name.endsWith("csv") ? "csv" : "json");
      const source = await open();
      for (const offset of someOf([-4, -3, -2, -1, 0, 1], 2)) {
        // Lines of a usual length before the one at the end of the buffer.
        const line = name.endsWith("csv")
          ? `0,${"y".repeat(1000)}\n`
          : `{"id":0,"note":"${"y".repeat(1000)}"}\n`;
        const first = name.endsWith("csv") ? "id,note\n" : "";
        const before = first + line.repeat(Math.floor((size - 4000) / line.length));
        const start = head.replace(first, "");
        const filler = "x".repeat(size - before.length - start.length + offset);
        await writeFile(join(path, name), `${before}${start}${filler}🚀𝄞${tail}`);
        const { rows, rejects } = await read(source, name);
        assert.deepEqual(rejects, []);
        assert.deepEqual(rows.slice(-2), [
          ["1", `${filler}🚀𝄞`],
          ["2", "🚀"],
        ]);
      }
    }
  });
});

import assert from "node:assert/strict";
import { mkdir, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { gzipSync } from "node:zlib";
import { someOf } from "@lakehelm/testing/nightly";
import { type SeededRandom, seededRandom } from "../../testing/seeded-random.ts";
import {
  SimulatedCrash,
  startTransferHarness,
  type TransferHarness,
} from "../../testing/transfer-harness.ts";
import { ingest } from "../../transfer/ingest.ts";

interface Row {
  readonly id: number;
  readonly at: number;
  readonly note: string;
}

interface WrittenFile {
  readonly name: string;
  /** Seconds since 1970. */
  readonly time: number;
  readonly rows: readonly Row[];
  /** Files with other columns are read by another scan. */
  readonly isWide: boolean;
}

type Write = (harness: TransferHarness, path: string, file: WrittenFile) => Promise<void>;

const csvOf = ({ rows, isWide }: WrittenFile): string =>
  [
    isWide ? "extra,note,at,id" : "id,at,note",
    ...rows.map(({ id, at, note }) => (isWide ? `x,${note},${at},${id}` : `${id},${at},${note}`)),
    "",
  ].join("\n");

const formats: Readonly<Record<string, { readonly format: string; readonly write: Write }>> = {
  csv: { format: "csv", write: (_, path, file) => writeFile(path, csvOf(file)) },
  "csv.gz": { format: "csv", write: (_, path, file) => writeFile(path, gzipSync(csvOf(file))) },
  jsonl: {
    format: "json",
    write: (_, path, { rows }) => writeFile(path, rows.map((row) => `${JSON.stringify(row)}\n`).join("")),
  },
  json: { format: "json", write: (_, path, { rows }) => writeFile(path, JSON.stringify(rows, null, 1)) },
  parquet: {
    format: "parquet",
    async write({ warehouse }, path, file) {
      const csv = `${path}.source`;
      await writeFile(csv, csvOf(file));
      const { connection, close } = await warehouse.openExternal({ files: [csv, path], keepsOrder: true });
      await connection.run(
        `COPY (SELECT * FROM read_csv('${csv}')) TO '${path}' (FORMAT parquet, ROW_GROUP_SIZE 2048)`,
      );
      close();
      await rm(csv);
    },
  },
};

/** Few keys, many rows: most rows are superseded. Times of files and watermarks are often equal. */
function someFiles(random: SeededRandom, extension: string, keys: number): WrittenFile[] {
  const count = 2 + random.below(5);
  return Array.from({ length: count }, (_, n) => ({
    // The names do not sort in the order of the times.
    name: `${random.below(1000)}-${n}.${extension}`,
    time: 1_700_000_000 + random.below(3),
    isWide: random.below(3) === 0,
    rows: Array.from({ length: 1 + random.below(6_000) }, (_, line) => ({
      id: random.below(keys),
      at: random.below(4),
      note: `${n}:${line}`,
    })),
  }));
}

const compare = (one: string | number, other: string | number): number =>
  one < other ? -1 : one > other ? 1 : 0;

/** The row that wins for each key: the last by watermark, time of the file, name of the file, and line. */
function winners(files: readonly WrittenFile[], watermark: string | null): Map<number, string> {
  const inOrder = files
    .toSorted((one, other) => compare(one.time, other.time) || compare(one.name, other.name))
    .flatMap(({ rows }) => rows);
  const last = watermark === "at" ? inOrder.toSorted((one, other) => one.at - other.at) : inOrder;
  return new Map(last.map(({ id, note }) => [id, note]));
}

async function dropFiles(t: TestContext, extension: string, files: readonly WrittenFile[]) {
  const harness = await startTransferHarness(t, { threads: 4, memoryMb: 256 });
  const path = join(harness.folder, "drop");
  await mkdir(path);
  const kind = formats[extension] ?? { format: extension, write: async () => {} };
  const write = async (file: WrittenFile) => {
    await kind.write(harness, join(path, file.name), file);
    await utimes(join(path, file.name), file.time, file.time);
  };
  for (const file of files) await write(file);
  const request = (watermark: string | null) => {
    const connection = { type: "files", config: { path, format: kind.format } };
    return harness.request({ source: ".", keys: ["id"], strategy: "upsert", watermark }, { connection });
  };
  const stored = async () =>
    new Map(
      (await harness.rows('SELECT id, note FROM _main."default".orders')).map(([id, note]) => [
        Number(id),
        String(note),
      ]),
    );
  return { ...harness, write, request, stored };
}

const inIdOrder = (rows: ReadonlyMap<number, string>) => [...rows].sort(([one], [other]) => one - other);

const cases = Object.keys(formats).flatMap((extension) =>
  [null, "_file_modified", "at"].flatMap((watermark) =>
    [1, 2, 3, 4].map((seed) => ({ extension, watermark, seed })),
  ),
);

describe("which row of a key counts, of files", () => {
  for (const { extension, watermark, seed } of someOf(cases, 8)) {
    it(`${extension} with the watermark ${watermark}, seed ${seed}`, async (t) => {
      const random = seededRandom(seed * 31 + extension.length);
      const files = someFiles(random, extension, 50 + random.below(3000));
      const { context, request, stored, crashingAt, lines } = await dropFiles(t, extension, files);
      // The run is killed after it has read, and is repeated.
      await assert.rejects(ingest(request(watermark), crashingAt("read")), SimulatedCrash);
      const result = await ingest(request(watermark), context);
      const expected = winners(files, watermark);
      assert.deepEqual(inIdOrder(await stored()), inIdOrder(expected));
      const read = files.reduce((sum, { rows }) => sum + rows.length, 0);
      assert.equal(result.read, read);
      assert.equal(result.inserted, expected.size);
      assert.equal(result.superseded ?? 0, read - expected.size);
      assert.ok(lines.some((line) => line.startsWith(`${read - expected.size} rows of . were not written`)));
      // A run that reads the same rows again changes nothing.
      const again = await ingest(request(watermark), context);
      assert.deepEqual([again.inserted, again.updated], [0, 0]);
    });
  }

  it("a later file wins over the rows of an earlier run, and an earlier one does not", async (t) => {
    const file = (name: string, time: number, note: string): WrittenFile => ({
      ...{ name, time, isWide: false },
      rows: [{ id: 1, at: 1, note }],
    });
    for (const watermark of [null, "_file_modified"]) {
      await t.test(String(watermark), async (t) => {
        const first = file("orders-03-02.csv", 1_700_000_200, "15 EUR");
        const { context, request, stored, write } = await dropFiles(t, "csv", [first]);
        await ingest(request(watermark), context);
        await write(file("orders-03-01.csv", 1_700_000_100, "10 EUR"));
        await ingest(request(watermark), context);
        assert.deepEqual([...(await stored())], [[1, "15 EUR"]]);
        await write(file("orders-02-01.csv", 1_700_000_300, "20 EUR"));
        const { updated } = await ingest(request(watermark), context);
        assert.equal(updated, 1);
        assert.deepEqual([...(await stored())], [[1, "20 EUR"]]);
      });
    }
  });
});

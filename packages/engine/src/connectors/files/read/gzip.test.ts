import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { crc32, gzipSync, constants as zlib } from "node:zlib";
import { DataProblem } from "../../../protocol/problem.ts";
import { type SeededRandom, seededRandom } from "../../../testing/seeded-random.ts";
import { gunzip } from "./gzip.ts";

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(bytes: Buffer, chunkSize = bytes.length || 1): Promise<string> {
  const found: Buffer[] = [];
  for await (const one of gunzip(inChunks(bytes, chunkSize), "a.csv.gz")) found.push(one);
  return Buffer.concat(found).toString();
}

const textOf = (random: SeededRandom, lines: number): string =>
  Array.from({ length: lines }, (_, line) => `${line},${random.below(1e9)}\n`).join("");

/** The content, or undefined if the file is refused. */
const readOrRefuse = (bytes: Buffer, chunkSize?: number): Promise<string | undefined> =>
  read(bytes, chunkSize).catch((error: unknown) => {
    assert.ok(error instanceof DataProblem && error.message.includes("a.csv.gz"), String(error));
    return undefined;
  });

/** A member with every optional field in its header. */
function memberWithFields(text: string): Buffer {
  const plain = gzipSync(text);
  const head = Buffer.concat([
    Buffer.from([0x1f, 0x8b, 8, 2 | 4 | 8 | 16]),
    plain.subarray(4, 10),
    Buffer.from([3, 0, 1, 2, 3]),
    Buffer.from("name\0comment\0"),
  ]);
  const check = Buffer.alloc(2);
  check.writeUInt16LE(crc32(head) & 0xffff);
  return Buffer.concat([head, check, plain.subarray(10)]);
}

describe("gzip", () => {
  it("reads one or several members, whatever their headers, sizes and chunks are", async () => {
    const random = seededRandom(1);
    for (let round = 0; round < 30; round += 1) {
      const texts = Array.from({ length: 1 + random.below(4) }, () => textOf(random, random.below(400)));
      const members = texts.map((text) =>
        random.below(3) === 0
          ? memberWithFields(text)
          : gzipSync(text, { level: random.below(10), strategy: random.pick([0, zlib.Z_FIXED]) }),
      );
      const bytes = Buffer.concat(members);
      // One of the sizes makes a chunk end where a member ends.
      const smallest = bytes.length > 500 ? 100 : 1;
      for (const size of [
        smallest,
        107,
        members[0]?.length ?? 1,
        1 + random.below(bytes.length),
        bytes.length,
      ])
        assert.equal(await read(bytes, size), texts.join(""));
    }
  });

  it("a file that is cut anywhere is refused, except between two members", async () => {
    const random = seededRandom(2);
    const texts = [textOf(random, 30), textOf(random, 10)] as const;
    const first = gzipSync(texts[0]);
    const bytes = Buffer.concat([first, gzipSync(texts[1])]);
    for (let length = 0; length < bytes.length; length += 1) {
      const found = await readOrRefuse(bytes.subarray(0, length), 1 + random.below(100));
      assert.equal(found, length === first.length ? texts[0] : undefined, String(length));
    }
  });

  it("with a changed bit, all of the content is returned or nothing", async () => {
    const random = seededRandom(3);
    const text = textOf(random, 15);
    const bytes = Buffer.concat([memberWithFields(text), gzipSync(text, { level: 0 })]);
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ (1 << random.below(8));
      const found = await readOrRefuse(changed, 1 + random.below(200));
      assert.ok(found === undefined || found === text + text, String(at));
    }
  });

  it("refuses what follows the last member, also zeros", async () => {
    const member = gzipSync("1,2\n");
    for (const more of ["\0", "\0".repeat(512), "x", "\0garbage", "\x1f", "\x1f\x8b"]) {
      await assert.rejects(read(Buffer.concat([member, Buffer.from(more, "latin1")])), DataProblem);
    }
    await assert.rejects(read(Buffer.from("id,name\n1,a\n")), /is not in the gzip format/);
    await assert.rejects(read(Buffer.alloc(0)), /it is incomplete/);
  });

  it("a consumer that stops early closes the file", async () => {
    let isClosed = false;
    async function* file() {
      try {
        yield* inChunks(gzipSync(textOf(seededRandom(4), 20_000)), 1000);
      } finally {
        isClosed = true;
      }
    }
    for await (const _ of gunzip(file(), "a.csv.gz")) break;
    assert.ok(isClosed);
  });
});

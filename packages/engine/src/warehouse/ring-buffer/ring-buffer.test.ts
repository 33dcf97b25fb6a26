import assert from "node:assert/strict";
import { test } from "node:test";
import { RingBuffer } from "./ring-buffer.ts";
import { parseWireType } from "./wire-type.ts";

test("a batch counts the bytes of a file of more than 2 GB", () => {
  const shared = RingBuffer.share(["BIGINT", "VARCHAR"].flatMap((type) => parseWireType(type) ?? []));
  const written = new RingBuffer(shared).nextToWrite;
  for (const bytes of [0, 2 ** 31 - 1, 3_398_179_776, 2 ** 45]) {
    written.describe(7, bytes);
    written.describeColumn(0, 1, true, 2);
    written.describeColumn(1, 3, false, 4);
    const { rows, bytes: found } = written;
    assert.deepEqual([rows, found], [7, bytes]);
    assert.deepEqual([written.heapUsed(0), written.isGrown(0), written.nulls(0)], [1, true, 2]);
    assert.deepEqual([written.heapUsed(1), written.isGrown(1), written.nulls(1)], [3, false, 4]);
  }
});

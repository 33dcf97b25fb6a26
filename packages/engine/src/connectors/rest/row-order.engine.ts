/**
 * If several records of an API have the same key, one is written: the one with the greatest watermark, and of these the
 * last.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startApi } from "../../testing/rest-api.ts";
import { seededRandom } from "../../testing/seeded-random.ts";
import { startTransferHarness } from "../../testing/transfer-harness.ts";
import { ingest } from "../../transfer/ingest.ts";

interface Entry {
  readonly id: number;
  readonly at: number;
  readonly note: string;
}

for (const watermark of ["at", null]) {
  test(`${watermark === null ? "without a watermark" : "of equal watermarks"}, the last record of a key counts, over all pages`, async (t) => {
    const harness = await startTransferHarness(t);
    const random = seededRandom(7);
    let entries: readonly Entry[] = [];
    const { url } = await startApi(t, ({ searchParams }) => {
      const page = Number(searchParams.get("page") ?? 1);
      return entries.slice(50 * page - 50, 50 * page);
    });
    for (let turn = 0; turn < 3; turn += 1) {
      entries = random.shuffled(
        Array.from({ length: 300 }, (_, at) => ({
          ...{ id: random.below(20), at: random.below(3), note: `${turn}-${at}` },
        })),
      );
      const expected = new Map<number, Entry>();
      for (const entry of entries) {
        const known = expected.get(entry.id);
        if (!known || watermark === null || entry.at >= known.at) expected.set(entry.id, entry);
      }
      const target = `orders_${turn}`;
      const { superseded } = await ingest(
        harness.request(
          { id: target, target, source: "orders", watermark },
          { connection: { type: "rest", config: { url, paging: "page" } } },
        ),
        harness.context,
      );
      assert.equal(superseded, entries.length - expected.size);
      assert.deepEqual(
        (await harness.rows(`SELECT id, note FROM _main."default".${target} ORDER BY id`)).map(String),
        [...expected.values()]
          .toSorted((one, other) => one.id - other.id)
          .map(({ id, note }) => `${id},${note}`),
      );
    }
  });
}

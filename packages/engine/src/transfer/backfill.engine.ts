/**
 * Backfills a window from every source, killed once on the way. Afterwards the window equals that of the source, and nothing
 * else has changed.
 */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { enableCompileCache } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, suite, test } from "node:test";
import { startMysql } from "@lakehelm/testing";
import { isNightly } from "@lakehelm/testing/nightly";
import type { TransferRequest } from "../protocol/transfer.ts";
import { crashPoints, transferThroughCrashes } from "../testing/crashing-transfer.ts";
import { readFile } from "../testing/duckdb.ts";
import { orderSources } from "../testing/order-sources.ts";
import { sorted, type TestOrder, timeText } from "../testing/orders.ts";

enableCompileCache();

const mysql = await startMysql({ after });

const at = (second: number): number => second * 1_000_000;
const order = (id: number, second: number | null, name = "before"): TestOrder => ({
  id,
  name,
  amount: "1.50",
  changed: second === null ? null : at(second),
});
const loaded = [1, 2, 3, 4, 5, 6].map((n) => order(n, n));
/** In the window: 2 has changed, 3 is gone, 7 came late. Outside: 5 has changed, 8 has no time, 9 is for the next run. */
const changed = [
  order(1, 1),
  order(2, 2, "after"),
  order(4, 4),
  order(5, 5, "after"),
  order(6, 6),
  order(7, 3, "late"),
  order(8, null),
  order(9, 9),
];
const window = { from: timeText({ changed: at(2) }) ?? "", to: timeText({ changed: at(4) }) ?? "" };
const outside = [order(1, 1), order(4, 4), order(5, 5), order(6, 6)];
const expected = {
  // Rows without a key are replaced by those of the source.
  append: [...outside, order(2, 2, "after"), order(7, 3, "late")],
  upsert: [...outside, order(2, 2, "after"), order(3, 3), order(7, 3, "late")],
};

let count = 0;

suite("backfill of a window after kill -9", { concurrency: 2 }, () => {
  for (const [nth, [kind, open]] of Object.entries(orderSources(mysql)).entries()) {
    // At night both strategies of each kind, otherwise one of every other kind.
    const strategies = ["append", "upsert"] as const;
    for (const strategy of strategies.filter((_, at) => isNightly || nth % 4 === at * 2)) {
      const first = crashPoints[count++ % crashPoints.length] ?? "read";
      test(`${kind}: ${strategy}, killed at ${first}`, async (t) => {
        const folder = await mkdtemp(join(tmpdir(), "lakehelm-backfill-"));
        t.after(() => rm(folder, { recursive: true, force: true }));
        await mkdir(join(folder, "warehouse", "test"), { recursive: true });
        const source = await open(folder, `backfill_${process.pid}_${kind.length}_${strategy}`);
        t.after(() => source.close?.());
        const request: TransferRequest = {
          scope: { environment: "test", catalog: "main", schema: "default" },
          direction: "in",
          connector: "shop",
          connection: source.connection,
          dataset: {
            id: "orders",
            source: source.dataset,
            target: "orders",
            keys: strategy === "upsert" ? ["id"] : [],
            strategy,
            watermark: "updated_at",
            leftOut: [],
            maxRejectShare: 0,
            deletes: false,
            maxDeleteShare: 1,
            onMissingColumn: "keep",
          },
          run: "run-1",
          retryRejects: false,
        };
        const transfer = (
          more: Partial<TransferRequest>,
          killedAt: readonly (typeof crashPoints)[number][],
        ) =>
          transferThroughCrashes({
            folder: join(folder, "warehouse"),
            request: { ...request, ...more },
            at: killedAt,
            between: async () => {},
          });
        await source.put(loaded);
        const { watermark_after } = (await transfer({}, [])).result;
        await source.put(changed);
        const { result, killed } = await transfer({ window, run: "run-2" }, [first]);
        assert.deepEqual(killed, [first]);
        assert.equal(result.watermark_after, watermark_after);
        const rows = () => readFile(join(folder, "warehouse", "test", "main.duckdb"), "default", "orders");
        assert.deepEqual(sorted(await rows()), sorted(expected[strategy]));
        // The next run continues at the watermark, as if there had been no backfill.
        await transfer({ run: "run-3" }, []);
        const next = [...expected[strategy], order(8, null), order(9, 9)];
        assert.deepEqual(sorted(await rows()), sorted(next));
      });
    }
  }
});

/** Kills archiving at random steps: every listed batch is whole, and listed once. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { archivedLines } from "../../testing/archive.ts";
import { eventKey } from "../events/chain.ts";
import { createArchive } from "./archive.ts";
import { verifyArchive } from "./archive-verification.ts";

const key = eventKey(Buffer.alloc(32, 5));
const kinds = ["runs", "deliveries"] as const;

/** Pseudo-random numbers, the same for the same seed. */
function randomBelow(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

for (let seed = 1; seed <= 10; seed++) {
  test(`nothing is lost and nothing is there twice after kills at random steps, seed ${seed}`, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "lakehelm-kills-"));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const below = randomBelow(seed);
    let now = Date.parse("2026-03-30T12:00:00.000Z");
    /** How many steps are left before the next kill. */
    let steps = below(8);
    const open = () =>
      createArchive({
        folder,
        key,
        now: () => new Date(now),
        reserveBytes: 0,
        async crashPoint() {
          if (steps-- === 0) throw new Error("killed");
        },
      });
    let archive = open();
    const removed: Record<string, string[]> = { runs: [], deliveries: [] };
    let next = 0;

    for (let batch = 0; batch < 40; batch++) {
      const kind = kinds[below(2)] as (typeof kinds)[number];
      const ids = Array.from({ length: 1 + below(5) }, () => `id-${String(next++).padStart(6, "0")}`);
      const lines = ids.map((id) => JSON.stringify({ id, text: "x".repeat(below(50)) }));
      const records = { first: ids[0] ?? "", last: ids.at(-1) ?? "", count: ids.length };
      // As retention does: after a kill, a batch that is listed is only removed.
      for (let isDone = false; !isDone; ) {
        const last = await archive.last(kind);
        if (last?.first === records.first) {
          assert.deepEqual(await archive.lines(kind, last), lines);
          break;
        }
        try {
          await archive.write(kind, records, lines);
          isDone = true;
        } catch {
          steps = below(12);
          if (below(5) === 0) now += 86_400_000;
          archive = open();
        }
      }
      removed[kind]?.push(...lines);
      // Days, a month, and a clock that is set back.
      if (below(4) === 0) now += (below(4) - 1) * 86_400_000;
    }

    for (const verdict of await verifyArchive(folder, key)) {
      assert.deepEqual([verdict.problems, verdict.records], [[], removed[verdict.kind]?.length]);
      // Files without a line do not count.
      for (const file of verdict.unlisted) await rm(join(folder, verdict.kind, file));
    }
    for (const kind of kinds) {
      steps = Number.POSITIVE_INFINITY;
      const one = { first: "end", last: "end", count: 1 };
      await archive.write(kind, one, ['{"id":"end"}']);
      const found = await archivedLines(join(folder, kind));
      const expected = [...(removed[kind] ?? []), '{"id":"end"}'];
      assert.deepEqual([found.length, found.sort()], [expected.length, expected.sort()]);
    }
  });
}

/** A reader that writes `count` generated rows and then ends as `ending` says. Its position is the id of its thread. */
import { setTimeout } from "node:timers/promises";
import { threadId } from "node:worker_threads";
import { DataProblem } from "../protocol/problem.ts";
import { openRowWriter, type ReadRows, reportPosition } from "../warehouse/ring-buffer/row-writer.ts";
import { rawOf, type SyntheticRows, textOf } from "./synthetic-rows.ts";

export const read: ReadRows<SyntheticRows> = async (
  { count, pauseAt, pauseMs = 0, rejects = 0, ending },
  ring,
) => {
  const rows = openRowWriter(ring);
  reportPosition(BigInt(threadId));
  for (let n = 0; n < rejects; n++) rows.reject("rejected before the first row", { n });
  for (let n = 0; n < count; n++) {
    if (n === pauseAt) await setTimeout(pauseMs);
    if (n % 1000 === 7) rows.reject(`${n} is rejected`, { n });
    if (!rows.hasSpace) await rows.spaceAvailable();
    rows.row([
      n,
      n % 5 === 0 ? null : n % 2 === 0,
      n / 3,
      n % 7 === 0 ? null : textOf(n),
      JSON.stringify({ n }),
      rawOf(n),
    ]);
  }
  if (ending === "fail") throw new DataProblem("The connection was closed.", { retryable: true });
  if (ending === "break") throw new TypeError("This is a bug.");
  if (ending === "exit") process.exit();
  if (ending === "end") rows.end();
};

/** A source of rows that are made up: `count` of them, then what `ending` says. */
import { setTimeout } from "node:timers/promises";
import { DataProblem } from "../protocol/problem.ts";
import { openRowWriter, threadData } from "../warehouse/ring-buffer/row-writer.ts";
import { rawOf, type SyntheticRows, textOf } from "./synthetic-rows.ts";

const { count, pauseAt, pauseMs = 0, rejects = 0, ending } = threadData<SyntheticRows>();
const rows = openRowWriter();
for (let n = 0; n < rejects; n++) rows.reject("not wanted", { n });
for (let n = 0; n < count; n++) {
  if (n === pauseAt) await setTimeout(pauseMs);
  if (n % 1000 === 7) rows.reject(`${n} is not wanted`, { n });
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
if (ending === "fail") throw new DataProblem("The other side hung up.", { retryable: true });
if (ending === "break") throw new TypeError("There is a mistake here.");
if (ending === "end") rows.end();

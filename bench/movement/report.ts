import { availableParallelism, totalmem } from "node:os";
import type { Sample } from "./sample.ts";

export interface Round {
  readonly floorOut: Sample;
  readonly inFull: Sample;
  readonly floorIn: Sample;
  readonly backFull: Sample;
  readonly inChanged: Sample;
  readonly backChanged: Sample;
  /**
   * The 99th percentile of `GET` of one connector at a fixed rate, in milliseconds: without other work, and during a
   * full load.
   */
  readonly idleP99: number;
  readonly busyP99: number;
}

/** The run with many more rows. */
export interface Large {
  readonly rows: number;
  readonly peakMb: number;
}

const seconds = ({ ms }: Sample) => `${(ms / 1000).toFixed(2)} s`;
const percent = (share: number) => `${Math.round(share * 100)} %`;
const count = (n: number) => Math.round(n).toLocaleString("en");
const verdict = (ok: boolean) => (ok ? "reached" : "**missed**");

/** `load` is the load average of the machine before the measurement. */
export function movementReport(
  rows: number,
  rounds: readonly Round[],
  large: Large | undefined,
  load: number,
): string {
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const peak = Math.max(
    ...rounds.flatMap(({ inFull, backFull, backChanged }) =>
      [inFull, backFull, backChanged].map(({ peakMb }) => peakMb),
    ),
  );
  const waits = rounds
    .map(({ idleP99, busyP99 }) => ({ idleP99, busyP99, ratio: busyP99 / idleP99 }))
    .sort((a, b) => a.ratio - b.ratio)[Math.floor(rounds.length / 2)];
  return withAlignedTables(`# Moving rows

Written by \`npm run bench:movement\` on a virtual machine with ${availableParallelism()} cores and ${gigabytes} GB, Linux ${process.arch}, Node ${process.version}: ${count(rows)} rows of 13
columns between a PostgreSQL on the same machine and the warehouse, with \`PLATFORM_WAREHOUSE_MEMORY_MB=128\`. Ours is a run of a connector, from its start to its
end as the API reports it. It is compared, in the same round, with binary \`COPY\` that discards its output, with binary \`COPY\`
from a prepared file into a new table whose key is added last, and with our own full load. The table has the round with the
median ratio of ${rounds.length}. After each transfer back, the rows are compared. Other work on the machine was a load of ${load.toFixed(0)} when it
began: where that is more than 1, read the ratios, not the seconds, and leave out the p99.

| | ours | compared with | ratio | bar | |
|---|---|---|---|---|---|
${atLeast("PostgreSQL → warehouse, in full; COPY without output", rounds, "inFull", "floorOut", 0.5)}
${atLeast("warehouse → PostgreSQL, in full; COPY from a file", rounds, "backFull", "floorIn", 0.6)}
${atMost("PostgreSQL → warehouse, 1 % changed; in full", rounds, "inChanged", "inFull", 0.1)}
${atMost("warehouse → PostgreSQL, 1 % changed; in full", rounds, "backChanged", "backFull", 0.1)}

| | measured | bar | |
|---|---|---|---|
| peak memory, server and engine | ${count(peak)} MB | 500 MB | ${verdict(peak <= 500)} |
${large ? `| the same, ${count(large.rows)} rows, both directions | ${count(large.peakMb)} MB | 500 MB | ${verdict(large.peakMb <= 500)} |\n` : ""}${waits ? `| p99 of \`GET\` one at 200 requests/s, during a full load | ${waits.busyP99.toFixed(1)} ms, ${waits.idleP99.toFixed(1)} ms idle: ${waits.ratio.toFixed(1)} × | 3 × | ${verdict(waits.ratio <= 3)} |\n` : ""}`);
}

/** Each column as wide as its longest cell. */
function withAlignedTables(text: string): string {
  return text.replace(/(?:^\|.*\|\n)+/gm, (table) => {
    const rows = table
      .trimEnd()
      .split("\n")
      .map((row) =>
        row
          .slice(1, -1)
          .split("|")
          .map((cell) => cell.trim()),
      );
    const widths = (rows[0] ?? []).map((_, at) => Math.max(3, ...rows.map((row) => row[at]?.length ?? 0)));
    return rows
      .map((row, index) =>
        row.map((cell, at) => (index === 1 ? "-".repeat(widths[at] ?? 3) : cell.padEnd(widths[at] ?? 3))),
      )
      .map((row) => `| ${row.join(" | ")} |\n`)
      .join("");
  });
}

type What = Exclude<keyof Round, "idleP99" | "busyP99">;

/** The share of the floor's speed that we reach. */
const atLeast = (name: string, rounds: readonly Round[], ours: What, floor: What, bar: number): string =>
  line(
    name,
    rounds,
    [ours, floor],
    (mine, its) => its / mine,
    `≥ ${percent(bar)}`,
    (ratio) => ratio >= bar,
  );

/** Our time as a share of the full load's time. */
const atMost = (name: string, rounds: readonly Round[], ours: What, full: What, bar: number): string =>
  line(
    name,
    rounds,
    [ours, full],
    (mine, its) => mine / its,
    `≤ ${percent(bar)}`,
    (ratio) => ratio <= bar,
  );

/** A line of the table, from the round with the median ratio. */
function line(
  name: string,
  rounds: readonly Round[],
  [ours, other]: readonly [What, What],
  ratioOf: (ours: number, other: number) => number,
  bar: string,
  isReached: (ratio: number) => boolean,
): string {
  const sorted = rounds
    .map((round) => {
      const [mine, its] = [round[ours], round[other]];
      return { mine, its, ratio: ratioOf(mine.ms, its.ms) };
    })
    .sort((a, b) => a.ratio - b.ratio);
  const found = sorted[Math.floor(sorted.length / 2)];
  if (!found) return `| ${name} | | | | ${bar} | not measured |`;
  const { mine, its, ratio } = found;
  return `| ${name} | ${seconds(mine)} | ${seconds(its)} | ${percent(ratio)} | ${bar} | ${verdict(isReached(ratio))} |`;
}

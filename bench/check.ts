import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isCrowded, isQuiet, type Ratios, type Row } from "./comparison.ts";

/** The ratios of the last full run, in the folder of its page. */
const path = join(import.meta.dirname, "results.json");

type Recorded = Readonly<Record<string, Partial<Ratios>>>;

export const readRecorded = (): Recorded => JSON.parse(readFileSync(path, "utf8")) as Recorded;

export function writeRecorded(rows: readonly Row[]): void {
  const rounded = ({ ratios }: Row) =>
    Object.fromEntries(Object.entries(ratios).map(([name, ratio]) => [name, Number(ratio.toFixed(3))]));
  const recorded = Object.fromEntries(rows.map((row) => [row.name, rounded(row)]));
  writeFileSync(path, `${JSON.stringify(recorded, null, 2)}\n`);
}

/** A ratio below this share of the recorded ratio counts as a regression. */
const leastShare = 0.75;

/**
 * Sentences about ratios that fell by more than a quarter. Slower code lowers every ratio: processor time, and both
 * floors of a write. Another disk or other programs lower only some of them. Waiting costs no processor time: on a
 * quiet machine, a fall to half the speed also counts. Nothing is compared while other programs use most of the
 * machine.
 */
export function fallen(before: Partial<Ratios> | undefined, { ratios: now, outside }: Measurement): string[] {
  if (!before || isCrowded(outside)) return [];
  const kept = (name: keyof Ratios) => {
    const [ratio, recorded] = [now[name], before[name]];
    return ratio === undefined || recorded === undefined ? undefined : ratio / recorded;
  };
  const sentence = (name: keyof Ratios) =>
    `${shown(now[name])} ${subjects[name]}, ${shown(before[name])} before`;
  const measured = (names: readonly (keyof Ratios)[]) => names.filter((name) => kept(name) !== undefined);
  const fell = (names: readonly (keyof Ratios)[], least: number) =>
    names.length > 0 && names.every((name) => (kept(name) ?? 1) < least);
  const floors = measured(["floor", "grouped"]);
  const all = measured(["floor", "grouped", "processor"]);
  return [
    ...(fell(all, leastShare) || (isQuiet(outside) && fell(floors, 0.5)) ? all.map(sentence) : []),
    ...(isQuiet(outside) && fell(measured(["peer"]), leastShare) ? [sentence("peer")] : []),
  ];
}

type Measurement = Pick<Row, "ratios" | "outside">;

const subjects: Record<keyof Ratios, string> = {
  floor: "of the floor",
  grouped: "of the grouped floor",
  peer: "of the peer",
  processor: "of our processor time is the floor's",
};

const shown = (ratio: number | undefined) => `${((ratio ?? 0) * 100).toFixed(0)} %`;

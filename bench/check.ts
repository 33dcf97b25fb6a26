import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Ratios, Row } from "./comparison.ts";

/** The ratios of the last full run, next to its page. */
const path = join(import.meta.dirname, "results.json");

type Recorded = Readonly<Record<string, Ratios>>;

export const readRecorded = (): Recorded => JSON.parse(readFileSync(path, "utf8")) as Recorded;

export function writeRecorded(rows: readonly Row[]): void {
  const rounded = ({ ratios }: Row) =>
    Object.fromEntries(Object.entries(ratios).map(([name, ratio]) => [name, Number(ratio.toFixed(3))]));
  const recorded = Object.fromEntries(rows.map((row) => [row.name, rounded(row)]));
  writeFileSync(path, `${JSON.stringify(recorded, null, 2)}\n`);
}

/** A ratio below this share of the recorded one has fallen. */
const least = 0.75;

/**
 * Sentences about what fell by more than a quarter. A write has two floors and must have fallen against both: another disk
 * changes the floor with an fsync for each write, slower code changes both.
 */
export function fallen(before: Ratios | undefined, now: Ratios): string[] {
  if (!before) return [];
  const kept = (name: keyof Ratios) =>
    before[name] === undefined || now[name] === undefined ? undefined : now[name] / before[name];
  const sentence = (name: keyof Ratios) =>
    `${shown(now[name])} of the ${name === "grouped" ? "grouped floor" : name}, ${shown(before[name])} before`;
  const floors = (["floor", "grouped"] as const).filter((name) => kept(name) !== undefined);
  const fell = (name: keyof Ratios) => (kept(name) ?? 1) < least;
  return [
    ...(floors.length > 0 && floors.every(fell) ? floors.map(sentence) : []),
    ...(fell("peer") ? [sentence("peer")] : []),
  ];
}

const shown = (ratio: number | undefined) => `${((ratio ?? 0) * 100).toFixed(0)} %`;

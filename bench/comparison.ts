import type { Measured, Speed } from "./load.ts";
import { watchProcessor } from "./processes.ts";

/** A measurement, and the floor and peer that it is compared with. */
export interface Subject {
  readonly name: string;
  /** The minimum share of the floor's speed that we must reach. */
  readonly bar?: number;
  /** The minimum multiple of the peer's speed that we must reach. */
  readonly peerBar?: number;
  readonly ours: () => Promise<Measured>;
  readonly floor: () => Promise<Speed>;
  /** The floor with one fsync for 32 writes, as our server does with 32 connections. */
  readonly grouped?: () => Promise<Speed>;
  readonly peer?: (() => Promise<Speed>) | undefined;
}

/** Medians over all rounds: requests per second, and ratios that were each measured within one round. */
export interface Row {
  readonly name: string;
  readonly bar: number | undefined;
  readonly peerBar: number | undefined;
  readonly ours: Measured;
  readonly floor: number;
  readonly grouped: number | undefined;
  readonly peer: number | undefined;
  readonly ratios: Ratios;
  /** The share of the machine's processor time that other programs and other virtual machines took. */
  readonly outside: number;
}

export interface Ratios {
  readonly floor: number;
  readonly grouped?: number;
  readonly peer?: number;
  /** The floor's processor time per request as a share of ours. Uses the grouped floor if there is one. */
  readonly processor: number;
}

/**
 * Each round measures our server, the floor and the peer within seconds, because the speed of a shared machine changes
 * from one second to the next. If `enough` rejects the row, up to twice as many rounds follow.
 */
export async function compare(
  subject: Subject,
  rounds: number,
  enough: (row: Row) => boolean = () => true,
): Promise<Row> {
  const { name, bar, peerBar } = subject;
  await warmUp(subject.ours);
  const measured: Round[] = [];
  const outside = watchProcessor();
  const rowOf = (): Row => ({ name, bar, peerBar, ...mediansOf(measured), outside: outside() });
  while (measured.length < rounds) measured.push(await round(subject));
  while (measured.length < 3 * rounds && !enough(rowOf())) measured.push(await round(subject));
  const row = rowOf();
  console.log(lineOf(row));
  return row;
}

/**
 * Repeats the requests until their processor time stops falling. Compiling the code for 422 answers takes about 40,000
 * requests: with one round, short rounds on a slow machine measured half of the speed.
 */
async function warmUp(ours: Subject["ours"]): Promise<void> {
  let before = await ours();
  for (let n = 0; n < 12; n++) {
    const now = await ours();
    if (now.cpuMicros > 0.97 * before.cpuMicros) return;
    before = now;
  }
}

interface Round {
  readonly ours: Measured;
  readonly floor: Speed;
  readonly grouped: Speed | undefined;
  readonly peer: Speed | undefined;
}

async function round({ ours, floor, grouped, peer }: Subject): Promise<Round> {
  return { floor: await floor(), ours: await ours(), grouped: await grouped?.(), peer: await peer?.() };
}

function mediansOf(rounds: readonly Round[]): Pick<Row, "ours" | "floor" | "grouped" | "peer" | "ratios"> {
  const of = (value: (round: Round) => number) => median(rounds.map(value));
  const ifMeasured = (name: "grouped" | "peer", value: (other: Speed, ours: Measured) => number) => {
    const values = rounds.flatMap((one) => (one[name] ? [value(one[name], one.ours)] : []));
    return values.length === 0 ? undefined : median(values);
  };
  const speed = (other: Speed) => other.perSecond;
  const share = (other: Speed, ours: Measured) => ours.perSecond / other.perSecond;
  const [grouped, peer] = [ifMeasured("grouped", share), ifMeasured("peer", share)];
  return {
    ours: {
      perSecond: of(({ ours }) => ours.perSecond),
      cpuMicros: of(({ ours }) => ours.cpuMicros),
      p50: of(({ ours }) => ours.p50),
      p99: of(({ ours }) => ours.p99),
    },
    floor: of(({ floor }) => floor.perSecond),
    grouped: ifMeasured("grouped", speed),
    peer: ifMeasured("peer", speed),
    ratios: {
      floor: of(({ ours, floor }) => share(floor, ours)),
      ...(grouped !== undefined && { grouped }),
      ...(peer !== undefined && { peer }),
      processor: of(({ ours, floor, grouped }) => (grouped ?? floor).cpuMicros / ours.cpuMicros),
    },
  };
}

/**
 * Whether the machine is quiet. Other programs slow down work on both cores more than work on one core, and then only
 * processor time is comparable.
 */
export const isQuiet = (outside: number): boolean => outside < 0.05;

/** Whether so little processor time is left that commits have fewer writes each, and no result is comparable. */
export const isCrowded = (outside: number): boolean => outside > 0.5;

/** The median. For an even number of values, the greater of the two middle values. */
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;

function lineOf({ name, ours, ratios, bar, peerBar, outside }: Row): string {
  const percent = (share: number) => `${(share * 100).toFixed(0)} %`;
  return [
    name.padEnd(34),
    `${ours.perSecond.toFixed(0).padStart(7)}/s`,
    `${percent(ratios.floor).padStart(6)} of the floor${bar === undefined ? "" : ` (bar ${percent(bar)})`}`,
    ...(ratios.grouped === undefined ? [] : [`${percent(ratios.grouped)} of the grouped floor`]),
    ...(ratios.peer === undefined ? [] : [`${ratios.peer.toFixed(1)} × the peer (bar ${peerBar} ×)`]),
    `${ours.cpuMicros.toFixed(0)} µs of processor time (the floor ${percent(ratios.processor)} of it)`,
    ...(isQuiet(outside) ? [] : [`${percent(outside)} of the machine was used by others`]),
  ].join("  ");
}

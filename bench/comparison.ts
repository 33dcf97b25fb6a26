import type { Measured } from "./load.ts";

/** What is measured, and what it is compared with. */
export interface Subject {
  readonly name: string;
  /** The least share of the floor that ours must reach. */
  readonly bar?: number;
  /** How many times the peer's speed ours must reach. */
  readonly peerBar?: number;
  readonly ours: () => Promise<Measured>;
  readonly floor: () => Promise<number>;
  /** The floor with one fsync for 32 writes, which is what ours does with 32 connections. */
  readonly grouped?: () => Promise<number>;
  readonly peer?: (() => Promise<number>) | undefined;
}

/** The best of all rounds per second, and ours as a share of each. */
export interface Row {
  readonly name: string;
  readonly bar: number | undefined;
  readonly peerBar: number | undefined;
  readonly ours: Measured;
  readonly floor: number;
  readonly grouped: number | undefined;
  readonly peer: number | undefined;
  readonly ratios: Ratios;
}

export interface Ratios {
  readonly floor: number;
  readonly grouped?: number;
  readonly peer?: number;
}

/**
 * Each round measures ours and the others seconds apart, because the machine's speed changes from minute to minute. The best
 * round of each counts: other programs only make a round slower. If `enough` rejects the ratios, up to five times as many
 * rounds follow.
 */
export async function compare(
  subject: Subject,
  rounds: number,
  enough: (ratios: Ratios) => boolean = () => true,
): Promise<Row> {
  const { name, bar, peerBar } = subject;
  await subject.ours();
  let best = await round(subject);
  for (let n = 1; n < rounds || (n < 5 * rounds && !enough(ratiosOf(best))); n++) {
    best = better(best, await round(subject));
  }
  const row = { name, bar, peerBar, ...best, ratios: ratiosOf(best) };
  console.log(lineOf(row));
  return row;
}

type Round = Pick<Row, "ours" | "floor" | "grouped" | "peer">;

async function round({ ours, floor, grouped, peer }: Subject): Promise<Round> {
  return { floor: await floor(), ours: await ours(), grouped: await grouped?.(), peer: await peer?.() };
}

const most = (a: number | undefined, b: number | undefined) =>
  a === undefined || b === undefined ? undefined : Math.max(a, b);

const better = (a: Round, b: Round): Round => ({
  ours: a.ours.perSecond > b.ours.perSecond ? a.ours : b.ours,
  floor: Math.max(a.floor, b.floor),
  grouped: most(a.grouped, b.grouped),
  peer: most(a.peer, b.peer),
});

const ratiosOf = ({ ours: { perSecond }, floor, grouped, peer }: Round): Ratios => ({
  floor: perSecond / floor,
  ...(grouped !== undefined && { grouped: perSecond / grouped }),
  ...(peer !== undefined && { peer: perSecond / peer }),
});

function lineOf({ name, ours, ratios, bar, peerBar }: Row): string {
  const percent = (share: number) => `${(share * 100).toFixed(0)} %`;
  return [
    name.padEnd(34),
    `${ours.perSecond.toFixed(0).padStart(7)}/s`,
    `${percent(ratios.floor).padStart(6)} of the floor${bar === undefined ? "" : ` (bar ${percent(bar)})`}`,
    ...(ratios.grouped === undefined ? [] : [`${percent(ratios.grouped)} of the grouped floor`]),
    ...(ratios.peer === undefined ? [] : [`${ratios.peer.toFixed(1)} × the peer (bar ${peerBar} ×)`]),
  ].join("  ");
}

import type { Client } from "@lakehelm/contract/client";
import { jsonRowsOf } from "../../packages/spark-connect/src/index.ts";
import type { BenchCluster } from "./cluster.ts";

export interface Latency {
  /** Medians, in milliseconds. */
  readonly bare: number;
  readonly ours: number;
}

const sql = "SELECT 1";

/** Runs `SELECT 1` alternately with a bare client of Spark Connect and through the API. */
export async function measureLatency(
  { session }: BenchCluster,
  client: Client,
  environment: string,
  times: number,
): Promise<Latency> {
  const bare = async () => {
    for await (const { arrow } of session.query({ sql })) [...jsonRowsOf(arrow)];
  };
  const ours = async () => {
    await client.runQuery({ body: { sql }, environment });
  };
  const samples: { bare: number[]; ours: number[] } = { bare: [], ours: [] };
  // The first 20 pairs warm up the compilers of both sides.
  for (let nth = -20; nth < times; nth++) {
    const [bareMs, oursMs] = [await timeOf(bare), await timeOf(ours)];
    if (nth < 0) continue;
    samples.bare.push(bareMs);
    samples.ours.push(oursMs);
  }
  return { bare: median(samples.bare), ours: median(samples.ours) };
}

export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

/** Attacks that last for some time, and the effect on other callers. */
import assert from "node:assert/strict";
import { Agent } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { isNightly } from "@lakehelm/testing/nightly";
import { type Got, type Sent, send } from "../packages/server/src/web/http/test-requests.ts";
import type { Target } from "./target.ts";

/** The duration of an attack: a minute with `npm run test:nightly`. */
const attackMs = isNightly ? 60_000 : 10_000;

/**
 * Absolute limits, in addition to 20 times the time without the attack, because the machine may also run other tests.
 * Usually a read takes 2 ms.
 */
const limits = { medianMs: 500, slowestMs: 5_000 };

/** Sends requests from a separate address; all addresses in 127.0.0.0/8 belong to this machine. */
export function createAttacker(url: string, localAddress: string, signal?: AbortSignal) {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  return {
    send: (request: Sent): Promise<Got> =>
      send(url, request, { agent, localAddress, ...(signal && { signal }) }),
    close: () => agent.destroy(),
  };
}

/** Repeats an attack with this concurrency until the signal, and counts answers by status; 0 is a lost connection. */
export async function flood(
  atOnce: number,
  signal: AbortSignal,
  attack: (n: number) => Promise<{ readonly status: number }>,
): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  let n = 0;
  async function repeat(): Promise<void> {
    while (!signal.aborted) {
      const { status } = await attack(n++).catch(() => ({ status: 0 }));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  }
  await Promise.all(Array.from({ length: atOnce }, repeat));
  return statuses;
}

/**
 * Runs an attack, and meanwhile reads /health and a list as another caller, each on a new connection. Both must be
 * answered, and quickly.
 */
export async function withstand<Result>(
  { url, admin }: Target,
  attack: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  let times: number[] = [];
  async function timed(path: string, headers: Record<string, string>): Promise<void> {
    const from = performance.now();
    const response = await fetch(`${url}${path}`, {
      headers: { ...headers, connection: "close" },
      signal: AbortSignal.timeout(30_000),
    });
    await response.text();
    assert.equal(response.status, 200, `${path} during the attack`);
    times.push(performance.now() - from);
  }
  async function read(): Promise<void> {
    await timed("/health", {});
    await timed("/api/v1/connectors/?limit=10", { authorization: `Bearer ${admin.token}` });
  }
  for (let n = 0; n < 10; n++) await read();
  const idle = summaryOf(times);
  times = [];
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), attackMs);
  const running = attack(stop.signal).finally(() => stop.abort());
  running.catch(() => {});
  try {
    while (!stop.signal.aborted) {
      await read();
      await pause(50);
    }
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
  const result = await running;
  const seen = summaryOf(times);
  const shown = JSON.stringify({ idle, seen, reads: times.length });
  assert.ok(seen.median < limits.medianMs + 20 * idle.median, `reads were slow: ${shown}`);
  assert.ok(seen.slowest < limits.slowestMs + 20 * idle.slowest, `a read was slow: ${shown}`);
  return result;
}

function summaryOf(times: readonly number[]): { median: number; slowest: number } {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (position: number) => Math.round(sorted[Math.floor(position)] ?? Number.NaN);
  return { median: at(sorted.length / 2), slowest: at(sorted.length - 1) };
}

import { setTimeout as pause } from "node:timers/promises";
import { kill, processesOf } from "./processes.ts";
import type { SoakServer } from "./server.ts";

/** The number of killed processes of each kind. */
export interface KillCounts {
  readonly server: number;
  readonly engine: number;
  /** By the name of an app. */
  readonly apps: ReadonlyMap<string, number>;
}

/**
 * Kills random processes until the time is over; the seed determines which ones and when. At the end the server runs.
 * The time of its restarts does not count, so that a busy machine sees the same kills.
 */
export async function injectFaults(
  server: SoakServer,
  dataDir: string,
  seconds: number,
  random: () => number,
): Promise<KillCounts> {
  const kills = { server: 0, engine: 0 };
  const apps = new Map<string, number>();
  let end = performance.now() + seconds * 1000;
  for (;;) {
    const wait = 1000 + random() * 7000;
    if (performance.now() + wait > end) break;
    await pause(wait);
    const sample = random();
    const kind = sample < 0.25 ? "server" : sample < 0.6 ? "engine" : "app";
    const candidates = processesOf(dataDir).filter((one) => one.kind === kind);
    const victim = candidates[Math.floor(random() * candidates.length)];
    if (!victim) continue;
    if (kind === "app") apps.set(victim.app ?? "", (apps.get(victim.app ?? "") ?? 0) + 1);
    else kills[kind] += 1;
    if (kind !== "server") {
      kill(victim.pid);
      continue;
    }
    const killed = performance.now();
    await server.kill();
    await pause(random() * 3000);
    await server.start();
    end += performance.now() - killed;
  }
  await pause(Math.max(0, end - performance.now()));
  return { ...kills, apps };
}

import { setTimeout as pause } from "node:timers/promises";
import type { Lakehelm } from "./lakehelm.ts";
import { kill, processesOf } from "./processes.ts";

export interface Faults {
  readonly server: number;
  readonly engine: number;
  /** Of each app, by its name. */
  readonly apps: ReadonlyMap<string, number>;
}

/** Kills, in moments that the seed decides, until the time is over; the server is up at the end. */
export async function injectFaults(
  lakehelm: Lakehelm,
  dataDir: string,
  seconds: number,
  random: () => number,
): Promise<Faults> {
  const done = { server: 0, engine: 0 };
  const apps = new Map<string, number>();
  const end = performance.now() + seconds * 1000;
  for (;;) {
    const wait = 1000 + random() * 7000;
    if (performance.now() + wait > end) break;
    await pause(wait);
    const dice = random();
    const kind = dice < 0.25 ? "server" : dice < 0.6 ? "engine" : "app";
    const alive = processesOf(dataDir).filter((one) => one.kind === kind);
    const victim = alive[Math.floor(random() * alive.length)];
    if (!victim) continue;
    if (kind === "app") apps.set(victim.app ?? "", (apps.get(victim.app ?? "") ?? 0) + 1);
    else done[kind] += 1;
    if (kind !== "server") {
      kill(victim.pid);
      continue;
    }
    await lakehelm.kill();
    await pause(random() * 3000);
    await lakehelm.start();
  }
  await pause(Math.max(0, end - performance.now()));
  return { ...done, apps };
}

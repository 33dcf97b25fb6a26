/** A server that runs retention once and kills itself at a step of it. For tests: its argument is a `KilledRetention`. */
import { pino } from "pino";
import { startServer } from "../../server.ts";
import { readSettings } from "../../settings.ts";
import { createSystem } from "../system.ts";
import type { CrashPoint } from "./archive.ts";

export interface KilledRetention {
  readonly settings: Readonly<Record<string, string>>;
  readonly time: string;
  readonly point: CrashPoint;
  /** How many times this step is passed before the kill. */
  readonly after: number;
}

const { settings, time, point, after } = JSON.parse(process.argv[2] ?? "") as KilledRetention;
let passed = 0;

const server = await startServer(readSettings(settings), {
  system: { ...createSystem(), now: () => new Date(time) },
  log: pino({ level: "silent" }),
  async retentionCrashPoint(at) {
    if (at !== point || passed++ < after) return;
    process.kill(process.pid, "SIGKILL");
    await new Promise(() => {});
  },
});
await server.retain();
await server.stop();

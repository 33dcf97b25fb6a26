import { readdirSync, readFileSync, readlinkSync } from "node:fs";

export interface Found {
  readonly pid: number;
  readonly kind: "server" | "engine" | "app";
  /** Of an app: its name. */
  readonly app: string | undefined;
}

/** Every process on this machine that belongs to a data folder: it has it in its environment, or files of it open. Linux only. */
export function processesOf(dataDir: string): Found[] {
  return readdirSync("/proc").flatMap((name) => {
    const pid = Number(name);
    if (!(pid > 0) || pid === process.pid) return [];
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
      const isOurs = environment.some((entry) => entry.includes(dataDir)) || hasOpen(pid, dataDir);
      if (!isOurs || isZombie(pid)) return [];
      const app = environment.find((entry) => entry.startsWith("DATABRICKS_APP_NAME="))?.split("=")[1];
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
      const kind = app !== undefined ? "app" : command.includes("engine/src/child.ts") ? "engine" : "server";
      return [{ pid, kind, app }];
    } catch {
      // It has ended while we looked, or it is not ours to look at.
      return [];
    }
  });
}

const hasOpen = (pid: number, folder: string): boolean =>
  readdirSync(`/proc/${pid}/fd`).some((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`).startsWith(folder));

const isZombie = (pid: number): boolean => /^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));

export function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It was faster.
  }
}

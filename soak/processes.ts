import { readdirSync, readFileSync, readlinkSync } from "node:fs";

export interface ProcessEntry {
  readonly pid: number;
  readonly kind: "server" | "engine" | "app";
  /** The name of an app; undefined for other processes. */
  readonly app: string | undefined;
}

/**
 * All processes on this machine that belong to a data folder: their environment contains its path, or they have one of
 * its files open. Linux only.
 */
export function processesOf(dataDir: string): ProcessEntry[] {
  return readdirSync("/proc").flatMap((name) => {
    const pid = Number(name);
    if (!(pid > 0) || pid === process.pid) return [];
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
      const isOurs = environment.some((entry) => entry.includes(dataDir)) || hasOpenFile(pid, dataDir);
      if (!isOurs || isZombie(pid)) return [];
      const app = environment.find((entry) => entry.startsWith("DATABRICKS_APP_NAME="))?.split("=")[1];
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
      const isEngine = /engine\/src\/(?:\w+\/)*child\.ts/.test(command);
      return [{ pid, kind: app !== undefined ? "app" : isEngine ? "engine" : "server", app }];
    } catch {
      // The process has exited, or belongs to another user.
      return [];
    }
  });
}

const hasOpenFile = (pid: number, folder: string): boolean =>
  readdirSync(`/proc/${pid}/fd`).some((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`).startsWith(folder));

const isZombie = (pid: number): boolean => /^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));

export function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process has already exited.
  }
}

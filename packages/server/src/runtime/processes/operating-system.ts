import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { hasCode } from "../../core/files/disk.ts";

/** Process information from the operating system: /proc on Linux, otherwise `ps`. */

/** A running process; zombies are excluded. */
export interface OsProcess {
  readonly pid: number;
  readonly parent: number;
  /** Its process group: the pid of the process that created the group. */
  readonly group: number;
  /** Its start time in the machine's units: together with the pid it identifies a process until the next boot. */
  readonly began: string;
  /** The user id, read only if the server is root: only then do programs run as other users. */
  readonly user: number | undefined;
}

export async function allProcesses(): Promise<OsProcess[]> {
  if (process.platform !== "linux") return byPs();
  const found = await Promise.all((await pids()).map(statOf));
  return found.flatMap((one) => one ?? []);
}

/** Undefined if the process no longer exists. */
export async function processAt(pid: number): Promise<OsProcess | undefined> {
  if (process.platform !== "linux") return (await byPs()).find((one) => one.pid === pid);
  return statOf(pid);
}

/**
 * All processes that a process has started, directly or indirectly. In a sandbox, this includes the first process of
 * the namespace even if a program has taken it over: with the same user, a program can change its group and remove its
 * mark. When this first process ends, all others in the namespace end.
 */
export function descendantsOf(
  all: readonly OsProcess[],
  { pid, began }: Pick<OsProcess, "pid" | "began">,
): OsProcess[] {
  if (!all.some((one) => one.pid === pid && one.began === began)) return [];
  const children = Map.groupBy(all, ({ parent }) => parent);
  const found: OsProcess[] = [];
  for (let next = children.get(pid) ?? []; next.length > 0; ) {
    found.push(...next);
    next = next.flatMap((one) => children.get(one.pid) ?? []);
  }
  return found;
}

/** The memory of some processes in bytes. Shared memory counts once if the system reports it. */
export async function memoryOf(members: readonly OsProcess[]): Promise<number> {
  if (process.platform !== "linux") return residentByPs(members);
  const sizes = await Promise.all(members.map(({ pid }) => proportionalSize(pid)));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Pids are reused after each boot. */
export async function bootId(): Promise<string> {
  if (process.platform !== "linux") return "";
  return (await readFile("/proc/sys/kernel/random/boot_id", "utf8")).trim();
}

/** The marks of processes by pid. */
export type Marks = ReadonlyMap<number, string>;

/**
 * The processes whose environment has this variable with a value that starts with the prefix; not available with `ps`.
 */
export async function withVariable(
  name: string,
  prefix: string,
): Promise<{ readonly pid: number; readonly value: string }[]> {
  if (process.platform !== "linux") return [];
  const entryPrefix = `${name}=${prefix}`;
  const found = await Promise.all(
    (await pids()).map(async (pid) => {
      const text = (await read(pid, "environ")) ?? "";
      const one = text.split("\0").find((entry) => entry.startsWith(entryPrefix));
      return one === undefined ? [] : { pid, value: one.slice(name.length + 1) };
    }),
  );
  return found.flat();
}

/** Sends a signal to a process or to a whole group; ignores processes that have ended or belong to another user. */
export function signal(target: { readonly pid: number } | { readonly group: number }, name: NodeJS.Signals) {
  try {
    process.kill("group" in target ? -target.group : target.pid, name);
  } catch (error) {
    if (!hasCode(error, "ESRCH", "EPERM")) throw error;
  }
}

const pids = async () => (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);

/** Undefined if the process has ended or is not accessible. */
const read = (pid: number, file: string) =>
  readFile(`/proc/${pid}/${file}`, "utf8").catch((): undefined => undefined);

/**
 * proc(5): the name in brackets may contain anything; after it come state, parent, group, … and the start time as the
 * 20th.
 */
async function statOf(pid: number): Promise<OsProcess | undefined> {
  const text = await read(pid, "stat");
  const [state, parent, group, ...rest] = text?.slice(text.lastIndexOf(")") + 2).split(" ") ?? [];
  if (state === undefined || "ZX".includes(state)) return undefined;
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    began: rest[16] ?? "",
    user: await userOf(pid),
  };
}

/** Read from `status`, because root owns the /proc folder of a process that made itself undumpable. */
async function userOf(pid: number): Promise<number | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const [, user] = /^Uid:\s+(\d+)/m.exec((await read(pid, "status")) ?? "") ?? [];
  return user === undefined ? undefined : Number(user);
}

async function proportionalSize(pid: number): Promise<number> {
  const kilobytes = async (file: string, key: RegExp) => key.exec((await read(pid, file)) ?? "")?.[1];
  const size =
    (await kilobytes("smaps_rollup", /^Pss:\s+(\d+) kB/m)) ??
    (await kilobytes("status", /^VmRSS:\s+(\d+) kB/m));
  return Number(size ?? 0) * 1024;
}

const ps = async (columns: string) =>
  (await promisify(execFile)("ps", ["-axo", columns], { maxBuffer: 16 * 1024 * 1024 })).stdout
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/));

async function byPs(): Promise<OsProcess[]> {
  const lines = await ps("pid=,ppid=,pgid=,state=,lstart=");
  return lines.flatMap(([pid, parent, group, state, ...began]) =>
    state?.startsWith("Z")
      ? []
      : {
          pid: Number(pid),
          parent: Number(parent),
          group: Number(group),
          began: began.join(" "),
          user: undefined,
        },
  );
}

async function residentByPs(members: readonly OsProcess[]): Promise<number> {
  const pids = new Set(members.map(({ pid }) => pid));
  const sizes = (await ps("pid=,rss=")).map(([pid, size]) => (pids.has(Number(pid)) ? Number(size) : 0));
  return sizes.reduce((sum, size) => sum + size, 0) * 1024;
}

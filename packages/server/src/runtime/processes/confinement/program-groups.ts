import { hash } from "node:crypto";
import { mkdir, readdir, readFile, rmdir, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { hasCode } from "../../../core/files/disk.ts";
import { allProcesses, descendantsOf, processAt } from "../operating-system.ts";

/** The control group (cgroups(7), version 2) of one start of a program: the kernel limits it, and ends it as a whole. */
export interface ProgramGroups {
  /** Why programs cannot have control groups here, or undefined. Determined once, by trying. */
  problem(): Promise<string | undefined>;
  /** The folder of the group of a start, whether it exists or not. Its name is derived from the mark. */
  of(mark: string): Promise<string | undefined>;
  /** Creates the group of a program that is about to start. */
  create(mark: string, limits: ProgramLimits): Promise<string | undefined>;
}

export interface ProgramLimits {
  readonly memoryMb: number;
}

const root = "/sys/fs/cgroup";
/**
 * A group with controllers for its children cannot have processes itself, so the server's processes are in this child
 * group.
 */
const serverGroup = "server";
const prefix = "program-";
/** Processes and threads together. */
const maxThreads = 1000;
const killMs = 5_000;
const pollMs = 20;
/** Younger groups are not removed: a new group stays empty until its program has started. */
const startMs = 60_000;

export function programGroups(): ProgramGroups {
  let found: Promise<{ readonly folder: string } | { readonly problem: string }> | undefined;
  const find = () => {
    found ??= findFolder().then(
      (folder) => ({ folder }),
      (error: Error) => ({ problem: error.message }),
    );
    return found;
  };
  /**
   * The name must not reveal the mark: with the mark of another program, a program could have its memory counted as
   * that program's.
   */
  const of = async (mark: string) => {
    const here = await find();
    return "folder" in here ? join(here.folder, `${prefix}${hash("sha256", mark).slice(0, 32)}`) : undefined;
  };
  return {
    async problem() {
      const here = await find();
      return "problem" in here ? here.problem : undefined;
    },
    of,
    async create(mark, { memoryMb }) {
      const group = await of(mark);
      if (group === undefined) return undefined;
      await mkdir(group);
      const limit = (name: string, value: string) => writeFile(join(group, name), value);
      await limit("memory.max", String(memoryMb * 1024 * 1024));
      await limit("memory.oom.group", "1");
      await limit("pids.max", String(maxThreads));
      // The file exists only with swap. Without this limit, a program above its memory limit would continue in swap.
      await limit("memory.swap.max", "0").catch(() => {});
      return group;
    },
  };
}

/** The folder for the groups of programs, with their controllers. */
async function findFolder(): Promise<string> {
  const text = await readFile("/proc/self/cgroup", "utf8").catch(() => "");
  const own = /^0::(\/.*)$/m.exec(text)?.[1];
  const controllers = await readFile(join(root, "cgroup.controllers"), "utf8").catch(() => "");
  if (own === undefined || !/\bmemory\b/.test(controllers))
    throw new Error("there are no cgroups of version 2");
  const ownFolder = join(root, own);
  const isApart = basename(own) === serverGroup;
  // Root may write to every group: this one belongs to the server only in a container, or if the operator has said so.
  if (!isApart && own !== "/" && process.getuid?.() === 0)
    throw new Error(`root knows which group is its own only if the server is in "${serverGroup}" below it`);
  const folder = isApart ? dirname(ownFolder) : ownFolder;
  try {
    if (!isApart) await moveServer(folder);
    await writeFile(join(folder, "cgroup.subtree_control"), "+memory +pids");
  } catch (error) {
    if (!hasCode(error, "EACCES", "EPERM", "EROFS", "ENOENT", "EBUSY", "EINVAL")) throw error;
    throw new Error(
      `the group ${own} is not delegated to the server (${(error as NodeJS.ErrnoException).code})`,
    );
  }
  await removeLeft(folder);
  return folder;
}

/** Moves this process and its descendants into the server's group. */
async function moveServer(folder: string): Promise<void> {
  const to = join(folder, serverGroup);
  // Repeated, because a process may start others meanwhile.
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const pids = await processesIn(folder);
    if (pids.length === 0) return;
    const all = await allProcesses();
    const own = await processAt(process.pid);
    const ours = new Set([process.pid, ...(own ? descendantsOf(all, own).map(({ pid }) => pid) : [])]);
    // 0: a process outside the container.
    const others = new Set([0, ...all.map(({ pid }) => pid)]).difference(ours);
    if (pids.some((pid) => others.has(pid))) break;
    await mkdir(to, { recursive: true });
    for (const pid of pids) {
      await writeFile(join(to, "cgroup.procs"), String(pid)).catch((error) => {
        if (!hasCode(error, "ESRCH")) throw error;
      });
    }
  }
  throw new Error("other processes are in the group of the server");
}

const processesIn = async (group: string) =>
  (await readFile(join(group, "cgroup.procs"), "utf8")).split("\n").filter(Boolean).map(Number);

/**
 * Removes the groups of programs that ended while no server ran. Groups with processes stay, because the kernel refuses
 * to remove them.
 */
async function removeLeft(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix)) continue;
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > startMs) await rmdir(path).catch(() => {});
  }
}

/**
 * Moves the shell that runs this script into a group, and replaces the shell by the command. The arguments are the
 * folder of the group and the command.
 */
export const enterScript = `
set -e
echo 0 > "$1/cgroup.procs"
shift
exec "$@"
`;

/** Ends all processes of a group at once, before they can start others. */
export async function killGroup(group: string): Promise<void> {
  // `cgroup.kill` exists since Linux 5.14. On older kernels, the processes are found and ended one by one.
  await writeFile(join(group, "cgroup.kill"), "1").catch(() => {});
}

/** Called after the processes of the group have ended. */
export async function removeGroup(group: string): Promise<void> {
  const until = performance.now() + killMs;
  while (!(await isRemoved(group)) && performance.now() < until) await pause(pollMs);
}

const isRemoved = (group: string) =>
  rmdir(group).then(
    () => true,
    (error) => !hasCode(error, "EBUSY"),
  );

/** Whether the kernel has ended the program because of its memory. */
export async function exceededMemory(group: string | undefined): Promise<boolean> {
  if (group === undefined) return false;
  const text = await readFile(join(group, "memory.events"), "utf8").catch(() => "");
  return /^oom_kill [1-9]/m.test(text);
}

import { setTimeout as pause } from "node:timers/promises";
import { allProcesses, type Marks, type Seen, signal, withVariable } from "./operating-system.ts";
import { markVariable } from "./variables.ts";

/** A start of a process, as the machine knows it. */
export interface Known {
  readonly pid: number;
  readonly began: string;
  readonly mark: string;
}

const lookMs = 40;
/** What SIGKILL was sent to is gone, unless the machine itself hangs. */
const killMs = 5_000;

/** The process and those that it has started. A group whose number was given anew meanwhile is somebody else's. */
export function membersOf(all: readonly Seen[], { pid, began }: Pick<Known, "pid" | "began">): Seen[] {
  const members = all.filter(({ group }) => group === pid);
  const leader = members.find((one) => one.pid === pid);
  return leader && leader.began !== began ? [] : members;
}

/** The same, with those that have left its group: they carry the mark of its start. */
export function startedBy(all: readonly Seen[], marks: Marks, known: Known): Seen[] {
  const marked = all.filter(({ pid }) => marks.get(pid) === known.mark);
  return [...new Set([...membersOf(all, known), ...marked])];
}

/** Ends a process and all that it has started: asks first, if there is time for that. */
export async function endProcess(known: Known, termMs: number): Promise<void> {
  const members = async () => membersOf(await allProcesses(), known);
  if (termMs > 0 && (await members()).length > 0) {
    signal({ group: known.pid }, "SIGTERM");
    await gone(members, termMs);
  }
  if ((await members()).length > 0) signal({ group: known.pid }, "SIGKILL");
  await endMarked(known.mark);
  await gone(members, killMs);
}

/** Also what has left its group carries the mark of its start. */
export async function endMarked(mark: string): Promise<void> {
  const left = () => withVariable(markVariable, mark);
  for (const { pid } of await left()) signal({ pid }, "SIGKILL");
  await gone(left, killMs);
}

async function gone(left: () => Promise<readonly unknown[]>, ms: number): Promise<void> {
  const until = performance.now() + ms;
  while ((await left()).length > 0 && performance.now() < until) await pause(lookMs);
}

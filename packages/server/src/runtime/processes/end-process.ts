import { setTimeout as pause } from "node:timers/promises";
import { allProcesses, type Marks, type Seen, signal, withVariable } from "./operating-system.ts";
import { markVariable } from "./variables.ts";

/** A started process, as the operating system identifies it. */
export interface Known {
  readonly pid: number;
  readonly began: string;
  readonly mark: string;
}

const lookMs = 40;
/** A process ends within this time after SIGKILL unless the machine itself hangs. */
const killMs = 5_000;

/** The process and its descendants in the same group. A group whose number was reused belongs to another process. */
export function membersOf(all: readonly Seen[], { pid, began }: Pick<Known, "pid" | "began">): Seen[] {
  const members = all.filter(({ group }) => group === pid);
  const leader = members.find((one) => one.pid === pid);
  return leader && leader.began !== began ? [] : members;
}

/** The same, plus processes that have left the group: they carry the mark of its start. */
export function startedBy(all: readonly Seen[], marks: Marks, known: Known): Seen[] {
  const marked = all.filter(({ pid }) => marks.get(pid) === known.mark);
  return [...new Set([...membersOf(all, known), ...marked])];
}

/** Ends a process and its descendants: with SIGTERM first, if there is time for it. */
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

/** Includes processes that have left the group, because they carry the mark of its start. */
export async function endMarked(mark: string): Promise<void> {
  const left = () => withVariable(markVariable, mark);
  for (const { pid } of await left()) signal({ pid }, "SIGKILL");
  await gone(left, killMs);
}

async function gone(left: () => Promise<readonly unknown[]>, ms: number): Promise<void> {
  const until = performance.now() + ms;
  while ((await left()).length > 0 && performance.now() < until) await pause(lookMs);
}

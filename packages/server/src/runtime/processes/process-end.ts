import { setTimeout as pause } from "node:timers/promises";
import { allProcesses, type Marks, type OsProcess, signal, withVariable } from "./operating-system.ts";
import { markVariable } from "./variables.ts";

/** A started process, as the operating system identifies it. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly began: string;
  readonly mark: string;
}

const pollMs = 40;
/** A process ends within this time after SIGKILL unless the machine itself hangs. */
const killMs = 5_000;

/** The process and its descendants in the same group. A group whose number was reused belongs to another process. */
export function membersOf(
  all: readonly OsProcess[],
  { pid, began }: Pick<ProcessIdentity, "pid" | "began">,
): OsProcess[] {
  const members = all.filter(({ group }) => group === pid);
  const leader = members.find((one) => one.pid === pid);
  return leader && leader.began !== began ? [] : members;
}

/** The same, plus processes that have left the group: they carry the mark of its start. */
export function startedBy(all: readonly OsProcess[], marks: Marks, known: ProcessIdentity): OsProcess[] {
  const marked = all.filter(({ pid }) => marks.get(pid) === known.mark);
  return [...new Set([...membersOf(all, known), ...marked])];
}

/** Ends a process and its descendants: with SIGTERM first, if there is time for it. */
export async function endProcess(
  known: ProcessIdentity,
  termMs: number,
  variable: string = markVariable,
): Promise<void> {
  const members = async () => membersOf(await allProcesses(), known);
  if (termMs > 0 && (await members()).length > 0) {
    signal({ group: known.pid }, "SIGTERM");
    await waitUntilGone(members, termMs);
  }
  if ((await members()).length > 0) signal({ group: known.pid }, "SIGKILL");
  await endMarked(known.mark, variable);
  await waitUntilGone(members, killMs);
}

/** Includes processes that have left the group, because they carry the mark of its start. */
export async function endMarked(mark: string, variable: string = markVariable): Promise<void> {
  // Repeated, because they may start others meanwhile.
  const left = async () => {
    const found = await withVariable(variable, mark);
    for (const { pid } of found) signal({ pid }, "SIGKILL");
    return found;
  };
  await waitUntilGone(left, killMs);
}

async function waitUntilGone(left: () => Promise<readonly unknown[]>, ms: number): Promise<void> {
  const until = performance.now() + ms;
  while ((await left()).length > 0 && performance.now() < until) await pause(pollMs);
}

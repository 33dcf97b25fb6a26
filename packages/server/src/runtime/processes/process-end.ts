import { setTimeout as pause } from "node:timers/promises";
import { killGroup, removeGroup } from "./confinement/program-groups.ts";
import {
  allProcesses,
  descendantsOf,
  type Marks,
  type OsProcess,
  processAt,
  signal,
  withVariable,
} from "./operating-system.ts";
import { markVariable } from "./variables.ts";

/** A started process, as the operating system identifies it. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly began: string;
  readonly mark: string;
  /** The user that belongs to this program alone. */
  readonly user?: number | null | undefined;
  /** The folder of its control group, if it has one. */
  readonly group?: string | undefined;
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

/**
 * The members of the group, plus processes that have left it: descendants, and processes with the mark or the user of
 * the start.
 */
export function startedBy(all: readonly OsProcess[], marks: Marks, known: ProcessIdentity): OsProcess[] {
  const marked = all.filter(({ pid }) => marks.get(pid) === known.mark);
  return [
    ...new Set([...membersOf(all, known), ...descendantsOf(all, known), ...marked, ...ofUser(all, known)]),
  ];
}

const ofUser = (all: readonly OsProcess[], { user }: Pick<ProcessIdentity, "user">) =>
  typeof user === "number" ? all.filter((one) => one.user === user) : [];

/** Ends a process and its descendants: with SIGTERM first, if there is time for it. */
export async function endProcess(
  known: ProcessIdentity,
  termMs: number,
  variable: string = markVariable,
): Promise<void> {
  const members = async () => membersOf(await allProcesses(), known);
  // Listed before the process ends: afterwards its descendants have another parent.
  const descendants = descendantsOf(await allProcesses(), known);
  if (termMs > 0 && (await members()).length > 0) {
    signal({ group: known.pid }, "SIGTERM");
    await waitUntilGone(members, termMs);
  }
  descendants.push(...descendantsOf(await allProcesses(), known));
  if ((await members()).length > 0) signal({ group: known.pid }, "SIGKILL");
  for (const { pid, began } of descendants) {
    if ((await processAt(pid))?.began === began) signal({ pid }, "SIGKILL");
  }
  await endMarked(known, variable);
  await waitUntilGone(members, killMs);
}

/** Ends all processes that carry the mark of the start or run as its user, including those that have left the group. */
export async function endMarked(
  known: Pick<ProcessIdentity, "mark" | "user" | "group">,
  variable: string = markVariable,
): Promise<void> {
  if (known.group !== undefined) await killGroup(known.group);
  // Repeated, because these processes may start others meanwhile.
  const left = async () => {
    const marked = await withVariable(variable, known.mark);
    const found = [...marked, ...(typeof known.user === "number" ? ofUser(await allProcesses(), known) : [])];
    for (const { pid } of found) signal({ pid }, "SIGKILL");
    return found;
  };
  await waitUntilGone(left, killMs);
  if (known.group !== undefined) await removeGroup(known.group);
}

async function waitUntilGone(left: () => Promise<readonly unknown[]>, ms: number): Promise<void> {
  const until = performance.now() + ms;
  while ((await left()).length > 0 && performance.now() < until) await pause(pollMs);
}

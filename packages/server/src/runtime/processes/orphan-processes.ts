import type { Confinement } from "./confinement/confinement.ts";
import { allProcesses, bootId, type OsProcess, withVariable } from "./operating-system.ts";
import { endMarked, endProcess, type ProcessIdentity } from "./process-end.ts";
import { identifyingUser, type ProcessRecord, type ProcessStart } from "./process-rows.ts";
import { markVariable } from "./variables.ts";

/** A process that was left running. */
export interface OrphanProcess extends ProcessIdentity {
  readonly port: number;
}

interface Orphans {
  /** Processes that run as desired, by the id of their record. */
  readonly adoptable: ReadonlyMap<string, OrphanProcess>;
  /** Ends all other processes of this data folder, including unrecorded ones. */
  endOthers(termMs: number): Promise<void>;
}

/** Finds the processes that an earlier server left running: by its records, and by the marks of processes. */
export function orphanFinder(
  prefix: string,
  url: () => string,
  { mode, groupOf }: Pick<Confinement, "mode" | "groupOf">,
) {
  return async (records: readonly ProcessRecord[], desired: readonly ProcessRecord[]): Promise<Orphans> => {
    const [all, boot] = [await allProcesses(), await bootId()];
    const marked = await withVariable(markVariable, prefix);
    const wanted = records.length === 0 ? undefined : await mode();

    function runsAs(start: ProcessStart): OrphanProcess | undefined {
      // The processes of a copied data folder belong to the copy.
      if (start.boot !== boot || !start.mark.startsWith(prefix)) return undefined;
      // If a start was not recorded completely, its process is the group leader that carries the mark.
      const user = identifyingUser(start);
      const carries = (one: OsProcess) =>
        marked.some(({ pid, value }) => pid === one.pid && value === start.mark) ||
        (user !== null && one.user === user);
      const leader = all.find(
        (one) => one.pid === one.group && (start.pid === null ? carries(one) : one.pid === start.pid),
      );
      if (!leader || (start.began !== null && start.began !== leader.began)) return undefined;
      return { pid: leader.pid, began: leader.began, mark: start.mark, user, port: start.port };
    }

    const adoptable = new Map<string, OrphanProcess>();
    const outdated: OrphanProcess[] = [];
    for (const record of records) {
      const running = record.start && runsAs(record.start);
      if (!running) continue;
      const orphan = { ...running, group: await groupOf(running.mark) };
      // A running process keeps the API URL and the confinement it was started with: if either has changed, it must be
      // restarted.
      const { start } = record;
      const isAsDesired =
        desired.includes(record) && start?.url === url() && (start.mode ?? "unconfined") === wanted;
      if (isAsDesired) adoptable.set(record.id, orphan);
      else outdated.push(orphan);
    }
    return {
      adoptable,
      async endOthers(termMs) {
        await Promise.all(outdated.map((orphan) => endProcess(orphan, termMs)));
        const kept = new Set([...adoptable.values()].map(({ mark }) => mark));
        const others = new Set(marked.map(({ value }) => value).filter((mark) => !kept.has(mark)));
        for (const mark of others) await endMarked({ mark, group: await groupOf(mark) });
      },
    };
  };
}

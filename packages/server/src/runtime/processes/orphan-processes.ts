import { allProcesses, bootId, withVariable } from "./operating-system.ts";
import { endMarked, endProcess, type ProcessIdentity } from "./process-end.ts";
import type { ProcessRecord, ProcessStart } from "./process-rows.ts";
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
export function orphanFinder(prefix: string, url: () => string) {
  return async (records: readonly ProcessRecord[], desired: readonly ProcessRecord[]): Promise<Orphans> => {
    const [all, boot] = [await allProcesses(), await bootId()];
    const marked = await withVariable(markVariable, prefix);

    function runsAs(start: ProcessStart): OrphanProcess | undefined {
      // The processes of a copied data folder belong to the copy.
      if (start.boot !== boot || !start.mark.startsWith(prefix)) return undefined;
      // If a start was not recorded completely, its process is identified by the mark: the first of its group.
      const pids =
        start.pid === null ? marked.filter(({ value }) => value === start.mark) : [{ pid: start.pid }];
      const leader = all.find((one) => one.pid === one.group && pids.some(({ pid }) => pid === one.pid));
      if (!leader || (start.began !== null && start.began !== leader.began)) return undefined;
      return { pid: leader.pid, began: leader.began, mark: start.mark, port: start.port };
    }

    const adoptable = new Map<string, OrphanProcess>();
    const outdated: OrphanProcess[] = [];
    for (const record of records) {
      const orphan = record.start && runsAs(record.start);
      if (!orphan) continue;
      // It calls the API at the URL it was started with: if that changed, it must be restarted.
      const isAsDesired = desired.includes(record) && record.start?.url === url();
      if (isAsDesired) adoptable.set(record.id, orphan);
      else outdated.push(orphan);
    }
    return {
      adoptable,
      async endOthers(termMs) {
        await Promise.all(outdated.map((orphan) => endProcess(orphan, termMs)));
        const kept = new Set([...adoptable.values()].map(({ mark }) => mark));
        const others = new Set(marked.map(({ value }) => value).filter((mark) => !kept.has(mark)));
        for (const mark of others) await endMarked(mark);
      },
    };
  };
}

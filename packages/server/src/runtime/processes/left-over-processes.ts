import { endMarked, endProcess, type Known } from "./end-process.ts";
import { allProcesses, bootId, withVariable } from "./operating-system.ts";
import type { ProcessRecord, Start } from "./process-rows.ts";
import { markVariable } from "./variables.ts";

/** A process that was left running. */
export interface Left extends Known {
  readonly port: number;
}

interface Finding {
  /** Processes that run as wanted, by the id of their record. */
  readonly adoptable: ReadonlyMap<string, Left>;
  /** Ends all other processes of this data folder, including unrecorded ones. */
  endOthers(termMs: number): Promise<void>;
}

/** Finds the processes that an earlier server left running: by its records, and by the marks of processes. */
export function finding(prefix: string, url: () => string) {
  return async (records: readonly ProcessRecord[], wanted: readonly ProcessRecord[]): Promise<Finding> => {
    const [all, boot] = [await allProcesses(), await bootId()];
    const marked = await withVariable(markVariable, prefix);

    function runsAs(start: Start): Left | undefined {
      // The processes of a copied data folder belong to the copy.
      if (start.boot !== boot || !start.mark.startsWith(prefix)) return undefined;
      // If a start was not recorded completely, its process is identified by the mark: the first of its group.
      const pids =
        start.pid === null ? marked.filter(({ value }) => value === start.mark) : [{ pid: start.pid }];
      const leader = all.find((one) => one.pid === one.group && pids.some(({ pid }) => pid === one.pid));
      if (!leader || (start.began !== null && start.began !== leader.began)) return undefined;
      return { pid: leader.pid, began: leader.began, mark: start.mark, port: start.port };
    }

    const adoptable = new Map<string, Left>();
    const unwanted: Left[] = [];
    for (const record of records) {
      const left = record.start && runsAs(record.start);
      if (!left) continue;
      // It calls the API at the URL it was started with: if that changed, it must be restarted.
      const isAsWanted = wanted.includes(record) && record.start?.url === url();
      if (isAsWanted) adoptable.set(record.id, left);
      else unwanted.push(left);
    }
    return {
      adoptable,
      async endOthers(termMs) {
        await Promise.all(unwanted.map((left) => endProcess(left, termMs)));
        const kept = new Set([...adoptable.values()].map(({ mark }) => mark));
        const others = new Set(marked.map(({ value }) => value).filter((mark) => !kept.has(mark)));
        for (const mark of others) await endMarked(mark);
      },
    };
  };
}

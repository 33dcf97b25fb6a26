import { setTimeout as pause } from "node:timers/promises";
import type { TableVersion } from "@lakehelm/engine";
import { metric } from "../../core/metrics/prometheus.ts";
import type { TableVersions } from "./table-watch.ts";

const mostTables = 2000;
/** A scrape does not wait longer for a busy engine; the next one tries again. */
const waitMs = 1000;

/** When tables last changed. They are read once after each run in their environment, when the metrics are printed. */
export interface TableFreshness {
  runEnded(environmentId: string): void;
  /** The environments whose tables are known or will be read. */
  environments(): readonly string[];
  /** The tables of an environment that exists; undefined if the engine does not answer in time. */
  tables(environmentId: string): Promise<readonly TableVersion[] | undefined>;
  /** In the Prometheus text format. `nameOf`: undefined for an environment that no longer exists. */
  print(nameOf: (environmentId: string) => string | undefined): Promise<string>;
}

export function createTableFreshness(versionsOf: TableVersions): TableFreshness {
  const outdated = new Set<string>();
  const known = new Map<string, readonly TableVersion[]>();

  async function read(environmentId: string): Promise<void> {
    outdated.delete(environmentId);
    try {
      known.set(environmentId, await versionsOf(environmentId, []));
    } catch {
      outdated.add(environmentId);
    }
  }

  return {
    runEnded: (environmentId) => void outdated.add(environmentId),
    environments: () => [...outdated, ...known.keys()],
    async tables(environmentId) {
      if (outdated.has(environmentId) || !known.has(environmentId))
        await Promise.race([read(environmentId), pause(waitMs, undefined, { ref: false })]);
      return known.get(environmentId);
    },
    async print(nameOf) {
      // Deleted environments are left out: the engine would create a new warehouse for them.
      for (const id of [...outdated, ...known.keys()].filter((one) => nameOf(one) === undefined)) {
        outdated.delete(id);
        known.delete(id);
      }
      await Promise.race([Promise.all([...outdated].map(read)), pause(waitMs, undefined, { ref: false })]);
      const tables = [...known].flatMap(([environmentId, versions]) =>
        versions.map(({ name, at }) => ({ environment: nameOf(environmentId) ?? "", table: name, at })),
      );
      const newest = tables.toSorted((a, b) => (a.at < b.at ? 1 : -1)).slice(0, mostTables);
      return metric(
        "lakehelm_table_changed_timestamp_seconds",
        "gauge",
        `When the table last changed; of the ${mostTables} that changed last.`,
        newest.map(({ at, ...labels }) => [labels, Date.parse(at) / 1000]),
      );
    },
  };
}

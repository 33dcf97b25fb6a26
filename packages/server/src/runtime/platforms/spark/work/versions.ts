import type { TableVersion } from "@lakehelm/engine";
import { readTableName, sqlName } from "@lakehelm/sql/names";
import { type Commit, countsOf, historyOf } from "./history.ts";
import type { WorkSession } from "./work-session.ts";

/** Enough to find a change of rows behind changes of descriptions. */
const newest = 20;
const mostTables = 500;

/** The last change of rows of each table that exists. Short names are completed by `scope`. */
export async function readVersions(
  session: WorkSession,
  scope: Parameters<typeof readTableName>[1],
  tables: readonly string[],
): Promise<TableVersion[]> {
  const found: TableVersion[] = [];
  for (const name of tables.slice(0, mostTables)) {
    const table = readTableName(name, scope, "");
    if ("problem" in table) continue;
    const commit = (await historyOf(session, sqlName(table), newest)).find(changesRows);
    // Version 0 means that there is no table.
    if (commit) found.push({ name, version: commit.version + 1, at: commit.at });
  }
  return found;
}

function changesRows(commit: Commit): boolean {
  if (commit.operation === "MERGE") {
    const { inserted, updated, deleted } = countsOf(commit);
    return inserted + updated + deleted > 0;
  }
  return /WRITE|UPDATE|DELETE|TRUNCATE|CREATE|REPLACE|RESTORE|COPY|CONVERT/.test(commit.operation);
}

/** The scheduler asks every second, and a cluster needs a good part of that for each table. */
const freshMs = 5_000;

export function createVersionCache(now: () => Date) {
  const known = new Map<string, { readonly at: number; readonly versions: Promise<TableVersion[]> }>();
  return (
    environment: string,
    tables: readonly string[],
    read: () => Promise<TableVersion[]>,
  ): Promise<TableVersion[]> => {
    const key = JSON.stringify([environment, ...tables.toSorted()]);
    const before = known.get(key);
    const time = now().getTime();
    if (before && time - before.at < freshMs) return before.versions;
    for (const [other, { at }] of known) if (time - at > 60_000) known.delete(other);
    const versions = read();
    known.set(key, { at: time, versions });
    versions.catch(() => known.delete(key));
    return versions;
  };
}

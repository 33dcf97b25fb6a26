import type { PlanReference } from "@lakehelm/contract";
import { sameName } from "@lakehelm/contract/changes";
import type { AlterTableResult } from "@lakehelm/engine";
import type { EnvironmentGraph } from "../overview/environment-graph.ts";

/** The columns that are dropped, renamed, or get a type that does not hold all former values. */
export const changedColumns = ({ columns, dropped }: AlterTableResult): readonly string[] => [
  ...dropped.map((column) => column.name),
  ...columns
    .filter(
      ({ name, type, before, widens }) => !sameName(name, before.name) || (type !== before.type && !widens),
    )
    .map(({ before }) => before.name),
];

/** Resources and views that use changed columns. */
export async function brokenReaders(
  graph: Pick<EnvironmentGraph, "readersOf">,
  result: AlterTableResult,
): Promise<readonly PlanReference[]> {
  const { name, brokenViews } = result;
  const changed = changedColumns(result);
  const views = brokenViews.map(({ name: view, reason }) => ({
    kind: "table" as const,
    name: view,
    columns: null,
    via: `The view could no longer be read: ${reason}`,
  }));
  if (changed.length === 0) return views;
  return [...views, ...(await graph.readersOf(name.join("."), changed))];
}

import type { PlanReference } from "@lakehelm/contract";
import type { AlterTableResult } from "@lakehelm/engine";
import type { EnvironmentGraph } from "../overview/environment-graph.ts";

/** Resources and views that use what goes away or gets another kind of values. */
export function brokenReaders(
  graph: Pick<EnvironmentGraph, "readersOf">,
  { name, columns, dropped, brokenViews }: AlterTableResult,
): readonly PlanReference[] {
  const changed = [
    ...dropped.map((column) => column.name),
    ...columns
      .filter(({ name, type, before, widens }) => name !== before.name || (type !== before.type && !widens))
      .map(({ before }) => before.name),
  ];
  const views = brokenViews.map(({ name: view, reason }) => ({
    kind: "table" as const,
    name: view,
    columns: null,
    via: `The view could no longer be read: ${reason}`,
  }));
  if (changed.length === 0) return views;
  return [...views, ...graph.readersOf(name.join("."), changed)];
}

import type { ExpectedTable } from "@lakehelm/engine";
import type { Columns } from "../flows/flow-columns.ts";
import type { ResourceGraph } from "./graph.ts";

/** The tables whose columns a plan may change, as they will be after the next runs; null: not known. */
export type TableShapes = Map<string, Columns | null>;

/** What a resource will find in the tables that it reads. Tables that nothing changes are as the catalog says. */
export function expectedFor(
  node: string,
  { lineage, writers, writes }: Pick<ResourceGraph, "lineage" | "writers" | "writes">,
  shapes: TableShapes,
): ExpectedTable[] {
  const own = new Set(writes(node));
  const reads = new Set(lineage(node).paths.flatMap((path) => path.reads));
  return [...reads].flatMap((name) => {
    if (own.has(name)) return [];
    const columns = shapes.get(name);
    if (columns !== undefined) return [{ name, columns }];
    return writers(name).some((writer) => writer !== node) ? [{ name, columns: null }] : [];
  });
}

import type { DatasetNode, Node } from "./nodes.ts";
import type { Streamable } from "./streams.ts";

/** Says of every table whether it can be read as a stream, as far as the pipeline's code tells. */
export function streamables(nodes: readonly Node[]): (table: string) => Streamable {
  const datasets = new Map(
    nodes.flatMap((node) => (node.kind === "dataset" ? [[node.name, node] as const] : [])),
  );
  return (table) => {
    const dataset = datasets.get(table);
    return dataset ? ofDataset(dataset) : "yes";
  };
}

function ofDataset({ draft, flows, name }: DatasetNode): Streamable {
  const { kind } = draft.dataset;
  if (draft.isBroken) return "yes";
  if (kind === "view") {
    const isOverStream = (draft.query?.streams.length ?? 0) > 0;
    return isOverStream
      ? "only"
      : { not: `${name} is a view of whole tables: put STREAM into the view itself.` };
  }
  if (kind === "materialized_view")
    return {
      not: `${name} is a materialized view, whose rows are replaced: a stream reads a table that only grows.`,
    };
  return flows.some(({ fed }) => fed.cdc)
    ? { not: `${name} is filled by AUTO CDC, which changes rows: a stream reads a table that only grows.` }
    : "yes";
}

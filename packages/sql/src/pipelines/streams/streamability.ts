import type { DatasetNode, PipelineNode } from "../nodes.ts";

/** Whether a table can be read as a stream. */
export type Streamability =
  | "yes"
  /** A view over a stream, which can only be read as a stream. */
  | "only"
  /** Why the table cannot be read as a stream. */
  | { readonly not: string };

/** Returns the streamability of each table, as far as the pipeline's code shows. */
export function streamabilityOf(nodes: readonly PipelineNode[]): (table: string) => Streamability {
  const datasets = new Map(
    nodes.flatMap((node) => (node.kind === "dataset" ? [[node.name, node] as const] : [])),
  );
  return (table) => {
    const dataset = datasets.get(table);
    return dataset ? ofDataset(dataset) : "yes";
  };
}

function ofDataset({ draft, flows, name }: DatasetNode): Streamability {
  const { kind } = draft.dataset;
  if (draft.isBroken) return "yes";
  if (kind === "view") {
    const isOverStream = (draft.query?.streams.length ?? 0) > 0;
    return isOverStream
      ? "only"
      : { not: `${name} is a view that reads no stream: write STREAM in the view itself.` };
  }
  if (kind === "materialized_view")
    return {
      not: `${name} is a materialized view, whose rows change: a stream needs an append-only table.`,
    };
  return flows.some(({ input }) => input.cdc)
    ? { not: `${name} is the target of AUTO CDC, which changes rows: a stream needs an append-only table.` }
    : "yes";
}

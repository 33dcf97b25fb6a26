import type { DatasetNode, PipelineNode } from "../nodes.ts";

/** How it is with reading a table as a stream. */
export type Streamability =
  | "yes"
  /** It is a view over a stream: nothing else can be done with it. */
  | "only"
  /** Why not. */
  | { readonly not: string };

/** Says of every table whether it can be read as a stream, as far as the pipeline's code tells. */
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
      : { not: `${name} is a view of whole tables: put STREAM into the view itself.` };
  }
  if (kind === "materialized_view")
    return {
      not: `${name} is a materialized view, whose rows are replaced: a stream reads a table that only grows.`,
    };
  return flows.some(({ input }) => input.cdc)
    ? { not: `${name} is filled by AUTO CDC, which changes rows: a stream reads a table that only grows.` }
    : "yes";
}

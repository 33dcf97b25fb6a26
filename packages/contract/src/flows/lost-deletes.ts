import { type FlowStrategy, flowStrategyOf } from "./write-strategy.ts";

type Definition = Readonly<Record<string, unknown>>;

interface Declared {
  readonly kind: string;
  readonly name: string;
  readonly definition: Definition;
}

/** An export that deletes rows which its table has lost, and the flow that never deletes rows from that table. */
interface LostDeletes {
  readonly connector: string;
  /** The index of the dataset in the connector. */
  readonly at: number;
  readonly flow: string;
  readonly message: string;
}

/** Finds exports with `deletes` whose table a flow publishes by `merge`. `fullName` completes the name of a table. */
export function lostDeletes(
  resources: readonly Declared[],
  fullName: (table: string) => string,
): LostDeletes[] {
  const merged = new Map(
    resources.flatMap(({ kind, name, definition }) =>
      kind === "flow" && isMerge(definition) && typeof definition.target_name === "string"
        ? [[fullName(definition.target_name), name] as const]
        : [],
    ),
  );
  return resources.flatMap(({ kind, name: connector, definition }) => {
    if (kind !== "connector" || definition.target_type === "warehouse") return [];
    const datasets = Array.isArray(definition.datasets) ? definition.datasets : [];
    return datasets.flatMap((dataset: Definition, at) => {
      const { source_dataset: source, custom_config: config } = dataset ?? {};
      const deletes = (config as Definition | null | undefined)?.deletes === true;
      const flow = deletes && typeof source === "string" ? merged.get(fullName(source)) : undefined;
      return flow === undefined ? [] : [{ connector, at, flow, message: sentence(connector, flow, source) }];
    });
  });
}

const sentence = (connector: string, flow: string, table: unknown): string =>
  `The connector ${connector} deletes what ${table} has lost, but the flow ${flow} merges into it and never deletes a row. Set write_strategy of the flow to merge_and_delete or replace.`;

function isMerge({ target_schema: schema, write_strategy, scd_type }: Definition): boolean {
  const columns = (schema as { readonly columns?: unknown } | null | undefined)?.columns;
  return (
    flowStrategyOf({
      ...(typeof scd_type === "number" && { scd_type }),
      ...(typeof write_strategy === "string" && { write_strategy: write_strategy as FlowStrategy }),
      target_schema: { columns: Array.isArray(columns) ? columns : [] },
    }) === "merge"
  );
}

/** How a run of a flow changes the rows of its table. */
export const flowStrategies = ["merge", "merge_and_delete", "replace", "history"] as const;
export type FlowStrategy = (typeof flowStrategies)[number];

/** The strategy of a flow: the declared one, or the one that its key and `scd_type` imply. */
export function flowStrategyOf({
  write_strategy: declared,
  scd_type: type,
  target_schema: { columns },
}: {
  readonly write_strategy?: FlowStrategy | undefined;
  readonly scd_type?: number | undefined;
  readonly target_schema: { readonly columns: readonly { readonly pk?: boolean | undefined }[] };
}): FlowStrategy {
  if (declared) return declared;
  if (type === 2) return "history";
  return columns.some(({ pk }) => pk) ? "merge" : "replace";
}

/** Whether a failed check of the published table fails the run or is only reported. */
export const checkSeverities = ["fail", "warn"] as const;
export type CheckSeverity = (typeof checkSeverities)[number];

/** How a flow writes its table: a sentence without its subject. */
export function flowWritesText(
  flow: Parameters<typeof flowStrategyOf>[0] & {
    readonly target_schema: { readonly columns: readonly { readonly name: string }[] };
    readonly close_missing_keys?: boolean | undefined;
  },
): string {
  const columns: readonly { readonly name: string; readonly pk?: boolean | undefined }[] =
    flow.target_schema.columns;
  const key = columns.flatMap(({ name, pk }) => (pk ? [name] : [])).join(", ");
  switch (flowStrategyOf(flow)) {
    case "replace":
      return "replaces the table in each run";
    case "merge":
      return `keeps the current row of each ${key}, and deletes nothing`;
    case "merge_and_delete":
      return `keeps the current row of each ${key}, and deletes those that its SELECT no longer returns`;
    case "history":
      return `keeps the history of each ${key}${flow.close_missing_keys ? ", and ends it when its SELECT no longer returns it" : ""}`;
  }
}

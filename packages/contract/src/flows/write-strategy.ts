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

/** Whether a failed check of the published table fails the run, or is only reported. */
export const checkSeverities = ["fail", "warn"] as const;
export type CheckSeverity = (typeof checkSeverities)[number];

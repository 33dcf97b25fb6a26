import type { ConnectorDataset } from "@lakehelm/contract";

type Written = Pick<ConnectorDataset, "write_strategy" | "primary_keys" | "log_keys">;

/** How runs write: where they apply the changes in a log, the definition need not say. */
export const strategyOf = ({ write_strategy, log_keys }: Written): string =>
  log_keys ? "upsert and delete" : write_strategy;

/** The columns by which runs find a row. */
export function keysOf({ primary_keys, log_keys }: Written): string {
  if (log_keys?.length === 0) return "all columns";
  return (log_keys ?? primary_keys)?.join(", ") ?? "–";
}

import type { ConnectorDataset } from "@lakehelm/contract";

type Written = Pick<ConnectorDataset, "write_strategy" | "primary_keys" | "log_keys">;

/** How runs write. If they apply the changes in a log, the definition may lack a strategy. */
export const strategyOf = ({ write_strategy, log_keys }: Written): string =>
  log_keys ? "upsert and delete" : write_strategy;

/** The columns by which runs find a row. */
export function keysOf({ primary_keys, log_keys }: Written): string {
  if (log_keys?.length === 0) return "all columns";
  return (log_keys ?? primary_keys)?.join(", ") ?? "–";
}

import { suggestion } from "@lakehelm/contract/text";
import type { RunUpdateRequest } from "../protocol/pipeline.ts";
import { DataProblem } from "../protocol/problem.ts";
import { fullName, parseTableName } from "../warehouse/names.ts";

/** The datasets that an update refreshes, and those that it refreshes fully. */
export interface Selection {
  readonly isEverything: boolean;
  isSelected(name: string): boolean;
  isFull(name: string): boolean;
}

/** Throws a DataProblem for an unknown name. A dataset with a full refresh is selected as well. */
export function selectionOf(
  { refresh, fullRefresh, scope }: Pick<RunUpdateRequest, "refresh" | "fullRefresh" | "scope">,
  datasets: readonly string[],
): Selection {
  const named = (names: "all" | readonly string[]) =>
    names === "all" ? datasets : names.map((name) => findDataset(name, datasets, scope));
  const full = new Set(named(fullRefresh));
  const selected = new Set([...named(refresh), ...full]);
  return {
    isEverything: refresh === "all",
    isSelected: (name) => selected.has(name),
    isFull: (name) => full.has(name),
  };
}

/** Finds a dataset by its full name, or by a suffix that only one dataset has. */
function findDataset(name: string, datasets: readonly string[], scope: RunUpdateRequest["scope"]): string {
  const full = fullName(parseTableName(name, scope));
  if (datasets.includes(full)) return full;
  const candidates = datasets.filter((dataset) => dataset.endsWith(`.${name.toLowerCase()}`));
  if (candidates.length === 1 && candidates[0] !== undefined) return candidates[0];
  throw new DataProblem(`The pipeline has no table ${JSON.stringify(name)}.${suggestion(full, datasets)}`);
}

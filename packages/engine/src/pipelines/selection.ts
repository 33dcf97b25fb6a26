import { suggestion } from "@lakehelm/contract/text";
import type { PipelineUpdateRequest } from "../protocol/pipeline.ts";
import { DataProblem } from "../protocol/problem.ts";
import { fullName, parseTableName } from "../warehouse/names.ts";

/** Which datasets an update is about, and which of them begin anew. */
export interface Selection {
  readonly isEverything: boolean;
  isChosen(name: string): boolean;
  isFull(name: string): boolean;
}

/** Throws a DataProblem for a name that no dataset has. What begins anew is chosen by that. */
export function selectionOf(
  { refresh, fullRefresh, scope }: Pick<PipelineUpdateRequest, "refresh" | "fullRefresh" | "scope">,
  datasets: readonly string[],
): Selection {
  const named = (names: "all" | readonly string[]) =>
    names === "all" ? datasets : names.map((name) => found(name, datasets, scope));
  const full = new Set(named(fullRefresh));
  const chosen = new Set([...named(refresh), ...full]);
  return {
    isEverything: refresh === "all",
    isChosen: (name) => chosen.has(name),
    isFull: (name) => full.has(name),
  };
}

/** By its full name, or by the end of it that only one dataset has. */
function found(name: string, datasets: readonly string[], scope: PipelineUpdateRequest["scope"]): string {
  const full = fullName(parseTableName(name, scope));
  if (datasets.includes(full)) return full;
  const ending = datasets.filter((one) => one.endsWith(`.${name.toLowerCase()}`));
  if (ending.length === 1 && ending[0] !== undefined) return ending[0];
  throw new DataProblem(`The pipeline makes no table ${JSON.stringify(name)}.${suggestion(full, datasets)}`);
}

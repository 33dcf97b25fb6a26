import { suggestion } from "@lakehelm/contract/text";
import type { WarehouseColumn } from "../../protocol/column.ts";
import { DataProblem } from "../../protocol/problem.ts";

const isTime = (type: string) => /^(TIMESTAMP|DATETIME)/.test(type);
const isWhole = (type: string) => /^U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)$/.test(type);
const saysChange = /updat|modif|chang|edit|touch/i;

/**
 * Columns that only grow when a row changes, the likeliest first: times of change, other times, days, and at last a key that
 * is counted up, which sees new rows and no changed ones.
 */
export function watermarkCandidates(
  columns: readonly Pick<WarehouseColumn, "name" | "type">[],
  keys: readonly string[],
): string[] {
  const rank = ({ name, type }: Pick<WarehouseColumn, "name" | "type">): number => {
    if (isTime(type)) return saysChange.test(name) ? 0 : 2;
    if (type === "DATE") return saysChange.test(name) ? 1 : 3;
    return keys.length === 1 && keys[0] === name && isWhole(type) ? 4 : 5;
  };
  return columns
    .map((column) => ({ name: column.name, rank: rank(column) }))
    .filter((candidate) => candidate.rank < 5)
    .sort((one, other) => one.rank - other.rank)
    .map(({ name }) => name);
}

/** The one that is meant: by its exact name, or by the only one that differs in case alone. */
export function pickDataset<Known extends { readonly name: string }>(
  dataset: string,
  known: readonly Known[],
  where: string,
): Known {
  const exact = known.find(({ name }) => name === dataset);
  if (exact) return exact;
  const alike = known.filter(({ name }) => name.toLowerCase() === dataset.toLowerCase());
  if (alike.length === 1 && alike[0]) return alike[0];
  throw new DataProblem(
    `There is no ${JSON.stringify(dataset)} in ${where}.${suggestion(
      dataset,
      known.map(({ name }) => name),
    )}`,
  );
}

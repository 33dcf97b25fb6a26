import type { WarehouseColumn } from "../../protocol/column.ts";

const isTime = (type: string) => /^(TIMESTAMP|DATETIME)/.test(type);
const isWhole = (type: string) => /^U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)$/.test(type);
const saysChange = /updat|modif|chang|edit|touch/i;

/**
 * Columns that grow whenever a row changes, the best candidate first: modification times, other times, dates, and finally
 * an increasing key, which finds new rows but no changed ones.
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

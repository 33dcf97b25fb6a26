import type { WarehouseColumn } from "../../protocol/column.ts";

const isTime = (type: string) => /^(TIMESTAMP|DATETIME)/.test(type);
const isInteger = (type: string) => /^U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)$/.test(type);
const changePattern = /updat|modif|chang|edit|touch/i;

/**
 * Columns that grow whenever a row changes, the best candidate first: modification times, other times, dates, and finally
 * an increasing key, which finds new rows but no changed ones.
 */
export function watermarkCandidates(
  columns: readonly Pick<WarehouseColumn, "name" | "type">[],
  keys: readonly string[],
): string[] {
  const rank = ({ name, type }: Pick<WarehouseColumn, "name" | "type">): number => {
    if (isTime(type)) return changePattern.test(name) ? 0 : 2;
    if (type === "DATE") return changePattern.test(name) ? 1 : 3;
    return keys.length === 1 && keys[0] === name && isInteger(type) ? 4 : 5;
  };
  return columns
    .map((column) => ({ name: column.name, rank: rank(column) }))
    .filter((candidate) => candidate.rank < 5)
    .sort((one, other) => one.rank - other.rank)
    .map(({ name }) => name);
}
